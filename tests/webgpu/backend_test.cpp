#include <cstdlib>
#include <fstream>
#include <stop_token>

#include "support/small_graph.h"
#include "support/support.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

Context makeContext(std::map<std::string, std::string> options) {
  return Context::create({.backend = "webgpu", .execution = Execution::callerThread, .backendOptions = std::move(options)});
}

TEST(WebGpuBackend, RefusesOptionsItDoesNotKnow) {
  test::expectTypeError({"has no option \"speed\"", "adapter, library, search"}, [] { makeContext({{"speed", "11"}}); });
  test::expectTypeError({"search is \"everywhere\", not python"}, [] { makeContext({{"search", "everywhere"}}); });
}

TEST(WebGpuBackend, SaysThatTheLibraryIsMissing) {
  test::expectError(ErrorKind::notSupportedError, {"/nowhere/libwgpu_native.so", "pip install wgpu"}, [] {
    makeContext({{"library", "/nowhere/libwgpu_native.so"}});
  });
}

TEST(WebGpuBackend, TakesTheAdapterThatIsNamedAndNoOther) {
  WEBNN_REQUIRE_WEBGPU();
  const Context context = test::makeWebGpuContext();
  EXPECT_EQ(context.backend(), "webgpu");
  test::expectError(ErrorKind::notSupportedError, {"no adapter \"abacus\"", "wgpu-native", test::webGpuAdapter()}, [] {
    makeContext({{"adapter", "abacus"}});
  });
}

TEST(WebGpuBackend, TakesSoftwareOnlyIfItIsNamed) {
  WEBNN_REQUIRE_WEBGPU();
  if (test::webGpuAdapter() != "llvmpipe") GTEST_SKIP() << "needs the software adapter";
  EXPECT_FALSE(makeContext({{"adapter", "LLVMpipe"}}).accelerated());
  const auto& library = webgpu::Library::load(SearchPlaces::ofProcess(webgpu::libraryKind()));
  for (const webgpu::AdapterEntry& adapter : webgpu::listAdapters(library)) {
    if (!adapter.isSoftware()) GTEST_SKIP() << "there is a GPU";
  }
  test::expectError(ErrorKind::notSupportedError, {"finds no GPU", "llvmpipe", "adapter=llvmpipe"}, [] { makeContext({}); });
}

TEST(WebGpuBackend, RunsGraphsOfTwoContexts) {
  WEBNN_REQUIRE_WEBGPU();
  Context first = test::makeWebGpuContext(), second = test::makeWebGpuContext();
  const Graph graph = test::makeSmallGraph(first), other = test::makeSmallGraph(second);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(test::runSmallGraph(first, graph, {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}));
    EXPECT_EQ(test::runSmallGraph(second, other, {0, 1, 1, 0}), (std::vector<float>{2, 0.5f, 1, 0}));
  }
}

TEST(WebGpuBackend, RunsOneGraphOnSeveralThreadsAtOnce) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  const Graph graph = test::makeSmallGraph(context);
  EXPECT_TRUE(test::isTrueOnFourThreads([&] { return test::isSmallGraphRight(context, graph); }));
}

TEST(WebGpuBackend, KeepsTensorsOnTheDevice) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext(Execution::worker);
  for (const std::uint32_t size : {1u, 5u, 64u, 70001u}) {  // some sizes are not multiples of 4
    const Tensor tensor = context.createTensor({DataType::uint8, {size}, true, true});
    EXPECT_EQ(context.read<std::uint8_t>(tensor), std::vector<std::uint8_t>(size)) << size;
    std::vector<std::uint8_t> values(size, 7);
    context.write(tensor, values);
    EXPECT_EQ(context.read<std::uint8_t>(tensor), values) << size;
  }
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {3}});
  const Graph graph = builder.build({{"y", builder.add(x, builder.constant<float>({DataType::float32, {}}, {1}))}});
  const TensorDescriptor descriptor{DataType::float32, {3}, true, true};
  Tensor from = context.createTensor(descriptor), to = context.createTensor(descriptor);
  for (int i = 0; i < 100; ++i) {
    context.dispatch(graph, {{"x", from}}, {{"y", to}});
    std::swap(from, to);
  }
  EXPECT_EQ(context.read<float>(from), (std::vector<float>{100, 100, 100}));
}

