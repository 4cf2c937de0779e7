// Tests limits of contexts and calls, calls that are stopped early, and estimates. The error says why, and the context remains
// usable unless it is lost.
#include <semaphore>
#include <thread>

#include "context/fake_backend.h"
#include "context/graph_state.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using std::chrono::nanoseconds;
using test::expectError;

constexpr std::uint64_t kMiB = 1 << 20;

Context contextOf(const std::string& backend, const Limits& limits, std::uint32_t threads = 1) {
  ContextOptions options;
  options.backend = backend;
  options.limits = limits;
  options.threads = threads;
  return Context::create(std::move(options));
}

// Checks that the context can still build and run a graph after an earlier failure.
void expectUsable(Context& context) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2}});
  const Graph graph = builder.build({{"y", builder.add(x, x)}});
  const Tensor input = context.createTensor({.shape = {2}, .writable = true}),
               output = context.createTensor({.shape = {2}, .readable = true});
  context.write<float>(input, {1, 2});
  context.dispatch(graph, {{"x", input}}, {{"y", output}});
  EXPECT_EQ(context.read<float>(output), (std::vector<float>{2, 4}));
}

TEST(Limits, TensorsCountAgainstTheMemoryOfTheContext) {
  Context context = contextOf("cpu", {.maxMemory = kMiB});
  expectError(ErrorKind::operationError,
              {"createTensor: a tensor of 2097152 bytes", "maxMemory, 1048576 bytes, of which 0 are in use"}, [&] {
                context.createTensor({.shape = {512, 1024}});
              });
  Tensor first = context.createTensor({.shape = {150, 1024}});
  EXPECT_EQ(context.memoryInUse(), 600 * 1024U);
  expectError(ErrorKind::operationError, {"createConstantTensor"}, [&] {
    context.createConstantTensor({DataType::float32, {150, 1024}}, std::vector<std::byte>(600 * 1024));
  });
  first.destroy();
  EXPECT_EQ(context.memoryInUse(), 0U);
  context.createTensor({.shape = {150, 1024}});
  expectUsable(context);
}

TEST(Limits, CopiesOfConstantsCountAsLongAsTheyLive) {
  Context context = contextOf("cpu", {.maxMemory = kMiB});
  const std::vector<std::byte> bytes(600 * 1024);
  {
    GraphBuilder builder(context);
    builder.constant({DataType::float32, {150, 1024}}, bytes);
    EXPECT_EQ(context.memoryInUse(), bytes.size());
    expectError(ErrorKind::operationError, {"constant: a copy of 614400 bytes"}, [&] {
      builder.constant({DataType::float32, {150, 1024}}, bytes);
    });
  }
  EXPECT_EQ(context.memoryInUse(), 0U);
}

// Builds the sum of all elements of a matrix product [elements, elements].
Graph buildLarge(Context& context, std::uint32_t elements) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {elements, 1}}),
                y = builder.input("y", {DataType::float32, {1, elements}});
  return builder.build({{"z", builder.reduceSum(builder.matmul(x, y))}});
}

TEST(Limits, AGraphThatNeedsMoreMemoryIsRefusedBeforeItIsCompiled) {
  for (const char* backend : {"cpu", "reference"}) {
    Context context = contextOf(backend, {.maxMemory = kMiB});
    expectError(ErrorKind::operationError, {"build: ", "of 4000000 bytes", "maxMemory, 1048576 bytes"},
                [&] { buildLarge(context, 1000); });
    EXPECT_EQ(context.memoryInUse(), 0U) << backend;
    expectUsable(context);
  }
}

TEST(Limits, DestroyingAGraphReleasesItsMemory) {
  Context context = contextOf("cpu", {});
  {
    const Graph graph = buildLarge(context, 1000);
    EXPECT_GE(context.memoryInUse(), 4'000'000U);
  }
  EXPECT_EQ(context.memoryInUse(), 0U);
}

TEST(Limits, OperationsAndElementsOfAGraph) {
  Context context = contextOf("cpu", {.maxOperations = 3, .maxElements = 100});
  GraphBuilder builder(context);
  Operand x = builder.input("x", {DataType::float32, {20}});
  expectError(ErrorKind::operationError, {"maxElements (100)"}, [&] { builder.input("y", {DataType::float32, {81}}); });
  for (int i = 0; i < 3; ++i) x = builder.relu(x);
  expectError(ErrorKind::operationError, {"maxOperations (3)"}, [&] { builder.relu(x); });
  builder.build({{"y", x}});  // a call that throws leaves the builder unchanged
}

TEST(Limits, TimeEndsBuildsAndRuns) {
  Context context = contextOf("cpu", {.maxTime = nanoseconds(0)});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2}});
  expectError(ErrorKind::timeoutError, {"build: the time that it may take is over."}, [&] {
    builder.build({{"y", builder.relu(x)}});
  });
}

// Makes relu of two floats, which runs with call options.
struct Relu {
  Context context;
  Graph graph;
  explicit Relu(Context made) : context(std::move(made)) {
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::float32, {2}});
    graph = builder.build({{"y", builder.relu(x)}});
  }
  std::vector<float> compute(const CallOptions& options) const {
    const std::vector<float> x{-1, 2};
    std::vector<float> y(2);
    const std::span<const std::byte> input = std::as_bytes(std::span(x));
    const std::span<std::byte> output = std::as_writable_bytes(std::span(y));
    graph.compute({&input, 1}, {&output, 1}, options);
    return y;
  }
};

