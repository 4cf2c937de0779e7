// Tests the export's operators and attributes for convolutions, pooling, data movement, indexing, quantization, recurrent
// networks and resampling. Other tests compare the results of these exports with the reference backend.
#include <algorithm>
#include <cstdio>
#include <functional>

#include "backends/onnxruntime/kernel_types.h"
#include "context/graph_state.h"
#include "onnx/export/export_cases.h"
#include "onnx/export/exported.h"
#include "onnx/write/export.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::Exported;
using test::ExportedNode;
using test::Fixture;
using Strings = std::vector<std::string>;
using Attributes = std::map<std::string, std::string>;
using Make = std::function<Operand(Fixture&)>;

Exported exported(const Make& make) {
  Fixture f;
  const Operand y = make(f);
  return test::readExported(onnx::exportModel(*f.builder.build({{"y", y}}).state()->definition).proto);
}

// Returns the operators of a model, except those that only make constants.
Strings operatorsOf(const Exported& model) {
  Strings types = model.opTypes();
  std::erase(types, "Constant");
  return types;
}

Attributes attributesOf(const Exported& model, const std::string& opType) {
  for (const ExportedNode& node : model.nodes) {
    if (node.opType == opType) return node.attributes;
  }
  ADD_FAILURE() << "there is no " << opType;
  return {};
}

// Builds a product of a matrix and weights [6, 4] of type `type`, dequantized with a scale of shape `scale`.
Operand productWith(Fixture& f, DataType type, const Shape& scale) {
  const Operand weights = f.constant(type, {6, 4}, std::vector<Number>(24, 1)), zeroPoint = f.input(type, scale);
  return f.builder.matmul(f.input({2, 6}), f.builder.dequantizeLinear(weights, f.input(scale), zeroPoint));
}

struct AttributesCase {
  const char* name;
  Make make;
  const char* opType;
  Attributes attributes;  // all attributes that the exported node must have
};

