// Tests matrix products of ONNX: cases that are missing in ONNX's own tests, and invalid ones.
#include "onnx/imported.h"
#include "onnx/malformed.h"
#include "onnx/sessions.h"
#include "onnx/shaped.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Ints = std::vector<std::int64_t>;

Node einsum(const char* equation) { return {"Einsum", {}, {}, {{"equation", equation}}}; }

TEST(OnnxMatmul, VectorsAreRowsOrColumns) {
  expectCases({
      {"both", {"MatMul"}, {counted({3}), counted({3})}, {{14}}},
      {"row", {"MatMul"}, {counted({2}), counted({2, 3})}, {{9, 12, 15}}},
      {"column", {"MatMul"}, {counted({2, 3}), counted({3})}, {{14, 32}}},
      {"row before matrices", {"MatMul"}, {counted({2}), counted({2, 2, 1})}, {{5, 11}}},
  });
  EXPECT_EQ(run(modelOf({"MatMul"}, {counted({3}), counted({3})}))[0].descriptor.shape, Shape{});
  EXPECT_EQ(run(modelOf({"MatMul"}, {counted({2}), counted({2, 2, 3})}))[0].descriptor.shape, (Shape{2, 3}));
  EXPECT_EQ(run(modelOf({"MatMul"}, {counted({4, 2, 3}), counted({3})}))[0].descriptor.shape, (Shape{4, 2}));
}

TEST(OnnxMatmul, IntegersAreExactAndWrap) {
  expectCases({
      {"wraps", {"MatMul"}, {inputOf(kInt32, {1, 2}, {1 << 30, 1}), inputOf(kInt32, {2, 1}, {2, 5})}, {{-2147483643.0}}, 13, 0},
      {"64 bits",
       {"MatMul"},
       {inputOf(kInt64, {1, 2}, {3037000500.0, 1}), inputOf(kInt64, {2, 1}, {2, 1})},
       {{6074001001.0}},
       13,
       0},
      {"unsigned, broadcast", {"MatMul"}, {counted({2, 1, 2}, kUint32), counted({2, 2}, kUint32)}, {{7, 10, 15, 22}}, 13, 0},
      {"gemm",
       {"Gemm", {}, {}, {{"alpha", 2.f}, {"beta", 3.f}, {"transA", 1}}},
       {counted({2, 2}, kInt32), counted({2, 1}, kInt32), inputOf(kInt32, {1}, {5})},
       {{29, 35}},
       13,
       0},
      // 5000 * 255 * 255 - 255 is odd and above 2^24, so it is not exact in float32.
      {"deep sums of bytes",
       {"MatMulInteger"},
       {inputOf(kUint8, {5000}, std::vector<double>(5000, 255)), inputOf(kUint8, {5000},
                                                                         [] {
                                                                           std::vector<double> v(5000, 255);
                                                                           v[7] = 254;
                                                                           return v;
                                                                         }())},
       {{325124745}},
       10,
       0},
      {"zero points of rows and columns",
       {"MatMulInteger"},
       {inputOf(kUint8, {2, 1}, {10, 20}), inputOf(kInt8, {1, 2}, {-3, 4}), inputOf(kUint8, {2}, {1, 22}),
        inputOf(kInt8, {2}, {-128, 4})},
       {{9 * 125, 0, -2 * 125, 0}},
       10,
       0},
      {"zero points of matrices",
       {"MatMulInteger"},
       {inputOf(kUint8, {2, 1, 1}, {10, 20}), inputOf(kUint8, {1, 1}, {3}), inputOf(kUint8, {2, 1, 1}, {1, 22})},
       {{27, -6}},
       10,
       0},
  });
}

// A product of uint8 [2, 20000] and int8 [20000, 3], or a batch of two such products. Prefix sums reach 3e8 and more, where
// float32 rounds to multiples of 32 or 64. In all columns but the last, the two halves of the sum nearly cancel.
struct DeepProduct {
  static constexpr std::int64_t kRows = 2, kDepth = 20000, kColumns = 3;
  std::int64_t batch = 1;
  std::vector<double> zeroPoints = {3};  // zero points of a: a single one, or one per row

