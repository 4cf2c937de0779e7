#include "context/context_state.h"

#include <algorithm>
#include <new>

#include "base/as_errors.h"
#include "base/copy_bytes.h"
#include "base/text.h"
#include "graph/memory_estimate.h"

namespace webnn {

ContextState::ContextState(std::shared_ptr<const Backend> chosen, ContextOptions options)
    : backend(std::move(chosen)),
      limits(options.limits),
      memory(std::make_shared<MemoryAccount>(limits.maxMemory)),
      timeline(options.execution == Execution::callerThread ? makeCallerThreadTimeline(options.onError)
                                                            : makeWorkerTimeline(options.onError)),
      lostFuture_(lostPromise_.get_future().share()) {}

ContextState::~ContextState() {
  if (isLost()) return;
  try {
    lostPromise_.set_value({"nothing refers to the context any more."});
  } catch (const std::bad_alloc&) {  // the promise stays unset, so the future of lost() throws std::future_error (broken_promise)
  }
}

void ContextState::whenLost(std::function<void(const ContextLostInfo&)> done) {
  {
    const std::lock_guard lock(mutex_);
    if (!*lostFlag) {
      listeners_.push_back(std::move(done));
      return;
    }
  }
  done(lostFuture_.get());
}

void ContextState::requireReachable(std::string_view method) const {
  if (!process_.isHere())
    fail(ErrorKind::invalidStateError, "{}: the context is of the process that forked this one; create one here.", method);
  if (hasLostService_) fail(ErrorKind::invalidStateError, "{}: the context is lost: {}", method, lostFuture_.get().message);
}

void ContextState::lose(const std::string& message, bool isOfService) {
  const ContextLostInfo info{message};
  const Error error(ErrorKind::invalidStateError,
                    isOfService ? "readTensor: the context is lost: " + message : "readTensor: the tensor was destroyed.");
  ContextLostInfo copy = info;  // nothing is allocated from here on, so that nothing can fail
  std::vector<std::weak_ptr<GraphState>> graphs;
  std::vector<std::weak_ptr<TensorState>> tensors;
  std::vector<std::function<void(const ContextLostInfo&)>> listeners;
  {
    const std::lock_guard lock(mutex_);
    if (isLost()) return;
    hasLostService_ = isOfService;
    *lostFlag = true;
    listeners.swap(listeners_);
    graphs.swap(graphs_);
    tensors.swap(tensors_);
  }
  lostPromise_.set_value(std::move(copy));
  for (const auto& graph : graphs) {
    if (const auto state = graph.lock()) state->setExecutable(nullptr);
  }
  for (const auto& tensor : tensors) {
    if (const auto state = tensor.lock()) state->destroy(error);
  }
  backend->close();
  for (const auto& listener : listeners) listener(info);
}

template <typename T>
void ContextState::track(std::string_view method, std::vector<std::weak_ptr<T>>& list, const std::shared_ptr<T>& object) {
  const std::lock_guard lock(mutex_);
  if (*lostFlag) fail(ErrorKind::invalidStateError, "{}: the context is lost.", method);
  if (list.size() == list.capacity()) std::erase_if(list, [](const auto& item) { return item.expired(); });
  list.push_back(object);
}

Graph ContextState::compile(std::shared_ptr<const GraphDefinition> definition, const Budget& budget) try {
  requireReachable("build");
  auto state = std::make_shared<GraphState>();
  state->context = shared_from_this();
  state->definition = std::move(definition);
  const MemoryEstimate estimate = estimateMemory(*state->definition);
  (budget.memory() ? budget.memory() : memory)
      ->require(estimate.packedWeights + estimate.intermediates, "build: a graph with weights and intermediate values");
  budget.check();
  // In a forked child process, the executable is not deleted, because its threads do not exist there.
  const auto discard = [process = process_](const Executable* executable) {
    if (process.isHere()) delete executable;
  };
  state->setExecutable(std::shared_ptr<const Executable>(backend->compile(state->definition, budget).release(), discard));
  track("build", graphs_, state);
  return Graph(std::move(state));
} catch (...) {
  throwAsError("build");
}

namespace {

struct QueuedBuild {
  std::shared_ptr<ContextState> context;
  std::shared_ptr<const GraphDefinition> definition;
  std::shared_ptr<const Budget> budget;
  ContextState::BuildCallback done;

  void run() {
    Graph graph;
    std::exception_ptr error;
    try {
      graph = compile();
    } catch (...) {
      error = std::current_exception();
    }
    // Releases the definition, the budget and the context before calling `done`, so that `done` sees their memory as freed.
    definition.reset();
    budget.reset();
    context.reset();
    const ContextState::BuildCallback tell = std::move(done);
    tell(std::move(error), std::move(graph));
  }

 private:
  Graph compile() try {
    budget->check();
    return context->compile(std::move(definition), *budget);
  } catch (...) {
    if (context->isLost()) {  // reports the loss instead of the current error, which is only its consequence
      context->requireReachable("build");
      throw lostError();
    }
    throwAsError("build");
  }

  static Error lostError() noexcept {
    try {
      return Error(ErrorKind::invalidStateError, "build: the context is lost.");
    } catch (const std::bad_alloc&) {
      return outOfMemory();
    }
  }
};

}  // namespace

void ContextState::compileLater(std::shared_ptr<const GraphDefinition> definition, std::shared_ptr<const Budget> budget,
                                BuildCallback done) {
  const auto build =
      std::make_shared<QueuedBuild>(QueuedBuild{shared_from_this(), std::move(definition), std::move(budget), std::move(done)});
  timeline->post([build]() -> std::optional<Error> {
    build->run();
    return std::nullopt;
  });
}

void ContextState::whenIdle(std::function<void()> done) {
  timeline->post([done = std::move(done)]() -> std::optional<Error> {
    done();
    return std::nullopt;
  });
}

Tensor ContextState::createConstantTensor(OperandDescriptor descriptor) {
  return createTensor({.dataType = descriptor.dataType, .shape = std::move(descriptor.shape)}, true);
}

Tensor ContextState::createTensor(TensorDescriptor descriptor, bool isConstant) {
  const std::string_view method = isConstant ? "createConstantTensor" : "createTensor";
  requireReachable(method);
  if (isLost()) fail(ErrorKind::invalidStateError, "{}: the context is lost.", method);
  try {
    byteLength(operandDescriptor(descriptor));
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", method, error.what());
  }
  auto state = std::make_shared<TensorState>(shared_from_this(), std::move(descriptor), isConstant);
  track(method, tensors_, state);
  return Tensor(std::move(state));
}

Context makeContext(std::shared_ptr<const Backend> backend, ContextOptions options) {
  const auto state = std::make_shared<ContextState>(std::move(backend), std::move(options));
  const auto owner = std::make_shared<const ContextOwner>(state);
  state->backend->whenLost([weak = std::weak_ptr(state)](const std::string& reason) {
    if (const auto lost = weak.lock()) lost->loseService(reason);
  });
  return Context(std::shared_ptr<ContextState>(owner, owner->state.get()));
}

}  // namespace webnn
