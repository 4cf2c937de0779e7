// Tests that attention written as separate operations becomes one operation, and that similar graphs do not.
#include <cmath>
#include <limits>

#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Build = std::function<Operand(Fixture&)>;
using Permutation = std::vector<std::uint32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sizes {
  std::uint32_t batch = 2, heads = 3, rows = 5, columns = 7, depth = 8, width = 6;
};

// The operation that scales the scores.
enum class Scale { none, mulScores, divScores, mulQueries, mulKeys, divBoth };

struct Form {
  Sizes sizes;
  Scale scale = Scale::divScores;
  Shape mask;  // empty: no mask
  bool maskFirst = false;
  bool isMerged = true;  // the result is transposed to [batch, rows, heads, width] and reshaped
};

// Builds attention as encoders do, from queries [batch, rows, heads * depth], keys [batch, columns, heads * depth] and values
// [batch, columns, heads * width].
Operand attention(Fixture& f, const Form& form) {
  GraphBuilder& b = f.builder;
  const auto& [batch, heads, rows, columns, depth, width] = form.sizes;
  const auto split = [&, batch = batch, heads = heads](std::uint32_t length, std::uint32_t size, Permutation permutation) {
    TransposeOptions options{.label = {}};
    options.permutation = std::move(permutation);
    return b.transpose(b.reshape(f.input({batch, length, heads * size}), {batch, length, heads, size}), options);
  };
  Operand q = split(rows, depth, {0, 2, 1, 3}), k = split(columns, depth, {0, 2, 3, 1});
  const Operand v = split(columns, width, {0, 2, 1, 3});
  const Operand factor = f.constant({}, {0.3}), divisor = f.constant({1}, {1.7});
  if (form.scale == Scale::mulQueries) q = b.mul(q, factor);
  if (form.scale == Scale::mulKeys) k = b.mul(factor, k);
  if (form.scale == Scale::divBoth) {
    q = b.div(q, divisor);
    k = b.div(k, divisor);
  }
  Operand scores = b.matmul(q, k);
  if (form.scale == Scale::mulScores) scores = b.mul(scores, factor);
  if (form.scale == Scale::divScores) scores = b.div(scores, divisor);
  if (!form.mask.empty()) {
    const Operand mask = f.input(form.mask);
    scores = form.maskFirst ? b.add(mask, scores) : b.add(scores, mask);
  }
  const Operand result = b.matmul(b.softmax(scores, 3), v);
  if (!form.isMerged) return result;
  TransposeOptions options{.label = {}};
  options.permutation = Permutation{0, 2, 1, 3};
  return b.reshape(b.transpose(result, options), {batch, rows, heads * width});
}

const CpuCase kAttention{.relative = 4e-6, .absolute = 2e-6};

void expectFused(const std::string& operations, const Build& make, const CpuCase& options = kAttention) {
  expectAfterPass(cpu::fuseAttention, operations, make, options);
}

TEST(CpuFuseAttention, FusesScaleAndMaskWhereverTheyAre) {
  for (const Scale scale : {Scale::none, Scale::mulScores, Scale::divScores, Scale::mulQueries, Scale::mulKeys, Scale::divBoth}) {
    for (const bool isMerged : {true, false}) {
      SCOPED_TRACE(static_cast<int>(scale));
      const std::string operations = isMerged ? "reshape reshape reshape attention reshape" : "reshape reshape reshape attention";
      const Shape mask = isMerged ? Shape{2, 1, 1, 7} : Shape{};
      expectFused(operations, [&](Fixture& f) { return attention(f, {.scale = scale, .mask = mask, .isMerged = isMerged}); });
    }
  }
}

TEST(CpuFuseAttention, TakesMasksOfEveryBroadcastShape) {
  const std::vector<Shape> masks{{7},          {1},       {5, 7},       {5, 1},       {1, 1, 1, 7}, {1, 1, 5, 7},
                                 {2, 1, 1, 7}, {3, 1, 7}, {1, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 1, 1}};
  for (const Shape& mask : masks) {
    for (const bool maskFirst : {true, false}) {
      SCOPED_TRACE(toString(mask));
      expectFused("reshape reshape reshape attention reshape",
                  [&](Fixture& f) { return attention(f, {.mask = mask, .maskFirst = maskFirst}); });
    }
  }
}

