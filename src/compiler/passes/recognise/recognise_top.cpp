// Replaces searches for the k best elements of each row by TopPositions. WebNN has no such operation, so importers write rounds:
// each finds the position of the greatest (or least) element that earlier rounds have not taken. A concatenation joins the
// positions.
#include <algorithm>
#include <limits>

#include "base/unaligned.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind, ops::LogicalUnaryKind;

constexpr double kBeyond = std::numeric_limits<double>::infinity();

// Returns the operand of a logicalUnary of `kind`; nullopt if `operand` is computed by another operation.
std::optional<Operand> argumentOf(const Patterns& patterns, const Operand& operand, LogicalUnaryKind kind) {
  const auto* op = patterns.made<ops::LogicalUnary>(operand);
  return op && op->kind == kind ? std::optional(op->a) : std::nullopt;
}

bool isEverywhere(const Operand& operand, double value) {
  const std::optional<float> number = uniformValue(operand);
  return number && static_cast<double>(*number) == value;
}

// Matches the rounds from the first to the last.
class TopSearch {
 public:
  TopSearch(const Patterns& patterns, std::uint32_t axis) : patterns_(patterns), axis_(axis) {}

  // Returns whether `position` is the result of the next round, and advances to it.
  bool takes(const Operand& position) {
    const auto* found = patterns_.made<ops::ArgMinMax>(position);
    if (!found || found->kind != ops::ArgMinMaxKind::argMax || found->axis != axis_ || !found->options.keepDimensions)
      return false;
    if (!(position_ ? takesNext(found->input) : takesFirst(found->input))) return false;
    position_ = position;
    return true;
  }

  // Returns the operation; nullopt unless the rounds compare the elements of a float32 operand with NaN replaced by infinity.
  std::optional<TopPositions> result(std::uint32_t count) const {
    if (count > keys_.shape().back()) return std::nullopt;  // later rounds find nothing new
    const auto* keys = patterns_.made<ops::Where>(keys_);   // ranks NaN as infinity
    if (!keys || !isEverywhere(keys->trueValue, kBeyond) || keys->falseValue.shape() != keys_.shape()) return std::nullopt;
    const std::optional<Operand> tested = argumentOf(patterns_, keys->condition, LogicalUnaryKind::isNaN);
    if (!tested || !isSame(*tested, keys->falseValue) || !isFloat32(*tested)) return std::nullopt;
    return TopPositions{.input = *tested, .count = count, .isGreatest = isGreatest_, .options = {}};
  }

 private:
  // Returns the elements among which `isBest` marks the best; null if `isBest` is computed in another way.
  const Operand* comparedIn(const Operand& isBest, ops::ReduceKind kind) const {
    const auto* equal = patterns_.binary(isBest, BinaryKind::equal);
    const auto* best = equal ? patterns_.reduction(equal->b, kind) : nullptr;
    return best && isSame(best->input, equal->a) && *best->options.axes == std::vector{axis_} ? &equal->a : nullptr;
  }
  ops::ReduceKind kind() const { return isGreatest_ ? ops::ReduceKind::reduceMax : ops::ReduceKind::reduceMin; }

  bool takesFirst(const Operand& isBest) {
    const Operand* keys = comparedIn(isBest, kind());
    if (!keys) {
      isGreatest_ = false;
      keys = comparedIn(isBest, kind());
    }
    if (!keys) return false;
    keys_ = *keys;
    return keys_.rank() == axis_ + 1;
  }
  // A later round marks the best of where(taken, worst, keys) that is not taken.
  bool takesNext(const Operand& mask) {
    const auto* both = patterns_.binary(mask, BinaryKind::logicalAnd);
    const std::optional<Operand> taken = both ? argumentOf(patterns_, both->b, LogicalUnaryKind::logicalNot) : std::nullopt;
    const Operand* compared = taken ? comparedIn(both->a, kind()) : nullptr;
    const auto* left = compared ? patterns_.made<ops::Where>(*compared) : nullptr;
    return left && isSame(left->condition, *taken) && isTaken(*taken) && isSame(left->falseValue, keys_) &&
           isEverywhere(left->trueValue, isGreatest_ ? -kBeyond : kBeyond);
  }
  // Returns whether `operand` marks the elements that the rounds so far have taken, and keeps it for the next round.
  bool isTaken(const Operand& operand) {
    const auto* either = taken_ ? patterns_.binary(operand, BinaryKind::logicalOr) : nullptr;
    if (taken_ && (!either || !isSame(either->a, *taken_))) return false;
    taken_ = operand;
    return isAt(either ? either->b : operand, *position_);
  }
  bool isAt(const Operand& operand, const Operand& position) {
    const auto* equal = patterns_.binary(operand, BinaryKind::equal);
    return equal && isSame(equal->b, position) && isCounting(equal->a) && operand.shape() == keys_.shape();
  }
  // Returns whether a constant holds 0, 1, 2, ... along the rows.
  bool isCounting(const Operand& operand) {
    if (counting_ && isSame(operand, *counting_)) return true;
    if (!isConstant(operand) || operand.rank() == 0 || operand.shape().back() != keys_.shape().back()) return false;
    if (elementCount(operand.descriptor()) != operand.shape().back()) return false;
    if (operand.dataType() != DataType::int32 && operand.dataType() != DataType::int64) return false;
    const std::span<const std::byte> bytes = operand.record().bytes;
    for (std::size_t i = 0; i < operand.shape().back(); ++i) {
      const std::int64_t number = operand.dataType() == DataType::int32 ? loadUnaligned<std::int32_t>(bytes.data() + 4 * i)
                                                                        : loadUnaligned<std::int64_t>(bytes.data() + 8 * i);
      if (number != static_cast<std::int64_t>(i)) return false;
    }
    counting_ = operand;
    return true;
  }

  const Patterns& patterns_;
  std::uint32_t axis_;
  bool isGreatest_ = true;
  Operand keys_;                                        // the elements that the first round compares
  std::optional<Operand> position_, taken_, counting_;  // the last round's result, the mask that it reads, a constant 0, 1, ...
};

bool recogniseSearch(const Patterns& patterns, ModuleNode& node) {
  const auto* concat = as<ops::Concat>(node.operation);
  if (!concat || concat->inputs.size() > TopPositions::kMost || concat->axis + 1 != node.outputs[0].rank()) return false;
  TopSearch search(patterns, concat->axis);
  if (!std::ranges::all_of(concat->inputs, [&](const Operand& position) { return search.takes(position); })) return false;
  std::optional<TopPositions> top = search.result(node.outputs[0].shape().back());
  if (!top) return false;
  top->options.label = concat->options.label;
  node.operation = *std::move(top);
  return true;
}

}  // namespace

void recogniseTop(Module& module, const PassOptions& options) {
  bool isChanged = false;
  const Patterns patterns(module);
  for (ModuleNode& node : module.nodes) isChanged |= recogniseSearch(patterns, node);
  if (isChanged) eliminateDeadCode(module, options);
}

}  // namespace webnn::compiler
