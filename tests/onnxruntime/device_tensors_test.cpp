// Tests tensors on a device that uses host memory: ONNX Runtime's CPU provider, with the code for GPUs.
#include <numeric>

#include "random/random_graph.h"
#include "support/onnxruntime.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

Context makeContext(const std::string& tensors, Execution execution = Execution::callerThread) {
  return Context::create({.backend = "onnxruntime",
                          .execution = execution,
                          .threads = 1,
                          .backendOptions = {{"tensors", tensors}, {"optimization", "basic"}}});
}

using Tensors = std::vector<std::pair<std::string, Tensor>>;

Tensors makeTensors(Context& context, const std::vector<NamedDescriptor>& descriptors) {
  Tensors tensors;
  for (const auto& [name, descriptor] : descriptors)
    tensors.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, true, true}));
  return tensors;
}

// Runs the graph with tensors. Returns the outputs, or throws the error of the run.
std::vector<random::Bytes> resultsOf(Context& context, const Graph& graph, const std::vector<random::Bytes>& inputs) {
  const Tensors from = makeTensors(context, graph.inputs()), to = makeTensors(context, graph.outputs());
  for (std::size_t i = 0; i < from.size(); ++i) context.writeTensor(from[i].second, inputs[i]);
  context.dispatch(graph, {from.begin(), from.end()}, {to.begin(), to.end()});
  std::vector<random::Bytes> results;
  for (const auto& [name, tensor] : to) results.push_back(context.readTensor(tensor).get());
  return results;
}

TEST(DeviceTensors, OfRandomGraphsAreThoseInTheHostsMemory) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context host = makeContext("host"), device = makeContext("device");
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(host, choices);
    const Graph compiled = device.compile(made.graph);
    try {
      const auto expected = resultsOf(host, made.graph, made.inputs);
      EXPECT_TRUE(resultsOf(device, compiled, made.inputs) == expected) << seed;
      ++compared;
    } catch (const Error& error) {
      ADD_FAILURE() << seed << ": " << error.what();
    }
  }
  EXPECT_EQ(compared, 60);
}

TEST(DeviceTensors, AreZerosUntilTheyAreWritten) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext("device", Execution::worker);
  for (const std::uint32_t size : {1u, 5u, 64u, 1u << 20, 5u << 19}) {
    const Tensor tensor = context.createTensor({DataType::uint8, {size}, true, true});
    EXPECT_EQ(context.read<std::uint8_t>(tensor), std::vector<std::uint8_t>(size)) << size;
    std::vector<std::uint8_t> values(size);
    std::iota(values.begin(), values.end(), std::uint8_t{7});
    context.write(tensor, values);
    EXPECT_EQ(context.read<std::uint8_t>(tensor), values) << size;
  }
}

TEST(DeviceTensors, PassFromGraphToGraph) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = makeContext("device", Execution::worker);
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {3}});
  const Graph graph = builder.build({{"y", builder.add(x, builder.constant<float>({DataType::float32, {}}, {1}))}});
  const TensorDescriptor descriptor{DataType::float32, {3}, true, true};
  Tensor from = context.createTensor(descriptor), to = context.createTensor(descriptor);
  for (int i = 0; i < 100; ++i) {
    context.dispatch(graph, {{"x", from}}, {{"y", to}});
    std::swap(from, to);
  }
  EXPECT_EQ(context.read<float>(from), std::vector<float>(3, 100));
  EXPECT_EQ(context.read<float>(to), std::vector<float>(3, 99));
}

TEST(DeviceTensors, OfOtherProvidersAreRefused) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const auto& providers = onnxruntime::Library::load(SearchPlaces::ofProcess(onnxruntime::libraryKind())).providers();
  if (std::ranges::find(providers, "Azure") == providers.end()) GTEST_SKIP() << "there is no other provider";
  test::expectError(ErrorKind::notSupportedError, {"no tensors on the device of provider Azure"}, [] {
    Context::create({.backend = "onnxruntime", .backendOptions = {{"providers", "Azure"}, {"tensors", "device"}}});
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
