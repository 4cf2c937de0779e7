#include "backends/coreml/arrays.h"

#include <cstring>
#include <utility>

#include "base/progress.h"
#include "base/text.h"
#include "coreml/mil_builder.h"

namespace webnn::coreml {

namespace {

ArrayType arrayTypeOf(DataType type) {
  switch (computedType(type)) {
    case MilType::float16: return ArrayType::float16;
    case MilType::float32: return ArrayType::float32;
    default: return ArrayType::int32;
  }
}

// Calls `visit` with a zero of the C++ type for an integer type of at least 8 bits.
void withInteger(DataType type, auto visit) {
  switch (type) {
    case DataType::int8: return visit(std::int8_t{});
    case DataType::uint8: return visit(std::uint8_t{});
    case DataType::uint32: return visit(std::uint32_t{});
    case DataType::int64: return visit(std::int64_t{});
    case DataType::uint64: return visit(std::uint64_t{});
    default: return visit(std::int32_t{});
  }
}

// Returns 4-bit element `i`. The low half of each byte holds the element with the even index.
std::int32_t nibbleAt(DataType type, std::span<const std::byte> bytes, std::size_t i) {
  const int nibble = std::to_integer<int>(bytes[i / 2]) >> (i % 2 * 4) & 0xF;
  return type == DataType::int4 && nibble >= 8 ? nibble - 16 : nibble;
}

[[noreturn]] void failAsTooLarge(std::int32_t value, DataType type, std::string_view output) {
  fail(ErrorKind::operationError, "dispatch: Core ML computed {} for output {}, which is {}.", value, webnn::quoted(output),
       name(type));
}

void packNibbles(DataType type, std::span<const std::int32_t> from, std::span<std::byte> to, std::string_view output) {
  const std::int32_t lowest = type == DataType::int4 ? -8 : 0;
  const auto nibble = [&](std::size_t i) {
    if (i >= from.size()) return 0;
    if (from[i] < lowest || from[i] > lowest + 15) failAsTooLarge(from[i], type, output);
    return from[i] & 0xF;
  };
  Progress progress;
  for (std::size_t i = 0; i < to.size(); ++i) {
    progress.count();
    to[i] = static_cast<std::byte>(nibble(2 * i) | nibble(2 * i + 1) << 4);
  }
}

// Computes the distance in elements from the first to the farthest element. Returns false for a dimension below 1, a negative
// stride, or a distance above `limit`. Values from Core ML are checked in this way before memory is read.
bool extentOf(const ForeignArray& array, std::int64_t limit, std::int64_t& extent) {
  extent = 0;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    const std::int64_t steps = array.shape[i] - 1, stride = array.strides[i];
    if (steps < 0 || stride < 0 || (steps != 0 && stride > (limit - extent) / steps)) return false;
    extent += steps * stride;
  }
  return true;
}

// Copies the elements of dimensions `axis` and higher into packed memory at `to`, and advances `to` past them.
void copyRows(const ForeignArray& from, std::size_t axis, const std::byte* source, std::size_t size, std::byte*& to) {
  if (axis == from.shape.size()) {
    std::memcpy(to, source, size);
    to += size;
    return;
  }
  const auto count = static_cast<std::size_t>(from.shape[axis]), stride = static_cast<std::size_t>(from.strides[axis]) * size;
  if (axis + 1 == from.shape.size() && stride == size) {
    std::memcpy(to, source, count * size);
    to += count * size;
    return;
  }
  for (std::size_t i = 0; i < count; ++i) copyRows(from, axis + 1, source + i * stride, size, to);
}

}  // namespace

std::size_t elementSize(ArrayType type) { return type == ArrayType::float16 ? 2 : 4; }

std::size_t Array::count() const {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

Array arrayOf(std::string name, const OperandDescriptor& descriptor) {
  const Shape shape = shapeOf(descriptor.shape);
  Array array{.name = std::move(name),
              .type = arrayTypeOf(descriptor.dataType),
              .shape = {shape.begin(), shape.end()},
              .strides = std::vector<std::int64_t>(shape.size(), 1),
              .data = nullptr};
  for (std::size_t i = shape.size() - 1; i-- > 0;) array.strides[i] = array.strides[i + 1] * array.shape[i + 1];
  return array;
}

bool isShared(DataType type) { return isFloat(type) || type == DataType::int32; }

void toInt32(DataType type, std::span<const std::byte> from, std::span<std::int32_t> to, std::string_view input) {
  if (bitsPerElement(type) == 4) {
    Progress progress;
    for (std::size_t i = 0; i < to.size(); ++i) {
      progress.count();
      to[i] = nibbleAt(type, from, i);
    }
    return;
  }
  withInteger(type, [&]<typename T>(T) {
    Progress progress;
    for (std::size_t i = 0; i < to.size(); ++i) {
      progress.count();
      T value{};
      std::memcpy(&value, from.data() + i * sizeof(T), sizeof(T));
      if (!std::in_range<std::int32_t>(value)) {
        fail(ErrorKind::operationError, "dispatch: Core ML computes {} in int32, and input {} holds {}.", name(type),
             webnn::quoted(input), value);
      }
      to[i] = static_cast<std::int32_t>(value);
    }
  });
}

void fromInt32(DataType type, std::span<const std::int32_t> from, std::span<std::byte> to, std::string_view output) {
  if (bitsPerElement(type) == 4) return packNibbles(type, from, to, output);
  withInteger(type, [&]<typename T>(T) {
    Progress progress;
    for (std::size_t i = 0; i < from.size(); ++i) {
      progress.count();
      if (sizeof(T) == 1 && !std::in_range<T>(from[i])) failAsTooLarge(from[i], type, output);
      const T value = static_cast<T>(from[i]);
      std::memcpy(to.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
}

std::string_view copyPacked(const ForeignArray& from, const Array& to) noexcept {
  if (from.type != static_cast<std::int64_t>(to.type)) return "it has another type than the model says";
  if (from.shape != to.shape) return "it has another shape than the model says";
  if (from.strides.size() != from.shape.size()) return "it has not a stride for each dimension";
  const std::size_t size = elementSize(to.type);
  const std::size_t elements = from.bytes.size() / size;
  std::int64_t extent = 0;
  if (elements == 0 || !extentOf(from, static_cast<std::int64_t>(elements) - 1, extent)) return "it is larger than its memory";
  std::byte* end = to.data;
  copyRows(from, 0, from.bytes.data(), size, end);
  return {};
}

}  // namespace webnn::coreml
