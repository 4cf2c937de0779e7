#include "backends/openvino/compiled_graph.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/openvino/kernel_types.h"
#include "base/aligned_tensors.h"
#include "base/text.h"

namespace webnn::openvino {

namespace {

ElementType elementTypeOf(DataType type) {
  switch (type) {
    case DataType::float32: return ElementType::f32;
    case DataType::float16: return ElementType::f16;
    case DataType::int32: return ElementType::i32;
    case DataType::uint32: return ElementType::u32;
    case DataType::int64: return ElementType::i64;
    case DataType::uint64: return ElementType::u64;
    case DataType::int8: return ElementType::i8;
    case DataType::uint8: return ElementType::u8;
    case DataType::int4: return ElementType::i4;
    case DataType::uint4: return ElementType::u4;
  }
  return ElementType::f32;  // unreachable
}

std::size_t elementSizeOf(DataType type) { return std::max<std::size_t>(1, bitsPerElement(type) / 8); }

bool fitsIn32Bits(std::int64_t value) { return value == static_cast<std::int32_t>(value); }

// Returns the first uint32 element above INT32_MAX as text; empty if there is none.
std::string unsignedMisfit(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i + sizeof(std::uint32_t) <= bytes.size(); i += sizeof(std::uint32_t)) {
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[i], sizeof value);
    if (static_cast<std::int32_t>(value) < 0) return std::to_string(value);
  }
  return {};
}

// Returns the first 64-bit element that OpenVINO's int32 arithmetic cannot hold, as text; empty if there is none.
std::string misfit(DataType type, std::span<const std::byte> bytes) {
  if (bitsPerElement(type) != 64) return {};
  for (std::size_t i = 0; i + sizeof(std::int64_t) <= bytes.size(); i += sizeof(std::int64_t)) {
    std::int64_t value = 0;
    std::memcpy(&value, &bytes[i], sizeof value);
    if (fitsIn32Bits(value) && (type == DataType::int64 || value >= 0)) continue;
    return type == DataType::int64 ? std::to_string(value) : std::to_string(static_cast<std::uint64_t>(value));
  }
  return {};
}

void requireThatConstantsFit(const GraphDefinition& graph) {
  for (const auto& constant : graph.constants) {
    const DataType type = constant.descriptor().dataType;
    const std::span<const std::byte> bytes = constant.record().bytes;
    // uint32 inputs above INT32_MAX keep their value in OpenVINO, but constants above INT32_MAX lose it in constant folding.
    const std::string value = type == DataType::uint32 ? unsignedMisfit(bytes) : misfit(type, bytes);
    if (value.empty()) continue;
    fail(ErrorKind::notSupportedError, "build: OpenVINO computes {} in 32 signed bits, and a constant holds {}.", name(type),
         value);
  }
}

Owned<ov_tensor> makeTensor(const Library& library, const Port& port, const std::byte* bytes) {
  std::array<std::int64_t, kMaxRank> dims{};
  std::ranges::copy(port.descriptor.shape, dims.begin());
  ov_tensor* tensor = nullptr;
  // The C API requires a mutable pointer for inputs, too, but does not write them.
  library.check(
      library.api().ov_tensor_create_from_host_ptr(elementTypeOf(port.descriptor.dataType),
                                                   {static_cast<std::int64_t>(port.descriptor.shape.size()), dims.data()},
                                                   const_cast<std::byte*>(bytes), &tensor),
      ErrorKind::operationError, "dispatch: ");
  return {tensor, library.api().ov_tensor_free};
}

Owned<ov_model> readModel(const Library& library, const onnx::ExportedModel& model) {
  ov_model* read = nullptr;
  const int status =
      library.api().ov_core_read_model_from_memory_buffer(library.core(), model.proto.data(), model.proto.size(), nullptr, &read);
  library.check(status, ErrorKind::notSupportedError, "build: OpenVINO refuses the graph: ");
  return {read, library.api().ov_model_free};
}

// Passes `arguments` as C variadic arguments, whose number must be known at compile time.
template <std::size_t... I>
int compileWith(const Library& library, const ov_model* model, const char* device, const std::vector<const char*>& arguments,
                ov_compiled_model** compiled, std::index_sequence<I...>) {
  return library.api().ov_core_compile_model(library.core(), model, device, arguments.size(), compiled, arguments[I]...);
}

constexpr std::size_t kMostProperties = 6;

Owned<ov_compiled_model> compile(const Library& library, const ov_model* model, const CompileSettings& settings) {
  std::vector<const char*> arguments;
  for (const auto& [key, value] : settings.properties) {
    arguments.push_back(key.c_str());
    arguments.push_back(value.c_str());
  }
  ov_compiled_model* compiled = nullptr;
  const int status = [&]<std::size_t... Count>(std::index_sequence<Count...>) {
    int result = kOk;
    static_cast<void>(((arguments.size() == 2 * Count && (result = compileWith(library, model, settings.device.c_str(), arguments,
                                                                               &compiled, std::make_index_sequence<2 * Count>()),
                                                          true)) ||
                       ...));
    return result;
  }
  (std::make_index_sequence<kMostProperties + 1>());
  library.check(status, ErrorKind::notSupportedError, "build: OpenVINO refuses the graph: ");
  return {compiled, library.api().ov_compiled_model_free};
}

}  // namespace

