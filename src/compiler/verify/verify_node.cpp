// Checks nodes by the rules of their operations. Operations of the specification follow the operation table. The engine's own
// operations follow the comments in compiler/ir/operations.h.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/unaligned.h"
#include "compiler/verify/verify.h"

namespace webnn::compiler {

namespace {

using Permutation = std::vector<std::uint32_t>;

// Formats values for error messages. Called only if there is an error.
std::string printed(const Shape& shape) { return webnn::toString(shape); }
std::string printed(const OperandDescriptor& descriptor) { return toString(descriptor); }
std::string printed(const Operand& operand) { return valueText(operand); }
std::string_view printed(DataType type) { return name(type); }
std::string_view printed(std::string_view text) { return text; }
std::size_t printed(std::size_t number) { return number; }

template <typename T>
using Printed = decltype(printed(std::declval<const T&>()));

template <typename... Args>
void check(bool isRight, fmt::format_string<Printed<Args>...> format, const Args&... args) {
  if (!isRight) fail(ErrorKind::unknownError, format, printed(args)...);
}

void checkSame(const OperandDescriptor& actual, const OperandDescriptor& expected, std::string_view what) {
  check(actual == expected, "{} is {} and not {}.", what, actual, expected);
}

bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }
bool isTileType(DataType type) { return isFloat(type) || isByte(type); }

bool broadcastsTo(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  const std::size_t missing = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != to[missing + i]) return false;
  }
  return true;
}

Shape broadcast(const Shape& a, const Shape& b, std::string_view what) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 1; i <= result.size(); ++i) {
    const std::uint32_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    check(x == y || x == 1 || y == 1, "{} of {} and {} do not fit.", what, x, y);
    result[result.size() - i] = x == 1 ? y : x;
  }
  return result;
}

// Returns the logical shape: dimension j is the stored dimension permutation[j]. An empty permutation is the identity.
Shape permuted(const Shape& shape, const Permutation& permutation, std::string_view what) {
  if (permutation.empty()) return shape;
  Permutation sorted = permutation;
  std::ranges::sort(sorted);
  bool isOne = sorted.size() == shape.size();
  for (std::size_t i = 0; isOne && i < sorted.size(); ++i) isOne = sorted[i] == i;
  check(isOne, "{} is no permutation of {} dimensions.", what, shape.size());
  Shape result;
  for (const std::uint32_t j : permutation) result.push_back(shape[j]);
  return result;
}

void checkProgram(const ElementProgram& program, std::size_t inputs) {
  check(program.inputs == inputs, "its program has {} inputs, and there are {}.", program.inputs, inputs);
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const ElementInstruction& x = program.instructions[i];
    const std::uint16_t operands[] = {x.a, x.b, x.c};
    for (unsigned j = 0; j < operandCount(x.code); ++j) {
      check(operands[j] < inputs + i, "its program uses value {} before it is computed.", operands[j]);
    }
  }
}

// Returns whether the program's last instruction produces values that `type` can represent.
bool gives(const ElementProgram& program, DataType type) {
  if (isFloat(type)) return true;
  if (program.empty()) return false;
  const ElementCode code = program.instructions.back().code;
  if (type == DataType::int8) return code == ElementCode::quantizeInt8;
  const bool isTruth = code >= ElementCode::equal && code <= ElementCode::isInfinite;
  return type == DataType::uint8 && (isTruth || code == ElementCode::quantizeUint8);
}

void checkTileOperands(const std::vector<Operand>& operands, const Shape& output) {
  for (const Operand& operand : operands) {
    check(isTileType(operand.dataType()), "{} is {}, which programs do not read.", operand, operand.dataType());
    check(broadcastsTo(operand.shape(), output), "{} {} is not broadcastable to the output {}.", operand, operand.shape(),
          output);
  }
}

void checkEpilogue(const Epilogue& epilogue, const OperandDescriptor& output) {
  if (!epilogue.empty()) checkProgram(epilogue.program, 1 + epilogue.operands.size());
  check(!epilogue.empty() || epilogue.operands.empty(), "its epilogue has operands, and no program.");
  checkTileOperands(epilogue.operands, output.shape);
}

