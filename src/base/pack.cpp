#include "base/pack.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <variant>

#include "base/text.h"

namespace webnn {

namespace {

template <typename T>
void store(std::vector<std::byte>& bytes, T value) {
  bytes.resize(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
}

}  // namespace

std::vector<std::byte> packScalar(DataType type, const Number& value) {
  const Number exact = cast(value, type);
  const double real = exact.toDouble();
  const std::uint64_t integer =
      isFloat(type)
          ? 0
          : std::visit([](auto item) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(item)); }, exact.value());
  std::vector<std::byte> bytes;
  switch (type) {
    case DataType::float32: store(bytes, static_cast<float>(real)); break;
    case DataType::float16: store(bytes, Half(real).bits()); break;
    case DataType::int32:
    case DataType::uint32: store(bytes, static_cast<std::uint32_t>(integer)); break;
    case DataType::int64:
    case DataType::uint64: store(bytes, integer); break;
    case DataType::int8:
    case DataType::uint8: store(bytes, static_cast<std::uint8_t>(integer)); break;
    case DataType::int4:
    case DataType::uint4: store(bytes, static_cast<std::uint8_t>(integer & 0xF)); break;
  }
  return bytes;
}

std::vector<std::byte> packElements(const OperandDescriptor& descriptor, std::span<const Number> values) {
  const std::size_t bits = bitsPerElement(descriptor.dataType), count = elementCount(descriptor);
  if (values.size() != 1 && values.size() != count) {
    fail(ErrorKind::dataError, "there are {} values for {}.", values.size(), toString(descriptor));
  }
  std::vector<std::byte> packed(byteLength(descriptor));
  if (bits == 4) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte nibble = packScalar(descriptor.dataType, values[values.size() == 1 ? 0 : i])[0];
      packed[i / 2] |= nibble << (i % 2 * 4);
    }
    return packed;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(packed.data() + i * bits / 8, packScalar(descriptor.dataType, values[i]).data(), bits / 8);
  }
  // Repeats a single value by copying the part that is already filled, because a tensor may have millions of elements.
  for (std::size_t filled = values.size() * bits / 8; filled < packed.size(); filled *= 2) {
    std::memcpy(packed.data() + filled, packed.data(), std::min(filled, packed.size() - filled));
  }
  return packed;
}

}  // namespace webnn