const std::vector<AttributesCase> kAttributesCases{
    {"conv2dWithBeginningsBeforeEnds",
     [](Fixture& f) {
       return f.builder.conv2d(f.input({1, 4, 9, 9}), f.input({2, 2, 3, 2}),
                               {.padding = {1, 2, 3, 4}, .strides = {2, 3}, .dilations = {1, 2}, .groups = 2});
     },
     "Conv",
     {{"pads", "[1, 3, 2, 4]"}, {"strides", "[2, 3]"}, {"dilations", "[1, 2]"}, {"group", "2"}, {"kernel_shape", "[3, 2]"}}},
    // 3 elements become 7. Along the height, 1 element is cropped at the beginning and 2 at the end, and outputPadding restores
    // 1. Along the width, nothing is cropped, and 1 element is added.
    {"convTranspose2dWithOutputPaddingOutOfTheEndingOne",
     [](Fixture& f) {
       return f.builder.convTranspose2d(f.input({1, 1, 3, 3}), f.input({1, 1, 3, 3}),
                                        {.padding = {1, 2, 0, 0}, .strides = {2, 2}, .outputPadding = {1, 1}});
     },
     "ConvTranspose",
     {{"pads", "[1, 0, 1, 0]"},
      {"output_padding", "[0, 1]"},
      {"strides", "[2, 2]"},
      {"dilations", "[1, 1]"},
      {"group", "1"},
      {"kernel_shape", "[3, 3]"}}},
    {"convTranspose2dWithOutputSizes",
     [](Fixture& f) {
       return f.builder.convTranspose2d(f.input({1, 1, 3, 3}), f.input({1, 1, 3, 3}),
                                        {.padding = {0, 1, 0, 0}, .strides = {2, 2}, .outputSizes = {7, 8}});
     },
     "ConvTranspose",
     {{"pads", "[0, 0, 0, 0]"},
      {"output_padding", "[0, 1]"},
      {"strides", "[2, 2]"},
      {"dilations", "[1, 1]"},
      {"group", "1"},
      {"kernel_shape", "[3, 3]"}}},
    // 3 windows of 2 need 6 elements, but there are only 5. The export adds one element of padding and does not set ceil_mode.
    {"averagePool2dRoundedUpByEndPadding",
     [](Fixture& f) {
       return f.builder.averagePool2d(f.input({1, 1, 5, 4}),
                                      {.windowDimensions = {2, 2}, .strides = {2, 2}, .outputShapeRounding = RoundingType::ceil});
     },
     "AveragePool",
     {{"pads", "[0, 0, 1, 0]"}, {"strides", "[2, 2]"}, {"kernel_shape", "[2, 2]"}}},
    {"maxPool2dWithoutEndPaddingThatNoWindowMeets",
     [](Fixture& f) {
       return f.builder.maxPool2d(f.input({1, 1, 4, 4}),
                                  {.windowDimensions = {3, 3}, .padding = {1, 1, 1, 1}, .strides = {2, 2}});
     },
     "MaxPool",
     {{"pads", "[1, 1, 0, 0]"}, {"strides", "[2, 2]"}, {"kernel_shape", "[3, 3]"}}},
    {"padWithReflection",
     [](Fixture& f) { return f.builder.pad(f.input({3}), {1}, {2}, {.mode = PaddingMode::reflection}); },
     "Pad",
     {{"mode", "reflect"}}},
    {"triangularOfTheLowerPart",
     [](Fixture& f) {
       return f.builder.triangular(f.input({3, 3}), {.upper = false});
     },
     "Trilu",
     {{"upper", "0"}}},
    {"dequantizeLinearForAll",
     [](Fixture& f) {
       return f.builder.dequantizeLinear(f.input(DataType::int8, {2, 4}), f.input({1, 1}), f.input(DataType::int8, {1, 1}));
     },
     "DequantizeLinear",
     {}},
    {"dequantizeLinearByChannel",
     [](Fixture& f) {
       return productWith(f, DataType::int8, {1, 4});
     },
     "DequantizeLinear",
     {{"axis", "1"}}},
    {"dequantizeLinearByBlocks",
     [](Fixture& f) {
       return productWith(f, DataType::uint4, {2, 4});
     },
     "DequantizeLinear",
     {{"axis", "0"}, {"block_size", "3"}}},
    {"dequantizeLinearByElement",
     [](Fixture& f) {
       return productWith(f, DataType::int4, {6, 4});
     },
     "DequantizeLinear",
     {{"axis", "1"}, {"block_size", "1"}}},
    {"gruOfBothDirections",
     [](Fixture& f) {
       return f.builder.gru(f.input({2, 1, 3}), f.input({2, 12, 3}), f.input({2, 12, 4}), 2, 4,
                            {.resetAfter = false,
                             .direction = RecurrentNetworkDirection::both,
                             .activations = {RecurrentNetworkActivation::relu, RecurrentNetworkActivation::tanh}})[0];
     },
     "GRU",
     {{"activations", "[Relu, Tanh, Relu, Tanh]"},
      {"direction", "bidirectional"},
      {"hidden_size", "4"},
      {"linear_before_reset", "0"}}},
    {"lstmBackward",
     [](Fixture& f) {
       return f.builder.lstm(f.input({2, 1, 3}), f.input({1, 16, 3}), f.input({1, 16, 4}), 2, 4,
                             {.direction = RecurrentNetworkDirection::backward})[0];
     },
     "LSTM",
     {{"activations", "[Sigmoid, Tanh, Tanh]"}, {"direction", "reverse"}, {"hidden_size", "4"}}},
    {"resample2dToTheNearest",
     [](Fixture& f) {
       return f.builder.resample2d(f.input({1, 1, 2, 2}), {.scales = {2, 3}});
     },
     "Resize",
     {{"coordinate_transformation_mode", "half_pixel"}, {"mode", "nearest"}, {"nearest_mode", "round_prefer_floor"}}},
    {"resample2dLinearly",
     [](Fixture& f) {
       return f.builder.resample2d(f.input({1, 2, 2, 1}), {.mode = InterpolationMode::linear, .sizes = {3, 5}, .axes = {1, 2}});
     },
     "Resize",
     {{"coordinate_transformation_mode", "half_pixel"}, {"mode", "linear"}}},
};

TEST(OnnxExportFamilies, WriteTheAttributesThatMeanTheOptions) {
  for (const AttributesCase& each : kAttributesCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(attributesOf(exported(each.make), each.opType), each.attributes);
  }
}

