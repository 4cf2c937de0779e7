#include <algorithm>
#include <cmath>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/recognise/recognise.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind;
using ops::ReduceKind;
using ops::UnaryKind;

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> axes) {
  std::ranges::sort(axes);
  return axes;
}

using Axes = std::vector<std::uint32_t>;
const Axes kNchw{2, 3}, kNhwc{1, 2};  // height and width

bool isUniform(const Operand& operand, double value) {
  const std::optional<float> number = uniformValue(operand);
  return number && *number == value;
}

// The intermediate operands of a matched pattern, without its result.
using Inner = std::vector<Operand>;

// Returns x if operand = x^2, else nullopt.
std::optional<Operand> squared(const Patterns& patterns, const Operand& operand) {
  if (const auto* mul = patterns.binary(operand, BinaryKind::mul)) {
    return isSame(mul->a, mul->b) ? std::optional(mul->a) : std::nullopt;
  }
  const auto* pow = patterns.binary(operand, BinaryKind::pow);
  return pow && isUniform(pow->b, 2) ? std::optional(pow->a) : std::nullopt;
}

// Returns x if operand = sqrt(x), else nullopt.
std::optional<Operand> squareRooted(const Patterns& patterns, const Operand& operand) {
  if (const auto* sqrt = patterns.unary(operand, UnaryKind::sqrt)) return sqrt->input;
  const auto* pow = patterns.binary(operand, BinaryKind::pow);
  return pow && isUniform(pow->b, 0.5) ? std::optional(pow->a) : std::nullopt;
}

// Returns x if operand = 1 / sqrt(x), else nullopt.
std::optional<Operand> inverseRooted(const Patterns& patterns, const Operand& operand, Inner& inner) {
  const auto rooted = [&](const Operand& root) {
    std::optional<Operand> x = squareRooted(patterns, root);
    if (x) inner.push_back(root);
    return x;
  };
  if (const auto* reciprocal = patterns.unary(operand, UnaryKind::reciprocal)) return rooted(reciprocal->input);
  if (const auto* div = patterns.binary(operand, BinaryKind::div)) return isUniform(div->a, 1) ? rooted(div->b) : std::nullopt;
  const auto* pow = patterns.binary(operand, BinaryKind::pow);
  return pow && isUniform(pow->b, -0.5) ? std::optional(pow->a) : std::nullopt;
}

// The parts of numerator / sqrt(radicand).
struct Quotient {
  Operand numerator, radicand;
};
std::optional<Quotient> quotientOf(const Patterns& patterns, const Operand& result, Inner& inner) {
  if (const auto* div = patterns.binary(result, BinaryKind::div)) {
    const std::optional<Operand> x = squareRooted(patterns, div->b);
    if (!x) return std::nullopt;
    inner.push_back(div->b);
    return Quotient{div->a, *x};
  }
  const auto* mul = patterns.binary(result, BinaryKind::mul);
  if (!mul) return std::nullopt;
  for (const bool isSecond : {true, false}) {
    const Operand &inverse = isSecond ? mul->b : mul->a, &numerator = isSecond ? mul->a : mul->b;
    if (const std::optional<Operand> x = inverseRooted(patterns, inverse, inner)) {
      inner.push_back(inverse);
      return Quotient{numerator, *x};
    }
  }
  return std::nullopt;
}

// The parts of reduceMean(x * x, axes) + epsilon.
struct MeanSquare {
  Operand x;
  std::vector<std::uint32_t> axes;
  double epsilon = 0;
};
std::optional<MeanSquare> meanSquareOf(const Patterns& patterns, const Operand& operand, Inner& inner) {
  AffineForm form{operand, 1, 0};
  unwrapAffine(patterns, form, inner);
  if (form.factor != 1 || !(form.shift >= 0)) return std::nullopt;
  const auto* mean = patterns.reduction(form.x, ReduceKind::reduceMean);
  const std::optional<Operand> x = mean ? squared(patterns, mean->input) : std::nullopt;
  if (!x) return std::nullopt;
  inner.insert(inner.end(), {form.x, mean->input});
  return MeanSquare{*x, sorted(*mean->options.axes), form.shift};
}

// Returns x if operand = x - reduceMean(x, axes), else nullopt.
std::optional<Operand> centred(const Patterns& patterns, const Operand& operand, const std::vector<std::uint32_t>& axes,
                               Inner& inner) {
  const auto* sub = patterns.binary(operand, BinaryKind::sub);
  const auto* mean = sub ? patterns.reduction(sub->b, ReduceKind::reduceMean) : nullptr;
  if (!mean || !isSame(mean->input, sub->a) || sorted(*mean->options.axes) != axes) return std::nullopt;
  inner.insert(inner.end(), {operand, sub->b});
  return sub->a;
}

// Returns the sizes of the dimensions `axes`.
Shape shapeOf(const Shape& shape, const std::vector<std::uint32_t>& axes) {
  Shape result;
  for (const std::uint32_t axis : axes) result.push_back(shape[axis]);
  return result;
}

