// Rewrites nodes so that they compute on 8-bit values before these are dequantized:
// - Reshapes, transposes and slices the 8-bit filters of convolutions instead of their dequantized values.
// - Moves dequantizeLinear after operations that only move or select elements, if a later node may compute on the 8-bit values.
//   Such nodes are: convolutions, average pooling, linear resampling, reduceMean, additions, quantizeLinear, a product with a
//   constant quantized matrix, and a product of two dequantized values whose result is quantized. Other products read floats, and
//   absorb transposes of floats. dequantizeLinear moves after a constant pad only if an 8-bit code represents the padding value.
// - Removes a quantizeLinear that would restore the same bytes.
// - Quantizes the inputs of a concatenation instead of its result, if all of them were dequantized. Does the same for the input
// and the padding value of a pad.
// All rewrites are exact: dequantizeLinear with a single scale and zero point is monotonic, quantizeLinear with the same
// parameters is its inverse, and a concatenation does not change elements.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

// Operations that only copy elements of `input`.
template <typename Op>
concept Move = OneOf<Op, ops::Reshape, ops::Transpose, ops::Slice, ops::Split, ops::Expand, ops::Tile, ops::Reverse, ops::Gather>;

// Returns whether every pooling window contains at least one element that is not padding. Returns false for all dilated windows.
bool hasNoEmptyWindow(const ops::Pool2d& op, const Shape& output) {
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  const std::array<ops::WindowAxis, 2> axes = ops::poolingAxes(op);
  const std::array<std::uint32_t, 2> counts{output[image.height], output[image.width]};
  for (std::size_t i = 0; i < 2; ++i) {
    const ops::WindowAxis& axis = axes[i];
    if (axis.dilation != 1 || axis.beginningPadding >= axis.windowSize) return false;
    if ((counts[i] - 1) * axis.stride >= axis.beginningPadding + axis.inputSize) return false;
  }
  return true;
}

bool keepsOrder(const ops::Reduce& op) { return op.kind == ops::ReduceKind::reduceMax || op.kind == ops::ReduceKind::reduceMin; }

// Operations that, with some options or operands, only copy elements.
template <typename Op>
concept PerhapsMove = Move<Op> || OneOf<Op, ops::Unary, ops::Resample2d, ops::Pool2d, ops::Pad, ops::Reduce>;

constexpr std::size_t kMostMoves = 16;  // the maximum number of moves before a product, which bounds the search

// The values that a later node may be able to read as 8-bit values, possibly after moves.
class Wants {
 public:
  explicit Wants(const Module& module) : module_(module), uses_(module), isWanted_(module.indexLimit()) {
    for (std::size_t i = module.nodes.size(); i-- > 0;) {
      visitOperation(module.nodes[i].operation, [&](const auto& op) { note(op, isWanted(module.nodes[i])); });
    }
  }
  bool isWanted(const ModuleNode& node) const {
    return std::ranges::any_of(node.outputs, [&](const Operand& output) { return isWanted_[output.record().index]; });
  }

 private:
  void want(const Operand& operand) { isWanted_[operand.record().index] = true; }

  template <typename Op>
  void note(const Op& op, bool isWanted) {
    if constexpr (PerhapsMove<Op>) {
      if (isWanted) want(op.input);
    }
  }
  void note(const ops::Concat& op, bool isWanted) {
    for (const Operand& input : op.inputs) {
      if (isWanted) want(input);
    }
  }
  template <typename Op>
  requires(UnaryElementWise<Op> && !PerhapsMove<Op>) void note(const Op& op, bool isWanted) {
    // The pass `tabulate` may replace the operation by a lookup table, which reads 8-bit values.
    if (isWanted) want(op.input);
  }
  void note(const ops::Pool2d& op, bool isWanted) {
    if (isWanted || op.kind == ops::Pool2dKind::averagePool2d) want(op.input);
  }
  void note(const ops::Resample2d& op, bool isWanted) {
    if (isWanted || op.options.mode == InterpolationMode::linear) want(op.input);
  }
  void note(const Resample& op, bool) { want(op.input); }
  void note(const ops::Reduce& op, bool isWanted) {
    if (op.kind == ops::ReduceKind::reduceMean || (isWanted && keepsOrder(op))) want(op.input);
  }
  void note(const ops::Conv2d& op, bool) { want(op.input), want(op.filter); }
  void note(const ops::ConvTranspose2d& op, bool) { want(op.input), want(op.filter); }
  void note(const ops::QuantizeLinear& op, bool) { want(op.input); }
  void note(const ops::Binary& op, bool isWanted) {
    // An addition may become the residual addition of an 8-bit convolution or product, whatever reads its result.
    if (op.kind == ops::BinaryKind::add || isWanted) want(op.a), want(op.b);
  }
  void note(const ops::Matmul& op, bool isWanted) {
    if (isQuantizedMatrix(op.b)) {
      want(op.a);
    } else if (isWanted && isMoved(op.a) && isMoved(op.b)) {  // a product of two activations whose result is quantized
      want(op.a), want(op.b);
    }
  }
  void note(const ops::Gemm& op, bool) {
    if (isQuantizedMatrix(op.b)) want(op.a);
  }

