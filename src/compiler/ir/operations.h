// The engine's own operations, which passes create from the specification's.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/boxed.h"
#include "compiler/ir/element_program.h"
#include "ops/operation.h"

namespace webnn::compiler {

// Element-wise work on a result before it is stored. Input 0 of the program is the result; the other inputs are `operands`, each
// broadcast to the result's shape.
struct Epilogue {
  ElementProgram program;
  std::vector<Operand> operands;

  bool empty() const { return program.empty(); }
};

// Element-wise: result = program(inputs), with each input broadcast to the output's shape. Inputs and output are float32,
// float16, uint8 or int8. The store rounds a float16 result, so the program needs no toHalf at the end; a program with a byte
// result ends in a truth value (uint8) or in a quantization.
struct FusedElementwise {
  static constexpr std::string_view kName = "fusedElementwise";
  std::vector<Operand> inputs;
  ElementProgram program;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("inputs", self.inputs);
    visit.option("program", self.program);
  }
};

// Batch matmul: alpha * op(a) * op(b) + bias, then the epilogue; a and b are batches of matrices, broadcast as matmul
// does. An operand is stored with the dimension j of the logical matrix batch at permutation[j] (empty: in order).
struct BatchGemm {
  static constexpr std::string_view kName = "batchGemm";
  Operand a, b;
  std::optional<Operand> bias;  // float, one element per column of the result
  double alpha = 1;             // a sum times alpha is rounded once
  std::vector<std::uint32_t> aPermutation, bPermutation;
  std::vector<std::uint32_t> outputPermutation;  // the output is the result, transposed by this permutation
  Epilogue epilogue;                             // in the shape of the output
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
    visit.option("bias", self.bias);
    visit.option("alpha", self.alpha);
    visit.option("aPermutation", self.aPermutation);
    visit.option("bPermutation", self.bPermutation);
    visit.option("outputPermutation", self.outputPermutation);
    visit.option("epilogue", self.epilogue.program);
    visit.option("operands", self.epilogue.operands);
  }
};

// conv2d with inputLayout nhwc, then the epilogue; conv.options.bias is the bias.
struct Convolution {
  static constexpr std::string_view kName = "convolution";
  ops::Conv2d conv;
  Epilogue epilogue;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    ops::Conv2d::visitFields(self.conv, visit);
    visit.option("epilogue", self.epilogue.program);
    visit.option("operands", self.epilogue.operands);
  }
};

// Operations in sequence whose intermediate results are never stored whole: any convolution, then a depthwise convolution or a
// pooling, then a convolution of 1x1. The first or the last may be missing. Channels come last; filters and biases are constants.
// Only the shapes of the three operations' inputs matter.
struct ConvolutionBlock {
  static constexpr std::string_view kName = "convolutionBlock";
  Operand input;
  Boxed<Convolution> expand, depthwise;
  Boxed<ops::Pool2d> pool;  // alternative to `depthwise`
  Shape middleShape;        // of what that gives
  Boxed<Convolution> project;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    if (self.expand) visitPart(*self.expand, "expand.", visit);
    if (self.depthwise) visitPart(*self.depthwise, "depthwise.", visit);
    if (self.pool) visitPart(*self.pool, "pool.", visit);
    if (self.project) visitPart(*self.project, "project.", visit);
  }

 private:
  // Visits the fields of a part except its input, with a prefix before their names.
  template <typename Visitor>
  struct PartVisitor {
    std::string_view prefix;
    Visitor& visit;
    void argument(std::string_view name, auto& field) {
      if (name != "input") visit.argument(std::string(prefix).append(name), field);
    }
    void option(std::string_view name, auto& field) { visit.option(std::string(prefix).append(name), field); }
  };
  template <typename Part, typename Visitor>
  static void visitPart(Part& part, std::string_view prefix, Visitor& visit) {
    std::remove_const_t<Part>::visitFields(part, PartVisitor<Visitor>{prefix, visit});
  }
};

