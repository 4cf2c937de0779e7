// Makes clients of the service: contexts with a small graph whose results are known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "webnn/context.h"
#include "webnn/graph_builder.h"

namespace webnn::test {

// Private services use the program that was built with the tests.
[[maybe_unused]] inline const bool kUsesBuiltProgram = ::setenv("WEBNN_SERVICE_PROGRAM", WEBNN_SERVICE_PROGRAM, 1) == 0;

// A context with a graph: y = 2 sin(x) + addend.
struct Client {
  Context context;
  Graph graph;
  Tensor x, y;
};

inline Graph buildGraph(const Context& context, std::uint32_t size, float addend) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {size}});
  const std::vector<float> values(size, addend);
  const Operand constant = builder.constant({DataType::float32, {size}}, std::as_bytes(std::span(values)));
  const Operand two = builder.constant({DataType::float32, {1}}, std::as_bytes(std::span<const float>(std::array{2.0F})));
  return builder.build({{"y", builder.add(builder.mul(builder.sin(x), two), constant)}});
}

inline Client makeClient(ContextOptions options, std::uint32_t size = 16, float addend = 3) {
  Client client;
  client.context = Context::create(std::move(options));
  client.graph = buildGraph(client.context, size, addend);
  client.x = client.context.createTensor({DataType::float32, {size}, false, true});
  client.y = client.context.createTensor({DataType::float32, {size}, true, false});
  return client;
}

inline bool isExpected(const std::vector<float>& values, std::size_t size, float x, float addend) {
  const float expected = 2 * std::sin(x) + addend;
  return values.size() == size &&
         std::ranges::all_of(values, [&](float value) { return std::abs(value - expected) <= 1e-5F * (1 + std::abs(expected)); });
}

// Returns whether the client computes correctly.
inline bool computes(Client& client, float x, float addend = 3) {
  const std::size_t size = client.x.shape()[0];
  client.context.write(client.x, std::vector<float>(size, x));
  client.context.dispatch(client.graph, {{"x", client.x}}, {{"y", client.y}});
  return isExpected(client.context.read<float>(client.y), size, x, addend);
}

inline std::size_t openDescriptors(const std::string& process = "self") {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/" + process + "/fd"), {}));
}

}  // namespace webnn::test
