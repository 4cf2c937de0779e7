#include <algorithm>
#include <optional>

#include "compiler/passes/merge_elements.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

constexpr std::size_t kMostOperands = 4;
constexpr std::size_t kMostEpilogueInstructions = 16;
// With fewer columns, a program takes 1.2 to 1.8 times as long on a few rows at a time as on the whole result.
constexpr std::uint32_t kFewestColumns = 16;

// Appends the program of `fused` to the epilogue `before`, whose result is input `at` of `fused`. Operands that `before` already
// has are shared; other operands are appended.
void append(Epilogue& before, const FusedElementwise& fused, std::size_t at, bool rounds) {
  ElementProgram program;
  program.inputs = static_cast<std::uint16_t>(1 + before.operands.size());
  std::vector<std::uint16_t> inputs(fused.inputs.size());  // indexed by input of `fused`: its value number in the new program
  std::vector<Operand> operands = before.operands;
  for (std::size_t i = 0; i < fused.inputs.size(); ++i) {
    if (i == at) continue;
    const auto known = std::ranges::find(operands, fused.inputs[i]);
    inputs[i] = static_cast<std::uint16_t>(1 + (known - operands.begin()));
    if (known == operands.end()) operands.push_back(fused.inputs[i]);
  }
  const auto added = static_cast<std::uint16_t>(operands.size() - before.operands.size());
  // The existing program keeps its inputs. Its results are renumbered to make room for the new inputs.
  const auto moved = [&](std::uint16_t value) {
    return value < program.inputs ? value : static_cast<std::uint16_t>(value + added);
  };
  program.instructions = before.program.instructions;
  for (ElementInstruction& instruction : program.instructions) {
    instruction.a = moved(instruction.a), instruction.b = moved(instruction.b), instruction.c = moved(instruction.c);
  }
  program.inputs = static_cast<std::uint16_t>(program.inputs + added);
  const std::uint16_t last = program.instructions.empty() ? std::uint16_t{0} : program.result();
  if (rounds) program.instructions.push_back({.code = ElementCode::toHalf, .a = last});
  inputs[at] = program.instructions.empty() ? std::uint16_t{0} : program.result();
  const auto offset = static_cast<std::uint16_t>(program.inputs + program.instructions.size());
  const auto mapped = [&](std::uint16_t value) {
    return value < fused.program.inputs ? inputs[value] : static_cast<std::uint16_t>(value - fused.program.inputs + offset);
  };
  for (ElementInstruction instruction : fused.program.instructions) {
    const unsigned count = operandCount(instruction.code);
    if (count > 0) instruction.a = mapped(instruction.a);
    if (count > 1) instruction.b = mapped(instruction.b);
    if (count > 2) instruction.c = mapped(instruction.c);
    program.instructions.push_back(instruction);
  }
  before = {std::move(program), std::move(operands)};
}

class EpilogueFuser {
 public:
  explicit EpilogueFuser(Module& module)
      : module_(module),
        uses_(module),
        from_(module.indexLimit(), -1),
        elements_(module.indexLimit(), -1),
        distance_(module.indexLimit(), kMostEpilogueInstructions + 1),
        isGone_(module.nodes.size()) {}

