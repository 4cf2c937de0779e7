// Letters from any thread to the thread of JavaScript.
#pragma once

#include <node_api.h>

#include <functional>
#include <mutex>
#include <vector>

namespace webnn::node {

// Letters are opened in the order in which they were posted, several at one wake-up of the event loop. Only what expect()
// announced keeps the process alive.
class CompletionQueue {
 public:
  // `open` is called for each letter, on the thread of JavaScript.
  using Completion = std::function<void()>;

  explicit CompletionQueue(napi_env env);
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  // From any thread. Once closed, the letter is dropped.
  void post(Completion completion);

  // The rest is for the thread of JavaScript.

  // Keeps the process alive while `isExpecting`.
  void expect(bool isExpecting);
  // Letters that are posted from now on, or have not been opened, are dropped. Idempotent.
  void close();

 private:
  static void wake(napi_env env, napi_value, void* self, void*);
  void open();

  const napi_env env_;
  bool isExpecting_ = false;
  std::mutex mutex_;
  std::vector<Completion> completions_;
  std::vector<Completion> opened_;             // of the thread of JavaScript
  napi_threadsafe_function signal_ = nullptr;  // null once closed
};

}  // namespace webnn::node
