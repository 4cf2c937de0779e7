// Tests builds of a session at the same time, and builds that are repeated because memory was short.
#include "formats/build_turns.h"

#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <string>
#include <thread>

#include "base/budget.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const auto kNothing = [] {};

// Returns the error of the call, or an empty text.
std::string errorOf(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(BuildTurns, RepeatABuildAloneIfAnotherOneHeldTheMemory) {
  formats::BuildTurns turns;
  const auto account = std::make_shared<MemoryAccount>(100);
  std::latch firstHolds(1), secondFailed(1);
  std::string firstError, secondError;
  int builds = 0;
  std::thread first([&] {
    firstError = errorOf([&] {
      turns.run(kNothing, [&] {
        const MemoryCharge charge(account, 60, "weights");
        firstHolds.count_down();
        secondFailed.wait();
        return true;
      });
    });
  });
  firstHolds.wait();
  secondError = errorOf([&] {
    turns.run(kNothing, [&] {
      struct Fail {
        std::latch& latch;
        const bool isFirst;
        ~Fail() {
          if (isFirst) latch.count_down();
        }
      } fail{secondFailed, ++builds == 1};
      const MemoryCharge charge(account, 60, "weights");
      return true;
    });
  });
  first.join();
  EXPECT_EQ(firstError, "");
  EXPECT_EQ(secondError, "");
  EXPECT_EQ(builds, 2);
  EXPECT_EQ(account->inUse(), 0u);
}

TEST(BuildTurns, DoNotRepeatABuildThatRanAlone) {
  formats::BuildTurns turns;
  int builds = 0;
  const auto fails = [&]() -> bool {
    ++builds;
    throw Error(ErrorKind::operationError, "there is no memory.");
  };
  EXPECT_EQ(errorOf([&] { turns.run(kNothing, fails); }), "there is no memory.");
  EXPECT_EQ(builds, 1);
  // A build in the callback of another build on the same thread neither waits nor is repeated.
  EXPECT_TRUE(turns.run(kNothing, [&] {
    EXPECT_EQ(errorOf([&] { turns.run(kNothing, fails); }), "there is no memory.");
    return true;
  }));
  EXPECT_EQ(builds, 2);
}

TEST(BuildTurns, EndTheWaitIfTheCheckThrows) {
  formats::BuildTurns turns;
  std::latch firstBegan(1), secondEnded(1);
  std::thread first([&] {
    turns.run(kNothing, [&] {
      firstBegan.count_down();
      secondEnded.wait();
      return true;
    });
  });
  firstBegan.wait();
  const auto isCancelled = [] { throw Error(ErrorKind::abortError, "cancelled."); };
  const auto fails = []() -> bool { throw Error(ErrorKind::operationError, "there is no memory."); };
  EXPECT_EQ(errorOf([&] { turns.run(isCancelled, fails); }), "cancelled.");
  secondEnded.count_down();
  first.join();
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