struct OperatorsCase {
  const char* name;
  Make make;
  Strings operators;
};

// Makes a gather with constant indices, or with indices from an input if `constant` is empty.
Make gatherBy(DataType type, const std::vector<Number>& constant) {
  return [type, constant](Fixture& f) {
    const Operand x = f.input({3, 2});
    return f.builder.gather(x, constant.empty() ? f.input(type, {2}) : f.constant(type, {2}, constant));
  };
}

Make scatterAt(const std::vector<Number>& coordinates) {
  return [coordinates](Fixture& f) {
    return f.builder.scatterND(f.input({3, 2}), f.constant(DataType::int64, {2, 1}, coordinates), f.input({2, 2}));
  };
}

const std::vector<OperatorsCase>& operatorsCases() {
  static const std::vector<OperatorsCase> cases{
      {"conv2dInOtherLayouts",
       [](Fixture& f) {
         return f.builder.conv2d(f.input({1, 4, 4, 2}), f.input({3, 2, 2, 2}),
                                 {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi});
       },
       {"Transpose", "Transpose", "Conv", "Transpose"}},
      {"averagePool2dWithMorePaddingThanWindow",
       [](Fixture& f) {
         return f.builder.averagePool2d(f.input({1, 2, 3, 3}), {.windowDimensions = {2, 2}, .padding = {2, 0, 0, 0}});
       },
       {"Reshape", "Expand", "Conv", "Reshape", "Reshape", "Div", "Div"}},
      {"l2Pool2dWithWindowsOfNothing",  // the window, dilated by 3, reads columns -1 and 2, which are both padding
       [](Fixture& f) {
         return f.builder.l2Pool2d(f.input({1, 2, 2, 2}),
                                   {.windowDimensions = {2, 2}, .padding = {1, 1, 1, 1}, .dilations = {2, 3}});
       },
       {"Mul", "Reshape", "Expand", "Conv", "Reshape", "Sqrt"}},
      {"maxPool2dOfUint64",
       [](Fixture& f) {
         return f.builder.maxPool2d(f.input(DataType::uint64, {1, 1, 2, 1}), {.windowDimensions = {2, 1}});
       },
       {"Pad", "Split", "Max", "Slice", "Slice"}},
      {"gatherByConstantsInside", gatherBy(DataType::int32, {2, -3}), {"Gather"}},
      {"gatherByConstantsOutside", gatherBy(DataType::int32, {3, 0}), {"Clip", "Gather"}},
      {"gatherByConstantsBelow", gatherBy(DataType::int32, {-4, 0}), {"Clip", "Gather"}},
      {"gatherByInputs", gatherBy(DataType::int32, {}), {"Clip", "Gather"}},
      {"gatherByUint32", gatherBy(DataType::uint32, {0, 2}), {"Cast", "Gather"}},
      {"gatherNDByInt32",
       [](Fixture& f) {
         return f.builder.gatherND(f.input({3, 2}), f.constant(DataType::int32, {1, 2}, {2, 1}));
       },
       {"Cast", "GatherND"}},
      {"gatherNDOutsideOfOneDimension",
       [](Fixture& f) {
         return f.builder.gatherND(f.input({3, 2}), f.constant(DataType::int64, {1, 2}, {2, 2}));
       },
       {"Less", "Where", "Greater", "Where", "GatherND"}},
      {"scatterNDOfDifferentSlices", scatterAt({0, 2}), {"ScatterND"}},
      {"scatterNDOfOneSliceTwice",
       scatterAt({2, -1}),
       {"Reshape", "Mod", "MatMul", "Range", "Expand", "ScatterElements", "Gather", "Gather", "ScatterND"}},
      {"scatterNDOfOneUpdate",
       [](Fixture& f) {
         return f.builder.scatterND(f.input({3}), f.constant(DataType::int64, {1, 1}, {1}), f.input({1}));
       },
       {"ScatterND"}},
      {"sliceOfAScalar", [](Fixture& f) { return f.builder.slice(f.input(Shape{}), {}, {}); }, {"Identity"}},
      {"reverseOfNothing", [](Fixture& f) { return f.builder.reverse(f.input({2}), {.axes = Shape{}}); }, {"Identity"}},
      {"splitIntoOne", [](Fixture& f) { return f.builder.split(f.input({2}), 1u)[0]; }, {"Identity"}},
      {"dequantizeLinearByBlocksOfTwoDimensions",
       [](Fixture& f) {
         return productWith(f, DataType::uint4, {2, 2});
       },
       {"Reshape", "Expand", "Reshape", "Reshape", "Cast", "Expand", "Cast", "Reshape", "DequantizeLinear", "MatMul"}},
      {"dequantizeLinearOfInt32",
       [](Fixture& f) {
         return f.builder.dequantizeLinear(f.input(DataType::int32, {4}), f.input({1}), f.input(DataType::int32, {1}));
       },
       {"Cast", "Cast", "Sub", "Cast", "Mul", "Cast"}},
      {"gruWithTheGatesInAnotherOrder",
       [](Fixture& f) {
         return f.builder.gru(f.input({2, 1, 3}), f.input({1, 12, 3}), f.input({1, 12, 4}), 2, 4,
                              {.layout = GruWeightLayout::rzn})[0];
       },
       {"Split", "Concat", "Split", "Concat", "GRU"}},
      {"resample2dByAScaleThatKeepsTheSize",
       [](Fixture& f) {
         return f.builder.resample2d(f.input({1, 1, 4, 4}), {.mode = InterpolationMode::linear, .scales = {1.1f, 1}});
       },
       {"Identity"}},
      {"resample2dOfTheFirstDimensions",
       [](Fixture& f) {
         return f.builder.resample2d(f.input({2, 2, 1, 1}), {.mode = InterpolationMode::linear, .sizes = {4, 2}, .axes = {0, 1}});
       },
       {"Gather", "Reshape", "Mul", "Gather", "Reshape", "Mul", "Add"}},
  };
  return cases;
}

