#include "random/style.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace webnn::random {

namespace {

// Returns a dimension: most often small, sometimes near a vector length, seldom large.
std::uint32_t anySize(Choices& choose) {
  switch (choose.below(8)) {
    case 0: return 1;
    case 1: return choose.pick({4U, 8U, 16U, 32U});
    case 2: return choose.between(9, 20);
    case 3: return choose.oneIn(3) ? choose.between(20, 70) : choose.between(5, 9);
    default: return choose.between(2, 6);
  }
}

double special(DataType type, Numbers& numbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double singles[] = {
      infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -0.0, 1e-40, -1e-40, 1e-30, 1e30, -1e30, 3e38, 65504, 1};
  static constexpr double halves[] = {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -0.0, 1e-7, -6e-8,
                                      65504,    -65504};
  return type == DataType::float16 ? halves[numbers.next() % std::size(halves)] : singles[numbers.next() % std::size(singles)];
}

double whole(Range range, Numbers& numbers) {
  if (range.low > 0) return std::ldexp(1, static_cast<int>(numbers.next() % 3) - 1);
  return std::floor(std::ceil(range.low) + (std::floor(range.high) - std::ceil(range.low) + 1) * numbers.unit());
}

std::uint64_t integer(DataType type, Range range, Numbers& numbers) {
  const double low = isSigned(type) ? range.low : std::max(range.low, 0.0);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(low + (range.high - low + 1) * numbers.unit())));
}

std::uint64_t extreme(DataType type, Numbers& numbers) {
  const std::size_t bits = bitsPerElement(type);
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  const std::uint64_t values[] = {top, top - 1, ~std::uint64_t{0}, top + 1};
  return values[numbers.next() % 4];
}

}  // namespace

Style makeStyle(Choices& choose) {
  Style style;
  style.hasIntegers = !choose.oneIn(3);
  style.hasSpecials = choose.oneIn(5);
  style.isWide = choose.oneIn(5);
  style.isQuantized = choose.oneIn(6);
  style.isOpen = choose.oneIn(8);
  style.hasConstants = choose.oneIn(2);
  const std::uint32_t length = choose.below(100);
  style.operations = length < 60   ? choose.between(1, 5)
                     : length < 90 ? choose.between(5, 14)
                     : length < 99 ? choose.between(15, 40)
                                   : choose.between(41, 200);
  for (std::uint32_t i = choose.between(1, 4); i > 0; --i) style.sizes.push_back(anySize(choose));
  if (choose.oneIn(2)) style.sizes.push_back(1);
  style.isLarge = style.operations < 6 && !choose.areBytes() && choose.oneIn(40);
  if (style.isLarge) {
    // With isHuge, one of the sizes to choose from is near the size of a panel, a block or a cache.
    const bool isHuge = choose.oneIn(3);
    style.mostElements = isHuge ? 1 << 18 : 1 << 16;
    style.mostWork = isHuge ? 1 << 24 : 1 << 22;
    const std::uint32_t block = choose.pick({128U, 192U, 256U, 384U, 512U, 1024U, 2048U});
    style.sizes.push_back(isHuge ? choose.between(block - 1, block + 1) : choose.between(30, 100));
  }
  style.namesOneIn = choose.pick({3U, 8U, 1000U});
  return style;
}

Bytes fill(const OperandDescriptor& descriptor, const Style& style, Range range, std::uint64_t seed) {
  Numbers numbers(seed);
  const DataType type = descriptor.dataType;
  Bytes bytes(byteLength(descriptor));
  const std::size_t count = elementCount(descriptor);
  const bool isSpecial = style.hasSpecials && numbers.next() % 2 == 0;
  const std::uint64_t rarity = numbers.next() % 3 == 0 ? 3 : 20;
  for (std::size_t i = 0; i < count; ++i) {
    const bool isOne = isSpecial && numbers.next() % rarity == 0;
    if (!isFloat(type)) {
      setBits(type, bytes, i, isOne ? extreme(type, numbers) : integer(type, range, numbers));
    } else if (isOne) {
      setReal(type, bytes, i, special(type, numbers));
    } else {
      const bool isZero = range.low <= 0 && numbers.next() % 40 == 0;
      const double real = range.low + (range.high - range.low) * numbers.unit();
      setReal(type, bytes, i, style.hasIntegers ? whole(range, numbers) : isZero ? 0 : real);
    }
  }
  return bytes;
}

}  // namespace webnn::random
