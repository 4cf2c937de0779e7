// Tests objects, errors, callbacks and files of the C API. Includes only public headers of the library.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "capi/capi_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr std::uint32_t kShape[] = {2, 2};

WebnnOperandDescriptor floats() {
  WebnnOperandDescriptor descriptor = WEBNN_OPERAND_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape = {2, kShape};
  return descriptor;
}

WebnnConstBytes bytesOf(const std::vector<float>& values) { return {values.data(), values.size() * sizeof(float)}; }
WebnnBytes bytesOf(std::vector<float>& values) { return {values.data(), values.size() * sizeof(float)}; }

WebnnTensor makeTensor(WebnnContext context, bool isReadable, bool isWritable) {
  WebnnTensorDescriptor descriptor = WEBNN_TENSOR_DESCRIPTOR_INIT;
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.shape = {2, kShape};
  descriptor.readable = isReadable;
  descriptor.writable = isWritable;
  WebnnTensor tensor = nullptr;
  EXPECT_EQ(webnnContextCreateTensor(context, &descriptor, &tensor, nullptr), WebnnStatus_Success);
  return tensor;
}

WebnnOperand input(WebnnGraphBuilder builder, const char* name) {
  const WebnnOperandDescriptor descriptor = floats();
  WebnnOperand operand = nullptr;
  EXPECT_EQ(webnnGraphBuilderInput(builder, WEBNN_TEXT(name), &descriptor, &operand, nullptr), WebnnStatus_Success);
  return operand;
}

// Makes a builder with y = relu(x), which is not built yet.
struct Relu {
  explicit Relu(const CContext& context) : builder(context.builder()), x(input(builder, "x")) {
    EXPECT_EQ(webnnGraphBuilderRelu(builder, x, nullptr, &y, nullptr), WebnnStatus_Success);
    output = {nullptr, WEBNN_TEXT("y"), y};
  }
  ~Relu() {
    webnnOperandRelease(x);
    webnnOperandRelease(y);
    webnnGraphBuilderRelease(builder);
  }
  WebnnGraph build() const {
    WebnnGraph graph = nullptr;
    EXPECT_EQ(webnnGraphBuilderBuildSync(builder, 1, &output, &graph, nullptr), WebnnStatus_Success);
    return graph;
  }
  WebnnGraphBuilder builder = nullptr;
  WebnnOperand x = nullptr, y = nullptr;
  WebnnNamedOperand output{};
};

// Expects that `call` fails with the status, and with a message that contains the text.
void expectError(WebnnStatus status, std::string_view text, const std::function<WebnnStatus(WebnnError*)>& call) {
  WebnnError error = nullptr;
  EXPECT_EQ(call(&error), status) << text;
  ASSERT_NE(error, nullptr) << text;
  EXPECT_EQ(webnnErrorGetStatus(error), status);
  EXPECT_NE(messageOf(error).find(text), std::string::npos) << messageOf(error);
  webnnErrorRelease(error);
  EXPECT_EQ(call(nullptr), status);  // the error pointer may be NULL
}

// Records the arguments that a callback received.
struct Heard {
  std::atomic<int> count = 0;
  WebnnStatus status = WebnnStatus_Success;
  void* object = nullptr;
  std::string message;
  std::thread::id thread;

  template <typename Object>
  static void object2(WebnnStatus status, Object object, WebnnError error, void* userdata, void* other) {
    EXPECT_EQ(other, userdata);
    static_cast<Heard*>(userdata)->hear(status, object, messageOf(error));
  }
  static void read(WebnnStatus status, WebnnError error, void* userdata, void* other) {
    object2<void*>(status, nullptr, error, userdata, other);
  }
  static void lost(WebnnContextLostReason reason, WebnnStringView message, void* userdata, void* other) {
    EXPECT_EQ(other, userdata);
    static_cast<Heard*>(userdata)->hear(static_cast<WebnnStatus>(reason), nullptr, textOf(message));
  }
  void hear(WebnnStatus heard, void* made, std::string text) {
    status = heard;
    object = made;
    message = std::move(text);
    thread = std::this_thread::get_id();
    ++count;
    count.notify_all();
  }
  void wait() { count.wait(0); }
};

