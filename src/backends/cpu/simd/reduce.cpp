#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd/reduce.cpp"
#include "backends/cpu/simd/reduce.h"

// foreach_target.h comes first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>
// clang-format on

#include <cstdint>
#include <cstring>
#include <limits>

#include "backends/cpu/simd/lanes/floats-inl.h"
#include "backends/cpu/simd/lanes/partial-inl.h"
#include "backends/cpu/simd/select.h"

HWY_BEFORE_NAMESPACE();
namespace webnn::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A fold has a neutral element, a map of each element, and a combination of two results. combine() returns NaN if either operand
// is NaN.
struct FoldSum {
  static constexpr float neutral = 0;
  template <class V>
  static HWY_INLINE V map(V x) {
    return x;
  }
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::Add(a, x);
  }
};
struct FoldAbsolutes : FoldSum {
  template <class V>
  static HWY_INLINE V map(V x) {
    return hn::Abs(x);
  }
};
struct FoldSquares : FoldSum {
  template <class V>
  static HWY_INLINE V map(V x) {
    return hn::Mul(x, x);
  }
};
struct FoldGreatest : FoldSum {
  static constexpr float neutral = -kInfinity;
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::IfThenElse(hn::Or(hn::Gt(x, a), hn::IsNaN(x)), x, a);
  }
};
struct FoldLeast : FoldSum {
  static constexpr float neutral = kInfinity;
  template <class V>
  static HWY_INLINE V combine(V a, V x) {
    return hn::IfThenElse(hn::Or(hn::Lt(x, a), hn::IsNaN(x)), x, a);
  }
};

// Converts 0 or an infinity to float16.
HWY_INLINE std::uint16_t halfOf(float value) {
  return value == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(value > 0 ? 0x7C00 : 0xFC00);
}

// Loads fewer elements than lanes and fills the rest with `fill`.
template <class D>
HWY_INLINE hn::Vec<D> loadSomeFloats(D d, const float* from, std::size_t count, float fill) {
  return loadSome(d, from, count, fill);
}
template <class D>
HWY_INLINE hn::Vec<D> loadSomeFloats(D d, const std::uint16_t* from, std::size_t count, float fill) {
  const hn::Rebind<std::uint16_t, D> dh;
  HWY_ALIGN std::uint16_t buffer[hn::MaxLanes(dh)];
  hn::Store(loadSome(dh, from, count, halfOf(fill)), dh, buffer);
  return loadFloats(d, buffer);
}

