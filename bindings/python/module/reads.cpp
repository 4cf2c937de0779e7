// Reads for event loops. The library's threads never take the GIL, which would block or terminate them once Python has ended.
// They queue completed reads, and a Python thread (webnn/_async.py) takes them from the queue.
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

#include "objects.h"

namespace webnn::python {

namespace {

// A pending read; accessed with the GIL only.
struct Read {
  nb::object array, token;
  HeldBuffer buffer;
};

struct Done {
  std::shared_ptr<Read> read;
  std::exception_ptr error;
};

// Never destroyed: threads may outlive main().
struct Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Done> done;
  bool isStopped = false;
};
Queue& queue() {
  static auto* const result = new Queue;
  return *result;
}

// A pointer that is leaked if it is dropped without the GIL: only for reads that are never settled because the process ends.
std::shared_ptr<Read> makeRead(nb::object array, nb::object token) {
  HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
  return {new Read{std::move(array), std::move(token), std::move(buffer)}, [](Read* read) {
            if (Py_IsInitialized() && PyGILState_Check()) delete read;
          }};
}

void startRead(PyContext& context, PyTensor& tensor, nb::object token) {
  auto read = makeRead(emptyArray((*tensor).descriptor()), std::move(token));
  const std::span<std::byte> bytes = read->buffer.bytes();
  auto holder = std::make_shared<std::shared_ptr<Read>>(std::move(read));
  const auto done = [holder](const std::exception_ptr& error) {
    const std::lock_guard lock(queue().mutex);
    queue().done.push_back({std::move(*holder), error});  // owned by the queue from here on
    queue().changed.notify_one();
  };
  try {
    const nb::gil_scoped_release released;
    (*context).readTensor(*tensor, bytes, done);
  } catch (...) {  // nothing was queued: with the GIL again
    holder->reset();
    throw;
  }
}

// The error as Python has it.
nb::object errorOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return exceptionOf(known);
  } catch (const std::exception& other) {
    return exceptionOf(Error(ErrorKind::unknownError, other.what()));
  }
}

// (token, array, None or the error) of the next read that is done; None once stopped.
nb::object nextRead() {
  Done done;
  {
    const nb::gil_scoped_release released;
    std::unique_lock lock(queue().mutex);
    queue().changed.wait(lock, [] { return queue().isStopped || !queue().done.empty(); });
    if (!queue().isStopped) {
      done = std::move(queue().done.front());
      queue().done.pop_front();
    }
  }
  if (!done.read) return nb::none();
  const nb::object error = done.error ? errorOf(done.error) : nb::none();
  return nb::make_tuple(done.read->token, done.read->array, error);
}

// nextRead() returns None from now on; what is not done is leaked, which is fine: the process ends.
void stopReads() {
  const std::lock_guard lock(queue().mutex);
  queue().isStopped = true;
  queue().changed.notify_all();
}

}  // namespace

void registerReads(nb::module_& module) {
  nb::object(module.attr("MLContext")).attr("_start_read") = nb::cpp_function(&startRead, nb::is_method());
  module.def("_next_read", &nextRead);
  module.def("_stop_reads", &stopReads);
}

}  // namespace webnn::python
