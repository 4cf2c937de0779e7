// Kernels of convolutions of 8-bit images with channels last, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// How sums become results. A result is a float32 clamped to [low, high]; other kinds then round it to a whole value, a code minus
// its zero point.
struct QuantizedOutput {
  enum class Kind : std::uint8_t {
    floats,  // the result itself
    codes,   // the whole number + zeroPoint
    totals,  // total = value * scale + (addend - addendZeroPoint) * addendScale; then total / totalScale is rounded likewise,
             // clamped to [totalLow, totalHigh], + zeroPoint
  };
  Kind kind = Kind::codes;
  float low = 0, high = 0;
  std::int32_t zeroPoint = 0;
  bool isSigned = false;  // codes
  // For codes: `rest` is zero, the range is the type's, and no sum times its scale exceeds 32 bits. For totals: `rest` is zero
  // and fusesTotals() holds.
  bool isPlain = false;

  float scale = 1, addendScale = 1, totalScale = 1, totalReciprocal = 1, totalLow = 0, totalHigh = 0;
  float fusedScale = 1, fusedAddendScale = 1;  // the first two by the third
  std::int32_t addendZeroPoint = 0;
  bool addendIsSigned = false;
};

// A block of pixels times a panel of output channels ("columns").
// Operands lie in groups of 4 bytes (unsigned in pixels, signed in weights) or of 2 int16.
struct QuantizedConvTile {
  // The groups of segment s (a filter tap) of pixel r begin at rows[s * rowStep + r], for all rows of a tile, even if fewer
  // pixels are stored.
  const std::byte* const* rows = nullptr;
  std::size_t rowStep = 0, segments = 0;
  std::size_t groups = 0;               // of a segment
  const std::byte* weights = nullptr;   // [segment][group][column of the panel], zero where there is no column or channel
  std::size_t pixels = 0, columns = 0;  // stored ones

  // For each column of the panel: result = (sum + offset - factor * rowSum) * scale + rest. Null factors are all zero.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *rest = nullptr;
  const QuantizedOutput* output = nullptr;
  const std::uint8_t* addend = nullptr;  // of the first pixel and column
  void* to = nullptr;
  std::size_t stride = 0;  // from pixel to pixel of `to` and the addend, in elements

  std::uint8_t flip = 0;  // depthwise: XOR mask that makes bytes unsigned
  // depthwiseOfBytes with nine taps: pixel r shares its first shared[r] (0, 1 or 2) columns of taps with the last ones of the
  // previous pixel, and their pointers are not read. Null: 0 for all.
  const std::uint8_t* shared = nullptr;
};

// The place of tap `i` of `count` in the quads of a depthwise filter. Quads of nine taps are the columns of 3 x 3.
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
  std::int32_t subtracted = 0;  // from pixel bytes, in sums; not for depthwise
  // Returns the rows of a tile for panels of this many vectors.
  std::size_t (*rows)(std::size_t vectors) = nullptr;
  // `rows` belong to the widest panel, `vectors` to this one.
  void (*tile)(const QuantizedConvTile& tile, std::size_t rows, std::size_t vectors) = nullptr;
  // Stores the sums of `vectors` vectors of columns of each pixel.
  void (*store)(const QuantizedConvTile& tile, const std::int32_t* sums, std::size_t vectors) = nullptr;
  // One input channel per column and one tap per segment. Sums are of unsigned bytes. Weights are [vector][pair of
  // taps][column][2] of int16 ...
  void (*depthwise)(const QuantizedConvTile& tile) = nullptr;
  // ... or, for codes only and if bytes hold the weights, [64 columns][quad of taps][column][4] of bytes; placeOfTap() gives a
  // tap's quad and place. Columns, offsets and factors are then in the order of interleavedColumn; 16 or 32 columns are repeated
  // up to 64. Null if unavailable.
  void (*depthwiseOfBytes)(const QuantizedConvTile& tile) = nullptr;
  // The same for whole lines at stride 1: `pixels` results of all pixels and columns in a row, 64 at a time for the columns in
  // turn, restarting after `columns`. rows[4 * quad + place] points to a tap's bytes for the first result; vectors are read from
  // there on. Null if unavailable.
  void (*depthwiseOfLines)(const QuantizedConvTile& tile) = nullptr;
  // Returns whether value * fusedScale + (addend - addendZeroPoint) * fusedAddendScale, saturated, yields the same codes for all
  // values and addends. Null if no tile computes it so.
  bool (*fusesTotals)(const QuantizedOutput& output) = nullptr;
  // Widens pixels of 3 bytes, each XOR `flip`, to 4 bytes, the last 0.
  void (*widenPixels)(const std::uint8_t* from, std::size_t pixels, std::uint8_t flip, std::uint8_t* to) = nullptr;
  // Repeats each byte, XOR `flip`, 2 to 4 times.
  void (*repeatBytes)(const std::uint8_t* from, std::size_t count, std::size_t repeats, std::uint8_t flip,
                      std::uint8_t* to) = nullptr;
  // Converts bytes minus their zero point to int16.
  void (*widen)(const std::uint8_t* from, std::size_t count, bool isSigned, std::int32_t zeroPoint, std::int16_t* to) = nullptr;
};

// Returns the place of column `i` among 64: in vectors of 16, each with 4 columns of each 16.
constexpr std::size_t interleavedColumn(std::size_t i) { return i / 64 * 64 + i % 16 / 4 * 16 + i % 64 / 16 * 4 + i % 4; }

// `dots`: uses byte product instructions, which `isa` must have (hasByteDots).
const QuantizedConvKernels& quantizedConvKernels(Isa isa, bool dots);

}  // namespace webnn::cpu
