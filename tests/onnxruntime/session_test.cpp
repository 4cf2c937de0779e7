#include "backends/onnxruntime/session.h"

#include <thread>

#include "context/context_state.h"
#include "onnxruntime/models.h"
#include "support/onnxruntime.h"
#include "support/support.h"

namespace webnn::onnxruntime {
namespace WEBNN_TEST_FILE {

using onnx::ElementType;

const Library& library() { return Library::load(SearchPlaces::ofProcess(libraryKind())); }

const Binding kFloats{"x", ElementType::float32, {4}}, kResult{"y", ElementType::float32, {4}};

// Makes a session for y = x + weights, in float32.
std::unique_ptr<Session> makeAddition(std::span<const std::byte> weights) {
  const std::vector<std::int64_t> dims{static_cast<std::int64_t>(weights.size() / sizeof(float))};
  const Binding input{"x", ElementType::float32, dims}, output{"y", ElementType::float32, dims};
  const auto model = test::modelOf("Add", {input}, {{"w", ElementType::float32, dims, weights}}, output);
  return std::make_unique<Session>(library(), model, std::vector{input}, std::vector{output}, nullptr, SessionSettings());
}

// Makes a session for y = x[i], which fails for indices above 3.
std::unique_ptr<Session> makeGather() {
  const Binding index{"i", ElementType::int64, {4}};
  return std::make_unique<Session>(library(), test::modelOf("Gather", {kFloats, index}, {}, kResult), std::vector{kFloats, index},
                                   std::vector{kResult}, nullptr, SessionSettings());
}

std::vector<float> floatsAt(const std::byte* bytes) {
  std::vector<float> values(4);
  std::memcpy(values.data(), bytes, 16);
  return values;
}

TEST(Session, ReadsAndWritesTheCallersMemoryAtAnyAlignment) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  alignas(8) std::byte weights[24], input[24], output[24];
  const std::vector<float> some{10, 20, 30, 40}, more{1, 2, 3, 4};
  for (const std::size_t offset : {0, 1, 3, 4}) {
    std::memcpy(weights + offset, some.data(), 16);
    std::memcpy(input + offset, more.data(), 16);
    std::ranges::fill(output, std::byte{0x5A});
    const auto session = makeAddition({weights + offset, 16});
    const std::span<const std::byte> from(input + offset, 16);
    const std::span<std::byte> to(output + offset, 16);
    session->run({&from, 1}, {&to, 1});
    EXPECT_EQ(floatsAt(output + offset), (std::vector<float>{11, 22, 33, 44})) << offset;
    for (std::size_t i = 0; i < 24; ++i) {
      const bool isOutside = i < offset || i >= offset + 16;
      EXPECT_TRUE(!isOutside || output[i] == std::byte{0x5A}) << offset << " " << i;
    }
  }
}

TEST(Session, RunsInSeveralThreadsAtOnce) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const std::vector<float> weights{1, 2, 3, 4};
  const auto session = makeAddition(std::as_bytes(std::span(weights)));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&session, &mistakes = wrong[static_cast<std::size_t>(thread)], thread] {
      for (int round = 0; round < 50; ++round) {
        const auto base = static_cast<float>(thread * 1000 + round);
        const std::vector<float> input(4, base);
        std::vector<float> output(4);
        const std::span<const std::byte> from = std::as_bytes(std::span(input));
        const std::span<std::byte> to = std::as_writable_bytes(std::span(output));
        session->run({&from, 1}, {&to, 1});
        mistakes += output != std::vector<float>{base + 1, base + 2, base + 3, base + 4};
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Session, SaysWhyAModelIsRefused) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const auto expectRejected = [](const onnx::ExportedModel& model, const std::string& part) {
    test::expectError(ErrorKind::notSupportedError, {"build: ONNX Runtime refuses the graph: ", part},
                      [&] { Session(library(), model, {kFloats}, {kResult}, nullptr, {}); });
  };
  expectRejected(test::modelOf("Nonsense", {kFloats}, {}, kResult), "Nonsense");
  expectRejected({.proto = "no model"}, "protobuf");
}

// A backend that uses the session of makeGather() for every graph.
struct GatherBackend final : Backend {
  std::string_view name() const override { return "gather"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition>, const Budget&) const override {
    return makeGather();
  }
};

TEST(Session, BringsTheErrorOfARunToTheReader) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  std::vector<std::string> reported;
  Context context = makeContext(
      std::make_shared<GatherBackend>(),
      {.execution = Execution::callerThread, .onError = [&](const Error& error) { reported.emplace_back(error.what()); }});
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {4}}), i = builder.input("i", {DataType::int64, {4}});
  const Graph graph = builder.build({{"y", builder.gather(x, i)}});
  const Tensor data = context.createTensor({DataType::float32, {4}, false, true});
  const Tensor indices = context.createTensor({DataType::int64, {4}, false, true});
  const Tensor result = context.createTensor({DataType::float32, {4}, true, false});
  context.write<float>(data, {1, 2, 3, 4});
  context.write<std::int64_t>(indices, {0, 1, 2, 77});
  context.dispatch(graph, {{"x", data}, {"i", indices}}, {{"y", result}});
  test::expectError(ErrorKind::operationError, {"Gather", "77"}, [&] { context.read<float>(result); });
  ASSERT_EQ(reported.size(), 1u);
  context.write<std::int64_t>(indices, {3, 0, 2, 1});
  context.dispatch(graph, {{"x", data}, {"i", indices}}, {{"y", result}});
  EXPECT_EQ(context.read<float>(result), (std::vector<float>{4, 1, 3, 2}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::onnxruntime
