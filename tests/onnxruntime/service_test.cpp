// Tests ONNX Runtime in a worker of the service.
#include <cstdlib>
#include <filesystem>

#include "support/onnxruntime.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

Context makeContext(std::map<std::string, std::string> options, std::string backend = "onnxruntime") {
  ::setenv("WEBNN_SERVICE_PROGRAM", WEBNN_PROGRAM_OF_SERVICE, 0);
  return Context::create({.backend = std::move(backend), .execution = Execution::service, .backendOptions = std::move(options)});
}

struct Doubled {
  Context context;
  Graph graph;
  Tensor x, y;

  explicit Doubled(Context owner) : context(std::move(owner)) {
    GraphBuilder builder(context);
    const Operand input = builder.input("x", {DataType::float32, {2}});
    graph = builder.build({{"y", builder.add(input, input)}});
    x = context.createTensor({DataType::float32, {2}, false, true});
    y = context.createTensor({DataType::float32, {2}, true, false});
  }
  std::vector<float> run() {
    context.write(x, std::vector<float>{1, 2.5});
    context.dispatch(graph, {{"x", x}}, {{"y", y}});
    return context.read<float>(y);
  }
};

TEST(OnnxRuntimeInAWorker, IsLoadedBeforeTheLock) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const std::filesystem::path file = std::getenv("WEBNN_ONNXRUNTIME");
  for (const std::filesystem::path& place : {std::filesystem::path(), file, file.parent_path()}) {
    SCOPED_TRACE(place);
    std::map<std::string, std::string> options;
    if (!place.empty()) options["library"] = place;
    Doubled doubled(makeContext(options));
    EXPECT_EQ(doubled.context.backend(), "onnxruntime");
    EXPECT_EQ(doubled.run(), (std::vector<float>{2, 5}));
  }
}

TEST(OnnxRuntimeInAWorker, KernelThatAbortsIsALostContext) {
  Doubled other(makeContext({}, "cpu"));
  Doubled doubled(makeContext({{"library", WEBNN_ABORTING_LIBRARY}}));
  EXPECT_THROW(doubled.run(), Error);
  EXPECT_EQ(doubled.context.lost().get().message, "worker was killed by signal 6 (SIGABRT)");
  EXPECT_EQ(other.run(), (std::vector<float>{2, 5}));
  EXPECT_EQ(makeContext({{"library", WEBNN_ABORTING_LIBRARY}}).backend(), "onnxruntime");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
