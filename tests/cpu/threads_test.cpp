// Tests the threads of a context: every chunk runs once, and threads wait for each other where necessary.
#include "backends/cpu/runtime/threads.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "backends/cpu/runtime/processors.h"
#include "backends/cpu/runtime/shared_ranges.h"
#include "backends/cpu/runtime/sleeping_workers.h"
#include "base/processors.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

constexpr unsigned kSizes[] = {1, 2, 3, 4, 9};
constexpr std::chrono::microseconds kSpinTimeout{1'000'000};  // long enough for all workers to join

// Returns how often each chunk ran. The counters are not atomic, so that the race detector finds chunks that run twice
// concurrently.
std::vector<int> runsOf(Team& team, std::size_t chunks) {
  std::vector<int> runs(chunks);
  team.forEach(chunks, [&](std::size_t chunk, unsigned worker) {
    EXPECT_LT(worker, team.size());
    ++runs[chunk];
  });
  return runs;
}

TEST(TeamPool, RunsEveryChunkOnce) {
  for (const unsigned size : kSizes) {
    TeamPool pool(size);
    EXPECT_EQ(pool.threads(), size);
    const TeamPool::Lease lease(pool);
    EXPECT_EQ(lease.team().size(), size);
    for (const std::size_t chunks : {0, 1, 2, 3, 5, 8, 64, 1000, 20000}) {
      EXPECT_EQ(runsOf(lease.team(), chunks), std::vector<int>(chunks, 1)) << size << " threads";
    }
  }
}

// Successive jobs give the same part of their chunks to the same thread, whose processor has its data in its caches.
TEST(TeamPool, EachThreadBeginsWithItsOwnRange) {
  for (const unsigned size : {2U, 3U}) {
    TeamPool pool(size);
    const TeamPool::Lease lease(pool);
    for (const std::size_t chunks : {3, 8, 100}) {
      for (int round = 0; round < 20; ++round) {
        std::vector<std::atomic<std::size_t>> first(size);  // one more than the first chunk of each thread
        std::atomic<unsigned> came{0};
        lease.team().forEach(chunks, [&](std::size_t chunk, unsigned worker) {
          if (std::size_t none = 0; first[worker].compare_exchange_strong(none, chunk + 1)) ++came;
          while (came < size) std::this_thread::yield();
        });
        for (unsigned worker = 0; worker < size; ++worker) EXPECT_EQ(first[worker], chunks * worker / size + 1);
      }
    }
  }
}

// Every chunk runs, also if a thread never comes to its own range.
TEST(TeamPool, OthersRunTheRangeOfAThreadThatIsBusy) {
  TeamPool pool(2);
  const TeamPool::Lease lease(pool);
  constexpr std::size_t kChunks = 64;
  for (int round = 0; round < 20; ++round) {
    std::atomic<std::size_t> ran{0};
    lease.team().forEach(kChunks, [&](std::size_t, unsigned worker) {
      // A worker holds its first chunk until all others have run.
      if (worker != 0) {
        while (ran + 1 < kChunks) std::this_thread::yield();
      }
      ++ran;
    });
    EXPECT_EQ(ran, kChunks);
  }
}

TEST(TeamPool, HasAsManyThreadsAsTheProcessMayRun) {
  EXPECT_GE(TeamPool(0).threads(), 1U);
  EXPECT_LE(TeamPool(0).threads(), std::max(std::thread::hardware_concurrency(), 1U));
}

TEST(TeamPool, CutsRangesWithoutGapsOrOverlaps) {
  TeamPool pool(3);
  const TeamPool::Lease lease(pool);
  for (const std::size_t count : {0, 1, 7, 64, 1001}) {
    for (const std::size_t grain : {0, 1, 2, 10, 64, 5000}) {
      std::vector<int> runs(count);
      lease.team().forRanges(count, grain, [&](std::size_t begin, std::size_t end, unsigned) {
        EXPECT_LT(begin, end);
        EXPECT_LE(end - begin, std::max<std::size_t>(grain, 1));
        for (std::size_t i = begin; i < end; ++i) ++runs[i];
      });
      EXPECT_EQ(runs, std::vector<int>(count, 1)) << grain;
    }
  }
}

