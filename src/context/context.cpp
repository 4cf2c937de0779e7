#include "webnn/context.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <unordered_set>

#include "base/as_errors.h"
#include "base/copy_bytes.h"
#include "base/text.h"
#include "base/unaligned.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "context/select_backend.h"
#include "context/tensor_state.h"
#include "graph/memory_estimate.h"

namespace webnn {

namespace {

// The maximum size in bytes for which copying is faster than waking another thread.
constexpr std::size_t kShortCopy = 64 * 1024;

// Throws TypeError unless a method of `context` may use the tensor.
void requireUsable(std::string_view method, const Tensor& tensor, const std::shared_ptr<ContextState>& context) {
  if (!tensor.state() || tensor.state()->context != context)
    fail(ErrorKind::typeError, "{}: the tensor is of another context.", method);
  if (tensor.state()->isDestroyed()) fail(ErrorKind::typeError, "{}: the tensor is destroyed.", method);
}

void requireByteLength(std::string_view method, const Tensor& tensor, std::size_t size) {
  const std::size_t expected = byteLength(tensor.descriptor());
  if (size != expected) {
    fail(ErrorKind::typeError, "{}: the byte length ({}) is not that of {} ({}).", method, size, toString(tensor.descriptor()),
         expected);
  }
}

struct ReadToBuffer final : PendingRead {
  std::vector<std::byte> buffer;
  std::promise<std::vector<std::byte>> promise;
  void copy(const TensorStorage& storage) override {
    if (!storage.device()) return buffer.assign(storage.bytes().begin(), storage.bytes().end());
    buffer.resize(storage.size());
    storage.read(buffer);
  }
  void settle(std::exception_ptr error) override {
    error ? promise.set_exception(std::move(error)) : promise.set_value(std::move(buffer));
  }
};

struct ReadToSpan final : PendingRead {
  explicit ReadToSpan(std::span<std::byte> target) : destination(target) {}
  std::span<std::byte> destination;
  std::promise<void> promise;
  void copy(const TensorStorage& storage) override { storage.read(destination); }
  void settle(std::exception_ptr error) override { error ? promise.set_exception(std::move(error)) : promise.set_value(); }
};

struct ReadWithCallback final : PendingRead {
  ReadWithCallback(std::span<std::byte> target, std::function<void(std::exception_ptr)> callback)
      : destination(target), done(std::move(callback)) {}
  std::span<std::byte> destination;
  std::function<void(std::exception_ptr)> done;
  void copy(const TensorStorage& storage) override { storage.read(destination); }
  void settle(std::exception_ptr error) override { done(std::move(error)); }
};

void enqueueRead(const Tensor& tensor, const std::shared_ptr<PendingRead>& read) {
  std::shared_ptr<TensorStorage> storage = tensor.state()->storage();
  if (!storage || !tensor.state()->addPending(read)) {
    read->reject(Error(ErrorKind::invalidStateError, "readTensor: the tensor was destroyed."));
    return;
  }
  Timeline& timeline = *tensor.state()->context->timeline;
  const Announcement announce = [read] { read->announce(); };
  // Copies the elements to the reader and releases this task's reference to the storage. Both happen before the read is
  // announced: if the tensor has been destroyed, its memory is already free when the reader continues.
  const auto takeFrom = [read](std::shared_ptr<TensorStorage> held) -> std::optional<Error> {
    read->take(*held);
    return std::nullopt;
  };
  if (storage->size() <= kShortCopy && timeline.tryRun([&] { return takeFrom(std::move(storage)); }, announce)) return;
  timeline.post([takeFrom, held = std::move(storage)]() mutable { return takeFrom(std::move(held)); }, announce);
}

// Returns the storage of the tensors in the order of `descriptors`, after checking them ("validate tensors with descriptors").
std::vector<std::shared_ptr<TensorStorage>> bindTensors(std::string_view what, const std::vector<NamedTensor>& tensors,
                                                        const std::vector<NamedDescriptor>& descriptors) {
  std::vector<std::shared_ptr<TensorStorage>> bound(descriptors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    // Most callers use the order of the graph, so that no search is needed.
    const auto found = i < descriptors.size() && descriptors[i].first == name
                           ? descriptors.begin() + static_cast<std::ptrdiff_t>(i)
                           : std::ranges::find(descriptors, name, &NamedDescriptor::first);
    if (found == descriptors.end()) fail(ErrorKind::typeError, "dispatch: the graph has no {} {}.", what, webnn::quoted(name));
    if (tensor.constant())
      fail(ErrorKind::typeError, "dispatch: the tensor of {} {} is a constant tensor.", what, webnn::quoted(name));
    if (tensor.descriptor() != found->second) {
      fail(ErrorKind::typeError, "dispatch: the tensor of {} {} is {}, not {}.", what, webnn::quoted(name),
           toString(tensor.descriptor()), toString(found->second));
    }
    auto& slot = bound[static_cast<std::size_t>(found - descriptors.begin())];
    if (slot) fail(ErrorKind::typeError, "dispatch: {} {} is given twice.", what, webnn::quoted(name));
    slot = tensor.state()->storage();
    if (!slot) fail(ErrorKind::typeError, "dispatch: the tensor of {} {} is destroyed.", what, webnn::quoted(name));
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i]) fail(ErrorKind::typeError, "dispatch: {} {} is missing.", what, webnn::quoted(descriptors[i].first));
  }
  return bound;
}

