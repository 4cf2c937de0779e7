// Tests sums of gathered rows (pass recogniseGatherSums): gathers, products with weights and sums become one step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "context/graph_state.h"
#include "cpu/dice.h"
#include "cpu/pass_support.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Axes = std::vector<std::uint32_t>;

ReduceOptions along(Axes axes, bool keepDimensions = false) {
  return {.axes = std::move(axes), .keepDimensions = keepDimensions};
}

std::string operationsOf(Fixture& f, const Operand& output) {
  return operationsAfter(f, {output}, {cpu::canonicalize, cpu::eliminateDeadCode, cpu::recogniseGatherSums});
}

// Expects that the sum is one operation, besides reshapes and concatenations of its indices and weights, and that the engine
// computes it like the reference backend.
template <typename Make>
void expectSum(Make make, const CpuCase& options = {.low = -9, .high = 9, .absolute = 2e-5}) {
  Fixture f;
  const std::string operations = operationsOf(f, make(f));
  EXPECT_TRUE(operations.ends_with("gatherSum")) << operations;
  for (const char* part : {"mul", "where", "reduce", "add", "gather ", "gatherElements"})
    EXPECT_EQ(operations.find(part), std::string::npos) << operations;
  Fixture g;
  expectCpuAgrees(g, {make(g)}, options);
}

TEST(GatherSum, TakesWeightsOfOnePixelEach) {
  for (const std::uint32_t channels : {1U, 2U, 7U, 16U, 17U, 64U, 100U, 1030U}) {
    expectSum([&](Fixture& f) {  // as the importer of GridSample writes it
      const Operand rows = f.builder.gather(f.input({9, channels}), f.input(DataType::int32, {2, 4, 5}));
      return f.builder.reduceSum(f.builder.mul(rows, f.input({2, 4, 5, 1})), along({1}));
    });
  }
}

TEST(GatherSum, TakesMasks) {
  for (const std::uint32_t channels : {1U, 5U}) {
    expectSum([&](Fixture& f) {
      const Operand rows = f.builder.gather(f.input({9, channels}), f.input(DataType::int64, {2, 4, 5}));
      const Operand masked = f.builder.where(f.input(DataType::uint8, {2, 4, 5, 1}), rows, f.constant({}, {0}));
      return f.builder.reduceSum(f.builder.mul(f.input({2, 4, 5, 1}), masked), along({1}, true));
    });
  }
}

TEST(GatherSum, TakesTheSamplesOfRegions) {
  expectSum([](Fixture& f) {  // as the importer of RoiAlign writes it
    const Operand rows = f.builder.gather(f.input({30, 20}), f.input(DataType::int64, {3, 2, 2, 4, 6}));
    const Operand split = f.builder.reshape(f.builder.mul(rows, f.input({3, 2, 2, 4, 6, 1})), {3, 4, 2, 2, 3, 2, 20});
    return f.builder.reduceMean(f.builder.reduceSum(split, along({1})), along({2, 4}));
  });
}

TEST(GatherSum, TakesAnyAxis) {
  for (const std::uint32_t inner : {1U, 3U}) {
    expectSum([&](Fixture& f) {
      const Operand x = f.input({2, 5, 11, inner});
      const Operand rows = f.builder.gather(x, f.input(DataType::int32, {4, 3}), {.axis = 2});
      return f.builder.reduceSum(f.builder.mul(rows, f.input({4, 3, 1})), along({3}));
    });
    expectSum([&](Fixture& f) {  // weights that vary along the dimensions before the axis
      const Operand x = f.input({2, 5, 11, inner});
      const Operand rows = f.builder.gather(x, f.input(DataType::uint32, {4, 3}), {.axis = 2});
      return f.builder.reduceMean(f.builder.mul(rows, f.input({2, 5, 1, 3, 1})), along({3}));
    });
  }
}

TEST(GatherSum, NeedsNoWeights) {
  expectSum([](Fixture& f) {  // a bag of embeddings
    return f.builder.reduceMean(f.builder.gather(f.input({50, 24}), f.input(DataType::int64, {6, 7})), along({1}));
  });
}

