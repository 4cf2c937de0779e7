// Turns Core ML's failures into errors.
#pragma once

#include <cstdint>
#include <string>

namespace webnn::coreml {

// An NSError, or an NSException, whose name is the domain.
struct Failure {
  std::string domain;
  std::int64_t code = 0;
  std::string text;  // the message for users
};

// Throws NotSupportedError if the system cannot run the model, OperationError if files are the reason.
[[noreturn]] void failBuild(const Failure& failure);
// Throws OperationError.
[[noreturn]] void failRun(const Failure& failure);

}  // namespace webnn::coreml
