// Tests where the CPU engine runs operations, with hand-written cases. tests/random tests properties that hold for all graphs.
#include "cpu/cpu_support.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Fixture;
using Steps = std::vector<std::uint32_t>;
using Outputs = std::vector<std::pair<std::string, Operand>>;

// Returns the placement of each operation, by label.
std::map<std::string, OperationPlacement> place(Fixture& f, const Outputs& outputs, const std::string& disable = {}) {
  ContextOptions options{.backend = "cpu", .execution = Execution::callerThread, .threads = 1};
  if (!disable.empty()) options.backendOptions["disable"] = disable;
  Context context = Context::create(options);
  std::map<std::string, OperationPlacement> placement;
  for (const OperationPlacement& placed : context.compile(f.builder.build(outputs)).placement()) {
    EXPECT_TRUE(placement.emplace(placed.label, placed).second) << placed.label << " is there twice";
  }
  return placement;
}

void expectRuns(const OperationPlacement& placed, const Steps& steps, const std::string& kernel) {
  SCOPED_TRACE(placed.label);
  EXPECT_EQ(placed.state, PlacementState::runs);
  EXPECT_EQ(placed.device, "cpu");
  EXPECT_EQ(placed.steps, steps);
  ASSERT_FALSE(placed.kernels.empty());
  EXPECT_NE(placed.kernels[0].find(kernel), std::string::npos) << placed.kernels[0];
}

void expectAbsent(const OperationPlacement& placed, PlacementState state) {
  SCOPED_TRACE(placed.label);
  EXPECT_EQ(placed.state, state);
  EXPECT_EQ(placed.device, "");
  EXPECT_EQ(placed.steps, Steps{});
  EXPECT_EQ(placed.kernels, std::vector<std::string>{});
}

TEST(CpuPlacement, OfFusedFoldedSharedAndRemovedOperations) {
  Fixture f;
  const Operand x = f.input({4, 8}), weights = f.constant({8, 8}, {0.5});
  const Operand doubled = f.builder.add(weights, weights, {.label = "folded"});
  const Operand product = f.builder.matmul(x, doubled, {.label = "matmul"});
  const Operand sum = f.builder.add(product, f.constant({8}, {1}), {.label = "bias"});
  const Operand relu = f.builder.relu(sum, {.label = "relu"});
  const Operand same = f.builder.identity(relu, {.label = "same"});
  const Operand flat = f.builder.reshape(same, {32}, {.label = "flat"});
  const Operand one = f.builder.softmax(flat, 0, {.label = "one"}), other = f.builder.softmax(flat, 0, {.label = "other"});
  const Operand last = f.builder.argMax(f.builder.add(one, other, {.label = "last"}), 0, {.label = "most"});
  const auto placed = place(f, {{"y", last}});
  ASSERT_EQ(placed.size(), 10u);
  expectAbsent(placed.at("folded"), PlacementState::constant);
  for (const char* label : {"matmul", "bias", "relu"}) expectRuns(placed.at(label), {0}, "gemm f32 4x8x8");
  expectAbsent(placed.at("same"), PlacementState::removed);
  expectAbsent(placed.at("flat"), PlacementState::removed);
  for (const char* label : {"one", "other"}) expectRuns(placed.at(label), {1}, "softmax f32");
  expectRuns(placed.at("last"), {2}, "");
  expectRuns(placed.at("most"), {3}, "");
}

TEST(CpuPlacement, OfAConvolutionBetweenTransposes) {
  Fixture f;
  const Operand x = f.input({1, 3, 6, 6}), filter = f.constant({5, 3, 3, 3}, {0.5});
  const Operand conv = f.builder.conv2d(x, filter, {.label = "conv"});
  const Operand relu = f.builder.relu(conv, {.label = "relu"});
  const auto placed = place(f, {{"y", relu}});
  expectRuns(placed.at("conv"), {0, 1}, "transpose");
  EXPECT_NE(placed.at("conv").kernels[1].find("convolution"), std::string::npos);
  expectRuns(placed.at("relu"), {1, 2}, "convolution");
  EXPECT_NE(placed.at("relu").kernels[1].find("transpose"), std::string::npos);
}

