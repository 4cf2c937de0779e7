// Tests GEMM of floats as bfloat16 parts on AMX tiles: on the processor's tiles if it has them, and on the emulation.
#include "backends/cpu/gemm/gemm_amx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/gemm/gemm_amx_parts.h"
#include "webnn/types.h"

#if defined(__x86_64__)
namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

std::vector<Isa> tileIsas() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::amxEmulated, Isa::amx}) {
    if (isSupported(isa)) all.push_back(isa);
  }
  return all;
}

struct Free {
  void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{64}); }
};
std::unique_ptr<std::byte, Free> aligned(std::size_t bytes) {
  return std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(::operator new (bytes + 64, std::align_val_t{64})));
}

struct Matrices {
  std::size_t m, n, k;
  std::vector<float> a, b;

  Matrices(std::size_t rows, std::size_t columns, std::size_t depth, auto&& fill) : m(rows), n(columns), k(depth) {
    for (std::size_t i = 0; i < m * k; ++i) a.push_back(fill(true));
    for (std::size_t i = 0; i < k * n; ++i) b.push_back(fill(false));
  }

  // Computes the chunks for `threads` threads, one after the other. `gathers`: A is copied by a callback.
  std::vector<float> multiply(Isa isa, unsigned threads = 1, bool gathers = false) const {
    const GemmPlan plan({isa, k, n}, m, threads, systemCaches());
    const auto packed = aligned(plan.b().bytes()), scratch = aligned(plan.scratchBytes());
    plan.b().pack(b.data(), n, 1, packed.get());
    std::vector<float> c(m * n);
    AOperand left{.data = a.data(), .lda = k};
    if (gathers) left = {.gather = copyRows, .context = this};
    const GemmCall call{.a = left, .b = packed.get(), .c = c.data(), .ldc = n, .scratch = scratch.get()};
    const GemmGrid& grid = plan.grid(threads);
    for (std::size_t i = 0; i < grid.chunks(); ++i) plan.runChunk(grid, call, i, static_cast<unsigned>(i) % threads);
    return c;
  }

  static void copyRows(const void* context, std::size_t row, std::size_t rows, std::size_t from, std::size_t count, float* to,
                       std::size_t ld) {
    const auto& matrices = *static_cast<const Matrices*>(context);
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(&matrices.a[(row + i) * matrices.k + from], count, to + i * ld);
  }

  void expected(std::vector<double>& sums, std::vector<double>& magnitudes) const {
    sums.assign(m * n, 0);
    magnitudes.assign(m * n, 0);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t j = 0; j < n; ++j) {
          const double term = static_cast<double>(a[i * k + l]) * b[l * n + j];
          sums[i * n + j] += term;
          magnitudes[i * n + j] += std::abs(term);
        }
      }
    }
  }
};

TEST(CpuGemmAmx, EmulatedTilesSumEvenAndOddStepsApart) {
  if (tileIsas().empty()) GTEST_SKIP() << "no 512-bit vectors";
  const auto bf16 = [](float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16); };
  alignas(64) std::uint16_t a[16][32] = {}, b[16][32] = {};
  alignas(64) float c[16][16] = {};
  // Tiles add the products of even and of odd steps separately. Row 0 has 2^24, 1 and 1 in even steps, where the ones are lost to
  // rounding, and -2^24 in an odd step. One chain of additions in the order of the steps would keep the ones.
  for (const auto& [k, value] : {std::pair{0, 0x1p24F}, {2, 1.0F}, {4, 1.0F}, {1, -0x1p24F}}) a[0][k] = bf16(value);
  // Row 1 has ones in even steps, and -2^24 and 2^24 in odd steps.
  for (const auto& [k, value] : {std::pair{0, 1.0F}, {1, -0x1p24F}, {2, 1.0F}, {3, 0x1p24F}}) a[1][k] = bf16(value);
  // Row 2 has a denormal operand and row 3 a denormal product. Both results are zero.
  a[2][0] = 0x0040;
  a[3][0] = bf16(0x1p-100F);
  for (std::size_t pair = 0; pair < 16; ++pair) {
    for (std::size_t column = 0; column < 16; ++column) {
      b[pair][2 * column] = b[pair][2 * column + 1] = bf16(column == 1 ? 0x1p-30F : 1);
    }
  }
  b[0][2 * 2] = bf16(0x1p126F);
  c[4][0] = std::numeric_limits<float>::denorm_min();  // must become zero, too
  c[5][0] = 3;
  EmulatedTiles tiles;
  tiles.configure({});
  tiles.load<0>(c, sizeof(c[0]));
  tiles.load<4>(a, sizeof(a[0]));
  tiles.load<6>(b, sizeof(b[0]));
  tiles.dotBf16<0, 4, 6>();
  tiles.store<0>(c, sizeof(c[0]));
  EXPECT_EQ(c[0][0], 0);
  EXPECT_EQ(c[1][0], 2);
  EXPECT_EQ(c[2][2], 0);
  EXPECT_EQ(c[3][0], 0x1p-100F);
  EXPECT_EQ(c[3][1], 0);
  EXPECT_EQ(c[4][0], 0);
  EXPECT_EQ(c[5][0], 3);
}

