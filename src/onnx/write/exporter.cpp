#include "onnx/write/exporter.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/pack.h"
#include "base/text.h"
#include "onnx/names.h"
#include "onnx/write/composition.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/folding.h"
#include "onnx/write/model_tidying.h"
#include "onnx/write/model_writer.h"
#include "onnx/write/operator_set.h"
#include "onnx/write/operators/families.h"
#include "onnx/write/size_operators.h"
#include "onnx/write/widening.h"
#include "ops/checks.h"

namespace webnn::onnx {

namespace {

std::vector<std::int64_t> dimsOf(const Shape& shape) { return {shape.begin(), shape.end()}; }

// Returns the text of an open dimension, such as "batch" or "batch * 12"; an empty text for an expression that reads like the
// name of another dimension.
std::string textOf(std::uint32_t size) {
  const OpenSizes& sizes = *OpenScope::current();
  if (const auto name = sizes.nameOf(size)) return *name;
  const std::string text = sizes.text(size);
  return std::ranges::count(sizes.named(), text, &OpenSizes::Named::name) == 0 ? text : std::string();
}

ValueInfo valueInfo(const std::string& name, const OperandDescriptor& descriptor) {
  ValueInfo value{name, elementTypeOf(descriptor.dataType), {}};
  for (const std::uint32_t size : descriptor.shape)
    value.dims.push_back(isOpen(size) ? ValueDimension{-1, textOf(size)} : ValueDimension{size, {}});
  return value;
}

std::vector<std::string> labelsOf(const GraphDefinition& graph) {
  std::vector<std::string> labels;
  for (const Node& node : graph.nodes) labels.push_back(label(node.operation));
  return labels;
}

const TypeRule* ruleOf(const Target& target, std::string_view opType) {
  const TypeRule* const rule = target.find(opType);
  return rule ? rule : standardTarget().find(opType);
}

// Returns the bytes of one element. A 4-bit element is in the low nibble.
std::vector<std::byte> bytesOf(ElementType type, const Number& value) {
  if (type == ElementType::float64) {
    const double real = value.toDouble();
    const auto bytes = std::as_bytes(std::span(&real, 1));
    return {bytes.begin(), bytes.end()};
  }
  return packScalar(dataTypeOf(type).value(), value);  // booleans as uint8
}

}  // namespace

struct Exporter::State {
  const GraphDefinition& graph;
  const ExportOptions options;
  const Dataflow dataflow;
  Folding folding;
  CollectedModel model;
  std::vector<std::string> notes;
  std::vector<ExportedOperation> operations;
  Names valueNames;
  std::vector<std::string> names;                // names of the operands' values, indexed by operand
  std::unordered_set<std::string> graphOutputs;  // names of the graph's outputs, except inputs that are passed on
  std::vector<std::string> outputValues;  // for each output of the graph, the value that it equals, which may have another name
  std::unordered_set<std::string> noted;
  std::unordered_map<std::string, std::string> renamed;  // key: name of a temporary; value: name of the result that it became
  // key: name of a number; value: name of the boolean that was cast to the number.
  std::unordered_map<std::string, std::string> booleans;
  std::map<std::tuple<ElementType, std::vector<std::int64_t>, std::string>, std::string> constants;
  std::vector<std::unique_ptr<std::vector<std::byte>>> storage;  // bytes of constants that the export adds
  std::map<std::uint32_t, OnnxValue> openSizes;                  // keyed by handle: 1-D values with one element

  // The operation that is being exported.
  const Node* node = nullptr;
  std::size_t operation = 0;
  std::size_t firstNode = 0;
  std::vector<std::string> bound;  // names of this operation's outputs for which set() was called

