#include "base/as_errors.h"

#include <exception>
#include <new>

#include "base/text.h"

namespace webnn {

namespace {

const Error& madeEarly() {
  static const Error error(ErrorKind::unknownError, "there is not enough memory.");
  return error;
}
[[maybe_unused]] const Error& made = madeEarly();

}  // namespace

Error outOfMemory() noexcept { return madeEarly(); }

Error errorOfCurrentException(std::string_view what) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return error;
    } catch (const std::bad_alloc&) {
      return outOfMemory();
    } catch (const std::exception& error) {
      return Error(ErrorKind::operationError, formatText("{}: {}.", what, sanitized(error.what())));
    } catch (...) {
      return Error(ErrorKind::operationError, formatText("{}: an unknown failure.", what));
    }
  } catch (...) {  // there was not enough memory for the message
    return outOfMemory();
  }
}

void throwAsError(std::string_view what) {
  try {
    throw;
  } catch (const Error&) {
    throw;  // rethrown unchanged, because it may be of a derived type
  } catch (...) {
    throw errorOfCurrentException(what);
  }
}

}  // namespace webnn