// Records in which byte ranges each updated output differs from its input. The next dispatch often exchanges both tensors, and
// then only has to copy these ranges.
void setOrigins(const Executable& executable, std::span<const std::shared_ptr<TensorStorage>> inputs,
                std::span<const std::shared_ptr<TensorStorage>> outputs, std::span<ByteDifference> differences) {
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const auto& [input, output] = executable.updatedOutputs()[i];
    if (differences[i]) outputs[output]->setOrigin(inputs[input], *std::move(differences[i]));
  }
}

void runOnHost(const Executable& executable, std::span<const std::shared_ptr<TensorStorage>> inputs,
               std::span<const std::shared_ptr<TensorStorage>> outputs, const Budget& budget) {
  std::vector<std::span<const std::byte>> inputBytes;
  std::vector<std::span<std::byte>> outputBytes;
  for (const auto& input : inputs) inputBytes.push_back(input->bytes());
  std::vector<ByteDifference> differences;
  for (const auto& [input, output] : executable.updatedOutputs())
    differences.push_back(inputs[input]->differenceFrom(*outputs[output]));
  for (const auto& output : outputs) outputBytes.push_back(output->overwrite());
  executable.update(inputBytes, outputBytes, differences, budget);
  setOrigins(executable, inputs, outputs, differences);
}

void runOnDevice(const Executable& executable, std::span<const std::shared_ptr<TensorStorage>> inputs,
                 std::span<const std::shared_ptr<TensorStorage>> outputs, const Budget& budget) {
  std::vector<const DeviceMemory*> from;
  std::vector<DeviceMemory*> to;
  for (const auto& input : inputs) from.push_back(input->device());
  for (const auto& output : outputs) to.push_back(output->device());
  executable.runOnDevice(from, to, budget);
}

// Runs a dispatch on the timeline. Returns its own error, if any. If the dispatch that should have written an input failed, the
// outputs fail with the same error, which is not returned again.
std::optional<Error> runDispatch(const Executable& executable, std::span<const std::shared_ptr<TensorStorage>> inputs,
                                 std::span<const std::shared_ptr<TensorStorage>> outputs, const Budget& budget) {
  std::optional<Error> failure;
  bool isNew = false;
  for (const auto& input : inputs) {
    if (input->failure && !failure) failure = input->failure;
  }
  if (!failure) {
    try {
      budget.check();
      (outputs.front()->device() ? runOnDevice : runOnHost)(executable, inputs, outputs, budget);
    } catch (...) {
      failure = errorOfCurrentException("dispatch");
      isNew = true;
    }
  }
  for (const auto& output : outputs) output->failure = failure;
  return isNew ? failure : std::nullopt;
}

// Returns the state behind the handle on which `method` is called. Throws InvalidStateError if the handle refers to nothing.
const std::shared_ptr<ContextState>& required(const std::shared_ptr<ContextState>& state, std::string_view method) {
  if (!state) fail(ErrorKind::invalidStateError, "{}: the context refers to nothing.", method);
  return state;
}

}  // namespace

Context Context::create(ContextOptions options) try {
  requireThreads(options);
  std::shared_ptr<const Backend> backend = makeServiceBackend(options);
  if (!backend) backend = selectBackend(options, knownBackends()).make(options);
  return makeContext(std::move(backend), std::move(options));
} catch (...) {
  throwAsError("createContext");
}

bool Context::accelerated() const { return required(state_, "accelerated")->backend->accelerated(); }
std::string_view Context::backend() const { return required(state_, "backend")->backend->name(); }
std::string_view Context::service() const { return required(state_, "service")->backend->service(); }
const Limits& Context::limits() const { return required(state_, "limits")->limits; }
std::uint64_t Context::memoryInUse() const { return required(state_, "memoryInUse")->memory->inUse(); }

