#include <algorithm>
#include <cmath>

#include "compiler/passes/passes.h"

namespace webnn::compiler {

namespace {

// Replaces nodes by an existing value or by simpler nodes that compute the same values.
class Canonicalizer {
 public:
  explicit Canonicalizer(Module& module) : module_(module) {}

  void run() {
    std::vector<ModuleNode> old = module_.takeNodes();
    for (ModuleNode& node : old) {
      replacements_.apply(node.operation);
      module_.rewritten = node.origins;
      const std::size_t count = module_.nodes.size();
      const Operand same = visitOperation(node.operation, [&](const auto& op) { return sameValue(op, node.outputs[0]); });
      if (same) {
        const bool isReplaced = module_.nodes.size() == count;  // no node was appended, so `same` is an existing value
        if (isReplaced) module_.setAbsent(node.origins, isConstant(same) ? Absence::constant : Absence::removed);
        replacements_.replace(node.outputs[0], same);
        continue;
      }
      remember(node);
      module_.nodes.push_back(std::move(node));
    }
    replacements_.apply(module_);
  }

 private:
  template <typename Op>
  Operand sameValue(const Op&, const Operand&) {
    return {};
  }

  Operand sameValue(const ops::Unary& op, const Operand&) { return op.kind == ops::UnaryKind::identity ? op.input : Operand(); }
  Operand sameValue(const ops::Cast& op, const Operand&) {
    if (op.input.dataType() == op.dataType) return op.input;
    // If a `where` selects between two constant numbers, casts these numbers instead of the result.
    const ModuleNode* producer = producerOf(op.input);
    if (!producer || !as<ops::Where>(producer->operation)) return {};
    ops::Where where = *as<ops::Where>(producer->operation);
    const auto isNumber = [](const Operand& x) { return isConstant(x) && elementCount(x.descriptor()) == 1; };
    if (!isNumber(where.trueValue) || !isNumber(where.falseValue)) return {};
    addOrigins(module_.rewritten, producer->origins);
    where.trueValue = append(Operation(ops::Cast{.input = where.trueValue, .dataType = op.dataType, .options = op.options}));
    where.falseValue = append(Operation(ops::Cast{.input = where.falseValue, .dataType = op.dataType, .options = op.options}));
    return append(Operation(std::move(where)));
  }
  Operand sameValue(const ops::Expand& op, const Operand& output) { return ifEqual(op.input, output); }
  Operand sameValue(const ops::Slice& op, const Operand& output) { return ifEqual(op.input, output); }
  Operand sameValue(const ops::Pad& op, const Operand& output) { return ifEqual(op.input, output); }
  Operand sameValue(const ops::Tile& op, const Operand& output) { return ifEqual(op.input, output); }
  // Returns the input of a maximum pooling whose window and strides are 1.
  Operand sameValue(const ops::Pool2d& op, const Operand& output) {
    const auto isOne = [](std::uint32_t size) { return size == 1; };
    const bool isIdentity = op.kind == ops::Pool2dKind::maxPool2d && std::ranges::all_of(*op.options.windowDimensions, isOne) &&
                            std::ranges::all_of(*op.options.strides, isOne);
    return isIdentity ? ifEqual(op.input, output) : Operand();
  }
  Operand sameValue(const ops::Concat& op, const Operand&) { return op.inputs.size() == 1 ? op.inputs[0] : Operand(); }

  Operand sameValue(const ops::Reshape& op, const Operand& output) {
    if (const Operand same = ifEqual(op.input, output)) return same;
    const Operand source = sourceOf<ops::Reshape>(op.input);
    if (!source) return isConstant(op.input) ? module_.reshaped(op.input, output.shape()) : Operand();
    return source.shape() == output.shape() ? source : reshape(source, output.shape());
  }

  Operand sameValue(const ops::Transpose& op, const Operand& output) {
    std::vector<std::uint32_t> permutation = *op.options.permutation;
    Operand input = op.input;
    if (const ModuleNode* producer = producerOf(input); producer && as<ops::Transpose>(producer->operation)) {
      const auto& inner = *as<ops::Transpose>(producer->operation);
      for (std::uint32_t& axis : permutation) axis = (*inner.options.permutation)[axis];
      input = inner.input;
      addOrigins(module_.rewritten, producer->origins);
    }
    if (std::ranges::is_sorted(permutation)) return input;
    if (movesOnlyOnes(input.shape(), permutation)) return reshape(input, output.shape());
    if (input == op.input) return {};
    ops::Transpose merged{.input = input};
    merged.options.permutation = permutation;
    merged.options.label = op.options.label;
    return append(Operation(std::move(merged)));
  }

