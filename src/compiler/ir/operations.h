// The engine's own operations. Passes replace operations of the specification by them.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
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

// result = program(inputs), element-wise; each input is broadcast to the output's shape. Inputs and output are float32, float16,
// uint8 or int8. Storing rounds a float16 result, so the program needs no toHalf at its end. A program with an 8-bit result must
// end with a truth value (uint8) or a quantization.
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

// Batched matrix product: alpha * a * b + bias, then the epilogue. a and b are batches of matrices, broadcast as in matmul. With
// a permutation, dimension j of the logical matrix batch is dimension permutation[j] of the stored operand; an empty permutation
// is the identity.
struct BatchGemm {
  static constexpr std::string_view kName = "batchGemm";
  Operand a, b;
  std::optional<Operand> bias;  // floating point, one element per column of the result
  double alpha = 1;             // each sum is multiplied by alpha and rounded once
  std::vector<std::uint32_t> aPermutation, bPermutation;
  std::vector<std::uint32_t> outputPermutation;  // the stored output is the result transposed by this permutation
  Epilogue epilogue;                             // its operands are broadcast to the shape of the stored output
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

// conv2d with inputLayout nhwc, then the epilogue. The bias is conv.options.bias.
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

// A sequence of operations whose intermediate results are never stored whole: any convolution (`expand`), then a depthwise
// convolution or a pooling, then a 1x1 convolution (`project`). `expand` or `project` may be missing. Channels come last; filters
// and biases are constants. The second and the third operation have input operands that no node computes; only their shapes are
// used.
struct ConvolutionBlock {
  static constexpr std::string_view kName = "convolutionBlock";
  Operand input;
  Boxed<Convolution> expand, depthwise;
  Boxed<ops::Pool2d> pool;  // instead of `depthwise`
  Shape middleShape;        // the shape of the result of `depthwise` or `pool`
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
  // Visits the fields of a part except its input, and adds a prefix to their names.
  template <typename Visitor>
  struct PartVisitor {
    std::string_view prefix;
    Visitor& visit;
    std::array<char, 64> buffer = {};  // no std::string, because passes visit blocks often
    // Returns the name with the prefix. It is valid until the next call.
    std::string_view whole(std::string_view name) {
      assert(prefix.size() + name.size() <= buffer.size());  // a truncated name could equal the name of another field
      std::ranges::copy(prefix, buffer.begin());
      const std::size_t size = std::min(buffer.size() - prefix.size(), name.size());
      std::copy_n(name.begin(), size, buffer.begin() + prefix.size());
      return {buffer.data(), prefix.size() + size};
    }
    void argument(std::string_view name, auto& field) {
      if (name != "input") visit.argument(whole(name), field);
    }
    void option(std::string_view name, auto& field) { visit.option(whole(name), field); }
  };
  template <typename Part, typename Visitor>
  static void visitPart(Part& part, std::string_view prefix, Visitor& visit) {
    std::remove_const_t<Part>::visitFields(part, PartVisitor<Visitor>{prefix, visit});
  }
};

// softmax((before * q) * k^T * scale + mask) * v, for each batch and head. q is [batch, heads, rows, d], k is [batch, heads,
// columns, d], v is [batch, heads, columns, dv]. Each is stored with a permutation as in BatchGemm; shapes of lower rank are
// padded with leading 1s; batches and heads are broadcast. Each head of k and v is used by `repeats` consecutive heads of q
// (grouped-query attention). The mask is broadcast to [batch, heads, rows, columns]. The output is [batch, heads, rows, dv],
// transposed by outputPermutation.
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

// Normalizes the last dimension: layer normalization of input (+ residual), or RMS normalization, which does not subtract the
// mean. If `asWritten`, every intermediate value is rounded to float32, as in the separate operations, so that squares may
// overflow or underflow. RMS normalization always does this.
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

// Layer normalization over any axes, in float32 and rounded as in RowNormalization::asWritten. scale and bias have the dimensions
// of `axes`, or one element per channel if the axes are an image's height and width.
struct WrittenNormalization {
  static constexpr std::string_view kName = "writtenNormalization";
  Operand input;
  std::optional<Operand> scale, bias;
  std::vector<std::uint32_t> axes;  // ascending
  bool isOfChannels = false;        // scale and bias have one element per channel
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

// A single scale and zero point for an 8-bit tensor.
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

// dequantize(a) * dequantize(b) + bias, then relu, quantize and dequantize if present. `a` is read as a matrix whose rows are its
// last dimension ([2,3,k] -> [6,k]). b is a constant matrix of k rows and n columns, stored as [k, n], or as [n, k] if bTranspose
// is set.
// With aScale, a and b are 8-bit and sums are exact in 32 bits; bScale has one element, or one per column. A float32 `a` is first
// quantized to aType. Without aScale, a is float32, and b has 4 or 8 bits and any block-wise scale.
struct QuantizedGemm {
  static constexpr std::string_view kName = "quantizedGemm";
  Operand a, b, bScale, bZeroPoint;
  bool bTranspose = false;
  std::optional<float> aScale;
  std::int32_t aZeroPoint = 0;
  std::optional<Operand> aZero;  // one element of aType that replaces aZeroPoint, known only in the run
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
    visit.option("aZero", self.aZero);
    visit.option("aType", self.aType);
    visit.option("bias", self.bias);
    visit.option("relu", self.relu);
    visit.option("outputScale", self.outputScale);
    visit.option("outputZeroPoint", self.outputZeroPoint);
    visit.option("outputType", self.outputType);
  }
};

// alpha * dequantize(a) * dequantize(b), then quantize if `result` is set. a and b are batches of 8-bit matrices as in BatchGemm,
// neither is a constant, and sums of products are exact. The last stored dimension of a and of b is a dimension of the matrices
// (not of the batch); the last stored dimension of the output is the columns.
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

// softmax along the last dimension. The input is float32 or is dequantized with `from`; the result is quantized with `to`.
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

// Clamps values to [minimum, maximum], then quantizes them.
struct Requantization {
  float minimum = -std::numeric_limits<float>::infinity(), maximum = std::numeric_limits<float>::infinity();
  std::optional<Quantization> to;  // absent: the values stay float32
};

// Visits the fields of a Requantization, and adds a prefix to their names.
void visitRequantization(auto& part, std::string_view prefix, auto& visit) {
  visit.option(std::string(prefix) + "Minimum", part.minimum);
  visit.option(std::string(prefix) + "Maximum", part.maximum);
  if (part.to) visitQuantization(*part.to, prefix, visit);
}

// conv2d of 8-bit operands with inputLayout nhwc and exact 32-bit sums: dequantize(input) * dequantize(filter) + bias,
// requantized with `result`. If there is an addend (of the output's shape), the requantized value is dequantized, added to the
// dequantized addend, and requantized with `sum`.
struct QuantizedConvolution {
  static constexpr std::string_view kName = "quantizedConvolution";
  ops::Conv2d conv;  // byte input and constant byte filter; the constant bias is float32
  Quantization input;
  Operand filterScale, filterZeroPoint;  // constants with one element, or one per output channel
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

// averagePool2d of dequantize(input), with exact 32-bit sums, requantized with `result`.
struct QuantizedPool {
  static constexpr std::string_view kName = "quantizedPool";
  ops::Pool2d pool;  // its input is int8 or uint8
  Quantization input;
  Requantization result;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    ops::Pool2d::visitFields(self.pool, visit);
    visitQuantization(self.input, "input", visit);
    visitRequantization(self.result, "result", visit);
  }
};

// The taps of a resampled axis: element k of the result is the sum over t of weights[k, t] * input[indices[k, t]].
struct AxisTaps {
  static constexpr std::size_t kMost = 64;  // the maximum number of taps of an element
  std::uint32_t axis = 0;
  Operand indices;  // a constant, int32 [size, taps], in bounds
  Operand weights;  // a constant, float32 [size, taps]
};

// Resamples one or two axes (in ascending order) by constant taps, in float32. Input and result are both float32 or both
// float16; with `from`, the input is dequantized, and the result is float32 or quantized with `to`.
struct Resample {
  static constexpr std::string_view kName = "resample";
  Operand input;
  std::vector<AxisTaps> axes;
  std::optional<Quantization> from, to;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    for (auto& taps : self.axes) {
      visit.option("axis", taps.axis);
      visit.argument("indices", taps.indices);
      visit.argument("weights", taps.weights);
    }
    if (self.from) visitQuantization(*self.from, "input", visit);
    if (self.to) visitQuantization(*self.to, "result", visit);
  }
};