TEST(CpuGemmAmx, EmulatedTilesHaveTheConfiguredSize) {
  if (tileIsas().empty()) GTEST_SKIP() << "no 512-bit vectors";
  alignas(64) std::uint8_t from[16][64], to[16][64] = {};
  std::memset(from, 7, sizeof(from));
  TileConfiguration configuration;
  configuration.rows[1] = 3;
  configuration.rowBytes[1] = 20;
  EmulatedTiles tiles;
  tiles.configure(configuration);
  tiles.load<1>(from, 64);
  tiles.store<1>(to, 64);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(to[row][i], row < 3 && i < 20 ? 7 : 0) << row << "," << i;
  }
}

TEST(CpuGemmAmx, PartsHoldEveryBit) {
  if (tileIsas().empty()) GTEST_SKIP() << "no 512-bit vectors";
  std::mt19937 random(3);
  for (const std::size_t width : {16, 32}) {
    for (const std::size_t k : {1, 2, 31, 32, 33, 190}) {
      std::vector<float> panel(k * width), joined(k * width);
      for (float& value : panel) {
        const auto exponent = static_cast<std::uint32_t>(random() % 254);  // 0: subnormal
        value =
            random() % 9 == 0 ? 0.0F : std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x807F'FFFFU) | exponent << 23);
      }
      const auto split = aligned((k + 31) / 32 * 32 * width * 6);
      const AmxRange range = rangeOf(panel.data(), width, k, width);
      ASSERT_EQ(range.parts, 3U);
      splitPanel(panel.data(), k, width, range.parts, split.get());
      joinPanel(split.get(), k, width, range.parts, joined.data());
      ASSERT_EQ(panel, joined) << k;
    }
  }
  // The last bits of a small number are in the last part.
  std::vector<float> numbers(16, 1.0F), joined(16);
  numbers[3] = 0x1.01p-126F;
  const auto split = aligned(32 * 16 * 6);
  const AmxRange range = rangeOf(numbers.data(), 16, 1, 16);
  splitPanel(numbers.data(), 1, 16, range.parts, split.get());
  joinPanel(split.get(), 1, 16, range.parts, joined.data());
  EXPECT_EQ(numbers, joined);
}

