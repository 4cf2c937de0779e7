#include "random/coverage.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "random/elements.h"

namespace webnn::random {

namespace {

// An operation's options as texts, by name, for comparison. Leaves out the arguments.
struct OptionTexts {
  std::map<std::string, std::string> texts;

  static std::string text(const Number& number) { return formatText("{}", number.toDouble()); }
  static std::string text(const Splits& splits) {
    const auto* sizes = std::get_if<std::vector<std::uint32_t>>(&splits);
    return sizes ? "sizes" : "count";
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  static std::string text(const T& value) { return formatText("{}", value); }
  template <typename E>
  requires std::is_enum_v<E>
  static std::string text(const E& value) { return formatText("{}", static_cast<int>(value)); }
  template <typename T>
  static std::string text(const std::vector<T>& values) {
    std::string result = "[";
    for (const T& value : values) result += text(value) + ",";
    return result;
  }
  template <typename T>
  static std::string text(const std::optional<T>& value) {
    if constexpr (std::is_same_v<T, Operand>) {
      return value ? "operand" : "absent";
    } else {
      return value ? text(*value) : "absent";
    }
  }
  template <typename T>
  static std::string text(const OptionalSequence<T>& value) {
    return value ? text(*value) : "absent";
  }

  template <typename T>
  void argument(std::string_view, const T&) {}
  void option(std::string_view name, const auto& field) { texts[std::string(name)] = text(field); }
};

std::map<std::string, std::string> optionsOf(const Operation& operation) {
  OptionTexts options;
  visitFields(operation, options);
  return options.texts;
}

// Returns whether an option has its default value. Validation resolves absent lists to zeros or ones.
bool isDefault(const std::string& resolved, const std::string& usual) {
  if (resolved == usual) return true;
  if (usual != "absent") return false;
  return resolved == "[0,0,0,0," || resolved == "[1,1," || resolved == "[0,0,";
}

std::string rankText(std::size_t rank) { return std::to_string(rank); }

// Returns the rules of operands or results. Results are named "output", "output0", ... in the table.
std::vector<const ops::OperandRule*> rulesOf(const ops::OperationRow& row, bool isOutput) {
  std::vector<const ops::OperandRule*> rules;
  for (const ops::OperandRule& rule : row.rules()) {
    if (rule.output == isOutput) rules.push_back(&rule);
  }
  return rules;
}

bool meet(ops::DataTypeSet a, ops::DataTypeSet b) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    if (a.contains(static_cast<DataType>(i)) && b.contains(static_cast<DataType>(i))) return true;
  }
  return false;
}

// Returns whether a result of `producer` can be the operand `rule` of `row`.
bool canFeed(const ops::OperationRow& producer, const ops::OperationRow& row, const ops::OperandRule& rule) {
  const ops::RankRange ranks = row.ranksOf(rule);
  return std::ranges::any_of(rulesOf(producer, true), [&](const ops::OperandRule* output) {
    const ops::RankRange made = producer.ranksOf(*output);
    return meet(producer.typesOf(*output), row.typesOf(rule)) && made.min <= ranks.max && ranks.min <= made.max;
  });
}

void forEachOperand(auto&& visit) {
  for (const Operation& operation : allOperations()) {
    const ops::OperationRow& row = rowOf(operation);
    for (const ops::OperandRule* rule : rulesOf(row, false)) visit(row, *rule);
  }
}

}  // namespace