// softmax((before * q) * k^T * scale + mask) * v, for each batch and head: q is [batch, heads, rows, d], k [batch, heads,
// columns, d], v [batch, heads, columns, dv]; each stored by a permutation as in BatchGemm, with 1s before a shape of lower rank,
// and their batches and heads broadcast. Each head of k and v counts for `repeats` consecutive ones (grouped queries). The mask
// is broadcast to [batch, heads, rows, columns]. The output is [batch, heads, rows, dv], transposed by outputPermutation.
struct Attention {
  static constexpr std::string_view kName = "attention";
  Operand q, k, v;
  std::optional<Operand> mask;
  float before = 1, scale = 1;
  std::uint32_t repeats = 1;
  std::vector<std::uint32_t> qPermutation, kPermutation, vPermutation, outputPermutation;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("q", self.q);
    visit.argument("k", self.k);
    visit.argument("v", self.v);
    visit.option("mask", self.mask);
    visit.option("before", self.before);
    visit.option("scale", self.scale);
    visit.option("repeats", self.repeats);
    visit.option("qPermutation", self.qPermutation);
    visit.option("kPermutation", self.kPermutation);
    visit.option("vPermutation", self.vPermutation);
    visit.option("outputPermutation", self.outputPermutation);
  }
};

// Normalizes the last dimension: layer normalization of input (+ residual), or RMS normalization, which subtracts no mean. "As
// written" means that every intermediate value is a float32, so squares may become infinite or vanish; RMS normalization always
// works so.
struct RowNormalization {
  static constexpr std::string_view kName = "rowNormalization";
  Operand input;
  std::optional<Operand> residual, scale, bias;  // scale and bias have the size of the last dimension
  bool rms = false, asWritten = false;
  float epsilon = 0;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("residual", self.residual);
    visit.option("scale", self.scale);
    visit.option("bias", self.bias);
    visit.option("rms", self.rms);
    visit.option("asWritten", self.asWritten);
    visit.option("epsilon", self.epsilon);
  }
};

// The same normalization over any axes and without a residual: scale and bias have the dimensions of `axes`, or one element per
// channel if the axes are an image's height and width. float32, as written.
struct WrittenNormalization {
  static constexpr std::string_view kName = "writtenNormalization";
  Operand input;
  std::optional<Operand> scale, bias;
  std::vector<std::uint32_t> axes;  // ascending
  bool isOfChannels = false;        // scale and bias
  float epsilon = 0;
  OperatorOptions options;

  std::uint32_t channel() const { return axes[0] == 2 ? 1 : 3; }

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("scale", self.scale);
    visit.option("bias", self.bias);
    visit.option("axes", self.axes);
    visit.option("isOfChannels", self.isOfChannels);
    visit.option("epsilon", self.epsilon);
  }
};

// One scale and one zero point for a whole 8-bit tensor.
struct Quantization {
  float scale = 1;
  std::int32_t zeroPoint = 0;
  DataType type = DataType::uint8;
  bool operator==(const Quantization&) const = default;
};

void visitQuantization(auto& part, std::string_view prefix, auto& visit) {
  visit.option(std::string(prefix) + "Scale", part.scale);
  visit.option(std::string(prefix) + "ZeroPoint", part.zeroPoint);
  visit.option(std::string(prefix) + "Type", part.type);
}

// dequantize(a) * dequantize(b) + bias, then relu, quantize and dequantize, as far as each is present. The rows of `a` are its
// last dimension; b is a constant matrix of k rows and n columns, stored [k, n], or [n, k] if bTranspose is set.
// With aScale: 8-bit `a` and b with exact 32-bit sums; bScale has one element or one per column. A float32 `a` is first quantized
// as aType. Without aScale: float32 `a` and a 4-bit b with any block-wise scale.
struct QuantizedGemm {
  static constexpr std::string_view kName = "quantizedGemm";
  Operand a, b, bScale, bZeroPoint;
  bool bTranspose = false;
  std::optional<float> aScale;
  std::int32_t aZeroPoint = 0;
  DataType aType = DataType::uint8;
  std::optional<Operand> bias;  // a float32 constant of n elements
  bool relu = false;
  // The result is quantized as outputType, and dequantized again if the node's output is float32.
  std::optional<float> outputScale;
  std::int32_t outputZeroPoint = 0;
  DataType outputType = DataType::uint8;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
    visit.argument("bScale", self.bScale);
    visit.argument("bZeroPoint", self.bZeroPoint);
    visit.option("bTranspose", self.bTranspose);
    visit.option("aScale", self.aScale);
    visit.option("aZeroPoint", self.aZeroPoint);
    visit.option("aType", self.aType);
    visit.option("bias", self.bias);
    visit.option("relu", self.relu);
    visit.option("outputScale", self.outputScale);
    visit.option("outputZeroPoint", self.outputZeroPoint);
    visit.option("outputType", self.outputType);
  }
};

