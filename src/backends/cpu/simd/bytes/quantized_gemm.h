// Kernels of GEMM of 8-bit integers, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A block of up to `rows` rows of `a` times one panel of b's columns, then the epilogue.
// Packed operands hold groups of values along k: 4 or 8 bytes each (unsigned for `a`, signed for b) or 2 int16 each, as the
// kernels' `group` says. A group of `a` is [rows][group], one of b [columns][group].
struct QuantizedTile {
  const std::byte *a = nullptr, *b = nullptr;
  std::size_t groups = 0;
  std::size_t rows = 0, columns = 0;  // stored ones
  // For each column of the panel: result = (sum + offset - factor * rowSum) * scale + bias. Null factors are all zero.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *bias = nullptr;

  // float32 applies `relu` if set. Other kinds round the result and clamp it to [low, high], and NaN becomes -zeroPoint; it is
  // stored as a byte plus zeroPoint, or as a float times backScale.
  enum class Store : std::uint8_t { floats, bytes, dequantized } store = Store::floats;
  bool relu = false, isSigned = false;
  float low = 0, high = 0, backScale = 1;
  std::int32_t zeroPoint = 0;
  void* c = nullptr;    // the element at the first row and column
  std::size_t ldc = 0;  // elements
};

// The source of a panel of b: k rows of up to a panel's columns; element (i, j) is at from + i * rowStride + j * columnStride,
// and one stride is 1. Unsigned bytes are reduced by 128, int16 by their column's zero point.
struct QuantizedPanel {
  const std::uint8_t* from = nullptr;
  std::size_t rowStride = 0, columnStride = 0;
  std::size_t k = 0, columns = 0;
  bool isSigned = false;
  const std::int16_t* zeroPoints = nullptr;  // for each column
};

// The packing and product functions of one variant.
struct QuantizedGemmKernels {
  std::size_t mostRows = 0, columns = 0;  // of a tile
  // Rows of `a` are padded with zeros to a multiple of this many groups, and b is read up to there.
  std::size_t groupStep = 1;
  std::size_t group = 0;        // 4 or 8 bytes, or 2 int16
  std::int32_t subtracted = 0;  // from bytes of `a`, in sums
  std::size_t groupBytes() const { return group == 2 ? 4 : group; }
  // Returns the rows that a tile of `rows` is packed for, at least `rows`.
  std::size_t (*packedRows)(std::size_t rows) = nullptr;
  // Packs a row of k values as row `row` of a block of `rows`: bytes XOR `flip`, or int16 minus `zeroPoint`.
  void (*packRow)(const std::uint8_t* from, std::size_t k, std::uint8_t flip, bool isSigned, std::int32_t zeroPoint,
                  std::size_t rows, std::size_t row, std::byte* to) = nullptr;
  // Packs a panel of b, `columns` wide, and fills the rest with zeros.
  void (*packPanel)(const QuantizedPanel& panel, std::byte* to) = nullptr;
  // Sums each column of a packed panel; null for int16.
  void (*columnSums)(const std::byte* panel, std::size_t groups, std::int32_t* sums) = nullptr;
  // Returns the sum of bytes XOR `flip`.
  std::int32_t (*sum)(const std::uint8_t* from, std::size_t k, std::uint8_t flip) = nullptr;
  void (*tile)(const QuantizedTile& tile) = nullptr;
  // A thread calls these before and after calls of tile(); null if unnecessary.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  // Stores the sums of a tile for a panel's columns in each row.
  void (*store)(const QuantizedTile& tile, const std::int32_t* sums) = nullptr;
};

// Brackets a thread's kernel calls with begin() and end().
template <typename Kernels>
class KernelScope {
 public:
  explicit KernelScope(const Kernels& kernels) : end_(kernels.end) {
    if (kernels.begin) kernels.begin();
  }
  ~KernelScope() {
    if (end_) end_();
  }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  void (*end_)();
};

// `dots`: uses byte product instructions, which `isa` must have (hasByteDots).
const QuantizedGemmKernels& quantizedGemmKernels(Isa isa, bool dots);

}  // namespace webnn::cpu
