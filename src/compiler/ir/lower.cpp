#include "compiler/ir/lower.h"

#include "base/text.h"

namespace webnn::compiler {

namespace {

using ops::ActivationKind, ops::BinaryKind, ops::LogicalUnaryKind, ops::UnaryKind;
using Permutation = std::vector<std::uint32_t>;

// Appends nodes with operations of the specification. Omits operations that would change nothing.
class NodeBuilder {
 public:
  NodeBuilder(Module& module, std::vector<ModuleNode>& nodes) : module_(module), nodes_(nodes) {}

  Operand add(Operation operation) { return module_.append(nodes_, std::move(operation)); }

  Operand cast(const Operand& x, DataType type) { return x.dataType() == type ? x : add(ops::Cast{x, type, {}}); }
  Operand floats(const Operand& x) { return cast(x, DataType::float32); }
  Operand binary(BinaryKind kind, const Operand& a, const Operand& b) { return add(ops::Binary{kind, a, b, {}}); }
  Operand unary(UnaryKind kind, const Operand& x) { return add(ops::Unary{kind, x, {}}); }
  Operand activation(ActivationKind kind, const Operand& x) { return add(ops::Activation{kind, x, {}}); }
  Operand reshape(const Operand& x, const Shape& shape) { return x.shape() == shape ? x : add(ops::Reshape{x, shape, {}}); }
  Operand transpose(const Operand& x, const Permutation& permutation) {
    if (permutation.empty()) return x;
    ops::Transpose op{x, {}};
    op.options.permutation = permutation;
    return add(std::move(op));
  }
  // Repeats each head of x [batch, heads, rows, columns] `count` times.
  Operand repeated(const Operand& x, std::uint32_t count) {
    if (count == 1) return x;
    const Shape& s = x.shape();
    const Operand wide = add(ops::Expand{reshape(x, {s[0], s[1], 1, s[2], s[3]}), {s[0], s[1], count, s[2], s[3]}, {}});
    return reshape(wide, {s[0], s[1] * count, s[2], s[3]});
  }
  Operand linear(const Operand& x, double alpha, double beta) {
    ops::Linear op{x, {}};
    op.options.alpha = alpha;
    op.options.beta = beta;
    return add(std::move(op));
  }
  template <typename T>
  Operand constant(DataType type, const Shape& shape, T value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return module_.constant({type, shape}, std::move(bytes));
  }
  Operand counting(std::uint32_t count) {
    std::vector<std::byte> bytes(count * sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count; ++i) std::memcpy(bytes.data() + i * sizeof(i), &i, sizeof(i));
    return module_.constant({DataType::int32, {count}}, std::move(bytes));
  }
  Operand number(float value) { return constant(DataType::float32, {}, value); }
  Operand dequantized(const Operand& x, const Quantization& q) {
    return add(ops::DequantizeLinear{x, scaleOf(q, x.rank()), zeroPointOf(q, x.rank()), {}});
  }
  Operand scaleOf(const Quantization& q, std::size_t rank) { return constant(DataType::float32, Shape(rank, 1), q.scale); }
  Operand zeroPointOf(const Quantization& q, std::size_t rank) {
    return constant(q.type, Shape(rank, 1), static_cast<std::uint8_t>(q.zeroPoint));
  }
  Operand quantized(const Operand& x, const Quantization& q) {
    return add(ops::QuantizeLinear{x, scaleOf(q, x.rank()), zeroPointOf(q, x.rank()), {}});
  }
  Operand requantized(Operand x, const Requantization& r) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (r.minimum != -kInfinity || r.maximum != kInfinity) {
      ops::Clamp op{x, {}};
      op.options.minValue = static_cast<double>(r.minimum);
      op.options.maxValue = static_cast<double>(r.maximum);
      x = add(std::move(op));
    }
    return r.to ? quantized(x, *r.to) : x;
  }

 private:
  Module& module_;
  std::vector<ModuleNode>& nodes_;
};

// Lowers element programs. All values are float32; every value except 0 is true.
class ProgramLowerer {
 public:
  explicit ProgramLowerer(NodeBuilder& build) : build_(build) {}