TEST(CpuGemmAmx, RangesShowWhetherValuesSplit) {
  if (tileIsas().empty()) GTEST_SKIP() << "no 512-bit vectors";
  const auto rangeWith = [](float value, float others = -0x1p30F) {
    std::vector<float> numbers(37, others);
    numbers[5] = 0;
    numbers[36] = value;
    return rangeOf(numbers.data(), 37, 1, 37);
  };
  for (const float value : {0x1p-103F, -0x1p-103F, 0x1.FFFFFEp126F, -0.0F, 1 / 3.0F}) {
    EXPECT_TRUE(rangeWith(value).splits()) << value;
  }
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {infinity, -infinity, nan, -nan, std::numeric_limits<float>::max(), 0x1.8p-104F, 1e-40F, -1e-45F}) {
    EXPECT_FALSE(rangeWith(value).splits()) << value;
  }
  EXPECT_EQ(rangeWith(0x1.FFEp0F).parts, 2U);
  EXPECT_EQ(rangeWith(0x1.010102p0F).parts, 3U);
  EXPECT_TRUE(rangeWith(0x1p-50F).multiplies(rangeWith(-0x1p-50F)));
  EXPECT_FALSE(rangeWith(0x1p-50F).multiplies(rangeWith(0x1p-51F)));
  EXPECT_TRUE(rangeWith(0x1p100F).multiplies(rangeWith(0x1p10F, 1)));
  EXPECT_FALSE(rangeWith(0x1p100F).multiplies(rangeWith(0x1p20F)));
  // Small numbers are harmless if the largest number of both matrices is moderate.
  for (const float others : {0x1p-24F, 1.0F, -0x1.FFFFFEp16F}) {
    EXPECT_TRUE(rangeWith(1e-40F, others).splits()) << others;
    EXPECT_TRUE(rangeWith(1e-40F, others).multiplies(rangeWith(1e-40F, 1))) << others;
    EXPECT_FALSE(rangeWith(1e-40F, others).multiplies(rangeWith(1))) << others;
  }
  for (const float others : {0x1.FFFFFEp-25F, -0x1p17F}) EXPECT_FALSE(rangeWith(1e-40F, others).splits()) << others;
  const std::vector<float> zeros(32);
  EXPECT_TRUE(rangeOf(zeros.data(), 32, 1, 32).multiplies(rangeWith(0x1p-103F)));
}

TEST(CpuGemmAmx, IsAsExactAsFloats) {
  std::mt19937 random(4);
  const Matrices matrices(300, 80, 1024, [&](bool) { return std::uniform_real_distribution<float>(-1, 1)(random); });
  std::vector<double> sums, magnitudes;
  matrices.expected(sums, magnitudes);
  for (const Isa isa : tileIsas()) {
    const std::vector<float> c = matrices.multiply(isa);
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      error += (c[i] - sums[i]) * (c[i] - sums[i]);
      norm += sums[i] * sums[i];
    }
    EXPECT_LT(std::sqrt(error / norm), 3e-7) << name(isa);
    EXPECT_NE(c, matrices.multiply(Isa::avx512)) << name(isa) << ": not by tiles";
  }
}

// Sizes beside multiples of a tile (16 and 32), of the rows that are split together (256) and of a block of k (384).
TEST(CpuGemmAmx, SumsDoNotDependOnThreadsOrOnHowRowsAreRead) {
  std::mt19937 random(9);
  for (const auto& [m, n, k] : {std::array<std::size_t, 3>{0, 100, 400},
                                {1, 1, 385},
                                {255, 33, 64},
                                {257, 97, 383},
                                {300, 700, 400},
                                {600, 100, 769},
                                {16, 520, 1}}) {
    const Matrices matrices(m, n, k, [&](bool) { return std::uniform_real_distribution<float>(-1, 1)(random); });
    std::vector<double> sums, magnitudes;
    matrices.expected(sums, magnitudes);
    for (const Isa isa : tileIsas()) {
      const std::vector<float> c = matrices.multiply(isa);
      for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], sums[i], 1e-6 * magnitudes[i]) << name(isa) << " " << i;
      for (const unsigned threads : {2U, 3U, 16U}) EXPECT_EQ(c, matrices.multiply(isa, threads)) << m << " " << threads;
      EXPECT_EQ(c, matrices.multiply(isa, 2, true)) << m;
    }
  }
}

