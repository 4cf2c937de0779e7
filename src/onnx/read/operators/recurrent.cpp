#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/text.h"
#include "onnx/read/operators/recurrent_steps.h"

namespace webnn::formats::onnx {

namespace {

// Input indices of RNN, GRU and LSTM. kInitialC and kP exist only for LSTM.
enum RecurrentInput : std::size_t { kX, kW, kR, kB, kSequenceLengths, kInitialH, kInitialC, kP };

// Default activations of one direction.
constexpr std::array<std::string_view, 1> kRnnActivations{"tanh"};
constexpr std::array<std::string_view, 2> kGruActivations{"sigmoid", "tanh"};
constexpr std::array<std::string_view, 3> kLstmActivations{"sigmoid", "tanh", "tanh"};

std::string shapeText(const auto& shape) {
  std::string text;
  for (const auto size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

// Returns an input. Throws DataError unless it has exactly this shape.
Operand inputOf(const NodeContext& node, RecurrentInput index, std::string_view name, const std::vector<std::uint64_t>& shape) {
  const std::vector<std::int64_t>& dims = node.value(index).dims;
  const auto isSame = [](std::int64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; };
  if (!std::ranges::equal(dims, shape, isSame)) {
    fail(ErrorKind::dataError, "the shape of its input {} ({}) is not {}.", name, shapeText(dims), shapeText(shape));
  }
  return node.operand(index);
}

// If layout is 1, swaps the first two dimensions, so that steps or directions come first.
Operand stepsFirst(NodeContext& node, Operand operand) {
  return node.flag("layout") ? node.transpose(operand, {1, 0, 2}) : operand;
}

std::uint32_t hiddenSizeOf(const NodeContext& node) {
  const Shape& shape = node.shape(kR);
  if (shape.size() != 3) fail(ErrorKind::dataError, "the rank of its input R ({}) is not 3.", shape.size());
  const std::int64_t given = node.integer("hidden_size", shape[2]);
  if (given != shape[2]) fail(ErrorKind::dataError, "its hidden_size ({}) is not the last dimension of R ({}).", given, shape[2]);
  return shape[2];
}

// Returns the sequence lengths; nullopt if they are known to equal `steps`.
std::optional<Operand> readLengths(NodeContext& node, std::uint32_t steps, std::uint32_t batchSize) {
  if (!node.has(kSequenceLengths)) return std::nullopt;
  const Operand lengths = inputOf(node, kSequenceLengths, "sequence_lens", {batchSize});
  if (node.isConstant(kSequenceLengths)) {
    const std::vector<std::int64_t> values = node.integers(kSequenceLengths);
    for (std::int64_t length : values) {
      if (length < 0 || length > steps) {
        fail(ErrorKind::dataError, "a sequence length ({}) is not one of 0 to {}.", length, steps);
      }
    }
    if (std::ranges::count(values, steps) == static_cast<std::ptrdiff_t>(values.size())) return std::nullopt;
  }
  return node.reshape(lengths, {batchSize, 1});
}

std::uint32_t directionsOf(NodeContext& node, Recurrence& recurrence) {
  const std::string_view direction = node.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    fail(ErrorKind::dataError, "its direction ({}) is not \"forward\", \"reverse\" or \"bidirectional\".",
         webnn::quoted(direction));
  }
  recurrence.isBackward = direction == "reverse";
  return direction == "bidirectional" ? 2 : 1;
}

void readBiases(NodeContext& node, Recurrence& recurrence) {
  const std::uint64_t size = std::uint64_t{recurrence.gates} * recurrence.hiddenSize;
  const Operand both = inputOf(node, kB, "B", {recurrence.directions, 2 * size});
  const std::vector<Operand> parts = node.builder.split(both, 2u, {.axis = 1, .label = {}});
  recurrence.bias = parts[0];
  recurrence.recurrentBias = parts[1];
}

Recurrence readRecurrence(NodeContext& node, std::uint32_t gates, std::span<const std::string_view> activations) {
  if (node.rank(kX) != 3) fail(ErrorKind::dataError, "the rank of its input X ({}) is not 3.", node.rank(kX));
  Recurrence result;
  result.input = stepsFirst(node, node.operand(kX));
  const Shape& shape = result.input.shape();
  result.gates = gates;
  result.directions = directionsOf(node, result);
  result.steps = shape[0];
  result.batchSize = shape[1];
  result.hiddenSize = hiddenSizeOf(node);
  const std::uint64_t directions = result.directions, rows = std::uint64_t{gates} * result.hiddenSize;
  result.weight = inputOf(node, kW, "W", {directions, rows, shape[2]});
  result.recurrentWeight = inputOf(node, kR, "R", {directions, rows, result.hiddenSize});
  if (node.has(kB)) readBiases(node, result);
  result.lengths = readLengths(node, result.steps, result.batchSize);
  const auto state = [&](RecurrentInput index, std::string_view name) -> std::optional<Operand> {
    if (!node.has(index)) return std::nullopt;
    std::vector<std::uint64_t> dims{directions, result.batchSize, result.hiddenSize};
    if (node.flag("layout")) std::swap(dims[0], dims[1]);
    return stepsFirst(node, inputOf(node, index, name, dims));
  };
  result.initialHidden = state(kInitialH, "initial_h");
  if (gates == 4) result.initialCell = state(kInitialC, "initial_c");
  if (gates == 4 && node.has(kP)) result.peephole = inputOf(node, kP, "P", {directions, 3 * std::uint64_t{result.hiddenSize}});
  result.activations = readActivations(node, activations, result.directions);
  if (node.find("clip")) result.clip = std::abs(node.number("clip", 0));
  return result;
}

// Returns the activations for WebNN; nullopt if WebNN lacks one or the two directions differ.
std::optional<std::vector<RecurrentNetworkActivation>> nativeActivations(const Recurrence& recurrence) {
  const std::size_t count = recurrence.activations.size() / recurrence.directions;
  std::vector<RecurrentNetworkActivation> result;
  for (std::size_t i = 0; i < recurrence.activations.size(); ++i) {
    const Activation& activation = recurrence.activations[i];
    if (!activation.function->webnn || !(activation == recurrence.activations[i % count])) return std::nullopt;
    if (i < count) result.push_back(*activation.function->webnn);
  }
  return result;
}

// Returns the options common to WebNN's lstm and gru; nullopt if WebNN lacks a feature of the node. WebNN's peepholes differ,
// too: its output gate reads the old cell state, ONNX's output gate the new one.
template <typename Options>
std::optional<Options> nativeOptions(const NodeContext& node, const Recurrence& recurrence) {
  const auto activations = nativeActivations(recurrence);
  const bool goesBeyond = recurrence.lengths || recurrence.peephole || recurrence.clip || recurrence.couplesInputAndForget;
  if (!activations || goesBeyond) return std::nullopt;
  Options options;
  options.bias = recurrence.bias;
  options.recurrentBias = recurrence.recurrentBias;
  options.initialHiddenState = recurrence.initialHidden;
  options.returnSequence = node.wants(0);
  options.direction = recurrence.directions == 2 ? RecurrentNetworkDirection::both
                      : recurrence.isBackward    ? RecurrentNetworkDirection::backward
                                                 : RecurrentNetworkDirection::forward;
  options.activations = *activations;
  return options;
}

void setResults(NodeContext& node, const RecurrenceResult& result) {
  const bool batchFirst = node.flag("layout");
  if (node.wants(0)) node.set(0, batchFirst ? node.transpose(result.sequence, {2, 0, 1, 3}) : result.sequence);
  if (node.wants(1)) node.set(1, stepsFirst(node, result.hidden));
  if (node.wants(2) && result.cell) node.set(2, stepsFirst(node, result.cell));
}

void importRnn(NodeContext& node) {
  Recurrence recurrence = readRecurrence(node, 1, kRnnActivations);
  if (recurrence.bias) {
    recurrence.bias = node.builder.add(*recurrence.bias, *recurrence.recurrentBias);
    recurrence.recurrentBias.reset();
  }
  setResults(node, unroll(node, recurrence));
}

void importGru(NodeContext& node) {
  Recurrence recurrence = readRecurrence(node, 3, kGruActivations);
  recurrence.resetAfter = node.flag("linear_before_reset");
  auto options = nativeOptions<GruOptions>(node, recurrence);
  if (!options) return setResults(node, unroll(node, recurrence));
  options->resetAfter = recurrence.resetAfter;
  const std::vector<Operand> results = node.builder.gru(recurrence.input, recurrence.weight, recurrence.recurrentWeight,
                                                        recurrence.steps, recurrence.hiddenSize, *options);
  setResults(node, {results.back(), results[0], {}});
}

void importLstm(NodeContext& node) {
  Recurrence recurrence = readRecurrence(node, 4, kLstmActivations);
  recurrence.couplesInputAndForget = node.flag("input_forget");
  auto options = nativeOptions<LstmOptions>(node, recurrence);
  if (!options) return setResults(node, unroll(node, recurrence));
  options->initialCellState = recurrence.initialCell;
  const std::vector<Operand> results = node.builder.lstm(recurrence.input, recurrence.weight, recurrence.recurrentWeight,
                                                         recurrence.steps, recurrence.hiddenSize, *options);
  setResults(node, {results.back(), results[0], results[1]});
}

}  // namespace

std::span<const OperatorImport> recurrentOperators() {
  static constexpr OperatorImport kOperators[]{{"", "GRU", importGru}, {"", "LSTM", importLstm}, {"", "RNN", importRnn}};
  return kOperators;
}

}  // namespace webnn::formats::onnx
