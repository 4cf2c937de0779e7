// Runs networks and every data type through the bridge, and compares with values that this file computes itself.
#include <algorithm>
#include <cmath>

#include "rustnn_bridge/bridge_support.h"

namespace bridge {
namespace {

// Returns values that are small multiples of 1/4, so that sums and products are exact.
std::vector<float> quarters(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 24) % 33 - 16) / 4;
  }
  return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t rows, std::size_t inner,
                           std::size_t columns) {
  std::vector<float> result(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < inner; ++k) result[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return result;
}

TEST(Graphs, MultilayerPerceptron) {
  const auto w1 = quarters(3 * 8, 1), b1 = quarters(8, 2), w2 = quarters(8 * 2, 3), b2 = quarters(2, 4), x = quarters(5 * 3, 5);
  GraphInfo info;
  const auto in = info.input("pixels", "float32", {5, 3});
  const auto product1 = info.result("", "float32", {5, 8}), sum1 = info.result("", "float32", {5, 8});
  const auto hidden = info.result("", "float32", {5, 8}), product2 = info.result("", "float32", {5, 2});
  const auto logits = info.result("logits", "float32", {5, 2}), classes = info.result("classes", "float32", {5, 2});
  info.operation("matmul", {in, info.constant("float32", {3, 8}, bytesOf(w1))}, {product1});
  info.operation("add", {product1, info.constant("float32", {8}, bytesOf(b1))}, {sum1});
  info.operation("relu", {sum1}, {hidden});
  info.operation("matmul", {hidden, info.constant("float32", {8, 2}, bytesOf(w2))}, {product2});
  info.operation("add", {product2, info.constant("float32", {2}, bytesOf(b2))}, {logits});
  info.operation("softmax", {logits}, {classes}, "{\"axis\": 1}");
  info.output(logits);
  info.output(classes);

  const Context context = makeContext();
  const Graph graph = build(context, info.json());
  const Tensor input = makeTensor(context, RustnnDataType_Float32, {5, 3}, false, true);
  const Tensor logitsTensor = makeTensor(context, RustnnDataType_Float32, {5, 2}, true, false);
  const Tensor classesTensor = makeTensor(context, RustnnDataType_Float32, {5, 2}, true, false);
  write(context, input, bytesOf(x));
  const RustnnNamedTensor inputs[] = {{"pixels", input.get()}};
  const RustnnNamedTensor outputs[] = {{"classes", classesTensor.get()}, {"logits", logitsTensor.get()}};  // in any order
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 2));

  std::vector<float> layer = product(x, w1, 5, 3, 8);
  for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = std::max(layer[i] + b1[i % 8], 0.0f);
  std::vector<float> expected = product(layer, w2, 5, 8, 2);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += b2[i % 2];
  EXPECT_EQ(valuesOf<float>(read(context, logitsTensor, 40)), expected);
  const auto probabilities = valuesOf<float>(read(context, classesTensor, 40));
  for (std::size_t i = 0; i < 10; ++i) {
    const double first = expected[i / 2 * 2], second = expected[i / 2 * 2 + 1];
    EXPECT_NEAR(probabilities[i], 1 / (1 + std::exp(i % 2 == 0 ? second - first : first - second)), 1e-6) << i;
  }
}

// Convolves [2, height, width] by [filters, 2, 3, 3], with a padding of 1 and strides of 2.
std::vector<float> convolved(const std::vector<float>& x, const std::vector<float>& w, const std::vector<float>& bias, int height,
                             int width) {
  std::vector<float> y;
  for (int f = 0; f < static_cast<int>(bias.size()); ++f)
    for (int row = 0; row < height; row += 2)
      for (int column = 0; column < width; column += 2) {
        float sum = bias[f];
        for (int c = 0; c < 2; ++c)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              const int r = row + i - 1, k = column + j - 1;
              if (r >= 0 && r < height && k >= 0 && k < width)
                sum += x[(c * height + r) * width + k] * w[((f * 2 + c) * 3 + i) * 3 + j];
            }
        y.push_back(sum);
      }
  return y;
}

