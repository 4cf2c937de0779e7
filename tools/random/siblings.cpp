#include "random/siblings.h"

#include <algorithm>
#include <array>
#include <vector>

namespace webnn::random {

namespace {

using enum DataType;

class Family {
 public:
  explicit Family(Writer& writer) : w_(writer) {}

  Maker& m() { return w_.m; }
  DataType type() const { return w_.type; }
  std::uint32_t width() const { return width_; }

  // Starts the next operation of a kind. The operation repeats most decisions of the previous operation of that kind, so that
  // siblings differ in few fields.
  void startMember(std::size_t kind) {
    usual_ = &ofKind_[kind];
    place_ = 0;
  }
  std::uint32_t below(std::uint32_t limit) {
    const std::size_t place = place_++;
    if (place == usual_->size()) usual_->push_back(choose().below(limit));
    if (choose().oneIn(6)) (*usual_)[place] = choose().below(limit);
    return (*usual_)[place] % limit;
  }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  bool flips() { return below(2) == 1; }
  bool oneIn(std::uint32_t n) { return below(n) + 1 == n; }
  template <typename T>
  T pick(std::initializer_list<T> items) {
    return *(items.begin() + below(static_cast<std::uint32_t>(items.size())));
  }
  std::uint32_t other() { return flips() ? width_ : between(1, 9); }

  // Returns a constant, or the result of operations that adapt a constant to the shape. Most often reuses an existing constant.
  Operand weight(const Shape& shape) { return weight({type(), shape}, {-1, 1}); }
  Operand weight(const OperandDescriptor& descriptor, Range range) {
    std::vector<Operand> same, akin;
    for (const Operand& one : constants_) {
      if (one.descriptor() == descriptor) same.push_back(one);
      if (one.dataType() == descriptor.dataType) akin.push_back(one);
    }
    const std::uint32_t place = below(16);
    if (!same.empty() && !choose().oneIn(8)) return same[place % same.size()];
    if (!akin.empty() && !choose().oneIn(3)) {
      constants_.push_back(m().adapted(choose().pick(akin), descriptor));
    } else {
      constants_.push_back(m().constant(descriptor, fill(descriptor, m().style, range, choose().seed())));
    }
    return constants_.back();
  }
  void maybe(std::optional<Operand>& option, const Shape& shape) {
    if (flips()) option = weight(shape);
  }
  // Returns a matrix, which may be dequantized from 8 or 4 bits.
  Operand matrix(std::uint32_t rows, std::uint32_t columns) {
    const Shape shape{rows, columns};
    if (!oneIn(3)) return weight(shape);
    const DataType of = bits_;
    const Shape blocks = pick({Shape{1, 1}, Shape{1, columns}, Shape{rows, 1}, Shape{rows % 2 == 0 ? rows / 2 : 1, columns}});
    return m().one(ops::DequantizeLinear{
        weight({of, shape}, {-7, 7}), weight({type(), blocks}, {0.1, 1}), weight({of, blocks}, {0, 2}), {}});
  }
  Operand input(const Shape& shape) {
    const Operand x = m().shaped({type(), shape});
    return oneIn(4) ? w_.requantized(x, pick({int8, uint8}), 0.25) : x;
  }

 private:
  Choices& choose() { return w_.m.choose; }

