#include "webnn/error.h"

namespace webnn {

namespace {

// kLongest: the maximum length of a message in bytes; kEnd: the length of the end that is kept if the middle is omitted
constexpr std::size_t kLongest = 4000, kEnd = 1000;

// Returns the position of the first byte of the UTF-8 character to which the byte at position `at` belongs.
std::size_t characterAt(const std::string& text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

// Shortens a long message. Messages may contain shapes with a million dimensions.
std::string shortened(const std::string& message) {
  if (message.size() <= kLongest) return message;
  return message.substr(0, characterAt(message, kLongest - kEnd - 5)) + " ... " +
         message.substr(characterAt(message, message.size() - kEnd + 3));
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message) : std::runtime_error(shortened(message)), kind_(kind) {}

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
