// Sequences of tensors, which WebNN lacks: lengths and positions must be known when the graph is built.
#include <algorithm>

#include "onnx/read/compose.h"
#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

std::shared_ptr<const ImportedValue> shared(ImportedValue value) {
  return std::make_shared<const ImportedValue>(std::move(value));
}

void setSequence(NodeContext& node, std::size_t index, Sequence elements) {
  node.walk(elements.size() * sizeof(Sequence::value_type));
  ImportedValue value;
  value.sequence = std::make_shared<Sequence>(std::move(elements));
  node.set(index, std::move(value));
}

// Reads a position in a sequence of `length` elements from input `index`. Negative positions count from the end. Throws DataError
// unless the position is from -length to count - 1.
std::ptrdiff_t placeOf(const NodeContext& node, std::size_t index, std::size_t length, std::size_t count) {
  const std::vector<std::int64_t> given = node.integers(index);
  const auto size = static_cast<std::int64_t>(length);
  if (given.size() != 1 || given[0] < -size || given[0] >= static_cast<std::int64_t>(count)) {
    fail(ErrorKind::dataError, "the position [{}] is not in a sequence of {}.", textOf(given), length);
  }
  return static_cast<std::ptrdiff_t>(given[0] < 0 ? given[0] + size : given[0]);
}

void importSequenceConstruct(NodeContext& node) {
  Sequence elements;
  for (std::size_t i = 0; i < node.inputCount(); ++i) elements.push_back(shared(node.value(i)));
  setSequence(node, 0, std::move(elements));
}

void importSequenceEmpty(NodeContext& node) { setSequence(node, 0, {}); }

void importSequenceAt(NodeContext& node) {
  const Sequence& sequence = node.sequence(0);
  node.set(0, *sequence[static_cast<std::size_t>(placeOf(node, 1, sequence.size(), sequence.size()))]);
}

void importSequenceInsert(NodeContext& node) {
  Sequence elements = node.sequence(0);
  const std::size_t size = elements.size();
  const std::ptrdiff_t place = node.has(2) ? placeOf(node, 2, size, size + 1) : static_cast<std::ptrdiff_t>(size);
  elements.insert(elements.begin() + place, shared(node.value(1)));
  setSequence(node, 0, std::move(elements));
}

void importSequenceErase(NodeContext& node) {
  Sequence elements = node.sequence(0);
  if (elements.empty()) fail(ErrorKind::dataError, "an empty sequence has nothing to erase.");
  const auto last = static_cast<std::ptrdiff_t>(elements.size()) - 1;
  elements.erase(elements.begin() + (node.has(1) ? placeOf(node, 1, elements.size(), elements.size()) : last));
  setSequence(node, 0, std::move(elements));
}

void importSequenceLength(NodeContext& node) {
  const auto length = static_cast<std::int64_t>(node.sequence(0).size());
  ImportedValue value = node.integersValue({&length, 1});
  value.dims.clear();
  node.set(0, value);
}

ImportedValue reshaped(NodeContext& node, const ImportedValue& value, Dims dims) {
  if (value.isEmpty()) return emptyValue(value.type, std::move(dims));
  if (value.bytes) return {value.type, std::move(dims), {}, value.bytes};
  const Operand result = node.reshape(node.operand(value), shapeOf(node, dims));
  return {value.type, std::move(dims), result};
}

void importConcatFromSequence(NodeContext& node) {
  const Sequence& sequence = node.sequence(0);
  if (sequence.empty()) fail(ErrorKind::dataError, "an empty sequence has nothing to join.");
  std::vector<ImportedValue> values;
  for (const auto& element : sequence) {
    Dims dims = element->dims;
    if (node.flag("new_axis")) dims.insert(dims.begin() + node.axis(requiredInteger(node, "axis"), dims.size() + 1), 1);
    values.push_back(dims == element->dims ? *element : reshaped(node, *element, std::move(dims)));
  }
  node.walk(values.size() * sizeof(ImportedValue));
  node.set(0, node.call("", "Concat", std::move(values)));
}

