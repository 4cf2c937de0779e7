#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/resample.cpp"
#include "backends/cpu/simd/resample.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <type_traits>

#include "backends/cpu/simd/lanes/floats-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Sums products in the order of the taps, as the graph does: a weighted difference would turn infinities into NaN. Does not use
// MulAdd, because it rounds once on some instruction sets and twice on others, but results that are quantized later must be equal
// on all. `kTaps` is the number of taps, or 0 if it is known only at run time.
template <std::size_t kTaps>
HWY_INLINE auto sumOf([[maybe_unused]] std::size_t taps, const auto& product) {
  static_assert(kTaps <= 2 || kTaps == 4);
  auto sum = product(0);
  if constexpr (kTaps == 0) {
    for (std::size_t t = 1; t < taps; ++t) sum = hn::Add(sum, product(t));
  }
  if constexpr (kTaps >= 2) sum = hn::Add(sum, product(1));
  if constexpr (kTaps >= 4) sum = hn::Add(hn::Add(sum, product(2)), product(3));
  return sum;
}

// The values of all taps that a loop reads: copied to registers, or read in place if the number of taps is not constant.
template <std::size_t kTaps, typename T>
struct TapValues {
  TapValues(const T* from, std::size_t stride) {
    for (std::size_t t = 0; t < kTaps; ++t) values[t] = from[t * stride];
  }
  T operator[](std::size_t t) const { return values[t]; }
  std::array<T, kTaps> values;
};
template <typename T>
struct TapValues<0, T> {
  TapValues(const T* all, std::size_t distance) : from(all), stride(distance) {}
  T operator[](std::size_t t) const { return from[t * stride]; }
  const T* from;
  std::size_t stride;
};

// Calls `work` with the number of taps as a std::integral_constant, or 0 if it is not 1, 2 or 4.
HWY_INLINE void withTaps(std::size_t taps, const auto& work) {
  switch (taps) {
    case 1: return work(std::integral_constant<std::size_t, 1>());
    case 2: return work(std::integral_constant<std::size_t, 2>());
    case 4: return work(std::integral_constant<std::size_t, 4>());
    default: return work(std::integral_constant<std::size_t, 0>());
  }
}

// Computes `size` elements as vectors. The last vector may overlap the one before; if there are fewer elements than lanes, uses
// smaller vectors. at(d, i) returns the vector of elements i, i + 1, ...
template <typename To, class D>
HWY_INLINE void computeVectors(D d, std::size_t size, To* to, const auto& at) {
  const std::size_t lanes = hn::Lanes(d);
  if (size < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) computeVectors(hn::Half<D>(), size, to, at);
    return;
  }
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) storeFloats(at(d, i), d, to + i);
  if (i < size) storeFloats(at(d, size - lanes), d, to + size - lanes);
}

template <std::size_t kTaps, typename From, typename To>
HWY_INLINE void sumBlocks(const ResampleRows& sum) {
  const std::size_t taps = sum.taps, size = sum.size;
  const TapValues<kTaps, const std::byte*> rows(sum.rows, 1);
  const TapValues<kTaps, float> weights(sum.weights, 1);
  for (std::size_t block = 0; block < sum.blocks; ++block) {
    const std::size_t begin = block * size;
    computeVectors(hn::ScalableTag<float>(), size, reinterpret_cast<To*>(sum.to + block * sum.stride),
                   [&](auto d, std::size_t i) HWY_ATTR {
                     return sumOf<kTaps>(taps, [&](std::size_t t) HWY_ATTR {
                       return hn::Mul(loadFloats(d, reinterpret_cast<const From*>(rows[t]) + begin + i), hn::Set(d, weights[t]));
                     });
                   });
  }
}

template <typename From, typename To>
void sumRows(const ResampleRows& sum) {
  withTaps(sum.taps,
           [&]<std::size_t kTaps>(std::integral_constant<std::size_t, kTaps>) HWY_ATTR { sumBlocks<kTaps, From, To>(sum); });
}