template <typename Info, typename Callback>
Info infoOf(Heard& heard, Callback callback, WebnnCallbackMode mode) {
  return {nullptr, mode, callback, &heard, &heard};
}

TEST(Errors, HaveTheSpecificationsNames) {
  EXPECT_EQ(textOf(webnnStatusGetName(WebnnStatus_Success)), "Success");
  EXPECT_EQ(textOf(webnnStatusGetName(WebnnStatus_TypeError)), "TypeError");
  EXPECT_EQ(textOf(webnnStatusGetName(WebnnStatus_UnknownError)), "UnknownError");
  EXPECT_EQ(textOf(webnnStatusGetName(static_cast<WebnnStatus>(99))), "");
}

TEST(Errors, NameTheOperationTheLabelAndTheValues) {
  const CContext c;
  const Relu relu(c);
  WebnnConv2dOptions options = WEBNN_CONV2D_OPTIONS_INIT;
  options.label = WEBNN_TEXT("stem");
  WebnnOperand result = relu.y;
  expectError(WebnnStatus_TypeError, "conv2d \"stem\": input rank (2) is not 4.",
              [&](WebnnError* error) { return webnnGraphBuilderConv2d(relu.builder, relu.x, relu.x, &options, &result, error); });
  EXPECT_EQ(result, nullptr);
  WebnnContextOptions gpu = WEBNN_CONTEXT_OPTIONS_INIT;
  gpu.backend = WEBNN_TEXT("none such");
  WebnnContext context = nullptr;
  expectError(WebnnStatus_NotSupportedError, "none such",
              [&](WebnnError* error) { return webnnInstanceCreateContextSync(c.instance, &gpu, &context, error); });
  WebnnGraph graph = nullptr;
  expectError(WebnnStatus_NotFoundError, "/none/such.webnn", [&](WebnnError* error) {
    return webnnContextLoad(c.context, WEBNN_TEXT("/none/such.webnn"), nullptr, &graph, error);
  });
}

TEST(Arguments, ThatAreNullAreRefused) {
  const CContext c;
  const Relu relu(c);
  const WebnnOperandDescriptor descriptor = floats();
  WebnnOperand operand = nullptr;
  WebnnGraph graph = nullptr;
  expectError(WebnnStatus_TypeError, "relu: input is NULL.",
              [&](WebnnError* error) { return webnnGraphBuilderRelu(relu.builder, nullptr, nullptr, &operand, error); });
  expectError(WebnnStatus_TypeError, "relu: the pointer for the result is NULL.",
              [&](WebnnError* error) { return webnnGraphBuilderRelu(relu.builder, relu.x, nullptr, nullptr, error); });
  expectError(WebnnStatus_TypeError, "input: the descriptor is NULL.",
              [&](WebnnError* error) { return webnnGraphBuilderInput(relu.builder, WEBNN_TEXT("a"), nullptr, &operand, error); });
  expectError(WebnnStatus_TypeError, "constant: bytes are NULL but have a size (16).", [&](WebnnError* error) {
    return webnnGraphBuilderConstant(relu.builder, &descriptor, {nullptr, 16}, &operand, error);
  });
  expectError(WebnnStatus_TypeError, "build: outputs is NULL but has 1 items.",
              [&](WebnnError* error) { return webnnGraphBuilderBuildSync(relu.builder, 1, nullptr, &graph, error); });
  expectError(WebnnStatus_TypeError, "createTensor: the context is NULL.", [&](WebnnError* error) {
    WebnnTensor tensor = nullptr;
    return webnnContextCreateTensor(nullptr, nullptr, &tensor, error);
  });
  EXPECT_EQ(webnnGraphGetInputCount(nullptr), 0u);
  EXPECT_EQ(webnnTensorGetByteLength(nullptr), 0u);
  EXPECT_EQ(webnnInstanceWaitAny(nullptr, 0, nullptr, 0), WebnnWaitStatus_Error);
  webnnContextDestroy(nullptr);
  webnnInstanceProcessEvents(nullptr);
}

