#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "backends/cpu/ops/reduce/reduce_steps.h"
#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

using ops::ReduceKind;

Fold foldOf(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::reduceL1: return Fold::absolutes;
    case ReduceKind::reduceL2:
    case ReduceKind::reduceSumSquare: return Fold::squares;
    case ReduceKind::reduceMax: return Fold::greatest;
    case ReduceKind::reduceMin: return Fold::least;
    default: return Fold::sum;
  }
}

bool isSum(Fold fold) { return fold != Fold::greatest && fold != Fold::least; }

constexpr std::size_t kColumnsAtOnce = 128, kRows = 256, kRowPart = std::size_t{1} << 16;

double toDouble(float x) { return static_cast<double>(x); }
double toDouble(std::uint16_t bits) { return static_cast<double>(Half::fromBits(bits)); }

// Multiplies the elements of each of `columns` columns, which begin at `x`, from the first row to the last.
template <typename T>
void multiplyColumns(const std::byte* x, const Reduction& shape, std::size_t columns, double* products) {
  T values[kColumnsAtOnce];
  RunWatch watch;
  for (std::size_t row = 0; row < shape.count && !watch.isOver(columns); ++row) {
    std::memcpy(values, x + row * shape.inner * sizeof(T), columns * sizeof(T));
    for (std::size_t c = 0; c < columns; ++c) products[c] *= toDouble(values[c]);
  }
}

}  // namespace

FloatReduction::FloatReduction(const Reduction& reduction, Isa isa)
    : shape_(reduction),
      kernels_(reduceKernels(isa)),
      type_(reduction.type == DataType::float16 ? 1 : 0),
      bytes_(type_ == 1 ? 2 : 4),
      hasShortRows_(hasShortRows(reduction)),
      fold_(foldOf(reduction.kind)) {
  // Elements that a block should have: about ten microseconds of work, or one for a maximum or minimum. Reading what another thread
  // has just written takes longer than that, so that each thread should reduce its own part.
  constexpr std::size_t kElements = 32768, kElementsOfLimit = 4096;
  const bool isLimit = shape_.kind == ReduceKind::reduceMax || shape_.kind == ReduceKind::reduceMin;
  block_ = shape_.inner == 1 ? (isLimit ? kElementsOfLimit : kElements) : std::clamp<std::size_t>(kElements / shape_.inner, 64, 1024);
  blocks_ = divideUp(shape_.count, block_);
}

bool FloatReduction::hasShortRows(const Reduction& reduction) {
  const bool isFold = reduction.kind == ReduceKind::reduceSum || reduction.kind == ReduceKind::reduceMean ||
                      reduction.kind == ReduceKind::reduceL1 || reduction.kind == ReduceKind::reduceMax ||
                      reduction.kind == ReduceKind::reduceMin;
  return isFold && reduction.type == DataType::float32 && reduction.inner == 1 && isShortRow(reduction.count);
}

std::size_t FloatReduction::scratchBytes() const {
  return hasShortRows_ ? 0 : shape_.outer * blocks_ * shape_.inner * sizeof(float);
}

const std::byte* FloatReduction::at(const std::byte* from, std::size_t o, std::size_t row, std::size_t c) const {
  return from + ((o * shape_.count + row) * shape_.inner + c) * bytes_;
}
double FloatReduction::load(const std::byte* at) const {
  if (type_ == 0) return static_cast<double>(loadUnaligned<float>(at));
  return static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(at)));
}
void FloatReduction::store(std::byte* to, std::size_t i, double value) const {
  if (type_ == 0) {
    storeUnaligned(to + i * 4, static_cast<float>(value));
  } else {
    storeUnaligned(to + i * 2, Half(value).bits());
  }
}

void FloatReduction::run(const std::byte* from, std::byte* to, std::byte* scratch, Team& team) const {
  if (hasShortRows_) return foldShortRows(from, to, team);
  if (shape_.kind == ReduceKind::reduceLogSumExp) return logSumExp(from, to, team);
  if (shape_.kind == ReduceKind::reduceProduct) return product(from, to, team);
  auto* partials = reinterpret_cast<float*>(scratch);
  fold(from, partials, team);
  reducePartials(from, to, partials, team);
}

void FloatReduction::foldShortRows(const std::byte* from, std::byte* to, Team& team) const {
  const auto kernel = kernels_.shortRows[static_cast<std::size_t>(fold_)];
  const float divisor = shape_.kind == ReduceKind::reduceMean ? static_cast<float>(shape_.count) : 1;
  team.forRanges(shape_.outer, 32768 / shape_.count, [&](std::size_t begin, std::size_t end, unsigned) {
    auto* results = reinterpret_cast<float*>(to) + begin;
    if (kernel(at(from, begin, 0, 0), end - begin, shape_.count, divisor, results) || !isSum(fold_)) return;
    RunWatch watch;
    for (std::size_t o = begin; o < end; ++o) {  // recompute sums that have overflowed
      const float sum = loadUnaligned<float>(to + o * sizeof(float));
      if (!std::isfinite(sum)) store(to, o, foldExactly(at(from, o, 0, 0), watch) / static_cast<double>(divisor));
    }
  });
}

