// Transforms of Winograd's convolution F(2x2, 3x3) in integers. Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks". Sums wrap modulo 2^32, so the results are exact if they fit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The number of int16 that ByteWinogradKernels::input() may read and write after the last channel.
inline constexpr std::size_t kByteWinogradSlack = 32;

struct ByteWinogradKernels {
  // Transforms 4 x 4 pixels of `channels` int16 whose lines are `rowStride` apart. Stores the pixel at position (y, x) of the
  // result at to + (4 * y + x) * positionStride.
  void (*input)(const std::int16_t* from, std::size_t channels, std::size_t rowStride, std::int16_t* to,
                std::size_t positionStride) = nullptr;
  // Transforms the products of 4 x 4 positions, which are `positionStride` apart, to 2 x 2 sums. The filter's transform has
  // multiplied the products by 4. `columns` fill whole vectors. `above` and `below`: the two lines of sums, each [2][columns].
  void (*output)(const std::int32_t* products, std::size_t positionStride, std::size_t columns, std::int32_t* above,
                 std::int32_t* below) = nullptr;
};

const ByteWinogradKernels& byteWinogradKernels(Isa isa);

}  // namespace webnn::cpu