TEST(CpuFuseAttention, MasksWithMinusInfinityAsTheReferenceDoes) {
  CpuCase options = kAttention;
  std::vector<Number> mask(5 * 7, Number(0));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i + 1; j < 7; ++j) mask[i * 7 + j] = -kInfinity;  // a causal mask
  }
  for (std::size_t j = 0; j < 7; ++j) mask[4 * 7 + j] = -kInfinity;  // this query has no unmasked key, so its result is NaN
  options.inputs = {{"input3", mask}};
  expectFused(
      "reshape reshape reshape attention reshape",
      [](Fixture& f) {
        return attention(f, {.mask = {5, 7}});
      },
      options);
  mask[3] = std::numeric_limits<double>::quiet_NaN();
  mask[7] = kInfinity;
  mask[14] = -1e30;
  options.inputs = {{"input3", mask}};
  expectFused(
      "reshape reshape reshape attention reshape",
      [](Fixture& f) {
        return attention(f, {.mask = {5, 7}});
      },
      options);
}

// Builds attention within shifted windows, as in Swin transformers, with a bias per head and then a mask per window.
Operand windowAttention(Fixture& f, std::uint32_t images, std::uint32_t windows, const Operand& bias, const Shape& maskShape) {
  GraphBuilder& b = f.builder;
  const std::uint32_t all = images * windows;
  const Operand q = f.input({all, 3, 9, 8}), k = f.input({all, 3, 8, 9}), v = f.input({all, 3, 9, 5});
  std::vector<Number> mask;
  for (std::size_t i = 0; i < elementCount({DataType::float32, maskShape}); ++i) mask.emplace_back(i % 5 < 3 ? 0.0 : -100.0);
  const Operand biased = b.add(b.mul(b.matmul(q, k), f.constant({}, {0.35})), bias);
  const Operand masked = b.add(b.reshape(biased, {images, windows, 3, 9, 9}), f.constant(maskShape, mask));
  return b.matmul(b.softmax(b.reshape(masked, {all, 3, 9, 9}), 3), v);
}
Operand biasOfHeads(Fixture& f) {
  std::vector<Number> bias;
  for (int i = 0; i < 3 * 9 * 9; ++i) bias.emplace_back(0.02 * (i % 101) - 1);
  return f.constant({1, 3, 9, 9}, bias);
}

TEST(CpuFuseAttention, MergesTheMasksOfWindows) {
  for (const Shape& mask : std::vector<Shape>{{1, 4, 1, 9, 9}, {4, 1, 1, 9}, {9, 9}}) {
    SCOPED_TRACE(toString(mask));
    expectFused("attention", [&](Fixture& f) { return windowAttention(f, 1, 4, biasOfHeads(f), mask); });
  }
  expectFused("attention", [](Fixture& f) { return windowAttention(f, 2, 4, biasOfHeads(f), {1, 1, 1, 9, 9}); });
  expectFused("attention", [](Fixture& f) { return windowAttention(f, 2, 4, biasOfHeads(f), {2, 4, 1, 9, 9}); });
}

TEST(CpuFuseAttention, KeepsMasksThatItCannotMerge) {
  // Merging a mask with one matrix per window would have to repeat it for each image.
  expectFused("matmul mul add reshape add reshape softmax matmul", [](Fixture& f) {
    return windowAttention(f, 2, 4, biasOfHeads(f), {1, 4, 1, 9, 9});
  });
  // One of the masks is not constant.
  expectFused("matmul mul add reshape add reshape softmax matmul", [](Fixture& f) {
    return windowAttention(f, 1, 4, f.input({1, 3, 9, 9}), {1, 4, 1, 9, 9});
  });
  // All scores of some rows are masked: adding -100 to the bias first rounds differently and changes the result.
  expectFused("matmul mul add reshape add reshape softmax matmul", [](Fixture& f) {
    return windowAttention(f, 1, 4, biasOfHeads(f), {1, 1, 3, 9, 1});
  });
  // The biased scores have another user.
  const auto make = [](Fixture& f) {
    const Operand biased = f.builder.add(f.builder.matmul(f.input({3, 4}), f.input({4, 3})), f.constant({3}, {1, 2, 3}));
    const Operand masked = f.builder.add(biased, f.constant({3, 1}, {0, -1, -2}));
    return std::vector<Operand>{f.builder.matmul(f.builder.softmax(masked, 1), f.input({3, 2})), f.builder.neg(biased)};
  };
  Fixture f, g;
  EXPECT_EQ(operationsAfter(f, make(f), {cpu::fuseAttention}), "matmul add add softmax matmul neg");
  expectCpuAgrees(g, make(g), kAttention);
}

