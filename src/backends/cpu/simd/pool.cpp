#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/pool.cpp"
#include "backends/cpu/simd/pool.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "backends/cpu/runtime/run_watch.h"
#include "backends/cpu/simd/lanes/floats-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using HalfBits = std::uint16_t;  // unambiguous, because tensors have no 16-bit integers

// The lane type in which elements are computed, and the loads and stores that convert to and from this type.
template <typename T>
struct Element {
  using Lane = T;
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const T* from) {
    return hn::LoadU(d, from);
  }
  template <class D>
  static HWY_INLINE void store(hn::Vec<D> v, D d, T* to) {
    hn::StoreU(v, d, to);
  }
};
template <>
struct Element<HalfBits> {
  using Lane = float;
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const HalfBits* from) {
    return loadFloats(d, from);
  }
  template <class D>
  static HWY_INLINE void store(hn::Vec<D> v, D d, HalfBits* to) {
    storeFloats(v, d, to);
  }
};

struct PoolAverage {
  // Returns whether the float32 accumulator `a` neither overflowed nor, for squares, underflowed.
  template <class D>
  static HWY_INLINE hn::Mask<D> isInRange(D, hn::Vec<D> a) {
    return hn::IsFinite(a);
  }
  static double map(double x) { return x; }
  static double exactResult(double sum, std::size_t count) { return sum / static_cast<double>(count); }
  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V take(V a, V x) {
    return hn::Add(a, x);
  }
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> result(D d, hn::Vec<D> a, std::size_t count) {
    return count == 0 ? a : hn::Div(a, hn::Set(d, static_cast<float>(count)));
  }
};

struct PoolL2 : PoolAverage {
  template <class D>
  static HWY_INLINE hn::Mask<D> isInRange(D d, hn::Vec<D> a) {
    return hn::And(hn::IsFinite(a), hn::Ge(a, hn::Set(d, 1e-30F)));
  }
  static double map(double x) { return x * x; }
  static double exactResult(double sum, std::size_t) { return std::sqrt(sum); }
  template <class V>
  static HWY_INLINE V take(V a, V x) {
    return hn::MulAdd(x, x, a);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> result(D, hn::Vec<D> a, std::size_t) {
    return hn::Sqrt(a);
  }
};

// The result is NaN if any element is NaN.
struct PoolMax {
  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d) {
    using T = hn::TFromD<D>;
    if constexpr (std::numeric_limits<T>::has_infinity) {
      return hn::Set(d, -std::numeric_limits<T>::infinity());
    } else {
      return hn::Set(d, std::numeric_limits<T>::lowest());
    }
  }
  template <class V>
  static HWY_INLINE V take(V a, V x) {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
      return hn::IfThenElse(hn::Or(hn::Gt(x, a), hn::IsNaN(x)), x, a);
    } else {
      return hn::Max(a, x);
    }
  }
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return take(a, b);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> result(D, hn::Vec<D> a, std::size_t) {
    return a;
  }
};

template <typename T>
HWY_INLINE const T* pixelAt(const PoolRow& row, const PoolTaps& columns, std::size_t y, std::size_t x, std::size_t channel) {
  std::size_t ringRow = row.rows.first + y * row.rows.step;
  if (ringRow >= row.ring) ringRow -= row.ring;
  const auto inputRow = static_cast<std::ptrdiff_t>(ringRow);
  const auto inputColumn = static_cast<std::ptrdiff_t>(columns.first + x * columns.step);
  return reinterpret_cast<const T*>(row.from + inputRow * row.rowStride + inputColumn * row.pixelStride) + channel;
}

// Stores the maxima of K vectors of channels of one window. Needs half as many instructions as PoolMax, because a sum of the
// elements detects NaN. Returns false, without storing, if there may be a NaN.
template <typename T, int K, bool isLong, class D>
HWY_INLINE bool maxChannels(D d, const PoolRow& row, const PoolTaps& columns, std::size_t channel, T* to) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> best[K], sum[K];
  for (int k = 0; k < K; ++k) best[k] = PoolMax::start(d);
  for (int k = 0; k < K; ++k) sum[k] = hn::Zero(d);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(columns.step) * row.pixelStride;
  RunWatch watch;
  for (std::size_t y = 0; y < row.rows.count; ++y) {
    if (isLong && watch.isOver(columns.count)) break;
    const T* from = pixelAt<T>(row, columns, y, 0, channel);
    for (std::size_t x = 0; x < columns.count; ++x) {
      for (int k = 0; k < K; ++k) {
        const auto v = Element<T>::load(d, from + static_cast<std::size_t>(k) * lanes);
        best[k] = hn::Max(best[k], v);
        sum[k] = hn::Add(sum[k], v);
      }
      from = reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(from) + step);
    }
  }
  for (int k = 1; k < K; ++k) sum[0] = hn::Add(sum[0], sum[k]);
  if (!hn::AllFalse(d, hn::IsNaN(sum[0]))) return false;
  for (int k = 0; k < K; ++k) Element<T>::store(best[k], d, to + channel + static_cast<std::size_t>(k) * lanes);
  return true;
}

