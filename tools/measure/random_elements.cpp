#include "measure/random_elements.h"

#include <algorithm>
#include <random>

#include "base/pack.h"

namespace webnn::measure {

namespace {

// Uses only as many random bits as the type represents exactly below 1, so that rounding never gives 1.
Number randomNumber(DataType type, std::uint64_t bits) {
  if (type == DataType::float32) return static_cast<double>(bits >> 40) * 0x1p-24;
  if (type == DataType::float16) return static_cast<double>(bits >> 53) * 0x1p-11;
  return bits >> 61;
}

}  // namespace

std::vector<std::byte> randomElements(const OperandDescriptor& descriptor, std::uint64_t seed) {
  std::vector<std::byte> bytes(byteLength(descriptor));
  fillRandomly(bytes, descriptor, seed);
  return bytes;
}

void fillRandomly(std::span<std::byte> bytes, const OperandDescriptor& descriptor, std::uint64_t seed) {
  // The C++ standard defines the output of this generator, so that it is the same everywhere. It does not define the output of
  // distributions.
  std::mt19937_64 engine(seed);
  // Generate in small parts, because Number is larger than an element. The count is even, because 4-bit types pack two elements
  // in a byte.
  constexpr std::size_t kAtOnce = 4096;
  for (std::size_t left = elementCount(descriptor); left > 0;) {
    std::vector<Number> values(std::min(left, kAtOnce));
    for (Number& value : values) value = randomNumber(descriptor.dataType, engine());
    const OperandDescriptor part{descriptor.dataType, {static_cast<std::uint32_t>(values.size())}};
    std::ranges::copy(packElements(part, values), bytes.begin());
    bytes = bytes.subspan(byteLength(part));
    left -= values.size();
  }
}

}  // namespace webnn::measure