// Checks a bias, scale or similar parameter: it must have data type `type` and one element per element of the last dimension.
void checkRow(const std::optional<Operand>& operand, DataType type, std::size_t size, std::string_view what) {
  if (!operand) return;
  check(operand->dataType() == type, "{} is {} and not {}.", what, operand->dataType(), type);
  check(operand->rank() > 0 && operand->shape().back() == size && elementCount(operand->descriptor()) == size,
        "{} {} is no row of {} elements.", what, operand->shape(), size);
}

void checkPairOfFloats(const Operand& a, const Operand& b, const OperandDescriptor& output) {
  check(isFloat(output.dataType) && a.dataType() == output.dataType && b.dataType() == output.dataType,
        "its operands are not floats of one type.");
}

void verify(const FusedElementwise& op, const OperandDescriptor& output) {
  check(!op.inputs.empty(), "it has no inputs.");
  checkProgram(op.program, op.inputs.size());
  checkTileOperands(op.inputs, output.shape);
  const bool fits = gives(op.program, output.dataType);
  check(fits, "its result is not of type {}.", output.dataType);
}

// Returns the shape of a product of two matrix batches, before the output permutation.
Shape productOf(const auto& op) {
  Shape a = permuted(op.a.shape(), op.aPermutation, "aPermutation"), b = permuted(op.b.shape(), op.bPermutation, "bPermutation");
  check(a.size() >= 2 && b.size() >= 2, "an operand is no matrix.");
  const std::uint32_t rows = a[a.size() - 2], columns = b.back();
  check(a.back() == b[b.size() - 2], "a has {} columns and b {} rows.", a.back(), b[b.size() - 2]);
  a.resize(a.size() - 2), b.resize(b.size() - 2);
  Shape result = broadcast(a, b, "batches");
  result.insert(result.end(), {rows, columns});
  return result;
}

void verify(const BatchGemm& op, const OperandDescriptor& output) {
  checkPairOfFloats(op.a, op.b, output);
  const Shape result = productOf(op);
  checkRow(op.bias, output.dataType, result.back(), "bias");
  checkSame(output, {op.a.dataType(), permuted(result, op.outputPermutation, "outputPermutation")}, "the output");
  checkEpilogue(op.epilogue, output);
}

// Makes an operand that has only a descriptor.
Operand placeholder(OperandDescriptor descriptor) {
  auto record = std::make_shared<OperandRecord>();
  record->descriptor = std::move(descriptor);
  return Operand(std::shared_ptr<const OperandRecord>(std::move(record)));
}

// Returns the descriptor of the result of a convolution of `input`. Checks the bias by checkRow() instead of the rule of conv2d,
// because it may have any rank here.
OperandDescriptor resultOf(const Convolution& op, const OperandDescriptor& input) {
  check(op.conv.options.inputLayout == InputOperandLayout::nhwc, "a convolution has its channels first.");
  check(op.conv.input.descriptor() == input, "the input of a part is {} and not {}.", op.conv.input.descriptor(), input);
  ops::Conv2d conv = op.conv;
  conv.options.bias.reset();
  Operation operation(std::move(conv));
  OperandDescriptor result = validateInPlace(operation)[0];
  checkRow(op.conv.options.bias, result.dataType, result.shape.back(), "bias");
  checkEpilogue(op.epilogue, result);
  return result;
}

void verify(const Convolution& op, const OperandDescriptor& output) {
  checkSame(output, resultOf(op, op.conv.input.descriptor()), "the output");
}

// Checks a convolution in a block. Filter and bias must be constants. The epilogue may have no operands; with `takesAddend`, it
// may have one addend.
void checkPart(const Convolution& part, const OperandDescriptor& result, bool takesAddend) {
  check(isConstant(part.conv.filter) && (!part.conv.options.bias || isConstant(*part.conv.options.bias)),
        "a part's filter or bias is no constant.");
  check(part.epilogue.operands.size() <= (takesAddend ? 1U : 0U), "a part has operands in its epilogue.");
  for (const Operand& addend : part.epilogue.operands) checkSame(addend.descriptor(), result, "an addend");
}

