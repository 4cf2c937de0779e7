// Tests folding, canonicalization, common subexpressions, dead code, layout, GEMM, epilogues, the memory plan with concatenation
// in place, and gathers of products.
#include "backends/cpu/compile/pipeline.h"
#include "compiler/plan/memory_plan.h"
#include "context/graph_state.h"
#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::chooseLayout, cpu::foldConstants, cpu::fuseEpilogues, cpu::lowerElementwise, cpu::lowerConv, cpu::lowerMatmul,
    cpu::eliminateCommonSubexpressions, cpu::eliminateDeadCode, cpu::canonicalize;

TEST(FoldConstants, ComputesValuesThatDependOnlyOnConstants) {
  expectAfterPass(foldConstants, "add", [](Fixture& f) {
    const Operand c = f.builder.mul(f.constant({2}, {1, 2}), f.constant({2}, {3, 4}));
    return f.builder.add(f.input({2}), f.builder.neg(c));
  });
}

TEST(FoldConstants, DoesNotFoldLargeExpansions) {
  Fixture f;
  const Operand large = f.builder.expand(f.constant({1}, {1}), {1024, 1024});
  EXPECT_EQ(operationsAfter(f, {f.builder.add(f.input({1}), large)}, {foldConstants}), "expand add");
}

TEST(Canonicalize, RemovesIdentities) {
  expectAfterPass(canonicalize, "neg", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({2, 3});
    const Operand same = b.cast(b.identity(b.expand(b.reshape(x, {2, 3}), {2, 3})), DataType::float32);
    const Operand padded = b.pad(b.slice(b.tile(same, {1, 1}), {0, 0}, {2, 3}), {0, 0}, {0, 0});
    return b.neg(b.sub(b.div(b.mul(padded, f.constant({}, {1})), f.constant({1}, {1})), f.constant({}, {0})));
  });
}

TEST(Canonicalize, KeepsTheAdditionOfZeroWhichMakesMinusZeroPositive) {
  Fixture f;
  EXPECT_EQ(operationsAfter(f, {f.builder.add(f.input({2}), f.constant({}, {0}))}, {canonicalize}), "add");
}

void canonicalizeAndEliminate(cpu::Module& module, const cpu::PassOptions& options) {
  canonicalize(module, options);
  eliminateDeadCode(module, options);
}

TEST(Canonicalize, MergesTransposesAndReshapes) {
  expectAfterPass(canonicalizeAndEliminate, "transpose reshape", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand twice = b.transpose(b.transpose(f.input({2, 3, 4}), {.permutation = {1, 0, 2}}), {.permutation = {0, 2, 1}});
    return b.reshape(b.reshape(twice, {6, 4}), {24});
  });
  expectAfterPass(canonicalizeAndEliminate, "neg", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    return b.neg(b.transpose(b.transpose(f.input({2, 3, 4}), {.permutation = {1, 2, 0}}), {.permutation = {2, 0, 1}}));
  });
  expectAfterPass(canonicalizeAndEliminate, "reshape", [](Fixture& f) {  // a transpose that only moves dimensions of size 1
    return f.builder.transpose(f.input({1, 5, 1, 3}), {.permutation = {0, 2, 1, 3}});
  });
}

