#include "graph/graph_definition.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/text.h"

namespace webnn {

namespace {

template <typename Visit>
void forEachOperand(const GraphDefinition& graph, Visit&& visit) {
  for (const Operand& operand : graph.inputs) visit(operand);
  for (const Operand& operand : graph.constants) visit(operand);
  for (const Node& node : graph.nodes) {
    for (const Operand& operand : node.outputs) visit(operand);
  }
}

// Writes every field of an operation as text, operands by their names: equal operations give equal text.
struct FieldText {
  const std::vector<std::string>& names;
  std::string text;

  // With the length, so that no text runs into the next.
  void put(const std::string& value) { text += formatText("{}:{}", value.size(), value); }
  void put(const Operand& operand) { put(names[operand.record().index]); }
  void put(const std::vector<Operand>& operands) {
    for (const Operand& operand : operands) put(operand);
  }
  void put(const Number& number) {  // equal numbers give equal text, whatever type holds them
    const double real = number.toDouble();
    if (number == Number(real)) return put(real);
    std::visit([&](auto value) { text += formatText("{}", value); }, number.value());
  }
  void put(double value) { text += std::isnan(value) ? "nan" : formatText("{}", value); }
  void put(float value) { put(static_cast<double>(value)); }
  void put(const Splits& splits) {
    std::visit([&](const auto& value) { put(value); }, splits);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    if (value) put(*value);
  }
  template <typename T>
  void put(const OptionalSequence<T>& value) {
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    text += "[";
    for (const T& value : values) put(value), text += ",";
    text += "]";
  }
  template <typename T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void put(T value) {
    if constexpr (std::is_enum_v<T>) {
      text += formatText("{}", static_cast<int>(value));
    } else {
      text += formatText("{}", value);
    }
  }

  template <typename T>
  void argument(std::string_view name, const T& value) {
    text += name;
    text += "=";
    put(value);
    text += ";";
  }
  template <typename T>
  void option(std::string_view name, const T& value) {
    argument(name, value);
  }
};

std::string textOf(const Operation& operation, const std::vector<std::string>& names) {
  FieldText fields{names, std::string(name(operation))};
  fields.put(label(operation));
  visitFields(operation, fields);
  return fields.text;
}

bool equalOperands(const std::vector<Operand>& a, const std::vector<std::string>& namesA, const std::vector<Operand>& b,
                   const std::vector<std::string>& namesB) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Operand& x, const Operand& y) {
    return namesA[x.record().index] == namesB[y.record().index] && x.descriptor() == y.descriptor() &&
           std::ranges::equal(x.record().bytes, y.record().bytes);
  });
}

}  // namespace

std::vector<std::string> GraphDefinition::operandNames() const {
  std::vector<std::string> names(indexLimit);
  std::unordered_set<std::string> taken;
  forEachOperand(*this, [&](const Operand& operand) {
    const std::string& own = operand.record().name;
    if (!own.empty() && taken.insert(own).second) names[operand.record().index] = own;
  });
  for (const auto& [outputName, operand] : outputs) {
    std::string& unique = names[operand.record().index];
    if (unique.empty() && taken.insert(outputName).second) unique = outputName;
  }
  std::size_t number = 0;
  forEachOperand(*this, [&](const Operand& operand) {
    std::string& unique = names[operand.record().index];
    if (unique.empty()) {
      unique = formatText("operand_{}", number);
      for (int i = 1; !taken.insert(unique).second; ++i) unique = formatText("operand_{}_{}", number, i);
    }
    ++number;
  });
  return names;
}

bool operator==(const GraphDefinition& a, const GraphDefinition& b) {
  const std::vector<std::string> namesA = a.operandNames(), namesB = b.operandNames();
  if (a.name != b.name || a.nodes.size() != b.nodes.size()) return false;
  if (!equalOperands(a.inputs, namesA, b.inputs, namesB) || !equalOperands(a.constants, namesA, b.constants, namesB))
    return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    if (textOf(a.nodes[i].operation, namesA) != textOf(b.nodes[i].operation, namesB)) return false;
    if (!equalOperands(a.nodes[i].outputs, namesA, b.nodes[i].outputs, namesB)) return false;
  }
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && namesA[x.second.record().index] == namesB[y.second.record().index];
  });
}

}  // namespace webnn
