// Tests objects that are destroyed in any order, and used on several threads.
#include <algorithm>
#include <array>
#include <thread>

#include "rustnn_bridge/bridge_support.h"

namespace bridge {
namespace {

constexpr std::size_t kLength = 4;

// Computes relu(x + 1) of four elements that begin with `first`, and expects the values.
void computeOnce(const Context& context, const Graph& graph, float first) {
  const Tensor x = makeTensor(context, RustnnDataType_Float32, {kLength}, false, true);
  const Tensor y = makeTensor(context, RustnnDataType_Float32, {kLength}, true, false);
  write(context, x, bytesOf<float>({first, first + 1, -first, -first - 1}));
  const RustnnNamedTensor inputs[] = {{"x", x.get()}}, outputs[] = {{"y", y.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  const std::vector<float> expected = {std::max(first + 1, 0.0f), std::max(first + 2, 0.0f), std::max(1 - first, 0.0f),
                                       std::max(-first, 0.0f)};
  EXPECT_EQ(valuesOf<float>(read(context, y, 4 * kLength)), expected);
}

TEST(Lifetime, ObjectsMayBeDestroyedInAnyOrder) {
  std::array<int, 4> order = {0, 1, 2, 3};
  do {
    Context context = makeContext();
    Graph graph = build(context, reluJson({1, 1, 1, 1}));
    Tensor x = makeTensor(context, RustnnDataType_Float32, {kLength}), y = makeTensor(context, RustnnDataType_Float32, {kLength});
    write(context, x, bytesOf<float>({1, 2, 3, 4}));
    const RustnnNamedTensor inputs[] = {{"x", x.get()}}, outputs[] = {{"y", y.get()}};
    expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
    for (const int object : order) {  // without waiting for the run
      if (object == 0) context.reset();
      if (object == 1) graph.reset();
      if (object == 2) x.reset();
      if (object == 3) y.reset();
    }
  } while (std::ranges::next_permutation(order).found);
}

TEST(Lifetime, AQueuedRunOutlivesItsGraphAndInput) {
  const Context context = makeContext();
  Graph graph = build(context, reluJson({1, 1, 1, 1}));
  Tensor x = makeTensor(context, RustnnDataType_Float32, {kLength});
  const Tensor y = makeTensor(context, RustnnDataType_Float32, {kLength});
  write(context, x, bytesOf<float>({1, 2, 3, 4}));
  const RustnnNamedTensor inputs[] = {{"x", x.get()}}, outputs[] = {{"y", y.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  graph.reset();
  x.reset();
  EXPECT_EQ(valuesOf<float>(read(context, y, 4 * kLength)), (std::vector<float>{2, 3, 4, 5}));
}

// The text of the graph and the bytes of a write may change when their functions return.
TEST(Lifetime, ArgumentsAreCopied) {
  const Context context = makeContext();
  std::string json = reluJson({1, 2, 3, 4});
  const Graph graph = build(context, json);
  json.assign(json.size(), 'x');
  const Tensor x = makeTensor(context, RustnnDataType_Float32, {kLength}),
               y = makeTensor(context, RustnnDataType_Float32, {kLength});
  Bytes bytes = bytesOf<float>({10, 20, 30, 40});
  write(context, x, bytes);
  bytes.assign(bytes.size(), 0xFF);
  const RustnnNamedTensor inputs[] = {{"x", x.get()}}, outputs[] = {{"y", y.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  EXPECT_EQ(valuesOf<float>(read(context, y, 4 * kLength)), (std::vector<float>{11, 22, 33, 44}));
}

void onThreads(const auto& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, EachWithItsOwnContext) {
  onThreads([](int thread) {
    for (int i = 0; i < 5; ++i) {
      const Context context = makeContext();
      const Graph graph = build(context, reluJson({1, 1, 1, 1}));
      computeOnce(context, graph, static_cast<float>(thread * 10 + i));
    }
  });
}

TEST(Threads, AllWithOneContextAndOneGraph) {
  const Context context = makeContext();
  const Graph graph = build(context, reluJson({1, 1, 1, 1}));
  onThreads([&](int thread) {
    for (int i = 0; i < 20; ++i) {
      computeOnce(context, graph, static_cast<float>(thread * 100 + i));
      if (i % 5 == 0) computeOnce(context, build(context, reluJson({1, 1, 1, 1})), static_cast<float>(i));
    }
  });
}

TEST(Threads, EachHasItsOwnErrorMessage) {
  const Context context = makeContext();
  rustnn_context_create(nullptr, nullptr);
  const std::string own = rustnn_last_error_message();
  onThreads([&](int thread) {
    EXPECT_STREQ(rustnn_last_error_message(), "");
    const std::uint64_t size = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(thread);
    RustnnTensor* tensor = nullptr;
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(rustnn_tensor_create(context.get(), RustnnDataType_Int8, &size, 1, true, true, &tensor),
                RustnnStatus_InvalidArgument);
      EXPECT_NE(std::string(rustnn_last_error_message()).find(std::to_string(size)), std::string::npos);
      expectSuccess(rustnn_tensor_create(context.get(), RustnnDataType_Int8, nullptr, 0, true, true, &tensor));
      EXPECT_NE(std::string(rustnn_last_error_message()).find(std::to_string(size)), std::string::npos);  // success keeps it
      rustnn_tensor_destroy(tensor);
    }
  });
  EXPECT_EQ(rustnn_last_error_message(), own);
}

}  // namespace
}  // namespace bridge
