#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/normalization.cpp"
#include "backends/cpu/simd/normalization.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/runtime/run_watch.h"
#include "backends/cpu/simd/lanes/half_lanes-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {  // internal linkage, because other kernel files use the same names
using half_lanes::HalfBits;
using half_lanes::load;
using half_lanes::store;

using Full = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

// Number of elements that are summed in float32, in four vectors at a time, before their sum is added in double.
constexpr std::size_t kBlock = 4096;
// Number of elements of a run, runs of a group, or members of columns that are processed between two calls of isRunOver():
// about ten microseconds.
constexpr std::size_t kElementsPerLook = 16 * kBlock, kRunsPerLook = 256, kMembersPerLook = 1024;

// Calls body(d, i) for vectors at i, then for single elements.
HWY_INLINE void forEachVector(std::size_t count, auto body) {
  const Full d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) body(d, i);
  for (; i < count; ++i) body(One(), i);
}

struct Sums {
  double first = 0, second = 0;
};

// Calls term(d, i, first, second), which adds its terms to `first` and `second`, for all i in [0, count), and returns both sums.
// If isLong, stops early if the run is cancelled or out of time.
template <bool isLong, typename Term>
HWY_INLINE Sums sumUp(std::size_t count, Term term) {
  const Full d;
  const One one;
  const std::size_t lanes = hn::Lanes(d);
  Sums sums;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    if (isLong && begin % kElementsPerLook == 0 && begin > 0 && isRunOver()) break;
    const std::size_t end = std::min(count, begin + kBlock);
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    std::size_t i = begin;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      term(d, i, a0, b0);
      term(d, i + lanes, a1, b1);
      term(d, i + 2 * lanes, a2, b2);
      term(d, i + 3 * lanes, a3, b3);
    }
    for (; i + lanes <= end; i += lanes) term(d, i, a0, b0);
    auto a = hn::Zero(one), b = a;
    for (; i < end; ++i) term(one, i, a, b);
    sums.first += hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)))) + double{hn::GetLane(a)};
    sums.second += hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(b0, b1), hn::Add(b2, b3)))) + double{hn::GetLane(b)};
  }
  return sums;
}

template <bool isLong, typename T>
double sumOf(const T* x, std::size_t count) {
  return sumUp<isLong>(count, [x](auto d, std::size_t i, auto& sum, auto&) HWY_ATTR { sum = hn::Add(sum, load(d, x + i)); })
      .first;
}

// Stores x + residual in y, rounded to T, and returns the sum of the rounded values.
template <bool isLong, typename T>
double addResidual(const T* x, const T* residual, T* y, std::size_t count) {
  const auto term = [=](auto d, std::size_t i, auto& sum, auto&) HWY_ATTR {
    store(d, hn::Add(load(d, x + i), load(d, residual + i)), y + i);
    sum = hn::Add(sum, load(d, y + i));
  };
  return sumUp<isLong>(count, term).first;
}

// Returns the sum of x - centre, and the sum of (x - centre)^2.
template <bool isLong, typename T>
Sums sumsAround(const T* x, std::size_t count, float centre) {
  const auto term = [=](auto d, std::size_t i, auto& sum, auto& squares) HWY_ATTR {
    const auto distance = hn::Sub(load(d, x + i), hn::Set(d, centre));
    sum = hn::Add(sum, distance);
    squares = hn::MulAdd(distance, distance, squares);
  };
  return sumUp<isLong>(count, term);
}

// The function (x - centre) * factor + shift. applyAffine() then applies a scale and a bias per element, if present.
struct CentredAffine {
  float centre, factor, shift;
};

template <bool hasScale, bool hasBias, typename T>
void applyAffineWith(const T* x, T* y, std::size_t count, const CentredAffine& form, const float* scale, const float* bias) {
  forEachVector(count, [=](auto d, std::size_t i) HWY_ATTR {
    auto value = hn::Sub(load(d, x + i), hn::Set(d, form.centre));
    value = hn::MulAdd(value, hn::Set(d, form.factor), hn::Set(d, form.shift));
    if constexpr (hasScale && hasBias) {
      value = hn::MulAdd(value, hn::LoadU(d, scale + i), hn::LoadU(d, bias + i));
    } else if constexpr (hasScale) {
      value = hn::Mul(value, hn::LoadU(d, scale + i));
    } else if constexpr (hasBias) {
      value = hn::Add(value, hn::LoadU(d, bias + i));
    }
    store(d, value, y + i);
  });
}

template <typename T>
void applyAffine(const T* x, T* y, std::size_t count, const CentredAffine& form, const float* scale, const float* bias) {
  if (scale && bias) return applyAffineWith<true, true>(x, y, count, form, scale, bias);
  if (scale) return applyAffineWith<true, false>(x, y, count, form, scale, bias);
  if (bias) return applyAffineWith<false, true>(x, y, count, form, scale, bias);
  applyAffineWith<false, false>(x, y, count, form, scale, bias);
}

