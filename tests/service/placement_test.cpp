// Tests the placement that a worker reports.
#include "service/clients.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

// Builds operations that the engine does not fuse, enough that their list needs several packets. The engine removes every third
// operation.
Graph buildChain(const Context& context) {
  constexpr int kCount = 1500;
  GraphBuilder builder(context);
  Operand x = builder.input("x", {DataType::float32, {4, 4}});
  for (int i = 0; i < kCount; ++i) x = builder.identity(builder.softmax(builder.cumulativeSum(x, 0), 1, {.label = "s"}));
  return builder.build({{"y", x}});
}

TEST(ServicePlacement, IsThatOfTheSameBackendInThisProgram) {
  for (const std::string backend : {"cpu", "reference"}) {
    SCOPED_TRACE(backend);
    const Context there = Context::create({.backend = backend, .service = "private", .threads = 1});
    const Context here = Context::create({.backend = backend, .execution = Execution::callerThread, .threads = 1});
    const std::vector<OperationPlacement> placement = buildChain(there).placement();
    EXPECT_EQ(placement.size(), 4500u);
    EXPECT_EQ(placement, buildChain(here).placement());
  }
}

TEST(ServicePlacement, IsThatOfTheGraphThatIsAskedFor) {
  const Context context = Context::create({.backend = "cpu", .service = "private", .threads = 1});
  const Graph chain = buildChain(context), small = test::buildGraph(context, 4, 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(chain.placement().size(), 4500u);
    EXPECT_EQ(small.placement().size(), 3u);
    EXPECT_EQ(small.placement().back().operation, "add");
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
