// The types that OpenVINO's CPU kernels compute as ONNX specifies, found by tests/openvino/walk_test.cpp with OpenVINO 2026.4.
// 8-bit integers saturate instead of wrapping; 32 and 64-bit integers are signed 32-bit ones.
#include "backends/openvino/kernel_types.h"

#include <algorithm>
#include <array>

namespace webnn::openvino {

namespace {

using enum onnx::ElementType;

// 64-bit types are indices and the type in which the export dequantizes int32, which is float32 here.
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
  // OpenVINO reuses the scales of the previous run, turns convolutions of any stride into products, and adds in place to values
  // that it computed once for all runs.
  static constexpr onnx::Target kTarget{"openvino", kKernels, true, true};
  return kTarget;
}

}  // namespace webnn::openvino
