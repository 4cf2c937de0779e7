// Error, the only exception type that the library throws.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace webnn {

// The kind of an error, as the specification names it: a JavaScript TypeError or the name of a DOMException.
// https://www.w3.org/TR/webnn/ and https://webidl.spec.whatwg.org/#idl-DOMException-error-names
enum class ErrorKind {
  typeError,          // an argument breaks a rule of the specification
  dataError,          // a file or a stream does not hold what its format demands
  invalidStateError,  // the object is destroyed, lost, or has already been built
  notFoundError,      // a file, a tensor of a weights file or a name does not exist
  notSupportedError,  // valid, but this build, backend or machine cannot do it
  operationError,     // compiling or running a graph failed
  unknownError,       // the system failed, usually out of memory
  abortError,         // the caller cancelled the call
  timeoutError,       // the call, or the work that it queued, took longer than it may
};

// The specification's name of a kind, for instance "InvalidStateError".
std::string_view name(ErrorKind kind);

// The exception that every function of the library throws. `what()` is one sentence that names the operation, its label, the
// argument and the values: `conv2d "stem": filter rank (3) is not 4.` The middle of messages over 4,000 bytes is left out.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace webnn
