// The classes of tests/coreml/apple, made for the tests on GNU's Objective-C: a Core ML whose models compute what a test says.
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
  // Computes the outputs of the model: for the next predictions.
  std::function<void(std::span<const coreml::Array>, std::span<const coreml::Array>)> predict;
  // Outputs are arrays of Core ML's own, with padded rows, instead of those that were given.
  bool ignoresBackings = false;
  bool forgetsOutputs = false;
  // Fails with this, where text is not empty; raises it as an exception instead of returning an error.
  ErrorText compileError, loadError, predictError;
  bool raises = false;
  // Recorded by the fake for the tests to check.
  std::string package, compiled;
  long units = -1;
};

Apple& apple();

// Objects that were made and not given back. A message of retain or release to one that was is the end of the program.
std::size_t liveObjects();

}  // namespace webnn::fake
