// Converts limits, timeouts, cancellations and progress functions of calls. Lets signals interrupt calls.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "fields.h"
#include "objects.h"

namespace webnn::python {

namespace {

// Converts seconds. None means no limit.
std::chrono::nanoseconds durationOf(nb::handle seconds, const std::string& what) {
  if (seconds.is_none()) return std::chrono::nanoseconds::max();
  double value = 0;
  setField(value, seconds, what);
  if (!(value >= 0)) fail(ErrorKind::typeError, "{} ({}) is no number of seconds.", what, value);
  const double nanoseconds = value * 1e9;
  return nanoseconds < 9e18 ? std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds)) : std::chrono::nanoseconds::max();
}

// Returns whether this is Python's main thread, the only one that runs signal handlers.
bool isMainThread() {
  static const auto ident = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  return ident == PyThread_get_thread_ident();
}

// Runs pending signal handlers, and returns whether a Python exception is set. The exception that a handler raises, such as
// KeyboardInterrupt, stays set and replaces the call's error.
bool isInterrupted() {
  const GilAcquired acquired;
  return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

// Returns whether the progress function has raised an exception. Unlike isInterrupted(), does not run signal handlers, which only
// the main thread may do.
bool hasRaised() {
  const GilAcquired acquired;
  return PyErr_Occurred() != nullptr;
}

// Calls function(done, total), where `done` and `total` count the progress of all phases.
void tell(PyObject* function, const CallProgress& progress) {
  static constexpr std::array<std::string_view, 3> kPhases{"load", "optimize", "prepare"};
  constexpr std::uint64_t kPart = 1000;
  const auto phase = static_cast<std::uint64_t>(std::ranges::find(kPhases, progress.phase) - kPhases.begin());
  const double part = progress.total == 0 ? 0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
  const auto done = phase * kPart + static_cast<std::uint64_t>(part * static_cast<double>(kPart));
  const GilAcquired acquired;
  if (PyErr_Occurred()) return;
  Py_XDECREF(PyObject_CallFunction(function, "KK", static_cast<unsigned long long>(done),
                                   static_cast<unsigned long long>(kPhases.size() * kPart)));
}

std::uint64_t countOf(nb::handle value, const std::string& what) {
  const unsigned long long count = PyLong_Check(value.ptr()) ? PyLong_AsUnsignedLongLong(value.ptr()) : ~0ULL;
  if (!PyLong_Check(value.ptr()) || PyErr_Occurred()) {
    PyErr_Clear();
    fail(ErrorKind::typeError, "{} is no unsigned integer of 64 bits.", what);
  }
  return count;
}

}  // namespace

CallOptions callOptionsOf(nb::handle timeout, nb::handle cancellation, const std::string& what, nb::handle progress) {
  CallOptions options;
  options.timeout = durationOf(timeout, what + ": timeout");
  if (!cancellation.is_none()) {
    if (!nb::isinstance<PyCancellation>(cancellation))
      fail(ErrorKind::typeError, "{}: cancellation must be a Cancellation, not {}.", what, typeNameOf(cancellation));
    options.stop = nb::inst_ptr<PyCancellation>(cancellation)->source.get_token();
  }
  if (isMainThread()) options.isInterrupted = isInterrupted;
  if (progress.is_valid() && !progress.is_none()) {
    if (!PyCallable_Check(progress.ptr()))
      fail(ErrorKind::typeError, "{}: progress must be a function of (done, total), not {}.", what, typeNameOf(progress));
    options.onProgress = [function = progress.ptr()](const CallProgress& made) { tell(function, made); };
    if (!options.isInterrupted) options.isInterrupted = hasRaised;
  }
  return options;
}

Limits limitsOf(nb::handle given, const std::string& what) {
  Limits limits;
  if (given.is_none()) return limits;
  if (!PyDict_Check(given.ptr())) fail(ErrorKind::typeError, "{} must be a dict, not {}.", what, typeNameOf(given));
  for (const auto [key, value] : nb::borrow<nb::dict>(given)) {
    std::string name;
    setField(name, key, what + ": a name");
    const std::string about = what + ": " + name;
    if (name == "max_memory") {
      limits.maxMemory = countOf(value, about);
    } else if (name == "max_operations") {
      limits.maxOperations = countOf(value, about);
    } else if (name == "max_elements") {
      limits.maxElements = countOf(value, about);
    } else if (name == "max_compile_work") {
      limits.maxCompileWork = countOf(value, about);
    } else if (name == "max_time") {
      limits.maxTime = durationOf(value, about);
    } else {
      fail(ErrorKind::typeError,
           "{}: there is no limit {}; there are max_compile_work, max_elements, max_memory, max_operations and max_time.", what,
           webnn::quoted(name));
    }
  }
  return limits;
}

void raiseIfInterrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}

void registerCalls(nb::module_& module) {
  nb::class_<PyCancellation>(module, "Cancellation", R"(Ends the calls that it was given to, from any thread.

>>> cancellation = webnn.Cancellation()
>>> cancellation.request()
>>> cancellation.requested
True
)")
      .def(nb::init<>())
      .def(
          "request", [](PyCancellation& self) { self.source.request_stop(); },
          R"(Makes the calls that were given this object end with an AbortError, usually within milliseconds.

>>> webnn.Cancellation().request()
)")
      .def_prop_ro("requested", [](const PyCancellation& self) { return self.source.stop_requested(); });
}

}  // namespace webnn::python
