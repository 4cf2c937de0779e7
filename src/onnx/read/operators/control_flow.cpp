// Imports If, Loop and Scan. WebNN has no subgraphs, so branches are inlined and loops are unrolled.
#include <algorithm>
#include <limits>

#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

ImportedValue truth() {
  static constexpr std::uint8_t kTrue = 1;
  return {ElementType::boolean, {}, {}, ExternalBytes{std::as_bytes(std::span(&kTrue, 1)), {}}};
}

// Returns the value of a constant condition. Throws Unsupported if it is not a constant with one element.
bool isTrue(const NodeContext& node, const ImportedValue& value, std::string_view what) {
  const std::vector<std::int64_t> elements = node.integers(value, what);
  node.require(elements.size() == 1, "{} is not a single one", what);
  return elements[0] != 0;
}

void requireOutputs(const Graph& graph, std::size_t least, std::string_view what) {
  if (graph.outputs.size() >= least) return;
  fail(ErrorKind::dataError, "its {} has {} outputs where {} are expected.", what, graph.outputs.size(), least);
}

// Throws Unsupported if `count` iterations are too many to unroll.
void requireFew(const NodeContext& node, std::int64_t count) {
  const auto most = static_cast<std::int64_t>(node.limits().iterations);
  node.require(count <= most, "it has more than {} iterations, and WebNN has no loops", most);
}

bool haveSameForm(const ImportedValue& a, const ImportedValue& b) {
  if (!a.sequence || !b.sequence) return !a.sequence && !b.sequence && a.type == b.type && a.dims == b.dims;
  return std::ranges::equal(*a.sequence, *b.sequence, [](const auto& x, const auto& y) { return haveSameForm(*x, *y); });
}

// Selects one of two values of equal type and shape by a condition computed at run time.
ImportedValue select(NodeContext& node, const Operand& condition, const ImportedValue& trueValue,
                     const ImportedValue& falseValue) {
  if (trueValue.sequence) {
    node.walk(trueValue.sequence->size() * sizeof(ImportedValue));
    Sequence chosen;
    for (std::size_t i = 0; i < trueValue.sequence->size(); ++i) {
      ImportedValue value = select(node, condition, *(*trueValue.sequence)[i], *(*falseValue.sequence)[i]);
      chosen.push_back(std::make_shared<const ImportedValue>(std::move(value)));
    }
    return {{}, {}, {}, {}, std::make_shared<Sequence>(std::move(chosen))};
  }
  if (trueValue.isEmpty()) return trueValue;
  const Operand result = node.builder.where(condition, node.operand(trueValue), node.operand(falseValue));
  return {trueValue.type, trueValue.dims, result, {}};
}

// If the condition is not a constant, computes both branches and selects the results. In a part (part.h), throws Unsupported
// instead.
void importIf(NodeContext& node) {
  constexpr std::string_view kCondition = "the condition";
  const auto import = [&](std::string_view branch) {
    const Graph& graph = node.graph(branch);
    requireOutputs(graph, node.outputCount(), branch);
    return node.importSubgraph(graph, {});
  };
  if (node.isPart())
    (void)node.integers(0);  // throws Unsupported unless the condition is known, so that only one branch is built
  if (node.isConstant(0)) {
    std::vector<ImportedValue> results = import(isTrue(node, node.value(0), kCondition) ? "then_branch" : "else_branch");
    for (std::size_t i = 0; i < node.outputCount(); ++i) node.set(i, std::move(results[i]));
    return;
  }
  const Operand condition = node.reshape(node.operand(0), {});
  std::vector<ImportedValue> trueValues, falseValues;
  try {
    trueValues = import("then_branch"), falseValues = import("else_branch");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::dataError) throw;
    (void)node.integers(0);  // throws Unsupported if the condition is unknown: the branch that failed may not be taken
  }
  for (std::size_t i = 0; i < node.outputCount(); ++i) {
    if (!node.wants(i)) continue;
    // throws Unsupported if types or shapes differ: WebNN's `where` cannot select between them, so the condition must be known
    if (!haveSameForm(trueValues[i], falseValues[i])) (void)node.integers(0);
    node.set(i, select(node, condition, trueValues[i], falseValues[i]));
  }
}

Dims without(Dims dims, std::size_t axis) {
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  return dims;
}

// Converts dimensions that are known to fit WebNN's limits.
Shape plainShape(const Dims& dims) { return {dims.begin(), dims.end()}; }

