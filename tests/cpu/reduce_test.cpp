// Tests reductions, argMin, argMax and cumulative sums of every kind and type, over first, middle, last, several and no axes.
#include "ops/reduce.h"

#include <algorithm>
#include <limits>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Reducer = Operand (GraphBuilder::*)(Operand, ReduceOptions);
constexpr Reducer kAnyReducers[] = {&GraphBuilder::reduceMax, &GraphBuilder::reduceMin};
constexpr Reducer kWideReducers[] = {&GraphBuilder::reduceL1, &GraphBuilder::reduceProduct, &GraphBuilder::reduceSum,
                                     &GraphBuilder::reduceSumSquare};
constexpr Reducer kFloatReducers[] = {&GraphBuilder::reduceL2, &GraphBuilder::reduceLogSum, &GraphBuilder::reduceLogSumExp,
                                      &GraphBuilder::reduceMean};
constexpr DataType kTypes[] = {DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                               DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};

std::vector<Reducer> reducersOf(DataType type) {
  std::vector<Reducer> reducers(std::begin(kAnyReducers), std::end(kAnyReducers));
  if (bitsPerElement(type) > 8) reducers.insert(reducers.end(), std::begin(kWideReducers), std::end(kWideReducers));
  if (isFloat(type)) reducers.insert(reducers.end(), std::begin(kFloatReducers), std::end(kFloatReducers));
  return reducers;
}

void expectReduces(DataType type, const Shape& shape, const std::vector<std::uint32_t>& axes, CpuCase options = {}) {
  SCOPED_TRACE(toString(OperandDescriptor{type, shape}) + " over " + toString(axes));
  Fixture f;
  std::vector<Operand> outputs;
  const Operand x = f.input(type, shape);
  for (const Reducer reducer : reducersOf(type)) {
    outputs.push_back((f.builder.*reducer)(x, {.axes = axes, .keepDimensions = outputs.size() % 2 == 0}));
  }
  expectCpuAgrees(f, outputs, options);
}

TEST(CpuReduce, ReducesEveryTypeOverAnyAxes) {
  for (const DataType type : kTypes) {
    for (const CpuCase& options : {CpuCase{.low = 0.25, .high = 2}, CpuCase{.low = -3, .high = 3, .absolute = 2e-5}}) {
      if (type == DataType::float16 && options.low < 0) continue;
      expectReduces(type, {}, {}, options);
      expectReduces(type, {5, 7}, {}, options);
      expectReduces(type, {37}, {0}, options);
      expectReduces(type, {6, 19}, {1}, options);
      expectReduces(type, {19, 6}, {0}, options);
      expectReduces(type, {3, 5, 35}, {1}, options);
      expectReduces(type, {3, 5, 3}, {1}, options);
      expectReduces(type, {3, 4, 5, 6}, {0, 2, 3}, options);
      expectReduces(type, {3, 4, 5, 6}, {3, 1}, options);
      expectReduces(type, {2, 3, 2, 1, 3, 2, 1, 2}, {0, 2, 3, 5, 7}, options);
    }
  }
}

TEST(CpuReduce, ReducesLargeTensors) {
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int32, DataType::int64}) {
    const CpuCase options{.low = 0.5, .high = 1.5, .relative = 2e-6};
    expectReduces(type, {2, 70001}, {1}, options);
    expectReduces(type, {1, 50, 60, 33}, {1, 2}, options);
    expectReduces(type, {3000, 9}, {0}, options);
    expectReduces(type, {40, 3, 500}, {2}, options);
    expectReduces(type, {3, 2000, 2}, {0, 1}, options);
  }
}

