// Element-wise operations on floats become chains of one instruction. Those on other types, and what moves elements without
// computing, stay.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "cpu/compile/passes/passes.h"

namespace webnn::cpu {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool isReal(const Operand& operand) { return isFloat(operand.dataType()); }

// The chain of one instruction; an operand that is given twice is one input.
Chain chainOf(ElementInstruction instruction, const std::vector<Operand>& operands) {
  Chain chain;
  std::array<std::uint16_t, 3> at{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::size_t k = 0;
    while (k < chain.inputs.size() && chain.inputs[k].record().index != operands[i].record().index) ++k;
    if (k == chain.inputs.size()) chain.inputs.push_back(operands[i]);
    at[i] = static_cast<std::uint16_t>(k);
  }
  instruction.a = at[0];
  instruction.b = at[1];
  instruction.c = at[2];
  chain.program.inputs = static_cast<std::uint16_t>(chain.inputs.size());
  chain.program.instructions.push_back(instruction);
  return chain;
}

Chain chainOf(ElementCode code, const std::vector<Operand>& operands, double p = 0, double q = 0) {
  return chainOf({.code = code, .p = static_cast<float>(p), .q = static_cast<float>(q)}, operands);
}

using MaybeChain = std::optional<Chain>;

ElementCode codeOf(ops::BinaryKind kind) {
  static_assert(static_cast<int>(ops::BinaryKind::logicalXor) == static_cast<int>(ElementCode::logicalXor));
  return static_cast<ElementCode>(kind);  // in the same order
}

bool isLogical(ops::BinaryKind kind) { return kind >= ops::BinaryKind::logicalAnd; }

// Whether dividing by x is multiplying by 1 / x.
bool hasExactReciprocal(float x) {
  int exponent = 0;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5F && exponent > -120 && exponent < 120;
}

// `x op value` with the value as an immediate, where the result is the same bit by bit. Multiplication adds -0, which changes
// nothing, not even the sign of 0.
MaybeChain withRightImmediate(ops::BinaryKind kind, const Operand& x, float value) {
  switch (kind) {
    case ops::BinaryKind::add:
      return chainOf(ElementCode::linear, {x}, 1, value);
    case ops::BinaryKind::sub:
      return chainOf(ElementCode::linear, {x}, 1, -value);
    case ops::BinaryKind::mul:
      return chainOf(ElementCode::linear, {x}, value, -0.0);
    case ops::BinaryKind::div:
      if (hasExactReciprocal(value)) return chainOf(ElementCode::linear, {x}, 1 / value, -0.0);
      return std::nullopt;
    case ops::BinaryKind::max:
      if (!std::isnan(value)) return chainOf(ElementCode::clamp, {x}, value, kInfinity);
      return std::nullopt;
    case ops::BinaryKind::min:
      if (!std::isnan(value)) return chainOf(ElementCode::clamp, {x}, -kInfinity, value);
      return std::nullopt;
    case ops::BinaryKind::pow:
      if (value == 2) return chainOf(ElementCode::mul, {x, x});
      if (value == -1) return chainOf(ElementCode::reciprocal, {x});
      return std::nullopt;
    default:
      return std::nullopt;
  }
}
MaybeChain withLeftImmediate(ops::BinaryKind kind, float value, const Operand& x) {
  if (kind == ops::BinaryKind::sub) return chainOf(ElementCode::linear, {x}, -1, value);
  if (kind == ops::BinaryKind::div && value == 1) return chainOf(ElementCode::reciprocal, {x});
  const bool commutes = kind == ops::BinaryKind::add || kind == ops::BinaryKind::mul || kind == ops::BinaryKind::max ||
                        kind == ops::BinaryKind::min;
  return commutes ? withRightImmediate(kind, x, value) : std::nullopt;
}

// Turns nodes into chains, one after another.
class Maker {
 public:
  explicit Maker(const Module& module) : isChain_(module.indexLimit()) {}

  void visit(ModuleNode& node) {
    MaybeChain chain = visitOperation(node.operation, [&](const auto& op) -> MaybeChain {
      if constexpr (requires { make(op); }) {
        return make(op);
      } else {
        return std::nullopt;
      }
    });
    if (!chain) return;
    chain->options = {.label = label(node.operation)};
    isChain_[node.outputs[0].record().index] = true;
    node.operation = EngineOperation(*std::move(chain));
  }

