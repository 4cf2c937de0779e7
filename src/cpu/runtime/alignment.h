// Where memory of the engine's own begins: at cache lines, which are also the widest vectors.
#pragma once

#include <cstddef>

namespace webnn::cpu {

inline constexpr std::size_t kAlignment = 64;
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace webnn::cpu
