// Tests budgets: memory accounts, limits of a graph, and the ways to stop a call early.
#include "base/budget.h"

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using std::chrono::nanoseconds;
using test::expectError;

TEST(MemoryAccount, RefusesMoreThanTheRemainingMemory) {
  MemoryAccount account(100);
  account.take(60, "a tensor");
  expectError(ErrorKind::operationError, {"a tensor of 41 bytes", "maxMemory, 100 bytes, of which 60 are in use"},
              [&] { account.take(41, "a tensor"); });
  EXPECT_EQ(account.inUse(), 60U);
  account.take(40, "a tensor");
  account.giveBack(60);
  EXPECT_EQ(account.inUse(), 40U);
}

TEST(MemoryAccount, DoesNotOverflow) {
  MemoryAccount account(100);
  account.take(1, "x");
  expectError(ErrorKind::operationError, {"18446744073709551615 bytes"}, [&] { account.take(~std::uint64_t{0}, "x"); });
  expectError(ErrorKind::operationError, {"18446744073709551615 bytes"}, [&] { account.require(~std::uint64_t{0}, "x"); });
  EXPECT_EQ(account.inUse(), 1U);
}

TEST(MemoryAccount, TakesOfItsParentToo) {
  const auto parent = std::make_shared<MemoryAccount>(100);
  const auto child = std::make_shared<MemoryAccount>(50, parent);
  {
    const MemoryCharge charge(child, 40, "x");
    EXPECT_EQ(parent->inUse(), 40U);
    expectError(ErrorKind::operationError, {"maxMemory, 50 bytes"}, [&] { child->take(20, "x"); });
    EXPECT_EQ(parent->inUse(), 40U);  // the bytes that the child refused are not charged to the parent
    parent->take(55, "x");
    expectError(ErrorKind::operationError, {"maxMemory, 100 bytes"}, [&] { child->take(10, "x"); });
    EXPECT_EQ(child->inUse(), 40U);
    parent->giveBack(55);
  }
  EXPECT_EQ(parent->inUse(), 0U);
}

// Keeps idle bytes until an account needs them.
struct Spare : IdleMemory {
  Spare(std::shared_ptr<MemoryAccount> of, std::uint64_t count) : account(std::move(of)), bytes(count) {
    account->addIdle(bytes);
  }
  void release() noexcept override {
    account->endIdle(bytes);
    bytes = 0;
  }
  std::shared_ptr<MemoryAccount> account;
  std::uint64_t bytes;
};

TEST(MemoryAccount, ReleasesIdleMemoryThatIsInTheWay) {
  const auto parent = std::make_shared<MemoryAccount>(100);
  const auto child = std::make_shared<MemoryAccount>(90, parent), other = std::make_shared<MemoryAccount>(100, parent);
  auto spare = std::make_shared<Spare>(child, 60);
  child->addOwner(spare);
  child->take(30, "x");
  EXPECT_EQ(child->idle(), 60U);  // there was room
  EXPECT_NO_THROW(child->require(60, "x"));
  child->take(1, "x");
  EXPECT_EQ(child->idle(), 0U);
  EXPECT_EQ(parent->idle(), 0U);
  spare = std::make_shared<Spare>(child, 40);
  child->addOwner(spare);
  other->take(30, "x");  // the child's idle memory is in the way of another child
  EXPECT_EQ(parent->idle(), 0U);
  EXPECT_EQ(parent->inUse(), 61U);
  expectError(ErrorKind::operationError, {"40 bytes", "100 bytes, of which 61 are in use"}, [&] { other->take(40, "x"); });
}

TEST(MemoryAccount, ForgetsOwnersThatAreGone) {
  const auto account = std::make_shared<MemoryAccount>(100);
  account->addOwner(std::make_shared<Spare>(account, 0));
  account->addIdle(1);
  account->take(100, "x");
  expectError(ErrorKind::operationError, {"of which 100 are in use"}, [&] { account->take(1, "x"); });
}

TEST(MemoryCharge, IsGivenBackOnceWhereverItIsMoved) {
  const auto account = std::make_shared<MemoryAccount>(100);
  MemoryCharge charge(account, 30, "x");
  charge.add(20, "x");
  {
    MemoryCharge other;
    other = std::move(charge);
    const MemoryCharge last(std::move(other));
    EXPECT_EQ(account->inUse(), 50U);
  }
  EXPECT_EQ(account->inUse(), 0U);
}