 private:
  MaybeChain make(const ops::Binary& op) const {
    if (isLogical(op.kind)) {  // of bytes: worth a chain where it may become part of one
      if (!follows(op.a) && !follows(op.b)) return std::nullopt;
    } else {
      if (!isReal(op.a)) return std::nullopt;
      MaybeChain chain;
      if (const auto value = uniformValue(op.b)) chain = withRightImmediate(op.kind, op.a, *value);
      if (const auto value = uniformValue(op.a); !chain && value) chain = withLeftImmediate(op.kind, *value, op.b);
      if (chain) return chain;
    }
    return chainOf(codeOf(op.kind), {op.a, op.b});
  }
  MaybeChain make(const ops::Where& op) const {
    if (!isReal(op.trueValue)) return std::nullopt;
    return chainOf(ElementCode::where, {op.condition, op.trueValue, op.falseValue});
  }
  MaybeChain make(const ops::Unary& op) const {
    if (!isReal(op.input)) return std::nullopt;
    switch (op.kind) {
      case ops::UnaryKind::abs:
        return chainOf(ElementCode::abs, {op.input});
      case ops::UnaryKind::ceil:
        return chainOf(ElementCode::ceil, {op.input});
      case ops::UnaryKind::cos:
        return chainOf(ElementCode::cos, {op.input});
      case ops::UnaryKind::erf:
        return chainOf(ElementCode::erf, {op.input});
      case ops::UnaryKind::exp:
        return chainOf(ElementCode::exp, {op.input});
      case ops::UnaryKind::floor:
        return chainOf(ElementCode::floor, {op.input});
      case ops::UnaryKind::identity:
        return std::nullopt;
      case ops::UnaryKind::log:
        return chainOf(ElementCode::log, {op.input});
      case ops::UnaryKind::neg:
        return chainOf(ElementCode::neg, {op.input});
      case ops::UnaryKind::reciprocal:
        return chainOf(ElementCode::reciprocal, {op.input});
      case ops::UnaryKind::roundEven:
        return chainOf(ElementCode::roundEven, {op.input});
      case ops::UnaryKind::sin:
        return chainOf(ElementCode::sin, {op.input});
      case ops::UnaryKind::sign:
        return chainOf(ElementCode::sign, {op.input});
      case ops::UnaryKind::sqrt:
        return chainOf(ElementCode::sqrt, {op.input});
      case ops::UnaryKind::tan:
        return chainOf(ElementCode::tan, {op.input});
    }
    return std::nullopt;
  }
  MaybeChain make(const ops::LogicalUnary& op) const {
    switch (op.kind) {
      case ops::LogicalUnaryKind::logicalNot:
        if (!follows(op.a)) return std::nullopt;
        return chainOf(ElementCode::logicalNot, {op.a});
      case ops::LogicalUnaryKind::isNaN:
        if (!isReal(op.a)) return std::nullopt;
        return chainOf(ElementCode::isNaN, {op.a});
      case ops::LogicalUnaryKind::isInfinite:
        if (!isReal(op.a)) return std::nullopt;
        return chainOf(ElementCode::isInfinite, {op.a});
    }
    return std::nullopt;
  }
  // What the loads and stores of a chain convert.
  MaybeChain make(const ops::Cast& op) const {
    if (!isFloat(op.dataType) || (!isReal(op.input) && op.input.dataType() != DataType::uint8)) return std::nullopt;
    return Chain{.inputs = {op.input}, .program = {}, .options = {}};
  }
  MaybeChain make(const ops::Clamp& op) const {
    if (!isReal(op.input)) return std::nullopt;
    const double low = op.options.minValue->toDouble(), high = op.options.maxValue->toDouble();
    if (std::isnan(low) || std::isnan(high)) return chainOf(ElementCode::linear, {op.input}, NAN, NAN);  // everything is NaN
    return chainOf(ElementCode::clamp, {op.input}, low, high);
  }
  MaybeChain make(const ops::Activation& op) const {
    if (!isReal(op.input)) return std::nullopt;
    switch (op.kind) {
      case ops::ActivationKind::gelu:
        return chainOf(ElementCode::gelu, {op.input});
      case ops::ActivationKind::hardSwish:
        return chainOf(ElementCode::hardSwish, {op.input});
      case ops::ActivationKind::relu:
        return chainOf(ElementCode::relu, {op.input});
      case ops::ActivationKind::sigmoid:
        return chainOf(ElementCode::sigmoid, {op.input});
      case ops::ActivationKind::softplus:
        return chainOf(ElementCode::softplus, {op.input});
      case ops::ActivationKind::softsign:
        return chainOf(ElementCode::softsign, {op.input});
      case ops::ActivationKind::tanh:
        return chainOf(ElementCode::tanh, {op.input});
    }
    return std::nullopt;
  }
  MaybeChain make(const ops::Elu& op) const { return chainOf(ElementCode::elu, {op.input}, op.options.alpha); }
  MaybeChain make(const ops::LeakyRelu& op) const { return chainOf(ElementCode::leakyRelu, {op.input}, op.options.alpha); }
  MaybeChain make(const ops::HardSigmoid& op) const {
    return chainOf(ElementCode::hardSigmoid, {op.input}, op.options.alpha, op.options.beta);
  }
  MaybeChain make(const ops::Linear& op) const {
    return chainOf(ElementCode::linear, {op.input}, op.options.alpha, op.options.beta);
  }
  MaybeChain make(const ops::Prelu& op) const {
    if (!isReal(op.input)) return std::nullopt;
    return chainOf(ElementCode::prelu, {op.input, op.slope});
  }

  // Whether a chain computes the operand.
  bool follows(const Operand& operand) const {
    const std::uint32_t index = operand.record().index;
    return index < isChain_.size() && isChain_[index];
  }

  std::vector<bool> isChain_;
};

}  // namespace

void makeChains(Module& module, const PassOptions&) {
  Maker maker(module);
  for (ModuleNode& node : module.nodes) maker.visit(node);
}

}  // namespace webnn::cpu
