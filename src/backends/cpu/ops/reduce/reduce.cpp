#include "backends/cpu/ops/reduce/reduce.h"

#include <algorithm>
#include <utility>

#include "backends/cpu/elements/strided_copy.h"
#include "backends/cpu/ops/reduce/reduce_steps.h"

namespace webnn::cpu {

namespace {

using ops::ArgMinMaxKind;

struct Dimension {
  std::size_t size;
  bool isReduced;
};

// Merges adjacent dimensions that are all reduced or all kept. Drops dimensions of size 1.
std::vector<Dimension> mergedDimensions(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  std::vector<Dimension> dimensions;
  for (std::uint32_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const bool isReduced = std::ranges::find(axes, d) != axes.end();
    if (!dimensions.empty() && dimensions.back().isReduced == isReduced) {
      dimensions.back().size *= shape[d];
    } else {
      dimensions.push_back({shape[d], isReduced});
    }
  }
  return dimensions;
}

// Returns a copy that moves the reduced dimensions to the end.
StridedCopy reducedLast(const ops::Reduce& op, Isa isa) {
  const std::size_t bytes = bitsPerElement(op.input.dataType()) / 8;
  const Shape& shape = op.input.shape();
  const std::vector<std::ptrdiff_t> from = byteStrides(shape, bytes);
  std::vector<CopyDimension> dimensions;
  for (const bool wanted : {false, true}) {
    for (std::uint32_t d = 0; d < shape.size(); ++d) {
      const bool isReduced = std::ranges::find(*op.options.axes, d) != op.options.axes->end();
      if (isReduced == wanted) dimensions.push_back({shape[d], from[d], 0});
    }
  }
  auto step = static_cast<std::ptrdiff_t>(bytes);
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    dimensions[d].to = step;
    step *= static_cast<std::ptrdiff_t>(dimensions[d].count);
  }
  return StridedCopy(isa, bytes, std::move(dimensions));
}

// Returns a copy that transposes [outer, count] rows to [count, outer].
StridedCopy rowsAsColumns(const Reduction& rows, Isa isa) {
  const std::size_t bytes = bitsPerElement(rows.type) / 8;
  const auto stride = [&](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements * bytes); };
  return StridedCopy(isa, bytes, {{rows.count, stride(1), stride(rows.outer)}, {rows.outer, stride(rows.count), stride(1)}});
}

template <typename T>
bool isBetter(ArgMinMaxKind kind, T a, T b) {
  return kind == ArgMinMaxKind::argMin ? a < b : a > b;
}

constexpr std::size_t kColumns = 256;

// Finds, for columns [0, columns) of integers, the row of the first smallest or largest value.
template <typename T>
void findExtremes(ArgMinMaxKind kind, const std::byte* x, std::size_t rows, std::size_t inner, std::size_t columns,
                  std::int32_t* found) {
  T best[kColumns];
  std::memcpy(best, x, columns * sizeof(T));
  std::fill(found, found + columns, 0);
  RunWatch watch;
  for (std::size_t r = 1; r < rows && !watch.isOver(columns); ++r) {
    const std::byte* row = x + r * inner * sizeof(T);
    for (std::size_t c = 0; c < columns; ++c) {
      const T value = loadUnaligned<T>(row + c * sizeof(T));
      if (!isBetter(kind, value, best[c])) continue;
      best[c] = value;
      found[c] = static_cast<std::int32_t>(r);
    }
  }
}

using FindExtremes = void (*)(ArgMinMaxKind, const std::byte*, std::size_t, std::size_t, std::size_t, std::int32_t*);

FindExtremes integerExtremes(DataType type) {
  switch (type) {
    case DataType::int32: return findExtremes<std::int32_t>;
    case DataType::uint32: return findExtremes<std::uint32_t>;
    case DataType::int64: return findExtremes<std::int64_t>;
    case DataType::uint64: return findExtremes<std::uint64_t>;
    case DataType::int8: return findExtremes<std::int8_t>;
    default: return findExtremes<std::uint8_t>;
  }
}

// Views a tensor as [outer, count, inner], in which `axis` is `count`.
Reduction aroundAxis(const Operand& input, std::uint32_t axis) {
  Reduction around{.type = input.dataType(), .count = input.shape()[axis]};
  for (std::size_t d = 0; d < axis; ++d) around.outer *= input.shape()[d];
  for (std::size_t d = axis + 1; d < input.rank(); ++d) around.inner *= input.shape()[d];
  return around;
}

struct ArgStep {
  Reduction shape;
  ArgMinMaxKind kind;
  const ReduceKernels* kernels;
  FindExtremes find;
  std::size_t bytes;
  bool isWide;  // results are int64, not int32

