// Core ML as the executor uses it: framework.mm implements it with Apple's classes, tests with others.
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

// The values of MLComputeUnits.
enum class ComputeUnits : std::int64_t { cpu = 0, cpuAndGpu = 1, all = 2, cpuAndNeuralEngine = 3 };

struct OsVersion {
  std::int64_t major = 0, minor = 0;
  friend auto operator<=>(const OsVersion&, const OsVersion&) = default;
};

// The machine's devices besides its CPU.
struct Devices {
  bool gpu = false, neuralEngine = false;
};

// A compiled model in memory.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  // Computes the outputs in the given arrays. Like an MLModel, for one thread at a time. Throws OperationError with Core ML's
  // words.
  virtual void predict(std::span<const Array> inputs, std::span<const Array> outputs) const = 0;
};

class Framework {
 public:
  virtual ~Framework() = default;
  virtual OsVersion osVersion() const = 0;
  virtual Devices devices() const = 0;
  // Loads an .mlpackage, which may be deleted afterwards. Throws NotSupportedError with Core ML's words.
  virtual std::unique_ptr<LoadedModel> load(const std::filesystem::path& package, ComputeUnits units) const = 0;
};

// Apple's implementation, which exists in builds for macOS and in tests.
const Framework& appleFramework();

}  // namespace webnn::coreml