  State(const GraphDefinition& theGraph, const ExportOptions& theOptions)
      : graph(theGraph), options(theOptions), dataflow(theGraph), operations(theGraph.nodes.size()) {
    names.resize(graph.indexLimit);
    model.graphName = graph.name;
    model.operatorSet = operatorSetOf(graph);
    nameOperands();
    for (const Operand& input : graph.inputs) model.inputs.push_back(valueInfo(nameOf(input), input.descriptor()));
    for (const Operand& constant : graph.constants) {
      const OperandDescriptor& descriptor = constant.descriptor();
      model.initializers.push_back(
          {nameOf(constant), elementTypeOf(descriptor.dataType), dimsOf(descriptor.shape), constant.record().bytes, true});
    }
  }

  std::string& nameOf(const Operand& operand) { return names[operand.record().index]; }

  // Returns the names of the outputs that equal the input of the same name, directly or through identity operations. In ONNX,
  // such an output is the input itself.
  std::unordered_set<std::string> passedOn() const {
    std::unordered_map<const OperandRecord*, const OperandRecord*> copied;
    for (const Node& made : graph.nodes) {
      const auto* const unary = std::get_if<ops::Unary>(&made.operation);
      if (unary && unary->kind == ops::UnaryKind::identity) copied[&made.outputs.front().record()] = &unary->input.record();
    }
    std::unordered_set<std::string> found;
    for (const auto& [outputName, operand] : graph.outputs) {
      const OperandRecord* source = &operand.record();
      for (auto step = copied.find(source); step != copied.end(); step = copied.find(source)) source = step->second;
      if (source->kind == OperandKind::input && source->name == outputName) found.insert(outputName);
    }
    return found;
  }

  // Names all values. Inputs keep their names, and so do outputs that have no input's name; all other values get unique names.
  void nameOperands() {
    for (const Operand& input : graph.inputs) nameOf(input) = valueNames.unique(input.record().name);
    const std::unordered_set<std::string> inputs = options.passesInputsOn ? passedOn() : std::unordered_set<std::string>{};
    for (const auto& [outputName, operand] : graph.outputs) {
      if (inputs.contains(outputName)) {
        model.outputs.push_back(valueInfo(outputName, operand.descriptor()));
        outputValues.push_back(outputName);
        continue;
      }
      const std::string unique = valueNames.unique(outputName);
      if (unique != outputName) {
        notes.push_back(formatText("The output {} is called {}, as an input has its name.", webnn::quoted(outputName),
                                   webnn::quoted(unique)));
      }
      model.outputs.push_back(valueInfo(unique, operand.descriptor()));
      if (nameOf(operand).empty()) nameOf(operand) = unique;
      outputValues.push_back(nameOf(operand));
      graphOutputs.insert(unique);
    }
    const std::vector<std::string> own = graph.operandNames();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (names[i].empty() && !own[i].empty()) names[i] = valueNames.unique(own[i]);
    }
  }

  std::string resolved(const std::string& name) const {
    const auto found = renamed.find(name);
    return found == renamed.end() ? name : found->second;
  }

  std::string temporaryName(std::string_view opType) {
    return valueNames.unique(formatText("{}/{}", nameOf(node->outputs.front()), opType));
  }

  OperatorNode& appendNode(std::string_view opType, const std::vector<OnnxValue>& inputs, std::vector<std::string> outputs,
                           const Attributes& attributes = {}) {
    OperatorNode& added = model.nodes.emplace_back();
    added.opType = opType;
    for (const OnnxValue& input : inputs) added.inputs.push_back(resolved(input.name));
    while (!added.inputs.empty() && added.inputs.back().empty()) added.inputs.pop_back();
    added.outputs = std::move(outputs);
    for (const auto& [name, value] : attributes) added.attributes.emplace_back(name, value);
    added.operation = operation;
    return added;
  }

  void appendCast(const std::string& from, const std::string& to, ElementType type) {
    appendNode("Cast", {{from, {}}}, {to}, {{"to", std::int64_t{static_cast<std::int32_t>(type)}}});
  }

  // Copies a value to `name` with Identity. With `wide`, copies with casts to int8 and back, for types that Identity does not
  // take.
  void appendCopy(const OnnxValue& value, const std::string& name, bool wide) {
    if (!wide) return static_cast<void>(appendNode("Identity", {value}, {name}));
    const std::string between = valueNames.unique(name + "/Cast");
    appendCast(value.name, between, ElementType::int8);
    appendCast(between, name, value.type);
  }

