// The C++ state of Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.h"
#include "base/text.h"
#include "fields.h"
#include "gil.h"
#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/graph.h"
#include "webnn/graph_builder.h"

namespace webnn::python {

// A handle that is released without the GIL. Releasing the last handle may wait for queued work, and that work may need the GIL
// to free memory.
template <typename T>
struct Released {
  T value;
  explicit Released(T handle) : value(std::move(handle)) {}
  Released(Released&&) noexcept = default;
  Released& operator=(Released&&) = delete;
  ~Released() {
    {
      const GilReleased released;
      const T last = std::move(value);
    }
    releaseWaiting();
  }
};

struct PyContext {
  Released<Context> context;
  std::string powerPreference, deviceType;
  Context& operator*() { return context.value; }
};

struct PyTensor {
  Released<Tensor> tensor;
  bool isExportable = false;  // set if the program requested it; without effect, because no tensor can be exported yet
  Tensor& operator*() { return tensor.value; }
};

struct Binding {
  nb::object key;  // the name as a Python str
  std::string name;
  OperandDescriptor descriptor;
  ArrayMaker maker;
};

struct PyGraph {
  Released<Graph> graph;
  std::vector<Binding> inputs, outputs;
  bool isOfAnyContext = false;           // the graph was loaded without a context
  std::list<Released<Graph>> elsewhere;  // graphs compiled for other contexts, if isOfAnyContext
  explicit PyGraph(Graph made);
  Graph& operator*() { return graph.value; }
  // Returns the graph compiled for this context, compiling it at first use. Throws TypeError if it belongs to another context.
  Graph in(PyContext& context, std::string_view what, const CallOptions& options);
};

struct PyBuilder {
  Released<std::unique_ptr<GraphBuilder>> builder;
  bool countsAxesFromEnd = false;  // accepts negative axes, an extension of the specification
  bool isBuilding = false;         // another thread is building, without the GIL
  // Throws InvalidStateError during a build.
  GraphBuilder& operator*();
};

struct PyCancellation {
  std::stop_source source;
};

// Converts call options. `timeout` is in seconds or None; `cancellation` is a Cancellation or None; `progress` is a function of
// (done, total) or None, and an exception in it aborts the call. On the main thread, signals interrupt the call.
CallOptions callOptionsOf(nb::handle timeout, nb::handle cancellation, const std::string& what, nb::handle progress = {});
// Converts a dict of limits; None means the default limits.
Limits limitsOf(nb::handle given, const std::string& what);
// Makes load options. `bounds` are (named_files_only, limits, timeout, cancellation, progress, map_files).
LoadOptions loadOptions(std::optional<std::string> weights, std::optional<std::string> manifest,
                        std::map<std::string, std::uint32_t> dimensions, nb::dict values, nb::tuple bounds);
// Makes save options from the names of formats; an empty name means the default. Throws a TypeError for an unknown name.
SaveOptions saveOptionsOf(const std::string& format, const std::string& weights);
// Converts a dict of names and operands, the argument `outputs` of `method`.
std::vector<NamedOperand> namedOperands(nb::handle outputs, const std::string& method);
// Returns (inputs, outputs, metadata, [path]) of a description. Inputs and outputs are lists of (name, data type, [size or name
// of an open dimension], whether it is boolean, the ONNX type if it is no tensor).
nb::tuple described(const FileDescription& description);
// Throws the Python exception that a signal handler or a progress function raised, if any.
void raiseIfInterrupted();
// Runs `work`, which must not use Python, without the GIL.
template <typename Work>
auto withoutGil(Work&& work) {
  try {
    auto result = [&] {
      const GilReleased released;
      return work();
    }();
    raiseIfInterrupted();
    return result;
  } catch (const Error&) {
    raiseIfInterrupted();
    throw;
  }
}

// Returns the C++ state of a Python object. Throws a TypeError, "`what` must be `expected`", for an object of another class.
template <typename T>
T& stateOf(nb::handle value, std::string_view what, std::string_view expected) {
  if (!nb::isinstance<T>(value) || !nb::inst_ready(value))
    fail(ErrorKind::typeError, "{} must be {}, not {}.", what, expected, typeNameOf(value));
  return *nb::inst_ptr<T>(value);
}
inline PyGraph& graphOf(nb::handle value, std::string_view method) {
  return stateOf<PyGraph>(value, std::string(method) + ": graph", "an MLGraph");
}
inline PyTensor& tensorOf(nb::handle value, std::string_view method) {
  return stateOf<PyTensor>(value, std::string(method) + ": tensor", "an MLTensor");
}

// A parameter of any type, or None; the function checks the type itself.
inline auto anything() { return nb::arg().none(); }

// Converts an Error to a Python exception, such as webnn.DataError.
nb::object exceptionOf(const Error& error);

void registerBinding(nb::module_& module);
void registerBuilder(nb::module_& module);
void registerCalls(nb::module_& module);
void registerContext(nb::module_& module);
void registerGraph(nb::module_& module);
void registerReads(nb::module_& module);
void registerSession(nb::module_& module);

// Implements graph.compute(), and context.compute() with the graph compiled for that context.
nb::dict compute(PyGraph& graph, const Graph& compiled, nb::handle inputs, nb::handle outputs, const CallOptions& options);
// Reads a tensor into a new array or into `out`. On the main thread, signals interrupt the wait.
nb::object readTensor(Context context, PyTensor& tensor, nb::handle out);

}  // namespace webnn::python
