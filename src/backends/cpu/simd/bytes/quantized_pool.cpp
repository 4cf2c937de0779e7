// clang-format off: foreach_target.h is first
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/bytes/quantized_pool.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "backends/cpu/runtime/run_watch.h"
#include "backends/cpu/simd/bytes/quantized_pool.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<std::int32_t>;
using Sums = hn::Vec<Ints>;
using Floats = hn::ScalableTag<float>;
using Shorts = hn::ScalableTag<std::uint16_t>;  // for sums of a few values
using Bytes = hn::Rebind<std::uint8_t, Shorts>;
using FewBytes = hn::Rebind<std::uint8_t, Ints>;

constexpr std::size_t kMostOfShorts = 0xFFFF / 0xFF;  // number of bytes whose sum fits in 16 bits
constexpr std::uint8_t kSignBit = 0x80;

template <class D>
HWY_INLINE hn::Vec<D> loadBytes(D d, const std::uint8_t* from, std::size_t count, std::uint8_t flip) {
  const auto bytes = count >= hn::Lanes(d) ? hn::LoadU(d, from) : loadSome(d, from, count);
  return hn::Xor(bytes, hn::Set(d, flip));
}

HWY_INLINE hn::Vec<Floats> resultOf(const QuantizedAverage& a, Sums sum, hn::Vec<Floats> count) {
  return hn::Mul(hn::Div(hn::ConvertTo(Floats(), sum), count), hn::Set(Floats(), a.factor));
}

// Divides sums by a number of taps. Multiplies by the reciprocal if that is exact (a power of two) or, for results that are
// codes, certainly rounds to the same code (not near a tie, see quantize.cpp). Otherwise divides.
struct Divisor {
  Divisor(const QuantizedAverage& average, std::size_t taps)
      : a(average), count(static_cast<float>(taps > 0 ? taps : 1)), reciprocal(1 / count), isExact((taps & (taps - 1)) == 0) {}

  HWY_INLINE hn::Vec<Floats> resultOf(Sums sum) const {
    const Floats d;
    const auto numbers = hn::ConvertTo(d, sum), factor = hn::Set(d, a.factor);
    const auto result = hn::Mul(hn::Mul(numbers, hn::Set(d, reciprocal)), factor);
    if (isExact) return result;
    const auto distance = hn::Abs(hn::Sub(result, hn::Round(result)));
    if (!a.isFloat && hn::AllTrue(d, hn::Lt(distance, hn::Set(d, 0.4998F)))) return result;
    return hn::Mul(hn::Div(numbers, hn::Set(d, count)), factor);
  }

  const QuantizedAverage& a;
  float count, reciprocal;
  bool isExact;
};

template <class D>
HWY_INLINE void storeUpTo(D d, hn::Vec<D> v, hn::TFromD<D>* to, std::size_t count) {
  count >= hn::Lanes(d) ? hn::StoreU(v, d, to) : storeSome(d, v, to, count);
}

// Stores up to `count` results, as floats or as codes.
HWY_INLINE void store(const QuantizedAverage& a, hn::Vec<Floats> results, std::byte* to, std::size_t count) {
  const Floats d;
  const FewBytes db;
  if (a.isFloat) return storeUpTo(d, results, reinterpret_cast<float*>(to), count);
  const auto clamped = hn::Min(hn::Max(results, hn::Set(d, a.low)), hn::Set(d, a.high));
  const auto codes = hn::Add(hn::NearestInt(clamped), hn::Set(Ints(), a.zeroPoint));
  const auto bytes = hn::Xor(hn::DemoteTo(db, codes), hn::Set(db, a.areCodesSigned ? kSignBit : std::uint8_t{0}));
  storeUpTo(db, bytes, reinterpret_cast<std::uint8_t*>(to), count);
}

// Averages channels [channel, channel + count) of one window in K vectors of 16-bit sums. If not kIsWhole, K is 1 and the vector
// is partial.
template <int K, bool kIsWhole>
HWY_INLINE void averageChannels(const PoolRow& row, const QuantizedAverage& a, const PoolTaps& columns, std::size_t channel,
                                std::size_t count, std::byte* to, RunWatch& watch) {
  const Ints di;
  const Shorts ds;
  const Bytes db;
  const std::size_t lanes = hn::Lanes(ds);
  const std::uint8_t flip = a.isSigned ? kSignBit : 0;
  hn::Vec<Shorts> few[K];
  Sums sums[2 * K];
  for (int k = 0; k < K; ++k) few[k] = hn::Zero(ds);
  for (int k = 0; k < 2 * K; ++k) sums[k] = hn::Zero(di);
  std::size_t taken = 0;  // bytes that each lane of `few` has summed
  const auto take = [&]() HWY_ATTR {
    for (int k = 0; k < K; ++k) {
      sums[2 * k] = hn::Add(sums[2 * k], hn::PromoteTo(di, hn::LowerHalf(hn::Half<Shorts>(), few[k])));
      sums[2 * k + 1] = hn::Add(sums[2 * k + 1], hn::PromoteTo(di, hn::UpperHalf(hn::Half<Shorts>(), few[k])));
      few[k] = hn::Zero(ds);
    }
    taken = 0;
  };
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(columns.step) * row.pixelStride;
  for (std::size_t y = 0; y < row.rows.count; ++y) {
    if (watch.isOver(columns.count * lanes)) return;
    const auto line = static_cast<std::ptrdiff_t>(row.rows.first + y * row.rows.step) * row.rowStride;
    const auto first = static_cast<std::ptrdiff_t>(columns.first) * row.pixelStride;
    const auto* from = reinterpret_cast<const std::uint8_t*>(row.from + line + first) + channel;
    for (std::size_t x = 0; x < columns.count;) {
      const std::size_t end = std::min(columns.count, x + kMostOfShorts - taken);
      for (taken += end - x; x < end; ++x, from += step) {
        for (int k = 0; k < K; ++k) {
          const std::size_t at = static_cast<std::size_t>(k) * lanes;
          few[k] = hn::Add(few[k], hn::PromoteTo(ds, loadBytes(db, from + at, kIsWhole ? lanes : count, flip)));
        }
      }
      if (taken == kMostOfShorts) take();
    }
  }
  take();
  const std::size_t taps = row.rows.count * columns.count;
  const auto zeros = hn::Set(di, static_cast<std::int32_t>(taps) * a.inputZeroPoint);
  const Divisor divisor(a, taps);
  const std::size_t half = lanes / 2, bytes = a.isFloat ? sizeof(float) : 1;
  for (int i = 0; i < 2 * K; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * half;
    if (!kIsWhole && at >= count) break;
    store(a, divisor.resultOf(hn::Sub(sums[i], zeros)), to + (channel + at) * bytes, kIsWhole ? half : count - at);
  }
}

