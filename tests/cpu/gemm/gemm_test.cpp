// Tests the GEMM that matmul, convolutions and others use.
#include "backends/cpu/gemm/gemm.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "webnn/types.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

constexpr float kUntouched = -12345;

std::uint16_t halfFromFloat(float value) { return Half(value).bits(); }
float floatFromHalf(std::uint16_t bits) { return static_cast<float>(static_cast<double>(Half::fromBits(bits))); }

// An array of T that ends at an unreadable page.
template <typename T>
class Guarded {
 public:
  explicit Guarded(std::size_t count) : count_(count) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t body = (count * sizeof(T) + page - 1) / page * page;
    total_ = body + page;
    start_ = static_cast<std::byte*>(::mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(start_ + body, page, PROT_NONE);
    data_ = reinterpret_cast<T*>(start_ + body - count * sizeof(T));
  }
  ~Guarded() { ::munmap(start_, total_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::byte* start_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0, total_ = 0;
};

// Aligned memory for packed weights and scratch.
struct Aligned {
  explicit Aligned(std::size_t bytes) : data(static_cast<std::byte*>(::operator new (bytes + 64, std::align_val_t{64}))) {
    std::memset(data, 0xFF, bytes + 64);  // NaN, to detect results that depend on padding
  }
  ~Aligned() { ::operator delete (data, std::align_val_t{64}); }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  std::byte* data;
};

// A team that runs chunks in reverse order on alternating workers, to detect results that depend on the order.
class Backwards final : public Team {
 public:
  explicit Backwards(unsigned size) : Team(size) {}

 private:
  void share(std::size_t chunks, Share work, const void* context) override {
    for (std::size_t i = chunks; i > 0; --i) work(context, i - 1, static_cast<unsigned>(i % size()));
  }
  void gather(unsigned, std::chrono::microseconds, Join work, const void* context) override {
    TeamMember alone;
    work(context, alone);
  }
};

std::vector<Isa> isas() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::sse4, Isa::avx2, Isa::avx512, Isa::amx, Isa::amxEmulated, Isa::neon}) {
    if (isSupported(isa)) all.push_back(isa);
  }
  return all;
}

// A generator of 32-bit numbers. The result type of std::mt19937 may be wider.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

// These cache sizes are far below and far above real ones. With them, each panel is a chunk, or all panels are one chunk.
constexpr CacheSizes kOtherCaches[]{{1 << 10, 4 << 10}, {1 << 20, std::size_t{1} << 31}};

struct Sizes {
  std::size_t m, n, k;
};

struct Options {
  bool transposed = false, gathers = false, bias = false, clamps = false, halfA = false, halfB = false, halfC = false;
  std::size_t aGap = 0, cGap = 0;
  bool specials = false, unpacks = false;
};

// Stands for a plan that unpacks panels of B: copies them from a packed B.
struct CopiedPanels {
  static void write(const void* context, std::size_t first, std::size_t last, std::size_t k, std::size_t count, float* to) {
    const auto& self = *static_cast<const CopiedPanels*>(context);
    const std::size_t block = k / self.b.kc();
    ASSERT_EQ(block * self.b.kc(), k);
    ASSERT_EQ(self.b.kcOf(block), count);
    const std::size_t end = last == self.b.panels() ? self.b.offset(block + 1, 0) : self.b.offset(block, last);
    const std::size_t begin = self.b.offset(block, first);
    std::memcpy(to, self.packed + begin, std::min(end, self.b.bytes()) - begin);
  }
  const PackedB& b;
  const std::byte* packed;
};