  OnnxValue constant(ElementType type, std::vector<std::int64_t> dims, std::vector<std::byte> bytes) {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string& name = constants[{type, dims, std::move(text)}];
    if (name.empty()) {
      name = valueNames.unique(formatText("constant_{}", constants.size()));
      storage.push_back(std::make_unique<std::vector<std::byte>>(std::move(bytes)));
      model.initializers.push_back({name, type, std::move(dims), *storage.back(), false});
    }
    return {name, type};
  }

  // Renames the value `from`, which a node of the current operation makes, to `to`, the name of a result.
  void rename(const std::string& from, const std::string& to) {
    for (std::size_t i = firstNode; i < model.nodes.size(); ++i) {
      std::ranges::replace(model.nodes[i].outputs, from, to);
      std::ranges::replace(model.nodes[i].inputs, from, to);
    }
    renamed[from] = to;
    if (auto boolean = booleans.extract(from)) {
      boolean.key() = to;
      booleans.insert(std::move(boolean));
    }
  }

  bool isOfThisOperation(const std::string& name) const {
    if (std::ranges::find(bound, name) != bound.end()) return false;
    return std::any_of(model.nodes.begin() + static_cast<std::ptrdiff_t>(firstNode), model.nodes.end(),
                       [&](const OperatorNode& made) { return std::ranges::find(made.outputs, name) != made.outputs.end(); });
  }
};

Exporter::Exporter(const GraphDefinition& graph, const ExportOptions& options)
    : state_(std::make_shared<State>(graph, options)) {}

OnnxValue Exporter::operator[](const Operand& operand) const {
  return {state_->nameOf(operand), elementTypeOf(operand.dataType())};
}

OnnxValue Exporter::operator[](const std::optional<Operand>& operand) const { return operand ? (*this)[*operand] : OnnxValue{}; }

OnnxValue Exporter::add(std::string_view opType, std::vector<OnnxValue> inputs, Attributes attributes,
                        std::optional<ElementType> result) {
  return addTyped(opType, std::move(inputs), 1, attributes, result).front();
}

std::vector<OnnxValue> Exporter::addMany(std::string_view opType, std::vector<OnnxValue> inputs, std::size_t results,
                                         Attributes attributes) {
  return addTyped(opType, std::move(inputs), results, attributes, std::nullopt);
}

std::vector<OnnxValue> Exporter::addTyped(std::string_view opType, std::vector<OnnxValue> inputs, std::size_t results,
                                          const Attributes& attributes, std::optional<ElementType> result) {
  const TypeRule* const standard = standardTarget().find(opType);
  std::vector<OnnxValue*> typed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool isOfT = !standard || i >= 32 || (standard->inputs >> i & 1) != 0;
    if (isOfT && !inputs[i].name.empty()) typed.push_back(&inputs[i]);
  }
  const ElementType type = typed.empty() ? ElementType::undefined : typed.front()->type;
  std::optional<StandIn> standIn;
  if (!typed.empty() && !takes(opType, type)) {
    standIn = standInFor(opType, type, ruleOf(target(), opType)->types);
    if (!standIn && results == 1) {
      if (const std::optional<OnnxValue> decomposed = decompose(opType, inputs, *this)) return {*decomposed};
    }
    if (!standIn) fail(ErrorKind::notSupportedError, "ONNX: {} takes no {} in {}.", opType, onnx::name(type), target().name);
    for (OnnxValue* value : typed) *value = toStandIn(*value, *standIn);
    note(formatText("{} is computed as {}.", onnx::name(type), onnx::name(standIn->type)));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < results; ++i) names.push_back(state_->temporaryName(opType));
  state_->appendNode(opType, inputs, names, attributes);
  std::vector<OnnxValue> values;
  for (const std::string& name : names) {
    if (result || !standIn) {
      values.push_back({name, result.value_or(type)});
    } else {
      values.push_back(fromStandIn({name, standIn->type}, type, *standIn));
    }
  }
  return values;
}

