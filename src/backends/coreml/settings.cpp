#include "backends/coreml/settings.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/backend.h"

namespace webnn::coreml {

namespace {

constexpr std::array<std::pair<std::string_view, ComputeUnits>, 4> kUnits{
    {{"all", ComputeUnits::all},
     {"cpu", ComputeUnits::cpu},
     {"cpuAndGPU", ComputeUnits::cpuAndGpu},
     {"cpuAndNeuralEngine", ComputeUnits::cpuAndNeuralEngine}}};

// The first macOS version with each model specification version. https://apple.github.io/coremltools/mlmodel/Format/Model.html
struct Release {
  int specification;
  OsVersion version;
};
constexpr std::array<Release, 3> kReleases{{{7, {13, 0}}, {8, {14, 0}}, {9, {15, 0}}}};

// Throws if the machine lacks the requested accelerator. Core ML itself would silently fall back to the CPU.
void requireDevice(ComputeUnits units, const Devices& devices) {
  if ((units == ComputeUnits::cpuAndGpu && !devices.gpu) ||
      (units == ComputeUnits::cpuAndNeuralEngine && !devices.neuralEngine)) {
    fail(ErrorKind::notSupportedError, "backend \"coreml\": units={} needs a {}, which this machine lacks.", name(units),
         units == ComputeUnits::cpuAndGpu ? "GPU" : "Neural Engine");
  }
}

// Operations whose results fit in int32, or are floats, if their integer operands fit in int32.
constexpr std::array<std::string_view, 31> kStaysInRange{"argMax",
                                                         "argMin",
                                                         "concat",
                                                         "dequantizeLinear",
                                                         "equal",
                                                         "expand",
                                                         "gather",
                                                         "gatherElements",
                                                         "gatherND",
                                                         "greater",
                                                         "greaterOrEqual",
                                                         "identity",
                                                         "lesser",
                                                         "lesserOrEqual",
                                                         "max",
                                                         "min",
                                                         "notEqual",
                                                         "reduceMax",
                                                         "reduceMin",
                                                         "relu",
                                                         "reshape",
                                                         "reverse",
                                                         "scatterElements",
                                                         "scatterND",
                                                         "sign",
                                                         "slice",
                                                         "split",
                                                         "tile",
                                                         "transpose",
                                                         "triangular",
                                                         "where"};

bool isWiderThanInt32(DataType type) { return type == DataType::uint32 || type == DataType::int64 || type == DataType::uint64; }

bool supports(std::string_view operation, std::string_view operand, DataType type) {
  if (!isWiderThanInt32(type)) return true;
  if (operation == "cast") return operand == "input";  // casting to a wider integer is refused, because a float may exceed int32
  return std::ranges::find(kStaysInRange, operation) != kStaysInRange.end();
}

}  // namespace

std::string_view name(ComputeUnits units) {
  return std::ranges::find(kUnits, units, [](const auto& item) { return item.second; })->first;
}

ComputeUnits unitsOf(const ContextOptions& options, const Devices& devices) {
  if (const auto asked = options.backendOptions.find("units"); asked != options.backendOptions.end()) {
    const auto known = std::ranges::find(kUnits, asked->second, [](const auto& item) { return item.first; });
    if (known == kUnits.end()) {
      fail(ErrorKind::typeError, "backend \"coreml\": option units is {}, not all, cpu, cpuAndGPU or cpuAndNeuralEngine.",
           webnn::quoted(asked->second));
    }
    requireDevice(known->second, devices);
    return known->second;
  }
  if (!isAccelerated(ComputeUnits::all, devices) || !options.accelerated) return ComputeUnits::cpu;
  switch (options.powerPreference) {
    case PowerPreference::lowPower: return devices.neuralEngine ? ComputeUnits::cpuAndNeuralEngine : ComputeUnits::cpuAndGpu;
    case PowerPreference::highPerformance: return devices.gpu ? ComputeUnits::cpuAndGpu : ComputeUnits::cpuAndNeuralEngine;
    case PowerPreference::standard: break;
  }
  return ComputeUnits::all;
}

bool isAccelerated(ComputeUnits units, const Devices& devices) {
  const bool mayUseGpu = units == ComputeUnits::all || units == ComputeUnits::cpuAndGpu;
  const bool mayUseEngine = units == ComputeUnits::all || units == ComputeUnits::cpuAndNeuralEngine;
  return (mayUseGpu && devices.gpu) || (mayUseEngine && devices.neuralEngine);
}

int newestSpecification(OsVersion version) {
  int newest = 0;
  for (const Release& release : kReleases) {
    if (version >= release.version) newest = release.specification;
  }
  return newest;
}

void requireSpecification(int specification, OsVersion version) {
  if (specification <= newestSpecification(version)) return;
  const auto needed = std::ranges::find(kReleases, specification, &Release::specification);
  if (needed == kReleases.end()) {
    fail(ErrorKind::notSupportedError, "build: no macOS is known to run models of Core ML's specification {}.", specification);
  }
  fail(ErrorKind::notSupportedError,
       "build: the graph needs Core ML's specification {}, which macOS {} has; this is macOS {}.{}.", specification,
       needed->version.major, version.major, version.minor);
}

OpSupportLimits limitsOf(OsVersion version) {
  OpSupportLimits limits = tableLimits();
  for (auto& [operation, operands] : limits.operations) {
    for (auto& [operand, rule] : operands) {
      std::erase_if(rule.dataTypes, [&, &operation = operation, &operand = operand](DataType type) {
        // Core ML has 4-bit weights since model specification 9.
        constexpr int kHasFourBits = 9;
        if (bitsPerElement(type) == 4 && operation == "dequantizeLinear") return newestSpecification(version) < kHasFourBits;
        return !supports(operation, operand, type);
      });
    }
  }
  return limits;
}

}  // namespace webnn::coreml
