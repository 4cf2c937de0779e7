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
  // Writes the graph as an .mlpackage into a temporary directory, which is removed afterwards, and lets Core ML compile it.
  // Throws NotSupportedError if the graph cannot be exported or Core ML refuses it, and OperationError for file errors.
  CompiledModel(const Framework& framework, const GraphDefinition& graph, ComputeUnits units, const Budget& budget);

  // Runs of one graph wait for each other, because an MLModel predicts on one thread at a time. A prediction cannot be cancelled.
  // Throws OperationError if an integer input is outside int32, if a result does not fit in its type of 8 or 4 bits, or if Core
  // ML fails.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  std::vector<std::string> notes() const override { return notes_; }
  // Core ML chooses each operation's unit and does not report it, so the device is the set of allowed units: "coreml cpuAndGPU".
  std::vector<OperationPlacement> placement() const override { return placement_; }

 private:
  struct Port {
    std::string graphName;
    OperandDescriptor descriptor;
    Array array;  // `data` is null
  };
  struct Binding;
  static Binding bind(const Port& port, std::byte* data, std::size_t size);
  static Binding bindInput(const Port& port, std::span<const std::byte> bytes);

  std::vector<Port> inputs_, outputs_;
  std::vector<std::string> notes_;
  std::vector<OperationPlacement> placement_;
  std::unique_ptr<LoadedModel> model_;
  mutable std::mutex mutex_;  // held during a prediction
};

}  // namespace webnn::coreml