// A GEMM with its operands and its expected result.
class Case {
 public:
  Case(Sizes sizes, Options options, std::uint32_t seed)
      : sizes_(sizes),
        options_(options),
        lda_(sizes.k + options.aGap),
        ldc_(sizes.n + options.cGap),
        a_((sizes.m - 1) * lda_ + sizes.k),
        b_(sizes.k * sizes.n),
        bias_(sizes.n),
        halfA_(a_.size()),
        halfB_(b_.size()) {
    std::mt19937 random(seed);
    const auto fill = [&](const Guarded<float>& to, const Guarded<std::uint16_t>* half) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = std::uniform_real_distribution<float>(-1, 1)(random);
        if (options.specials && random() % 50 == 0) {
          to[i] = random() % 2 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
        }
        if (!half) continue;
        (*half)[i] = halfFromFloat(to[i]);
        if (half == &halfA_ ? options.halfA : options.halfB) to[i] = floatFromHalf((*half)[i]);
      }
    };
    fill(a_, &halfA_);
    fill(b_, &halfB_);
    fill(bias_, nullptr);
    computeExpected();
  }

  void check(Isa isa) const {
    if (options_.unpacks && !PackedB(isa, sizes_.k, sizes_.n).isOfFloats()) return;
    const std::vector<float> alone = run(isa, singleThread());
    compare(isa, alone);
    for (const unsigned threads : {2U, 5U, 16U}) {
      Backwards team(threads);
      const std::vector<float> together = run(isa, team);
      EXPECT_EQ(std::memcmp(alone.data(), together.data(), alone.size() * sizeof(float)), 0)
          << where(isa) << threads << " threads";
    }
    for (const CacheSizes& caches : kOtherCaches) {
      for (const unsigned threads : {1U, 3U}) {
        Backwards team(threads);
        const std::vector<float> other = run(isa, team, caches);
        EXPECT_EQ(std::memcmp(alone.data(), other.data(), alone.size() * sizeof(float)), 0)
            << where(isa) << threads << " threads, second-level cache of " << caches.level2;
      }
    }
  }

 private:
  std::string where(Isa isa) const {
    return std::string(name(isa)) + " " + std::to_string(sizes_.m) + "x" + std::to_string(sizes_.n) + "x" +
           std::to_string(sizes_.k) + ": ";
  }
  float elementB(std::size_t k, std::size_t n) const { return options_.transposed ? b_[n * sizes_.k + k] : b_[k * sizes_.n + n]; }

  static void gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                     std::size_t ld) {
    const auto& self = *static_cast<const Case*>(context);
    ASSERT_LE(row + rows, self.sizes_.m);
    ASSERT_LE(k + count, self.sizes_.k);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < count; ++j) to[i * ld + j] = self.a_[(row + i) * self.lda_ + k + j];
    }
  }

  std::vector<float> run(Isa isa, Team& team, const CacheSizes& caches = {}) const {
    const auto& [m, n, k] = sizes_;
    const GemmPlan plan({isa, k, n}, m, team.size(), caches, !options_.halfC, options_.unpacks);
    const Aligned packed(plan.b().bytes()), scratch(plan.scratchBytes());
    const std::size_t rowStride = options_.transposed ? 1 : n, columnStride = options_.transposed ? k : 1;
    if (options_.halfB) {
      plan.b().pack(halfB_.data(), rowStride, columnStride, packed.data);
    } else {
      plan.b().pack(b_.data(), rowStride, columnStride, packed.data);
    }
    const std::size_t count = (m - 1) * ldc_ + n;
    const Guarded<float> c(options_.halfC ? 0 : count);
    const Guarded<std::uint16_t> half(options_.halfC ? count : 0);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = kUntouched;
    for (std::size_t i = 0; i < half.size(); ++i) half[i] = halfFromFloat(kUntouched);
    const CopiedPanels panels{plan.b(), packed.data};
    GemmCall gemm{.b = packed.data, .ldc = ldc_, .scratch = scratch.data};
    if (options_.unpacks) {
      gemm.b = nullptr;
      gemm.unpack = {.write = CopiedPanels::write, .context = &panels};
    }
    (options_.halfC ? void(gemm.half = half.data()) : void(gemm.c = c.data()));
    gemm.a.lda = lda_;
    if (options_.gathers) {
      gemm.a.gather = gather;
      gemm.a.context = this;
    } else if (options_.halfA) {
      gemm.a.half = halfA_.data();
    } else {
      gemm.a.data = a_.data();
    }
    if (options_.bias) gemm.epilogue.bias = bias_.data();
    gemm.epilogue.clamps = options_.clamps;
    gemm.epilogue.minimum = -0.5F;
    gemm.epilogue.maximum = 1.5F;
    if (options_.cGap % 2 == 1) {
      gemm.epilogue.apply = [](const void*, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* at,
                               std::size_t ld, unsigned) {
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < columns; ++j) at[i * ld + j] += static_cast<float>((row + i) * 3 + column + j);
        }
      };
    }
    plan.run(team, gemm);
    std::vector<float> result(c.data(), c.data() + c.size());
    for (std::size_t i = 0; i < half.size(); ++i) result.push_back(floatFromHalf(half[i]));
    return result;
  }

  void compare(Isa isa, const std::vector<float>& actual) const {
    const float untouched = options_.halfC ? floatFromHalf(halfFromFloat(kUntouched)) : kUntouched;
    for (std::size_t i = 0; i < sizes_.m; ++i) {
      for (std::size_t j = 0; j < (i + 1 < sizes_.m ? ldc_ : sizes_.n); ++j) {
        const float found = actual[i * ldc_ + j];
        if (j >= sizes_.n) {
          ASSERT_EQ(found, untouched) << where(isa) << "written between rows";
          continue;
        }
        const double sum = sums_[i * sizes_.n + j], magnitude = magnitudes_[i * sizes_.n + j];
        if (std::isnan(sum)) {
          ASSERT_TRUE(std::isnan(found)) << where(isa) << i << "," << j;
        } else if (found != static_cast<float>(sum)) {
          const double tolerance = (options_.halfC ? 1e-3 : 0) * std::abs(sum) + 1e-6 * magnitude + 1e-7;
          ASSERT_NEAR(found, sum, tolerance) << where(isa) << i << "," << j;
        }
      }
    }
  }

  // Computes the expected sums, and the sums of magnitudes, by which errors are judged.
  void computeExpected() {
    const auto& [m, n, k] = sizes_;
    sums_.assign(m * n, 0);
    magnitudes_.assign(m * n, 0);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t l = 0; l < k; ++l) {
        for (std::size_t j = 0; j < n; ++j) {
          const double term = static_cast<double>(a_[i * lda_ + l]) * elementB(l, j);
          sums_[i * n + j] += term;
          magnitudes_[i * n + j] += std::abs(term);
        }
      }
      for (std::size_t j = 0; j < n; ++j) {
        double &sum = sums_[i * n + j], &magnitude = magnitudes_[i * n + j];
        if (options_.bias) sum += bias_[j];
        if (options_.clamps && !std::isnan(sum)) sum = std::min(std::max(sum, -0.5), 1.5);
        if (options_.cGap % 2 == 1) sum += static_cast<double>(i * 3 + j);
        magnitude += std::abs(sum);
      }
    }
  }

  Sizes sizes_;
  Options options_;
  std::size_t lda_, ldc_;
  Guarded<float> a_, b_, bias_;
  Guarded<std::uint16_t> halfA_, halfB_;
  std::vector<double> sums_, magnitudes_;
};

