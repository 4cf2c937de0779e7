// The Python classes MLContext and MLTensor.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>

#include "base/text.h"
#include "context/context_state.h"
#include "context/select_backend.h"
#include "context/tensor_state.h"
#include "describe/ops_python.h"
#include "fields.h"
#include "objects.h"
#include "webnn/formats.h"

namespace webnn::python {

namespace {

PowerPreference powerPreferenceOf(const std::string& text) {
  if (text == "default") return PowerPreference::standard;
  if (text == "high-performance") return PowerPreference::highPerformance;
  if (text == "low-power") return PowerPreference::lowPower;
  fail(ErrorKind::typeError,
       "create_context: power_preference {} is not one of \"default\", \"high-performance\", \"low-power\".",
       webnn::quoted(text));
}

PyContext createContext(const std::string& powerPreference, bool accelerated, const std::string& deviceType,
                        const std::string& backend, std::uint32_t threads, std::map<std::string, std::string> backendOptions,
                        nb::handle limits, std::string service, std::string serviceToken) {
  ContextOptions options;
  options.powerPreference = powerPreferenceOf(powerPreference);
  const bool wantsDevice = deviceType == "gpu" || deviceType == "npu";
  if (!wantsDevice && deviceType != "auto" && deviceType != "cpu") {
    fail(ErrorKind::typeError, "create_context: device_type {} is not one of \"auto\", \"cpu\", \"gpu\", \"npu\".",
         webnn::quoted(deviceType));
  }
  options.accelerated = accelerated && deviceType != "cpu";
  options.backend = backend == "auto" ? "" : backend == "onnx" ? "onnxruntime" : backend;
  options.threads = threads;
  options.backendOptions = std::move(backendOptions);
  options.limits = limitsOf(limits, "create_context: limits");
  options.service = std::move(service);
  options.serviceToken = std::move(serviceToken);
  Context context = [&] {
    const GilReleased released;
    return Context::create(std::move(options));
  }();
  if (wantsDevice && !context.accelerated())
    fail(ErrorKind::notSupportedError, "create_context: no {} is available; the backend would be {}.", deviceType,
         context.backend());
  return {Released(std::move(context)), powerPreference, deviceType};
}

// Sets an entry under the specification's name and under the snake_case name.
void setBoth(nb::dict& dict, std::string_view name, nb::handle value) {
  dict[textOf(name)] = value;
  dict[textOf(describe::snakeCase(name))] = value;
}

nb::dict tensorLimitsOf(const TensorLimits& limits) {
  nb::list types;
  for (const DataType type : limits.dataTypes) types.append(textOf(name(type)));
  nb::dict ranks, result;
  ranks["min"] = limits.rankRange.min;
  ranks["max"] = limits.rankRange.max;
  setBoth(result, "dataTypes", types);
  setBoth(result, "rankRange", ranks);
  return result;
}

nb::dict opSupportLimits(PyContext& self) {
  const OpSupportLimits limits = (*self).opSupportLimits();
  nb::dict result;
  setBoth(result, "preferredInputLayout", textOf(name(limits.preferredInputLayout)));
  setBoth(result, "maxTensorByteLength", nb::int_(limits.maxTensorByteLength));
  result["input"] = tensorLimitsOf(limits.input);
  result["constant"] = tensorLimitsOf(limits.constant);
  result["output"] = tensorLimitsOf(limits.output);
  for (const auto& [operation, operands] : limits.operations) {
    nb::dict made;
    for (const auto& [operand, operandLimits] : operands) setBoth(made, operand, tensorLimitsOf(operandLimits));
    setBoth(result, operation, made);
  }
  return result;
}

PyTensor createTensor(PyContext& self, nb::handle shape, nb::handle dataType, nb::handle isReadable, nb::handle isWritable,
                      nb::handle isExportable) {
  bool readable = false, writable = false, exportable = false;
  setField(readable, isReadable, "create_tensor: readable");
  setField(writable, isWritable, "create_tensor: writable");
  setField(exportable, isExportable, "create_tensor: exportable_to_gpu");
  return {Released((*self).createTensor({.dataType = dataTypeOf(dataType, "create_tensor"),
                                         .shape = shapeOf(shape, "create_tensor: shape"),
                                         .readable = readable,
                                         .writable = writable})),
          exportable};
}

PyTensor createConstantTensor(PyContext& self, nb::handle value, nb::handle shape, nb::handle dataType) {
  OperandDescriptor descriptor{dataTypeOf(dataType, "create_constant_tensor"), shapeOf(shape, "create_constant_tensor: shape")};
  byteLength(descriptor);
  const HeldBuffer bytes = packedBytes(value, descriptor, "create_constant_tensor");
  Tensor tensor = [&] {
    const GilReleased released;
    return (*self).createConstantTensor(std::move(descriptor), bytes.bytes());
  }();
  return {Released(std::move(tensor))};
}

void writeTensor(PyContext& self, nb::handle given, nb::handle data) {
  PyTensor& tensor = tensorOf(given, "write_tensor");
  const HeldBuffer bytes = packedBytes(data, (*tensor).descriptor(), "write_tensor");
  const GilReleased released;
  (*self).writeTensor(*tensor, bytes.bytes());
}

std::vector<NamedTensor> tensorsOf(nb::handle given, std::string_view what) {
  if (!PyDict_Check(given.ptr())) fail(ErrorKind::typeError, "dispatch: {}s must be a dict, not {}.", what, typeNameOf(given));
  std::vector<NamedTensor> tensors;
  for (const auto [key, value] : nb::borrow<nb::dict>(given)) {
    std::string name;
    setField(name, key, formatText("dispatch: the name of an {}", what));
    if (!nb::isinstance<PyTensor>(value))
      fail(ErrorKind::typeError, "dispatch: {} {} must be an MLTensor, not {}.", what, webnn::quoted(name), typeNameOf(value));
    tensors.emplace_back(std::move(name), **nb::inst_ptr<PyTensor>(value));
  }
  return tensors;
}

void dispatch(PyContext& self, nb::handle graph, nb::handle inputs, nb::handle outputs, nb::handle timeout,
              nb::handle cancellation) {
  const CallOptions options = callOptionsOf(timeout, cancellation, "dispatch");
  const Graph compiled = graphOf(graph, "dispatch").in(self, "dispatch", options);
  const std::vector<NamedTensor> inputTensors = tensorsOf(inputs, "input"), outputTensors = tensorsOf(outputs, "output");
  const GilReleased released;
  (*self).dispatch(compiled, inputTensors, outputTensors, options);
}

nb::dict computeIn(PyContext& self, nb::handle given, nb::handle inputs, nb::handle outputs, nb::handle timeout,
                   nb::handle cancellation) {
  PyGraph& graph = graphOf(given, "compute");
  const CallOptions options = callOptionsOf(timeout, cancellation, "compute");
  return compute(graph, graph.in(self, "compute", options), inputs, outputs, options);
}

PyGraph loadFile(PyContext& self, const std::string& path, std::optional<std::string> weights,
                 std::optional<std::string> manifest, std::map<std::string, std::uint32_t> dimensions, nb::dict values,
                 nb::tuple bounds) {
  const LoadOptions options =
      loadOptions(std::move(weights), std::move(manifest), std::move(dimensions), std::move(values), bounds);
  return PyGraph(withoutGil([&] { return load(*self, path, options); }));
}

PyGraph loadDescriptor(PyContext& self, int descriptor, std::optional<std::string> weights, std::optional<std::string> manifest,
                       std::map<std::string, std::uint32_t> dimensions, nb::dict values, nb::tuple bounds) {
  const LoadOptions options =
      loadOptions(std::move(weights), std::move(manifest), std::move(dimensions), std::move(values), bounds);
  return PyGraph(withoutGil([&] { return load(*self, OpenFile{descriptor}, options); }));
}

PyGraph loadBytes(PyContext& self, nb::bytes content, std::optional<std::string> weights, std::optional<std::string> manifest,
                  std::map<std::string, std::uint32_t> dimensions, nb::dict values, nb::tuple bounds) {
  const LoadOptions options =
      loadOptions(std::move(weights), std::move(manifest), std::move(dimensions), std::move(values), bounds);
  const ExternalBytes bytes = keptAlive(HeldBuffer(content, PyBUF_SIMPLE));
  Graph graph = withoutGil([&] { return load(*self, bytes, options); });
  releaseWaiting();
  return PyGraph(std::move(graph));
}

// Converts text for display. Names that are not valid UTF-8 can be listed but not used.
nb::object shownText(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

nb::list shapeOf(const std::vector<DeclaredDimension>& declared, bool isOutput) {
  nb::list shape;
  for (const DeclaredDimension& dimension : declared) {
    const bool isUnknown = isOutput && dimension.size == 0;
    shape.append(!dimension.name.empty() ? shownText(dimension.name)
                 : isUnknown             ? nb::object(nb::none())
                                         : nb::object(nb::int_(dimension.size)));
  }
  return shape;
}

nb::dict metadataOf(const ModelMetadata& metadata) {
  nb::dict result, properties;
  for (const auto& [key, value] : metadata.properties) properties[shownText(key)] = shownText(value);
  result["graph_name"] = shownText(metadata.graphName);
  result["graph_description"] = shownText(metadata.graphDescription);
  result["producer_name"] = shownText(metadata.producerName);
  result["producer_version"] = shownText(metadata.producerVersion);
  result["domain"] = shownText(metadata.domain);
  result["description"] = shownText(metadata.description);
  result["version"] = metadata.version;
  result["properties"] = properties;
  return result;
}

// Returns the name of a type. The name comes from the specification or, for a type that WebNN lacks, from webnn._foreign.
nb::object typeTextOf(DataType dataType, onnx::ElementType foreign) {
  return textOf(foreign == onnx::ElementType::undefined ? name(dataType) : foreignName(foreign));
}

nb::tuple describePath(const std::string& path) {
  return described(withoutGil([&] { return describeFile(std::filesystem::path(path)); }));
}

nb::tuple describeBytes(nb::bytes content) {
  const ExternalBytes bytes = keptAlive(HeldBuffer(content, PyBUF_SIMPLE));
  const FileDescription description = withoutGil([&] { return describeFile(bytes); });
  releaseWaiting();
  return described(description);
}

nb::object lost(PyContext& self) {
  const auto future = (*self).lost();
  if (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return nb::none();
  return textOf(future.get().message);
}

void registerTensor(nb::module_& module) {
  nb::class_<PyTensor>(
      module, "MLTensor",
      R"(Memory of a context that graphs read and write. tensor.numpy() and numpy.asarray(tensor) convert it to an array.

>>> tensor = webnn.ML().create_context().create_tensor([2, 3], "float32", readable=True)
>>> tensor.shape, tensor.size, np.asarray(tensor).dtype
([2, 3], 6, dtype('float32'))
)")
      .def("__init__",
           [](PyTensor*, nb::args, nb::kwargs) {
             fail(ErrorKind::typeError, "MLTensor: tensors are made by context.create_tensor(shape, data_type).");
           })
      .def_prop_ro("data_type", [](PyTensor& self) { return textOf(name((*self).dataType())); })
      .def_prop_ro("shape", [](PyTensor& self) { return nb::list(tupleOf((*self).shape())); })
      .def_prop_ro("size", [](PyTensor& self) { return elementCount((*self).descriptor()); })
      .def_prop_ro("readable", [](PyTensor& self) { return (*self).readable(); })
      .def_prop_ro("writable", [](PyTensor& self) { return (*self).writable(); })
      .def_prop_ro("constant", [](PyTensor& self) { return (*self).constant(); })
      .def_prop_ro("exportable_to_gpu", [](const PyTensor& self) { return self.isExportable; })
      .def("_read",
           [](PyTensor& self) {
             if (!(*self).state()) fail(ErrorKind::typeError, "numpy: the tensor refers to nothing.");
             return readTensor(Context((*self).state()->context), self, nb::none());
           })
      .def(
          "destroy",
          [](PyTensor& self) {
            const GilReleased released;
            (*self).destroy();
          },
          R"(Frees the memory. Further calls of destroy() do nothing.

>>> webnn.ML().create_context().create_tensor([2], "float32").destroy()
)")
      .def("__repr__", [](PyTensor& self) {
        std::string text = "<MLTensor " + toString((*self).descriptor());
        if ((*self).readable()) text += " readable";
        if ((*self).writable()) text += " writable";
        if ((*self).constant()) text += " constant";
        if ((*self).state()->isDestroyed()) text += " destroyed";
        return text + ">";
      });
}

void registerMethods(nb::module_& module) {
  nb::class_<PyContext>(module, "MLContext",
                        R"(Runs graphs, and holds tensors. A `with` statement destroys the context at its end.

>>> with webnn.ML().create_context() as context:
...     context.backend
'cpu'
)")
      .def_prop_ro("power_preference", [](const PyContext& self) { return self.powerPreference; })
      .def_prop_ro("accelerated", [](PyContext& self) { return (*self).accelerated(); })
      .def_prop_ro("backend", [](PyContext& self) { return textOf((*self).backend()); })
      .def_prop_ro("service",
                   [](PyContext& self) {
                     const std::string_view service = (*self).service();
                     return service.empty() ? nb::object(nb::none()) : textOf(service);
                   })
      .def("__init__",
           [](PyContext*, nb::args, nb::kwargs) {
             fail(ErrorKind::typeError, "MLContext: contexts are made by webnn.ML().create_context().");
           })
      .def_prop_ro("lost", &lost)
      .def("op_support_limits", &opSupportLimits,
           R"(Returns the types and ranks that each operation accepts, under the specification's names and Python's.

>>> webnn.ML().create_context().op_support_limits()["relu"]["input"]["rankRange"]
{'min': 0, 'max': 8}
)")
      .def("_create_tensor", &createTensor, anything(), anything(), anything(), anything(), anything())
      .def("_create_constant_tensor", &createConstantTensor, anything(), anything(), anything())
      .def("_write_tensor", &writeTensor, anything(), anything())
      .def(
          "_read_tensor",
          [](PyContext& self, nb::handle tensor, nb::handle out) {
            return readTensor(*self, tensorOf(tensor, "read_tensor"), out);
          },
          anything(), anything())
      .def("_dispatch", &dispatch, anything(), anything(), anything(), anything(), anything())
      .def("_compute", &computeIn, anything(), anything(), anything(), anything(), anything())
      .def(
          "_compile",
          [](PyContext& self, nb::handle given, nb::handle timeout, nb::handle cancellation, nb::handle progress) {
            PyGraph& graph = graphOf(given, "compile");
            const CallOptions options = callOptionsOf(timeout, cancellation, "compile", progress);
            return PyGraph(withoutGil([&] { return (*self).compile(*graph, options); }));
          },
          anything(), anything(), anything(), anything())
      .def("__repr__",
           [](PyContext& self) {
             std::string text = "<MLContext " + std::string((*self).backend());
             if (!(*self).service().empty()) text += " at " + webnn::quoted((*self).service());
             return text + ((*self).state()->isLost() ? " lost>" : ">");
           })
      .def_prop_ro("memory_in_use", [](PyContext& self) { return (*self).memoryInUse(); })
      .def("_load", &loadFile, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
      .def("_load_descriptor", &loadDescriptor, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
      .def("_load_bytes", &loadBytes, nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
      .def(
          "destroy",
          [](PyContext& self) {
            {
              const GilReleased released;
              (*self).destroy();
            }
            releaseWaiting();
          },
          R"(Destroys the context with its graphs and tensors. Runs in progress end early.

>>> context = webnn.ML().create_context()
>>> context.destroy()
>>> context.lost is None
False
)");
}

}  // namespace

nb::tuple described(const FileDescription& description) {
  nb::list inputs, outputs, files;
  for (const DeclaredInput& input : description.inputs) {
    inputs.append(nb::make_tuple(shownText(input.name), typeTextOf(input.dataType, input.elementType),
                                 shapeOf(input.shape, false), input.isBoolean, textOf(input.onnxType)));
  }
  for (const DeclaredOutput& output : description.outputs) {
    const bool isTyped = output.dataType || output.elementType != onnx::ElementType::undefined;
    outputs.append(nb::make_tuple(
        shownText(output.name),
        isTyped ? nb::object(typeTextOf(output.dataType.value_or(DataType::uint8), output.elementType)) : nb::none(),
        output.shape ? nb::object(shapeOf(*output.shape, true)) : nb::none(), output.isBoolean, textOf(output.onnxType)));
  }
  for (const std::filesystem::path& file : description.files)
    files.append(nb::steal(PyUnicode_DecodeFSDefaultAndSize(file.c_str(), static_cast<Py_ssize_t>(file.native().size()))));
  return nb::make_tuple(inputs, outputs, metadataOf(description.metadata), files);
}

void registerContext(nb::module_& module) {
  registerTensor(module);
  registerMethods(module);
  module.def("_backends", [] {
    nb::list backends;
    for (const BackendEntry& entry : knownBackends())
      backends.append(nb::make_tuple(textOf(entry.name), textOf(entry.unavailable)));
    return backends;
  });
  module.def("_describe_path", &describePath, nb::arg());
  module.def("_describe_bytes", &describeBytes, nb::arg());
  module.def("_create_context", &createContext, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none(), nb::arg(), nb::arg());
}

}  // namespace webnn::python
