#include "ops/operation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "ops/checks.h"

namespace webnn {

namespace {

// The name of an operation and the function that makes it. allMakers() sorts makers instead of operations, because sorting
// operations would call the move function of every operation type, and browsers compile a function at its first call.
struct Maker {
  std::string_view name;
  std::size_t kind;
  Operation (*make)(std::size_t kind);
};

template <typename Op>
Operation make([[maybe_unused]] std::size_t kind) {
  Op op{};
  if constexpr (requires { op.kind; }) op.kind = static_cast<decltype(op.kind)>(kind);
  return op;
}

template <typename... Op>
std::vector<Maker> makersOf(const std::variant<Op...>*) {
  std::vector<Maker> makers;
  const auto append = [&](std::span<const ops::OperationRow> rows, Operation (*make)(std::size_t)) {
    for (std::size_t i = 0; i < rows.size(); ++i) makers.push_back({rows[i].name, i, make});
  };
  (append(Op::rows, make<Op>), ...);
  std::ranges::sort(makers, {}, &Maker::name);
  return makers;
}

const std::vector<Maker>& allMakers() {
  static const std::vector<Maker> makers = makersOf(static_cast<const OperationVariant*>(nullptr));
  return makers;
}

std::string typeNames(ops::DataTypeSet types) {
  std::string names;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (types.contains(type)) names += (names.empty() ? "" : ", ") + std::string(name(type));
  }
  return names;
}

// The operands that are already checked: the first one of each name.
class SeenOperands {
 public:
  const Operand* find(std::string_view name) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (all_[i].name == name) return all_[i].operand;
    }
    return nullptr;
  }
  void add(std::string_view name, const Operand& operand) {
    if (!find(name)) all_.at(count_++) = {name, &operand};
  }

 private:
  struct Seen {
    std::string_view name;
    const Operand* operand = nullptr;
  };
  static constexpr std::size_t kMost = 12;  // no operation has more distinct operand names
  std::array<Seen, kMost> all_;
  std::size_t count_ = 0;
};

void checkOperand(ops::Subject op, const ops::OperationRow& row, std::string_view name, const Operand& operand,
                  SeenOperands& seen) {
  ops::require(static_cast<bool>(operand), op, "{} refers to no operand.", name);
  const ops::OperandRule& rule = *row.find(name);
  const DataType type = operand.dataType();
  if (rule.sameTypeAs.empty()) {
    if (!rule.types.contains(type)) {
      ops::fail(op, ErrorKind::typeError, "{} data type ({}) is not one of {}.", name, webnn::name(type), typeNames(rule.types));
    }
  } else {
    const DataType expected = seen.find(rule.sameTypeAs)->dataType();
    ops::require(type == expected, op, "{} data type ({}) is not that of {} ({}).", name, webnn::name(type), rule.sameTypeAs,
                 webnn::name(expected));
  }
  const std::size_t rank = operand.rank();
  if (!rule.sameRankAs.empty()) {
    const std::size_t expected = seen.find(rule.sameRankAs)->rank();
    ops::require(rank == expected, op, "{} rank ({}) is not that of {} ({}).", name, rank, rule.sameRankAs, expected);
  } else if (rule.ranks.min == rule.ranks.max) {
    ops::require(rank == rule.ranks.min, op, "{} rank ({}) is not {}.", name, rank, rule.ranks.min);
  } else {
    ops::require(rank >= rule.ranks.min && rank <= rule.ranks.max, op, "{} rank ({}) is not between {} and {}.", name, rank,
                 rule.ranks.min, rule.ranks.max);
  }
  seen.add(name, operand);
}

template <typename Visit>
struct SizeVisitor {
  const Visit& visit;

  void sizes(std::string_view name, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, std::uint32_t>) {
      visit(name, field);
    } else if constexpr (std::is_same_v<Field, std::vector<std::uint32_t>>) {
      for (auto& size : field) visit(name, size);
    } else if constexpr (std::is_same_v<Field, OptionalSizes>) {
      if (field) sizes(name, *field);
    } else if constexpr (std::is_same_v<Field, decltype(ops::Split::splits)>) {
      std::visit([&](auto& value) { sizes(name, value); }, field);
    }
  }
  void argument(std::string_view name, auto& field) { sizes(name, field); }
  void option(std::string_view name, auto& field) { sizes(name, field); }
};

