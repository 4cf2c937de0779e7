// What OpenVINO's CPU kernels compute as ONNX says: found by tests/openvino/walk_test.cpp with OpenVINO 2026.4. They saturate
// where integers of 8 bits should wrap, and have 32 signed bits for integers of 32 and 64.
#include "backends/openvino/kernel_types.h"

#include <algorithm>
#include <array>

namespace webnn::openvino {

namespace {

using enum onnx::ElementType;

// Of 64 bits: positions alone, and what the export dequantizes int32 in, which is float32 there.
constexpr onnx::ElementTypeSet kNumbers{float32, float16, float64, int32, int64};

constexpr std::array kKernels = std::to_array<onnx::TypeRule>({
    {"Abs", {float32, float16}},  // of integers it is forgotten where its operand is computed of constants
    {"Add", kNumbers},
    {"BitwiseAnd", {int32, int64}},
    {"CumSum", kNumbers, 0b01},
    {"Div", kNumbers},
    {"Gemm", kNumbers},
    {"HardSigmoid", {}},  // takes an alpha or beta of 0 for one that is not given
    {"MatMul", kNumbers},
    {"Mod", {int32, int64}},
    {"Mul", kNumbers},
    {"Neg", kNumbers},
    {"PRelu", kNumbers},
    {"Pow", kNumbers},
    {"QuantizeLinear", {}},  // adds the zero point before it rounds, and loses it where it fuses a convolution behind
    {"ReduceL1", kNumbers, 0b01},
    {"ReduceMean", kNumbers, 0b01},
    {"ReduceProd", kNumbers, 0b01},
    {"ReduceSum", kNumbers, 0b01},
    {"ReduceSumSquare", kNumbers, 0b01},
    {"Sign", kNumbers},
    {"Sub", kNumbers},
});
static_assert(std::ranges::is_sorted(kKernels, {}, &onnx::TypeRule::opType));

}  // namespace

const onnx::Target& openvinoTarget() {
  // It reuses the scales of the run before, and makes a product of a convolution whatever its strides. And it adds in place to
  // what it computed of constants once for all runs.
  static constexpr onnx::Target kTarget{"openvino", kKernels, true, true};
  return kTarget;
}

}  // namespace webnn::openvino
