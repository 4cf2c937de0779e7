// Fuses producers into consumers: an element-wise operation with a single user is merged into that user, if it is element-wise
// too. A dequantization is merged into each of its element-wise users.
#include <algorithm>
#include <array>

#include "compiler/passes/merge_elements.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// The maximum size of a fused program. Larger programs are limited by computation and not by memory bandwidth, so fusing does not
// pay.
constexpr std::size_t kMostInputs = 8, kMostInstructions = 256;

bool isHalf(float x) { return static_cast<double>(Half(static_cast<double>(x))) == static_cast<double>(x); }

bool isTruth(ElementCode code) { return code >= ElementCode::equal && code <= ElementCode::isInfinite; }

// Returns whether an instruction's result is exact in float16 if its operands are.
bool keepsHalves(const ElementInstruction& instruction) {
  switch (instruction.code) {
    case ElementCode::max:
    case ElementCode::min:
    case ElementCode::where:
    case ElementCode::abs:
    case ElementCode::ceil:
    case ElementCode::floor:
    case ElementCode::neg:
    case ElementCode::roundEven:
    case ElementCode::sign:
    case ElementCode::relu:
    case ElementCode::toHalf: return true;
    case ElementCode::clamp: return isHalf(instruction.p) && isHalf(instruction.q);
    default: return isTruth(instruction.code);
  }
}

// Returns whether storing the program's result as float16 may round it.
bool roundsToHalf(const FusedElementwise& fused) {
  std::vector<bool> isExact;
  for (const Operand& input : fused.inputs) isExact.push_back(input.dataType() != DataType::float32);
  for (const ElementInstruction& x : fused.program.instructions) {
    const std::array<std::uint16_t, 3> operands{x.a, x.b, x.c};
    const unsigned first = x.code == ElementCode::where ? 1 : 0;  // the condition only selects, so it need not be exact
    const bool dependsOnOperands = x.code != ElementCode::toHalf && !isTruth(x.code);
    bool keeps = keepsHalves(x);
    for (unsigned j = first; keeps && dependsOnOperands && j < operandCount(x.code); ++j) keeps = isExact[operands[j]];
    isExact.push_back(keeps);
  }
  return !isExact[fused.program.result()];
}

bool contains(const std::vector<Operand>& operands, const Operand& operand) {
  return std::ranges::any_of(operands, [&](const Operand& other) { return other.record().index == operand.record().index; });
}

// A dequantization is fused into each of its users, because 8-bit operands need less memory than floats.
bool isDequantization(const FusedElementwise& fused) {
  return fused.program.instructions.size() == 1 && fused.program.instructions[0].code == ElementCode::dequantize;
}

class Fuser {
 public:
  explicit Fuser(Module& module) : module_(module), uses_(module.indexLimit()), producer_(module.indexLimit(), nullptr) {
    for (ModuleNode& node : module.nodes) {
      std::vector<std::uint32_t> seen;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { seen.push_back(operand.record().index); });
      std::ranges::sort(seen);
      seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
      for (const std::uint32_t index : seen) ++uses_[index];
      if (as<FusedElementwise>(node.operation)) producer_[node.outputs[0].record().index] = &node;
    }
    for (const auto& [name, operand] : module.outputs) ++uses_[operand.record().index];
  }

  void run() {
    for (ModuleNode& node : module_.nodes) {
      if (!as<FusedElementwise>(node.operation)) continue;
      while (absorbOne(node)) {
      }
    }
    std::erase_if(module_.nodes, [](const ModuleNode& node) { return node.outputs.empty(); });
  }

 private:
  bool absorbOne(ModuleNode& node) {
    auto& fused = *as<FusedElementwise>(node.operation);
    for (std::size_t k = 0; k < fused.inputs.size(); ++k) {
      ModuleNode* before = producer_[fused.inputs[k].record().index];
      if (!before || !fits(*before, fused, fused.inputs[k], node.outputs[0].shape())) continue;
      const auto& first = *as<FusedElementwise>(before->operation);
      const std::uint32_t value = fused.inputs[k].record().index;
      const bool stays = uses_[value] > 1;
      for (const Operand& input : first.inputs) {
        const bool isShared = contains(fused.inputs, input);
        if (isShared && !stays) --uses_[input.record().index];
        if (!isShared && stays) ++uses_[input.record().index];
      }
      FusedElementwise result = merged(first, before->outputs[0].dataType(), fused, k);
      if (stays) {
        --uses_[value];
      } else {
        producer_[value] = nullptr;
        before->outputs.clear();
      }
      fused = std::move(result);
      addOrigins(node.origins, before->origins);
      return true;
    }
    return false;
  }

  bool fits(const ModuleNode& before, const FusedElementwise& fused, const Operand& value, const Shape& shape) const {
    const auto& first = *as<FusedElementwise>(before.operation);
    if ((uses_[value.record().index] != 1 && !isDequantization(first)) || value.shape() != shape) return false;
    std::size_t inputs = fused.inputs.size() - 1;
    for (const Operand& input : first.inputs) inputs += contains(fused.inputs, input) ? 0 : 1;
    return inputs <= kMostInputs && first.program.instructions.size() + fused.program.instructions.size() < kMostInstructions;
  }

  Module& module_;
  std::vector<std::uint32_t> uses_;    // the number of nodes and module outputs that use each operand
  std::vector<ModuleNode*> producer_;  // indexed by operand: the element-wise node that computes it, or null
};

}  // namespace

