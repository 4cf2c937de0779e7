// Computes operators on sequences on the host, for sequences whose length depends on data: a loop that appends an element in each
// iteration, or a tensor that is split into its rows. Elements are shared, not copied.
#include <algorithm>
#include <limits>

#include "onnx/program/foreign.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

const Sequence& sequenceOf(const HostNode& node) {
  const Value& value = node.value(0);
  if (!value.sequence) fail(ErrorKind::dataError, "its input 0 is not a sequence.");
  return *value.sequence;
}

// Returns the value as an element of a sequence. Its memory counts as long as it exists, even if the tensor has no elements.
std::shared_ptr<const Value> elementOf(const HostNode& node, Value value) {
  if (value.sequence || value.isNone)
    fail(ErrorKind::dataError, "an element of a sequence is a {}; it must be a tensor or a map.",
         value.sequence ? "sequence" : "value that is absent");
  struct Element {
    MemoryCharge charge;
    Value value;
  };
  const auto owner = std::make_shared<Element>(Element{node.roomFor(1, 2 * sizeof(Element)), std::move(value)});
  return {owner, &owner->value};
}

void setSequence(HostNode& node, Sequence elements) {
  Value value;
  value.sequence = std::make_shared<Sequence>(std::move(elements));
  node.set(0, std::move(value));
}

// Reads a position in a sequence of `length` elements from input `index`. It must be from -length to count - 1; negative
// positions count from the end. The importer's sequence.cpp has the same rule.
std::ptrdiff_t placeOf(const HostNode& node, std::size_t index, std::size_t length, std::size_t count) {
  const std::int64_t given = node.integer(index), size = static_cast<std::int64_t>(length);
  if (given < -size || given >= static_cast<std::int64_t>(count))
    fail(ErrorKind::dataError, "the position [{}] is not in a sequence of {}.", given, length);
  return static_cast<std::ptrdiff_t>(given < 0 ? given + size : given);
}

void requireSameType(const Sequence& sequence, const Value& value) {
  if (sequence.empty() || typeOf(*sequence.front()) == typeOf(value)) return;
  fail(ErrorKind::dataError, "it mixes elements of {} and {}.", webnn::onnx::name(typeOf(*sequence.front())),
       webnn::onnx::name(typeOf(value)));
}

void runIdentity(HostNode& node) { node.set(0, node.valueOrNone(0)); }

void runSequenceAt(HostNode& node) {
  const Sequence& sequence = sequenceOf(node);
  node.set(0, *sequence[static_cast<std::size_t>(placeOf(node, 1, sequence.size(), sequence.size()))]);
}

void runSequenceConstruct(HostNode& node) {
  Sequence elements;
  for (std::size_t i = 0; i < node.inputCount(); ++i) {
    requireSameType(elements, node.value(i));
    elements.push_back(elementOf(node, node.value(i)));
  }
  setSequence(node, std::move(elements));
}

void runSequenceInsert(HostNode& node) {
  const Sequence& sequence = sequenceOf(node);
  requireSameType(sequence, node.value(1));
  const std::size_t size = sequence.size();
  const std::ptrdiff_t place = node.has(2) ? placeOf(node, 2, size, size + 1) : static_cast<std::ptrdiff_t>(size);
  Sequence elements = node.takeSequence();
  elements.insert(elements.begin() + place, elementOf(node, node.value(1)));
  setSequence(node, std::move(elements));
}

void runSequenceErase(HostNode& node) {
  const Sequence& sequence = sequenceOf(node);
  if (sequence.empty()) fail(ErrorKind::dataError, "an empty sequence has nothing to erase.");
  const std::size_t size = sequence.size();
  const std::ptrdiff_t place = node.has(1) ? placeOf(node, 1, size, size) : static_cast<std::ptrdiff_t>(size) - 1;
  Sequence elements = node.takeSequence();
  elements.erase(elements.begin() + place);
  setSequence(node, std::move(elements));
}

void runSequenceLength(HostNode& node) {
  node.set(0, node.makeScalar(ElementType::int64, static_cast<std::int64_t>(sequenceOf(node).size())));
}

// Returns whether elements of the type are whole bytes that can be copied.
bool areBytes(ElementType type) { return type != ElementType::string && bitsPerElement(type) >= 8; }

