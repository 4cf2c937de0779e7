#include "random/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "backends/reference/reference_backend.h"
#include "base/text.h"
#include "random/choices.h"
#include "random/rounding.h"
#include "random/stepwise.h"

namespace webnn::random {

namespace {

// The numbers of runs with perturbed values. Every second run reverses the directions of the run before it. Graphs whose
// outputs all have at most kFew elements need more runs, because their perturbations may cancel. If a result still differs,
// kRunsOfDoubt runs follow.
constexpr int kNoisyRuns = 4, kNoisyRunsOfFew = 8, kRunsOfDoubt = 256;
constexpr std::size_t kFew = 64;
// The perturbations of operands and results, in units in the last place: kUnits is the error of a float32 sum or function, and
// kHalfUnits the error of rounding to float16.
constexpr double kUnits = 4, kHalfUnits = 0.75;
constexpr double kLeastHalf = kHalfUnits * 0x1p-24;  // perturbation that turns 0 into the smallest float16 number and back
// In a graph that may have poles (such as quotients), an element whose limit exceeds kNearPole times its expected value may be
// near a pole. Then infinities and NaN are correct, too, and any value if the expected value or limit exceeds kFarOut.
constexpr double kNearPole = 4, kFarOut = 1e6;
constexpr double kAnything = std::numeric_limits<double>::infinity();

// Selects which values that are 0 within their rounding error are set to 0.
enum class Zeros {
  few,   // one in four results of operations that have an absolute error
  some,  // also one in four results of sums whose terms may cancel
  all,
};

// Random directions of perturbations. An opposite run reverses them.
struct Directions {
  Numbers numbers;
  bool isOpposite = false;
  Zeros zeros = Zeros::few;

  // With Zeros::all, all zeros get one sign, so that a maximum of zeros has this sign, too.
  double signOfZero() { return zeros == Zeros::all ? (isOpposite ? -1 : 1) : sign(); }
  double sign() { return (numbers.next() >> 63 != 0) == isOpposite ? -1 : 1; }
  bool zeroes() { return zeros == Zeros::all || numbers.next() >> 62 == 0; }
};

// Perturbs all elements of a float type. If `noise` is not empty, it has the possible error of each element after cancellation.
void move(const OperandDescriptor& descriptor, Bytes& bytes, Directions& directions, double absolute = 0,
          const std::vector<double>& noise = {}) {
  const DataType type = descriptor.dataType;
  if (!isFloat(type)) return;
  const double by = (type == DataType::float16 ? kHalfUnits : kUnits) * epsilonOf(type);
  for (std::size_t i = elementCount(descriptor); i-- > 0;) {
    const double sign = directions.sign(), value = realAt(type, bytes, i);
    // The sign of zero is arbitrary. A value that is no larger than its rounding error may be zero.
    const double shift = noise.empty() ? absolute : std::max(absolute, noise[i]);
    const double most = noise.empty() ? absolute : std::max(absolute, (1 + 2 * kUnits) * noise[i]);
    const bool isZero = std::abs(value) <= most && (most == 0 || directions.zeroes());
    setReal(type, bytes, i, isZero ? directions.signOfZero() * 0.0 : value * (1 + sign * by) + sign * shift);
  }
}

// Perturbs integers by one, within the range of the type.
void moveWhole(const OperandDescriptor& descriptor, Bytes& bytes, Directions& directions) {
  const DataType type = descriptor.dataType;
  const double bits = static_cast<double>(bitsPerElement(type));
  const double least = isSigned(type) ? -std::exp2(bits - 1) : 0, most = std::exp2(isSigned(type) ? bits - 1 : bits) - 1;
  for (std::size_t i = elementCount(descriptor); i-- > 0;) {
    setReal(type, bytes, i, std::clamp(realAt(type, bytes, i) + directions.sign(), least, most));
  }
}

// Returns, for each element of the first output, the sum of the magnitudes that the operation adds last: the terms of a sum, or
// the normalized value and the bias. Empty for other operations.
std::vector<double> magnitudesOf(const Operation& operation, const std::vector<Bytes>& operands, const Bytes& result,
                                 const ops::Outputs& outputs) {
  const DataType type = outputs[0].dataType;
  if (!isFloat(type)) return {};
  std::vector<double> magnitudes(elementCount(outputs[0]));
  if (const std::optional<Operation> unbiased = withoutBias(operation)) {
    std::vector<std::span<const std::byte>> spans;
    std::size_t i = 0;
    visitOperands(operation, [&](std::string_view field, const Operand&) {
      if (field != "bias") spans.emplace_back(operands[i]);
      ++i;
    });
    const Bytes normal = reference::evaluate(*unbiased, spans, outputs)[0];
    for (std::size_t j = 0; j < magnitudes.size(); ++j) {
      const double value = realAt(type, normal, j);
      magnitudes[j] = std::abs(value) + std::abs(realAt(type, result, j) - value);
    }
    return magnitudes;
  }
  const std::optional<Operation> sum = sumOfMagnitudes(operation);
  if (!sum) return {};
  std::vector<Bytes> terms = operands;
  std::size_t i = 0;
  visitOperands(operation, [&](std::string_view, const Operand& operand) {
    Bytes& bytes = terms[i++];
    for (std::size_t j = elementCount(operand.descriptor()); j-- > 0;) {
      setReal(operand.dataType(), bytes, j, std::abs(realAt(operand.dataType(), bytes, j)));
    }
  });
  const Bytes sums = reference::evaluate(*sum, std::vector<std::span<const std::byte>>(terms.begin(), terms.end()), outputs)[0];
  for (std::size_t j = 0; j < magnitudes.size(); ++j) magnitudes[j] = realAt(type, sums, j);
  return magnitudes;
}

struct State {
  Bytes bytes;
  Known known;
  bool isOpen = false;  // any result is correct
};

class Evaluation {
 public:
  Evaluation(const GraphDefinition& graph, const std::vector<Bytes>& inputs) : graph_(graph), values_(graph.indexLimit) {
    for (std::size_t i = 0; i < inputs.size(); ++i) set(graph.inputs[i], inputs[i]);
    for (const Operand& constant : graph.constants) {
      const std::span<const std::byte> bytes = constant.record().bytes;
      set(constant, Bytes(bytes.begin(), bytes.end()));
    }
    for (const Node& node : graph.nodes) run(node);
  }

