// Counts how often an operation checks its budget. The count shows how much work lies between two checks, without measuring time.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/budget.h"
#include "webnn/error.h"

namespace webnn::test {

struct Looks {
  std::size_t count = 0;
  bool isEnded = false;  // the operation threw an error
};

// Calls work(budget) on one thread. The budget is over from check number `end` on.
template <typename Work>
Looks countLooks(std::size_t end, Work work) {
  Looks looks;
  Budget budget("test", {}, nullptr, nullptr);
  budget.endWhen([&] { return ++looks.count >= end; });
  const BudgetScope scope(budget);
  try {
    work(budget);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::abortError) << error.what();
    looks.isEnded = true;
  }
  return looks;
}

// Expects that `work`, which has `size` steps of a few nanoseconds each, checks its budget at least once per `most` steps. Also
// expects that `work` throws if the budget is over at the first check, in the middle, or at the last check.
template <typename Work>
void expectLooks(const std::string& name, std::size_t size, std::size_t most, Work work) {
  const Looks all = countLooks(~std::size_t{0}, work);
  EXPECT_FALSE(all.isEnded) << name;
  EXPECT_GE(all.count, size / most) << name;
  for (const std::size_t end : {std::size_t{1}, all.count / 2, all.count}) {
    EXPECT_TRUE(countLooks(end, work).isEnded) << name << " at look " << end << " of " << all.count;
  }
}

}  // namespace webnn::test