void runConcatFromSequence(HostNode& node) {
  const Sequence& sequence = sequenceOf(node);
  if (sequence.empty()) fail(ErrorKind::dataError, "an empty sequence has nothing to join.");
  const Value& first = *sequence.front();
  if (!areBytes(first.type)) return runForeign(node);
  const bool isNew = node.integer("new_axis", 0) != 0;
  if (!node.find("axis")) fail(ErrorKind::dataError, "the attribute \"axis\" is missing.");
  const std::size_t axis = axisOf(node, node.integer("axis", 0), first.dims.size() + (isNew ? 1 : 0));
  Dims dims = first.dims;
  if (isNew) dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  std::int64_t size = 0;
  for (const auto& element : sequence) {
    node.tick();
    Dims own = element->dims;
    if (isNew) own.insert(own.begin() + static_cast<std::ptrdiff_t>(std::min(axis, own.size())), 1);
    const std::int64_t length = own.size() > axis ? own[axis] : 0;
    if (own.size() == dims.size()) own[axis] = dims[axis];
    if (own != dims || element->type != first.type)
      fail(ErrorKind::dataError, "its elements differ in their type, or in their shape outside of the axis {}.", axis);
    if (length > std::numeric_limits<std::int64_t>::max() - size)
      fail(ErrorKind::dataError, "its elements have too many rows along the axis {}.", axis);
    size += length;
  }
  dims[axis] = size;
  std::byte* bytes = nullptr;
  Value joined = node.make(first.type, dims, bytes);
  const Extents extents(dims, axis);
  const std::size_t inner = extents.inner * elementBytes(first.type), row = extents.size * inner;
  std::size_t begin = 0;
  for (const auto& element : sequence) {
    const std::size_t part = (isNew ? 1 : static_cast<std::size_t>(element->dims[axis])) * inner;
    if (part == 0 || extents.outer == 0) continue;
    node.tick(extents.outer);
    for (std::size_t o = 0; o < extents.outer; ++o)
      std::memcpy(bytes + o * row + begin, element->bytes->bytes.data() + o * part, part);
    begin += part;
  }
  node.set(0, std::move(joined));
}

// Returns the sizes of the parts. A vector in input 1 lists them. Otherwise, all parts have the size in input 1 (1 if absent),
// except that the last part may be smaller.
std::vector<std::int64_t> sizesOfParts(const HostNode& node, std::int64_t size) {
  std::vector<std::int64_t> sizes;
  if (node.has(1) && !node.dims(1).empty()) {
    sizes = node.integers(std::size_t{1});
    std::int64_t sum = 0;
    const bool areSizes = std::ranges::all_of(sizes, [&](std::int64_t part) {
      const bool fits = part >= 0 && part <= size - sum;
      if (fits) sum += part;
      return fits;
    });
    if (!areSizes || sum != size)
      fail(ErrorKind::dataError, "the sizes of the parts [{}] do not add up to {}.", textOf(sizes), size);
    return sizes;
  }
  const std::int64_t part = node.has(1) ? node.integer(std::size_t{1}) : 1;
  if (part < 1) fail(ErrorKind::dataError, "the size of a part ({}) is not positive.", part);
  node.takeRoom(static_cast<std::size_t>(size / part) + 1, sizeof(std::int64_t));
  sizes.assign(static_cast<std::size_t>(size / part), part);
  if (size % part != 0) sizes.push_back(size % part);
  return sizes;
}

void runSplitToSequence(HostNode& node) {
  const Value& value = node.value(0);
  if (!areBytes(value.type)) return runForeign(node);
  const std::size_t axis = axisOf(node, node.integer("axis", 0), value.dims.size());
  const bool drops = !node.has(1) && node.integer("keepdims", 1) == 0;
  const Extents extents(value.dims, axis);
  const std::size_t inner = extents.inner * elementBytes(value.type);
  Sequence parts;
  std::size_t begin = 0;
  for (const std::int64_t size : sizesOfParts(node, value.dims[axis])) {
    Dims dims = value.dims;
    dims[axis] = size;
    if (drops) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    std::byte* bytes = nullptr;
    Value part = node.make(value.type, std::move(dims), bytes);
    const std::size_t length = static_cast<std::size_t>(size) * inner;
    for (std::size_t o = 0; o < extents.outer && length > 0; ++o) {
      node.tick();
      std::memcpy(bytes + o * length, value.bytes->bytes.data() + o * extents.size * inner + begin, length);
    }
    begin += length;
    parts.push_back(elementOf(node, std::move(part)));
  }
  setSequence(node, std::move(parts));
}

}  // namespace

std::span<const HostOperator> sequenceSteps() {
  static constexpr HostOperator kSteps[]{{"", "ConcatFromSequence", runConcatFromSequence, true},
                                         {"", "Identity", runIdentity},
                                         {"", "SequenceAt", runSequenceAt},
                                         {"", "SequenceConstruct", runSequenceConstruct},
                                         {"", "SequenceErase", runSequenceErase},
                                         {"", "SequenceInsert", runSequenceInsert},
                                         {"", "SequenceLength", runSequenceLength},
                                         {"", "SplitToSequence", runSplitToSequence, true}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
