// Where a run of the reference executor looks at its budget: in every loop that may be long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/budget.h"

namespace webnn::reference {

// Counts elements that a loop computes, and looks at the budget of this thread (BudgetScope) now and then: throws what it does.
class Progress {
 public:
  void count(std::uint64_t elements = 1) {
    if ((counted_ += elements) >= kInterval) check();
  }

 private:
  static constexpr std::uint64_t kInterval = 1 << 14;
  void check() {
    counted_ = 0;
    BudgetScope::current().check();
  }
  std::uint64_t counted_ = 0;
};

// Calls visit(begin, end) for parts of [0, count), and looks at the budget between them.
template <typename Visit>
void inParts(std::size_t count, Visit visit) {
  constexpr std::size_t kPart = 1 << 16;
  Progress progress;
  for (std::size_t begin = 0; begin < count; begin += kPart) {
    visit(begin, std::min(begin + kPart, count));
    progress.count(kPart);
  }
}

}  // namespace webnn::reference
