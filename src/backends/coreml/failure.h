#pragma once

#include <cstdint>
#include <string>

namespace webnn::coreml {

// An NSError. Also represents an NSException, with its name as the domain and the code 0.
struct Failure {
  std::string domain;
  std::int64_t code = 0;
  std::string text;  // Core ML's message; may be empty
};

// Throws OperationError for file errors. Otherwise throws NotSupportedError, because Core ML cannot run the model.
[[noreturn]] void failBuild(const Failure& failure);
// Throws OperationError with Core ML's message.
[[noreturn]] void failRun(const Failure& failure);

}  // namespace webnn::coreml
