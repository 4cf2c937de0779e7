// Winograd's transforms for 3x3 filters: a tile of kOutputs x kOutputs outputs needs a patch of kOutputs + 2 squared inputs,
// which become as many positions, each of which is multiplied by its own matrix.
#pragma once

#include <cstddef>

#include "cpu/runtime/isa.h"
#include "cpu/simd/conv_simd.h"

namespace webnn::cpu {

// The points of the transforms of tiles of four are 0, +-kPointA, +-kPointB and infinity: their rounding errors are small.
inline constexpr double kPointA = 0.625, kPointB = 1.5;

// Patches with larger numbers are looked at: a transform spreads their rounding errors over the whole tile.
inline constexpr float kWinogradLarge = 1 << 16;

// A tile of outputs, of which rows x columns exist.
struct WinogradOutput {
  const float* from = nullptr;  // the GEMM result of position p at from + p * positionStride
  std::size_t positionStride = 0, channels = 0;
  const float* bias = nullptr;    // or null
  const float* addend = nullptr;  // or null
  std::size_t addendPixelStride = 0, addendRowStride = 0;
  FloatRange range;
  float* to = nullptr;
  std::size_t pixelStride = 0, rowStride = 0, rows = 0, columns = 0;
};

struct WinogradKernels {
  // Filters of `inputs` inputs and `width` outputs, a multiple of the panels' vectors: tap y * 3 + x of an input at
  // from + input * inputStride + (y * 3 + x) * tapStride, position p of it at to + input * width + p * positionStride. In double.
  void (*filter)(const float* from, std::size_t tapStride, std::size_t inputStride, std::size_t inputs, std::size_t width,
                 float* to, std::size_t positionStride);
  // A patch with pixels and rows so many elements apart; position p goes to to + places[p]. Whether all is well below
  // kWinogradLarge: false if an infinity, a NaN or a larger number is among the elements.
  bool (*input)(const float* from, std::size_t pixelStride, std::size_t rowStride, std::size_t channels, float* to,
                const std::size_t* places);
  void (*output)(const WinogradOutput& tile);
};
// For tiles of 2 or 4 outputs squared.
const WinogradKernels& winogradKernels(Isa isa, std::size_t outputs);

}  // namespace webnn::cpu
