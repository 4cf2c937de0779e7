#include "builder/empty_operands.h"

#include <algorithm>
#include <limits>

#include "ops/checks.h"
#include "ops/sizes/open_sizes.h"

namespace webnn {

bool isEmpty(const OperandDescriptor& descriptor) { return std::ranges::count(descriptor.shape, 0u) > 0; }

Operand emptyOperand(const OperandDescriptor& descriptor) { return makeOperand(OperandKind::intermediate, 0, descriptor); }

namespace {

class Appender {
 public:
  explicit Appender(GraphBuilder& builder) : builder_(builder) {}

  std::vector<Operand> append(Operation operation) {
    ops::Outputs outputs;
    {
      OpenSizes sizes;
      sizes.allowsZero = true;
      const OpenScope scope(sizes);
      outputs = validate(operation);
    }
    std::vector<Operand> results;
    if (std::ranges::all_of(outputs, isEmpty)) {
      for (const OperandDescriptor& output : outputs) results.push_back(emptyOperand(output));
      return results;
    }
    bool hasEmptyOperand = false;
    visitOperands(operation, [&](std::string_view, const Operand& operand) {
      hasEmptyOperand = hasEmptyOperand || isEmpty(operand.descriptor());
    });
    if (auto* split = std::get_if<ops::Split>(&operation)) return withoutEmptyParts(*split, outputs);
    // If no operand is empty, only a size in a field is 0, such as a padding that depends on an open size: the operation is
    // ordinary.
    if (!hasEmptyOperand) return builder_.append(std::move(operation));
    const std::optional<std::vector<Operand>> defined =
        std::visit([&](auto& op) { return overNothing(op, outputs); }, static_cast<OperationVariant&>(operation));
    if (defined) return *defined;
    fail(ErrorKind::notSupportedError, "{}the result is not defined, because an operand has no elements.",
         ops::messagePrefix(name(operation), label(operation)));
  }

  std::vector<Operand> withoutEmptyParts(const ops::Split& op, const ops::Outputs& outputs) {
    std::vector<std::uint32_t> sizes;
    for (const OperandDescriptor& output : outputs) {
      if (!isEmpty(output)) sizes.push_back(output.shape[op.options.axis]);
    }
    const std::vector<Operand> parts = builder_.split(op.input, sizes, op.options);
    std::vector<Operand> results;
    for (std::size_t i = 0, part = 0; i < outputs.size(); ++i)
      results.push_back(isEmpty(outputs[i]) ? emptyOperand(outputs[i]) : parts[part++]);
    return results;
  }

 private:
  using Results = std::optional<std::vector<Operand>>;

  Operand filled(const OperandDescriptor& output, const Number& value) {
    return builder_.expand(builder_.constant(output.dataType, value), output.shape);
  }

  // Return the results of an operation on an empty operand, at least one of which is not empty, as NumPy and ONNX define them;
  // nullopt if a result is not defined.
  template <typename Op>
  Results overNothing(Op&, const ops::Outputs&) {
    return std::nullopt;
  }
  Results overNothing(ops::Concat& op, const ops::Outputs&) {
    std::erase_if(op.inputs, [](const Operand& input) { return isEmpty(input.descriptor()); });
    return std::vector{builder_.concat(op.inputs, op.axis, op.options)};
  }
  Results overNothing(ops::Matmul&, const ops::Outputs& outputs) { return std::vector{filled(outputs[0], 0)}; }
  Results overNothing(ops::Gemm& op, const ops::Outputs& outputs) {
    Operand zeros = filled(outputs[0], 0);
    if (!op.options.c) return std::vector{zeros};
    return std::vector{builder_.add(zeros, builder_.mul(*op.options.c, builder_.constant(outputs[0].dataType, op.options.beta)))};
  }
  Results overNothing(ops::Pad& op, const ops::Outputs& outputs) {
    if (op.options.mode != PaddingMode::constant) return std::nullopt;
    return std::vector{filled(outputs[0], op.options.value)};
  }
  Results overNothing(ops::ScatterElements& op, const ops::Outputs&) { return unlessWritten(op.input); }
  Results overNothing(ops::ScatterND& op, const ops::Outputs&) { return unlessWritten(op.input); }
  Results unlessWritten(const Operand& input) { return std::vector{builder_.identity(input)}; }
  Results overNothing(ops::Reduce& op, const ops::Outputs& outputs) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto all = [&](const Number& value) { return std::vector{filled(outputs[0], value)}; };
    switch (op.kind) {
      case ops::ReduceKind::reduceL1:
      case ops::ReduceKind::reduceL2:
      case ops::ReduceKind::reduceSum:
      case ops::ReduceKind::reduceSumSquare: return all(0);
      case ops::ReduceKind::reduceProduct: return all(1);
      case ops::ReduceKind::reduceLogSum:
      case ops::ReduceKind::reduceLogSumExp: return all(-kInfinity);
      case ops::ReduceKind::reduceMax: return all(cast(-kInfinity, outputs[0].dataType));
      case ops::ReduceKind::reduceMin: return all(cast(kInfinity, outputs[0].dataType));
      case ops::ReduceKind::reduceMean: break;
    }
    return std::nullopt;
  }
  // If there are no steps, the final states are the initial states.
  Results overNothing(ops::Gru& op, const ops::Outputs& outputs) {
    if (op.steps != 0) return std::nullopt;
    std::vector<Operand> results{state(op.options.initialHiddenState, outputs[0])};
    if (outputs.size() > 1) results.push_back(emptyOperand(outputs[1]));
    return results;
  }
  Results overNothing(ops::Lstm& op, const ops::Outputs& outputs) {
    if (op.steps != 0) return std::nullopt;
    std::vector<Operand> results{state(op.options.initialHiddenState, outputs[0]),
                                 state(op.options.initialCellState, outputs[1])};
    if (outputs.size() > 2) results.push_back(emptyOperand(outputs[2]));
    return results;
  }
  Operand state(const std::optional<Operand>& initial, const OperandDescriptor& output) {
    return initial ? builder_.identity(*initial) : filled(output, 0);
  }

  GraphBuilder& builder_;
};

}  // namespace

std::vector<Operand> appendWithEmpty(GraphBuilder& builder, Operation operation) {
  return Appender(builder).append(std::move(operation));
}

}  // namespace webnn
