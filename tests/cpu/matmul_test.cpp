// Tests matmul, gemm and BatchGemm against the reference backend and against explicit sums.
#include "backends/cpu/ops/matmul.h"

#include <cmath>
#include <numeric>
#include <random>

#include "base/pack.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }
  std::uint32_t upTo(std::uint32_t most) { return 1 + (*this)() % most; }
  bool coin() { return (*this)() % 2 == 0; }

 private:
  std::mt19937 engine_;
};

CpuCase caseOf(std::uint32_t seed, std::size_t k) {
  return {.low = -1, .high = 1, .seed = seed, .relative = 2e-6, .absolute = 2e-7 * static_cast<double>(k + 4)};
}

Operand someOperand(Fixture& f, DataType type, const Shape& shape, bool isConstant, Random& random) {
  if (!isConstant) return f.input(type, shape);
  std::vector<Number> numbers;
  for (std::size_t i = elementCount({type, shape}); i > 0; --i)
    numbers.emplace_back(static_cast<double>(random() % 201) / 100 - 1);
  return f.constant(type, shape, numbers);
}

TEST(CpuMatmul, MultipliesBatchesOfAllRanksThatBroadcast) {
  Random random(1);
  for (int i = 0; i < 40; ++i) {
    Fixture f;
    const std::uint32_t m = random.upTo(20), n = random.upTo(40), k = random.upTo(30);
    Shape a{m, k}, b{k, n};
    const std::uint32_t aRank = random() % 4, bRank = random() % 4;
    for (std::uint32_t d = 0; d < std::max(aRank, bRank); ++d) {
      const std::uint32_t size = random.upTo(3), one = random() % 4;
      if (d < aRank) a.insert(a.begin(), one == 0 ? 1 : size);
      if (d < bRank) b.insert(b.begin(), one == 1 ? 1 : size);
    }
    const DataType type = random.coin() ? DataType::float32 : DataType::float16;
    const bool isConstant = random.coin();
    const Operand first = someOperand(f, type, a, !isConstant && random.coin(), random);
    const Operand second = someOperand(f, type, b, isConstant, random);
    expectCpuAgrees(f, {f.builder.matmul(first, second)}, caseOf(random(), k));
    ASSERT_FALSE(HasFailure()) << toString(first.descriptor()) << " * " << toString(second.descriptor());
  }
}

// With few batches, all matrices are packed before the products; with many, each matrix is packed just before its product.
TEST(CpuMatmul, MultipliesFewAndManyBatchesOfSmallMatrices) {
  for (const std::uint32_t batches : {3U, 4U, 7U, 8U, 19U}) {
    for (const std::uint32_t n : {1U, 16U, 17U, 70U}) {
      for (const DataType type : {DataType::float32, DataType::float16}) {
        for (const bool transposed : {false, true}) {
          SCOPED_TRACE(std::to_string(batches) + " batches, " + std::to_string(n) + " columns");
          Fixture f;
          const Operand a = f.input(type, {batches, 17, 65});
          Operand b = f.input(type, transposed ? Shape{batches, n, 65} : Shape{batches, 65, n});
          if (transposed) b = f.builder.transpose(b, {.permutation = {{0, 2, 1}}});
          expectCpuAgrees(f, {f.builder.matmul(a, b)}, caseOf(batches + n, 65));
        }
      }
    }
  }
}

TEST(CpuMatmul, MultipliesVectors) {
  Random random(2);
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const auto& [m, n, k] :
         {std::array<std::uint32_t, 3>{1, 70, 900}, {70, 1, 900}, {1, 1, 50}, {2, 100, 800}, {3, 33, 33}}) {
      for (const bool isConstant : {false, true}) {
        Fixture f;
        const Operand a = someOperand(f, type, {m, k}, false, random), b = someOperand(f, type, {k, n}, isConstant, random);
        const Operand matrix = someOperand(f, type, {n, k}, true, random);
        expectCpuAgrees(f, {f.builder.matmul(a, b), f.builder.matmul(matrix, f.builder.transpose(a))}, caseOf(3, k));
      }
    }
  }
}

TEST(CpuMatmul, PropagatesNanAndInfinities) {
  Random random(4);
  constexpr double values[] = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
  std::vector<Number> numbers(5 * 19, 0.5);
  for (std::size_t i = 0; i < 4; ++i) numbers[i * 20] = values[i % 3];
  Fixture f;
  const Operand a = f.constant({5, 19}, numbers), b = f.input({19, 35});
  expectCpuAgrees(f, {f.builder.matmul(a, b), f.builder.matmul(f.builder.transpose(b), f.builder.transpose(a))});
}

TEST(CpuMatmul, RunsOnNoReference) {
  Fixture f;
  const Operand a = f.input({5, 19}), b = f.input({19, 35});
  EXPECT_TRUE(cpuKernels(f, {f.builder.matmul(a, b)}).at(0).starts_with("gemm f32 5x35x19"));
}

