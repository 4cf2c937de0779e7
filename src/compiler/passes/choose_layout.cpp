// Converts convolutions to channels-last layout (nhwc). Their nchw result is then a permutation of the computed value, and so are
// values that further operations compute from it. The transpose to nchw stays "pending": it is only emitted if a user cannot take
// the value with channels last.
//
// A value of any rank >= 4 may be pending: images, the volumes [n, c, d, h, w] of 3-D convolutions, and their slices
// [n, d, c, h, w]. The module has the channels at axis `channel`. The computed value, `stored`, has them last, and its other
// dimensions may be split or merged: reshapes that keep the channels, and transposes that move only them, cost nothing.
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using Axes = std::vector<std::uint32_t>;

// The axis of the channels in a value of the module, and the permutations between that value and the same value with channels
// last.
struct Layout {
  std::size_t rank = 4;
  std::uint32_t channel = 1;

  bool operator==(const Layout&) const = default;
  bool isImage() const { return rank == 4 && channel == 1; }

  // Converts an axis of the module's value to the axis of the value with channels last.
  std::uint32_t inLast(std::uint32_t axis) const {
    if (axis == channel) return static_cast<std::uint32_t>(rank - 1);
    return axis < channel ? axis : axis - 1;
  }
  Axes toFirst() const {  // value = transpose(last, toFirst())
    Axes axes;
    for (std::uint32_t i = 0; i < rank; ++i) axes.push_back(inLast(i));
    return axes;
  }
  Axes toLast() const {  // last = transpose(value, toLast())
    Axes axes(rank);
    for (std::uint32_t i = 0; i < rank; ++i) axes[inLast(i)] = i;
    return axes;
  }
};

Axes permuted(const Axes& sizes, const Axes& permutation) {
  Axes result;
  for (const std::uint32_t axis : permutation) result.push_back(sizes[axis]);
  return result;
}

Layout imageLayout(const Operand& operand) { return {operand.rank(), 1}; }

// These overloads rewrite an operation's axes or layout for an input with channels last. They return false if the operation
// cannot take such an input.
template <OneOf<ops::Pool2d, ops::InstanceNormalization> Op>
bool moveChannelsLast(Op& op, const Layout& layout) {
  return layout.isImage() && std::exchange(op.options.layout, InputOperandLayout::nhwc) == InputOperandLayout::nchw;
}
template <OneOf<ops::Softmax, ops::CumulativeSum> Op>
bool moveChannelsLast(Op& op, const Layout& layout) {
  op.axis = layout.inLast(op.axis);
  return true;
}
template <OneOf<ops::BatchNormalization, ops::Split> Op>
bool moveChannelsLast(Op& op, const Layout& layout) {
  op.options.axis = layout.inLast(op.options.axis);
  return true;
}

// Replaces an image's axes {2, 3} (height and width in nchw) by {1, 2} (in nhwc). Returns false for other axes or layouts.
bool moveImageAxes(Axes& axes, const Layout& layout) { return layout.isImage() && std::exchange(axes, {1, 2}) == Axes{2, 3}; }
bool moveChannelsLast(WrittenNormalization& op, const Layout& layout) { return moveImageAxes(op.axes, layout); }
bool moveChannelsLast(ops::Resample2d& op, const Layout& layout) { return moveImageAxes(*op.options.axes, layout); }
bool moveChannelsLast(Resample& op, const Layout& layout) {
  for (AxisTaps& taps : op.axes) {
    if (taps.axis <= layout.channel) return false;
    taps.axis = layout.inLast(taps.axis);
  }
  return true;
}

bool moveChannelsLast(ops::Slice& op, const Layout& layout) {
  const Axes toLast = layout.toLast();
  op.starts = permuted(op.starts, toLast);
  op.sizes = permuted(op.sizes, toLast);
  if (op.options.strides) op.options.strides = permuted(*op.options.strides, toLast);
  return true;
}
bool moveChannelsLast(ops::Pad& op, const Layout& layout) {
  const Axes toLast = layout.toLast();
  op.beginningPadding = permuted(op.beginningPadding, toLast);
  op.endingPadding = permuted(op.endingPadding, toLast);
  return true;
}

// Caches the channels-last equivalents of values and tracks which values are pending.
class LastValues {
 public:
  explicit LastValues(Module& module) : module_(module) {}

