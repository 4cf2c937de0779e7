// Core ML as the executor sees it: what framework.mm asks of Apple, and tests of something else.
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

// By the numbers of MLComputeUnits.
enum class ComputeUnits : std::int64_t { cpu = 0, cpuAndGpu = 1, all = 2, cpuAndNeuralEngine = 3 };

struct OsVersion {
  std::int64_t major = 0, minor = 0;
  friend auto operator<=>(const OsVersion&, const OsVersion&) = default;
};

// What the machine has beside its CPU.
struct Devices {
  bool gpu = false, neuralEngine = false;
};

// A model that is compiled and in memory.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  // Computes the outputs where they are said to be. For one thread at a time, as an MLModel is. OperationError with Core ML's
  // words.
  virtual void predict(std::span<const Array> inputs, std::span<const Array> outputs) const = 0;
};

class Framework {
 public:
  virtual ~Framework() = default;
  virtual OsVersion osVersion() const = 0;
  virtual Devices devices() const = 0;
  // NotSupportedError with Core ML's words if it refuses the .mlpackage, which may go away afterwards.
  virtual std::unique_ptr<LoadedModel> load(const std::filesystem::path& package, ComputeUnits units) const = 0;
};

// That of macOS: defined where this is built for it, and in tests.
const Framework& appleFramework();

}  // namespace webnn::coreml
