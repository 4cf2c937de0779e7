// Checks the thread's current budget in loops over many elements or bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/budget.h"

namespace webnn {

// Counts the work of a loop, and occasionally checks this thread's budget (BudgetScope). Throws the budget's error.
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

// Calls visit(begin, end) for parts of [0, count), and checks the budget between them.
void inParts(std::size_t count, auto visit) {
  constexpr std::size_t kPart = 1 << 16;
  Progress progress;
  for (std::size_t begin = 0; begin < count; begin += kPart) {
    visit(begin, std::min(begin + kPart, count));
    progress.count(kPart);
  }
}

// Works like memcpy, but checks the budget between parts.
inline void copyInParts(std::byte* to, const void* from, std::size_t bytes) {
  const auto* source = static_cast<const std::byte*>(from);
  inParts(bytes, [&](std::size_t begin, std::size_t end) { std::memcpy(to + begin, source + begin, end - begin); });
}

}  // namespace webnn