  void run(const std::byte* from, std::byte* to, Team& team) const {
    forColumns(team, shape.outer, shape.count, shape.inner, kColumns, [&](std::size_t o, std::size_t begin, std::size_t end) {
      std::int32_t found[kColumns];
      extremes(from + (o * shape.count * shape.inner + begin) * bytes, end - begin, found);
      for (std::size_t c = begin; c < end; ++c) {
        const std::size_t i = o * shape.inner + c;
        if (isWide) {
          storeUnaligned(to + i * 8, std::int64_t{found[c - begin]});
        } else {
          storeUnaligned(to + i * 4, found[c - begin]);
        }
      }
    });
  }

 private:
  // Finds the row of the extreme in each column. Searches floats in parts, so that the run can be stopped between them.
  void extremes(const std::byte* x, std::size_t columns, std::int32_t* found) const {
    if (!isFloat(shape.type)) return find(kind, x, shape.count, shape.inner, columns, found);
    if (shape.inner == 1) return extremeOfRow(x, found);
    constexpr std::size_t kAtOnce = std::size_t{1} << 18;
    const std::size_t rows = std::max<std::size_t>(kAtOnce / columns, 1), rowStride = shape.inner * bytes;
    const auto indices = kernels->indices[typeIndex()][kind == ArgMinMaxKind::argMax ? 1 : 0];
    indices(x, std::min(rows, shape.count), static_cast<std::ptrdiff_t>(rowStride), columns, found);
    for (std::size_t row = rows; row < shape.count && !isRunOver(); row += rows) {
      std::int32_t some[kColumns];
      indices(x + row * rowStride, std::min(rows, shape.count - row), static_cast<std::ptrdiff_t>(rowStride), columns, some);
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t at = row + static_cast<std::size_t>(some[c]), best = static_cast<std::size_t>(found[c]);
        if (isMore(load(x + at * rowStride + c * bytes), load(x + best * rowStride + c * bytes)))
          found[c] = static_cast<std::int32_t>(at);
      }
    }
  }
  // Finds the extreme of each part of a row, then its position in the first part that contains the overall extreme.
  void extremeOfRow(const std::byte* x, std::int32_t* found) const {
    constexpr std::size_t kAtOnce = std::size_t{1} << 16;
    const auto fold = static_cast<std::size_t>(kind == ArgMinMaxKind::argMax ? Fold::greatest : Fold::least);
    float extreme = 0;
    std::size_t part = 0;
    for (std::size_t i = 0; i < shape.count && (i == 0 || !isRunOver()); i += kAtOnce) {
      const auto some = static_cast<float>(kernels->row[typeIndex()][fold](x + i * bytes, std::min(kAtOnce, shape.count - i)));
      if (i > 0 && !isMore(some, extreme)) continue;
      extreme = some;
      part = i;
    }
    const std::size_t place = kernels->find[typeIndex()](x + part * bytes, std::min(kAtOnce, shape.count - part), extreme);
    *found = static_cast<std::int32_t>(part + place);
  }

  std::size_t typeIndex() const { return shape.type == DataType::float16 ? 1 : 0; }
  float load(const std::byte* at) const {
    if (shape.type == DataType::float32) return loadUnaligned<float>(at);
    return static_cast<float>(static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(at))));
  }
  // Returns whether `a` replaces the earlier value `b`. NaN replaces numbers, and the first NaN stays.
  bool isMore(float a, float b) const { return b == b && (isBetter(kind, a, b) || a != a); }
};

struct HalfElement {
  std::uint16_t bits;
  explicit HalfElement(double value) : bits(Half(value).bits()) {}
  HalfElement() = default;
  explicit operator double() const { return static_cast<double>(Half::fromBits(bits)); }
};

// Computes the running sums of a contiguous line. Sum is double for floats; each result is rounded once.
template <typename T, typename Sum>
void sumUpRow(const Reduction& shape, bool exclusive, bool reversed, const std::byte* from, std::byte* to) {
  Sum before{};
  const std::ptrdiff_t step = reversed ? -static_cast<std::ptrdiff_t>(sizeof(T)) : static_cast<std::ptrdiff_t>(sizeof(T));
  std::ptrdiff_t at = reversed ? static_cast<std::ptrdiff_t>((shape.count - 1) * sizeof(T)) : 0;
  RunWatch watch;
  for (std::size_t i = 0; i < shape.count && !watch.isOver(1); ++i, at += step) {
    const auto value = static_cast<Sum>(loadUnaligned<T>(from + at));
    const auto after = i == 0 ? value : static_cast<Sum>(before + value);
    storeUnaligned(to + at, static_cast<T>(exclusive ? before : after));
    before = after;
  }
}

