// Controls the fake classes in tests/coreml/apple, which run on GNU's Objective-C runtime and imitate Core ML. The test defines
// what their models compute.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "backends/coreml/arrays.h"

namespace webnn::fake {

// The contents of an NSError.
struct ErrorText {
  std::string domain = "com.apple.CoreML", text;
  long code = 0;
};

struct Apple {
  long major = 15, minor = 1;
  bool hasGpu = true, hasNeuralEngine = true;
  // Computes the outputs of all following predictions.
  std::function<void(std::span<const coreml::Array>, std::span<const coreml::Array>)> predict;
  // If true, outputs are new arrays with padded rows, instead of the arrays that the caller provided.
  bool ignoresBackings = false;
  bool forgetsOutputs = false;
  // The failure of each call; an empty `text` means success. If `raises`, the failure is raised as an exception instead of
  // returned.
  ErrorText compileError, loadError, predictError;
  bool raises = false;
  // The fake classes record these values for the tests to check.
  std::string package, compiled;
  long units = -1;
};

Apple& apple();

// Returns the number of objects that were created and not released. A retain or release of a released object aborts the program.
std::size_t liveObjects();

}  // namespace webnn::fake