void verify(const ConvolutionBlock& op, const OperandDescriptor& output) {
  check(op.depthwise.has_value() != op.pool.has_value(), "it has not one operation in the middle.");
  OperandDescriptor value = op.input.descriptor();
  check(value.dataType == DataType::float32, "its input is not float32.");
  if (op.expand) {
    value = resultOf(*op.expand, value);
    checkPart(*op.expand, value, false);
  }
  if (op.depthwise) {
    value = resultOf(*op.depthwise, value);
    checkPart(*op.depthwise, value, false);
  } else {
    check(op.pool->options.layout == InputOperandLayout::nhwc, "its pooling has channels first.");
    check(op.pool->input.descriptor() == value, "its pooling is of another shape.");
    Operation pool(*op.pool);
    value = validateInPlace(pool)[0];
  }
  check(op.middleShape == value.shape, "its middle is {} and not {}.", op.middleShape, value.shape);
  if (op.project) {
    value = resultOf(*op.project, value);
    checkPart(*op.project, value, true);
  }
  checkSame(output, value, "the output");
}

// Pads a shape of lower rank than 4 with leading 1s, then permutes it as in BatchGemm.
Shape fourOf(const Operand& operand, const Permutation& permutation, std::string_view what) {
  check(operand.rank() <= 4, "{} has more than 4 dimensions.", what);
  Shape shape(4 - operand.rank(), 1);
  shape.insert(shape.end(), operand.shape().begin(), operand.shape().end());
  return permuted(shape, permutation, what);
}

void verify(const Attention& op, const OperandDescriptor& output) {
  for (const Operand& operand : {op.q, op.k, op.v}) {
    check(operand.dataType() == DataType::float32 && output.dataType == DataType::float32, "its operands are not float32.");
  }
  const Shape q = fourOf(op.q, op.qPermutation, "q");
  Shape k = fourOf(op.k, op.kPermutation, "k"), v = fourOf(op.v, op.vPermutation, "v");
  check(op.repeats > 0, "its heads are repeated 0 times.");
  k[1] *= op.repeats, v[1] *= op.repeats;
  check(q[3] == k[3] && k[2] == v[2], "q {}, k {} and v {} do not fit.", q, k, v);
  const auto outer = [](const Shape& shape) { return Shape(shape.begin(), shape.begin() + 2); };
  Shape scores = broadcast(outer(q), outer(k), "batches"), result = broadcast(scores, outer(v), "batches");
  scores.insert(scores.end(), {q[2], k[2]});
  result.insert(result.end(), {q[2], v[3]});
  if (op.mask) {
    check(op.mask->dataType() == DataType::float32, "its mask is not float32.");
    check(broadcastsTo(op.mask->shape(), scores), "its mask {} is not broadcastable to {}.", op.mask->shape(), scores);
  }
  const Shape expected = permuted(result, op.outputPermutation, "outputPermutation");
  check(fourOf(placeholder(output), {}, "the output") == expected, "the output is {} and not {}.", output.shape, expected);
}

void verify(const RowNormalization& op, const OperandDescriptor& output) {
  const OperandDescriptor& input = op.input.descriptor();
  check(isFloat(input.dataType) && !input.shape.empty(), "its input is no tensor of floats with rows.");
  if (op.residual) checkSame(op.residual->descriptor(), input, "the residual");
  checkRow(op.scale, input.dataType, input.shape.back(), "scale");
  checkRow(op.bias, input.dataType, input.shape.back(), "bias");
  checkSame(output, input, "the output");
}