// The caller sees the workers' writes when forEach returns, and the workers see the caller's earlier writes.
TEST(TeamPool, RunsThousandsOfShortSections) {
  for (const unsigned size : kSizes) {
    TeamPool pool(size);
    const TeamPool::Lease lease(pool);
    std::vector<std::uint64_t> values(7);
    for (std::uint64_t i = 0; i < 5000; ++i) {
      const std::size_t chunks = i % values.size() + 1;
      std::uint64_t step = i;  // a worker that still runs a chunk of an earlier forEach() would add another value
      lease.team().forEach(chunks, [&values, &step](std::size_t chunk, unsigned) { values[chunk] += step; });
      step = ~std::uint64_t{0};
    }
    for (std::size_t chunk = 0; chunk < values.size(); ++chunk) {
      std::uint64_t expected = 0;
      for (std::uint64_t i = 0; i < 5000; ++i) expected += i % values.size() >= chunk ? i : 0;
      EXPECT_EQ(values[chunk], expected) << size << " threads, chunk " << chunk;
    }
  }
}

TEST(TeamPool, WaitsForUnevenChunks) {
  TeamPool pool(4);
  const TeamPool::Lease lease(pool);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<std::uint64_t> sums(37);
    const auto sumTo = [](std::uint64_t last) {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i <= last; ++i) sum += i ^ last;
      return sum;
    };
    const auto last = [](std::size_t chunk) { return chunk % 5 == 0 ? chunk * 2000 : chunk; };
    lease.team().forEach(sums.size(), [&](std::size_t chunk, unsigned) { sums[chunk] = sumTo(last(chunk)); });
    for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) EXPECT_EQ(sums[chunk], sumTo(last(chunk))) << chunk;
  }
}

// Only one run at a time gets the team. Other runs continue on their own thread, without waiting.
TEST(TeamPool, GivesTheTeamToOneRunAtATime) {
  TeamPool pool(3);
  {
    const TeamPool::Lease first(pool), second(pool);
    EXPECT_EQ(first.team().size(), 3U);
    EXPECT_EQ(second.team().size(), 1U);
    EXPECT_EQ(runsOf(second.team(), 9), std::vector<int>(9, 1));
    EXPECT_EQ(runsOf(first.team(), 9), std::vector<int>(9, 1));
  }
  const TeamPool::Lease third(pool);
  EXPECT_EQ(third.team().size(), 3U);
}

