#include "webnn/error.h"

namespace webnn {

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::typeError: return "TypeError";
    case ErrorKind::dataError: return "DataError";
    case ErrorKind::invalidStateError: return "InvalidStateError";
    case ErrorKind::notFoundError: return "NotFoundError";
    case ErrorKind::notSupportedError: return "NotSupportedError";
    case ErrorKind::operationError: return "OperationError";
    case ErrorKind::unknownError: return "UnknownError";
    case ErrorKind::abortError: return "AbortError";
    case ErrorKind::timeoutError: return "TimeoutError";
  }
  return "UnknownError";
}

}  // namespace webnn