// Works like applyAffine(), but stops early if the run is cancelled or out of time.
template <typename T>
void applyAffineInParts(const T* x, T* y, std::size_t count, const CentredAffine& form, const float* scale, const float* bias) {
  for (std::size_t i = 0; i < count && (i == 0 || !isRunOver()); i += kElementsPerLook) {
    applyAffine(x + i, y + i, std::min(kElementsPerLook, count - i), form, scale ? scale + i : nullptr,
                bias ? bias + i : nullptr);
  }
}

double toDouble(const auto* at) { return static_cast<double>(hn::GetLane(load(One(), at))); }

// Calls visit(member, at) for all members of a group, which are at x + at. Stops early if the run is cancelled or out of time.
void forEachPlace(const NormalizationRuns& runs, auto visit) {
  RunWatch watch;
  for (std::size_t r = 0, member = 0; r < runs.runs; ++r) {
    for (std::size_t i = 0; i < runs.length; ++i, ++member) {
      if (watch.isOver(1)) return;
      visit(member, runs.offsets[r] + i * runs.stride);
    }
  }
}

// Returns whether the squared distances of elements with this variance, and 1 / sqrt(variance), neither overflow nor underflow
// float32.
bool isInRange(double variance) { return variance > 1e-24 && variance < 1e24; }

// Returns whether normalized values times `scale` fit in float32 before the bias is added. FMA does not round that product, so
// with FMA only the sum must fit.
bool areInRange([[maybe_unused]] const float* scale, [[maybe_unused]] std::size_t count) {
#if HWY_NATIVE_FMA
  return true;
#else
  bool are = true;
  if (!scale) return are;
  forEachVector(count, [&](auto d, std::size_t i) HWY_ATTR {
    are = are && hn::AllTrue(d, hn::Lt(hn::Abs(hn::LoadU(d, scale + i)), hn::Set(d, 1e30F)));
  });
  return are;
#endif
}

// The scale and bias of each member. If a pointer is null, the uniform value applies to all members.
struct ScaleAndBias {
  const float *scale, *bias;
  float uniformScale, uniformBias;

  float scaleOf(std::size_t member) const { return scale ? hn::GetLane(hn::LoadU(One(), scale + member)) : uniformScale; }
  float biasOf(std::size_t member) const { return bias ? hn::GetLane(hn::LoadU(One(), bias + member)) : uniformBias; }
};

// Normalizes a group as the decomposed operations do, with float32 intermediates. Called if the squares or factors might
// overflow or underflow float32.
template <typename T>
HWY_NOINLINE void groupAsWritten(const T* x, T* y, const NormalizationRuns& runs, double epsilon, bool isCentred,
                                 const ScaleAndBias& affine) {
  const auto count = static_cast<double>(runs.count());
  double sum = 0, squares = 0;
  if (isCentred) forEachPlace(runs, [&](std::size_t, std::size_t at) HWY_ATTR { sum += toDouble(x + at); });
  const auto mean = static_cast<float>(sum / count);
  const auto distanceAt = [&](std::size_t at) HWY_ATTR { return static_cast<float>(toDouble(x + at)) - mean; };
  forEachPlace(runs, [&](std::size_t, std::size_t at) HWY_ATTR {
    const float square = distanceAt(at) * distanceAt(at);
    squares += double{square};
  });
  const float root = std::sqrt(static_cast<float>(squares / count) + static_cast<float>(epsilon));
  forEachPlace(runs, [&](std::size_t member, std::size_t at) HWY_ATTR {
    const float value = distanceAt(at) / root * affine.scaleOf(member);
    store(One(), hn::Set(One(), value + affine.biasOf(member)), y + at);
  });
}

// Normalizes a group in double. Called if the squares or factors might overflow or underflow float32.
template <typename T>
HWY_NOINLINE void groupExactly(const T* x, T* y, const NormalizationRuns& runs, double epsilon, const ScaleAndBias& affine) {
  const auto count = static_cast<double>(runs.count());
  double sum = 0, squares = 0;
  forEachPlace(runs, [&](std::size_t, std::size_t at) HWY_ATTR { sum += toDouble(x + at); });
  const double mean = sum / count;
  forEachPlace(runs, [&](std::size_t, std::size_t at) HWY_ATTR {
    const double distance = toDouble(x + at) - mean;
    squares += distance * distance;
  });
  const double root = std::sqrt(squares / count + epsilon);
  forEachPlace(runs, [&](std::size_t member, std::size_t at) HWY_ATTR {
    const double normal = (toDouble(x + at) - mean) / root;
    const auto value = static_cast<float>(normal * double{affine.scaleOf(member)} + double{affine.biasOf(member)});
    store(One(), hn::Set(One(), value), y + at);
  });
}