// If indices vary only along the axis, gatherElements and scatterElements move whole slices.
TEST(Canonicalize, MovesSlicesInsteadOfElements) {
  for (const Shape& narrow : {Shape{5, 1, 1}, Shape{1, 1, 1}}) {
    expectAfterPass(canonicalizeAndEliminate, "reshape scatterND", [&](Fixture& f) {
      const Operand x = f.input({9, 4, 3}), updates = f.input({narrow[0], 4, 3});
      const Operand indices = f.builder.expand(f.input(DataType::int64, narrow), {narrow[0], 4, 3});
      return f.builder.scatterElements(x, indices, updates);
    });
    expectAfterPass(canonicalizeAndEliminate, "reshape gather", [&](Fixture& f) {
      const Operand x = f.input({4, 9, 3});
      return f.builder.gatherElements(x, f.builder.expand(f.input(DataType::int64, {narrow[0], 1}), {4, narrow[0], 3}),
                                      {.axis = 1});
    });
  }
  expectAfterPass(canonicalizeAndEliminate, "expand gatherElements",
                  [&](Fixture& f) {  // different indices along another dimension
                    const Operand x = f.input({4, 5, 5});
                    return f.builder.gatherElements(x, f.builder.expand(f.input(DataType::int64, {5}), {4, 5, 5}), {.axis = 1});
                  });
  expectAfterPass(canonicalizeAndEliminate, "expand scatterElements", [&](Fixture& f) {
    const Operand x = f.input({5, 5}), updates = f.input({5, 5});
    return f.builder.scatterElements(x, f.builder.expand(f.input(DataType::int64, {5}), {5, 5}), updates);
  });
}

TEST(Canonicalize, CastsConstantChoicesInsteadOfTheTensor) {
  expectAfterPass(canonicalizeAndEliminate, "cast cast where", [](Fixture& f) {
    const Operand x = f.builder.where(f.input(DataType::uint8, {2, 3}), f.constant(DataType::int64, {}, {300}),
                                      f.constant(DataType::int64, {1}, {-7}));
    return f.builder.cast(x, DataType::float32);
  });
  expectAfterPass(canonicalizeAndEliminate, "where cast", [](Fixture& f) {
    const Operand x =
        f.builder.where(f.input(DataType::uint8, {2, 3}), f.constant(DataType::int32, {}, {1}), f.input(DataType::int32, {3}));
    return f.builder.cast(x, DataType::float32);
  });
}

TEST(EliminateCommonSubexpressions, ComputesTheSameOnce) {
  expectAfterPass(eliminateCommonSubexpressions, "exp mul", [](Fixture& f) {
    const Operand x = f.input({3});
    return f.builder.mul(f.builder.exp(x), f.builder.exp(x, {.label = "again"}));
  });
  expectAfterPass(eliminateCommonSubexpressions, "add mul", [](Fixture& f) {  // equal constants are merged
    const Operand x = f.input({3});
    return f.builder.mul(f.builder.add(x, f.constant({1}, {2})), f.builder.add(x, f.constant({1}, {2})));
  });
}

TEST(EliminateCommonSubexpressions, KeepsNodesWithDifferentOptions) {
  expectAfterPass(eliminateCommonSubexpressions, "clamp clamp mul", [](Fixture& f) {
    const Operand x = f.input({3});
    return f.builder.mul(f.builder.clamp(x, {.maxValue = 1}), f.builder.clamp(x, {.maxValue = 0.5}));
  });
}

TEST(ChooseLayout, SinksTransposesBelowOperationsThatSupportChannelsLast) {
  expectAfterPass(chooseLayout, "transpose conv2d relu add maxPool2d conv2d reduceMean", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand x = f.input({1, 3, 9, 7});
    Operand y = b.relu(b.conv2d(x, f.constant({4, 3, 3, 3}, {0.1}), {.padding = {1, 1, 1, 1}}));
    y = b.maxPool2d(b.add(y, f.constant({4, 1, 1}, {1, 2, 3, 4})), {.windowDimensions = {2, 2}, .strides = {2, 2}});
    // No transposes remain, because the mean is over height and width.
    return b.reduceMean(b.conv2d(y, f.constant({5, 4, 1, 1}, {0.3})), {.axes = {2, 3}});
  });
}

TEST(ChooseLayout, EmitsATransposeForUsersThatNeedNchw) {
  expectAfterPass(chooseLayout, "transpose conv2d transpose reshape", [](Fixture& f) {
    const Operand y = f.builder.conv2d(f.input({1, 3, 4, 5}), f.constant({2, 3, 1, 1}, {0.3}));
    return f.builder.reshape(y, {40});
  });
}

