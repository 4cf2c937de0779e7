// Runs If, Loop, Optional and Scan on the host, for example branches and loops whose conditions the model computes.
#include <algorithm>
#include <iterator>
#include <limits>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

bool isTrue(const Value& value) {
  if (value.sequence || value.isNone || value.type != ElementType::boolean || !value.bytes || value.bytes->bytes.size() != 1)
    fail(ErrorKind::dataError, "a condition is not a single boolean.");
  return value.bytes->bytes[0] != std::byte{0};
}

// Returns the slice of a value at index `i` along an axis, without that axis.
Value sliceOf(const HostNode& node, const Value& value, std::size_t axis, std::size_t i) {
  const Extents extents(value.dims, axis);
  Dims dims = value.dims;
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  if (value.strings) {
    StringList strings(node, elementCount(dims));
    for (std::size_t o = 0; o < extents.outer; ++o) {
      for (std::size_t k = 0; k < extents.inner; ++k) strings.add((*value.strings)[(o * extents.size + i) * extents.inner + k]);
    }
    return node.makeStrings(std::move(dims), std::move(strings));
  }
  const std::size_t inner = extents.inner * elementBytes(value.type);
  std::byte* bytes = nullptr;
  Value slice = node.make(value.type, std::move(dims), bytes);
  for (std::size_t o = 0; o < extents.outer; ++o)
    std::memcpy(bytes + o * inner, value.bytes->bytes.data() + (o * extents.size + i) * inner, inner);
  return slice;
}

// Stacks values of equal shape along a new axis. If there are no values, the new axis has size 0, and `form` gives the element
// type and shape of a value; a dimension of `form` without a fixed size becomes 0.
Value stackOf(const HostNode& node, const std::vector<Value>& values, std::int64_t axis, const ValueInfo& form) {
  Dims dims;
  ElementType type = form.type;
  if (values.empty()) {
    if (form.shape) {
      for (const Dimension& dimension : *form.shape) dims.push_back(std::max<std::int64_t>(0, dimension.value.value_or(0)));
    }
  } else {
    dims = values[0].dims;
    type = values[0].type;
  }
  for (const Value& value : values) {
    if (value.sequence || value.isNone || value.dims != dims || value.type != type)
      fail(ErrorKind::dataError, "the shape of its result {} changes.", webnn::quoted(form.name));
  }
  const std::size_t place = axisOf(node, axis, dims.size() + 1);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(place), static_cast<std::int64_t>(values.size()));
  const Extents extents(dims, place);
  if (type == ElementType::string) {
    StringList strings(node, elementCount(dims));
    for (std::size_t o = 0; o < extents.outer; ++o) {
      for (const Value& value : values) {
        for (std::size_t k = 0; k < extents.inner; ++k) strings.add((*value.strings)[o * extents.inner + k]);
      }
    }
    return node.makeStrings(std::move(dims), std::move(strings));
  }
  std::byte* bytes = nullptr;
  Value stacked = node.make(type, std::move(dims), bytes);
  const std::size_t inner = extents.inner * elementBytes(type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t o = 0; o < extents.outer; ++o)
      std::memcpy(bytes + (o * values.size() + i) * inner, values[i].bytes->bytes.data() + o * inner, inner);
  }
  return stacked;
}

void requireOutputsOf(const Graph& body, std::size_t least) {
  if (body.outputs.size() < least)
    fail(ErrorKind::dataError, "the subgraph {} has {} outputs, not {}.", webnn::quoted(body.name), body.outputs.size(), least);
}

void runIf(HostNode& node) { node.results = node.runBody(node.graph(isTrue(node.value(0)) ? "then_branch" : "else_branch"), {}); }

// An Optional without an input has no value.
void runOptional(HostNode& node) { node.set(0, node.valueOrNone(0)); }

