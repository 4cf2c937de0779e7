#include "onnx/read/operators/fused_activation.h"

namespace webnn::formats::onnx {

namespace {

struct Row {
  std::string_view name;
  double first, second;  // defaults of absent parameters
  Operand (*apply)(GraphBuilder& builder, const Operand& operand, double first, double second);
};

constexpr Row kRows[]{
    {"Relu", 0, 0, [](GraphBuilder& builder, const Operand& x, double, double) { return builder.relu(x); }},
    {"Sigmoid", 0, 0, [](GraphBuilder& builder, const Operand& x, double, double) { return builder.sigmoid(x); }},
    {"Tanh", 0, 0, [](GraphBuilder& builder, const Operand& x, double, double) { return builder.tanh(x); }},
    {"HardSwish", 0, 0, [](GraphBuilder& builder, const Operand& x, double, double) { return builder.hardSwish(x); }},
    {"LeakyRelu", 0.01, 0,
     [](GraphBuilder& builder, const Operand& x, double alpha, double) {
       return builder.leakyRelu(x, {.alpha = alpha, .label = {}});
     }},
    {"HardSigmoid", 0.2, 0.5,
     [](GraphBuilder& builder, const Operand& x, double alpha, double beta) {
       return builder.hardSigmoid(x, {.alpha = alpha, .beta = beta, .label = {}});
     }},
    {"Clip", -3.4028234663852886e38, 3.4028234663852886e38,
     [](GraphBuilder& builder, const Operand& x, double min, double max) {
       return builder.clamp(x, {.minValue = min, .maxValue = max, .label = {}});
     }},
};

}  // namespace

Operand activate(const NodeContext& node, Operand operand, std::string_view name, std::span<const float> parameters) {
  if (name.empty()) return operand;
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    const auto parameter = [&](std::size_t i, double absent) {
      return i < parameters.size() ? static_cast<double>(parameters[i]) : absent;
    };
    return row.apply(node.builder, operand, parameter(0, row.first), parameter(1, row.second));
  }
  node.unsupported("WebNN has no activation {}", webnn::quoted(name));
}

}  // namespace webnn::formats::onnx