// Returns the slices of a value along an axis, without that axis: [2, 3] along axis 0 -> two slices [3].
std::vector<ImportedValue> slicesOf(NodeContext& node, const ImportedValue& value, std::size_t axis) {
  const Operand operand = node.operand(value);
  const Dims dims = without(value.dims, axis);
  std::vector<ImportedValue> slices;
  for (const Operand& part :
       node.builder.split(operand, operand.shape()[axis], {.axis = static_cast<std::uint32_t>(axis), .label = {}})) {
    slices.push_back({value.type, dims, node.reshape(part, plainShape(dims)), {}});
  }
  return slices;
}

// Stacks values of one shape along a new axis. If there are no values, the new axis has size 0, and `form` gives the type and the
// shape of a value; its dimensions without a fixed size become 0.
ImportedValue stacked(NodeContext& node, const std::vector<ImportedValue>& values, std::int64_t axis, const ValueInfo& form) {
  Dims dims;
  if (values.empty()) {
    node.require(form.shape.has_value(), "it runs no iteration, and the shape of its result {} is not known",
                 webnn::quoted(form.name));
    for (const Dimension& dimension : *form.shape) dims.push_back(std::max<std::int64_t>(0, dimension.value.value_or(0)));
  } else {
    dims = values[0].dims;
  }
  const std::uint32_t place = node.axis(axis, dims.size() + 1);
  dims.insert(dims.begin() + place, 1);
  std::vector<Operand> parts;
  for (const ImportedValue& value : values) {
    if (!value.isEmpty()) parts.push_back(node.reshape(node.operand(value), plainShape(dims)));
  }
  dims[place] = static_cast<std::int64_t>(values.size());
  if (parts.empty()) return emptyValue(values.empty() ? form.type : values[0].type, std::move(dims));
  node.require(parts.size() == values.size(), "the shape of its result {} changes", webnn::quoted(form.name));
  return {values[0].type, std::move(dims), parts.size() == 1 ? parts[0] : node.builder.concat(parts, place), {}};
}

// Unrolls a Loop. The condition may be computed at run time only if the iteration count is bounded and the loop has no scan
// outputs. Iterations after the loop's end then leave the values unchanged.
class Loop {
 public:
  explicit Loop(NodeContext& node) : node_(node), body_(node.graph("body")) {
    for (std::size_t i = 2; i < node.inputCount(); ++i) states_.push_back(node.tensorOrSequence(i));
    requireOutputs(body_, 1 + states_.size(), "body");
    scans_.resize(body_.outputs.size() - 1 - states_.size());
    limit_ = node.has(0) ? iterationLimit() : std::numeric_limits<std::int64_t>::max();
    condition_ = node.has(1) ? node.value(1) : truth();
  }

  void run() {
    for (std::int64_t i = 0; i < limit_ && !isOver(); ++i) {
      requireFew(node_, i + 1);
      iterate(i);
    }
    requireOutputs(body_, 1 + node_.outputCount(), "body");
    for (std::size_t i = 0; i < states_.size(); ++i) node_.set(i, states_[i]);
    for (std::size_t i = 0; i < scans_.size(); ++i) {
      node_.set(states_.size() + i, stacked(node_, scans_[i], 0, body_.outputs[1 + states_.size() + i]));
    }
  }

 private:
  static constexpr std::string_view kCondition = "the condition of the loop";

  std::int64_t iterationLimit() const {
    const std::vector<std::int64_t> limit = node_.integers(0);
    node_.require(limit.size() == 1, "its number of iterations is not a single one");
    return limit[0];
  }

  bool isKnown() const { return node_.isConstant(condition_); }
  bool isOver() const { return isKnown() && !isTrue(node_, condition_, kCondition); }

  void iterate(std::int64_t index) {
    const bool hasBound = scans_.empty() && limit_ <= static_cast<std::int64_t>(node_.limits().iterations);
    if (!isKnown() && !hasBound) (void)node_.integers(condition_, kCondition);
    ImportedValue number = node_.integersValue({&index, 1});
    number.dims.clear();
    std::vector<ImportedValue> inputs{std::move(number), condition_};
    inputs.insert(inputs.end(), states_.begin(), states_.end());
    const std::vector<ImportedValue> results = node_.importSubgraph(body_, std::move(inputs));
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = next(states_[i], results[1 + i]);
    for (std::size_t i = 0; i < scans_.size(); ++i) scans_[i].push_back(results[1 + states_.size() + i]);
    advance(results[0]);
  }