TEST(CpuGemmOperation, TransposesScalesAndAdds) {
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    Fixture f;
    const std::uint32_t m = random.upTo(30), n = random.upTo(50), k = random.upTo(30);
    GemmOptions options{.alpha = random.coin() ? 1 : 0.3, .beta = random.coin() ? 1 : -0.7};
    options.aTranspose = random.coin();
    options.bTranspose = random.coin();
    const DataType type = random.coin() ? DataType::float32 : DataType::float16;
    const Shape shapes[] = {{}, {1}, {n}, {1, n}, {m, 1}, {m, n}};
    if (random() % 4 != 0) options.c = someOperand(f, type, shapes[random() % std::size(shapes)], random.coin(), random);
    const Operand a = someOperand(f, type, options.aTranspose ? Shape{k, m} : Shape{m, k}, false, random);
    const Operand b = someOperand(f, type, options.bTranspose ? Shape{n, k} : Shape{k, n}, random.coin(), random);
    expectCpuAgrees(f, {f.builder.gemm(a, b, options)}, caseOf(random(), k));
    ASSERT_FALSE(HasFailure()) << i;
  }
}

TEST(CpuGemmOperation, AddsMatrixToSumsOfManyBlocks) {
  Fixture f;
  const Operand a = f.input({40, 900}), b = f.input({300, 900}), c = f.input({40, 300});
  expectCpuAgrees(f, {f.builder.gemm(a, b, {.c = c, .alpha = 0.5, .beta = 2, .bTranspose = true})}, caseOf(6, 900));
}

// Plans a BatchGemm directly, which otherwise only passes create.
class HandPlanner final : public cpu::Planner {
 public:
  HandPlanner(cpu::Isa isa, const Operand& output) : isa_(isa), output_(output) { bases.push_back(nullptr); }

  cpu::Isa isa() const override { return isa_; }
  unsigned threads() const override { return 1; }
  cpu::Slot slot(const Operand& operand) override {
    const auto [found, isNew] = slots_.try_emplace(operand.record().index, static_cast<std::uint32_t>(bases.size()));
    if (isNew) bases.push_back(memory(byteLength(operand.descriptor())));
    return {found->second, 0};
  }
  cpu::Slot output(std::size_t) override { return slot(output_); }
  const Operand& outputOperand(std::size_t) const override { return output_; }
  std::size_t outputStride() const override { return output_.shape().back(); }
  cpu::Slot scratch(std::size_t bytes) override {
    bases[0] = memory(bytes);
    return {0, 0};
  }
  std::byte* keep(std::size_t bytes) override { return memory(bytes); }
  const std::byte* packWeights(std::size_t bytes, cpu::PackKey, FunctionRef<void(std::byte*)> pack) override {
    std::byte* const packed = memory(bytes);
    pack(packed);
    return packed;
  }

  std::vector<std::byte*> bases;

 private:
  std::byte* memory(std::size_t bytes) {
    memory_.emplace_back(static_cast<std::byte*>(::operator new (bytes + 64, std::align_val_t{64})));
    std::fill_n(memory_.back().get(), bytes, std::byte{0xFF});
    return memory_.back().get();
  }
  struct Free {
    void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{64}); }
  };

  cpu::Isa isa_;
  Operand output_;
  std::map<std::uint32_t, std::uint32_t> slots_;
  std::vector<std::unique_ptr<std::byte, Free>> memory_;
};

// A tensor that is stored with a different order of dimensions.
struct Stored {
  Shape logical, stored;
  std::vector<std::uint32_t> permutation;  // logical dimension j is stored at permutation[j]
  std::vector<double> values;

  double at(const Shape& index) const {  // `index` gives logical dimensions; dimensions of size 1 are broadcast
    Shape place(stored.size());
    for (std::size_t j = 0; j < logical.size(); ++j)
      place[permutation[j]] = logical[j] == 1 ? 0 : index[index.size() - logical.size() + j];
    std::size_t offset = 0;
    for (std::size_t j = 0; j < stored.size(); ++j) offset = offset * stored[j] + place[j];
    return values[offset];
  }
};

std::vector<std::uint32_t> somePermutation(std::size_t rank, Random& random) {
  std::vector<std::uint32_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0U);
  for (std::size_t i = rank; i > 1; --i) std::swap(permutation[i - 1], permutation[random() % i]);
  return permutation;
}

Stored store(Shape logical, std::vector<std::uint32_t> permutation, DataType type, Random& random) {
  Stored tensor{logical, Shape(logical.size()), std::move(permutation), {}};
  for (std::size_t j = 0; j < logical.size(); ++j) tensor.stored[tensor.permutation[j]] = logical[j];
  for (std::size_t i = elementCount({type, logical}); i > 0; --i) {
    tensor.values.push_back(static_cast<double>(Half(static_cast<double>(random() % 2001) / 1000 - 1)));
  }
  return tensor;
}