TEST(CpuReduce, ReducesShortRows) {
  for (std::uint32_t size = 2; size <= 17; ++size) {
    for (const std::uint32_t rows : {1U, 7U, 16U, 65U, 300U, 9001U})
      expectReduces(DataType::float32, {rows, size}, {1}, {.low = 0.25, .high = 2, .seed = rows});
    Fixture f;
    const Operand x = f.input({70, size});
    std::vector<Operand> outputs;
    for (const Reducer reducer : {&GraphBuilder::reduceMax, &GraphBuilder::reduceMin})
      outputs.push_back((f.builder.*reducer)(x, {.axes = {1}, .keepDimensions = false}));
    expectCpuAgrees(f, outputs, {.seed = size, .specials = true});
    // Elements are NaN, infinite, or so large that partial sums exceed the range of float32.
    std::vector<Number> numbers(70 * size, 3e38);
    for (std::size_t row = 0; row < 60; ++row) {
      for (std::size_t i = size / 2; i < size; ++i) numbers[row * size + i] = row % 2 == 0 ? -3e38 : -2.5e38;
    }
    numbers[5 * size] = std::numeric_limits<double>::infinity();
    numbers[6 * size + 1] = std::numeric_limits<double>::quiet_NaN();
    Fixture g;
    const Operand y = g.input({70, size});
    outputs.clear();
    for (const Reducer reducer : {&GraphBuilder::reduceSum, &GraphBuilder::reduceMean, &GraphBuilder::reduceL1})
      outputs.push_back((g.builder.*reducer)(y, {.axes = {1}, .keepDimensions = false}));
    expectCpuAgrees(g, outputs, {.absolute = 1e32, .inputs = {{"input0", numbers}}});
  }
}

TEST(CpuReduce, ReducesLongRowsAndColumnsOfIntegers) {
  for (const DataType type : {DataType::int8, DataType::uint8, DataType::int32, DataType::uint32, DataType::int64}) {
    for (const std::uint32_t size : {63U, 64U, 65U, 255U, 257U, 512U, 513U, 514U, 1500U}) {
      const CpuCase options{.low = -150, .high = 255, .seed = size};
      expectReduces(type, {2, size}, {1}, options);
      expectReduces(type, {3, size}, {0}, options);
      expectReduces(type, {2, 7, size}, {1}, options);
      expectReduces(type, {size, 3}, {0}, options);
    }
    expectReduces(type, {600001}, {0}, {.low = -150, .high = 255});
    expectReduces(type, {1100, 300}, {0}, {.low = -150, .high = 255});
  }
}

// Does not test sums, in which the largest numbers would cancel the small ones; SumsNanAndInfinity does.
TEST(CpuReduce, KeepsNanAndInfinity) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (std::uint32_t seed = 1; seed < 6; ++seed) {
      Fixture f;
      std::vector<Operand> outputs;
      for (const Shape& shape : {Shape{40, 3}, {3, 40}, {9, 67}}) {
        const Operand x = f.input(type, shape);
        for (const std::uint32_t axis : {0U, 1U}) {
          for (const Reducer reducer : {&GraphBuilder::reduceMax, &GraphBuilder::reduceMin, &GraphBuilder::reduceLogSumExp}) {
            outputs.push_back((f.builder.*reducer)(x, {.axes = {axis}}));
          }
        }
      }
      expectCpuAgrees(f, outputs, {.seed = seed, .specials = true, .relative = 4e-6});
    }
  }
}

TEST(CpuReduce, SumsNanAndInfinity) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const std::vector<double>& some :
         {std::vector<double>{infinity}, {-infinity}, {nan}, {infinity, -infinity}, {nan, infinity}}) {
      std::vector<Number> numbers(4 * 37, 0.5);
      for (std::size_t i = 0; i < some.size(); ++i) numbers[37 + 5 * i] = some[i];
      expectReduces(type, {4, 37}, {1}, {.inputs = {{"input0", numbers}}});
      expectReduces(type, {37, 4}, {0}, {.inputs = {{"input0", numbers}}});
    }
  }
}