  const State& operator[](const Operand& operand) const { return values_[operand.record().index]; }

  // Returns the inexact results of nodes, changed as if other roundings had happened, by operand index. Other values are empty.
  std::vector<Bytes> moved(Directions directions) const {
    std::vector<Bytes> values(values_.size());
    for (const Node& node : graph_.nodes) {
      if ((*this)[node.outputs[0]].known.isExact) continue;
      moveNode(node, values, directions);
    }
    return values;
  }

 private:
  void set(const Operand& operand, Bytes bytes) {
    const Known known = describe(operand.descriptor(), bytes);
    values_[operand.record().index] = {std::move(bytes), known, false};
  }

  void run(const Node& node) {
    std::vector<Known> known;
    std::vector<std::span<const std::byte>> operands;
    bool open = false;
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
      known.push_back((*this)[operand].known);
      operands.push_back((*this)[operand].bytes);
      open = open || (*this)[operand].isOpen;
    });
    const Judgement judgement = judge(node.operation, known);
    open = open || isOpen(node.operation, judgement, known);
    std::vector<Bytes> results = reference::evaluate(node.operation, operands, descriptorsOf(node));
    for (std::size_t i = 0; i < results.size(); ++i) {
      set(node.outputs[i], std::move(results[i]));
      State& state = values_[node.outputs[i].record().index];
      state.known.isExact = !open && isExact(judgement, known, node.outputs[i].dataType());
      state.isOpen = open;
    }
  }

