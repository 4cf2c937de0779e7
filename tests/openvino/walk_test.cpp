#include "support/walk.h"

#include "support/openvino.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

TEST(OpenVinoWalk, ComputesEveryOperationAsTheReferenceDoes) {
  WEBNN_REQUIRE_OPENVINO();
  Context context =
      Context::create({.accelerated = false, .backend = "openvino", .execution = Execution::callerThread, .threads = 1});
  const test::WalkOptions options{.integerBits = 32};
  const auto report = [](const std::string& wrong) {
    if (wrong.find("zero points are no constants of 0") == wrong.npos) ADD_FAILURE() << wrong;
  };
  EXPECT_GT(test::walkEveryOperation(context, report, options), 1000u);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
