// Tests for every operand of every operation that the rules of its row are enforced for all types and ranks, with a message that
// names the operand, and that the operand must belong to the same builder.
#include <map>

#include "ops/operand_record.h"
#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

constexpr std::size_t kTooHighRank = kMaxRank + 1;

// Returns an operand without a builder, because no builder makes operands of rank 9. All dimensions are 1.
Operand makeOperand(DataType type, std::size_t rank) {
  auto record = std::make_shared<OperandRecord>();
  record->descriptor = {type, Shape(rank, 1)};
  return Operand(std::move(record));
}

// Sets the operand fields of an operation, including optional ones, to the given values. A list gets its value twice.
struct SetOperands {
  const std::map<std::string_view, Operand>& values;

  template <typename Field>
  void set(std::string_view name, Field& field) {
    const auto value = values.find(name);
    if constexpr (std::is_same_v<Field, std::vector<Operand>>) {
      if (value != values.end()) field = {value->second, value->second};
    } else if constexpr (std::is_same_v<Field, Operand> || std::is_same_v<Field, std::optional<Operand>>) {
      if (value != values.end()) field = value->second;
    }
  }
  template <typename Field>
  void argument(std::string_view name, Field& field) {
    set(name, field);
  }
  template <typename Field>
  void option(std::string_view name, Field& field) {
    set(name, field);
  }
};

Operation with(Operation operation, const std::map<std::string_view, Operand>& operands) {
  std::visit([](auto& op) { op.options.label = "it"; }, operation);
  visitFields(operation, SetOperands{operands});
  return operation;
}

// Says whether allowedDescriptors() chooses the lowest types and ranks that a row allows, or the highest. The function returns
// one descriptor per input operand.
enum class End { lowest, highest };
std::map<std::string_view, OperandDescriptor> allowedDescriptors(const ops::OperationRow& row, End end) {
  std::map<std::string_view, OperandDescriptor> chosen;
  for (const ops::OperandRule& rule : row.rules()) {
    if (rule.output) continue;
    OperandDescriptor& descriptor = chosen[rule.name];
    for (std::size_t i = 0; i < kDataTypeCount; ++i) {
      const auto type = static_cast<DataType>(end == End::lowest ? kDataTypeCount - 1 - i : i);
      if (rule.types.contains(type)) descriptor.dataType = type;  // the last type is used
    }
    std::size_t rank = end == End::lowest ? rule.ranks.min : rule.ranks.max;
    if (!rule.sameTypeAs.empty()) descriptor.dataType = chosen.at(rule.sameTypeAs).dataType;
    if (!rule.sameRankAs.empty()) rank = chosen.at(rule.sameRankAs).shape.size();
    descriptor.shape = Shape(rank, 1);
  }
  return chosen;
}

std::map<std::string_view, Operand> allowedOperands(const ops::OperationRow& row, End end) {
  std::map<std::string_view, Operand> operands;
  for (const auto& [name, descriptor] : allowedDescriptors(row, end)) {
    operands.emplace(name, makeOperand(descriptor.dataType, descriptor.shape.size()));
  }
  return operands;
}

std::string joined(ops::DataTypeSet types) {
  std::string result;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (types.contains(type)) result += (result.empty() ? "" : ", ") + std::string(name(type));
  }
  return result;
}

// Returns why a rule forbids an operand, as the text that must follow the operand's name in the message. The text is empty if the
// operand is allowed.
std::string typeReason(const ops::OperandRule& rule, DataType type, const std::map<std::string_view, Operand>& others) {
  const std::string start = " data type (" + std::string(name(type)) + ") is not ";
  if (rule.sameTypeAs.empty()) return rule.types.contains(type) ? "" : start + "one of " + joined(rule.types) + ".";
  const DataType other = others.at(rule.sameTypeAs).dataType();
  return type == other ? "" : start + "that of " + std::string(rule.sameTypeAs) + " (" + std::string(name(other)) + ").";
}
std::string rankReason(const ops::OperandRule& rule, std::size_t rank, const std::map<std::string_view, Operand>& others) {
  const std::string start = " rank (" + std::to_string(rank) + ") is not ";
  if (!rule.sameRankAs.empty()) {
    const std::size_t other = others.at(rule.sameRankAs).rank();
    return rank == other ? "" : start + "that of " + std::string(rule.sameRankAs) + " (" + std::to_string(other) + ").";
  }
  const auto [min, max] = std::pair<std::size_t, std::size_t>(rule.ranks.min, rule.ranks.max);
  if (rank >= min && rank <= max) return "";
  return start + (min == max ? std::to_string(min) : "between " + std::to_string(min) + " and " + std::to_string(max)) + ".";
}

