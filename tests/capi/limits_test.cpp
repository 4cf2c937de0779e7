// Tests limits, cancellations and timeouts in the C API.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "capi/capi_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// Makes y = x * x, a matrix product. If x is large, the reference backend takes very long.
struct Matmul {
  explicit Matmul(const CContext& context, std::uint32_t size) : shape{size, size} {
    builder = context.builder();
    WebnnOperandDescriptor descriptor = WEBNN_OPERAND_DESCRIPTOR_INIT;
    descriptor.dataType = WebnnOperandDataType_Float32;
    descriptor.shape = {2, shape};
    EXPECT_EQ(webnnGraphBuilderInput(builder, WEBNN_TEXT("x"), &descriptor, &x, nullptr), WebnnStatus_Success);
    EXPECT_EQ(webnnGraphBuilderMatmul(builder, x, x, nullptr, &y, nullptr), WebnnStatus_Success);
    output = {nullptr, WEBNN_TEXT("y"), y};
  }
  ~Matmul() {
    webnnGraphRelease(graph);
    webnnOperandRelease(x);
    webnnOperandRelease(y);
    webnnGraphBuilderRelease(builder);
  }
  WebnnStatus build(const WebnnCallOptions* options, WebnnError* error) {
    return webnnGraphBuilderBuildSyncWithOptions(builder, 1, &output, options, &graph, error);
  }
  WebnnStatus compute(const WebnnCallOptions* options, WebnnError* error) {
    std::vector<float> from(std::size_t{shape[0]} * shape[1], 1), to(from.size());
    const WebnnConstBytes input{from.data(), from.size() * 4};
    const WebnnBytes result{to.data(), to.size() * 4};
    const WebnnStatus status = webnnGraphComputeWithOptions(graph, 1, &input, 1, &result, options, error);
    if (status == WebnnStatus_Success) {
      EXPECT_EQ(to[0], static_cast<float>(shape[0]));
    }
    return status;
  }
  std::uint32_t shape[2];
  WebnnGraphBuilder builder = nullptr;
  WebnnOperand x = nullptr, y = nullptr;
  WebnnNamedOperand output{};
  WebnnGraph graph = nullptr;
};

void expectError(WebnnStatus status, std::string_view text, WebnnStatus got, WebnnError error) {
  EXPECT_EQ(got, status);
  ASSERT_NE(error, nullptr);
  EXPECT_NE(messageOf(error).find(text), std::string::npos) << messageOf(error);
  webnnErrorRelease(error);
}

TEST(Cancellation, EndsBuildsAndRuns) {
  const CContext context;
  WebnnCallOptions options = WEBNN_CALL_OPTIONS_INIT;
  ASSERT_EQ(webnnCreateCancellation(&options.cancellation, nullptr), WebnnStatus_Success);
  EXPECT_EQ(webnnCancellationIsRequested(options.cancellation), 0U);
  Matmul matmul(context, 2);
  WebnnError error = nullptr;
  ASSERT_EQ(matmul.build(&options, nullptr), WebnnStatus_Success);
  EXPECT_EQ(matmul.compute(&options, nullptr), WebnnStatus_Success);
  webnnCancellationRequest(options.cancellation);
  webnnCancellationRequest(options.cancellation);
  EXPECT_EQ(webnnCancellationIsRequested(options.cancellation), 1U);
  WebnnStatus status = matmul.compute(&options, &error);
  expectError(WebnnStatus_AbortError, "compute: a stop was requested.", status, error);
  Matmul other(context, 2);
  status = other.build(&options, &error);
  expectError(WebnnStatus_AbortError, "build: a stop was requested.", status, error);
  EXPECT_EQ(matmul.compute(nullptr, nullptr), WebnnStatus_Success);  // the graph is still usable
  webnnCancellationRelease(options.cancellation);
}

struct Told {
  std::vector<std::string> phases;
  uint64_t done = 0, total = 1;
};

