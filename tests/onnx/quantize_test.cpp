// Tests quantization in ONNX: types, blocks and attributes that are missing in ONNX's own tests, and invalid ones.
#include "onnx/imported.h"
#include "onnx/malformed.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

std::int64_t number(Type type) { return type; }

TEST(OnnxQuantize, ScalesStandForAllAxesOrBlocks) {
  const Given x = inputOf(kInt8, {2, 3}, {1, 2, 3, -4, -5, -6});
  expectCases({
      {"scalar of one dimension", {"DequantizeLinear"}, {x, inputOf(kFloat, {1}, {0.5})}, {{0.5, 1, 1.5, -2, -2.5, -3}}, 10},
      {"columns",
       {"DequantizeLinear"},
       {x, inputOf(kFloat, {3}, {1, 2, 3}), inputOf(kInt8, {3}, {1, 1, 2})},
       {{0, 2, 3, -5, -12, -24}},
       13},
      {"rows", {"DequantizeLinear", {}, {}, {{"axis", -2}}}, {x, inputOf(kFloat, {2}, {1, 2})}, {{1, 2, 3, -8, -10, -12}}, 13},
      {"a vector has one dimension only",
       {"DequantizeLinear"},
       {inputOf(kUint8, {2}, {3, 4}), inputOf(kFloat, {2}, {1, 2}), inputOf(kUint8, {2}, {1, 5})},
       {{2, -2}},
       13},
      {"a scalar", {"QuantizeLinear"}, {inputOf(kFloat, {}, {2.5}), inputOf(kFloat, {}, {1})}, {{2}}, 13},
      {"whole blocks",
       {"DequantizeLinear", {}, {}, {{"axis", 0}, {"block_size", 2}}},
       {x, inputOf(kFloat, {1, 3}, {1, 2, 3}), inputOf(kInt8, {1, 3}, {0, 1, 0})},
       {{1, 2, 9, -4, -12, -18}}},
      {"a shorter last block",
       {"DequantizeLinear", {}, {}, {{"axis", 1}, {"block_size", 2}}},
       {x, inputOf(kFloat, {2, 2}, {1, 2, 3, 4}), inputOf(kInt8, {2, 2}, {0, 1, 0, -1})},
       {{1, 2, 4, -12, -15, -20}}},
      {"one block that is longer than the dimension",
       {"QuantizeLinear", {}, {}, {{"axis", 1}, {"block_size", 100}}},
       {inputOf(kFloat, {2, 2}, {1, 2, 3, 4}), inputOf(kFloat, {2, 1}, {1, 2})},
       {{1, 2, 2, 2}}},
  });
}

TEST(OnnxQuantize, TypesAreThoseThatAreAskedFor) {
  const Given half = constantOf(kFloat, {}, {0.5});
  expectCases({
      {"nibbles in blocks",
       {"DequantizeLinear", {}, {}, {{"axis", 1}, {"block_size", 2}}},
       {constantOf(kInt4, {1, 4}, {-8, 7, 1, 2}), constantOf(kFloat, {1, 2}, {0.5, 2}), constantOf(kInt4, {1, 2}, {-1, 2})},
       {{-3.5, 4, -2, 0}}},
      {"nibbles, the last block short",
       {"DequantizeLinear", {}, {}, {{"axis", 1}, {"block_size", 2}}},
       {constantOf(kUint4, {1, 3}, {15, 0, 9}), constantOf(kFloat, {1, 2}, {1, 2}), constantOf(kUint4, {1, 2}, {5, 8})},
       {{10, -5, 2}}},
      {"to nibbles",
       {"QuantizeLinear", {}, {}, {{"output_dtype", number(kInt4)}}},
       {inputOf(kFloat, {3}, {9, -9, 1}), half},
       {{7, -8, 2}}},
      {"16 bits",
       {"DequantizeLinear"},
       {constantOf(kInt16, {2}, {-32768, 5}), half, constantOf(kInt16, {}, {3})},
       {{-16385.5, 1}}},
      {"16 bits without a sign", {"DequantizeLinear"}, {constantOf(kUint16, {2}, {65535, 5}), half}, {{32767.5, 2.5}}},
      {"32 bits", {"DequantizeLinear"}, {inputOf(kInt32, {1}, {-1001}), half}, {{-500.5}}},
      {"integers quantized",
       {"QuantizeLinear"},
       {inputOf(kInt32, {3}, {3, 5, -1000}), half, constantOf(kInt8, {}, {1})},
       {{7, 11, -128}}},
      // The quotient 25.046875 / 0.1 is 250.47. If the scale were rounded to float16 (0.09997559), the quotient would be 250.53.
      {"the scale's precision",
       {"QuantizeLinear"},
       {inputOf(kFloat16, {1}, {25.046875}), inputOf(kFloat, {}, {0.1})},
       {{250}},
       23},
      {"a given precision",
       {"QuantizeLinear", {}, {}, {{"precision", number(kFloat16)}}},
       {inputOf(kFloat16, {1}, {25.046875}), inputOf(kFloat, {}, {0.1})},
       {{251}},
       23},
  });
  const auto typeOf = [](Node node, const std::vector<Given>& inputs) {
    return run(modelOf(std::move(node), inputs, 23))[0].descriptor.dataType;
  };
  EXPECT_EQ(typeOf({"DequantizeLinear"}, {inputOf(kInt8, {}, {1}), inputOf(kFloat16, {}, {1})}), DataType::float16);
  EXPECT_EQ(typeOf({"DequantizeLinear", {}, {}, {{"output_dtype", number(kFloat)}}},
                   {inputOf(kInt8, {}, {1}), inputOf(kFloat16, {}, {1})}),
            DataType::float32);
  EXPECT_EQ(typeOf({"QuantizeLinear"}, {inputOf(kFloat16, {}, {1}), inputOf(kFloat, {}, {1})}), DataType::uint8);
  EXPECT_EQ(typeOf({"QuantizeLinear", {}, {}, {{"output_dtype", number(kUint4)}}},
                   {inputOf(kFloat, {}, {1}), inputOf(kFloat, {}, {1})}),
            DataType::uint4);
}