// Computes one position of `inner` elements.
template <std::size_t kTaps, typename From, typename To>
HWY_INLINE void sumPosition(const ResampleColumns& sum, std::size_t position) {
  const From* from = reinterpret_cast<const From*>(sum.from);
  const std::size_t taps = sum.taps, inner = sum.inner;
  const TapValues<kTaps, std::int32_t> indices(sum.indices + position, sum.tapStride);
  const TapValues<kTaps, float> weights(sum.weights + position, sum.tapStride);
  computeVectors(hn::ScalableTag<float>(), inner, reinterpret_cast<To*>(sum.to + position * sum.stride),
                 [&](auto d, std::size_t i) HWY_ATTR {
                   return sumOf<kTaps>(taps, [&](std::size_t t) HWY_ATTR {
                     const auto index = static_cast<std::size_t>(indices[t]);
                     return hn::Mul(loadFloats(d, from + index * inner + i), hn::Set(d, weights[t]));
                   });
                 });
}

// Computes positions [begin, end) of one element each.
template <std::size_t kTaps, typename From, typename To>
HWY_INLINE void sumElements(const ResampleColumns& sum, std::size_t begin, std::size_t end) {
  const hn::CappedTag<float, 1> one;
  const From* from = reinterpret_cast<const From*>(sum.from);
  const std::int32_t* indices = sum.indices;
  const float* weights = sum.weights;
  const std::size_t taps = sum.taps, stride = sum.tapStride;
  std::byte* to = sum.to + begin * sum.stride;
  for (std::size_t position = begin; position < end; ++position, to += sum.stride) {
    const auto result = sumOf<kTaps>(taps, [&](std::size_t t) HWY_ATTR {
      const std::size_t tap = t * stride + position;
      return hn::Mul(loadFloats(one, from + indices[tap]), hn::Set(one, weights[tap]));
    });
    storeFloats(result, one, reinterpret_cast<To*>(to));
  }
}

// Computes a vector of positions of one element each, whose inputs are in a window. Gather instructions are slower on many
// processors.
template <std::size_t kTaps, typename From, typename To>
HWY_INLINE void sumWindow(const ResampleColumns& sum, std::size_t position, ResampleWindow window) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<std::int32_t> di;
  const From* from = reinterpret_cast<const From*>(sum.from) + window.first;
  const auto low = loadFloats(d, from);
  const auto start = hn::Set(di, window.first);
  const auto sumOfTaps = [&](auto valuesAt) HWY_ATTR {
    const auto result = sumOf<kTaps>(sum.taps, [&](std::size_t t) HWY_ATTR {
      const std::size_t tap = t * sum.tapStride + position;
      return hn::Mul(valuesAt(hn::Sub(hn::LoadU(di, sum.indices + tap), start)), hn::LoadU(d, sum.weights + tap));
    });
    storeFloats(result, d, reinterpret_cast<To*>(sum.to) + position);
  };
  if (window.vectors == 1) {
    sumOfTaps([&](auto offset) HWY_ATTR { return hn::TableLookupLanes(low, hn::IndicesFromVec(d, offset)); });
    return;
  }
  const auto high = loadFloats(d, from + hn::Lanes(d));
  const auto last = hn::Set(di, static_cast<std::int32_t>(hn::Lanes(d)) - 1);
  sumOfTaps([&](auto offset) HWY_ATTR {
    const auto index = hn::IndicesFromVec(d, hn::And(offset, last));
    const auto isHigh = hn::RebindMask(d, hn::Gt(offset, last));
    return hn::IfThenElse(isHigh, hn::TableLookupLanes(high, index), hn::TableLookupLanes(low, index));
  });
}