  double a(std::int64_t row, std::int64_t k) const { return static_cast<double>(255 - (k + 7 * row) % 3); }
  double b(std::int64_t matrix, std::int64_t k, std::int64_t column) const {
    const auto noise = static_cast<double>((k * (column + 3) + matrix) % 7);
    return k < kDepth / 2 || column == kColumns - 1 ? 127 - noise : noise - 128;
  }

  Given left() const {
    std::vector<double> values;
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::int64_t k = 0; k < kDepth; ++k) values.push_back(a(row, k));
    }
    return inputOf(kUint8, {kRows, kDepth}, std::move(values));
  }

  Given right() const {
    std::vector<double> values;
    for (std::int64_t i = 0; i < batch * kDepth; ++i) {
      for (std::int64_t column = 0; column < kColumns; ++column) values.push_back(b(i / kDepth, i % kDepth, column));
    }
    return constantOf(kInt8, batch == 1 ? Dims{kDepth, kColumns} : Dims{batch, kDepth, kColumns}, std::move(values));
  }

  // Returns the exact sums, each rounded once to float32.
  std::vector<double> expected() const {
    std::vector<double> result;
    for (std::int64_t i = 0; i < batch * kRows * kColumns; ++i) {
      const std::int64_t matrix = i / (kRows * kColumns), row = i / kColumns % kRows, column = i % kColumns;
      const double zeroPoint = zeroPoints[zeroPoints.size() == 1 ? 0 : static_cast<std::size_t>(row)];
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < kDepth; ++k)
        sum += static_cast<std::int64_t>(a(row, k) - zeroPoint) * static_cast<std::int64_t>(b(matrix, k, column));
      result.push_back(static_cast<double>(static_cast<float>(sum)));
    }
    return result;
  }
};

// Dynamically quantized models cast integer products to float32. Only the first of these forms becomes an 8-bit GEMM.
TEST(OnnxMatmul, CastsOfIntegerProductsAreRoundedOnce) {
  const auto expectExact = [](const char* name, const DeepProduct& product, const Given& right) {
    SCOPED_TRACE(name);
    const Dims zeroPointDims = product.zeroPoints.size() == 1 ? Dims{} : Dims{DeepProduct::kRows};
    Runnable model = modelOf({"MatMulInteger"}, {product.left(), right, constantOf(kUint8, zeroPointDims, product.zeroPoints)});
    Graph& graph = model.model.graph;
    graph.nodes.push_back({"Cast", {"y0"}, {"cast"}, {{"to", std::int64_t{kFloat}}}});
    graph.outputs = {{"cast"}};
    EXPECT_EQ(run(model, "cpu")[0].values, product.expected());
  };
  const DeepProduct plain, rows{1, {1, 64}}, batch{2};
  Given changing = plain.right();
  changing.isConstant = false;
  expectExact("8-bit GEMM", plain, plain.right());
  expectExact("a zero point for each row of a", rows, rows.right());
  expectExact("b has a batch dimension", batch, batch.right());
  expectExact("b is not constant", plain, changing);
}

TEST(OnnxMatmul, GemmBroadcastsC) {
  const Given a = counted({2, 2}), b = counted({2, 2});  // their product is 7, 10, 15, 22
  expectCases({
      {"none", {"Gemm"}, {a, b}, {{7, 10, 15, 22}}, 11},
      {"scalar", {"Gemm"}, {a, b, inputOf(kFloat, {}, {1})}, {{8, 11, 16, 23}}, 7},
      {"row", {"Gemm"}, {a, b, inputOf(kFloat, {2}, {1, 2})}, {{8, 12, 16, 24}}, 9},
      {"column", {"Gemm", {}, {}, {{"beta", -1.f}}}, {a, b, inputOf(kFloat, {2, 1}, {1, 2})}, {{6, 9, 13, 20}}},
      {"both transposed", {"Gemm", {}, {}, {{"transA", 1}, {"transB", 1}, {"alpha", 0.5f}}}, {a, b}, {{3.5, 7.5, 5, 11}}},
  });
}

