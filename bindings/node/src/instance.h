#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "completion_queue.h"
#include "webnn/context.h"
#include "webnn/graph.h"
#include "work_thread.h"

namespace webnn::node {

class Instance;

// Reports memory outside the JavaScript heap to the garbage collector. JavaScript thread only.
class ExternalMemory {
 public:
  explicit ExternalMemory(napi_env env) : env_(env) {}
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;
  ~ExternalMemory() { set(0); }
  void set(std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  const napi_env env_;
  std::size_t bytes_ = 0;
};

// A context, shared by its tensors, graphs and builders. When the last of these objects is collected, the context is destroyed:
// see Instance::retire().
struct NodeContext : std::enable_shared_from_this<NodeContext> {
  NodeContext(Napi::Env env, std::shared_ptr<Instance> instance, Context context);
  NodeContext(const NodeContext&) = delete;
  NodeContext& operator=(const NodeContext&) = delete;
  ~NodeContext();

  const std::shared_ptr<Instance> instance;
  Context context;
  ExternalMemory memory;  // estimated memory of the context's service process
};

// The addon's state in one environment of Node.js: the main thread or a worker. Only end(), progress() and `completions` may be
// used from other threads.
class Instance : public std::enable_shared_from_this<Instance> {
 public:
  // Returns the instance of this environment, which attach() creates.
  static Instance& of(Napi::Env env);
  static void attach(Napi::Env env);

  explicit Instance(Napi::Env env);
  ~Instance();

  const std::shared_ptr<CompletionQueue> completions;

  // The JavaScript functions that C++ calls: makeError(kind, message) returns an Error or a DOMException, settle(id, error,
  // value) settles a promise, and report(id, phase, done, total) reports the progress of its work.
  Napi::FunctionReference makeError, settle, report;

  // Creates the JavaScript value that fulfils a promise.
  using Value = std::function<Napi::Value(Napi::Env)>;

  // Registers work that end() completes. Keeps the process and the context alive until then.
  void begin(std::uint32_t id, std::shared_ptr<NodeContext> context);
  // Posts the completion of work. Callable from any thread.
  static void end(const std::shared_ptr<CompletionQueue>& completions, Instance* instance, std::uint32_t id,
                  std::optional<Error> error, Value value = {});

  // Runs work on another thread, an idle one if possible, and settles the promise `id` with the result. Keeps the process and the
  // context alive until then.
  void runAside(std::uint32_t id, std::shared_ptr<NodeContext> context, std::function<Value()> work);

  // Posts the progress of the work for the promise `id`. Callable from any thread.
  static void progress(const std::shared_ptr<CompletionQueue>& completions, Instance* instance, std::uint32_t id,
                       const CallProgress& progress);

  // Stops all work and waits until no thread accesses JavaScript memory. Idempotent.
  void close();
  bool isClosed() const { return isClosed_; }
  // Returns a token that close() stops.
  std::stop_token ending() const { return ending_.get_token(); }

 private:
  friend struct NodeContext;
  // Releases a context when its timeline is idle, without blocking the event loop.
  void retire(Context context);
  void settleNow(std::uint32_t id, const std::optional<Error>& error, const Value& value);
  void runJavaScript(const auto& call);

  const Napi::Env env_;
  bool isClosed_ = false;
  std::stop_source ending_;
  std::uint32_t lastRetired_ = 0;
  std::unordered_set<NodeContext*> contexts_;
  std::unordered_map<std::uint32_t, Context> retired_;
  std::unordered_map<std::uint32_t, std::shared_ptr<NodeContext>> begun_;
  std::unordered_map<std::uint32_t, std::unique_ptr<WorkThread>> asides_;  // the threads that are at work
  std::vector<std::unique_ptr<WorkThread>> idle_;
};

// Converts an exception to an Error; null to nothing. Exceptions of other libraries become UnknownErrors.
std::optional<Error> errorOf(const std::exception_ptr& problem);

// Converts an Error to a JavaScript TypeError or DOMException.
Napi::Value errorOf(Napi::Env env, const Error& error);

// Wraps a function (which may return void) for JavaScript. Rethrows C++ exceptions as JavaScript errors.
template <auto function>
Napi::Value guarded(const Napi::CallbackInfo& info) {
  try {
    if constexpr (std::is_void_v<decltype(function(info))>) {
      function(info);
      return info.Env().Undefined();
    } else {
      return function(info);
    }
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw Napi::Error(info.Env(), errorOf(info.Env(), *errorOf(std::current_exception())));
  }
}

template <auto function>
void define(Napi::Object exports, const char* name) {
  exports.Set(name, Napi::Function::New<guarded<function>>(exports.Env(), name));
}

void defineBuilder(Napi::Object exports);
void defineContext(Napi::Object exports);
void defineFiles(Napi::Object exports);

}  // namespace webnn::node