OpSupportLimits Context::opSupportLimits() const try {
  return required(state_, "opSupportLimits")->backend->opSupportLimits();
} catch (...) {
  throwAsError("opSupportLimits");
}

Tensor Context::createTensor(TensorDescriptor descriptor) try {
  return required(state_, "createTensor")->createTensor(std::move(descriptor));
} catch (...) {
  throwAsError("createTensor");
}

Tensor Context::createConstantTensor(OperandDescriptor descriptor, std::span<const std::byte> bytes) try {
  const Tensor tensor = required(state_, "createConstantTensor")->createConstantTensor(std::move(descriptor));
  requireByteLength("createConstantTensor", tensor, bytes.size());
  // The storage is null if the context has been lost.
  if (const auto storage = tensor.state()->storage()) copyBytes(bytes, storage->overwrite().data());
  return tensor;
} catch (...) {
  throwAsError("createConstantTensor");
}

namespace {

std::shared_ptr<TensorStorage> writableStorage(const std::shared_ptr<ContextState>& context, const Tensor& tensor,
                                               std::size_t size) {
  required(context, "writeTensor")->requireReachable("writeTensor");
  requireUsable("writeTensor", tensor, context);
  if (!tensor.writable()) fail(ErrorKind::typeError, "writeTensor: the tensor is not writable.");
  requireByteLength("writeTensor", tensor, size);
  std::shared_ptr<TensorStorage> storage = tensor.state()->storage();
  if (!storage) fail(ErrorKind::typeError, "writeTensor: the tensor is destroyed.");
  return storage;
}

}  // namespace

void Context::writeTensor(const Tensor& tensor, std::span<const std::byte> bytes) try {
  std::shared_ptr<TensorStorage> storage = writableStorage(state_, tensor, bytes.size());
  const auto write = [](TensorStorage& destination, std::span<const std::byte> source) -> std::optional<Error> {
    try {
      destination.write(source);
      destination.failure.reset();
    } catch (...) {  // a device failed
      destination.failure = errorOfCurrentException("writeTensor");
    }
    return destination.failure;
  };
  // If the timeline is idle, writes at once, for any size: posting the write would also copy the bytes on the calling thread.
  if (state_->timeline->tryRun([&] { return write(*storage, bytes); })) return;
  state_->timeline->post(
      [write, storage, copy = std::vector<std::byte>(bytes.begin(), bytes.end())] { return write(*storage, copy); });
} catch (...) {
  throwAsError("writeTensor");
}

namespace {

void requireReadable(const Tensor& tensor, const std::shared_ptr<ContextState>& context) {
  required(context, "readTensor")->requireReachable("readTensor");
  requireUsable("readTensor", tensor, context);
  if (!tensor.readable()) fail(ErrorKind::typeError, "readTensor: the tensor is not readable.");
}

}  // namespace

std::future<std::vector<std::byte>> Context::readTensor(const Tensor& tensor) try {
  requireReadable(tensor, state_);
  const auto read = std::make_shared<ReadToBuffer>();
  std::future<std::vector<std::byte>> result = read->promise.get_future();
  enqueueRead(tensor, read);
  return result;
} catch (...) {
  throwAsError("readTensor");
}

std::future<void> Context::readTensor(const Tensor& tensor, std::span<std::byte> bytes) try {
  requireReadable(tensor, state_);
  requireByteLength("readTensor", tensor, bytes.size());
  const auto read = std::make_shared<ReadToSpan>(bytes);
  std::future<void> result = read->promise.get_future();
  enqueueRead(tensor, read);
  return result;
} catch (...) {
  throwAsError("readTensor");
}

void Context::readTensor(const Tensor& tensor, std::span<std::byte> bytes, std::function<void(std::exception_ptr)> done) try {
  requireReadable(tensor, state_);
  requireByteLength("readTensor", tensor, bytes.size());
  enqueueRead(tensor, std::make_shared<ReadWithCallback>(bytes, std::move(done)));
} catch (...) {
  throwAsError("readTensor");
}

std::span<const std::byte> readNow(const Context& context, const Tensor& tensor) {
  requireReadable(tensor, context.state());
  const std::shared_ptr<TensorStorage> storage = tensor.state()->storage();
  if (storage->failure) throw Error(*storage->failure);
  return storage->bytes();
}

std::span<std::byte> overwriteNow(const Context& context, const Tensor& tensor, std::size_t size) {
  const std::shared_ptr<TensorStorage> storage = writableStorage(context.state(), tensor, size);
  storage->failure.reset();
  return storage->overwrite();
}

