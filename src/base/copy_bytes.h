// Copying tensors.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace webnn {

// memcpy(3): std::ranges::copy of GCC 12 copies bytes of spans in a loop of its own, which takes three times as long.
inline void copyBytes(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

}  // namespace webnn
