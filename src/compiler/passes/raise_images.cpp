// Applies operations to images [n, c, h, w] instead of to rows [n, c, h*w], the same elements with h and w flattened. Exporters
// reshape images to rows and back: they write 1-D convolutions as 2-D convolutions of height 1, and vision transformers reshape a
// list of tokens to an image before each convolution. Without these reshapes, chooseLayout can keep the channels last. The
// reshape to rows stays "pending": it is only emitted if an operation cannot take the image.
// raiseSignals does the same for the 8-bit passes, which look for a convolution directly between dequantizeLinear and
// quantizeLinear. It only raises images of height or width 1, which come from 1-D convolutions.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

constexpr std::uint32_t kWidth = 3;

Shape rowsOf(const Shape& image) { return {image[0], image[1], image[2] * image[3]}; }

// Returns the axis of `image` that corresponds to `axis` of its rows, or 0 if none does: axis 2 of the rows, if the height and
// the width of the image both exceed 1.
std::uint32_t raisedAxis(std::uint32_t axis, const Shape& image) {
  if (axis < 2) return axis;
  return image[2] == 1 ? kWidth : image[3] == 1 ? 2 : 0;
}
bool raiseAxis(std::uint32_t& axis, const Shape& image) {
  const bool isRow = axis == 2;
  axis = raisedAxis(axis, image);
  return !isRow || axis != 0;
}

// These overloads rewrite an operation's axes for an image. They return false if the operation cannot take an image.
template <typename Op>
requires UnaryElementWise<Op> || OneOf<Op, TableLookup>
bool raise(Op&, const Shape&) { return true; }
template <OneOf<ops::Softmax, ops::CumulativeSum> Op>
bool raise(Op& op, const Shape& image) {
  return raiseAxis(op.axis, image);
}
template <OneOf<ops::BatchNormalization, ops::Split> Op>
bool raise(Op& op, const Shape& image) {
  return raiseAxis(op.options.axis, image);
}

// Converts `sizes`, one number per axis of rows, to one number per axis of `image`. If the height or the width is 1, it gets
// `unit`, and the other one gets the number of axis 2. Returns false if both exceed 1.
bool raiseSizes(std::vector<std::uint32_t>& sizes, std::uint32_t unit, const Shape& image) {
  const std::uint32_t axis = raisedAxis(2, image);
  if (axis == 0) return false;
  sizes.insert(sizes.begin() + (axis == 2 ? 3 : 2), unit);
  return true;
}
bool raise(ops::Slice& op, const Shape& image) {
  return raiseSizes(op.starts, 0, image) && raiseSizes(op.sizes, 1, image) &&
         (!op.options.strides || raiseSizes(*op.options.strides, 1, image));
}
bool raise(ops::Pad& op, const Shape& image) {
  return raiseSizes(op.beginningPadding, 0, image) && raiseSizes(op.endingPadding, 0, image);
}

// Returns the axes of an image that stand for the axes of its rows.
std::vector<std::uint32_t> raisedAxes(std::vector<std::uint32_t> axes) {
  if (std::ranges::find(axes, 2U) != axes.end()) axes.push_back(kWidth);
  return axes;
}

// Returns whether images have equal heights and widths, except along the axis of the concatenation.
bool mayJoin(const ops::Concat& op) {
  const Shape& first = op.inputs[0].shape();
  return std::ranges::all_of(op.inputs, [&](const Operand& input) {
    const Shape& shape = input.shape();
    return (op.axis == 2 || shape[2] == first[2]) && (op.axis == kWidth || shape[kWidth] == first[kWidth]);
  });
}

std::uint32_t indexOf(const Operand& operand) { return operand.record().index; }

// Maps rows to the images that are computed instead. Such rows are "pending": only write() emits the reshape from image to
// rows.
class PendingRows {
 public:
  explicit PendingRows(Module& module) : module_(module) {}

  bool contains(const Operand& operand) const { return pending_.contains(indexOf(operand)); }
  const Operand& imageOf(const Operand& operand) const { return pending_.at(indexOf(operand)).image; }
  void set(const Operand& rows, const Operand& image) { pending_[indexOf(rows)] = {image, module_.rewritten}; }

