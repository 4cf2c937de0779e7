// Tests workarounds for ONNX models that OpenVINO 2026.4 computes wrongly: the export expresses them in another way or refuses
// them.
#include <cmath>
#include <limits>

#include "support/openvino.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

// A builder in an OpenVINO context, with functions that make tensors and run graphs.
class OpenVinoMended : public testing::Test {
 protected:
  void SetUp() override { WEBNN_REQUIRE_OPENVINO(); }

  Context context_ = test::whyNoOpenVino().empty()
                         ? Context::create({.backend = "openvino", .execution = Execution::callerThread, .threads = 1})
                         : test::makeContext();
  GraphBuilder builder_{context_};

  Operand floats(std::initializer_list<float> values) {
    return builder_.constant<float>({DataType::float32, {static_cast<std::uint32_t>(values.size())}}, values);
  }

  template <typename T>
  Tensor tensor(DataType type, const Shape& shape, const std::vector<T>& values) {
    const Tensor made = context_.createTensor({type, shape, false, true});
    context_.write<T>(made, values);
    return made;
  }

  template <typename T>
  std::vector<T> run(const Graph& graph, const std::vector<NamedTensor>& inputs) {
    const auto [name, descriptor] = graph.outputs().at(0);
    const Tensor y = context_.createTensor({descriptor.dataType, descriptor.shape, true, false});
    context_.dispatch(graph, inputs, {{name, y}});
    return context_.read<T>(y);
  }
};

// OpenVINO treats an alpha or beta of 0 as "not given".
TEST_F(OpenVinoMended, HardSigmoidTakesAnAlphaAndABetaOfZero) {
  const Operand x = builder_.input("x", {DataType::float32, {3}});
  const Graph graph = builder_.build({{"y", builder_.hardSigmoid(x, {.alpha = 0.5, .beta = 0})}});
  EXPECT_EQ(run<float>(graph, {{"x", tensor<float>(DataType::float32, {3}, {-1, 0, 0.5f})}}), (std::vector<float>{0, 0, 0.25f}));
}

// OpenVINO adds the zero point before it rounds.
TEST_F(OpenVinoMended, QuantizeLinearRoundsTiesBeforeItAddsTheZeroPoint) {
  const Operand x = builder_.input("x", {DataType::float32, {4}});
  const Operand zeroPoint = builder_.constant<std::int8_t>({DataType::int8, {1}}, {1});
  const Graph graph = builder_.build({{"y", builder_.quantizeLinear(x, floats({1}), zeroPoint)}});
  EXPECT_EQ(run<std::int8_t>(graph, {{"x", tensor<float>(DataType::float32, {4}, {0.5f, 1.5f, 2.5f, -0.5f})}}),
            (std::vector<std::int8_t>{1, 3, 3, 1}));
}

// OpenVINO fuses quantizeLinear, dequantizeLinear and conv2d, which changes -1 to 255.
TEST_F(OpenVinoMended, ConvolutionsOfQuantizedImagesKeepTheSign) {
  const OperandDescriptor one{DataType::uint8, {1, 1, 1, 1}}, real{DataType::float32, {1, 1, 1, 1}};
  const Operand x = builder_.input("x", real), scale = builder_.constant<float>(real, {1});
  const Operand zeroPoint = builder_.constant<std::uint8_t>(one, {1});
  const Operand image = builder_.dequantizeLinear(builder_.quantizeLinear(x, scale, zeroPoint), scale, zeroPoint);
  const Operand zero = builder_.constant<std::int8_t>({DataType::int8, {1, 1, 1, 1}}, {0}),
                weight = builder_.constant<std::int8_t>({DataType::int8, {1, 1, 1, 1}}, {1});
  const Graph graph = builder_.build({{"y", builder_.conv2d(image, builder_.dequantizeLinear(weight, scale, zero))}});
  EXPECT_EQ(run<float>(graph, {{"x", tensor<float>(DataType::float32, {1, 1, 1, 1}, {-2})}}), std::vector<float>{-1});
}

// OpenVINO removes the abs of a constant.
TEST_F(OpenVinoMended, AbsOfAnIntegerThatIsComputedOfConstants) {
  const Operand c = builder_.constant<std::int32_t>({DataType::int32, {3}}, {0, -5, std::numeric_limits<std::int32_t>::min()});
  const Operand x = builder_.input("x", {DataType::int32, {3}});
  const Graph graph = builder_.build({{"y", builder_.concat(std::vector{builder_.abs(builder_.max(c, c)), x}, 0)}});
  EXPECT_EQ(run<std::int32_t>(graph, {{"x", tensor<std::int32_t>(DataType::int32, {3}, {1, 2, 3})}}),
            (std::vector<std::int32_t>{0, 5, std::numeric_limits<std::int32_t>::min(), 1, 2, 3}));
}

