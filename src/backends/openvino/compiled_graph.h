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
  std::string device = "CPU";                                   // as the library names it
  std::vector<std::pair<std::string, std::string>> properties;  // of OpenVINO
};

// The index of a tensor's port.
struct Port {
  std::string name;
  OperandDescriptor descriptor;
};

class CompiledGraph final : public Executable {
 public:
  // Throws NotSupportedError with OpenVINO's words if it cannot run the graph.
  CompiledGraph(const Library& library, std::shared_ptr<const GraphDefinition> graph, const CompileSettings& settings,
                const Budget& budget);

  // Ends between two OpenVINO operations once the budget is exhausted. Throws OperationError for 64-bit integers beyond 32 bits,
  // because OpenVINO computes those in 32 bits.
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
  const std::shared_ptr<const GraphDefinition> graph_;  // owns constants that the model may read
  std::vector<Port> inputs_, outputs_;
  std::vector<std::string> notes_;
  std::vector<onnx::ExportedOperation> operations_;
  Owned<ov_compiled_model> model_;
  std::vector<bool> isRead_;  // whether the model has the input: OpenVINO drops unused ones
  mutable std::mutex mutex_;
  mutable std::vector<Request> idle_;  // a run takes one or makes a new one
};

}  // namespace webnn::openvino
