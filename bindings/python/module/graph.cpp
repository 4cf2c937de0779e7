// The Python classes MLGraph and _Binding.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/view/view.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "fields.h"
#include "objects.h"
#include "webnn/formats.h"

namespace webnn::python {

namespace {

using Bytes = std::span<std::byte>;

bool overlap(Bytes a, Bytes b) {
  return std::less<>()(a.data(), b.data() + b.size()) && std::less<>()(b.data(), a.data() + a.size());
}

// The arguments of compute(), in the order of the graph's inputs and outputs.
struct Run {
  std::vector<HeldBuffer> buffers;
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
  std::vector<std::pair<nb::object, nb::object>> copies;  // (new array, caller's array): outputs not written in place
  MemoryCharge results;                                   // the memory of outputs that are new arrays
};

[[noreturn]] void failUnknown(std::string_view what, nb::handle given, const std::vector<Binding>& bindings) {
  std::string known;
  for (const Binding& binding : bindings) known += (known.empty() ? "" : ", ") + webnn::quoted(binding.name);
  for (const auto [key, value] : nb::borrow<nb::dict>(given)) {
    const std::string text = nb::str(key).c_str();
    if (std::ranges::find(bindings, text, &Binding::name) == bindings.end())
      fail(ErrorKind::typeError, "compute: the graph has no {} {}; it has {}.", what, webnn::quoted(text), known);
  }
  fail(ErrorKind::typeError, "compute: there are {}s that the graph does not have.", what);
}

void reserve(const PyGraph& graph, Run& run) {
  run.buffers.reserve(graph.inputs.size() + graph.outputs.size());
  run.inputs.reserve(graph.inputs.size());
  run.outputs.reserve(graph.outputs.size());
}

void bindInputs(const PyGraph& graph, nb::handle given, Run& run) {
  if (!PyDict_Check(given.ptr())) fail(ErrorKind::typeError, "compute: inputs must be a dict, not {}.", typeNameOf(given));
  for (const Binding& binding : graph.inputs) {
    PyObject* const array = PyDict_GetItemWithError(given.ptr(), binding.key.ptr());
    if (!array) fail(ErrorKind::typeError, "compute: Missing input: {}.", webnn::quoted(binding.name));
    HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT);
    if (!buffer || !matches(buffer, binding.descriptor))
      buffer = packedBytes(array, binding.descriptor, "compute: input " + webnn::quoted(binding.name));
    run.inputs.push_back(buffer.bytes());
    run.buffers.push_back(std::move(buffer));
  }
  if (static_cast<std::size_t>(NB_DICT_GET_SIZE(given.ptr())) != graph.inputs.size()) failUnknown("input", given, graph.inputs);
}

nb::object bindNew(const Binding& binding, Run& run) {
  nb::object array = binding.maker.empty();
  HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
  if (!buffer) fail(ErrorKind::unknownError, "compute: there is no memory for output {}.", webnn::quoted(binding.name));
  run.outputs.push_back(buffer.bytes());
  run.buffers.push_back(std::move(buffer));
  return array;
}

// Binds the caller's array for an output. It is written in place if its layout allows and it overlaps no other array.
void bindGiven(const Binding& binding, nb::handle given, Run& run) {
  const nb::object array =
      fromPackage("webnn._arrays", "writable")(given, textOf(name(binding.descriptor.dataType)), binding.maker.shape,
                                               textOf("compute: output " + webnn::quoted(binding.name)));
  HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
  bool isFree = buffer && matches(buffer, binding.descriptor);
  if (isFree) {
    isFree = std::ranges::none_of(run.buffers, [&](const HeldBuffer& other) { return overlap(buffer.bytes(), other.bytes()); });
  }
  if (isFree) {
    run.outputs.push_back(buffer.bytes());
    run.buffers.push_back(std::move(buffer));
  } else {
    run.copies.emplace_back(bindNew(binding, run), array);
  }
}

nb::dict bindOutputs(const PyGraph& graph, nb::handle given, Run& run) {
  nb::dict results;
  const bool isGiven = given.is_valid() && !given.is_none();
  if (isGiven && !PyDict_Check(given.ptr()))
    fail(ErrorKind::typeError, "compute: outputs must be a dict, not {}.", typeNameOf(given));
  Py_ssize_t used = 0;
  run.results = MemoryCharge(graph.graph.value.state()->context->memory);
  for (const Binding& binding : graph.outputs) {
    PyObject* const array = isGiven ? PyDict_GetItemWithError(given.ptr(), binding.key.ptr()) : nullptr;
    if (array) {
      bindGiven(binding, array, run);
      ++used;
    }
    if (!array) run.results.add(byteLength(binding.descriptor), kMemoryOfResult);
    const nb::object result = array ? nb::borrow(array) : bindNew(binding, run);
    PyDict_SetItem(results.ptr(), binding.key.ptr(), result.ptr());
  }
  if (isGiven && used != NB_DICT_GET_SIZE(given.ptr())) failUnknown("output", given, graph.outputs);
  return results;
}

std::vector<Binding> bindingsOf(const std::vector<NamedDescriptor>& named) {
  std::vector<Binding> bindings;
  for (const auto& [name, descriptor] : named) bindings.push_back({textOf(name), name, descriptor, ArrayMaker(descriptor)});
  return bindings;
}

nb::dict descriptors(const std::vector<Binding>& bindings) {
  nb::dict result;
  const nb::object type = fromPackage("webnn._types", "MLOperandDescriptor");
  for (const Binding& binding : bindings) {
    result[binding.key] = type(textOf(name(binding.descriptor.dataType)), tupleOf(binding.descriptor.shape));
  }
  return result;
}

nb::list names(const std::vector<Binding>& bindings) {
  nb::list list;
  for (const Binding& binding : bindings) list.append(binding.key);
  return list;
}

// Returns all operands: first inputs, then constants, then results.
nb::list operands(PyGraph& self) {
  const GraphDefinition& graph = definitionOf(*self);
  nb::list list;
  for (const Operand& input : graph.inputs) list.append(nb::cast(input));
  for (const Operand& constant : graph.constants) list.append(nb::cast(constant));
  for (const Node& node : graph.nodes) {
    for (const Operand& output : node.outputs) list.append(nb::cast(output));
  }
  return list;
}

nb::dict memoryEstimate(PyGraph& self) {
  const MemoryEstimate estimate = (*self).memoryEstimate();
  nb::dict result;
  result["inputs"] = estimate.inputs;
  result["outputs"] = estimate.outputs;
  result["constants"] = estimate.constants;
  result["packed_weights"] = estimate.packedWeights;
  result["intermediates"] = estimate.intermediates;
  return result;
}

// Returns the value with this name, or nullopt for an empty name. Throws TypeError for an unknown name.
template <typename T, std::size_t size>
std::optional<T> namedValue(const std::array<std::pair<std::string_view, T>, size>& values, std::string_view name,
                            std::string_view what) {
  if (name.empty()) return std::nullopt;
  std::string names;
  for (const auto& [known, value] : values) {
    if (known == name) return value;
    names += (names.empty() ? "" : ", ") + webnn::quoted(known);
  }
  fail(ErrorKind::typeError, "save: {} {} is not one of {}.", what, webnn::quoted(name), names);
}

void saveGraph(PyGraph& self, const std::string& path, const std::string& format, const std::string& weights) {
  const SaveOptions options = saveOptionsOf(format, weights);
  const GilReleased released;
  save(*self, path, options);
}

// Keeps inputs and outputs bound, so that repeated runs make no new arrays.
class PyBinding {
 public:
  PyBinding(nb::object graph, nb::handle inputs, nb::handle outputs) : graph_(std::move(graph)) {
    const PyGraph& bound = graphOf(graph_, "bind");
    reserve(bound, run_);
    bindInputs(bound, inputs, run_);
    results_ = bindOutputs(bound, outputs, run_);
  }
  PyBinding(const PyBinding&) = delete;
  PyBinding& operator=(const PyBinding&) = delete;