TEST(WebGpuBackend, SupportsEveryOperationWithEveryType) {
  WEBNN_REQUIRE_WEBGPU();
  const auto all = test::makeContext().opSupportLimits(), limits = test::makeWebGpuContext().opSupportLimits();
  EXPECT_EQ(limits.operations.size(), all.operations.size());
  for (const auto& [operation, operands] : all.operations) {
    for (const auto& [name, operand] : operands) {
      EXPECT_EQ(limits.operations.at(operation).at(name).dataTypes, operand.dataTypes) << operation << ' ' << name;
    }
  }
  EXPECT_LE(limits.maxTensorByteLength, all.maxTensorByteLength);
}

TEST(WebGpuBackend, RefusesValuesThatAreLargerThanABuffer) {
  WEBNN_REQUIRE_WEBGPU();
  Context reference = test::makeContext(), context = test::makeWebGpuContext();
  const std::uint64_t most = context.opSupportLimits().maxTensorByteLength;
  if (most >= std::uint64_t{1} << 31) GTEST_SKIP() << "buffers of the device may be as large as a tensor";
  GraphBuilder builder(reference);
  const Operand x = builder.input("x", {DataType::float32, {1}});
  const Operand wide = builder.expand(x, {static_cast<std::uint32_t>(most / 4 + 1)});
  const Graph graph = builder.build({{"y", builder.reduceSum(builder.exp(wide))}});
  test::expectError(ErrorKind::notSupportedError, {"bytes"}, [&] { context.compile(graph); });
}

TEST(WebGpuBackend, ReportsThePlacementOfOperations) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2, 3}});
  const Graph graph = builder.build({{"y", builder.softmax(builder.exp(x, {.label = "first"}), 1, {.label = "second"})}});
  const std::vector<OperationPlacement> placement = graph.placement();
  ASSERT_EQ(placement.size(), 2u);
  EXPECT_EQ(placement[0].label, "first");
  EXPECT_EQ(placement[0].kernels, std::vector<std::string>{"elements"});
  EXPECT_EQ(placement[1].kernels, std::vector<std::string>{"rows by workgroups"});
  for (const OperationPlacement& placed : placement) EXPECT_EQ(placed.device, "webgpu");
}

TEST(WebGpuBackend, EndsARunThatIsCancelled) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = test::makeWebGpuContext();
  const Graph graph = test::makeSmallGraph(context);
  std::stop_source stop;
  EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}, {.stop = stop.get_token()}), (std::vector<float>{5, 0, 0, 0}));
  stop.request_stop();
  test::expectError(ErrorKind::abortError, {}, [&] {
    test::runSmallGraph(context, graph, {1, 2, 3, -4}, {.stop = stop.get_token()});
  });
  EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}));  // the graph remains usable
}

// Returns the memory that this process occupies, in pages; 0 if the system does not tell.
std::size_t residentPages() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

// WEBNN_WEBGPU_CONTEXTS sets the number of contexts.
TEST(WebGpuBackend, FreesTheMemoryOfContextsAndGraphs) {
  WEBNN_REQUIRE_WEBGPU();
  if (residentPages() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  const char* const set = std::getenv("WEBNN_WEBGPU_CONTEXTS");
  const int count = set ? std::atoi(set) : 60;
  const auto useContexts = [](int times) {
    for (int i = 0; i < times; ++i) {
      Context context = test::makeWebGpuContext();
      EXPECT_EQ(test::runSmallGraph(context, test::makeSmallGraph(context), {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}));
    }
  };
  useContexts(20);
  const std::size_t before = residentPages();
  useContexts(count);
  EXPECT_LT(residentPages(), before + 2000 + static_cast<std::size_t>(count)) << before;  // 8 MB, and 4 KB for each context
}

TEST(WebGpuBackend, CountsTheMemoryOfTheDevice) {
  WEBNN_REQUIRE_WEBGPU();
  Context context = Context::create({.backend = "webgpu",
                                     .execution = Execution::callerThread,
                                     .backendOptions = {{"adapter", test::webGpuAdapter()}},
                                     .limits = {.maxMemory = 1 << 20}});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {1 << 16}});
  const Operand wide = builder.expand(x, {64, 1 << 16});
  test::expectError(ErrorKind::operationError, {"memory"}, [&] { builder.build({{"y", builder.neg(wide)}}); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