// Reduces blocks of rows to partials[outer, blocks, inner].
void FloatReduction::fold(const std::byte* from, float* partials, Team& team) const {
  const auto kind = static_cast<std::size_t>(fold_);
  const auto step = static_cast<std::ptrdiff_t>(shape_.inner * bytes_);
  constexpr std::size_t kColumns = 512;
  forColumns(team, shape_.outer * blocks_, std::min(block_, shape_.count), shape_.inner, kColumns,
             [&](std::size_t part, std::size_t begin, std::size_t end) {
               const std::size_t o = part / blocks_, row = part % blocks_ * block_, rows = std::min(block_, shape_.count - row);
               const std::byte* x = at(from, o, row, begin);
               float* to = partials + part * shape_.inner + begin;
               if (shape_.inner == 1) {
                 *to = static_cast<float>(kernels_.row[type_][kind](x, rows));
               } else {
                 kernels_.columns[type_][kind](x, rows, step, end - begin, to);
               }
             });
}

// Computes a sum element by element in double.
double FloatReduction::foldExactly(const std::byte* column, RunWatch& watch) const {
  double sum = 0;
  for (std::size_t i = 0; i < shape_.count && !watch.isOver(1); ++i) {
    const double x = load(column + i * shape_.inner * bytes_);
    sum += fold_ == Fold::squares ? x * x : fold_ == Fold::absolutes ? std::fabs(x) : x;
  }
  return sum;
}

double FloatReduction::reducePartialsOf(const std::byte* from, const float* partials, std::size_t o, std::size_t c,
                                        RunWatch& watch) const {
  const float* partial = partials + o * blocks_ * shape_.inner + c;
  auto result = static_cast<double>(partial[0]);
  for (std::size_t b = 1; b < blocks_; ++b) {
    const auto x = static_cast<double>(partial[b * shape_.inner]);
    if (isSum(fold_)) {
      result += x;
    } else if ((fold_ == Fold::greatest ? x > result : x < result) || x != x) {
      result = x;
    }
  }
  if (!isSum(fold_)) return result;
  // If intermediate float32 sums or squares overflowed or underflowed, recompute in double.
  if (!std::isfinite(result) || (fold_ == Fold::squares && result < 1e-30)) result = foldExactly(at(from, o, 0, c), watch);
  switch (shape_.kind) {
    case ReduceKind::reduceMean: return result / static_cast<double>(shape_.count);
    case ReduceKind::reduceL2: return std::sqrt(result);
    case ReduceKind::reduceLogSum: return std::log(result);
    default: return result;
  }
}

void FloatReduction::reducePartials(const std::byte* from, std::byte* to, const float* partials, Team& team) const {
  const std::size_t grain = std::max<std::size_t>(1, 16384 / (4 * blocks_));
  team.forRanges(shape_.outer * shape_.inner, grain, [&](std::size_t begin, std::size_t end, unsigned) {
    if (storePartials(to, partials, begin, end - begin)) return;
    RunWatch watch;
    for (std::size_t i = begin; i < end; ++i)
      store(to, i, reducePartialsOf(from, partials, i / shape_.inner, i % shape_.inner, watch));
  });
}

// Stores float32 partial results as the results, divided by the count for reduceMean. Returns false if the results need more
// work: rounding to float16, a combination of several partial results, a root or logarithm, or sums that have overflowed or may
// have underflowed.
bool FloatReduction::storePartials(std::byte* to, const float* partials, std::size_t first, std::size_t count) const {
  if (type_ == 1 || blocks_ > 1 || shape_.kind == ReduceKind::reduceL2 || shape_.kind == ReduceKind::reduceLogSum ||
      fold_ == Fold::squares)
    return false;
  const float divisor = shape_.kind == ReduceKind::reduceMean ? static_cast<float>(shape_.count) : 1;
  return kernels_.divide(partials + first, count, divisor, reinterpret_cast<float*>(to) + first) || !isSum(fold_);
}

