// The state behind Context handles.
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

// User handles share a ContextOwner. Graphs, tensors and queued builds hold only this state, so it may be destroyed on any
// thread, including the timeline's, because nothing is left to wait for.
struct ContextState : std::enable_shared_from_this<ContextState> {
  ContextState(std::shared_ptr<const Backend> backend, ContextOptions options);
  // Makes lost() ready even if the context was not lost.
  ~ContextState();
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;

  const std::shared_ptr<const Backend> backend;
  const Limits limits;
  const std::shared_ptr<MemoryAccount> memory;  // for tensors, constants and compiled graphs
  const std::unique_ptr<Timeline> timeline;
  // Stops queued work when the context is lost.
  const std::shared_ptr<std::atomic<bool>> lostFlag = std::make_shared<std::atomic<bool>>(false);

  bool isLost() const { return *lostFlag; }
  // Throws InvalidStateError with the reason in a child forked since, which lacks the threads of context and backend, and after
  // its service has ended.
  void requireReachable(std::string_view method) const;
  std::shared_future<ContextLostInfo> lost() const { return lostFuture_; }
  // Calls `done`, which must not throw, on the thread that loses the context; at once if it is lost. Dropped if the context is
  // destroyed without being lost.
  void whenLost(std::function<void(const ContextLostInfo&)> done);
  void lose(const std::string& message) { lose(message, false); }
  // Loses the context for a reason outside of the program.
  void loseService(const std::string& reason) { lose(reason, true); }

  Graph compile(std::shared_ptr<const GraphDefinition> definition, const Budget& budget);
  using BuildCallback = std::function<void(std::exception_ptr, Graph)>;
  // Compiles on the timeline, which calls `done` once with the result; `done` must not throw. The task then holds no references.
  void compileLater(std::shared_ptr<const GraphDefinition> definition, std::shared_ptr<const Budget> budget, BuildCallback done);
  // Calls `done`, which must not throw, on the timeline after all queued work.
  void whenIdle(std::function<void()> done);
  Tensor createTensor(TensorDescriptor descriptor) { return createTensor(std::move(descriptor), false); }
  // Creates a tensor whose bytes are zeros until the caller writes them, before it is used elsewhere.
  Tensor createConstantTensor(OperandDescriptor descriptor);

 private:
  Tensor createTensor(TensorDescriptor descriptor, bool isConstant);
  void lose(const std::string& message, bool isOfService);
  // Registers an object that lose() must destroy. Throws InvalidStateError if already lost.
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

// Finishes the timeline when the last context handle is released, on that thread.
struct ContextOwner {
  explicit ContextOwner(std::shared_ptr<ContextState> owned) : state(std::move(owned)) {}
  ~ContextOwner() { state->timeline->finish(); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
  const std::shared_ptr<ContextState> state;
};

// Return the bytes that readTensor and writeTensor would copy, in place. For contexts whose calls are finished when they return
// (Execution::callerThread), without concurrent calls. Same errors; readNow also throws the error of the dispatch that should
// have written the tensor.
std::span<const std::byte> readNow(const Context& context, const Tensor& tensor);
std::span<std::byte> overwriteNow(const Context& context, const Tensor& tensor, std::size_t size);

// Makes a context on a given backend.
Context makeContext(std::shared_ptr<const Backend> backend, ContextOptions options);

}  // namespace webnn
