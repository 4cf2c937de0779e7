// Decisions for making random graphs, taken from random numbers or a fuzzer's bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace webnn::random {

// A random number generator that gives the same numbers on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // Returns a number uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// Decisions from a seed or from bytes. With bytes, each decision uses as few bytes as necessary. Once all bytes are used up, each
// decision takes its first alternative. Therefore a mutated byte changes few decisions, and short input makes a small graph.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : numbers_(seed) {}
  explicit Choices(std::span<const std::uint8_t> bytes) : numbers_(bytes.size()), bytes_(bytes), isBytes_(true) {}

  bool areBytes() const { return isBytes_; }
  // Returns whether all bytes are used up. Always false for a seed.
  bool areOver() const { return isBytes_ && bytes_.empty(); }
  // Returns a number in [0, limit); 0 if `limit` is 0.
  std::uint32_t below(std::size_t limit);
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(std::size_t{high} - low + 1); }
  bool oneIn(std::uint32_t n) { return below(n) + 1 == n; }
  double real(double low, double high) { return low + (high - low) * below(65536) * 0x1p-16; }
  template <typename T>
  T pick(std::initializer_list<T> items) {
    return *(items.begin() + below(items.size()));
  }
  template <typename T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  // Returns a seed for further values, such as the elements of a tensor.
  std::uint64_t seed();
  // Returns 0 to size - 1 in random order.
  std::vector<std::uint32_t> permutation(std::size_t size);

 private:
  Numbers numbers_;
  std::span<const std::uint8_t> bytes_;
  bool isBytes_ = false;
};

}  // namespace webnn::random
