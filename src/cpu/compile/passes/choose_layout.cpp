// Convolution runs with channels last. A convolution's result in nchw is then the transpose of what is computed: it stays
// unwritten ("pending") as long as every user can work on the nhwc value instead.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "cpu/compile/passes/passes.h"

namespace webnn::cpu {

namespace {

using Permutation = std::array<std::uint32_t, 4>;
constexpr Permutation kToLast{0, 2, 3, 1};   // nhwc = transpose(nchw, kToLast)
constexpr Permutation kToFirst{0, 3, 1, 2};  // nchw = transpose(nhwc, kToFirst)

// Where a dimension of an nchw value is in nhwc.
constexpr std::uint32_t inLast(std::uint32_t axis) { return kToFirst[axis]; }

template <typename Sizes>
Sizes permuted(const Sizes& sizes, const Permutation& permutation) {
  Sizes result = sizes;
  for (std::size_t i = 0; i < 4; ++i) result[i] = sizes[permutation[i]];
  return result;
}

bool equals(const std::vector<std::uint32_t>& a, const Permutation& b) { return std::ranges::equal(a, b); }

class Layouter {
 public:
  explicit Layouter(Module& module) : module_(module) {}

  void run() {
    std::vector<ModuleNode> old = std::move(module_.nodes);
    module_.nodes.clear();
    for (ModuleNode& node : old) {
      mapOperands(node.operation, [&](const Operand& operand) { return replacements_.resolve(operand); });
      if (visitOperation(node.operation, [&](const auto& op) { return rewrite(op, node); })) continue;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { write(operand); });
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
    for (const auto& [name, operand] : module_.outputs) write(operand);
  }

 private:
  struct Pending {
    Operand last;  // the nhwc value
    bool isWritten = false;
  };

  bool isPending(const Operand& operand) const { return pending_.contains(operand.record().index); }
  bool isPending(const std::optional<Operand>& operand) const { return operand && isPending(*operand); }

  // The nhwc value of a 4-D operand.
  Operand last(const Operand& operand) {
    if (const auto found = pending_.find(operand.record().index); found != pending_.end()) return found->second.last;
    const auto found = lasts_.find(operand.record().index);
    if (found != lasts_.end()) return found->second;
    const Operand result = transpose(operand, kToLast, module_.intermediate(descriptorOf(operand, kToLast)));
    lasts_[operand.record().index] = result;
    return result;
  }

  // The nhwc value of an operand that is broadcast to four dimensions. What is pending has no other.
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

  // Writes the nchw value if it is pending, under its own name.
  void write(const Operand& operand) {
    const auto found = pending_.find(operand.record().index);
    if (found == pending_.end() || found->second.isWritten) return;
    found->second.isWritten = true;
    transpose(found->second.last, kToFirst, operand);
  }

  Operand transpose(const Operand& from, const Permutation& permutation, const Operand& to) {
    ops::Transpose op{.input = from};
    op.options.permutation = std::vector<std::uint32_t>(permutation.begin(), permutation.end());
    module_.nodes.push_back({EngineOperation(Operation(std::move(op))), {to}});
    return to;
  }

  static OperandDescriptor descriptorOf(const Operand& operand, const Permutation& permutation) {
    return {operand.dataType(), permuted(operand.shape(), permutation)};
  }

  // Appends an operation on nhwc values whose results stand for the node's, which become pending.
  template <typename Op>
  bool append(Op op, const ModuleNode& node) {
    ModuleNode lastNode{asEngineOperation(std::move(op)), {}};
    for (const Operand& output : node.outputs) {
      lastNode.outputs.push_back(module_.intermediate(descriptorOf(output, kToLast), output.record().name));
      pending_[output.record().index] = {lastNode.outputs.back()};
    }
    module_.nodes.push_back(std::move(lastNode));
    return true;
  }

  template <typename Op>
  static EngineOperation asEngineOperation(Op op) {
    if constexpr (std::is_constructible_v<EngineVariant, std::in_place_type_t<Op>, Op>) {
      return EngineOperation(std::move(op));
    } else {
      return EngineOperation(Operation(std::move(op)));
    }
  }

