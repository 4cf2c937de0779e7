#include "random/choices.h"

#include <numeric>
#include <utility>

namespace webnn::random {

// The algorithm is SplitMix64, by Steele, Lea and Flood: https://doi.org/10.1145/2660193.2660195
std::uint64_t Numbers::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint32_t Choices::below(std::size_t limit) {
  if (limit <= 1) return 0;
  if (!isBytes_) return static_cast<std::uint32_t>((numbers_.next() >> 32) * limit >> 32);
  std::size_t value = 0;
  for (std::size_t most = 1; most < limit && !bytes_.empty(); most *= 256) {
    value = value * 256 + bytes_.front();
    bytes_ = bytes_.subspan(1);
  }
  return static_cast<std::uint32_t>(value % limit);
}

std::uint64_t Choices::seed() { return isBytes_ ? below(65536) : numbers_.next(); }

std::vector<std::uint32_t> Choices::permutation(std::size_t size) {
  std::vector<std::uint32_t> result(size);
  std::iota(result.begin(), result.end(), 0U);
  for (std::size_t i = size; i > 1; --i) std::swap(result[i - 1], result[i - 1 - below(i)]);
  return result;
}

}  // namespace webnn::random
