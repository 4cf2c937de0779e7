// Limits memory and time of reading a graph or weights in proportion to the file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/budget.h"
#include "base/text.h"

namespace webnn::formats {

// Memory of a reader: kReadBytes, plus kReadBytesPerByte per byte of the file.
inline constexpr std::size_t kReadBytes = std::size_t{64} << 20, kReadBytesPerByte = 2;
// The most operations, at about 1.5 KB each: kMaxNodes, plus one per kBytesPerNode of the file; kOperandsPerNode operands per
// operation.
inline constexpr std::size_t kMaxNodes = std::size_t{1} << 16, kBytesPerNode = 384, kOperandsPerNode = 4;
// The memory of an output in lists, beside its declaration.
inline constexpr std::size_t kListedBytes = 384;
// The bytes of all constants that are filled with a scalar.
inline constexpr std::size_t kMaxFilledBytes = std::size_t{1} << 25;

// Counts a reader's allocations, with upper estimates.
class ReadBudget {
 public:
  explicit ReadBudget(std::size_t fileBytes) : limit_(kReadBytes + kReadBytesPerByte * fileBytes), left_(limit_) {}

  // Throws DataError if the budget is spent, and ends an exhausted load.
  void charge(std::size_t bytes) {
    if (++charges_ % kChargesPerCheck == 0) BudgetScope::current().check();
    if (bytes > left_)
      fail(ErrorKind::dataError, "reading the file would take more than {} bytes of memory, too much for its size.", limit_);
    left_ -= bytes;
  }
  // Charges a list item, for a list with up to twice its capacity, and the item's texts.
  template <typename T>
  void chargeItem(std::size_t textBytes = 0) {
    charge(2 * sizeof(T) + textBytes);
  }

 private:
  static constexpr unsigned kChargesPerCheck = 4096;
  std::size_t limit_, left_;
  unsigned charges_ = 0;
};

}  // namespace webnn::formats