// Returns whether a message is from the generic check of this operand. Messages of operation-specific steps may mention ranks,
// too, but with other words.
bool isGenericMessage(std::string_view message, const std::string& start) {
  for (const char* middle : {" is not one of ", " is not that of ", " is not between "}) {
    const bool ofOperand = message.starts_with(start + " data type (") || message.starts_with(start + " rank (");
    if (ofOperand && message.find(middle) != std::string_view::npos) return true;
  }
  return false;
}

// Checks `operation`, in which at most the operand of `rule` violates its rule. `reason` is the expected error, or empty.
void expectRuleEnforced(Operation operation, const ops::OperandRule& rule, const std::string& reason) {
  const std::string start = std::string(name(operation)) + " \"it\": " + std::string(rule.name);
  try {
    validate(operation);
    EXPECT_EQ(reason, "") << start << " was accepted";
  } catch (const Error& error) {
    if (reason.empty()) {
      EXPECT_FALSE(isGenericMessage(error.what(), start)) << error.what();
    } else {
      EXPECT_EQ(error.what(), start + reason);
      EXPECT_EQ(name(error.kind()), "TypeError");
    }
  }
}

TEST(OperandRules, AreEnforcedForEveryTypeAndRankOfEveryOperand) {
  for (const Operation& empty : allOperations()) {
    for (const End end : {End::lowest, End::highest}) {
      const std::map<std::string_view, Operand> allowed = allowedOperands(rowOf(empty), end);
      for (const ops::OperandRule& rule : rowOf(empty).rules()) {
        if (rule.output) continue;
        for (std::size_t i = 0; i < kDataTypeCount; ++i) {
          for (std::size_t rank = 0; rank <= kTooHighRank; ++rank) {
            std::map<std::string_view, Operand> operands = allowed;
            operands[rule.name] = makeOperand(static_cast<DataType>(i), rank);
            const std::string badType = typeReason(rule, static_cast<DataType>(i), allowed);
            expectRuleEnforced(with(empty, operands), rule, badType.empty() ? rankReason(rule, rank, allowed) : badType);
          }
        }
      }
    }
  }
}

TEST(OperandRules, NoOperandMayBeOfARankAboveTheHighest) {
  for (const Operation& empty : allOperations()) {
    for (const ops::OperandRule& rule : rowOf(empty).rules()) EXPECT_LE(rowOf(empty).ranksOf(rule).max, kMaxRank) << name(empty);
  }
}

TEST(OperandRules, RejectOperandsThatReferToNothing) {
  for (const Operation& empty : allOperations()) {
    for (const ops::OperandRule& rule : rowOf(empty).rules()) {
      if (rule.output) continue;
      std::map<std::string_view, Operand> operands = allowedOperands(rowOf(empty), End::lowest);
      operands[rule.name] = Operand();
      Operation operation = with(empty, operands);
      const std::string start = std::string(name(empty)) + " \"it\": " + std::string(rule.name);
      expectTypeError({start + " refers to no operand."}, [&] { validate(operation); });
      Fixture fixture;
      std::map<std::string_view, Operand> own = {{rule.name, Operand()}};
      for (const auto& [name, descriptor] : allowedDescriptors(rowOf(empty), End::lowest)) {
        own.emplace(name, fixture.input(descriptor.dataType, descriptor.shape));  // all operands but the one that is tested
      }
      expectTypeError({start + " is no operand."}, [&] { fixture.builder.append(with(empty, own)); });
    }
  }
}

TEST(OperandRules, RejectOperandsOfAnotherBuilder) {
  for (const Operation& empty : allOperations()) {
    for (const ops::OperandRule& rule : rowOf(empty).rules()) {
      if (rule.output) continue;
      Fixture fixture, other;
      std::map<std::string_view, Operand> operands;
      for (const auto& [name, descriptor] : allowedDescriptors(rowOf(empty), End::highest)) {
        operands.emplace(name, (name == rule.name ? other : fixture).input(descriptor.dataType, descriptor.shape));
      }
      expectTypeError({std::string(name(empty)) + " \"it\": " + std::string(rule.name) + " is an operand of another builder."},
                      [&] { fixture.builder.append(with(empty, operands)); });
    }
  }
}

TEST(OperandRules, AreNotLookedAtAfterBuild) {
  Fixture fixture;
  const Operand one = fixture.constant({}, {1}), zero = fixture.constant(DataType::int8, {}, {0});
  fixture.builder.build({{"output", fixture.builder.quantizeLinear(one, one, zero)}});
  for (const Operation& empty : allOperations()) {
    expectError(ErrorKind::invalidStateError, {std::string(name(empty))}, [&] { fixture.builder.append(empty); });
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
