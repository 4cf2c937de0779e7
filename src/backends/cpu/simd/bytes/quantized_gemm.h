// Kernels of GEMM of 8-bit integers, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// A block of up to `rows` rows of `a` times one panel of b's columns, which leaves through the epilogue.
//
// Packed operands hold groups of numbers that lie along k, one group after the other: 4 or 8 bytes each (unsigned for `a`, signed
// for b) or 2 int16 each, by the kernels' `group`. A group of `a` is [rows][group], one of b [columns][group].
struct QuantizedTile {
  const std::byte *a = nullptr, *b = nullptr;
  std::size_t groups = 0;
  std::size_t rows = 0, columns = 0;  // that are stored
  // For each column of the panel, to its end: result = (sum + offset - factor * rowSum) * scale + bias. The factors are null
  // where all are zero.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *bias = nullptr;

  // float32: `relu` or not. Otherwise the result is rounded, clamped to [low, high], and NaN becomes -zeroPoint; then it is
  // stored as bytes plus zeroPoint, or as floats times backScale.
  enum class Store : std::uint8_t { floats, bytes, dequantized } store = Store::floats;
  bool relu = false, isSigned = false;
  float low = 0, high = 0, backScale = 1;
  std::int32_t zeroPoint = 0;
  void* c = nullptr;    // the element at the first row and column
  std::size_t ldc = 0;  // elements
};

// What a panel of b is packed from: k rows of up to a panel's columns; element (i, j) is at from + i * rowStride +
// j * columnStride, of which one is 1. Bytes lose 128 if they are unsigned, int16 the zero point of their column.
struct QuantizedPanel {
  const std::uint8_t* from = nullptr;
  std::size_t rowStride = 0, columnStride = 0;
  std::size_t k = 0, columns = 0;
  bool isSigned = false;
  const std::int16_t* zeroPoints = nullptr;  // for each column
};

// How operands are packed and multiplied; one for each way.
struct QuantizedGemmKernels {
  std::size_t mostRows = 0, columns = 0;  // of a tile
  // Rows of `a` are filled with zeros up to a multiple of so many groups, and b is read on as far.
  std::size_t groupStep = 1;
  std::size_t group = 0;        // 4 or 8 bytes, or 2 int16
  std::int32_t subtracted = 0;  // from bytes of `a`, in sums
  std::size_t groupBytes() const { return group == 2 ? 4 : group; }
  // The rows that a tile of `rows` is packed for: at least so many.
  std::size_t (*packedRows)(std::size_t rows) = nullptr;
  // Packs a row of k bytes as row `row` of a block of `rows`: bytes xor `flip`, or as int16 less `zeroPoint`.
  void (*packRow)(const std::uint8_t* from, std::size_t k, std::uint8_t flip, bool isSigned, std::int32_t zeroPoint,
                  std::size_t rows, std::size_t row, std::byte* to) = nullptr;
  // Packs a panel of b, `columns` wide, with zeros after what there is.
  void (*packPanel)(const QuantizedPanel& panel, std::byte* to) = nullptr;
  // The sum of each column of such a panel; null for int16.
  void (*columnSums)(const std::byte* panel, std::size_t groups, std::int32_t* sums) = nullptr;
  // The sum of bytes xor `flip`.
  std::int32_t (*sum)(const std::uint8_t* from, std::size_t k, std::uint8_t flip) = nullptr;
  void (*tile)(const QuantizedTile& tile) = nullptr;
  // What a thread calls before and after calls of tile(); null if there is nothing to do.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  // Stores the sums of a tile, of a panel's columns in each row.
  void (*store)(const QuantizedTile& tile, const std::int32_t* sums) = nullptr;
};

// A thread's calls of kernels that have a begin() and an end().
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

// `dots`: with instructions for products of bytes, which `isa` must have (hasByteDots).
const QuantizedGemmKernels& quantizedGemmKernels(Isa isa, bool dots);

}  // namespace webnn::cpu