TEST(Arguments, ThatAreGarbageAreRefused) {
  const CContext c;
  const Relu relu(c);
  WebnnOperand operand = nullptr;
  WebnnOperandDescriptor descriptor = floats();
  const auto makeInput = [&](WebnnError* error) {
    return webnnGraphBuilderInput(relu.builder, WEBNN_TEXT("a"), &descriptor, &operand, error);
  };
  descriptor.dataType = static_cast<WebnnOperandDataType>(1234);
  expectError(WebnnStatus_TypeError, "input: dataType (1234) is not a value of its enumeration.", makeInput);
  descriptor.dataType = WebnnOperandDataType_Undefined;
  expectError(WebnnStatus_TypeError, "input: dataType is not set.", makeInput);
  descriptor = floats();
  descriptor.shape = WEBNN_UINT32_LIST_INIT;
  expectError(WebnnStatus_TypeError, "input: shape is not set.", makeInput);
  descriptor.shape = {SIZE_MAX / 2, kShape};
  expectError(WebnnStatus_TypeError, "input: shape has no valid count", makeInput);
  descriptor = floats();
  WebnnChainedStruct chain{nullptr, static_cast<WebnnSType>(7)};
  descriptor.nextInChain = &chain;
  expectError(WebnnStatus_TypeError, "input: the descriptor has an extension (sType 7) that is not known.", makeInput);
  WebnnReduceOptions reduce = WEBNN_REDUCE_OPTIONS_INIT;
  const auto makeReduce = [&](WebnnError* error) {
    return webnnGraphBuilderReduceSum(relu.builder, relu.x, &reduce, &operand, error);
  };
  reduce.keepDimensions = 7;
  expectError(WebnnStatus_TypeError, "reduceSum: keepDimensions (7) is not 0 or 1.", makeReduce);
  reduce = WEBNN_REDUCE_OPTIONS_INIT;
  reduce.axes = {3, nullptr};
  expectError(WebnnStatus_TypeError, "reduceSum: axes is NULL but has 3 items.", makeReduce);
  reduce = WEBNN_REDUCE_OPTIONS_INIT;
  reduce.label = {nullptr, 5};
  expectError(WebnnStatus_TypeError, "reduceSum: label is NULL but has a length (5).", makeReduce);
  reduce = WEBNN_REDUCE_OPTIONS_INIT;
  reduce.nextInChain = &chain;
  expectError(WebnnStatus_TypeError, "reduceSum: options has an extension", makeReduce);
  expectError(WebnnStatus_TypeError, "relu: input is a handle of something else.", [&](WebnnError* error) {
    return webnnGraphBuilderRelu(relu.builder, reinterpret_cast<WebnnOperand>(c.context), nullptr, &operand, error);
  });
  expectError(WebnnStatus_TypeError, "constant: value: type (9)", [&](WebnnError* error) {
    WebnnNumber number = webnnNumberOfDouble(1);
    number.type = static_cast<WebnnNumberType>(9);
    return webnnGraphBuilderConstantScalar(relu.builder, WebnnOperandDataType_Int8, number, &operand, error);
  });
}

TEST(Lists, ThatAreEmptyAreNotAbsent) {
  const CContext c;
  const Relu relu(c);
  WebnnReduceOptions options = WEBNN_REDUCE_OPTIONS_INIT;
  WebnnOperand all = nullptr, none = nullptr;
  ASSERT_EQ(webnnGraphBuilderReduceSum(relu.builder, relu.x, &options, &all, nullptr), WebnnStatus_Success);
  options.axes = {0, nullptr};
  ASSERT_EQ(webnnGraphBuilderReduceSum(relu.builder, relu.x, &options, &none, nullptr), WebnnStatus_Success);
  EXPECT_EQ(descriptorOf(all).shape, Shape());
  EXPECT_EQ(descriptorOf(none).shape, Shape({2, 2}));
  webnnOperandRelease(all);
  webnnOperandRelease(none);
}

