#include "base/pack.h"

#include <cstdint>
#include <cstring>
#include <variant>

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
    case DataType::float32:
      store(bytes, static_cast<float>(real));
      break;
    case DataType::float16:
      store(bytes, Half(real).bits());
      break;
    case DataType::int32:
    case DataType::uint32:
      store(bytes, static_cast<std::uint32_t>(integer));
      break;
    case DataType::int64:
    case DataType::uint64:
      store(bytes, integer);
      break;
    case DataType::int8:
    case DataType::uint8:
      store(bytes, static_cast<std::uint8_t>(integer));
      break;
    case DataType::int4:
    case DataType::uint4:
      store(bytes, static_cast<std::uint8_t>(integer & 0xF));
      break;
  }
  return bytes;
}

}  // namespace webnn