// For a row that is resampled to twice its length (isDoubled): computes positions 2x and 2x + 1 with constant weights, in whole
// vectors of x, from x = 1 on. x has neighbors on both sides. Returns the position after the last computed one.
HWY_INLINE std::size_t doubleElements(const ResampleColumns& sum) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), width = sum.positions / 2;
  const float *from = reinterpret_cast<const float*>(sum.from), *low = sum.weights + 2, *high = low + sum.tapStride;
  const auto a0 = hn::Set(d, low[0]), a1 = hn::Set(d, high[0]), b0 = hn::Set(d, low[1]), b1 = hn::Set(d, high[1]);
  float* to = reinterpret_cast<float*>(sum.to);
  std::size_t x = 1;
  for (; x + lanes < width; x += lanes) {
    const auto here = hn::LoadU(d, from + x);
    const auto even = hn::Add(hn::Mul(hn::LoadU(d, from + x - 1), a0), hn::Mul(here, a1));
    const auto odd = hn::Add(hn::Mul(here, b0), hn::Mul(hn::LoadU(d, from + x + 1), b1));
    hn::StoreInterleaved2(even, odd, d, to + 2 * x);
  }
  return 2 * x;
}

template <std::size_t kTaps, typename From, typename To>
HWY_INLINE void sumPositions(const ResampleColumns& sum) {
  if (sum.inner > 1) {
    for (std::size_t position = 0; position < sum.positions; ++position) sumPosition<kTaps, From, To>(sum, position);
    return;
  }
  if constexpr (kTaps == 2 && std::is_same_v<From, float> && std::is_same_v<To, float>) {
    if (sum.isDoubled) {
      sumElements<kTaps, From, To>(sum, 0, 2);
      return sumElements<kTaps, From, To>(sum, doubleElements(sum), sum.positions);
    }
  }
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  std::size_t position = 0;
  for (std::size_t i = 0; sum.windows && position + lanes <= sum.positions; ++i, position += lanes) {
    if (sum.windows[i].vectors > 0) {
      sumWindow<kTaps, From, To>(sum, position, sum.windows[i]);
    } else {
      sumElements<kTaps, From, To>(sum, position, position + lanes);
    }
  }
  sumElements<kTaps, From, To>(sum, position, sum.positions);
}

template <typename From, typename To>
void sumColumns(const ResampleColumns& sum) {
  withTaps(sum.taps,
           [&]<std::size_t kTaps>(std::integral_constant<std::size_t, kTaps>) HWY_ATTR { sumPositions<kTaps, From, To>(sum); });
}

template <typename T>
void sumPixels(const ResamplePixels& sum) {
  const ResampleColumns& columns = sum.columns;
  const T *low = reinterpret_cast<const T*>(sum.rows[0]), *high = reinterpret_cast<const T*>(sum.rows[1]);
  const float lowWeight = sum.weights[0], highWeight = sum.weights[1];
  const std::size_t inner = columns.inner;
  for (std::size_t position = 0; position < columns.positions; ++position) {
    const TapValues<2, std::int32_t> indices(columns.indices + position, columns.tapStride);
    const TapValues<2, float> weights(columns.weights + position, columns.tapStride);
    const std::size_t left = static_cast<std::size_t>(indices[0]) * inner, right = static_cast<std::size_t>(indices[1]) * inner;
    computeVectors(hn::ScalableTag<float>(), inner, reinterpret_cast<T*>(columns.to + position * columns.stride),
                   [&](auto d, std::size_t i) HWY_ATTR {
                     const auto sumOfRow = [&](const T* row) HWY_ATTR {
                       return hn::Add(hn::Mul(loadFloats(d, row + left + i), hn::Set(d, weights[0])),
                                      hn::Mul(loadFloats(d, row + right + i), hn::Set(d, weights[1])));
                     };
                     return hn::Add(hn::Mul(sumOfRow(low), hn::Set(d, lowWeight)),
                                    hn::Mul(sumOfRow(high), hn::Set(d, highWeight)));
                   });
  }
}

const ResampleKernels& kernels() {
  using Half = std::uint16_t;
  static const ResampleKernels table{
      {{sumRows<float, float>, sumRows<float, Half>}, {sumRows<Half, float>, sumRows<Half, Half>}},
      {{sumColumns<float, float>, sumColumns<float, Half>}, {sumColumns<Half, float>, sumColumns<Half, Half>}},
      {sumPixels<float>, sumPixels<Half>},
      hn::Lanes(hn::ScalableTag<float>())};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const ResampleKernels& resampleKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
