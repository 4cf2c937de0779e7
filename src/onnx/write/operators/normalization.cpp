#include <algorithm>
#include <numeric>

#include "onnx/write/compose.h"
#include "onnx/write/operators/families.h"

namespace webnn::onnx {

namespace {

constexpr std::int64_t kSmall = 4096;  // maximum number of elements of a constant filled with one value

// Returns the value of a scale or bias; if it is absent, a tensor filled with the default `absent`.
OnnxValue valueOr(const std::optional<Operand>& operand, ElementType type, int absent, const Shape& shape, Exporter& out) {
  if (operand) return out[operand];
  if (!isOpen(shape) && productOf(shape).number() <= kSmall) return out.splat(type, absent, shape);
  return out.add("Expand", {out.scalar(type, absent), out.integers(shape)});
}

class LayerNormalizer {
 public:
  LayerNormalizer(const ops::LayerNormalization& op, Exporter& out)
      : op_(op), out_(out), sorted_(*op.options.axes), rank_(op.input.rank()) {
    std::ranges::sort(sorted_);
  }

  OnnxValue compute() { return isOfTrailingAxes() ? operatorOfOnnx() : decomposed(); }

 private:
  bool isOfTrailingAxes() const { return !sorted_.empty() && sorted_.front() + sorted_.size() == rank_; }

  // The dimensions of a parameter are in the order of the axes. Transpose them to the order of the input's dimensions.
  OnnxValue inOrder(const std::optional<Operand>& parameter) {
    const std::vector<std::uint32_t>& axes = *op_.options.axes;
    std::vector<std::uint32_t> permutation(axes.size());
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::ranges::sort(permutation, {}, [&](std::uint32_t i) { return axes[i]; });
    return out_.transpose(out_[parameter], permutation);
  }

  OnnxValue operatorOfOnnx() {
    const Shape normalized(op_.input.shape().end() - static_cast<std::ptrdiff_t>(sorted_.size()), op_.input.shape().end());
    const OnnxValue x = out_[op_.input];
    const OnnxValue scale = op_.options.scale ? inOrder(op_.options.scale) : valueOr({}, x.type, 1, normalized, out_);
    const OnnxValue bias = op_.options.bias ? inOrder(op_.options.bias) : OnnxValue{};
    return out_.add("LayerNormalization", {x, scale, bias},
                    {{"axis", std::int64_t{sorted_.front()}}, {"epsilon", static_cast<float>(op_.options.epsilon)}});
  }

  OnnxValue mean(const OnnxValue& value) {
    return sorted_.empty() ? value : out_.add("ReduceMean", {value, out_.integers(sorted_)}, {{"keepdims", std::int64_t{1}}});
  }

  // Reshapes a parameter to the input's rank, so that it broadcasts along the other axes.
  OnnxValue spread(const std::optional<Operand>& parameter) {
    Shape shape(rank_, 1);
    for (const std::uint32_t axis : sorted_) shape[axis] = op_.input.shape()[axis];
    const OnnxValue inFloat = out_.cast(inOrder(parameter), ElementType::float32);
    return sorted_.size() == rank_ ? inFloat : out_.reshape(inFloat, shape);
  }

  // Computes in float32, because sums in float16 may overflow.
  OnnxValue decomposed() {
    const OnnxValue x = out_.cast(out_[op_.input], ElementType::float32);
    const OnnxValue distance = out_.add("Sub", {x, mean(x)});
    const OnnxValue variance = mean(out_.add("Mul", {distance, distance}));
    const OnnxValue deviation = out_.add("Sqrt", {out_.add("Add", {variance, out_.scalar(x.type, op_.options.epsilon)})});
    OnnxValue y = out_.add("Div", {distance, deviation});
    if (op_.options.scale) y = out_.add("Mul", {y, spread(op_.options.scale)});
    if (op_.options.bias) y = out_.add("Add", {y, spread(op_.options.bias)});
    return y;
  }

  const ops::LayerNormalization& op_;
  Exporter& out_;
  std::vector<std::uint32_t> sorted_;  // the axes in ascending order
  std::size_t rank_;
};

}  // namespace

// ONNX normalizes along axis 1. A reshape to [before, size, after] turns any axis into axis 1 without moving elements.
void toOnnx(const ops::BatchNormalization& op, Exporter& out) {
  const Shape& shape = op.input.shape();
  const std::uint32_t axis = op.options.axis, size = shape[axis];
  const bool fits = axis == 1;
  const std::span<const std::uint32_t> dimensions(shape);
  OnnxValue x = out[op.input];
  if (!fits)
    x = out.reshape(x,
                    {asDimension(productOf(dimensions.first(axis))), size, asDimension(productOf(dimensions.subspan(axis + 1)))});
  const OnnxValue scale = valueOr(op.options.scale, x.type, 1, {size}, out),
                  bias = valueOr(op.options.bias, x.type, 0, {size}, out);
  const OnnxValue y = out.add("BatchNormalization", {x, scale, bias, out[op.mean], out[op.variance]},
                              {{"epsilon", static_cast<float>(op.options.epsilon)}});
  out.set(0, fits ? y : out.reshape(y, shape));
}

void toOnnx(const ops::InstanceNormalization& op, Exporter& out) {
  const bool isNhwc = op.options.layout == InputOperandLayout::nhwc;
  const Shape channels{op.input.shape()[isNhwc ? 3 : 1]};
  const OnnxValue x = isNhwc ? out.transpose(out[op.input], {0, 3, 1, 2}) : out[op.input];
  const OnnxValue scale = valueOr(op.options.scale, x.type, 1, channels, out);
  const OnnxValue bias = valueOr(op.options.bias, x.type, 0, channels, out);
  const OnnxValue y = out.add("InstanceNormalization", {x, scale, bias}, {{"epsilon", static_cast<float>(op.options.epsilon)}});
  out.set(0, isNhwc ? out.transpose(y, {0, 2, 3, 1}) : y);
}

void toOnnx(const ops::LayerNormalization& op, Exporter& out) { out.set(0, LayerNormalizer(op, out).compute()); }

}  // namespace webnn::onnx
