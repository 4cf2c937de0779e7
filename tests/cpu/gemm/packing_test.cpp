// Compares weights that the engine packs at build time with the results of loops over single elements.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "backends/cpu/simd/winograd.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

std::vector<Isa> isas() {
  std::vector<Isa> all;
  for (const Isa::Level isa : {Isa::sse4, Isa::avx2, Isa::avx512, Isa::neon, Isa::dotprod, Isa::i8mm}) {
    if (isSupported(isa)) all.push_back(isa);
  }
  return all;
}

std::vector<float> randomFloats(std::size_t count) {
  std::mt19937 random(7);
  std::vector<float> values(count);
  for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

// Returns the matrix of Winograd's filter transform for one dimension: three filter elements become one value per point.
std::vector<std::array<double, 3>> filterTransform(std::size_t outputs) {
  if (outputs == 2) return {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  std::vector<std::array<double, 3>> rows{{1 / (kPointA * kPointA * kPointB * kPointB), 0, 0}};
  for (const double point : {kPointA, -kPointA, kPointB, -kPointB}) {
    const double other = std::abs(point) == kPointA ? kPointB : kPointA;
    const double scale = 1 / (2 * point * point * (point * point - other * other));
    rows.push_back({scale, scale * point, scale * point * point});
  }
  rows.push_back({0, 0, 1});
  return rows;
}

TEST(CpuPacking, TransformsFiltersAsInDouble) {
  for (const Isa isa : isas()) {
    for (const std::size_t outputs : {2U, 4U}) {
      constexpr std::size_t kInputs = 3, kWidth = 32;
      const auto rows = filterTransform(outputs);
      const std::size_t size = rows.size(), ld = kInputs * kWidth + 5;
      const std::vector<float> taps = randomFloats(kInputs * 9 * kWidth);
      std::vector<float> packed(size * size * ld, NAN);
      winogradKernels(isa, outputs).filter(taps.data(), kWidth, 9 * kWidth, kInputs, kWidth, packed.data(), ld);
      for (std::size_t at = 0; at < kInputs * kWidth; ++at) {
        for (std::size_t p = 0; p < size * size; ++p) {
          double sum = 0;
          for (std::size_t t = 0; t < 9; ++t)
            sum += rows[p / size][t / 3] * rows[p % size][t % 3] *
                   static_cast<double>(taps[(at / kWidth * 9 + t) * kWidth + at % kWidth]);
          const double got = static_cast<double>(packed[p * ld + at]);
          ASSERT_NEAR(got, sum, 6e-8 * std::abs(sum) + 1e-15) << name(isa) << " " << outputs << " position " << p << " at " << at;
        }
      }
    }
  }
}

TEST(CpuPacking, KnowsWhereRowsOfPanelsLie) {
  for (const Isa isa : isas()) {
    for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{1, 1}, {5, 33}, {300, 7}, {700, 50}, {1025, 64}}) {
      const std::vector<float> b = randomFloats(k * n);
      const PackedB packed(isa, k, n);
      std::vector<std::byte> memory(packed.bytes());
      packed.pack(b.data(), n, 1, memory.data());
      for (std::size_t p = 0; p < packed.panels(); ++p) {
        const PackedPanel panel = packed.panel(memory.data(), p);
        for (std::size_t i = 0; i < k; ++i) {
          ASSERT_TRUE(panel.rowsFrom(i) == 1 || panel.row(i + 1) == panel.row(i) + panel.width);
          for (std::size_t j = 0; j < panel.width; ++j) {
            float value = 0;
            std::memcpy(&value, panel.row(i) + j, sizeof(value));
            ASSERT_EQ(value, j < panel.columns ? b[i * n + panel.column + j] : 0) << name(isa) << " " << k << "x" << n;
          }
        }
      }
    }
  }
}

struct ByteMatrix {
  std::size_t k, columns;
  bool isTransposed, isSigned;
};

// Panels are aligned to vectors.
struct alignas(64) Line {
  std::byte bytes[64];
};