  bool isPending(const Operand& operand) const { return pending_.contains(indexOf(operand)); }
  const Layout& layoutOf(const Operand& operand) const { return pending_.at(indexOf(operand)).layout; }
  const Operand& storedOf(const Operand& operand) const { return pending_.at(indexOf(operand)).stored; }

  // Returns the equivalent of an operand with channels last. Appends a transpose or a reshape if there is none yet.
  Operand last(const Operand& operand, const Layout& layout) {
    const Shape shape = permuted(operand.shape(), layout.toLast());
    if (const auto found = pending_.find(indexOf(operand)); found != pending_.end()) {
      if (found->second.layout == layout) return reshaped(found->second.stored, shape);
      write(operand);
    }
    auto& known = lasts_[indexOf(operand)];
    for (const auto& [channel, value] : known) {
      if (channel == layout.channel) return value;
    }
    known.emplace_back(layout.channel,
                       transpose(operand, layout.toLast(), module_.intermediate({operand.dataType(), shape}), module_.rewritten));
    return known.back().second;
  }
  Operand last(const Operand& pending) { return last(pending, layoutOf(pending)); }

  // Returns the equivalent, with channels last, of an operand that is broadcast to the rank of `layout`.
  Operand broadcastLast(const Operand& operand, const Layout& layout) {
    if (isPending(operand)) return last(operand, layout);
    if (elementCount(operand.descriptor()) == 1) return operand;
    if (operand.rank() == layout.rank) return last(operand, layout);
    Shape shape(layout.rank - operand.rank(), 1);
    shape.insert(shape.end(), operand.shape().begin(), operand.shape().end());
    if (isConstant(operand)) {
      const Operand whole = module_.reshaped(operand, shape);
      const bool isRow = std::ranges::count(shape, 1U) + 1 >= std::ssize(shape);
      return isRow ? module_.reshaped(whole, permuted(shape, layout.toLast())) : last(whole, layout);
    }
    return last(module_.append(module_.nodes, Operation(ops::Reshape{.input = operand, .newShape = shape})), layout);
  }

  // Converts an operand that is broadcast with the pending value `beside` so that it broadcasts with the stored value of
  // `beside`. Returns nullopt unless the operand is pending with the same shape, a constant with one element per channel, or one
  // number (a constant, or of rank 0).
  std::optional<Operand> besideStored(const Operand& operand, const Operand& beside) {
    const Operand& stored = storedOf(beside);
    const Layout& layout = layoutOf(beside);
    if (isPending(operand)) {
      if (operand.shape() != beside.shape()) return std::nullopt;
      return reshaped(storedOf(operand), stored.shape());
    }
    if (elementCount(operand.descriptor()) != 1) {  // a constant for each channel
      const std::size_t fromEnd = layout.rank - layout.channel;
      const Shape& shape = operand.shape();
      if (!isConstant(operand) || shape.size() < fromEnd || shape[shape.size() - fromEnd] != elementCount(operand.descriptor()))
        return std::nullopt;
    } else if (!isConstant(operand)) {
      return operand.rank() == 0 ? std::optional(operand) : std::nullopt;
    }
    return operand.rank() == 0 ? operand
                               : module_.reshaped(operand, {static_cast<std::uint32_t>(elementCount(operand.descriptor()))});
  }

  // Emits the transpose that computes `operand` from its stored value, if it is pending. The transpose's output is `operand`
  // itself, so users and the name stay.
  void write(const Operand& operand) {
    const auto found = pending_.find(indexOf(operand));
    if (found == pending_.end() || std::exchange(found->second.isWritten, true)) return;
    const Pending pending = found->second;
    const Operand last = reshaped(pending.stored, permuted(operand.shape(), pending.layout.toLast()));
    transpose(last, pending.layout.toFirst(), operand, pending.origins);
  }

  // Creates the stored value that is computed instead of `operand`, which becomes pending.
  Operand addPending(const Operand& operand, const Layout& layout, const Shape& storedShape) {
    const Operand result = module_.intermediate({operand.dataType(), storedShape}, operand.record().name);
    setPending(operand, result, layout);
    return result;
  }
  void setPending(const Operand& operand, const Operand& stored, const Layout& layout) {
    pending_[indexOf(operand)] = {stored, layout, module_.rewritten};
  }
  // Records that `last` is an existing equivalent, with channels last, of an operand that is not pending.
  void setLast(const Operand& operand, const Operand& last, const Layout& layout) {
    lasts_[indexOf(operand)].emplace_back(layout.channel, last);
  }

