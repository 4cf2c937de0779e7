// Tests the memory limit of docs/guides/service.md. limits_test.cpp tests the other limits.
#include <atomic>
#include <thread>

#include "backends/service/connection.h"
#include "broker/client_worker.h"
#include "formats/document/json_parse.h"
#include "service/context_client.h"
#include "webnn/graph_builder.h"
#include "worker/worker_state.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace test;

TEST(ServiceLimits, OfMemoryEndsTheLargest) {
  const std::vector<std::uint64_t> memories{300, 500, 200};
  EXPECT_EQ(beyondMemory(memories, 1001), std::nullopt);
  EXPECT_EQ(beyondMemory(memories, 1000), std::nullopt);
  EXPECT_EQ(beyondMemory(memories, 999), 1U);
  EXPECT_EQ(beyondMemory({}, 1), std::nullopt);
}

// If the limit is so small that a worker cannot be loaded, start a thread or build a graph, the error names the limit.
TEST(ServiceLimits, OfMemoryAreNamedHoweverSmall) {
  for (const char* const memory : {"4096", "1048576", "4194304", "16777216"}) {
    TestService service(limits(std::string("\"memory\": ") + memory));
    std::string error;
    try {
      const Context context = Context::create(service.options());
      GraphBuilder builder(context);
      const OperandDescriptor type{DataType::float32, {2048, 1024}};
      const std::vector<float> values(2048 * 1024, 1);
      const Operand weights = builder.constant(type, std::as_bytes(std::span(values)));
      builder.build({{"y", builder.matmul(builder.input("x", {DataType::float32, {64, 2048}}), weights)}});
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    EXPECT_TRUE(error.find("imit of memory is " + sizeText(std::stoull(memory))) != std::string::npos ||
                (error.find("QuotaExceeded: ") != std::string::npos && error.find(memory) != std::string::npos))
        << memory << ": " << error;
  }
}

TEST(ServiceLimits, OfSharedMemory) {
  WorkerStatus status{};
  WorkerState state(status);
  const WorkerLimits limits{.memory = 3 * 4096};
  const auto add = [&](std::uint32_t number, std::size_t bytes) {
    state.addMemory(number, std::move(makeSharedMemory(bytes, "test").mapping), false, limits);
  };
  add(1, 4096);
  add(2, 8191);
  add(3, 1);
  EXPECT_EQ(status.sharedBytes, 12288U);
  const auto refused = {"QuotaExceeded: with 1 bytes more, the shared memory would exceed the limit of 12288 bytes."};
  expectError(ErrorKind::operationError, {refused.begin(), refused.end()}, [&] { add(4, 1); });
  WorkerState::Memory used = state.memory(3);  // uses the memory like a graph that refers to its constants
  state.dropMemory(3);
  expectError(ErrorKind::operationError, {refused.begin(), refused.end()}, [&] { add(4, 1); });
  used.reset();
  add(4, 1);
}

TEST(ServiceLimits, OfMemoryOfATenantTogether) {
  TestService service(limits("\"memory\": 134217728"));
  ContextClient first(service), second(service);
  ASSERT_TRUE(first.isReady && second.isReady);
  EXPECT_EQ(first.share(1, 60 << 20), "ok");
  EXPECT_EQ(second.share(1, 40 << 20), "ok");
  EXPECT_EQ(second.share(2, 40 << 20), "ok");
  // The larger of the two workers ends.
  EXPECT_EQ(second.lost(), "lost: worker was killed: memory limit 128 MiB of \"owner\"");
  EXPECT_EQ(first.compileOfNodes(1, 1), "ok");
}

// If a tenant exceeds its memory limit, only one worker is killed at a time, because a killed process and its memory need some
// time to disappear.
TEST(ServiceLimits, OfMemoryOfATenantEndsOneWorkerAtATime) {
  TestService service(limits("\"memory\": 134217728"));
  std::atomic<bool> isOver{false};
  std::thread status([&] {  // each status request makes the broker check the memory
    while (!isOver) askBroker({service.path(), ""}, Wish::status);
  });
  for (int i = 0; i < 10; ++i) {
    ContextClient first(service), second(service);
    ASSERT_TRUE(first.isReady && second.isReady);
    EXPECT_EQ(first.share(1, 70 << 20), "ok");
    second.share(1, 70 << 20);  // the worker may end before it answers
    const auto hasEnded = [](ContextClient& client, int milliseconds) {
      return isReadable(client.control().get(), milliseconds);
    };
    ASSERT_TRUE(becomesTrue([&] { return hasEnded(first, 0) || hasEnded(second, 0); })) << "round " << i;
    EXPECT_FALSE(hasEnded(hasEnded(first, 0) ? second : first, 300)) << "round " << i;
  }
  isOver = true;
  status.join();
}

TEST(ServiceLimits, MemoryIsFreeAtOnceWhenTensorsAndGraphsAreDestroyed) {
  TestService service;
  Context context = Context::create(service.options());
  const auto memory = [&] {
    const formats::Json status = formats::parseJson(askBroker({service.path(), ""}, Wish::status));
    return status.find("tenants")->items().at(0).find("memory")->asUnsigned();
  };
  Tensor tensor = context.createTensor({DataType::float32, {16 << 20}});
  EXPECT_GE(memory(), 64U << 20);
  tensor.destroy();
  tensor = Tensor();
  EXPECT_TRUE(becomesTrue([&] { return memory() < 64U << 20; }, 2000)) << memory();
  {
    GraphBuilder builder(context);
    const OperandDescriptor descriptor{DataType::float32, {16 << 20}};
    const std::vector<std::byte> values(64 << 20);
    Graph graph = builder.build({{"y", builder.add(builder.input("x", descriptor), builder.constant(descriptor, values))}});
    EXPECT_GE(memory(), 64U << 20);
    graph.destroy();
  }
  EXPECT_TRUE(becomesTrue([&] { return memory() < 64U << 20; }, 2000)) << memory();
}

TEST(ServiceLimits, OfMemoryOfAWorker) {
  TestService service(limits("\"memory\": 134217728"));
  ContextClient client(service), other(service);
  EXPECT_EQ(client.share(1, 129 << 20),
            "QuotaExceeded: with 135266304 bytes more, the shared memory would exceed the limit of 134217728 bytes.");
  // The graph has two intermediate values of 320 MiB each.
  std::string answer = client.compileChanged(1, [](EditedMessage& edited) {
    edited.graph.getInputs()[0].initShape(2).set(0, 1);
    edited.graph.getInputs()[0].getShape().set(1, 2);
    auto nodes = edited.graph.initNodes(3);
    auto expand = nodes[0].getOperation().initExpand();
    expand.setInput(0);
    auto shape = expand.initNewShape(2);
    shape.set(0, 40 << 20);
    shape.set(1, 2);
    auto sums = nodes[1].getOperation().initCumulativeSum();
    sums.setInput(1);
    nodes[2].getOperation().initReduceMax().setInput(2);
    edited.graph.getOutputs()[0].setOperand(3);
  });
  if (answer == "ok") answer = client.share(1, 4096);
  if (answer == "ok") answer = client.dispatch(1, {{1, 0, 0, 8}}, {{1, 0, 64, 4}});
  EXPECT_NE(answer.find("134217728 bytes"), std::string::npos) << answer;
  EXPECT_EQ(other.compileOfNodes(1, 1), "ok");
}

// A worker may choose its own name, which the system prints first in the file with the memory of a process. The measurement must
// not depend on the name.
TEST(ServiceLimits, AreMeasuredWhateverAWorkerCallsItself) {
  const TemporaryFolder folder;
  const std::filesystem::path program = folder / "RssAnon: 0";
  std::filesystem::create_symlink(WEBNN_SERVICE_PROGRAM, program);
  const WorkerProcess worker({}, {.name = "tenant"}, program);
  EXPECT_TRUE(becomesTrue([&] { return worker.memory() > 100'000; })) << worker.memory();
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
