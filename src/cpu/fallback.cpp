#include "cpu/fallback.h"

#include "base/text.h"
#include "reference/reference_backend.h"

namespace webnn::cpu {

StepPtr planFallback(const ModuleNode& node, Planner& planner) {
  const auto* operation = std::get_if<Operation>(static_cast<const EngineVariant*>(&node.operation));
  if (!operation) fail(ErrorKind::unknownError, "the CPU engine has no step for {}.", name(node.operation));
  std::vector<std::pair<Slot, std::size_t>> inputs, results;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
    inputs.emplace_back(planner.slot(operand), byteLength(operand.descriptor()));
  });
  ops::Outputs outputs;
  for (const Operand& output : node.outputs) {
    outputs.push_back(output.descriptor());
    results.emplace_back(planner.slot(output), byteLength(output.descriptor()));
  }
  return makeStep("reference", [operation = *operation, inputs, results, outputs](const Frame& frame) {
    std::vector<std::span<const std::byte>> bytes;
    for (const auto& [slot, size] : inputs) bytes.emplace_back(frame.in<std::byte>(slot), size);
    const auto values = reference::evaluate(operation, bytes, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::memcpy(frame.out<std::byte>(results[i].first), values[i].data(), results[i].second);
    }
  });
}

}  // namespace webnn::cpu
