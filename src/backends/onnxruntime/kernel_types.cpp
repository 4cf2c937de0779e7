// scripts/probe_onnxruntime.py printed the table kKernels: the types that both ONNX Runtime 1.20.1 and 1.31.1 accept.
#include "backends/onnxruntime/kernel_types.h"

#include <algorithm>
#include <array>

namespace webnn::onnxruntime {

namespace {

using enum onnx::ElementType;

constexpr std::array kKernels = std::to_array<onnx::TypeRule>({
    {"Abs", {float32, uint8, int8, int32, int64, float16, float64, uint32, uint64}},
    {"Add", {float32, int32, int64, float16, float64}},
    {"And", {boolean}},
    {"ArgMax", {float32, uint8, int8, int32, int64, float16, float64}},
    {"ArgMin", {float32, uint8, int8, int32, int64, float16, float64}},
    {"AveragePool", {float32, float16}},
    {"BatchNormalization", {float32, float16, float64}},
    {"BitwiseAnd", {uint8, int8, int32, int64, uint32, uint64}},
    {"BitwiseNot", {uint8, int8, int32, int64, uint32, uint64}},
    {"BitwiseOr", {uint8, int8, int32, int64, uint32, uint64}},
    {"BitwiseXor", {uint8, int8, int32, int64, uint32, uint64}},
    {"Ceil", {float32, float16, float64}},
    {"Clip", {float32, uint8, int8, int32, float16, float64, uint32, uint64}},
    {"Concat", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}},
    {"Conv", {float32, float16}},
    {"ConvTranspose", {float32, float16}},
    {"Cos", {float32, float16}},
    {"CumSum", {float32, int32, int64, float16, float64}, 0b01},
    {"Div", {float32, int32, int64, float16, float64}},
    {"Elu", {float32, float16}},
    {"Equal", {float32, int32, int64, boolean, float16, float64}},
    {"Erf", {float32, float16}},
    {"Exp", {float32, float16, float64}},
    {"Expand", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Floor", {float32, float16, float64}},
    {"GRU", {float32, float16}, 0b101111},
    {"Gather", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"GatherElements", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"GatherND", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Gelu", {float32, float16}},
    {"Gemm", {float32, float16, float64}},
    {"GlobalAveragePool", {float32, float16}},
    {"GlobalLpPool", {float32, float16}},
    {"GlobalMaxPool", {float32, float16}},
    {"Greater", {float32, int32, int64, float16, float64}},
    {"GreaterOrEqual", {float32, int32, int64, float16, float64}},
    {"HardSigmoid", {float32, float16}},
    {"HardSwish", {float32, float16}},
    {"Identity", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}},
    {"InstanceNormalization", {float32, float16}},
    {"IsInf", {float32, float16, float64}},
    {"IsNaN", {float32, float16, float64}},
    {"LSTM", {float32, float16}, 0b11101111},
    {"LayerNormalization", {float32, float16, float64}},
    {"LeakyRelu", {float32, float16}},
    {"Less", {float32, int32, int64, float16, float64}},
    {"LessOrEqual", {float32, int32, int64, float16, float64}},
    {"Log", {float32, float16, float64}},
    {"LpPool", {float32, float16}},
    {"MatMul", {float32, int32, int64, float16, float64, uint32, uint64}},
    {"Max", {float32, int32, float16, float64, uint32, uint64}},
    {"MaxPool", {float32, uint8, int8, float16, float64}},
    {"Min", {float32, int32, float16, float64, uint32, uint64}},
    {"Mod", {uint8, int8, int32, int64, uint32, uint64}},
    {"Mul", {float32, int32, int64, float16, float64}},
    {"Neg", {float32, int8, int32, int64, float16, float64}},
    {"Not", {boolean}},
    {"Or", {boolean}},
    {"PRelu", {float32, float16}},
    {"Pad", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b101},
    {"Pow", {float32, int32, int64, float16, float64}},
    {"Reciprocal", {float32, float16, float64}},
    {"ReduceL1", {float32, int32, int64, float16, float64}, 0b01},
    {"ReduceL2", {float32, int32, int64, float16, float64}, 0b01},
    {"ReduceLogSum", {float32, int32, int64, float16, float64}, 0b01},
    {"ReduceLogSumExp", {float32, int32, int64, float16, float64}, 0b01},
    {"ReduceMax", {float32, uint8, int8, int32, boolean, float16, float64}, 0b01},
    {"ReduceMean", {float32, int32, int64, float16, float64}, 0b01},
    {"ReduceMin", {float32, uint8, int8, int32, boolean, float16, float64}, 0b01},
    {"ReduceProd", {float32, float16, float64}, 0b01},
    {"ReduceSum", {float32, float16, float64}, 0b01},
    {"ReduceSumSquare", {float32, int32, int64, float16, float64}, 0b01},
    {"Relu", {float32, int8, int32, float16, float64}},
    {"Reshape", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Resize", {float32, uint8, int8, int32, float16}, 0b001},
    {"ReverseSequence", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Round", {float32, float16, float64}},
    {"ScatterElements", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b101},
    {"ScatterND", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b101},
    {"Sigmoid", {float32, float16, float64}},
    {"Sign", {float32, uint8, int8, int32, float16, float64, uint32, uint64}},
    {"Sin", {float32, float16, float64}},
    {"Slice", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b00001},
    {"Softmax", {float32, float16, float64}},
    {"Softplus", {float32, float16}},
    {"Softsign", {float32, float16}},
    {"Split", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Sqrt", {float32, float16, float64}},
    {"Squeeze", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Sub", {float32, int32, int64, float16, float64}},
    {"Tan", {float32, float16}},
    {"Tanh", {float32, float16, float64}},
    {"Tile", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"TopK", {float32, int32, int64, float16, float64}, 0b01},
    {"Transpose", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}},
    {"Trilu", {float32, int64, boolean, float16, float64}, 0b01},
    {"Unsqueeze", {float32, uint8, int8, int32, int64, boolean, float16, float64, uint32, uint64}, 0b01},
    {"Where", {float32, uint8, int32, int64, float16, float64}, 0b110},
    {"Xor", {boolean}},
});
static_assert(std::ranges::is_sorted(kKernels, {}, &onnx::TypeRule::opType));

// Operators whose types differ from the CPU provider's, found with the conformance vectors on an H100 (ONNX Runtime 1.31.1).
constexpr std::array kCudaKernels = std::to_array<onnx::TypeRule>({
    {"ArgMax", {float32, float16, float64}},
    {"ArgMin", {float32, float16, float64}},
    {"Clip", {float32, uint8, int8, float16, float64}},
    {"Cos", {float32, float16, float64}},
    {"LpPool", {}},
    {"MatMul", {float32, float16, float64}},
    {"Sin", {float32, float16, float64}},
    {"Tan", {}},
});
static_assert(std::ranges::is_sorted(kCudaKernels, {}, &onnx::TypeRule::opType));

}  // namespace

const onnx::Target& onnxruntimeTarget() {
  static constexpr onnx::Target kTarget{"onnxruntime", kKernels};
  return kTarget;
}

const onnx::Target& cudaTarget() {
  static const onnx::Target kTarget{.name = "CUDA", .rules = kCudaKernels, .base = &onnxruntimeTarget(), .isCuda = true};
  return kTarget;
}

}  // namespace webnn::onnxruntime