// The first mask cancels large scores. The sum of both masks would be rounded and lose the second mask.
TEST(CpuFuseAttention, KeepsMasksThatCancelScores) {
  const auto make = [](Fixture& f) {
    const Operand scores = f.builder.matmul(f.constant({1, 1}, {1U << 26}), f.builder.add(f.input({1, 4}), f.constant({}, {1})));
    const Operand cancelled = f.builder.add(scores, f.constant({4}, {-67108864.0}));
    return f.builder.matmul(f.builder.softmax(f.builder.add(cancelled, f.constant({4}, {0, 1, 2, 3})), 1), f.input({4, 2}));
  };
  CpuCase options = kAttention;
  options.inputs = {{"input0", {0, 0, 0, 0}}};
  expectFused("add matmul add add softmax matmul", make, options);
}

// Adding the first mask, 1e6, rounds the scores. Adding the sum of both masks, 0, would not.
TEST(CpuFuseAttention, KeepsLargeMasksThatCancel) {
  expectFused("matmul add add softmax matmul", [](Fixture& f) {
    const Operand scores = f.builder.matmul(f.input({3, 4}), f.input({4, 3}));
    const Operand raised = f.builder.add(scores, f.constant({3}, {1e6}));
    return f.builder.matmul(f.builder.softmax(f.builder.add(raised, f.constant({3}, {-1e6})), 1), f.input({3, 2}));
  });
}

// In a row that is masked by -1e9 everywhere, the graph rounds scores to multiples of 64, so that 0 and 10 - 40 become equal.
TEST(CpuFuseAttention, KeepsMasksThatRoundWholeRows) {
  const auto make = [](Fixture& f) {
    const Operand scores = f.builder.matmul(f.input({1, 2}), f.constant({2, 2}, {0, 0, 0, 10}));
    const Operand masked = f.builder.add(scores, f.constant({1, 2}, {0, -40}));
    return f.builder.matmul(f.builder.softmax(f.builder.add(masked, f.constant({1, 1}, {-1e9})), 1), f.input({2, 1}));
  };
  CpuCase options = kAttention;
  options.inputs = {{"input0", {1, 1}}, {"input1", {1, 2}}};
  expectFused("matmul add add softmax matmul", make, options);
}

TEST(CpuFuseAttention, TakesRanksBelowFourAndBroadcastBatches) {
  const auto simple = [](Shape q, Shape k, Shape v) {
    return [=](Fixture& f) {
      const Operand scores = f.builder.matmul(f.input(q), f.input(k));
      return f.builder.matmul(f.builder.softmax(scores, static_cast<std::uint32_t>(scores.rank() - 1)), f.input(v));
    };
  };
  expectFused("attention", simple({5, 4}, {4, 9}, {9, 3}));
  expectFused("attention", simple({3, 5, 4}, {3, 4, 9}, {3, 9, 3}));
  expectFused("attention", simple({3, 5, 4}, {4, 9}, {2, 1, 9, 3}));
  expectFused("attention", simple({2, 3, 5, 4}, {2, 1, 4, 9}, {1, 3, 9, 3}));
  expectFused("attention", simple({1, 5, 1}, {1, 1, 9}, {1, 9, 1}));
  expectFused("matmul softmax matmul", simple({1, 2, 3, 5, 4}, {4, 9}, {9, 3}));
}

TEST(CpuFuseAttention, TakesTranspositionsOfAnyDimension) {
  const auto transposed = [](Fixture& f, const Operand& x, Permutation permutation) {
    TransposeOptions options{.label = {}};
    options.permutation = std::move(permutation);
    return f.builder.transpose(x, options);
  };
  for (const std::uint32_t rows : {3U, 11U}) {
    expectFused("attention", [&](Fixture& f) {
      const Operand q = transposed(f, f.input({6, rows, 2, 3}), {3, 2, 1, 0});                             // [3, 2, rows, 6]
      const Operand k = transposed(f, transposed(f, f.input({6, 2, 3, 10}), {1, 2, 0, 3}), {1, 0, 2, 3});  // [3, 2, 6, 10]
      const Operand v = transposed(f, f.input({3, 5, 10, 2}), {0, 3, 2, 1});                               // [3, 2, 10, 5]
      return transposed(f, f.builder.matmul(f.builder.softmax(f.builder.matmul(q, k), 3), v), {3, 0, 2, 1});
    });
  }
}