TEST(GatherSum, TakesOneTapAndManyTaps) {
  for (const std::uint32_t taps : {1U, 31U, 33U, 100U, 129U, 700U}) {
    for (const std::uint32_t channels : {1U, 40U}) {
      expectSum(
          [&](Fixture& f) {
            const Operand rows = f.builder.gather(f.input({300, channels}), f.input(DataType::int64, {3, taps}));
            return f.builder.reduceSum(f.builder.mul(rows, f.input({3, taps, 1})), along({1}));
          },
          {.low = 0, .high = 250, .relative = 3e-6, .absolute = 0});
    }
  }
}

TEST(GatherSum, TakesReshapesOfFlatIndices) {
  expectSum([](Fixture& f) {  // as PyTorch's exporter writes x[indices.flatten()]
    const Operand rows = f.builder.gather(f.input({30, 20}), f.input(DataType::int64, {24}));
    const Operand split = f.builder.reshape(rows, {2, 4, 3, 20});
    return f.builder.reduceSum(f.builder.mul(split, f.input({4, 3, 1})), along({2}));
  });
}

TEST(GatherSum, TakesSumsOfProducts) {
  expectSum([](Fixture& f) {
    const Operand x = f.input({30, 20});
    std::optional<Operand> sum;
    for (int corner = 0; corner < 4; ++corner) {
      const Operand rows = f.builder.gather(x, f.input(DataType::int64, {6, 5}));
      const Operand term = f.builder.mul(rows, f.input({6, 5, 1}));
      sum = sum ? f.builder.add(*sum, term) : term;
    }
    return *sum;
  });
}

// Programs write bilinear sampling with channels first like this: each channel has the same indices.
TEST(GatherSum, TakesElementsOfExpandedIndices) {
  expectSum([](Fixture& f) {
    const Operand x = f.input({1, 6, 30});
    const auto term = [&] {
      const Operand indices = f.builder.expand(f.input(DataType::int64, {1, 1, 21}), {1, 6, 21});
      return f.builder.mul(f.builder.gatherElements(x, indices, {.axis = 2}), f.input({1, 1, 21}));
    };
    const Operand first = term();
    return f.builder.add(first, term());
  });
}

// Keeps sums that are not weighted sums of one tensor's rows: weights per element or with more dimensions, other axes or
// reductions, masks that replace elements by 1, two tensors.
TEST(GatherSum, LeavesOtherSums) {
  const auto expectLeft = [](auto make) {
    Fixture f;
    const std::string operations = operationsOf(f, make(f));
    EXPECT_EQ(operations.find("gatherSum"), std::string::npos) << operations;
    Fixture g;
    expectCpuAgrees(g, {make(g)}, {.absolute = 2e-5});
  };
  const auto gathered = [](Fixture& f) { return f.builder.gather(f.input({9, 8}), f.input(DataType::int32, {4, 5})); };
  expectLeft([&](Fixture& f) { return f.builder.reduceSum(f.builder.mul(gathered(f), f.input({4, 5, 8})), along({1})); });
  expectLeft([&](Fixture& f) { return f.builder.reduceSum(f.builder.mul(gathered(f), f.input({4, 5, 1})), along({2})); });
  expectLeft([&](Fixture& f) { return f.builder.reduceSum(f.builder.mul(gathered(f), f.input({4, 5, 1})), along({1, 2})); });
  expectLeft([&](Fixture& f) { return f.builder.reduceMax(f.builder.mul(gathered(f), f.input({4, 5, 1})), along({1})); });
  expectLeft([&](Fixture& f) { return f.builder.reduceSum(f.builder.mul(gathered(f), f.input({2, 4, 5, 1})), along({2})); });
  expectLeft([&](Fixture& f) {  // a masked element is 1 instead of 0
    const Operand masked = f.builder.where(f.input(DataType::uint8, {4, 5, 1}), gathered(f), f.constant({}, {1}));
    return f.builder.reduceSum(f.builder.mul(masked, f.input({4, 5, 1})), along({1}));
  });
  expectLeft([&](Fixture& f) {
    return f.builder.add(f.builder.mul(gathered(f), f.input({4, 5, 1})), f.builder.mul(gathered(f), f.input({4, 5, 1})));
  });
}