  // Emits the reshape that computes `operand` from its image, if it is pending. The reshape's output is `operand` itself, so
  // users and the name stay.
  void write(const Operand& operand) {
    const auto found = pending_.find(indexOf(operand));
    if (found == pending_.end() || std::exchange(found->second.isWritten, true)) return;
    module_.nodes.push_back({EngineOperation(Operation(ops::Reshape{.input = found->second.image, .newShape = operand.shape()})),
                             {operand},
                             found->second.origins});
  }

  // Returns `operand`, reshaped so that it broadcasts with `image` in the same way as it broadcasts with the image's rows.
  Operand besideImage(const Operand& operand, const Shape& image) {
    if (contains(operand)) return imageOf(operand);
    if (operand.rank() == 0) return operand;
    Shape shape = operand.shape();
    const std::uint32_t width = shape.back();
    shape.pop_back();
    shape.push_back(width == 1 ? 1 : image[2]);
    shape.push_back(width == 1 ? 1 : image[3]);
    if (isConstant(operand)) return module_.reshaped(operand, shape);
    return module_.append(module_.nodes, Operation(ops::Reshape{.input = operand, .newShape = shape}));
  }

 private:
  struct Pending {
    Operand image;    // rows = reshape(image)
    Origins origins;  // operations of the graph that produce the rows
    bool isWritten = false;
  };

  Module& module_;
  std::unordered_map<std::uint32_t, Pending> pending_;  // key: index of the rows
};

// Rewrites the module's nodes in order.
class Raiser {
 public:
  Raiser(Module& module, bool onlySignals) : module_(module), rows_(module), onlySignals_(onlySignals) {}

  void run() {
    std::vector<ModuleNode> old = module_.takeNodes();
    for (ModuleNode& node : old) {
      replacements_.apply(node.operation);
      module_.rewritten = node.origins;
      if (visitOperation(node.operation, [&](const auto& op) { return rewrite(op, node); })) continue;
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { rows_.write(operand); });
      if (const auto* transpose = as<ops::Transpose>(node.operation)) transposes_.emplace(indexOf(node.outputs[0]), *transpose);
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
    for (const auto& [name, operand] : module_.outputs) rows_.write(operand);
  }

 private:
  // Appends `op`, which computes the outputs of `node` as images. Axis 2 becomes the height and width of `image`, or another
  // height or width if `op` changes the size of axis 2.
  bool append(auto op, const ModuleNode& node, const Shape& image) {
    ModuleNode raised{asEngineOperation(std::move(op)), {}, node.origins};
    for (const Operand& rows : node.outputs) {
      Shape shape{rows.shape()[0], rows.shape()[1], image[2], image[3]};
      if (rows.shape()[2] != image[2] * image[3]) shape[raisedAxis(2, image)] = rows.shape()[2];
      raised.outputs.push_back(module_.intermediate({rows.dataType(), shape}, rows.record().name));
      rows_.set(rows, raised.outputs.back());
    }
    module_.nodes.push_back(std::move(raised));
    return true;
  }

  template <typename Op>
  bool rewrite(const Op& op, const ModuleNode& node) {
    if constexpr (requires { raise(std::declval<Op&>(), Shape()); }) {
      if (!rows_.contains(op.input)) return false;
      const Operand& image = rows_.imageOf(op.input);
      Op changed = op;
      if (!raise(changed, image.shape())) return false;
      changed.input = image;
      return append(std::move(changed), node, image.shape());
    } else {
      return false;
    }
  }

