// Defines the module webnn._webnn.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "cli/bench/bench_process.h"
#include "cli/command.h"
#include "describe/ops_printers.h"
#include "objects.h"

namespace webnn::python {

nb::object exceptionOf(const Error& error) {
  return fromPackage("webnn._errors", "exception_of")(textOf(name(error.kind())), textOf(error.what()));
}

namespace {

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object exception = exceptionOf(error);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  }
}

// Runs the command line tool. `own` is the command that starts the tool in another process.
int runTool(const std::vector<std::string>& arguments, std::vector<std::string> own) {
  cli::ownCommand() = std::move(own);
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const GilReleased released;
  return cli::runTool(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

}  // namespace webnn::python

NB_MODULE(_webnn, module) {
  using namespace webnn::python;
  nb::register_exception_translator(&translate);
  registerCalls(module);
  registerGraph(module);
  registerBinding(module);
  registerContext(module);
  registerBuilder(module);
  registerReads(module);
  registerSession(module);
  module.attr("__version__") = WEBNN_VERSION;
  module.def("_snake_case", &webnn::describe::snakeCase);
  module.def("_operations_pyi", [] { return webnn::describe::printPyi(webnn::describe::describeAll()); });
  module.def("_run_tool", &runTool);
  nb::set_leak_warnings(false);  // for example, daemon threads and forked children end without releasing objects
  module.def("_set_leak_warnings", [](bool wanted) { nb::set_leak_warnings(wanted); });
}
