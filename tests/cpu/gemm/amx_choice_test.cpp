// Tests which matrix products run on AMX tiles.
#include "backends/cpu/gemm/amx_choice.h"

#include "cpu/cpu_support.h"
#include "support/bits.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::Isa;
using enum cpu::ProductType;

struct Choice {
  cpu::Product product;
  bool onTiles;
};

TEST(CpuAmxChoice, TilesAreForProductsThatGainByThem) {
  WEBNN_NEEDS_64_BITS();
  for (const auto& [product, onTiles] :
       {Choice{{floats, 56, 96, 64}, true}, Choice{{floats, 55, 768, 768}, false}, Choice{{floats, 4096, 95, 256}, false},
        Choice{{floats, 4096, 256, 63}, false}, Choice{{halves, 128, 768, 768}, true}, Choice{{halves, 63, 768, 768}, false},
        Choice{{bytes, 5, 16, 32}, true}, Choice{{bytes, 4, 768, 768}, false}, Choice{{bytes, 5, 15, 32}, false},
        Choice{{bytes, 5, 16, 31}, false}, Choice{{bf16, 5, 16, 32}, true}, Choice{{bf16, 4, 768, 768}, false}}) {
    EXPECT_EQ(kernelIsa(Isa::amx, product), onTiles ? Isa::amx : Isa::avx512)
        << product.m << "x" << product.n << "x" << product.k;
  }
}

TEST(CpuAmxChoice, OtherLevelsHaveNone) {
  WEBNN_NEEDS_64_BITS();
  for (const auto type : {floats, halves, bytes, bf16}) {
    for (const std::size_t size : {1, 31, 5000}) {
      EXPECT_EQ(kernelIsa(Isa::amxAlways, {type, size, size, size}), Isa::amx);
      EXPECT_EQ(kernelIsa(Isa::amxEmulated, {type, size, size, size}), Isa::amxEmulated);
      for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512, Isa::neon})
        EXPECT_EQ(kernelIsa(isa, {type, size, size, size}), isa);
    }
    EXPECT_EQ(kernelIsa(Isa::amxAlways, {type, 64, 64, 0}), Isa::avx512);
  }
}

TEST(CpuAmxChoice, DescriptionsSayWhichAndWhy) {
  WEBNN_NEEDS_64_BITS();
  EXPECT_EQ(kernelText(Isa::amx, {floats, 2048, 2048, 2048}), "amx, tiles from 56x96x64");
  EXPECT_EQ(kernelText(Isa::amx, {halves, 64, 64, 64}), "amx, tiles from 64x64x64");
  EXPECT_EQ(kernelText(Isa::amx, {halves, 63, 64, 64}), "avx512, tiles from 64x64x64");
  EXPECT_EQ(kernelText(Isa::amxAlways, {floats, 1, 1, 1}), "amx");
  EXPECT_EQ(kernelText(Isa(Isa::avx512, {cpu::CpuFeature::avx512Vnni}), {bytes, 64, 64, 64}), "avx512");
  EXPECT_EQ(kernelText(Isa::amx, {bf16, 64, 64, 64}), "amx bf16, tiles from 5x16x32");
  EXPECT_EQ(kernelText(Isa::avx2, {bf16, 64, 64, 64}), "avx2 bf16 widened");
  EXPECT_EQ(kernelText(Isa(Isa::avx512, {cpu::CpuFeature::avx512Bf16}), {bf16, 64, 64, 64}), "avx512 bf16 widened");
  EXPECT_EQ(kernelText(Isa::sse4, {bytes, 64, 64, 64}), "sse4");
}

// The emulation ignores the size limits, so that the tests of all kernel families can run it on processors without AMX.
TEST(CpuAmxChoice, EmulationIsOnTilesWhateverTheSize) {
  const std::vector<std::string> isas = cpuIsas();
  if (std::ranges::find(isas, "amx-emulated") == isas.end()) GTEST_SKIP() << "no 512-bit vectors, or tiles of its own";
  for (const std::uint32_t size : {1U, 17U}) {
    Fixture f;
    const Operand y = f.builder.matmul(f.input({size, size}), f.constant({size, size}, std::vector<Number>(size * size, 1)));
    const std::vector<std::string> kernels = cpuKernels(f, {y}, {}, "amx-emulated");
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_TRUE(kernels[0].ends_with(" amx-emulated")) << kernels[0];
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
