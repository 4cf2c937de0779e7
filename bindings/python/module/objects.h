// The state of the Python objects.
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

// A library handle that is released without the GIL: releasing the last one may wait for queued work, whose memory Python may have
// to free concurrently.
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
    releaseWhatWaits();
  }
};

struct PyContext {
  Released<Context> context;
  std::string powerPreference, deviceType;
  Context& operator*() { return context.value; }
};

struct PyTensor {
  Released<Tensor> tensor;
  bool isExportable = false;  // as requested; nothing is exportable yet
  Tensor& operator*() { return tensor.value; }
};

// An input or an output of a graph.
struct Binding {
  nb::object key;  // the name
  std::string name;
  OperandDescriptor descriptor;
  ArrayMaker maker;
};

struct PyGraph {
  Released<Graph> graph;
  std::vector<Binding> inputs, outputs;
  bool isOfAnyContext = false;           // it was loaded without a context
  std::list<Released<Graph>> elsewhere;  // then also the graphs compiled for other contexts
  explicit PyGraph(Graph made);
  Graph& operator*() { return graph.value; }
  // Returns the graph compiled for this context, at first use. TypeError for another context's graph.
  Graph in(PyContext& context, std::string_view what, const CallOptions& options);
};

struct PyBuilder {
  Released<std::unique_ptr<GraphBuilder>> builder;
  bool countsAxesFromEnd = false;  // accepts negative axes, which the specification does not have
  bool isBuilding = false;         // another thread builds, without the GIL
  // Throws an InvalidStateError during a build.
  GraphBuilder& operator*();
};

struct PyCancellation {
  std::stop_source source;
};

// timeout: seconds, or None; cancellation: a Cancellation, or None. The call can be interrupted on the main thread. progress: a
// function of (done, total), or None; its exception ends the call.
CallOptions callOptionsOf(nb::handle timeout, nb::handle cancellation, const std::string& what, nb::handle progress = {});
// Converts a dict of limits, or None.
Limits limitsOf(nb::handle given, const std::string& what);
// Limits of a load: bounds are (named_files_only, limits, timeout, cancellation, progress, map_files).
LoadOptions loadOptions(std::optional<std::string> weights, std::optional<std::string> manifest,
                        std::map<std::string, std::uint32_t> dimensions, nb::dict values, nb::tuple bounds);
// Throws the exception that a signal handler raised.
void raiseIfInterrupted();
// Runs library code without the GIL.
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

// Returns the state of an object of one of the classes. Throws a TypeError, "`what` must be `expected`", for any other object.
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

// A parameter that may be None; the function checks its type.
inline auto anything() { return nb::arg().none(); }

// Returns the Python exception for an error of the library, such as webnn.DataError.
nb::object exceptionOf(const Error& error);

void registerBinding(nb::module_& module);
void registerBuilder(nb::module_& module);
void registerCalls(nb::module_& module);
void registerContext(nb::module_& module);
void registerGraph(nb::module_& module);
void registerReads(nb::module_& module);
void registerSession(nb::module_& module);

// Implements graph.compute, and context.compute with the graph compiled for the context.
nb::dict compute(PyGraph& graph, const Graph& compiled, nb::handle inputs, nb::handle outputs, const CallOptions& options);
// Reads the elements of a tensor into a new array or into `out`. On the main thread the wait can be interrupted.
nb::object readTensor(Context context, PyTensor& tensor, nb::handle out);

}  // namespace webnn::python
