// Tests operations that only rearrange elements (transpose, concat, slice, pad, ...), for every element size and for shapes with
// and without dimensions that can be merged.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// The list has one type of each element size. A pass unpacks int4.
constexpr DataType kTypes[] = {DataType::int8, DataType::float16, DataType::float32, DataType::int64};

void expectMoves(Fixture& f, const std::vector<Operand>& outputs) {
  expectCpuAgrees(f, outputs, {.low = -100, .high = 100, .relative = 0, .absolute = 0});
}

void expectTransposes(DataType type, const Shape& shape, const std::vector<std::uint32_t>& permutation) {
  SCOPED_TRACE(toString(OperandDescriptor{type, shape}) + " by " + toString(permutation));
  Fixture f;
  expectMoves(f, {f.builder.transpose(f.input(type, shape), {.permutation = permutation})});
}

TEST(CpuShape, TransposesMatricesOfAllSizes) {
  for (const DataType type : kTypes) {
    for (const Shape& shape : {Shape{1, 7},
                               {2, 9},
                               {3, 100},
                               {100, 3},
                               {4, 65},
                               {65, 4},
                               {131, 2},
                               {5, 6},
                               {16, 16},
                               {17, 33},
                               {64, 64},
                               {67, 70},
                               {15, 200},
                               {200, 15}}) {
      expectTransposes(type, shape, {1, 0});
    }
  }
}

TEST(CpuShape, TransposesManyDimensions) {
  for (const DataType type : kTypes) {
    expectTransposes(type, {2, 3, 9, 11}, {0, 2, 3, 1});
    expectTransposes(type, {2, 9, 11, 3}, {0, 3, 1, 2});
    expectTransposes(type, {1, 20, 13, 24}, {0, 3, 1, 2});
    expectTransposes(type, {1, 16, 5, 64}, {0, 2, 1, 3});
    expectTransposes(type, {7, 5, 2}, {1, 0, 2});
    expectTransposes(type, {7, 5, 3}, {1, 0, 2});
    expectTransposes(type, {3, 4, 5, 6, 7}, {4, 2, 0, 3, 1});
    expectTransposes(type, {2, 3, 2, 3, 2, 3, 2, 3}, {7, 5, 3, 1, 0, 2, 4, 6});
    expectTransposes(type, {2, 1, 3, 1, 4}, {4, 3, 2, 1, 0});
  }
}

TEST(CpuShape, TransposesLargeTensorsOnSeveralThreads) {
  for (const DataType type : kTypes) {
    expectTransposes(type, {3, 22001}, {1, 0});
    expectTransposes(type, {22001, 3}, {1, 0});
    expectTransposes(type, {2, 170, 171}, {0, 2, 1});
    expectTransposes(type, {10, 40, 50, 4}, {0, 2, 1, 3});
  }
}

TEST(CpuShape, JoinsAndSplitsAlongEveryAxis) {
  for (const DataType type : kTypes) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      Fixture f;
      std::vector<Operand> inputs;
      for (const std::uint32_t size : {3U, 1U, 8U}) {
        Shape shape{4, 5, 6};
        shape[axis] = size;
        inputs.push_back(f.input(type, shape));
      }
      std::vector<Operand> outputs = f.builder.split(f.input(type, {12, 24, 36}), 4U, {.axis = axis});
      for (const Operand& part : f.builder.split(inputs[2], std::vector<std::uint32_t>{1, 2, 5}, {.axis = axis}))
        outputs.push_back(part);
      outputs.push_back(f.builder.concat(inputs, axis));
      expectMoves(f, outputs);
    }
  }
}

TEST(CpuShape, JoinsChannelsOfLargeImages) {
  Fixture f;
  expectMoves(f, {f.builder.concat({f.input({1, 64, 65, 32}), f.input({1, 64, 65, 3})}, 3),
                  f.builder.concat({f.input({1, 7, 64, 65}), f.input({1, 5, 64, 65})}, 1)});
}

