// Kernels of GEMM of 8-bit integers, accumulated in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"

namespace webnn::cpu {

// The part of a panel of B that exceeds the bound of BoundedDots (simd/lanes/dots-inl.h). The packed panel lacks it; tiles add
// its products.
struct QuantizedExcess {
  static constexpr std::size_t kGroup = 2;
  const std::uint32_t* rows = nullptr;  // the rows of B, kGroup per group
  const std::int16_t* b = nullptr;      // [group][column of the panel][kGroup], aligned to 64 bytes
  std::size_t groups = 0;
};

// A block of up to `rows` rows of A times one panel of B, then the epilogue. At least 64 readable bytes follow A. Packed operands
// are stored in groups of 2, 4 or 8 values along k, as the kernels' `group` says. A group of A is [rows][group] (except for AMX:
// see packByteRow()), a group of B is [columns][group]. A's values are bytes (signed if the kernels' `subtracted` is 128, else
// unsigned), or int16 in groups of 2; B's are signed bytes.
struct QuantizedTile {
  const std::byte *a = nullptr, *b = nullptr;
  std::size_t groups = 0;
  std::size_t rows = 0, columns = 0;  // the rows and columns that are stored
  QuantizedExcess excess;
  // Per column of the panel: result = (sum + offset - factor * rowSum) * scale + bias. rowSums has one element per row. If
  // `factor` is null, all factors are 0.
  const std::int32_t *offset = nullptr, *factor = nullptr, *rowSums = nullptr;
  const float *scale = nullptr, *bias = nullptr;

  // `floats` applies `relu` if set. `bytes` and `dequantized` clamp the result to [low, high] (NaN becomes -zeroPoint) and round
  // it. `bytes` stores the rounded result plus zeroPoint as a byte, `dequantized` stores it times backScale as a float.
  enum class Store : std::uint8_t { floats, bytes, dequantized } store = Store::floats;
  bool relu = false, isSigned = false;
  float low = 0, high = 0, backScale = 1;
  std::int32_t zeroPoint = 0;
  void* c = nullptr;    // the element at the first row and column
  std::size_t ldc = 0;  // distance between rows of c, in elements
};

// The source of a panel of B: k rows of up to a panel's columns. Element (i, j) is at from + i * rowStride + j * columnStride,
// and one of the strides is 1. Packing subtracts 128 from unsigned bytes.
struct QuantizedPanel {
  const std::uint8_t* from = nullptr;
  std::size_t rowStride = 0, columnStride = 0;
  std::size_t k = 0, columns = 0;
  bool isSigned = false;
};

// The packing and product functions of one variant. Packed panels are aligned to 64 bytes.
struct QuantizedGemmKernels {
  std::size_t mostRows = 0, columns = 0;  // mostRows: maximum number of rows in a tile; columns: columns of a panel
  // Rows of `a` are padded with zeros to a multiple of `groupStep` groups, and b is read up to the same length.
  std::size_t groupStep = 1;
  std::size_t group = 0;        // values per group
  std::int32_t subtracted = 0;  // 0 or 128: subtracted from each byte of `a` before it is multiplied
  std::size_t aGroupBytes() const { return group == 2 ? 2 * sizeof(std::int16_t) : group; }
  // Returns the number of rows to which packing pads a tile of `rows` rows of `a`.
  std::size_t (*packedRows)(std::size_t rows) = nullptr;
  // Packs a row of k bytes, each XOR `flip`, as row `row` of a block of `rows`.
  void (*packRow)(const std::uint8_t* from, std::size_t k, std::uint8_t flip, std::size_t rows, std::size_t row,
                  std::byte* to) = nullptr;
  // Packs a panel of b and fills missing columns, and the rest of the last group, with zeros.
  void (*packPanel)(const QuantizedPanel& panel, std::byte* to) = nullptr;
  void (*columnSums)(const std::byte* panel, std::size_t groups, std::int32_t* sums) = nullptr;
  // Bounded kernels only. countExcess adds to counts[i] the number of rows of panel i that have an excess; `panels` may have the
  // columns of several panels. takeExcess moves the excess of a packed panel to `b`, and writes its rows, which are in ascending
  // order.
  void (*countExcess)(const QuantizedPanel& panels, std::uint32_t* counts) = nullptr;
  void (*takeExcess)(std::byte* panel, std::size_t groups, std::uint32_t* rows, std::int16_t* b) = nullptr;
  // Returns the sum of k bytes at `from`, each XOR `flip`.
  std::int32_t (*sum)(const std::uint8_t* from, std::size_t k, std::uint8_t flip) = nullptr;
  void (*tile)(const QuantizedTile& tile) = nullptr;
  // A thread calls these before and after calls of tile(); null if unnecessary.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  // Stores the results of a tile from its sums, [row][column of the panel].
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

// `dots`: whether to use instructions that sum products of bytes, which `isa` must have (hasByteDots).
const QuantizedGemmKernels& quantizedGemmKernels(Isa isa, bool dots);
// Returns kernels that are faster than quantizedGemmKernels(isa, false) if few weights exceed the bound, or null if `isa` has no
// such kernels.
const QuantizedGemmKernels* boundedGemmKernels(Isa isa);

}  // namespace webnn::cpu
