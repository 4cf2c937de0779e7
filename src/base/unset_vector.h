// Vectors whose elements have no value until somebody gives them one.
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

// For large memory that is wholly written: to clear gigabytes takes long, and nothing looks at the budget meanwhile.
template <typename T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace webnn
