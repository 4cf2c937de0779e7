#include "compiler/passes/quantization.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/fold_node.h"

namespace webnn::compiler {

bool giveFinite(const std::vector<double>& scales) {
  return std::ranges::all_of(scales, [](double scale) { return std::abs(scale) <= std::numeric_limits<float>::max() / 256; });
}

std::optional<Quantization> quantizationOf(const Operand& scale, const Operand& zeroPoint) {
  if (!isByte(zeroPoint.dataType()) || scale.dataType() != DataType::float32) return std::nullopt;
  if (!isConstant(scale) || !isConstant(zeroPoint)) return std::nullopt;
  const std::vector<double> scales = constantNumbers(scale), zeros = constantNumbers(zeroPoint);
  const auto isUniform = [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [&](double value) { return value == values[0]; });
  };
  if (!isUniform(scales) || !isUniform(zeros) || !giveFinite(scales)) return std::nullopt;
  return Quantization{static_cast<float>(scales[0]), static_cast<std::int32_t>(zeros[0]), zeroPoint.dataType()};
}

bool isFaithful(double scale) { return scale >= 0x1p-40 && scale <= 0x1p40; }

std::optional<Quantization> faithfulQuantizationOf(const Operand& scale, const Operand& zeroPoint) {
  const std::optional<Quantization> quantization = quantizationOf(scale, zeroPoint);
  return quantization && isFaithful(static_cast<double>(quantization->scale)) ? quantization : std::nullopt;
}

namespace {

template <typename Op>
Operation withQuantization(Module& module, const Operand& input, const Quantization& quantization) {
  const Shape ones(input.rank(), 1);
  std::vector<std::byte> scale(sizeof(float));
  std::memcpy(scale.data(), &quantization.scale, sizeof(float));
  return Op{input,
            module.constant({DataType::float32, ones}, std::move(scale)),
            module.constant({quantization.type, ones}, std::vector{static_cast<std::byte>(quantization.zeroPoint)}),
            {}};
}

}  // namespace

Operation dequantizing(Module& module, const Operand& numbers, const Quantization& quantization) {
  return withQuantization<ops::DequantizeLinear>(module, numbers, quantization);
}
Operation quantizing(Module& module, const Operand& values, const Quantization& quantization) {
  return withQuantization<ops::QuantizeLinear>(module, values, quantization);
}

const ModuleNode* ChainFusion::producerOf(const Operand& operand) const {
  const std::uint32_t index = operand.record().index;
  if (index >= uses_.producer.size()) return nullptr;
  const std::int32_t node = uses_.producer[index];
  return node < 0 || isGone_[static_cast<std::size_t>(node)] ? nullptr : &module_.nodes[static_cast<std::size_t>(node)];
}

std::optional<std::size_t> ChainFusion::follower(std::size_t index) const {
  const Operand& result = module_.nodes[index].outputs[0];
  if (!isSingleUse(result)) return std::nullopt;
  const std::size_t next = uses_.consumers(result.record().index).front();
  return isGone_[next] ? std::nullopt : std::optional(next);
}

void ChainFusion::replace(const std::vector<std::size_t>& chain, std::vector<ModuleNode> nodes) {
  Origins origins;
  for (const std::size_t node : chain) {
    isGone_[node] = true;
    addOrigins(origins, module_.nodes[node].origins);
  }
  for (ModuleNode& node : nodes) {
    if (node.origins.empty()) node.origins = origins;
  }
  results_[chain.back()] = std::move(nodes);
}

void ChainFusion::finish() {
  std::vector<ModuleNode> nodes;
  for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
    for (ModuleNode& node : results_[i]) nodes.push_back(std::move(node));
    if (!isGone_[i]) nodes.push_back(std::move(module_.nodes[i]));
  }
  module_.nodes = std::move(nodes);
}

void removeUnused(Module& module) {
  std::vector<std::uint32_t> count = Uses(module).count;
  std::vector<ModuleNode> kept;
  for (std::size_t i = module.nodes.size(); i-- > 0;) {
    ModuleNode& node = module.nodes[i];
    const bool isUsed =
        std::ranges::any_of(node.outputs, [&](const Operand& output) { return count[output.record().index] > 0; });
    if (isUsed) {
      kept.push_back(std::move(node));
    } else {
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { --count[operand.record().index]; });
    }
  }
  std::ranges::reverse(kept);
  module.nodes = std::move(kept);
}

}  // namespace webnn::compiler
