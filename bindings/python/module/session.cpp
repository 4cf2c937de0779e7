// The C++ part of InferenceSession. A model with open dimensions becomes a graph for each set of sizes. A model that no single
// graph can hold runs as several graphs.
#include "webnn/session.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <list>

#include "base/unset_vector.h"
#include "builder/open_graph.h"
#include "objects.h"

namespace webnn::python {

LoadOptions loadOptions(std::optional<std::string> weights, std::optional<std::string> manifest,
                        std::map<std::string, std::uint32_t> dimensions, nb::dict values, nb::tuple bounds) {
  LoadOptions options;
  options.namedFilesOnly = nb::cast<bool>(bounds[0]);
  const nb::object limits = bounds[1], timeout = bounds[2], cancellation = bounds[3], progress = bounds[4];
  options.mapFiles = nb::cast<bool>(bounds[5]);
  options.limits = limitsOf(limits, "load: limits");
  options.call = callOptionsOf(timeout, cancellation, "load", progress);
  if (weights) options.weights = *weights;
  if (manifest) options.manifest = *manifest;
  options.dimensions = std::move(dimensions);
  for (const auto [key, value] : values) {
    const HeldBuffer bytes(value, PyBUF_SIMPLE);  // webnn._files has made all arrays contiguous
    if (!bytes) nb::raise_type_error("load: values must be arrays.");
    const std::span<std::byte> data = bytes.bytes();
    options.values[std::string(utf8Of(key))] = {data.begin(), data.end()};
  }
  return options;
}

namespace {

struct PySession {
  Released<Session> session;
};

// Opens a model; `model` is bytes or a path. Graphs are not cached here, because the Python code caches them.
PySession openSession(PyContext& context, nb::handle model, std::optional<std::string> weights,
                      std::optional<std::string> manifest, std::map<std::string, std::uint32_t> dimensions, nb::dict values,
                      nb::tuple bounds, std::optional<std::uint64_t> seed, bool inputsMayDisagree) {
  SessionOptions options{.graphs = 0, .seed = seed, .inputsMayDisagree = inputsMayDisagree};
  options.load = loadOptions(std::move(weights), std::move(manifest), std::move(dimensions), std::move(values), bounds);
  const auto open = [&](auto source) {
    return PySession{Released(withoutGil([&] { return Session::load(*context, std::move(source), options); }))};
  };
  if (PyBytes_Check(model.ptr())) return open(keptAlive(HeldBuffer(model, PyBUF_SIMPLE)));
  return open(std::filesystem::path(std::string(utf8Of(model))));
}

// Makes a session of a builder's graph. `keep` is the number of graphs to cache.
PySession sessionOfBuilder(PyBuilder& builder, nb::handle outputs, std::map<std::string, std::uint32_t> dimensions,
                           std::size_t keep) {
  SessionOptions options{.graphs = keep};
  options.load.dimensions = std::move(dimensions);
  return PySession{Released(Session::build(*builder, namedOperands(outputs, "build_session"), options))};
}

// Describes the inputs and outputs of a session as describe() does.
nb::tuple declarations(PySession& self) {
  const Session& session = self.session.value;
  FileDescription description{session.inputs(), session.outputs(), {}, {}};
  if (const std::shared_ptr<const OpenGraph> graph = session.openGraph())
    description.metadata.graphName = graph->definition->name;
  return described(description);
}

void saveSession(PySession& self, const std::string& path, const std::string& format, const std::string& weights) {
  const SaveOptions options = saveOptionsOf(format, weights);
  const GilReleased released;
  save(self.session.value, path, options);
}

std::map<std::string, Shape> shapesOf(const nb::dict& shapes) {
  std::map<std::string, Shape> sizes;
  for (const auto [name, shape] : shapes) sizes[std::string(utf8Of(name))] = shapeOf(shape, "run: the shape of an input");
  return sizes;
}

// Returns whether run() suits inputs of these shapes better than a graph from graph(). See Session::prefersRun().
bool prefersRun(PySession& self, nb::dict shapes, nb::handle timeout, nb::handle cancellation) {
  const std::map<std::string, Shape> sizes = shapesOf(shapes);
  const CallOptions options = callOptionsOf(timeout, cancellation, "run");
  return withoutGil([&] { return self.session.value.prefersRun(sizes, options); });
}

PyGraph graphOfShapes(PySession& self, nb::dict shapes, nb::handle timeout, nb::handle cancellation, nb::handle progress) {
  const std::map<std::string, Shape> sizes = shapesOf(shapes);
  const CallOptions options = callOptionsOf(timeout, cancellation, "run", progress);
  return PyGraph(withoutGil([&] { return self.session.value.graph(sizes, options); }));
}

// Converts `packed`, a result of webnn._foreign.packed(), to a view. `packed` is (shape, bytes) or, for strings, (shape, list
// of bytes objects).
ArrayView foreignView(onnx::ElementType type, nb::handle packed, const std::string& what, std::vector<HeldBuffer>& buffers,
                      std::list<std::vector<std::string>>& strings) {
  const auto [shape, elements] = nb::cast<std::pair<nb::object, nb::object>>(packed);
  ArrayView view(type, shapeOf(shape, what), {});
  if (type == onnx::ElementType::string) {
    std::vector<std::string>& own = strings.emplace_back();
    for (const nb::handle element : elements) {
      const auto text = nb::cast<nb::bytes>(element);
      own.emplace_back(text.c_str(), text.size());
    }
    view.strings = own;
    return view;
  }
  buffers.emplace_back(elements, PyBUF_SIMPLE);
  view.bytes = buffers.back().bytes();
  return view;
}

// Returns (type, shape, elements), the first arguments of webnn._foreign.unpacked().
nb::tuple foreignResult(const Array& array) {
  const nb::object shape = nb::cast(std::vector<std::uint32_t>(array.descriptor.shape.begin(), array.descriptor.shape.end()));
  if (array.elementType != onnx::ElementType::string) {
    const nb::bytes bytes(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    return nb::make_tuple(textOf(foreignName(array.elementType)), shape, bytes);
  }
  nb::list elements;
  for (const std::string& text : array.strings) elements.append(nb::bytes(text.data(), text.size()));
  return nb::make_tuple(textOf(foreignName(array.elementType)), shape, elements);
}

// Returns None for an absent optional, a list for a sequence, a dict of two arrays for a map, the arguments of
// webnn._foreign.unpacked() for element types that WebNN lacks, and otherwise an array.
nb::object resultOf(const Array& array) {
  if (array.isNone) return nb::none();
  if (array.isSequence) {
    nb::list elements;
    for (const Array& element : array.elements) elements.append(resultOf(element));
    return elements;
  }
  nb::object result =
      array.elementType == onnx::ElementType::undefined ? emptyArray(array.descriptor) : nb::object(foreignResult(array));
  if (array.elementType == onnx::ElementType::undefined) {
    const HeldBuffer buffer(result, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
    if (!buffer) fail(ErrorKind::unknownError, "run: there is no memory for an output.");
    std::ranges::copy(array.bytes, buffer.bytes().begin());
  }
  if (array.keys.empty()) return result;
  nb::dict map;
  map["keys"] = resultOf(array.keys[0]);
  map["values"] = result;
  return map;
}

// Calls Session::runInto(). Returns the results by name, in the forms of resultOf().
nb::dict runSession(PySession& self, nb::dict arrays, nb::handle timeout, nb::handle cancellation, nb::handle progress) {
  std::vector<HeldBuffer> buffers;
  std::list<std::vector<std::string>> strings;
  std::map<std::string, ArrayView> inputs;
  for (const auto [key, array] : arrays) {
    const std::string name(utf8Of(key));
    const auto declared = std::ranges::find(self.session.value.inputs(), name, &DeclaredInput::name);
    if (declared == self.session.value.inputs().end()) continue;
    const std::string what = "run: input " + webnn::quoted(name);
    const auto viewOf = [&](nb::handle tensor) {
      if (declared->elementType != onnx::ElementType::undefined)
        return foreignView(declared->elementType, tensor, what, buffers, strings);
      OperandDescriptor descriptor{declared->dataType, shapeOf(nb::getattr(tensor, "shape"), what)};
      buffers.push_back(packedBytes(tensor, descriptor, what));
      return ArrayView(std::move(descriptor), buffers.back().bytes());
    };
    if (array.is_none()) {
      inputs.emplace(name, ArrayView::none());
    } else if (declared->keyType != onnx::ElementType::undefined) {  // {"keys": array, "values": array}
      const nb::handle keys = array["keys"];
      OperandDescriptor integers{DataType::int64, {}};
      if (declared->keyType == onnx::ElementType::string) {
        inputs.emplace(name,
                       ArrayView::map(foreignView(declared->keyType, keys, what, buffers, strings), viewOf(array["values"])));
        continue;
      }
      integers.shape = shapeOf(nb::getattr(keys, "shape"), what);
      buffers.push_back(packedBytes(keys, integers, what));
      const std::span<const std::byte> bytes = buffers.back().bytes();
      inputs.emplace(name, ArrayView::map(ArrayView(std::move(integers), bytes), viewOf(array["values"])));
    } else if (nb::isinstance<nb::list>(array)) {
      std::vector<ArrayView> elements;
      for (const nb::handle element : array) elements.push_back(viewOf(element));
      inputs.emplace(name, ArrayView::sequence(std::move(elements)));
    } else {
      inputs.emplace(name, viewOf(array));
    }
  }
  const CallOptions options = callOptionsOf(timeout, cancellation, "run", progress);
  std::map<std::string, UnsetVector<std::byte>> memory;
  const OutputMemory memoryFor = [&](std::string_view name, const OperandDescriptor& descriptor) -> std::span<std::byte> {
    if (bitsPerElement(descriptor.dataType) < 8) return {};  // arrayOf() needs at least 8 bits
    return memory.insert_or_assign(std::string(name), UnsetVector<std::byte>(byteLength(descriptor))).first->second;
  };
  const std::map<std::string, Array> outputs = withoutGil([&] { return self.session.value.runInto(inputs, memoryFor, options); });
  nb::dict results;
  for (const DeclaredOutput& output : self.session.value.outputs()) {
    const Array& array = outputs.at(output.name);
    const auto own = memory.find(output.name);
    const bool isThere = own != memory.end() && !own->second.empty() && array.bytes.empty() && !array.isSequence &&
                         !array.isNone && array.elementType == onnx::ElementType::undefined;
    results[textOf(output.name)] = isThere ? arrayOf(array.descriptor, std::move(own->second)) : resultOf(array);
  }
  return results;
}

}  // namespace

void registerSession(nb::module_& module) {
  nb::class_<PySession>(module, "_Session")
      .def("graph", &graphOfShapes, nb::arg(), anything(), anything(), anything())
      .def("prefers_run", &prefersRun, nb::arg(), anything(), anything())
      .def("run", &runSession, nb::arg(), anything(), anything(), anything())
      .def("takes_sequence", [](PySession& self, const std::string& name) { return self.session.value.takesSequence(name); })
      .def("declarations", &declarations)
      .def("has_open_graph", [](PySession& self) { return self.session.value.openGraph() != nullptr; })
      .def("save", &saveSession);
  module.def("_session_of_builder", &sessionOfBuilder, nb::arg(), anything(), nb::arg(), nb::arg());
  module.def("_open_session", &openSession, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg().none(), nb::arg());
}

}  // namespace webnn::python