// Normalizes one group. The centre is the mean rounded to float32; the sum of the distances to it corrects the rounding error.
template <typename T, bool isLong>
void row(const RowJob& job) {
  const T* x = static_cast<const T*>(job.x);
  T* y = static_cast<T*>(job.y);
  const NormalizationRuns& runs = job.runs;
  const auto count = static_cast<double>(runs.count());
  const auto isOverAfter = [](std::size_t runsDone) { return isLong && runsDone % kRunsPerLook == 0 && isRunOver(); };
  double total = 0;
  if (job.residual) {
    total = addResidual<isLong>(x, static_cast<const T*>(job.residual), y, runs.length);
    x = y;
  } else if (!job.rms) {
    for (std::size_t r = 0; r < runs.runs && !isOverAfter(r); ++r) total += sumOf<isLong>(x + runs.offsets[r], runs.length);
  }
  const float centre = job.rms ? 0 : static_cast<float>(total / count);
  Sums sums;
  for (std::size_t r = 0; r < runs.runs && !isOverAfter(r); ++r) {
    const Sums part = sumsAround<isLong>(x + runs.offsets[r], runs.length, centre);
    sums.first += part.first;
    sums.second += part.second;
  }
  const double rest = job.rms ? 0 : sums.first / count;
  const double variance = std::max(sums.second / count - rest * rest, 0.0);
  const double factor = job.uniformScale / std::sqrt(variance + job.epsilon);
  if (!isInRange(variance + job.epsilon) || !(std::fabs(factor) < 1e30) || (job.bias && !areInRange(job.scale, runs.count()))) {
    const ScaleAndBias affine{job.scale, job.bias, job.uniformScale, job.uniformBias};
    if (job.asWritten) return groupAsWritten(x, y, runs, job.epsilon, !job.rms, affine);
    return groupExactly(x, y, runs, job.epsilon, affine);
  }
  const CentredAffine form{centre, static_cast<float>(factor), static_cast<float>(-rest * factor + job.uniformBias)};
  for (std::size_t r = 0; r < runs.runs && !isOverAfter(r); ++r) {
    const std::size_t member = r * runs.length;
    constexpr auto draw = isLong ? applyAffineInParts<T> : applyAffine<T>;
    draw(x + runs.offsets[r], y + runs.offsets[r], runs.length, form, job.scale ? job.scale + member : nullptr,
         job.bias ? job.bias + member : nullptr);
  }
}

// Calls body(member, at) for all members of a group, and flush() after every 64, so that callers can keep partial sums short.
// Returns early if the run is cancelled or out of time.
HWY_INLINE void forEachMember(const NormalizationRuns& runs, auto body, auto flush) {
  constexpr std::size_t kFew = 64;
  std::size_t member = 0;
  for (std::size_t r = 0; r < runs.runs; ++r) {
    std::size_t at = runs.offsets[r];
    for (std::size_t i = 0; i < runs.length; ++i, at += runs.stride) {
      body(member, at);
      if (++member % kFew != 0) continue;
      flush();
      if (member % kMembersPerLook == 0 && isRunOver()) return;
    }
  }
  flush();
}

