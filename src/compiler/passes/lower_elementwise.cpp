// Lowers element-wise operations that read or write floats, and logical operations on their results, to element programs with
// at most one instruction, or two for cubes. Does not change operations that only move elements.
#include <array>
#include <cmath>
#include <limits>

#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool isReal(const Operand& operand) { return isFloat(operand.dataType()); }

// Makes a program with one instruction. An operand that occurs twice becomes one input.
FusedElementwise fusedOf(ElementInstruction instruction, const std::vector<Operand>& operands) {
  FusedElementwise fused;
  std::array<std::uint16_t, 3> at{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::size_t k = 0;
    while (k < fused.inputs.size() && fused.inputs[k].record().index != operands[i].record().index) ++k;
    if (k == fused.inputs.size()) fused.inputs.push_back(operands[i]);
    at[i] = static_cast<std::uint16_t>(k);
  }
  instruction.a = at[0];
  instruction.b = at[1];
  instruction.c = at[2];
  fused.program.inputs = static_cast<std::uint16_t>(fused.inputs.size());
  fused.program.instructions.push_back(instruction);
  return fused;
}

FusedElementwise fusedOf(ElementCode code, const std::vector<Operand>& operands, double p = 0, double q = 0) {
  return fusedOf({.code = code, .p = static_cast<float>(p), .q = static_cast<float>(q)}, operands);
}

// Computes x * x * x, because a power takes ten times as long. GELU with tanh has cubes.
FusedElementwise cubeOf(const Operand& x) {
  FusedElementwise fused = fusedOf(ElementCode::mul, {x, x});
  fused.program.instructions.push_back({.code = ElementCode::mul, .a = 1, .b = 0});
  return fused;
}

using MaybeFused = std::optional<FusedElementwise>;

ElementCode codeOf(ops::BinaryKind kind) {
  switch (kind) {
    case ops::BinaryKind::add: return ElementCode::add;
    case ops::BinaryKind::sub: return ElementCode::sub;
    case ops::BinaryKind::mul: return ElementCode::mul;
    case ops::BinaryKind::div: return ElementCode::div;
    case ops::BinaryKind::max: return ElementCode::max;
    case ops::BinaryKind::min: return ElementCode::min;
    case ops::BinaryKind::pow: return ElementCode::pow;
    case ops::BinaryKind::equal: return ElementCode::equal;
    case ops::BinaryKind::notEqual: return ElementCode::notEqual;
    case ops::BinaryKind::greater: return ElementCode::greater;
    case ops::BinaryKind::greaterOrEqual: return ElementCode::greaterOrEqual;
    case ops::BinaryKind::lesser: return ElementCode::lesser;
    case ops::BinaryKind::lesserOrEqual: return ElementCode::lesserOrEqual;
    case ops::BinaryKind::logicalAnd: return ElementCode::logicalAnd;
    case ops::BinaryKind::logicalOr: return ElementCode::logicalOr;
    case ops::BinaryKind::logicalXor: return ElementCode::logicalXor;
  }
  return ElementCode::add;  // unreachable
}

bool isLogical(ops::BinaryKind kind) { return kind >= ops::BinaryKind::logicalAnd; }

// Returns whether dividing by x equals multiplying by 1 / x.
bool hasExactReciprocal(float x) {
  int exponent = 0;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5F && exponent > -120 && exponent < 120;
}