// Replaces a * sigmoid(a) by silu(a) at the end of a program, if nothing else reads the sigmoid.
static void findSilu(ElementProgram& program) {
  if (program.instructions.size() < 2) return;
  ElementInstruction& last = program.instructions.back();
  const ElementInstruction& before = program.instructions[program.instructions.size() - 2];
  const auto sigmoid = static_cast<std::uint16_t>(program.result() - 1);
  if (last.code != ElementCode::mul || before.code != ElementCode::sigmoid) return;
  if ((last.a != sigmoid || last.b != before.a) && (last.b != sigmoid || last.a != before.a)) return;
  last = {.code = ElementCode::silu, .a = before.a};
  program.instructions.erase(program.instructions.end() - 2);
}

FusedElementwise merged(const FusedElementwise& first, DataType type, const FusedElementwise& second, std::size_t at) {
  FusedElementwise result;
  result.options = second.options;
  const auto inputOf = [&](const Operand& operand) {
    std::size_t k = 0;
    while (k < result.inputs.size() && result.inputs[k].record().index != operand.record().index) ++k;
    if (k == result.inputs.size()) result.inputs.push_back(operand);
    return static_cast<std::uint16_t>(k);
  };
  std::vector<std::uint16_t> firstValues, secondValues;  // the value numbers of both programs in the merged program
  for (const Operand& input : first.inputs) firstValues.push_back(inputOf(input));
  for (std::size_t k = 0; k < second.inputs.size(); ++k) secondValues.push_back(k == at ? 0 : inputOf(second.inputs[k]));
  result.program.inputs = static_cast<std::uint16_t>(result.inputs.size());
  const auto append = [&](ElementInstruction instruction, std::vector<std::uint16_t>& values) {
    const unsigned operands = operandCount(instruction.code);
    instruction.a = values[instruction.a];
    instruction.b = operands > 1 ? values[instruction.b] : 0;
    instruction.c = operands > 2 ? values[instruction.c] : 0;
    result.program.instructions.push_back(instruction);
    values.push_back(result.program.result());
  };
  for (const ElementInstruction& instruction : first.program.instructions) append(instruction, firstValues);
  if (type == DataType::float16 && roundsToHalf(first)) {
    append({.code = ElementCode::toHalf, .a = first.program.result()}, firstValues);
  }
  secondValues[at] = firstValues.back();
  // A program without instructions returns its first input.
  if (first.program.empty() && firstValues.size() == first.inputs.size()) secondValues[at] = firstValues[0];
  for (const ElementInstruction& instruction : second.program.instructions) append(instruction, secondValues);
  findSilu(result.program);
  return result;
}

void fuseElementwise(Module& module, const PassOptions&) { Fuser(module).run(); }

}  // namespace webnn::compiler
