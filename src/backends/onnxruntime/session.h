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

struct SessionSettings {
  std::uint32_t threads = 0;           // threads per run; 0: ONNX Runtime decides
  std::vector<std::string> providers;  // execution providers in order of preference, as the library names them
  // Whether the CPU provider runs operations for which no listed provider has a kernel; otherwise such a graph is refused.
  bool fallsBackToCpu = true;
  int optimization = 99;  // ONNX Runtime's GraphOptimizationLevel; 99 means all optimizations
  ProviderSettings provider;
};

// A session's input or output as the ONNX model declares it.
struct Binding {
  std::string name;
  onnx::ElementType type{};
  std::vector<std::int64_t> dims;
};

class Session final : public Executable {
 public:
  // Compiles `model` in ONNX Runtime. The session may read the model's external constants while it lives; `keepAlive` owns
  // their memory. Throws NotSupportedError if ONNX Runtime refuses the model, and OperationError for a runtime exception such
  // as lack of memory, both with ONNX Runtime's message.
  Session(const Library& library, const onnx::ExportedModel& model, std::vector<Binding> inputs, std::vector<Binding> outputs,
          std::shared_ptr<const void> keepAlive, const SessionSettings& settings, const Budget& budget = Budget::none());

  // Runs with host memory. Once the budget is exceeded, stops after the current operator. If the budget has no limits, so that
  // only the loss of the context exceeds it, completes the run first.
  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget = Budget::none()) const override;
  // Runs with tensors that Device::allocate() returned. Can be cancelled in the same way.
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
  std::vector<std::unique_ptr<std::byte[]>> copies_;  // aligned copies of constants whose memory is misaligned
  std::vector<Owned<OrtValue>> constants_;
  std::vector<std::string> notes_;
  std::vector<onnx::ExportedOperation> operations_;
  std::vector<std::string> providers_;  // execution providers that may run nodes, including a fallback to "CPU"
  Owned<OrtSession> session_;
};

// Exports `graph` for the providers in `settings` and compiles it. Without CPU fallback, errors name the operations that lack a
// kernel, if the library reports placement (version 1.24 or later).
std::unique_ptr<Session> makeSession(const Library& library, std::shared_ptr<const GraphDefinition> graph,
                                     const SessionSettings& settings, const Budget& budget = Budget::none());

}  // namespace webnn::onnxruntime
