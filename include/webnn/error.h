// Error, the exception that the library's functions throw.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace webnn {

// The kind of an error, as the specification names it: a JavaScript TypeError or the name of a DOMException.
// https://www.w3.org/TR/webnn/ and https://webidl.spec.whatwg.org/#idl-DOMException-error-names
enum class ErrorKind {
  typeError,          // an argument breaks a rule of the specification
  dataError,          // a file or stream is malformed
  invalidStateError,  // the object is destroyed, the context is lost, or the builder has already built its graph
  notFoundError,      // a file, a name, or a tensor in a weights file does not exist
  notSupportedError,  // the request is valid, but this build, backend or machine does not support it
  operationError,     // compiling or running a graph failed; or it exceeded a limit
  unknownError,       // the system failed, usually out of memory
  abortError,         // the caller cancelled the call
  timeoutError,       // the call, or the work that it queued, exceeded its time limit
};

// Returns the specification's name of an error kind, for instance "InvalidStateError".
std::string_view name(ErrorKind kind);

// The exception type of all functions of the library. `what()` is one sentence with the operation, its label, the argument and
// the offending values: `conv2d "stem": filter rank (3) is not 4.` Messages longer than 4,000 bytes are shortened in the middle.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace webnn