void verify(const WrittenNormalization& op, const OperandDescriptor& output) {
  const Shape& shape = op.input.shape();
  check(op.input.dataType() == DataType::float32, "its input is not float32.");
  check(!op.axes.empty() && std::ranges::is_sorted(op.axes) && std::ranges::adjacent_find(op.axes) == op.axes.end() &&
            op.axes.back() < shape.size(),
        "its axes are not ascending ones of {}.", shape);
  const bool isImage = shape.size() == 4 && (op.axes == Permutation{1, 2} || op.axes == Permutation{2, 3});
  check(!op.isOfChannels || isImage, "it is of channels, and not over an image.");
  Shape expected;
  for (const std::uint32_t axis : op.isOfChannels ? Permutation{op.channel()} : op.axes) expected.push_back(shape[axis]);
  for (const std::optional<Operand>& parameter : {op.scale, op.bias}) {
    if (parameter) checkSame(parameter->descriptor(), {DataType::float32, expected}, "scale or bias");
  }
  checkSame(output, op.input.descriptor(), "the output");
}

void verify(const QuantizedGemm& op, const OperandDescriptor& output) {
  check(isConstant(op.b) && isConstant(op.bScale) && isConstant(op.bZeroPoint), "b is no constant.");
  check(op.b.rank() == 2 && op.bScale.rank() == 2 && op.bScale.shape() == op.bZeroPoint.shape(), "b is no matrix with blocks.");
  for (std::size_t d = 0; d < 2; ++d) check(op.b.shape()[d] % op.bScale.shape()[d] == 0, "blocks do not divide b.");
  check(op.bScale.dataType() == DataType::float32 && op.bZeroPoint.dataType() == op.b.dataType(),
        "b has parameters of other types.");
  const std::size_t depth = op.bTranspose ? 1 : 0, k = op.b.shape()[depth], n = op.b.shape()[1 - depth];
  check(op.a.rank() > 0 && op.a.shape().back() == k, "a {} has no rows of {} elements.", op.a.shape(), k);
  check(!output.shape.empty() && output.shape.back() == n && elementCount(output) / n == elementCount(op.a.descriptor()) / k,
        "the output {} has not a row of {} elements for each of a.", output.shape, n);
  checkRow(op.bias, DataType::float32, n, "bias");
  if (op.aScale) {
    check(isByte(op.aType) && isByte(op.b.dataType()), "a or b is not of 8 bits.");
    check(op.a.dataType() == op.aType || op.a.dataType() == DataType::float32, "a is neither {} nor float32.", op.aType);
    check(op.bScale.shape()[depth] == 1, "b has blocks along k.");
    check(!op.aZero ||
              (op.aZero->dataType() == op.aType && elementCount(op.aZero->descriptor()) == 1 && op.a.dataType() == op.aType),
          "aZero is not the zero point of 8-bit rows.");
  } else {
    check(op.a.dataType() == DataType::float32 && (bitsPerElement(op.b.dataType()) == 4 || isByte(op.b.dataType())),
          "it is no product of floats and weights of 4 or 8 bits.");
    check(!op.outputScale && !op.aZero, "a product of floats is quantized.");
  }
  check(output.dataType == DataType::float32 || (op.outputScale && output.dataType == op.outputType), "the output is {}.",
        output.dataType);
}

void checkQuantization(const Quantization& quantization, std::string_view what) {
  check(isByte(quantization.type), "{} is of {}.", what, quantization.type);
  const bool isInRange = quantization.type == DataType::int8 ? quantization.zeroPoint >= -128 && quantization.zeroPoint <= 127
                                                             : quantization.zeroPoint >= 0 && quantization.zeroPoint <= 255;
  check(isInRange && std::isnormal(quantization.scale) && quantization.scale > 0, "{} has no zero point or scale of its type.",
        what);
}
void checkQuantized(const Operand& operand, const Quantization& quantization, std::string_view what) {
  checkQuantization(quantization, what);
  check(operand.dataType() == quantization.type, "{} is {} and not {}.", what, operand.dataType(), quantization.type);
}

