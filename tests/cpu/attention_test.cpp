// Tests attention on the CPU engine against the reference backend, which computes the separate operations.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// Builds softmax(q * k^T * scale + mask) * v. `isKeyTransposed` says whether `k` is given as k^T.
Operand attention(Fixture& f, const Shape& q, const Shape& k, const Shape& v, bool isKeyTransposed, bool isResultTransposed,
                  const Shape& mask = {}) {
  GraphBuilder& b = f.builder;
  const auto permuted = [&](const Operand& x, std::vector<std::uint32_t> permutation) {
    TransposeOptions options{.label = {}};
    options.permutation = std::move(permutation);
    return b.transpose(x, options);
  };
  const Operand keys = f.input(k);
  const Operand scores =
      b.mul(b.matmul(f.input(q), isKeyTransposed ? permuted(keys, {0, 1, 3, 2}) : keys), f.constant({}, {0.25}));
  const Operand weights = b.softmax(mask.empty() ? scores : b.add(scores, f.input(mask)), 3);
  const Operand result = b.matmul(weights, f.input(v));
  return isResultTransposed ? permuted(result, {0, 2, 1, 3}) : result;
}

const CpuCase kAttention{.relative = 4e-6, .absolute = 3e-6};

TEST(CpuAttention, ComputesEverySizeOfHeads) {
  struct Case {
    std::uint32_t batch, heads, rows, columns, depth, width;
  };
  const Case cases[] = {{1, 1, 1, 1, 1, 1},    {2, 2, 1, 9, 5, 3},      {1, 3, 4, 33, 17, 65},   {1, 2, 5, 31, 16, 15},
                        {2, 3, 17, 40, 33, 8}, {1, 12, 32, 32, 64, 64}, {1, 1, 130, 520, 16, 9}, {1, 2, 64, 2100, 4, 4}};
  for (const auto& [batch, heads, rows, columns, depth, width] : cases) {
    for (const bool isTransposed : {true, false}) {
      SCOPED_TRACE(columns);
      const Shape q{batch, heads, rows, depth}, v{batch, heads, columns, width};
      const Shape k = isTransposed ? Shape{batch, heads, columns, depth} : Shape{batch, heads, depth, columns};
      Fixture f;
      expectCpuAgrees(f, {attention(f, q, k, v, isTransposed, isTransposed)}, kAttention);
      Fixture g;
      expectCpuAgrees(g, {attention(g, q, k, v, isTransposed, !isTransposed, {rows, columns})}, kAttention);
    }
  }
}

TEST(CpuAttention, SharesTheKeysAndValuesOfHeads) {
  for (const std::uint32_t rows : {1U, 6U}) {
    Fixture f;
    expectCpuAgrees(f, {attention(f, {2, 4, rows, 8}, {2, 1, 19, 8}, {2, 1, 19, 8}, true, true, {2, 1, 1, 19})}, kAttention);
    Fixture g;
    expectCpuAgrees(g, {attention(g, {1, 1, rows, 8}, {2, 3, 19, 8}, {1, 3, 19, 8}, true, false)}, kAttention);
  }
}

TEST(CpuAttention, KeepsLargeScoresFinite) {
  for (const std::uint32_t rows : {2U, 20U}) {
    Fixture f;
    expectCpuAgrees(f, {attention(f, {1, 2, rows, 8}, {1, 2, 37, 8}, {1, 2, 37, 8}, true, true)},
                    {.low = -60, .high = 60, .relative = 2e-4, .absolute = 2e-4});
  }
}

TEST(CpuAttention, ReadsFewQueriesDirectly) {
  for (const std::uint32_t rows : {1U, 4U, 5U}) {
    Fixture f;
    const std::vector<std::string> kernels =
        cpuKernels(f, {attention(f, {1, 2, rows, 8}, {1, 2, 9, 8}, {1, 2, 9, 8}, true, true)});
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].starts_with(rows < 5 ? "attention direct 1x2 heads" : "attention blocked 1x2 heads"), true)
        << kernels[0];
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