  // Lowers a program and returns its result as float32.
  Operand lowered(const ElementProgram& program, const std::vector<Operand>& inputs) {
    std::vector<Operand> values;
    for (const Operand& input : inputs) values.push_back(build_.floats(input));
    for (const ElementInstruction& x : program.instructions) {
      const auto at = [&](unsigned i, std::uint16_t value) { return operandCount(x.code) > i ? values.at(value) : Operand(); };
      values.push_back(instruction(x, at(0, x.a), at(1, x.b), at(2, x.c)));
    }
    return program.empty() ? values.at(0) : values.back();
  }

 private:
  Operand truth(const Operand& x) { return build_.binary(BinaryKind::notEqual, x, build_.number(0)); }
  // Returns float32: 1 if the comparison is true, else 0.
  Operand condition(BinaryKind kind, const Operand& a, const Operand& b) { return build_.floats(build_.binary(kind, a, b)); }
  Operand condition(LogicalUnaryKind kind, const Operand& a) { return build_.floats(build_.add(ops::LogicalUnary{kind, a, {}})); }

  Operand instruction(const ElementInstruction& x, const Operand& a, const Operand& b, const Operand& c) {
    switch (x.code) {
      case ElementCode::add: return build_.binary(BinaryKind::add, a, b);
      case ElementCode::sub: return build_.binary(BinaryKind::sub, a, b);
      case ElementCode::mul: return build_.binary(BinaryKind::mul, a, b);
      case ElementCode::div: return build_.binary(BinaryKind::div, a, b);
      case ElementCode::max: return build_.binary(BinaryKind::max, a, b);
      case ElementCode::min: return build_.binary(BinaryKind::min, a, b);
      case ElementCode::pow: return build_.binary(BinaryKind::pow, a, b);
      case ElementCode::equal: return condition(BinaryKind::equal, a, b);
      case ElementCode::notEqual: return condition(BinaryKind::notEqual, a, b);
      case ElementCode::greater: return condition(BinaryKind::greater, a, b);
      case ElementCode::greaterOrEqual: return condition(BinaryKind::greaterOrEqual, a, b);
      case ElementCode::lesser: return condition(BinaryKind::lesser, a, b);
      case ElementCode::lesserOrEqual: return condition(BinaryKind::lesserOrEqual, a, b);
      case ElementCode::logicalAnd: return condition(BinaryKind::logicalAnd, truth(a), truth(b));
      case ElementCode::logicalOr: return condition(BinaryKind::logicalOr, truth(a), truth(b));
      case ElementCode::logicalXor: return condition(BinaryKind::logicalXor, truth(a), truth(b));
      case ElementCode::logicalNot: return condition(LogicalUnaryKind::logicalNot, truth(a));
      case ElementCode::isNaN: return condition(LogicalUnaryKind::isNaN, a);
      case ElementCode::isInfinite: return condition(LogicalUnaryKind::isInfinite, a);
      case ElementCode::where: return build_.add(ops::Where{truth(a), b, c, {}});
      case ElementCode::prelu: return build_.add(ops::Prelu{a, b, {}});
      case ElementCode::toHalf: return build_.floats(build_.cast(a, DataType::float16));
      default: return function(x, a);
    }
  }

