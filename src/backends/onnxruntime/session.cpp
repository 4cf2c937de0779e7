#include "backends/onnxruntime/session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "backends/onnxruntime/device_tensors.h"
#include "backends/onnxruntime/kernel_types.h"
#include "backends/onnxruntime/placement.h"
#include "base/aligned_tensors.h"
#include "base/text.h"

namespace webnn::onnxruntime {

namespace {

std::size_t elementSizeOf(onnx::ElementType type) { return std::max(1u, onnx::bitsPerElement(type) / 8); }

Owned<OrtValue> makeValue(const Library& library, const OrtMemoryInfo* memory, const void* bytes, std::size_t size,
                          const std::vector<std::int64_t>& dims, onnx::ElementType type) {
  OrtValue* value = nullptr;
  // The C API requires a mutable pointer for inputs, too, but does not write them.
  library.check(library.api().CreateTensorWithDataAsOrtValue(memory, const_cast<void*>(bytes), size, dims.data(), dims.size(),
                                                             static_cast<int>(type), &value),
                ErrorKind::operationError, "");
  return {value, library.api().ReleaseValue};
}

// Runs `call`, a blocking ONNX Runtime function. If the budget can be exceeded (not only by the loss of the context), `call` runs
// on a worker thread, and `end` is called to cancel it once the budget is exceeded. This thread polls the budget, because the
// budget's interrupt callback may have to run here.
void callWatched(const Budget& budget, auto call, auto end) {
  constexpr std::chrono::milliseconds kPollInterval{2};
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::optional<std::thread> worker;
  try {
    if (budget.mayEnd()) {
      worker.emplace([&] {
        call();
        const std::lock_guard lock(mutex);
        isDone = true;
        changed.notify_one();
      });
    }
  } catch (const std::system_error&) {  // no thread available: run `call` here, without cancellation
  }
  if (!worker) return call();
  for (std::unique_lock lock(mutex); !changed.wait_for(lock, kPollInterval, [&] { return isDone; });) {
    if (budget.isOver()) end();
  }
  worker->join();
}

// Throws the budget's error if the budget is exceeded, otherwise the error of a failed `status`. Frees the status in both cases.
void checkUnlessOver(const Library& library, const Budget& budget, OrtStatus* status, std::string_view prefix,
                     ErrorKind kind = ErrorKind::operationError) {
  if (budget.isOver()) {
    if (status) library.api().ReleaseStatus(status);
    budget.check();
  }
  library.check(status, kind, prefix);
}

// The OrtValues for the inputs or outputs of one run.
class BoundTensors {
 public:
  // Wraps tensors in host memory. Byte is `const std::byte` for inputs.
  template <typename Byte>
  BoundTensors(const Library& library, const std::vector<Binding>& bindings, const AlignedTensors<Byte>& bytes,
               std::span<const std::span<Byte>> tensors) {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      add(makeValue(library, library.cpuMemory(), bytes[i], tensors[i].size(), bindings[i].dims, bindings[i].type));
    }
  }
  template <typename Memory>
  BoundTensors(const Library& library, const std::vector<Binding>& bindings, std::span<Memory* const> tensors) {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      const auto& tensor = static_cast<const DeviceTensor&>(*tensors[i]);
      add(makeValue(library, tensor.memory(), tensor.bytes(), tensor.size(), bindings[i].dims, bindings[i].type));
    }
  }

  OrtValue** pointers() { return pointers_.data(); }

 private:
  void add(Owned<OrtValue> value) {
    pointers_.push_back(value.get());
    values_.push_back(std::move(value));
  }

  std::vector<Owned<OrtValue>> values_;
  std::vector<OrtValue*> pointers_;
};

class SessionOptions {
 public:
  SessionOptions(const Library& library, const SessionSettings& settings, const std::string& cacheFolder)
      : library_(library), api_(library.api()) {
    OrtSessionOptions* options = nullptr;
    check(api_.CreateSessionOptions(&options));
    options_.reset(options);
    check(api_.SetSessionGraphOptimizationLevel(options, settings.optimization));
    // Without this entry, matrix products with 4-bit weights round the other operand to 8 bits.
    check(api_.AddSessionConfigEntry(options, "session.qdq_matmulnbits_accuracy_level", "1"));
    if (!settings.fallsBackToCpu) check(api_.AddSessionConfigEntry(options, "session.disable_cpu_ep_fallback", "1"));
    if (api_.Session_GetEpGraphAssignmentInfo) check(api_.AddSessionConfigEntry(options, kRecordsAssignment, "1"));
    if (settings.threads != 0) check(api_.SetIntraOpNumThreads(options, static_cast<int>(std::min(settings.threads, 1024u))));
    for (const std::string& provider : settings.providers) {
      if (provider == "CPU") break;  // the CPU provider runs every operator, so later providers would get none
      appendProvider(library, options, provider, providerEntries(provider, settings.provider, cacheFolder));
    }
  }