// Returns `parameter` as a tensor with only the dimensions `axes` (ascending), if it varies only along these. Returns nullopt if
// it is broadcast along one of them, or would have to be reshaped at run time.
std::optional<Operand> parameterAlong(Module& module, const Operand& parameter, const Shape& shape,
                                      const std::vector<std::uint32_t>& axes) {
  if (parameter.rank() > shape.size()) return std::nullopt;
  const std::size_t missing = shape.size() - parameter.rank();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint32_t size = i < missing ? 1 : parameter.shape()[i - missing];
    const bool isAlong = std::ranges::find(axes, i) != axes.end();
    if (size != (isAlong ? shape[i] : 1)) return std::nullopt;
  }
  Shape wanted = shapeOf(shape, axes);
  if (parameter.shape() == wanted) return parameter;
  if (!isConstant(parameter)) return std::nullopt;
  return module.reshaped(parameter, std::move(wanted));
}

// A product of a normalization's result with a scale, or a sum with a bias.
struct Affine {
  bool isScale = false;
  Operand normalized, parameter;
};

// Returns whether all elements are constants of magnitude 2^96 at most. Normalized values then do not overflow float32 when they
// are scaled, and a bias cannot make an infinite value finite.
bool areModerate(const Operand& parameter) {
  if (!isConstant(parameter)) return false;
  return std::ranges::all_of(constantNumbers(parameter), [](double number) { return std::abs(number) <= 0x1p96; });
}

// Returns a copy of `op` with a scale or bias, or nullopt if the parameter cannot be added. A product that is infinite in the
// original graph must not become finite because the bias is added before rounding.
template <typename Op>
std::optional<Op> withParameter(const Op& op, const Operand& parameter, bool isScale) {
  Op result = op;
  auto& options = [&]() -> auto& {
    if constexpr (requires { result.scale; }) {
      return result;
    } else {
      return result.options;
    }
  }
  ();
  if (options.bias || (isScale && options.scale)) return std::nullopt;
  if (!isScale && options.scale && !areModerate(*options.scale) && !areModerate(parameter)) return std::nullopt;
  (isScale ? options.scale : options.bias) = parameter;
  return result;
}

std::optional<EngineOperation> withAffine(const Patterns& patterns, const ops::LayerNormalization& op, const Affine& affine) {
  const Shape& shape = op.input.shape();
  const std::vector<std::uint32_t> axes = *op.options.axes;
  if (!std::ranges::is_sorted(axes)) return std::nullopt;
  if (const auto parameter = parameterAlong(patterns.module, affine.parameter, shape, axes)) {
    if (auto result = withParameter(op, *parameter, affine.isScale)) return Operation(std::move(*result));
    return std::nullopt;
  }
  // With one scale or bias per channel, the pattern is an instance normalization.
  const bool nchw = axes == kNchw, nhwc = axes == kNhwc;
  if (shape.size() != 4 || !(nchw || nhwc) || op.options.scale || op.options.bias) return std::nullopt;
  const auto parameter = parameterAlong(patterns.module, affine.parameter, shape, {nchw ? 1U : 3U});
  if (!parameter) return std::nullopt;
  ops::InstanceNormalization instance{op.input, {}};
  instance.options.epsilon = op.options.epsilon;
  instance.options.layout = nchw ? InputOperandLayout::nchw : InputOperandLayout::nhwc;
  instance.options.label = op.options.label;
  (affine.isScale ? instance.options.scale : instance.options.bias) = *parameter;
  return Operation(std::move(instance));
}

std::optional<EngineOperation> withAffine(const Patterns& patterns, const ops::InstanceNormalization& op, const Affine& affine) {
  const std::uint32_t axis = op.options.layout == InputOperandLayout::nchw ? 1 : 3;
  const auto parameter = parameterAlong(patterns.module, affine.parameter, op.input.shape(), {axis});
  if (!parameter) return std::nullopt;
  if (auto result = withParameter(op, *parameter, affine.isScale)) return Operation(std::move(*result));
  return std::nullopt;
}

std::optional<EngineOperation> withAffine(const Patterns& patterns, const WrittenNormalization& op, const Affine& affine) {
  const Shape& shape = op.input.shape();
  const bool isFirst = !op.scale && !op.bias, isImage = shape.size() == 4 && (op.axes == kNchw || op.axes == kNhwc);
  for (const bool isOfChannels : {false, true}) {
    if (isOfChannels ? !isImage || (!isFirst && !op.isOfChannels) : op.isOfChannels) continue;
    const auto parameter = parameterAlong(patterns.module, affine.parameter, shape, isOfChannels ? Axes{op.channel()} : op.axes);
    if (!parameter) continue;
    auto result = withParameter(op, *parameter, affine.isScale);
    if (!result) return std::nullopt;
    result->isOfChannels = isOfChannels;
    return *std::move(result);
  }
  return std::nullopt;
}

