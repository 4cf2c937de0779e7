#include "backends/openvino/require_right.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "base/text.h"

namespace webnn::openvino {

namespace {

constexpr double kMostExact = 0x1p24;  // up to 2^24, float32 represents all integers exactly

bool areZeros(const Operand& operand) {
  const std::span<const std::byte> bytes = operand.record().bytes;
  return !bytes.empty() && std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

class Check {
 public:
  explicit Check(const GraphDefinition& graph) {
    for (const Operand& input : graph.inputs) variable_.insert(&input.record());
    for (const Node& node : graph.nodes) {
      bool isVariable = false;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { isVariable |= this->isVariable(operand); });
      for (const Operand& output : node.outputs) {
        if (isVariable) variable_.insert(&output.record());
      }
      std::visit([&](const auto& op) { check(op, node); }, static_cast<const OperationVariant&>(node.operation));
    }
  }

  std::string wrong;  // refused operations and reasons, separated by semicolons

 private:
  bool isVariable(const Operand& operand) const { return variable_.contains(&operand.record()); }

  void refuse(const Node& node, std::string_view why) {
    const std::string& label = webnn::label(node.operation);
    wrong += formatText("{}{}{} {}", wrong.empty() ? "" : "; ", webnn::name(node.operation),
                        label.empty() ? "" : " " + webnn::quoted(label), why);
  }

  // OpenVINO converts int32 to float32 before it subtracts the zero point. Digits are lost unless the zero point is 0, as it is
  // for quantized biases.
  void check(const ops::DequantizeLinear& op, const Node& node) {
    if (op.zeroPoint.dataType() == DataType::int32 && !areZeros(op.zeroPoint)) {
      refuse(node, "of int32 whose zero points are no constants of 0");
    }
    same_[&node.outputs[0].record()] = rootOf(op.input);
  }
  void check(const ops::Reshape& op, const Node& node) { same_[&node.outputs[0].record()] = rootOf(op.input); }
  void check(const ops::Cast& op, const Node& node) { same_[&node.outputs[0].record()] = rootOf(op.input); }
  void check(const ops::Unary& op, const Node& node) {
    if (op.kind == ops::UnaryKind::identity) same_[&node.outputs[0].record()] = rootOf(op.input);
  }

  // OpenVINO converts the padding value to float32, which is exact for integers up to 2^24 only.
  void check(const ops::Pad& op, const Node& node) {
    const DataType type = op.input.dataType();
    if (isFloat(type) || op.options.mode != PaddingMode::constant) return;
    if (std::abs(webnn::cast(op.options.value, type).toDouble()) <= kMostExact) return;
    refuse(node, formatText("of {} with a value beyond 2^24", webnn::name(type)));
  }

  void check(const ops::Conv2d& op, const Node& node) {
    checkProduct(op.input, op.filter, op.options.bias, node);
    checkWeights(op.filter, "conv2d", node);
  }
  void check(const ops::ConvTranspose2d& op, const Node& node) {
    checkProduct(op.input, op.filter, op.options.bias, node);
    checkWeights(op.filter, "convTranspose2d", node);
  }
  void check(const ops::Gemm& op, const Node& node) {
    checkProduct(op.a, op.b, op.options.c, node);
    checkWeights(op.b, op.options.bTranspose ? "transposed" : "product", node);
  }
  void check(const ops::Matmul& op, const Node& node) { checkWeights(op.b, "product", node); }

  template <typename Op>
  void check(const Op&, const Node&) {}

  // OpenVINO computes a product of two constants once, and each run adds its bias into the product's memory: results accumulate.
  void checkProduct(const Operand& a, const Operand& b, const std::optional<Operand>& bias, const Node& node) {
    if (bias && isVariable(*bias) && !isVariable(a) && !isVariable(b)) refuse(node, "of two constants and a bias that is none");
  }

  // OpenVINO packs constant weights for their first use and wrongly reuses them for operations that need another layout.
  void checkWeights(const Operand& weights, std::string_view use, const Node& node) {
    if (isVariable(weights)) return;
    const std::string_view first = uses_.try_emplace(rootOf(weights), use).first->second;
    if (first != use) refuse(node, "whose weights are those of another operation, too, in another layout");
  }

  // Returns the operand from which `operand` was made by reshape, cast, dequantizeLinear or identity, for which OpenVINO may use
  // the same memory.
  const OperandRecord* rootOf(const Operand& operand) const {
    const auto found = same_.find(&operand.record());
    return found == same_.end() ? &operand.record() : found->second;
  }

  std::unordered_set<const OperandRecord*> variable_;  // operands that depend on an input
  std::unordered_map<const OperandRecord*, const OperandRecord*> same_;
  std::unordered_map<const OperandRecord*, std::string_view> uses_;
};

}  // namespace

void requireRight(const GraphDefinition& graph) {
  const Check check(graph);
  if (check.wrong.empty()) return;
  fail(ErrorKind::notSupportedError, "build: backend \"openvino\" does not support: {}.", check.wrong);
}

}  // namespace webnn::openvino