TEST(OnnxExportFamilies, ComposeOfAsLittleAsIsNeeded) {
  for (const OperatorsCase& each : operatorsCases()) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(operatorsOf(exported(each.make)), each.operators);
  }
}

// Selects one of two dequantized values. `isConstant`: whether both zero points are constants; otherwise, one is an input.
Operand chosenOfQuantized(Fixture& f, bool isConstant) {
  const auto dequantized = [&](const Operand& zeroPoint) {
    return f.builder.dequantizeLinear(f.input(DataType::uint8, {}), f.input(Shape{}), zeroPoint);
  };
  const Operand constant = f.constant(DataType::uint8, {}, {3});
  const Operand zeroPoint = isConstant ? constant : f.input(DataType::uint8, {});
  return f.builder.where(f.input(DataType::uint8, {}), dequantized(zeroPoint), dequantized(constant));
}

TEST(OnnxExportFamilies, KeepDequantizedNumbersFromWhereOnlyIfAZeroPointIsNoConstantAsOnnxRuntimeCrashesThen) {
  const Strings plain = operatorsOf(exported([](Fixture& f) { return chosenOfQuantized(f, true); }));
  const Strings fenced = operatorsOf(exported([](Fixture& f) { return chosenOfQuantized(f, false); }));
  EXPECT_EQ(std::ranges::count(plain, "Max"), 0);
  EXPECT_EQ(std::ranges::count(fenced, "Max"), 1);
  EXPECT_EQ(std::ranges::count(fenced, "DequantizeLinear"), 2);
}

Operand requantized(Fixture& f, double scale) {
  const auto pair = [&](const Operand& x, double by) {
    const Operand factor = f.constant({}, {by}), zeroPoint = f.constant(DataType::uint8, {}, {111});
    return f.builder.dequantizeLinear(f.builder.quantizeLinear(x, factor, zeroPoint), factor, zeroPoint);
  };
  return pair(pair(f.input(Shape{}), 0.5), scale);
}

TEST(OnnxExportFamilies, KeepTwoQuantizationsApartOfWhichOnnxRuntimeWouldMakeOne) {
  const Strings operators = operatorsOf(exported([](Fixture& f) { return requantized(f, 0.716); }));
  EXPECT_EQ(operators, (Strings{"QuantizeLinear", "DequantizeLinear", "Max", "QuantizeLinear", "DequantizeLinear"}));
}

