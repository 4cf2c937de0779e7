// Vectors with uninitialized elements.
#pragma once

#include <memory>
#include <new>
#include <vector>

namespace webnn {

template <typename T>
struct UnsetAllocator : std::allocator<T> {
  template <typename U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <typename U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
};

// For large memory that is fully written: clearing gigabytes takes long and ignores the budget.
template <typename T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace webnn