TEST(CpuShape, SlicesWithStrides) {
  for (const DataType type : kTypes) {
    Fixture f;
    const Operand x = f.input(type, {9, 10, 130});
    expectMoves(f,
                {f.builder.slice(x, {1, 2, 3}, {7, 5, 100}), f.builder.slice(x, {0, 0, 1}, {9, 10, 129}, {.strides = {1, 1, 2}}),
                 f.builder.slice(x, {1, 1, 0}, {8, 9, 130}, {.strides = {3, 2, 1}}),
                 f.builder.slice(x, {0, 3, 0}, {9, 1, 130}, {.strides = {2, 1, 7}}), f.builder.slice(x, {8, 9, 129}, {1, 1, 1})});
  }
}

TEST(CpuShape, ExpandsAndTiles) {
  for (const DataType type : kTypes) {
    Fixture f;
    expectMoves(f, {f.builder.expand(f.input(type, {}), {3, 50}), f.builder.expand(f.input(type, {5, 1}), {2, 5, 70}),
                    f.builder.expand(f.input(type, {1, 7}), {9, 7}), f.builder.expand(f.input(type, {3, 1, 5, 1}), {3, 4, 5, 6}),
                    f.builder.tile(f.input(type, {3, 5}), {2, 3}), f.builder.tile(f.input(type, {2, 1, 4}), {1, 40, 1}),
                    f.builder.tile(f.input(type, {2, 2, 2, 2, 2, 2, 2, 2}), {1, 2, 1, 2, 2, 1, 1, 2}),
                    f.builder.expand(f.input(type, {1, 200, 1}), {100, 200, 9})});
  }
}

TEST(CpuShape, ReversesAnyAxes) {
  for (const DataType type : kTypes) {
    Fixture f;
    const Operand x = f.input(type, {3, 4, 37});
    expectMoves(f, {f.builder.reverse(x), f.builder.reverse(x, {.axes = {2}}), f.builder.reverse(x, {.axes = {0}}),
                    f.builder.reverse(x, {.axes = {2, 1}}), f.builder.reverse(f.input(type, {1, 2, 1, 3}), {.axes = {0, 1}})});
  }
}

TEST(CpuShape, PadsInEveryMode) {
  for (const DataType type : kTypes) {
    Fixture f;
    std::vector<Operand> outputs;
    const Operand x = f.input(type, {2, 5, 6, 3}), y = f.input(type, {70});
    for (const PaddingMode mode : {PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection}) {
      const PadOptions options{.mode = mode, .value = 7};
      outputs.push_back(f.builder.pad(x, {0, 2, 1, 0}, {0, 1, 4, 0}, options));
      outputs.push_back(f.builder.pad(x, {1, 1, 2, 2}, {1, 0, 3, 1}, options));
      outputs.push_back(f.builder.pad(x, {0, 0, 0, 0}, {0, 0, 0, 0}, options));
      outputs.push_back(f.builder.pad(x, {0, 3, 0, 0}, {0, 0, 0, 0}, options));
      outputs.push_back(f.builder.pad(y, {3}, {66}, options));
    }
    outputs.push_back(f.builder.pad(f.input(type, {}), {}, {}));
    expectMoves(f, outputs);
  }
}

TEST(CpuShape, PadsWithTheValueOfEveryType) {
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int32, DataType::uint32, DataType::int64,
                              DataType::uint64, DataType::int8, DataType::uint8}) {
    Fixture f;
    const Operand x = f.input(type, {3});
    expectMoves(f, {f.builder.pad(x, {1}, {2}, {.value = 3}), f.builder.pad(x, {1}, {1}, {.value = -2.5}),
                    f.builder.pad(x, {1}, {1}, {.value = Number(~0ULL)})});
  }
}

TEST(CpuShape, KeepsTriangles) {
  for (const DataType type : kTypes) {
    for (const bool upper : {true, false}) {
      Fixture f;
      std::vector<Operand> outputs;
      for (const int diagonal : {0, 1, -2, 100, -100}) {
        outputs.push_back(f.builder.triangular(f.input(type, {2, 5, 7}), {.upper = upper, .diagonal = diagonal}));
        outputs.push_back(f.builder.triangular(f.input(type, {9, 4}), {.upper = upper, .diagonal = diagonal}));
      }
      expectMoves(f, outputs);
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
