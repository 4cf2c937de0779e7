#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/openvino/library.h"
#include "graph/backend.h"
#include "onnx/write/export.h"

namespace webnn::openvino {

struct CompileSettings {
  std::string device = "CPU";                                   // OpenVINO's device name, such as "GPU.0"
  std::vector<std::pair<std::string, std::string>> properties;  // OpenVINO properties, passed to ov_core_compile_model
};

// A model input or output.
struct Port {
  std::string name;
  OperandDescriptor descriptor;
};

class CompiledGraph final : public Executable {
 public:
  // Compiles the graph. Throws NotSupportedError if OpenVINO cannot run it.
  CompiledGraph(const Library& library, std::shared_ptr<const GraphDefinition> graph, const CompileSettings& settings,
                const Budget& budget);

  // Once a limit of the budget is exceeded, the run stops after the current OpenVINO operation. Without limits, the loss of the
  // context does not stop a run. Throws OperationError if a 64-bit input holds a value outside int32, because OpenVINO computes
  // 64-bit integers in 32 bits.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  std::vector<std::string> notes() const override { return notes_; }
  std::vector<OperationPlacement> placement() const override;

 private:
  using Request = Owned<ov_infer_request>;
  std::vector<bool> inputsRead() const;
  Request takeRequest() const;
  void infer(ov_infer_request* request, const Budget& budget) const;

  const Library& library_;
  const std::shared_ptr<const GraphDefinition> graph_;  // keeps the constants alive that the model may read
  std::vector<Port> inputs_, outputs_;
  std::vector<std::string> notes_;
  std::vector<onnx::ExportedOperation> operations_;
  Owned<ov_compiled_model> model_;
  std::vector<bool> isRead_;  // indexed by input: whether the compiled model has the input; OpenVINO drops unused inputs
  mutable std::mutex mutex_;
  mutable std::vector<Request> idle_;  // infer requests for reuse; a run creates a new one if none is idle
};

}  // namespace webnn::openvino
