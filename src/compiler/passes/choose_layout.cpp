// Converts convolutions to channels-last layout (nhwc). Their nchw result is then a transpose of the computed value. This
// transpose stays "pending", and is only emitted if a user cannot take the nhwc value.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

using Permutation = std::array<std::uint32_t, 4>;
constexpr Permutation kToLast{0, 2, 3, 1};   // nhwc = transpose(nchw, kToLast)
constexpr Permutation kToFirst{0, 3, 1, 2};  // nchw = transpose(nhwc, kToFirst)

// Returns the index in nhwc of the dimension that has index `axis` in nchw.
constexpr std::uint32_t inLast(std::uint32_t axis) { return kToFirst[axis]; }

template <typename Sizes>
Sizes permuted(const Sizes& sizes, const Permutation& permutation) {
  Sizes result = sizes;
  for (std::size_t i = 0; i < 4; ++i) result[i] = sizes[permutation[i]];
  return result;
}

bool equals(const std::vector<std::uint32_t>& a, const Permutation& b) { return std::ranges::equal(a, b); }

// These overloads rewrite an operation's axes or layout for an nhwc input. They return false if the operation cannot take an nhwc
// input.
template <typename Op>
requires UnaryElementWise<Op> || OneOf<Op, TableLookup>
bool moveChannelsLast(Op&) { return true; }
template <OneOf<ops::Pool2d, ops::InstanceNormalization> Op>
bool moveChannelsLast(Op& op) {
  return std::exchange(op.options.layout, InputOperandLayout::nhwc) == InputOperandLayout::nchw;
}
template <OneOf<ops::Softmax, ops::CumulativeSum> Op>
bool moveChannelsLast(Op& op) {
  op.axis = inLast(op.axis);
  return true;
}
template <OneOf<ops::BatchNormalization, ops::Split> Op>
bool moveChannelsLast(Op& op) {
  op.options.axis = inLast(op.options.axis);
  return true;
}

// Quantization by one scale for the whole tensor is the same in both layouts.
template <OneOf<ops::DequantizeLinear, ops::QuantizeLinear> Op>
bool moveChannelsLast(Op& op) {
  return elementCount(op.scale.descriptor()) == 1;
}

// Replaces the axes {2, 3} (height and width in nchw) by {1, 2} (in nhwc). Returns false if the axes were not {2, 3}.
bool moveChannelsLast(std::vector<std::uint32_t>& axes) {
  return std::exchange(axes, {1, 2}) == std::vector<std::uint32_t>{2, 3};
}
bool moveChannelsLast(WrittenNormalization& op) { return moveChannelsLast(op.axes); }
bool moveChannelsLast(ops::Resample2d& op) { return moveChannelsLast(*op.options.axes); }
bool moveChannelsLast(Resample& op) {
  for (AxisTaps& taps : op.axes) {
    if (taps.axis < 2) return false;
    taps.axis = inLast(taps.axis);
  }
  return true;
}

bool moveChannelsLast(ops::Slice& op) {
  op.starts = permuted(op.starts, kToLast);
  op.sizes = permuted(op.sizes, kToLast);
  if (op.options.strides) op.options.strides = permuted(*op.options.strides, kToLast);
  return true;
}
bool moveChannelsLast(ops::Pad& op) {
  op.beginningPadding = permuted(op.beginningPadding, kToLast);
  op.endingPadding = permuted(op.endingPadding, kToLast);
  return true;
}

// Caches the nhwc equivalents of nchw values and tracks which nchw values are pending.
class NhwcValues {
 public:
  explicit NhwcValues(Module& module) : module_(module) {}

  bool isPending(const Operand& operand) const { return pending_.contains(operand.record().index); }

  // Returns the nhwc equivalent of a 4-D operand. Appends a transpose if there is none yet.
  Operand last(const Operand& operand) {
    if (const auto found = pending_.find(operand.record().index); found != pending_.end()) return found->second.last;
    const auto found = lasts_.find(operand.record().index);
    if (found != lasts_.end()) return found->second;
    const Operand result = transpose(operand, kToLast, module_.intermediate(descriptorOf(operand, kToLast)), module_.rewritten);
    lasts_[operand.record().index] = result;
    return result;
  }

  // Returns the nhwc equivalent of an operand that is broadcast to four dimensions.
  Operand broadcastLast(const Operand& operand) {
    if (isPending(operand)) return last(operand);
    if (elementCount(operand.descriptor()) == 1) return operand;
    if (operand.rank() == 4) return last(operand);
    Shape shape(4 - operand.rank(), 1);
    shape.insert(shape.end(), operand.shape().begin(), operand.shape().end());
    if (isConstant(operand)) {
      const Operand four = module_.reshaped(operand, shape);
      return std::ranges::count(shape, 1U) >= 3 ? module_.reshaped(four, permuted(shape, kToLast)) : last(four);
    }
    return last(module_.append(module_.nodes, Operation(ops::Reshape{.input = operand, .newShape = shape})));
  }

