#include "completion_queue.h"

#include <napi.h>

#include <utility>

namespace webnn::node {

Mailbox::Mailbox(napi_env env) : env_(env) {
  const napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "webnn"), 0, 1,
                                                             nullptr, nullptr, this, &Mailbox::wake, &signal_);
  if (status != napi_ok) throw Napi::Error::New(env, "webnn: the event loop takes no messages.");
  napi_unref_threadsafe_function(env, signal_);
}

void Mailbox::post(Letter letter) {
  const std::lock_guard lock(mutex_);
  if (!signal_) return;
  letters_.push_back(std::move(letter));
  // The first one wakes the event loop; it opens all that are there by then.
  if (letters_.size() == 1) napi_call_threadsafe_function(signal_, nullptr, napi_tsfn_nonblocking);
}

void Mailbox::expect(bool isExpecting) {
  if (isExpecting == std::exchange(isExpecting_, isExpecting) || !signal_) return;
  if (isExpecting) {
    napi_ref_threadsafe_function(env_, signal_);
  } else {
    napi_unref_threadsafe_function(env_, signal_);
  }
}

void Mailbox::close() {
  std::vector<Letter> dropped;  // outside of the lock
  const std::lock_guard lock(mutex_);
  if (!signal_) return;
  napi_release_threadsafe_function(std::exchange(signal_, nullptr), napi_tsfn_abort);
  dropped.swap(letters_);
}

void Mailbox::wake(napi_env env, napi_value, void* self, void*) {
  if (env) static_cast<Mailbox*>(self)->open();  // null: the environment ends
}

void Mailbox::open() {
  {
    const std::lock_guard lock(mutex_);
    opened_.swap(letters_);
  }
  for (Letter& letter : opened_) letter();
  opened_.clear();
}

}  // namespace webnn::node