// Adds a row to `sums`, and stores the new sums, or the previous ones if `exclusive`.
template <typename T, typename Sum>
void addRow(const std::byte* x, std::size_t n, bool isFirst, bool exclusive, Sum* sums, std::byte* to) {
  for (std::size_t c = 0; c < n; ++c) {
    const auto value = static_cast<Sum>(loadUnaligned<T>(x + c * sizeof(T)));
    const auto after = isFirst ? value : static_cast<Sum>(sums[c] + value);
    storeUnaligned(to + c * sizeof(T), static_cast<T>(exclusive ? sums[c] : after));
    sums[c] = after;
  }
}

template <typename T, typename Sum>
void sumUp(const Reduction& shape, bool exclusive, bool reversed, const ReduceKernels& kernels, const std::byte* from,
           std::byte* to, Team& team) {
  constexpr std::size_t kLines = 256;
  forColumns(team, shape.outer, 4 * shape.count, shape.inner, kLines, [&](std::size_t o, std::size_t begin, std::size_t end) {
    if (shape.inner == 1) {
      const std::size_t line = o * shape.count * sizeof(T);
      return sumUpRow<T, Sum>(shape, exclusive, reversed, from + line, to + line);
    }
    Sum sums[kLines]{};
    RunWatch watch;
    for (std::size_t i = 0; i < shape.count && !watch.isOver(end - begin); ++i) {
      const std::size_t row = reversed ? shape.count - 1 - i : i;
      const std::size_t at = ((o * shape.count + row) * shape.inner + begin) * sizeof(T);
      if constexpr (std::is_same_v<T, float>) {
        kernels.addRow(from + at, end - begin, i == 0, exclusive, sums, to + at);
      } else {
        addRow<T>(from + at, end - begin, i == 0, exclusive, sums, to + at);
      }
    }
  });
}

using SumUp = void (*)(const Reduction&, bool, bool, const ReduceKernels&, const std::byte*, std::byte*, Team&);

SumUp runningSum(DataType type) {
  if (type == DataType::float32) return sumUp<float, double>;
  if (type == DataType::float16) return sumUp<HalfElement, double>;
  return bitsPerElement(type) == 64 ? sumUp<std::uint64_t, std::uint64_t> : sumUp<std::uint32_t, std::uint32_t>;
}

}  // namespace

StepPtr plan(const ops::Reduce& op, Planner& planner) {
  const std::vector<Dimension> dimensions = mergedDimensions(op.input.shape(), *op.options.axes);
  Reduction reduction{.kind = op.kind, .type = op.input.dataType()};
  const auto isReduced = [](const Dimension& d) { return d.isReduced; };
  const auto count = std::ranges::count_if(dimensions, isReduced);
  if (count > 1) {
    for (const Dimension& d : dimensions) (d.isReduced ? reduction.count : reduction.outer) *= d.size;
    const StridedCopy arrange = reducedLast(op, planner.isa());
    return planReduction(reduction, planner.slot(op.input), planner, &arrange);
  }
  bool isBefore = count == 1;
  for (const Dimension& d : dimensions) {
    if (d.isReduced) isBefore = false;
    (d.isReduced ? reduction.count : isBefore ? reduction.outer : reduction.inner) *= d.size;
  }
  // Many short rows of floats are transposed and reduced as columns, unless there is a kernel for their length.
  constexpr std::size_t kShort = 16, kMany = 64;
  const Slot from = planner.slot(op.input);
  if (isFloat(reduction.type) && !FloatReduction::hasShortRows(reduction) && reduction.inner == 1 && reduction.count > 1 &&
      reduction.count <= kShort && reduction.outer >= kMany) {
    const StridedCopy arrange = rowsAsColumns(reduction, planner.isa());
    reduction.inner = std::exchange(reduction.outer, 1);
    return planReduction(reduction, from, planner, &arrange);
  }
  return planReduction(reduction, from, planner);
}

StepPtr plan(const ops::ArgMinMax& op, Planner& planner) {
  const bool isWide = op.options.outputDataType == DataType::int64;
  const ArgStep step{aroundAxis(op.input, op.axis),           op.kind,
                     &reduceKernels(planner.isa()),           integerExtremes(op.input.dataType()),
                     bitsPerElement(op.input.dataType()) / 8, isWide};
  return makeStep("argMinMax", [step, from = planner.slot(op.input), to = planner.output()](const Frame& frame) {
    step.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.team);
  });
}

StepPtr plan(const ops::CumulativeSum& op, Planner& planner) {
  const Reduction shape = aroundAxis(op.input, op.axis);
  return makeStep("cumulativeSum", [=, exclusive = op.options.exclusive, reversed = op.options.reversed,
                                    from = planner.slot(op.input), to = planner.output(), sum = runningSum(op.input.dataType()),
                                    kernels = &reduceKernels(planner.isa())](const Frame& frame) {
    sum(shape, exclusive, reversed, *kernels, frame.in<std::byte>(from), frame.out<std::byte>(to), frame.team);
  });
}

}  // namespace webnn::cpu