Limits small() {
  return {.maxMemory = 10, .maxOperations = 2, .maxElements = 10, .maxCompileWork = 10, .maxTime = nanoseconds::max()};
}

TEST(Budget, CountsOperationsElementsAndCompileWork) {
  Budget budget("load", small(), nullptr, nullptr);
  budget.addOperation();
  budget.addOperation();
  expectError(ErrorKind::operationError, {"maxOperations (2)"}, [&] { budget.addOperation(); });
  budget.addElements(10);
  expectError(ErrorKind::operationError, {"maxElements (10)"}, [&] { budget.addElements(1); });
  EXPECT_TRUE(budget.spendCompileWork(6));
  EXPECT_FALSE(budget.spendCompileWork(5));
  EXPECT_FALSE(budget.spendCompileWork(~std::uint64_t{0}));
  EXPECT_TRUE(budget.spendCompileWork(4));
}

TEST(Budget, TheStricterLimitsAreTheLeastOfEach) {
  Limits a = small(), b = small();
  a.maxMemory = 20;
  b.maxElements = 30;
  b.maxTime = nanoseconds(5);
  Limits expected = small();
  expected.maxTime = nanoseconds(5);
  EXPECT_EQ(stricter(a, b), expected);
}

TEST(Budget, IsOverOnceAStopIsRequested) {
  std::stop_source source;
  Budget budget("load", {}, nullptr, nullptr);
  budget.limitCall("compute", {.stop = source.get_token()});
  EXPECT_FALSE(budget.isOver());
  budget.check();
  source.request_stop();
  EXPECT_TRUE(budget.isOver());
  expectError(ErrorKind::abortError, {"compute: a stop was requested."}, [&] { budget.check(); });
}

TEST(Budget, IsOverWhenItsTimeIs) {
  Budget call("load", {}, nullptr, nullptr), limit("load", {.maxTime = nanoseconds(0)}, nullptr, nullptr);
  call.limitCall("build", {.timeout = nanoseconds(0)});
  expectError(ErrorKind::timeoutError, {"build: the time that it may take is over."}, [&] { call.check(); });
  limit.limitCall("build", {});
  EXPECT_TRUE(limit.isOver());
  Budget long_("load", {.maxTime = nanoseconds::max()}, nullptr, nullptr);
  long_.limitCall("build", {.timeout = nanoseconds::max()});  // must not overflow
  EXPECT_FALSE(long_.isOver());
  long_.limitCall("build", {.timeout = nanoseconds::min()});
  EXPECT_TRUE(long_.isOver());
}

TEST(Budget, IsOverWhenTheContextIsLost) {
  const auto lost = std::make_shared<std::atomic<bool>>(false);
  const Budget budget("dispatch", {}, nullptr, lost);
  EXPECT_FALSE(budget.isOver());
  *lost = true;
  expectError(ErrorKind::invalidStateError, {"dispatch: the context is lost."}, [&] { budget.check(); });
}

TEST(Budget, IsOverWhenTheCallerIsInterrupted) {
  Budget budget("compute", {}, nullptr, nullptr);
  int asked = 0;
  budget.limitCall("compute", {.isInterrupted = [&] { return ++asked == 2; }});
  while (!budget.isOver()) {  // isInterrupted is called at most 50 times per second
  }
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(budget.isOver());  // isInterrupted is not called again
  EXPECT_EQ(asked, 2);
  expectError(ErrorKind::abortError, {"compute: it was interrupted."}, [&] { budget.check(); });
}

TEST(BudgetScope, IsThatOfTheThread) {
  Budget outer("a", {.maxTime = nanoseconds(0)}, nullptr, nullptr);
  outer.limitCall("a", {});
  EXPECT_FALSE(BudgetScope::current().isOver());
  {
    const BudgetScope scope(outer);
    EXPECT_EQ(&BudgetScope::current(), &outer);
    {
      const BudgetScope inner(Budget::none());
      EXPECT_FALSE(BudgetScope::current().isOver());
    }
    EXPECT_TRUE(BudgetScope::current().isOver());
  }
  EXPECT_FALSE(BudgetScope::current().isOver());
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
