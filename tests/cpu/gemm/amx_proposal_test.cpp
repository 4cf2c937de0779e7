// Tests the proposals that `make amx-tune` derives from measurements.
#include "amx_proposal.h"

#include <gtest/gtest.h>

namespace webnn::bench {
namespace WEBNN_TEST_FILE {

using enum cpu::ProductType;

TEST(AmxProposal, IsTheLeastSizesThatGainThroughout) {
  const std::vector<MeasuredProduct> measured{
      {{floats, 64, 256, 256}, 0.8, 0.7},    {{floats, 128, 256, 256}, 1.2, 0.9},    {{floats, 1024, 256, 256}, 1.3, 1.1},
      {{floats, 64, 64, 256}, 0.5, 0.5},     {{floats, 1024, 64, 256}, 0.9, 0.9},    {{floats, 1024, 256, 64}, 0.6, 0.6},
      {{floats, 1024, 1024, 256}, 1.4, 1.2}, {{floats, 1024, 256, 1024}, 0.98, 1.2}, {{halves, 64, 64, 64}, 0.1, 0.1},
  };
  const std::optional<cpu::LeastProduct> least = proposeLeast(floats, measured);
  ASSERT_TRUE(least);
  EXPECT_EQ(least->m, 1024U);
  EXPECT_EQ(least->n, 256U);
  EXPECT_EQ(least->k, 256U);
}

// No size is proposed if AMX tiles make products of that size slower with two threads, or make a larger product slower.
TEST(AmxProposal, IsNothingWhereNoSizeGains) {
  EXPECT_FALSE(proposeLeast(bytes, {}));
  EXPECT_FALSE(proposeLeast(bytes, {{{bytes, 64, 64, 64}, 2, 0.9}, {{halves, 64, 64, 64}, 2, 2}}));
  EXPECT_FALSE(proposeLeast(bytes, {{{bytes, 64, 64, 64}, 2, 2}, {{bytes, 128, 64, 64}, 0.9, 0.9}}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::bench
