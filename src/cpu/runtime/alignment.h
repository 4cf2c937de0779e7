// Where memory of the engine's own begins: at cache lines, which are also the widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/divide_up.h"

namespace webnn::cpu {

inline constexpr std::size_t kAlignment = 64;
constexpr std::size_t aligned(std::size_t bytes) { return roundUp(bytes, kAlignment); }
// Bytes to the next place that is aligned.
inline std::size_t paddingAt(const void* at) {
  return (kAlignment - reinterpret_cast<std::uintptr_t>(at) % kAlignment) % kAlignment;
}

}  // namespace webnn::cpu