// The expected values are from NumPy's einsum of 1, 2, 3, ..., and by hand for forms that NumPy does not accept.
TEST(OnnxMatmul, EinsumTakesEveryForm) {
  expectCases({
      {"product", einsum("ij,jk->ik"), {counted({2, 3}), counted({3, 2})}, {{22, 28, 49, 64}}},
      {"implicit", einsum("ij , jk"), {counted({2, 3}), counted({3, 2})}, {{22, 28, 49, 64}}},
      {"implicit order", einsum("ba"), {counted({2, 3})}, {{1, 4, 2, 5, 3, 6}}},
      {"upper case first", einsum("aB"), {counted({2, 3})}, {{1, 4, 2, 5, 3, 6}}},
      {"sum of one", einsum("ijk->j"), {counted({2, 2, 2})}, {{14, 22}}},
      {"all", einsum("ij,ij->"), {counted({2, 2}), counted({2, 2})}, {{30}}},
      {"outer", einsum("i,j->ji"), {counted({2}), counted({3})}, {{1, 2, 2, 4, 3, 6}}},
      {"element-wise", einsum("ij,ij->ij"), {counted({2, 2}), counted({2, 2})}, {{1, 4, 9, 16}}},
      {"trace", einsum("ii"), {counted({3, 3})}, {{15}}},
      {"diagonal", einsum("ii->i"), {counted({3, 3})}, {{1, 5, 9}}},
      {"diagonal of three", einsum("iii->i"), {counted({2, 2, 2})}, {{1, 8}}},
      {"diagonals of many", einsum("...ii->...i"), {counted({2, 2, 2})}, {{1, 4, 5, 8}}},
      {"one dimension", einsum("ii->i"), {counted({1, 1})}, {{1}}},
      {"ellipsis", einsum("...ij,...jk->...ik"), {counted({2, 1, 2}), counted({2, 2, 1})}, {{5, 25}}},
      {"ellipses of other ranks", einsum("...ij,jk"), {counted({2, 1, 2}), counted({2, 1})}, {{5, 11}}},
      {"ellipses broadcast", einsum("...i,...i->..."), {counted({2, 1, 2}), counted({2, 2})}, {{5, 11, 11, 25}}},
      {"ellipsis summed", einsum("...i->i"), {counted({2, 2})}, {{4, 6}}},
      {"attention", einsum("bqhd,bkhd->bhqk"), {counted({1, 2, 2, 1}), counted({1, 2, 2, 1})}, {{1, 3, 3, 9, 4, 8, 8, 16}}},
      {"three terms", einsum("i,ij,j->"), {counted({2}), counted({2, 2}), counted({2})}, {{1 * 5 + 2 * 11}}},
      {"scalars", einsum(",i->i"), {inputOf(kFloat, {}, {3}), counted({2})}, {{3, 6}}},
      {"integers", einsum("ij,jk->ki"), {counted({2, 2}, kInt32), counted({2, 2}, kInt32)}, {{7, 15, 10, 22}}, 12, 0},
      {"bytes wrap", einsum("i->"), {inputOf(kInt8, {3}, {100, 100, 100})}, {{44}}, 12, 0},
  });
}