// Whether float32 sums may overflow or, for squares, underflow. Sums of float16 elements cannot, and maxima are exact.
template <typename T, class Kind>
inline constexpr bool kMayLeaveRange = std::is_same_v<T, float> && !std::is_same_v<Kind, PoolMax>;

// Computes one window of one channel in double. Called if its float32 sum is not isInRange(): the sum or a square has overflowed,
// or squares may have underflowed, although the result may fit in float32.
template <class Kind>
HWY_NOINLINE void poolExactly(const PoolRow& row, const PoolTaps& columns, std::size_t channel, float* to) {
  const std::size_t count = row.rows.count * columns.count;
  double sum = 0;
  RunWatch watch;
  for (std::size_t y = 0; y < row.rows.count && !watch.isOver(columns.count); ++y) {
    for (std::size_t x = 0; x < columns.count; ++x) {
      float value;
      std::memcpy(&value, pixelAt<float>(row, columns, y, x, channel), sizeof(value));
      sum += Kind::map(static_cast<double>(value));
    }
  }
  const float result = count == 0 ? 0.0F : static_cast<float>(Kind::exactResult(sum, count));
  std::memcpy(to, &result, sizeof(result));
}

// Computes K vectors of channels of one window. Sums each row of the window separately and then adds these sums, so that no chain
// of additions is long.
template <typename T, class Kind, int K, bool isLong, class D>
HWY_INLINE void poolChannels(D d, const PoolRow& row, const PoolTaps& columns, std::size_t channel, T* to) {
  if constexpr (std::is_same_v<Kind, PoolMax> && hwy::IsFloat<hn::TFromD<D>>()) {
    if (maxChannels<T, K, isLong>(d, row, columns, channel, to)) return;
  }
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> all[K], line[K];
  for (int k = 0; k < K; ++k) all[k] = Kind::start(d);
  RunWatch watch;
  for (std::size_t y = 0; y < row.rows.count; ++y) {
    if (isLong && watch.isOver(columns.count)) break;
    for (int k = 0; k < K; ++k) line[k] = Kind::start(d);
    const T* from = pixelAt<T>(row, columns, y, 0, channel);
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(columns.step) * row.pixelStride;
    for (std::size_t x = 0; x < columns.count; ++x) {
      for (int k = 0; k < K; ++k) line[k] = Kind::take(line[k], Element<T>::load(d, from + static_cast<std::size_t>(k) * lanes));
      from = reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(from) + step);
    }
    for (int k = 0; k < K; ++k) all[k] = Kind::combine(all[k], line[k]);
  }
  if constexpr (kMayLeaveRange<T, Kind>) {
    auto isInRange = Kind::isInRange(d, all[0]);
    for (int k = 1; k < K; ++k) isInRange = hn::And(isInRange, Kind::isInRange(d, all[k]));
    if (!hn::AllTrue(d, isInRange)) {
      for (std::size_t c = channel; c < channel + K * lanes; ++c) {
        if (isRunOver()) return;
        poolExactly<Kind>(row, columns, c, to + c);
      }
      return;
    }
  }
  const std::size_t count = row.rows.count * columns.count;
  for (int k = 0; k < K; ++k) {
    Element<T>::store(Kind::result(d, all[k], count), d, to + channel + static_cast<std::size_t>(k) * lanes);
  }
}

// Processes the channels from `begin` on. The last vector may overlap the one before; if there are fewer channels than lanes,
// uses smaller vectors.
template <typename T, class Kind, bool isLong, class D>
HWY_INLINE void poolRest(D d, const PoolRow& row, const PoolTaps& columns, std::size_t begin, T* to) {
  const std::size_t lanes = hn::Lanes(d);
  if (row.channels < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) poolRest<T, Kind, isLong>(hn::Half<D>(), row, columns, begin, to);
    return;
  }
  for (std::size_t c = begin; c < row.channels; c += lanes) {
    poolChannels<T, Kind, 1, isLong>(d, row, columns, HWY_MIN(c, row.channels - lanes), to);
  }
}

template <typename T, class Kind, bool isLong>
void pixels(const PoolRow& row) {
  const hn::ScalableTag<typename Element<T>::Lane> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < row.positions && !(isLong && isRunOver()); ++i) {
    T* to = reinterpret_cast<T*>(row.to + static_cast<std::ptrdiff_t>(i) * row.outputStride);
    std::size_t c = 0;
    for (; c + 4 * lanes <= row.channels; c += 4 * lanes) poolChannels<T, Kind, 4, isLong>(d, row, row.columns[i], c, to);
    poolRest<T, Kind, isLong>(d, row, row.columns[i], c, to);
  }
}