 private:
  struct Pending {
    Operand stored;   // has channels last
    Layout layout;    // of the pending value
    Origins origins;  // operations of the graph that produce the pending value
    bool isWritten = false;
  };

  static std::uint32_t indexOf(const Operand& operand) { return operand.record().index; }

  Operand reshaped(const Operand& stored, const Shape& shape) {
    if (stored.shape() == shape) return stored;
    auto& known = reshapes_[indexOf(stored)];
    for (const Operand& operand : known) {
      if (operand.shape() == shape) return operand;
    }
    known.push_back(module_.append(module_.nodes, Operation(ops::Reshape{.input = stored, .newShape = shape})));
    return known.back();
  }

  Operand transpose(const Operand& from, Axes permutation, const Operand& to, const Origins& origins) {
    ops::Transpose op{.input = from};
    op.options.permutation = std::move(permutation);
    module_.nodes.push_back({EngineOperation(Operation(std::move(op))), {to}, origins});
    return to;
  }

  template <typename Value>
  using PerOperand = std::unordered_map<std::uint32_t, Value>;  // keyed by the operand's index

  Module& module_;
  PerOperand<Pending> pending_;
  // the channels-last equivalents of values that are not pending, each with the axis of the channels
  PerOperand<std::vector<std::pair<std::uint32_t, Operand>>> lasts_;
  PerOperand<std::vector<Operand>> reshapes_;  // the reshapes of stored values
};

// Returns whether the dimensions that remain when `axes` are dropped have the same order in the module's value and in the value
// with channels last.
bool keepsOrder(const Axes& axes, const Layout& layout) {
  Axes rest;
  for (std::uint32_t axis = 0; axis < layout.rank; ++axis) {
    if (std::ranges::find(axes, axis) == axes.end()) rest.push_back(layout.inLast(axis));
  }
  return std::ranges::is_sorted(rest);
}

// Returns the layout after a reduction; nullopt if it drops the channels or leaves fewer than four dimensions.
std::optional<Layout> layoutAfter(const ops::Reduce& op, const Layout& layout, std::size_t rank) {
  if (op.options.keepDimensions) return layout;
  std::uint32_t channel = layout.channel;
  for (const std::uint32_t axis : *op.options.axes) {
    if (axis == layout.channel) return std::nullopt;
    if (axis < layout.channel) --channel;
  }
  return rank < 4 ? std::nullopt : std::optional(Layout{rank, channel});
}

// Returns the axis of the channels after a transpose, or nullopt if the transpose also moves other dimensions.
std::optional<std::uint32_t> channelAfter(const Axes& permutation, std::uint32_t channel) {
  Axes rest = permutation;
  const auto found = std::ranges::find(rest, channel);
  const auto axis = static_cast<std::uint32_t>(found - rest.begin());
  rest.erase(found);
  return std::ranges::is_sorted(rest) ? std::optional(axis) : std::nullopt;
}

// Appends operations on values with channels last in place of the module's nodes.
class Appender {
 public:
  explicit Appender(Module& module) : module_(module), values_(module) {}

 protected:
  // Appends an operation on values with channels last. The results of `node` become pending.
  bool append(auto op, const ModuleNode& node, const Layout& layout) {
    ModuleNode lastNode{asEngineOperation(std::move(op)), {}, node.origins};
    for (const Operand& output : node.outputs)
      lastNode.outputs.push_back(values_.addPending(output, layout, permuted(output.shape(), layout.toLast())));
    module_.nodes.push_back(std::move(lastNode));
    return true;
  }

  // Appends an element-wise operation on values that are stored in the same shape as `like`.
  bool appendStored(auto op, const ModuleNode& node, const Operand& like) {
    const Operand& output = node.outputs[0];
    const Shape shape = values_.storedOf(like).shape();
    const Layout layout = values_.layoutOf(like);
    module_.nodes.push_back({asEngineOperation(std::move(op)), {values_.addPending(output, layout, shape)}, node.origins});
    return true;
  }