TEST(OnnxMatmul, PackedBlocksAreRead) {
  // The bytes hold two rows of the transposed matrix as nibbles: 1, 2, ..., 15, 0, and all 8. The scales are 0.5 and 2, the zero
  // points 8 and 7.
  std::vector<double> bytes;
  for (int i = 1; i < 16; i += 2) bytes.push_back(i | ((i + 1) % 16) << 4);
  bytes.insert(bytes.end(), 8, 0x88);
  std::vector<double> x(16);
  x[0] = 1;
  x[14] = 10;
  const auto node = [](std::int64_t blockSize, std::int64_t k = 16) {
    return Node{"MatMulNBits", {}, {}, {{"K", k}, {"N", 2}, {"bits", 4}, {"block_size", blockSize}}, "com.microsoft"};
  };
  const Given packedBytes = constantOf(kUint8, {2, 1, 8}, bytes), scale = constantOf(kFloat, {2}, {0.5, 2}),
              a = inputOf(kFloat, {1, 16}, x);
  expectCases({
      {"no zero points", node(16), {a, packedBytes, scale}, {{0.5 * (-7 + 70), 0}}},
      {"zero points", node(16), {a, packedBytes, scale, constantOf(kUint8, {2, 1}, {8, 7})}, {{0.5 * (-7 + 70), 22}}},
      {"fractions", node(16), {a, packedBytes, scale, constantOf(kFloat, {2, 1}, {0.5, 7.5})}, {{0.5 * (0.5 + 145), 11}}},
      {"a bias and a short block",
       node(16, 1),
       {inputOf(kFloat, {1}, {2}), packedBytes, scale, {}, {}, inputOf(kFloat, {2}, {3, 4})},
       {{-4, 4}}},
  });
  expectMalformed({
      {modelOf(node(15), {a, packedBytes, scale}), {"block_size (15) is not a power of 2"}},
      {modelOf(node(32), {a, packedBytes, scale}), {"has 16 bytes, not 2 rows of 16"}},
      {modelOf(node(16, std::int64_t{1} << 40), {a, packedBytes, scale}), {"K (1099511627776) is not from 1 to"}},
      {modelOf(node(16, -1), {a, packedBytes, scale}), {"K (-1) is not from 1 to"}},
      {modelOf(node(16), {a, packedBytes, scale, constantOf(kUint8, {3}, {8, 7, 0})}), {"has 3 bytes, not 2 rows of 1"}},
  });
  expectUnsupported({
      {node(16), {a, inputOf(kUint8, {2, 1, 8}, bytes), scale}, {"that are not a constant"}},
      {node(16), {a, packedBytes, scale, {}, constantOf(kInt32, {16}, x)}, {"an index of groups"}},
  });
}

// The weights stay constants although the host converts the other inputs, whose type WebNN lacks.
TEST(OnnxMatmul, TakesPackedBlocksWithInputsOfDouble) {
  const std::vector<std::byte> bytes(16, std::byte{0x99});
  std::vector<double> a(16, 2.0);
  for (const char* opType : {"MatMulNBits", "MatMulBnb4"}) {
    for (const bool hasDoubleScales : {false, true}) {
      SCOPED_TRACE(opType);
      const bool isBnb4 = opType == std::string("MatMulBnb4");
      Graph graph;
      std::vector<Attribute> attributes{{"K", 16}, {"N", 2}, {"block_size", 16}};
      attributes.push_back(isBnb4 ? Attribute{"quant_type", 0} : Attribute{"bits", 4});
      graph.nodes = {{opType, {"a", "packed", "scales"}, {"y"}, attributes, "com.microsoft", "product"}};
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      graph.initializers = {
          rawTensor("packed", kUint8, isBnb4 ? Dims{16} : Dims{2, 1, 8}, std::string(text)),
          hasDoubleScales ? tensor("scales", {2}, std::vector<double>{3, 6}) : tensor("scales", {2}, std::vector<float>{3, 6})};
      graph.inputs = {{"a", kDouble, {{1, 16}}}};
      graph.outputs = {{"y", kDouble}};
      const Array y = sessionOf(graph).run({{"a", ArrayView(a, {1, 16})}}).at("y");
      const std::vector<double> results = elementsOf<double>(y);
      ASSERT_EQ(results.size(), 2u);
      const double element = isBnb4 ? -0.0052083333 : 1;  // number 9 of the table, or 9 - 8
      EXPECT_NEAR(results[0], 16 * 2 * 3 * element, 1e-6);
      EXPECT_NEAR(results[1], 16 * 2 * 6 * element, 1e-6);
    }
  }
}

