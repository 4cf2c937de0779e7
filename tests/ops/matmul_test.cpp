// Tests validation (the steps of the specification that throw), and the shapes and types of results.
// tests/reference/matmul_test.cpp tests the values.
#include "ops/matmul.h"

#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;
using test::Fixture;

void expectMatmulRejected(std::vector<std::string> parts, Shape a, Shape b) {
  Fixture f;
  parts.push_back("matmul \"scores\": ");
  expectTypeError(parts, [&] { f.builder.matmul(f.input(std::move(a)), f.input(std::move(b)), {.label = "scores"}); });
}

TEST(Matmul, RejectsOperandsOfAnotherTypeOrBuilder) {
  Fixture f, other;
  for (DataType type : {DataType::int32, DataType::uint32, DataType::int64, DataType::uint64, DataType::int8, DataType::uint8}) {
    const Operand operand = f.input(type, {2, 2});
    expectTypeError({"matmul: a data type (" + std::string(name(type)) + ") is not one of float32, float16."},
                    [&] { f.builder.matmul(operand, operand); });
  }
  expectTypeError({"matmul: b data type (float16) is not that of a (float32)."}, [&] {
    f.builder.matmul(f.input({2, 2}), f.input(DataType::float16, {2, 2}));
  });
  expectTypeError({"matmul: a "}, [&] { f.builder.matmul(other.input({2, 2}), f.input({2, 2})); });
  expectTypeError({"matmul: b "}, [&] { f.builder.matmul(f.input({2, 2}), other.input({2, 2})); });
}

TEST(Matmul, RejectsACallAfterBuild) {
  Fixture f;
  const Operand a = f.input({2, 2});
  f.builder.build({{"output", f.builder.matmul(a, a)}});
  expectError(ErrorKind::invalidStateError, {"matmul"}, [&] { f.builder.matmul(a, a); });
}

TEST(Matmul, RejectsScalarsAndVectors) {
  expectMatmulRejected({"a rank (1) is not between 2 and 8."}, {2}, {2, 2});
  expectMatmulRejected({"b rank (1) is not between 2 and 8."}, {2, 2}, {2});
  expectMatmulRejected({"a rank (0)"}, {}, {2, 2});
  expectMatmulRejected({"b rank (0)"}, {2, 2}, {});
}

TEST(Matmul, RejectsInnerDimensionsThatDiffer) {
  expectMatmulRejected({"columns of a (3) are not equal to rows of b (2)."}, {2, 3}, {2, 3});
  // A dimension of 1 is not broadcast here.
  expectMatmulRejected({"columns of a (1) are not equal to rows of b (3)."}, {2, 1}, {3, 2});
  expectMatmulRejected({"columns of a (4) are not equal to rows of b (5)."}, {7, 3, 4}, {7, 5, 4});
}

TEST(Matmul, RejectsBatchesThatAreNotBroadcastable) {
  expectMatmulRejected({"Incompatible shapes: a batch shape [2] and b batch shape [3] are not bidirectionally broadcastable."},
                       {2, 2, 2}, {3, 2, 2});
  expectMatmulRejected({"Incompatible shapes: a batch shape [4, 2] and b batch shape [4]"}, {4, 2, 2, 2}, {4, 2, 2});
}

TEST(Matmul, RejectsAnOutputThatIsTooLarge) {
  expectMatmulRejected({"the number of elements"}, {65536, 1}, {1, 32768});
  expectMatmulRejected({"the number of elements"}, {65536, 1, 1, 1}, {65536, 1, 1});
}

TEST(Matmul, LeavesTheBuilderUsableAfterARejectedCall) {
  Fixture f;
  const Operand a = f.input({2, 3}), b = f.input({3, 2});
  expectTypeError({"columns"}, [&] { f.builder.matmul(a, a); });
  EXPECT_NO_THROW(f.builder.build({{"output", f.builder.matmul(a, b)}}));
}