OnnxValue Exporter::toStandIn(const OnnxValue& value, const StandIn& standIn) {
  const OnnxValue converted = cast(value, standIn.type);
  return standIn.biased ? add("Add", {converted, scalar(standIn.type, std::numeric_limits<std::int64_t>::min())}) : converted;
}

OnnxValue Exporter::fromStandIn(const OnnxValue& value, ElementType type, const StandIn& standIn) {
  // The bias is 2^63, so adding it again removes it: the sum wraps.
  return cast(standIn.biased ? add("Add", {value, scalar(standIn.type, std::numeric_limits<std::int64_t>::min())}) : value, type);
}

OnnxValue Exporter::cast(const OnnxValue& value, ElementType type) {
  if (value.type == type || value.name.empty()) return value;
  if (type == ElementType::boolean) {
    const auto found = state_->booleans.find(state_->resolved(value.name));
    if (found != state_->booleans.end()) return {found->second, ElementType::boolean};
  }
  std::string name = state_->temporaryName("Cast");
  state_->appendCast(value.name, name, type);
  if (value.type == ElementType::boolean) state_->booleans[name] = state_->resolved(value.name);
  return {std::move(name), type};
}

OnnxValue Exporter::reshape(const OnnxValue& value, const Shape& shape) {
  // Without `allowzero`, a size of 0 would mean the size of the input.
  const Attributes attributes = isOpen(shape) ? Attributes{{"allowzero", std::int64_t{1}}} : Attributes{};
  return add("Reshape", {value, integers(shape)}, attributes);
}

OnnxValue Exporter::transpose(const OnnxValue& value, const std::vector<std::uint32_t>& permutation) {
  if (std::ranges::is_sorted(permutation)) return value;
  return add("Transpose", {value}, {{"perm", std::vector<std::int64_t>(permutation.begin(), permutation.end())}});
}

OnnxValue Exporter::integers(const std::vector<std::int64_t>& items) {
  const auto bytes = std::as_bytes(std::span(items));
  return state_->constant(ElementType::int64, {static_cast<std::int64_t>(items.size())}, {bytes.begin(), bytes.end()});
}

OnnxValue Exporter::integers(const std::vector<std::uint32_t>& sizes) {
  return integers(std::vector<Size>(sizes.begin(), sizes.end()));
}

OnnxValue Exporter::integers(const std::vector<Size>& sizes) {
  std::vector<std::int64_t> numbers;
  for (const Size& size : sizes) {
    if (!size.isOpen()) numbers.push_back(size.number());
  }
  if (numbers.size() == sizes.size()) return integers(numbers);
  std::vector<OnnxValue> parts;
  for (const Size& size : sizes) {
    if (!size.isOpen()) {
      parts.push_back(integers(std::vector{size.number()}));
      continue;
    }
    OnnxValue& known = state_->openSizes[size.handle()];
    if (known.name.empty()) known = computeSize(size.handle(), state_->graph.inputs, *this);
    parts.push_back(known);
  }
  return parts.size() == 1 ? parts.front() : add("Concat", parts, {{"axis", std::int64_t{0}}});
}

OnnxValue Exporter::integer(Size size) {
  return size.isOpen() ? reshape(integers(std::vector{size}), {}) : scalar(ElementType::int64, size.number());
}

std::int64_t Exporter::numberOf(Size size) const {
  if (size.isOpen()) refuseOpenSizes();
  return size.number();
}

std::string Exporter::subject() const {
  return ops::messagePrefix(webnn::name(state_->node->operation), label(state_->node->operation));
}

void Exporter::refuseOpenSizes() const {
  fail(ErrorKind::notSupportedError, "save: {}ONNX operators compute this for fixed sizes only; give the sizes.", subject());
}

OnnxValue Exporter::scalar(ElementType type, const Number& value) { return state_->constant(type, {}, bytesOf(type, value)); }

