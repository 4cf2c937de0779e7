#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/resample.cpp"
#include "backends/cpu/simd/resample.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/simd/lanes/floats-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Computes lower * lowerWeight + upper * upperWeight, the specification's formula; a weighted difference would turn infinities
// into NaN. Does not use MulAdd, because it rounds once on some instruction sets and twice on others, but results that are
// quantized later must be equal on all.
template <class V>
HWY_INLINE V mix(V lower, V lowerWeight, V upper, V upperWeight) {
  return hn::Add(hn::Mul(lower, lowerWeight), hn::Mul(upper, upperWeight));
}

// Resamples positions of `inner` contiguous elements, as vectors. The last vector overlaps the one before it; if there are fewer
// elements than lanes, uses smaller vectors.
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
    const std::size_t left = static_cast<std::size_t>(row.columns.lower[i]) * row.inner;
    const std::size_t right = static_cast<std::size_t>(row.columns.upper[i]) * row.inner;
    const auto x0 = hn::Set(d, row.columns.lowerWeight[i]), x1 = hn::Set(d, row.columns.upperWeight[i]);
    T* to = reinterpret_cast<T*>(row.to + static_cast<std::ptrdiff_t>(i) * row.outputStride);
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

// Interpolates between the two rows and stores the results in `line`.
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

// Computes positions [begin, end) one by one: gather instructions are slower on many processors.
template <typename T>
HWY_INLINE void mixLine(const ResampleRow& row, std::size_t begin, std::size_t end) {
  const hn::CappedTag<float, 1> one;
  const ResampleTaps& taps = row.columns;
  T* to = reinterpret_cast<T*>(row.to);
  for (std::size_t i = begin; i < end; ++i) {
    const auto lower = hn::Set(one, row.line[taps.lower[i]]), upper = hn::Set(one, row.line[taps.upper[i]]);
    storeFloats(mix(lower, hn::Set(one, taps.lowerWeight[i]), upper, hn::Set(one, taps.upperWeight[i])), one, to + i);
  }
}

// For a line that is resampled to twice its length (isDoubled): computes positions 2x and 2x + 1 with constant weights, for all x
// >= 1 that fill whole vectors. Returns the first position that is not computed.
HWY_INLINE std::size_t doubleLine(const ResampleRow& row) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const ResampleTaps& taps = row.columns;
  const auto a0 = hn::Set(d, taps.lowerWeight[2]), a1 = hn::Set(d, taps.upperWeight[2]);
  const auto b0 = hn::Set(d, taps.lowerWeight[3]), b1 = hn::Set(d, taps.upperWeight[3]);
  float* to = reinterpret_cast<float*>(row.to);
  std::size_t x = 1;
  for (; x + lanes < row.width; x += lanes) {
    const auto v = hn::LoadU(d, row.line + x);
    const auto even = mix(hn::LoadU(d, row.line + x - 1), a0, v, a1), odd = mix(v, b0, hn::LoadU(d, row.line + x + 1), b1);
    hn::StoreInterleaved2(even, odd, d, to + 2 * x);
  }
  return 2 * x;
}

// Resamples positions of one element each: interpolates between the two rows, then along the line.
template <typename T>
void line(const ResampleRow& row) {
  mixRows<T>(hn::ScalableTag<float>(), row);
  std::size_t done = 0;
  if constexpr (sizeof(T) == sizeof(float)) {
    if (row.columns.isDoubled) {
      mixLine<T>(row, 0, 2);
      done = doubleLine(row);
    }
  }
  mixLine<T>(row, done, row.positions);
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