// result = table[input], element by element. An int8 code indexes the table by its bits: -1 (0xFF) reads table[255].
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

// The positions of the `count` greatest elements (or the least) of each row of float32 `input`, best first, as int32 or int64. A
// row is the last dimension. Equal elements keep their order, and NaN ranks as infinity.
struct TopPositions {
  static constexpr std::string_view kName = "topPositions";
  static constexpr std::uint32_t kMost = 64;
  Operand input;
  std::uint32_t count = 1;  // at most kMost
  bool isGreatest = true;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.option("count", self.count);
    visit.option("isGreatest", self.isGreatest);
  }
};

// Sums weighted rows that are read through indices. The dimensions of `input` before `axis` form one dimension "outer", those
// after it one dimension "inner". The indices are viewed with the dimensions `sizes`; i is a position in them. The output at
// outer position o and inner position c is scale * the sum, over the axes `taps` of i, of
//   weights[o, i] * (mask[o, i] ? input[o, indices[i], c] : 0).
// Indices behave as in gather. The output's shape may split or merge [outer, the other axes of i, inner].
struct GatherSum {
  static constexpr std::string_view kName = "gatherSum";
  static constexpr std::size_t kMost = 1024;    // taps of an output
  static constexpr std::size_t kMostSizes = 6;  // the lowered form has two more dimensions
  Operand input;                                // float32
  Operand indices;                              // int32, uint32 or int64
  std::uint32_t axis = 0;
  std::vector<std::uint32_t> sizes, taps;  // `taps` is in ascending order
  std::optional<Operand> mask, weights;    // uint8 and float32: [1 or outer, 1 or sizes[0], 1 or sizes[1], ...]
  float scale = 1;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) {
    visit.argument("input", self.input);
    visit.argument("indices", self.indices);
    visit.option("axis", self.axis);
    visit.option("sizes", self.sizes);
    visit.option("taps", self.taps);
    visit.option("mask", self.mask);
    visit.option("weights", self.weights);
    visit.option("scale", self.scale);
  }
};