// Combines the rows of the windows into one line, vector by vector.
template <typename T, class Kind, bool isLong, class D>
HWY_INLINE void poolLine(D d, const PoolRow& row, typename Element<T>::Lane* line, RunWatch& watch) {
  const std::size_t lanes = hn::Lanes(d);
  if (row.width < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) poolLine<T, Kind, isLong>(hn::Half<D>(), row, line, watch);
    return;
  }
  for (std::size_t at = 0; at < row.width; at += lanes) {
    const std::size_t x = HWY_MIN(at, row.width - lanes);
    auto all = Kind::start(d);
    for (std::size_t y = 0; y < row.rows.count; ++y) {
      if (isLong && watch.isOver(lanes)) return;
      const auto offset = static_cast<std::ptrdiff_t>(row.rows.first + y * row.rows.step) * row.rowStride;
      all = Kind::take(all, Element<T>::load(d, reinterpret_cast<const T*>(row.from + offset) + x));
    }
    hn::StoreU(all, d, line + x);
  }
}

// Returns every `stride`-th element from `from` on. May read one element after the last.
template <class D>
HWY_INLINE hn::Vec<D> loadStrided(D d, const hn::TFromD<D>* from, std::size_t stride) {
  if (stride == 1) return hn::LoadU(d, from);
  if (stride == 2) return hn::ConcatEven(d, hn::LoadU(d, from + hn::Lanes(d)), hn::LoadU(d, from));
  const hn::RebindToSigned<D> di;
  return hn::GatherIndex(d, from, hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(stride))));
}

// Stores one vector of results, from result i on. `line` holds the combined rows of their windows. Returns false and stores
// nothing if a window reaches beyond the input, or if a float32 sum is not in range: the caller then computes result i alone.
template <typename T, class Kind, class D>
HWY_INLINE bool poolWindows(D d, const PoolRow& row, std::size_t i, const float* line, T* to) {
  const PoolTaps& first = row.columns[i];
  if (first.count != row.fullCount || row.columns[i + hn::Lanes(d) - 1].count != row.fullCount) return false;
  auto all = Kind::start(d);
  for (std::size_t x = 0; x < first.count; ++x) {
    all = Kind::combine(all, loadStrided(d, line + first.first + x * first.step, row.stride));
  }
  if constexpr (kMayLeaveRange<T, Kind>) {
    if (!hn::AllTrue(d, Kind::isInRange(d, all))) return false;
  }
  Element<T>::store(Kind::result(d, all, row.rows.count * first.count), d, to + i);
  return true;
}

// Stores the maximum of each column of the windows' rows in `line`, from index `row.padding` on. Returns whether there may be
// NaN in the line.
template <typename T, class D>
HWY_INLINE bool maxLine(D d, const PoolRow& row, float* line) {
  const std::size_t lanes = hn::Lanes(d);
  if (row.width < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) return maxLine<T>(hn::Half<D>(), row, line);
    return true;
  }
  auto isNan = hn::FirstN(d, 0);
  for (std::size_t at = 0; at < row.width; at += lanes) {
    const std::size_t x = HWY_MIN(at, row.width - lanes);
    auto best = PoolMax::start(d), sum = hn::Zero(d);
    for (std::size_t y = 0; y < row.rows.count; ++y) {
      const auto offset = static_cast<std::ptrdiff_t>(row.rows.first + y * row.rows.step) * row.rowStride;
      const auto v = Element<T>::load(d, reinterpret_cast<const T*>(row.from + offset) + x);
      best = hn::Max(best, v);
      sum = hn::Add(sum, v);
    }
    isNan = hn::Or(isNan, hn::IsNaN(sum));
    hn::StoreU(best, d, line + row.padding + x);
  }
  return !hn::AllFalse(d, isNan);
}

