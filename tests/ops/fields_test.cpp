// Tests that visitFields visits every argument and option of every operation except `label`, and that the fields and the
// operation table name the same operands. Boost.PFR counts the members.
#include <algorithm>
#include <boost/pfr.hpp>

#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

struct Counter {
  std::size_t arguments = 0, options = 0;
  template <typename T>
  void argument(std::string_view, T&) {
    ++arguments;
  }
  template <typename T>
  void option(std::string_view, T&) {
    ++options;
  }
};

template <typename Op>
void expectAllFieldsVisited() {
  Op op{};
  Counter counter;
  op.visitFields(op, counter);
  const bool hasKind = requires { op.kind; };
  // without `options` and `kind`
  EXPECT_EQ(counter.arguments, boost::pfr::tuple_size_v<Op> - 1 - (hasKind ? 1 : 0)) << rowOf(op).name;
  EXPECT_EQ(counter.options, boost::pfr::tuple_size_v<decltype(op.options)> - 1) << rowOf(op).name;  // `label` is not counted
}

template <typename... Op>
void expectAllFieldsVisited(const std::variant<Op...>*) {
  (expectAllFieldsVisited<Op>(), ...);
}

TEST(VisitFields, NamesEveryMemberOfEveryOperation) { expectAllFieldsVisited(static_cast<const OperationVariant*>(nullptr)); }

// Collects the names of all operand fields.
struct Names {
  std::vector<std::string> names;
  void put(std::string_view name, const Operand&) { names.emplace_back(name); }
  void put(std::string_view name, const std::optional<Operand>&) { names.emplace_back(name); }
  void put(std::string_view name, const std::vector<Operand>&) { names.emplace_back(name); }
  template <typename T>
  void put(std::string_view, const T&) {}
  template <typename T>
  void argument(std::string_view name, const T& field) {
    put(name, field);
  }
  template <typename T>
  void option(std::string_view name, const T& field) {
    put(name, field);
  }
};

// For every field that is an operand, the row must have an input rule of the same name, and for every input rule, the operation
// a field.
TEST(VisitFields, AndRowsNameTheSameOperands) {
  for (const Operation& operation : allOperations()) {
    Names fields;
    visitFields(operation, fields);
    std::vector<std::string> rules;
    for (const ops::OperandRule& rule : rowOf(operation).rules()) {
      if (!rule.output) rules.emplace_back(rule.name);
    }
    std::ranges::sort(fields.names);
    std::ranges::sort(rules);
    EXPECT_EQ(fields.names, rules) << name(operation);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
