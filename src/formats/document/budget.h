// What reading a graph or weights may take, in proportion to the file: a small file must not take much memory or time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/budget.h"
#include "base/text.h"

namespace webnn::formats {

// The memory of what a reader makes of a file: kReadBytes, and kReadBytesPerByte for each byte of the file.
inline constexpr std::size_t kReadBytes = std::size_t{64} << 20, kReadBytesPerByte = 2;
// The operations of a graph, each of which takes about 1.5 KB: kMaxNodes, and one for each kBytesPerNode of the file. For each
// there are kOperandsPerNode operands.
inline constexpr std::size_t kMaxNodes = std::size_t{1} << 16, kBytesPerNode = 384, kOperandsPerNode = 4;
// What an output takes in lists of the graph's outputs, beside its declaration.
inline constexpr std::size_t kListedBytes = 384;
// The bytes of all constants that are filled with a scalar.
inline constexpr std::size_t kMaxFilledBytes = std::size_t{1} << 25;

// Counts what a reader allocates, generously.
class ReadBudget {
 public:
  explicit ReadBudget(std::size_t fileBytes) : limit_(kReadBytes + kReadBytesPerByte * fileBytes), left_(limit_) {}

  // DataError if it is spent. Also ends a load that is over.
  void charge(std::size_t bytes) {
    if (++charges_ % kChargesPerCheck == 0) BudgetScope::current().check();
    if (bytes > left_)
      fail(ErrorKind::dataError, "reading the file would take more than {} bytes of memory, too much for its size.", limit_);
    left_ -= bytes;
  }
  // For an item of a list, which may hold twice as many, and the bytes of its texts.
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
