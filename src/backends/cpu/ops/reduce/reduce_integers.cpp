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

template <typename T, template <typename> class Kind>
void reduceRow(const std::byte* x, std::size_t n, std::byte* to) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  T result = Kind<T>::map(loadUnaligned<T>(x));
  for (std::size_t i = 1; i < n && !isRunOver();) {
    for (const std::size_t end = std::min(i + kAtOnce, n); i < end; ++i)
      result = Kind<T>::combine(result, Kind<T>::map(loadUnaligned<T>(x + i * sizeof(T))));
  }
  storeUnaligned(to, result);
}

template <typename T, template <typename> class Kind>
void reduce(const Reduction& shape, const std::byte* from, std::byte* to, Team& team) {
  constexpr std::size_t kIntegersAtOnce = 256;
  forColumns(team, shape.outer, shape.count, shape.inner, kIntegersAtOnce,
             [&](std::size_t o, std::size_t begin, std::size_t end) {
               const std::byte* x = from + (o * shape.count * shape.inner + begin) * sizeof(T);
               std::byte* y = to + (o * shape.inner + begin) * sizeof(T);
               if (shape.inner == 1) return reduceRow<T, Kind>(x, shape.count, y);
               const std::size_t columns = end - begin;
               T row[kIntegersAtOnce], results[kIntegersAtOnce];
               std::memcpy(row, x, columns * sizeof(T));
               for (std::size_t c = 0; c < columns; ++c) results[c] = Kind<T>::map(row[c]);
               RunWatch watch;
               for (std::size_t r = 1; r < shape.count && !watch.isOver(columns); ++r) {
                 std::memcpy(row, x + r * shape.inner * sizeof(T), columns * sizeof(T));
                 for (std::size_t c = 0; c < columns; ++c) results[c] = Kind<T>::combine(results[c], Kind<T>::map(row[c]));
               }
               std::memcpy(y, results, columns * sizeof(T));
             });
}

template <template <typename> class Kind>
IntegerReduction ordered(DataType type) {
  switch (type) {
    case DataType::int32: return reduce<std::int32_t, Kind>;
    case DataType::uint32: return reduce<std::uint32_t, Kind>;
    case DataType::int64: return reduce<std::int64_t, Kind>;
    case DataType::uint64: return reduce<std::uint64_t, Kind>;
    case DataType::int8: return reduce<std::int8_t, Kind>;
    default: return reduce<std::uint8_t, Kind>;
  }
}

template <template <typename> class Kind>
IntegerReduction wrapping(DataType type) {
  return bitsPerElement(type) == 64 ? reduce<std::uint64_t, Kind> : reduce<std::uint32_t, Kind>;
}

}  // namespace

IntegerReduction integerReduction(ReduceKind kind, DataType type) {
  const bool isSigned = type == DataType::int32 || type == DataType::int64;
  switch (kind) {
    case ReduceKind::reduceMax: return ordered<Greatest>(type);
    case ReduceKind::reduceMin: return ordered<Least>(type);
    case ReduceKind::reduceProduct: return wrapping<Multiplied>(type);
    case ReduceKind::reduceSumSquare: return wrapping<Squares>(type);
    case ReduceKind::reduceL1: return isSigned ? wrapping<Absolutes>(type) : wrapping<Sum>(type);
    default: return wrapping<Sum>(type);
  }
}

}  // namespace webnn::cpu