  Operand function(const ElementInstruction& x, const Operand& a) {
    switch (x.code) {
      case ElementCode::abs: return build_.unary(UnaryKind::abs, a);
      case ElementCode::ceil: return build_.unary(UnaryKind::ceil, a);
      case ElementCode::cos: return build_.unary(UnaryKind::cos, a);
      case ElementCode::erf: return build_.unary(UnaryKind::erf, a);
      case ElementCode::exp: return build_.unary(UnaryKind::exp, a);
      case ElementCode::floor: return build_.unary(UnaryKind::floor, a);
      case ElementCode::log: return build_.unary(UnaryKind::log, a);
      case ElementCode::neg: return build_.unary(UnaryKind::neg, a);
      case ElementCode::reciprocal: return build_.unary(UnaryKind::reciprocal, a);
      case ElementCode::roundEven: return build_.unary(UnaryKind::roundEven, a);
      case ElementCode::sin: return build_.unary(UnaryKind::sin, a);
      case ElementCode::sign: return build_.unary(UnaryKind::sign, a);
      case ElementCode::sqrt: return build_.unary(UnaryKind::sqrt, a);
      case ElementCode::tan: return build_.unary(UnaryKind::tan, a);
      case ElementCode::gelu: return build_.activation(ActivationKind::gelu, a);
      case ElementCode::hardSwish: return build_.activation(ActivationKind::hardSwish, a);
      case ElementCode::relu: return build_.activation(ActivationKind::relu, a);
      case ElementCode::sigmoid: return build_.activation(ActivationKind::sigmoid, a);
      case ElementCode::silu: return build_.binary(BinaryKind::mul, a, build_.activation(ActivationKind::sigmoid, a));
      case ElementCode::softplus: return build_.activation(ActivationKind::softplus, a);
      case ElementCode::softsign: return build_.activation(ActivationKind::softsign, a);
      case ElementCode::tanh: return build_.activation(ActivationKind::tanh, a);
      default: return functionOfNumbers(x, a);
    }
  }

  Operand functionOfNumbers(const ElementInstruction& x, const Operand& a) {
    switch (x.code) {
      case ElementCode::elu: {
        ops::Elu op{a, {}};
        op.options.alpha = x.p;
        return build_.add(std::move(op));
      }
      case ElementCode::leakyRelu: {
        ops::LeakyRelu op{a, {}};
        op.options.alpha = x.p;
        return build_.add(std::move(op));
      }
      case ElementCode::hardSigmoid: {
        ops::HardSigmoid op{a, {}};
        op.options.alpha = x.p;
        op.options.beta = x.q;
        return build_.add(std::move(op));
      }
      case ElementCode::linear: return build_.linear(a, x.p, x.q);
      case ElementCode::dequantize:
        return build_.binary(BinaryKind::mul, build_.binary(BinaryKind::sub, a, build_.number(x.q)), build_.number(x.p));
      case ElementCode::quantizeInt8: return quantized(a, x, DataType::int8);
      case ElementCode::quantizeUint8: return quantized(a, x, DataType::uint8);
      case ElementCode::geluOfProduct:
        return build_.linear(build_.linear(build_.activation(ActivationKind::gelu, a), x.p, -0.0), x.q, -0.0);
      case ElementCode::hardSwishOfProduct:
        return build_.linear(build_.linear(build_.activation(ActivationKind::hardSwish, a), x.p, -0.0), x.q, -0.0);
      case ElementCode::cubicSilu: {
        const Operand slope = build_.linear(build_.binary(BinaryKind::mul, a, a), x.q, x.p);
        return build_.binary(BinaryKind::mul, a,
                             build_.activation(ActivationKind::sigmoid, build_.binary(BinaryKind::mul, a, slope)));
      }
      case ElementCode::clamp: {
        ops::Clamp op{a, {}};
        op.options.minValue = static_cast<double>(x.p);
        op.options.maxValue = static_cast<double>(x.q);
        return build_.add(std::move(op));
      }
      default: fail(ErrorKind::unknownError, "no operation is {}.", name(x.code));
    }
  }

  // Quantizes to `type`, and returns the codes as float32.
  Operand quantized(const Operand& a, const ElementInstruction& x, DataType type) {
    const Shape ones(a.rank(), 1);
    const Operand scale = build_.constant(DataType::float32, ones, x.p),
                  zeroPoint = build_.constant(type, ones, static_cast<std::uint8_t>(static_cast<std::int32_t>(x.q)));
    return build_.floats(build_.add(ops::QuantizeLinear{a, scale, zeroPoint, {}}));
  }

  NodeBuilder& build_;
};

class QuantizedLowerer {
 public:
  explicit QuantizedLowerer(NodeBuilder& build) : build_(build) {}