TEST(Numbers, KeepEveryBitOfIntegers) {
  const CContext c;
  const WebnnGraphBuilder builder = c.builder();
  WebnnOperand constant = nullptr, result = nullptr;
  const WebnnNumber number = webnnNumberOfUint64(0xFFFFFFFFFFFFFFFE);
  ASSERT_EQ(webnnGraphBuilderConstantScalar(builder, WebnnOperandDataType_Uint64, number, &constant, nullptr),
            WebnnStatus_Success);
  ASSERT_EQ(webnnGraphBuilderIdentity(builder, constant, nullptr, &result, nullptr), WebnnStatus_Success);
  const WebnnNamedOperand output{nullptr, WEBNN_TEXT("y"), result};
  WebnnGraph graph = nullptr;
  ASSERT_EQ(webnnGraphBuilderBuildSync(builder, 1, &output, &graph, nullptr), WebnnStatus_Success);
  std::uint64_t value = 0;
  const WebnnBytes bytes{&value, sizeof value};
  EXPECT_EQ(webnnGraphCompute(graph, 0, nullptr, 1, &bytes, nullptr), WebnnStatus_Success);
  EXPECT_EQ(value, 0xFFFFFFFFFFFFFFFE);
  webnnGraphRelease(graph);
  webnnOperandRelease(result);
  webnnOperandRelease(constant);
  webnnGraphBuilderRelease(builder);
}

TEST(Handles, MayBeReleasedInAnyOrder) {
  WebnnGraph graph = nullptr;
  {
    const CContext c;
    const Relu relu(c);
    webnnOperandAddRef(relu.y);
    webnnOperandRelease(relu.y);
    graph = relu.build();
    webnnGraphAddRef(graph);
    webnnGraphRelease(graph);
  }
  ASSERT_EQ(webnnGraphGetInputCount(graph), 1u);
  WebnnNamedDescriptor named = WEBNN_NAMED_DESCRIPTOR_INIT;
  ASSERT_EQ(webnnGraphGetInput(graph, 0, &named, nullptr), WebnnStatus_Success);
  EXPECT_EQ(textOf(named.name), "x");
  EXPECT_EQ(named.descriptor.shape.count, 2u);
  expectError(WebnnStatus_TypeError, "output: the index (1) is not below 1.",
              [&](WebnnError* error) { return webnnGraphGetOutput(graph, 1, &named, error); });
  const std::vector<float> x{-1, 2, -3, 4};
  std::vector<float> y(4);
  const WebnnConstBytes from = bytesOf(x);
  const WebnnBytes to = bytesOf(y);
  EXPECT_EQ(webnnGraphCompute(graph, 1, &from, 1, &to, nullptr), WebnnStatus_Success);
  EXPECT_EQ(y, std::vector<float>({0, 2, 0, 4}));
  webnnGraphDestroy(graph);
  expectError(WebnnStatus_InvalidStateError, "destroyed",
              [&](WebnnError* error) { return webnnGraphCompute(graph, 1, &from, 1, &to, error); });
  webnnGraphRelease(graph);
  webnnGraphRelease(nullptr);
  webnnErrorRelease(nullptr);
  webnnOperandListFreeMembers(WEBNN_OPERAND_LIST_INIT);
}

TEST(Handles, OfSeveralResultsComeAsAList) {
  const CContext c;
  const Relu relu(c);
  WebnnOperandList parts = WEBNN_OPERAND_LIST_INIT;
  WebnnSplits splits = WEBNN_SPLITS_INIT;
  splits.count = 2;
  ASSERT_EQ(webnnGraphBuilderSplit(relu.builder, relu.x, splits, nullptr, &parts, nullptr), WebnnStatus_Success);
  ASSERT_EQ(parts.count, 2u);
  EXPECT_EQ(descriptorOf(parts.items[1]).shape, Shape({1, 2}));
  webnnOperandListFreeMembers(parts);
}

TEST(Constants, OfTheCallerAreLetGoOfOnce) {
  struct Counted {
    std::atomic<int> releases = 0;
    static void release(const void* data, void* userdata1, void* userdata2) {
      EXPECT_EQ(data, userdata2);
      ++static_cast<Counted*>(userdata1)->releases;
    }
  } counted;
  const std::vector<float> values{1, 2, 3, 4};
  WebnnExternalBytes bytes = WEBNN_EXTERNAL_BYTES_INIT;
  bytes.data = values.data();
  bytes.release = &Counted::release;
  bytes.userdata1 = &counted;
  bytes.userdata2 = const_cast<float*>(values.data());
  {
    const CContext c;
    const Relu relu(c);
    const WebnnOperandDescriptor descriptor = floats();
    WebnnOperand constant = nullptr, sum = nullptr;
    bytes.size = 15;
    EXPECT_EQ(webnnGraphBuilderConstantExternal(relu.builder, &descriptor, &bytes, &constant, nullptr), WebnnStatus_TypeError);
    EXPECT_EQ(counted.releases, 0);
    bytes.size = 16;
    ASSERT_EQ(webnnGraphBuilderConstantExternal(relu.builder, &descriptor, &bytes, &constant, nullptr), WebnnStatus_Success);
    ASSERT_EQ(webnnGraphBuilderAdd(relu.builder, relu.y, constant, nullptr, &sum, nullptr), WebnnStatus_Success);
    webnnOperandRelease(constant);
    webnnOperandRelease(sum);
    EXPECT_EQ(counted.releases, 0);
  }
  EXPECT_EQ(counted.releases, 1);
}

