// Finds the greatest or least elements of a row of floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The best elements so far, best first.
struct TopList {
  static constexpr std::size_t kMost = 64;
  std::size_t count = 0, size = 0;  // count: the wanted number of elements; size: the number found so far
  std::array<float, kMost> keys;    // elements, or their negatives
  std::array<std::int32_t, kMost> positions;
};

// Takes elements [begin, end) of the row `x` into the list. Equal elements keep their order, and NaN ranks as infinity.
using FindTop = void (*)(const float* x, std::size_t begin, std::size_t end, TopList& list);
struct TopKernels {
  FindTop find[2];  // indexed by whether the greatest elements are the best
};

const TopKernels& topKernels(Isa isa);

}  // namespace webnn::cpu
