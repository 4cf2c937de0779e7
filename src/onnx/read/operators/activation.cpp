#include <numbers>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

void importRelu(NodeContext& node) {
  const Operand x = node.operand(0);
  node.set(0, isUnsigned(x.dataType()) ? x : node.builder.relu(x));
}

void importLeakyRelu(NodeContext& node) {
  node.set(0, node.builder.leakyRelu(node.operand(0), {.alpha = node.number("alpha", 0.01), .label = {}}));
}

Operand elu(NodeContext& node, const Operand& x, double alpha) { return node.builder.elu(x, {.alpha = alpha, .label = {}}); }

void importElu(NodeContext& node) { node.set(0, elu(node, node.operand(0), node.number("alpha", 1))); }

void importSelu(NodeContext& node) {
  const bool isOld = node.version < 6;
  const double alpha = node.number("alpha", isOld ? 1.6732 : 1.67326319217681884765625);
  const double gamma = node.number("gamma", isOld ? 1.0507 : 1.05070102214813232421875);
  node.set(0, Term(node, elu(node, node.operand(0), alpha)) * gamma);
}

// Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)). For positive x, the outer minimum is 0 whatever alpha's sign is, so
// exp() takes min(0, x) instead of x. If alpha is positive, it then cannot overflow.
void importCelu(NodeContext& node) {
  const double alpha = node.number("alpha", 1);
  const Term x = input(node, 0), scaled = min(x, 0) / alpha;
  const Term curve = alpha > 0 ? Term(node, elu(node, scaled, 1)) : exp(scaled) - 1;
  node.set(0, max(x, 0) + curve * alpha);
}

void importThresholdedRelu(NodeContext& node) {
  const Term x = input(node, 0);
  node.set(0, where(x > node.number("alpha", 1), x, 0));
}

void importHardSigmoid(NodeContext& node) {
  const HardSigmoidOptions options{.alpha = node.number("alpha", 0.2), .beta = node.number("beta", 0.5), .label = {}};
  node.set(0, node.builder.hardSigmoid(node.operand(0), options));
}

// Computes 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) as x * sigmoid(...), because 1 + tanh(y) would lose digits.
Term geluByTanh(const Term& x) {
  const double scale = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return x * sigmoid((x + x * x * x * 0.044715) * scale);
}

void importGelu(NodeContext& node) {
  const std::string_view approximation = node.text("approximate", "none");
  node.require(approximation == "none" || approximation == "tanh", "approximate {}: WebNN's gelu has no such mode",
               webnn::quoted(approximation));
  node.set(0, approximation == "tanh" ? inFloat32(node, node.operand(0), geluByTanh) : node.builder.gelu(node.operand(0)));
}

Term swish(const Term& x, double alpha) { return x * sigmoid(alpha == 1 ? x : x * alpha); }

void importMish(NodeContext& node) {
  node.set(0, inFloat32(node, node.operand(0), [](const Term& x) { return x * tanh(softplus(x)); }));
}

void importSwish(NodeContext& node) { node.set(0, swish(input(node, 0), node.number("alpha", 1))); }

void importQuickGelu(NodeContext& node) { node.set(0, swish(input(node, 0), node.number("alpha", 1.702))); }

void importSwiGlu(NodeContext& node) { node.set(0, swish(input(node, 0), node.number("alpha", 1)) * input(node, 1)); }

Term biased(NodeContext& node) { return node.has(1) ? input(node, 0) + input(node, 1) : input(node, 0); }

void importFastGelu(NodeContext& node) { node.set(0, inFloat32(node, biased(node), geluByTanh)); }

void importBiasGelu(NodeContext& node) { node.set(0, gelu(biased(node))); }

// Adds the bias, then computes the left half of the last dimension times gelu(right half).
void importBiasSplitGelu(NodeContext& node) {
  const Operand x = biased(node);
  node.require(x.rank() > 0 && x.shape().back() % 2 == 0, "its last dimension has no halves");
  const auto last = static_cast<std::uint32_t>(x.rank() - 1);
  const std::vector<Operand> halves = node.builder.split(x, 2u, {.axis = last, .label = {}});
  node.set(0, Term(node, halves[0]) * gelu(Term(node, halves[1])));
}

