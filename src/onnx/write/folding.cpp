#include "onnx/write/folding.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "backends/reference/reference_backend.h"

namespace webnn::onnx {

namespace {

// Returns whether the operation is identity, reshape, transpose, dequantizeLinear or a cast to floats. Such an operation stays in
// the model, because folding it could make the model larger.
bool isLeft(const Operation& operation) {
  constexpr std::array<std::string_view, 4> kLeft{"dequantizeLinear", "identity", "reshape", "transpose"};
  const auto* const cast = std::get_if<ops::Cast>(&operation);
  return cast ? isFloat(cast->dataType) : std::ranges::find(kLeft, name(operation)) != kLeft.end();
}

}  // namespace

bool Folding::isConstant(const Operand& operand) const {
  return operand.record().kind == OperandKind::constant || makers_.contains(&operand.record());
}

std::vector<Folding::Bytes> Folding::fold(const Node& node) {
  bool areConstant = true;
  visitSizes(node.operation, [&](std::string_view, std::uint32_t size) { areConstant = areConstant && !isOpen(size); });
  visitOperands(node.operation,
                [&](std::string_view, const Operand& operand) { areConstant = areConstant && isConstant(operand); });
  if (!areConstant) return {};
  for (const Operand& output : node.outputs) makers_[&output.record()] = &node;
  if (isLeft(node.operation)) return {};
  std::vector<Bytes> results = compute(node);
  for (std::size_t i = 0; i < results.size(); ++i) values_[&node.outputs[i].record()] = results[i];
  return results;
}

std::vector<Folding::Bytes> Folding::compute(const Node& node) {
  std::vector<std::span<const std::byte>> operands;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    const OperandRecord& record = operand.record();
    operands.push_back(record.kind == OperandKind::constant ? record.bytes : std::span<const std::byte>(valueOf(operand)));
  });
  ops::Outputs outputs;
  for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
  return reference::evaluate(node.operation, operands, outputs);
}

const Folding::Bytes& Folding::valueOf(const Operand& operand) {
  const auto known = values_.find(&operand.record());
  if (known != values_.end()) return known->second;
  const Node& maker = *makers_.at(&operand.record());  // isLeft() accepted this operation, so it has one result
  std::vector<Bytes> results = compute(maker);
  return values_[&operand.record()] = std::move(results.front());
}

}  // namespace webnn::onnx
