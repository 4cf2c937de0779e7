// Tests the CPU engine's placement of the operations of random graphs.
#include "support/placement.h"

#include "backends/cpu/compile/pipeline.h"
#include "context/graph_state.h"
#include "random/random_graph.h"
#include "support/support.h"

namespace webnn::random {
namespace WEBNN_TEST_FILE {

TEST(RandomPlacement, EveryOperationIsThereOnce) {
  const Context context = test::makeContext();
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Choices choices(seed);
    const RandomGraph random = makeRandomGraph(context, choices);
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::expectPlacementIsWhole(*random.graph.state()->definition);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomPlacement, AlsoWithoutAnyOneOfThePasses) {
  const Context context = test::makeContext();
  std::uint64_t seed = 10000;
  for (const cpu::Pass& pass : cpu::allPasses()) {
    if (pass.required) continue;
    for (int i = 0; i < 40; ++i) {
      Choices choices(++seed);
      const RandomGraph random = makeRandomGraph(context, choices);
      SCOPED_TRACE("seed " + std::to_string(seed) + " without " + std::string(pass.name));
      test::expectPlacementIsWhole(*random.graph.state()->definition, std::string(pass.name));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::random