// OpenVINO dequantizes 8-bit constants with the scale of the previous run.
TEST_F(OpenVinoMended, FactorsOfConstantsOf8BitsMayChangeFromRunToRun) {
  const Operand a = builder_.input("a", {DataType::float32, {1, 2}}),
                scale = builder_.input("scale", {DataType::float32, {1, 1}}),
                zeroPoint = builder_.input("zeroPoint", {DataType::int8, {1, 1}});
  const Operand weights = builder_.constant<std::int8_t>({DataType::int8, {2, 1}}, {3, 5});
  const Operand dequantized = builder_.dequantizeLinear(weights, scale, zeroPoint),
                multiplied = builder_.mul(builder_.cast(weights, DataType::float32), scale);
  const Graph graph =
      builder_.build({{"y", builder_.concat(std::vector{builder_.matmul(a, dequantized), builder_.matmul(a, multiplied)}, 0)}});
  const Tensor left = tensor<float>(DataType::float32, {1, 2}, {1, 10});
  for (const auto& [factor, zero] : std::vector<std::pair<float, std::int8_t>>{{1, 1}, {2, 1}, {1, 0}, {0.5f, -3}, {1, 1}}) {
    const float shifted = factor * static_cast<float>(3 - zero + 10 * (5 - zero));
    EXPECT_EQ(run<float>(graph, {{"a", left},
                                 {"scale", tensor<float>(DataType::float32, {1, 1}, {factor})},
                                 {"zeroPoint", tensor<std::int8_t>(DataType::int8, {1, 1}, {zero})}}),
              (std::vector<float>{shifted, 53 * factor}))
        << factor << " " << int{zero};
  }
}

// When OpenVINO folds constants of uint32 that exceed int32, it changes them to the greatest int32.
TEST_F(OpenVinoMended, ConstantsOfUint32ThatAreNoInt32AreRefused) {
  const Operand c = builder_.constant<std::uint32_t>({DataType::uint32, {1}}, {2147483648u});
  const Operand x = builder_.input("x", {DataType::uint32, {1}});
  test::expectError(ErrorKind::notSupportedError, {"uint32 in 32 signed bits", "2147483648"}, [&] {
    builder_.build({{"y", builder_.concat(std::vector{c, x}, 0)}});
  });
}

// OpenVINO rounds integer padding values to float32.
TEST_F(OpenVinoMended, PaddingsOfIntegersBeyondFloat32AreRefused) {
  const Operand x = builder_.input("x", {DataType::int32, {1}});
  test::expectError(ErrorKind::notSupportedError, {"pad \"wide\" of int32 with a value beyond 2^24"}, [&] {
    builder_.build({{"y", builder_.pad(x, {1}, {0}, {.value = std::int64_t{16777217}, .label = "wide"})}});
  });
}

// OpenVINO adds in place to folded constants, so that sums accumulate from run to run.
TEST_F(OpenVinoMended, SumsWithFoldedConstantsAreTheSameInEveryRun) {
  const OperandDescriptor one{DataType::float32, {1, 1, 1, 1}};
  const Operand x = builder_.input("x", one), c = builder_.constant<float>(one, {2});
  const Operand bytes = builder_.constant<std::int8_t>({DataType::int8, {1, 1, 1, 1}}, {3}),
                zero = builder_.constant<std::int8_t>({DataType::int8, {1, 1, 1, 1}}, {0});
  std::vector<Operand> sums;
  for (const Operand& constant : {builder_.conv2d(c, c), builder_.averagePool2d(c), builder_.elu(c), builder_.transpose(c),
                                  builder_.dequantizeLinear(bytes, c, zero), builder_.cast(bytes, DataType::float32)}) {
    sums.push_back(builder_.add(constant, x));
  }
  const Graph graph = builder_.build({{"y", builder_.concat(sums, 3)}});
  for (const float value : {1.0f, 1.0f, 5.0f}) {
    EXPECT_EQ(run<float>(graph, {{"x", tensor<float>(DataType::float32, one.shape, {value})}}),
              (std::vector<float>{4 + value, 2 + value, 2 + value, 2 + value, 6 + value, 3 + value}));
  }
}

TEST_F(OpenVinoMended, ProductsOfConstantsWithABiasThatIsNoneAreRefused) {
  const Operand c = builder_.constant<float>({DataType::float32, {1, 1}}, {2}),
                x = builder_.input("x", {DataType::float32, {1, 1}});
  test::expectError(ErrorKind::notSupportedError, {"gemm \"sum\" of two constants and a bias that is none"}, [&] {
    builder_.build({{"y", builder_.gemm(c, c, {.c = x, .label = "sum"})}});
  });
}

// If two products share weights, OpenVINO packs the weights only for the first one.
TEST_F(OpenVinoMended, WeightsOfProductsInTwoLayoutsAreRefused) {
  const Operand w = builder_.constant<float>({DataType::float32, {2, 2}}, {1, 2, 3, 4}),
                x = builder_.input("x", {DataType::float32, {1, 2}});
  test::expectError(ErrorKind::notSupportedError, {"gemm \"back\" whose weights are those of another operation"}, [&] {
    builder_.build({{"y", builder_.gemm(builder_.matmul(x, w), w, {.bTranspose = true, .label = "back"})}});
  });
}

// OpenVINO replaces this convolution by a matrix product of all positions, and writes beyond the end of the output.
TEST_F(OpenVinoMended, ConvolutionsOfOneElementKeepTheirStrides) {
  const Operand x = builder_.input("x", {DataType::float32, {1, 3, 3, 1}});
  const OperandDescriptor filter{DataType::uint8, {2, 1, 1, 1}}, one{DataType::uint8, {1, 1, 1, 1}};
  const Operand scale = builder_.constant<float>({DataType::float32, {1, 1, 1, 1}}, {0.5f});
  const Operand weights = builder_.dequantizeLinear(builder_.constant<std::uint8_t>(filter, {3, 5}), scale,
                                                    builder_.constant<std::uint8_t>(one, {1}));
  const Graph graph =
      builder_.build({{"y", builder_.conv2d(x, weights, {.strides = {{2, 2}}, .inputLayout = InputOperandLayout::nhwc})}});
  EXPECT_EQ(run<float>(graph, {{"x", tensor<float>(DataType::float32, {1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9})}}),
            (std::vector<float>{1, 2, 3, 6, 7, 14, 9, 18}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
