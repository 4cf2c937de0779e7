// Replaces a function of one 8-bit operand by a lookup table. Such a function consists of dequantizeLinear, element-wise
// operations on the dequantized value and uniform constants, and quantizeLinear. The reference kernels compute the table, so it
// is exact, even if intermediate values are quantized.
#include <algorithm>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

constexpr std::uint32_t kCodes = 256;

// Operations that broadcast all of their operands.
template <typename Op>
concept Broadcasting = UnaryElementWise<Op> || OneOf<Op, ops::LogicalUnary, ops::Binary, ops::Where>;
template <typename Op>
concept ElementWise = Broadcasting<Op> || OneOf<Op, ops::Prelu, ops::DequantizeLinear, ops::QuantizeLinear>;

class Tabulation {
 public:
  Tabulation(Module& module, const PassOptions& options)
      : module_(module),
        options_(options),
        isWanted_(module.indexLimit()),
        isVaried_(module.indexLimit()),
        values_(module.indexLimit()) {}

  void run() {
    for (std::size_t i = module_.nodes.size(); i-- > 0;) want(module_.nodes[i]);
    for (ModuleNode& node : module_.nodes) {
      replacements_.apply(node.operation);
      const Operand& output = node.outputs[0];
      if (!isWanted_[output.record().index]) continue;
      visitOperation(node.operation, [&](const auto& op) { evaluate(op, node); });
      if (as<ops::QuantizeLinear>(node.operation)) tabulate(node, valueOf(output));
    }
    replacements_.apply(module_);
  }

 private:
  // An operand as a function of the 8-bit operand `source`: the operand's value for each code of the source, indexed by the bits
  // of the code. Without a source, the operand is a single value.
  struct Value {
    std::optional<Operand> source;
    Operand column;  // [256], or [1]
  };

  // Marks the operands on which a quantizeLinear depends.
  void want(const ModuleNode& node) {
    visitOperation(node.operation, [&]<typename Op>(const Op&) {
      if constexpr (ElementWise<Op>) {
        const std::uint32_t result = node.outputs[0].record().index;
        if (std::is_same_v<Op, ops::QuantizeLinear>) isWanted_[result] = true;
        if (!isWanted_[result]) return;
        visitOperands(node.operation,
                      [&](std::string_view, const Operand& operand) { isWanted_[operand.record().index] = true; });
      }
    });
  }

  const std::optional<Value>& valueOf(const Operand& operand) {
    static const std::optional<Value> kUnknown;
    const std::uint32_t index = operand.record().index;
    if (index >= values_.size()) return kUnknown;
    std::optional<Value>& value = values_[index];
    if (!value && isConstant(operand) && !isVaried_[index]) {
      value = uniform(operand);
      isVaried_[index] = !value;
    }
    return value;
  }

  // Returns a constant's value if all its elements are equal, else nullopt.
  std::optional<Value> uniform(const Operand& constant) {
    const std::size_t size = bitsPerElement(constant.dataType()) / 8;
    const std::span<const std::byte> bytes = constant.record().bytes;
    if (size == 0) return std::nullopt;
    for (std::size_t i = size; i < bytes.size(); i += size) {
      if (!std::ranges::equal(bytes.first(size), bytes.subspan(i, size))) return std::nullopt;
    }
    return Value{std::nullopt, module_.constant({constant.dataType(), {1}}, std::vector(bytes.begin(), bytes.begin() + size))};
  }

  // Returns the identity: every code is mapped to itself.
  Value codesOf(const Operand& source) {
    std::vector<std::byte> codes;
    for (std::uint32_t i = 0; i < kCodes; ++i) codes.push_back(static_cast<std::byte>(i));
    return {source, module_.constant({source.dataType(), {kCodes}}, std::move(codes))};
  }

  template <typename Op>
  void evaluate(const Op& op, const ModuleNode& node) {
    if constexpr (ElementWise<Op>) {
      const Operand& output = node.outputs[0];
      if (bitsPerElement(output.dataType()) < 8) return;
      if constexpr (std::is_same_v<Op, ops::DequantizeLinear>) {
        const bool begins = isByte(op.input.dataType()) && !isConstant(op.input) && !valueOf(op.input);
        const std::uint32_t index = op.input.record().index;
        if (begins && index < values_.size()) values_[index] = codesOf(op.input);
      }
      std::optional<Operand> source;
      bool isKnown = hasFittingParameters(op);
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) {
        const std::optional<Value>& value = valueOf(operand);
        isKnown = isKnown && value;
        if (!isKnown || !value->source) return;
        if (source && source->record().index != value->source->record().index) isKnown = false;
        source = value->source;
      });
      if (!isKnown || (source && source->shape() != output.shape())) return;
      Operation operation = op;
      mapOperands(operation, [&](const Operand& operand) { return valueOf(operand)->column; });
      if (const auto column = foldOperation(module_, std::move(operation), options_))
        values_[output.record().index] = Value{source, *column};
    }
  }

  // Returns whether the parameters that may be smaller than the result (slope, scale and zero point) are uniform constants.
  template <Broadcasting Op>
  bool hasFittingParameters(const Op&) {
    return true;
  }
  bool hasFittingParameters(const ops::Prelu& op) { return isUniform(op.slope); }
  template <OneOf<ops::DequantizeLinear, ops::QuantizeLinear> Op>
  bool hasFittingParameters(const Op& op) {
    return isUniform(op.scale) && isUniform(op.zeroPoint);
  }
  bool isUniform(const Operand& operand) {
    const std::optional<Value>& value = valueOf(operand);
    return value && !value->source;
  }

  void tabulate(ModuleNode& node, const std::optional<Value>& value) {
    if (!value || !value->source || !isByte(value->column.dataType())) return;
    const Operand& source = *value->source;
    const std::span<const std::byte> table = value->column.record().bytes;
    bool isIdentity = source.dataType() == value->column.dataType();
    for (std::uint32_t i = 0; isIdentity && i < kCodes; ++i) isIdentity = table[i] == static_cast<std::byte>(i);
    if (isIdentity) {
      module_.setAbsent(node.origins, Absence::removed);
      replacements_.replace(node.outputs[0], source);
    } else {
      node.operation = EngineOperation(TableLookup{source, value->column, {.label = label(node.operation)}});
    }
  }

  Module& module_;
  const PassOptions& options_;
  std::vector<bool> isWanted_, isVaried_;     // indexed by operand; isVaried_ marks constants whose elements differ
  std::vector<std::optional<Value>> values_;  // indexed by operand
  Replacements replacements_;
};

}  // namespace

void tabulate(Module& module, const PassOptions& options) {
  Tabulation(module, options).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