// Parameters of attention with fewer key and value heads than query heads, as in decoders.
struct Groups {
  std::uint32_t batch = 2, heads = 6, keyHeads = 3, valueHeads = 3, rows = 1, columns = 9, size = 16;
  bool isInterleaved = true;  // each head is repeated consecutively; otherwise, the sequence of all heads is repeated
};
Operand groupedAttention(Fixture& f, const Groups& g) {
  GraphBuilder& b = f.builder;
  const auto repeated = [&](std::uint32_t heads, std::uint32_t size) {
    const Operand x = f.input({g.batch, heads, g.columns, size});
    const std::uint32_t repeats = g.heads / heads;
    const Shape split = g.isInterleaved ? Shape{g.batch, heads, 1, g.columns, size} : Shape{g.batch, 1, heads, g.columns, size};
    const Shape wide =
        g.isInterleaved ? Shape{g.batch, heads, repeats, g.columns, size} : Shape{g.batch, repeats, heads, g.columns, size};
    return b.reshape(b.expand(b.reshape(x, split), wide), {g.batch, g.heads, g.columns, size});
  };
  const Operand q = f.input({g.batch, g.heads, g.rows, g.size}), k = repeated(g.keyHeads, g.size);
  const Operand v = repeated(g.valueHeads, g.size / 2);
  const Operand scores = b.mul(b.matmul(q, b.transpose(k, {.permutation = {0, 1, 3, 2}})), f.constant({}, {0.25}));
  return b.matmul(b.softmax(b.add(scores, f.input({g.batch, 1, 1, g.columns})), 3), v);
}

TEST(CpuFuseAttention, ReadsHeadsThatSeveralQueriesShareWhereTheyAre) {
  const std::string repeat = "reshape expand reshape";
  for (const std::uint32_t rows : {1U, 2U, 40U}) {
    expectFused("attention", [&](Fixture& f) { return groupedAttention(f, {.rows = rows, .columns = 70}); });
    expectFused("attention",
                [&](Fixture& f) { return groupedAttention(f, {.batch = 1, .keyHeads = 1, .valueHeads = 1, .rows = rows}); });
    expectFused("attention", [&](Fixture& f) { return groupedAttention(f, {.keyHeads = 6, .valueHeads = 6, .rows = rows}); });
    // Keys and values are repeated in different ways, or the sequence of all heads is repeated.
    expectFused(repeat + " " + repeat + " attention",
                [&](Fixture& f) { return groupedAttention(f, {.keyHeads = 2, .valueHeads = 3, .rows = rows}); });
    expectFused(repeat + " " + repeat + " attention", [&](Fixture& f) {
      return groupedAttention(f, {.keyHeads = 2, .valueHeads = 2, .rows = rows, .isInterleaved = false});
    });
  }
}

// With these numbers of heads, a step computes all heads together, or one share of the heads per thread, or as many heads at a
// time as fit in a worker's scratch memory.
TEST(CpuFuseAttention, ComputesQueriesThatShareKeysTogether) {
  const Groups cases[] = {{1, 7, 1, 1, 1, 65, 2},   {1, 8, 1, 1, 4, 7, 37},  {1, 8, 2, 2, 3, 130, 66},  {2, 5, 1, 1, 2, 1, 6},
                          {1, 48, 1, 1, 1, 10, 16}, {1, 64, 1, 1, 3, 40, 4}, {1, 4, 1, 1, 2, 2500, 30}, {3, 3, 3, 3, 2, 70, 18}};
  for (const Groups& g : cases) {
    SCOPED_TRACE(g.columns);
    expectFused("attention", [&](Fixture& f) { return groupedAttention(f, g); });
  }
}