TEST(Progress, OfALoadIsToldTheCaller) {
  const CContext context;
  constexpr std::string_view kText = "webnn_graph \"g\" v2 { inputs { x: f32[2]; } nodes { y = neg(x); } outputs { y; } }";
  Told told;
  WebnnLoadOptions options = WEBNN_LOAD_OPTIONS_INIT;
  options.progressUserdata = &told;
  options.onProgress = [](WebnnStringView phase, uint64_t done, uint64_t total, void* userdata) {
    Told& all = *static_cast<Told*>(userdata);
    all.phases.emplace_back(phase.data, phase.length);
    all.done = done, all.total = total;
  };
  WebnnExternalBytes content = WEBNN_EXTERNAL_BYTES_INIT;
  content.data = kText.data();
  content.size = kText.size();
  WebnnGraph graph = nullptr;
  ASSERT_EQ(webnnContextLoadBytes(context.context, &content, &options, &graph, nullptr), WebnnStatus_Success);
  webnnGraphRelease(graph);
  ASSERT_FALSE(told.phases.empty());
  EXPECT_EQ(told.phases.front(), "load");
  EXPECT_EQ(told.done, told.total);
}

// Tests that a request on another thread stops a run, whether it comes before the run begins or during it. The reference backend
// would need minutes for the run.
TEST(Cancellation, IsHeardFromAnotherThread) {
  const CContext context;
  Matmul matmul(context, 4096);
  ASSERT_EQ(matmul.build(nullptr, nullptr), WebnnStatus_Success);
  WebnnCallOptions options = WEBNN_CALL_OPTIONS_INIT;
  ASSERT_EQ(webnnCreateCancellation(&options.cancellation, nullptr), WebnnStatus_Success);
  std::thread other([held = options.cancellation] { webnnCancellationRequest(held); });
  WebnnError error = nullptr;
  const WebnnStatus status = matmul.compute(&options, &error);
  other.join();
  expectError(WebnnStatus_AbortError, "compute: a stop was requested.", status, error);
  webnnCancellationRelease(options.cancellation);
}

TEST(Cancellation, ATimeoutEndsACall) {
  const CContext context;
  Matmul matmul(context, 4096);
  WebnnCallOptions options = WEBNN_CALL_OPTIONS_INIT;
  ASSERT_EQ(matmul.build(&options, nullptr), WebnnStatus_Success);
  options.timeoutNanoseconds = 1000;
  WebnnError error = nullptr;
  const WebnnStatus status = matmul.compute(&options, &error);
  expectError(WebnnStatus_TimeoutError, "compute: the time that it may take is over.", status, error);
}

TEST(Cancellation, OfADispatchReachesTheReaders) {
  const CContext context;
  Matmul matmul(context, 2);
  ASSERT_EQ(matmul.build(nullptr, nullptr), WebnnStatus_Success);
  WebnnTensorDescriptor descriptor = WEBNN_TENSOR_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape = {2, matmul.shape};
  descriptor.readable = 1;
  WebnnTensor tensors[2];
  for (WebnnTensor& tensor : tensors)
    ASSERT_EQ(webnnContextCreateTensor(context.context, &descriptor, &tensor, nullptr), WebnnStatus_Success);
  WebnnCallOptions options = WEBNN_CALL_OPTIONS_INIT;
  ASSERT_EQ(webnnCreateCancellation(&options.cancellation, nullptr), WebnnStatus_Success);
  webnnCancellationRequest(options.cancellation);
  const WebnnNamedTensor from{nullptr, WEBNN_TEXT("x"), tensors[0]}, to{nullptr, WEBNN_TEXT("y"), tensors[1]};
  EXPECT_EQ(webnnContextDispatchWithOptions(context.context, matmul.graph, 1, &from, 1, &to, &options, nullptr),
            WebnnStatus_Success);
  std::vector<float> values(4);
  WebnnError error = nullptr;
  WebnnStatus status = webnnContextReadTensorSync(context.context, tensors[1], {values.data(), 16}, &error);
  expectError(WebnnStatus_AbortError, "dispatch: a stop was requested.", status, error);
  EXPECT_EQ(webnnContextDispatch(context.context, matmul.graph, 1, &from, 1, &to, nullptr), WebnnStatus_Success);
  EXPECT_EQ(webnnContextReadTensorSync(context.context, tensors[1], {values.data(), 16}, nullptr), WebnnStatus_Success);
  for (WebnnTensor tensor : tensors) webnnTensorRelease(tensor);
  webnnCancellationRelease(options.cancellation);
}