TEST(Matmul, BroadcastsTheLeadingDimensions) {
  struct Case {
    Shape a, b, output;
  };
  const Case cases[] = {
      {{2, 3}, {3, 4}, {2, 4}},
      {{1, 1}, {1, 1}, {1, 1}},
      {{5, 2, 3}, {3, 4}, {5, 2, 4}},
      {{2, 3}, {5, 3, 4}, {5, 2, 4}},
      {{5, 1, 2, 3}, {6, 3, 4}, {5, 6, 2, 4}},
      {{1, 6, 2, 3}, {5, 1, 3, 4}, {5, 6, 2, 4}},
      {{1, 2, 1, 5, 1, 1, 2, 3}, {1, 3, 1, 6, 1, 3, 4}, {1, 2, 3, 5, 6, 1, 2, 4}},
      {{2, 1, 2, 1, 2, 1, 1, 7}, {7, 1}, {2, 1, 2, 1, 2, 1, 1, 1}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(toString(c.a) + " " + toString(c.b));
    Fixture f;
    EXPECT_EQ(f.builder.matmul(f.input(DataType::float16, c.a), f.input(DataType::float16, c.b)).descriptor(),
              (OperandDescriptor{DataType::float16, c.output}));
  }
}

void expectGemmRejected(std::vector<std::string> parts, Shape a, Shape b, GemmOptions options) {
  Fixture f;
  parts.push_back("gemm \"dense\": ");
  options.label = "dense";
  expectTypeError(parts, [&] { f.builder.gemm(f.input(std::move(a)), f.input(std::move(b)), std::move(options)); });
}

TEST(Gemm, RejectsOperandsOfAnotherTypeOrBuilder) {
  Fixture f, other;
  const Operand a = f.input({2, 2}), half = f.input(DataType::float16, {2, 2}), foreign = other.input({2, 2});
  expectTypeError({"gemm: a data type (int8) is not one of float32, float16."}, [&] {
    f.builder.gemm(f.input(DataType::int8, {2, 2}), f.input(DataType::int8, {2, 2}));
  });
  expectTypeError({"gemm: b data type (float16) is not that of a (float32)."}, [&] { f.builder.gemm(a, half); });
  expectTypeError({"gemm: c data type (float16) is not that of a (float32)."}, [&] { f.builder.gemm(a, a, {.c = half}); });
  expectTypeError({"gemm: a "}, [&] { f.builder.gemm(foreign, a); });
  expectTypeError({"gemm: b "}, [&] { f.builder.gemm(a, foreign); });
  expectTypeError({"gemm: c "}, [&] { f.builder.gemm(a, a, {.c = foreign}); });
}

TEST(Gemm, RejectsACallAfterBuild) {
  Fixture f;
  const Operand a = f.input({2, 2});
  f.builder.build({{"output", f.builder.gemm(a, a)}});
  expectError(ErrorKind::invalidStateError, {"gemm"}, [&] { f.builder.gemm(a, a); });
}

TEST(Gemm, RejectsOtherRanks) {
  Fixture f;
  expectGemmRejected({"a rank (3) is not 2."}, {1, 2, 2}, {2, 2}, {});
  expectGemmRejected({"b rank (1) is not 2."}, {2, 2}, {2}, {});
  expectTypeError({"gemm: c rank (3) is not between 0 and 2."}, [&] {
    f.builder.gemm(f.input({2, 2}), f.input({2, 2}), {.c = f.input({1, 2, 2})});
  });
}

TEST(Gemm, RejectsInnerDimensionsThatDiffer) {
  expectGemmRejected({"columns of a (3) are not equal to rows of b (2)."}, {2, 3}, {2, 3}, {});
  expectGemmRejected({"columns of a, transposed, (2) are not equal to rows of b (3)."}, {2, 3}, {3, 2}, {.aTranspose = true});
  expectGemmRejected({"columns of a (3) are not equal to rows of b, transposed, (2)."}, {2, 3}, {3, 2}, {.bTranspose = true});
  expectGemmRejected({"columns of a, transposed, (2) are not equal to rows of b, transposed, (3)."}, {2, 3}, {2, 3},
                     {.aTranspose = true, .bTranspose = true});
}

TEST(Gemm, RejectsACThatIsNotUnidirectionallyBroadcastable) {
  Fixture f;
  const Operand a = f.input({2, 3}), b = f.input({3, 4});
  for (const Shape& shape : {Shape{3}, Shape{2}, Shape{2, 3}, Shape{4, 2}, Shape{3, 4}, Shape{4, 1}, Shape{2, 2}}) {
    expectTypeError({"gemm: c shape " + toString(shape) + " is not unidirectionally broadcastable to [2, 4]."},
                    [&] { f.builder.gemm(a, b, {.c = f.input(shape)}); });
  }
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{4}, Shape{1, 1}, Shape{1, 4}, Shape{2, 1}, Shape{2, 4}}) {
    EXPECT_EQ(f.builder.gemm(a, b, {.c = f.input(shape)}).shape(), (Shape{2, 4}));
  }
  // The output is not broadcast to the shape of c.
  expectTypeError({"c shape [5, 4]"}, [&] { f.builder.gemm(f.input({1, 3}), b, {.c = f.input({5, 4})}); });
}

TEST(Gemm, RejectsAnOutputThatIsTooLarge) { expectGemmRejected({"the number of elements"}, {65536, 1}, {1, 32768}, {}); }

TEST(Gemm, LeavesTheBuilderUsableAfterARejectedCall) {
  Fixture f;
  const Operand a = f.input({2, 3});
  expectTypeError({"columns"}, [&] { f.builder.gemm(a, a); });
  EXPECT_NO_THROW(f.builder.build({{"output", f.builder.gemm(a, a, {.bTranspose = true})}}));
}

TEST(Gemm, TransposesTheShapes) {
  Fixture f;
  const auto shapeOf = [&](Shape a, Shape b, bool aTranspose, bool bTranspose) {
    return f.builder
        .gemm(f.input(DataType::float16, a), f.input(DataType::float16, b), {.aTranspose = aTranspose, .bTranspose = bTranspose})
        .descriptor();
  };
  const OperandDescriptor expected{DataType::float16, {2, 4}};
  EXPECT_EQ(shapeOf({2, 3}, {3, 4}, false, false), expected);
  EXPECT_EQ(shapeOf({3, 2}, {3, 4}, true, false), expected);
  EXPECT_EQ(shapeOf({2, 3}, {4, 3}, false, true), expected);
  EXPECT_EQ(shapeOf({3, 2}, {4, 3}, true, true), expected);
}

TEST(Gemm, CastsAlphaAndBetaToTheTypeOfA) {
  Fixture f;
  const auto resolve = [&](DataType type) {
    ops::Gemm op{f.input(type, {2, 2}), f.input(type, {2, 2}), {.alpha = 0.1, .beta = 1e6}};
    const ops::Outputs outputs = ops::infer(op);
    const double alpha = op.options.alpha, beta = op.options.beta;
    EXPECT_EQ(ops::infer(op), outputs);
    EXPECT_EQ(op.options.alpha, alpha);
    EXPECT_EQ(op.options.beta, beta);
    return std::pair{alpha, beta};
  };
  EXPECT_EQ(resolve(DataType::float32), (std::pair<double, double>{0.1f, 1e6}));
  // 0.1 is between 1638 / 2^14 and 1639 / 2^14, and nearer to the former. 1e6 exceeds 65504.
  EXPECT_EQ(resolve(DataType::float16), (std::pair{1638 / 16384.0, std::numeric_limits<double>::infinity()}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
