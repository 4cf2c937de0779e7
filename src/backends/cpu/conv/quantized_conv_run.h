// A planned convolution of 8-bit images, which a step runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "backends/cpu/conv/byte_pixels.h"
#include "backends/cpu/conv/byte_winograd.h"
#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/gemm/gemm_amx_bytes.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "base/divide_up.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

struct QuantizedConv {
  static constexpr std::size_t kLine = 64;  // bytes of an AVX-512 vector, which line kernels (depthwiseOfLines) fill

  const QuantizedConvKernels* kernels = nullptr;
  ConvShape shape;  // height.size and width.size are of the padded copy if there is one, else of the image
  BytePixels pixels;
  // Set if the input image is copied to a padded image: its place in the copy. Then the taps of a filter row read adjacent bytes
  // and form one segment (see `segments`), unless isOfLines.
  std::optional<PaddedImage> padded;
  std::size_t merged = 1;  // number of the graph's groups that are merged into one group here; weights between them are 0
  bool isDepthwise = false;
  bool isOfBytes = false;  // depthwise, by depthwiseOfBytes()
  bool isOfLines = false;  // depthwise, by depthwiseOfLines(): a tile is an output line, or a part of one
  // For 3 x 3 filters: the number of filter columns whose input pixels an output shares with the output on its left.
  std::size_t sharedColumns = 0;
  bool isGathered = false;                 // tiles are gathered as int16; see BytePixels::isWide
  std::optional<ByteWinograd> winograd;    // computes the results from a padded copy of int16
  const ByteTileKernels* tiles = nullptr;  // AMX kernels, for which tiles are gathered as bytes; or null
  bool isSigned = false;                   // whether the given image is int8
  std::int32_t zeroPoint = 0;
  // The place of a segment, relative to the image's pixel (y * step, x * step): lines, columns and bytes.
  struct Tap {
    std::int64_t y = 0, x = 0, bytes = 0;
  };
  std::vector<Tap> taps;  // one per segment
  // Depthwise, with kernels->depthwiseOfRuns: segments are ordered by column, and each column has one that repeats its last tap
  // with weights of 0.
  bool isByColumns = false;

  // Sizes within one group. `vectors`: vectors per panel; `tileRows`: rows (pixels) per tile.
  std::size_t vectors = 1, panels = 1, tileRows = 1;
  // `segments`: the number of runs of adjacent input bytes that one row of a tile reads. `segmentGroups` and `tapGroups`: groups
  // of four bytes per segment and per tap.
  std::size_t segments = 1, segmentGroups = 0, tapGroups = 0;
  std::size_t panelBytes = 0, groupBytes = 0;  // bytes of packed weights per panel and per group
  std::size_t panelsPerChunk = 1, tilesPerChunk = 1;

  const std::byte *weights = nullptr, *padding = nullptr;  // weights: packed; padding: one pixel, which stands for all padding
  const std::int32_t *offset = nullptr, *factor = nullptr;
  const float *scale = nullptr, *rest = nullptr;
  QuantizedOutput output;
  std::size_t outputBytes = 1;  // bytes per output element
  std::int32_t (*sum)(const std::uint8_t* from, std::size_t k, std::uint8_t flip) = nullptr;
  Slot input, result, addend, scratch;
  bool hasAddend = false;

  // Panels [first, end) of a group.
  struct Panels {
    std::size_t group = 0, first = 0, end = 0;
  };

  std::size_t panelColumns() const { return vectors * kernels->lanes; }
  std::size_t groupColumns() const { return panels * panelColumns(); }
  // Returns the index of an output channel in arrays with an element per column, such as `scale`.
  std::size_t columnOf(std::size_t channel) const {
    if (isOfBytes) return interleavedColumn(channel);
    if (isDepthwise) return channel;
    return channel / shape.groupOutputs() * groupColumns() + channel % shape.groupOutputs();
  }
  // Returns how many times the columns of the weights are stored: until they fill whole vectors of 64 for depthwiseOfLines, and
  // until 16 or 32 columns become 64 for depthwiseOfBytes.
  std::size_t repeats() const {
    if (isOfLines) return std::lcm(shape.outputs, std::size_t{64}) / shape.outputs;
    return isOfBytes && (shape.outputs == 16 || shape.outputs == 32) ? 64 / shape.outputs : 1;
  }
  std::size_t tileCount() const {
    return isOfLines ? shape.batch * shape.height.count * partsOfLine() : divideUp(shape.pixels(), tileRows);
  }
  std::size_t partsOfLine() const { return divideUp(shape.width.count, tileRows); }
  std::size_t rowGroups() const { return segments * segmentGroups; }
  // Scratch memory: the copy of the image, then each worker's pointers, sums and gathered rows.
  std::size_t imageBytes() const {
    const std::size_t readOn = isOfLines ? kLine : pixels.readOn();
    return pixels.isCopied ? aligned(shape.batch * shape.height.size * shape.width.size * pixels.bytes() + readOn) : 0;
  }
  std::size_t pointerBytes() const {
    return aligned((isOfLines ? roundUp(segments, 4) : taps.size() * tileRows) * sizeof(const std::byte*));
  }
  std::size_t sumBytes() const { return isOfLines ? 0 : aligned(tileRows * sizeof(std::int32_t)); }
  // Returns the bytes of a gathered row. AMX kernels read the weights up to the same padded length.
  std::size_t rowBytes() const { return tiles ? roundUp(rowGroups() * 4, kByteStep) : isGathered ? rowGroups() * 4 : 0; }
  // Returns the distance between gathered rows. Rows that are a multiple of 512 bytes apart would share few sets of the L1
  // cache.
  std::size_t rowStride() const { return rowBytes() + (tiles && rowBytes() % 512 == 0 ? kByteStep : 0); }
  std::size_t readOnBytes() const { return tiles ? (rowBytes() - rowGroups() * 4) * panelColumns() : 0; }

  std::size_t workerBytes() const {
    if (winograd) return winograd->workerBytes();
    return workerStride(pointerBytes() + sumBytes() + tileRows * rowStride() + kByteStep);
  }

  // Points `rows` to the taps of pixels [first, first + count). If `shared` is not null, sets shared[r] (see
  // QuantizedConvTile::shared) and omits the pointers that kernels then do not read.
  void point(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows, std::uint8_t* shared) const;
  void gather(const std::byte** rows, std::size_t count, std::byte* gathered) const;
  void gatherBytes(const std::byte** rows, std::size_t count, std::byte* gathered) const;
  void multiplyPanel(const QuantizedConvTile& tile) const;
  void multiply(QuantizedConvTile& tile, const Panels& range, std::byte* to) const;
  std::size_t pixelsInside(std::size_t first, std::size_t count) const;
  QuantizedConvTile makeTile(std::byte* memory) const;
  void runDepthwise(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                    QuantizedConvTile& tile) const;
  void runTile(const Frame& frame, const std::byte* image, std::size_t i, const Panels& range, std::byte* memory,
               QuantizedConvTile& tile) const;
  void runLine(const Frame& frame, const std::byte* image, std::size_t i, std::byte* memory) const;
  void copyLine(const std::uint8_t* from, std::uint8_t* to) const;
  void copyImage(Team& team, const std::uint8_t* image, std::uint8_t* to) const;
  void run(const Frame& frame) const;
};

}  // namespace webnn::cpu