// Returns `x op value` with the value as an immediate, if the result is bit-identical, or a cube. A multiplication becomes x *
// value + -0, because adding -0 does not change any value, not even -0.
MaybeFused withRightImmediate(ops::BinaryKind kind, const Operand& x, float value) {
  switch (kind) {
    case ops::BinaryKind::add: return fusedOf(ElementCode::linear, {x}, 1, value);
    case ops::BinaryKind::sub: return fusedOf(ElementCode::linear, {x}, 1, -value);
    case ops::BinaryKind::mul: return fusedOf(ElementCode::linear, {x}, value, -0.0);
    case ops::BinaryKind::div:
      if (hasExactReciprocal(value)) return fusedOf(ElementCode::linear, {x}, 1 / value, -0.0);
      return std::nullopt;
    case ops::BinaryKind::max:
      if (!std::isnan(value)) return fusedOf(ElementCode::clamp, {x}, value, kInfinity);
      return std::nullopt;
    case ops::BinaryKind::min:
      if (!std::isnan(value)) return fusedOf(ElementCode::clamp, {x}, -kInfinity, value);
      return std::nullopt;
    case ops::BinaryKind::pow:
      if (value == 2) return fusedOf(ElementCode::mul, {x, x});
      if (value == 3) return cubeOf(x);
      if (value == -1) return fusedOf(ElementCode::reciprocal, {x});
      return std::nullopt;
    default: return std::nullopt;
  }
}
MaybeFused withLeftImmediate(ops::BinaryKind kind, float value, const Operand& x) {
  if (kind == ops::BinaryKind::sub) return fusedOf(ElementCode::linear, {x}, -1, value);
  if (kind == ops::BinaryKind::div && value == 1) return fusedOf(ElementCode::reciprocal, {x});
  const bool commutes = kind == ops::BinaryKind::add || kind == ops::BinaryKind::mul || kind == ops::BinaryKind::max ||
                        kind == ops::BinaryKind::min;
  return commutes ? withRightImmediate(kind, x, value) : std::nullopt;
}

// Lowers nodes one by one, and remembers which operands lowered nodes compute.
class Maker {
 public:
  explicit Maker(const Module& module) : isFused_(module.indexLimit()) {}

  void visit(ModuleNode& node) {
    MaybeFused fused = visitOperation(node.operation, [&](const auto& op) -> MaybeFused {
      if constexpr (requires { make(op); }) {
        return make(op);
      } else {
        return std::nullopt;
      }
    });
    if (!fused) return;
    fused->options = {.label = label(node.operation)};
    isFused_[node.outputs[0].record().index] = true;
    node.operation = EngineOperation(*std::move(fused));
  }

