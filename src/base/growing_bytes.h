#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/budget.h"

namespace webnn {

// A byte buffer that grows by realloc, which moves large blocks by remapping pages. A vector would clear and copy gigabytes.
class GrowingBytes {
 public:
  static constexpr std::size_t kAtOnce = 1 << 20;

  explicit GrowingBytes(const Budget& budget) : charge_(budget.memory()) {}
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;
  ~GrowingBytes() { std::free(data_); }

  std::byte* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  void grow() {
    const std::size_t more = std::max(kAtOnce, capacity_);
    charge_.add(more, "load: the content of a pipe");
    void* const grown = std::realloc(data_, capacity_ + more);
    if (!grown) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(grown);
    capacity_ += more;
  }

 private:
  MemoryCharge charge_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace webnn