// Parameters of a RowNormalization may have leading dimensions of size 1.
std::optional<EngineOperation> withAffine(const Patterns&, const RowNormalization& op, const Affine& affine) {
  const Shape &shape = op.input.shape(), &parameter = affine.parameter.shape();
  if (parameter.empty() || parameter.size() > shape.size() || parameter.back() != shape.back()) return std::nullopt;
  if (elementCount(affine.parameter.descriptor()) != shape.back()) return std::nullopt;
  if (auto result = withParameter(op, affine.parameter, affine.isScale)) return *result;
  return std::nullopt;
}

std::optional<EngineOperation> absorbed(const Patterns& patterns, const Affine& affine) {
  if (!patterns.isUsedOnce(affine.normalized)) return std::nullopt;
  if (const auto* op = patterns.made<ops::LayerNormalization>(affine.normalized)) return withAffine(patterns, *op, affine);
  if (const auto* op = patterns.made<ops::InstanceNormalization>(affine.normalized)) return withAffine(patterns, *op, affine);
  if (const auto* op = patterns.made<WrittenNormalization>(affine.normalized)) return withAffine(patterns, *op, affine);
  if (const auto* op = patterns.made<RowNormalization>(affine.normalized)) return withAffine(patterns, *op, affine);
  return std::nullopt;
}

}  // namespace

bool recogniseNormalization(const Patterns& patterns, ModuleNode& node) {
  const Operand& result = node.outputs[0];
  const auto* op = as<ops::Binary>(node.operation);
  if (!op || !isFloat32(result)) return false;
  Inner inner;
  const std::optional<Quotient> quotient = quotientOf(patterns, result, inner);
  const std::optional<MeanSquare> square = quotient ? meanSquareOf(patterns, quotient->radicand, inner) : std::nullopt;
  if (!square || result.shape() != square->x.shape() || quotient->numerator.shape() != result.shape()) return false;
  const Axes& axes = square->axes;
  const OperatorOptions options = op->options;
  const bool isOfRows = axes.size() == 1 && axes[0] + 1 == result.rank();
  const auto epsilon = static_cast<float>(square->epsilon);
  const std::optional<Operand> x = centred(patterns, square->x, axes, inner);
  if (x) {
    const std::optional<Operand> above = centred(patterns, quotient->numerator, axes, inner);
    if (above && isSame(*above, *x) && patterns.areInner(inner, result)) {
      if (isOfRows) {
        node.operation = RowNormalization{.input = *x, .asWritten = true, .epsilon = epsilon, .options = options};
      } else {
        node.operation = WrittenNormalization{.input = *x, .axes = axes, .epsilon = epsilon, .options = options};
      }
      return true;
    }
    if (above) return false;
    inner.resize(inner.size() - 2);  // removes x - mean, which becomes the input of the RMS normalization
  }
  if (!isOfRows || !isSame(quotient->numerator, square->x) || !patterns.areInner(inner, result)) return false;
  node.operation = RowNormalization{.input = square->x, .rms = true, .asWritten = true, .epsilon = epsilon, .options = options};
  return true;
}

bool absorbAffine(const Patterns& patterns, ModuleNode& node) {
  const auto* op = as<ops::Binary>(node.operation);
  if (!op || (op->kind != BinaryKind::mul && op->kind != BinaryKind::add) || !isFloat32(node.outputs[0])) return false;
  for (const bool isSecond : {false, true}) {
    const Affine affine{op->kind == BinaryKind::mul, isSecond ? op->b : op->a, isSecond ? op->a : op->b};
    if (isSame(affine.normalized, affine.parameter) || affine.normalized.shape() != node.outputs[0].shape()) continue;
    if (std::optional<EngineOperation> result = absorbed(patterns, affine)) {
      node.operation = std::move(*result);
      return true;
    }
  }
  return false;
}

bool normalizeRows(ModuleNode& node) {
  const auto* op = as<ops::LayerNormalization>(node.operation);
  if (!op || op->input.rank() == 0) return false;
  const std::vector<std::uint32_t>& axes = *op->options.axes;
  if (axes.size() != 1 || axes[0] + 1 != op->input.rank()) return false;
  RowNormalization rows{.input = op->input, .scale = op->options.scale, .bias = op->options.bias};
  rows.epsilon = static_cast<float>(op->options.epsilon);
  rows.options.label = op->options.label;
  node.operation = std::move(rows);
  return true;
}

bool absorbResidual(const Patterns& patterns, ModuleNode& node) {
  auto* op = as<RowNormalization>(node.operation);
  if (!op || op->residual || !patterns.isUsedOnce(op->input)) return false;
  const auto* add = patterns.binary(op->input, BinaryKind::add);
  if (!add || add->a.shape() != add->b.shape()) return false;
  op->residual = add->b;
  op->input = add->a;
  return true;
}

}  // namespace webnn::compiler
