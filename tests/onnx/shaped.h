// Tables of nodes with the shapes and values of their results, and of malformed nodes.
#pragma once

#include <string>
#include <vector>

#include "onnx/malformed.h"

namespace webnn::test::onnx {

// A model with one node, and the shape and values of its first output.
struct ShapedCase {
  const char* name;
  Node node;
  std::vector<Given> inputs;
  Shape shape;
  std::vector<double> expected;
  std::int64_t operatorSet = 21;
};

inline void expectShaped(const std::vector<ShapedCase>& cases) {
  for (const ShapedCase& one : cases) {
    SCOPED_TRACE(one.name);
    std::vector<Imported> results;
    ASSERT_NO_THROW(results = run(modelOf(one.node, one.inputs, one.operatorSet)));
    EXPECT_EQ(results.at(0).descriptor.shape, one.shape);
    expectNear(results.at(0).values, one.expected, 1e-6);
  }
}

// A model with one node that violates ONNX's rules, and parts of its error message.
struct MalformedNode {
  Node node;
  std::vector<Given> inputs;
  std::vector<std::string> parts;
  std::int64_t operatorSet = 21;
};

inline void expectMalformedNodes(const std::vector<MalformedNode>& nodes) {
  std::vector<MalformedCase> cases;
  for (const MalformedNode& one : nodes) cases.push_back({modelOf(one.node, one.inputs, one.operatorSet), one.parts});
  expectMalformed(cases);
}

inline Given int64s(std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return constantOf(kInt64, {count}, std::move(values));
}
inline Given floats(Dims dims, std::vector<double> values) { return inputOf(kFloat, std::move(dims), std::move(values)); }

// Returns the numbers 1, 2, 3, ... in a tensor of shape `dims`.
inline Given counted(Dims dims, Type type = kFloat) {
  std::vector<double> values;
  std::int64_t count = 1;
  for (const std::int64_t size : dims) count *= size;
  for (std::int64_t i = 1; i <= count; ++i) values.push_back(static_cast<double>(i));
  return inputOf(type, std::move(dims), std::move(values));
}

}  // namespace webnn::test::onnx