TEST(Graphs, ConvolutionInWebnnGraphJson) {
  const auto x = quarters(2 * 5 * 7, 6), w = quarters(3 * 2 * 3 * 3, 7), bias = quarters(3, 8);
  const std::string json =
      R"({"format": "webnn-graph-json", "version": 2, "name": "conv",
          "inputs": {"x": {"dataType": "float32", "shape": [1, 2, 5, 7]}},
          "consts": {"w": {"dataType": "float32", "shape": [3, 2, 3, 3], "init": {"kind": "inlineBytes", "bytes": )" +
      listOf(bytesOf(w)) + R"(}}, "b": {"dataType": "float32", "shape": [3], "init": {"kind": "inlineBytes", "bytes": )" +
      listOf(bytesOf(bias)) + R"(}}},
          "nodes": [{"id": "y", "op": "conv2d", "inputs": ["x", "w"],
                     "options": {"bias": "b", "padding": [1, 1, 1, 1], "strides": [2, 2]}}],
          "outputs": {"y": "y"}})";
  const Context context = makeContext();
  const Graph graph = build(context, json);
  const Tensor input = makeTensor(context, RustnnDataType_Float32, {1, 2, 5, 7});
  const Tensor output = makeTensor(context, RustnnDataType_Float32, {1, 3, 3, 4});
  write(context, input, bytesOf(x));
  const RustnnNamedTensor inputs[] = {{"x", input.get()}}, outputs[] = {{"y", output.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  EXPECT_EQ(valuesOf<float>(read(context, output, 3 * 3 * 4 * 4)), convolved(x, w, bias, 5, 7));
}

TEST(Graphs, ConvolutionInGraphInfo) {
  const auto x = quarters(2 * 6 * 6, 9), w = quarters(4 * 2 * 3 * 3, 10), bias = quarters(4, 11);
  GraphInfo info;
  const auto in = info.input("x", "float32", {1, 2, 6, 6});
  const auto filter = info.constant("float32", {4, 2, 3, 3}, bytesOf(w)), b = info.constant("float32", {4}, bytesOf(bias));
  const auto y = info.result("y", "float32", {1, 4, 3, 3});
  info.operation("conv2d", {in, filter}, {y},
                 "{\"bias\": " + std::to_string(b) + ", \"padding\": [1, 1, 1, 1], \"strides\": [2, 2]}");
  info.output(y);
  const Context context = makeContext();
  const Graph graph = build(context, info.json());
  const Tensor input = makeTensor(context, RustnnDataType_Float32, {1, 2, 6, 6});
  const Tensor output = makeTensor(context, RustnnDataType_Float32, {1, 4, 3, 3});
  write(context, input, bytesOf(x));
  const RustnnNamedTensor inputs[] = {{"x", input.get()}}, outputs[] = {{"y", output.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  EXPECT_EQ(valuesOf<float>(read(context, output, 4 * 9 * 4)), convolved(x, w, bias, 6, 6));
}

struct Type {
  const char* name;
  RustnnDataType type;
  std::size_t bits;
};

class DataTypes : public testing::TestWithParam<Type> {};

// concat([x, c]) moves bytes, so the expected bytes do not depend on the meaning of the type.
TEST_P(DataTypes, BytesOfInputsAndConstantsArrive) {
  const std::size_t half = 4 * GetParam().bits / 8;
  Bytes x(half), c(half);
  for (std::size_t i = 0; i < half; ++i) {
    x[i] = static_cast<unsigned char>(0x12 + 17 * i);
    c[i] = static_cast<unsigned char>(0x35 + 11 * i);
  }
  GraphInfo info;
  const auto in = info.input("x", GetParam().name, {4});
  const auto y = info.result("y", GetParam().name, {8});
  info.operation("concat", {in, info.constant(GetParam().name, {4}, c)}, {y}, "{\"axis\": 0}");
  info.output(y);
  const Context context = makeContext();
  const Graph graph = build(context, info.json());
  const Tensor input = makeTensor(context, GetParam().type, {4});
  const Tensor output = makeTensor(context, GetParam().type, {8});
  write(context, input, x);
  const RustnnNamedTensor inputs[] = {{"x", input.get()}}, outputs[] = {{"y", output.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  Bytes expected = x;
  expected.insert(expected.end(), c.begin(), c.end());
  EXPECT_EQ(read(context, output, 2 * half), expected);
}

INSTANTIATE_TEST_SUITE_P(All, DataTypes,
                         testing::Values(Type{"float32", RustnnDataType_Float32, 32}, Type{"float16", RustnnDataType_Float16, 16},
                                         Type{"int32", RustnnDataType_Int32, 32}, Type{"uint32", RustnnDataType_Uint32, 32},
                                         Type{"int64", RustnnDataType_Int64, 64}, Type{"uint64", RustnnDataType_Uint64, 64},
                                         Type{"int8", RustnnDataType_Int8, 8}, Type{"uint8", RustnnDataType_Uint8, 8},
                                         Type{"int4", RustnnDataType_Int4, 4}, Type{"uint4", RustnnDataType_Uint4, 4}),
                         [](const testing::TestParamInfo<Type>& test) { return std::string(test.param.name); });

// Casts a constant of each type to float32, so that the meaning of the bytes is checked, too.
TEST(Graphs, ConstantsOfEachTypeHaveTheirValues) {
  struct Case {
    const char* type;
    Bytes bytes;
    std::vector<float> values;
  };
  const std::vector<Case> cases = {
      {"float16", {0x00, 0x3C, 0x00, 0xC1}, {1, -2.5f}},
      {"int32", bytesOf<std::int32_t>({-7, 1 << 20}), {-7, 1048576}},
      {"uint32", bytesOf<std::uint32_t>({3, 0x80000000u}), {3, 2147483648.0f}},
      {"int64", bytesOf<std::int64_t>({-5, std::int64_t{1} << 40}), {-5, 1099511627776.0f}},
      {"uint64", bytesOf<std::uint64_t>({9, std::uint64_t{1} << 63}), {9, 9223372036854775808.0f}},
      {"int8", {0x80, 0x7F}, {-128, 127}},
      {"uint8", {0x80, 0xFF}, {128, 255}},
  };
  const Context context = makeContext();
  for (const Case& test : cases) {
    SCOPED_TRACE(test.type);
    GraphInfo info;
    const auto x = info.input("x", "float32", {2});
    const auto cast = info.result("", "float32", {2}), y = info.result("y", "float32", {2});
    info.operation("cast", {info.constant(test.type, {2}, test.bytes)}, {cast}, "{\"to\": \"float32\"}");
    info.operation("add", {x, cast}, {y});
    info.output(y);
    const Graph graph = build(context, info.json());
    const Tensor input = makeTensor(context, RustnnDataType_Float32, {2}),
                 output = makeTensor(context, RustnnDataType_Float32, {2});
    const RustnnNamedTensor inputs[] = {{"x", input.get()}}, outputs[] = {{"y", output.get()}};
    expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));  // x is 0, because nothing wrote it
    EXPECT_EQ(valuesOf<float>(read(context, output, 8)), test.values);
  }
}

TEST(Graphs, FourBitConstantsAreDequantized) {
  GraphInfo info;
  const auto x = info.input("x", "float32", {4});
  const auto signedValues = info.constant("int4", {4}, {0x81, 0x7F});     // 1, -8, -1, 7
  const auto unsignedValues = info.constant("uint4", {4}, {0x81, 0x7F});  // 1, 8, 15, 7
  const auto scale = info.constant("float32", {4}, bytesOf<float>({0.5f, 0.5f, 0.5f, 0.5f}));
  const auto zero = info.constant("int4", {4}, {0, 0}), three = info.constant("uint4", {4}, {0x33, 0x33});
  const auto a = info.result("", "float32", {4}), b = info.result("", "float32", {4});
  const auto sum = info.result("", "float32", {4}), y = info.result("y", "float32", {4});
  info.operation("dequantizeLinear", {signedValues, scale, zero}, {a});
  info.operation("dequantizeLinear", {unsignedValues, scale, three}, {b});
  info.operation("add", {x, a}, {sum});
  info.operation("mul", {sum, b}, {y});
  info.output(y);
  const Context context = makeContext();
  const Graph graph = build(context, info.json());
  const Tensor input = makeTensor(context, RustnnDataType_Float32, {4}),
               output = makeTensor(context, RustnnDataType_Float32, {4});
  write(context, input, bytesOf<float>({1, 2, 3, 4}));
  const RustnnNamedTensor inputs[] = {{"x", input.get()}}, outputs[] = {{"y", output.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 1, outputs, 1));
  const std::vector<float> expected = {1.5f * -1, -2 * 2.5f, 2.5f * 6, 7.5f * 2};
  EXPECT_EQ(valuesOf<float>(read(context, output, 16)), expected);
}

TEST(Graphs, OperationsMayHaveSeveralResultsAndScalars) {
  GraphInfo info;
  const auto x = info.input("x", "int32", {5}), s = info.input("s", "int32", {});
  const auto first = info.result("first", "int32", {2}), rest = info.result("", "int32", {3});
  const auto sum = info.result("sum", "int32", {3});
  info.operation("split", {x}, {first, rest}, "{\"splits\": [2, 3], \"axis\": 0}");
  info.operation("add", {rest, s}, {sum});
  info.output(first);
  info.output(sum);
  const Context context = makeContext();
  const Graph graph = build(context, info.json());
  const Tensor vector = makeTensor(context, RustnnDataType_Int32, {5}), scalar = makeTensor(context, RustnnDataType_Int32, {});
  const Tensor two = makeTensor(context, RustnnDataType_Int32, {2}), three = makeTensor(context, RustnnDataType_Int32, {3});
  write(context, vector, bytesOf<std::int32_t>({1, 2, 3, 4, 5}));
  write(context, scalar, bytesOf<std::int32_t>({10}));
  const RustnnNamedTensor inputs[] = {{"s", scalar.get()}, {"x", vector.get()}};
  const RustnnNamedTensor outputs[] = {{"first", two.get()}, {"sum", three.get()}};
  expectSuccess(rustnn_graph_compute(context.get(), graph.get(), inputs, 2, outputs, 2));
  EXPECT_EQ(valuesOf<std::int32_t>(read(context, two, 8)), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(valuesOf<std::int32_t>(read(context, three, 12)), (std::vector<std::int32_t>{13, 14, 15}));
}

// Runs a graph repeatedly: the output tensor of each run is the input of the next, without a read in between.
TEST(Graphs, RunsOfOneContextAreOrdered) {
  const Context context = makeContext();
  const Graph plusOne = build(context, reluJson({1, 1, 1, 1}));
  const Tensor a = makeTensor(context, RustnnDataType_Float32, {4}), b = makeTensor(context, RustnnDataType_Float32, {4});
  for (int i = 0; i < 50; ++i) {
    const RustnnNamedTensor from[] = {{"x", i % 2 == 0 ? a.get() : b.get()}}, to[] = {{"y", i % 2 == 0 ? b.get() : a.get()}};
    expectSuccess(rustnn_graph_compute(context.get(), plusOne.get(), from, 1, to, 1));
  }
  EXPECT_EQ(valuesOf<float>(read(context, a, 16)), (std::vector<float>{50, 50, 50, 50}));
}

}  // namespace
}  // namespace bridge