void expectPacks(const QuantizedGemmKernels& kernels, const ByteMatrix& m) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> bytes(m.k * m.columns);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const std::size_t rowStride = m.isTransposed ? 1 : m.columns, columnStride = m.isTransposed ? m.k : 1;
  const std::size_t groups = (m.k + kernels.group - 1) / kernels.group, line = kernels.columns * kernels.group;
  std::vector<Line> lines((groups * line + sizeof(Line) - 1) / sizeof(Line));
  std::byte* const packed = lines.front().bytes;
  std::fill_n(packed, groups * line, std::byte{0x55});
  kernels.packPanel({bytes.data(), rowStride, columnStride, m.k, m.columns, m.isSigned}, packed);
  std::vector<std::int32_t> sums(kernels.columns), expectedSums(kernels.columns);
  for (std::size_t i = 0; i < groups * kernels.group; ++i) {
    for (std::size_t j = 0; j < kernels.columns; ++j) {
      std::int32_t expected = 0;
      if (i < m.k && j < m.columns) {
        const std::uint8_t byte = bytes[i * rowStride + j * columnStride];
        expected = m.isSigned ? static_cast<std::int8_t>(byte) : byte;
        expected -= m.isSigned ? 0 : 128;
      }
      const auto got = static_cast<std::int8_t>(packed[i / kernels.group * line + j * kernels.group + i % kernels.group]);
      ASSERT_EQ(got, expected) << "row " << i << " column " << j << " of " << m.k << "x" << m.columns;
      expectedSums[j] += expected;
    }
  }
  kernels.columnSums(packed, groups, sums.data());
  EXPECT_EQ(sums, expectedSums);
}

TEST(CpuPacking, PacksPanelsOfBytesOfEverySize) {
  for (const Isa isa : isas()) {
    for (const bool dots : {false, true}) {
      if (dots && !hasByteDots(isa)) continue;
      const QuantizedGemmKernels& kernels = quantizedGemmKernels(isa, dots);
      for (std::size_t k = 1; k <= 13; ++k) {
        for (std::size_t columns = 1; columns <= kernels.columns; ++columns) {
          for (int kind = 0; kind < 4; ++kind) expectPacks(kernels, {k, columns, kind % 2 == 1, kind / 2 == 1});
        }
      }
    }
  }
}

// Packs filters with several panels and blocks of rows, in two layouts, with one thread and with two, from aligned and unaligned
// memory.
TEST(CpuPacking, PacksFiltersTheSameForAnyTeamAndAlignment) {
  constexpr std::size_t kInputs = 530, kOutputs = 150, kTaps = 9;
  TeamPool pool(2);
  const TeamPool::Lease lease(pool);
  const std::vector<float> filter = randomFloats(kInputs * kOutputs * kTaps + 1);
  std::vector<std::byte> odd(filter.size() * sizeof(float) + 1);
  ConvShape shape{.batch = 1, .inputs = kInputs, .outputs = kOutputs};
  for (ConvAxis* axis : {&shape.height, &shape.width}) *axis = {.size = 9, .count = 7, .offsets = {0, 1, 2}, .taps = {0, 1, 2}};
  const FilterStrides oihw{0, kInputs * kTaps, kTaps, 3, 1}, hwio{0, 1, kOutputs, 3 * kInputs * kOutputs, kInputs * kOutputs};
  const auto packed = [](const ConvKernel& kernel, Team& team, const void* from, const FilterStrides& strides) {
    std::vector<std::byte> to(kernel.packedBytes());
    std::vector<std::byte> scratch(kernel.packScratchBytes() + 64);
    kernel.pack(team, static_cast<const float*>(from), strides, to.data(), scratch.data());
    return to;
  };
  for (const Isa isa : isas()) {
    const ConvContext context{.isa = isa, .threads = 2};
    for (const ConvKernelPtr& kernel : {makeGemmConv(shape, context), makeWinogradConv(shape, context, 4)}) {
      std::vector<float> other(filter.size());  // the same filter in layout hwio
      for (std::size_t o = 0; o < kOutputs; ++o) {
        for (std::size_t i = 0; i < kInputs; ++i) {
          for (std::size_t t = 0; t < kTaps; ++t)
            other[o * hwio.output + i * hwio.input + t * hwio.width] = filter[o * oihw.output + i * oihw.input + t];
        }
      }
      const std::vector<std::byte> expected = packed(*kernel, singleThread(), filter.data(), oihw);
      std::memcpy(odd.data() + 1, filter.data(), odd.size() - 1);
      EXPECT_EQ(packed(*kernel, lease.team(), filter.data(), oihw), expected) << kernel->name();
      EXPECT_EQ(packed(*kernel, lease.team(), odd.data() + 1, oihw), expected) << kernel->name();
      EXPECT_EQ(packed(*kernel, singleThread(), other.data(), hwio), expected) << kernel->name();
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
