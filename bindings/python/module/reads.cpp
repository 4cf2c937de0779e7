// Asynchronous reads. The library's threads must not take the GIL, because they would block or be terminated after Python has
// ended. They queue completed reads, and a Python thread (webnn/_async.py) takes the reads from the queue.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>

#include "objects.h"
#include "webnn/enums.h"

namespace webnn::python {

namespace {

// A pending read. Access needs the GIL.
struct Read {
  nb::object array, token;
  HeldBuffer buffer;
};

struct Done {
  std::shared_ptr<Read> read;
  std::exception_ptr error;
};

constexpr std::chrono::milliseconds kPollInterval{10};  // how often a wait checks for signals

// Never destroyed, because threads may outlive main(). A forked child replaces it, because the parent's threads use the old one.
struct Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Done> done;
  bool isStopped = false;
};
Queue*& queueHere() {
  static auto* result = new Queue;
  return result;
}
Queue& queue() { return *queueHere(); }

// Makes a read. It leaks if its last reference is dropped without the GIL, which happens only if the process ends first.
std::shared_ptr<Read> makeRead(nb::object array, nb::object token) {
  HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
  return {new Read{std::move(array), std::move(token), std::move(buffer)}, [](Read* read) {
            if (Py_IsInitialized() && holdsGil()) delete read;
          }};
}

void startRead(PyContext& context, nb::handle given, nb::object token) {
  PyTensor& tensor = tensorOf(given, "read_tensor");
  auto read = makeRead(emptyArray((*tensor).descriptor()), std::move(token));
  const std::span<std::byte> bytes = read->buffer.bytes();
  auto holder = std::make_shared<std::shared_ptr<Read>>(std::move(read));
  const auto done = [holder](const std::exception_ptr& error) {
    const std::lock_guard lock(queue().mutex);
    queue().done.push_back({std::move(*holder), error});  // the queue owns the read from here on
    queue().changed.notify_one();
  };
  try {
    const GilReleased released;
    (*context).readTensor(*tensor, bytes, done);
  } catch (...) {  // nothing was queued; this thread has the GIL again
    holder->reset();
    throw;
  }
}

nb::object errorOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return exceptionOf(known);
  } catch (const std::exception& other) {
    return exceptionOf(Error(ErrorKind::unknownError, other.what()));
  }
}

// Waits for the next completed read. Returns (token, array, error or None); None after stopReads().
nb::object nextRead() {
  Done done;
  {
    const GilReleased released;
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

// Makes nextRead() return None. Pending reads leak, because the process is ending.
void stopReads() {
  const std::lock_guard lock(queue().mutex);
  queue().isStopped = true;
  queue().changed.notify_all();
}

// Replaces the state of the parent in a forked child. Must run before everything else there.
void forgetParent() {
  queueHere() = new Queue;
  forgetWaiting();
}

// Shared by a read and the thread that waits for it, because an interrupted wait may end before the read.
struct Wait {
  std::promise<void> done;
  ExternalBytes bytes;
};

}  // namespace

nb::object readTensor(Context context, PyTensor& tensor, nb::handle out) {
  const OperandDescriptor descriptor = (*tensor).descriptor();
  const nb::object array = emptyArray(descriptor);
  HeldBuffer buffer(array, PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE);
  if (!buffer) fail(ErrorKind::unknownError, "read_tensor: there is no memory for the array.");
  const std::span<std::byte> bytes = buffer.bytes();
  const auto wait = std::make_shared<Wait>(std::promise<void>(), keptAlive(std::move(buffer)));
  const auto isInterrupted = callOptionsOf(nb::none(), nb::none(), "read_tensor").isInterrupted;
  withoutGil([&] {
    std::future<void> done = wait->done.get_future();
    context.readTensor(*tensor, bytes, [wait](const std::exception_ptr& error) {
      error ? wait->done.set_exception(error) : wait->done.set_value();
    });
    while (isInterrupted && done.wait_for(kPollInterval) != std::future_status::ready) {
      if (isInterrupted()) fail(ErrorKind::abortError, "read_tensor: interrupted.");
    }
    done.get();
    return true;
  });
  if (out.is_none()) return array;
  nb::object target = fromPackage("webnn._arrays", "writable")(out, textOf(name(descriptor.dataType)), array.attr("shape"),
                                                               textOf("read_tensor: out"));
  target[nb::ellipsis()] = array;
  return nb::borrow(out);
}

void registerReads(nb::module_& module) {
  nb::object(module.attr("MLContext")).attr("_start_read") =
      nb::cpp_function(&startRead, nb::is_method(), anything(), anything());
  module.def("_next_read", &nextRead);
  module.def("_stop_reads", &stopReads);
  module.def("_forget_parent", &forgetParent);
}

}  // namespace webnn::python