 private:
  MaybeFused make(const ops::Binary& op) const {
    if (isLogical(op.kind)) {  // operands are uint8: lowered only if it can be fused with a lowered producer
      if (!follows(op.a) && !follows(op.b)) return std::nullopt;
    } else {
      if (!isReal(op.a)) return std::nullopt;
      MaybeFused fused;
      if (const auto value = uniformValue(op.b)) fused = withRightImmediate(op.kind, op.a, *value);
      if (const auto value = uniformValue(op.a); !fused && value) fused = withLeftImmediate(op.kind, *value, op.b);
      if (fused) return fused;
    }
    return fusedOf(codeOf(op.kind), {op.a, op.b});
  }
  MaybeFused make(const ops::Where& op) const {
    if (!isReal(op.trueValue)) return std::nullopt;
    return fusedOf(ElementCode::where, {op.condition, op.trueValue, op.falseValue});
  }
  MaybeFused make(const ops::Unary& op) const {
    if (!isReal(op.input)) return std::nullopt;
    switch (op.kind) {
      case ops::UnaryKind::abs: return fusedOf(ElementCode::abs, {op.input});
      case ops::UnaryKind::ceil: return fusedOf(ElementCode::ceil, {op.input});
      case ops::UnaryKind::cos: return fusedOf(ElementCode::cos, {op.input});
      case ops::UnaryKind::erf: return fusedOf(ElementCode::erf, {op.input});
      case ops::UnaryKind::exp: return fusedOf(ElementCode::exp, {op.input});
      case ops::UnaryKind::floor: return fusedOf(ElementCode::floor, {op.input});
      case ops::UnaryKind::identity: return std::nullopt;
      case ops::UnaryKind::log: return fusedOf(ElementCode::log, {op.input});
      case ops::UnaryKind::neg: return fusedOf(ElementCode::neg, {op.input});
      case ops::UnaryKind::reciprocal: return fusedOf(ElementCode::reciprocal, {op.input});
      case ops::UnaryKind::roundEven: return fusedOf(ElementCode::roundEven, {op.input});
      case ops::UnaryKind::sin: return fusedOf(ElementCode::sin, {op.input});
      case ops::UnaryKind::sign: return fusedOf(ElementCode::sign, {op.input});
      case ops::UnaryKind::sqrt: return fusedOf(ElementCode::sqrt, {op.input});
      case ops::UnaryKind::tan: return fusedOf(ElementCode::tan, {op.input});
    }
    return std::nullopt;
  }
  MaybeFused make(const ops::LogicalUnary& op) const {
    switch (op.kind) {
      case ops::LogicalUnaryKind::logicalNot:
        if (!follows(op.a)) return std::nullopt;
        return fusedOf(ElementCode::logicalNot, {op.a});
      case ops::LogicalUnaryKind::isNaN:
        if (!isReal(op.a)) return std::nullopt;
        return fusedOf(ElementCode::isNaN, {op.a});
      case ops::LogicalUnaryKind::isInfinite:
        if (!isReal(op.a)) return std::nullopt;
        return fusedOf(ElementCode::isInfinite, {op.a});
    }
    return std::nullopt;
  }
  // Casts are programs without instructions: loads and stores convert the types.
  MaybeFused make(const ops::Cast& op) const {
    if (!isFloat(op.dataType) || (!isReal(op.input) && op.input.dataType() != DataType::uint8)) return std::nullopt;
    return FusedElementwise{.inputs = {op.input}, .program = {}, .options = {}};
  }
  MaybeFused make(const ops::Clamp& op) const {
    if (!isReal(op.input)) return std::nullopt;
    const double low = op.options.minValue->toDouble(), high = op.options.maxValue->toDouble();
    // If a bound is NaN, all results are NaN.
    if (std::isnan(low) || std::isnan(high)) return fusedOf(ElementCode::linear, {op.input}, NAN, NAN);
    return fusedOf(ElementCode::clamp, {op.input}, low, high);
  }
  MaybeFused make(const ops::Activation& op) const {
    if (!isReal(op.input)) return std::nullopt;
    switch (op.kind) {
      case ops::ActivationKind::gelu: return fusedOf(ElementCode::gelu, {op.input});
      case ops::ActivationKind::hardSwish: return fusedOf(ElementCode::hardSwish, {op.input});
      case ops::ActivationKind::relu: return fusedOf(ElementCode::relu, {op.input});
      case ops::ActivationKind::sigmoid: return fusedOf(ElementCode::sigmoid, {op.input});
      case ops::ActivationKind::softplus: return fusedOf(ElementCode::softplus, {op.input});
      case ops::ActivationKind::softsign: return fusedOf(ElementCode::softsign, {op.input});
      case ops::ActivationKind::tanh: return fusedOf(ElementCode::tanh, {op.input});
    }
    return std::nullopt;
  }
  MaybeFused make(const ops::Elu& op) const { return fusedOf(ElementCode::elu, {op.input}, op.options.alpha); }
  MaybeFused make(const ops::LeakyRelu& op) const { return fusedOf(ElementCode::leakyRelu, {op.input}, op.options.alpha); }
  MaybeFused make(const ops::HardSigmoid& op) const {
    return fusedOf(ElementCode::hardSigmoid, {op.input}, op.options.alpha, op.options.beta);
  }
  MaybeFused make(const ops::Linear& op) const {
    return fusedOf(ElementCode::linear, {op.input}, op.options.alpha, op.options.beta);
  }
  MaybeFused make(const ops::Prelu& op) const {
    if (!isReal(op.input)) return std::nullopt;
    return fusedOf(ElementCode::prelu, {op.input, op.slope});
  }

  MaybeFused make(const ops::DequantizeLinear& op) const {
    if (op.input.dataType() != op.zeroPoint.dataType()) return std::nullopt;
    const std::optional<Quantization> from = quantizationOf(op.scale, op.zeroPoint);
    if (!from) return std::nullopt;
    return fusedOf(ElementCode::dequantize, {op.input}, from->scale, from->zeroPoint);
  }
  MaybeFused make(const ops::QuantizeLinear& op) const {
    const std::optional<Quantization> to = quantizationOf(op.scale, op.zeroPoint);
    if (!to) return std::nullopt;
    return fusedOf(to->type == DataType::int8 ? ElementCode::quantizeInt8 : ElementCode::quantizeUint8, {op.input}, to->scale,
                   to->zeroPoint);
  }

  // Returns whether a lowered operation computes the operand.
  bool follows(const Operand& operand) const {
    const std::uint32_t index = operand.record().index;
    return index < isFused_.size() && isFused_[index];
  }

  std::vector<bool> isFused_;
};

}  // namespace

void lowerElementwise(Module& module, const PassOptions&) {
  Maker maker(module);
  for (ModuleNode& node : module.nodes) maker.visit(node);
}

}  // namespace webnn::compiler
