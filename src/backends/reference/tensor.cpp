#include "backends/reference/tensor.h"

#include <algorithm>

namespace webnn::reference {

namespace {

bool isInt4(DataType type) { return type == DataType::int4 || type == DataType::uint4; }

void copyBytes(std::span<std::byte> to, std::span<const std::byte> from) {
  inParts(from.size(), [&](std::size_t begin, std::size_t end) { std::memcpy(&to[begin], &from[begin], end - begin); });
}

std::size_t storageBytes(const OperandDescriptor& descriptor, std::size_t size) {
  return isInt4(descriptor.dataType) ? size : size * bitsPerElement(descriptor.dataType) / 8;
}

}  // namespace

NdArray::NdArray(OperandDescriptor descriptor)
    : descriptor_(std::move(descriptor)),
      size_(elementCount(descriptor_)),
      storage_((storageBytes(descriptor_, size_) + 7) / 8) {}

NdArray::NdArray(OperandDescriptor descriptor, std::span<const std::byte> packed) : NdArray(std::move(descriptor)) {
  if (!isInt4(dataType())) {
    copyBytes(std::as_writable_bytes(std::span(storage_)), packed);
    return;
  }
  auto* elements = reinterpret_cast<std::uint8_t*>(storage_.data());
  Progress progress;
  for (std::size_t i = 0; i < size_; ++i, progress.count()) {
    const auto nibble = static_cast<std::uint8_t>((static_cast<std::uint8_t>(packed[i / 2]) >> (i % 2 * 4)) & 0xF);
    const bool negative = dataType() == DataType::int4 && nibble >= 8;
    elements[i] = negative ? static_cast<std::uint8_t>(nibble | 0xF0) : nibble;
  }
}

void NdArray::pack(std::span<std::byte> packed) const {
  if (!isInt4(dataType())) return copyBytes(packed, std::as_bytes(std::span(storage_)).first(packed.size()));
  const auto* elements = reinterpret_cast<const std::uint8_t*>(storage_.data());
  std::ranges::fill(packed, std::byte{0});
  Progress progress;
  for (std::size_t i = 0; i < size_; ++i, progress.count())
    packed[i / 2] |= static_cast<std::byte>((elements[i] & 0xF) << (i % 2 * 4));
}

std::vector<double> NdArray::toDoubles() const {
  std::vector<double> values(size_);
  const auto convert = [&](auto elements) {
    inParts(elements.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values[i] = static_cast<double>(elements[i]);
    });
  };
  if (dataType() == DataType::float32) convert(as<float>());
  if (dataType() == DataType::float16) convert(as<Half>());
  return values;
}

void NdArray::setDoubles(std::span<const double> values) {
  const auto convert = [&]<typename T>(std::span<T> elements) {
    inParts(values.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) elements[i] = fromDouble<T>(values[i]);
    });
  };
  if (dataType() == DataType::float32) convert(as<float>());
  if (dataType() == DataType::float16) convert(as<Half>());
}

std::vector<std::size_t> stridesOf(const Shape& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::size_t Coordinates::offset(const std::vector<std::size_t>& strides) const {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < at_.size(); ++i) offset += at_[i] * strides[i];
  return offset;
}

void Coordinates::next() {
  progress_.count();
  for (std::size_t i = at_.size(); i-- > 0;) {
    if (++at_[i] < shape_[i]) return;
    at_[i] = 0;
  }
  done_ = true;
}

std::vector<std::size_t> broadcastStrides(const Shape& from, const Shape& to) {
  const std::vector<std::size_t> own = stridesOf(from);
  std::vector<std::size_t> strides(to.size(), 0);
  const std::size_t shift = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) strides[shift + i] = from[i] == 1 ? 0 : own[i];
  return strides;
}

BroadcastRows::BroadcastRows(const Shape& shape, std::span<const NdArray* const> operands)
    : row_(Shape()), length_(shape.empty() ? 1 : shape.back()) {
  for (const NdArray* operand : operands) {
    std::vector<std::size_t>& strides = strides_.emplace_back(broadcastStrides(operand->shape(), shape));
    steps_.push_back(shape.empty() ? 0 : strides.back());
    if (!shape.empty()) strides.pop_back();
  }
  Shape rows = shape.empty() ? Shape() : Shape(shape.begin(), shape.end() - 1);
  const auto continuesRow = [&](std::size_t dimension) {
    if (rows[dimension] == 1 || length_ == 1) return true;
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      if (strides_[k][dimension] != steps_[k] * length_) return false;
    }
    return true;
  };
  while (!rows.empty() && continuesRow(rows.size() - 1)) {
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      if (length_ == 1) steps_[k] = strides_[k].back();
      strides_[k].pop_back();
    }
    length_ *= rows.back();
    rows.pop_back();
  }
  row_ = Coordinates(std::move(rows));
}

void BroadcastRows::next() {
  begin_ += length_;
  row_.next();
}

}  // namespace webnn::reference
