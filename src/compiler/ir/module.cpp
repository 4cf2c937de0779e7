#include "compiler/ir/module.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/text.h"

namespace webnn::compiler {

namespace {

// Prints the fields of an operation: `a: %3, axis: 1`.
struct FieldPrinter {
  std::string text;

  void name(std::string_view name) { text += (text.empty() ? "" : ", ") + std::string(name) + ": "; }
  void put(const Operand& operand) { text += operandText(operand); }
  void put(const std::vector<Operand>& operands) { putAll(operands); }
  void put(const std::string& value) { text += webnn::quoted(value); }
  void put(DataType type) { text += webnn::name(type); }
  void put(bool value) { text += value ? "true" : "false"; }
  void put(double value) { text += formatText("{}", value); }
  void put(float value) { text += formatText("{}", value); }
  void put(std::uint32_t value) { text += formatText("{}", value); }
  void put(std::int32_t value) { text += formatText("{}", value); }
  void put(const Number& value) {
    std::visit([&](auto number) { text += formatText("{}", number); }, value.value());
  }
  void put(const Splits& splits) {
    std::visit([&](const auto& value) { put(value); }, splits);
  }
  void put(const ElementProgram& program) { text += "[" + toString(program) + "]"; }
  template <typename T>
  requires std::is_enum_v<T>
  void put(T value) { text += formatText("{}", static_cast<int>(value)); }
  template <typename T>
  void put(const std::vector<T>& values) {
    putAll(values);
  }
  template <typename T>
  void putAll(const std::vector<T>& values) {
    text += "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ", ";
      put(values[i]);
    }
    text += "]";
  }
  void argument(std::string_view fieldName, const auto& field) {
    name(fieldName);
    put(field);
  }
  template <typename Field>
  void option(std::string_view fieldName, const Field& field) {
    if constexpr (requires { field.has_value(); }) {
      if (field) argument(fieldName, *field);
    } else if constexpr (std::is_same_v<Field, ElementProgram>) {
      if (!field.empty()) argument(fieldName, field);
    } else if constexpr (requires { field.empty(); }) {
      if (!field.empty()) argument(fieldName, field);
    } else {
      argument(fieldName, field);
    }
  }
  static std::string operandText(const Operand& operand) {
    const OperandRecord& record = operand.record();
    const bool isConstant = record.kind == OperandKind::constant;
    return formatText("%{}{}{}", record.index, isConstant ? "c" : "",
                      record.name.empty() ? "" : " " + webnn::quoted(record.name));
  }
};

}  // namespace

void visitOperands(const EngineOperation& operation, OperandVisit visit) {
  visitOperation(operation, [&](const auto& op) { op.visitFields(op, webnn::internal::OperandVisitor{visit}); });
}
void mapOperands(EngineOperation& operation, OperandMap map) {
  visitOperation(operation, [&](auto& op) { op.visitFields(op, webnn::internal::OperandMapper{map}); });
}

std::string_view name(const EngineOperation& operation) {
  return visitOperation(operation, []<typename Op>(const Op& op) -> std::string_view {
    if constexpr (requires { Op::rows; }) {
      return ops::rowOf(op).name;
    } else {
      return Op::kName;
    }
  });
}

const std::string& label(const EngineOperation& operation) {
  return visitOperation(operation, [](const auto& op) -> const std::string& { return op.options.label; });
}

void addOrigins(Origins& to, const Origins& from) {
  if (from.empty()) return;
  if (to.empty() || to.back() < from.front()) {
    to.insert(to.end(), from.begin(), from.end());
    return;
  }
  Origins both;
  std::ranges::set_union(to, from, std::back_inserter(both));
  to = std::move(both);
}

Module::Module(const GraphDefinition& graph, bool hasOrigins)
    : inputs(graph.inputs),
      outputs(graph.outputs),
      absences(graph.nodes.size()),
      token_(std::make_shared<const BuilderToken>()),
      indexLimit_(graph.indexLimit) {
  nodes.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    ModuleNode& copy = nodes.emplace_back(ModuleNode{EngineOperation(node.operation), node.outputs, {}});
    if (hasOrigins) copy.origins.push_back(static_cast<std::uint32_t>(nodes.size() - 1));
  }
}

void Module::setAbsent(const Origins& origins, Absence absence) {
  for (const std::uint32_t origin : origins) absences[origin] = absence;
}

Operand Module::add(OperandKind kind, OperandDescriptor descriptor, std::string name, std::span<const std::byte> bytes,
                    std::shared_ptr<const void> keepAlive) {
  auto record = std::make_shared<OperandRecord>();
  record->builder = token_;
  record->kind = kind;
  record->index = static_cast<std::uint32_t>(indexLimit_++);
  record->descriptor = std::move(descriptor);
  record->name = std::move(name);
  record->bytes = bytes;
  record->keepAlive = std::move(keepAlive);
  return Operand(std::move(record));
}

Operand Module::intermediate(OperandDescriptor descriptor, std::string name) {
  return add(OperandKind::intermediate, std::move(descriptor), std::move(name));
}

Operand Module::constant(OperandDescriptor descriptor, std::vector<std::byte> bytes, std::string name) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> view(*owner);
  return constant(std::move(descriptor), view, std::move(owner), std::move(name));
}