  template <typename Op>
  bool convolution(const Op& op, const ModuleNode& node) {
    if (op.options.inputLayout == InputOperandLayout::nhwc) return false;
    values_.write(op.filter);
    if (op.options.bias) values_.write(*op.options.bias);
    Op changed = op;
    changed.input = values_.last(op.input, Layout());
    changed.options.inputLayout = InputOperandLayout::nhwc;
    return append(std::move(changed), node, Layout());
  }

  // Rewrites an element-wise operation with several operands, which are broadcast.
  template <typename Op, std::size_t n>
  bool broadcast(const Op& op, const std::array<Operand Op::*, n>& operands, const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    std::optional<Layout> layout;
    std::optional<Operand> whole;  // a pending operand of the result's shape
    for (const auto operand : operands) {
      if (!values_.isPending(op.*operand)) continue;
      const Layout& own = values_.layoutOf(op.*operand);
      if (own.rank != output.rank() || (layout && own != *layout)) return false;
      layout = own;
      if (!whole && (op.*operand).shape() == output.shape()) whole = op.*operand;
    }
    if (!layout) return false;
    Op changed = op;
    if (whole && values_.storedOf(*whole).rank() != output.rank()) {
      const auto move = [&](const auto operand) {
        const std::optional<Operand> beside = values_.besideStored(op.*operand, *whole);
        if (beside) changed.*operand = *beside;
        return beside.has_value();
      };
      if (std::ranges::all_of(operands, move)) return appendStored(std::move(changed), node, *whole);
    }
    for (const auto operand : operands) changed.*operand = values_.broadcastLast(op.*operand, *layout);
    return append(std::move(changed), node, *layout);
  }

  // Concatenates pending values along the channels. Returns false if their stored shapes differ in other dimensions.
  bool concatStored(const ops::Concat& op, const ModuleNode& node) {
    Shape shape = values_.storedOf(op.inputs[0]).shape();
    ops::Concat changed = op;
    changed.axis = static_cast<std::uint32_t>(shape.size() - 1);
    for (Operand& input : changed.inputs) {
      const Layout layout = values_.layoutOf(input);
      shape.back() = input.shape()[layout.channel];
      input = values_.storedOf(input);
      if (input.shape() != shape) return false;
    }
    const Layout layout = values_.layoutOf(op.inputs[0]);
    shape.back() = node.outputs[0].shape()[layout.channel];
    const Operand joined = values_.addPending(node.outputs[0], layout, shape);
    module_.nodes.push_back({asEngineOperation(std::move(changed)), {joined}, node.origins});
    return true;
  }

  Module& module_;
  LastValues values_;
};

class Layouter : private Appender {
 public:
  using Appender::Appender;

  void run() {
    std::vector<ModuleNode> old = module_.takeNodes();
    for (ModuleNode& node : old) {
      replacements_.apply(node.operation);
      module_.rewritten = node.origins;
      if (visitOperation(node.operation, [&](const auto& op) { return rewrite(op, node); })) continue;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { values_.write(operand); });
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
    for (const auto& [name, operand] : module_.outputs) values_.write(operand);
  }

 private:
  template <typename Op>
  bool rewrite(const Op& op, const ModuleNode& node) {
    if constexpr (UnaryElementWise<Op> || OneOf<Op, TableLookup>) {
      if (!values_.isPending(op.input)) return false;
      Op changed = op;
      changed.input = values_.storedOf(op.input);
      return appendStored(std::move(changed), node, op.input);
    } else if constexpr (requires { moveChannelsLast(std::declval<Op&>(), Layout()); }) {
      if (!values_.isPending(op.input)) return false;
      const Layout layout = values_.layoutOf(op.input);
      Op changed = op;
      if (!moveChannelsLast(changed, layout)) return false;
      changed.input = values_.last(op.input);
      return append(std::move(changed), node, layout);
    } else {
      return false;
    }
  }

  bool rewrite(const ops::QuantizeLinear& op, const ModuleNode& node) { return quantization(op, node); }
  bool rewrite(const ops::DequantizeLinear& op, const ModuleNode& node) { return quantization(op, node); }