TEST(CpuReduce, DoesNotOverflowOnTheWay) {
  const CpuCase options{.low = -3e30, .high = 3e30, .absolute = 1e24};
  Fixture f;
  const Operand x = f.input({5, 33});
  expectCpuAgrees(f,
                  {f.builder.reduceL2(x, {.axes = {0}}), f.builder.reduceL2(x, {.axes = {1}}),
                   f.builder.reduceSum(f.builder.concat({f.constant({1, 3}, {3e38, 3e38, -3e38}), f.input({1, 1})}, 1))},
                  options);
}

TEST(CpuReduce, MultipliesRowsOfAnyMagnitude) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::uint32_t size : {1U, 15U, 16U, 31U, 63U, 64U, 65U, 127U, 200U}) {
    Fixture f;
    std::vector<Number> numbers(7 * std::size_t{size});
    for (std::size_t i = 0; i < size; ++i) {
      const double x = 0.9 + static_cast<double>(i * 37 % 101) / 500;
      numbers[i] = i % 3 == 0 ? -x : x;
      numbers[size + i] = i % 2 == 0 ? 1e38 : 1e-38;          // products of every second number overflow or underflow
      numbers[2 * size + i] = i % 32 < 16 ? 1e-44 : 0.99e38;  // partial products are denormal in double
      numbers[3 * size + i] = i == size / 2 ? 0 : -x;
      numbers[4 * size + i] = i == size / 3 ? nan : x;
      numbers[5 * size + i] = i == size - 1 ? -infinity : x;
      numbers[6 * size + i] = i == size - 1 ? -infinity : i == 0 ? 0 : x;
    }
    const Operand x = f.input({7, size});
    expectCpuAgrees(f,
                    {f.builder.reduceProduct(x, {.axes = {1}}), f.builder.reduceProduct(f.builder.transpose(x), {.axes = {0}})},
                    {.relative = 1e-6, .inputs = {{"input0", numbers}}});
  }
}

TEST(CpuReduce, FindsTheFirstExtreme) {
  for (const DataType type : kTypes) {
    for (const bool specials : {false, true}) {
      for (const DataType outputType : {DataType::int32, DataType::int64}) {
        Fixture f;
        std::vector<Operand> outputs;
        for (const Shape& shape : {Shape{37}, {3, 5, 41}, {2, 70, 3}, {1, 2, 1}, {4000, 2}}) {
          const Operand x = f.input(type, shape);
          for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
            const ArgMinMaxOptions options{.keepDimensions = axis == 1, .outputDataType = outputType};
            outputs.push_back(f.builder.argMin(x, axis, options));
            outputs.push_back(f.builder.argMax(x, axis, options));
          }
        }
        expectCpuAgrees(f, outputs, {.low = -3, .high = 3, .specials = specials});
      }
    }
  }
}

TEST(CpuReduce, FindsTheFirstOfEqualFloats) {
  Fixture f;
  const Operand x = f.builder.cast(f.input(DataType::int32, {9, 50}), DataType::float32);
  expectCpuAgrees(f, {f.builder.argMax(x, 0), f.builder.argMax(x, 1), f.builder.argMin(x, 0), f.builder.argMin(x, 1)});
}

TEST(CpuReduce, SumsUp) {
  for (const DataType type : kTypes) {
    if (bitsPerElement(type) == 8) continue;
    Fixture f;
    std::vector<Operand> outputs;
    for (const Shape& shape : {Shape{37}, {3, 5, 7}, {4, 3, 100}, {2, 9, 130}}) {
      for (std::uint32_t axis = 0; axis < shape.size(); ++axis) {
        for (const bool exclusive : {false, true}) {
          for (const bool reversed : {false, true}) {
            outputs.push_back(
                f.builder.cumulativeSum(f.input(type, shape), axis, {.exclusive = exclusive, .reversed = reversed}));
          }
        }
      }
    }
    expectCpuAgrees(f, outputs, {.low = -100, .high = 100});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