template <class F, class D>
HWY_INLINE double foldLanes(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return foldLanes<F>(half, F::combine(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    float lanes[4];
    hn::StoreU(v, d, lanes);
    if constexpr (F::neutral == 0) return static_cast<double>((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
    float best = lanes[0];
    for (const float lane : lanes) {
      if ((F::neutral < 0 ? lane > best : lane < best) || lane != lane) best = lane;
    }
    return static_cast<double>(best);
  }
}

// Folds each block of 4096 elements in four float32 accumulators, then combines the blocks in double.
template <typename T, class F>
double foldRow(const std::byte* x, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kBlock = 4096;
  const T* from = reinterpret_cast<const T*>(x);
  const auto neutral = hn::Set(d, F::neutral);
  double result = static_cast<double>(F::neutral);
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = HWY_MIN(begin + kBlock, n);
    auto a0 = neutral, a1 = neutral, a2 = neutral, a3 = neutral;
    std::size_t i = begin;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      a0 = F::combine(a0, F::map(loadFloats(d, from + i)));
      a1 = F::combine(a1, F::map(loadFloats(d, from + i + lanes)));
      a2 = F::combine(a2, F::map(loadFloats(d, from + i + 2 * lanes)));
      a3 = F::combine(a3, F::map(loadFloats(d, from + i + 3 * lanes)));
    }
    for (; i + lanes <= end; i += lanes) a0 = F::combine(a0, F::map(loadFloats(d, from + i)));
    if (i < end) a1 = F::combine(a1, F::map(loadSomeFloats(d, from + i, end - i, F::neutral)));
    const double block = foldLanes<F>(d, F::combine(F::combine(a0, a1), F::combine(a2, a3)));
    if constexpr (F::neutral == 0) {
      result += block;
    } else if ((F::neutral < 0 ? block > result : block < result) || block != block) {
      result = block;
    }
  }
  return result;
}

template <typename T>
HWY_INLINE const T* rowAt(const std::byte* x, std::size_t row, std::ptrdiff_t step, std::size_t column) {
  return reinterpret_cast<const T*>(x + static_cast<std::ptrdiff_t>(row) * step) + column;
}

// Folds K vectors of columns; combines four rows before adding them to the accumulator.
template <typename T, class F, int K, class D>
HWY_INLINE void foldColumnVectors(D d, const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t column, float* to) {
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<D> a[K];
  for (int k = 0; k < K; ++k) a[k] = hn::Set(d, F::neutral);
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    for (int k = 0; k < K; ++k) {
      const std::size_t c = column + static_cast<std::size_t>(k) * lanes;
      const auto x0 = F::map(loadFloats(d, rowAt<T>(x, r, step, c))), x1 = F::map(loadFloats(d, rowAt<T>(x, r + 1, step, c)));
      const auto x2 = F::map(loadFloats(d, rowAt<T>(x, r + 2, step, c))), x3 = F::map(loadFloats(d, rowAt<T>(x, r + 3, step, c)));
      a[k] = F::combine(a[k], F::combine(F::combine(x0, x1), F::combine(x2, x3)));
    }
  }
  for (; r < rows; ++r) {
    for (int k = 0; k < K; ++k) {
      a[k] = F::combine(a[k], F::map(loadFloats(d, rowAt<T>(x, r, step, column + static_cast<std::size_t>(k) * lanes))));
    }
  }
  for (int k = 0; k < K; ++k) hn::StoreU(a[k], d, to + column + static_cast<std::size_t>(k) * lanes);
}

// Calls visit(d, column) for vectors that cover the columns. The last vector may overlap the one before. If there are fewer
// columns than lanes, narrower vectors are used.
template <class Visit, class D>
HWY_INLINE void coverColumns(D d, std::size_t begin, std::size_t columns, const Visit& visit) {
  const std::size_t lanes = hn::Lanes(d);
  if (columns < lanes) {
    if constexpr (hn::MaxLanes(D()) > 1) coverColumns(hn::Half<D>(), begin, columns, visit);
    return;
  }
  for (std::size_t c = begin; c < columns; c += lanes) visit(d, HWY_MIN(c, columns - lanes));
}

template <typename T, class F>
struct FoldRest {
  const std::byte* x;
  std::size_t rows;
  std::ptrdiff_t step;
  float* to;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t column) const {
    foldColumnVectors<T, F, 1>(d, x, rows, step, column, to);
  }
};

// Folds `columns` columns, a multiple of the lanes. Gives the same result as foldColumnVectors(), but reads the rows one after
// the other, eight at a time, and keeps the accumulators in `to`.
template <typename T, class F, class D>
void foldLongRows(D d, const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, float* to) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t c = 0; c < columns; c += lanes) hn::StoreU(hn::Set(d, F::neutral), d, to + c);
  const auto at = [&](std::size_t r, std::size_t c) HWY_ATTR { return F::map(loadFloats(d, rowAt<T>(x, r, step, c))); };
  const auto four = [&](std::size_t r, std::size_t c) HWY_ATTR {
    return F::combine(F::combine(at(r, c), at(r + 1, c)), F::combine(at(r + 2, c), at(r + 3, c)));
  };
  std::size_t r = 0;
  for (; r + 8 <= rows; r += 8) {
    for (std::size_t c = 0; c < columns; c += lanes) {
      hn::StoreU(F::combine(F::combine(hn::LoadU(d, to + c), four(r, c)), four(r + 4, c)), d, to + c);
    }
  }
  if (r + 4 <= rows) {
    for (std::size_t c = 0; c < columns; c += lanes) hn::StoreU(F::combine(hn::LoadU(d, to + c), four(r, c)), d, to + c);
    r += 4;
  }
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; c += lanes) hn::StoreU(F::combine(hn::LoadU(d, to + c), at(r, c)), d, to + c);
  }
}