TEST(ChooseLayout, KeepsValuesThroughEveryOperationItKnows) {
  const auto check = [](const std::function<Operand(Fixture&, const Operand&)>& after) {
    Fixture f;
    const Operand y = f.builder.conv2d(f.input({2, 3, 6, 5}), f.input({4, 3, 1, 1}));
    expectCpuAgrees(f, {after(f, y)}, {.relative = 1e-5, .absolute = 1e-5});
  };
  check([](Fixture& f, const Operand& y) { return f.builder.softmax(y, 1); });
  check([](Fixture& f, const Operand& y) { return f.builder.cumulativeSum(y, 2); });
  check([](Fixture& f, const Operand& y) { return f.builder.concat({y, f.input({2, 4, 2, 5}), y}, 2); });
  check([](Fixture& f, const Operand& y) { return f.builder.split(y, 2U, {.axis = 1})[1]; });
  check([](Fixture& f, const Operand& y) { return f.builder.slice(y, {0, 1, 2, 0}, {2, 2, 3, 4}, {.strides = {1, 1, 2, 1}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.pad(y, {0, 1, 2, 0}, {1, 0, 0, 3}); });
  check([](Fixture& f, const Operand& y) { return f.builder.resample2d(y, {.scales = {2.0F, 3.0F}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {1}, .keepDimensions = true}); });
  check([](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {0, 2}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.prelu(y, f.input({4, 1, 1})); });
  check([](Fixture& f, const Operand& y) { return f.builder.sub(f.input({6, 5}), y); });
  check([](Fixture& f, const Operand& y) {
    return f.builder.where(f.builder.greater(y, f.constant({}, {0})), y, f.input({1, 4, 1, 1}));
  });
  check([](Fixture& f, const Operand& y) { return f.builder.instanceNormalization(y, {.scale = f.input({4})}); });
  check([](Fixture& f, const Operand& y) {
    return f.builder.batchNormalization(y, f.input({4}), f.constant({4}, {1}), {.axis = 1});
  });
  check([](Fixture& f, const Operand& y) { return f.builder.transpose(y, {.permutation = {0, 2, 3, 1}}); });
  check([](Fixture& f, const Operand& y) { return f.builder.layerNormalization(y, {.axes = {1, 2, 3}}); });
}

TEST(LowerMatmul, AbsorbsTransposesAndTheBias) {
  expectAfterPass(
      [](cpu::Module& module, const cpu::PassOptions& options) {
        lowerMatmul(module, options);
        eliminateDeadCode(module, options);
      },
      "batchGemm batchGemm",
      [](Fixture& f) {
        const Operand a = f.builder.transpose(f.input({3, 4}));
        const Operand b = f.builder.matmul(a, f.input({3, 5}));
        return f.builder.gemm(b, f.input({6, 5}), {.c = f.constant({6}, {1, 2, 3, 4, 5, 6}), .beta = 1, .bTranspose = true});
      });
}

TEST(LowerMatmul, AddsAMatrixAfterTheProduct) {
  expectAfterPass(lowerMatmul, "linear batchGemm add", [](Fixture& f) {
    return f.builder.gemm(f.input({3, 4}), f.input({4, 5}), {.c = f.input({3, 5}), .alpha = 0.5, .beta = 2});
  });
}

void allFusions(cpu::Module& module, const cpu::PassOptions& options) {
  lowerMatmul(module, options);
  lowerConv(module, options);
  lowerElementwise(module, options);
  fuseEpilogues(module, options);
}

TEST(FuseEpilogues, TakesBiasActivationAndResidual) {
  expectAfterPass(allFusions, "batchGemm", [](Fixture& f) {
    const Operand x = f.input({3, 8});
    const Operand y = f.builder.add(f.builder.matmul(x, f.constant({8, 8}, {0.1})), f.constant({8}, {1, 2, 3, 4, 5, 6, 7, 8}));
    return f.builder.add(f.builder.gelu(y), x);
  });
  expectAfterPass(allFusions, "convolution", [](Fixture& f) {
    const Operand x = f.input({1, 5, 5, 8});
    const Operand y = f.builder.conv2d(x, f.constant({8, 8, 1, 1}, {0.1}), {.inputLayout = InputOperandLayout::nhwc});
    return f.builder.relu(f.builder.add(x, y));
  });
}

TEST(FuseEpilogues, JoinsOperationsThatReadTheSameResult) {
  expectAfterPass(allFusions, "convolution", [](Fixture& f) {  // SiLU
    const Operand y =
        f.builder.conv2d(f.input({1, 5, 5, 16}), f.constant({16, 16, 1, 1}, {0.1}), {.inputLayout = InputOperandLayout::nhwc});
    return f.builder.mul(y, f.builder.sigmoid(y));
  });
  expectAfterPass(allFusions, "batchGemm", [](Fixture& f) {  // GELU with tanh
    GraphBuilder& b = f.builder;
    const Operand x = b.add(b.matmul(f.input({3, 16}), f.constant({16, 16}, {0.1})), f.input({16}));
    const Operand cube = b.mul(b.pow(x, f.constant({}, {3})), f.constant({}, {0.044715}));
    const Operand curve = b.tanh(b.mul(b.add(x, cube), f.constant({}, {0.79788456})));
    return b.mul(b.mul(x, f.constant({}, {0.5})), b.add(curve, f.constant({}, {1})));
  });
  expectAfterPass(allFusions, "batchGemm batchGemm", [](Fixture& f) {  // a gated product
    GraphBuilder& b = f.builder;
    const Operand x = f.input({3, 16}), gate = b.matmul(x, f.constant({16, 16}, {0.1})),
                  up = b.matmul(x, f.constant({16, 16}, {0.2}));
    return b.mul(b.mul(gate, b.sigmoid(gate)), up);
  });
  expectAfterPass(allFusions, "convolution", [](Fixture& f) {  // each operation rounds to float16
    const Operand x = f.input(DataType::float16, {1, 5, 5, 16}), filter = f.constant(DataType::float16, {16, 16, 1, 1}, {0.1});
    const Operand y = f.builder.conv2d(x, filter, {.inputLayout = InputOperandLayout::nhwc});
    return f.builder.mul(y, f.builder.sigmoid(y));
  });
}

TEST(FuseEpilogues, KeepsAResultThatOtherNodesRead) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand y = b.matmul(f.input({3, 16}), f.constant({16, 16}, {0.1})), product = b.mul(y, b.sigmoid(y));
  EXPECT_EQ(operationsAfter(f, {b.softmax(y, 1), product}, {allFusions}), "batchGemm fusedElementwise fusedElementwise softmax");
  Fixture g;  // the sigmoid is an output
  const Operand z = g.builder.matmul(g.input({3, 16}), g.constant({16, 16}, {0.1})), sigmoid = g.builder.sigmoid(z);
  EXPECT_EQ(operationsAfter(g, {sigmoid, g.builder.mul(z, sigmoid)}, {allFusions}),
            "batchGemm fusedElementwise fusedElementwise");
  Fixture h;  // a program is slow on few columns
  const Operand x = h.builder.matmul(h.input({300, 16}), h.constant({16, 3}, {0.1}));
  EXPECT_EQ(operationsAfter(h, {h.builder.mul(x, h.builder.sigmoid(x))}, {allFusions}),
            "batchGemm fusedElementwise fusedElementwise");
}

TEST(FuseEpilogues, RoundsHalvesAsTheUnfusedOperationsDo) {
  Fixture f;
  const Operand a = f.input(DataType::float16, {5, 7}), b = f.constant(DataType::float16, {7, 9}, {0.37});
  const Operand y = f.builder.matmul(a, b);
  expectCpuAgrees(f,
                  {f.builder.mul(f.builder.add(y, f.input(DataType::float16, {5, 9})), f.constant(DataType::float16, {}, {3}))});
}

TEST(MemoryPlan, ComputesThePartsOfAConcatenationInPlace) {
  const auto make = [](Fixture& f, const Operand& x) {
    const Operand part = f.builder.conv2d(x, f.constant({16, 4, 1, 1}, {0.25}));
    return f.builder.relu(part);
  };
  Fixture f;
  const Operand x = f.input({1, 4, 6, 5});
  const Operand joined = f.builder.concat({make(f, x), make(f, f.builder.neg(x))}, 1);
  const std::vector<std::string> kernels = cpuKernels(f, {f.builder.averagePool2d(joined)});
  for (const std::string& kernel : kernels) EXPECT_EQ(kernel.find("concat"), std::string::npos) << kernel;
  Fixture g;
  const Operand z = g.input({1, 4, 6, 5});
  expectCpuAgrees(g, {g.builder.concat({make(g, z), make(g, g.builder.neg(z))}, 1)}, {.relative = 1e-5});
}

TEST(MemoryPlan, ReusesMemoryOfUnneededValues) {
  Fixture f;
  Operand x = f.input({64, 64});
  for (int i = 0; i < 10; ++i) x = f.builder.softmax(x, 1);
  const Graph graph = f.builder.build({{"y", x}});
  cpu::Module module(*graph.state()->definition);
  separateOutputs(module);
  const cpu::MemoryPlan plan = planMemory(module);
  EXPECT_EQ(plan.unsharedBytes, 9U * 64 * 64 * 4);
  EXPECT_EQ(plan.arenaBytes, 2U * 64 * 64 * 4);
}

TEST(MemoryPlan, PlacesSomeInputsOfAConcatenationAndCopiesTheOthers) {
  Fixture f;
  const Operand small = f.builder.softmax(f.input({1, 8, 8, 16}), 3);
  const Operand skip = f.builder.softmax(f.input({1, 16, 16, 16}), 3);
  const Operand large = f.builder.resample2d(small, {.sizes = {{16, 16}}, .axes = {1, 2}});
  const Operand y = f.builder.softmax(f.builder.concat({skip, large}, 3), 3);
  const Graph graph = f.builder.build({{"y", y}, {"z", f.builder.softmax(skip, 3)}});
  cpu::Module module(*graph.state()->definition);
  separateOutputs(module);
  const cpu::MemoryPlan plan = planMemory(module);
  constexpr std::size_t kSmall = 8 * 8 * 16 * 4, kSkip = 16 * 16 * 16 * 4;
  EXPECT_EQ(plan.unsharedBytes, kSmall + kSkip + 2 * kSkip);  // the resampled part is inside the concatenation
  EXPECT_EQ(std::ranges::count(plan.isView, true), 0);
}

// Relative attention: multiplies 9 queries by 60 constant embeddings of distances (axis 2), or 60 rows by 9 constant columns
// (axis 1). A gather then selects 9 of the 60 products along `axis`.
Operand relativeScores(Fixture& f, std::uint32_t axis, DataType type, std::int64_t first, std::int64_t step) {
  GraphBuilder& b = f.builder;
  const std::uint32_t rows = axis == 2 ? 9 : 60, columns = axis == 2 ? 60 : 9;
  const Operand queries = b.reshape(f.input({1, rows, 12}), {1, rows, 3, 4});
  std::vector<Number> numbers, indices;
  for (std::uint32_t i = 0; i < columns * 12; ++i) numbers.emplace_back(0.01 * (i % 97) - 0.4);
  for (std::int64_t i = 0; i < 3 * 9 * 9; ++i) indices.emplace_back(first + step * (i % 9 + i / 9 % 9));
  const Operand distances = b.reshape(f.constant({columns, 12}, numbers), {columns, 3, 4});
  const Operand heads = b.reshape(b.transpose(queries, {.permutation = {0, 2, 1, 3}}), {3, rows, 4});
  const Operand keys = b.transpose(distances, {.permutation = {1, 2, 0}});
  return b.gatherElements(b.matmul(heads, keys), f.constant(type, {3, 9, 9}, indices), {.axis = axis});
}

TEST(NarrowGathers, MultipliesOnlyTheGatheredRowsOrColumns) {
  const std::string columns = "reshape reshape transpose reshape slice transpose matmul gatherElements";
  const std::string rows = "reshape reshape transpose slice transpose reshape matmul gatherElements";
  for (const std::uint32_t axis : {1U, 2U}) {
    const auto expectNarrow = [&](DataType type, std::int64_t first, std::int64_t step) {
      expectAfterPass(cpu::narrowGathers, axis == 2 ? columns : rows,
                      [&](Fixture& f) { return relativeScores(f, axis, type, first, step); });
    };
    for (const DataType type : {DataType::int32, DataType::uint32, DataType::int64}) expectNarrow(type, 20, 1);
    expectNarrow(DataType::int32, -1, -1);  // negative indices count from the end
    expectNarrow(DataType::int64, 50, 1);   // some are beyond the end
  }
}

// The pass moves a slice past a limited number of operations, so that its recursion cannot overflow the stack.
TEST(NarrowGathers, TakesLongChains) {
  Fixture f;
  Operand keys = f.input({5, 40});
  for (int i = 0; i < 20'000; ++i) keys = f.builder.transpose(keys);
  const Operand indices = f.constant(DataType::int32, {4, 1}, {1, 2, 3, 4});
  const Operand result = f.builder.gatherElements(f.builder.matmul(f.input({4, 5}), keys), indices, {.axis = 1});
  const std::string operations = operationsAfter(f, {result}, {cpu::narrowGathers});
  EXPECT_TRUE(operations.ends_with("transpose matmul gatherElements"));
  EXPECT_NE(operations.find("slice"), std::string::npos);
}

TEST(NarrowGathers, KeepsProductsThatAreReadWhole) {
  expectAfterPass(cpu::narrowGathers, "reshape reshape transpose reshape transpose matmul gatherElements",
                  [](Fixture& f) { return relativeScores(f, 2, DataType::int32, 0, 3); });
  // The indices select matrices.
  expectAfterPass(cpu::narrowGathers, "matmul gatherElements", [](Fixture& f) {
    const Operand matrices = f.builder.matmul(f.input({8, 4, 5}), f.input({5, 6}));
    return f.builder.gatherElements(matrices, f.constant(DataType::int32, {1, 4, 6}, {3}), {.axis = 0});
  });
  // The indices are not constant.
  expectAfterPass(cpu::narrowGathers, "matmul gatherElements", [](Fixture& f) {
    return f.builder.gatherElements(f.builder.matmul(f.input({4, 5}), f.input({5, 40})), f.input(DataType::int32, {4, 1}),
                                    {.axis = 1});
  });
  // Two products read the transpose: it is computed once, and each reads a slice of it.
  expectAfterPass(cpu::narrowGathers, "transpose slice matmul gatherElements slice matmul gatherElements add", [](Fixture& f) {
    GraphBuilder& b = f.builder;
    const Operand keys = b.transpose(f.input({40, 5}));
    const auto gathered = [&](std::int64_t first) {
      const Operand indices = f.constant(DataType::int32, {4, 1}, {first, first + 1, first + 2, first + 3});
      return b.gatherElements(b.matmul(f.input({4, 5}), keys), indices, {.axis = 1});
    };
    const Operand low = gathered(1);
    return b.add(low, gathered(30));
  });
  // Another user reads all columns.
  const auto make = [](Fixture& f) {
    const Operand product = f.builder.matmul(f.input({4, 5}), f.input({5, 40}));
    const Operand indices = f.constant(DataType::int32, {4, 1}, {1, 2, 3, 4});
    return std::vector<Operand>{f.builder.gatherElements(product, indices, {.axis = 1}), f.builder.neg(product)};
  };
  Fixture f, g;
  EXPECT_EQ(operationsAfter(f, make(f), {cpu::narrowGathers}), "matmul gatherElements neg");
  expectCpuAgrees(g, make(g));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
