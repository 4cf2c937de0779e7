// Tests reductions of ONNX: versions, integers, empty sets and cumulative products.
#include <limits>

#include "onnx/shaped.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
using Ints = std::vector<std::int64_t>;

TEST(OnnxReduce, TakesAxesFromWhereTheVersionHasThem) {
  const Given x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<Attribute> rows{{"axes", Ints{-1}}}, flat{{"keepdims", 0}}, noop{{"noop_with_empty_axes", 1}};
  expectShaped({
      {"attribute of a sum", {"ReduceSum", {}, {}, rows}, {x}, {2, 1}, {6, 15}, 12},
      {"input of a sum", {"ReduceSum"}, {x, int64s({0})}, {1, 3}, {5, 7, 9}, 13},
      {"attribute of a maximum", {"ReduceMax", {}, {}, rows}, {x}, {2, 1}, {3, 6}, 17},
      {"input of a maximum", {"ReduceMax", {}, {}, flat}, {x, int64s({0})}, {3}, {4, 5, 6}, 18},
      {"all", {"ReduceProd", {}, {}, flat}, {x}, {}, {720}, 7},
      {"empty axes are all", {"ReduceMean"}, {x, int64s({})}, {1, 1}, {3.5}, 18},
      {"or none", {"ReduceMean", {}, {}, noop}, {x, int64s({})}, {2, 3}, {1, 2, 3, 4, 5, 6}, 18},
      {"none, squared", {"ReduceSumSquare", {}, {}, noop}, {x}, {2, 3}, {1, 4, 9, 16, 25, 36}, 18},
  });
}

TEST(OnnxReduce, KeepsIntegersExact) {
  constexpr double kBig = 0x1p60;
  expectShaped({
      {"means truncate", {"ReduceMean"}, {inputOf(kInt32, {2}, {-4, -3})}, {1}, {-3}},
      {"means do not overflow", {"ReduceMean"}, {inputOf(kInt32, {2}, {2147483647, 2147483645})}, {1}, {2147483646}},
      {"unsigned means", {"ReduceMean"}, {inputOf(kUint64, {2}, {kBig * 15, kBig})}, {1}, {0}},
      {"sums", {"ReduceSum"}, {inputOf(kInt64, {3}, {kBig, 1024, -kBig})}, {1}, {1024}},
      {"maxima of bytes", {"ReduceMax"}, {inputOf(kUint8, {3}, {1, 200, 3})}, {1}, {200}},
      {"any", {"ReduceMax"}, {inputOf(kBool, {2, 2}, {0, 1, 0, 0}), int64s({1})}, {2, 1}, {1, 0}, 20},
      {"squares", {"ReduceSumSquare"}, {inputOf(kInt32, {2}, {-3, 4})}, {1}, {25}},
  });
}

// The result is computed in real numbers and then truncated, as in ONNX Runtime.
TEST(OnnxReduce, CutsFractionsOfIntegers) {
  const auto along = [](const char* opType, Type type, std::vector<double> values, std::vector<double> expected) {
    const auto rows = static_cast<std::int64_t>(expected.size()), columns = static_cast<std::int64_t>(values.size()) / rows;
    return ShapedCase{opType,
                      {opType},
                      {inputOf(type, {rows, columns}, std::move(values)), int64s({1})},
                      {static_cast<std::uint32_t>(rows), 1},
                      std::move(expected)};
  };
  expectShaped({
      along("ReduceL2", kInt32, {3, 4, -3, 4, 1, 1, 0, 0}, {5, 5, 1, 0}),
      along("ReduceL2", kInt64, {0x1p30, 0x1p30, 94906266, 0}, {1518500249, 94906266}),
      along("ReduceL2", kUint32, {4294967295, 0}, {4294967295}),
      along("ReduceLogSum", kInt32, {20, 0, 21, 0, 1, 1, 1, 0}, {2, 3, 0, 0}),
      along("ReduceLogSum", kInt32, {-1, 1}, {-2147483648.0}),
      along("ReduceLogSumExp", kInt32, {1, 1, -5, -5, 7, 2}, {1, -4, 7}),
      along("ReduceLogSumExp", kInt64, {-0x1p62, 0x1p62}, {0x1p62}),
      along("ReduceLogSumExp", kUint32, {4000000000, 3999999999}, {4000000000}),
  });
}