  ImportedValue next(const ImportedValue& before, const ImportedValue& after) {
    if (isKnown()) return after;
    if (!haveSameForm(before, after)) (void)node_.integers(condition_, kCondition);
    return select(node_, node_.reshape(node_.operand(condition_), {}), after, before);
  }

  // Sets the condition of the next iteration to (all earlier conditions) AND (the body's condition). Unrolled iterations run even
  // after the loop's end, so a condition that became true again would otherwise continue the loop.
  void advance(const ImportedValue& condition) {
    if (isKnown() || (node_.isConstant(condition) && !isTrue(node_, condition, kCondition))) {
      condition_ = condition;
    } else if (!node_.isConstant(condition)) {
      const Operand both = node_.builder.logicalAnd(node_.operand(condition_), node_.operand(condition));
      condition_ = {ElementType::boolean, {both.shape().begin(), both.shape().end()}, both, {}};
    }
  }

  NodeContext& node_;
  const Graph& body_;
  std::vector<ImportedValue> states_;
  std::vector<std::vector<ImportedValue>> scans_;
  std::int64_t limit_ = 0;
  ImportedValue condition_;
};

void importLoop(NodeContext& node) { Loop(node).run(); }

// Returns an attribute with one integer for each of `count` inputs or outputs; zeros if absent.
std::vector<std::int64_t> optionsOf(const NodeContext& node, std::string_view name, std::size_t count) {
  std::vector<std::int64_t> options = node.integers(name).value_or(std::vector<std::int64_t>(count));
  if (options.size() == count) return options;
  fail(ErrorKind::dataError, "its attribute {} has {} elements, not {}.", name, options.size(), count);
}

// Stores the length of an input sequence in `length`, which is -1 before the first sequence. Throws DataError if the lengths
// differ, Unsupported if the length is 0 or length * batches is too many iterations to unroll.
void requireLength(const NodeContext& node, const ImportedValue& input, std::size_t axis, std::int64_t& length,
                   std::int64_t batches) {
  const std::int64_t own = input.dims[axis];
  if (length >= 0 && own != length) fail(ErrorKind::dataError, "its sequences have different lengths ({} and {}).", length, own);
  length = own;
  node.require(length >= 1, "WebNN has no empty tensors");
  requireFew(node, length);
  requireFew(node, length * batches);
}

struct ScanForm {
  const Graph& body;
  std::size_t stateCount, scanCount, outputCount;  // `outputCount` counts outputs that are not states
  std::vector<std::int64_t> inputAxes, inputDirections, outputAxes, outputDirections;
};

ScanForm scanForm(const NodeContext& node, std::size_t inputCount) {
  const Graph& body = node.graph("body");
  const std::int64_t given = node.integer("num_scan_inputs", 0);
  if (given < 1 || given > static_cast<std::int64_t>(inputCount)) {
    fail(ErrorKind::dataError, "num_scan_inputs ({}) is not between 1 and {}.", given, inputCount);
  }
  const auto scanCount = static_cast<std::size_t>(given), stateCount = inputCount - scanCount;
  requireOutputs(body, std::max(stateCount, node.outputCount()), "body");
  const std::size_t outputCount = body.outputs.size() - stateCount;
  const std::string_view directions = node.version < 9 ? "directions" : "scan_input_directions";
  return {body,
          stateCount,
          scanCount,
          outputCount,
          optionsOf(node, "scan_input_axes", scanCount),
          optionsOf(node, directions, scanCount),
          optionsOf(node, "scan_output_axes", outputCount),
          optionsOf(node, "scan_output_directions", outputCount)};
}