  bool rewrite(const ops::Reshape& op, const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    const bool isSignal = op.input.rank() == 4 && (op.input.shape()[2] == 1 || op.input.shape()[3] == 1);
    if (onlySignals_ && op.input.rank() == 4 && !isSignal) return false;
    if (op.input.rank() == 4 && output.rank() == 3 && output.shape() == rowsOf(op.input.shape())) {
      rows_.set(output, op.input);
      module_.setAbsent(node.origins, Absence::removed);  // until write() emits the reshape, if it is needed
      return true;
    }
    if (op.input.rank() != 3 || output.rank() != 4 || op.input.shape() != rowsOf(output.shape())) return false;
    if (rows_.contains(op.input)) return replaceBy(rows_.imageOf(op.input), node);
    if (onlySignals_) return false;
    // If the rows are transposed tokens [n, h*w, c], reshapes the tokens to [n, h, w, c] and transposes these to the image.
    const auto found = transposes_.find(indexOf(op.input));
    if (found == transposes_.end() || *found->second.options.permutation != std::vector<std::uint32_t>{0, 2, 1}) return false;
    const Shape& shape = output.shape();
    const Operand tokens = module_.append(
        module_.nodes,
        Operation(ops::Reshape{.input = found->second.input, .newShape = {shape[0], shape[2], shape[3], shape[1]}}));
    return transpose(tokens, {0, 3, 1, 2}, output);
  }

  // Replaces the output of `node` by `image`, which has the same elements.
  bool replaceBy(const Operand& image, const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    if (image.shape() == output.shape()) {
      replacements_.replace(output, image);
      module_.setAbsent(node.origins, Absence::removed);
      return true;
    }
    module_.nodes.push_back(
        {EngineOperation(Operation(ops::Reshape{.input = image, .newShape = output.shape()})), node.outputs, node.origins});
    return true;
  }

  // Replaces a transpose of rows to tokens [n, h*w, c] by a transpose of the image to [n, h, w, c] and a reshape.
  bool rewrite(const ops::Transpose& op, const ModuleNode& node) {
    if (!rows_.contains(op.input) || *op.options.permutation != std::vector<std::uint32_t>{0, 2, 1}) return false;
    const Operand& image = rows_.imageOf(op.input);
    const Shape& shape = image.shape();
    const Operand last = module_.intermediate({image.dataType(), {shape[0], shape[2], shape[3], shape[1]}});
    transpose(image, {0, 2, 3, 1}, last);
    module_.nodes.push_back({EngineOperation(Operation(ops::Reshape{.input = last, .newShape = node.outputs[0].shape()})),
                             node.outputs, node.origins});
    return true;
  }

  bool transpose(const Operand& input, std::vector<std::uint32_t> permutation, const Operand& output) {
    ops::Transpose op{.input = input};
    op.options.permutation = std::move(permutation);
    module_.nodes.push_back({EngineOperation(Operation(std::move(op))), {output}, module_.rewritten});
    return true;
  }

  // Raises an element-wise operation with several operands, which are broadcast.
  template <typename Op, std::size_t n>
  bool broadcast(const Op& op, const std::array<Operand Op::*, n>& operands, const ModuleNode& node) {
    const Operand& output = node.outputs[0];
    if (output.rank() != 3) return false;
    const Operand* image = nullptr;  // the image that has the height and width of the output
    for (const auto operand : operands) {
      if (!rows_.contains(op.*operand)) continue;
      const Operand& own = rows_.imageOf(op.*operand);
      if (rowsOf(own.shape())[2] != output.shape()[2]) continue;  // a row of one element, which is broadcast
      if (image && !std::ranges::equal(std::span(own.shape()).last(2), std::span(image->shape()).last(2))) return false;
      image = &own;
    }
    if (!image) return false;
    const Shape shape = image->shape();
    Op changed = op;
    for (const auto operand : operands) changed.*operand = rows_.besideImage(op.*operand, shape);
    return append(std::move(changed), node, shape);
  }

  bool rewrite(const ops::Binary& op, const ModuleNode& node) {
    return broadcast<ops::Binary, 2>(op, {&ops::Binary::a, &ops::Binary::b}, node);
  }
  bool rewrite(const ops::Where& op, const ModuleNode& node) {
    return broadcast<ops::Where, 3>(op, {&ops::Where::condition, &ops::Where::trueValue, &ops::Where::falseValue}, node);
  }
  bool rewrite(const ops::Prelu& op, const ModuleNode& node) {
    return broadcast<ops::Prelu, 2>(op, {&ops::Prelu::input, &ops::Prelu::slope}, node);
  }

