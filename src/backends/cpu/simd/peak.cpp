#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/peak.cpp"
#include "backends/cpu/simd/peak.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve accumulators hide the latency of two FMA units and fit in the sixteen registers of every instruction set. They start
// with different values so that the compiler does not merge them. Each accumulator is also a factor, so that without FMA the
// product cannot be hoisted out of the loop. The values converge to `addend` / (1 - `factor`).
float multiplyAdd(std::size_t iterations) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.5F), addend = hn::Set(d, 1.0F);
  const auto from = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  auto a0 = from(0.1F), a1 = from(0.2F), a2 = from(0.3F), a3 = from(0.4F), a4 = from(0.5F), a5 = from(0.6F);
  auto b0 = from(1.1F), b1 = from(1.2F), b2 = from(1.3F), b3 = from(1.4F), b4 = from(1.5F), b5 = from(1.6F);
  for (std::size_t i = 0; i < iterations; ++i) {
    a0 = hn::MulAdd(a0, factor, addend);
    a1 = hn::MulAdd(a1, factor, addend);
    a2 = hn::MulAdd(a2, factor, addend);
    a3 = hn::MulAdd(a3, factor, addend);
    a4 = hn::MulAdd(a4, factor, addend);
    a5 = hn::MulAdd(a5, factor, addend);
    b0 = hn::MulAdd(b0, factor, addend);
    b1 = hn::MulAdd(b1, factor, addend);
    b2 = hn::MulAdd(b2, factor, addend);
    b3 = hn::MulAdd(b3, factor, addend);
    b4 = hn::MulAdd(b4, factor, addend);
    b5 = hn::MulAdd(b5, factor, addend);
  }
  const auto a = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(a4, a5));
  const auto b = hn::Add(hn::Add(hn::Add(b0, b1), hn::Add(b2, b3)), hn::Add(b4, b5));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
}

const PeakKernels& kernels() {
  static const PeakKernels table{multiplyAdd, 2 * 12 * hn::Lanes(hn::ScalableTag<float>())};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const PeakKernels& peakKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