  Operand lowered(const QuantizedGemm& op, const OperandDescriptor& output) {
    const std::uint32_t k = op.b.shape()[op.bTranspose ? 1 : 0];
    Operand a = build_.reshape(op.a, {static_cast<std::uint32_t>(elementCount(op.a.descriptor()) / k), k});
    if (op.aScale) {
      const Operand scale = build_.constant(DataType::float32, {1, 1}, *op.aScale);
      const Operand zero = op.aZero ? build_.reshape(*op.aZero, {1, 1}) : zeroPoint(op.aZeroPoint, op.aType);
      if (a.dataType() == DataType::float32) a = build_.add(ops::QuantizeLinear{a, scale, zero, {}});
      a = build_.add(ops::DequantizeLinear{a, scale, zero, {}});
    }
    Operand b = build_.add(ops::DequantizeLinear{op.b, op.bScale, op.bZeroPoint, {}});
    if (op.bTranspose) b = build_.transpose(b, {1, 0});
    Operand result = build_.add(ops::Matmul{a, b, {}});
    if (op.bias) result = build_.binary(BinaryKind::add, result, *op.bias);
    if (op.relu) result = build_.activation(ActivationKind::relu, result);
    if (op.outputScale) {
      const Operand scale = build_.constant(DataType::float32, {1, 1}, *op.outputScale);
      const Operand zero = zeroPoint(op.outputZeroPoint, op.outputType);
      result = build_.add(ops::QuantizeLinear{result, scale, zero, {}});
      if (output.dataType == DataType::float32) result = build_.add(ops::DequantizeLinear{result, scale, zero, {}});
    }
    return build_.reshape(result, output.shape);
  }
  Operand lowered(const QuantizedBatchGemm& op, const OperandDescriptor&) {
    const Operand a = build_.transpose(build_.dequantized(op.a, op.aQuantization), op.aPermutation),
                  b = build_.transpose(build_.dequantized(op.b, op.bQuantization), op.bPermutation);
    Operand result = build_.add(ops::Matmul{a, b, {}});
    if (op.alpha != 1) result = build_.linear(result, static_cast<double>(op.alpha), -0.0);
    if (op.result) result = build_.quantized(result, *op.result);
    return build_.transpose(result, op.outputPermutation);
  }
  Operand lowered(const QuantizedSoftmax& op, const OperandDescriptor&) {
    const Operand x = op.from ? build_.dequantized(op.input, *op.from) : op.input;
    return build_.quantized(build_.add(ops::Softmax{x, static_cast<std::uint32_t>(x.rank() - 1), {}}), op.to);
  }
  Operand lowered(const QuantizedConvolution& op, const OperandDescriptor&) {
    ops::Conv2d conv = op.conv;
    conv.input = build_.dequantized(op.conv.input, op.input);
    Shape blocks(4, 1);
    blocks[ops::axesOf(conv.options.filterLayout).output] = op.filterScale.shape()[0];
    conv.filter = build_.add(ops::DequantizeLinear{
        op.conv.filter, build_.reshape(op.filterScale, blocks), build_.reshape(op.filterZeroPoint, blocks), {}});
    const Operand result = build_.requantized(build_.add(std::move(conv)), op.result);
    if (!op.addend) return result;
    const Operand sum = build_.binary(BinaryKind::add, build_.dequantized(result, *op.result.to),
                                      build_.dequantized(*op.addend, op.addendQuantization));
    return build_.requantized(sum, op.sum);
  }
  Operand lowered(const QuantizedPool& op, const OperandDescriptor&) {
    ops::Pool2d pool = op.pool;
    pool.input = build_.dequantized(op.pool.input, op.input);
    return build_.requantized(build_.add(std::move(pool)), op.result);
  }
  Operand lowered(const Resample& op, const OperandDescriptor& output) {
    Operand result = op.from ? build_.dequantized(op.input, *op.from) : build_.floats(op.input);
    for (const AxisTaps& taps : op.axes) {
      const Operand gathered = build_.add(ops::Gather{result, taps.indices, {.axis = taps.axis}});
      Shape shape(result.rank() - taps.axis + 1, 1);
      shape[0] = taps.weights.shape()[0], shape[1] = taps.weights.shape()[1];
      ops::Reduce sum{
          ops::ReduceKind::reduceSum, build_.binary(BinaryKind::mul, gathered, build_.reshape(taps.weights, shape)), {}};
      sum.options.axes = {taps.axis + 1};
      result = build_.add(std::move(sum));
    }
    return op.to ? build_.quantized(result, *op.to) : build_.cast(result, output.dataType);
  }
  Operand lowered(const TableLookup& op, const OperandDescriptor&) {
    // A negative int8 code becomes a negative index, which counts from the end: -1 reads entry 255, as its bits (0xFF) would.
    return build_.add(ops::Gather{op.table, build_.cast(op.input, DataType::int32), {}});
  }
  Operand lowered(const GatherSum& op, const OperandDescriptor& output) {
    std::uint32_t outer = 1, inner = 1, count = 1;
    for (std::uint32_t d = 0; d < op.input.rank(); ++d) {
      if (d != op.axis) (d < op.axis ? outer : inner) *= op.input.shape()[d];
    }
    Shape all{outer}, each;
    for (const std::uint32_t size : op.sizes) {
      all.push_back(size);
      count *= size;
    }
    all.push_back(inner);
    const Operand rows = build_.reshape(op.input, {outer, op.input.shape()[op.axis], inner});
    Operand values = build_.reshape(build_.add(ops::Gather{rows, build_.reshape(op.indices, {count}), {.axis = 1}}), all);
    const auto widened = [&](const Operand& operand) {
      Shape shape = operand.shape();
      shape.push_back(1);
      return build_.reshape(operand, shape);
    };
    if (op.mask) values = build_.add(ops::Where{widened(*op.mask), values, build_.number(0), {}});
    if (op.weights) values = build_.binary(BinaryKind::mul, values, widened(*op.weights));
    // Scales before the sum, which may otherwise exceed the range of float32.
    if (op.scale != 1) values = build_.binary(BinaryKind::mul, values, build_.number(op.scale));
    ops::Reduce sum{ops::ReduceKind::reduceSum, values, {}};
    sum.options.axes.emplace();
    for (const std::uint32_t tap : op.taps) sum.options.axes->push_back(tap + 1);
    values = build_.add(std::move(sum));
    return build_.reshape(values, output.shape);
  }
  // Finds the positions one after the other: each round searches the elements that no earlier round has taken.
  Operand lowered(const TopPositions& op, const OperandDescriptor& output) {
    const auto axis = static_cast<std::uint32_t>(op.input.rank() - 1);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Operand nan = build_.add(ops::LogicalUnary{LogicalUnaryKind::isNaN, op.input, {}});
    const Operand keys = build_.add(ops::Where{nan, build_.number(kInfinity), op.input, {}});
    const Operand places = build_.counting(op.input.shape().back());
    std::optional<Operand> taken;
    std::vector<Operand> positions;
    for (std::uint32_t round = 0; round < op.count; ++round) {
      const Operand worst = build_.number(op.isGreatest ? -kInfinity : kInfinity);
      const Operand left = taken ? build_.add(ops::Where{*taken, worst, keys, {}}) : keys;
      ops::Reduce reduce{op.isGreatest ? ops::ReduceKind::reduceMax : ops::ReduceKind::reduceMin, left, {}};
      reduce.options.axes = {axis}, reduce.options.keepDimensions = true;
      Operand isBest = build_.binary(BinaryKind::equal, left, build_.add(std::move(reduce)));
      if (taken) {
        const Operand isLeft = build_.add(ops::LogicalUnary{LogicalUnaryKind::logicalNot, *taken, {}});
        isBest = build_.binary(BinaryKind::logicalAnd, isBest, isLeft);
      }
      ops::ArgMinMax find{ops::ArgMinMaxKind::argMax, isBest, axis, {}};
      find.options.keepDimensions = true;
      positions.push_back(build_.add(std::move(find)));
      const Operand isTaken = build_.binary(BinaryKind::equal, places, positions.back());
      taken = taken ? build_.binary(BinaryKind::logicalOr, *taken, isTaken) : isTaken;
    }
    return build_.cast(build_.add(ops::Concat{std::move(positions), axis, {}}), output.dataType);
  }

