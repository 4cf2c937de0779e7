#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/coreml/framework.h"
#include "graph/backend.h"

namespace webnn::coreml {

class CompiledModel final : public Executable {
 public:
  // Writes the graph as a package into a temporary directory, which is removed afterwards, and lets Core ML compile it. Throws
  // NotSupportedError if Core ML cannot express or refuses it.
  CompiledModel(const Framework& framework, const GraphDefinition& graph, ComputeUnits units, const Budget& budget);

  // Waits for other runs of the graph, because an MLModel takes one at a time, and does not return early from a prediction.
  // Throws OperationError for integers beyond int32.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  std::vector<std::string> notes() const override { return notes_; }
  // On which of the compute units an operation runs is Core ML's choice: their name is "coreml cpuAndGPU".
  std::vector<OperationPlacement> placement() const override { return placement_; }

 private:
  struct Port {
    std::string graphName;
    OperandDescriptor descriptor;
    Array array;  // without memory
  };
  struct Binding;
  static Binding bind(const Port& port, std::byte* data, std::size_t size);
  static Binding bindInput(const Port& port, std::span<const std::byte> bytes);

  std::vector<Port> inputs_, outputs_;
  std::vector<std::string> notes_;
  std::vector<OperationPlacement> placement_;
  std::unique_ptr<LoadedModel> model_;
  mutable std::mutex mutex_;  // of predictions
};

}  // namespace webnn::coreml