  const OrtSessionOptions* get() const { return options_.get(); }
  // Makes a running CreateSessionFromArray with these options fail (ONNX Runtime 1.22 and later).
  void cancel() {
    if (!api_.SessionOptionsSetLoadCancellationFlag) return;
    if (OrtStatus* status = api_.SessionOptionsSetLoadCancellationFlag(options_.get(), true)) api_.ReleaseStatus(status);
  }

  // Supplies the constants that the model stores outside its protobuf. AddInitializer, which copies nothing, must not be used:
  // the optimizer transposes constants without renaming them, and kernels would read the untransposed bytes.
  void addConstants(const std::vector<onnx::ExternalConstant>& constants, const std::vector<Owned<OrtValue>>& values) {
    std::vector<const char*> names;
    std::vector<const OrtValue*> pointers;
    for (std::size_t i = 0; i < constants.size(); ++i) {
      names.push_back(constants[i].name.c_str());
      pointers.push_back(values[i].get());
    }
    if (!names.empty()) check(api_.AddExternalInitializers(options_.get(), names.data(), pointers.data(), names.size()));
  }

 private:
  void check(OrtStatus* status) const { library_.check(status, ErrorKind::operationError, "build: "); }

  const Library& library_;
  const Api& api_;
  Owned<OrtSessionOptions> options_{nullptr, api_.ReleaseSessionOptions};
};

std::vector<const char*> namesOf(const std::vector<Binding>& bindings) {
  std::vector<const char*> names;
  for (const Binding& binding : bindings) names.push_back(binding.name.c_str());
  return names;
}

Binding bindingOf(std::string name, const OperandDescriptor& descriptor) {
  return {std::move(name), onnx::elementTypeOf(descriptor.dataType), {descriptor.shape.begin(), descriptor.shape.end()}};
}

}  // namespace

Session::Session(const Library& library, const onnx::ExportedModel& model, std::vector<Binding> inputs,
                 std::vector<Binding> outputs, std::shared_ptr<const void> keepAlive, const SessionSettings& settings,
                 const Budget& budget)
    : library_(library),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      inputNames_(namesOf(inputs_)),
      outputNames_(namesOf(outputs_)),
      keepAlive_(std::move(keepAlive)),
      notes_(model.notes),
      operations_(model.operations),
      providers_(settings.providers),
      session_(nullptr, library.api().ReleaseSession) {
  if (settings.fallsBackToCpu && std::ranges::find(providers_, "CPU") == providers_.end()) providers_.emplace_back("CPU");
  SessionOptions options(library, settings, cacheFolderOf(library, settings.provider, model));
  for (const onnx::ExternalConstant& constant : model.external) {
    const std::byte* bytes = constant.bytes.data();
    if (!isAligned(bytes, elementSizeOf(constant.type))) {
      copies_.push_back(std::make_unique<std::byte[]>(constant.bytes.size()));
      copyInParts(copies_.back().get(), constant.bytes.data(), constant.bytes.size());
      bytes = copies_.back().get();
    }
    constants_.push_back(makeValue(library, library.cpuMemory(), bytes, constant.bytes.size(), constant.dims, constant.type));
  }
  options.addConstants(model.external, constants_);
  const Api& api = library.api();
  OrtSession* session = nullptr;
  OrtStatus* status = nullptr;
  callWatched(
      budget,
      [&] {
        status =
            api.CreateSessionFromArray(library.environment(), model.proto.data(), model.proto.size(), options.get(), &session);
      },
      [&] { options.cancel(); });
  session_.reset(session);
  // A runtime exception, such as running out of memory, means that the build failed; any other error means that the graph is
  // unsupported.
  const bool isRefused = status && api.GetErrorCode(status) != kRuntimeException;
  checkUnlessOver(library, budget, status, "build: ONNX Runtime refuses the graph: ",
                  isRefused ? ErrorKind::notSupportedError : ErrorKind::operationError);
}

