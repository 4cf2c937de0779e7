#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/top.cpp"
#include "backends/cpu/simd/top.h"

// foreach_target.h comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <limits>

#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

// Inserts a key after all keys that are at least as great. If the list is full, drops its last key, which must be smaller.
HWY_INLINE void insert(TopList& list, float key, std::size_t position) {
  std::size_t at = list.size < list.count ? list.size++ : list.count - 1;
  for (; at > 0 && list.keys[at - 1] < key; --at) {
    list.keys[at] = list.keys[at - 1];
    list.positions[at] = list.positions[at - 1];
  }
  list.keys[at] = key;
  list.positions[at] = static_cast<std::int32_t>(position);
}

template <bool isGreatest>
void find(const float* x, std::size_t begin, std::size_t end, TopList& list) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  HWY_ALIGN float keys[hn::MaxLanes(Floats())];
  for (std::size_t i = begin; i < end; i += lanes) {
    const std::size_t count = HWY_MIN(lanes, end - i);
    auto v = count == lanes ? hn::LoadU(d, x + i) : loadSome(d, x + i, count);
    v = hn::IfThenElse(hn::IsNaN(v), infinity, v);
    if constexpr (!isGreatest) v = hn::Neg(v);
    const bool isFull = list.size == list.count;
    if (isFull && hn::AllFalse(d, hn::Gt(v, hn::Set(d, list.keys[list.count - 1])))) continue;
    hn::Store(v, d, keys);
    for (std::size_t j = 0; j < count; ++j) {
      if (list.size < list.count || keys[j] > list.keys[list.count - 1]) insert(list, keys[j], i + j);
    }
  }
}

const TopKernels& kernels() {
  static constexpr TopKernels table{{find<false>, find<true>}};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const TopKernels& topKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