  void moveNode(const Node& node, std::vector<Bytes>& values, Directions& directions) const {
    std::vector<Known> known;
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { known.push_back((*this)[operand].known); });
    const Judgement judgement = judge(node.operation, known);
    const Rule rule = judgement.rule;
    const bool isPower = name(node.operation) == "pow";
    std::vector<Bytes> operands;
    visitOperands(node.operation, [&](std::string_view field, const Operand& operand) {
      const Bytes& other = values[operand.record().index];
      operands.push_back(other.empty() ? (*this)[operand].bytes : other);
      // Does not perturb an exponent, because a negative number to the power of 2 plus an error would be NaN.
      if (rule != Rule::copies && rule != Rule::quantizes && !(isPower && field == "b"))
        move(operand.descriptor(), operands.back(), directions);
    });
    const ops::Outputs outputs = descriptorsOf(node);
    std::vector<Bytes> results;
    if (directions.zeros != Zeros::few) {
      results = evaluateStepwise(node.operation, operands, [&](const OperandDescriptor& descriptor, Bytes& state) {
        move(descriptor, state, directions, 0x1p-23);
      });
    }
    if (results.empty()) {
      results =
          reference::evaluate(node.operation, std::vector<std::span<const std::byte>>(operands.begin(), operands.end()), outputs);
    }
    std::vector<double> noise;
    if (directions.zeros != Zeros::few) {
      noise = magnitudesOf(node.operation, operands, results[0], outputs);
      // Sums of float16 values are float32 sums, rounded once at the end.
      const double by = epsilonOf(DataType::float32) * std::sqrt(static_cast<double>(judgement.terms));
      for (double& one : noise) one = std::isfinite(one) ? by * one : 0;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (rule == Rule::quantizes) moveWhole(outputs[i], results[i], directions);
      double absolute = judgement.absolute;
      if (rule == Rule::rounds && outputs[i].dataType == DataType::float16) absolute = std::max(absolute, kLeastHalf);
      if (rule != Rule::copies) move(outputs[i], results[i], directions, absolute, noise);
      values[node.outputs[i].record().index] = std::move(results[i]);
    }
  }

  static ops::Outputs descriptorsOf(const Node& node) {
    ops::Outputs outputs;
    for (const Operand& output : node.outputs) outputs.push_back(output.descriptor());
    return outputs;
  }

  const GraphDefinition& graph_;
  std::vector<State> values_;
};

// Returns the distance between the results of two runs; kAnything if only one is finite or infinities differ.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double apart = std::abs(a - b);
  return std::isnan(apart) ? kAnything : apart;
}

bool hasPole(const Node& node) {
  const std::string_view operation = name(node.operation);
  return operation == "div" || operation == "reciprocal" || operation == "pow" || operation == "log" || operation == "tan" ||
         operation == "reduceLogSum";
}

// Turns the largest distances between runs into limits for results.
void widen(std::vector<double>& limits, DataType type, const Bytes& bytes) {
  double most = 0;
  for (const double limit : limits) most = std::isfinite(limit) ? std::max(most, limit) : most;
  const double least = type == DataType::float16 ? 0x1p-23 : 1e-37;  // minimum limit, for values that underflow
  const double units = type == DataType::float16 ? 1 : kUnits;
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const double value = realAt(type, bytes, j);
    if (!std::isfinite(value)) continue;
    if (isFloat(type)) {
      limits[j] = 8 * limits[j] + 0.25 * most + units * epsilonOf(type) * std::abs(value) + least;
    } else {
      limits[j] = std::max(1.0, limits[j]);  // results of quantizeLinear may be off by one
    }
  }
}

}  // namespace

bool Expected::isExact() const {
  return std::ranges::all_of(limits, [](const std::vector<double>& one) { return one.empty(); });
}