 private:
  Operand zeroPoint(std::int32_t value, DataType type) { return build_.constant(type, {1, 1}, static_cast<std::uint8_t>(value)); }

  NodeBuilder& build_;
};

class Lowerer {
 public:
  explicit Lowerer(Module& module) : module_(module) {}

  void run() {
    std::vector<ModuleNode> old = std::move(module_.nodes);
    for (ModuleNode& node : old) {
      if (std::holds_alternative<Operation>(node.operation)) {
        nodes_.push_back(std::move(node));
        continue;
      }
      const Operand& output = node.outputs[0];
      const Operand result = std::visit([&](const auto& op) { return lowered(op, output.descriptor()); },
                                        static_cast<const EngineVariant&>(node.operation));
      if (result.descriptor() != output.descriptor()) {
        fail(ErrorKind::unknownError, "{} gives {} where {} is expected.", name(node.operation), toString(result.descriptor()),
             toString(output.descriptor()));
      }
      nodes_.push_back({EngineOperation(Operation(ops::Unary{UnaryKind::identity, result, {}})), {output}});
    }
    module_.nodes = std::move(nodes_);
  }

 private:
  Operand withEpilogue(const Operand& result, const Epilogue& epilogue, DataType type) {
    std::vector<Operand> inputs{result};
    inputs.insert(inputs.end(), epilogue.operands.begin(), epilogue.operands.end());
    return build_.cast(epilogue.empty() ? result : programs_.lowered(epilogue.program, inputs), type);
  }