void Context::dispatch(const Graph& graph, const std::vector<NamedTensor>& inputs, const std::vector<NamedTensor>& outputs,
                       const CallOptions& options) try {
  required(state_, "dispatch")->requireReachable("dispatch");
  const Budget::Clock::time_point called = Budget::Clock::now();
  if (!graph.state() || graph.state()->context != state_)
    fail(ErrorKind::typeError, "dispatch: the graph is of another context.");
  std::shared_ptr<const Executable> executable = graph.state()->executable();
  if (!executable) fail(ErrorKind::invalidStateError, "dispatch: the graph is destroyed.");
  std::unordered_set<const TensorState*> all;
  for (const std::vector<NamedTensor>* tensors : {&inputs, &outputs}) {
    for (const auto& [name, tensor] : *tensors) {
      if (tensor.state() && !all.insert(tensor.state().get()).second) {
        fail(ErrorKind::typeError, "dispatch: the tensor of {} is bound twice.", webnn::quoted(name));
      }
    }
  }
  for (const std::vector<NamedTensor>* tensors : {&inputs, &outputs}) {
    for (const auto& [name, tensor] : *tensors) requireUsable("dispatch", tensor, state_);
  }
  auto boundInputs = bindTensors("input", inputs, graph.inputs());
  auto boundOutputs = bindTensors("output", outputs, graph.outputs());
  Task task = [executable = std::move(executable), boundInputs = std::move(boundInputs), boundOutputs = std::move(boundOutputs),
               lost = state_->lostFlag, loss = state_->lost(), runTime = graph.state()->runTime, limits = state_->limits, options,
               called]() -> std::optional<Error> {
    // If the context is lost, lose() rejects pending reads one by one. A read that it has not rejected yet must fail, too,
    // instead of returning bytes that this run did not write.
    const auto leave = [&] {
      const Error error(ErrorKind::invalidStateError, "readTensor: the context is lost: " + loss.get().message);
      for (const auto& output : boundOutputs) output->failure = error;
      return std::nullopt;
    };
    if (*lost) return leave();
    Budget budget("dispatch", limits, nullptr, lost);
    budget.limitCall("dispatch", {.stop = options.stop, .timeout = options.timeout}, called);
    const auto start = std::chrono::steady_clock::now();
    std::optional<Error> failure = runDispatch(*executable, boundInputs, boundOutputs, budget);
    runTime->set(std::chrono::steady_clock::now() - start);
    return *lost ? leave() : failure;
  };
  if (graph.state()->runTime->isShort() && state_->timeline->tryRun(task)) return;
  state_->timeline->post(std::move(task));
} catch (...) {
  throwAsError("dispatch");
}

Graph Context::compile(const Graph& graph, const CallOptions& options) {
  required(state_, "compile");
  if (!graph.state()) fail(ErrorKind::typeError, "compile: the graph refers to nothing.");
  if (!graph.state()->executable()) fail(ErrorKind::invalidStateError, "compile: the graph is destroyed.");
  Budget budget("compile", state_->limits, state_->memory, state_->lostFlag);
  budget.limitCall("compile", options);
  return state_->compile(graph.state()->definition, budget);
}

std::shared_future<ContextLostInfo> Context::lost() const { return required(state_, "lost")->lost(); }
void Context::destroy() try { required(state_, "destroy")->lose("Context::destroy() was called."); } catch (...) {
  throwAsError("destroy");
}

const GraphDefinition& definitionOf(const Graph& graph, std::string_view method) {
  if (!graph.state()) fail(ErrorKind::typeError, "{}: the graph refers to nothing.", method);
  return *graph.state()->definition;
}

std::vector<NamedDescriptor> Graph::inputs() const {
  std::vector<NamedDescriptor> result;
  for (const Operand& input : definitionOf(*this, "inputs").inputs) result.emplace_back(input.record().name, input.descriptor());
  return result;
}

std::vector<NamedDescriptor> Graph::outputs() const {
  std::vector<NamedDescriptor> result;
  for (const auto& [name, operand] : definitionOf(*this, "outputs").outputs) result.emplace_back(name, operand.descriptor());
  return result;
}