  // Returns whether the operand is a dequantized value, possibly reshaped, transposed, sliced or moved in another way.
  bool isMoved(const Operand& operand) const {
    const ModuleNode* node = uses_.producerOf(module_, operand);
    for (std::size_t depth = 0; node && depth < kMostMoves; ++depth) {
      if (as<ops::DequantizeLinear>(node->operation)) return true;
      const Operand* input = nullptr;
      visitOperation(node->operation, [&]<typename Op>(const Op& op) {
        if constexpr (Move<Op>) input = &op.input;
      });
      node = input ? uses_.producerOf(module_, *input) : nullptr;
    }
    return false;
  }
  bool isQuantizedMatrix(const Operand& operand) const {
    const ModuleNode* node = uses_.producerOf(module_, operand);
    const auto* transpose = node ? as<ops::Transpose>(node->operation) : nullptr;
    if (transpose) node = uses_.producerOf(module_, transpose->input);
    const auto* dequantize = node ? as<ops::DequantizeLinear>(node->operation) : nullptr;
    return dequantize && isConstant(dequantize->input);
  }

  const Module& module_;
  Uses uses_;
  std::vector<bool> isWanted_;
};

// The dequantized constants of a module, such as filters.
class Filters {
 public:
  Filters(Module& module, const PassOptions& options) : module_(module), options_(options) {}

  void note(const ops::DequantizeLinear& op, const Operand& result) {
    if (isConstant(op.input) && isConstant(op.scale) && isConstant(op.zeroPoint)) all_.emplace(result.record().index, op);
  }

  // Moves the constants of a filter instead of its floats. Returns the operation that dequantizes the result of the move; nullopt
  // if the move's operand is no filter, or its scales cannot be moved.
  template <typename Op>
  std::optional<ops::DequantizeLinear> moved(const Op& op, const Operand& result) {
    const auto found = all_.find(op.input.record().index);
    if (found == all_.end()) return std::nullopt;
    ops::DequantizeLinear filter = found->second;
    const Shape from = filter.input.shape();
    for (const auto part : {&ops::DequantizeLinear::input, &ops::DequantizeLinear::scale, &ops::DequantizeLinear::zeroPoint}) {
      Op move = op;
      if (!suitShape(move, from, (filter.*part).shape())) return std::nullopt;
      move.input = filter.*part;
      const std::optional<Operand> constant = foldOperation(module_, Operation(std::move(move)), options_);
      if (!constant) return std::nullopt;
      filter.*part = *constant;
    }
    all_.emplace(result.record().index, filter);
    return filter;
  }

 private:
  // Change a move of a filter of shape `from` so that it moves the filter's scales, of shape `scales`, in the same way. Return
  // false if it cannot.
  static bool suitShape(ops::Transpose&, const Shape&, const Shape&) { return true; }
  static bool suitShape(ops::Slice& op, const Shape& from, const Shape& scales) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (scales[i] == from[i]) continue;
      if (scales[i] != 1) return false;
      op.starts[i] = 0;
      op.sizes[i] = 1;
      if (op.options.strides) (*op.options.strides)[i] = 1;
    }
    return true;
  }
  static bool suitShape(ops::Reshape& op, const Shape& from, const Shape& scales) {
    if (scales == from) return true;
    const Shape to = std::exchange(op.newShape, Shape(op.newShape.size(), 1));
    const auto isLong = [](std::uint32_t size) { return size > 1; };
    if (std::ranges::none_of(scales, isLong)) return true;
    const auto axis = static_cast<std::uint32_t>(std::ranges::find_if(scales, isLong) - scales.begin());
    if (std::ranges::count_if(scales, isLong) > 1 || scales[axis] != from[axis]) return false;
    const std::optional<std::uint32_t> after = axisAfter(from, axis, to);
    if (after) op.newShape[*after] = to[*after];
    return after.has_value();
  }

  Module& module_;
  const PassOptions& options_;
  std::unordered_map<std::uint32_t, ops::DequantizeLinear> all_;  // keyed by their result
};

class Propagation {
 public:
  Propagation(Module& module, const PassOptions& options)
      : module_(module),
        options_(options),
        wants_(module),
        uses_(module),
        from_(module.indexLimit()),
        filters_(module, options) {}