  nb::dict results() const { return results_; }

  void run(nb::handle timeout, nb::handle cancellation) {
    const CallOptions options = callOptionsOf(timeout, cancellation, "run");
    withoutGil([&] {
      (*graphOf(graph_, "run")).compute(run_.inputs, run_.outputs, options);
      return true;
    });
    for (auto& [from, to] : run_.copies) to[nb::ellipsis()] = from;
  }

 private:
  nb::object graph_;
  Run run_;
  nb::dict results_;
};

// Runs with these inputs. Returns [(operation, label, kernel, start, duration)] in seconds; empty if the backend does not measure
// steps.
nb::list profile(PyGraph& self, nb::handle inputs) {
  Run run;
  reserve(self, run);
  bindInputs(self, inputs, run);
  bindOutputs(self, nb::none(), run);
  const std::shared_ptr<const Executable> executable = (*self).state()->executable();
  if (!executable) fail(ErrorKind::invalidStateError, "profile: the graph is destroyed.");
  const std::vector<StepTime> times = withoutGil([&] { return executable->profile(run.inputs, run.outputs); });
  nb::list steps;
  for (const StepTime& time : times)
    steps.append(nb::make_tuple(textOf(time.operation), textOf(time.label), textOf(time.kernel), time.start, time.duration));
  return steps;
}

nb::dict dictOf(const OperationPlacement& placed) {
  static constexpr std::array<const char*, 3> kStates{"runs", "constant", "removed"};
  nb::dict result;
  result["operation"] = placed.operation;
  result["label"] = placed.label;
  result["outputs"] = placed.outputs;
  result["state"] = kStates[static_cast<std::size_t>(placed.state)];
  result["device"] = placed.device;
  result["kernels"] = placed.kernels;
  result["steps"] = placed.steps;
  result["notes"] = placed.notes;
  return result;
}

std::vector<nb::dict> placement(PyGraph& self) {
  std::vector<OperationPlacement> placement;
  withoutGil([&] {
    placement = (*self).placement();
    return true;
  });
  std::vector<nb::dict> result;
  for (const OperationPlacement& placed : placement) result.push_back(dictOf(placed));
  return result;
}

}  // namespace