// alpha * dequantize(a) * dequantize(b), then quantize if `result` is set: a and b are batches of byte matrices as in BatchGemm,
// neither is a constant, and sums of products are exact. The last dimension of `a` and of b, as stored, belongs to their
// matrices; the last dimension of the output holds the columns.
struct QuantizedBatchGemm {
  static constexpr std::string_view kName = "quantizedBatchGemm";
  Operand a, b;
  Quantization aQuantization, bQuantization;
  float alpha = 1;
  std::optional<Quantization> result;  // absent: float32
  std::vector<std::uint32_t> aPermutation, bPermutation, outputPermutation;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("a", self.a);
    visit.argument("b", self.b);
    visitQuantization(self.aQuantization, "a", visit);
    visitQuantization(self.bQuantization, "b", visit);
    visit.option("alpha", self.alpha);
    if (self.result) visitQuantization(*self.result, "result", visit);
    visit.option("aPermutation", self.aPermutation);
    visit.option("bPermutation", self.bPermutation);
    visit.option("outputPermutation", self.outputPermutation);
  }
};

// softmax of each row of the last dimension. The rows are float32 or dequantized bytes; the result is quantized.
struct QuantizedSoftmax {
  static constexpr std::string_view kName = "quantizedSoftmax";
  Operand input;
  std::optional<Quantization> from;  // absent: float32
  Quantization to;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    if (self.from) visitQuantization(*self.from, "input", visit);
    visitQuantization(self.to, "result", visit);
  }
};

// Values are clamped to [minimum, maximum], then quantized.
struct Requantization {
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  std::optional<Quantization> to;  // absent: the values stay float32
};

// Visits their fields, with a prefix before the names.
void visitRequantization(auto& part, std::string_view prefix, auto& visit) {
  visit.option(std::string(prefix) + "Minimum", part.minimum);
  visit.option(std::string(prefix) + "Maximum", part.maximum);
  if (part.to) visitQuantization(*part.to, prefix, visit);
}

// conv2d of 8-bit operands with inputLayout nhwc and exact 32-bit sums: dequantize(input) * dequantize(filter) + bias, then
// `result`. An addend has the shape of the output: `result` is dequantized, added to the dequantized addend, and the sum is
// requantized to `sum`.
struct QuantizedConvolution {
  static constexpr std::string_view kName = "quantizedConvolution";
  ops::Conv2d conv;  // byte input and constant byte filter; the constant bias is float32
  Quantization input;
  Operand filterScale, filterZeroPoint;  // constants of one element, or of one per output channel
  Requantization result;
  std::optional<Operand> addend;
  Quantization addendQuantization;
  Requantization sum;
  OperatorOptions options;

  // Returns the requantization of the output.
  const Requantization& last() const { return addend ? sum : result; }

  static void visitFields(auto& self, auto&& visit) {
    ops::Conv2d::visitFields(self.conv, visit);
    visitQuantization(self.input, "input", visit);
    visit.argument("filterScale", self.filterScale);
    visit.argument("filterZeroPoint", self.filterZeroPoint);
    visitRequantization(self.result, "result", visit);
    visit.option("addend", self.addend);
    if (!self.addend) return;
    visitQuantization(self.addendQuantization, "addend", visit);
    visitRequantization(self.sum, "sum", visit);
  }
};

