#include "backends/openvino/openvino_backend.h"

#include <algorithm>
#include <array>

#include "backends/openvino/compiled_graph.h"
#include "backends/openvino/require_right.h"
#include "base/text.h"
#include "graph/require_supported.h"

namespace webnn::openvino {

namespace {

std::string listText(const auto& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(item);
  return text;
}

std::string optionOf(const ContextOptions& options, std::string_view name) {
  const auto found = options.backendOptions.find(std::string(name));
  return found == options.backendOptions.end() ? std::string() : found->second;
}

void requireKnownOptions(const ContextOptions& options) {
  for (const auto& [name, value] : options.backendOptions) {
    if (std::ranges::find(kOptions, name) != kOptions.end()) continue;
    fail(ErrorKind::typeError, "backend \"openvino\" has no option {}; it has: {}.", webnn::quoted(name), listText(kOptions));
  }
}

// Returns whether the machine has device `name`. "GPU" also matches numbered devices such as "GPU.0".
bool isDevice(const std::vector<std::string>& devices, std::string_view name) {
  return std::ranges::any_of(devices, [&](const std::string& device) {
    return device == name || (device.starts_with(name) && device.size() > name.size() && device[name.size()] == '.');
  });
}

// Returns the device that option `device` names. Without the option, follows WebNN's hints: NPU or GPU if acceleration is
// wanted and the machine has one, else CPU.
std::string deviceOf(const ContextOptions& options, const Library& library) {
  const std::vector<std::string> devices = library.devices();
  if (const std::string asked = optionOf(options, "device"); !asked.empty()) {
    if (isDevice(devices, asked)) return asked;
    fail(ErrorKind::notSupportedError, "backend \"openvino\": there is no device {}; OpenVINO {} has {} here.",
         webnn::quoted(asked), sanitized(library.version()), listText(devices));
  }
  if (!options.accelerated) return "CPU";
  const bool lowPower = options.powerPreference == PowerPreference::lowPower;
  for (const char* device : {lowPower ? "NPU" : "GPU", lowPower ? "GPU" : "NPU"}) {
    if (isDevice(devices, device)) return device;
  }
  return "CPU";
}

// Returns OpenVINO's INFERENCE_PRECISION_HINT for option `precision`.
std::string precisionOf(const ContextOptions& options) {
  const std::string asked = optionOf(options, "precision");
  if (asked.empty() || asked == "float32") return "f32";
  if (asked == "float16") return "f16";
  if (asked == "bfloat16" || asked == "bf16") return "bf16";
  fail(ErrorKind::typeError, "backend \"openvino\": option precision is {}, not float32, float16 or bfloat16.",
       webnn::quoted(asked));
}

CompileSettings settingsOf(const ContextOptions& options, const Library& library) {
  CompileSettings settings{.device = deviceOf(options, library)};
  const std::string precision = precisionOf(options);
  settings.properties = {{"PERFORMANCE_HINT", "LATENCY"}, {"INFERENCE_PRECISION_HINT", precision}};
  if (settings.device == "CPU") {
    // Without this property, matrix products with 8-bit or 4-bit weights round the other operand to 8 bits.
    if (precision == "f32") settings.properties.emplace_back("DYNAMIC_QUANTIZATION_GROUP_SIZE", "0");
    if (options.threads != 0) settings.properties.emplace_back("INFERENCE_NUM_THREADS", std::to_string(options.threads));
  }
  if (std::string cache = optionOf(options, "cache"); !cache.empty())
    settings.properties.emplace_back("CACHE_DIR", std::move(cache));
  return settings;
}

// Operations that only move or cast elements. They are correct for all integers that fit in 32 bits.
constexpr std::array<std::string_view, 18> kMoves{"cast",     "concat", "expand",  "gather",    "gatherElements",  "gatherND",
                                                  "identity", "pad",    "reshape", "reverse",   "scatterElements", "scatterND",
                                                  "slice",    "split",  "tile",    "transpose", "triangular",      "where"};
// Operations that compute int32 in integer arithmetic. Other operations, except kMoves, compute in float32, which is exact only
// up to 24 bits.
constexpr std::array<std::string_view, 13> kWrapping{
    "sign", "abs", "add", "argMax", "argMin", "cumulativeSum", "isInfinite", "isNaN", "max", "min", "mul", "neg", "sub"};

bool contains(auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

// Returns whether OpenVINO computes `operation` correctly if `operand` has this type.
bool supports(std::string_view operation, std::string_view operand, DataType type) {
  if (bitsPerElement(type) == 4) return operation == "dequantizeLinear";
  if (isFloat(type) || bitsPerElement(type) == 8) return operation != "pow" || isFloat(type);
  if (operand == "indices") return type != DataType::uint32;
  if (operation.starts_with("arg") && operand == "output") return true;
  if (operation == "dequantizeLinear" && type == DataType::int32) return true;  // requireRight() checks the zero points
  if (operation == "cast" && type != DataType::int32) return operand == "input" && type != DataType::uint32;
  if (type == DataType::uint32 && (operation == "add" || operation == "mul" || operation == "sub")) return true;
  return contains(kMoves, operation) || (type == DataType::int32 && contains(kWrapping, operation));
}

// Returns the types that OpenVINO computes correctly. OpenVINO writes 4-bit outputs out of bounds, so only constants may have 4
// bits.
OpSupportLimits limitsOfOpenVino() {
  OpSupportLimits limits = tableLimits();
  for (TensorLimits* operand : {&limits.input, &limits.output}) {
    std::erase_if(operand->dataTypes, [](DataType type) { return bitsPerElement(type) == 4; });
  }
  for (auto& [operation, operands] : limits.operations) {
    for (auto& [name, operand] : operands) {
      std::erase_if(operand.dataTypes,
                    [&operation = operation, &name = name](DataType type) { return !supports(operation, name, type); });
    }
  }
  return limits;
}

class OpenVinoBackend final : public Backend {
 public:
  OpenVinoBackend(const Library& library, CompileSettings settings) : library_(library), settings_(std::move(settings)) {}

  std::string_view name() const override { return "openvino"; }
  bool accelerated() const override { return settings_.device != "CPU"; }
  OpSupportLimits opSupportLimits() const override { return limitsOfOpenVino(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    requireSupported(*graph, opSupportLimits(), name());
    requireRight(*graph);
    return std::make_unique<CompiledGraph>(library_, std::move(graph), settings_, budget);
  }

 private:
  const Library& library_;
  const CompileSettings settings_;
};

}  // namespace

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options) {
  requireKnownOptions(options);
  const Library& library = Library::load(SearchPlaces::ofProcess(libraryKind(), options.backendOptions));
  return std::make_shared<const OpenVinoBackend>(library, settingsOf(options, library));
}

}  // namespace webnn::openvino