CompiledGraph::CompiledGraph(const Library& library, std::shared_ptr<const GraphDefinition> graph,
                             const CompileSettings& settings, const Budget& budget)
    : library_(library), graph_(std::move(graph)), model_(nullptr, library.api().ov_compiled_model_free) {
  const BudgetScope scope(budget);
  requireThatConstantsFit(*graph_);
  const onnx::ExportedModel model =
      onnx::exportModel(*graph_, {.target = openvinoTarget(), .externalByAddress = true, .passesInputsOn = false});
  notes_ = model.notes;
  operations_ = model.operations;
  for (const Operand& input : graph_->inputs) inputs_.push_back({input.record().name, input.descriptor()});
  for (const auto& [name, output] : graph_->outputs) outputs_.push_back({name, output.descriptor()});
  const Owned<ov_model> read = readModel(library, model);
  budget.check();
  model_ = compile(library, read.get(), settings);
  isRead_ = inputsRead();
  budget.check();
}

std::vector<bool> CompiledGraph::inputsRead() const {
  const Api& api = library_.api();
  std::vector<bool> isRead;
  for (const Port& input : inputs_) {
    ov_output_const_port* port = nullptr;
    isRead.push_back(api.ov_compiled_model_input_by_name(model_.get(), input.name.c_str(), &port) == kOk);
    if (port) api.ov_output_const_port_free(port);
  }
  return isRead;
}

// The C API does not list a compiled model's nodes, so all operations get the model's execution devices.
std::vector<OperationPlacement> CompiledGraph::placement() const {
  const Api& api = library_.api();
  char* devices = nullptr;
  library_.check(api.ov_compiled_model_get_property(model_.get(), "EXECUTION_DEVICES", &devices), ErrorKind::operationError,
                 "placement: ");
  const std::unique_ptr<char, void (*)(const char*)> owned(devices, api.ov_free);
  return onnx::placementOf(operations_, formatText("openvino {}", devices));
}

CompiledGraph::Request CompiledGraph::takeRequest() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Request request = std::move(idle_.back());
      idle_.pop_back();
      return request;
    }
  }
  ov_infer_request* made = nullptr;
  library_.check(library_.api().ov_compiled_model_create_infer_request(model_.get(), &made), ErrorKind::operationError,
                 "dispatch: ");
  return {made, library_.api().ov_infer_request_free};
}

void CompiledGraph::infer(ov_infer_request* request, const Budget& budget) const {
  const Api& api = library_.api();
  if (!budget.mayEnd()) return library_.check(api.ov_infer_request_infer(request), ErrorKind::operationError, "dispatch: ");
  constexpr std::int64_t kPollMilliseconds = 2;
  library_.check(api.ov_infer_request_start_async(request), ErrorKind::operationError, "dispatch: ");
  int status = kResultNotReady;
  while (status == kResultNotReady) {
    status = api.ov_infer_request_wait_for(request, kPollMilliseconds);
    if (status != kResultNotReady || !budget.isOver()) continue;
    api.ov_infer_request_cancel(request);
    status = api.ov_infer_request_wait(request);  // the request uses the tensors until it has ended
  }
  budget.check();
  library_.check(status, ErrorKind::operationError, "dispatch: ");
}

void CompiledGraph::run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                        const Budget& budget) const {
  const BudgetScope scope(budget);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const DataType type = inputs_[i].descriptor.dataType;
    const std::string value = misfit(type, inputs[i]);
    if (value.empty()) continue;
    fail(ErrorKind::operationError, "dispatch: OpenVINO computes {} in 32 bits, and input {} holds {}.", name(type),
         webnn::quoted(inputs_[i].name), value);
  }
  const AlignedTensors from(inputs, [&](std::size_t i) { return elementSizeOf(inputs_[i].descriptor.dataType); });
  const AlignedTensors to(outputs, [&](std::size_t i) { return elementSizeOf(outputs_[i].descriptor.dataType); });
  const Api& api = library_.api();
  Request request = takeRequest();
  const auto bind = [&](auto set, std::size_t i, const Port& port, const std::byte* bytes) {
    const Owned<ov_tensor> tensor = makeTensor(library_, port, bytes);
    library_.check(set(request.get(), i, tensor.get()), ErrorKind::operationError, "dispatch: ");
  };
  for (std::size_t i = 0, index = 0; i < inputs.size(); ++i) {
    if (isRead_[i]) bind(api.ov_infer_request_set_input_tensor_by_index, index++, inputs_[i], from[i]);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) bind(api.ov_infer_request_set_output_tensor_by_index, i, outputs_[i], to[i]);
  infer(request.get(), budget);
  to.copyBack();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(request));
}

}  // namespace webnn::openvino
