#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/reduce_integers.cpp"
#include "backends/cpu/simd/reduce_integers.h"

// foreach_target.h comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <cstdint>

#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

struct Sum {
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::Add(a, x);
  }
};
struct Greatest {
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::Max(a, x);
  }
};
struct Least {
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::Min(a, x);
  }
};

// Folds K vectors of columns, whose results stay in registers.
template <class F, int K, class D>
HWY_INLINE void foldVectors(D d, const std::byte* x, std::size_t rows, std::ptrdiff_t step, hn::TFromD<D>* to) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> a[K];
  for (std::size_t k = 0; k < K; ++k) a[k] = hn::LoadU(d, to + k * lanes);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto* row = reinterpret_cast<const hn::TFromD<D>*>(x + static_cast<std::ptrdiff_t>(r) * step);
    for (std::size_t k = 0; k < K; ++k) a[k] = F::combine(a[k], hn::LoadU(d, row + k * lanes));
  }
  for (std::size_t k = 0; k < K; ++k) hn::StoreU(a[k], d, to + k * lanes);
}

template <typename T, class F>
void fold(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::byte* results) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T* to = reinterpret_cast<T*>(results);
  std::size_t c = 0;
  for (; c + 4 * lanes <= columns; c += 4 * lanes) foldVectors<F, 4>(d, x + c * sizeof(T), rows, step, to + c);
  for (; c + lanes <= columns; c += lanes) foldVectors<F, 1>(d, x + c * sizeof(T), rows, step, to + c);
  if (c == columns) return;
  auto a = loadSome(d, to + c, columns - c);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto* row = reinterpret_cast<const T*>(x + static_cast<std::ptrdiff_t>(r) * step) + c;
    a = F::combine(a, loadSome(d, row, columns - c));
  }
  storeSome(d, a, to + c, columns - c);
}

const IntegerKernels& kernels() {
  using std::int32_t, std::uint32_t, std::int8_t, std::uint8_t;
  static constexpr IntegerKernels table{
      fold<uint32_t, Sum>,
      {fold<int8_t, Greatest>, fold<uint8_t, Greatest>, fold<int32_t, Greatest>, fold<uint32_t, Greatest>},
      {fold<int8_t, Least>, fold<uint8_t, Least>, fold<int32_t, Least>, fold<uint32_t, Least>}};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const IntegerKernels& integerKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