void importBiasAdd(NodeContext& node) { node.set(0, input(node, 0) + input(node, 1) + input(node, 2)); }

// Computes in float32, so that integers are compared with the fractional threshold.
void importShrink(NodeContext& node) {
  const double bias = node.number("bias", 0), threshold = node.number("lambd", 0.5);
  node.set(0, inFloat32(node, node.operand(0),
                        [&](const Term& x) { return where(x < -threshold, x + bias, where(x > threshold, x - bias, 0)); }));
}

// Applies a function along `axis`. Since version 13, `axis` is one dimension, -1 by default. Before version 13, all dimensions
// from `axis` (default 1) on are flattened into one.
template <Operand (*function)(NodeContext& node, const Operand& x, std::uint32_t axis)>
void importAlongAxis(NodeContext& node) {
  const Operand x = node.operand(0);
  const std::size_t rank = x.rank();
  if (node.version >= 13) return node.set(0, function(node, x, node.axis(node.integer("axis", -1), rank)));
  const std::int64_t given = node.integer("axis", 1);
  const bool isPastLast = given == static_cast<std::int64_t>(rank);
  const std::uint32_t first = isPastLast ? static_cast<std::uint32_t>(rank) : node.axis(given, rank);
  Shape flat{1, 1};  // no overflow: these are partial products of a valid shape
  for (std::uint32_t i = 0; i < rank; ++i) flat[i < first ? 0 : 1] *= x.shape()[i];
  if (first + 1 == rank) return node.set(0, function(node, x, first));
  node.set(0, node.reshape(function(node, node.reshape(x, flat), 1), x.shape()));
}

Operand softmax(NodeContext& node, const Operand& x, std::uint32_t axis) { return node.builder.softmax(x, axis); }

Operand hardmax(NodeContext& node, const Operand& x, std::uint32_t axis) {
  const ArgMinMaxOptions options{.keepDimensions = true, .outputDataType = DataType::int32, .label = {}};
  const Term first(node, node.builder.argMax(x, axis, options));
  const Term positions(node, counting(node, DataType::int32, x.shape()[axis], axis, x.rank()));
  return cast(positions == first, x.dataType());
}

}  // namespace

std::span<const OperatorImport> activationOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Relu", importRelu},
      {"", "LeakyRelu", importLeakyRelu},
      {"", "Elu", importElu},
      {"", "Selu", importSelu},
      {"", "Celu", importCelu},
      {"", "ThresholdedRelu", importThresholdedRelu},
      {"", "HardSigmoid", importHardSigmoid},
      {"", "HardSwish", importUnary<&GraphBuilder::hardSwish>},
      {"", "Sigmoid", importUnary<&GraphBuilder::sigmoid>},
      {"", "Softplus", importUnary<&GraphBuilder::softplus>},
      {"", "Softsign", importUnary<&GraphBuilder::softsign>},
      {"", "Tanh", importUnary<&GraphBuilder::tanh>},
      {"", "Gelu", importGelu},
      {"", "Mish", importMish},
      {"", "Swish", importSwish},
      {"", "SwiGLU", importSwiGlu},
      {"", "Shrink", importShrink},
      {"", "Hardmax", importAlongAxis<hardmax>},
      {"", "Softmax", importAlongAxis<softmax>},
      {"", "LogSoftmax", importAlongAxis<logSoftmax>},
      {"com.microsoft", "Gelu", importUnary<&GraphBuilder::gelu>},
      {"com.microsoft", "FastGelu", importFastGelu},
      {"com.microsoft", "BiasGelu", importBiasGelu},
      {"com.microsoft", "QuickGelu", importQuickGelu},
      {"com.microsoft", "BiasSplitGelu", importBiasSplitGelu},
      {"com.microsoft", "BiasAdd", importBiasAdd},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