TEST(OnnxReduce, ReducesEmptyTensors) {
  const auto nothing = [](const char* opType, Type type, double expected) {
    return ShapedCase{opType, {opType}, {constantOf(type, {2, 0}, {}), int64s({1})}, {2, 1}, {expected, expected}, 20};
  };
  expectShaped({
      nothing("ReduceSum", kFloat, 0),
      nothing("ReduceL1", kFloat, 0),
      nothing("ReduceL2", kFloat, 0),
      nothing("ReduceSumSquare", kInt32, 0),
      nothing("ReduceProd", kFloat, 1),
      nothing("ReduceLogSum", kFloat, -kInfinity),
      nothing("ReduceLogSumExp", kFloat, -kInfinity),
      nothing("ReduceMax", kFloat, -kInfinity),
      nothing("ReduceMin", kFloat, kInfinity),
      nothing("ReduceMax", kInt32, -2147483648.0),
      nothing("ReduceMin", kUint8, 255),
      nothing("ReduceMax", kBool, 0),
      nothing("ReduceMin", kBool, 1),
      nothing("ReduceMean", kFloat, kNaN),
      {"no dimension is left", {"ReduceSum", {}, {}, {{"keepdims", 0}}}, {constantOf(kFloat, {0, 3}, {})}, {}, {0}},
  });
}

TEST(OnnxReduce, FindsTheFirstOrTheLastExtreme) {
  const Given x = floats({2, 3}, {5, 1, 5, 2, 2, 0});
  expectShaped({
      {"first", {"ArgMax", {}, {}, {{"axis", -1}}}, {x}, {2, 1}, {0, 0}, 11},
      {"last", {"ArgMax", {}, {}, {{"axis", 1}, {"select_last_index", 1}, {"keepdims", 0}}}, {x}, {2}, {2, 1}, 12},
      {"last smallest", {"ArgMin", {}, {}, {{"select_last_index", 1}}}, {counted({2, 1})}, {1, 1}, {0}, 13},
  });
}

TEST(OnnxReduce, RunsSumsAndProductsEitherWay) {
  const Given axis = constantOf(kInt64, {}, {-1});
  const std::vector<Attribute> exclusive{{"exclusive", 1}}, reverse{{"reverse", 1}}, both{{"exclusive", 1}, {"reverse", 1}};
  expectShaped({
      {"sum", {"CumSum", {}, {}, both}, {counted({3}), axis}, {3}, {5, 3, 0}, 11},
      {"product", {"CumProd"}, {floats({5}, {1, 2, 3, -4, 5}), axis}, {5}, {1, 2, 6, -24, -120}, 26},
      {"exclusive", {"CumProd", {}, {}, exclusive}, {floats({2, 3}, {2, 3, 4, 5, 0, 7}), axis}, {2, 3}, {1, 2, 6, 1, 5, 0}, 26},
      {"reverse",
       {"CumProd", {}, {}, reverse},
       {floats({3, 1}, {2, 3, 4}), constantOf(kInt32, {}, {0})},
       {3, 1},
       {24, 12, 4},
       26},
      {"both", {"CumProd", {}, {}, both}, {counted({4}), axis}, {4}, {24, 12, 4, 1}, 26},
      {"of one", {"CumProd", {}, {}, exclusive}, {floats({1}, {7}), axis}, {1}, {1}, 26},
      {"that wraps", {"CumProd"}, {inputOf(kInt32, {3}, {65536, 65536, 3}), axis}, {3}, {65536, 0, 0}, 26},
  });
}

TEST(OnnxReduce, RefusesMalformedNodes) {
  const Given x = counted({2, 3});
  expectMalformedNodes({
      {{"CumSum"}, {x, int64s({0, 1})}, {"the axis has 2 elements"}},
      {{"ReduceSum"}, {x, int64s({0, -2})}, {"an axis is repeated"}},
      {{"ReduceMax", {}, {}, {{"keepdims", 1.0f}}}, {x}, {"\"keepdims\"", "wrong type"}},
  });
  expectUnsupported({
      {{"ReduceSum"}, {x, int64s({2})}, {"the axis (2)", "rank 2"}},
      {{"ReduceSum"}, {x, inputOf(kInt64, {1}, {0})}, {"\"x1\"", "must be known"}},
      {{"CumSum"}, {x, int64s({-0x1p63})}, {"the axis (-9223372036854775808)"}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