namespace {

void requireCount(std::string_view what, std::size_t count, std::size_t expected) {
  if (count != expected) fail(ErrorKind::typeError, "compute: the number of {} ({}) is not {}.", what, count, expected);
}

void requireLength(std::string_view what, std::string_view name, std::size_t size, const OperandDescriptor& descriptor) {
  const std::size_t expected = byteLength(descriptor);
  if (size == expected) return;
  fail(ErrorKind::typeError, "compute: the byte length ({}) of {} {} is not that of {} ({}).", size, what, webnn::quoted(name),
       toString(descriptor), expected);
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> isBefore;
  return isBefore(a.data(), b.data() + b.size()) && isBefore(b.data(), a.data() + a.size());
}

[[noreturn]] void failIndex(const std::string& name, const IndexBounds& bounds, std::size_t coordinate, std::int64_t index) {
  const std::string& reader = bounds.readers[coordinate];
  const std::uint32_t size = bounds.sizes[coordinate];
  if (bounds.isComputed) fail(ErrorKind::dataError, "{}: the index {} is not in a dimension of {}.", reader, index, size);
  fail(ErrorKind::typeError, "compute: input {}: the index {} is not in a dimension of {}; {} reads it.", webnn::quoted(name),
       index, size, reader);
}

template <typename T, typename Read>
void requireIndices(const std::string& name, const IndexBounds& bounds, std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(T), coordinates = bounds.sizes.size();
  for (std::size_t k = 0; k < coordinates; ++k) {
    const auto size = static_cast<std::int64_t>(bounds.sizes[k]);
    for (std::size_t i = k; i < count; i += coordinates) {
      const std::int64_t index = static_cast<Read>(loadUnaligned<T>(bytes.data() + i * sizeof(T)));
      if (index < -size || index >= size) failIndex(name, bounds, k, index);
    }
  }
}

// Throws an error for an index that ONNX forbids: TypeError if the caller gave the index, DataError if the model computed it.
void requireIndices(const Operand& input, const IndexBounds& bounds, std::span<const std::byte> bytes) {
  const std::string& name = input.record().name;
  if (input.dataType() == DataType::int32) return requireIndices<std::int32_t, std::int32_t>(name, bounds, bytes);
  if (bounds.isNarrowed) return requireIndices<std::int64_t, std::int32_t>(name, bounds, bytes);
  requireIndices<std::int64_t, std::int64_t>(name, bounds, bytes);
}

}  // namespace

void Graph::compute(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                    const CallOptions& options) const try {
  const GraphDefinition& definition = definitionOf(*this, "compute");
  state_->context->requireReachable("compute");
  const std::shared_ptr<const Executable> executable = state_->executable();
  if (!executable) fail(ErrorKind::invalidStateError, "compute: the graph is destroyed.");
  requireCount("inputs", inputs.size(), definition.inputs.size());
  requireCount("outputs", outputs.size(), definition.outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Operand& input = definition.inputs[i];
    requireLength("input", input.record().name, inputs[i].size(), input.descriptor());
  }
  for (const IndexBounds& bounds : state_->indexBounds)
    requireIndices(definition.inputs[bounds.input], bounds, inputs[bounds.input]);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [name, operand] = definition.outputs[i];
    requireLength("output", name, outputs[i].size(), operand.descriptor());
    const auto overlapsThis = [&](std::span<const std::byte> other) { return overlap(outputs[i], other); };
    if (std::ranges::any_of(inputs, overlapsThis) || std::ranges::any_of(outputs.first(i), overlapsThis))
      fail(ErrorKind::typeError, "compute: output {} overlaps something else.", webnn::quoted(name));
  }
  Budget budget("compute", state_->context->limits, nullptr, state_->context->lostFlag);
  budget.limitCall("compute", options);
  budget.check();
  executable->run(inputs, outputs, budget);
} catch (...) {
  throwAsError("compute");
}

MemoryEstimate Graph::memoryEstimate() const { return estimateMemory(definitionOf(*this, "memoryEstimate")); }

std::vector<std::string> Graph::notes() const {
  definitionOf(*this, "notes");
  const std::shared_ptr<const Executable> executable = state_->executable();
  if (!executable) fail(ErrorKind::invalidStateError, "notes: the graph is destroyed.");
  return executable->notes();
}

std::vector<OperationPlacement> Graph::placement() const {
  const GraphDefinition& definition = definitionOf(*this, "placement");
  const std::shared_ptr<const Executable> executable = state_->executable();
  if (!executable) fail(ErrorKind::invalidStateError, "placement: the graph is destroyed.");
  std::vector<OperationPlacement> placement = executable->placement();
  if (placement.empty()) {
    const std::string device(state_->context->backend->name());
    placement.assign(definition.nodes.size(), {.device = device});
  }
  const std::vector<std::string> names = definition.operandNames();
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const Node& node = definition.nodes.at(i);
    placement[i].operation = name(node.operation);
    placement[i].label = label(node.operation);
    for (const Operand& output : node.outputs) placement[i].outputs.push_back(names[output.record().index]);
  }
  return placement;
}

void Graph::destroy() {
  definitionOf(*this, "destroy");
  state_->setExecutable(nullptr);
}

}  // namespace webnn
