#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/resample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/floats-inl.h"
#include "cpu/simd/resample.h"
#include "cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// The specification's formula: weights rather than a difference, which infinities would turn into NaN.
template <class V>
HWY_INLINE V mix(V lower, V lowerWeight, V upper, V upperWeight) {
  return hn::MulAdd(lower, lowerWeight, hn::Mul(upper, upperWeight));
}

// Positions of several elements: vectors of those. The last one covers some again, unless there are fewer elements than it
// has lanes: then a smaller vector does.
template <typename T, class D>
HWY_INLINE void resamplePixels(D d, const ResampleRow& row) {
  const std::size_t lanes = hn::Lanes(d);
  if (row.inner < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) resamplePixels<T>(hn::Half<D>(), row);
    return;
  }
  const T *lowerRow = reinterpret_cast<const T*>(row.lower), *upperRow = reinterpret_cast<const T*>(row.upper);
  const auto y0 = hn::Set(d, row.lowerWeight), y1 = hn::Set(d, row.upperWeight);
  for (std::size_t i = 0; i < row.positions; ++i) {
    const ResampleTap& tap = row.columns[i];
    const std::size_t left = tap.lower * row.inner, right = tap.upper * row.inner;
    const auto x0 = hn::Set(d, tap.lowerWeight), x1 = hn::Set(d, tap.upperWeight);
    T* to = reinterpret_cast<T*>(row.to + static_cast<std::ptrdiff_t>(i) * row.outputPitch);
    for (std::size_t at = 0; at < row.inner; at += lanes) {
      const std::size_t c = HWY_MIN(at, row.inner - lanes);
      const auto lower = mix(loadFloats(d, lowerRow + left + c), x0, loadFloats(d, lowerRow + right + c), x1);
      const auto upper = mix(loadFloats(d, upperRow + left + c), x0, loadFloats(d, upperRow + right + c), x1);
      storeFloats(mix(lower, y0, upper, y1), d, to + c);
    }
  }
}

template <typename T>
void pixels(const ResampleRow& row) {
  resamplePixels<T>(hn::ScalableTag<float>(), row);
}

// The two rows as one.
template <typename T, class D>
HWY_INLINE void mixRows(D d, const ResampleRow& row) {
  const std::size_t lanes = hn::Lanes(d);
  if (row.width < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) mixRows<T>(hn::Half<D>(), row);
    return;
  }
  const T *lower = reinterpret_cast<const T*>(row.lower), *upper = reinterpret_cast<const T*>(row.upper);
  const auto y0 = hn::Set(d, row.lowerWeight), y1 = hn::Set(d, row.upperWeight);
  for (std::size_t at = 0; at < row.width; at += lanes) {
    const std::size_t x = HWY_MIN(at, row.width - lanes);
    hn::StoreU(mix(loadFloats(d, lower + x), y0, loadFloats(d, upper + x), y1), d, row.line + x);
  }
}

// Positions of one element: first the rows, then along the line, as many positions at once as a vector has lanes.
template <typename T>
void line(const ResampleRow& row) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  mixRows<T>(d, row);
  T* to = reinterpret_cast<T*>(row.to);
  std::size_t i = 0;
  HWY_ALIGN float lower[hn::MaxLanes(d)], upper[hn::MaxLanes(d)], lowerWeight[hn::MaxLanes(d)], upperWeight[hn::MaxLanes(d)];
  for (; i + lanes <= row.positions; i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      const ResampleTap& tap = row.columns[i + k];
      lower[k] = row.line[tap.lower];
      upper[k] = row.line[tap.upper];
      lowerWeight[k] = tap.lowerWeight;
      upperWeight[k] = tap.upperWeight;
    }
    storeFloats(mix(hn::Load(d, lower), hn::Load(d, lowerWeight), hn::Load(d, upper), hn::Load(d, upperWeight)), d, to + i);
  }
  for (; i < row.positions; ++i) {
    const ResampleTap& tap = row.columns[i];
    const auto v = mix(hn::Set(one, row.line[tap.lower]), hn::Set(one, tap.lowerWeight), hn::Set(one, row.line[tap.upper]),
                       hn::Set(one, tap.upperWeight));
    storeFloats(v, one, to + i);
  }
}

ResampleKernel choose(DataType type, bool isLine) {
  if (type == DataType::float16) return isLine ? line<std::uint16_t> : pixels<std::uint16_t>;
  return isLine ? line<float> : pixels<float>;
}

using Choose = ResampleKernel (*)(DataType, bool);
Choose kernels() { return choose; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
namespace {
ResampleKernel (*select(Isa isa))(DataType, bool) { WEBNN_SELECT(isa, kernels); }
}  // namespace
ResampleKernel resampleKernel(Isa isa, DataType type, bool isLine) { return select(isa)(type, isLine); }
}  // namespace webnn::cpu
#endif