TEST(Calls, EndWhereTheOptionsSaySo) {
  for (const char* backend : {"cpu", "reference"}) {
    const Relu relu(contextOf(backend, {}));
    std::stop_source source;
    EXPECT_EQ(relu.compute({.stop = source.get_token()}), (std::vector<float>{0, 2}));
    source.request_stop();
    expectError(ErrorKind::abortError, {"compute: a stop was requested."}, [&] { relu.compute({.stop = source.get_token()}); });
    expectError(ErrorKind::timeoutError, {"compute: the time"}, [&] { relu.compute({.timeout = nanoseconds(0)}); });
    EXPECT_EQ(relu.compute({}), (std::vector<float>{0, 2}));
  }
}

TEST(Calls, ABuildThatIsStoppedLeavesTheContextUsable) {
  Context context = contextOf("cpu", {});
  std::stop_source source;
  source.request_stop();
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2}}), y = builder.relu(x);
  expectError(ErrorKind::abortError, {"build: a stop was requested."}, [&] {
    builder.build({{"y", y}}, {.stop = source.get_token()});
  });
  const Relu relu(context);
  expectError(ErrorKind::abortError, {"compile: a stop was requested."},
              [&] { context.compile(relu.graph, {.stop = source.get_token()}); });
  expectUsable(context);
  EXPECT_EQ(context.memoryInUse(), 0U);
}

// Runs a matrix product for which the reference backend takes minutes. The test waits until the run has begun.
struct LongRun {
  std::shared_ptr<test::FakeBackend> backend = std::make_shared<test::FakeBackend>();
  std::binary_semaphore begun{0};
  std::vector<std::string> reported;
  Context context;
  Graph graph;
  Tensor x, y;

  LongRun() {
    ContextOptions options;
    options.onError = [this](const Error& error) { reported.push_back(error.what()); };
    context = makeContext(backend, std::move(options));
    constexpr std::uint32_t kSize = 4096;
    GraphBuilder builder(context);
    const Operand input = builder.input("x", {DataType::float32, {kSize, kSize}});
    graph = builder.build({{"y", builder.matmul(input, input)}});
    x = context.createTensor({.shape = {kSize, kSize}});
    y = context.createTensor({.shape = {kSize, kSize}, .readable = true});
    backend->beforeRun = [this] { begun.release(); };
  }
  void dispatch(const CallOptions& options = {}) { context.dispatch(graph, {{"x", x}}, {{"y", y}}, options); }
};

TEST(Calls, ARunThatIsStoppedGivesItsOutputsTheError) {
  LongRun run;
  std::stop_source source;
  run.dispatch({.stop = source.get_token()});
  auto result = run.context.readTensor(run.y);
  run.begun.acquire();
  source.request_stop();
  expectError(ErrorKind::abortError, {"dispatch: a stop was requested."}, [&] { result.get(); });
  EXPECT_EQ(run.reported, (std::vector<std::string>{"dispatch: a stop was requested."}));
  run.backend->beforeRun = [] {};
  expectUsable(run.context);
}

TEST(Calls, AQueuedRunThatIsStoppedDoesNotBegin) {
  LongRun run;
  std::stop_source first, second;
  run.dispatch({.stop = first.get_token()});
  run.begun.acquire();
  run.backend->beforeRun = [] { FAIL() << "it began"; };
  run.dispatch({.stop = second.get_token()});
  second.request_stop();
  first.request_stop();
  expectError(ErrorKind::abortError, {"dispatch"}, [&] { run.context.readTensor(run.y).get(); });
}

TEST(Calls, ALostContextEndsItsRun) {
  LongRun run;
  run.dispatch();
  auto result = run.context.readTensor(run.y);
  run.begun.acquire();
  run.context.destroy();
  expectError(ErrorKind::invalidStateError, {"destroyed"}, [&] { result.get(); });
}

// Tests that a long run of the CPU engine stops early, on one thread and on two, and that the context remains usable.
TEST(Calls, AnInterruptEndsALongRun) {
  for (const std::uint32_t threads : {1U, 2U}) {
    Context context = contextOf("cpu", {}, threads);
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::float32, {256, 256}});
    Operand y = x;
    for (int i = 0; i < 4000; ++i) y = builder.tanh(builder.matmul(y, x));  // 134 GFLOP
    const Graph graph = builder.build({{"y", y}});
    const std::vector<float> input(256 * 256);
    std::vector<float> output(256 * 256);
    const std::span<const std::byte> from = std::as_bytes(std::span(input));
    const std::span<std::byte> to = std::as_writable_bytes(std::span(output));
    expectError(ErrorKind::abortError, {"compute: it was interrupted."}, [&] {
      graph.compute({&from, 1}, {&to, 1}, {.isInterrupted = [] { return true; }});
    });
    expectUsable(context);
  }
}

TEST(Estimate, CountsOperationsAndMemoryOfTheDefinition) {
  Context context = contextOf("cpu", {});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {10, 20}});
  const Operand w = builder.constant({DataType::float32, {20, 30}}, std::vector<std::byte>(2400));
  const Operand b = builder.constant({DataType::float32, {30}}, std::vector<std::byte>(120));
  const Graph graph = builder.build({{"y", builder.relu(builder.add(builder.matmul(x, w), b))}});
  const MemoryEstimate estimate = graph.memoryEstimate();
  EXPECT_EQ(estimate.inputs, 800U);
  EXPECT_EQ(estimate.outputs, 1200U);
  EXPECT_EQ(estimate.constants, 2520U);
  EXPECT_EQ(estimate.packedWeights, 2400U);
  EXPECT_EQ(estimate.intermediates, 2400U);  // the product and the sum
  EXPECT_EQ(estimate.total(), 9320U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