// Few rows by few columns: there are too few panels for two chunks of columns, so that the rows are divided.
TEST(CpuGemmAmx, ThreadsShareSmallProducts) {
  for (const Isa isa : tileIsas()) {
    for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{64, 96}, {64, 192}, {96, 128}, {128, 256}, {64, 384}}) {
      for (const unsigned threads : {2U, 4U}) {
        const GemmGrid grid = GemmPlan({isa, 512, n}, m, threads, systemCaches()).grid(threads);
        EXPECT_GE(grid.chunks(), m * n >= 64 * 384 ? threads : 2U) << m << "x" << n << " " << threads;
      }
    }
    EXPECT_EQ(GemmPlan({isa, 64, 96}, 64, 2, systemCaches()).grid(2).chunks(), 1U) << "takes less than ten microseconds";
  }
}

// A float16 weight is packed as two bfloat16 parts, in four bytes. A panel has 64 bytes more per block of k, whatever the values.
TEST(CpuGemmAmx, HalvesArePackedAsTwoParts) {
  constexpr std::size_t kM = 33, kN = 48, kK = 400;
  std::mt19937 random(8);
  for (const bool hasInfinity : {false, true}) {
    std::vector<float> a(kM * kK);
    std::vector<std::uint16_t> b(kK * kN);
    for (float& value : a) value = std::uniform_real_distribution<float>(-1, 1)(random);
    for (std::uint16_t& bits : b) bits = static_cast<std::uint16_t>(random() % 0x7C00 | (random() % 2) << 15);  // finite
    if (hasInfinity) b[kN] = 0x7C00;
    std::vector<double> sums(kM * kN), magnitudes(kM * kN);
    for (std::size_t i = 0; i < kM * kN; ++i) {
      for (std::size_t l = 0; l < kK; ++l) {
        const double term = static_cast<double>(a[i / kN * kK + l]) * static_cast<double>(Half::fromBits(b[l * kN + i % kN]));
        sums[i] += term, magnitudes[i] += std::abs(term);
      }
    }
    for (const Isa isa : tileIsas()) {
      const GemmPlan plan({isa, kK, kN, PackedNumbers::halves}, kM, 1, systemCaches());
      EXPECT_LE(plan.b().bytes(), (kK + 48) * kN * 4 + 6 * 64U);
      const auto packed = aligned(plan.b().bytes()), scratch = aligned(plan.scratchBytes());
      plan.b().pack(b.data(), kN, 1, packed.get());
      std::vector<float> c(kM * kN);
      plan.run(singleThread(),
               {.a = {.data = a.data(), .lda = kK}, .b = packed.get(), .c = c.data(), .ldc = kN, .scratch = scratch.get()});
      for (std::size_t i = 0; i < c.size(); ++i) {
        if (std::isfinite(sums[i])) {
          ASSERT_NEAR(c[i], sums[i], 1e-6 * magnitudes[i]) << name(isa);
        } else {
          ASSERT_EQ(c[i], sums[i]) << name(isa);
        }
      }
    }
  }
}

TEST(CpuGemmAmx, SumsOfAnyMagnitudeAreExact) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    // The elements of A, and those of B, are random numbers below 2 * 2^exponent. In half of the cases, about one element in 200
    // has another exponent. Moderate numbers beside small ones then allow an error: see AmxRange::isModerate().
    const int exponents[] = {static_cast<int>(random() % 250) - 125, static_cast<int>(random() % 250) - 125};
    if (exponents[0] + exponents[1] > 110) continue;
    const bool strays = random() % 2 == 0;
    const Matrices matrices(1 + random() % 40, 1 + random() % 40, 1 + random() % 70, [&](bool isA) {
      const int exponent = strays && random() % 200 == 0 ? -static_cast<int>(random() % 150) : exponents[isA];
      return std::ldexp(std::uniform_real_distribution<float>(-2, 2)(random), exponent);
    });
    std::vector<double> sums, magnitudes;
    matrices.expected(sums, magnitudes);
    const double allowed = static_cast<double>(matrices.k) * (2e-45 + (strays ? 0x1p-99 : 0));
    for (const Isa isa : tileIsas()) {
      const std::vector<float> c = matrices.multiply(isa);
      for (std::size_t j = 0; j < c.size(); ++j) {
        if (std::abs(sums[j]) > 1e38) continue;
        ASSERT_NEAR(c[j], sums[j], 1e-6 * magnitudes[j] + allowed) << name(isa) << " " << exponents[0] << " " << exponents[1];
      }
    }
  }
}

