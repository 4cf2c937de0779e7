#include "backends/coreml/failure.h"

#include "base/text.h"

namespace webnn::coreml {

namespace {

// Returns the text for an error message: `Core ML's message (com.apple.CoreML 0)`.
std::string wordsOf(const Failure& failure) {
  std::string text = failure.text.empty() ? "it gives no reason" : sanitized(failure.text);
  while (text.ends_with('.')) text.pop_back();
  return formatText("{} ({} {})", text, sanitized(failure.domain), failure.code);
}

// Returns whether the failure is a file error: MLModelErrorIO (3), a POSIX error, or a Foundation error code below 1024.
bool isOfFiles(const Failure& failure) {
  constexpr std::int64_t kModelErrorIo = 3, kLastFileError = 1023;
  if (failure.domain == "com.apple.CoreML") return failure.code == kModelErrorIo;
  return failure.domain == "NSPOSIXErrorDomain" || (failure.domain == "NSCocoaErrorDomain" && failure.code <= kLastFileError);
}

}  // namespace

void failBuild(const Failure& failure) {
  if (isOfFiles(failure)) fail(ErrorKind::operationError, "build: Core ML cannot compile the graph: {}.", wordsOf(failure));
  fail(ErrorKind::notSupportedError, "build: Core ML refuses the graph: {}.", wordsOf(failure));
}

void failRun(const Failure& failure) { fail(ErrorKind::operationError, "dispatch: Core ML: {}.", wordsOf(failure)); }

}  // namespace webnn::coreml
