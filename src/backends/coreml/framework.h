// Interface to Core ML. framework.mm implements it with Apple's classes; tests replace it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "backends/coreml/arrays.h"

namespace webnn::coreml {

// Core ML's MLComputeUnits constants.
enum class ComputeUnits : std::int64_t { cpu = 0, cpuAndGpu = 1, all = 2, cpuAndNeuralEngine = 3 };

struct OsVersion {
  std::int64_t major = 0, minor = 0;
  friend auto operator<=>(const OsVersion&, const OsVersion&) = default;
};

// Whether the machine has these accelerators.
struct Devices {
  bool gpu = false, neuralEngine = false;
};

// A compiled model that is loaded and ready to predict.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  // Computes `outputs` from `inputs`. Not thread safe, like MLModel. Throws OperationError with Core ML's message.
  virtual void predict(std::span<const Array> inputs, std::span<const Array> outputs) const = 0;
};

class Framework {
 public:
  virtual ~Framework() = default;
  virtual OsVersion osVersion() const = 0;
  virtual Devices devices() const = 0;
  // Compiles and loads an .mlpackage, which may be deleted afterwards. Throws OperationError for file errors, otherwise
  // NotSupportedError, with Core ML's message.
  virtual std::unique_ptr<LoadedModel> load(const std::filesystem::path& package, ComputeUnits units) const = 0;
};

// Returns the implementation that calls Core ML. Only defined in macOS builds and in tests.
const Framework& appleFramework();

}  // namespace webnn::coreml
