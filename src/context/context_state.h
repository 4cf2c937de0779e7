// What a Context refers to.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/fork.h"
#include "context/graph_state.h"
#include "context/tensor_state.h"
#include "context/timeline.h"
#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn {

// What users have of a context shares a ContextOwner. Graphs, tensors and queued builds hold this alone: it may be destroyed on
// any thread, that of the timeline included, since there is nothing to wait for then.
struct ContextState : std::enable_shared_from_this<ContextState> {
  ContextState(std::shared_ptr<const Backend> backend, ContextOptions options);
  // lost() becomes ready, also if nothing has lost the context.
  ~ContextState();
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;

  const std::shared_ptr<const Backend> backend;
  const Limits limits;
  const std::shared_ptr<MemoryAccount> memory;  // of tensors, constants and compiled graphs
  const std::unique_ptr<Timeline> timeline;
  // For queued work, which stops when the context is lost.
  const std::shared_ptr<std::atomic<bool>> lostFlag = std::make_shared<std::atomic<bool>>(false);

  bool isLost() const { return *lostFlag; }
  // InvalidStateError in a child that was forked since, as the threads of the context and of its backend are not there, and once
  // its service has ended; says why.
  void requireReachable(std::string_view method) const;
  std::shared_future<ContextLostInfo> lost() const { return lostFuture_; }
  // Calls `done`, which must not throw, once the context is lost, on the thread that loses it, or now if it is. Dropped if the
  // context goes away without being lost.
  void whenLost(std::function<void(const ContextLostInfo&)> done);
  void lose(const std::string& message) { lose(message, false); }
  // The same, if it was not the program that wanted it.
  void loseService(const std::string& reason) { lose(reason, true); }

  Graph compile(std::shared_ptr<const GraphDefinition> definition, const Budget& budget);
  using BuildCallback = std::function<void(std::exception_ptr, Graph)>;
  // The same on the timeline, where `done`, which must not throw, is called once with what comes of it. By then the task holds
  // nothing of it any more.
  void compileLater(std::shared_ptr<const GraphDefinition> definition, std::shared_ptr<const Budget> budget, BuildCallback done);
  // Calls `done`, which must not throw, on the timeline once everything that is queued is done.
  void whenIdle(std::function<void()> done);
  Tensor createTensor(TensorDescriptor descriptor) { return createTensor(std::move(descriptor), false); }
  // Its bytes are zeros until the caller writes them, before anything else knows of the tensor.
  Tensor createConstantTensor(OperandDescriptor descriptor);

 private:
  Tensor createTensor(TensorDescriptor descriptor, bool isConstant);
  void lose(const std::string& message, bool isOfService);
  // Remembers an object that lose() must destroy. InvalidStateError if already lost.
  template <typename T>
  void track(std::string_view method, std::vector<std::weak_ptr<T>>& list, const std::shared_ptr<T>& object);

  const ProcessOfOrigin process_;
  std::mutex mutex_;
  std::promise<ContextLostInfo> lostPromise_;
  const std::shared_future<ContextLostInfo> lostFuture_;
  std::atomic<bool> hasLostService_{false};
  std::vector<std::function<void(const ContextLostInfo&)>> listeners_;
  std::vector<std::weak_ptr<GraphState>> graphs_;
  std::vector<std::weak_ptr<TensorState>> tensors_;
};

// Finishes the timeline with the last handle of the context, on the thread that lets go of it.
struct ContextOwner {
  explicit ContextOwner(std::shared_ptr<ContextState> owned) : state(std::move(owned)) {}
  ~ContextOwner() { state->timeline->finish(); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
  const std::shared_ptr<ContextState> state;
};

// What readTensor and writeTensor copy, in place: for contexts whose calls are done when they return (Execution::callerThread),
// by whoever makes no other call meanwhile. The same errors; readNow also throws that of the dispatch that was to write the
// tensor.
std::span<const std::byte> readNow(const Context& context, const Tensor& tensor);
std::span<std::byte> overwriteNow(const Context& context, const Tensor& tensor, std::size_t size);

// A context on a given backend.
Context makeContext(std::shared_ptr<const Backend> backend, ContextOptions options);

}  // namespace webnn