  Writer& w_;
  std::vector<Operand> constants_;
  std::array<std::vector<std::uint32_t>, 4> ofKind_;
  std::vector<std::uint32_t>* usual_ = nullptr;
  std::size_t place_ = 0;
  const std::uint32_t width_ = w_.m.choose.between(1, w_.m.choose.oneIn(4) ? 20 : 6);
  const DataType bits_ = w_.m.choose.pick({int8, uint8, int4, uint4});
};

void product(Family& f) {
  const std::uint32_t rows = f.between(1, 9), k = f.other(), columns = f.other();
  switch (f.below(4)) {
    case 0: return void(f.m().one(ops::Matmul{f.input({rows, k}), f.matrix(k, columns), {}}));
    case 1: return void(f.m().one(ops::Matmul{f.matrix(rows, k), f.input({k, columns}), {}}));
    case 2: {
      const std::uint32_t batch = f.between(1, 2);
      return void(f.m().one(ops::Matmul{f.input({batch, rows, k}), f.weight({batch, k, columns}), {}}));
    }
    default: {
      ops::Gemm op{{}, {}, {}};
      op.options.aTranspose = f.flips();
      op.options.bTranspose = f.flips();
      op.a = f.input(op.options.aTranspose ? Shape{k, rows} : Shape{rows, k});
      op.b = op.options.bTranspose ? f.matrix(columns, k) : f.matrix(k, columns);
      f.maybe(op.options.c, {columns});
      if (f.oneIn(3)) op.options.alpha = f.pick({2.0, -0.5});
      if (f.oneIn(3)) op.options.beta = f.pick({2.0, 0.0});
      f.m().one(std::move(op));
    }
  }
}

void setWay(Family& f, auto& op, std::uint32_t size) {
  op.options.padding = {f.below(size), 0, f.below(size), 0};
  op.options.strides = {f.between(1, 2), f.between(1, 2)};
  if (f.oneIn(4)) op.options.dilations = {f.between(1, 2), 1};
  if (f.oneIn(3)) op.options.inputLayout = InputOperandLayout::nhwc;
}

void convolution(Family& f) {
  using enum Conv2dFilterOperandLayout;
  const std::uint32_t size = f.between(1, 3), channels = f.width(), groups = f.oneIn(3) ? channels : 1,
                      inputs = channels / groups, height = size + f.between(1, 5), width = size + f.between(1, 5);
  if (f.oneIn(2)) {
    ops::Conv2d op{{}, {}, {}};
    setWay(f, op, size);
    op.options.groups = groups;
    op.options.filterLayout = f.pick({oihw, hwio, ohwi, ihwo});
    std::array<std::uint32_t, 4> shape{};
    const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
    shape[axes.output] = channels, shape[axes.input] = inputs, shape[axes.height] = shape[axes.width] = size;
    op.filter = f.weight(Shape(shape.begin(), shape.end()));
    f.maybe(op.options.bias, {channels});
    op.input = f.input(op.options.inputLayout == InputOperandLayout::nhwc ? Shape{1, height, width, channels}
                                                                          : Shape{1, channels, height, width});
    return void(f.m().one(std::move(op)));
  }
  ops::ConvTranspose2d op{{}, {}, {}};
  setWay(f, op, size);
  op.options.groups = groups;
  if (f.oneIn(3)) op.options.outputPadding = {(*op.options.strides)[0] - 1, (*op.options.strides)[1] - 1};
  op.filter = f.weight({channels, inputs, size, size});
  f.maybe(op.options.bias, {inputs * groups});
  op.input = f.input(op.options.inputLayout == InputOperandLayout::nhwc ? Shape{1, height, width, channels}
                                                                        : Shape{1, channels, height, width});
  f.m().one(std::move(op));
}

// Sets the weights. `leading` is their first dimension: [directions] for a network, empty for a cell.
void setWeights(Family& f, auto& op, std::uint32_t gates, const Shape& leading) {
  using enum RecurrentNetworkActivation;
  const std::uint32_t hidden = f.width();
  op.hiddenSize = hidden;
  const auto of = [&](std::initializer_list<std::uint32_t> more) {
    Shape shape = leading;
    shape.insert(shape.end(), more);
    return shape;
  };
  op.weight = f.weight(of({gates * hidden, op.input.shape().back()}));
  op.recurrentWeight = f.weight(of({gates * hidden, hidden}));
  f.maybe(op.options.bias, of({gates * hidden}));
  f.maybe(op.options.recurrentBias, of({gates * hidden}));
  if constexpr (requires { op.options.peepholeWeight; }) {
    f.maybe(op.options.peepholeWeight, of({3 * hidden}));
    if (f.flips()) op.options.layout = LstmWeightLayout::ifgo;
  } else {
    op.options.resetAfter = f.flips();
    if (f.flips()) op.options.layout = GruWeightLayout::rzn;
  }
  if (!f.oneIn(3)) return;
  op.options.activations.emplace();
  while (op.options.activations->size() < gates - 1) op.options.activations->push_back(f.pick({relu, sigmoid, tanh}));
}

template <typename Op>
void network(Family& f, std::uint32_t gates) {
  using enum RecurrentNetworkDirection;
  const std::uint32_t batch = f.between(1, 3);
  Op op;
  op.options.direction = f.pick({forward, backward, both});
  const std::uint32_t directions = op.options.direction == both ? 2 : 1;
  op.steps = f.between(1, 4);
  op.input = f.input({op.steps, batch, f.other()});
  setWeights(f, op, gates, {directions});
  f.maybe(op.options.initialHiddenState, {directions, batch, f.width()});
  if constexpr (requires { op.options.initialCellState; }) f.maybe(op.options.initialCellState, {directions, batch, f.width()});
  op.options.returnSequence = f.flips();
  f.m().append(std::move(op));
}

template <typename Op>
void cell(Family& f, std::uint32_t gates) {
  const std::uint32_t batch = f.between(1, 3);
  Op op;
  op.input = f.input({batch, f.other()});
  setWeights(f, op, gates, {});
  op.hiddenState = f.input({batch, f.width()});
  if constexpr (requires { op.cellState; }) op.cellState = f.input({batch, f.width()});
  f.m().append(std::move(op));
}

void recurrent(Family& f) {
  switch (f.below(4)) {
    case 0: return network<ops::Lstm>(f, 4);
    case 1: return network<ops::Gru>(f, 3);
    case 2: return cell<ops::LstmCell>(f, 4);
    default: return cell<ops::GruCell>(f, 3);
  }
}

// Normalizes values. Scale, bias, mean and variance may share constants.
void normalization(Family& f) {
  const std::uint32_t channels = f.width();
  const Operand x = f.input({f.between(1, 2), channels, f.between(1, 4), channels});
  switch (f.below(3)) {
    case 0: {
      ops::BatchNormalization op{x, f.weight({channels}), f.weight({f.type(), {channels}}, {0.5, 2}), {}};
      if (f.flips()) op.options.axis = 3;
      f.maybe(op.options.scale, {channels});
      f.maybe(op.options.bias, {channels});
      return void(f.m().one(std::move(op)));
    }
    case 1: {
      ops::InstanceNormalization op{x, {}};
      if (f.flips()) op.options.layout = InputOperandLayout::nhwc;
      f.maybe(op.options.scale, {channels});
      f.maybe(op.options.bias, {channels});
      return void(f.m().one(std::move(op)));
    }
    default: {
      ops::LayerNormalization op{x, {}};
      op.options.axes = f.flips() ? std::vector<std::uint32_t>{3} : std::vector<std::uint32_t>{1};
      f.maybe(op.options.scale, {channels});
      f.maybe(op.options.bias, {channels});
      f.m().one(std::move(op));
    }
  }
}

}  // namespace

void siblings(Writer& writer) {
  static constexpr std::array kinds{product, convolution, recurrent, normalization};
  auto& choose = writer.m.choose;
  Family family(writer);
  const std::uint32_t first = choose.below(kinds.size());
  for (std::uint32_t i = choose.between(2, 4); i > 0; --i) {
    const std::uint32_t kind = choose.oneIn(6) ? choose.below(kinds.size()) : first;
    family.startMember(kind);
    try {
      kinds[kind](family);
    } catch (const Error&) {  // sizes do not fit together
    }
  }
}

}  // namespace webnn::random
