// Winograd transforms for 3x3 filters. A tile of kOutputs x kOutputs outputs reads a patch of kOutputs + 2 inputs in each
// dimension. A patch is transformed to as many positions as it has inputs, and each position is multiplied by its own matrix.
#pragma once

#include <cstddef>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/simd/conv_simd.h"

namespace webnn::cpu {

// The interpolation points of the 4x4 transforms are 0, +-kPointA, +-kPointB and infinity, chosen for small rounding errors.
inline constexpr double kPointA = 0.625, kPointB = 1.5;

// If a transformed patch has larger values, its tile may be computed without transforms, which would spread the rounding errors
// of these values over the whole tile.
inline constexpr float kWinogradLarge = 1 << 16;

// A tile of outputs; rows x columns of them are inside the image.
struct WinogradOutput {
  const float* from = nullptr;  // the GEMM result of position p at from + p * positionStride
  std::size_t positionStride = 0, channels = 0;
  const float* bias = nullptr;    // null: no bias
  const float* addend = nullptr;  // null: no addend
  std::size_t addendPixelStride = 0, addendRowStride = 0;
  FloatRange range;
  float* to = nullptr;
  std::size_t pixelStride = 0, rowStride = 0, rows = 0, columns = 0;
};

struct WinogradKernels {
  // Transforms filters of `inputs` inputs and `width` outputs (a multiple of the vector length) in double precision. Tap y * 3 +
  // x of an input is at from + input * inputStride + (y * 3 + x) * tapStride; position p of its transform is stored at to + input
  // * width + p * positionStride.
  void (*filter)(const float* from, std::size_t tapStride, std::size_t inputStride, std::size_t inputs, std::size_t width,
                 float* to, std::size_t positionStride);
  // Transforms a patch: position p is stored at to + places[p]. Returns false if transformed elements reach about kWinogradLarge,
  // or are infinite or NaN.
  bool (*input)(const float* from, std::size_t pixelStride, std::size_t rowStride, std::size_t channels, float* to,
                const std::size_t* places);
  void (*output)(const WinogradOutput& tile);
};
// Returns the kernels for output tiles of 2x2 (`outputs` = 2) or 4x4 (`outputs` = 4).
const WinogradKernels& winogradKernels(Isa isa, std::size_t outputs);

}  // namespace webnn::cpu