void check(Sizes sizes, Options options, std::uint32_t seed) {
  const Case gemm(sizes, options, seed);
  for (const Isa isa : isas()) {
    gemm.check(isa);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

Options randomOptions(Random& random) {
  const auto coin = [&] { return random() % 2 == 0; };
  Options options{.transposed = coin(), .gathers = coin(), .bias = coin(), .clamps = coin()};
  options.halfA = !options.gathers && coin();
  options.halfB = random() % 4 == 0;
  options.halfC = random() % 4 == 0;
  options.aGap = random() % 3;
  options.cGap = random() % 4;
  options.specials = random() % 5 == 0;
  options.unpacks = options.aGap == 2;
  return options;
}

TEST(CpuGemm, MultipliesSmallMatricesOfAllSizes) {
  Random random(7);
  for (int i = 0; i < 600; ++i) {
    check({1 + random() % 40, 1 + random() % 40, 1 + random() % 40}, randomOptions(random), random());
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "case " << i;
  }
}

TEST(CpuGemm, MultipliesEveryNumberOfRowsAndColumns) {
  for (std::size_t i = 1; i <= 40; ++i) {
    check({i, 37, 5}, {}, 1);
    check({13, i, 6}, {.bias = true}, 2);
    check({15, 33, i}, {.gathers = true}, 3);
  }
}

TEST(CpuGemm, CutsLongSumsIntoBlocks) {
  Random random(8);
  for (const std::size_t k : {383, 384, 385, 767, 769, 1000, 2304, 5000}) {
    check({1 + random() % 30, 1 + random() % 70, k}, randomOptions(random), random());
    check({1 + random() % 3, 1 + random() % 300, k}, randomOptions(random), random());
  }
}

TEST(CpuGemm, MultipliesMatricesOfManyBlocks) {
  check({100, 700, 400}, {.bias = true, .clamps = true, .cGap = 1}, 3);
  check({500, 64, 30}, {.transposed = true, .halfA = true, .halfB = true, .halfC = true}, 4);
  check({2, 2000, 800}, {.transposed = true}, 5);
  check({31, 1500, 390}, {.gathers = true, .bias = true, .halfC = true, .cGap = 1}, 6);
  check({400, 300, 790}, {.bias = true, .unpacks = true}, 7);
  check({300, 20, 400}, {.halfC = true, .unpacks = true}, 8);
}

// A row's result must not depend on its position in the batch, which determines its tile.
TEST(CpuGemm, EqualRowsHaveEqualResults) {
  Random random(9);
  const auto number = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  for (const Isa isa : isas()) {
    for (std::size_t m = 2; m <= 60; ++m) {
      for (const std::size_t n : {1, 4, 5, 8, 16, 17, 33}) {
        const std::size_t k = m % 2 == 0 ? 158 : 803;
        std::vector<float> row(k), a, b(k * n), c(m * n);
        std::ranges::generate(row, number);
        std::ranges::generate(b, number);
        for (std::size_t i = 0; i < m; ++i) a.insert(a.end(), row.begin(), row.end());
        const GemmPlan plan({isa, k, n}, m, 1, systemCaches());
        const Aligned packed(plan.b().bytes()), scratch(plan.scratchBytes());
        for (std::size_t i = 0; i < plan.b().panels(); ++i) plan.b().packPanel(b.data(), n, 1, packed.data, i);
        GemmCall gemm{.b = packed.data, .c = c.data(), .ldc = n, .scratch = scratch.data};
        gemm.a = {.data = a.data(), .lda = k};
        const GemmGrid& grid = plan.grid(1);
        for (std::size_t i = 0; i < grid.chunks(); ++i) plan.runChunk(grid, gemm, i, 0);
        for (std::size_t i = 1; i < m; ++i) {
          ASSERT_EQ(std::memcmp(&c[0], &c[i * n], n * sizeof(float)), 0)
              << "row " << i << " of " << m << ", " << n << " columns, instruction set " << static_cast<int>(isa);
        }
      }
    }
  }
}

TEST(CpuGemm, ComputesChunksInLoopsOverGemms) {
  for (const Isa isa : isas()) {
    const Sizes sizes{60, 500, 500};
    const auto& [m, n, k] = sizes;
    std::vector<float> a(m * k, 0.5F), b(k * n, 2), c(m * n);
    const GemmPlan plan({isa, k, n}, m, 3, systemCaches());
    const Aligned packed(plan.b().bytes()), scratch(plan.scratchBytes());
    for (std::size_t i = 0; i < plan.b().panels(); ++i) plan.b().packPanel(b.data(), n, 1, packed.data, i);
    GemmCall gemm{.b = packed.data, .c = c.data(), .ldc = n, .scratch = scratch.data};
    gemm.a = {.data = a.data(), .lda = k};
    const GemmGrid& grid = plan.grid(3);
    EXPECT_GT(grid.chunks(), 2U);
    for (std::size_t i = 0; i < grid.chunks(); ++i) plan.runChunk(grid, gemm, i, static_cast<unsigned>(i % 3));
    EXPECT_EQ(c, std::vector<float>(m * n, static_cast<float>(k)));
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
