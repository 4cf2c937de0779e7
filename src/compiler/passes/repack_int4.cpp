// Unpacks 4-bit operands to one byte per element, because most steps cannot read packed elements. The graph's inputs and outputs
// stay packed. Results differ between 4 and 8 bits only for saturation, wrapping and padding values, which the pass adapts.
#include <algorithm>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

bool isNibble(DataType type) { return bitsPerElement(type) == 4; }
bool isNibble(const Operand& operand) { return isNibble(operand.dataType()); }
DataType byteType(DataType type) { return type == DataType::int4 ? DataType::int8 : DataType::uint8; }

bool concernsNibbles(const ModuleNode& node) {
  bool concerns = false;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { concerns = concerns || isNibble(operand); });
  for (const Operand& output : node.outputs) concerns = concerns || isNibble(output);
  return concerns;
}

// Constant weights stay packed, because GEMM and dequantizeLinear unpack them.
bool isPackedWeight(const ModuleNode& node) {
  const auto* op = as<ops::DequantizeLinear>(node.operation);
  return op && isConstant(op->input) && isConstant(op->zeroPoint);
}

class Repacking {
 public:
  Repacking(Module& module, const PassOptions& options) : module_(module), options_(options) {}

  void run() {
    std::vector<ModuleNode> nodes = std::move(module_.nodes);
    nodes_.reserve(nodes.size());
    for (ModuleNode& node : nodes) {
      folded_.apply(node.operation);
      module_.rewritten = node.origins;
      if (!concernsNibbles(node) || isPackedWeight(node)) {
        nodes_.push_back(std::move(node));
      } else if (const auto constants = foldNode(module_, node, options_)) {
        module_.setAbsent(node.origins, Absence::constant);
        for (std::size_t i = 0; i < constants->size(); ++i) folded_.replace(node.outputs[i], (*constants)[i]);
      } else {
        rewrite(std::move(node));
      }
    }
    module_.nodes = std::move(nodes_);
    folded_.apply(module_);
    packOutputs();
  }

 private:
  struct Bytes {
    Operand operand;
    Origins origins;  // the origins of the node that computes the operand
  };

  // Returns the unpacked operand with the elements of `operand`.
  Operand bytesOf(const Operand& operand) {
    if (!isNibble(operand)) return operand;
    if (const auto found = bytes_.find(operand.record().index); found != bytes_.end()) return found->second.operand;
    const OperandDescriptor descriptor{byteType(operand.dataType()), operand.shape()};
    Operand bytes = isConstant(operand) ? widenedNibbles(module_, operand) : repacked(operand, descriptor);
    bytes_.emplace(operand.record().index, Bytes{bytes, {}});
    return bytes;
  }
  Operand repacked(const Operand& operand, const OperandDescriptor& descriptor) {
    Operand result = module_.intermediate(descriptor, operand.record().name);
    nodes_.push_back({EngineOperation(Repack{.input = operand}), {result}, module_.rewritten});
    return result;
  }

  void rewrite(ModuleNode node) {
    const auto* cast = as<ops::Cast>(node.operation);
    const bool wraps = cast && !isFloat(cast->input.dataType());
    const bool saturates = !wraps && (cast || as<ops::QuantizeLinear>(node.operation));
    if (auto* pad = as<ops::Pad>(node.operation)) pad->options.value = webnn::cast(pad->options.value, pad->input.dataType());
    if (auto* target = as<ops::Cast>(node.operation); target && isNibble(target->dataType))
      target->dataType = byteType(target->dataType);
    mapOperands(node.operation, [&](const Operand& operand) { return bytesOf(operand); });
    const std::vector<Operand> packed = node.outputs;
    for (Operand& output : node.outputs) {
      if (isNibble(output)) output = module_.intermediate({byteType(output.dataType()), output.shape()}, output.record().name);
    }
    const std::vector<Operand> bytes = node.outputs;
    nodes_.push_back(std::move(node));
    for (std::size_t i = 0; i < packed.size(); ++i) {
      if (!isNibble(packed[i])) continue;
      Operand result = bytes[i];
      if (saturates) result = clamped(result, packed[i].dataType());
      if (wraps) result = repacked(repacked(result, packed[i].descriptor()), bytes[i].descriptor());
      bytes_.emplace(packed[i].record().index, Bytes{result, module_.rewritten});
    }
  }

  Operand clamped(const Operand& bytes, DataType type) {
    const bool isSigned = type == DataType::int4;
    ops::Clamp clamp{.input = bytes, .options = {}};
    clamp.options.minValue = isSigned ? -8 : 0;
    clamp.options.maxValue = isSigned ? 7 : 15;
    return module_.append(nodes_, Operation(std::move(clamp)));
  }

  void packOutputs() {
    std::vector<bool> isDone(module_.indexLimit());
    for (const auto& [name, operand] : module_.outputs) {
      const std::uint32_t index = operand.record().index;
      const auto bytes = bytes_.find(index);
      if (!isNibble(operand) || operand.record().kind != OperandKind::intermediate || bytes == bytes_.end() || isDone[index])
        continue;
      isDone[index] = true;
      module_.nodes.push_back({EngineOperation(Repack{.input = bytes->second.operand}), {operand}, bytes->second.origins});
    }
  }

  Module& module_;
  const PassOptions& options_;
  std::vector<ModuleNode> nodes_;
  Replacements folded_;
  std::unordered_map<std::uint32_t, Bytes> bytes_;  // keyed by the index of the packed operand
};

}  // namespace

void repackInt4(Module& module, const PassOptions& options) {
  if (std::ranges::any_of(module.nodes, concernsNibbles)) Repacking(module, options).run();
}

}  // namespace webnn::compiler
