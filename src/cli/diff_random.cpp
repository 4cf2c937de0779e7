#include "cli/diff_random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "cli/diff_bisect.h"
#include "cli/elements.h"
#include "cli/inputs.h"
#include "cli/random_graph.h"
#include "context/graph_state.h"
#include "reference/reference_backend.h"

namespace webnn::cli {

namespace {

constexpr int kNoisyRuns = 3;
// How far operands and results are moved, in units in the last place: about what a float32 sum or function is off.
constexpr double kUnits = 4, kHalfUnits = 0.75;

using Bytes = std::vector<std::byte>;

double epsilonOf(DataType type) { return type == DataType::float16 ? 0x1p-10 : 0x1p-23; }

Bytes moved(const OperandDescriptor& descriptor, Bytes bytes, std::mt19937_64& random) {
  if (!isFloat(descriptor.dataType)) return bytes;
  const double units = descriptor.dataType == DataType::float16 ? kHalfUnits : kUnits;
  std::vector<Number> values;
  for (std::size_t i = elementCount(descriptor); i-- > 0;) values.emplace_back();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = elementAt(descriptor.dataType, bytes, i).toDouble();
    const double direction = 2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1;
    values[i] = value * (1 + units * epsilonOf(descriptor.dataType) * (direction < 0 ? -1 : 1));
  }
  return packElements(descriptor, values);
}

// Whether the operation's float results may be rounded otherwise elsewhere.
bool rounds(const Operation& operation) {
  static const std::vector<std::string_view> exact{"abs",
                                                   "neg",
                                                   "identity",
                                                   "max",
                                                   "min",
                                                   "relu",
                                                   "clamp",
                                                   "concat",
                                                   "expand",
                                                   "pad",
                                                   "reshape",
                                                   "reverse",
                                                   "slice",
                                                   "split",
                                                   "tile",
                                                   "transpose",
                                                   "triangular",
                                                   "gather",
                                                   "where",
                                                   "ceil",
                                                   "floor",
                                                   "roundEven",
                                                   "sign",
                                                   "cast",
                                                   "gatherND",
                                                   "gatherElements",
                                                   "scatterElements",
                                                   "scatterND",
                                                   "reduceMax",
                                                   "reduceMin",
                                                   "maxPool2d",
                                                   "argMin",
                                                   "argMax",
                                                   "quantizeLinear"};
  return std::ranges::find(exact, name(operation)) == exact.end();
}

// The values of all operands, by index; moved by rounding if `random` is there.
std::map<std::uint32_t, Bytes> evaluateAll(const GraphDefinition& graph, const std::vector<Bytes>& inputs,
                                           std::mt19937_64* random) {
  std::map<std::uint32_t, Bytes> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values[graph.inputs[i].record().index] = inputs[i];
  for (const Operand& constant : graph.constants) {
    const std::span<const std::byte> bytes = constant.record().bytes;
    values[constant.record().index] = Bytes(bytes.begin(), bytes.end());
  }
  for (const Node& node : graph.nodes) {
    const bool moves = random && rounds(node.operation);
    std::vector<Bytes> operands;
    const bool isPower = name(node.operation) == "pow";
    visitOperands(node.operation, [&](std::string_view field, const Operand& operand) {
      const Bytes& bytes = values.at(operand.record().index);
      // A negative number to the power of a little more than 2 is no number.
      operands.push_back(moves && !(isPower && field == "b") ? moved(operand.descriptor(), bytes, *random) : bytes);
    });
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    const std::vector<std::span<const std::byte>> spans(operands.begin(), operands.end());
    std::vector<Bytes> results = reference::evaluate(node.operation, spans, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) {
      values[node.outputs[i].record().index] = moves ? moved(outputs[i], std::move(results[i]), *random) : std::move(results[i]);
    }
  }
  return values;
}

// Operands, by index, that depend on an operation which rounds.
std::set<std::uint32_t> roundedOperands(const GraphDefinition& graph) {
  std::set<std::uint32_t> rounded;
  for (const Node& node : graph.nodes) {
    bool isRounded = rounds(node.operation);
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
      isRounded = isRounded || rounded.contains(operand.record().index);
    });
    for (const Operand& output : node.outputs) {
      if (isRounded) rounded.insert(output.record().index);
    }
  }
  return rounded;
}

// What each output should be, and how far off its elements may be.
struct Expected {
  std::vector<Bytes> bytes;
  std::vector<std::vector<double>> limits;
};