TEST(Tensors, AreWrittenDispatchedAndRead) {
  const CContext c;
  const Relu relu(c);
  const WebnnGraph graph = relu.build();
  const WebnnTensor x = makeTensor(c.context, false, true), y = makeTensor(c.context, true, false);
  EXPECT_EQ(webnnTensorGetByteLength(x), 16u);
  WebnnTensorDescriptor known = WEBNN_TENSOR_DESCRIPTOR_INIT;
  ASSERT_EQ(webnnTensorGetDescriptor(y, &known, nullptr), WebnnStatus_Success);
  EXPECT_EQ(known.readable, 1u);
  EXPECT_EQ(known.writable, 0u);
  EXPECT_EQ(webnnTensorIsConstant(y), 0u);
  const std::vector<float> values{-1, 2, -3, 4};
  ASSERT_EQ(webnnContextWriteTensor(c.context, x, bytesOf(values), nullptr), WebnnStatus_Success);
  const WebnnNamedTensor from{nullptr, WEBNN_TEXT("x"), x}, to{nullptr, WEBNN_TEXT("y"), y};
  ASSERT_EQ(webnnContextDispatch(c.context, graph, 1, &from, 1, &to, nullptr), WebnnStatus_Success);
  std::vector<float> result(4);
  ASSERT_EQ(webnnContextReadTensorSync(c.context, y, bytesOf(result), nullptr), WebnnStatus_Success);
  EXPECT_EQ(result, std::vector<float>({0, 2, 0, 4}));
  expectError(WebnnStatus_TypeError, "dispatch: the tensor of \"x\" is bound twice.", [&](WebnnError* error) {
    const WebnnNamedTensor twice[] = {from, from};
    return webnnContextDispatch(c.context, graph, 2, twice, 1, &to, error);
  });
  webnnTensorDestroy(y);
  expectError(WebnnStatus_TypeError, "destroyed",
              [&](WebnnError* error) { return webnnContextReadTensorSync(c.context, y, bytesOf(result), error); });
  webnnTensorRelease(x);
  webnnTensorRelease(y);
  webnnGraphRelease(graph);
}

TEST(Limits, AreThoseOfTheBackend) {
  const CContext c;
  EXPECT_EQ(textOf(webnnContextGetBackend(c.context)), "reference");
  WebnnTensorLimits filter = WEBNN_TENSOR_LIMITS_INIT;
  ASSERT_EQ(webnnContextGetOperandLimits(c.context, WEBNN_TEXT("conv2d"), WEBNN_TEXT("filter"), &filter, nullptr),
            WebnnStatus_Success);
  EXPECT_EQ(filter.minRank, 4u);
  EXPECT_EQ(filter.maxRank, 4u);
  EXPECT_EQ(filter.dataTypes,
            WEBNN_DATA_TYPE_FLAG(WebnnOperandDataType_Float32) | WEBNN_DATA_TYPE_FLAG(WebnnOperandDataType_Float16));
  WebnnLimits limits = WEBNN_LIMITS_INIT;
  ASSERT_EQ(webnnContextGetLimits(c.context, &limits, nullptr), WebnnStatus_Success);
  EXPECT_EQ(limits.input.maxRank, 8u);
  EXPECT_EQ(limits.preferredInputLayout, WebnnInputOperandLayout_Nchw);
  expectError(WebnnStatus_NotFoundError, "there is no operation \"conv9d\"", [&](WebnnError* error) {
    return webnnContextGetOperandLimits(c.context, WEBNN_TEXT("conv9d"), WEBNN_TEXT("filter"), &filter, error);
  });
}

