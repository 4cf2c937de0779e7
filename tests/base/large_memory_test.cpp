// Tests large blocks of memory: which pages a shrunk block keeps.
#include "base/large_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/divide_up.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// Returns how many bytes of a block are in memory.
std::size_t residentBytes(std::byte* data, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(getpagesize());
  std::vector<unsigned char> pages(bytes / page);
  EXPECT_EQ(mincore(data, bytes, pages.data()), 0);
  return page * static_cast<std::size_t>(std::ranges::count_if(pages, [](unsigned char flags) { return (flags & 1) != 0; }));
}

TEST(LargeMemory, ShrunkBlocksReturnWhatIsUnused) {
  constexpr std::size_t kBytes = 32 * kMiB;
  for (const std::size_t used :
       {std::size_t{1}, kMiB, 2 * kMiB - 1, 2 * kMiB, 5 * kMiB, 6 * kMiB - 4096, 6 * kMiB, 31 * kMiB, 32 * kMiB}) {
    SCOPED_TRACE(used);
    std::byte* data = reserveLargeMemory(kBytes, kBytes);
    ASSERT_NE(data, nullptr);
    std::fill_n(data, kBytes, std::byte{7});
    ASSERT_TRUE(shrinkLargeMemory(data, used, kBytes));
    EXPECT_LE(residentBytes(data, kBytes), roundUp(used, kLargePage));
    EXPECT_EQ(std::count(data, data + used, std::byte{7}), static_cast<std::ptrdiff_t>(used));
    reuseLargeMemory(data, kBytes, kBytes);
    EXPECT_TRUE(
        std::all_of(data + roundUp(used, kLargePage), data + kBytes, [](std::byte byte) { return byte == std::byte{0}; }));
    std::fill_n(data, kBytes, std::byte{8});
    releaseLargeMemory(data, kBytes);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
#endif
