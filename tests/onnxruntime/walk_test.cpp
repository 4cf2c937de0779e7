#include "support/walk.h"

#include "support/onnxruntime.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

TEST(OnnxRuntimeWalk, ComputesEveryOperationAsTheReferenceDoes) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  Context context = Context::create({.backend = "onnxruntime", .execution = Execution::callerThread, .threads = 1});
  EXPECT_GT(test::walkEveryOperation(context, [](const std::string& wrong) { ADD_FAILURE() << wrong; }), 2000u);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
