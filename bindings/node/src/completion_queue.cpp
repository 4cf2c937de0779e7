#include "completion_queue.h"

#include <napi.h>

#include <utility>

namespace webnn::node {

CompletionQueue::CompletionQueue(napi_env env) : env_(env) {
  const napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "webnn"), 0, 1,
                                                             nullptr, nullptr, this, &CompletionQueue::wake, &signal_);
  if (status != napi_ok) throw Napi::Error::New(env, "webnn: the event loop takes no messages.");
  napi_unref_threadsafe_function(env, signal_);
}

void CompletionQueue::post(Completion completion) {
  const std::lock_guard lock(mutex_);
  if (!signal_) return;
  completions_.push_back(std::move(completion));
  // Only the first completion wakes the event loop, which handles all pending completions.
  if (completions_.size() == 1) napi_call_threadsafe_function(signal_, nullptr, napi_tsfn_nonblocking);
}

void CompletionQueue::expect(bool isExpecting) {
  if (isExpecting == std::exchange(isExpecting_, isExpecting) || !signal_) return;
  if (isExpecting) {
    napi_ref_threadsafe_function(env_, signal_);
  } else {
    napi_unref_threadsafe_function(env_, signal_);
  }
}

void CompletionQueue::close() {
  std::vector<Completion> dropped;  // destroyed after the lock is released, because destructors may call back
  const std::lock_guard lock(mutex_);
  if (!signal_) return;
  napi_release_threadsafe_function(std::exchange(signal_, nullptr), napi_tsfn_abort);
  dropped.swap(completions_);
}

void CompletionQueue::wake(napi_env env, napi_value, void* context, void*) {
  if (!env) return;  // the environment is shutting down
  auto& self = *static_cast<CompletionQueue*>(context);
  {
    const std::lock_guard lock(self.mutex_);
    self.opened_.swap(self.completions_);
  }
  for (Completion& completion : self.opened_) completion();
  self.opened_.clear();
}

}  // namespace webnn::node