void Session::run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                  const Budget& budget) const {
  const BudgetScope scope(budget);
  const AlignedTensors from(inputs, [&](std::size_t i) { return elementSizeOf(inputs_[i].type); });
  const AlignedTensors to(outputs, [&](std::size_t i) { return elementSizeOf(outputs_[i].type); });
  BoundTensors inputTensors(library_, inputs_, from, inputs);
  BoundTensors outputTensors(library_, outputs_, to, outputs);
  run(inputTensors.pointers(), outputTensors.pointers(), budget);
  to.copyBack();
}

void Session::runOnDevice(std::span<const DeviceMemory* const> inputs, std::span<DeviceMemory* const> outputs,
                          const Budget& budget) const {
  BoundTensors inputTensors(library_, inputs_, inputs);
  BoundTensors outputTensors(library_, outputs_, outputs);
  run(inputTensors.pointers(), outputTensors.pointers(), budget);
}

void Session::run(const OrtValue* const* inputs, OrtValue** outputs, const Budget& budget) const {
  const Api& api = library_.api();
  OrtRunOptions* made = nullptr;
  library_.check(api.CreateRunOptions(&made), ErrorKind::operationError, "dispatch: ");
  const Owned<OrtRunOptions> options(made, api.ReleaseRunOptions);
  OrtStatus* status = nullptr;
  callWatched(
      budget,
      [&] {
        status = api.Run(session_.get(), made, inputNames_.data(), inputs, inputs_.size(), outputNames_.data(), outputs_.size(),
                         outputs);
      },
      [&] {
        if (OrtStatus* refused = api.RunOptionsSetTerminate(made)) api.ReleaseStatus(refused);
      });
  checkUnlessOver(library_, budget, status, "dispatch: ");
}

std::vector<OperationPlacement> Session::placement() const {
  return placementOf(library_, session_.get(), operations_, providers_);
}

namespace {

// Returns a list such as `add "sum", relu` of the operations that no requested provider can run. Empty if the library does not
// report placement. Builds a second session with CPU fallback, because ONNX Runtime's error does not name operators.
std::string operationsOfCpu(const Library& library, const std::shared_ptr<const GraphDefinition>& graph, SessionSettings settings,
                            const Budget& budget) {
  constexpr int kMostNamed = 20;
  if (!library.api().Session_GetEpGraphAssignmentInfo) return {};
  settings.fallsBackToCpu = true;
  std::string list;
  int count = 0;
  const std::vector<OperationPlacement> placement = makeSession(library, graph, settings, budget)->placement();
  for (std::size_t i = 0; i < placement.size(); ++i) {
    if (placement[i].device.find("CPUExecutionProvider") == std::string::npos || ++count > kMostNamed) continue;
    const Operation& operation = graph->nodes.at(i).operation;
    list += (list.empty() ? "" : ", ") + std::string(name(operation));
    if (!label(operation).empty()) list += " " + webnn::quoted(label(operation));
  }
  return count > kMostNamed ? list + formatText(" and {} more", count - kMostNamed) : list;
}

}  // namespace

std::unique_ptr<Session> makeSession(const Library& library, std::shared_ptr<const GraphDefinition> graph,
                                     const SessionSettings& settings, const Budget& budget) {
  const BudgetScope scope(budget);
  const onnx::ExportedModel model =
      onnx::exportModel(*graph, {.target = isNvidia(settings.providers.front()) ? cudaTarget() : onnxruntimeTarget(),
                                 .passesInputsOn = false,
                                 .namesAllNodes = true});
  std::vector<Binding> inputs, outputs;
  for (const Operand& input : graph->inputs) inputs.push_back(bindingOf(input.record().name, input.descriptor()));
  for (std::size_t i = 0; i < graph->outputs.size(); ++i) {
    outputs.push_back(bindingOf(model.outputs[i], graph->outputs[i].second.descriptor()));
  }
  try {
    return std::make_unique<Session>(library, model, std::move(inputs), std::move(outputs), graph, settings, budget);
  } catch (const Error& error) {
    if (settings.fallsBackToCpu || error.kind() != ErrorKind::notSupportedError) throw;
    const std::string list = operationsOfCpu(library, graph, settings, budget);
    if (list.empty()) throw;
    fail(ErrorKind::notSupportedError, "{} Only the CPU has: {}.", error.what(), list);
  }
}

}  // namespace webnn::onnxruntime