  // Quantization by one scale for the whole tensor is the same in every layout. The scale has the rank of the input.
  template <typename Op>
  bool quantization(const Op& op, const ModuleNode& node) {
    const auto isScalar = [](const Operand& operand) { return isConstant(operand) && elementCount(operand.descriptor()) == 1; };
    if (!values_.isPending(op.input) || !isScalar(op.scale) || !isScalar(op.zeroPoint)) return false;
    Op changed = op;
    changed.input = values_.storedOf(op.input);
    const Shape ones(changed.input.rank(), 1);
    changed.scale = module_.reshaped(op.scale, ones);
    changed.zeroPoint = module_.reshaped(op.zeroPoint, ones);
    return appendStored(std::move(changed), node, op.input);
  }

  bool rewrite(const ops::Transpose& op, const ModuleNode& node) {
    const Axes& permutation = *op.options.permutation;
    const Operand& output = node.outputs[0];
    if (op.input.rank() < 4) return false;
    if (values_.isPending(op.input)) return moveChannels(op.input, permutation, output, node);
    const Layout layout = imageLayout(op.input);
    if (permutation == layout.toFirst()) {
      values_.setPending(output, op.input, layout);
      module_.setAbsent(node.origins, Absence::removed);  // until write() emits the transpose, if it is needed
      return true;
    }
    if (permutation == layout.toLast()) values_.setLast(op.input, output, layout);
    return false;
  }

  bool moveChannels(const Operand& input, const Axes& permutation, const Operand& output, const ModuleNode& node) {
    const std::size_t rank = input.rank();
    const auto channel = channelAfter(permutation, values_.layoutOf(input).channel);
    if (!channel) return false;
    if (*channel + 1 == rank) {
      replacements_.replace(output, values_.last(input));
    } else {
      values_.setPending(output, values_.storedOf(input), {rank, *channel});
    }
    module_.setAbsent(node.origins, Absence::removed);
    return true;
  }

  // A reshape that keeps the channels costs nothing: last() reshapes the stored value when an operation needs another shape.
  bool rewrite(const ops::Reshape& op, const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    if (!values_.isPending(op.input) || output.rank() < 4) return false;
    const auto channel = axisAfter(op.input.shape(), values_.layoutOf(op.input).channel, output.shape());
    if (!channel || *channel + 1 == output.rank()) return false;
    values_.setPending(output, values_.storedOf(op.input), {output.rank(), *channel});
    module_.setAbsent(node.origins, Absence::removed);
    return true;
  }

  bool rewrite(const ops::Conv2d& op, const ModuleNode& node) { return convolution(op, node); }
  bool rewrite(const ops::ConvTranspose2d& op, const ModuleNode& node) { return convolution(op, node); }

  bool rewrite(const ops::Binary& op, const ModuleNode& node) {
    return broadcast<ops::Binary, 2>(op, {&ops::Binary::a, &ops::Binary::b}, node);
  }
  bool rewrite(const ops::Where& op, const ModuleNode& node) {
    return broadcast<ops::Where, 3>(op, {&ops::Where::condition, &ops::Where::trueValue, &ops::Where::falseValue}, node);
  }
  bool rewrite(const ops::Prelu& op, const ModuleNode& node) {
    return broadcast<ops::Prelu, 2>(op, {&ops::Prelu::input, &ops::Prelu::slope}, node);
  }

  bool rewrite(const ops::LogicalUnary& op, const ModuleNode& node) {
    if (!values_.isPending(op.a)) return false;
    ops::LogicalUnary changed = op;
    changed.a = values_.storedOf(op.a);
    return appendStored(std::move(changed), node, op.a);
  }

  bool rewrite(const FusedElementwise& op, const ModuleNode& node) {
    if (op.inputs.size() != 1 || !values_.isPending(op.inputs[0]) || node.outputs[0].shape() != op.inputs[0].shape())
      return false;
    FusedElementwise changed = op;
    changed.inputs[0] = values_.storedOf(op.inputs[0]);
    return appendStored(std::move(changed), node, op.inputs[0]);
  }

  bool rewrite(const ops::Concat& op, const ModuleNode& node) {
    std::optional<Layout> layout;
    std::ptrdiff_t pending = 0;
    for (const Operand& input : op.inputs) {
      if (!values_.isPending(input)) continue;
      if (layout && *layout != values_.layoutOf(input)) return false;
      layout = values_.layoutOf(input);
      ++pending;
    }
    if (pending * 2 < std::ssize(op.inputs) || !layout) return false;
    if (pending == std::ssize(op.inputs) && op.axis == layout->channel && concatStored(op, node)) return true;
    ops::Concat changed = op;
    for (Operand& input : changed.inputs) input = values_.last(input, *layout);
    changed.axis = layout->inLast(op.axis);
    return append(std::move(changed), node, *layout);
  }