SaveOptions saveOptionsOf(const std::string& format, const std::string& weights) {
  static constexpr std::array<std::pair<std::string_view, GraphFormat>, 5> kFormats{{{"webnn", GraphFormat::webnnText},
                                                                                     {"binary", GraphFormat::webnnBinary},
                                                                                     {"json", GraphFormat::graphJson},
                                                                                     {"onnx", GraphFormat::onnx},
                                                                                     {"coreml", GraphFormat::coreMl}}};
  static constexpr std::array<std::pair<std::string_view, WeightsFormat>, 3> kWeights{
      {{"safetensors", WeightsFormat::safetensors},
       {"manifest", WeightsFormat::manifest},
       {"inline", WeightsFormat::inlineBytes}}};
  SaveOptions options;
  if (const auto given = namedValue(kFormats, format, "format")) options.graph = *given;
  options.weights = namedValue(kWeights, weights, "weights");
  return options;
}

PyGraph::PyGraph(Graph made)
    : graph(std::move(made)), inputs(bindingsOf(graph.value.inputs())), outputs(bindingsOf(graph.value.outputs())) {}

Graph PyGraph::in(PyContext& context, std::string_view what, const CallOptions& options) {
  const std::shared_ptr<ContextState>& wanted = (*context).state();
  if (graph.value.state()->context == wanted) return graph.value;
  if (!isOfAnyContext)
    fail(ErrorKind::typeError, "{}: the graph is of another context; context.compile(graph) takes it to this one.", what);
  for (const Released<Graph>& known : elsewhere) {
    if (known.value.state()->context == wanted) return known.value;
  }
  elsewhere.remove_if([](const Released<Graph>& known) { return known.value.state()->context->isLost(); });
  Graph compiled = withoutGil([&] { return (*context).compile(graph.value, options); });
  elsewhere.emplace_back(compiled);
  return compiled;
}

nb::dict compute(PyGraph& graph, const Graph& compiled, nb::handle inputs, nb::handle outputs, const CallOptions& options) {
  Run run;
  reserve(graph, run);
  bindInputs(graph, inputs, run);
  nb::dict results = bindOutputs(graph, outputs, run);
  withoutGil([&] {
    compiled.compute(run.inputs, run.outputs, options);
    return true;
  });
  for (auto& [from, to] : run.copies) to[nb::ellipsis()] = from;
  return results;
}

