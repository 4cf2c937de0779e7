#include "backends/webgpu/support.h"

#include <algorithm>
#include <string_view>

#include "graph/backend.h"

namespace webnn::webgpu {

namespace {

// A set of data types as bits.
using Types = std::uint32_t;
constexpr Types of(DataType type) { return 1U << static_cast<unsigned>(type); }
constexpr Types kFloats = of(DataType::float32) | of(DataType::float16);
constexpr Types kBytes = of(DataType::int8) | of(DataType::uint8);
constexpr Types kNibbles = of(DataType::int4) | of(DataType::uint4);
constexpr Types kWords = of(DataType::int32) | of(DataType::uint32);
constexpr Types kLong = of(DataType::int64) | of(DataType::uint64);
constexpr Types kNumbers = kFloats | kBytes | kWords | kLong;
constexpr Types kAll = kNumbers | kNibbles;

// The types that the kernels take: those of `operand`, or of all operands without a row of their own if it is empty. An operation
// without rows is not supported.
struct Row {
  std::string_view operation, operand;
  Types types;
};
constexpr Row kRows[] = {
    // Element-wise operations and activations: elementwise.cpp.
    {"abs", "", kNumbers},
    {"add", "", kNumbers},
    {"cast", "", kAll},
    {"ceil", "", kFloats},
    {"clamp", "", kNumbers},
    {"cos", "", kFloats},
    {"div", "", kNumbers},
    {"elu", "", kFloats},
    {"equal", "", kNumbers},
    {"erf", "", kFloats},
    {"exp", "", kFloats},
    {"floor", "", kFloats},
    {"gelu", "", kFloats},
    {"greater", "", kNumbers},
    {"greaterOrEqual", "", kNumbers},
    {"hardSigmoid", "", kFloats},
    {"hardSwish", "", kFloats},
    {"identity", "", kAll},
    {"isInfinite", "", kNumbers},
    {"isNaN", "", kNumbers},
    {"leakyRelu", "", kFloats},
    {"lesser", "", kNumbers},
    {"lesserOrEqual", "", kNumbers},
    {"linear", "", kFloats},
    {"log", "", kFloats},
    {"logicalAnd", "", kAll},
    {"logicalNot", "", kAll},
    {"logicalOr", "", kAll},
    {"logicalXor", "", kAll},
    {"max", "", kNumbers},
    {"min", "", kNumbers},
    {"mul", "", kNumbers},
    {"neg", "", kNumbers},
    {"notEqual", "", kNumbers},
    {"pow", "", kNumbers},
    {"prelu", "", kNumbers},
    {"reciprocal", "", kFloats},
    {"relu", "", kNumbers},
    {"roundEven", "", kFloats},
    {"sigmoid", "", kFloats},
    {"sign", "", kNumbers},
    {"sin", "", kFloats},
    {"softplus", "", kFloats},
    {"softsign", "", kFloats},
    {"sqrt", "", kFloats},
    {"sub", "", kNumbers},
    {"tan", "", kFloats},
    {"tanh", "", kFloats},
    {"where", "", kAll},
    // Softmax: activation.cpp.
    {"softmax", "", kFloats},
    // Normalizations: normalization.cpp.
    {"batchNormalization", "", kFloats},
    {"instanceNormalization", "", kFloats},
    {"layerNormalization", "", kFloats},
    // Quantization: quantize.cpp.
    {"dequantizeLinear", "", kFloats | kBytes | kNibbles | kWords},
    {"quantizeLinear", "", kFloats | kBytes | kNibbles | kWords},
    // Matrix products: matmul.cpp.
    {"gemm", "", kFloats},
    {"matmul", "", kFloats},
    // Convolution: conv.cpp.
    {"conv2d", "", kFloats},
    {"convTranspose2d", "", kFloats},
    // Pooling: pool.cpp.
    {"averagePool2d", "", kFloats},
    {"l2Pool2d", "", kFloats},
    {"maxPool2d", "", kAll},
    // Recurrent networks: recurrent.cpp.
    {"gru", "", kFloats},
    {"gruCell", "", kFloats},
    {"lstm", "", kFloats},
    {"lstmCell", "", kFloats},
    // Resampling: resample.cpp.
    {"resample2d", "", kFloats | kBytes},
    // Reductions: reduce.cpp.
    {"argMax", "", kNumbers},
    {"argMin", "", kNumbers},
    {"cumulativeSum", "", kNumbers},
    {"reduceL1", "", kNumbers},
    {"reduceL2", "", kNumbers},
    {"reduceLogSum", "", kNumbers},
    {"reduceLogSumExp", "", kNumbers},
    {"reduceMax", "", kNumbers},
    {"reduceMean", "", kNumbers},
    {"reduceMin", "", kNumbers},
    {"reduceProduct", "", kNumbers},
    {"reduceSum", "", kNumbers},
    {"reduceSumSquare", "", kNumbers},
    // Movement: shape.cpp.
    {"concat", "", kAll},
    {"expand", "", kAll},
    {"pad", "", kAll},
    {"reshape", "", kAll},
    {"reverse", "", kAll},
    {"slice", "", kAll},
    {"split", "", kAll},
    {"tile", "", kAll},
    {"transpose", "", kAll},
    {"triangular", "", kAll},
    // Movement by indices: gather_scatter.cpp.
    {"gather", "", kAll},
    {"gatherElements", "", kAll},
    {"gatherND", "", kAll},
    {"scatterElements", "", kAll},
    {"scatterND", "", kAll},
};

Types typesOf(std::string_view operation, std::string_view operand) {
  Types common = 0;
  for (const Row& row : kRows) {
    if (row.operation != operation) continue;
    if (row.operand == operand) return row.types;
    if (row.operand.empty()) common = row.types;
  }
  return common;
}

}  // namespace

OpSupportLimits supportLimits(std::uint64_t maxTensorBytes) {
  OpSupportLimits limits = tableLimits();
  limits.maxTensorByteLength = std::min(limits.maxTensorByteLength, maxTensorBytes);
  for (auto& [operation, operands] : limits.operations) {
    for (auto& [name, operand] : operands) {
      const Types types = typesOf(operation, name);
      std::erase_if(operand.dataTypes, [&](DataType type) { return (types & of(type)) == 0; });
    }
  }
  return limits;
}

}  // namespace webnn::webgpu