TEST(TeamPool, ServesRunsOfSeveralThreadsAtOnce) {
  TeamPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (std::size_t run = 0; run < 300; ++run) {
        const TeamPool::Lease lease(pool);
        const std::size_t chunks = run % 20;
        if (runsOf(lease.team(), chunks) != std::vector<int>(chunks, 1)) ++wrong;
        const TeamPool::Lease nested(pool);
        if (runsOf(nested.team(), 3) != std::vector<int>(3, 1)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// A team is awake from its first job until its workers have had no work for a while after the run.
TEST(TeamPool, KnowsWhetherItsWorkersAreAwake) {
  TeamPool pool(2);
  {
    const TeamPool::Lease lease(pool);
    EXPECT_FALSE(lease.team().isAwake());
    runsOf(lease.team(), 2);
    EXPECT_TRUE(lease.team().isAwake());
  }
  for (bool isAwake = true; isAwake;) isAwake = TeamPool::Lease(pool).team().isAwake();
  const TeamPool::Lease lease(pool);
  runsOf(lease.team(), 2);
  EXPECT_TRUE(lease.team().isAwake());
  EXPECT_TRUE(singleThread().isAwake());
}

// A worker that slept on the caller's processor, or that may follow the caller, must not wake on this processor. Once it runs, it
// may use all processors again.
TEST(SleepingWorkers, AreKeptOffTheProcessorsOfOthers) {
  const std::vector<unsigned> processors = usableProcessorNumbers();
  if (processors.size() < 2) GTEST_SKIP() << "needs two processors";
  const auto only = [](unsigned processor) {
    ProcessorSet one;
    one.add(processor);
    return one;
  };
  ProcessorSet all;
  for (const unsigned processor : processors) all.add(processor);
  for (const auto& [isSame, mayFollow] : {std::pair(true, false), std::pair(false, false), std::pair(false, true)}) {
    SleepingWorkers sleeping(1);
    std::atomic<int> step{0};
    std::vector<std::thread> workers;
    workers.emplace_back([&, home = processors[isSame ? 0 : 1]] {
      EXPECT_TRUE(setProcessors(only(home)));
      sleeping.fallAsleep(0);
      EXPECT_TRUE(setProcessors(all));
      for (step = 1; step == 1;) std::this_thread::yield();
      sleeping.wakeUp(0);
      for (step = 3; step == 3;) std::this_thread::yield();
    });
    std::thread caller([&, follows = mayFollow] {
      EXPECT_TRUE(setProcessors(only(processors[0])));
      while (step != 1) std::this_thread::yield();
      sleeping.spread(workers, follows);
    });
    caller.join();
    const auto allowed = [&] { return processorsOf(workers[0]).value_or(ProcessorSet()); };
    EXPECT_EQ(allowed().contains(processors[0]), !isSame && !mayFollow);
    EXPECT_TRUE(allowed().contains(processors[1]));
    step = 2;
    while (step != 3) std::this_thread::yield();
    EXPECT_TRUE(all.without(allowed()).isEmpty());
    step = 4;
    workers[0].join();
  }
}

TEST(TeamPool, WorkersMayUseAllProcessorsAfterTheySlept) {
  TeamPool pool(2);
  const unsigned all = allowedProcessors();  // of this thread, as in the chunks
  for (int round = 0; round < 30; ++round) {
    const TeamPool::Lease lease(pool);
    lease.team().forEach(2, [&](std::size_t, unsigned) { EXPECT_EQ(allowedProcessors(), all); });
    while (lease.team().isAwake()) std::this_thread::yield();
  }
}

TEST(TeamPool, EndsWhereverItsWorkersAre) {
  for (const unsigned size : kSizes) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      TeamPool pool(size, repeat % 2 == 1);
      if (repeat % 5 == 0) continue;  // this pool never has workers
      const TeamPool::Lease lease(pool);
      runsOf(lease.team(), static_cast<std::size_t>(repeat));
    }
  }
}

TEST(TeamPool, MembersRunAtTheSameTime) {
  for (const unsigned size : kSizes) {
    for (const unsigned most : {1U, 2U, 3U, 100U}) {
      TeamPool pool(size);
      const TeamPool::Lease lease(pool);
      const unsigned expected = std::min(size, most);
      std::vector<int> calls(expected);
      std::vector<std::vector<int>> rounds(expected, std::vector<int>(100));
      lease.team().parallelRegion(most, kSpinTimeout, [&](TeamMember& member) {
        ASSERT_EQ(member.members, expected);
        ++calls[member.index];
        for (int round = 0; round < 100; ++round) {
          rounds[member.index][round] = round == 0 ? 1 : 0;
          // Each member adds the values that all members wrote in the previous round. The result is only correct if all members
          // wait for each other.
          if (round > 0) {
            for (const std::vector<int>& other : rounds) rounds[member.index][round] += other[round - 1];
          }
          rounds[member.index][round] %= 1009;
          EXPECT_TRUE(member.wait());
        }
      });
      EXPECT_EQ(calls, std::vector<int>(expected, 1));
      int value = 1;
      for (int round = 0; round < 100; ++round) {
        for (const std::vector<int>& member : rounds) EXPECT_EQ(member[round], value);
        value = value * static_cast<int>(expected) % 1009;
      }
    }
  }
}

TEST(TeamPool, MembersThatDoNotComeAreNotWaitedFor) {
  TeamPool pool(4);
  const TeamPool::Lease lease(pool);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<int> calls(4);
    std::atomic<unsigned> members{0};
    lease.team().parallelRegion(4, std::chrono::microseconds(repeat % 3), [&](TeamMember& member) {
      ++calls[member.index];
      EXPECT_TRUE(member.wait());
      members = member.members;
      EXPECT_TRUE(member.wait());
    });
    std::vector<int> expected(4);
    std::fill_n(expected.begin(), members.load(), 1);
    EXPECT_EQ(calls, expected);
    EXPECT_EQ(runsOf(lease.team(), 5), std::vector<int>(5, 1));
  }
}

TEST(TeamPool, TheCallerWorksAloneForAWhileAfterAMemberThatDidNotRun) {
  TeamPool pool(2);
  const TeamPool::Lease lease(pool);
  const auto membersOf = [&](std::chrono::milliseconds absence) {
    unsigned members = 0;
    lease.team().parallelRegion(2, kSpinTimeout, [&](TeamMember& member) {
      if (member.index == 0) members = member.members;
      const auto end = std::chrono::steady_clock::now() + absence;
      while (member.index == 1 && std::chrono::steady_clock::now() < end) {
      }
      EXPECT_TRUE(member.wait());
    });
    return members;
  };
  EXPECT_EQ(membersOf(std::chrono::milliseconds(20)), 2U);
  EXPECT_EQ(membersOf({}), 1U);
  int alone = 1;
  while (membersOf({}) == 1 && alone < 1000) ++alone;
  EXPECT_LT(alone, 1000);  // must not stay alone forever
}

// A budget that ends when the test requests a stop.
struct Stop {
  std::stop_source source;
  Budget budget{"compute", {}, nullptr, nullptr};
  Stop() { budget.limitCall("compute", {.stop = source.get_token()}); }
};