  Operand lowered(const Operation&, const OperandDescriptor&) { return {}; }

  Operand lowered(const FusedElementwise& op, const OperandDescriptor& output) {
    Operand result = programs_.lowered(op.program, op.inputs);
    if (result.shape() != output.shape) result = build_.add(ops::Expand{result, output.shape, {}});
    return build_.cast(result, output.dataType);
  }

  Operand lowered(const BatchGemm& op, const OperandDescriptor& output) {
    const Operand a = build_.transpose(build_.floats(op.a), op.aPermutation);
    const Operand b = build_.transpose(build_.floats(op.b), op.bPermutation);
    ops::Gemm gemm{a, b, {}};  // alpha is 1 unless the product is two-dimensional
    gemm.options.alpha = op.alpha;
    Operand result = op.alpha == 1 ? build_.add(ops::Matmul{a, b, {}}) : build_.add(std::move(gemm));
    if (op.bias) result = build_.binary(BinaryKind::add, result, build_.floats(*op.bias));
    return withEpilogue(build_.transpose(result, op.outputPermutation), op.epilogue, output.dataType);
  }

  // Computes the convolution and its epilogue in float32, with `input` in place of op.conv.input, and casts the result to `type`.
  Operand convolved(const Convolution& op, const Operand& input, DataType type) {
    ops::Conv2d conv = op.conv;
    conv.input = build_.floats(input);
    conv.filter = build_.floats(conv.filter);
    if (std::optional<Operand>& bias = conv.options.bias) bias = build_.reshape(build_.floats(*bias), {bias->shape().back()});
    return withEpilogue(build_.add(std::move(conv)), op.epilogue, type);
  }
  Operand lowered(const Convolution& op, const OperandDescriptor& output) {
    return convolved(op, op.conv.input, output.dataType);
  }
  Operand lowered(const ConvolutionBlock& op, const OperandDescriptor& output) {
    Operand value = op.input;
    if (op.expand) value = convolved(*op.expand, value, output.dataType);
    if (op.depthwise) value = convolved(*op.depthwise, value, output.dataType);
    if (op.pool) {
      ops::Pool2d pool = *op.pool;
      pool.input = value;
      value = build_.add(std::move(pool));
    }
    return op.project ? convolved(*op.project, value, output.dataType) : value;
  }

