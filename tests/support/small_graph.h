// A small graph for tests of backends: relu(matmul) of a 2 x 2 input and a constant.
#pragma once

#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "webnn/webnn.hpp"

namespace webnn::test {

inline Graph makeSmallGraph(Context& context) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {2, 2}});
  const Operand weights = builder.constant<float>({DataType::float32, {2, 2}}, {1, -1, 2, 0.5f});
  return builder.build({{"y", builder.relu(builder.matmul(x, weights))}});
}

inline std::vector<float> runSmallGraph(Context& context, const Graph& graph, const std::vector<float>& values,
                                        const CallOptions& options = {}) {
  const Tensor x = context.createTensor({DataType::float32, {2, 2}, false, true}),
               y = context.createTensor({DataType::float32, {2, 2}, true, false});
  context.write(x, values);
  context.dispatch(graph, {{"x", x}}, {{"y", y}}, options);
  return context.read<float>(y);
}

// Returns whether 20 runs with different inputs have the right results.
inline bool isSmallGraphRight(Context& context, const Graph& graph) {
  for (int i = 1; i <= 20; ++i) {
    const auto value = static_cast<float>(i);
    const std::vector<float> expected{value, 0, 2 * value, value / 2};
    if (runSmallGraph(context, graph, {value, 0, 0, value}) != expected) return false;
  }
  return true;
}

// Returns whether `work` returns true on each of four threads that run it at the same time.
inline bool isTrueOnFourThreads(const std::function<bool()>& work) {
  std::array<bool, 4> results{};
  {
    std::vector<std::jthread> threads;
    for (bool& result : results) threads.emplace_back([&] { result = work(); });
  }
  return results == std::array{true, true, true, true};
}

}  // namespace webnn::test