  void run() {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      const ModuleNode& node = module_.nodes[i];
      if (isFusible(node.operation)) from_[node.outputs[0].record().index] = static_cast<std::int32_t>(i);
      const auto* fused = as<FusedElementwise>(node.operation);
      if (!fused) continue;
      elements_[node.outputs[0].record().index] = static_cast<std::int32_t>(i);
      if (fuse(*fused, i, {})) continue;
      if (!isNearShared(*fused, node.outputs[0])) continue;
      if (const Joined joined = join(*fused, node.outputs[0]); !joined.nodes.empty()) fuse(joined.program, i, joined.nodes);
    }
    std::vector<ModuleNode> kept;
    kept.reserve(module_.nodes.size());
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      if (!isGone_[i]) kept.push_back(std::move(module_.nodes[i]));
    }
    module_.nodes = std::move(kept);
  }

 private:
  // Returns whether a few instructions compute `output` from a result that could take an epilogue if it had fewer readers.
  // Without this test, joining the nodes of a long element-wise chain would take a long time.
  bool isNearShared(const FusedElementwise& fused, const Operand& output) {
    if (output.rank() == 0 || output.shape().back() < kFewestColumns) return false;
    std::size_t distance = kMostEpilogueInstructions;
    for (const Operand& input : fused.inputs) {
      const std::uint32_t index = input.record().index;
      const bool isShared = from_[index] >= 0 && uses_.of(input) > 1;
      distance = std::min<std::size_t>(distance, isShared ? 0 : distance_[index]);
    }
    distance = std::min(distance + fused.program.instructions.size(), kMostEpilogueInstructions + 1);
    distance_[output.record().index] = static_cast<std::uint8_t>(distance);
    return distance <= kMostEpilogueInstructions;
  }

  // An element-wise program that computes several nodes. `nodes` are those before the last one.
  struct Joined {
    FusedElementwise program;
    std::vector<std::size_t> nodes;
  };

  // Appends `fused`, which computes `node` and the nodes in `joined`, to the epilogue of the node that computes one of its
  // inputs. If several such nodes accept an epilogue, uses the last one in execution order.
  bool fuse(const FusedElementwise& fused, std::size_t node, const std::vector<std::size_t>& joined) {
    const Operand& output = module_.nodes[node].outputs[0];
    std::int32_t best = -1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < fused.inputs.size(); ++i) {
      const Operand& input = fused.inputs[i];
      const std::int32_t producer = from_[input.record().index];
      if (producer <= best || uses_.isOutput[input.record().index] || input.descriptor() != output.descriptor()) continue;
      if (uses_.of(input) != 1 && uses_.of(input) != readers(input, node, joined)) continue;
      best = producer, at = i;
    }
    if (best < 0) return false;
    EngineOperation operation = module_.nodes[static_cast<std::size_t>(best)].operation;
    const bool rounds = output.dataType() == DataType::float16;
    if (!visitOperation(operation, [&](auto& op) { return add(op, fused, at, rounds, output); })) return false;
    isGone_[static_cast<std::size_t>(best)] = true;
    for (const std::size_t other : joined) isGone_[other] = true;
    module_.nodes[node].operation = std::move(operation);
    from_[output.record().index] = static_cast<std::int32_t>(node);
    elements_[output.record().index] = -1;
    return true;
  }

  // Merges element-wise producers with one use into `fused`, so that a value that they read as well, such as x in x * sigmoid(x),
  // has one reader.
  Joined join(const FusedElementwise& fused, const Operand& output) const {
    Joined joined{fused, {}};
    for (std::size_t i = 0; i < joined.program.inputs.size();) {
      const Operand input = joined.program.inputs[i];
      const std::int32_t producer = elements_[input.record().index];
      const FusedElementwise* first =
          producer < 0 ? nullptr : as<FusedElementwise>(module_.nodes[static_cast<std::size_t>(producer)].operation);
      if (first && uses_.of(input) == 1 && !uses_.isOutput[input.record().index] && input.shape() == output.shape() &&
          first->program.instructions.size() + joined.program.program.instructions.size() <= kMostEpilogueInstructions) {
        joined.program = merged(*first, input.dataType(), joined.program, i);
        joined.nodes.push_back(static_cast<std::size_t>(producer));
        i = 0;
      } else {
        ++i;
      }
    }
    return joined;
  }

  // Returns how many operands of the node and of the joined nodes are `value`.
  std::size_t readers(const Operand& value, std::size_t node, const std::vector<std::size_t>& joined) const {
    const auto readersIn = [&](std::size_t i) {
      return std::ranges::count_if(as<FusedElementwise>(module_.nodes[i].operation)->inputs,
                                   [&](const Operand& input) { return input.record().index == value.record().index; });
    };
    std::ptrdiff_t count = readersIn(node);
    for (const std::size_t other : joined) count += readersIn(other);
    return static_cast<std::size_t>(count);
  }

  template <typename Op>
  static bool add(Op& op, const FusedElementwise& fused, std::size_t at, bool rounds, const Operand& output) {
    if constexpr (requires { op.epilogue; }) {
      if (!rounds && op.epilogue.empty() && takeBias(op, fused, at, output)) return true;
      append(op.epilogue, fused, at, rounds);
      return op.epilogue.operands.size() <= kMostOperands &&
             op.epilogue.program.instructions.size() <= kMostEpilogueInstructions && canTake(op, output.descriptor());
    } else {
      return false;
    }
  }

  // Stores the row as the operation's bias if `fused` only adds a row (one element per column); else returns false.
  static bool takeBias(auto& op, const FusedElementwise& fused, std::size_t at, const Operand& output) {
    std::optional<Operand>& bias = biasOf(op);
    if (bias || fused.inputs.size() != 2 || fused.program.instructions.size() != 1) return false;
    const ElementInstruction& only = fused.program.instructions[0];
    if (only.code != ElementCode::add || only.a == only.b) return false;
    const Operand& row = fused.inputs[1 - at];
    if (row.dataType() != output.dataType() || row.rank() == 0 || row.shape().back() != output.shape().back() ||
        elementCount(row.descriptor()) != row.shape().back()) {
      return false;
    }
    bias = row;
    return true;
  }
  static bool canTake(const BatchGemm& op, const OperandDescriptor& output) {
    return op.outputPermutation.empty() && output.dataType == DataType::float32;
  }
  static bool canTake(const Convolution&, const OperandDescriptor&) { return true; }

  static std::optional<Operand>& biasOf(BatchGemm& op) { return op.bias; }
  static std::optional<Operand>& biasOf(Convolution& op) { return op.conv.options.bias; }

  static bool isFusible(const EngineOperation& operation) { return as<BatchGemm>(operation) || as<Convolution>(operation); }

  Module& module_;
  Uses uses_;
  std::vector<std::int32_t> from_;      // indexed by operand: the node that computes it and accepts an epilogue
  std::vector<std::int32_t> elements_;  // indexed by operand: the element-wise node that computes it
  // Indexed by operand: how many instructions compute it from a result that could take an epilogue if it had fewer readers.
  std::vector<std::uint8_t> distance_;
  std::vector<bool> isGone_;
};

}  // namespace

void fuseEpilogues(Module& module, const PassOptions&) { EpilogueFuser(module).run(); }

}  // namespace webnn::compiler
