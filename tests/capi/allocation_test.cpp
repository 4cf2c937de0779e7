// Without memory, every function fails with UnknownError, changes nothing and leaks nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>

#include "capi/capi_support.h"

namespace {

// How many allocations of this thread still succeed.
thread_local long allocationsLeft = std::numeric_limits<long>::max();

}  // namespace

// The library's allocations come here too.
void* operator new(std::size_t size) {
  if (allocationsLeft <= 0) throw std::bad_alloc();
  --allocationsLeft;
  void* const memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace webnn::test {
namespace {

// Calls `call` with 0, 1, 2, ... allocations that succeed, until it does.
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
    // A backend may wrap the failure of the system.
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

}  // namespace
}  // namespace webnn::test
