// Letters from any thread to the thread of JavaScript.
#pragma once

#include <node_api.h>

#include <functional>
#include <mutex>
#include <vector>

namespace webnn::node {

// Letters are opened in the order in which they were posted, several at one wake-up of the event loop. Only what expect()
// announced keeps the process alive.
class Mailbox {
 public:
  // `open` is called for each letter, on the thread of JavaScript.
  using Letter = std::function<void()>;

  explicit Mailbox(napi_env env);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // From any thread. Once closed, the letter is dropped.
  void post(Letter letter);

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
  std::vector<Letter> letters_;
  std::vector<Letter> opened_;                 // of the thread of JavaScript
  napi_threadsafe_function signal_ = nullptr;  // null once closed
};

}  // namespace webnn::node
