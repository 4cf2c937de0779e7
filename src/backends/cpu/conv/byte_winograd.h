// Winograd's convolution F(2x2, 3x3) of 8-bit images, in integers and exact. It takes 4 multiplications per output and input
// channel instead of 9. For processors that lack products of bytes and multiply pairs of int16 instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/simd/bytes/byte_winograd.h"
#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

class ByteWinograd {
 public:
  ByteWinograd() = default;
  // `kernels`: kernels that multiply pairs of int16 (PairDots). `panelColumns`: output channels per panel. `cache`: bytes of a
  // thread's L2 cache.
  ByteWinograd(const ConvShape& shape, const QuantizedConvKernels& kernels, Isa isa, std::size_t panelColumns, unsigned threads,
               std::size_t cache);

  // Returns whether the convolution has 3 x 3 taps, stride 1 and sizes for which Winograd's algorithm is faster, and whether its
  // sums are exact for weights up to `mostWeight` in magnitude.
  static bool suits(const ConvShape& shape, std::int64_t mostWeight);
  // Returns the size of the padded image along an axis of `count` outputs. Tiles may read beyond the last output's taps.
  static std::size_t imageSize(std::size_t count) { return (count + 1) / 2 * 2 + 2; }

  std::size_t packedBytes() const { return kPositions * panels_ * panelBytes_; }
  // Packs the nine taps of one output and input channel into `packed`, which is zero where nothing is packed.
  void pack(std::size_t output, std::size_t input, const std::array<std::int32_t, 9>& taps, std::byte* packed) const;
  std::size_t workerBytes() const { return workerStride(patchBytes() + productBytes() + tileRows_ * sizeof(const std::byte*)); }

  // `image`: the padded image as int16, minus its zero point. `results`: describes the first result and the first column; its
  // elements of `outputBytes` bytes are stored as [pixel][output]. `scratch`: workerBytes() per thread.
  void run(Team& team, const std::int16_t* image, const std::byte* weights, const QuantizedConvTile& results,
           std::size_t outputBytes, std::byte* scratch) const;

 private:
  static constexpr std::size_t kPositions = 16;
  // Tiles [first, first + count).
  struct Block {
    std::size_t first, count;
    std::int16_t* patches;        // [position][tile][channel]
    std::int32_t* products;       // [position][tile][column of a panel]
    std::int32_t *above, *below;  // the sums of two lines of adjacent pixels: [pixel][column of a panel]
    const std::byte** rows;       // the patches that a call of the kernel multiplies
  };
  // Returns block `i`, whose arrays are in `memory` (workerBytes()).
  Block blockAt(std::size_t i, std::byte* memory) const;
  struct Place {
    std::size_t image, line, column;  // the tile's first output
  };
  Place placeOf(std::size_t tile) const {
    const std::size_t row = tile / tileColumns_;
    return {row / tileLines_, row % tileLines_ * 2, tile % tileColumns_ * 2};
  }
  std::size_t patchStride() const { return blockTiles_ * 2 * groups_ + kByteWinogradSlack; }
  std::size_t productStride() const { return (blockTiles_ + tileRows_) * panelColumns_; }
  std::size_t sumsOfLine() const { return 2 * blockTiles_ * panelColumns_; }
  std::size_t patchBytes() const { return aligned(kPositions * patchStride() * sizeof(std::int16_t)); }
  std::size_t productBytes() const { return aligned((kPositions * productStride() + 2 * sumsOfLine()) * sizeof(std::int32_t)); }
  void multiply(const Block& block, const std::byte* weights, std::size_t panel, std::size_t vectors) const;
  void store(const Block& block, QuantizedConvTile results, std::size_t outputBytes, std::size_t vectors) const;

  const QuantizedConvKernels* kernels_ = nullptr;
  const ByteWinogradKernels* transforms_ = nullptr;
  std::size_t channels_ = 0, outputs_ = 0, height_ = 0, width_ = 0;  // channels_: input channels; the others: of the results
  std::size_t line_ = 0, image_ = 0;                                 // int16 per line and per padded image
  std::size_t tileLines_ = 0, tileColumns_ = 0, tiles_ = 0, blockTiles_ = 0;
  std::size_t groups_ = 0;  // pairs of channels
  std::size_t panelColumns_ = 0, panels_ = 0, panelBytes_ = 0, tileRows_ = 0;
  std::size_t parts_ = 1;  // parts of the panels, which threads compute separately for each block
};

}  // namespace webnn::cpu