template <typename T, class F>
void foldColumns(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, float* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t c = 0;
  // Column by column, the elements of such rows would be in many pages, and in few sets of the L1 cache.
  constexpr std::ptrdiff_t kLongStep = 2048;
  if (rows >= 8 && columns >= 8 * lanes && (step >= kLongStep || step <= -kLongStep)) {
    c = columns / lanes * lanes;
    foldLongRows<T, F>(d, x, rows, step, c, to);
  }
  for (; c + 4 * lanes <= columns; c += 4 * lanes) foldColumnVectors<T, F, 4>(d, x, rows, step, c, to);
  coverColumns(d, c, columns, FoldRest<T, F>{x, rows, step, to});
}

// Folds the N elements of each lane's row.
template <class F, int N, bool isMapped, class D>
HWY_INLINE hn::Vec<D> foldInterleaved(D d, const float* x) {
  const auto map = [](hn::Vec<D> v) { return isMapped ? F::map(v) : v; };
  hn::Vec<D> v0, v1, v2, v3;
  if constexpr (N == 2) {
    hn::LoadInterleaved2(d, x, v0, v1);
    return F::combine(map(v0), map(v1));
  } else if constexpr (N == 3) {
    hn::LoadInterleaved3(d, x, v0, v1, v2);
    return F::combine(F::combine(map(v0), map(v1)), map(v2));
  } else {
    hn::LoadInterleaved4(d, x, v0, v1, v2, v3);
    return F::combine(F::combine(map(v0), map(v1)), F::combine(map(v2), map(v3)));
  }
}

template <class F, int N, bool isMapped>
HWY_INLINE bool foldRowsOf(const float* x, std::size_t rows, float divisor, float* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto count = hn::Set(d, divisor);
  auto check = hn::Zero(d);  // becomes NaN if a result is not finite
  const auto finish = [&](hn::Vec<decltype(d)> v) {
    if (divisor != 1) v = hn::Div(v, count);
    check = hn::MulAdd(v, hn::Zero(d), check);
    return v;
  };
  std::size_t i = 0;
  for (; i + lanes <= rows; i += lanes) hn::StoreU(finish(foldInterleaved<F, N, isMapped>(d, x + i * N)), d, to + i);
  if (i < rows) {
    HWY_ALIGN float rest[N * hn::MaxLanes(d)] = {};
    std::memcpy(rest, x + i * N, (rows - i) * N * sizeof(float));
    storeSome(d, finish(foldInterleaved<F, N, isMapped>(d, rest)), to + i, rows - i);
  }
  return hn::AllTrue(d, hn::Eq(check, hn::Zero(d)));
}

template <class F, bool isMapped>
HWY_INLINE bool foldRowsOf(std::size_t n, const float* x, std::size_t rows, float divisor, float* to) {
  if (n == 2) return foldRowsOf<F, 2, isMapped>(x, rows, divisor, to);
  if (n == 3) return foldRowsOf<F, 3, isMapped>(x, rows, divisor, to);
  return foldRowsOf<F, 4, isMapped>(x, rows, divisor, to);
}

template <class F>
bool foldShortRows(const std::byte* x, std::size_t rows, std::size_t n, float divisor, float* to) {
  const auto* from = reinterpret_cast<const float*>(x);
  if (n <= 4) return foldRowsOf<F, true>(n, from, rows, divisor, to);
  // Folds groups of 4 (or 3) elements first, and then the results of the groups.
  const std::size_t group = n % 4 == 0 ? 4 : 3, groups = n / group;
  constexpr std::size_t kAtOnce = 256;
  float partial[kAtOnce];
  const std::size_t most = kAtOnce / groups;
  bool areFinite = true;
  for (std::size_t i = 0; i < rows; i += most) {
    const std::size_t some = HWY_MIN(most, rows - i);
    foldRowsOf<F, true>(group, from + i * n, some * groups, 1, partial);
    if (!foldRowsOf<F, false>(groups, partial, some, divisor, to + i)) areFinite = false;
  }
  return areFinite;
}

