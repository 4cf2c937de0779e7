#include "cli/random_maker.h"

namespace webnn::cli {

namespace {

using Results = std::vector<Operand>;
using enum DataType;

template <auto Method>
void unary(RandomMaker& m, Results& results) {
  results.push_back((m.builder.*Method)(m.realOperand(), {}));
}

// Of values above 0.
template <auto Method>
void ofPositive(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  results.push_back((m.builder.*Method)(m.fresh(type, m.shape(m.between(0, 5)), 0.3, 4), {}));
}

template <auto Method>
void exactUnary(RandomMaker& m, Results& results) {
  results.push_back((m.builder.*Method)(m.any({float32, float16, int32, int8, int64}), {}));
}

template <auto Method>
void binary(RandomMaker& m, Results& results) {
  const Operand a = m.realOperand(), b = m.broadcastable(a.dataType(), a.shape());
  results.push_back(m.oneIn(2) ? (m.builder.*Method)(a, b, {}) : (m.builder.*Method)(b, a, {}));
}

template <auto Method>
void integerBinary(RandomMaker& m, Results& results) {
  const Operand a = m.any({int32, uint32, int64, uint64, int8, uint8}), b = m.broadcastable(a.dataType(), a.shape(), -100, 100);
  results.push_back((m.builder.*Method)(a, b, {}));
}

// Both orders; the divisor, or the exponent's base, is above 0.
template <auto Method>
void byPositive(RandomMaker& m, Results& results) {
  const Operand a = m.realOperand();
  results.push_back((m.builder.*Method)(a, m.broadcastable(a.dataType(), a.shape(), 0.5, 3), {}));
}

void pow(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const Operand base = m.fresh(type, m.shape(m.between(0, 4)), 0.3, 3);
  results.push_back(m.builder.pow(base, m.broadcastable(type, base.shape(), 1, 3)));
}

template <auto Method>
void compare(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16, int32, uint32, int64, uint64, int8, uint8});
  results.push_back((m.builder.*Method)(a, m.broadcastable(a.dataType(), a.shape()), {}));
}

template <auto Method>
void logic(RandomMaker& m, Results& results) {
  const Operand a = m.any({uint8});
  results.push_back((m.builder.*Method)(a, m.broadcastable(uint8, a.shape()), {}));
}

void logicalNot(RandomMaker& m, Results& results) { results.push_back(m.builder.logicalNot(m.any({uint8}))); }

void where(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16, int32, uint8, int64});
  const Operand condition = m.fresh(uint8, a.shape(), 0, 1);
  results.push_back(m.builder.where(condition, a, m.broadcastable(a.dataType(), a.shape())));
}

void cast(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4});
  results.push_back(m.builder.cast(a, m.pick({float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4})));
}

void clamp(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16, int32, uint8, int8, int64});
  ClampOptions options;
  if (!m.oneIn(4)) options.minValue = static_cast<int>(m.below(3)) - 2;
  if (!m.oneIn(4)) options.maxValue = static_cast<int>(m.below(4)) + 1;
  results.push_back(m.builder.clamp(a, options));
}

template <auto Method>
void withAlpha(RandomMaker& m, Results& results) {
  const Operand a = m.realOperand();
  results.push_back((m.builder.*Method)(a, {.alpha = m.real(-1, 1.5)}));
}

template <auto Method>
void withAlphaBeta(RandomMaker& m, Results& results) {
  const Operand a = m.realOperand();
  results.push_back((m.builder.*Method)(a, {.alpha = m.real(-1, 1.5), .beta = m.real(-1, 1)}));
}

void prelu(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16, int32, int8});
  results.push_back(m.builder.prelu(a, m.broadcastable(a.dataType(), a.shape())));
}

void relu(RandomMaker& m, Results& results) { results.push_back(m.builder.relu(m.any({float32, float16, int32, int8}))); }

void isNaN(RandomMaker& m, Results& results) {
  const Operand a = m.any({float32, float16});
  results.push_back(m.oneIn(2) ? m.builder.isNaN(a) : m.builder.isInfinite(a));
}

