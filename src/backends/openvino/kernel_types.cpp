// Restricts ONNX operators to the types that OpenVINO's CPU kernels compute correctly, found by tests/openvino/walk_test.cpp with
// OpenVINO 2026.4. OpenVINO saturates 8-bit integers where ONNX wraps, and computes 32 and 64-bit integers as signed 32-bit.
#include "backends/openvino/kernel_types.h"

#include <algorithm>
#include <array>

namespace webnn::openvino {

namespace {

using enum onnx::ElementType;

// OpenVINO computes float64 as float32 and int64 as int32. The exporter needs int64 for indices and float64 to dequantize int32.
constexpr onnx::ElementTypeSet kNumbers{float32, float16, float64, int32, int64};

constexpr std::array kKernels = std::to_array<onnx::TypeRule>({
    {"Abs", {float32, float16}},  // if an integer Abs has an operand that is computed from constants, OpenVINO drops the Abs
    {"Add", kNumbers},
    {"BitwiseAnd", {int32, int64}},
    {"CumSum", kNumbers, 0b01},
    {"Div", kNumbers},
    {"Gemm", kNumbers},
    {"HardSigmoid", {}},  // OpenVINO replaces an explicit alpha or beta of 0 by the default
    {"MatMul", kNumbers},
    {"Mod", {int32, int64}},
    {"Mul", kNumbers},
    {"Neg", kNumbers},
    {"PRelu", kNumbers},
    {"Pow", kNumbers},
    {"QuantizeLinear", {}},  // OpenVINO adds the zero point before rounding, and loses it if it fuses a following convolution
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
  // distrustsBytes: OpenVINO reuses 8-bit scales of the previous run and turns 8-bit convolutions of any stride into matrix
  // products, so the exporter converts 8-bit integers to floats via int32. foldsConstants: OpenVINO adds in place to constants
  // that it has folded, which spoils later runs, so the exporter folds them.
  static constexpr onnx::Target kTarget{"openvino", kKernels, true, true};
  return kTarget;
}

}  // namespace webnn::openvino