TEST(OnnxQuantize, DynamicRangesIncludeZero) {
  expectCases({
      {"zeros", {"DynamicQuantizeLinear"}, {inputOf(kFloat, {2}, {0, 0})}, {{0, 0}, {1}, {0}}, 11},
      {"above", {"DynamicQuantizeLinear"}, {inputOf(kFloat, {2}, {51, 25})}, {{255, 125}, {0.2}, {0}}, 11},
      {"below", {"DynamicQuantizeLinear"}, {inputOf(kFloat, {2}, {-51, -25})}, {{0, 130}, {0.2}, {255}}, 11},
      {"around", {"DynamicQuantizeLinear"}, {inputOf(kFloat, {3}, {-17, 34, 0.1})}, {{0, 255, 85}, {0.2}, {85}}, 11},
  });
}

TEST(OnnxQuantize, AttributesThatMakeNoSenseAreErrors) {
  const Given x = inputOf(kInt8, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto blocks = [&](std::int64_t size, Dims dims) {
    std::int64_t count = 1;
    for (std::int64_t dimension : dims) count *= dimension;
    return modelOf({"DequantizeLinear", {}, {}, {{"block_size", size}}},
                   {x, inputOf(kFloat, dims, std::vector<double>(static_cast<std::size_t>(count), 1))});
  };
  expectMalformed({
      {blocks(2, {2, 3}), {"3 blocks of 2 elements do not fit a dimension of 3"}},
      {blocks(-1, {2, 3}), {"3 blocks of -1 elements"}},
      {blocks(std::int64_t{1} << 62, {2, 1}), {"(4611686018427387904) is not from 1 to"}},
      {modelOf({"QLinearConcat", {}, {}, {}, "com.microsoft"}, {inputOf(kFloat, {}, {1}), inputOf(kUint8, {}, {1}), x}),
       {"3 inputs are not two and three"}},
  });
}

TEST(OnnxQuantize, NamesUnsupportedFeatures) {
  const Given x = inputOf(kFloat, {2}, {1, 2}), scale = inputOf(kFloat, {}, {1});
  expectUnsupported({
      {{"QuantizeLinear", {}, {}, {{"output_dtype", number(kFloat8e4m3fn)}}}, {x, scale}, {"WebNN has no type float8e4m3fn"}},
      {{"QuantizeLinear"}, {x, scale, constantOf(kUint16, {}, {0})}, {"WebNN has no type uint16"}},
      {{"DequantizeLinear"}, {constantOf(kBfloat16, {1}, {0}), scale}, {"WebNN has no type bfloat16"}},
      {{"QuantizeLinear", {}, {}, {{"axis", 2}}},
       {inputOf(kFloat, {1, 2}, {1, 2}), inputOf(kFloat, {2}, {1, 2})},
       {"the axis (2)"},
       13},
      {{"DequantizeLinear"},
       {inputOf(kInt8, {2, 3}, {1, 2, 3, 4, 5, 6}), inputOf(kFloat, {2}, {1, 2})},
       {"blockwise broadcastable"},
       13},
      {{"DynamicQuantizeLSTM", {}, {}, {}, "com.microsoft"}, {x}, {"quantized while the network runs"}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