bool divide(const float* x, std::size_t n, float divisor, float* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto by = hn::Set(d, divisor);
  auto check = hn::Zero(d);  // becomes NaN if a result is not finite
  for (std::size_t i = 0; i < n; i += lanes) {
    const bool isWhole = i + lanes <= n;
    auto v = isWhole ? hn::LoadU(d, x + i) : loadSome(d, x + i, n - i);
    if (divisor != 1) v = hn::Div(v, by);
    check = hn::MulAdd(v, hn::Zero(d), check);
    if (isWhole) {
      hn::StoreU(v, d, to + i);
    } else {
      storeSome(d, v, to + i, n - i);
    }
  }
  return hn::AllTrue(d, hn::Eq(check, hn::Zero(d)));
}

template <typename T>
double exponentials(const std::byte* x, std::size_t n, float max) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const T* from = reinterpret_cast<const T*>(x);
  const auto greatest = hn::Set(d, max);
  constexpr std::size_t kBlock = 1024;
  double result = 0;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = HWY_MIN(begin + kBlock, n);
    auto sum = hn::Zero(d);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) sum = hn::Add(sum, hn::Exp(d, hn::Sub(loadFloats(d, from + i), greatest)));
    if (i < end) sum = hn::Add(sum, hn::Exp(d, hn::Sub(loadSomeFloats(d, from + i, end - i, -kInfinity), greatest)));
    result += foldLanes<FoldSum>(d, sum);
  }
  return result;
}

template <typename T>
struct ExponentialRest {
  const std::byte* x;
  std::size_t rows;
  std::ptrdiff_t step;
  const float* max;
  float* to;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t column) const {
    const auto greatest = hn::LoadU(d, max + column);
    auto sum = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      sum = hn::Add(sum, hn::Exp(d, hn::Sub(loadFloats(d, rowAt<T>(x, r, step, column)), greatest)));
    }
    hn::StoreU(sum, d, to + column);
  }
};

template <typename T>
void exponentialColumns(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, const float* max,
                        float* to) {
  coverColumns(hn::ScalableTag<float>(), 0, columns, ExponentialRest<T>{x, rows, step, max, to});
}

template <typename T>
std::size_t find(const std::byte* x, std::size_t n, float value) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const T* from = reinterpret_cast<const T*>(x);
  const auto wanted = hn::Set(d, value);
  const bool isNan = value != value;
  for (std::size_t i = 0; i < n; i += lanes) {
    // The zeros that pad the last vector may equal `value`, but the searched element, which exists, comes before them.
    const auto v = i + lanes <= n ? loadFloats(d, from + i) : loadSomeFloats(d, from + i, n - i, 0);
    const auto found = hn::FindFirstTrue(d, isNan ? hn::IsNaN(v) : hn::Eq(v, wanted));
    if (found >= 0) return HWY_MIN(i + static_cast<std::size_t>(found), n - 1);
  }
  return 0;
}

template <typename T, bool isGreatest>
struct IndexRest {
  const std::byte* x;
  std::size_t rows;
  std::ptrdiff_t step;
  std::int32_t* to;
  template <class D>
  HWY_INLINE void operator()(D d, std::size_t column) const {
    const hn::RebindToSigned<D> di;
    auto best = loadFloats(d, rowAt<T>(x, 0, step, column));
    auto index = hn::Zero(di);
    for (std::size_t r = 1; r < rows; ++r) {
      const auto v = loadFloats(d, rowAt<T>(x, r, step, column));
      const auto isNew = hn::AndNot(hn::IsNaN(best), hn::Or(isGreatest ? hn::Gt(v, best) : hn::Lt(v, best), hn::IsNaN(v)));
      best = hn::IfThenElse(isNew, v, best);
      index = hn::IfThenElse(hn::RebindMask(di, isNew), hn::Set(di, static_cast<std::int32_t>(r)), index);
    }
    hn::StoreU(index, di, to + column);
  }
};

template <typename T, bool isGreatest>
void indices(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::int32_t* to) {
  coverColumns(hn::ScalableTag<float>(), 0, columns, IndexRest<T, isGreatest>{x, rows, step, to});
}