void registerMethods(nb::class_<PyGraph>& graph) {
  graph.def("_operands", &operands)
      .def(
          "notes", [](PyGraph& self) { return (*self).notes(); },
          R"(Returns one sentence for each way in which the backend deviates from the graph.

>>> webnn.load("examples/digits/digits.webnn").notes()
[]
)")
      .def("placement", &placement,
           R"(Returns a dict for each operation, which tells where it runs: its state, device, kernels, steps and notes.

>>> webnn.load("examples/digits/digits.webnn").placement()[0]["operation"]
'conv2d'
)")
      .def(
          "_compute",
          [](PyGraph& self, nb::handle inputs, nb::handle outputs, nb::handle timeout, nb::handle cancellation) {
            return compute(self, *self, inputs, outputs, callOptionsOf(timeout, cancellation, "compute"));
          },
          anything(), anything(), anything(), anything())
      .def("_profile", &profile, anything())
      .def_prop_rw(
          "_is_of_any_context", [](const PyGraph& self) { return self.isOfAnyContext; },
          [](PyGraph& self, bool is) { self.isOfAnyContext = is; })
      .def("memory_estimate", &memoryEstimate,
           R"(Returns the bytes of memory that the graph needs, as estimated before compilation.

>>> webnn.load("examples/digits/digits.webnn").memory_estimate()["inputs"]
3136
)")
      .def(
          "to_dot",
          [](PyGraph& self) {
            const GilReleased released;
            return toDot(*self);
          },
          R"(Returns the graph in Graphviz's language.

>>> webnn.load("examples/digits/digits.webnn").to_dot()[:7]
'digraph'
)")
      .def("_repr_svg_",
           [](PyGraph& self) {
             const GilReleased released;
             return toSvg(*self);
           })
      // Returns the page of `webnn view`; None if this build lacks it.
      .def("_view",
           [](PyGraph& self, std::size_t pictureBytes) -> nb::object {
             if (!cli::hasViewer()) return nb::none();
             std::string page;
             withoutGil([&] {
               page = cli::viewPage(cli::viewData(*self, {.pictureBytes = pictureBytes}));
               return true;
             });
             return textOf(page);
           })
      .def("_save", &saveGraph)
      .def(
          "destroy",
          [](PyGraph& self) {
            std::vector<Graph> all{*self};
            for (const Released<Graph>& other : self.elsewhere) all.push_back(other.value);
            const GilReleased released;
            for (Graph& one : all) one.destroy();
          },
          R"(Frees the memory: the graph cannot be used any more. Queued runs are still executed.

>>> webnn.load("examples/digits/digits.webnn").destroy()
)")
      .def("__repr__", [](PyGraph& self) {
        std::string text = "<MLGraph";
        for (const Binding& input : self.inputs) text += " " + webnn::quoted(input.name) + ": " + toString(input.descriptor);
        text += " ->";
        for (const Binding& output : self.outputs) text += " " + webnn::quoted(output.name) + ": " + toString(output.descriptor);
        return text + ", " + std::to_string(definitionOf(*self).nodes.size()) + " operations>";
      });
}

void registerGraph(nb::module_& module) {
  nb::class_<PyGraph> graph(module, "MLGraph", R"(An immutable graph, compiled for its context.

>>> webnn.load("examples/digits/digits.webnn").outputs
{'probabilities': MLOperandDescriptor(data_type='float32', shape=(1, 10))}
)");
  graph
      .def("__init__",
           [](PyGraph*, nb::args, nb::kwargs) {
             fail(ErrorKind::typeError, "MLGraph: graphs are made by builder.build() and webnn.load().");
           })
      .def_prop_ro("name", [](PyGraph& self) { return definitionOf(*self).name; })
      .def_prop_ro("inputs", [](const PyGraph& self) { return descriptors(self.inputs); })
      .def_prop_ro("outputs", [](const PyGraph& self) { return descriptors(self.outputs); })
      .def(
          "get_input_names", [](const PyGraph& self) { return names(self.inputs); },
          R"(Returns the names of the inputs.

>>> webnn.load("examples/digits/digits.webnn").get_input_names()
['image']
)")
      .def(
          "get_output_names", [](const PyGraph& self) { return names(self.outputs); },
          R"(Returns the names of the outputs.

>>> webnn.load("examples/digits/digits.webnn").get_output_names()
['probabilities']
)")
      .def_prop_ro("operation_count", [](PyGraph& self) { return definitionOf(*self).nodes.size(); })
      .def_prop_ro("operand_count", [](PyGraph& self) { return nb::len(operands(self)); });
  registerMethods(graph);
}

void registerBinding(nb::module_& module) {
  nb::class_<PyBinding>(module, "_Binding")
      .def(nb::init<nb::object, nb::handle, nb::handle>(), anything(), anything(), anything())
      .def_prop_ro("results", &PyBinding::results)
      .def("run", &PyBinding::run, nb::arg("timeout").none() = nb::none(), nb::arg("cancellation").none() = nb::none());
}

}  // namespace webnn::python
