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

// Settings of a session.
struct SessionSettings {
  std::uint32_t threads = 0;           // of one run; 0: what ONNX Runtime thinks best
  std::vector<std::string> providers;  // that the library has, in the order of preference
  bool fallsBackToCpu = true;          // for operations that none of them has; else such a graph is refused
  int optimization = 99;               // GraphOptimizationLevel
  ProviderSettings provider;
};

// A tensor that a session reads or writes.
struct Binding {
  std::string name;
  onnx::ElementType type{};
  std::vector<std::int64_t> dims;
};

class Session final : public Executable {
 public:
  // Constants of `model` outside its bytes may be read while the session lives; `keepAlive` owns them. Throws NotSupportedError
  // with ONNX Runtime's words if it cannot run the model.
  Session(const Library& library, const onnx::ExportedModel& model, std::vector<Binding> inputs, std::vector<Binding> outputs,
          std::shared_ptr<const void> keepAlive, const SessionSettings& settings, const Budget& budget = Budget::none());

  // Ends between two ONNX Runtime operations once the budget is exhausted, or after the run if only a lost context can end it.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  // The same with DeviceTensors.
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
  std::vector<std::string> providers_;  // the ones that may run the nodes
  Owned<OrtSession> session_;
};

// Exports a graph for ONNX Runtime's kernels and makes its session.
std::unique_ptr<Session> makeSession(const Library& library, std::shared_ptr<const GraphDefinition> graph,
                                     const SessionSettings& settings, const Budget& budget = Budget::none());

}  // namespace webnn::onnxruntime