void Coverage::add(const GraphDefinition& graph) {
  std::vector<std::string> makers(graph.indexLimit);
  for (const Operand& input : graph.inputs) makers[input.record().index] = "input";
  for (const Operand& constant : graph.constants) makers[constant.record().index] = "constant";
  std::set<std::pair<std::string_view, std::string>> found;
  for (const Node& node : graph.nodes) {
    const std::string operation(name(node.operation));
    std::set<std::uint32_t> seen;
    visitOperands(node.operation, [&](std::string_view field, const Operand& operand) {
      const std::string position = formatText("{}.{}", operation, field);
      found.emplace("pair", makers[operand.record().index] + " > " + position);
      found.emplace("type", position + " " + std::string(webnn::name(operand.dataType())));
      found.emplace("rank", position + " " + rankText(operand.rank()));
      if (!seen.insert(operand.record().index).second) found.emplace("same", operation);
    });
    static const std::map<std::string, std::map<std::string, std::string>> defaults = [] {
      std::map<std::string, std::map<std::string, std::string>> all;
      for (const Operation& one : allOperations()) all[std::string(name(one))] = optionsOf(one);
      return all;
    }();
    for (const auto& [option, text] : optionsOf(node.operation)) {
      if (!isDefault(text, defaults.at(operation).at(option))) found.emplace("option", operation + "." + option);
    }
    for (const Operand& output : node.outputs) makers[output.record().index] = operation;
  }
  for (const auto& [outputName, operand] : graph.outputs) found.emplace("output", makers[operand.record().index]);
  for (const auto& [kind, text] : found) add(kind, text);
}

std::vector<std::string> possible(std::string_view kind) {
  std::vector<std::string> names;
  if (kind == "pair") {
    forEachOperand([&](const ops::OperationRow& row, const ops::OperandRule& rule) {
      const std::string position = formatText(" > {}.{}", row.name, rule.name);
      names.push_back("input" + position);
      names.push_back("constant" + position);
      for (const Operation& producer : allOperations()) {
        if (canFeed(rowOf(producer), row, rule)) names.push_back(std::string(name(producer)) + position);
      }
    });
  } else if (kind == "type" || kind == "rank") {
    forEachOperand([&](const ops::OperationRow& row, const ops::OperandRule& rule) {
      const ops::RankRange ranks = row.ranksOf(rule);
      for (std::size_t i = 0; kind == "type" && i < kDataTypeCount; ++i) {
        const auto type = static_cast<DataType>(i);
        if (row.typesOf(rule).contains(type)) names.push_back(formatText("{}.{} {}", row.name, rule.name, webnn::name(type)));
      }
      for (std::size_t rank = ranks.min; kind == "rank" && rank <= ranks.max; ++rank) {
        names.push_back(formatText("{}.{} {}", row.name, rule.name, rank));
      }
    });
  } else if (kind == "option") {
    for (const Operation& operation : allOperations()) {
      for (const auto& [option, text] : optionsOf(operation)) names.push_back(std::string(name(operation)) + "." + option);
    }
  } else if (kind == "output" || kind == "same") {
    for (const Operation& operation : allOperations()) {
      const bool isOfOne = rulesOf(rowOf(operation), false).size() == 1 && name(operation) != "concat";
      if (kind == "output" || !isOfOne) names.emplace_back(name(operation));
    }
  }
  return names;
}

std::vector<std::string> Coverage::missing(std::string_view kind) const {
  const auto found = counts_.find(std::string(kind));
  const auto expected = expected_.find(std::string(kind));
  std::vector<std::string> names;
  for (const std::string& name : expected == expected_.end() ? possible(kind) : expected->second) {
    if (found == counts_.end() || !found->second.contains(name)) names.push_back(name);
  }
  return names;
}

std::string Coverage::text() const {
  std::string text;
  std::vector<std::string> kinds{"pair", "type", "rank", "option", "output", "same"};
  for (const auto& [kind, names] : expected_) kinds.push_back(kind);
  for (const std::string& kind : kinds) {
    const auto expected = expected_.find(kind);
    const std::size_t all = expected == expected_.end() ? possible(kind).size() : expected->second.size();
    const std::vector<std::string> never = missing(kind);
    text += formatText("{}: {} of {} made, never made: {}\n", kind, all - never.size(), all, never.size());
    for (const std::string& name : never) text += "  " + name + "\n";
  }
  return text;
}

}  // namespace webnn::random
