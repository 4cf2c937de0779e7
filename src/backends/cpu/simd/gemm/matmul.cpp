#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/gemm/matmul.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "backends/cpu/simd/gemm/matmul.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

void combine(float* c, float alpha, const float* addend, std::size_t step, float beta, std::size_t count) {
  const D d;
  const auto scale = hn::Set(d, alpha), addendScale = hn::Set(d, beta);
  // Computes the tail in a padded vector, so that its elements round like the others.
  for (std::size_t i = 0; i < count; i += kLanes) {
    const std::size_t lanes = std::min(kLanes, count - i);
    std::array<float, kLanes> values, addends;
    const bool isPart = lanes < kLanes;
    if (isPart) std::copy_n(c + i, lanes, std::fill_n(values.data(), kLanes, 0.0F) - kLanes);
    auto value = hn::Mul(hn::LoadU(d, isPart ? values.data() : c + i), scale);
    if (addend) {
      const float* from = addend + i;
      if (isPart || step != 1) {
        addends.fill(0);
        for (std::size_t l = 0; l < lanes; ++l) addends[l] = addend[(i + l) * step];
        from = addends.data();
      }
      value = hn::MulAdd(hn::LoadU(d, from), addendScale, value);
    }
    hn::StoreU(value, d, isPart ? values.data() : c + i);
    if (isPart) std::copy_n(values.data(), lanes, c + i);
  }
}

bool areBetween(const float* c, float least, std::size_t count) {
  const D d;
  const auto low = hn::Set(d, least), high = hn::Set(d, std::numeric_limits<float>::max());
  auto are = hn::Eq(low, low);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto size = hn::Abs(hn::LoadU(d, c + i));
    are = hn::And(are, hn::And(hn::Ge(size, low), hn::Le(size, high)));
  }
  bool areRest = true;
  for (; i < count; ++i) areRest = areRest && std::fabs(c[i]) >= least && std::fabs(c[i]) <= std::numeric_limits<float>::max();
  return areRest && hn::AllTrue(d, are);
}

}  // namespace

const MatmulKernels& matmulTable() {
  static constexpr MatmulKernels table{combine, areBetween};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const MatmulKernels& matmulKernels(Isa isa) { WEBNN_SELECT(isa, matmulTable); }
}  // namespace webnn::cpu
#endif
