// Stands in for a Core ML model in the tests: computes a graph as the reference backend does, over Core ML's arrays.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/coreml/arrays.h"
#include "graph/backend.h"

namespace webnn::test {

class ReferenceModel {
 public:
  explicit ReferenceModel(std::shared_ptr<const GraphDefinition> graph);

  // Inputs and outputs may come in any order, and lie in memory by any strides. std::runtime_error for a name, a type or a shape
  // that the exported model does not have.
  void predict(std::span<const coreml::Array> inputs, std::span<const coreml::Array> outputs) const;

 private:
  using Names = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<const GraphDefinition> graph_;
  std::unique_ptr<Executable> reference_;
  Names inputs_, outputs_;  // of the graph, and of the model
};

}  // namespace webnn::test
