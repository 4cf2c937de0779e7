#include "graph/backend.h"

#include <algorithm>
#include <numeric>

#include "support/onnxruntime.h"
#include "support/small_graph.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

Context makeContext(std::map<std::string, std::string> options, std::uint32_t threads = 0,
                    Execution execution = Execution::callerThread) {
  return Context::create(
      {.backend = "onnxruntime", .execution = execution, .threads = threads, .backendOptions = std::move(options)});
}

TEST(OnnxRuntimeBackend, RefusesOptionsItDoesNotKnow) {
  test::expectTypeError(
      {"has no option \"speed\"", "cache, device, fallback, library, optimization, precision, providers, search, tensors"}, [] {
        makeContext({{"speed", "11"}});
      });
  test::expectTypeError({"optimization is \"most\"", "none, basic, extended or all"}, [] {
    makeContext({{"optimization", "most"}});
  });
  test::expectTypeError({"search is \"everywhere\", not python"}, [] { makeContext({{"search", "everywhere"}}); });
}

TEST(OnnxRuntimeBackend, SaysThatTheLibraryIsMissing) {
  test::expectError(ErrorKind::notSupportedError, {"/nowhere/libonnxruntime.so", "pip install onnxruntime"}, [] {
    makeContext({{"library", "/nowhere/libonnxruntime.so"}});
  });
}

TEST(OnnxRuntimeBackend, NamesTheProvidersThatThereAre) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  test::expectError(ErrorKind::notSupportedError, {"no provider \"Abacus\"", "ONNX Runtime 1.", "CPU"}, [] {
    makeContext({{"providers", "Abacus,CPU"}});
  });
  test::expectError(ErrorKind::notSupportedError, {"no provider \"\""}, [] { makeContext({{"providers", "CPU,"}}); });
  test::expectError(ErrorKind::notSupportedError, {"no provider \"\""}, [] { makeContext({{"providers", ""}}); });
}

TEST(OnnxRuntimeBackend, IsAcceleratedUnlessTheCpuComesFirst) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  EXPECT_FALSE(makeContext({}).accelerated());
  EXPECT_FALSE(makeContext({{"providers", "cpu"}}).accelerated());
  EXPECT_EQ(makeContext({}).backend(), "onnxruntime");
  const auto& providers = onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind())).providers();
  for (const std::string& provider : providers) {
    EXPECT_EQ(makeContext({{"providers", provider + ",CPU"}}).accelerated(), provider != "CPU") << provider;
  }
}

TEST(OnnxRuntimeBackend, RunsGraphsAtEveryLevelOfOptimization) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  for (const char* level : {"none", "basic", "extended", "all"}) {
    for (const std::uint32_t threads : {0u, 1u, 2u}) {
      Context context = makeContext({{"optimization", level}}, threads);
      const Graph graph = test::makeSmallGraph(context);
      EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0})) << level;
    }
  }
}

TEST(OnnxRuntimeBackend, RunsGraphsOnEveryProviderThatThereIs) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  for (const std::string& provider :
       onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind())).providers()) {
    if (provider != "CPU" && provider != "Azure") continue;  // other providers need hardware
    Context context = makeContext({{"providers", provider + ",CPU"}});
    const Graph graph = test::makeSmallGraph(context);
    EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0})) << provider;
  }
}

// Tests that operations run on the CPU only if the options allow it. The provider Azure supports no ONNX operators.
TEST(OnnxRuntimeBackend, FallsBackToTheCpuOnlyIfAsked) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const auto& library = onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind()));
  if (std::ranges::find(library.providers(), "Azure") == library.providers().end())
    GTEST_SKIP() << "there is no provider that has no operation";
  Context strict = makeContext({{"providers", "Azure"}});
  std::vector<std::string> parts{"fallback to CPU EP has been explicitly disabled"};
  if (library.api().Session_GetEpGraphAssignmentInfo) parts.emplace_back("Only the CPU has: matmul, relu.");
  test::expectError(ErrorKind::notSupportedError, parts, [&] { test::makeSmallGraph(strict); });
  for (const auto& options : {std::map<std::string, std::string>{{"providers", "Azure,CPU"}},
                              std::map<std::string, std::string>{{"providers", "Azure"}, {"fallback", "cpu"}}}) {
    Context context = makeContext(options);
    EXPECT_EQ(test::runSmallGraph(context, test::makeSmallGraph(context), {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}));
  }
  test::expectTypeError({"option fallback is \"gpu\", not cpu"}, [] { makeContext({{"fallback", "gpu"}}); });
}

TEST(OnnxRuntimeBackend, LimitsDependOnTheVersion) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const bool hasFourBits = onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind())).minorVersion() >= 23;
  const OpSupportLimits limits = makeContext({}).opSupportLimits();
  const auto count = [](const TensorLimits& operand) { return std::ranges::count(operand.dataTypes, DataType::int4); };
  EXPECT_EQ(count(limits.input), hasFourBits);
  EXPECT_EQ(count(limits.operations.at("identity").at("output")), hasFourBits);
  EXPECT_EQ(limits.operations.at("conv2d"), tableLimits().operations.at("conv2d"));
}

TEST(OnnxRuntimeBackend, RunsOneGraphForSeveralContextsAndThreadsAtOnce) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  EXPECT_TRUE(test::isTrueOnFourThreads([] {
    Context context = makeContext({}, 1, Execution::worker);
    return test::isSmallGraphRight(context, test::makeSmallGraph(context));
  }));
}

