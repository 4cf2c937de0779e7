// Compares the kernels with the reference backend: every operation with every type, and random graphs (WEBNN_WEBGPU_RANDOM,
// default 60, with seeds from WEBNN_WEBGPU_SEED, default 1, on).
#include <cmath>
#include <limits>

#include "random/random_graph.h"
#include "random/trial.h"
#include "support/support.h"
#include "support/walk.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

std::uint64_t setting(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::stoull(text) : otherwise;
}

TEST(WebGpuKernels, ComputeEveryOperationAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  EXPECT_GT(test::walkEveryOperation(context, [](const std::string& wrong) { ADD_FAILURE() << wrong; }), 500u);
}

TEST(WebGpuKernels, ComputeRandomGraphsAsTheReferenceDoes) {
  WEBNN_REQUIRE_WEBGPU();
  const ContextOptions options{
      .backend = "webgpu", .execution = Execution::callerThread, .backendOptions = {{"adapter", test::webGpuAdapter()}}};
  random::Trial trial({{.name = "webgpu", .group = 0, .options = options, .mayRefuse = true}});
  Context reference = test::makeContext();
  const std::uint64_t first = setting("WEBNN_WEBGPU_SEED", 1), count = setting("WEBNN_WEBGPU_RANDOM", 60);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(reference, choices);
    if (const auto wrong = trial.run(made.graph, made.inputs, seed)) ADD_FAILURE() << "seed " << seed << ": " << *wrong;
  }
}

// Returns op(x) for the values, computed by the backend as float32 or float16.
std::vector<float> mapped(DataType type, const std::vector<float>& values,
                          const std::function<Operand(GraphBuilder&, const Operand&)>& op) {
  Context context = test::makeWebGpuContext();
  GraphBuilder builder(context);
  const Shape shape{static_cast<std::uint32_t>(values.size())};
  const Operand x = builder.input("x", {DataType::float32, shape});
  const Operand y = op(builder, builder.cast(x, type));
  const Graph graph = builder.build({{"y", builder.cast(y, DataType::float32)}});
  const Tensor from = context.createTensor({DataType::float32, shape, false, true}),
               to = context.createTensor({DataType::float32, shape, true, false});
  context.write(from, values);
  context.dispatch(graph, {{"x", from}}, {{"y", to}});
  return context.read<float>(to);
}

TEST(WebGpuKernels, RoundHalvesToEvenAndSaturateFloat16) {
  WEBNN_REQUIRE_WEBGPU();
  const auto identity = [](GraphBuilder& builder, const Operand& x) { return builder.abs(x); };
  EXPECT_EQ(mapped(DataType::float16, {1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65519, 65520, 0x1p-24f, 0x1p-25f, 0x1.8p-24f}, identity),
            (std::vector<float>{1, 1 + 0x1p-9f, 65504, INFINITY, 0x1p-24f, 0, 0x1p-23f}));
  const auto round = [](GraphBuilder& builder, const Operand& x) { return builder.roundEven(x); };
  EXPECT_EQ(mapped(DataType::float32, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0x1.fffffep-2f, 8388609, 3e9f}, round),
            (std::vector<float>{0, 2, 2, 0, -2, 0, 8388609, 3e9f}));
}

TEST(WebGpuKernels, ArePreciseForAnglesOfAnySize) {
  WEBNN_REQUIRE_WEBGPU();
  std::vector<float> angles;
  for (float x = 1e-3f; x < 1e38f; x *= 1.7f) {
    angles.push_back(x);
    angles.push_back(-x);
  }
  const auto sines = mapped(DataType::float32, angles, [](GraphBuilder& builder, const Operand& x) { return builder.sin(x); });
  const auto cosines = mapped(DataType::float32, angles, [](GraphBuilder& builder, const Operand& x) { return builder.cos(x); });
  for (std::size_t i = 0; i < angles.size(); ++i) {
    EXPECT_NEAR(sines[i], std::sin(static_cast<double>(angles[i])), 1e-6) << angles[i];
    EXPECT_NEAR(cosines[i], std::cos(static_cast<double>(angles[i])), 1e-6) << angles[i];
  }
}

TEST(WebGpuKernels, KeepNaN) {
  WEBNN_REQUIRE_WEBGPU();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  using Op = std::function<Operand(GraphBuilder&, const Operand&)>;
  const std::vector<std::pair<const char*, Op>> operations{
      {"relu", [](GraphBuilder& builder, const Operand& x) { return builder.relu(x); }},
      {"clamp", [](GraphBuilder& builder, const Operand& x) { return builder.clamp(x, {.minValue = 0, .maxValue = 6}); }},
      {"exp", [](GraphBuilder& builder, const Operand& x) { return builder.exp(x); }},
      {"sub", [](GraphBuilder& builder, const Operand& x) { return builder.sub(x, x); }},
      {"linear", [](GraphBuilder& builder, const Operand& x) { return builder.linear(x, {.alpha = 0, .beta = 1}); }},
      {"max", [](GraphBuilder& builder, const Operand& x) { return builder.max(x, builder.neg(x)); }},
      {"tanh", [](GraphBuilder& builder, const Operand& x) { return builder.tanh(x); }},
      {"gelu", [](GraphBuilder& builder, const Operand& x) { return builder.gelu(x); }},
  };
  for (const auto& [name, op] : operations) EXPECT_TRUE(std::isnan(mapped(DataType::float32, {nan, 1}, op)[0])) << name;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
