// complete() for matrix products, convolutions, pooling and recurrent networks.
#include <algorithm>
#include <array>

#include "random/complete.h"

namespace webnn::random {

namespace {

// Returns leading dimensions that broadcast with the leading dimensions of `shape`.
Shape batches(Maker& m, const Shape& shape) {
  Shape result(shape.begin(), shape.end() - 2);
  if (m.choose.oneIn(2)) result.erase(result.begin(), result.begin() + m.choose.below(result.size() + 1));
  for (std::uint32_t& size : result) {
    if (m.choose.oneIn(3)) size = size == 1 ? m.size() : 1;
  }
  return result;
}

std::uint32_t inner(Maker& m) { return m.choose.oneIn(12) ? m.choose.between(60, 300) : m.size(); }

// Returns a divisor of n, most often 1 or n.
std::uint32_t divisor(Maker& m, std::uint32_t n) {
  if (m.choose.oneIn(2)) return 1;
  if (m.choose.oneIn(2)) return n;
  const std::uint32_t d = m.choose.between(1, 4);
  return n % d == 0 ? d : 1;
}

}  // namespace

void complete(Maker& m, ops::Matmul& op) {
  const bool startsWithA = !m.choose.oneIn(3);
  const Operand x = take(m, op, startsWithA ? "a" : "b");
  Shape shape = batches(m, x.shape());
  const std::uint32_t rows = x.shape()[x.rank() - 2], columns = x.shape().back();
  shape.push_back(startsWithA ? columns : inner(m));
  shape.push_back(startsWithA ? inner(m) : rows);
  if (m.choose.oneIn(3)) {  // make the operand with a transpose operation
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    std::vector<std::uint32_t> permutation(shape.size());
    for (std::uint32_t i = 0; i < shape.size(); ++i) permutation[i] = i;
    std::swap(permutation[shape.size() - 1], permutation[shape.size() - 2]);
    const Operand y = m.shaped({x.dataType(), shape});
    (startsWithA ? op.b : op.a) = m.one(ops::Transpose{y, {.permutation = permutation}});
  } else {
    (startsWithA ? op.b : op.a) = m.shaped({x.dataType(), shape});
  }
  (startsWithA ? op.a : op.b) = x;
}

void complete(Maker& m, ops::Gemm& op) {
  auto& options = op.options;
  options.aTranspose = m.choose.oneIn(3);
  options.bTranspose = m.choose.oneIn(3);
  const auto factor = [&] {
    if (m.choose.oneIn(2)) return 1.0;
    return m.style.hasIntegers ? m.choose.pick({0.0, 2.0, -1.0, 0.5}) : m.choose.real(-1, 2);
  };
  options.alpha = factor();
  options.beta = factor();
  const bool startsWithA = !m.choose.oneIn(3);
  const Operand x = take(m, op, startsWithA ? "a" : "b");
  const bool isTransposed = startsWithA ? options.aTranspose : options.bTranspose;
  const std::uint32_t shared = x.shape()[startsWithA != isTransposed ? 1 : 0], other = inner(m);
  const bool isFirst = startsWithA ? !options.bTranspose : options.aTranspose;
  const Shape shape = isFirst ? Shape{shared, other} : Shape{other, shared};
  const Operand y = m.shaped({x.dataType(), shape});
  op.a = startsWithA ? x : y;
  op.b = startsWithA ? y : x;
  if (m.choose.oneIn(3)) return;
  const Shape result{op.a.shape()[options.aTranspose ? 1 : 0], op.b.shape()[options.bTranspose ? 0 : 1]};
  options.c = m.broadcastable(x.dataType(), result);
}

namespace {

// The padding, strides and dilations of a window. The window fits into the input at least once.
struct Way {
  std::vector<std::uint32_t> padding{0, 0, 0, 0}, strides{1, 1}, dilations{1, 1};
};
Way wayOf(Maker& m, std::array<std::uint32_t, 2> sizes, std::array<std::uint32_t, 2> windows) {
  Way way;
  const std::uint32_t mostPadding = m.choose.pick({0U, 1U, 2U, 5U});
  for (std::uint32_t& padding : way.padding) padding = m.choose.below(mostPadding + 1);
  if (m.choose.oneIn(3)) way.strides = {m.choose.between(1, 3), m.choose.between(1, 3)};
  if (m.choose.oneIn(8)) way.strides = {m.choose.between(1, 5), m.choose.between(1, 5)};
  if (m.choose.oneIn(3)) way.dilations = {m.choose.between(1, 3), m.choose.between(1, 5)};
  for (std::size_t i = 0; i < 2; ++i) {
    if (windows[i] == 0) windows[i] = sizes[i];
    const auto length = [&] { return (windows[i] - 1) * way.dilations[i] + 1; };
    const auto room = [&] { return sizes[i] + way.padding[2 * i] + way.padding[2 * i + 1]; };
    while (length() > room() && way.dilations[i] > 1) --way.dilations[i];
    if (length() > room()) way.padding[2 * i] += length() - room();
  }
  return way;
}

void setWay(Maker& m, auto& options, const Way& way) {
  const bool isExplicit = m.choose.oneIn(4);
  const auto set = [&](OptionalSizes& option, const std::vector<std::uint32_t>& values, std::uint32_t usual) {
    if (isExplicit || std::ranges::any_of(values, [&](std::uint32_t value) { return value != usual; })) option = values;
  };
  set(options.padding, way.padding, 0);
  set(options.strides, way.strides, 1);
  set(options.dilations, way.dilations, 1);
}

std::uint32_t window(Maker& m) { return m.choose.oneIn(3) ? 3 : m.choose.oneIn(3) ? 1 : m.choose.between(1, 5); }

Shape image(Maker& m, InputOperandLayout layout, std::uint32_t channels) {
  const std::uint32_t batch = m.choose.oneIn(3) ? m.choose.between(1, 3) : 1;
  const std::uint32_t height = m.choose.between(1, 12), width = m.choose.oneIn(2) ? height : m.choose.between(1, 14);
  if (layout == InputOperandLayout::nhwc) return {batch, height, width, channels};
  return {batch, channels, height, width};
}

std::uint32_t channelCount(Maker& m) {
  return m.choose.oneIn(4) ? m.choose.pick({16U, 17U, 32U, 24U, 40U}) : m.choose.between(1, 9);
}

Shape filterShape(const ops::FilterAxes& axes, std::uint32_t outputs, std::uint32_t inputs, std::uint32_t height,
                  std::uint32_t width) {
  Shape shape(4);
  shape[axes.output] = outputs;
  shape[axes.input] = inputs;
  shape[axes.height] = height;
  shape[axes.width] = width;
  return shape;
}

// Completes a convolution. Takes any operand first, and then makes the other operands fit.
void completeConvolution(Maker& m, auto& op, bool isTransposed) {
  auto& options = op.options;
  options.inputLayout = m.choose.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const ops::FilterAxes axes = ops::axesOf(options.filterLayout);
  const std::uint32_t start = m.choose.below(5);
  std::uint32_t inputs = 0, outputs = 0;
  if (start == 3) {
    op.filter = take(m, op, "filter");
    const std::uint32_t out = op.filter.shape()[axes.output], in = op.filter.shape()[axes.input];
    options.groups = divisor(m, isTransposed ? in : out);
    inputs = isTransposed ? in : in * options.groups;
    outputs = isTransposed ? out * options.groups : out;
  } else if (start == 4) {
    options.bias = take(m, op, "bias");
    outputs = options.bias->shape()[0];
    options.groups = divisor(m, outputs);
    inputs = options.groups * m.choose.between(1, 4);
  } else {
    op.input = take(m, op, "input");
    inputs = op.input.shape()[ops::axesOf(options.inputLayout).channel];
    options.groups = divisor(m, inputs);
    outputs = options.groups * (options.groups == 1 ? channelCount(m) : m.choose.between(1, 3));
  }
  const DataType type = start == 3 ? op.filter.dataType() : start == 4 ? options.bias->dataType() : op.input.dataType();
  if (!op.filter) {
    const std::uint32_t height = window(m), width = m.choose.oneIn(2) ? height : window(m);
    const Shape shape = isTransposed ? filterShape(axes, outputs / options.groups, inputs, height, width)
                                     : filterShape(axes, outputs, inputs / options.groups, height, width);
    op.filter = m.shaped({type, shape});
  }
  if (!op.input) op.input = m.shaped({type, image(m, options.inputLayout, inputs)});
  if (!options.bias && m.choose.oneIn(2)) options.bias = m.shaped({type, {outputs}});
}

Way wayOf(Maker& m, const auto& op) {
  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  return wayOf(m, {op.input.shape()[image.height], op.input.shape()[image.width]},
               {op.filter.shape()[axes.height], op.filter.shape()[axes.width]});
}

}  // namespace

void complete(Maker& m, ops::Conv2d& op) {
  using enum Conv2dFilterOperandLayout;
  op.options.filterLayout = m.choose.pick({oihw, hwio, ohwi, ihwo});
  completeConvolution(m, op, false);
  setWay(m, op.options, wayOf(m, op));
}

void complete(Maker& m, ops::ConvTranspose2d& op) {
  using enum ConvTranspose2dFilterOperandLayout;
  if (m.choose.oneIn(12)) {  // use a value as its own filter
    const std::uint32_t channels = m.choose.between(1, 4), size = m.choose.between(1, 4);
    op.input = op.filter = m.shaped({m.floatType(), {channels, channels, size, size}});
    return;
  }
  op.options.filterLayout = m.choose.pick({iohw, hwoi, ohwi});
  completeConvolution(m, op, true);
  Way way = wayOf(m, op);
  for (std::uint32_t& padding : way.padding) padding = std::min(padding, m.choose.below(3));
  setWay(m, op.options, way);
  if (m.choose.oneIn(3)) op.options.outputPadding = {m.choose.below(way.strides[0]), m.choose.below(way.strides[1])};
  if (!m.choose.oneIn(4)) return;
  Operation copy = op;  // a copy, to infer the output size; the given size may be slightly larger
  std::get<ops::ConvTranspose2d>(copy).options.outputPadding.reset();
  const Shape shape = validate(copy)[0].shape;
  const ops::ImageAxes axes = ops::axesOf(op.options.inputLayout);
  op.options.outputSizes = {shape[axes.height] + m.choose.below(way.strides[0]),
                            shape[axes.width] + m.choose.below(way.strides[1])};
}

void complete(Maker& m, ops::Pool2d& op) {
  op.input = take(m, op, "input");
  op.options.layout = m.choose.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const ops::ImageAxes axes = ops::axesOf(op.options.layout);
  const std::array<std::uint32_t, 2> sizes{op.input.shape()[axes.height], op.input.shape()[axes.width]};
  std::array<std::uint32_t, 2> windows{0, 0};
  if (!m.choose.oneIn(4)) {
    windows = {m.choose.between(1, 4), m.choose.between(1, 4)};
    op.options.windowDimensions = {windows[0], windows[1]};
  }
  if (!m.choose.oneIn(4)) setWay(m, op.options, wayOf(m, sizes, windows));
  if (m.choose.oneIn(3)) op.options.outputShapeRounding = RoundingType::ceil;
  if (!m.choose.oneIn(5)) return;
  Operation copy = op;
  const Shape shape = validate(copy)[0].shape;
  op.options.outputSizes = {shape[axes.height], shape[axes.width]};
  if (m.choose.oneIn(2)) op.options.outputShapeRounding = m.choose.pick({RoundingType::floor, RoundingType::ceil});
}

namespace {

void maybe(Maker& m, std::optional<Operand>& option, DataType type, auto&& shape) {
  if (m.choose.oneIn(2)) option = m.shaped({type, Shape(shape)});
}

void activations(Maker& m, OptionalSequence<RecurrentNetworkActivation>& option, std::size_t count) {
  using enum RecurrentNetworkActivation;
  if (!m.choose.oneIn(3)) return;
  option.emplace();
  while (option->size() < count) option->push_back(m.choose.pick({relu, sigmoid, tanh}));
}

// Makes shapes of weights and biases: [leading..., gates * hiddenSize, ...].
struct Recurrent {
  DataType type;
  std::uint32_t hidden = 1, gates = 3;
  Shape leading;
  Shape of(std::uint32_t rows, std::optional<std::uint32_t> columns = {}) const {
    Shape shape = leading;
    shape.push_back(rows);
    if (columns) shape.push_back(*columns);
    return shape;
  }
};

Recurrent completeWeights(Maker& m, auto& op, std::uint32_t gates, Shape leading) {
  Recurrent r{op.input.dataType(), m.choose.oneIn(6) ? m.choose.between(9, 20) : m.choose.between(1, 6), gates,
              std::move(leading)};
  op.hiddenSize = r.hidden;
  op.weight = m.shaped({r.type, r.of(gates * r.hidden, op.input.shape().back())});
  op.recurrentWeight = m.shaped({r.type, r.of(gates * r.hidden, r.hidden)});
  maybe(m, op.options.bias, r.type, r.of(gates * r.hidden));
  maybe(m, op.options.recurrentBias, r.type, r.of(gates * r.hidden));
  if constexpr (requires { op.options.peepholeWeight; }) {
    maybe(m, op.options.peepholeWeight, r.type, r.of(3 * r.hidden));
    if (m.choose.oneIn(2)) op.options.layout = LstmWeightLayout::ifgo;
    activations(m, op.options.activations, 3);
  } else {
    op.options.resetAfter = m.choose.oneIn(2);
    if (m.choose.oneIn(2)) op.options.layout = GruWeightLayout::rzn;
    activations(m, op.options.activations, 2);
  }
  return r;
}

void completeNetwork(Maker& m, auto& op, std::uint32_t gates) {
  using enum RecurrentNetworkDirection;
  op.input = take(m, op, "input");
  op.steps = op.input.shape()[0];
  op.options.direction = m.choose.pick({forward, backward, both});
  const std::uint32_t directions = op.options.direction == both ? 2 : 1;
  const Recurrent r = completeWeights(m, op, gates, {directions});
  const Shape state{directions, op.input.shape()[1], r.hidden};
  maybe(m, op.options.initialHiddenState, r.type, state);
  if constexpr (requires { op.options.initialCellState; }) maybe(m, op.options.initialCellState, r.type, state);
  op.options.returnSequence = m.choose.oneIn(2);
}

}  // namespace

void complete(Maker& m, ops::Gru& op) { completeNetwork(m, op, 3); }
void complete(Maker& m, ops::Lstm& op) { completeNetwork(m, op, 4); }

void complete(Maker& m, ops::GruCell& op) {
  op.input = take(m, op, "input");
  const Recurrent r = completeWeights(m, op, 3, {});
  op.hiddenState = m.shaped({r.type, {op.input.shape()[0], r.hidden}});
}

void complete(Maker& m, ops::LstmCell& op) {
  op.input = take(m, op, "input");
  const Recurrent r = completeWeights(m, op, 4, {});
  const OperandDescriptor state{r.type, {op.input.shape()[0], r.hidden}};
  op.hiddenState = m.shaped(state);
  op.cellState = m.shaped(state);
}

}  // namespace webnn::random