  void run() {
    std::vector<ModuleNode> old = module_.takeNodes();
    for (ModuleNode& node : old) {
      replacements_.apply(node.operation);
      module_.rewritten = node.origins;
      if (visitOperation(node.operation, [&](const auto& op) { return propagate(op, node); })) continue;
      if (const auto* op = as<ops::DequantizeLinear>(node.operation)) note(*op, node);
      noteJoin(node);
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
  }

 private:
  // Records a concatenation or pad whose inputs may be quantized instead of its result. Does so only if the result has one user,
  // which looks up the record.
  void noteJoin(const ModuleNode& node) {
    const std::uint32_t index = node.outputs[0].record().index;
    if (index >= uses_.count.size() || uses_.count[index] != 1) return;
    if (const auto* concat = as<ops::Concat>(node.operation)) joins_.emplace(index, *concat);
    const auto* pad = as<ops::Pad>(node.operation);
    if (pad && pad->options.mode == PaddingMode::constant) joins_.emplace(index, *pad);
  }

  // The 8-bit operand from which a value was dequantized.
  struct Origin {
    Operand numbers;
    Quantization quantization;
    Origins dequantizes;
  };

  void note(const ops::DequantizeLinear& op, const ModuleNode& node) {
    filters_.note(op, node.outputs[0]);
    if (isConstant(op.input) || op.input.dataType() != op.zeroPoint.dataType()) return;
    if (const auto quantization = faithfulQuantizationOf(op.scale, op.zeroPoint)) {
      setOrigin(node.outputs[0], {op.input, *quantization, node.origins});
    }
  }
  void setOrigin(const Operand& operand, Origin origin) {
    const std::size_t index = operand.record().index;
    if (index >= from_.size()) from_.resize(index + 1);
    from_[index] = std::move(origin);
  }
  std::optional<Origin> originOf(const Operand& operand) const {
    const std::size_t index = operand.record().index;
    return index < from_.size() ? from_[index] : std::nullopt;
  }

  // Appends the operation on bytes, and nodes that dequantize its results into the outputs of `node`.
  bool append(Operation operation, const Origin& origin, const ModuleNode& node) {
    module_.append(module_.nodes, std::move(operation));
    const std::vector<Operand> results = module_.nodes.back().outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
      module_.nodes.push_back(
          {EngineOperation(dequantizing(module_, results[i], origin.quantization)), {node.outputs[i]}, origin.dequantizes});
      setOrigin(node.outputs[i], {results[i], origin.quantization, origin.dequantizes});
    }
    return true;
  }
  template <typename Op>
  bool move(const Op& op, const ModuleNode& node) {
    const std::optional<Origin> origin = originOf(op.input);
    if (!origin || !wants_.isWanted(node)) return false;
    Op changed = op;
    changed.input = origin->numbers;
    return append(std::move(changed), *origin, node);
  }

  template <typename Op>
  bool moveFilter(const Op& op, const ModuleNode& node) {
    const std::optional<ops::DequantizeLinear> moved = wants_.isWanted(node) ? filters_.moved(op, node.outputs[0]) : std::nullopt;
    if (moved) module_.nodes.push_back({EngineOperation(Operation(*moved)), node.outputs, node.origins});
    return moved.has_value();
  }

