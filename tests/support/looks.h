// Counting how often work looks at its budget, which says how much of it lies between two looks without measuring time.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/budget.h"
#include "webnn/error.h"

namespace webnn::test {

struct Looks {
  std::size_t count = 0;
  bool isEnded = false;  // with an AbortError or the like
};

// Calls work(budget), on one thread, with a budget that is over from the look `end` on.
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

// That `work`, which does `size` of what takes some nanoseconds, looks at its budget at least once for each `most` of it, and
// that it ends soon where it is told to at its first look, in its middle or at the last.
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
