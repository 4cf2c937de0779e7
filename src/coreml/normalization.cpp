// Exports normalizations to MIL. MIL's own operations require, for example, constant scales and biases. All other normalizations
// are composed of arithmetic.
#include <algorithm>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

bool isStoredOrAbsent(const std::optional<Operand>& operand, MilBuilder& out) { return !operand || out[*operand].isStored; }

// Returns x * scale + bias, with scale and bias reshaped to `shape`, if the options have them.
MilValue scaled(const auto& op, MilValue x, const Shape& shape, MilBuilder& out) {
  if (op.options.scale) x = binary("mul", x, reshape(out[*op.options.scale], shape, out), out);
  if (op.options.bias) x = binary("add", x, reshape(out[*op.options.bias], shape, out), out);
  return x;
}

Arguments argumentsOf(const auto& op, const MilValue& x, MilBuilder& out) {
  Arguments arguments{{"epsilon", {out.scalar(x.type, op.options.epsilon)}}};
  if (op.options.scale) arguments.push_back({"gamma", {out[*op.options.scale]}});
  if (op.options.bias) arguments.push_back({"beta", {out[*op.options.bias]}});
  return arguments;
}

// Normalizes the last dimension of [rows, columns] in float32, without scale and bias.
MilValue normalized(const MilValue& given, double epsilon, MilBuilder& out) {
  const MilValue x = out.cast(given, MilType::float32);
  const MilValue centred = binary("sub", x, reduced("reduce_mean", x, {1}, out), out);
  const MilValue variance = reduced("reduce_mean", binary("mul", centred, centred, out), {1}, out);
  const MilValue deviation = unary("sqrt", binary("add", variance, out.scalar(x.type, epsilon), out), out);
  return out.cast(binary("real_div", centred, deviation, out), given.type);
}

}  // namespace

void toMil(const ops::BatchNormalization& op, MilBuilder& out) {
  const MilValue given = out[op.input], mean = out[op.mean], variance = out[op.variance];
  const std::size_t rank = op.input.shape().size();
  if (op.options.axis == 1 && rank >= 3 && rank <= kMaxMilRank && mean.isStored && variance.isStored &&
      isStoredOrAbsent(op.options.scale, out) && isStoredOrAbsent(op.options.bias, out)) {
    Arguments arguments = argumentsOf(op, given, out);
    arguments.push_back({"mean", {mean}});
    arguments.push_back({"variance", {variance}});
    return out.set(0, unary("batch_norm", given, out, std::move(arguments)));
  }
  const AxisView view = viewAlong(op.input.shape(), op.options.axis);
  Shape along(view.shape.size(), 1);
  along[view.axis] = view.shape[view.axis];
  const MilValue centred = binary("sub", reshape(given, view.shape, out), reshape(mean, along, out), out);
  const MilValue deviation = unary("sqrt", binary("add", variance, out.scalar(given.type, op.options.epsilon), out), out);
  out.set(0, scaled(op, binary("real_div", centred, reshape(deviation, along, out), out), along, out));
}

void toMil(const ops::InstanceNormalization& op, MilBuilder& out) {
  const MilValue x = toChannelsFirst(out[op.input], op.options.layout, out);
  MilValue y;
  if (x.type == MilType::float32 && isStoredOrAbsent(op.options.scale, out) && isStoredOrAbsent(op.options.bias, out)) {
    y = unary("instance_norm", x, out, argumentsOf(op, x, out));
  } else {
    const MilValue rows = reshape(x, {countOf({x.shape[0], x.shape[1]}), countOf({x.shape[2], x.shape[3]})}, out);
    y = scaled(op, reshape(normalized(rows, op.options.epsilon, out), x.shape, out), {1, x.shape[1], 1, 1}, out);
  }
  out.set(0, fromChannelsFirst(y, op.options.layout, out));
}

void toMil(const ops::LayerNormalization& op, MilBuilder& out) {
  const Shape& shape = op.input.shape();
  const Axes& axes = *op.options.axes;
  const MilValue x = out[op.input];
  const auto rank = static_cast<std::uint32_t>(shape.size());
  bool areLast = !axes.empty() && rank <= kMaxMilRank;
  for (std::size_t i = 0; i < axes.size(); ++i) areLast = areLast && axes[i] == rank - axes.size() + i;
  if (areLast && isStoredOrAbsent(op.options.scale, out) && isStoredOrAbsent(op.options.bias, out)) {
    Arguments arguments = argumentsOf(op, x, out);
    // coremltools does not accept a bias without a scale, so a scale of ones is added.
    if (op.options.bias && !op.options.scale) {
      const Shape& each = op.options.bias->shape();
      arguments.push_back({"gamma", {out.floats(x.type, std::vector<double>(countOf(each), 1), each)}});
    }
    arguments.push_back({"axes", {out.integers(Integers(axes.begin(), axes.end()))}});
    return out.set(0, unary("layer_norm", x, out, std::move(arguments)));
  }
  // Transposes the normalized axes to the end, in the order of `axes`, which is also the order of scale and bias.
  Axes order;
  for (std::uint32_t i = 0; i < rank; ++i) {
    if (std::ranges::find(axes, i) == axes.end()) order.push_back(i);
  }
  order.insert(order.end(), axes.begin(), axes.end());
  Shape movedShape;
  Axes back(rank);
  for (std::uint32_t i = 0; i < rank; ++i) {
    movedShape.push_back(shape[order[i]]);
    back[order[i]] = i;
  }
  const auto firstAxis = movedShape.end() - static_cast<std::ptrdiff_t>(axes.size());
  const std::uint32_t rowCount = countOf({movedShape.begin(), firstAxis}), columns = countOf({firstAxis, movedShape.end()});
  const MilValue moved = transposedAny(x, shape, order, out);
  const MilValue rows = reshape(moved, {rowCount, columns}, out);
  const MilValue y = scaled(op, normalized(rows, op.options.epsilon, out), {1, columns}, out);
  out.set(0, transposedAny(reshape(y, shapeOf(movedShape), out), movedShape, back, out));
}

}  // namespace webnn::coreml