void verify(const QuantizedBatchGemm& op, const OperandDescriptor& output) {
  checkQuantized(op.a, op.aQuantization, "a");
  checkQuantized(op.b, op.bQuantization, "b");
  check(op.alpha > 0 && std::isfinite(op.alpha), "alpha is no positive number.");
  const Shape result = productOf(op);
  const auto isOfMatrices = [](const Permutation& permutation) {
    const std::size_t last = permutation.size() - 1;  // the index of the last stored dimension
    return permutation.empty() || permutation[last] == last || permutation[last - 1] == last;
  };
  check(isOfMatrices(op.aPermutation) && isOfMatrices(op.bPermutation), "the elements of an operand's matrices are apart.");
  check(op.outputPermutation.empty() || op.outputPermutation.back() + 1 == result.size(),
        "the columns are not the last dimension.");
  if (op.result) checkQuantization(*op.result, "the result");
  const DataType type = op.result ? op.result->type : DataType::float32;
  checkSame(output, {type, permuted(result, op.outputPermutation, "outputPermutation")}, "the output");
}

void verify(const TopPositions& op, const OperandDescriptor& output) {
  check(op.input.dataType() == DataType::float32, "the input is {}.", op.input.dataType());
  check(op.input.rank() > 0, "the input has no rows.");
  Shape shape = op.input.shape();
  check(op.count > 0 && op.count <= std::min(shape.back(), TopPositions::kMost), "it finds {} of {} elements.", op.count,
        shape.back());
  shape.back() = op.count;
  check(output.dataType == DataType::int32 || output.dataType == DataType::int64, "the output is {}.", output.dataType);
  checkSame(output, {output.dataType, shape}, "the output");
}

void verify(const GatherSum& op, const OperandDescriptor& output) {
  const DataType type = op.indices.dataType();
  check(op.input.dataType() == DataType::float32 && output.dataType == DataType::float32, "it makes {} of {}.", output.dataType,
        op.input.dataType());
  check(type == DataType::int32 || type == DataType::uint32 || type == DataType::int64, "the indices are {}.", type);
  check(op.axis < op.input.rank(), "the axis {} is out of bounds.", std::size_t{op.axis});
  check(op.sizes.size() <= GatherSum::kMostSizes, "the indices have {} dimensions.", op.sizes.size());
  std::uint64_t outer = 1, elements = 1, indices = 1, taps = 1;
  for (std::uint32_t d = 0; d < op.input.rank(); ++d) {
    if (d < op.axis) outer *= op.input.shape()[d];
    if (d != op.axis) elements *= op.input.shape()[d];
  }
  for (std::size_t d = 0; d < op.sizes.size(); ++d) {
    const bool isTap = std::ranges::find(op.taps, d) != op.taps.end();
    indices *= op.sizes[d];
    (isTap ? taps : elements) *= op.sizes[d];
  }
  check(std::ranges::adjacent_find(op.taps, std::greater_equal<>()) == op.taps.end(), "the taps are not in ascending order.");
  check(op.taps.empty() || op.taps.back() < op.sizes.size(), "a tap is out of bounds.");
  check(taps <= GatherSum::kMost, "an output has {} taps.", std::size_t{taps});
  check(indices == elementCount(op.indices.descriptor()), "there are {} indices.",
        std::size_t{elementCount(op.indices.descriptor())});
  Shape whole{static_cast<std::uint32_t>(outer)};
  whole.insert(whole.end(), op.sizes.begin(), op.sizes.end());
  const auto checkFactor = [&](const std::optional<Operand>& factor, DataType expected, std::string_view what) {
    if (!factor) return;
    check(factor->dataType() == expected && factor->rank() == whole.size() && broadcastsTo(factor->shape(), whole), "{} is {}.",
          what, factor->descriptor());
  };
  checkFactor(op.mask, DataType::uint8, "the mask");
  checkFactor(op.weights, DataType::float32, "the operand of weights");
  check(elementCount(output) == elements, "the output is {}.", output);
}

