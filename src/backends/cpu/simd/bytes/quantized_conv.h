// Kernels of convolutions of 8-bit images with channels last, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// What sums become. A result is a float32 clamped to [low, high]; the other kinds round it then to a whole number, which is a
// code less its zero point.
struct QuantizedOutput {
  enum class Kind : std::uint8_t {
    floats,  // the result itself
    codes,   // the whole number + zeroPoint
    totals,  // total = number * scale + (addend - addendZeroPoint) * addendScale; then total / totalScale is rounded likewise,
             // clamped to [totalLow, totalHigh], + zeroPoint
  };
  Kind kind = Kind::codes;
  float low = 0, high = 0;
  std::int32_t zeroPoint = 0;
  bool isSigned = false;  // codes
  // Codes: `rest` is zero, the range is that of the type, and no sum times its scale is beyond 32 bits. Totals: `rest` is zero,
  // and fusesTotals() holds.
  bool isPlain = false;

  float scale = 1, addendScale = 1, totalScale = 1, totalReciprocal = 1, totalLow = 0, totalHigh = 0;
  float fusedScale = 1, fusedAddendScale = 1;  // the first two by the third
  std::int32_t addendZeroPoint = 0;
  bool addendIsSigned = false;
};

// A block of pixels times a panel of output channels ("columns").
//
// What is multiplied lies in groups: of 4 bytes (unsigned in pixels, signed in weights), or of 2 int16.
struct QuantizedConvTile {
  // Where the groups of segment s (a filter tap) of pixel r begin: at rows[s * rowStep + r], of all rows of a tile, even if fewer
  // pixels are stored.
  const std::byte* const* rows = nullptr;
  std::size_t rowStep = 0, segments = 0;
  std::size_t groups = 0;               // of a segment
  const std::byte* weights = nullptr;   // [segment][group][column of the panel], zero where there is no column or channel
  std::size_t pixels = 0, columns = 0;  // that are stored

  // For each column of the panel, to its end: result = (sum + offset - factor * rowSum) * scale + rest. The factors are null
  // where all are zero.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *rest = nullptr;
  const QuantizedOutput* output = nullptr;
  const std::uint8_t* addend = nullptr;  // of the first pixel and column
  void* to = nullptr;
  std::size_t stride = 0;  // from pixel to pixel of `to` and the addend, in elements

  std::uint8_t flip = 0;  // depthwise: what makes bytes unsigned
  // depthwiseOfBytes of nine taps: the first shared[r] columns of taps of pixel r are the last ones of the pixel before it, and
  // their pointers are not read; 0, 1 or 2. Null: none.
  const std::uint8_t* shared = nullptr;
};

// Where quads of the taps of a depthwise filter have tap `i` of `count`: those of nine are the columns of 3 x 3.
struct TapPlace {
  std::size_t quad, place;
};
constexpr TapPlace placeOfTap(std::size_t i, std::size_t count) {
  return count == 9 ? TapPlace{i % 3, i / 3} : TapPlace{i / 4, i % 4};
}

struct QuantizedConvKernels {
  std::size_t lanes = 0;        // columns of a vector
  std::size_t mostVectors = 0;  // of a panel
  std::size_t group = 0;        // 4 bytes or 2 int16
  std::int32_t subtracted = 0;  // from bytes of pixels, in sums; not if depthwise
  // The rows of a tile for panels of so many vectors.
  std::size_t (*rows)(std::size_t vectors) = nullptr;
  // `rows` are those of the widest panel, `vectors` those of this one.
  void (*tile)(const QuantizedConvTile& tile, std::size_t rows, std::size_t vectors) = nullptr;
  // Stores the sums of `vectors` vectors of columns of each pixel.
  void (*store)(const QuantizedConvTile& tile, const std::int32_t* sums, std::size_t vectors) = nullptr;
  // One input channel for each column, and a tap for each segment. Sums are of unsigned bytes. Weights are [vector][pair of
  // taps][column][2] of int16 ...
  void (*depthwise)(const QuantizedConvTile& tile) = nullptr;
  // ... or, for codes only and where bytes hold the weights, [64 columns][quad of taps][column][4] of bytes; tap t is in the quad
  // and at the place of placeOfTap(). Columns, also of offsets and factors, are in the order of interleavedColumn then; where
  // there are 16 or 32, they are there up to 64. Null if there is none.
  void (*depthwiseOfBytes)(const QuantizedConvTile& tile) = nullptr;
  // The same of whole lines, at stride 1: the results of all pixels and columns are `pixels` in a row, which are 64 at a time
  // those of the columns in turn, from the first again after `columns`; rows[4 * quad + place] is where a tap's bytes for the
  // first result are, and vectors are read from there on to the end. Null if there is none.
  void (*depthwiseOfLines)(const QuantizedConvTile& tile) = nullptr;
  // Whether number * fusedScale + (addend - addendZeroPoint) * fusedAddendScale, saturated, makes the same codes of all numbers
  // and addends. Null if no tile computes it so.
  bool (*fusesTotals)(const QuantizedOutput& output) = nullptr;
  // Pixels of 3 bytes, each xor `flip`, as pixels of 4, the last 0.
  void (*widenPixels)(const std::uint8_t* from, std::size_t pixels, std::uint8_t flip, std::uint8_t* to) = nullptr;
  // Bytes, each xor `flip`, 2 to 4 times each.
  void (*repeatBytes)(const std::uint8_t* from, std::size_t count, std::size_t repeats, std::uint8_t flip,
                      std::uint8_t* to) = nullptr;
  // Bytes less their zero point, as int16.
  void (*widen)(const std::uint8_t* from, std::size_t count, bool isSigned, std::int32_t zeroPoint, std::int16_t* to) = nullptr;
};

// Where 64 columns have column `i` of them: in vectors of 16, of which each has 4 columns of each 16.
constexpr std::size_t interleavedColumn(std::size_t i) { return i / 64 * 64 + i % 16 / 4 * 16 + i % 64 / 16 * 4 + i % 4; }

// `dots`: with instructions for products of bytes, which `isa` must have (hasByteDots).
const QuantizedConvKernels& quantizedConvKernels(Isa isa, bool dots);

}  // namespace webnn::cpu