// Returns whether the doubles may be multiplied by each other, or by four floats, without overflow or underflow.
template <class D>
HWY_INLINE bool areFarFromLimits(D d, hn::Vec<D> x) {
  const auto size = hn::Abs(x);
  return hn::AllTrue(d, hn::And(hn::Gt(size, hn::Set(d, 1e-120)), hn::Lt(size, hn::Set(d, 1e120))));
}

bool product(const std::byte* x, std::size_t n, double& product) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d), block = 8 * lanes;
  const float* from = reinterpret_cast<const float*>(x);
  float rest[8 * hn::MaxLanes(d)];
  auto a = hn::Set(d, 1), b = hn::Set(d, 1);
  for (; n > 0; n -= HWY_MIN(n, block), from += block) {
    const float* values = from;
    if (n < block) {
      for (std::size_t i = 0; i < block; ++i) rest[i] = 1;
      std::memcpy(rest, from, n * sizeof(float));
      values = rest;
    }
    for (std::size_t i = 0; i < block; i += 2 * lanes) {
      a = hn::Mul(a, hn::PromoteTo(d, hn::LoadU(df, values + i)));
      b = hn::Mul(b, hn::PromoteTo(d, hn::LoadU(df, values + i + lanes)));
    }
    if (!areFarFromLimits(d, a) || !areFarFromLimits(d, b)) return false;
  }
  double chains[hn::MaxLanes(d)];
  hn::StoreU(hn::Mul(a, b), d, chains);
  const hn::CappedTag<double, 1> one;
  auto all = hn::Set(one, product);
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto chain = hn::Set(one, chains[i]);
    if (!areFarFromLimits(one, all) || !areFarFromLimits(one, chain)) return false;
    all = hn::Mul(all, chain);
  }
  product = hn::GetLane(all);
  return true;
}

void addRow(const std::byte* x, std::size_t n, bool isFirst, bool exclusive, double* sums, std::byte* to) {
  const auto add = [&](auto d, std::size_t i) HWY_ATTR {
    const hn::Rebind<float, decltype(d)> df;
    const auto value = hn::PromoteTo(d, hn::LoadU(df, reinterpret_cast<const float*>(x) + i)), before = hn::LoadU(d, sums + i);
    const auto after = isFirst ? value : hn::Add(before, value);
    hn::StoreU(after, d, sums + i);
    hn::StoreU(hn::DemoteTo(df, exclusive ? before : after), df, reinterpret_cast<float*>(to) + i);
  };
  const hn::ScalableTag<double> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) add(d, i);
  for (; i < n; ++i) add(hn::CappedTag<double, 1>(), i);
}

using Half = std::uint16_t;

const ReduceKernels& kernels() {
  static constexpr ReduceKernels table{
      {{foldRow<float, FoldSum>, foldRow<float, FoldAbsolutes>, foldRow<float, FoldSquares>, foldRow<float, FoldGreatest>,
        foldRow<float, FoldLeast>},
       {foldRow<Half, FoldSum>, foldRow<Half, FoldAbsolutes>, foldRow<Half, FoldSquares>, foldRow<Half, FoldGreatest>,
        foldRow<Half, FoldLeast>}},
      {{foldColumns<float, FoldSum>, foldColumns<float, FoldAbsolutes>, foldColumns<float, FoldSquares>,
        foldColumns<float, FoldGreatest>, foldColumns<float, FoldLeast>},
       {foldColumns<Half, FoldSum>, foldColumns<Half, FoldAbsolutes>, foldColumns<Half, FoldSquares>,
        foldColumns<Half, FoldGreatest>, foldColumns<Half, FoldLeast>}},
      {foldShortRows<FoldSum>, foldShortRows<FoldAbsolutes>, foldShortRows<FoldSquares>, foldShortRows<FoldGreatest>,
       foldShortRows<FoldLeast>},
      divide,
      {exponentials<float>, exponentials<Half>},
      {exponentialColumns<float>, exponentialColumns<Half>},
      {find<float>, find<Half>},
      {{indices<float, false>, indices<float, true>}, {indices<Half, false>, indices<Half, true>}},
      product,
      addRow};
  return table;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace webnn::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace webnn::cpu {
const ReduceKernels& reduceKernels(Isa isa) { WEBNN_SELECT(isa, kernels); }
}  // namespace webnn::cpu
#endif