  // If the indices vary only along the axis, the operation reads or writes whole slices.
  Operand sameValue(const ops::GatherElements& op, const Operand&) {
    const Operand slices = slicesOf(op.indices, op.options.axis);
    return slices ? append(Operation(ops::Gather{op.input, reshape(slices, {op.indices.shape()[op.options.axis]}), op.options}))
                  : Operand();
  }
  Operand sameValue(const ops::ScatterElements& op, const Operand&) {
    const Operand slices = op.options.axis == 0 ? slicesOf(op.indices, 0) : Operand();
    if (!slices) return {};
    ops::ScatterND scatter{op.input, reshape(slices, {op.indices.shape()[0], 1}), op.updates, {}};
    scatter.options.label = op.options.label;
    return append(Operation(std::move(scatter)));
  }
  // Returns the indices along the axis if they are expanded to all other dimensions.
  Operand slicesOf(const Operand& indices, std::uint32_t axis) const {
    const Operand source = sourceOf<ops::Expand>(indices);
    const std::uint32_t count = indices.shape()[axis];
    if (!source || elementCount(source.descriptor()) != count) return {};
    const std::size_t behind = indices.rank() - axis;
    return count == 1 || (source.rank() >= behind && source.shape()[source.rank() - behind] == count) ? source : Operand();
  }

  // x * 1, 1 * x, x / 1 and x - 0 are exactly x. x + 0 is not, because -0 + 0 is 0.
  Operand sameValue(const ops::Binary& op, const Operand& output) {
    const std::optional<float> a = uniformValue(op.a), b = uniformValue(op.b);
    switch (op.kind) {
      case ops::BinaryKind::mul:
        if (a == 1.0F) return ifEqual(op.b, output);
        [[fallthrough]];
      case ops::BinaryKind::div: return b == 1.0F ? ifEqual(op.a, output) : Operand();
      case ops::BinaryKind::sub: return b == 0.0F && !std::signbit(*b) ? ifEqual(op.a, output) : Operand();
      default: return {};
    }
  }

  static bool movesOnlyOnes(const Shape& shape, const std::vector<std::uint32_t>& permutation) {
    std::int64_t last = -1;
    for (const std::uint32_t axis : permutation) {
      if (shape[axis] == 1) continue;
      if (axis < last) return false;
      last = axis;
    }
    return true;
  }

  static Operand ifEqual(const Operand& input, const Operand& output) {
    return input.descriptor() == output.descriptor() ? input : Operand();
  }

  const ModuleNode* producerOf(const Operand& operand) const {
    const auto found = producers_.find(operand.record().index);
    return found == producers_.end() ? nullptr : &module_.nodes[found->second];
  }
  template <typename Op>
  Operand sourceOf(const Operand& operand) const {
    const ModuleNode* producer = producerOf(operand);
    const Op* op = producer ? as<Op>(producer->operation) : nullptr;
    return op ? op->input : Operand();
  }
  Operand reshape(const Operand& input, const Shape& shape) {
    if (isConstant(input)) return module_.reshaped(input, shape);
    if (const Operand source = sourceOf<ops::Reshape>(input)) return source.shape() == shape ? source : reshape(source, shape);
    return append(Operation(ops::Reshape{.input = input, .newShape = shape}));
  }
  Operand append(Operation operation) {
    const Operand result = module_.append(module_.nodes, std::move(operation));
    remember(module_.nodes.back(), module_.nodes.size() - 1);
    return result;
  }
  void remember(const ModuleNode& node) { remember(node, module_.nodes.size()); }
  void remember(const ModuleNode& node, std::size_t index) {
    for (const Operand& output : node.outputs) producers_[output.record().index] = index;
  }

  Module& module_;
  Replacements replacements_;
  std::unordered_map<std::uint32_t, std::size_t> producers_;
};

}  // namespace

void canonicalize(Module& module, const PassOptions&) { Canonicalizer(module).run(); }

}  // namespace webnn::compiler