  // Emits the transpose to nchw if the value is pending. The nchw operand keeps its name.
  void write(const Operand& operand) {
    const auto found = pending_.find(operand.record().index);
    if (found == pending_.end() || found->second.isWritten) return;
    found->second.isWritten = true;
    transpose(found->second.last, kToFirst, operand, found->second.origins);
  }

  // Creates the nhwc value of an operand whose nchw value is not computed. The operand becomes pending.
  Operand addPending(const Operand& operand) {
    const Operand result = module_.intermediate(descriptorOf(operand, kToLast), operand.record().name);
    setPending(operand, result);
    return result;
  }
  void setPending(const Operand& operand, const Operand& last) { pending_[operand.record().index] = {last, module_.rewritten}; }
  // Records that `last` is an existing nhwc equivalent of an operand that is not pending.
  void setLast(const Operand& operand, const Operand& last) { lasts_.try_emplace(operand.record().index, last); }

 private:
  struct Pending {
    Operand last;     // the nhwc value
    Origins origins;  // operations of the graph that produce the nchw value
    bool isWritten = false;
  };

  Operand transpose(const Operand& from, const Permutation& permutation, const Operand& to, const Origins& origins) {
    ops::Transpose op{.input = from};
    op.options.permutation = std::vector<std::uint32_t>(permutation.begin(), permutation.end());
    module_.nodes.push_back({EngineOperation(Operation(std::move(op))), {to}, origins});
    return to;
  }

  static OperandDescriptor descriptorOf(const Operand& operand, const Permutation& permutation) {
    return {operand.dataType(), permuted(operand.shape(), permutation)};
  }

  Module& module_;
  std::unordered_map<std::uint32_t, Pending> pending_;  // key: index of the nchw value
  std::unordered_map<std::uint32_t, Operand> lasts_;    // nhwc equivalents of values that are not pending; same key
};

// Rewrites the module's nodes in order.
class Layouter {
 public:
  explicit Layouter(Module& module) : module_(module), values_(module) {}

  void run() {
    std::vector<ModuleNode> old = std::move(module_.nodes);
    module_.nodes.clear();
    for (ModuleNode& node : old) {
      mapOperands(node.operation, [&](const Operand& operand) { return replacements_.resolve(operand); });
      module_.rewritten = node.origins;
      if (visitOperation(node.operation, [&](const auto& op) { return rewrite(op, node); })) continue;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { values_.write(operand); });
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
    for (const auto& [name, operand] : module_.outputs) values_.write(operand);
  }

 private:
  // Appends an operation on nhwc values. The results of `node` become pending.
  bool append(auto op, const ModuleNode& node) {
    ModuleNode lastNode{asEngineOperation(std::move(op)), {}, node.origins};
    for (const Operand& output : node.outputs) lastNode.outputs.push_back(values_.addPending(output));
    module_.nodes.push_back(std::move(lastNode));
    return true;
  }

  template <typename Op>
  bool rewrite(const Op& op, const ModuleNode& node) {
    if constexpr (requires { moveChannelsLast(std::declval<Op&>()); }) {
      if (!values_.isPending(op.input)) return false;
      Op changed = op;
      if (!moveChannelsLast(changed)) return false;
      changed.input = values_.last(op.input);
      return append(std::move(changed), node);
    } else {
      return false;
    }
  }

  bool rewrite(const ops::Transpose& op, const ModuleNode& node) {
    if (op.input.rank() != 4) return false;
    const std::vector<std::uint32_t>& permutation = *op.options.permutation;
    if (equals(permutation, kToFirst)) {
      values_.write(op.input);
      values_.setPending(node.outputs[0], op.input);
      module_.setAbsent(node.origins, Absence::removed);  // until write() emits the nchw value, if it is needed
      return true;
    }
    if (!equals(permutation, kToLast)) return false;
    if (values_.isPending(op.input)) {
      replacements_.replace(node.outputs[0], values_.last(op.input));
      module_.setAbsent(node.origins, Absence::removed);
      return true;
    }
    values_.setLast(op.input, node.outputs[0]);
    return false;
  }

  // A reshape that changes only height and width also reshapes the nhwc value.
  bool rewrite(const ops::Reshape& op, const ModuleNode& node) {
    const Shape &from = op.input.shape(), &to = node.outputs[0].shape();
    if (!values_.isPending(op.input) || to.size() != 4 || from[0] != to[0] || from[1] != to[1]) return false;
    return append(ops::Reshape{.input = values_.last(op.input), .newShape = permuted(to, kToLast)}, node);
  }

