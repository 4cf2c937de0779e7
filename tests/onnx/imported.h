// Imports models of one node, or models of a test, and runs them, by default on the reference backend.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "onnx/read/import.h"
#include "onnx/schema.h"
#include "support/onnx_model.h"
#include "support/support.h"

namespace webnn::test::onnx {

// An operand of a node: an input of the graph, a constant, or nothing.
struct Given {
  Type type = kUndefined;
  Dims dims = {};
  std::vector<double> values = {};
  bool isConstant = false;
};

inline Given constantOf(Type type, Dims dims, std::vector<double> values) {
  return {type, std::move(dims), std::move(values), true};
}
inline Given inputOf(Type type, Dims dims, std::vector<double> values) { return {type, std::move(dims), std::move(values)}; }

// Returns the packed elements, also for types that WebNN does not have.
inline std::string packed(const Given& given) {
  if (given.type == kDouble) return raw(given.values);
  const auto begin = given.values.begin(), end = given.values.end();
  if (given.type == kInt16) return raw(std::vector<std::int16_t>(begin, end));
  if (given.type == kUint16 || given.type == kBfloat16) return raw(std::vector<std::uint16_t>(begin, end));  // bfloat16: bits
  if (given.values.empty()) return {};
  const auto dataType = webnn::onnx::dataTypeOf(static_cast<webnn::onnx::ElementType>(given.type));
  return textOf(pack({*dataType, {given.dims.begin(), given.dims.end()}}, std::vector<Number>(begin, end)));
}

struct Imported {
  OperandDescriptor descriptor;
  std::vector<double> values;
};

struct Runnable {
  Model model;
  std::map<std::string, std::vector<double>> inputs;
};

// Returns a model with one node. Its inputs are named x0, x1, ... and its outputs y0, y1, ...
inline Runnable modelOf(Node node, const std::vector<Given>& inputs, std::int64_t operatorSet = 21, std::size_t outputs = 1) {
  Runnable result;
  Graph& graph = result.model.graph;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Given& given = inputs[i];
    const std::string name = given.type == kUndefined ? "" : "x" + std::to_string(i);
    node.inputs.push_back(name);
    if (given.type == kUndefined) continue;
    if (given.isConstant) {
      graph.initializers.push_back(rawTensor(name, given.type, given.dims, packed(given)));
    } else {
      graph.inputs.push_back({name, given.type, std::vector<Dimension>(given.dims.begin(), given.dims.end())});
      result.inputs[name] = given.values;
    }
  }
  for (std::size_t i = 0; i < outputs; ++i) {
    node.outputs.push_back("y" + std::to_string(i));
    graph.outputs.push_back({node.outputs.back()});
  }
  result.model.operatorSets = {{"", operatorSet}};
  if (!node.domain.empty()) result.model.operatorSets[node.domain] = 1;
  graph.nodes = {std::move(node)};
  return result;
}

inline webnn::Graph import(Context& context, const Model& model) {
  return formats::onnx::importModel(context, bytesOf(modelBytes(model)), {}, {});
}

inline std::vector<Imported> run(const Runnable& runnable, std::string backend = "reference") {
  Context context = makeContext(std::move(backend));
  const webnn::Graph graph = import(context, runnable.model);
  std::vector<NamedTensor> inputs, outputs;
  for (const auto& [name, descriptor] : graph.inputs()) {
    const std::vector<double>& values = runnable.inputs.at(name);
    inputs.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, false, true}));
    context.writeTensor(inputs.back().second, pack(descriptor, std::vector<Number>(values.begin(), values.end())));
  }
  for (const auto& [name, descriptor] : graph.outputs()) {
    outputs.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, true, false}));
  }
  context.dispatch(graph, inputs, outputs);
  std::vector<Imported> results;
  for (auto& [name, tensor] : outputs) {
    const OperandDescriptor descriptor = tensor.descriptor();
    std::vector<double> values;
    for (const Number& number : unpack(descriptor, context.readTensor(tensor).get())) values.push_back(number.toDouble());
    results.push_back({descriptor, std::move(values)});
  }
  return results;
}

// Expects that the import refuses the model with a reason that contains all of `parts`.
inline void expectRefused(const Runnable& runnable, const std::vector<std::string>& parts) {
  Context context = makeContext();
  expectError(ErrorKind::notSupportedError, parts, [&] { import(context, runnable.model); });
}

// A model with one node and its expected outputs.
struct NodeCase {
  const char* name;
  Node node;
  std::vector<Given> inputs;
  std::vector<std::vector<double>> expected;
  std::int64_t operatorSet = 21;
  double tolerance = 1e-6;
};

inline void expectCases(const std::vector<NodeCase>& cases) {
  for (const NodeCase& one : cases) {
    SCOPED_TRACE(one.name);
    std::vector<Imported> results;
    ASSERT_NO_THROW(results = run(modelOf(one.node, one.inputs, one.operatorSet, one.expected.size())));
    for (std::size_t i = 0; i < one.expected.size(); ++i) expectNear(results[i].values, one.expected[i], one.tolerance);
  }
}

// A model with one node, and parts of the import's error.
struct RefusedCase {
  Node node;
  std::vector<Given> inputs;
  std::vector<std::string> parts;
  std::int64_t operatorSet = 21;
};

inline void expectUnsupported(const std::vector<RefusedCase>& cases) {
  for (const RefusedCase& one : cases) {
    SCOPED_TRACE(one.node.opType);
    expectRefused(modelOf(one.node, one.inputs, one.operatorSet), one.parts);
  }
}

}  // namespace webnn::test::onnx
