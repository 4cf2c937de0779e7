#include "support/walk.h"

#include "support/openvino.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

TEST(OpenVinoWalk, ComputesEveryOperationAsTheReferenceDoes) {
  WEBNN_REQUIRE_OPENVINO();
  Context context =
      Context::create({.accelerated = false, .backend = "openvino", .execution = Execution::callerThread, .threads = 1});
  const test::WalkOptions options{.integerBits = 32,
                                  // It adds the zero point before it rounds: ties go to the other neighbor if that is odd.
                                  .mayBeOneOff = [](const std::string& what) { return what.starts_with("quantizeLinear"); }};
  EXPECT_GT(test::walkEveryOperation(
                context, [](const std::string& wrong) { ADD_FAILURE() << wrong; }, options),
            1000u);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