void verify(const QuantizedSoftmax& op, const OperandDescriptor& output) {
  if (op.from) {
    checkQuantized(op.input, *op.from, "the input");
  } else {
    check(op.input.dataType() == DataType::float32, "the input is {}.", op.input.dataType());
  }
  check(op.input.rank() > 0, "the input has no rows.");
  checkQuantization(op.to, "the result");
  checkSame(output, {op.to.type, op.input.shape()}, "the output");
}

void checkRequantization(const Requantization& to, std::string_view what) {
  check(to.minimum <= to.maximum, "{} is clamped to nothing.", what);
  if (to.to) checkQuantization(*to.to, what);
}

void verify(const QuantizedConvolution& op, const OperandDescriptor& output) {
  check(op.conv.options.inputLayout == InputOperandLayout::nhwc, "it has its channels first.");
  checkQuantization(op.input, "the input");
  check(op.conv.input.dataType() == op.input.type, "the input is {} and not {}.", op.conv.input.dataType(), op.input.type);
  check(isByte(op.conv.filter.dataType()) && isConstant(op.conv.filter), "the filter is no constant of bytes.");
  check(op.filterZeroPoint.dataType() == op.conv.filter.dataType(), "the filter's zero points are of another type.");
  check(op.filterScale.dataType() == DataType::float32, "the filter's scales are not float32.");
  // Validates the operation as a float32 convolution.
  ops::Conv2d conv = op.conv;
  conv.input = placeholder({DataType::float32, conv.input.shape()});
  conv.filter = placeholder({DataType::float32, conv.filter.shape()});
  conv.options.bias.reset();
  Operation operation(std::move(conv));
  OperandDescriptor result = validateInPlace(operation)[0];
  const std::uint32_t channels = result.shape.back();
  for (const Operand& parameter : {op.filterScale, op.filterZeroPoint}) {
    check(isConstant(parameter), "a parameter of the filter is no constant.");
    check(parameter.shape() == op.filterScale.shape() && (parameter.shape() == Shape{1} || parameter.shape() == Shape{channels}),
          "a parameter of the filter has shape {}.", parameter.shape());
  }
  if (op.conv.options.bias) {
    checkSame(op.conv.options.bias->descriptor(), {DataType::float32, {channels}}, "the bias");
    check(isConstant(*op.conv.options.bias), "the bias is no constant.");
  }
  checkRequantization(op.result, "the result");
  if (op.addend) {
    check(op.result.to && op.sum.to, "a sum is of numbers that are not quantized.");
    checkQuantization(op.addendQuantization, "the addend");
    checkSame(op.addend->descriptor(), {op.addendQuantization.type, result.shape}, "the addend");
    checkRequantization(op.sum, "the sum");
  }
  const std::optional<Quantization>& to = op.last().to;
  checkSame(output, {to ? to->type : DataType::float32, result.shape}, "the output");
}

// Checks an operation of the specification that is defined on float32 but computed on 8-bit values. `input` and `to` are the
// quantizations of its input and its result.
void checkOfBytes(auto op, const Quantization& input, const std::optional<Quantization>& to, const OperandDescriptor& output) {
  checkQuantization(input, "the input");
  check(op.input.dataType() == input.type, "the input is {} and not {}.", op.input.dataType(), input.type);
  op.input = placeholder({DataType::float32, op.input.shape()});
  Operation operation(std::move(op));
  checkSame(output, {to ? to->type : DataType::float32, validateInPlace(operation)[0].shape}, "the output");
}

void verify(const QuantizedPool& op, const OperandDescriptor& output) {
  check(op.pool.kind == ops::Pool2dKind::averagePool2d, "it is no averagePool2d.");
  checkRequantization(op.result, "the result");
  checkOfBytes(op.pool, op.input, op.result.to, output);
}