// Subtracts the maximum first, so that every exponential is at most 1 and the sum cannot overflow.
void FloatReduction::logSumExp(const std::byte* from, std::byte* to, Team& team) const {
  const auto step = static_cast<std::ptrdiff_t>(shape_.inner * bytes_);
  constexpr auto kGreatest = static_cast<std::size_t>(Fold::greatest);
  forColumns(
      team, shape_.outer, 4 * shape_.count, shape_.inner, kColumnsAtOnce, [&](std::size_t o, std::size_t begin, std::size_t end) {
        const std::byte* x = at(from, o, 0, begin);
        float max[kColumnsAtOnce];
        double sums[kColumnsAtOnce]{};
        RunWatch watch;
        if (shape_.inner == 1) {
          max[0] = -std::numeric_limits<float>::infinity();
          for (std::size_t i = 0; i < shape_.count && !watch.isOver(std::min(kRowPart, shape_.count)); i += kRowPart) {
            const double some = kernels_.row[type_][kGreatest](x + i * bytes_, std::min(kRowPart, shape_.count - i));
            if (some > static_cast<double>(max[0]) || some != some) max[0] = static_cast<float>(some);  // a NaN stays
          }
          for (std::size_t i = 0; i < shape_.count && std::isfinite(max[0]) && !watch.isOver(std::min(kRowPart, shape_.count));
               i += kRowPart) {
            sums[0] += kernels_.exponentials[type_](x + i * bytes_, std::min(kRowPart, shape_.count - i), max[0]);
          }
        } else {
          kernels_.columns[type_][kGreatest](x, std::min(kRows, shape_.count), step, end - begin, max);
          for (std::size_t row = kRows; row < shape_.count && !watch.isOver(kRows * (end - begin)); row += kRows) {
            float some[kColumnsAtOnce];
            kernels_.columns[type_][kGreatest](at(from, o, row, begin), std::min(kRows, shape_.count - row), step, end - begin,
                                               some);
            for (std::size_t c = 0; c < end - begin; ++c) {
              if (some[c] > max[c] || some[c] != some[c]) max[c] = some[c];  // a NaN stays
            }
          }
          for (std::size_t row = 0; row < shape_.count && !watch.isOver(kRows * (end - begin)); row += kRows) {
            float some[kColumnsAtOnce];
            kernels_.exponentialColumns[type_](at(from, o, row, begin), std::min(kRows, shape_.count - row), step, end - begin,
                                               max, some);
            for (std::size_t c = 0; c < end - begin; ++c) sums[c] += static_cast<double>(some[c]);
          }
        }
        for (std::size_t c = 0; c < end - begin; ++c) {
          const auto m = static_cast<double>(max[c]);  // the result if it is NaN or infinite
          store(to, o * shape_.inner + begin + c, std::isfinite(m) ? m + std::log(sums[c]) : m);
        }
      });
}

// Multiplies a row into `product`. Returns false, without setting `product`, if the elements must be multiplied from first to
// last.
bool FloatReduction::multiplyRow(const std::byte* x, double& product) const {
  double all = 1;
  RunWatch watch;
  for (std::size_t i = 0; i < shape_.count && !watch.isOver(std::min(kRowPart, shape_.count)); i += kRowPart) {
    if (!kernels_.product(x + i * sizeof(float), std::min(kRowPart, shape_.count - i), all)) return false;
  }
  product = all;
  return true;
}

// Multiplies in double, because intermediate products may overflow or underflow float32.
void FloatReduction::product(const std::byte* from, std::byte* to, Team& team) const {
  forColumns(team, shape_.outer, 2 * shape_.count, shape_.inner, kColumnsAtOnce,
             [&](std::size_t o, std::size_t begin, std::size_t end) {
               double products[kColumnsAtOnce];
               std::fill(products, products + (end - begin), 1.0);
               const std::byte* x = at(from, o, 0, begin);
               if (type_ == 1) {
                 multiplyColumns<std::uint16_t>(x, shape_, end - begin, products);
               } else if (shape_.inner > 1 || !multiplyRow(x, *products)) {
                 multiplyColumns<float>(x, shape_, end - begin, products);
               }
               for (std::size_t c = 0; c < end - begin; ++c) store(to, o * shape_.inner + begin + c, products[c]);
             });
}

StepPtr planReduction(const Reduction& reduction, Slot from, Planner& planner, const StridedCopy* arrange) {
  const Slot to = planner.output();
  if (!isFloat(reduction.type) && !arrange) {
    return makeStep("reduce integers",
                    [=, reduce = integerReduction(reduction.kind, reduction.type, planner.isa())](const Frame& frame) {
                      reduce(reduction, frame.in<std::byte>(from), frame.out<std::byte>(to), frame.team);
                    });
  }
  const std::size_t bytes = reduction.outer * reduction.count * reduction.inner * bitsPerElement(reduction.type) / 8;
  const std::size_t arranged = arrange ? (bytes + 63) / 64 * 64 : 0;
  if (!isFloat(reduction.type)) {
    const Slot scratch = planner.scratch(arranged);
    return makeStep(
        "reduce integers",
        [=, arrange = *arrange, reduce = integerReduction(reduction.kind, reduction.type, planner.isa())](const Frame& frame) {
          arrange.run(frame.in<std::byte>(from), frame.out<std::byte>(scratch), frame.team);
          reduce(reduction, frame.in<std::byte>(scratch), frame.out<std::byte>(to), frame.team);
        });
  }
  const FloatReduction floats(reduction, planner.isa());
  const Slot scratch = planner.scratch(arranged + floats.scratchBytes());
  return makeStep("reduce", [=, arrange = arrange ? std::optional(*arrange) : std::nullopt](const Frame& frame) {
    const auto* input = frame.in<std::byte>(from);
    auto* free = frame.out<std::byte>(scratch);
    if (arrange) {
      arrange->run(input, free, frame.team);
      input = free;
    }
    floats.run(input, frame.out<std::byte>(to), free + arranged, frame.team);
  });
}

}  // namespace webnn::cpu
