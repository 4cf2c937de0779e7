#include "random/stepwise.h"

#include <map>
#include <string_view>
#include <variant>

#include "backends/reference/reference_backend.h"
#include "ops/operand_record.h"

namespace webnn::random {

namespace {

Bytes part(const Bytes& bytes, std::size_t index, std::size_t parts) {
  const auto size = static_cast<std::ptrdiff_t>(bytes.size() / parts);
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(index) * size;
  return {first, first + size};
}

void setPart(Bytes& bytes, std::size_t index, const Bytes& part) {
  std::ranges::copy(part, bytes.begin() + static_cast<std::ptrdiff_t>(index * part.size()));
}

template <typename Op>
std::vector<Bytes> evaluate(const Op& op, const std::vector<Bytes>& operands, const ChangeState& change) {
  constexpr bool isLstm = requires { op.options.initialCellState; };
  constexpr std::size_t states = isLstm ? 2 : 1;
  using enum RecurrentNetworkDirection;
  const std::size_t directions = op.options.direction == both ? 2 : 1;

  // An operation that computes one step of one direction.
  Op step = op;
  step.steps = 1;
  step.options.direction = forward;
  step.options.returnSequence = false;
  const DataType type = op.input.dataType();
  const OperandDescriptor state{type, {1, op.input.shape()[1], op.hiddenSize}};
  step.options.initialHiddenState = makeOperand(OperandKind::input, 0, state);
  if constexpr (isLstm) step.options.initialCellState = makeOperand(OperandKind::input, 0, state);
  Operation one = step;
  mapOperands(one, [](const Operand& operand) {
    Shape shape = operand.shape();
    shape[0] = 1;
    return makeOperand(OperandKind::input, 0, {operand.dataType(), shape});
  });
  const ops::Outputs outputs = validate(one);

  std::map<std::string_view, Bytes> given;
  std::size_t i = 0;
  visitOperands(Operation(op), [&](std::string_view name, const Operand&) { given.emplace(name, operands[i++]); });
  const Bytes input = std::move(given.extract("input").mapped());
  const Bytes zeros(byteLength(state));
  std::vector<Bytes> results(states + (op.options.returnSequence ? 1 : 0), Bytes(zeros.size() * directions));
  if (op.options.returnSequence) results.back().resize(zeros.size() * directions * op.steps);
  for (std::size_t direction = 0; direction < directions; ++direction) {
    std::map<std::string_view, Bytes> own{{"initialHiddenState", zeros}, {"initialCellState", zeros}};
    for (const auto& [name, bytes] : given) {
      if (name != "input") own.insert_or_assign(name, part(bytes, direction, directions));
    }
    const bool isBackward = op.options.direction == backward || direction == 1;
    for (std::size_t s = 0; s < op.steps; ++s) {
      const std::size_t at = isBackward ? op.steps - 1 - s : s;
      own["input"] = part(input, at, op.steps);
      std::vector<std::span<const std::byte>> spans;
      visitOperands(one, [&](std::string_view name, const Operand&) { spans.emplace_back(own[name]); });
      std::vector<Bytes> next = reference::evaluate(one, spans, outputs);
      for (Bytes& bytes : next) change(state, bytes);
      if (op.options.returnSequence) setPart(results.back(), at * directions + direction, next[0]);
      if constexpr (isLstm) own["initialCellState"] = next[1];
      own["initialHiddenState"] = next[0];
    }
    setPart(results[0], direction, own["initialHiddenState"]);
    if constexpr (isLstm) setPart(results[1], direction, own["initialCellState"]);
  }
  return results;
}

}  // namespace

std::vector<Bytes> evaluateStepwise(const Operation& operation, const std::vector<Bytes>& operands, const ChangeState& change) {
  if (const auto* gru = std::get_if<ops::Gru>(&operation)) return evaluate(*gru, operands, change);
  if (const auto* lstm = std::get_if<ops::Lstm>(&operation)) return evaluate(*lstm, operands, change);
  return {};
}

}  // namespace webnn::random
