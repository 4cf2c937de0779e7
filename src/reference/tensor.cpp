#include "reference/tensor.h"

#include <algorithm>

namespace webnn::reference {

namespace {

bool isInt4(DataType type) { return type == DataType::int4 || type == DataType::uint4; }

std::size_t storageBytes(const OperandDescriptor& descriptor, std::size_t size) {
  return isInt4(descriptor.dataType) ? size : size * bitsPerElement(descriptor.dataType) / 8;
}

}  // namespace

Tensor::Tensor(OperandDescriptor descriptor)
    : descriptor_(std::move(descriptor)),
      size_(elementCount(descriptor_)),
      storage_((storageBytes(descriptor_, size_) + 7) / 8) {}

Tensor::Tensor(OperandDescriptor descriptor, std::span<const std::byte> packed) : Tensor(std::move(descriptor)) {
  if (!isInt4(dataType())) {
    std::memcpy(storage_.data(), packed.data(), packed.size());
    return;
  }
  auto* elements = reinterpret_cast<std::uint8_t*>(storage_.data());
  for (std::size_t i = 0; i < size_; ++i) {
    const auto nibble = static_cast<std::uint8_t>((static_cast<std::uint8_t>(packed[i / 2]) >> (i % 2 * 4)) & 0xF);
    const bool negative = dataType() == DataType::int4 && nibble >= 8;
    elements[i] = negative ? static_cast<std::uint8_t>(nibble | 0xF0) : nibble;
  }
}

void Tensor::pack(std::span<std::byte> packed) const {
  if (!isInt4(dataType())) {
    std::memcpy(packed.data(), storage_.data(), packed.size());
    return;
  }
  const auto* elements = reinterpret_cast<const std::uint8_t*>(storage_.data());
  std::ranges::fill(packed, std::byte{0});
  for (std::size_t i = 0; i < size_; ++i) packed[i / 2] |= static_cast<std::byte>((elements[i] & 0xF) << (i % 2 * 4));
}

std::vector<double> Tensor::toDoubles() const {
  std::vector<double> values(size_);
  const auto convert = [](auto value) { return static_cast<double>(value); };
  if (dataType() == DataType::float32) std::ranges::transform(as<float>(), values.begin(), convert);
  if (dataType() == DataType::float16) std::ranges::transform(as<Half>(), values.begin(), convert);
  return values;
}

void Tensor::setDoubles(std::span<const double> values) {
  if (dataType() == DataType::float32) std::ranges::transform(values, as<float>().begin(), fromDouble<float>);
  if (dataType() == DataType::float16) std::ranges::transform(values, as<Half>().begin(), fromDouble<Half>);
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

}  // namespace webnn::reference