  Operand fourOf(const Operand& x, const Permutation& permutation) {
    Shape shape(4 - x.rank(), 1);
    shape.insert(shape.end(), x.shape().begin(), x.shape().end());
    return build_.transpose(build_.reshape(x, shape), permutation);
  }
  Operand lowered(const Attention& op, const OperandDescriptor& output) {
    Operand q = fourOf(op.q, op.qPermutation);
    const Operand k = build_.repeated(fourOf(op.k, op.kPermutation), op.repeats),
                  v = build_.repeated(fourOf(op.v, op.vPermutation), op.repeats);
    if (op.before != 1) q = build_.linear(q, op.before, -0.0);
    Operand scores = build_.linear(build_.add(ops::Matmul{q, build_.transpose(k, {0, 1, 3, 2}), {}}), op.scale, -0.0);
    if (op.mask) scores = build_.binary(BinaryKind::add, scores, *op.mask);
    const Operand result = build_.add(ops::Matmul{build_.add(ops::Softmax{scores, 3, {}}), v, {}});
    return build_.reshape(build_.transpose(result, op.outputPermutation), output.shape);
  }

  Operand lowered(const RowNormalization& op, const OperandDescriptor& output) {
    const std::uint32_t last = static_cast<std::uint32_t>(output.shape.size()) - 1;
    const Operand x = op.residual ? build_.binary(BinaryKind::add, op.input, *op.residual) : op.input;
    const auto row = [&](const Operand& operand) { return build_.reshape(operand, {output.shape.back()}); };
    if (!op.rms && !op.asWritten) {
      ops::LayerNormalization normalization{x, {}};
      normalization.options.axes = {last};
      normalization.options.epsilon = op.epsilon;
      if (op.scale) normalization.options.scale = row(*op.scale);
      if (op.bias) normalization.options.bias = row(*op.bias);
      return build_.add(std::move(normalization));
    }
    Operand result = written(build_.floats(x), {last}, !op.rms, op.epsilon);
    if (op.scale) result = build_.binary(BinaryKind::mul, result, build_.floats(row(*op.scale)));
    if (op.bias) result = build_.binary(BinaryKind::add, result, build_.floats(row(*op.bias)));
    return build_.cast(result, output.dataType);
  }

  // Returns x / sqrt(mean(x * x) + epsilon), after subtracting the mean of x if `isCentred`.
  Operand written(Operand x, const std::vector<std::uint32_t>& axes, bool isCentred, float epsilon) {
    const auto mean = [&](const Operand& of) {
      ops::Reduce op{.kind = ops::ReduceKind::reduceMean, .input = of, .options = {}};
      op.options.axes = axes;
      op.options.keepDimensions = true;
      return build_.add(std::move(op));
    };
    if (isCentred) x = build_.binary(BinaryKind::sub, x, mean(x));
    const Operand offset = build_.number(epsilon), variance = mean(build_.binary(BinaryKind::mul, x, x));
    return build_.binary(BinaryKind::div, x, build_.unary(UnaryKind::sqrt, build_.binary(BinaryKind::add, variance, offset)));
  }
  Operand lowered(const WrittenNormalization& op, const OperandDescriptor& output) {
    const auto wide = [&](const Operand& parameter) {
      Shape shape(output.shape.size(), 1);
      for (const std::uint32_t axis : op.isOfChannels ? Permutation{op.channel()} : op.axes) shape[axis] = output.shape[axis];
      return build_.reshape(parameter, shape);
    };
    Operand result = written(op.input, op.axes, true, op.epsilon);
    if (op.scale) result = build_.binary(BinaryKind::mul, result, wide(*op.scale));
    return op.bias ? build_.binary(BinaryKind::add, result, wide(*op.bias)) : result;
  }

  template <typename Op>
  requires requires(QuantizedLowerer& lowerer, const Op& op, const OperandDescriptor& output) { lowerer.lowered(op, output); }
  Operand lowered(const Op& op, const OperandDescriptor& output) { return quantized_.lowered(op, output); }
  // Cast and repack give the same result: a cast between integers wraps, and repacking drops the high bits.
  Operand lowered(const Repack& op, const OperandDescriptor& output) { return build_.cast(op.input, output.dataType); }
  Operand lowered(const Copy& op, const OperandDescriptor&) { return op.input; }

  Module& module_;
  std::vector<ModuleNode> nodes_;
  NodeBuilder build_{module_, nodes_};
  ProgramLowerer programs_{build_};
  QuantizedLowerer quantized_{build_};
};

}  // namespace

void lower(Module& module) { Lowerer(module).run(); }

}  // namespace webnn::compiler