std::vector<Number> numbersOf(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// Checks a random GEMM on one instruction set.
void checkGemm(std::uint32_t seed, cpu::Isa isa) {
  Random random(seed);
  Fixture f;
  const DataType type = random() % 3 == 0 ? DataType::float16 : DataType::float32;
  const std::size_t rank = 2 + random() % 3;
  Shape result, aShape, bShape;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    result.push_back(random.upTo(4));
    aShape.push_back(random() % 4 == 0 ? 1 : result.back());
    bShape.push_back(random() % 3 == 0 || aShape.back() != result.back() ? result.back() : 1);
    if (aShape.back() == 1) bShape.back() = result.back();
  }
  const std::uint32_t m = random.upTo(18), n = random.upTo(40), k = random.upTo(20);
  for (const std::uint32_t size : {m, n}) result.push_back(size);
  for (const std::uint32_t size : {m, k}) aShape.push_back(size);
  for (const std::uint32_t size : {k, n}) bShape.push_back(size);
  const Stored a = store(aShape, somePermutation(rank, random), type, random),
               b = store(bShape, somePermutation(rank, random), type, random);
  const std::vector<std::uint32_t> outputPermutation = somePermutation(rank, random);
  Shape outputShape;
  for (const std::uint32_t i : outputPermutation) outputShape.push_back(result[i]);

  cpu::BatchGemm gemm{.a = f.input(type, a.stored), .aPermutation = a.permutation, .bPermutation = b.permutation};
  const bool isConstant = random.coin();
  gemm.b = isConstant ? f.constant(type, b.stored, numbersOf(b.values)) : f.input(type, b.stored);
  gemm.alpha = random.coin() ? 1.0F : 0.25F;
  gemm.outputPermutation = outputPermutation;
  std::vector<double> bias(n, 0);
  if (random.coin()) {
    for (double& value : bias) value = static_cast<double>(random() % 16) / 8;
    gemm.bias = f.constant(type, {n}, numbersOf(bias));
  }
  // The epilogue: none, a clamp to [-1, 2], or the addition of a residual of the output's shape and a multiplication by 2.
  const std::uint32_t epilogue = random() % 3;
  std::vector<double> residual;
  if (epilogue == 1) gemm.epilogue.program = {1, {{.code = cpu::ElementCode::clamp, .p = -1, .q = 2}}};
  if (epilogue == 2) {
    gemm.epilogue.program = {2,
                             {{.code = cpu::ElementCode::add, .a = 0, .b = 1}, {.code = cpu::ElementCode::add, .a = 2, .b = 2}}};
    for (std::size_t i = elementCount({type, outputShape}); i > 0; --i)
      residual.push_back(static_cast<double>(random() % 64) / 16);
    gemm.epilogue.operands.push_back(f.input(type, outputShape));
  }
  const Operand output = f.input(type, outputShape);

  HandPlanner planner(isa, output);
  const cpu::StepPtr step = cpu::plan(gemm, planner);
  ASSERT_TRUE(step);
  const auto put = [&](const Operand& operand, const std::vector<double>& values) {
    const std::vector<std::byte> bytes = pack(operand.descriptor(), numbersOf(values));
    std::copy(bytes.begin(), bytes.end(), planner.bases[planner.slot(operand).base]);
  };
  put(gemm.a, a.values);
  put(gemm.b, b.values);  // even if b is a constant, because the step may read it unpacked
  if (gemm.bias) put(*gemm.bias, bias);
  if (epilogue == 2) put(gemm.epilogue.operands[0], residual);
  const std::vector<const std::byte*> sources(planner.bases.begin(), planner.bases.end());
  step->run({sources.data(), planner.bases.data(), cpu::singleThread()});

  const std::span<const std::byte> bytes(planner.bases[planner.output(0).base], byteLength(output.descriptor()));
  const std::vector<Number> actual = unpack(output.descriptor(), bytes);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    Shape index(rank);  // the position in the result
    for (std::size_t j = rank, rest = i; j-- > 0; rest /= outputShape[j]) {
      index[outputPermutation[j]] = static_cast<std::uint32_t>(rest % outputShape[j]);
    }
    double expected = 0;
    Shape left = index, right = index;
    for (std::uint32_t l = 0; l < k; ++l) {
      left[rank - 1] = right[rank - 2] = l;
      expected += a.at(left) * b.at(right);
    }
    expected = expected * static_cast<double>(gemm.alpha) + bias[index[rank - 1]];
    if (epilogue == 1) expected = std::min(std::max(expected, -1.0), 2.0);
    if (epilogue == 2) expected = 2 * (expected + residual[i]);
    ASSERT_NEAR(actual[i].toDouble(), expected, type == DataType::float16 ? 1e-3 * (1 + std::abs(expected)) : 2e-5)
        << "seed " << seed << ", " << step->describe() << ", element " << i;
  }
}

TEST(CpuBatchMatmul, ReadsAndWritesTransposedTensors) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    for (const std::string& isa : cpuIsas()) {
      checkGemm(seed, *cpu::isaFromName(isa));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
