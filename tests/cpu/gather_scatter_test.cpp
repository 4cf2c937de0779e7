// Tests operations that move elements by indices. Indices have every type, and may be negative, out of range or repeated.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr DataType kTypes[] = {DataType::int8, DataType::float16, DataType::float32, DataType::uint64};
constexpr DataType kIndexTypes[] = {DataType::int32, DataType::uint32, DataType::int64};

// Expects exact results for random indices between `low` and `high`, which may lie outside small dimensions on both sides.
void expectMoves(Fixture& f, const std::vector<Operand>& outputs, double low = -9, double high = 9) {
  expectCpuAgrees(f, outputs, {.low = low, .high = high, .relative = 0, .absolute = 0});
}

TEST(CpuGatherScatter, GathersAlongEveryAxis) {
  for (const DataType type : kTypes) {
    for (const DataType indexType : kIndexTypes) {
      Fixture f;
      std::vector<Operand> outputs;
      const Operand x = f.input(type, {5, 6, 7}), indices = f.input(indexType, {2, 3}), one = f.input(indexType, {});
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        outputs.push_back(f.builder.gather(x, indices, {.axis = axis}));
        outputs.push_back(f.builder.gather(x, one, {.axis = axis}));
      }
      outputs.push_back(f.builder.gather(f.input(type, {9}), f.input(indexType, {700})));
      expectMoves(f, outputs, indexType == DataType::uint32 ? 0 : -9);
    }
  }
}

TEST(CpuGatherScatter, GathersRowsOfATable) {
  Fixture f;
  const Operand table = f.input({100, 385}), indices = f.constant(DataType::int64, {5}, {0, 99, -1, 7, 7});
  expectMoves(f, {f.builder.gather(table, indices), f.builder.gather(table, f.input(DataType::int32, {3, 401}))}, -120, 120);
}

// The dimension before the axis is large. Threads divide the pairs of a position in this dimension and an index, so that two
// threads may share a position.
TEST(CpuGatherScatter, GathersFromManyParts) {
  for (const DataType type : kTypes) {
    Fixture f;
    std::vector<Operand> outputs;
    const Operand x = f.input(type, {9001, 5}), wide = f.input(type, {701, 3, 2});
    for (const Shape& shape : {Shape{}, {1}, {3}, {255}, {256}, {257}}) {
      outputs.push_back(f.builder.gather(x, f.input(DataType::int64, shape), {.axis = 1}));
      outputs.push_back(f.builder.gather(wide, f.input(DataType::int32, shape), {.axis = 1}));
    }
    expectMoves(f, outputs);
  }
}

TEST(CpuGatherScatter, GathersElements) {
  for (const DataType type : kTypes) {
    for (const DataType indexType : kIndexTypes) {
      Fixture f;
      std::vector<Operand> outputs;
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        Shape shape{4, 5, 6};
        shape[axis] = 9;
        outputs.push_back(f.builder.gatherElements(f.input(type, {4, 5, 6}), f.input(indexType, shape), {.axis = axis}));
      }
      outputs.push_back(f.builder.gatherElements(f.input(type, {9, 1000}), f.input(indexType, {3, 1000}), {.axis = 0}));
      outputs.push_back(f.builder.gatherElements(f.input(type, {2, 9}), f.input(indexType, {2, 20000}), {.axis = 1}));
      expectMoves(f, outputs, indexType == DataType::uint32 ? 0 : -9);
    }
  }
}

TEST(CpuGatherScatter, GathersAtCoordinates) {
  for (const DataType type : kTypes) {
    for (const DataType indexType : kIndexTypes) {
      Fixture f;
      std::vector<Operand> outputs;
      const Operand x = f.input(type, {4, 5, 6});
      for (const Shape& shape : {Shape{1}, {2}, {3}, {7, 1}, {7, 2}, {2, 301, 3}}) {
        outputs.push_back(f.builder.gatherND(x, f.input(indexType, shape)));
      }
      expectMoves(f, outputs, indexType == DataType::uint32 ? 0 : -9);
    }
  }
}

TEST(CpuGatherScatter, ScattersElementsSoThatTheLastStays) {
  for (const DataType type : kTypes) {
    for (const DataType indexType : kIndexTypes) {
      Fixture f;
      std::vector<Operand> outputs;
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        Shape shape{4, 5, 6};
        shape[axis] = 9;
        const Operand x = f.input(type, {4, 5, 6}), indices = f.input(indexType, shape), updates = f.input(type, shape);
        outputs.push_back(f.builder.scatterElements(x, indices, updates, {.axis = axis}));
      }
      outputs.push_back(
          f.builder.scatterElements(f.input(type, {9, 1000}), f.input(indexType, {30, 1000}), f.input(type, {30, 1000})));
      outputs.push_back(
          f.builder.scatterElements(f.input(type, {2, 9}), f.input(indexType, {2, 9000}), f.input(type, {2, 9000}), {.axis = 1}));
      expectMoves(f, outputs, indexType == DataType::uint32 ? 0 : -9);
    }
  }
}

TEST(CpuGatherScatter, ScattersAtCoordinatesSoThatTheLastStays) {
  for (const DataType type : kTypes) {
    for (const DataType indexType : kIndexTypes) {
      Fixture f;
      std::vector<Operand> outputs;
      const auto scatter = [&](const Shape& shape, const Shape& indices, const Shape& updates) {
        outputs.push_back(f.builder.scatterND(f.input(type, shape), f.input(indexType, indices), f.input(type, updates)));
      };
      scatter({4, 5, 6}, {1}, {5, 6});
      scatter({4, 5, 6}, {3}, {});
      scatter({4, 5, 6}, {7, 2}, {7, 6});
      scatter({4, 5, 6}, {2, 301, 3}, {2, 301});
      scatter({3, 5000}, {8, 1}, {8, 5000});
      expectMoves(f, outputs, indexType == DataType::uint32 ? 0 : -9);
    }
  }
}

TEST(CpuGatherScatter, ScattersOverAnIntermediateThatIsReadAgain) {
  Fixture f;
  const Operand x = f.builder.reverse(f.input({6, 10})), indices = f.input(DataType::int32, {4, 1});
  const Operand updates = f.builder.slice(x, {0, 0}, {4, 10});
  const Operand y = f.builder.scatterND(x, indices, updates);
  const Operand z = f.builder.scatterElements(y, f.constant(DataType::int32, {1, 10}, {3}), f.builder.slice(y, {1, 0}, {1, 10}));
  expectMoves(f, {f.builder.reverse(z), f.builder.scatterND(x, indices, updates)});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