TEST(CpuFuseAttention, DoesNotFuseIncompletePatterns) {
  const auto form = [](int which) {
    return [which](Fixture& f) {
      GraphBuilder& b = f.builder;
      const DataType type = which == 0 ? DataType::float16 : DataType::float32;
      const Operand q = f.input(type, {2, 5, 4}), k = f.input(type, {2, 4, 5}), v = f.input(type, {2, 5, 3});
      Operand scores = b.matmul(q, k);
      if (which == 1) scores = b.mul(scores, f.input({2, 1, 1}));                          // the factor is not a single number
      if (which == 2) scores = b.mul(b.add(scores, f.input({5})), f.constant({}, {0.5}));  // the scale is applied after the mask
      if (which == 3) scores = b.add(scores, f.input({3, 1, 1, 1}));                       // the mask is larger than the scores
      if (which == 4) scores = b.tanh(scores);
      const auto last = static_cast<std::uint32_t>(scores.rank() - 1);
      Operand weights = b.softmax(scores, which == 5 ? last - 1 : last);
      if (which == 6) weights = b.mul(weights, f.input({2, 5, 1}));
      if (which == 7) return b.matmul(v, b.matmul(f.input({3, 5}), weights));  // the weights are on the right side of the product
      return b.matmul(weights, v);
    };
  };
  const char* operations[] = {"matmul softmax matmul",     "matmul mul softmax matmul",   "matmul add mul softmax matmul",
                              "matmul add softmax matmul", "matmul tanh softmax matmul",  "matmul softmax matmul",
                              "matmul softmax mul matmul", "matmul softmax matmul matmul"};
  for (int which = 0; which < 8; ++which) {
    SCOPED_TRACE(which);
    CpuCase options = kAttention;
    options.relative = options.absolute = 1e-5;
    expectFused(operations[which], form(which), options);
  }
}

TEST(CpuFuseAttention, LeavesFactorsThatKeepTheProductInRange) {
  struct Case {
    double queries, keys, qFactor, kFactor;
  };
  for (const Case& c : {Case{1e20, 1e20, 1e-38, 1}, Case{1e-30, 1e-20, 1e30, 1e20}}) {
    Fixture f;
    const Operand q = f.input({1, 2, 4, 8}), k = f.input({1, 2, 8, 5}), v = f.input({1, 2, 5, 3});
    const Operand scores =
        f.builder.matmul(f.builder.mul(q, f.constant({}, {c.qFactor})), f.builder.mul(k, f.constant({}, {c.kFactor})));
    const auto inputs = [](int count, double size) {
      std::vector<Number> values;
      for (int i = 0; i < count; ++i) values.emplace_back(size * std::sin(i));
      return values;
    };
    expectCpuAgrees(f, {f.builder.matmul(f.builder.softmax(scores, 3), v)},
                    {.relative = 1e-5, .inputs = {{"input0", inputs(64, c.queries)}, {"input1", inputs(80, c.keys)}}});
  }
}

TEST(CpuFuseAttention, LeavesAttentionWhosePartsAreUsedElsewhere) {
  for (const int which : {0, 1, 2}) {
    const auto make = [&](Fixture& f) {
      GraphBuilder& b = f.builder;
      const Operand scores = b.matmul(f.input({2, 5, 4}), f.input({2, 4, 6})), weights = b.softmax(scores, 2);
      const Operand result = b.matmul(weights, f.input({2, 6, 3}));
      return std::vector<Operand>{result, which == 0 ? scores : which == 1 ? weights : b.neg(weights)};
    };
    Fixture f;
    EXPECT_EQ(operationsAfter(f, make(f), {cpu::fuseAttention}),
              which == 2 ? "matmul softmax matmul neg" : "matmul softmax matmul");
    Fixture g;
    expectCpuAgrees(g, make(g), kAttention);
  }
}

TEST(CpuFuseAttention, KeepsTransposesAndResultsThatOthersUse) {
  const auto make = [](Fixture& f) {
    GraphBuilder& b = f.builder;
    TransposeOptions swap{.label = {}};
    swap.permutation = Permutation{0, 2, 1};
    const Operand k = b.transpose(f.input({2, 6, 4}), swap);
    const Operand result = b.matmul(b.softmax(b.matmul(f.input({2, 5, 4}), k), 2), f.input({2, 6, 3}));
    return std::vector<Operand>{b.transpose(result, swap), result, b.neg(k)};
  };
  Fixture f;
  EXPECT_EQ(operationsAfter(f, make(f), {cpu::fuseAttention}), "transpose attention transpose neg");
  Fixture g;
  expectCpuAgrees(g, make(g), kAttention);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