// Computes max pooling of one row of outputs. Pads the line with -infinity, so that all windows have the same size.
template <typename T>
void maxPlane(const PoolRow& row) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  float* const line = reinterpret_cast<float*>(row.line);
  const bool mayBeNan = maxLine<T>(d, row, line);
  RunWatch watch;
  if (mayBeNan) poolLine<T, PoolMax, false>(d, row, line + row.padding, watch);
  for (std::size_t i = 0; i < row.padding; ++i) line[i] = -std::numeric_limits<float>::infinity();
  for (std::size_t i = row.padding + row.width; i < row.padded; ++i) line[i] = -std::numeric_limits<float>::infinity();
  T* const to = reinterpret_cast<T*>(row.to);
  const auto windows = [&](std::size_t i) HWY_ATTR {
    const float* from = line + i * row.stride;
    auto best = loadStrided(d, from, row.stride);
    if (mayBeNan) {
      for (std::size_t x = 1; x < row.fullCount; ++x)
        best = PoolMax::take(best, loadStrided(d, from + x * row.dilation, row.stride));
    } else {
      for (std::size_t x = 1; x < row.fullCount; ++x) best = hn::Max(best, loadStrided(d, from + x * row.dilation, row.stride));
    }
    return best;
  };
  if (row.positions < lanes) {
    HWY_ALIGN T results[hn::MaxLanes(d)];
    Element<T>::store(windows(0), d, results);
    std::memcpy(to, results, row.positions * sizeof(T));
    return;
  }
  for (std::size_t at = 0; at < row.positions; at += lanes) {
    const std::size_t i = HWY_MIN(at, row.positions - lanes);
    Element<T>::store(windows(i), d, to + i);
  }
}

// Combines the rows of the windows into one line, then the elements of each window along the line.
template <typename T, class Kind, bool isLong>
void plane(const PoolRow& row) {
  using Lane = typename Element<T>::Lane;
  if constexpr (std::is_same_v<Lane, float> && std::is_same_v<Kind, PoolMax>) {
    if (row.padded > 0) return maxPlane<T>(row);
  }
  const hn::ScalableTag<Lane> d;
  const hn::CappedTag<Lane, 1> one;
  Lane* line = reinterpret_cast<Lane*>(row.line);
  RunWatch watch;
  poolLine<T, Kind, isLong>(d, row, line, watch);
  T* to = reinterpret_cast<T*>(row.to);
  for (std::size_t i = 0; i < row.positions; ++i) {
    if constexpr (!isLong && std::is_same_v<Lane, float>) {
      while (i + hn::Lanes(d) <= row.positions && poolWindows<T, Kind>(d, row, i, line, to)) i += hn::Lanes(d);
      if (i == row.positions) break;
    }
    const PoolTaps& columns = row.columns[i];
    auto all = Kind::start(one);
    for (std::size_t x = 0; x < columns.count; ++x) {
      if (isLong && watch.isOver(1)) return;
      all = Kind::combine(all, hn::LoadU(one, line + columns.first + x * columns.step));
    }
    if constexpr (kMayLeaveRange<T, Kind>) {
      if (!hn::AllTrue(one, Kind::isInRange(one, all))) {
        if (isRunOver()) return;
        poolExactly<Kind>(row, columns, 0, to + i);
        continue;
      }
    }
    Element<T>::store(Kind::result(one, all, row.rows.count * columns.count), one, to + i);
  }
}

// Only float32 gains from a separate kernel for short work, which polls isRunOver() only while it recomputes sums.
template <typename T, class Kind>
PoolKernel kernelOf(PoolForm form) {
  if constexpr (std::is_same_v<T, float>) {
    if (!form.isLong) return form.isPlane ? plane<T, Kind, false> : pixels<T, Kind, false>;
  }
  return form.isPlane ? plane<T, Kind, true> : pixels<T, Kind, true>;
}
template <typename T>
PoolKernel floatKernel(PoolForm form, Pooling kind) {
  switch (kind) {
    case Pooling::average: return kernelOf<T, PoolAverage>(form);
    case Pooling::l2: return kernelOf<T, PoolL2>(form);
    case Pooling::max: break;
  }
  return kernelOf<T, PoolMax>(form);
}

PoolKernel choose(PoolForm form, Pooling kind, DataType type) {
  switch (type) {
    case DataType::float32: return floatKernel<float>(form, kind);
    case DataType::float16: return floatKernel<HalfBits>(form, kind);
    case DataType::int32: return kernelOf<std::int32_t, PoolMax>(form);
    case DataType::uint32: return kernelOf<std::uint32_t, PoolMax>(form);
    case DataType::int64: return kernelOf<std::int64_t, PoolMax>(form);
    case DataType::uint64: return kernelOf<std::uint64_t, PoolMax>(form);
    case DataType::int8: return kernelOf<std::int8_t, PoolMax>(form);
    default: return kernelOf<std::uint8_t, PoolMax>(form);
  }
}

using Choose = PoolKernel (*)(PoolForm, Pooling, DataType);
Choose kernels() { return choose; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
namespace {
PoolKernel (*select(Isa isa))(PoolForm, Pooling, DataType) { WEBNN_SELECT(isa, kernels); }
}  // namespace
PoolKernel poolPixels(Isa isa, Pooling kind, DataType type, bool isLong) { return select(isa)({false, isLong}, kind, type); }
PoolKernel poolPlane(Isa isa, Pooling kind, DataType type, bool isLong) { return select(isa)({true, isLong}, kind, type); }
}  // namespace webnn::cpu
#endif
