// Tests that calls return an error if an allocation fails, leak nothing, and succeed when they are repeated.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "capi/capi_support.h"
#include "support/allocation_operators.h"

namespace {

// The number of allocations of this thread that still succeed. If `failsOnce`, only the next allocation after them fails.
thread_local long allocationsLeft = std::numeric_limits<long>::max();
thread_local bool failsOnce = false;
thread_local long living = 0;

}  // namespace

// Replaces operator new in the test and the library.
void* operator new(std::size_t size) {
  if (allocationsLeft <= 0) {
    if (failsOnce) allocationsLeft = std::numeric_limits<long>::max();
    throw std::bad_alloc();
  }
  --allocationsLeft;
  void* const memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  ++living;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory) --living;
  std::free(memory);
}

namespace webnn::test {
namespace {

// Calls `call` with 0, 1, 2, ... successful allocations, until it succeeds.
template <typename Call>
void expectUnknownErrorUntilItSucceeds(const char* what, Call&& call) {
  for (long count = 0; count < 100000; ++count) {
    WebnnError error = nullptr;
    allocationsLeft = count;
    const WebnnStatus status = call(&error);
    allocationsLeft = std::numeric_limits<long>::max();
    const std::string message = messageOf(error);
    webnnErrorRelease(error);
    if (status == WebnnStatus_Success) {
      EXPECT_GT(count, 0) << what << " never allocates";
      return;
    }
    // A backend may report the failed allocation as an OperationError.
    ASSERT_TRUE(status == WebnnStatus_UnknownError || status == WebnnStatus_OperationError) << what << ": " << message;
    ASSERT_NE(message, "");
  }
  FAIL() << what << " never succeeds";
}

TEST(OutOfMemory, IsAnErrorOfEveryFunction) {
  const CContext c("reference");
  const std::uint32_t shape[] = {2, 2};
  WebnnOperandDescriptor descriptor = WEBNN_OPERAND_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape = {2, shape};
  WebnnGraphBuilder builder = nullptr;
  WebnnOperand x = nullptr, y = nullptr;
  WebnnOperandList parts = WEBNN_OPERAND_LIST_INIT;
  WebnnGraph graph = nullptr;
  expectUnknownErrorUntilItSucceeds(
      "createGraphBuilder", [&](WebnnError* error) { return webnnContextCreateGraphBuilder(c.context, &builder, error); });
  expectUnknownErrorUntilItSucceeds("constant", [&](WebnnError* error) {
    const float values[] = {1, 2, 3, 4};
    return webnnGraphBuilderConstant(builder, &descriptor, {values, sizeof values}, &x, error);
  });
  expectUnknownErrorUntilItSucceeds("add",
                                    [&](WebnnError* error) { return webnnGraphBuilderAdd(builder, x, x, nullptr, &y, error); });
  expectUnknownErrorUntilItSucceeds("split", [&](WebnnError* error) {
    WebnnSplits splits = WEBNN_SPLITS_INIT;
    splits.count = 2;
    return webnnGraphBuilderSplit(builder, x, splits, nullptr, &parts, error);
  });
  expectUnknownErrorUntilItSucceeds("limits", [&](WebnnError* error) {
    WebnnTensorLimits limits = WEBNN_TENSOR_LIMITS_INIT;
    return webnnContextGetOperandLimits(c.context, WEBNN_TEXT("conv2d"), WEBNN_TEXT("filter"), &limits, error);
  });
  const WebnnNamedOperand output{nullptr, WEBNN_TEXT("y"), y};
  ASSERT_EQ(webnnGraphBuilderBuildSync(builder, 1, &output, &graph, nullptr), WebnnStatus_Success);
  expectUnknownErrorUntilItSucceeds("compute", [&](WebnnError* error) {
    float values[4];
    const WebnnBytes bytes{values, sizeof values};
    return webnnGraphCompute(graph, 0, nullptr, 1, &bytes, error);
  });
  webnnOperandListFreeMembers(parts);
  webnnOperandRelease(x);
  webnnOperandRelease(y);
  webnnGraphRelease(graph);
  webnnGraphBuilderRelease(builder);
}

struct Handles {
  WebnnInstance instance = nullptr;
  WebnnContext context = nullptr;
  WebnnGraph graph = nullptr;
  WebnnTensor x = nullptr, y = nullptr;