OnnxValue Exporter::splat(ElementType type, const Number& value, const Shape& shape) {
  std::vector<std::byte> one = bytesOf(type, value), all;
  std::size_t count = 1;  // no overflow: every shape has fewer than 2^31 elements
  for (const std::uint32_t dimension : shape) count *= dimension;
  if (bitsPerElement(type) == 4) {
    all.assign(count / 2, one.front() | one.front() << 4);
    if (count % 2 != 0) all.push_back(one.front());
  } else {
    for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), one.begin(), one.end());
  }
  return state_->constant(type, dimsOf(shape), std::move(all));
}

void Exporter::set(std::size_t index, const OnnxValue& value) {
  const Operand& result = output(index);
  const OnnxValue typed = cast(value, result.dataType());
  const std::string& to = state_->nameOf(result);
  std::string from = state_->resolved(typed.name);
  if (!state_->isOfThisOperation(from)) from = add("Identity", {typed}).name;
  state_->rename(from, to);
  state_->bound.push_back(to);
}

const Operand& Exporter::output(std::size_t index) const { return state_->node->outputs.at(index); }

const Dataflow& Exporter::dataflow() const { return state_->dataflow; }

const Target& Exporter::target() const { return state_->options.target; }

std::int64_t Exporter::operatorSet() const { return state_->model.operatorSet; }

bool Exporter::takes(std::string_view opType, ElementType type) const {
  const TypeRule* const rule = ruleOf(target(), opType);
  return !rule || rule->types.contains(type);
}

bool Exporter::canTake(std::string_view opType, ElementType type) const {
  return takes(opType, type) || standInFor(opType, type, ruleOf(target(), opType)->types);
}

void Exporter::note(std::string sentence) {
  std::string text = subject() + sentence;
  std::vector<std::string>& own = state_->operations[state_->operation].notes;
  if (std::ranges::find(own, sentence) == own.end()) own.push_back(std::move(sentence));
  if (state_->noted.insert(text).second) state_->notes.push_back(std::move(text));
}

void Exporter::append(const Node& node) {
  state_->node = &node;
  state_->firstNode = state_->model.nodes.size();
  state_->bound.clear();
  std::vector<Folding::Bytes> folded;
  if (target().foldsConstants) folded = state_->folding.fold(node);
  for (std::size_t i = 0; i < folded.size(); ++i) {
    const OperandDescriptor& result = output(i).descriptor();
    set(i, state_->constant(elementTypeOf(result.dataType), dimsOf(result.shape), std::move(folded[i])));
  }
  if (folded.empty()) std::visit([this](const auto& op) { toOnnx(op, *this); }, node.operation);
  for (const Operand& output : node.outputs) {
    const std::string& name = state_->nameOf(output);
    if (!state_->graphOutputs.contains(name)) state_->model.values.push_back(valueInfo(name, output.descriptor()));
  }
  ++state_->operation;
}

ExportedModel Exporter::takeModel() {
  State& state = *state_;
  for (std::size_t i = 0; i < state.graph.outputs.size(); ++i) {
    const std::string &name = state.model.outputs[i].name, &value = state.outputValues[i];
    if (name == value) continue;
    // The value is also another output; appends a copy with this output's name.
    const ElementType type = elementTypeOf(state.graph.outputs[i].second.dataType());
    state.appendCopy({value, type}, name, !takes("Identity", type));
  }
  removeUnused(state.model);
  nameNodes(state.model, labelsOf(state.graph));
  for (OperatorNode& made : state.model.nodes) {
    if (made.name.empty() && state.options.namesAllNodes) made.name = made.outputs.front();
    if (made.operation >= state.operations.size()) continue;  // copies for outputs belong to no operation
    state.operations[made.operation].operators.push_back(made.opType);
    state.operations[made.operation].names.push_back(made.name);
  }
  ExportedModel exported;
  exported.proto = writeModel(state.model, state.options, exported.external);
  for (const auto& output : state.model.outputs) exported.outputs.push_back(output.name);
  exported.notes = std::move(state.notes);
  exported.operations = std::move(state.operations);
  return exported;
}

}  // namespace webnn::onnx