TEST(OnnxRuntimeBackend, KeepsConstantsAliveWithoutTheBuildersContext) {
  WEBNN_REQUIRE_ONNXRUNTIME();
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

TEST(OnnxRuntimeBackend, WritesAnOutputThatIsCalledAsTheInputThatItIs) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext({});
  const OperandDescriptor descriptor{DataType::float32, {1000}};
  GraphBuilder builder(context);
  const Graph graph = builder.build({{"x", builder.identity(builder.input("x", descriptor))}});
  const Tensor input = context.createTensor({DataType::float32, {1000}, false, true}),
               output = context.createTensor({DataType::float32, {1000}, true, false});
  context.write(input, std::vector<float>(1000, 2.5f));
  context.dispatch(graph, {{"x", input}}, {{"x", output}});
  EXPECT_EQ(context.read<float>(output), std::vector<float>(1000, 2.5f));
}

// Tests the sum with a constant between two transposes. ONNX Runtime removes both transposes, and transposes the constant
// instead.
TEST(OnnxRuntimeBackend, AddsConstantsBetweenTranspositions) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext({});
  constexpr std::uint32_t kSize = 32;
  const Shape shape{kSize, kSize};
  std::vector<float> added(kSize * kSize), expected;
  std::iota(added.begin(), added.end(), 0.f);
  for (std::uint32_t i = 0; i < added.size(); ++i) expected.push_back(1 + added[i % kSize * kSize + i / kSize]);
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, shape});
  const Operand sum =
      builder.add(builder.transpose(x), builder.constant({DataType::float32, shape}, std::as_bytes(std::span(added))));
  const Graph graph = builder.build({{"y", builder.transpose(sum)}});
  const Tensor input = context.createTensor({DataType::float32, shape, false, true}),
               output = context.createTensor({DataType::float32, shape, true, false});
  context.write(input, std::vector<float>(added.size(), 1));
  context.dispatch(graph, {{"x", input}}, {{"y", output}});
  EXPECT_EQ(context.read<float>(output), expected);
}

TEST(OnnxRuntimeBackend, NotesOperationsThatAreComputedInOtherTypes) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext({});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::int8, {4}});
  const Graph graph = builder.build({{"y", builder.add(x, x, {.label = "twice"})}});  // there is no kernel for int8
  ASSERT_EQ(graph.notes().size(), 1u);
  for (const char* part : {"add \"twice\"", "int8", "int32"})
    EXPECT_NE(graph.notes()[0].find(part), std::string::npos) << graph.notes()[0];
  EXPECT_TRUE(test::makeSmallGraph(context).notes().empty());
}

TEST(OnnxRuntimeBackend, ReportsThePlacementOfOperations) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext({});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::int8, {4}});
  const Operand twice = builder.add(x, x, {.label = "twice"});  // there is no kernel for int8
  const Operand real = builder.cast(twice, DataType::float32);
  const Graph graph = builder.build({{"y", builder.exp(real, {.label = "last"})}});
  const std::vector<OperationPlacement> placement = graph.placement();
  ASSERT_EQ(placement.size(), 3u);
  using Strings = std::vector<std::string>;
  EXPECT_EQ(placement[0].label, "twice");
  EXPECT_EQ(placement[0].kernels, (Strings{"Cast", "Cast", "Add", "Cast"}));
  EXPECT_EQ(placement[0].notes, Strings{"int8 is computed as int32."});
  EXPECT_EQ(placement[1].operation, "cast");
  EXPECT_EQ(placement[1].kernels, Strings{"Cast"});
  EXPECT_EQ(placement[2].kernels, Strings{"Exp"});
  EXPECT_EQ(placement[2].notes, Strings{});
  for (const OperationPlacement& placed : placement) {
    EXPECT_EQ(placed.state, PlacementState::runs);
    EXPECT_EQ(placed.device, "onnxruntime CPUExecutionProvider");
    EXPECT_TRUE(placed.steps.empty());
  }
}

// Tests the reported provider. The first provider supports no operators, so only ONNX Runtime can tell which provider runs them.
TEST(OnnxRuntimeBackend, SaysWhichOfSeveralProvidersRunsIt) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const auto& library = onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind()));
  if (std::ranges::count(library.providers(), "Azure") == 0) GTEST_SKIP() << "this library has no provider Azure";
  Context context = makeContext({{"providers", "Azure,CPU"}});
  const bool canTell = library.minorVersion() >= 24;
  const Graph graph = test::makeSmallGraph(context);
  for (const OperationPlacement& placed : graph.placement())
    EXPECT_EQ(placed.device, canTell ? "onnxruntime CPUExecutionProvider" : "onnxruntime");
}

// Tests that an interrupt stops ONNX Runtime during a run, which takes at least 100 milliseconds and would write its output at
// its end.
TEST(OnnxRuntimeBackend, EndsInsideOfARun) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext({}, 1);
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {512, 512}});
  Operand y = x;
  for (int i = 0; i < 300; ++i) y = builder.tanh(builder.matmul(y, x));
  const Graph graph = builder.build({{"y", y}});
  const std::vector<float> input(512 * 512), untouched(512 * 512, 7);
  std::vector<float> output = untouched;
  const std::span<const std::byte> from = std::as_bytes(std::span(input));
  const std::span<std::byte> to = std::as_writable_bytes(std::span(output));
  test::expectError(ErrorKind::abortError, {"compute: it was interrupted."}, [&] {
    graph.compute({&from, 1}, {&to, 1}, {.isInterrupted = [] { return true; }});
  });
  EXPECT_EQ(output, untouched);
  graph.compute({&from, 1}, {&to, 1}, {.isInterrupted = [] { return false; }});
  EXPECT_EQ(output, input);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