  Handles() = default;
  Handles(const Handles&) = delete;
  ~Handles() {
    webnnTensorRelease(x);
    webnnTensorRelease(y);
    webnnGraphRelease(graph);
    webnnContextRelease(context);
    webnnInstanceRelease(instance);
  }
};

// Loads a graph with one input and one output of four floats, runs it on the calling thread, and reads the output.
WebnnStatus useGraph(const char* file, WebnnError* error) {
  Handles h;
  WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.backend = WEBNN_TEXT("cpu");
  options.execution = WebnnExecution_CallerThread;
  options.threads = 1;
  const std::uint32_t shape[] = {4};
  WebnnTensorDescriptor in = WEBNN_TENSOR_DESCRIPTOR_INIT, out = WEBNN_TENSOR_DESCRIPTOR_INIT;
  in.dataType = out.dataType = WebnnOperandDataType_Float32;
  in.shape = out.shape = {1, shape};
  in.writable = out.readable = 1;
  const float values[] = {1, -2, 3, -4};
  float results[4] = {};
  WebnnStatus status = webnnCreateInstance(nullptr, &h.instance, error);
  const auto then = [&](auto&& call) {
    if (status == WebnnStatus_Success) status = call();
  };
  then([&] { return webnnInstanceCreateContextSync(h.instance, &options, &h.context, error); });
  then([&] { return webnnContextLoad(h.context, WEBNN_TEXT(file), nullptr, &h.graph, error); });
  then([&] { return webnnContextCreateTensor(h.context, &in, &h.x, error); });
  then([&] { return webnnContextCreateTensor(h.context, &out, &h.y, error); });
  then([&] { return webnnContextWriteTensor(h.context, h.x, {values, sizeof values}, error); });
  then([&] {
    const WebnnNamedTensor x{nullptr, WEBNN_TEXT("x"), h.x}, y{nullptr, WEBNN_TEXT("y"), h.y};
    return webnnContextDispatch(h.context, h.graph, 1, &x, 1, &y, error);
  });
  then([&] { return webnnContextReadTensorSync(h.context, h.y, {results, sizeof results}, error); });
  if (status == WebnnStatus_Success) {
    EXPECT_EQ(results[2], 6);
  }
  return status;
}

TEST(OutOfMemory, FailsTheWholeLifeOfAGraphAndTheNextOneWorks) {
  std::string file = testing::TempDir() + "webnn-capi-XXXXXX";
  const int descriptor = ::mkstemp(file.data());
  const std::string_view text =
      "webnn_graph \"g\" v2 { inputs { x: f32[4]; } nodes { a = relu(x, label=\"a label that takes memory\"); y = add(a, x); } "
      "outputs { y; } }";
  ASSERT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(descriptor);
  ASSERT_EQ(useGraph(file.c_str(), nullptr), WebnnStatus_Success);
  for (const bool once : {true, false}) {
    int failures = 0;
    // Some failed allocations have no effect, so the test ends after a number of consecutive successes.
    for (long count = 0, successes = 0; successes < 50; ++count) {
      ASSERT_LT(count, 100000);
      const long alive = living;
      WebnnError error = nullptr;
      failsOnce = once;
      allocationsLeft = count;
      const WebnnStatus status = useGraph(file.c_str(), &error);
      const bool failed = once ? allocationsLeft > count : allocationsLeft <= 0;
      allocationsLeft = std::numeric_limits<long>::max();
      successes = failed ? 0 : successes + 1;
      if (status != WebnnStatus_Success) {
        ++failures;
        EXPECT_TRUE(status == WebnnStatus_UnknownError || status == WebnnStatus_OperationError) << messageOf(error);
        EXPECT_NE(messageOf(error), "");
      }
      webnnErrorRelease(error);
      ASSERT_EQ(living, alive) << "leaks after allocation " << count;
    }
    EXPECT_GT(failures, 100);
    EXPECT_EQ(useGraph(file.c_str(), nullptr), WebnnStatus_Success);
  }
  failsOnce = false;
  ::unlink(file.c_str());
}

}  // namespace
}  // namespace webnn::test
