// Tests that sessions use the memory of values again in later runs, and that idle memory is freed before a limit is exceeded.
#include "onnx/program/value_pool.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "onnx/sessions.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using formats::onnx::ValueBytes;
using formats::onnx::ValuePool;

constexpr std::size_t kSmall = 1000, kLarge = std::size_t{1} << 20;

struct Pool {
  explicit Pool(std::uint64_t limit = 100 * kLarge) : account(std::make_shared<MemoryAccount>(limit)) {}
  std::shared_ptr<ValueBytes> take(std::size_t size) const { return pool->take(budget, size); }

  std::shared_ptr<MemoryAccount> account;
  Budget budget{"run", {}, account, nullptr};
  std::shared_ptr<ValuePool> pool = std::make_shared<ValuePool>();
};

TEST(ValuePool, GivesTheMemoryOfAnEarlierRun) {
  const Pool pool;
  std::shared_ptr<ValueBytes> value = pool.take(kLarge + 1);
  ASSERT_EQ(value->bytes.size(), kLarge + 1);
  const std::byte* const first = value->bytes.data();
  const std::shared_ptr<ValueBytes> other = pool.take(kLarge);
  EXPECT_NE(other->bytes.data(), first);
  value.reset();
  pool.pool->beginRun();
  value = pool.take(kLarge + kLarge / 20);  // a value that grows by a little
  EXPECT_EQ(value->bytes.data(), first);
  EXPECT_EQ(value->bytes.size(), kLarge + kLarge / 20);
  EXPECT_LT(pool.account->inUse(), 2 * kLarge + kLarge / 16);
  value.reset();
  value = pool.take(kLarge / 4);  // would waste three quarters of the memory
  EXPECT_NE(value->bytes.data(), first);
}

TEST(ValuePool, FreesWhatTwoRunsDidNotUse) {
  const Pool pool;
  pool.pool->beginRun();
  pool.take(kSmall).reset();
  EXPECT_EQ(pool.account->idle(), 0U);
  pool.take(kLarge).reset();
  EXPECT_EQ(pool.account->inUse(), 0U);
  EXPECT_EQ(pool.account->idle(), kLarge);
  pool.pool->beginRun();
  pool.pool->beginRun();
  EXPECT_EQ(pool.account->idle(), kLarge);
  pool.pool->beginRun();
  EXPECT_EQ(pool.account->idle(), 0U);
}

// 30,000 values of several capacities: a search that reads all free memory would take minutes, and a destructor that recurses
// would exhaust the stack.
TEST(ValuePool, KeepsManyValues) {
  Pool pool(std::uint64_t{1} << 40);
  constexpr std::size_t kMany = 30'000;
  for (int run = 0; run < 2; ++run) {
    pool.pool->beginRun();
    std::vector<std::shared_ptr<ValueBytes>> values;
    std::set<const std::byte*> places;
    for (std::size_t i = 0; i < kMany; ++i) {
      values.push_back(pool.take((std::size_t{64} << 10) + i % 5 * 9000));
      places.insert(values.back()->bytes.data());
    }
    EXPECT_EQ(places.size(), kMany);
  }
  EXPECT_GE(pool.account->idle(), kMany << 16);
  pool.pool.reset();
  EXPECT_EQ(pool.account->idle(), 0U);
}

// A run needs as much of the limit as in a new session, whatever the sizes of earlier runs were.
TEST(ValuePool, ChargesAsMuchAsNewMemory) {
  const Pool pool(8 * kLarge);
  for (const std::size_t before : {kLarge, kLarge + kLarge / 9, 2 * kLarge - 1, 3 * kLarge}) {
    for (const std::size_t size : {kLarge, kLarge + 1, 2 * kLarge - 1, 2 * kLarge, 3 * kLarge - 5}) {
      const Pool fresh(8 * kLarge);
      pool.take(before).reset();
      const auto fill = [&](const Pool& one) {
        std::vector<std::shared_ptr<ValueBytes>> values;
        EXPECT_THROW(while (true) values.push_back(one.take(size)), Error);
        return values.size();
      };
      EXPECT_EQ(fill(pool), fill(fresh)) << size << " after " << before;
    }
  }
}

TEST(ValuePool, GivesItsMemoryToOthersBeforeALimitRefusesThem) {
  const Pool pool(3 * kLarge);
  pool.take(2 * kLarge).reset();
  EXPECT_NO_THROW(MemoryCharge(pool.account, 3 * kLarge, "x"));
  EXPECT_EQ(pool.account->idle(), 0U);
}

TEST(ValuePool, MayBeGoneBeforeItsValues) {
  Pool pool;
  std::shared_ptr<ValueBytes> value = pool.take(kLarge);
  pool.pool.reset();
  value->bytes.back() = std::byte{1};
  value.reset();
  EXPECT_EQ(pool.account->inUse(), 0U);
}

TEST(ValuePool, GivesEachThreadItsOwnMemory) {
  const Pool pool;
  const auto work = [&](unsigned id) {
    for (std::size_t i = 0; i < 200; ++i) {
      pool.pool->beginRun();
      const std::shared_ptr<ValueBytes> a = pool.take(kLarge + i * 4096), b = pool.take(kLarge / 2);
      a->bytes.front() = a->bytes.back() = b->bytes.front() = std::byte(id);
      pool.pool->release();
      if (a->bytes.front() != std::byte(id) || a->bytes.back() != std::byte(id) || b->bytes.front() != std::byte(id))
        ADD_FAILURE() << "another thread wrote to the memory";
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned id = 1; id <= 4; ++id) threads.emplace_back(work, id);
  threads.clear();
  pool.pool->release();
  EXPECT_EQ(pool.account->inUse(), 0U);
  EXPECT_EQ(pool.account->idle(), 0U);
}

// Each thread needs half of the limit. Memory that other threads gave back must not be in the way.
TEST(ValuePool, NeverRefusesThreadsThatFitInTheLimit) {
  constexpr std::size_t kValues = 4, kSize = 100'000;
  const Pool pool(2 * kValues * (kSize + 1000));
  const auto work = [&] {
    for (int i = 0; i < 3000; ++i) {
      std::vector<std::shared_ptr<ValueBytes>> values;
      for (std::size_t k = 0; k < kValues; ++k) values.push_back(pool.take(kSize - k * 9000));
    }
  };
  std::atomic<int> refused{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      try {
        work();
      } catch (const Error&) {
        ++refused;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(refused, 0);
}

// The values of one size and those of another size do not fit in the limit together.
TEST(ValuePool, LeavesRoomForRunsWithOtherSizes) {
  Graph graph;
  graph.nodes = {{"NonZero", {"x"}, {"i"}}, {"Cast", {"i"}, {"f"}, {{"to", std::int64_t{kFloat}}}}, {"Neg", {"f"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{"n"}}}};
  graph.outputs = {{"y"}};
  SessionOptions options;
  options.load.limits.maxMemory = 4 << 20;
  const Session session = sessionOf(graph, options);
  for (const std::size_t count : {50'000, 130'000, 20'000, 130'000, 90'000}) {
    const Array y = session.run({{"x", Floats(count, 1)}}).at("y");
    ASSERT_EQ(y.descriptor.shape, (Shape{1, static_cast<std::uint32_t>(count)}));
    EXPECT_EQ(y.as<float>().back(), 1 - static_cast<float>(count));
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