  template <typename Op>
  bool rewrite(const Op& op, const ModuleNode& node) {
    if constexpr (requires { op.input; } &&
                  (std::is_same_v<Op, ops::Unary> || std::is_same_v<Op, ops::Cast> || std::is_same_v<Op, ops::Clamp> ||
                   std::is_same_v<Op, ops::Activation> || std::is_same_v<Op, ops::Elu> || std::is_same_v<Op, ops::LeakyRelu> ||
                   std::is_same_v<Op, ops::HardSigmoid> || std::is_same_v<Op, ops::Linear>)) {
      if (!isPending(op.input)) return false;
      Op changed = op;
      changed.input = last(op.input);
      return append(std::move(changed), node);
    } else {
      return false;
    }
  }

  bool rewrite(const ops::Transpose& op, const ModuleNode& node) {
    if (op.input.rank() != 4) return false;
    const std::vector<std::uint32_t>& permutation = *op.options.permutation;
    if (equals(permutation, kToFirst)) {
      write(op.input);
      pending_[node.outputs[0].record().index] = {op.input};
      return true;
    }
    if (!equals(permutation, kToLast)) return false;
    if (isPending(op.input)) {
      replacements_.replace(node.outputs[0], last(op.input));
      return true;
    }
    lasts_.try_emplace(op.input.record().index, node.outputs[0]);
    return false;
  }

  bool rewrite(const ops::Conv2d& op, const ModuleNode& node) { return convolution(op, node); }
  bool rewrite(const ops::ConvTranspose2d& op, const ModuleNode& node) { return convolution(op, node); }

  template <typename Op>
  bool convolution(const Op& op, const ModuleNode& node) {
    if (op.options.inputLayout == InputOperandLayout::nhwc) return false;
    write(op.filter);
    if (op.options.bias) write(*op.options.bias);
    Op changed = op;
    changed.input = last(op.input);
    changed.options.inputLayout = InputOperandLayout::nhwc;
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Binary& op, const ModuleNode& node) {
    if (!(isPending(op.a) || isPending(op.b)) || node.outputs[0].rank() != 4) return false;
    ops::Binary changed = op;
    changed.a = broadcastLast(op.a);
    changed.b = broadcastLast(op.b);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Where& op, const ModuleNode& node) {
    if (!(isPending(op.condition) || isPending(op.trueValue) || isPending(op.falseValue)) || node.outputs[0].rank() != 4)
      return false;
    ops::Where changed = op;
    changed.condition = broadcastLast(op.condition);
    changed.trueValue = broadcastLast(op.trueValue);
    changed.falseValue = broadcastLast(op.falseValue);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Prelu& op, const ModuleNode& node) {
    if (!(isPending(op.input) || isPending(op.slope)) || node.outputs[0].rank() != 4) return false;
    ops::Prelu changed = op;
    changed.input = broadcastLast(op.input);
    changed.slope = broadcastLast(op.slope);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::LogicalUnary& op, const ModuleNode& node) {
    if (!isPending(op.a)) return false;
    ops::LogicalUnary changed = op;
    changed.a = last(op.a);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Pool2d& op, const ModuleNode& node) {
    if (!isPending(op.input) || op.options.layout == InputOperandLayout::nhwc) return false;
    ops::Pool2d changed = op;
    changed.input = last(op.input);
    changed.options.layout = InputOperandLayout::nhwc;
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::InstanceNormalization& op, const ModuleNode& node) {
    if (!isPending(op.input) || op.options.layout == InputOperandLayout::nhwc) return false;
    ops::InstanceNormalization changed = op;
    changed.input = last(op.input);
    changed.options.layout = InputOperandLayout::nhwc;
    return append(std::move(changed), node);
  }