void runLoop(HostNode& node) {
  const Graph& body = node.graph("body");
  const std::int64_t limit = node.has(0) ? node.integer(std::size_t{0}) : std::numeric_limits<std::int64_t>::max();
  Value condition = node.has(1) ? node.value(1) : node.makeScalar(ElementType::boolean, std::uint8_t{1});
  std::vector<Value> states;
  for (std::size_t i = 2; i < node.inputCount(); ++i) states.push_back(node.valueOrNone(i));
  requireOutputsOf(body, 1 + states.size());
  std::vector<std::vector<Value>> scans(body.outputs.size() - 1 - states.size());
  for (std::int64_t i = 0; i < limit && isTrue(condition); ++i) {
    node.takeRoom(scans.size(), sizeof(Value));
    std::vector<Value> inputs{node.makeScalar(ElementType::int64, i), condition};
    std::ranges::move(states, std::back_inserter(inputs));  // moved, so that takeSequence() need not copy the elements
    std::vector<Value> results = node.runBody(body, std::move(inputs));
    condition = results[0];
    std::move(results.begin() + 1, results.begin() + 1 + std::ssize(states), states.begin());
    for (std::size_t s = 0; s < scans.size(); ++s) scans[s].push_back(std::move(results[1 + states.size() + s]));
  }
  for (std::size_t s = 0; s < scans.size(); ++s)
    states.push_back(stackOf(node, scans[s], 0, body.outputs[body.outputs.size() - scans.size() + s]));
  node.results = std::move(states);
}

void runScan(HostNode& node) {
  if (node.version < 9) fail(ErrorKind::notSupportedError, "Scan of opset 8 is not supported.");
  const Graph& body = node.graph("body");
  const std::int64_t given = node.integer("num_scan_inputs", 0);
  if (given < 1 || given > static_cast<std::int64_t>(node.inputCount()))
    fail(ErrorKind::dataError, "num_scan_inputs ({}) is not between 1 and {}.", given, node.inputCount());
  const auto scanCount = static_cast<std::size_t>(given), stateCount = node.inputCount() - scanCount;
  requireOutputsOf(body, stateCount);
  const std::size_t outputCount = body.outputs.size() - stateCount;
  const auto optionsOf = [&](std::string_view name, std::size_t count) {
    std::vector<std::int64_t> options = node.integers(name);
    options.resize(std::max(count, options.size()));
    return options;
  };
  const auto inputAxes = optionsOf("scan_input_axes", scanCount), inputDirections = optionsOf("scan_input_directions", scanCount),
             outputAxes = optionsOf("scan_output_axes", outputCount),
             outputDirections = optionsOf("scan_output_directions", outputCount);
  std::vector<Value> states;
  for (std::size_t i = 0; i < stateCount; ++i) states.push_back(node.value(i));
  std::vector<std::size_t> axes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < scanCount; ++i) {
    const Dims& dims = node.dims(stateCount + i);
    axes.push_back(axisOf(node, inputAxes[i], dims.size()));
    const auto own = static_cast<std::size_t>(dims[axes[i]]);
    if (i > 0 && own != length) fail(ErrorKind::dataError, "its sequences have different lengths ({} and {}).", length, own);
    length = own;
  }
  std::vector<std::vector<Value>> scans(outputCount);
  for (std::size_t step = 0; step < length; ++step) {
    node.takeRoom(outputCount, sizeof(Value));
    std::vector<Value> inputs = states;
    for (std::size_t i = 0; i < scanCount; ++i)
      inputs.push_back(sliceOf(node, node.value(stateCount + i), axes[i], inputDirections[i] != 0 ? length - 1 - step : step));
    std::vector<Value> results = node.runBody(body, std::move(inputs));
    std::move(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(stateCount), states.begin());
    for (std::size_t i = 0; i < outputCount; ++i) scans[i].push_back(std::move(results[stateCount + i]));
  }
  for (std::size_t i = 0; i < outputCount; ++i) {
    if (outputDirections[i] != 0) std::ranges::reverse(scans[i]);
    states.push_back(stackOf(node, scans[i], outputAxes[i], body.outputs[stateCount + i]));
  }
  node.results = std::move(states);
}

}  // namespace

std::span<const HostOperator> controlFlowSteps() {
  static constexpr HostOperator kSteps[]{
      {"", "If", runIf, true}, {"", "Loop", runLoop, true}, {"", "Optional", runOptional}, {"", "Scan", runScan, true}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
