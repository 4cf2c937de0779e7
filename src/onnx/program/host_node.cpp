#include "onnx/program/host_node.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/checked.h"
#include "onnx/program/elements.h"

namespace webnn::formats::onnx {

namespace {

// Returns elements * bytes. Throws DataError above 1 TiB, which can only be an error of the model.
std::size_t requireSense(std::size_t elements, std::size_t bytes) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
  const auto size = checkedMul(elements, bytes);
  if (!size || *size > kMostBytes) fail(ErrorKind::dataError, "it would have {} elements.", elements);
  return static_cast<std::size_t>(*size);
}

}  // namespace

std::size_t elementBytes(ElementType type) {
  const unsigned bits = webnn::onnx::bitsPerElement(type);
  if (bits < 8) fail(ErrorKind::notSupportedError, "the host does not compute elements of type {}.", webnn::onnx::name(type));
  return bits / 8;
}

std::size_t elementCount(const Dims& dims) {
  const auto count = countOf(dims);
  if (!count) fail(ErrorKind::dataError, "a tensor [{}] has too many elements.", textOf(dims));
  return static_cast<std::size_t>(*count);
}

Extents::Extents(const Dims& dims, std::size_t axis) : size(static_cast<std::size_t>(dims[axis])) {
  if (elementCount(dims) == 0) outer = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d != axis) (d < axis ? outer : inner) *= static_cast<std::size_t>(dims[d]);
  }
}

