#include "backends/cpu/gemm/packed_b.h"

#include <algorithm>
#include <type_traits>

#include "backends/cpu/gemm/gemm_amx.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/simd/gemm/bf16_gemm.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

const GemmKernels& kernelsFor(Isa isa, PackedNumbers numbers) {
  const bool isRounded = numbers == PackedNumbers::bf16;
#if defined(__x86_64__)
  if (hasTiles(isa)) return isRounded ? amxBf16Kernels(isa) : amxGemmKernels(isa, numbers == PackedNumbers::halves);
#endif
  return isRounded ? bf16GemmKernels(isa) : gemmKernels(isa);
}

}  // namespace

PackedB::PackedB(Isa isa, std::size_t k, std::size_t n, PackedNumbers numbers)
    : isa_(isa), numbers_(numbers), kernels_(&kernelsFor(isa, numbers)), k_(k), n_(n) {
  nr_ = 2 * kernels_->lanes;
  paddedN_ = roundUp(n, kernels_->lanes);
  panels_ = divideUp(n, nr_);
  kc_ = k == 0 ? 0 : roundUp(divideUp(k, divideUp(k, kernels_->kc)), std::max<std::size_t>(4, kernels_->kStep));
  blocks_ = k == 0 ? 1 : divideUp(k, kc_);
}

std::size_t PackedB::paddedKcOf(std::size_t block) const { return roundUp(kcOf(block), kernels_->kStep); }

std::size_t PackedB::offset(std::size_t block, std::size_t panel) const {
  const std::size_t before = block * (kc_ * paddedN_ * kernels_->elementBytes + panels_ * kernels_->headerBytes);
  return before + panel * (kernels_->headerBytes + nr_ * paddedKcOf(block) * kernels_->elementBytes);
}

std::size_t PackedB::bytes() const {
  const std::size_t last = blocks_ - 1;
  return offset(last, 0) + panels_ * kernels_->headerBytes + paddedN_ * paddedKcOf(last) * kernels_->elementBytes;
}

template <typename T>
void PackedB::packPanel(const T* b, std::size_t rowStride, std::size_t columnStride, std::byte* packed, std::size_t panel) const {
  const std::size_t column = panel * nr_, width = std::min(nr_, paddedN_ - column);
  for (std::size_t block = 0; block < blocks_ && !isRunOver(); ++block) {
    const T* from = b + block * kc_ * rowStride + column * columnStride;
    float* to = reinterpret_cast<float*>(packed + offset(block, panel));
    const auto packWith = [&](auto function) {
      function(from, rowStride, columnStride, kcOf(block), std::min(width, n_ - column), width, to);
    };
    if constexpr (std::is_same_v<T, float>) {
      packWith(kernels_->packPanel);
    } else {
      packWith(kernels_->packHalfPanel);
    }
  }
}
template void PackedB::packPanel(const float*, std::size_t, std::size_t, std::byte*, std::size_t) const;
template void PackedB::packPanel(const std::uint16_t*, std::size_t, std::size_t, std::byte*, std::size_t) const;

PackedPanel PackedB::panel(std::byte* packed, std::size_t i) const {
  const std::size_t column = i * nr_, width = std::min(nr_, paddedN_ - column);
  return {.start = reinterpret_cast<float*>(packed),
          .column = column,
          .columns = std::min(width, n_ - column),
          .width = width,
          .k = k_,
          .kc = kc_,
          .blockStride = kc_ * paddedN_,
          .panelStride = column};
}

}  // namespace webnn::cpu