TEST(Callbacks, AreCalledByWhomTheModeSays) {
  const CContext c;
  const WebnnTensor tensor = makeTensor(c.context, true, false);
  std::vector<float> values(4);
  const auto read = [&](Heard& heard, WebnnCallbackMode mode) {
    return webnnContextReadTensor(c.context, tensor, bytesOf(values),
                                  infoOf<WebnnReadTensorCallbackInfo>(heard, &Heard::read, mode));
  };
  Heard waited, processed, spontaneous;
  WebnnFutureWaitInfo info{read(waited, WebnnCallbackMode_WaitAnyOnly), 0};
  read(processed, WebnnCallbackMode_AllowProcessEvents);
  read(spontaneous, WebnnCallbackMode_Undefined);
  spontaneous.wait();  // reads are completed in order
  EXPECT_NE(spontaneous.thread, std::this_thread::get_id());
  EXPECT_EQ(processed.count, 0);
  webnnInstanceProcessEvents(c.instance);
  EXPECT_EQ(processed.count, 1);
  EXPECT_EQ(processed.thread, std::this_thread::get_id());
  EXPECT_EQ(waited.count, 0);
  EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &info, UINT64_MAX), WebnnWaitStatus_Success);
  EXPECT_EQ(info.completed, 1u);
  EXPECT_EQ(waited.count, 1);
  EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &info, 0), WebnnWaitStatus_Success);  // a completed future remains completed
  WebnnFutureWaitInfo unknown{{12345}, 0};
  EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &unknown, 0), WebnnWaitStatus_Error);
  webnnTensorRelease(tensor);
}

TEST(Callbacks, OfALossComeOnce) {
  Heard lost, again, released;
  {
    const CContext c;
    const auto info = [](Heard& heard, WebnnCallbackMode mode) {
      return infoOf<WebnnContextLostCallbackInfo>(heard, &Heard::lost, mode);
    };
    WebnnFutureWaitInfo future{webnnContextLost(c.context, info(lost, WebnnCallbackMode_WaitAnyOnly)), 0};
    EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, 0), WebnnWaitStatus_TimedOut);
    EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, 1000), WebnnWaitStatus_TimedOut);
    EXPECT_EQ(webnnContextIsLost(c.context), 0u);
    webnnContextDestroy(c.context);
    webnnContextDestroy(c.context);
    EXPECT_EQ(webnnContextIsLost(c.context), 1u);
    EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, 0), WebnnWaitStatus_Success);
    webnnContextLost(c.context, info(again, WebnnCallbackMode_AllowSpontaneous));
    again.wait();
    const CContext other;
    webnnContextLost(other.context, info(released, WebnnCallbackMode_AllowSpontaneous));
  }
  released.wait();
  EXPECT_EQ(lost.count, 1);
  EXPECT_EQ(static_cast<int>(lost.status), WebnnContextLostReason_Lost);
  EXPECT_NE(lost.message.find("destroy"), std::string::npos);
  EXPECT_EQ(static_cast<int>(again.status), WebnnContextLostReason_Lost);
  EXPECT_EQ(static_cast<int>(released.status), WebnnContextLostReason_Released);
}

TEST(Callbacks, ReceiveTheCreatedObjects) {
  const CContext c;
  const Relu relu(c);
  Heard created, built, refused;
  webnnInstanceCreateContext(
      c.instance, nullptr,
      infoOf<WebnnCreateContextCallbackInfo>(created, &Heard::object2<WebnnContext>, WebnnCallbackMode_Undefined));
  created.wait();
  EXPECT_EQ(created.status, WebnnStatus_Success);
  webnnContextRelease(static_cast<WebnnContext>(created.object));
  const auto info = [](Heard& heard) {
    return infoOf<WebnnBuildCallbackInfo>(heard, &Heard::object2<WebnnGraph>, WebnnCallbackMode_WaitAnyOnly);
  };
  WebnnFutureWaitInfo futures[] = {{webnnGraphBuilderBuild(relu.builder, 1, &relu.output, info(built)), 0},
                                   {webnnGraphBuilderBuild(relu.builder, 1, &relu.output, info(refused)), 0}};
  while (built.count == 0 || refused.count == 0)
    ASSERT_EQ(webnnInstanceWaitAny(c.instance, 2, futures, UINT64_MAX), WebnnWaitStatus_Success);
  EXPECT_EQ(built.status, WebnnStatus_Success);
  EXPECT_EQ(refused.status, WebnnStatus_InvalidStateError);
  EXPECT_EQ(refused.object, nullptr);
  EXPECT_EQ(refused.message, "build: the builder has already built its graph.");
  webnnGraphRelease(static_cast<WebnnGraph>(built.object));
}