  bool rewrite(const QuantizedPool& op, const ModuleNode& node) {
    if (!values_.isPending(op.pool.input)) return false;
    const Layout layout = values_.layoutOf(op.pool.input);
    QuantizedPool changed = op;
    if (!moveChannelsLast(changed.pool, layout)) return false;
    changed.pool.input = values_.last(op.pool.input);
    return append(std::move(changed), node, layout);
  }

  bool rewrite(const ops::Reduce& op, const ModuleNode& node) {
    if (!values_.isPending(op.input)) return false;
    const Layout layout = values_.layoutOf(op.input);
    ops::Reduce changed = op;
    for (std::uint32_t& axis : *changed.options.axes) axis = layout.inLast(axis);
    const bool isInOrder = op.options.keepDimensions || keepsOrder(*op.options.axes, layout);
    const std::optional<Layout> after = layoutAfter(op, layout, node.outputs[0].rank());
    if (!isInOrder && !after) return false;
    changed.input = values_.last(op.input);
    if (op.options.keepDimensions || !isInOrder) return append(std::move(changed), node, *after);
    module_.nodes.push_back({EngineOperation(Operation(std::move(changed))), node.outputs, node.origins});
    return true;
  }

  Replacements replacements_;
};

template <typename Op>
void transposeAxes(Op& op, const std::vector<std::uint32_t>& permutation) {
  const auto transpose = [&](std::uint32_t& axis) {
    axis = static_cast<std::uint32_t>(std::ranges::find(permutation, axis) - permutation.begin());
  };
  if constexpr (std::is_same_v<Op, Resample>) {
    for (AxisTaps& taps : op.axes) transpose(taps.axis);
    std::ranges::sort(op.axes, {}, &AxisTaps::axis);
  } else {
    for (std::uint32_t& axis : *op.options.axes) transpose(axis);
  }
}

// Transposes images before they are enlarged, instead of the results: transpose(resample(x)) = resample(transpose(x)).
class EarlyTransposes {
 public:
  explicit EarlyTransposes(Module& module) : module_(module), uses_(module) {}

  void run() {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      const auto* transpose = as<ops::Transpose>(module_.nodes[i].operation);
      if (!transpose || uses_.of(transpose->input) != 1) continue;
      const std::int32_t producer = uses_.producer[transpose->input.record().index];
      if (producer >= 0) visitOperation(module_.nodes[producer].operation, [&](const auto& op) { exchange(op, producer, i); });
    }
  }

 private:
  template <typename Op>
  void exchange(const Op& op, std::size_t producer, std::size_t user) {
    if constexpr (OneOf<Op, Resample, ops::Resample2d>) {
      ModuleNode &first = module_.nodes[producer], &last = module_.nodes[user];
      if (elementCount(op.input.descriptor()) >= elementCount(first.outputs[0].descriptor())) return;
      ops::Transpose transpose = *as<ops::Transpose>(last.operation);
      Op resample = op;
      const std::vector<std::uint32_t>& permutation = *transpose.options.permutation;
      Shape shape;
      for (const std::uint32_t axis : permutation) shape.push_back(op.input.shape()[axis]);
      transpose.input = op.input;
      transposeAxes(resample, permutation);
      resample.input = module_.intermediate({op.input.dataType(), std::move(shape)});
      first.outputs = {resample.input};
      first.operation = EngineOperation(Operation(std::move(transpose)));
      last.operation = asEngineOperation(std::move(resample));
      std::swap(first.origins, last.origins);
    }
  }

  Module& module_;
  Uses uses_;
};

}  // namespace

void chooseLayout(Module& module, const PassOptions&) {
  const bool convolves = std::ranges::any_of(module.nodes, [](const ModuleNode& node) {
    return as<ops::Conv2d>(node.operation) || as<ops::ConvTranspose2d>(node.operation);
  });
  if (!convolves) return;
  Layouter(module).run();
  EarlyTransposes(module).run();
}

}  // namespace webnn::compiler