void pixels(const PoolRow& row, const QuantizedAverage& average) {
  const QuantizedAverage a = average;  // a local copy, which stores cannot alias
  const std::size_t lanes = hn::Lanes(Shorts());
  RunWatch watch;
  for (std::size_t i = 0; i < row.positions && !watch.isOver(lanes); ++i) {
    std::byte* to = row.to + static_cast<std::ptrdiff_t>(i) * row.outputStride;
    const PoolTaps& columns = row.columns[i];
    std::size_t c = 0;
    for (; c + 4 * lanes <= row.channels; c += 4 * lanes) averageChannels<4, true>(row, a, columns, c, 4 * lanes, to, watch);
    for (; c + 2 * lanes <= row.channels; c += 2 * lanes) averageChannels<2, true>(row, a, columns, c, 2 * lanes, to, watch);
    for (; c + lanes <= row.channels; c += lanes) averageChannels<1, true>(row, a, columns, c, lanes, to, watch);
    if (c < row.channels) averageChannels<1, false>(row, a, columns, c, row.channels - c, to, watch);
  }
}

// Sums the input rows of the windows into one line of sums.
HWY_INLINE void sumRows(const PoolRow& row, std::uint8_t flip, std::int32_t* line, RunWatch& watch) {
  const Ints di;
  const FewBytes d;
  const std::size_t lanes = hn::Lanes(di);
  for (std::size_t x = 0; x < row.width; x += lanes) {
    if (watch.isOver(row.rows.count * lanes)) return;
    Sums sum = hn::Zero(di);
    for (std::size_t y = 0; y < row.rows.count; ++y) {
      const auto offset = static_cast<std::ptrdiff_t>(row.rows.first + y * row.rows.step) * row.rowStride;
      const auto* from = reinterpret_cast<const std::uint8_t*>(row.from + offset) + x;
      sum = hn::Add(sum, hn::PromoteTo(di, loadBytes(d, from, row.width - x, flip)));
    }
    hn::StoreU(sum, di, line + x);
  }
}

HWY_INLINE std::int32_t sumColumns(const std::int32_t* line, const PoolTaps& columns) {
  const Ints d;
  const std::size_t lanes = hn::Lanes(d);
  std::int32_t sum = 0;
  std::size_t x = 0;
  if (columns.step == 1 && columns.count >= lanes) {
    Sums sums = hn::Zero(d);
    for (; x + lanes <= columns.count; x += lanes) sums = hn::Add(sums, hn::LoadU(d, line + columns.first + x));
    sum = hn::GetLane(hn::SumOfLanes(d, sums));
  }
  for (; x < columns.count; ++x) sum += line[columns.first + x * columns.step];
  return sum;
}

void plane(const PoolRow& row, const QuantizedAverage& average) {
  const QuantizedAverage a = average;
  const Ints di;
  const Floats d;
  constexpr std::size_t kMost = hn::MaxLanes(Ints());
  const std::size_t lanes = hn::Lanes(di);
  auto* line = reinterpret_cast<std::int32_t*>(row.line);
  RunWatch watch;
  sumRows(row, a.isSigned ? kSignBit : 0, line, watch);
  HWY_ALIGN std::int32_t sums[kMost] = {};
  HWY_ALIGN float counts[kMost];
  std::fill_n(counts, kMost, 1.0F);
  for (std::size_t i = 0; i < row.positions; i += lanes) {
    const std::size_t count = std::min(row.positions - i, lanes);
    for (std::size_t j = 0; j < count; ++j) {
      const PoolTaps& columns = row.columns[i + j];
      if (watch.isOver(columns.count)) return;
      const std::size_t taps = row.rows.count * columns.count;
      sums[j] = sumColumns(line, columns) - static_cast<std::int32_t>(taps) * a.inputZeroPoint;
      counts[j] = static_cast<float>(std::max<std::size_t>(taps, 1));
    }
    store(a, resultOf(a, hn::Load(di, sums), hn::Load(d, counts)), row.to + i * (a.isFloat ? sizeof(float) : 1), count);
  }
}

const QuantizedPoolKernels& kernels() {
  static constexpr QuantizedPoolKernels table{pixels, plane};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const QuantizedPoolKernels& quantizedPoolKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
