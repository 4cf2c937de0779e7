#include "backends/cpu/runtime/arena_pool.h"

#include <algorithm>
#include <cstddef>
#include <thread>

#include "support/support.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

constexpr std::size_t kSmall = 1000, kLarge = 5000;

class ArenaPoolTest : public testing::Test {
 protected:
  std::unique_ptr<Arena> acquire(std::size_t bytes) { return pool->acquire(bytes, account); }
  const std::shared_ptr<ArenaPool> pool = std::make_shared<ArenaPool>();
  const std::shared_ptr<MemoryAccount> account = std::make_shared<MemoryAccount>(1 << 20);
};

TEST_F(ArenaPoolTest, LendsOneArenaToRunsAfterEachOther) {
  const ArenaUser small(pool, kSmall), large(pool, kLarge);
  for (const std::size_t bytes : {kSmall, kLarge, kSmall, kLarge}) {
    std::unique_ptr<Arena> arena = acquire(bytes);
    EXPECT_GE(arena->bytes, bytes);
    pool->release(std::move(arena));
  }
  EXPECT_EQ(account->inUse(), kLarge);
}

TEST_F(ArenaPoolTest, GivesConcurrentRunsArenasOfTheirOwn) {
  const ArenaUser small(pool, kSmall), large(pool, kLarge);
  std::unique_ptr<Arena> first = acquire(kLarge), second = acquire(kSmall);
  EXPECT_NE(first->data, second->data);
  EXPECT_EQ(account->inUse(), kSmall + kLarge);
  pool->release(std::move(first));
  pool->release(std::move(second));
  first = acquire(kSmall);
  EXPECT_EQ(first->bytes, kSmall);  // the large arena remains available for other graphs
  pool->release(std::move(first));
}

// The sizes are below and above the units in which memory is reserved. On Linux, an arena that grows keeps its contents,
// although it consists of several mappings, which Linux before 6.17 cannot move in one call.
TEST_F(ArenaPoolTest, GrowsAnArenaForALargerGraph) {
  constexpr std::size_t kMega = std::size_t{1} << 20;
  const auto plenty = std::make_shared<MemoryAccount>(100 * kMega);
  const ArenaUser huge(pool, 40 * kMega);
  std::size_t before = 0;
  std::byte filled{0x55};
  for (const std::size_t bytes : {kSmall, kMega, 2 * kMega, 3 * kMega + 1, 4 * kMega, 5 * kMega, 21 * kMega, 40 * kMega}) {
    std::unique_ptr<Arena> arena = pool->acquire(bytes, plenty);
    EXPECT_EQ(arena->bytes, bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena->data) % 64, 0u);
#if defined(__linux__)
    const auto isKept = [&](std::byte byte) { return byte == filled; };
    EXPECT_TRUE(std::all_of(arena->data, arena->data + before, isKept)) << bytes;
#endif
    filled = static_cast<std::byte>(std::to_integer<int>(filled) + 1);
    std::fill_n(arena->data, bytes, filled);
    before = bytes;
    EXPECT_EQ(plenty->inUse(), bytes);
    pool->release(std::move(arena));
  }
}

TEST_F(ArenaPoolTest, ChargesTheAccountOfTheGraphThatGrowsAnArena) {
  const auto other = std::make_shared<MemoryAccount>(1 << 20);
  const ArenaUser small(pool, kSmall), large(pool, kLarge);
  pool->release(acquire(kSmall));
  pool->release(pool->acquire(kLarge, other));
  EXPECT_EQ(account->inUse(), 0u);
  EXPECT_EQ(other->inUse(), kLarge);
}

TEST_F(ArenaPoolTest, ReleasesArenasThatNoGraphNeeds) {
  const ArenaUser small(pool, kSmall);
  std::unique_ptr<Arena> arena;
  {
    const ArenaUser large(pool, kLarge);
    arena = acquire(kLarge);
    pool->release(acquire(kLarge));
    EXPECT_EQ(account->inUse(), 2 * kLarge);
  }
  EXPECT_EQ(account->inUse(), kLarge);  // the arena that is in use
  pool->release(std::move(arena));
  EXPECT_EQ(account->inUse(), 0u);
}

