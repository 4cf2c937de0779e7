// For tests of what a machine of 32 bits does not have: `make bits32`.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

namespace webnn::test {

inline constexpr bool kHas64Bits = sizeof(std::size_t) == 8;

}  // namespace webnn::test

// Skips a test of tensors that are larger than 32 bits can say.
#define WEBNN_NEEDS_LARGE_TENSORS() \
  if (!webnn::test::kHas64Bits) GTEST_SKIP() << "with sizes of 32 bits, a tensor has less than 2 GiB"
// Skips a test of instructions that only the kernels for 64 bits have.
#define WEBNN_NEEDS_64_BITS() \
  if (!webnn::test::kHas64Bits) GTEST_SKIP() << "programs of 32 bits have none of the instruction sets"