// averagePool2d of dequantize(input), with exact 32-bit sums, then `result`.
struct QuantizedPool {
  static constexpr std::string_view kName = "quantizedPool";
  ops::Pool2d pool;  // with a byte input
  Quantization input;
  Requantization result;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    ops::Pool2d::visitFields(self.pool, visit);
    visitQuantization(self.input, "input", visit);
    visitRequantization(self.result, "result", visit);
  }
};

// Linear resample2d of dequantize(input), then `result`.
struct QuantizedResample {
  static constexpr std::string_view kName = "quantizedResample";
  ops::Resample2d resample;  // with a byte input
  Quantization input;
  std::optional<Quantization> result;  // absent: float32
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    ops::Resample2d::visitFields(self.resample, visit);
    visitQuantization(self.input, "input", visit);
    if (self.result) visitQuantization(*self.result, "result", visit);
  }
};

// result = table[input], element by element; an int8 code indexes by its eight bits.
struct TableLookup {
  static constexpr std::string_view kName = "tableLookup";
  Operand input;  // bytes
  Operand table;  // a constant of 256 bytes
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("table", self.table);
  }
};

// Converts int4 to int8 or uint4 to uint8, one byte per element, and back.
struct Repack {
  static constexpr std::string_view kName = "repack";
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
};

// A copy of the same bytes.
struct Copy {
  static constexpr std::string_view kName = "copy";
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
};

using EngineVariant = std::variant<Operation, FusedElementwise, BatchGemm, Convolution, ConvolutionBlock, Attention,
                                   RowNormalization, WrittenNormalization, QuantizedGemm, QuantizedBatchGemm, QuantizedSoftmax,
                                   QuantizedConvolution, QuantizedPool, QuantizedResample, TableLookup, Repack, Copy>;

struct EngineOperation : EngineVariant {
  using EngineVariant::EngineVariant;
};

// Calls visit(op) with the concrete struct: ops::Softmax, FusedElementwise, ...
template <typename Visit>
decltype(auto) visitOperation(const EngineOperation& operation, Visit&& visit) {
  return std::visit(
      [&]<typename Op>(const Op& op) -> decltype(auto) {
        if constexpr (std::is_same_v<Op, Operation>) {
          return std::visit(visit, static_cast<const OperationVariant&>(op));
        } else {
          return visit(op);
        }
      },
      static_cast<const EngineVariant&>(operation));
}
template <typename Visit>
decltype(auto) visitOperation(EngineOperation& operation, Visit&& visit) {
  return std::visit(
      [&]<typename Op>(Op& op) -> decltype(auto) {
        if constexpr (std::is_same_v<Op, Operation>) {
          return std::visit(visit, static_cast<OperationVariant&>(op));
        } else {
          return visit(op);
        }
      },
      static_cast<EngineVariant&>(operation));
}

namespace internal {
template <typename Op, typename Variant>
inline constexpr bool kIsAlternative = false;
template <typename Op, typename... Ops>
inline constexpr bool kIsAlternative<Op, std::variant<Ops...>> = (std::is_same_v<Op, Ops> || ...);
}  // namespace internal

// Returns the operation if it is an Op (ops::Softmax, FusedElementwise, ...), else null; constant if `operation` is.
template <typename Op, typename From>
requires std::is_same_v<std::remove_const_t<From>, EngineOperation>
auto as(From& operation) {
  if constexpr (internal::kIsAlternative<Op, EngineVariant>) {
    return std::get_if<Op>(&operation);
  } else {
    auto* const specified = std::get_if<Operation>(&operation);
    return specified ? std::get_if<Op>(specified) : nullptr;
  }
}

// "softmax", "fusedElementwise", "batchGemm", ...
std::string_view name(const EngineOperation& operation);
const std::string& label(const EngineOperation& operation);

// Calls visit(name, operand) for each operand that is present.
void visitOperands(const EngineOperation& operation, OperandVisit visit);
// Replaces each operand that is present by map(operand).
void mapOperands(EngineOperation& operation, OperandMap map);

}  // namespace webnn::compiler