TEST(Callbacks, OfABuildMayReleaseTheBuilder) {
  struct Built {
    WebnnGraphBuilder builder = nullptr;
    std::promise<WebnnStatus> status;
  };
  WebnnBuildCallbackInfo info = WEBNN_BUILD_CALLBACK_INFO_INIT;
  info.mode = WebnnCallbackMode_AllowSpontaneous;
  info.callback = [](WebnnStatus status, WebnnGraph graph, WebnnError, void* data, void*) {
    auto& built = *static_cast<Built*>(data);
    webnnGraphRelease(graph);
    webnnGraphBuilderRelease(built.builder);
    // `built` may be destroyed as soon as the test has the status, so the promise must be outside it
    std::promise<WebnnStatus> told = std::move(built.status);
    told.set_value(status);
  };
  const CContext c;
  for (int round = 0; round < 20; ++round) {
    Relu relu(c);
    Built built;
    built.builder = std::exchange(relu.builder, nullptr);  // the only reference to the builder
    std::future<WebnnStatus> status = built.status.get_future();
    info.userdata1 = &built;
    webnnGraphBuilderBuild(built.builder, 1, &relu.output, info);
    EXPECT_EQ(status.get(), WebnnStatus_Success);
  }
}

TEST(Callbacks, OfABuildAreDueAtOnceOnTheCallersThread) {
  const CContext c;
  WebnnContextOptions options = WEBNN_CONTEXT_OPTIONS_INIT;
  options.backend = WEBNN_TEXT("reference");
  options.execution = WebnnExecution_CallerThread;
  WebnnContext context = nullptr;
  ASSERT_EQ(webnnInstanceCreateContextSync(c.instance, &options, &context, nullptr), WebnnStatus_Success);
  WebnnGraphBuilder builder = nullptr;
  ASSERT_EQ(webnnContextCreateGraphBuilder(context, &builder, nullptr), WebnnStatus_Success);
  const WebnnOperand x = input(builder, "x");
  WebnnOperand y = nullptr;
  ASSERT_EQ(webnnGraphBuilderRelu(builder, x, nullptr, &y, nullptr), WebnnStatus_Success);
  const WebnnNamedOperand output{nullptr, WEBNN_TEXT("y"), y};
  Heard built;
  WebnnFutureWaitInfo future{
      webnnGraphBuilderBuild(builder, 1, &output,
                             infoOf<WebnnBuildCallbackInfo>(built, &Heard::object2<WebnnGraph>, WebnnCallbackMode_WaitAnyOnly)),
      0};
  EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, 0), WebnnWaitStatus_Success);
  EXPECT_EQ(built.status, WebnnStatus_Success);
  webnnGraphRelease(static_cast<WebnnGraph>(built.object));
  webnnOperandRelease(x);
  webnnOperandRelease(y);
  webnnGraphBuilderRelease(builder);
  webnnContextRelease(context);
}

TEST(Callbacks, HearOfRefusedCalls) {
  const CContext c;
  Heard heard;
  const auto info = infoOf<WebnnReadTensorCallbackInfo>(heard, &Heard::read, WebnnCallbackMode_WaitAnyOnly);
  EXPECT_EQ(webnnContextReadTensor(nullptr, nullptr, {nullptr, 0}, info).id, 0u);
  EXPECT_EQ(heard.count, 1);
  EXPECT_EQ(heard.message, "readTensor: the context is NULL.");
  WebnnFutureWaitInfo future{webnnContextReadTensor(c.context, nullptr, {nullptr, 0}, info), 0};
  EXPECT_EQ(heard.count, 1);
  EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, UINT64_MAX), WebnnWaitStatus_Success);
  EXPECT_EQ(heard.count, 2);
  EXPECT_EQ(heard.status, WebnnStatus_TypeError);
  WebnnReadTensorCallbackInfo without = WEBNN_READ_TENSOR_CALLBACK_INFO_INIT;
  EXPECT_EQ(webnnContextReadTensor(c.context, nullptr, {nullptr, 0}, without).id, 0u);
}