  bool rewrite(const ops::QuantizeLinear& op, const ModuleNode& node) { return quantization(op, node); }
  bool rewrite(const ops::DequantizeLinear& op, const ModuleNode& node) { return quantization(op, node); }

  // Raises a quantization by one scale for the whole tensor. The scale has the rank of the input.
  template <typename Op>
  bool quantization(const Op& op, const ModuleNode& node) {
    if (!rows_.contains(op.input) || elementCount(op.scale.descriptor()) != 1) return false;
    Op changed = op;
    changed.input = rows_.imageOf(op.input);
    const Shape shape = changed.input.shape();
    changed.scale = rows_.besideImage(op.scale, shape);
    changed.zeroPoint = rows_.besideImage(op.zeroPoint, shape);
    return append(std::move(changed), node, shape);
  }

  bool rewrite(const ops::LogicalUnary& op, const ModuleNode& node) {
    if (!rows_.contains(op.a)) return false;
    ops::LogicalUnary changed = op;
    changed.a = rows_.imageOf(op.a);
    return append(std::move(changed), node, changed.a.shape());
  }

  bool rewrite(const FusedElementwise& op, const ModuleNode& node) {
    if (op.inputs.size() != 1 || !rows_.contains(op.inputs[0]) || node.outputs[0].shape() != op.inputs[0].shape()) return false;
    FusedElementwise changed = op;
    changed.inputs[0] = rows_.imageOf(op.inputs[0]);
    const Shape shape = changed.inputs[0].shape();
    return append(std::move(changed), node, shape);
  }

  bool rewrite(const ops::Concat& op, const ModuleNode& node) {
    if (!std::ranges::all_of(op.inputs, [&](const Operand& input) { return rows_.contains(input); })) return false;
    const Shape first = rows_.imageOf(op.inputs[0]).shape();
    const std::uint32_t axis = raisedAxis(op.axis, first);
    if (op.axis == 2 && axis == 0) return false;
    ops::Concat changed = op;
    changed.axis = axis;
    for (Operand& input : changed.inputs) input = rows_.imageOf(input);
    if (!mayJoin(changed)) return false;
    return append(std::move(changed), node, first);
  }

  bool rewrite(const ops::Reduce& op, const ModuleNode& node) {
    if (!rows_.contains(op.input)) return false;
    ops::Reduce changed = op;
    changed.input = rows_.imageOf(op.input);
    changed.options.axes = raisedAxes(*op.options.axes);
    const bool reducesRows = changed.options.axes->size() != op.options.axes->size();
    if (op.options.keepDimensions) {
      const Shape& image = changed.input.shape();
      const Shape sizes = reducesRows ? Shape{image[0], image[1], 1, 1} : image;
      return append(std::move(changed), node, sizes);
    }
    if (!reducesRows) return false;
    module_.nodes.push_back({EngineOperation(Operation(std::move(changed))), node.outputs, node.origins});
    return true;
  }

  Module& module_;
  PendingRows rows_;
  bool onlySignals_;
  Replacements replacements_;
  std::unordered_map<std::uint32_t, ops::Transpose> transposes_;  // keyed by the index of their output
};

void raiseRows(Module& module, bool onlySignals) {
  const bool convolves = std::ranges::any_of(module.nodes, [](const ModuleNode& node) {
    return as<ops::Conv2d>(node.operation) || as<ops::ConvTranspose2d>(node.operation);
  });
  const bool reshapes =
      std::ranges::any_of(module.nodes, [](const ModuleNode& node) { return as<ops::Reshape>(node.operation); });
  if (convolves && reshapes) Raiser(module, onlySignals).run();
}

}  // namespace

void raiseImages(Module& module, const PassOptions&) { raiseRows(module, false); }

void raiseSignals(Module& module, const PassOptions&) {
  raiseRows(module, true);
  removeUnused(module);
}

}  // namespace webnn::compiler
