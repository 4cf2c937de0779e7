// What Core ML says when it fails, as errors.
#pragma once

#include <cstdint>
#include <string>

namespace webnn::coreml {

// An NSError, or an NSException, whose name is the domain.
struct Failure {
  std::string domain;
  std::int64_t code = 0;
  std::string text;  // what it says to users
};

// NotSupportedError: the model is not for this system; OperationError where files are the reason.
[[noreturn]] void failBuild(const Failure& failure);
// OperationError.
[[noreturn]] void failRun(const Failure& failure);

}  // namespace webnn::coreml
