// The B operand of a GEMM in the layout that kernels read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/weight_memory.h"
#include "backends/cpu/simd/gemm/gemm.h"

namespace webnn::cpu {

// One panel of a packed B, for callers that write its elements themselves. Requires PackedB::isOfFloats().
struct PackedPanel {
  float* start = nullptr;
  std::size_t column = 0, columns = 0;  // the matrix columns that the panel holds
  std::size_t width = 0;                // row stride in floats; the caller zeroes the padding after `columns`
  std::size_t k = 0, kc = 0, blockStride = 0, panelStride = 0;

  float* row(std::size_t i) const {
    const std::size_t block = i / kc, first = block * kc;
    return start + block * blockStride + panelStride * (kc < k - first ? kc : k - first) + (i - first) * width;
  }
  // Returns how many rows, beginning with row i, are contiguous.
  std::size_t rowsFrom(std::size_t i) const {
    const std::size_t inBlock = kc - i % kc;
    return inBlock < k - i ? inBlock : k - i;
  }
};

// The element type of packed B. `halves`: B comes only from float16 values, which take less memory on tiles. `bf16`: A and B are
// rounded to bfloat16.
enum class PackedNumbers : std::uint8_t { floats, halves, bf16 };

// Describes how a k x n matrix B is packed for an instruction set. K is split into blocks of KC rows and N into panels of NR
// columns; the layout is [block][panel][k][column]. Every block but the last has KC rows. The last panel is narrow if its columns
// fit in one vector. docs/explanation/cpu.md has a picture.
class PackedB {
 public:
  PackedB() = default;
  PackedB(Isa isa, std::size_t k, std::size_t n, PackedNumbers numbers = PackedNumbers::floats);

  Isa isa() const { return isa_; }
  PackedNumbers numbers() const { return numbers_; }
  // Returns whether panels are rows of floats, rather than of bfloat16 values or of parts for tiles.
  bool isOfFloats() const { return numbers_ != PackedNumbers::bf16 && !hasTiles(isa_); }
  const GemmKernels& kernels() const { return *kernels_; }
  std::size_t k() const { return k_; }
  std::size_t n() const { return n_; }

  // Returns the size of the packed matrix, whose memory must be aligned to 64 bytes.
  std::size_t bytes() const;

  // Packs a matrix whose element (k, n) is at b[k * rowStride + n * columnStride]. T is float, or uint16_t for float16.
  void pack(const auto* b, std::size_t rowStride, std::size_t columnStride, std::byte* packed) const {
    for (std::size_t i = 0; i < panels_; ++i) packPanel(b, rowStride, columnStride, packed, i);
  }
  // packPanel() packs one of the panels() panels. Different panels may be packed concurrently.
  std::size_t panels() const { return panels_; }
  template <typename T>
  void packPanel(const T* b, std::size_t rowStride, std::size_t columnStride, std::byte* packed, std::size_t panel) const;
  PackedPanel panel(std::byte* packed, std::size_t i) const;

  // The functions below are only for GemmPlan.
  std::size_t blocks() const { return blocks_; }
  std::size_t nr() const { return nr_; }
  std::size_t kc() const { return kc_; }
  std::size_t kcOf(std::size_t block) const { return kc_ < k_ - block * kc_ ? kc_ : k_ - block * kc_; }
  std::size_t offset(std::size_t block, std::size_t panel) const;  // offset of a panel in bytes

 private:
  std::size_t paddedKcOf(std::size_t block) const;

  Isa isa_ = Isa::sse4;
  PackedNumbers numbers_ = PackedNumbers::floats;
  const GemmKernels* kernels_ = nullptr;
  std::size_t k_ = 0, n_ = 0, nr_ = 0, paddedN_ = 0, panels_ = 0, kc_ = 0, blocks_ = 0;
};

// Adds to `key` all properties of `b` on which packing depends. The caller adds the matrix itself.
inline void addLayout(PackKey& key, const PackedB& b) {
  key.add({static_cast<std::size_t>(b.isa()), static_cast<std::size_t>(b.numbers()), b.k(), b.n()});
}

}  // namespace webnn::cpu