  template <typename Op>
  bool propagate(const Op& op, const ModuleNode& node) {
    if constexpr (OneOf<Op, ops::Reshape, ops::Transpose, ops::Slice>) {
      return moveFilter(op, node) || move(op, node);
    } else if constexpr (Move<Op>) {
      return move(op, node);
    } else {
      return false;
    }
  }
  bool propagate(const ops::Unary& op, const ModuleNode& node) { return op.kind == ops::UnaryKind::identity && move(op, node); }
  bool propagate(const ops::Resample2d& op, const ModuleNode& node) {
    return op.options.mode == InterpolationMode::nearestNeighbor && move(op, node);
  }
  bool propagate(const ops::Pool2d& op, const ModuleNode& node) {
    return op.kind == ops::Pool2dKind::maxPool2d && hasNoEmptyWindow(op, node.outputs[0].shape()) && move(op, node);
  }
  bool propagate(const ops::Pad& op, const ModuleNode& node) {
    const std::optional<Origin> origin = originOf(op.input);
    if (!origin || !wants_.isWanted(node)) return false;
    ops::Pad changed = op;
    changed.input = origin->numbers;
    if (op.options.mode == PaddingMode::constant) {
      const std::optional<std::int32_t> code = codeOf(op.options.value, origin->quantization);
      if (!code) return false;
      changed.options.value = *code;
    }
    return append(std::move(changed), *origin, node);
  }
  // Returns the code that represents a value exactly, or nullopt. No code represents -0.
  static std::optional<std::int32_t> codeOf(const Number& number, const Quantization& quantization) {
    const auto value = static_cast<float>(number.toDouble());
    const float whole = std::nearbyint(value / quantization.scale);
    const std::int32_t least = quantization.type == DataType::int8 ? -128 : 0;
    if (!(std::abs(whole) <= 255) || whole * quantization.scale != value || (value == 0 && std::signbit(value)))
      return std::nullopt;
    const std::int32_t code = static_cast<std::int32_t>(whole) + quantization.zeroPoint;
    return code >= least && code <= least + 255 ? std::optional(code) : std::nullopt;
  }
  bool propagate(const ops::Reduce& op, const ModuleNode& node) { return keepsOrder(op) && move(op, node); }
  bool propagate(const ops::Concat& op, const ModuleNode& node) {
    const std::optional<Origin> first = originOf(op.inputs[0]);
    if (!first || !wants_.isWanted(node)) return false;
    ops::Concat changed = op;
    for (Operand& input : changed.inputs) {
      const std::optional<Origin> origin = originOf(input);
      if (!origin || origin->quantization != first->quantization) return false;
      input = origin->numbers;
    }
    return append(std::move(changed), *first, node);
  }
  bool propagate(const ops::QuantizeLinear& op, const ModuleNode& node) {
    const std::optional<Origin> origin = originOf(op.input);
    if (!origin) return joinQuantized(op, node);
    if (faithfulQuantizationOf(op.scale, op.zeroPoint) != origin->quantization) return false;
    replacements_.replace(node.outputs[0], origin->numbers);
    module_.setAbsent(node.origins, Absence::removed);
    module_.setAbsent(origin->dequantizes, Absence::removed);  // has no effect if the dequantization has other users
    return true;
  }

  bool joinQuantized(const ops::QuantizeLinear& op, const ModuleNode& node) {
    const auto found = joins_.find(op.input.record().index);
    const std::optional<Quantization> to = quantizationOf(op.scale, op.zeroPoint);
    if (found == joins_.end() || !to) return false;
    const auto& join = static_cast<const OperationVariant&>(found->second);
    if (const auto* pad = std::get_if<ops::Pad>(&join)) return padQuantized(*pad, *to, node);
    return concatenateQuantized(std::get<ops::Concat>(join), *to, node);
  }

  // Quantizes `part`, which a node has dequantized. If the parameters are equal, returns the original 8-bit operand instead.
  Operand quantizedAs(const Operand& part, const Quantization& to) {
    const Origin origin = *originOf(part);
    const bool isSame = isFaithful(static_cast<double>(to.scale)) && origin.quantization == to;
    return isSame ? origin.numbers : module_.append(module_.nodes, quantizing(module_, part, to));
  }

  // Quantizes the inputs of a concatenation instead of its result, if all inputs were dequantized (with any parameters).
  bool concatenateQuantized(ops::Concat concat, const Quantization& to, const ModuleNode& node) {
    if (!std::ranges::all_of(concat.inputs, [&](const Operand& part) { return originOf(part).has_value(); })) return false;
    for (Operand& part : concat.inputs) part = quantizedAs(part, to);
    module_.nodes.push_back({EngineOperation(Operation(std::move(concat))), node.outputs, node.origins});
    return true;
  }

  // Quantizes the input and the padding value of a pad instead of its result.
  bool padQuantized(ops::Pad pad, const Quantization& to, const ModuleNode& node) {
    if (!originOf(pad.input)) return false;
    const auto value = static_cast<float>(pad.options.value.toDouble());
    std::vector<std::byte> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    const auto code =
        foldOperation(module_, quantizing(module_, module_.constant({DataType::float32, {}}, std::move(bytes)), to), options_);
    if (!code) return false;
    pad.options.value = constantNumbers(*code)[0];
    pad.input = quantizedAs(pad.input, to);
    module_.nodes.push_back({EngineOperation(Operation(std::move(pad))), node.outputs, node.origins});
    return true;
  }

  Module& module_;
  const PassOptions& options_;
  Wants wants_;                              // found in the module before the pass
  Uses uses_;                                // found in the module before the pass
  std::vector<std::optional<Origin>> from_;  // indexed by the dequantized operand
  Filters filters_;
  std::unordered_map<std::uint32_t, Operation> joins_;  // concatenations and pads with one user, keyed by their result
  Replacements replacements_;
};

}  // namespace

void propagateQuantized(Module& module, const PassOptions& options) {
  Propagation(module, options).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