Expected expect(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed) {
  Expected expected;
  const auto exact = evaluateAll(graph, inputs, nullptr);
  for (const auto& [name, operand] : graph.outputs) {
    expected.bytes.push_back(exact.at(operand.record().index));
    expected.limits.emplace_back(elementCount(operand.descriptor()));
  }
  std::mt19937_64 random(seed);
  for (int run = 0; run < kNoisyRuns; ++run) {
    const auto noisy = evaluateAll(graph, inputs, &random);
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
      const Operand& operand = graph.outputs[i].second;
      if (!isFloat(operand.dataType())) continue;
      for (std::size_t j = 0; j < expected.limits[i].size(); ++j) {
        const double distance = std::abs(elementAt(operand.dataType(), noisy.at(operand.record().index), j).toDouble() -
                                         elementAt(operand.dataType(), expected.bytes[i], j).toDouble());
        double& limit = expected.limits[i][j];
        limit = std::isnan(distance) ? std::numeric_limits<double>::infinity() : std::max(limit, distance);
      }
    }
  }
  const std::set<std::uint32_t> rounded = roundedOperands(graph);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    if (!rounded.contains(graph.outputs[i].second.record().index)) continue;  // exact
    std::vector<double>& limits = expected.limits[i];
    double most = 0;
    for (const double limit : limits) most = std::isfinite(limit) ? std::max(most, limit) : most;
    const DataType type = graph.outputs[i].second.dataType();
    const double least = type == DataType::float16 ? 0x1p-23 : 1e-37;  // of numbers that underflow
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const double unit = epsilonOf(type) * std::abs(elementAt(type, expected.bytes[i], j).toDouble());
      limits[j] = 6 * limits[j] + 0.25 * most + (std::isfinite(unit) ? unit : 0) + least;
    }
  }
  return expected;
}

std::optional<std::string> difference(const std::string& outputName, const OperandDescriptor& descriptor, const Bytes& actual,
                                      const Bytes& expected, const std::vector<double>& limits) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const Number a = elementAt(descriptor.dataType, actual, i), e = elementAt(descriptor.dataType, expected, i);
    const bool isReal = isFloat(descriptor.dataType);
    const double x = a.toDouble(), y = e.toDouble();
    const bool agrees = isReal ? x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= limits[i] : a == e;
    if (!agrees) {
      return webnn::format("output {} {}: element {} is {} where the reference has {} (limit {:.3g})", webnn::quoted(outputName),
                           toString(descriptor), i, elementText(descriptor.dataType, a), elementText(descriptor.dataType, e),
                           limits[i]);
    }
  }
  return std::nullopt;
}

std::string textOf(const BackendOptions& backend) {
  std::string text = backend.name;
  for (const std::string& setting : backend.settings) text += " " + setting;
  return backend.threads > 0 ? text + webnn::format(" threads={}", backend.threads) : text;
}

// What differs; nothing if the backends agree on the graph of the seed.
std::vector<std::string> compareSeed(Context& trusted, std::vector<Context>& others, const RandomDiffOptions& options,
                                     std::uint64_t seed) {
  const RandomGraph random = makeRandomGraph(trusted, seed);
  const GraphDefinition& graph = *random.graph.state()->definition;
  const Expected expected = expect(graph, random.inputs, seed);
  std::vector<std::string> differences;
  for (std::size_t i = 0; i < others.size(); ++i) {
    std::vector<std::span<const std::byte>> inputs(random.inputs.begin(), random.inputs.end());
    std::vector<Bytes> results;
    std::vector<std::span<std::byte>> outputs;
    for (const Bytes& bytes : expected.bytes) results.emplace_back(bytes.size());
    for (Bytes& result : results) outputs.emplace_back(result);
    const std::string where = webnn::format("seed {}: {}: ", seed, textOf(options.backends[i]));
    try {
      others[i].compile(random.graph).state()->executable()->run(inputs, outputs);
    } catch (const Error& error) {
      differences.push_back(where + error.what());
      continue;
    }
    for (std::size_t j = 0; j < results.size(); ++j) {
      const auto& [name, operand] = graph.outputs[j];
      if (const auto text = difference(name, operand.descriptor(), results[j], expected.bytes[j], expected.limits[j])) {
        differences.push_back(where + *text);
        break;
      }
    }
  }
  if (!differences.empty() && !options.failures.empty()) {
    const std::filesystem::path folder = options.failures / std::to_string(seed);
    std::filesystem::create_directories(folder);
    save(random.graph, folder / "model.webnn");
    const std::vector<NamedDescriptor> described = random.graph.inputs();
    for (std::size_t i = 0; i < described.size(); ++i) {
      const auto& [name, descriptor] = described[i];
      writeOutput(folder / (name + ".npy"), descriptor, random.inputs[i]);
    }
  }
  return differences;
}

}  // namespace

int diffRandom(const RandomDiffOptions& options) {
  Context trusted = makeContext({.name = "reference"});
  std::vector<Context> others;
  for (const BackendOptions& backend : options.backends) others.push_back(makeContext(backend));
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const std::vector<std::string> differences = compareSeed(trusted, others, options, options.seed + i);
    failed += differences.empty() ? 0 : 1;
    if (options.quiet) continue;
    for (const std::string& text : differences) print(text + "\n");
  }
  print(webnn::format("{} of {} random graphs agree with reference\n", options.count - failed, options.count));
  return failed == 0 ? kFine : kFailed;
}

}  // namespace webnn::cli
