#include "backends/reference/reduce.h"

#include <cmath>

#include "backends/reference/elementwise.h"
#include "backends/reference/groups.h"

namespace webnn::reference {

namespace {

using ops::ArgMinMaxKind;
using ops::ReduceKind;

// Calls visit(values) with float elements converted to double and integer elements unconverted.
void visitValues(const NdArray& tensor, auto&& visit) {
  visitType(tensor.dataType(), [&](auto element) {
    using T = decltype(element);
    if constexpr (kIsReal<T>) {
      const std::vector<double> values = tensor.toDoubles();
      visit(std::span<const double>(values));
    } else {
      visit(tensor.as<T>());
    }
  });
}

// Stores values of a type that visitValues passes.
template <typename V>
void store(NdArray& tensor, const std::vector<V>& values) {
  if constexpr (std::is_floating_point_v<V>) {
    tensor.setDoubles(values);
  } else {
    std::ranges::copy(values, tensor.as<V>().begin());
  }
}

template <typename V>
V square(V a) {
  return multiply(a, a);
}
// The lowest integer has no positive counterpart, so its absolute value is itself.
template <typename V>
V absolute(V a) {
  if constexpr (std::is_floating_point_v<V>) {
    return std::fabs(a);
  } else if constexpr (std::is_signed_v<V>) {
    return a < 0 ? subtract(V{0}, a) : a;
  } else {
    return a;
  }
}
template <typename V>
V same(V a) {
  return a;
}

// Maps all members and combines the results from first to last. A group is never empty.
template <typename V, typename Map, typename Combine>
V fold(const Group<V>& group, Map map, Combine combine) {
  V result = map(group[0]);
  Progress progress;
  for (std::size_t i = 1; i < group.size(); ++i, progress.count()) result = combine(result, map(group[i]));
  return result;
}

// Computes the reductions that integers support too. The default case is reduceSum.
template <typename V>
V reduceOne(ReduceKind kind, const Group<V>& group) {
  switch (kind) {
    case ReduceKind::reduceL1: return fold(group, absolute<V>, add<V>);
    case ReduceKind::reduceMax: return fold(group, same<V>, maximum<V>);
    case ReduceKind::reduceMin: return fold(group, same<V>, minimum<V>);
    case ReduceKind::reduceProduct: return fold(group, same<V>, multiply<V>);
    case ReduceKind::reduceSumSquare: return fold(group, square<V>, add<V>);
    default: return fold(group, same<V>, add<V>);
  }
}

// Subtracts the maximum first, so that every exponential is at most 1 and the sum cannot overflow.
double logSumExp(const Group<double>& group) {
  const double max = reduceOne(ReduceKind::reduceMax, group);
  if (!std::isfinite(max)) return max;  // NaN, +infinity, or all values -infinity
  return max + std::log(fold(
                   group, [max](double x) { return std::exp(x - max); }, add<double>));
}

double reduceReal(ReduceKind kind, const Group<double>& group) {
  switch (kind) {
    case ReduceKind::reduceL2: return std::sqrt(reduceOne(ReduceKind::reduceSumSquare, group));
    case ReduceKind::reduceLogSum: return std::log(reduceOne(ReduceKind::reduceSum, group));
    case ReduceKind::reduceLogSumExp: return logSumExp(group);
    case ReduceKind::reduceMean: return reduceOne(ReduceKind::reduceSum, group) / static_cast<double>(group.size());
    default: return reduceOne(kind, group);
  }
}

// Returns the position of the smallest or largest value. The first of equal values wins, and the first NaN wins over all numbers.
template <typename V>
std::size_t indexOfExtreme(ArgMinMaxKind kind, const Group<V>& group) {
  const auto isBetter = [kind](V a, V b) {
    if constexpr (std::is_floating_point_v<V>) {
      if (std::isnan(a)) return !std::isnan(b);
    }
    return kind == ArgMinMaxKind::argMin ? a < b : a > b;
  };
  std::size_t best = 0;
  Progress progress;
  for (std::size_t i = 1; i < group.size(); ++i, progress.count()) {
    if (isBetter(group[i], group[best])) best = i;
  }
  return best;
}

// Computes running sums. `line` lists positions along the axis in summation order.
template <typename V>
void sumUp(const Group<V>& line, bool exclusive, std::vector<V>& results) {
  V before{};
  Progress progress;
  for (std::size_t i = 0; i < line.size(); ++i, progress.count()) {
    const V after = i == 0 ? line[i] : add(before, line[i]);
    results[line.position(i)] = exclusive ? before : after;
    before = after;
  }
}

}  // namespace

void run(const ops::Reduce& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const Groups groups(input.shape(), *op.options.axes);
  visitValues(input, [&](auto values) {
    using V = typename decltype(values)::value_type;
    std::vector<V> results;
    results.reserve(groups.firsts.size());
    Progress progress;
    for (const std::uint32_t first : groups.firsts) {
      progress.count(groups.offsets.size());
      const Group<V> group{values, first, groups.offsets};
      if constexpr (std::is_floating_point_v<V>) {
        results.push_back(reduceReal(op.kind, group));
      } else {
        results.push_back(reduceOne(op.kind, group));
      }
    }
    store(frame.output(), results);
  });
}

void run(const ops::ArgMinMax& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const Groups groups(input.shape(), {op.axis});
  NdArray& output = frame.output();
  visitValues(input, [&](auto values) {
    using V = typename decltype(values)::value_type;
    Progress progress;
    for (std::size_t i = 0; i < groups.firsts.size(); ++i, progress.count(groups.offsets.size())) {
      const std::size_t index = indexOfExtreme(op.kind, Group<V>{values, groups.firsts[i], groups.offsets});
      // The index fits in int32, because no dimension exceeds 2^31 - 1.
      if (output.dataType() == DataType::int64) output.as<std::int64_t>()[i] = static_cast<std::int64_t>(index);
      if (output.dataType() == DataType::int32) output.as<std::int32_t>()[i] = static_cast<std::int32_t>(index);
    }
  });
}

void run(const ops::CumulativeSum& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  Groups groups(input.shape(), {op.axis});
  if (op.options.reversed) std::ranges::reverse(groups.offsets);
  visitValues(input, [&](auto values) {
    using V = typename decltype(values)::value_type;
    std::vector<V> results(values.size());
    Progress progress;
    for (const std::uint32_t first : groups.firsts) {
      sumUp(Group<V>{values, first, groups.offsets}, op.options.exclusive, results);
      progress.count(groups.offsets.size());
    }
    store(frame.output(), results);
  });
}

}  // namespace webnn::reference