  bool rewrite(const ops::Conv2d& op, const ModuleNode& node) { return convolution(op, node); }
  bool rewrite(const ops::ConvTranspose2d& op, const ModuleNode& node) { return convolution(op, node); }

  template <typename Op>
  bool convolution(const Op& op, const ModuleNode& node) {
    if (op.options.inputLayout == InputOperandLayout::nhwc) return false;
    values_.write(op.filter);
    if (op.options.bias) values_.write(*op.options.bias);
    Op changed = op;
    changed.input = values_.last(op.input);
    changed.options.inputLayout = InputOperandLayout::nhwc;
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Binary& op, const ModuleNode& node) {
    if (!(values_.isPending(op.a) || values_.isPending(op.b)) || node.outputs[0].rank() != 4) return false;
    ops::Binary changed = op;
    changed.a = values_.broadcastLast(op.a);
    changed.b = values_.broadcastLast(op.b);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Where& op, const ModuleNode& node) {
    if (!(values_.isPending(op.condition) || values_.isPending(op.trueValue) || values_.isPending(op.falseValue)) ||
        node.outputs[0].rank() != 4)
      return false;
    ops::Where changed = op;
    changed.condition = values_.broadcastLast(op.condition);
    changed.trueValue = values_.broadcastLast(op.trueValue);
    changed.falseValue = values_.broadcastLast(op.falseValue);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Prelu& op, const ModuleNode& node) {
    if (!(values_.isPending(op.input) || values_.isPending(op.slope)) || node.outputs[0].rank() != 4) return false;
    ops::Prelu changed = op;
    changed.input = values_.broadcastLast(op.input);
    changed.slope = values_.broadcastLast(op.slope);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::LogicalUnary& op, const ModuleNode& node) {
    if (!values_.isPending(op.a)) return false;
    ops::LogicalUnary changed = op;
    changed.a = values_.last(op.a);
    return append(std::move(changed), node);
  }

  // Rewrites element-wise programs with one operand.
  bool rewrite(const FusedElementwise& op, const ModuleNode& node) {
    if (op.inputs.size() != 1 || !values_.isPending(op.inputs[0]) || node.outputs[0].shape() != op.inputs[0].shape())
      return false;
    FusedElementwise changed = op;
    changed.inputs[0] = values_.last(op.inputs[0]);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Concat& op, const ModuleNode& node) {
    const auto pending = std::ranges::count_if(op.inputs, [&](const Operand& input) { return values_.isPending(input); });
    if (static_cast<std::size_t>(pending) * 2 < op.inputs.size() || pending == 0) return false;
    ops::Concat changed = op;
    for (Operand& input : changed.inputs) input = values_.last(input);
    changed.axis = inLast(op.axis);
    return append(std::move(changed), node);
  }

  bool rewrite(const QuantizedPool& op, const ModuleNode& node) {
    if (!values_.isPending(op.pool.input)) return false;
    QuantizedPool changed = op;
    if (!moveChannelsLast(changed.pool)) return false;
    changed.pool.input = values_.last(op.pool.input);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Reduce& op, const ModuleNode& node) {
    if (!values_.isPending(op.input)) return false;
    std::vector<std::uint32_t> axes;
    for (const std::uint32_t axis : *op.options.axes) axes.push_back(inLast(axis));
    ops::Reduce changed = op;
    changed.input = values_.last(op.input);
    if (op.options.keepDimensions) {
      changed.options.axes = std::move(axes);
      return append(std::move(changed), node);
    }
    // If the reduced dimensions are dropped, the result is the same in nchw and nhwc only if the other dimensions keep their
    // order.
    std::vector<std::uint32_t> rest;
    for (std::uint32_t axis = 0; axis < 4; ++axis) {
      if (std::ranges::find(*op.options.axes, axis) == op.options.axes->end()) rest.push_back(inLast(axis));
    }
    if (!std::ranges::is_sorted(rest)) return false;
    changed.options.axes = std::move(axes);
    module_.nodes.push_back({EngineOperation(Operation(std::move(changed))), node.outputs, node.origins});
    return true;
  }

  Module& module_;
  NhwcValues values_;
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
    return as<ops::Conv2d>(node.operation) || as<ops::ConvTranspose2d>(node.operation) ||
           as<QuantizedConvolution>(node.operation);
  });
  if (!convolves) return;
  Layouter(module).run();
  EarlyTransposes(module).run();
}

}  // namespace webnn::compiler
