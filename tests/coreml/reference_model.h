// A replacement for a Core ML model in tests: computes a graph with the reference backend on Core ML's arrays.
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

  // Computes the outputs. Inputs and outputs may be in any order and have any strides. Throws std::runtime_error if an input or
  // output of the exported model is missing, or has another type or shape.
  void predict(std::span<const coreml::Array> inputs, std::span<const coreml::Array> outputs) const;

 private:
  using Names = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<const GraphDefinition> graph_;
  std::unique_ptr<Executable> reference_;
  Names inputs_, outputs_;  // pairs of a name in the graph and its name in the model
};

}  // namespace webnn::test
