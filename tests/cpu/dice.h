// Random choices and seeds of tests that make random graphs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  int from(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
  std::uint32_t size(int low, int high) { return static_cast<std::uint32_t>(from(low, high)); }
  bool oneIn(int count) { return from(1, count) == 1; }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  template <typename T>
  const T& of(const std::vector<T>& values) {
    return values[random_() % values.size()];
  }
  std::vector<Number> numbers(std::size_t count, int low, int high) {
    std::vector<Number> result;
    for (; count > 0; --count) result.emplace_back(from(low, high));
    return result;
  }
  DataType byte() { return of({DataType::int8, DataType::uint8}); }
  int code(DataType type) { return lowest(type) + of({0, 255, 128, 127, from(0, 255)}); }
  static int lowest(DataType type) { return type == DataType::int8 ? -128 : 0; }

 private:
  std::mt19937 random_;
};

inline std::size_t countOf(const Shape& shape) { return elementCount({DataType::float32, shape}); }

// Calls Maker(seed).run() for the seeds 1 to `count`. The environment variable WEBNN_QUANTIZED_ATTACK=<first seed>,<count>
// selects other seeds.
template <typename Maker>
void runSeeds(unsigned count) {
  unsigned first = 1;
  if (const char* const variable = std::getenv("WEBNN_QUANTIZED_ATTACK")) std::sscanf(variable, "%u,%u", &first, &count);
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Maker(seed).run();
  }
}

}  // namespace webnn::test
