#include <algorithm>

#include "backends/cpu/ops/reduce/reduce.h"
#include "backends/cpu/simd/top.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

static_assert(TopList::kMost == TopPositions::kMost);

struct TopStep {
  FindTop find;
  std::size_t rows, length, count;
  bool isWide;  // results are int64, not int32

  void run(const float* from, std::byte* to, Team& team) const {
    constexpr std::size_t kElements = 16384;  // about ten microseconds
    team.forRanges(rows, std::max<std::size_t>(kElements / length, 1), [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t row = begin; row < end; ++row) runRow(from + row * length, to, row * count);
    });
  }

 private:
  // Searches in parts, so that the run can be stopped between them.
  void runRow(const float* x, std::byte* to, std::size_t first) const {
    constexpr std::size_t kAtOnce = std::size_t{1} << 18;
    TopList list;
    list.count = count;
    for (std::size_t i = 0; i < length && (i == 0 || !isRunOver()); i += kAtOnce) find(x, i, std::min(i + kAtOnce, length), list);
    for (std::size_t i = 0; i < list.size; ++i) {
      if (isWide) {
        storeUnaligned(to + (first + i) * 8, std::int64_t{list.positions[i]});
      } else {
        storeUnaligned(to + (first + i) * 4, list.positions[i]);
      }
    }
  }
};

}  // namespace

StepPtr plan(const TopPositions& op, Planner& planner) {
  const std::size_t length = op.input.shape().back();
  const TopStep step{topKernels(planner.isa()).find[op.isGreatest ? 1 : 0], elementCount(op.input.descriptor()) / length, length,
                     op.count, planner.outputOperand().dataType() == DataType::int64};
  return makeStep(formatText("top {} of {}x{}", op.count, step.rows, length),
                  [step, from = planner.slot(op.input), to = planner.output()](const Frame& frame) {
                    step.run(frame.in<float>(from), frame.out<std::byte>(to), frame.team);
                  });
}

}  // namespace webnn::cpu