// A tile cannot multiply its moderate numbers by the huge ones of the other matrix. Then the small numbers beside the moderate ones
// need all their bits.
TEST(CpuGemmAmx, SmallNumbersBesideModerateOnesAreExact) {
  for (const bool isHugeInA : {true, false}) {
    const Matrices matrices(40, 40, 64, [&, i = std::size_t{0}](bool isA) mutable {
      const std::size_t k = isA ? i % 64 : i / 40;
      i = i + 1 == (isA ? 40 * 64 : 64 * 40) ? 0 : i + 1;
      if (isA == isHugeInA) return k == 1 ? 3e38F : 0.0F;
      return k == 0 ? 1.0F : k == 1 ? 1.2345678e-38F : 0.0F;
    });
    for (const Isa isa : tileIsas()) {
      for (const float sum : matrices.multiply(isa)) ASSERT_FLOAT_EQ(sum, 3e38F * 1.2345678e-38F) << name(isa) << " " << isHugeInA;
    }
  }
}

TEST(CpuGemmAmx, ProductsThatAreJustFiniteStayFinite) {
  // The first bfloat16 part of each number is rounded up to 2^64, whose square is infinite.
  const float number = 0x1.FFF8p63F;
  const Matrices matrices(20, 20, 3, [&, i = 0](bool) mutable { return i++ % 3 == 0 ? number : 0.0F; });
  for (const Isa isa : tileIsas()) EXPECT_EQ(matrices.multiply(isa), matrices.multiply(Isa::avx512)) << name(isa);
  EXPECT_EQ(matrices.multiply(Isa::sse4)[0], number * number);
}

TEST(CpuGemmAmx, MultipliesTilesWithInfinitiesAsFloats) {
  if (tileIsas().empty()) GTEST_SKIP() << "no 512-bit vectors";
  for (const bool isInA : {true, false}) {
    std::mt19937 random(6);
    bool isFirst = true;
    const Matrices matrices(64, 64, 150, [&](bool isA) {
      if (isA == isInA && std::exchange(isFirst, false)) return std::numeric_limits<float>::infinity();
      return std::uniform_real_distribution<float>(-1, 1)(random);
    });
    const std::vector<float> floats = matrices.multiply(Isa::avx512);
    for (const Isa isa : tileIsas()) {
      const std::vector<float> c = matrices.multiply(isa);
      std::size_t others = 0;
      for (std::size_t i = 0; i < 64; ++i) {
        for (std::size_t j = 0; j < 64; ++j) {
          const bool isEqual = std::memcmp(&c[i * 64 + j], &floats[i * 64 + j], sizeof(float)) == 0;
          if (isInA ? i < 32 : j < 32) {
            EXPECT_TRUE(isEqual) << name(isa) << " " << i << "," << j;
          } else {
            others += !isEqual;
          }
        }
      }
      EXPECT_GT(others, 0U) << name(isa) << ": the other tiles are not by tiles";
    }
  }
}

TEST(CpuGemmAmx, RegistersAndEmulationAgreeBitByBit) {
  if (!isSupported(Isa::amx)) GTEST_SKIP() << "this processor has no tiles";
  std::mt19937 random(7);
  for (const auto& [m, n, k] :
       {std::array<std::size_t, 3>{1, 1, 1}, {33, 50, 70}, {64, 96, 500}, {17, 16, 32}, {270, 300, 400}}) {
    for (const int exponent : {0, -45}) {
      const Matrices matrices(m, n, k,
                              [&](bool) { return std::ldexp(std::uniform_real_distribution<float>(-1, 1)(random), exponent); });
      EXPECT_EQ(matrices.multiply(Isa::amx), matrices.multiply(Isa::amxEmulated)) << m << "x" << n << "x" << k;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
#endif
