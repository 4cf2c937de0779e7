// Kernels of convolutions of 8-bit images with channels last, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// Describes how sums become outputs. The result of a sum is a float32 clamped to [low, high]. Kinds other than `floats` round
// it to an integer and add a zero point, which gives a code (a quantized value).
struct QuantizedOutput {
  enum class Kind : std::uint8_t {
    floats,  // the result
    codes,   // the rounded result + zeroPoint
    totals,  // total = rounded result * scale + (addend - addendZeroPoint) * addendScale; the code is total / totalScale, rounded
             // and clamped to [totalLow, totalHigh], + zeroPoint
  };
  Kind kind = Kind::codes;
  float low = 0, high = 0;
  std::int32_t zeroPoint = 0;
  bool isSigned = false;  // whether codes are int8
  // Permits faster kernels. Set for codes only if QuantizedConvTile::rest (below) is zero, [low, high] is the whole range of the
  // type and no sum times its scale exceeds 32 bits. Set for totals only if `rest` is zero and
  // QuantizedConvKernels::fusesTotals() returns true.
  bool isPlain = false;

  float scale = 1, addendScale = 1, totalScale = 1, totalReciprocal = 1, totalLow = 0, totalHigh = 0;
  float fusedScale = 1, fusedAddendScale = 1;  // approximately scale / totalScale, and addendScale / totalScale
  std::int32_t addendZeroPoint = 0;
  bool addendIsSigned = false;
};

// A block of pixels times a panel of output channels ("columns"). Both operands are stored in groups of 4 bytes (unsigned in
// pixels, signed in weights) or of 2 int16.
struct QuantizedConvTile {
  // rows[s * rowStep + r] points to the groups of segment s (a filter tap, or a filter row in a padded image) of pixel r. Except
  // for `depthwise` and `depthwiseOfRuns`, the pointers of all rows of a tile must be valid, even if fewer pixels are stored.
  const std::byte* const* rows = nullptr;
  std::size_t rowStep = 0, segments = 0;
  // For `depthwise` and `depthwiseOfRuns`: if not 0, pixel r is r * pixelStep bytes after pixel 0, and only pointers of pixel 0
  // are read.
  std::size_t pixelStep = 0;
  std::size_t step = 1;                 // depthwiseOfRuns: the stride, 1 or 2
  std::size_t groups = 0;               // groups per segment
  const std::byte* weights = nullptr;   // [segment][group][column of the panel], zero for padding columns and channels
  std::size_t pixels = 0, columns = 0;  // the pixels and columns that are stored

  // Per column of the panel: result = (sum + offset - factor * rowSum) * scale + rest. rowSums has one element per pixel. If
  // `factor` is null, all factors are 0.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *rest = nullptr;
  // If null, the tile stores the sums of all rows and whole vectors as int32, and the members about results are not read.
  const QuantizedOutput* output = nullptr;
  const std::uint8_t* addend = nullptr;  // addend of the first pixel and column
  void* to = nullptr;
  std::size_t stride = 0;  // distance between pixels of `to` and of `addend`, in elements

  std::uint8_t flip = 0;  // depthwise: XOR mask that makes bytes unsigned
  // depthwiseOfBytes with nine taps: the first shared[r] (0, 1 or 2) columns of taps of pixel r are the last shared[r] columns of
  // pixel r - 1, and their pointers are not read. Null if all are 0.
  const std::uint8_t* shared = nullptr;
};

// The position of a filter tap in the quads (groups of four taps) of a depthwise filter.
struct TapPlace {
  std::size_t quad, place;
};
// Returns the position of tap `i` of `count`. For nine taps (3 x 3), each quad is one column of the filter.
constexpr TapPlace placeOfTap(std::size_t i, std::size_t count) {
  return count == 9 ? TapPlace{i % 3, i / 3} : TapPlace{i / 4, i % 4};
}