TEST(OnnxMatmul, SaysOnceWhyItRefusesAProduct) {
  const auto messageOf = [](Node node, std::vector<ValueInfo> inputs) {
    Graph graph;
    for (const ValueInfo& input : inputs) node.inputs.push_back(input.name);
    node.outputs = {"y"};
    node.name = "product";
    graph.nodes = {std::move(node)};
    graph.inputs = std::move(inputs);
    graph.outputs = {{"y"}};
    std::string message;
    const Session session = sessionOf(graph);
    std::vector<double> zeros(16);
    const std::vector<std::uint8_t> bytes(16);
    EXPECT_EQ(kindOf(
                  [&] {
                    session.run({{"a", ArrayView(zeros, {1, 16})}, {"b", ArrayView(bytes, {16, 1})}});
                  },
                  &message),
              ErrorKind::notSupportedError);
    return message;
  };
  const std::vector<ValueInfo> inputs{{"a", kDouble, {{1, 16}}}, {"b", kUint8, {{16, 1}}}};
  EXPECT_EQ(messageOf({"MatMulInteger", {}, {}}, inputs),
            "node \"product\" (MatMulInteger): its inputs are of double and uint8, not of int8 or uint8.");
  EXPECT_EQ(
      messageOf({"FusedMatMul", {}, {}, {}, "com.microsoft"}, inputs),
      "WebNN cannot express:\n  node \"product\" (com.microsoft.FusedMatMul, opset 1): matmul: b data type (uint8) is not that "
      "of a (float32). The host had converted the elements of type double to float.");
}

TEST(OnnxMatmul, RejectsMalformedProducts) {
  const Given matrix = counted({2, 2});
  expectMalformed({
      {modelOf({"MatMul"}, {inputOf(kFloat, {}, {1}), matrix}), {"has no dimensions"}},
      {modelOf({"MatMul"}, {counted({2, 3}, kInt32), counted({1, 2}, kInt32)}), {"columns of a (3)", "rows of b (1)"}},
      {modelOf(einsum("ij,jk->ik"), {matrix}), {"the equation has 2 terms, and there are 1 inputs"}},
      {modelOf(einsum("ijk->i"), {matrix}), {"the term \"ijk\"", "rank 2"}},
      {modelOf(einsum("ijk...->i"), {matrix}), {"the term \"ijk...\""}},
      {modelOf(einsum("i.j->i"), {counted({2, 2, 2})}), {"\"i.j\"", "neither letters nor one ellipsis"}},
      {modelOf(einsum("ij->k"), {matrix}), {"one that no term has"}},
      {modelOf(einsum("ij->ii"), {matrix}), {"a letter twice"}},
      {modelOf(einsum("ij,jk->ik"), {matrix, counted({3, 2})}), {"the sizes 2 and 3"}},
      {modelOf(einsum("ii->i"), {counted({2, 3})}), {"the sizes 2 and 3"}},
      {modelOf(einsum(""), {matrix}), {"rank 2"}},
  });
}

TEST(OnnxMatmul, NamesUnsupportedFeatures) {
  const Given whole = counted({2, 2}, kInt32);
  expectUnsupported({
      {{"MatMul"}, {counted({2, 3}), counted({2, 3})}, {"columns of a (3) are not equal to rows of b (2)"}},
      {{"Gemm", {}, {}, {{"alpha", 0.5f}}}, {whole, whole}, {"0.5", "gemm takes floats only"}},
      {{"MatMulInteger"}, {whole, whole}, {"integers of type int32"}, 10},
      {{"MatMulInteger"},
       {inputOf(kUint8, {1, 65537}, {}), inputOf(kUint8, {65537, 1}, {})},
       {"sums of 65537 integer products"},
       10},
      {{"FusedMatMulActivation", {}, {}, {{"activation", "Gelu"}}, "com.microsoft"},
       {counted({2, 2}), counted({2, 2})},
       {"no activation \"Gelu\""}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
