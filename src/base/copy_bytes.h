#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace webnn {

// Calls memcpy(3), because std::ranges::copy on byte spans takes three times as long with GCC 12.
inline void copyBytes(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

}  // namespace webnn
