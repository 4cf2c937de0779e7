#include "random/elements.h"

#include <bit>
#include <cstring>

namespace webnn::random {

std::uint64_t bitsAt(DataType type, const Bytes& packed, std::size_t index) {
  const std::size_t bits = bitsPerElement(type);
  if (bits == 4) return (static_cast<std::uint64_t>(packed[index / 2]) >> (index % 2 * 4)) & 0xF;
  std::uint64_t element = 0;
  std::memcpy(&element, packed.data() + index * (bits / 8), bits / 8);
  return element;
}

void setBits(DataType type, Bytes& packed, std::size_t index, std::uint64_t bits) {
  const std::size_t size = bitsPerElement(type);
  if (size == 4) {
    const unsigned shift = index % 2 * 4;
    const auto others = static_cast<unsigned>(packed[index / 2]) & (0xF0U >> shift);
    packed[index / 2] = static_cast<std::byte>(others | ((bits & 0xF) << shift));
  } else {
    std::memcpy(packed.data() + index * (size / 8), &bits, size / 8);
  }
}

double realAt(DataType type, const Bytes& packed, std::size_t index) {
  const std::uint64_t bits = bitsAt(type, packed, index);
  if (type == DataType::float32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type == DataType::float16) return static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(bits)));
  if (!isSigned(type)) return static_cast<double>(bits);
  const std::size_t unused = 64 - bitsPerElement(type);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

void setReal(DataType type, Bytes& packed, std::size_t index, double value) {
  if (type == DataType::float32) return setBits(type, packed, index, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  if (type == DataType::float16) return setBits(type, packed, index, Half(value).bits());
  setBits(type, packed, index, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

bool isSigned(DataType type) {
  return type == DataType::int4 || type == DataType::int8 || type == DataType::int32 || type == DataType::int64;
}

double epsilonOf(DataType type) { return type == DataType::float16 ? 0x1p-10 : 0x1p-23; }

}  // namespace webnn::random
