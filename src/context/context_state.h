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

// The handles of users share a ContextOwner, whose destructor waits for queued work. Graphs, tensors and queued builds hold only
// a ContextState. A ContextState may therefore be destroyed on any thread, including the timeline's, because nothing is left to
// wait for.
struct ContextState : std::enable_shared_from_this<ContextState> {
  ContextState(std::shared_ptr<const Backend> backend, ContextOptions options);
  // Makes lost() ready if the context was not lost.
  ~ContextState();
  ContextState(const ContextState&) = delete;
  ContextState& operator=(const ContextState&) = delete;

  const std::shared_ptr<const Backend> backend;
  const Limits limits;
  const std::shared_ptr<MemoryAccount> memory;  // counts tensors, constants and compiled graphs
  const std::unique_ptr<Timeline> timeline;
  // True when the context is lost. Makes queued work stop early.
  const std::shared_ptr<std::atomic<bool>> lostFlag = std::make_shared<std::atomic<bool>>(false);

  bool isLost() const { return *lostFlag; }
  // Throws InvalidStateError, with the reason, in two cases: if the backend has lost its service or device, and in a process that
  // was forked after the context was created. Such a process lacks the threads of the context and the backend.
  void requireReachable(std::string_view method) const;
  std::shared_future<ContextLostInfo> lost() const { return lostFuture_; }
  // Calls `done`, which must not throw, when the context is lost, on the thread that loses it. If it is already lost, calls
  // `done` before returning. If the context is destroyed without being lost, `done` is never called.
  void whenLost(std::function<void(const ContextLostInfo&)> done);
  void lose(const std::string& message) { lose(message, false); }
  // Loses the context for a reason outside this program.
  void loseService(const std::string& reason) { lose(reason, true); }

  Graph compile(std::shared_ptr<const GraphDefinition> definition, const Budget& budget);
  using BuildCallback = std::function<void(std::exception_ptr, Graph)>;
  // Compiles on the timeline, then calls `done`, which must not throw, exactly once with the result. Before the call, the task
  // releases its references to the definition, the budget and the context, so that `done` sees their memory as freed.
  void compileLater(std::shared_ptr<const GraphDefinition> definition, std::shared_ptr<const Budget> budget, BuildCallback done);
  // Calls `done`, which must not throw, on the timeline, after all work that was queued earlier.
  void whenIdle(std::function<void()> done);
  Tensor createTensor(TensorDescriptor descriptor) { return createTensor(std::move(descriptor), false); }
  // Creates a constant tensor of zeros. The caller must write its bytes before any other use.
  Tensor createConstantTensor(OperandDescriptor descriptor);

 private:
  Tensor createTensor(TensorDescriptor descriptor, bool isConstant);
  void lose(const std::string& message, bool isOfService);
  // Registers an object that lose() must destroy. Throws InvalidStateError if the context is already lost.
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

// The owner of a context, which its handles share. When the last handle is released, waits on that thread for the work of the
// timeline.
struct ContextOwner {
  explicit ContextOwner(std::shared_ptr<ContextState> owned) : state(std::move(owned)) {}
  ~ContextOwner() { state->timeline->finish(); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
  const std::shared_ptr<ContextState> state;
};

// Return the memory of a tensor that readTensor and writeTensor would copy from and to. Only for contexts whose calls finish
// before they return (Execution::callerThread), and without concurrent calls. They throw the errors of readTensor and
// writeTensor; readNow also throws the error of the dispatch that should have written the tensor.
std::span<const std::byte> readNow(const Context& context, const Tensor& tensor);
std::span<std::byte> overwriteNow(const Context& context, const Tensor& tensor, std::size_t size);

Context makeContext(std::shared_ptr<const Backend> backend, ContextOptions options);

}  // namespace webnn