struct QuantizedConvKernels {
  std::size_t lanes = 0;        // columns per vector
  std::size_t mostVectors = 0;  // per panel
  std::size_t group = 0;        // values per group: 4 bytes or 2 int16
  std::int32_t subtracted = 0;  // 0 or 128: subtracted from pixel bytes before multiplying; not in depthwise kernels
  // Returns the number of pixels of a tile whose panels have `vectors` vectors.
  std::size_t (*rows)(std::size_t vectors) = nullptr;
  // Computes a tile. `rows` is rows(vectors of the widest panel); this panel has `vectors` vectors.
  void (*tile)(const QuantizedConvTile& tile, std::size_t rows, std::size_t vectors) = nullptr;
  // Stores results. `sums` holds `vectors` vectors of columns for each pixel.
  void (*store)(const QuantizedConvTile& tile, const std::int32_t* sums, std::size_t vectors) = nullptr;
  // Computes a depthwise tile: one input channel per column and one tap per segment. Pixel bytes are unsigned. Weights are int16:
  // [vector of columns][pair of taps][column][2].
  void (*depthwise)(const QuantizedConvTile& tile) = nullptr;
  // Works like `depthwise` for filters of 3 x 3 and 5 x 5 taps whose columns are adjacent, but for pixels that pixelStep
  // describes. Reads each input pixel once. If a convolution uses it, both functions get the taps column by column, with an
  // unused tap at the end of each column. Null if unavailable.
  void (*depthwiseOfRuns)(const QuantizedConvTile& tile) = nullptr;
  // Computes a depthwise tile for Kind::codes and weights that fit in bytes. Weights are [64 columns][quad of taps][column][4],
  // at the positions of placeOfTap(). Columns of the weights, offset, scale and rest are in the order of interleavedColumn(); 16
  // or 32 columns are repeated up to 64. Null if unavailable.
  void (*depthwiseOfBytes)(const QuantizedConvTile& tile) = nullptr;
  // Works like depthwiseOfBytes, for a line of the output whose input pixels are contiguous. The line is read and written as one
  // array of `pixels` results (pixels times channels), 64 at a time. The weights have `columns` columns and repeat after the last
  // one. rows[4 * quad + place] points to a tap's byte for the first result; the bytes for the other results follow. Null if
  // unavailable.
  void (*depthwiseOfLines)(const QuantizedConvTile& tile) = nullptr;
  // Returns whether result * fusedScale + (addend - addendZeroPoint) * fusedAddendScale, rounded and saturated, yields the same
  // code as Kind::totals for all results and addends. Null if kernels never compute totals in this way.
  bool (*fusesTotals)(const QuantizedOutput& output) = nullptr;
  // Widens pixels of 3 bytes, each XOR `flip`, to 4 bytes, the last 0.
  void (*widenPixels)(const std::uint8_t* from, std::size_t pixels, std::uint8_t flip, std::uint8_t* to) = nullptr;
  // Repeats each byte, XOR `flip`, 2 to 4 times.
  void (*repeatBytes)(const std::uint8_t* from, std::size_t count, std::size_t repeats, std::uint8_t flip,
                      std::uint8_t* to) = nullptr;
  // Converts bytes minus their zero point to int16.
  void (*widen)(const std::uint8_t* from, std::size_t count, bool isSigned, std::int32_t zeroPoint, std::int16_t* to) = nullptr;
};

// Returns the position of column `i` in interleaved order: in each block of 64 columns, vector v of 16 lanes holds columns 4 v to
// 4 v + 3 of each 16.
constexpr std::size_t interleavedColumn(std::size_t i) { return i / 64 * 64 + i % 16 / 4 * 16 + i % 64 / 16 * 4 + i % 4; }

// `dots`: whether to use instructions that sum products of bytes, which `isa` must have (hasByteDots).
const QuantizedConvKernels& quantizedConvKernels(Isa isa, bool dots);

}  // namespace webnn::cpu