  bool rewrite(const WrittenNormalization& op, const ModuleNode& node) {
    if (!isPending(op.input) || op.axes != std::vector<std::uint32_t>{2, 3}) return false;
    WrittenNormalization changed = op;
    changed.input = last(op.input);
    changed.axes = {1, 2};
    return append(std::move(changed), node);
  }

  // Of one operand, which recognise makes of products.
  bool rewrite(const FusedElementwise& op, const ModuleNode& node) {
    if (op.inputs.size() != 1 || !isPending(op.inputs[0]) || node.outputs[0].shape() != op.inputs[0].shape()) return false;
    FusedElementwise changed = op;
    changed.inputs[0] = last(op.inputs[0]);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::BatchNormalization& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    ops::BatchNormalization changed = op;
    changed.input = last(op.input);
    changed.options.axis = inLast(op.options.axis);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Resample2d& op, const ModuleNode& node) {
    if (!isPending(op.input) || *op.options.axes != std::vector<std::uint32_t>{2, 3}) return false;
    ops::Resample2d changed = op;
    changed.input = last(op.input);
    changed.options.axes = {1, 2};
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Softmax& op, const ModuleNode& node) { return alongAxis(op, node); }
  bool rewrite(const ops::CumulativeSum& op, const ModuleNode& node) { return alongAxis(op, node); }

  template <typename Op>
  bool alongAxis(const Op& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    Op changed = op;
    changed.input = last(op.input);
    changed.axis = inLast(op.axis);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Concat& op, const ModuleNode& node) {
    const auto pending = std::ranges::count_if(op.inputs, [&](const Operand& input) { return isPending(input); });
    if (static_cast<std::size_t>(pending) * 2 < op.inputs.size() || pending == 0) return false;
    ops::Concat changed = op;
    for (Operand& input : changed.inputs) input = last(input);
    changed.axis = inLast(op.axis);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Split& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    ops::Split changed = op;
    changed.input = last(op.input);
    changed.options.axis = inLast(op.options.axis);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Slice& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    ops::Slice changed = op;
    changed.input = last(op.input);
    changed.starts = permuted(op.starts, kToLast);
    changed.sizes = permuted(op.sizes, kToLast);
    if (op.options.strides) changed.options.strides = permuted(*op.options.strides, kToLast);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Pad& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    ops::Pad changed = op;
    changed.input = last(op.input);
    changed.beginningPadding = permuted(op.beginningPadding, kToLast);
    changed.endingPadding = permuted(op.endingPadding, kToLast);
    return append(std::move(changed), node);
  }

  bool rewrite(const ops::Reduce& op, const ModuleNode& node) {
    if (!isPending(op.input)) return false;
    std::vector<std::uint32_t> axes;
    for (const std::uint32_t axis : *op.options.axes) axes.push_back(inLast(axis));
    ops::Reduce changed = op;
    changed.input = last(op.input);
    if (op.options.keepDimensions) {
      changed.options.axes = std::move(axes);
      return append(std::move(changed), node);
    }
    // Without the dimensions, the rest must be in the order that it has in nchw.
    std::vector<std::uint32_t> rest;
    for (std::uint32_t axis = 0; axis < 4; ++axis) {
      if (std::ranges::find(*op.options.axes, axis) == op.options.axes->end()) rest.push_back(inLast(axis));
    }
    if (!std::ranges::is_sorted(rest)) return false;
    changed.options.axes = std::move(axes);
    module_.nodes.push_back({EngineOperation(Operation(std::move(changed))), node.outputs});
    return true;
  }

  Module& module_;
  Replacements replacements_;
  std::unordered_map<std::uint32_t, Pending> pending_;  // by the index of the nchw value
  std::unordered_map<std::uint32_t, Operand> lasts_;    // nhwc values of others that were written
};

}  // namespace

void chooseLayout(Module& module, const PassOptions&) {
  const bool convolves = std::ranges::any_of(module.nodes, [](const ModuleNode& node) {
    return as<ops::Conv2d>(node.operation) || as<ops::ConvTranspose2d>(node.operation);
  });
  if (convolves) Layouter(module).run();
}

}  // namespace webnn::cpu
