// Converts exceptions to the C API's status and error object.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "webnn/error.h"
#include "webnn/webnn.h"

namespace webnn::capi {

// The type of an object, stored as its first member. Detects handles that were cast from another type.
enum class ObjectKind : std::uint32_t {
  instance = 0x57421001,
  context,
  graphBuilder,
  operand,
  graph,
  tensor,
  error,
  cancellation,
  session,
  results
};
struct Object {
  explicit Object(ObjectKind objectKind) : kind(objectKind) {}
  const ObjectKind kind;
  // 64 bits, so that no program can add so many references that the count wraps.
  std::atomic<std::uint64_t> references{1};
};

void addReference(auto* object) {
  if (object) object->references.fetch_add(1, std::memory_order_relaxed);
}
void releaseReference(auto* object) {
  if (object && object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

}  // namespace webnn::capi

struct WebnnErrorImpl : webnn::capi::Object {
  WebnnErrorImpl(WebnnStatus errorStatus, std::string errorMessage)
      : Object(webnn::capi::ObjectKind::error), status(errorStatus), message(std::move(errorMessage)) {}
  const WebnnStatus status;
  const std::string message;
};

namespace webnn::capi {

// An owning reference to an error object, or null.
class ErrorReference {
 public:
  ErrorReference() = default;
  explicit ErrorReference(WebnnError error) : error_(error) {}
  ErrorReference(ErrorReference&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  ErrorReference& operator=(ErrorReference&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~ErrorReference() { webnnErrorRelease(error_); }

  WebnnError get() const { return error_; }
  WebnnError give() { return std::exchange(error_, nullptr); }
  WebnnStatus status() const { return error_ ? error_->status : WebnnStatus_Success; }

 private:
  WebnnError error_ = nullptr;
};

// Returns an error object for the exception being handled; a preallocated object if the allocation fails.
ErrorReference currentError() noexcept;

// Runs `body`, and converts an exception to a status and an error object.
template <typename Body>
WebnnStatus guarded(WebnnError* error, Body&& body) noexcept {
  if (error) *error = nullptr;
  try {
    body();
    return WebnnStatus_Success;
  } catch (...) {
    ErrorReference current = currentError();
    const WebnnStatus status = current.status();
    if (error) *error = current.give();
    return status;
  }
}

}  // namespace webnn::capi
