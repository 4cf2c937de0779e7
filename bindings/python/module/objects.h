// The state of the Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "webnn/context.h"
#include "webnn/graph.h"
#include "webnn/graph_builder.h"

namespace webnn::python {

// A library handle that is released without the GIL: releasing the last one may wait for queued work, and Python may have to free
// what it owns.
template <typename T>
struct Released {
  T value;
  explicit Released(T handle) : value(std::move(handle)) {}
  Released(Released&&) noexcept = default;
  Released& operator=(Released&&) = delete;
  ~Released() {
    {
      const nb::gil_scoped_release released;
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
  Tensor& operator*() { return tensor.value; }
};

// An input or an output of a graph.
struct Binding {
  nb::object key;  // its name
  std::string name;
  OperandDescriptor descriptor;
  ArrayMaker maker;
};

struct PyGraph {
  Released<Graph> graph;
  std::vector<Binding> inputs, outputs;
  explicit PyGraph(Graph made);
  Graph& operator*() { return graph.value; }
};

struct PyBuilder {
  Released<std::unique_ptr<GraphBuilder>> builder;
  bool isBuilding = false;  // on another thread, without the GIL
  // InvalidStateError while it builds.
  GraphBuilder& operator*();
};

struct PyCancellation {
  std::stop_source source;
};

// timeout: seconds, or None; cancellation: a Cancellation, or None. On the main thread the call can be interrupted.
CallOptions callOptionsOf(nb::handle timeout, nb::handle cancellation, const std::string& what);
// A dict of limits, or None.
Limits limitsOf(nb::handle given, const std::string& what);
// Throws the exception that a signal handler raised.
void raiseIfInterrupted();
// Runs library code without the GIL.
template <typename Work>
auto withoutGil(Work&& work) {
  try {
    auto result = [&] {
      const nb::gil_scoped_release released;
      return work();
    }();
    raiseIfInterrupted();
    return result;
  } catch (const Error&) {
    raiseIfInterrupted();
    throw;
  }
}

// The Python exception for an error of the library: webnn.DataError, ...
nb::object exceptionOf(const Error& error);

void registerBuilder(nb::module_& module);
void registerCalls(nb::module_& module);
void registerContext(nb::module_& module);
void registerGraph(nb::module_& module);
void registerReads(nb::module_& module);

// graph.compute and context.compute.
nb::dict compute(PyGraph& graph, nb::handle inputs, nb::handle outputs, nb::handle timeout, nb::handle cancellation);

}  // namespace webnn::python