// Unrolls a Scan without a batch dimension: imports its body once per step. Takes states, then sequences; returns final states,
// then output sequences.
std::vector<ImportedValue> scanOnce(NodeContext& node, const ScanForm& form, std::vector<ImportedValue> inputs,
                                    std::int64_t batches) {
  std::int64_t length = -1;
  std::vector<std::vector<ImportedValue>> slices;
  for (std::size_t i = 0; i < form.scanCount; ++i) {
    const ImportedValue& sequence = inputs[form.stateCount + i];
    const std::uint32_t axis = node.axis(form.inputAxes[i], sequence.dims.size());
    requireLength(node, sequence, axis, length, batches);
    slices.push_back(slicesOf(node, sequence, axis));
    if (form.inputDirections[i] != 0) std::ranges::reverse(slices.back());
  }
  std::vector<ImportedValue> states(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(form.stateCount));
  std::vector<std::vector<ImportedValue>> scans(form.outputCount);
  for (std::size_t step = 0; step < static_cast<std::size_t>(length); ++step) {
    std::vector<ImportedValue> arguments = states;
    for (const std::vector<ImportedValue>& slice : slices) arguments.push_back(slice[step]);
    const std::vector<ImportedValue> results = node.importSubgraph(form.body, std::move(arguments));
    states.assign(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(form.stateCount));
    for (std::size_t i = 0; i < form.outputCount; ++i) scans[i].push_back(results[form.stateCount + i]);
  }
  std::vector<ImportedValue> results = std::move(states);
  for (std::size_t i = 0; i < form.outputCount; ++i) {
    if (form.outputDirections[i] != 0) std::ranges::reverse(scans[i]);
    results.push_back(stacked(node, scans[i], form.outputAxes[i], form.body.outputs[form.stateCount + i]));
  }
  return results;
}

// In version 8 of Scan, dimension 0 of all values is the batch, and input 0 holds the sequence lengths.
std::vector<ImportedValue> scanBatches(NodeContext& node) {
  std::vector<std::vector<ImportedValue>> inputs;  // inputs of each batch element
  for (std::size_t i = 1; i < node.inputCount(); ++i) {
    const ImportedValue& value = node.value(i);
    if (value.dims.empty() || (i > 1 && value.dims[0] != std::ssize(inputs))) {
      fail(ErrorKind::dataError, "its input {} has no batch dimension like others.", i);
    }
    requireFew(node, value.dims[0]);
    std::vector<ImportedValue> slices = slicesOf(node, value, 0);
    inputs.resize(slices.size());
    for (std::size_t batch = 0; batch < slices.size(); ++batch) inputs[batch].push_back(std::move(slices[batch]));
  }
  const ScanForm form = scanForm(node, node.inputCount() - 1);
  if (node.has(0)) {
    const Dims& dims = node.value(node.inputCount() - 1).dims;
    const std::int64_t longest = dims[node.axis(1, dims.size())];
    const std::vector<std::int64_t> lengths = node.integers(0);
    node.require(std::ranges::count(lengths, longest) == std::ssize(lengths),
                 "its sequences have different lengths, and WebNN's shapes are static");
  }
  std::vector<std::vector<ImportedValue>> results(form.body.outputs.size());
  for (std::vector<ImportedValue>& batch : inputs) {
    std::vector<ImportedValue> one = scanOnce(node, form, std::move(batch), std::ssize(inputs));
    for (std::size_t i = 0; i < results.size(); ++i) results[i].push_back(std::move(one[i]));
  }
  std::vector<ImportedValue> all;
  for (std::size_t i = 0; i < results.size(); ++i) all.push_back(stacked(node, results[i], 0, form.body.outputs[i]));
  return all;
}

std::vector<ImportedValue> scanSequence(NodeContext& node) {
  std::vector<ImportedValue> inputs;
  for (std::size_t i = 0; i < node.inputCount(); ++i) inputs.push_back(node.value(i));
  return scanOnce(node, scanForm(node, inputs.size()), inputs, 1);
}

void importScan(NodeContext& node) {
  std::vector<ImportedValue> results = node.version < 9 ? scanBatches(node) : scanSequence(node);
  for (std::size_t i = 0; i < node.outputCount(); ++i) node.set(i, std::move(results[i]));
}

// ONNX represents an optional that has a value by the value itself (a tensor or a sequence). The operators below therefore only
// test whether the input is present, or return it.

void importOptionalHasElement(NodeContext& node) {
  const double has = node.has(0) ? 1 : 0;
  node.set(0, valueOf(node, ElementType::boolean, {}, {&has, 1}));
}

void importOptionalGetElement(NodeContext& node) { node.set(0, node.tensorOrSequence(0)); }

void importOptional(NodeContext& node) {
  node.require(node.has(0), "WebNN has no optional values");
  importOptionalGetElement(node);
}

}  // namespace

std::span<const OperatorImport> controlFlowOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "If", importIf, true},
      {"", "Loop", importLoop, true},
      {"", "Scan", importScan, true},
      {"", "Optional", importOptional, true},
      {"", "OptionalHasElement", importOptionalHasElement},
      {"", "OptionalGetElement", importOptionalGetElement, true},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