Operand lstmCell(Fixture& f, bool peepholes) {
  LstmCellOptions options;
  if (peepholes) options.peepholeWeight = f.input({12});
  return f.builder.lstmCell(f.input({1, 3}), f.input({16, 3}), f.input({16, 4}), f.input({1, 4}), f.input({1, 4}), 4, options)[0];
}

TEST(OnnxExportFamilies, LeaveLstmToOnnxOnlyWithoutPeepholesAsItsOutputGateSeesAnotherCellState) {
  const Strings plain = operatorsOf(exported([](Fixture& f) { return lstmCell(f, false); }));
  const Strings peepholes = operatorsOf(exported([](Fixture& f) { return lstmCell(f, true); }));
  EXPECT_NE(std::ranges::find(plain, "LSTM"), plain.end());
  EXPECT_EQ(std::ranges::find(peepholes, "LSTM"), peepholes.end());
  EXPECT_EQ(std::ranges::count(peepholes, "Sigmoid"), 3);
}

TEST(OnnxExportFamilies, RefuseToWriteMoreStepsThanAModelShouldHave) {
  test::expectError(ErrorKind::notSupportedError, {"peepholes", "(16385)"}, [] {
    exported([](Fixture& f) {
      return f.builder.lstm(f.input({16385, 1, 1}), f.input({1, 4, 1}), f.input({1, 4, 1}), 16385, 1,
                            {.peepholeWeight = f.input({1, 3})})[0];
    });
  });
}

// A model for the GPU must avoid operators that CUDA's kernels compute wrongly, refuse at run time, or leave to the CPU.
TEST(OnnxExport, ComposesOperationsThatCudaLacks) {
  for (const test::ExportCase& item : test::exportCases()) {
    for (std::size_t t = 0; t < kDataTypeCount; ++t) {
      if (!item.types.contains(static_cast<DataType>(t))) continue;
      SCOPED_TRACE(item.name + " " + std::string(name(static_cast<DataType>(t))));
      Fixture f;
      std::vector<NamedOperand> outputs;
      for (const Operand& output : item.make(f, static_cast<DataType>(t)))
        outputs.emplace_back(std::to_string(outputs.size()), output);
      const Graph graph = f.builder.build(std::move(outputs));
      const Exported model =
          test::readExported(onnx::exportModel(*graph.state()->definition, {.target = onnxruntime::cudaTarget()}).proto);
      for (const ExportedNode& node : model.nodes) {
        const auto attribute = [&](const std::string& key) {
          const auto found = node.attributes.find(key);
          return found == node.attributes.end() ? std::string() : found->second;
        };
        EXPECT_TRUE(node.opType != "Tan" && node.opType != "LpPool") << node.opType;
        if (node.opType == "GRU" || node.opType == "LSTM") {
          EXPECT_EQ(attribute("activations").find("Relu"), std::string::npos);
        }
        if (node.opType == "GRU") {
          EXPECT_EQ(attribute("linear_before_reset"), "1");
        }
        if (node.opType == "ConvTranspose") {
          int top, left, bottom, right;
          ASSERT_EQ(std::sscanf(attribute("pads").c_str(), "[%d, %d, %d, %d]", &top, &left, &bottom, &right), 4);
          EXPECT_TRUE(top == bottom && left == right) << attribute("pads");
        }
      }
    }
  }
}

TEST(OnnxExport, ResamplesTheLastTwoDimensionsForCuda) {
  Fixture f;
  const Operand y =
      f.builder.resample2d(f.input({1, 2, 3, 4}), {.mode = InterpolationMode::linear, .scales = {2, 2}, .axes = {1, 2}});
  const auto definition = f.builder.build({{"y", y}}).state()->definition;
  const Strings forCuda{"Transpose", "Resize", "Transpose"}, forCpu{"Resize"};
  EXPECT_EQ(operatorsOf(test::readExported(onnx::exportModel(*definition, {.target = onnxruntime::cudaTarget()}).proto)),
            forCuda);
  EXPECT_EQ(operatorsOf(test::readExported(onnx::exportModel(*definition, {.target = onnxruntime::onnxruntimeTarget()}).proto)),
            forCpu);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