#if defined(__linux__)
// Only Linux can shrink an arena. On other systems, the pool releases the arena instead.
TEST_F(ArenaPoolTest, ShrinksAnArenaWhoseLargestGraphIsDestroyed) {
  constexpr std::size_t kMega = std::size_t{1} << 20, kNeed = 5 * kMega + 1;
  const auto plenty = std::make_shared<MemoryAccount>(200 * kMega);
  const ArenaUser small(pool, kSmall), middle(pool, kNeed);
  const auto isFilled = [](std::byte byte) { return byte == std::byte{0x55}; };
  for (const std::size_t largest : {40 * kMega, 6 * kMega, 41 * kMega + 5}) {
    const ArenaUser large(pool, largest);
    std::unique_ptr<Arena> arena = pool->acquire(largest, plenty), other = pool->acquire(largest, plenty);
    std::fill_n(arena->data, largest, std::byte{0x55});
    std::fill_n(other->data, largest, std::byte{0x55});
    pool->release(std::move(arena));
    pool->release(std::move(other));
    EXPECT_EQ(plenty->inUse(), 2 * largest);
  }
  EXPECT_EQ(plenty->inUse(), kNeed);  // one of the two arenas is released
  std::unique_ptr<Arena> arena = pool->acquire(kNeed, plenty);
  EXPECT_EQ(arena->bytes, kNeed);
  EXPECT_TRUE(std::all_of(arena->data, arena->data + kNeed, isFilled));  // the pages that are still needed are kept
  pool->release(std::move(arena));
  pool->release(pool->acquire(kSmall, plenty));
  EXPECT_EQ(plenty->inUse(), kNeed);
}
#endif

TEST_F(ArenaPoolTest, AnAccountThatIsExceededChangesNothing) {
  const ArenaUser huge(pool, 2 << 20), small(pool, kSmall);
  pool->release(acquire(kSmall));
  EXPECT_THROW(acquire(2 << 20), Error);
  std::unique_ptr<Arena> arena = acquire(kSmall);
  EXPECT_EQ(account->inUse(), kSmall);
  pool->release(std::move(arena));
}

// Tests graphs of several sizes in one context: each computes its own values, sequentially and concurrently, and the context
// needs about as much memory as the largest graph.
TEST(CpuArenas, AreSharedByGraphsOfAContext) {
  const auto build = [](const Context& context, std::uint32_t rows) {
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::float32, {rows, 16384}});
    const Operand y = builder.softmax(builder.softmax(builder.transpose(builder.softmax(x, 1)), 1), 0);
    return builder.build({{"y", y}});
  };
  const Context context = test::makeContext("cpu"), alone = test::makeContext("cpu");
  const Graph largest = build(alone, 80);
  std::vector<Graph> graphs;
  for (std::uint32_t rows = 10; rows <= 80; rows += 10) graphs.push_back(build(context, rows));
  EXPECT_LE(static_cast<double>(context.memoryInUse()), 1.1 * static_cast<double>(alone.memoryInUse()));
  const auto resultOf = [](const Graph& graph) {
    std::vector<float> x(elementCount(graph.inputs()[0].second)), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 31);
    graph.compute({{std::as_bytes(std::span(x))}}, {{std::as_writable_bytes(std::span(y))}});
    return y;
  };
  std::vector<std::vector<float>> expected;
  for (std::uint32_t rows = 10; rows <= 80; rows += 10) expected.push_back(resultOf(build(test::makeContext("cpu"), rows)));
  std::atomic<int> wrong = 0;
  const auto runAll = [&] {
    for (std::size_t i = 0; i < 3 * graphs.size(); ++i)
      wrong += resultOf(graphs[i * 5 % graphs.size()]) != expected[i * 5 % graphs.size()];
  };
  runAll();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(runAll);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  graphs.clear();
  EXPECT_EQ(context.memoryInUse(), 0u);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
