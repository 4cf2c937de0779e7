#include "capi/error.h"

#include <exception>
#include <new>

namespace webnn::capi {

namespace {

constexpr std::pair<WebnnStatus, ErrorKind> kKinds[] = {
    {WebnnStatus_TypeError, ErrorKind::typeError},
    {WebnnStatus_DataError, ErrorKind::dataError},
    {WebnnStatus_InvalidStateError, ErrorKind::invalidStateError},
    {WebnnStatus_NotFoundError, ErrorKind::notFoundError},
    {WebnnStatus_NotSupportedError, ErrorKind::notSupportedError},
    {WebnnStatus_OperationError, ErrorKind::operationError},
    {WebnnStatus_UnknownError, ErrorKind::unknownError},
    {WebnnStatus_AbortError, ErrorKind::abortError},
    {WebnnStatus_TimeoutError, ErrorKind::timeoutError},
};

WebnnStatus statusOf(ErrorKind kind) {
  for (const auto& [status, known] : kKinds) {
    if (known == kind) return status;
  }
  return WebnnStatus_UnknownError;
}

// Returns the error object for failed allocations. Its own reference is never released, and its message needs no allocation.
WebnnErrorImpl& outOfMemory() {
  static auto& error = *new (std::nothrow) WebnnErrorImpl(WebnnStatus_UnknownError, "out of memory.");
  return error;
}

WebnnError referToOutOfMemory() {
  webnnErrorAddRef(&outOfMemory());
  return &outOfMemory();
}

// Creates the object for failed allocations when the library is loaded, because there may be no memory later.
[[maybe_unused]] const WebnnErrorImpl& madeEarly = outOfMemory();

}  // namespace

ErrorReference currentError() noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return ErrorReference(new WebnnErrorImpl(statusOf(error.kind()), error.what()));
    } catch (const std::bad_alloc&) {
      return ErrorReference(referToOutOfMemory());
    } catch (const std::exception& error) {
      return ErrorReference(new WebnnErrorImpl(WebnnStatus_UnknownError, error.what()));
    } catch (...) {
      return ErrorReference(new WebnnErrorImpl(WebnnStatus_UnknownError, "unknown."));
    }
  } catch (...) {  // the error object cannot be allocated
    return ErrorReference(referToOutOfMemory());
  }
}

}  // namespace webnn::capi

WebnnStringView webnnStatusGetName(WebnnStatus status) {
  if (status == WebnnStatus_Success) return {"Success", 7};
  for (const auto& [known, kind] : webnn::capi::kKinds) {
    if (known == status) return {webnn::name(kind).data(), webnn::name(kind).size()};
  }
  return {"", 0};
}

WebnnStatus webnnErrorGetStatus(WebnnError error) { return error ? error->status : WebnnStatus_Success; }

WebnnStringView webnnErrorGetMessage(WebnnError error) {
  if (!error) return {"", 0};
  return {error->message.c_str(), error->message.size()};
}

void webnnErrorAddRef(WebnnError error) { webnn::capi::addReference(error); }
void webnnErrorRelease(WebnnError error) { webnn::capi::releaseReference(error); }