void verifyTaps(const AxisTaps& taps, std::uint32_t size) {
  const Shape& shape = taps.indices.shape();
  check(isConstant(taps.indices) && isConstant(taps.weights), "its taps are no constants.");
  check(shape.size() == 2 && shape[1] <= AxisTaps::kMost, "the indices have shape {}.", shape);
  checkSame(taps.indices.descriptor(), {DataType::int32, shape}, "the indices");
  checkSame(taps.weights.descriptor(), {DataType::float32, shape}, "the weights");
  for (std::size_t i = 0; i < taps.indices.record().bytes.size(); i += sizeof(std::int32_t)) {
    const auto index = loadUnaligned<std::int32_t>(taps.indices.record().bytes.data() + i);
    check(index >= 0 && static_cast<std::uint32_t>(index) < size, "an index is out of bounds.");
  }
}

void verify(const Resample& op, const OperandDescriptor& output) {
  if (op.from) checkQuantization(*op.from, "the input");
  if (op.to) checkQuantization(*op.to, "the result");
  const DataType type = op.input.dataType();
  check(op.from ? type == op.from->type : isFloat(type), "the input is {}.", type);
  check(op.from || !op.to, "it quantizes floats.");
  check(op.axes.size() == 1 || (op.axes.size() == 2 && op.axes[0].axis < op.axes[1].axis), "its axes are not one or two.");
  Shape shape = op.input.shape();
  for (const AxisTaps& taps : op.axes) {
    check(taps.axis < shape.size(), "the axis {} is out of bounds.", std::size_t{taps.axis});
    verifyTaps(taps, shape[taps.axis]);
    shape[taps.axis] = taps.indices.shape()[0];
  }
  checkSame(output, {op.to ? op.to->type : op.from ? DataType::float32 : type, shape}, "the output");
}

void verify(const TableLookup& op, const OperandDescriptor& output) {
  check(isByte(op.input.dataType()) && isByte(output.dataType), "it makes {} of {}.", output.dataType, op.input.dataType());
  check(isConstant(op.table), "its table is no constant.");
  checkSame(op.table.descriptor(), {output.dataType, {256}}, "the table");
  checkSame(output, {output.dataType, op.input.shape()}, "the output");
}

void verify(const Repack& op, const OperandDescriptor& output) {
  const auto byteOf = [](DataType type) { return type == DataType::int4 ? DataType::int8 : DataType::uint8; };
  const DataType from = op.input.dataType(), to = output.dataType;
  const bool unpacks = bitsPerElement(from) == 4 && to == byteOf(from), packs = bitsPerElement(to) == 4 && from == byteOf(to);
  check(unpacks || packs, "it makes {} of {}.", to, from);
  checkSame(output, {to, op.input.shape()}, "the output");
}

void verify(const Copy& op, const OperandDescriptor& output) { checkSame(output, op.input.descriptor(), "the output"); }

// A hash of the presence and lengths of optional fields. It must not change when resolved options are resolved again.
struct FieldSizes {
  std::size_t sizes = 0;

  void argument(std::string_view, const auto& field) {
    if constexpr (requires { field.has_value(); }) sizes = sizes * 31 + (field.has_value() ? 1 : 0);
    if constexpr (requires { field.size(); }) sizes = sizes * 31 + field.size();
  }
  void option(std::string_view name, const auto& field) { argument(name, field); }
};

void verifyOperation(const Operation& operation, const std::vector<Operand>& outputs) {
  Operation resolved = operation;
  const ops::Outputs expected = validateInPlace(resolved);
  FieldSizes before, after;
  visitFields(operation, before);
  visitFields(resolved, after);
  check(before.sizes == after.sizes, "its options are not resolved.");
  check(outputs.size() == expected.size(), "it has {} outputs and not {}.", outputs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) checkSame(outputs[i].descriptor(), expected[i], "the output");
}

}  // namespace

void verifyNode(const ModuleNode& node) {
  std::visit(
      [&]<typename Op>(const Op& op) {
        if constexpr (std::is_same_v<Op, Operation>) {
          verifyOperation(op, node.outputs);
        } else {
          check(node.outputs.size() == 1, "it has {} outputs and not 1.", node.outputs.size());
          verify(op, node.outputs[0].descriptor());
        }
      },
      static_cast<const EngineVariant&>(node.operation));
}

}  // namespace webnn::compiler
