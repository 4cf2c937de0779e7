#pragma once

#include <node_api.h>

#include <functional>
#include <mutex>
#include <vector>

namespace webnn::node {

// Delivers completions from any thread to the JavaScript thread, in the order of post(), several per wake-up of the event loop.
// The queue keeps the process alive only while completions are expected.
class CompletionQueue {
 public:
  using Completion = std::function<void()>;

  explicit CompletionQueue(napi_env env);
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  // Callable from any thread. Completions posted after close() are dropped.
  void post(Completion completion);

  // The functions below are for the JavaScript thread only.

  // expect(true) keeps the process alive until expect(false).
  void expect(bool isExpecting);
  // Drops pending and later completions. Idempotent.
  void close();

 private:
  static void wake(napi_env env, napi_value, void* context, void*);

  const napi_env env_;
  bool isExpecting_ = false;
  std::mutex mutex_;
  std::vector<Completion> completions_;
  std::vector<Completion> opened_;             // completions being delivered; JavaScript thread only
  napi_threadsafe_function signal_ = nullptr;  // null once closed
};

}  // namespace webnn::node