TEST(Callbacks, ThatAreDueComeWithTheLastReleaseOfTheInstance) {
  Heard heard;
  {
    const CContext c;
    webnnContextReadTensor(c.context, nullptr, {nullptr, 0},
                           infoOf<WebnnReadTensorCallbackInfo>(heard, &Heard::read, WebnnCallbackMode_WaitAnyOnly));
    EXPECT_EQ(heard.count, 0);
  }
  EXPECT_EQ(heard.count, 1);
}

TEST(Threads, UseTheSameObjectsAtOnce) {
  const CContext c("cpu");
  const Relu relu(c);
  const WebnnGraph graph = relu.build();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const WebnnTensor x = makeTensor(c.context, false, true), y = makeTensor(c.context, true, false);
      for (int round = 0; round < 20; ++round) {
        const auto value = static_cast<float>(i * 100 + round);
        const std::vector<float> values{value, -value, value, 1};
        std::vector<float> result(4);
        const WebnnNamedTensor from{nullptr, WEBNN_TEXT("x"), x}, to{nullptr, WEBNN_TEXT("y"), y};
        webnnContextWriteTensor(c.context, x, bytesOf(values), nullptr);
        webnnGraphAddRef(graph);
        webnnContextDispatch(c.context, graph, 1, &from, 1, &to, nullptr);
        webnnGraphRelease(graph);
        Heard heard;
        WebnnFutureWaitInfo future{
            webnnContextReadTensor(c.context, y, bytesOf(result),
                                   infoOf<WebnnReadTensorCallbackInfo>(heard, &Heard::read, WebnnCallbackMode_Undefined)),
            0};
        EXPECT_EQ(webnnInstanceWaitAny(c.instance, 1, &future, UINT64_MAX), WebnnWaitStatus_Success);
        EXPECT_EQ(heard.count, 1);
        EXPECT_EQ(result, std::vector<float>({value, 0, value, 1}));
      }
      webnnTensorRelease(x);
      webnnTensorRelease(y);
    });
  }
  for (std::thread& thread : threads) thread.join();
  webnnGraphRelease(graph);
}

TEST(Files, AreWrittenAndRead) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "webnn_capi_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "relu.webnn").string();
  const CContext c;
  const Relu relu(c);
  const WebnnGraph graph = relu.build();
  WebnnError error = nullptr;
  ASSERT_EQ(webnnGraphSave(graph, WEBNN_TEXT(path.c_str()), nullptr, &error), WebnnStatus_Success) << messageOf(error);
  WebnnGraph loaded = nullptr;
  ASSERT_EQ(webnnContextLoad(c.context, WEBNN_TEXT(path.c_str()), nullptr, &loaded, &error), WebnnStatus_Success)
      << messageOf(error);
  EXPECT_EQ(webnnGraphGetOutputCount(loaded), 1u);
  webnnGraphRelease(loaded);
  WebnnExternalBytes content = WEBNN_EXTERNAL_BYTES_INIT;
  content.data = "nonsense";
  content.size = 8;
  expectError(WebnnStatus_DataError, "",
              [&](WebnnError* failure) { return webnnContextLoadBytes(c.context, &content, nullptr, &loaded, failure); });
  webnnGraphRelease(graph);
  std::filesystem::remove_all(folder);
}

TEST(Version, IsThatOfTheProject) {
  const std::string version =
      std::to_string(WEBNN_VERSION_MAJOR) + "." + std::to_string(WEBNN_VERSION_MINOR) + "." + std::to_string(WEBNN_VERSION_PATCH);
  EXPECT_EQ(version, WEBNN_PROJECT_VERSION);
  EXPECT_EQ(webnnGetVersion(), WEBNN_VERSION_MAJOR * 1000000u + WEBNN_VERSION_MINOR * 1000u + WEBNN_VERSION_PATCH);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