Operand Module::constant(OperandDescriptor descriptor, std::span<const std::byte> bytes, std::shared_ptr<const void> keepAlive,
                         std::string name) {
  return add(OperandKind::constant, std::move(descriptor), std::move(name), bytes, std::move(keepAlive));
}

Operand Module::reshaped(const Operand& constant, Shape shape) {
  const OperandRecord& record = constant.record();
  return this->constant({record.descriptor.dataType, std::move(shape)}, record.bytes, record.keepAlive, record.name);
}

Operand Module::append(std::vector<ModuleNode>& to, Operation operation) {
  ModuleNode node{EngineOperation(std::move(operation)), {}, rewritten};
  const ops::Outputs outputDescriptors = validateInPlace(std::get<Operation>(static_cast<EngineVariant&>(node.operation)));
  for (const OperandDescriptor& descriptor : outputDescriptors) node.outputs.push_back(intermediate(descriptor));
  to.push_back(std::move(node));
  return to.back().outputs.front();
}

std::vector<ModuleNode> Module::takeNodes() {
  std::vector<ModuleNode> taken = std::exchange(nodes, {});
  nodes.reserve(taken.size());
  return taken;
}

Uses::Uses(const Module& module)
    : count(module.indexLimit()),
      producer(module.indexLimit(), -1),
      isOutput(module.indexLimit()),
      firstConsumer_(module.indexLimit() + 1) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads;  // pairs of an operand and a node that reads it, ordered by node
  reads.reserve(2 * module.nodes.size());
  std::vector<std::uint32_t> last(module.indexLimit());  // indexed by operand: one more than the last node that reads it
  for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
    visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) {
      const std::uint32_t index = operand.record().index;
      ++count[index];
      if (std::exchange(last[index], i + 1) == i + 1) return;
      reads.emplace_back(index, i);
      ++firstConsumer_[index + 1];
    });
    for (const Operand& output : module.nodes[i].outputs) producer[output.record().index] = static_cast<std::int32_t>(i);
  }
  std::partial_sum(firstConsumer_.begin(), firstConsumer_.end(), firstConsumer_.begin());
  consumers_.resize(reads.size());
  std::vector<std::uint32_t> next(firstConsumer_.begin(), firstConsumer_.end() - 1);
  for (const auto& [index, node] : reads) consumers_[next[index]++] = node;
  for (const auto& [name, operand] : module.outputs) {
    ++count[operand.record().index];
    isOutput[operand.record().index] = true;
  }
}

const ModuleNode* Uses::producerOf(const Module& module, const Operand& operand) const {
  const std::int32_t node = producer[operand.record().index];
  return node < 0 ? nullptr : &module.nodes[static_cast<std::size_t>(node)];
}

Operand Replacements::resolve(const Operand& operand) const {
  Operand result = operand;
  for (auto found = map_.find(result.record().index); found != map_.end(); found = map_.find(result.record().index)) {
    result = found->second;
  }
  return result;
}

void Replacements::apply(EngineOperation& operation) const {
  if (map_.empty()) return;
  bool isRead = false;  // mapping operands takes longer than looking at them
  visitOperands(operation,
                [&](std::string_view, const Operand& operand) { isRead = isRead || map_.contains(operand.record().index); });
  if (isRead) mapOperands(operation, [&](const Operand& operand) { return resolve(operand); });
}

void Replacements::apply(Module& module) const {
  if (map_.empty()) return;
  for (ModuleNode& node : module.nodes) apply(node.operation);
  for (auto& [name, operand] : module.outputs) operand = resolve(operand);
}

bool isConstant(const Operand& operand) { return operand.record().kind == OperandKind::constant; }

std::optional<float> uniformValue(const Operand& operand) {
  if (!isConstant(operand)) return std::nullopt;
  const std::span<const std::byte> bytes = operand.record().bytes;
  const DataType type = operand.dataType();
  if (type != DataType::float32 && type != DataType::float16) return std::nullopt;
  const std::size_t size = bitsPerElement(type) / 8;
  for (std::size_t i = size; i < bytes.size(); i += size) {
    if (std::memcmp(bytes.data(), bytes.data() + i, size) != 0) return std::nullopt;
  }
  if (type == DataType::float32) {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof(bits));
  return static_cast<float>(static_cast<double>(Half::fromBits(bits)));
}

std::string fieldText(const EngineOperation& operation) {
  FieldPrinter fields;
  visitOperation(operation, [&](const auto& op) { op.visitFields(op, fields); });
  return std::move(fields.text);
}

std::string toString(const Module& module) {
  std::string text;
  for (const ModuleNode& node : module.nodes) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      text += formatText("{}{} {}", i == 0 ? "" : ", ", FieldPrinter::operandText(node.outputs[i]),
                         webnn::toString(node.outputs[i].descriptor()));
    }
    text += formatText(" = {}({})", name(node.operation), fieldText(node.operation));
    if (!label(node.operation).empty()) text += formatText("  # {}", sanitized(label(node.operation)));
    text += "\n";
  }
  for (const auto& [outputName, operand] : module.outputs) {
    text += formatText("output {} = {}\n", webnn::quoted(outputName), FieldPrinter::operandText(operand));
  }
  return text;
}

}  // namespace webnn::compiler