TEST(CpuPlacement, OfTransposesThatAProductReads) {
  Fixture f;
  const Operand a = f.input({8, 4}), b = f.input({8, 8});
  const Operand turned = f.builder.transpose(a, {.label = "turned"});
  const Operand back = f.builder.transpose(f.builder.transpose(b, {.label = "there"}), {.label = "back"});
  const auto placed = place(f, {{"y", f.builder.matmul(turned, back, {.label = "product"})}});
  for (const char* label : {"turned", "product"}) expectRuns(placed.at(label), {0}, "gemm f32");
  for (const char* label : {"there", "back"}) expectAbsent(placed.at(label), PlacementState::removed);
}

TEST(CpuPlacement, OfAGemmInParts) {
  Fixture f;
  const Operand a = f.input({4, 4}), b = f.input({4, 4}), c = f.input({4, 4});
  GemmOptions options{.c = c, .beta = 0.5};
  options.label = "gemm";
  const auto placed = place(f, {{"y", f.builder.gemm(a, b, options)}}, "fuseEpilogues,fuseElementwise");
  expectRuns(placed.at("gemm"), {0, 1, 2}, "");
  EXPECT_NE(placed.at("gemm").kernels[1].find("gemm f32"), std::string::npos) << placed.at("gemm").kernels[1];
}

TEST(CpuPlacement, OfEightBitNumbers) {
  Fixture f;
  const Operand scale = f.constant({1, 1}, {0.25}), zero = f.constant(DataType::uint8, {1, 1}, {3});
  const Operand x = f.input(DataType::uint8, {4, 16});
  const Operand weights = f.constant(DataType::int8, {16, 8}, {1}), none = f.constant(DataType::int8, {1, 1}, {0});
  const Operand a = f.builder.dequantizeLinear(x, scale, zero, {.label = "a"});
  const Operand b = f.builder.dequantizeLinear(weights, scale, none, {.label = "b"});
  const Operand product = f.builder.relu(f.builder.matmul(a, b, {.label = "product"}), {.label = "relu"});
  const Operand numbers = f.builder.quantizeLinear(product, scale, zero, {.label = "quantized"});
  // Adds a function of an 8-bit value, which becomes a lookup table, and a dequantization and quantization that cancel each
  // other.
  const Operand table = f.builder.tanh(f.builder.dequantizeLinear(numbers, scale, zero, {.label = "from"}), {.label = "tanh"});
  const Operand looked = f.builder.quantizeLinear(table, scale, zero, {.label = "to"});
  const Operand turned =
      f.builder.transpose(f.builder.dequantizeLinear(looked, scale, zero, {.label = "wide"}), {.label = "turn"});
  const Operand narrow = f.builder.quantizeLinear(turned, scale, zero, {.label = "narrow"});
  const auto placed = place(f, {{"y", narrow}});
  for (const char* label : {"a", "b", "product", "relu", "quantized"}) expectRuns(placed.at(label), {0}, "gemm");
  for (const char* label : {"from", "tanh", "to"}) expectRuns(placed.at(label), {1}, "");
  expectRuns(placed.at("turn"), {2}, "transpose");
  for (const char* label : {"wide", "narrow"}) expectAbsent(placed.at(label), PlacementState::removed);
}

TEST(CpuPlacement, HasTheGraphsOrderAndNames) {
  Fixture f;
  const Operand x = f.input({4});
  const std::vector<Operand> parts = f.builder.split(f.builder.exp(x), 2U, {.label = "parts"});
  const Graph graph = test::makeContext("cpu").compile(f.builder.build({{"low", parts[0]}, {"high", parts[1]}}));
  const std::vector<OperationPlacement> placement = graph.placement();
  ASSERT_EQ(placement.size(), 2u);
  EXPECT_EQ(placement[0].operation, "exp");
  EXPECT_EQ(placement[0].label, "");
  EXPECT_EQ(placement[0].outputs, std::vector<std::string>{"operand_1"});
  EXPECT_EQ(placement[1].operation, "split");
  EXPECT_EQ(placement[1].label, "parts");
  EXPECT_EQ(placement[1].outputs, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(placement[1].notes, std::vector<std::string>{});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