std::size_t axisOf(const HostNode&, std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) fail(ErrorKind::dataError, "the axis ({}) is not one of a tensor of rank {}.", axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

const Value& HostNode::value(std::size_t index) const {
  if (!has(index)) fail(ErrorKind::dataError, "its input {} is absent.", index);
  return *inputs_[index];
}

const Value& HostNode::valueOrNone(std::size_t index) const {
  static const Value kNone = [] {
    Value none;
    none.isNone = true;
    return none;
  }();
  return has(index) ? *inputs_[index] : kNone;
}

std::vector<double> HostNode::numbers(std::size_t index) const {
  const Value& input = value(index);
  takeRoom(elementCount(input.dims), sizeof(double));
  return toNumbers(input.type, input.bytes ? input.bytes->bytes : std::span<const std::byte>(), elementCount(input.dims));
}

std::vector<std::int64_t> HostNode::integers(std::size_t index) const {
  const Value& input = value(index);
  takeRoom(elementCount(input.dims), sizeof(std::int64_t));
  return toIntegers(input.type, input.bytes ? input.bytes->bytes : std::span<const std::byte>(), elementCount(input.dims));
}

std::int64_t HostNode::integer(std::size_t index) const {
  const std::vector<std::int64_t> elements = integers(index);
  if (elements.size() != 1) fail(ErrorKind::dataError, "its input {} has {} elements, not 1.", index, elements.size());
  return elements[0];
}

const std::vector<std::string>& HostNode::strings(std::size_t index) const {
  const Value& input = value(index);
  if (!input.strings) fail(ErrorKind::dataError, "its input {} is of {}, not of strings.", index, webnn::onnx::name(input.type));
  return *input.strings;
}

const Attribute* HostNode::find(std::string_view name) const {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::int64_t HostNode::integer(std::string_view name, std::int64_t absent) const {
  const Attribute* const attribute = find(name);
  return attribute ? attribute->i : absent;
}

double HostNode::number(std::string_view name, double absent) const {
  const Attribute* const attribute = find(name);
  return attribute ? static_cast<double>(attribute->f) : absent;
}

std::string_view HostNode::text(std::string_view name, std::string_view absent) const {
  const Attribute* const attribute = find(name);
  return attribute ? attribute->s : absent;
}

std::vector<std::int64_t> HostNode::integers(std::string_view name) const {
  const Attribute* const attribute = find(name);
  return attribute ? attribute->ints : std::vector<std::int64_t>();
}

std::vector<float> HostNode::floats(std::string_view name) const {
  const Attribute* const attribute = find(name);
  return attribute ? attribute->floats : std::vector<float>();
}

std::optional<Value> HostNode::tensor(std::string_view name) const {
  const Attribute* const attribute = find(name);
  if (!attribute || !attribute->t) return std::nullopt;
  return program_.valueOf(*attribute->t);
}

const Graph& HostNode::graph(std::string_view name) const {
  const Attribute* const attribute = find(name);
  if (!attribute || !attribute->g) fail(ErrorKind::dataError, "its attribute {} is absent.", webnn::quoted(name));
  return *attribute->g;
}

const TensorProto* HostNode::initializer(std::size_t index) const {
  const std::string_view name = node.inputs[index];
  const std::vector<ValueInfo>& inputs = program_.model().graph.inputs;
  if (environment_.find(name) || std::ranges::find(inputs, name, &ValueInfo::name) != inputs.end()) return nullptr;
  return runner_.initializer(name);
}

Sequence HostNode::takeSequence() {
  const Value& given = value(0);
  if (!given.sequence) fail(ErrorKind::dataError, "its input 0 is not a sequence.");
  // If `given` and `ownSequence_` are the only two owners, move the elements instead of copying them.
  if (ownSequence_ == given.sequence && ownSequence_.use_count() == 2)
    return std::move(*std::const_pointer_cast<Sequence>(ownSequence_));  // allowed: no Sequence object is created const
  takeRoom(given.sequence->size() + 1, sizeof(Sequence::value_type));
  Sequence copy;
  copy.reserve(given.sequence->size() + 1);
  copy.assign(given.sequence->begin(), given.sequence->end());
  return copy;
}

void HostNode::set(std::size_t index, Value result) {
  if (results.size() <= index) results.resize(index + 1);
  results[index] = std::move(result);
}

Value HostNode::make(ElementType type, Dims dims, std::byte*& bytes) const {
  const std::size_t count = elementCount(dims), bits = webnn::onnx::bitsPerElement(type);
  requireSense(count, bits <= 8 ? 1 : bits / 8);
  const std::shared_ptr<ValueBytes> memory = call_.values.take(call_.budget, packedBytes(type, count));
  std::ranges::fill(memory->bytes, std::byte{0});
  bytes = memory->bytes.data();
  return {type, std::move(dims), {}, ExternalBytes{memory->bytes, memory}};
}

Value HostNode::makeNumbers(ElementType type, Dims dims, std::span<const double> numbers) const {
  if (numbers.size() != elementCount(dims))
    fail(ErrorKind::unknownError, "{} numbers are not the elements of [{}].", numbers.size(), textOf(dims));
  std::byte* bytes = nullptr;
  Value result = make(type, std::move(dims), bytes);
  fromNumbers(type, numbers, bytes);
  return result;
}

void HostNode::takeRoom(std::size_t elements, std::size_t bytes) const {
  check();
  working_.add(requireSense(elements, bytes), kMemoryOfStep);
}

MemoryCharge HostNode::roomFor(std::size_t elements, std::size_t bytes) const {
  check();
  return {call_.budget.memory(), requireSense(elements, bytes), kMemoryOfStep};
}

Value HostNode::makeStrings(Dims dims, StringList strings) const {
  check();
  Value result{ElementType::string, std::move(dims), {}};
  result.strings = StringList::shared(std::move(strings));
  return result;
}

StringList::StringList(const HostNode& node, std::size_t count) : node_(node), charge_(node.call_.budget.memory()) {
  reserve(count);
}

std::string& StringList::add(std::string_view begin, std::string_view end) {
  if (strings_.size() == strings_.capacity()) reserve(std::max<std::size_t>(2 * strings_.capacity(), 8));
  count(begin.size() + end.size());
  std::string& text = strings_.emplace_back();
  text.reserve(begin.size() + end.size());
  return text.append(begin).append(end);
}

void StringList::replace(std::size_t index, std::string_view text) {
  std::string& old = strings_[index];
  count(text.size() > old.capacity() ? text.size() - old.size() : 0);
  old.assign(text);
}

std::shared_ptr<const std::vector<std::string>> StringList::shared(StringList list) {
  struct Strings {
    MemoryCharge charge;
    std::vector<std::string> strings;
  };
  const auto owner = std::make_shared<Strings>(Strings{std::move(list.charge_), std::move(list.strings_)});
  return {owner, &owner->strings};
}

void StringList::reserve(std::size_t count) {
  node_.check();
  charge_.add(requireSense(count, sizeof(std::string)) - strings_.capacity() * sizeof(std::string), kMemoryOfValue);
  strings_.reserve(count);
}

void StringList::count(std::size_t bytes) {
  node_.tick(1 + bytes / 64);
  if (bytes > 0) charge_.add(bytes, kMemoryOfValue);
}

Value HostNode::makeIntegers(Dims dims, std::span<const std::int64_t> elements) const {
  std::byte* bytes = nullptr;
  Value result = make(ElementType::int64, std::move(dims), bytes);
  if (!elements.empty()) std::memcpy(bytes, elements.data(), elements.size_bytes());
  return result;
}

std::vector<Value> HostNode::runBody(const Graph& body, std::vector<Value> inputs) const {
  if (inputs.size() != body.inputs.size())
    fail(ErrorKind::dataError, "the subgraph {} has {} inputs, not {}.", webnn::quoted(body.name), body.inputs.size(),
         inputs.size());
  Environment environment{&environment_};
  for (std::size_t i = 0; i < inputs.size(); ++i) environment.values.emplace(body.inputs[i].name, std::move(inputs[i]));
  return program_.runnerOf(body, &runner_).run(environment, call_);
}

const HostOperator* findHostOperator(std::string_view domain, std::string_view opType) {
  static const std::array<std::span<const HostOperator>, 14> kFamilies{
      castSteps(),        controlFlowSteps(),   linearSteps(),    mapSteps(),      quantizedLstmSteps(),
      randomSteps(),      scatterSteps(),       selectionSteps(), sequenceSteps(), stringSteps(),
      suppressionSteps(), supportVectorSteps(), tokenSteps(),     treeSteps()};
  for (const std::span<const HostOperator> family : kFamilies) {
    for (const HostOperator& row : family) {
      if (row.domain == domain && row.opType == opType) return &row;
    }
  }
  return nullptr;
}

}  // namespace webnn::formats::onnx