TEST(Cancellation, HandlesAreChecked) {
  WebnnError error = nullptr;
  WebnnStatus status = webnnCreateCancellation(nullptr, &error);
  expectError(WebnnStatus_TypeError, "NULL", status, error);
  EXPECT_EQ(webnnCancellationIsRequested(nullptr), 0U);
  webnnCancellationRequest(nullptr);
  webnnCancellationRelease(nullptr);
}

TEST(WorkLimits, BoundAContext) {
  WebnnInstance instance = nullptr;
  ASSERT_EQ(webnnCreateInstance(nullptr, &instance, nullptr), WebnnStatus_Success);
  WebnnWorkLimits limits = WEBNN_WORK_LIMITS_INIT;
  limits.maxMemory = 1000;
  WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.limits = &limits;
  WebnnContext context = nullptr;
  ASSERT_EQ(webnnInstanceCreateContextSync(instance, &options, &context, nullptr), WebnnStatus_Success);
  const std::uint32_t small = 100, large = 1000;
  WebnnTensorDescriptor descriptor = WEBNN_TENSOR_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape = {1, &large};
  WebnnTensor tensor = nullptr;
  WebnnError error = nullptr;
  const WebnnStatus status = webnnContextCreateTensor(context, &descriptor, &tensor, &error);
  expectError(WebnnStatus_OperationError,
              "createTensor: a tensor of 4000 bytes is beyond the limit of memory (maxMemory, 1000 bytes", status, error);
  descriptor.shape = {1, &small};
  EXPECT_EQ(webnnContextCreateTensor(context, &descriptor, &tensor, nullptr), WebnnStatus_Success);
  EXPECT_EQ(webnnContextGetMemoryInUse(context), 400U);
  webnnTensorRelease(tensor);
  EXPECT_EQ(webnnContextGetMemoryInUse(context), 0U);
  webnnContextRelease(context);
  webnnInstanceRelease(instance);
}

TEST(WorkLimits, AnEstimateOfTheMemory) {
  const CContext context;
  Matmul matmul(context, 10);
  ASSERT_EQ(matmul.build(nullptr, nullptr), WebnnStatus_Success);
  WebnnMemoryEstimate estimate = WEBNN_MEMORY_ESTIMATE_INIT;
  ASSERT_EQ(webnnGraphGetMemoryEstimate(matmul.graph, &estimate, nullptr), WebnnStatus_Success);
  EXPECT_EQ(estimate.inputs, 400U);
  EXPECT_EQ(estimate.outputs, 400U);
  EXPECT_EQ(estimate.constants + estimate.packedWeights + estimate.intermediates, 0U);
}

TEST(Load, ReadsAnOpenFile) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("capi_limits_" + std::to_string(::getpid()));
  std::ofstream(file) << "webnn_graph \"g\" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }";
  const CContext context;
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  WebnnGraph graph = nullptr;
  WebnnError error = nullptr;
  EXPECT_EQ(webnnContextLoadDescriptor(context.context, descriptor, nullptr, &graph, &error), WebnnStatus_Success)
      << messageOf(error);
  EXPECT_EQ(webnnGraphGetInputCount(graph), 1U);
  webnnGraphRelease(graph);
  ::close(descriptor);
  std::filesystem::remove(file);
  const WebnnStatus status = webnnContextLoadDescriptor(context.context, -1, nullptr, &graph, &error);
  expectError(WebnnStatus_TypeError, "the file descriptor -1 cannot be read", status, error);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