// Refuses open sizes in fields for which isSizeField() is false, and handles that the builder does not have.
void checkOpenFields(ops::Subject op, const Operation& operation) {
  visitSizes(operation, [&](std::string_view name, std::uint32_t size) {
    if (!isOpen(size)) return;
    if (!OpenScope::current()->has(size))
      ops::fail(op, ErrorKind::typeError, "{} ({}) is neither a size nor an open dimension of this builder.", name, size);
    if (!ops::isSizeField(name)) ops::requireFixed(op, name, size);
  });
}

// Checks the sizes of all outputs. Their types need no check unless a field of the operation, such as outputDataType, determines
// them.
void checkOutputs(ops::Subject op, const ops::OperationRow& row, const ops::Outputs& outputs) {
  for (const OperandDescriptor& output : outputs) {
    if (OpenScope::current() && (isOpen(output.shape) || std::ranges::count(output.shape, 0u) > 0)) {
      ops::requireDimensions(op, output.shape);
      continue;
    }
    try {
      byteLength(output);
    } catch (const Error& error) {
      ops::fail(op, ErrorKind::typeError, "output: {}", error.what());
    }
  }
  const ops::OperandRule* rule = row.find("output");
  if (rule && rule->sameTypeAs.empty() && !rule->types.contains(outputs[0].dataType)) {
    ops::fail(op, ErrorKind::typeError, "output data type ({}) is not one of {}.", webnn::name(outputs[0].dataType),
              typeNames(rule->types));
  }
}

}  // namespace

Operation::Operation(const Operation&) = default;
Operation::Operation(Operation&&) noexcept = default;
Operation& Operation::operator=(const Operation&) = default;
Operation& Operation::operator=(Operation&&) noexcept = default;
Operation::~Operation() = default;

const ops::OperationRow& rowOf(const Operation& operation) {
  return std::visit([](const auto& op) -> const ops::OperationRow& { return ops::rowOf(op); }, operation);
}

const std::string& label(const Operation& operation) {
  return std::visit([](const auto& op) -> const std::string& { return op.options.label; }, operation);
}

const std::vector<Operation>& allOperations() {
  static const std::vector<Operation> operations = [] {
    std::vector<Operation> all;
    for (const Maker& maker : allMakers()) all.push_back(maker.make(maker.kind));
    return all;
  }();
  return operations;
}

Operation makeOperation(std::size_t index) {
  const Maker& maker = allMakers()[index];
  return maker.make(maker.kind);
}

std::optional<Operation> makeOperation(std::string_view methodName) {
  const auto& all = allMakers();
  const auto found = std::ranges::lower_bound(all, methodName, {}, &Maker::name);
  if (found == all.end() || found->name != methodName) return std::nullopt;
  return found->make(found->kind);
}

void visitOperands(const Operation& operation, OperandVisit visit) { visitFields(operation, internal::OperandVisitor{visit}); }
void mapOperands(Operation& operation, OperandMap map) { visitFields(operation, internal::OperandMapper{map}); }

void visitSizes(Operation& operation, FunctionRef<void(std::string_view, std::uint32_t&)> visit) {
  visitFields(operation, SizeVisitor<decltype(visit)>{visit});
}
void visitSizes(const Operation& operation, FunctionRef<void(std::string_view, std::uint32_t)> visit) {
  visitFields(operation, SizeVisitor<decltype(visit)>{visit});
}

ops::Outputs validate(Operation& operation) {
  Operation resolved = operation;
  ops::Outputs outputs = validateInPlace(resolved);
  operation = std::move(resolved);
  return outputs;
}

ops::Outputs validateInPlace(Operation& operation) {
  const ops::OperationRow& row = rowOf(operation);
  const ops::Subject subject(row.name, label(operation));
  SeenOperands seen;
  visitOperands(operation,
                [&](std::string_view name, const Operand& operand) { checkOperand(subject, row, name, operand, seen); });
  if (OpenScope::current()) checkOpenFields(subject, operation);
  ops::Outputs outputs = std::visit([](auto& op) { return infer(op); }, operation);
  checkOutputs(subject, row, outputs);
  return outputs;
}

}  // namespace webnn
