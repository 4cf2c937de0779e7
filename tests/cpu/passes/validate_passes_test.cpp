// Runs the modules after each pass on the reference backend. If arithmetic is exact, they must give the results of the original
// graph.
#include "backends/cpu/compile/validate_passes.h"

#include <cmath>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// The modules with wrong results, each with its first differences (empty if all are correct), and the number of modules.
struct Report {
  std::string wrong;
  std::size_t modules = 0;
};
Report validate(Fixture& f, const std::vector<Operand>& outputs, double tolerance = 0) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("y" + std::to_string(i), outputs[i]);
  const Graph graph = f.builder.build(named);
  std::vector<std::vector<std::byte>> inputs, expected;
  std::vector<std::span<const std::byte>> from;
  std::vector<std::span<std::byte>> to;
  for (const auto& [name, descriptor] : graph.inputs()) {
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < elementCount(descriptor); ++i) numbers.emplace_back(static_cast<std::int64_t>(i * 7 % 11) - 3);
    inputs.push_back(pack(descriptor, numbers));
  }
  for (const auto& bytes : inputs) from.emplace_back(bytes);
  for (const auto& [name, descriptor] : graph.outputs()) expected.emplace_back(byteLength(descriptor));
  for (auto& bytes : expected) to.emplace_back(bytes);
  graph.state()->executable()->run(from, to);
  Report report;
  cpu::validatePasses(*graph.state()->definition, from, cpu::bestIsa(), [&](const cpu::PassResult& result) {
    ++report.modules;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const OperandDescriptor descriptor = graph.outputs()[i].second;
      const auto actual = unpack(descriptor, result.outputs[i]), wanted = unpack(descriptor, expected[i]);
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        const double a = actual[j].toDouble(), w = wanted[j].toDouble();
        if (std::abs(a - w) <= tolerance * std::max(1.0, std::abs(w)) || (std::isnan(a) && std::isnan(w))) continue;
        report.wrong += result.passes + ": " + std::to_string(a) + " is not " + std::to_string(w) + "; ";
        break;
      }
    }
  });
  return report;
}

TEST(ValidatePasses, ComputesIntegerValuedFloatsExactly) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({1, 2, 6, 6});
  Operand y = b.conv2d(x, f.constant({4, 2, 3, 3}, {1}), {.padding = {1, 1, 1, 1}, .bias = f.constant({4}, {1, 2, 3, 4})});
  y = b.maxPool2d(b.relu(b.add(y, f.input({4, 1, 1}))), {.windowDimensions = {2, 2}, .strides = {2, 2}});
  const Operand rows = b.reshape(b.transpose(y, {.permutation = {0, 2, 3, 1}}), {9, 4});
  const Operand product = b.gemm(rows, f.input({5, 4}), {.c = f.input({5}), .alpha = 2, .beta = 3, .bTranspose = true});
  const Operand chosen = b.where(b.greater(product, f.input({9, 1})), b.neg(product), b.clamp(product, {.maxValue = 5}));
  const Operand half = b.mul(b.cast(chosen, DataType::float16), f.constant(DataType::float16, {}, {2}));
  const Report report = validate(f, {chosen, b.concat({rows, rows}, 1), half, b.logicalNot(b.isNaN(b.sqrt(chosen)))});
  EXPECT_EQ(report.wrong, "");
  EXPECT_GE(report.modules, 10U);
}

TEST(ValidatePasses, ResultsOfRecognisedPatternsAgreeWithinRounding) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({2, 4, 8});
  const Operand mean = b.reduceMean(x, {.axes = {2}, .keepDimensions = true}), centred = b.sub(x, mean);
  const Operand variance = b.reduceMean(b.mul(centred, centred), {.axes = {2}, .keepDimensions = true});
  const Operand n = b.mul(b.div(centred, b.sqrt(b.add(variance, f.constant({}, {1e-5})))), f.input({8}));
  const Operand scores = b.matmul(n, b.transpose(x, {.permutation = {0, 2, 1}}));
  const Operand attention = b.matmul(b.softmax(b.add(b.mul(scores, f.constant({}, {0.25})), f.input({4, 4})), 2), x);
  const Operand square = b.reduceMean(b.mul(attention, attention), {.axes = {2}, .keepDimensions = true});
  const Operand rms = b.div(attention, b.sqrt(b.add(square, f.constant({}, {1e-5}))));
  const Report report = validate(f, {b.mul(rms, b.sigmoid(rms)), b.layerNormalization(b.add(rms, x), {.axes = {2}})}, 1e-5);
  EXPECT_EQ(report.wrong, "");
  EXPECT_GE(report.modules, 8U);
}

TEST(ValidatePasses, ComputesProductsOfBytesAndNibbles) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand zero = f.constant(DataType::uint8, {1, 1}, {3}), scale = f.constant({1, 1}, {0.5});
  const Operand a = b.dequantizeLinear(b.quantizeLinear(f.input({6, 8}), scale, zero), scale, zero);
  const Operand weights = b.dequantizeLinear(f.constant(DataType::uint8, {8, 9}, {4}), scale, zero);
  const Operand product = b.relu(b.add(b.matmul(a, weights), f.constant({9}, {1})));
  const Operand nibbles = b.dequantizeLinear(f.constant(DataType::int4, {8, 3}, {-5}), f.constant({1, 3}, {0.5, 2, 1}),
                                             f.constant(DataType::int4, {1, 3}, {1}));
  const Operand packed = b.transpose(b.cast(f.input(DataType::int8, {3, 5}), DataType::int4));
  const Report report = validate(f, {b.quantizeLinear(product, scale, zero), b.matmul(f.input({4, 8}), nibbles), packed});
  EXPECT_EQ(report.wrong, "");
  EXPECT_GE(report.modules, 4U);
}

TEST(ValidatePasses, ComputesBlocksOfConvolutions) {
  Fixture f;
  GraphBuilder& b = f.builder;
  Operand y = b.relu(b.conv2d(f.input({1, 2, 64, 64}), f.constant({32, 2, 1, 1}, {2})));
  y = b.clamp(b.conv2d(y, f.constant({32, 1, 3, 3}, {1}), {.padding = {1, 1, 1, 1}, .groups = 32}),
              {.minValue = 0, .maxValue = 6});
  const Report report = validate(f, {b.conv2d(y, f.constant({4, 32, 1, 1}, {1}))});
  EXPECT_EQ(report.wrong, "");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
