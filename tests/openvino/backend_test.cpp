#include "graph/backend.h"

#include <limits>
#include <stop_token>

#include "support/openvino.h"
#include "support/small_graph.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

Context makeContext(std::map<std::string, std::string> options, std::uint32_t threads = 0,
                    Execution execution = Execution::callerThread) {
  return Context::create({.accelerated = false,
                          .backend = "openvino",
                          .execution = execution,
                          .threads = threads,
                          .backendOptions = std::move(options)});
}

TEST(OpenVinoBackend, RefusesOptionsItDoesNotKnow) {
  test::expectTypeError({"has no option \"speed\"", "cache, device, library, precision, search"}, [] {
    makeContext({{"speed", "11"}});
  });
  test::expectTypeError({"search is \"everywhere\", not python"}, [] { makeContext({{"search", "everywhere"}}); });
}

TEST(OpenVinoBackend, SaysThatTheLibraryIsMissing) {
  test::expectError(ErrorKind::notSupportedError, {"/nowhere/libopenvino_c.so", "pip install openvino"}, [] {
    makeContext({{"library", "/nowhere/libopenvino_c.so"}});
  });
}

TEST(OpenVinoBackend, TakesTheDeviceThatIsNamedAndNoOther) {
  WEBNN_REQUIRE_OPENVINO();
  EXPECT_FALSE(makeContext({{"device", "CPU"}}).accelerated());
  test::expectError(ErrorKind::notSupportedError, {"no device \"ABACUS\"", "OpenVINO 20", "CPU"}, [] {
    makeContext({{"device", "ABACUS"}});
  });
  test::expectTypeError({"precision is \"float8\", not float32, float16 or bfloat16"}, [] {
    makeContext({{"precision", "float8"}});
  });
}

TEST(OpenVinoBackend, RunsAGraphWithEveryNumberOfThreads) {
  WEBNN_REQUIRE_OPENVINO();
  for (const std::uint32_t threads : {0u, 1u, 2u}) {
    Context context = makeContext({}, threads);
    EXPECT_EQ(context.backend(), "openvino");
    EXPECT_EQ(test::runSmallGraph(context, test::makeSmallGraph(context), {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}))
        << threads;
  }
}

TEST(OpenVinoBackend, RunsOneGraphOnSeveralThreadsAtOnce) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({}, 1);
  const Graph graph = test::makeSmallGraph(context);
  EXPECT_TRUE(test::isTrueOnFourThreads([&] { return test::isSmallGraphRight(context, graph); }));
}

// In bfloat16, 1 + 2^-20 would be 1.
TEST(OpenVinoBackend, KeepsFloat32AsFloat32) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({});
  const float close = 1 + 0x1p-20f;
  EXPECT_EQ(test::runSmallGraph(context, test::makeSmallGraph(context), {close, 0, 0, close}),
            (std::vector<float>{close, 0, 2 * close, close / 2}));
}

TEST(OpenVinoBackend, KeepsConstantsAliveWithoutTheBuildersContext) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({});
  const Graph graph = [&] {
    GraphBuilder builder(context);
    const std::vector<float> values(1000, 2.5f);  // long enough to be stored outside the model
    const Operand x = builder.input("x", {DataType::float32, {1000}});
    return builder.build(
        {{"y", builder.mul(x, builder.constant({DataType::float32, {1000}}, std::as_bytes(std::span(values))))}});
  }();
  const Tensor x = context.createTensor({DataType::float32, {1000}, false, true}),
               y = context.createTensor({DataType::float32, {1000}, true, false});
  context.write(x, std::vector<float>(1000, 2));
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  EXPECT_EQ(context.read<float>(y), std::vector<float>(1000, 5));
}

TEST(OpenVinoBackend, ListsAllThatItDoesNotSupport) {
  WEBNN_REQUIRE_OPENVINO();
  Context reference = test::makeContext(), context = makeContext({});
  GraphBuilder builder(reference);
  const Operand wide = builder.input("wide", {DataType::int64, {2}}), x = builder.input("x", {DataType::int32, {2}});
  const Graph graph = builder.build({{"sum", builder.add(wide, wide, {.label = "twice"})}, {"quotient", builder.div(x, x)}});
  test::expectError(ErrorKind::notSupportedError,
                    {"backend \"openvino\" does not support", "add \"twice\" with a of type int64, b of type int64",
                     "div with a of type int32"},
                    [&] { context.compile(graph); });
}

TEST(OpenVinoBackend, ReportsThePlacementOfOperations) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2, 3}});
  const Graph graph = builder.build({{"y", builder.triangular(builder.exp(x, {.label = "first"}), {.label = "corner"})}});
  const std::vector<OperationPlacement> placement = graph.placement();
  ASSERT_EQ(placement.size(), 2u);
  EXPECT_EQ(placement[0].label, "first");
  EXPECT_EQ(placement[0].kernels, std::vector<std::string>{"Exp"});
  EXPECT_EQ(placement[1].label, "corner");
  EXPECT_EQ(placement[1].kernels.back(), "Trilu");
  for (const OperationPlacement& placed : placement) EXPECT_EQ(placed.device, "openvino CPU");
}

TEST(OpenVinoBackend, RefusesIntegersThatDoNotFit) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({});
  GraphBuilder builder(context);
  const Graph graph = builder.build({{"y", builder.reshape(builder.input("x", {DataType::int64, {2}}), {2, 1})}});
  const Tensor x = context.createTensor({DataType::int64, {2}, false, true}),
               y = context.createTensor({DataType::int64, {2, 1}, true, false});
  const std::int64_t least = std::numeric_limits<std::int32_t>::min();
  context.write<std::int64_t>(x, {least, 7});
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  EXPECT_EQ(context.read<std::int64_t>(y), (std::vector<std::int64_t>{least, 7}));
  context.write<std::int64_t>(x, {least - 1, 7});
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  test::expectError(ErrorKind::operationError, {"int64 in 32 bits", "\"x\"", "-2147483649"},
                    [&] { context.read<std::int64_t>(y); });
}

TEST(OpenVinoBackend, EndsARunThatIsCancelled) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({}, 1);
  const Graph graph = test::makeSmallGraph(context);
  std::stop_source stop;
  EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}, {.stop = stop.get_token()}), (std::vector<float>{5, 0, 0, 0}));
  stop.request_stop();
  test::expectError(ErrorKind::abortError, {}, [&] {
    test::runSmallGraph(context, graph, {1, 2, 3, -4}, {.stop = stop.get_token()});
  });
}

TEST(OpenVinoBackend, TakesAnInputThatNoResultDependsOn) {
  WEBNN_REQUIRE_OPENVINO();
  Context context = makeContext({});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::int32, {2}}), y = builder.input("y", {DataType::float32, {2}});
  const Graph graph = builder.build({{"a", builder.isNaN(x)}, {"b", builder.neg(y)}});
  const Tensor tx = context.createTensor({DataType::int32, {2}, false, true}),
               ty = context.createTensor({DataType::float32, {2}, false, true});
  const Tensor ta = context.createTensor({DataType::uint8, {2}, true, false}),
               tb = context.createTensor({DataType::float32, {2}, true, false});
  context.write<std::int32_t>(tx, {1, 2});
  context.write<float>(ty, {3, -4});
  context.dispatch(graph, {{"x", tx}, {"y", ty}}, {{"a", ta}, {"b", tb}});
  EXPECT_EQ(context.read<std::uint8_t>(ta), (std::vector<std::uint8_t>{0, 0}));
  EXPECT_EQ(context.read<float>(tb), (std::vector<float>{-3, 4}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