// Converts int4 to int8 or uint4 to uint8 (one byte per element), or in the opposite direction.
struct Repack {
  static constexpr std::string_view kName = "repack";
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
};

// Copies the bytes of its input.
struct Copy {
  static constexpr std::string_view kName = "copy";
  Operand input;
  OperatorOptions options;

  static void visitFields(auto& self, auto&& visit) { visit.argument("input", self.input); }
};

using EngineVariant =
    std::variant<Operation, FusedElementwise, BatchGemm, Convolution, ConvolutionBlock, Attention, RowNormalization,
                 WrittenNormalization, QuantizedGemm, QuantizedBatchGemm, QuantizedSoftmax, QuantizedConvolution, QuantizedPool,
                 Resample, TableLookup, TopPositions, GatherSum, Repack, Copy>;

struct EngineOperation : EngineVariant {
  using EngineVariant::EngineVariant;
};

// Calls visit(op) with the concrete operation struct: ops::Softmax, FusedElementwise, ...
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

// Returns a pointer to the operation if it is an Op (ops::Softmax, FusedElementwise, ...), else null. The pointee is const if
// `operation` is.
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

// Returns the name of an operation: "softmax", "fusedElementwise", "batchGemm", ...
std::string_view name(const EngineOperation& operation);
const std::string& label(const EngineOperation& operation);

// Calls visit(name, operand) for each operand that is present.
void visitOperands(const EngineOperation& operation, OperandVisit visit);
// Replaces each operand that is present by map(operand).
void mapOperands(EngineOperation& operation, OperandMap map);

}  // namespace webnn::compiler
