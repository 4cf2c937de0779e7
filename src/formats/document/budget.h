// Limits memory and work while reading a graph or weights, in proportion to the file size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/budget.h"
#include "base/text.h"

namespace webnn::formats {

// A reader may allocate kReadBytes plus kReadBytesPerByte for each byte of the file.
inline constexpr std::size_t kReadBytes = std::size_t{64} << 20, kReadBytesPerByte = 2;
// A graph may have kMaxNodes operations (about 1.5 KB each) plus one per kBytesPerNode bytes of the file, and kOperandsPerNode
// operands per operation.
inline constexpr std::size_t kMaxNodes = std::size_t{1} << 16, kBytesPerNode = 384, kOperandsPerNode = 4;
// Approximate bytes that an output takes in lists, besides its declaration.
inline constexpr std::size_t kListedBytes = 384;
// The maximum total size in bytes of all constants that are filled with a scalar.
inline constexpr std::size_t kMaxFilledBytes = std::size_t{1} << 25;

// Charges upper estimates of a reader's allocations against a limit that grows with the file's size.
class ReadBudget {
 public:
  explicit ReadBudget(std::size_t fileBytes) : limit_(kReadBytes + kReadBytesPerByte * fileBytes), left_(limit_) {}

  // Throws DataError if the limit is exceeded. Also checks the thread's budget.
  void charge(std::size_t bytes) {
    if (++charges_ % kChargesPerCheck == 0) BudgetScope::current().check();
    if (bytes > left_)
      fail(ErrorKind::dataError, "reading the file would take more than {} bytes of memory, too much for its size.", limit_);
    left_ -= bytes;
  }
  // Charges a list item and its texts. Counts the item twice, because a growing list reserves spare capacity.
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