// What importers write for gelu.
void writtenGelu(RandomMaker& m, Results& results) {
  GraphBuilder& b = m.builder;
  const Operand x = m.any({float32});
  const auto scalar = [&](double value) { return m.constant(float32, m.oneIn(2) ? Shape{} : Shape{1}, {value}); };
  const Operand scaled = m.oneIn(2) ? b.div(x, scalar(1.4142135623730951)) : b.mul(x, scalar(0.7071067811865476));
  const Operand sum = b.add(b.erf(scaled), scalar(1));
  results.push_back(m.oneIn(2) ? b.mul(b.mul(x, sum), scalar(0.5)) : b.mul(x, b.mul(scalar(0.5), sum)));
}

}  // namespace

std::vector<RandomOperation> randomElementwise() {
  using B = GraphBuilder;
  return {
      {"add", false, true, binary<&B::add>},
      {"sub", false, true, binary<&B::sub>},
      {"mul", false, true, binary<&B::mul>},
      {"max", false, false, binary<&B::max>},
      {"min", false, false, binary<&B::min>},
      {"div", false, true, byPositive<&B::div>},
      {"pow", false, true, pow},
      {"add int", true, false, integerBinary<&B::add>},
      {"sub int", true, false, integerBinary<&B::sub>},
      {"mul int", true, false, integerBinary<&B::mul>},
      {"max int", true, false, integerBinary<&B::max>},
      {"min int", true, false, integerBinary<&B::min>},
      {"equal", true, false, compare<&B::equal>},
      {"notEqual", true, false, compare<&B::notEqual>},
      {"greater", true, false, compare<&B::greater>},
      {"greaterOrEqual", true, false, compare<&B::greaterOrEqual>},
      {"lesser", true, false, compare<&B::lesser>},
      {"lesserOrEqual", true, false, compare<&B::lesserOrEqual>},
      {"logicalAnd", true, false, logic<&B::logicalAnd>},
      {"logicalOr", true, false, logic<&B::logicalOr>},
      {"logicalXor", true, false, logic<&B::logicalXor>},
      {"logicalNot", true, false, logicalNot},
      {"isNaN", true, false, isNaN},
      {"abs", false, false, exactUnary<&B::abs>},
      {"neg", false, false, exactUnary<&B::neg>},
      {"sign", true, false, exactUnary<&B::sign>},
      {"identity", false, false, exactUnary<&B::identity>},
      {"ceil", true, false, unary<&B::ceil>},
      {"floor", true, false, unary<&B::floor>},
      {"roundEven", true, false, unary<&B::roundEven>},
      {"cos", false, true, unary<&B::cos>},
      {"erf", false, true, unary<&B::erf>},
      {"exp", false, true, unary<&B::exp>},
      {"log", false, true, ofPositive<&B::log>},
      {"reciprocal", false, true, ofPositive<&B::reciprocal>},
      {"sin", false, true, unary<&B::sin>},
      {"sqrt", false, true, ofPositive<&B::sqrt>},
      {"tan", false, true, ofPositive<&B::tan>},
      {"where", true, false, where},
      {"cast", true, true, cast},
      {"clamp", false, false, clamp},
      {"elu", false, true, withAlpha<&B::elu>},
      {"leakyRelu", false, true, withAlpha<&B::leakyRelu>},
      {"hardSigmoid", false, true, withAlphaBeta<&B::hardSigmoid>},
      {"linear", false, true, withAlphaBeta<&B::linear>},
      {"gelu", false, true, unary<&B::gelu>},
      {"hardSwish", false, true, unary<&B::hardSwish>},
      {"relu", false, false, relu},
      {"sigmoid", false, true, unary<&B::sigmoid>},
      {"softplus", false, true, unary<&B::softplus>},
      {"softsign", false, true, unary<&B::softsign>},
      {"tanh", false, true, unary<&B::tanh>},
      {"prelu", false, true, prelu},
      {"written gelu", false, true, writtenGelu},
  };
}

}  // namespace webnn::cli
