// Runs reductions of tensors whose dimensions are merged to three. Also used to pool whole images.
#pragma once

#include <algorithm>

#include "backends/cpu/elements/strided_copy.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/reduce.h"
#include "backends/cpu/simd/reduce_integers.h"
#include "base/divide_up.h"
#include "ops/reduce.h"

namespace webnn::cpu {

// Reduces a tensor [outer, count, inner] over `count`.
struct Reduction {
  ops::ReduceKind kind{};
  DataType type{};
  std::size_t outer = 1, count = 1, inner = 1;
};

// Reduces float32 and float16. Sums are split by the shape only, so results do not depend on the number of threads.
class FloatReduction {
 public:
  FloatReduction(const Reduction& reduction, Isa isa);
  std::size_t scratchBytes() const;
  // Returns whether ReduceKernels::shortRows can compute the reduction.
  static bool hasShortRows(const Reduction& reduction);
  void run(const std::byte* from, std::byte* to, std::byte* scratch, Team& team) const;

 private:
  void foldShortRows(const std::byte* from, std::byte* to, Team& team) const;
  void logSumExp(const std::byte* from, std::byte* to, Team& team) const;
  void product(const std::byte* from, std::byte* to, Team& team) const;
  bool multiplyRow(const std::byte* x, double& product) const;
  void fold(const std::byte* from, float* partials, Team& team) const;
  void reducePartials(const std::byte* from, std::byte* to, const float* partials, Team& team) const;
  bool storePartials(std::byte* to, const float* partials, std::size_t first, std::size_t count) const;
  double reducePartialsOf(const std::byte* from, const float* partials, std::size_t o, std::size_t c, RunWatch& watch) const;
  double foldExactly(const std::byte* column, RunWatch& watch) const;
  const std::byte* at(const std::byte* from, std::size_t o, std::size_t row, std::size_t c) const;
  double load(const std::byte* at) const;
  void store(std::byte* to, std::size_t i, double value) const;

  Reduction shape_;
  const ReduceKernels& kernels_;
  std::size_t type_, bytes_;  // type_: 1 for float16, else 0; bytes_: per element
  bool hasShortRows_;
  Fold fold_ = Fold::sum;
  std::size_t block_ = 1, blocks_ = 1;  // block_: rows per partial result; blocks_: partial results per output
};

// Runs a reduction of integers, whose arithmetic wraps.
struct IntegerReduction {
  void (*reduce)(const Reduction& reduction, FoldIntegers fold, const std::byte* from, std::byte* to, Team& team);
  FoldIntegers fold;
  void operator()(const Reduction& reduction, const std::byte* from, std::byte* to, Team& team) const {
    reduce(reduction, fold, from, to, team);
  }
};
IntegerReduction integerReduction(ops::ReduceKind kind, DataType type, Isa isa);

// Makes a step that reduces `from` to the node's output. `arrange`, if given, first copies `from` into [outer, count, inner].
StepPtr planReduction(const Reduction& reduction, Slot from, Planner& planner, const StridedCopy* arrange = nullptr);

// Calls work(o, begin, end) on the team for the columns [begin, end) of each part o of a tensor [outer, count, inner], with at
// most `most` columns per call.
void forColumns(Team& team, std::size_t outer, std::size_t count, std::size_t inner, std::size_t most, auto work) {
  // Maximum number of elements per call with more than 64 columns. Reducing them takes a few milliseconds.
  constexpr std::size_t kMostElements = std::size_t{1} << 24;
  most = std::clamp<std::size_t>(kMostElements / std::max<std::size_t>(count, 1), std::min<std::size_t>(most, 64), most);
  const std::size_t pieces = divideUp(inner, most), grain = std::max<std::size_t>(1, 16384 / (count * std::min(inner, most)));
  team.forRanges(outer * pieces, grain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t unit = begin; unit < end; ++unit) {
      const std::size_t first = unit % pieces * most;
      work(unit / pieces, first, std::min(first + most, inner));
    }
  });
}

}  // namespace webnn::cpu
