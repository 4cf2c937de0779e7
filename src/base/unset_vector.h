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

// A vector whose new elements are not initialized, for large memory that is fully overwritten. Clearing gigabytes would take
// long, and would not check the budget.
template <typename T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace webnn