// Returns the sizes of the parts. A vector in input 1 lists them. Otherwise, all parts have the size in input 1 (1 if absent),
// except that the last part may be smaller.
Dims sizesOfParts(const NodeContext& node, std::int64_t size) {
  if (node.has(1) && !node.value(1).dims.empty()) return node.integers(1);
  const std::int64_t part = node.has(1) ? node.integers(1).at(0) : 1;
  if (part < 1) fail(ErrorKind::dataError, "the size of a part ({}) is not positive.", part);
  node.spend(static_cast<std::uint64_t>(size / part));
  Dims sizes(static_cast<std::size_t>(size / part), part);
  if (size % part != 0) sizes.push_back(size % part);
  return sizes;
}

void importSplitToSequence(NodeContext& node) {
  const ImportedValue& value = node.value(0);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), value.dims.size());
  const Dims sizes = sizesOfParts(node, value.dims[axis]);
  constexpr std::size_t kMostParts = 4096;  // a session splits a tensor into more parts without a graph
  if (sizes.size() > kMostParts) node.unsupported("more than {} parts", kMostParts);
  const bool drops = !node.has(1) && !node.flag("keepdims", true);
  std::int64_t start = 0;
  Sequence parts;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > value.dims[axis] - start) break;
    ImportedValue part{value.type, value.dims, {}};
    part.dims[axis] = size;
    if (part.isEmpty()) {
      part = emptyValue(part.type, part.dims);
    } else {
      part.operand = sliceAxis(node, node.operand(0), axis, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(size));
    }
    start += size;
    Dims dims = part.dims;
    if (drops) dims.erase(dims.begin() + axis);
    parts.push_back(shared(drops ? reshaped(node, part, std::move(dims)) : std::move(part)));
  }
  if (start != value.dims[axis] || parts.size() != sizes.size()) {
    fail(ErrorKind::dataError, "the sizes of the parts [{}] do not add up to {}.", textOf(sizes), value.dims[axis]);
  }
  setSequence(node, 0, std::move(parts));
}

// Imports the body once per position of the sequences. Inputs that are not sequences are the same for all positions.
void importSequenceMap(NodeContext& node) {
  const Graph& body = node.graph("body");
  const std::size_t length = node.sequence(0).size();
  std::vector<Sequence> results(body.outputs.size());
  for (std::size_t place = 0; place < length; ++place) {
    std::vector<ImportedValue> inputs;
    for (std::size_t i = 0; i < node.inputCount(); ++i) {
      const ImportedValue& value = node.tensorOrSequence(i);
      if (value.sequence && value.sequence->size() != length) {
        fail(ErrorKind::dataError, "its sequences have {} and {} elements.", length, value.sequence->size());
      }
      inputs.push_back(value.sequence ? *(*value.sequence)[place] : value);
    }
    std::vector<ImportedValue> values = node.importSubgraph(body, std::move(inputs));
    for (std::size_t i = 0; i < results.size(); ++i) results[i].push_back(shared(std::move(values[i])));
  }
  for (std::size_t i = 0; i < results.size(); ++i) setSequence(node, i, std::move(results[i]));
}

}  // namespace

std::span<const OperatorImport> sequenceOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "ConcatFromSequence", importConcatFromSequence, true},
      {"", "SequenceAt", importSequenceAt},
      {"", "SequenceConstruct", importSequenceConstruct, true},
      {"", "SequenceEmpty", importSequenceEmpty},
      {"", "SequenceErase", importSequenceErase},
      {"", "SequenceInsert", importSequenceInsert, true},
      {"", "SequenceLength", importSequenceLength},
      {"", "SequenceMap", importSequenceMap, true},
      {"", "SplitToSequence", importSplitToSequence, true},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