TEST(TeamPool, SkipsWorkThatHasNotBegunWhenTheRunEnds) {
  for (const unsigned size : {1U, 3U}) {
    TeamPool pool(size);
    Stop stop;
    const TeamPool::Lease lease(pool, stop.budget);
    std::atomic<std::size_t> ran{0};
    const auto work = [&](std::size_t, unsigned) {
      // any worker may request the stop, because one may be descheduled just before its call
      if (++ran >= 5) stop.source.request_stop();
    };
    lease.team().forEach(std::size_t{1} << 30, work);  // running all chunks would take very long
    EXPECT_GE(ran, 5U);
    EXPECT_LE(ran, 4U + size);
    EXPECT_TRUE(lease.team().isOver());
    ran = 100;
    lease.team().forEach(4, work);
    lease.team().forEach(1, work);
    EXPECT_EQ(ran, 100U);
  }
}

TEST(TeamPool, TheNextRunIsWhole) {
  TeamPool pool(3);
  {
    Stop stop;
    stop.source.request_stop();
    const TeamPool::Lease lease(pool, stop.budget);
    EXPECT_EQ(runsOf(lease.team(), 9), std::vector<int>(9, 0));
  }
  const TeamPool::Lease lease(pool);
  EXPECT_FALSE(lease.team().isOver());
  EXPECT_EQ(runsOf(lease.team(), 9), std::vector<int>(9, 1));
}

TEST(TeamPool, MembersLeaveTogetherOnceTheRunIsOver) {
  for (const unsigned size : {1U, 2U, 3U}) {
    TeamPool pool(size);
    for (int repeat = 0; repeat < 200; ++repeat) {
      Stop stop;
      const TeamPool::Lease lease(pool, stop.budget);
      std::vector<int> rounds(size);
      unsigned members = 0;
      lease.team().parallelRegion(size, kSpinTimeout, [&](TeamMember& member) {
        if (member.index == 0) members = member.members;
        do {
          if (++rounds[member.index] == repeat % 7 && member.index + 1 == member.members) stop.source.request_stop();
          if (rounds[member.index] == 1000) stop.source.request_stop();
        } while (member.wait());
      });
      for (unsigned i = 1; i < members; ++i) EXPECT_EQ(rounds[i], rounds[0]);
    }
  }
}

// In a chunk, the current budget of the thread is the budget of the run.
TEST(TeamPool, ChunksKnowTheirRun) {
  TeamPool pool(3);
  Stop stop;
  const BudgetScope scope(stop.budget);  // the scope of the caller, as in a run
  const TeamPool::Lease lease(pool, stop.budget);
  std::atomic<int> wrong{0};
  lease.team().forEach(100, [&](std::size_t, unsigned) { wrong += &BudgetScope::current() != &stop.budget ? 1 : 0; });
  EXPECT_EQ(wrong, 0);
}

TEST(TeamPool, ASingleThreadIsATeamOfOne) {
  EXPECT_EQ(singleThread().size(), 1U);
  EXPECT_EQ(runsOf(singleThread(), 10), std::vector<int>(10, 1));
  unsigned calls = 0;
  singleThread().parallelRegion(7, kSpinTimeout, [&](TeamMember& member) {
    EXPECT_TRUE(member.wait());
    EXPECT_EQ(member.index, 0U);
    EXPECT_EQ(member.members, 1U);
    ++calls;
  });
  EXPECT_EQ(calls, 1U);
}

TEST(SharedRanges, GiveEachItemOnce) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    TeamPool pool(threads);
    for (const std::size_t count : {0U, 1U, 3U, 5U, 200U}) {
      std::vector<std::atomic<int>> taken(count);
      alignas(64) std::array<std::byte, SharedRanges::bytes(4)> memory;
      SharedRanges ranges(memory.data(), threads, count);
      const TeamPool::Lease lease(pool);
      lease.team().forEach(threads, [&](std::size_t part, unsigned) {
        for (std::size_t item = 0; ranges.next(part, item);) ++taken.at(item);
      });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(taken[i], 1) << i << " of " << count;
    }
  }
}

TEST(SharedRanges, GiveAwayHalfOfTheRemainingItems) {
  alignas(64) std::array<std::byte, SharedRanges::bytes(2)> memory;
  SharedRanges ranges(memory.data(), 2, 8);
  std::vector<std::size_t> items;
  for (std::size_t item = 0; ranges.next(0, item);) items.push_back(item);
  // Member 0 takes its own items first, then steals the last two of items 4 to 7, then one of the remaining two. The last item is
  // left to the other member.
  EXPECT_EQ(items, (std::vector<std::size_t>{0, 1, 2, 3, 6, 7, 5}));
  std::size_t item = 0;
  EXPECT_TRUE(ranges.next(1, item));
  EXPECT_EQ(item, 4U);
  EXPECT_FALSE(ranges.next(1, item));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