// Normalizes `vectors` * lanes adjacent groups, one group per lane. The first group is group `column`.
template <std::size_t vectors, class D, typename T>
HWY_INLINE void columnsAt(D d, const ColumnJob& job, std::size_t column) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const T* x = static_cast<const T*>(job.x) + column;
  T* y = static_cast<T*>(job.y) + column;
  const V count = hn::Set(d, static_cast<float>(job.runs.count()));
  V part[vectors], mean[vectors], squares[vectors], sum[vectors], rest[vectors];
  for (std::size_t v = 0; v < vectors; ++v) part[v] = squares[v] = sum[v] = rest[v] = hn::Zero(d);
  forEachMember(
      job.runs,
      [&](std::size_t, std::size_t at) HWY_ATTR {
        for (std::size_t v = 0; v < vectors; ++v) part[v] = hn::Add(part[v], load(d, x + at + v * lanes));
      },
      [&]() HWY_ATTR {
        for (std::size_t v = 0; v < vectors; ++v) {
          sum[v] = hn::Add(sum[v], part[v]);
          part[v] = hn::Zero(d);
        }
      });
  V partSquares[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    mean[v] = hn::Div(sum[v], count);
    partSquares[v] = hn::Zero(d);
  }
  forEachMember(
      job.runs,
      [&](std::size_t, std::size_t at) HWY_ATTR {
        for (std::size_t v = 0; v < vectors; ++v) {
          const V distance = hn::Sub(load(d, x + at + v * lanes), mean[v]);
          part[v] = hn::Add(part[v], distance);
          partSquares[v] = hn::MulAdd(distance, distance, partSquares[v]);
        }
      },
      [&]() HWY_ATTR {
        for (std::size_t v = 0; v < vectors; ++v) {
          rest[v] = hn::Add(rest[v], part[v]);
          squares[v] = hn::Add(squares[v], partSquares[v]);
          part[v] = partSquares[v] = hn::Zero(d);
        }
      });
  V factor[vectors], shift[vectors];
  auto isExact = hn::Eq(part[0], part[0]);  // true in all lanes
  for (std::size_t v = 0; v < vectors; ++v) {
    rest[v] = hn::Div(rest[v], count);
    const V raw = hn::NegMulAdd(rest[v], rest[v], hn::Div(squares[v], count));
    const V variance = hn::Add(hn::IfThenElse(hn::Lt(raw, hn::Zero(d)), hn::Zero(d), raw), hn::Set(d, job.epsilon));
    isExact = hn::And(isExact, hn::And(hn::Gt(variance, hn::Set(d, 1e-24F)), hn::Lt(variance, hn::Set(d, 1e24F))));
    factor[v] = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(variance));
    if (job.columnScale) factor[v] = hn::Mul(factor[v], hn::LoadU(d, job.columnScale + column + v * lanes));
    isExact = hn::And(isExact, hn::Lt(hn::Abs(factor[v]), hn::Set(d, 1e30F)));
    const V bias = job.columnBias ? hn::LoadU(d, job.columnBias + column + v * lanes) : hn::Zero(d);
    shift[v] = hn::NegMulAdd(rest[v], factor[v], bias);
  }
  if (!hn::AllTrue(d, isExact) || (job.memberBias && !areInRange(job.memberScale, job.runs.count()))) {
    for (std::size_t c = 0; c < vectors * lanes && !isRunOver(); ++c) {
      const ScaleAndBias affine{job.memberScale, job.memberBias, job.columnScale ? job.columnScale[column + c] : 1,
                                job.columnBias ? job.columnBias[column + c] : 0};
      const auto epsilon = static_cast<double>(job.epsilon);
      if (job.asWritten) {
        groupAsWritten(x + c, y + c, job.runs, epsilon, true, affine);
      } else {
        groupExactly(x + c, y + c, job.runs, epsilon, affine);
      }
    }
    return;
  }
  forEachMember(
      job.runs,
      [&](std::size_t member, std::size_t at) HWY_ATTR {
        const V scale = hn::Set(d, job.memberScale ? job.memberScale[member] : 1.0f);
        const V bias = hn::Set(d, job.memberBias ? job.memberBias[member] : 0.0f);
        for (std::size_t v = 0; v < vectors; ++v) {
          const V distance = hn::Sub(load(d, x + at + v * lanes), mean[v]);
          store(d, hn::MulAdd(hn::MulAdd(distance, factor[v], shift[v]), scale, bias), y + at + v * lanes);
        }
      },
      []() HWY_ATTR {});
}

template <typename T>
void columns(const ColumnJob& job) {
  const Full d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= job.columns; i += 4 * lanes) columnsAt<4, Full, T>(d, job, i);
  for (; i + lanes <= job.columns; i += lanes) columnsAt<1, Full, T>(d, job, i);
  for (; i < job.columns; ++i) columnsAt<1, One, T>(One(), job, i);
}

template <typename T>
void affine(const AffineJob& job) {
  const T* x = static_cast<const T*>(job.x);
  T* y = static_cast<T*>(job.y);
  forEachVector(job.count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto distance = hn::Sub(load(d, x + i), hn::LoadU(d, job.mean + i));
    store(d, hn::MulAdd(distance, hn::LoadU(d, job.scale + i), hn::LoadU(d, job.bias + i)), y + i);
  });
}

template <typename T>
void uniformAffine(const AffineJob& job) {
  applyAffine(static_cast<const T*>(job.x), static_cast<T*>(job.y), job.count, {*job.mean, *job.scale, *job.bias}, nullptr,
              nullptr);
}

const NormalizationKernels& floatKernels() {
  static constexpr NormalizationKernels table{row<float, false>, row<float, true>, columns<float>, affine<float>,
                                              uniformAffine<float>};
  return table;
}
const NormalizationKernels& halfKernels() {
  static constexpr NormalizationKernels table{row<HalfBits, false>, row<HalfBits, true>, columns<HalfBits>, affine<HalfBits>,
                                              uniformAffine<HalfBits>};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {

namespace {
const NormalizationKernels& floats(Isa isa) { WEBNN_SELECT(isa, floatKernels); }
const NormalizationKernels& halves(Isa isa) { WEBNN_SELECT(isa, halfKernels); }
}  // namespace

const NormalizationKernels& normalizationKernels(Isa isa, bool isHalf) { return isHalf ? halves(isa) : floats(isa); }

}  // namespace webnn::cpu
#endif
