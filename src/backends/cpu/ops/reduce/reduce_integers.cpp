#include <algorithm>
#include <type_traits>

#include "backends/cpu/ops/reduce/reduce_steps.h"

namespace webnn::cpu {

namespace {

using ops::ReduceKind;

// Each struct maps an element and combines two results. All arithmetic wraps, so sums and products use unsigned types.
template <typename T>
struct Sum {
  static T map(T x) { return x; }
  static T combine(T a, T x) { return static_cast<T>(a + x); }
};
template <typename T>
struct Absolutes : Sum<T> {  // the absolute value of the lowest integer wraps to the lowest integer
  static T map(T x) { return static_cast<std::make_signed_t<T>>(x) < 0 ? static_cast<T>(T{0} - x) : x; }
};
template <typename T>
struct Squares : Sum<T> {
  static T map(T x) { return static_cast<T>(x * x); }
};
template <typename T>
struct Multiplied : Sum<T> {
  static T combine(T a, T x) { return static_cast<T>(a * x); }
};
template <typename T>
struct Greatest : Sum<T> {
  static T combine(T a, T x) { return x > a ? x : a; }
};
template <typename T>
struct Least : Sum<T> {
  static T combine(T a, T x) { return x < a ? x : a; }
};

// Combines rows of elements with the results at `to`, as a FoldIntegers kernel does.
template <typename T, template <typename> class Kind>
void fold(const std::byte* x, std::size_t rows, std::ptrdiff_t step, std::size_t columns, std::byte* to) {
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t c = 0; c < columns; c += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, columns - c);
    T row[kAtOnce]{}, results[kAtOnce]{};
    std::memcpy(results, to + c * sizeof(T), count * sizeof(T));
    for (std::size_t r = 0; r < rows; ++r) {
      std::memcpy(row, x + static_cast<std::ptrdiff_t>(r) * step + static_cast<std::ptrdiff_t>(c * sizeof(T)), count * sizeof(T));
      for (std::size_t i = 0; i < kAtOnce; ++i) results[i] = Kind<T>::combine(results[i], Kind<T>::map(row[i]));
    }
    std::memcpy(to + c * sizeof(T), results, count * sizeof(T));
  }
}

// Reduces the columns of a matrix, whose rows are `step` bytes apart. Folds some rows at a time, so that the run can be stopped
// between them.
template <typename T, template <typename> class Kind>
void reduceColumns(FoldIntegers fold, const std::byte* x, std::size_t rows, std::size_t step, std::size_t columns,
                   std::byte* to) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 18;
  for (std::size_t c = 0; c < columns; ++c) storeUnaligned(to + c * sizeof(T), Kind<T>::map(loadUnaligned<T>(x + c * sizeof(T))));
  const std::size_t some = std::max<std::size_t>(kAtOnce / columns, 1);
  for (std::size_t r = 1; r < rows && (r == 1 || !isRunOver()); r += some)
    fold(x + r * step, std::min(some, rows - r), static_cast<std::ptrdiff_t>(step), columns, to);
}

// Reduces a row as a matrix with rows of 256 bytes, then the results and the remaining elements. The order does not matter,
// because the operations are associative and commutative.
template <typename T, template <typename> class Kind>
void reduceRow(FoldIntegers fold, const std::byte* x, std::size_t n, std::byte* to) {
  constexpr std::size_t kBytes = 256, kParts = kBytes / sizeof(T);
  T result = Kind<T>::map(loadUnaligned<T>(x));
  std::size_t i = 1;
  if (n > 2 * kParts) {
    std::byte parts[kBytes];
    const std::size_t rows = (n - 1) / kParts;
    reduceColumns<T, Kind>(fold, x + sizeof(T), rows, kBytes, kParts, parts);
    for (std::size_t p = 0; p < kParts; ++p) result = Kind<T>::combine(result, loadUnaligned<T>(parts + p * sizeof(T)));
    i += rows * kParts;
  }
  for (; i < n; ++i) result = Kind<T>::combine(result, Kind<T>::map(loadUnaligned<T>(x + i * sizeof(T))));
  storeUnaligned(to, result);
}

template <typename T, template <typename> class Kind>
void reduce(const Reduction& shape, FoldIntegers fold, const std::byte* from, std::byte* to, Team& team) {
  constexpr std::size_t kMost = 1024 / sizeof(T);
  forColumns(team, shape.outer, shape.count, shape.inner, kMost, [&](std::size_t o, std::size_t begin, std::size_t end) {
    const std::byte* x = from + (o * shape.count * shape.inner + begin) * sizeof(T);
    std::byte* y = to + (o * shape.inner + begin) * sizeof(T);
    if (shape.inner == 1) return reduceRow<T, Kind>(fold, x, shape.count, y);
    reduceColumns<T, Kind>(fold, x, shape.count, shape.inner * sizeof(T), end - begin, y);
  });
}

template <typename T, template <typename> class Kind>
IntegerReduction withFold(FoldIntegers fold = cpu::fold<T, Kind>) {
  return {reduce<T, Kind>, fold};
}

template <template <typename> class Kind>
IntegerReduction ordered(DataType type, const FoldIntegers (&kernels)[4]) {
  switch (type) {
    case DataType::int32: return withFold<std::int32_t, Kind>(kernels[2]);
    case DataType::uint32: return withFold<std::uint32_t, Kind>(kernels[3]);
    case DataType::int64: return withFold<std::int64_t, Kind>();
    case DataType::uint64: return withFold<std::uint64_t, Kind>();
    case DataType::int8: return withFold<std::int8_t, Kind>(kernels[0]);
    default: return withFold<std::uint8_t, Kind>(kernels[1]);
  }
}

template <template <typename> class Kind>
IntegerReduction wrapping(DataType type) {
  return bitsPerElement(type) == 64 ? withFold<std::uint64_t, Kind>() : withFold<std::uint32_t, Kind>();
}

IntegerReduction sum(DataType type, const IntegerKernels& kernels) {
  return bitsPerElement(type) == 64 ? withFold<std::uint64_t, Sum>() : withFold<std::uint32_t, Sum>(kernels.sum32);
}

}  // namespace

IntegerReduction integerReduction(ReduceKind kind, DataType type, Isa isa) {
  const IntegerKernels& kernels = integerKernels(isa);
  const bool isSigned = type == DataType::int32 || type == DataType::int64;
  switch (kind) {
    case ReduceKind::reduceMax: return ordered<Greatest>(type, kernels.greatest);
    case ReduceKind::reduceMin: return ordered<Least>(type, kernels.least);
    case ReduceKind::reduceProduct: return wrapping<Multiplied>(type);
    case ReduceKind::reduceSumSquare: return wrapping<Squares>(type);
    case ReduceKind::reduceL1: return isSigned ? wrapping<Absolutes>(type) : sum(type, kernels);
    default: return sum(type, kernels);
  }
}

}  // namespace webnn::cpu