namespace {

Expected expectAfter(int runs, const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed) {
  const Evaluation evaluation(graph, inputs);
  Expected expected;
  expected.runs = runs;
  expected.hasPoles = std::ranges::any_of(graph.nodes, hasPole);
  for (const auto& [name, operand] : graph.outputs) {
    const State& state = evaluation[operand];
    expected.bytes.push_back(state.bytes);
    const std::size_t count = state.known.isExact ? 0 : elementCount(operand.descriptor());
    expected.limits.emplace_back(count, state.isOpen ? kAnything : 0);
  }
  if (expected.isExact()) return expected;
  for (int run = 0; run < runs; ++run) {
    const Zeros zeros = runs < kRunsOfDoubt ? Zeros::few : run / 2 % 4 == 0 ? Zeros::all : Zeros::some;
    const std::vector<Bytes> moved = evaluation.moved({Numbers(seed + static_cast<std::uint64_t>(run) / 2), run % 2 == 1, zeros});
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
      const Operand& operand = graph.outputs[i].second;
      const DataType type = operand.dataType();
      for (std::size_t j = 0; j < expected.limits[i].size(); ++j) {
        double& limit = expected.limits[i][j];
        limit = std::max(limit, distance(realAt(type, moved[operand.record().index], j), realAt(type, expected.bytes[i], j)));
      }
    }
  }
  for (std::size_t i = 0; i < expected.limits.size(); ++i) {
    widen(expected.limits[i], graph.outputs[i].second.dataType(), expected.bytes[i]);
  }
  return expected;
}

}  // namespace

Expected expect(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed) {
  const bool isSmall =
      std::ranges::all_of(graph.outputs, [](const auto& output) { return elementCount(output.second.descriptor()) <= kFew; });
  return expectAfter(isSmall ? kNoisyRunsOfFew : kNoisyRuns, graph, inputs, seed);
}

Expected expectRounded(const GraphDefinition& graph, const std::vector<Bytes>& inputs) {
  return expectAfter(0, graph, inputs, 0);
}

std::optional<std::string> disagreement(const GraphDefinition& graph, const std::vector<Bytes>& inputs, std::uint64_t seed,
                                        const std::vector<Bytes>& actual, Expected& expected) {
  auto text = difference(graph, actual, expected);
  for (const bool isLast : {false, true}) {
    if (!text || expected.isExact() || expected.runs == kRunsOfDoubt || (!isLast && expected.runs > 0)) continue;
    expected = isLast ? expectAfter(kRunsOfDoubt, graph, inputs, seed) : expect(graph, inputs, seed);
    text = difference(graph, actual, expected);
  }
  return text;
}

std::string elementText(DataType type, const Bytes& packed, std::size_t index) {
  const double value = realAt(type, packed, index);
  if (isFloat(type)) return std::isnan(value) ? "NaN" : formatText("{:.9g}", value);
  const auto whole = bitsAt(type, packed, index);
  return isSigned(type) && bitsPerElement(type) == 64 ? formatText("{}", static_cast<std::int64_t>(whole))
         : isSigned(type)                             ? formatText("{}", static_cast<std::int64_t>(value))
                                                      : formatText("{}", whole);
}

std::optional<std::string> difference(const GraphDefinition& graph, const std::vector<Bytes>& actual, const Expected& expected) {
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto& [name, operand] = graph.outputs[i];
    const DataType type = operand.dataType();
    const std::vector<double>& limits = expected.limits[i];
    if (actual[i] == expected.bytes[i]) continue;
    for (std::size_t j = 0, count = elementCount(operand.descriptor()); j < count; ++j) {
      const double limit = limits.empty() ? 0 : limits[j];
      const bool isEqual = !isFloat(type) && bitsAt(type, actual[i], j) == bitsAt(type, expected.bytes[i], j);
      const double x = realAt(type, actual[i], j), y = realAt(type, expected.bytes[i], j);
      if (isEqual || limit == kAnything) continue;
      if (isFloat(type) && (x == y || (std::isnan(x) && std::isnan(y)))) continue;
      if (limit > 0 && std::abs(x - y) <= limit) continue;
      const bool isPole = !std::isfinite(x) || std::max(std::abs(y), limit) > kFarOut;
      if (expected.hasPoles && isPole && limit > kNearPole * std::abs(y)) continue;
      return formatText("output {} {}: element {} is {} where the reference has {} ({})", webnn::quoted(name),
                        toString(operand.descriptor()), j, elementText(type, actual[i], j),
                        elementText(type, expected.bytes[i], j),
                        limits.empty() ? "must be equal" : formatText("limit {:.3g}", limit));
    }
  }
  return std::nullopt;
}

}  // namespace webnn::random
