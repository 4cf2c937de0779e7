// Helpers for tests that cannot run on 32-bit systems: `make bits32`.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

namespace webnn::test {

inline constexpr bool kHas64Bits = sizeof(std::size_t) == 8;

}  // namespace webnn::test

// Skips a test with tensors that exceed the 32-bit address space.
#define WEBNN_NEEDS_LARGE_TENSORS() \
  if (!webnn::test::kHas64Bits) GTEST_SKIP() << "with sizes of 32 bits, a tensor has less than 2 GiB"
// Skips a test with instruction sets for which only 64-bit kernels exist.
#define WEBNN_NEEDS_64_BITS() \
  if (!webnn::test::kHas64Bits) GTEST_SKIP() << "programs of 32 bits have none of the instruction sets"