TEST(GatherSum, LeavesSharedValues) {
  for (int shared = 0; shared < 3; ++shared) {
    Fixture f;
    const Operand rows = f.builder.gather(f.input({9, 8}), f.input(DataType::int32, {4, 5}));
    const Operand product = f.builder.mul(rows, f.input({4, 5, 1}));
    const Operand sum = f.builder.reduceSum(product, along({1}));
    const std::vector<Operand> outputs{sum, shared == 0 ? rows : shared == 1 ? product : f.builder.neg(rows)};
    const std::string operations = operationsAfter(f, outputs, {cpu::recogniseGatherSums});
    EXPECT_EQ(operations.find("gatherSum"), std::string::npos) << operations;
  }
}

TEST(GatherSum, ClampsIndices) {
  for (const std::uint32_t channels : {1U, 3U}) {
    Fixture f;
    const Operand x = f.input({4, channels});
    const Operand rows = f.builder.gather(x, f.input(DataType::int64, {2, 4}));
    const Operand sum = f.builder.reduceSum(f.builder.mul(rows, f.input({2, 4, 1})), along({1}));
    expectCpuAgrees(f, {sum}, {.inputs = {{"input1", {-1, -4, -5, -1e15, 3, 4, 1e15, 0}}}});
  }
}

// An infinity times a weight of 0 must give NaN. An infinity or NaN that the mask replaces by 0 must not.
TEST(GatherSum, KeepsNaN) {
  for (const std::uint32_t channels : {1U, 2U, 16U}) {
    Fixture f;
    std::vector<Number> table(4 * channels, 1);
    for (std::uint32_t c = 0; c < channels; ++c) table[c] = kInfinity, table[channels + c] = kNaN;
    const Operand x = f.input({4, channels});
    const Operand rows = f.builder.gather(x, f.input(DataType::int32, {6, 2}));
    const Operand masked = f.builder.where(f.input(DataType::uint8, {6, 2, 1}), rows, f.constant({}, {0}));
    const Operand sum = f.builder.reduceSum(f.builder.mul(masked, f.input({6, 2, 1})), along({1}));
    expectCpuAgrees(f, {sum},
                    {.inputs = {{"input0", table},
                                {"input1", {0, 2, 0, 2, 1, 2, 1, 2, 2, 2, 0, 3}},
                                {"input2", {1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1}},
                                {"input3", {0, 1, 0, 1, 1, 1, 0, 1, kNaN, 1, kInfinity, 1}}}});
  }
}

// A partial sum may exceed the range of float32.
TEST(GatherSum, TakesLargeNumbers) {
  for (const std::uint32_t channels : {1U, 5U}) {
    Fixture f;
    const Operand x = f.input({2, channels});
    std::vector<Number> table(2 * channels, 3e38);
    for (std::uint32_t c = 0; c < channels; ++c) table[c] = -2e38;
    const Operand rows = f.builder.gather(x, f.input(DataType::int32, {2, 4}));
    const std::vector<Operand> outputs{f.builder.reduceMean(rows, along({1}))};
    expectCpuAgrees(f, outputs, {.inputs = {{"input0", table}, {"input1", {1, 1, 1, 1, 1, 1, 0, 0}}}});
  }
}

TEST(GatherSum, IsOneStep) {
  Fixture f;
  const Operand rows = f.builder.gather(f.input({9, 8}), f.input(DataType::int32, {4, 5}));
  const Operand sum = f.builder.reduceSum(f.builder.mul(rows, f.input({4, 5, 1})), along({1}));
  EXPECT_EQ(cpuKernels(f, {sum}), std::vector<std::string>{"gather sum of 5 taps 4x8"});
}

// Makes random sums. Many of them, but not all, are weighted sums of gathered rows.
class RandomSum {
 public:
  RandomSum(Fixture& f, std::uint32_t seed) : f_(f), b_(f.builder), dice_(seed) {}

  Operand make() {
    const Shape before = sizes(0, 2), behind = sizes(0, 2), indices = sizes(1, 3);
    Shape table = before;
    table.push_back(dice_.size(1, 40));
    table.insert(table.end(), behind.begin(), behind.end());
    const DataType type = dice_.of({DataType::int32, DataType::int64, DataType::uint32});
    const Operand x = f_.input(table);
    Operand value = b_.gather(x, f_.input(type, indices), {.axis = static_cast<std::uint32_t>(before.size())});
    if (dice_.oneIn(3)) value = b_.where(factor(DataType::uint8, value.shape(), behind.size()), value, f_.constant({}, {0}));
    if (dice_.oneIn(4)) value = reshaped(value);
    if (!dice_.oneIn(5)) value = product(value, behind.size());
    if (dice_.oneIn(4)) value = reshaped(value);
    if (dice_.oneIn(3)) value = b_.reduceSum(value, along(axes(value.rank()), dice_.oneIn(2)));
    const Axes last = axes(value.rank());
    const bool keeps = dice_.oneIn(2);
    return dice_.oneIn(3) ? b_.reduceMean(value, along(last, keeps)) : b_.reduceSum(value, along(last, keeps));
  }

