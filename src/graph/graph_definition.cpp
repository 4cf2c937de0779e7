#include "graph/graph_definition.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/text.h"

namespace webnn {

namespace {

void forEachOperand(const GraphDefinition& graph, auto&& visit) {
  for (const Operand& operand : graph.inputs) visit(operand);
  for (const Operand& operand : graph.constants) visit(operand);
  for (const Node& node : graph.nodes) {
    for (const Operand& operand : node.outputs) visit(operand);
  }
}

// Compares the fields of two operations. Operands are equal if their names are.
class FieldEquality {
 public:
  FieldEquality(const std::vector<std::string>& namesA, const std::vector<std::string>& namesB)
      : namesA_(namesA), namesB_(namesB) {}

  bool operator()(const Operation& a, const Operation& b) {
    if (a.index() != b.index() || name(a) != name(b) || label(a) != label(b)) return false;
    fieldsOfA_.clear();
    visitFields(a, Collector{fieldsOfA_});
    Comparer comparer{*this};
    visitFields(b, comparer);
    return comparer.isEqual;
  }

 private:
  // Collects the addresses of the fields. Operations of one type have the same fields in the same order.
  struct Collector {
    std::vector<const void*>& fields;
    void argument(std::string_view, const auto& field) { fields.push_back(&field); }
    void option(std::string_view, const auto& field) { fields.push_back(&field); }
  };
  struct Comparer {
    const FieldEquality& equality;
    std::size_t next = 0;
    bool isEqual = true;
    template <typename T>
    void argument(std::string_view, const T& field) {
      isEqual = equality.equal(*static_cast<const T*>(equality.fieldsOfA_[next++]), field) && isEqual;
    }
    void option(std::string_view name, const auto& field) { argument(name, field); }
  };

  bool equal(const Operand& a, const Operand& b) const { return namesA_[a.record().index] == namesB_[b.record().index]; }
  bool equal(double a, double b) const { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }
  bool equal(const Number& a, const Number& b) const {  // compares values, not representations
    const double x = a.toDouble(), y = b.toDouble();
    return a == b ? std::signbit(x) == std::signbit(y) : std::isnan(x) && std::isnan(y);
  }
  template <typename T>
  bool equal(const std::optional<T>& a, const std::optional<T>& b) const {
    return a && b ? equal(*a, *b) : a.has_value() == b.has_value();
  }
  template <typename T>
  bool equal(const OptionalSequence<T>& a, const OptionalSequence<T>& b) const {
    return a && b ? equal(*a, *b) : static_cast<bool>(a) == static_cast<bool>(b);
  }
  template <typename T>
  bool equal(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const T& x, const T& y) { return equal(x, y); });
  }
  template <typename T>
  bool equal(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return equal(static_cast<double>(a), static_cast<double>(b));
    } else {
      return a == b;
    }
  }

  const std::vector<std::string>&namesA_, &namesB_;
  std::vector<const void*> fieldsOfA_;
};

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
  FieldEquality equal(namesA, namesB);
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    if (!equal(a.nodes[i].operation, b.nodes[i].operation)) return false;
    if (!equalOperands(a.nodes[i].outputs, namesA, b.nodes[i].outputs, namesB)) return false;
  }
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && namesA[x.second.record().index] == namesB[y.second.record().index];
  });
}

}  // namespace webnn
