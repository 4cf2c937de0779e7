// A graph in ONNX Runtime.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/onnxruntime/library.h"
#include "backends/onnxruntime/provider_settings.h"
#include "graph/backend.h"
#include "onnx/write/export.h"

namespace webnn::onnxruntime {

// How sessions are made.
struct SessionSettings {
  std::uint32_t threads = 0;           // of one run; 0: what ONNX Runtime thinks best
  std::vector<std::string> providers;  // that the library has, in the order of preference
  bool fallsBackToCpu = true;          // for operations that none of them has; else such a graph is refused
  int optimization = 99;               // GraphOptimizationLevel
  ProviderSettings provider;
};

// A tensor that a session takes or gives.
struct Binding {
  std::string name;
  onnx::ElementType type{};
  std::vector<std::int64_t> dims;
};

class Session final : public Executable {
 public:
  // Constants of `model` outside its bytes may be read as long as the session lives; `keepAlive` owns them.
  // NotSupportedError with ONNX Runtime's words if it cannot run the model.
  Session(const Library& library, const onnx::ExportedModel& model, std::vector<Binding> inputs, std::vector<Binding> outputs,
          std::shared_ptr<const void> keepAlive, const SessionSettings& settings, const Budget& budget = Budget::none());

  // Ends between two operations of ONNX Runtime once the budget is over; where only a lost context can end it, with the run.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  // With DeviceTensors.
  void runOnDevice(std::span<const DeviceMemory* const> inputs, std::span<DeviceMemory* const> outputs,
                   const Budget& budget) const override;
  std::vector<std::string> notes() const override { return notes_; }
  std::vector<OperationPlacement> placement() const override;

 private:
  void run(const OrtValue* const* inputs, OrtValue** outputs, const Budget& budget) const;

  const Library& library_;
  std::vector<Binding> inputs_, outputs_;
  std::vector<const char*> inputNames_, outputNames_;
  std::shared_ptr<const void> keepAlive_;
  std::vector<std::unique_ptr<std::byte[]>> copies_;  // of constants that are not aligned
  std::vector<Owned<OrtValue>> constants_;
  std::vector<std::string> notes_;
  std::vector<onnx::ExportedOperation> operations_;
  std::vector<std::string> providers_;  // that may run them
  Owned<OrtSession> session_;
};

// The session of a graph: exports it for ONNX Runtime's kernels.
std::unique_ptr<Session> makeSession(const Library& library, std::shared_ptr<const GraphDefinition> graph,
                                     const SessionSettings& settings, const Budget& budget = Budget::none());

}  // namespace webnn::onnxruntime