 private:
  Shape sizes(int least, int most) {
    Shape shape;
    for (int count = dice_.from(least, most); count > 0; --count) shape.push_back(dice_.of({1U, 2U, 3U, 5U, 16U, 19U}));
    return shape;
  }
  Operand factor(DataType type, Shape shape, std::size_t behind) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool isBehind = d + behind >= shape.size();
      if (isBehind ? !dice_.oneIn(20) : dice_.oneIn(3)) shape[d] = 1;
    }
    while (shape.size() > 1 && shape[0] == 1 && dice_.oneIn(2)) shape.erase(shape.begin());
    return f_.input(type, shape);
  }
  Operand product(const Operand& value, std::size_t behind) {
    const Operand weights = factor(DataType::float32, value.shape(), behind);
    return dice_.oneIn(2) ? b_.mul(value, weights) : b_.mul(weights, value);
  }
  // Splits or merges a dimension.
  Operand reshaped(const Operand& value) {
    Shape shape = value.shape();
    const std::size_t d = dice_.size(0, static_cast<int>(shape.size()) - 1);
    if (shape[d] % 2 == 0 && shape.size() < 7) {
      shape[d] /= 2;
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d), 2);
    } else if (d + 1 < shape.size()) {
      shape[d] *= shape[d + 1];
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    }
    return b_.reshape(value, shape);
  }
  Axes axes(std::size_t rank) {
    Axes result;
    for (std::uint32_t d = 0; d < rank; ++d) {
      if (dice_.oneIn(3)) result.push_back(d);
    }
    if (result.empty() && rank > 0) result.push_back(dice_.size(0, static_cast<int>(rank) - 1));
    return result;
  }

  Fixture& f_;
  GraphBuilder& b_;
  Dice dice_;
};

TEST(GatherSum, RandomSumsAgree) {
  int found = 0;
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fixture f;
    const Operand output = RandomSum(f, seed).make();
    found += operationsOf(f, output).find("gatherSum") != std::string::npos ? 1 : 0;
    Fixture g;
    expectCpuAgrees(g, {RandomSum(g, seed).make()}, {.low = -9, .high = 9, .seed = seed, .relative = 3e-6, .absolute = 2e-3});
  }
  EXPECT_GT(found, 50);
}

TEST(GatherSum, FiveThreadsComputeTheSameBits) {
  for (const std::uint32_t channels : {1U, 3U, 64U}) {
    std::vector<std::vector<std::byte>> results;
    for (const unsigned threads : {1U, 2U, 5U}) {
      Context context = Context::create({.backend = "cpu", .threads = threads});
      GraphBuilder builder(context);
      const auto numbers = [&](Shape shape, float step) {
        std::vector<float> values(countOf(shape));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i) * step);
        return values;
      };
      const OperandDescriptor table{DataType::float32, {500, channels}}, all{DataType::float32, {4, 2000, 1}};
      const Operand x = builder.input("x", table), weights = builder.input("w", all);
      const Operand indices = builder.cast(builder.linear(weights, {.alpha = 999}), DataType::int32);
      const Operand rows = builder.gather(x, builder.reshape(indices, {4, 2000}));
      Graph graph = builder.build({{"y", builder.reduceSum(builder.mul(rows, weights), along({0}))}});
      const std::vector<float> from = numbers(table.shape, 0.37F), factors = numbers(all.shape, 0.11F);
      std::vector<std::byte> result(2000 * channels * sizeof(float));
      const std::vector<std::span<const std::byte>> inputs{std::as_bytes(std::span(from)), std::as_bytes(std::span(factors))};
      const std::vector<std::span<std::byte>> outputs{result};
      graph.state()->executable()->run(inputs, outputs);
      results.push_back(std::move(result));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
