// Tests NVIDIA's providers and tensors on a device, with a simulated GPU (card_library.cpp).
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "backends/onnxruntime/library.h"
#include "backends/onnxruntime/onnxruntime_backend.h"
#include "onnxruntime/card.h"
#include "support/files.h"
#include "support/support.h"
#include "webnn/context.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using Options = std::map<std::string, std::string>;

test::Card& card() {
  static test::Card& theCard = *[] {
    void* const library = ::dlopen(WEBNN_CARD_LIBRARY, RTLD_NOW);
    return reinterpret_cast<test::Card* (*)()>(::dlsym(library, "webnnCard"))();
  }();
  return theCard;
}

Context makeContext(Options options, Execution execution = Execution::callerThread) {
  options.emplace("library", WEBNN_CARD_LIBRARY);
  return Context::create({.backend = "onnxruntime", .execution = execution, .backendOptions = std::move(options)});
}

// Each test starts with a simulated GPU without records and faults, and an environment in which TensorRT computes in float32. At
// the end, no object and no memory of the GPU may be left.
class Nvidia : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    card().providers.clear();
    card().faults.clear();
    card().uploads = card().downloads = card().runs = 0;
  }
  void TearDown() override {
    EXPECT_EQ(card().objects, 0);
    EXPECT_EQ(card().bytes, 0u);
    ::unsetenv("NVIDIA_TF32_OVERRIDE");
  }
};

const TensorDescriptor kTensor{DataType::float32, {4}, true, true};

Graph makeNegation(const Context& context) {
  GraphBuilder builder(context);
  return builder.build({{"y", builder.neg(builder.input("x", {DataType::float32, {4}}))}});
}

TEST_F(Nvidia, ProvidersGetTheirSettings) {
  const auto told = [](Options options) {
    card().providers.clear();
    options.emplace("tensors", "host");
    Context context = makeContext(std::move(options));
    EXPECT_TRUE(context.accelerated());
    makeNegation(context);
    return card().providers;
  };
  using Told = std::vector<std::string>;
  EXPECT_EQ(told({{"providers", "CUDA"}}), Told{"CUDA device_id=0 use_tf32=0"});
  EXPECT_EQ(told({{"providers", "cuda"}, {"device", "3"}, {"precision", "tf32"}}), Told{"CUDA device_id=3 use_tf32=1"});
  const std::string off = " trt_engine_cache_enable=0 trt_timing_cache_enable=0";
  EXPECT_EQ(told({{"providers", "TensorRT"}}), Told{"TensorRT device_id=0 trt_fp16_enable=0 trt_int8_enable=0" + off});
  EXPECT_EQ(told({{"providers", "TensorRT"}, {"precision", "tf32"}}),
            Told{"TensorRT device_id=0 trt_fp16_enable=0 trt_int8_enable=0" + off});
  EXPECT_EQ(told({{"providers", "TensorRT"}, {"precision", "int8"}}),
            Told{"TensorRT device_id=0 trt_fp16_enable=0 trt_int8_enable=1" + off});
  EXPECT_EQ(told({{"providers", "TensorRT,CUDA,CPU"}, {"precision", "float16"}, {"device", "1"}}),
            (Told{"TensorRT device_id=1 trt_fp16_enable=1 trt_int8_enable=0" + off, "CUDA device_id=1 use_tf32=0"}));
  EXPECT_EQ(told({{"providers", "NvTensorRTRTX"}}), Told{"NvTensorRtRtx device_id=0"});
}

TEST_F(Nvidia, TensorsOnTheDeviceTakeTheCardOfTheSession) {
  makeContext({{"providers", "NvTensorRTRTX"}, {"device", "2"}});
  EXPECT_EQ(card().providers, std::vector<std::string>{"CUDA device_id=2 use_tf32=0"});
}

TEST_F(Nvidia, SettingsThatFitNoProviderAreRefused) {
  const auto expectTypeError = [](Options options, const std::vector<std::string>& parts) {
    test::expectTypeError(parts, [&] { makeContext(options); });
  };
  for (const char* option : {"cache", "device", "precision"})
    expectTypeError({{"providers", "CPU"}, {option, "0"}}, {std::string("option ") + option, "CUDA, Tensorrt and NvTensorRTRTX"});
  for (const char* device : {"", "-1", "1x", "10000"})
    expectTypeError({{"providers", "CUDA"}, {"device", device}}, {"option device", "not the number of a card"});
  for (const char* precision : {"", "float16", "int8", "bfloat16"})
    expectTypeError({{"providers", "CUDA"}, {"precision", precision}}, {"option precision", "CUDA has float32, tf32."});
  expectTypeError({{"providers", "TensorRT,CUDA"}, {"precision", "half"}},
                  {"\"half\"", "CUDA has float32, tf32; Tensorrt has float32, tf32, float16, int8."});
  expectTypeError({{"providers", "NvTensorRTRTX"}, {"precision", "float16"}}, {"NvTensorRTRTX has float32, tf32."});
  expectTypeError({{"providers", "CUDA"}, {"cache", "/tmp"}}, {"option cache", "Tensorrt and NvTensorRTRTX"});
  for (const char* folder : {"", "/nowhere/at/all"})
    expectTypeError({{"providers", "TensorRT"}, {"cache", folder}}, {"option cache", "no folder"});
  expectTypeError({{"providers", "CUDA"}, {"tensors", "card"}}, {"option tensors", "not host or device"});
}

TEST_F(Nvidia, TensorRtHasFloat32OnlyWhereTheEnvironmentSaysSo) {
  for (const char* value : {"", "1", "00"}) {
    ::setenv("NVIDIA_TF32_OVERRIDE", value, 1);
    for (const char* provider : {"TensorRT", "NvTensorRTRTX", "CUDA,TensorRT"}) {
      test::expectError(ErrorKind::notSupportedError, {"NVIDIA_TF32_OVERRIDE=0", "precision=tf32"}, [&] {
        makeContext({{"providers", provider}});
      });
      EXPECT_TRUE(makeContext({{"providers", provider}, {"precision", "tf32"}}).accelerated());
    }
    EXPECT_TRUE(makeContext({{"providers", "CUDA"}}).accelerated());
  }
}

// Builds y = x + c, where c is a constant of 1,000 elements that equal `value`. The constant is stored outside the model.
void buildSum(const Context& context, float value) {
  GraphBuilder builder(context);
  const std::vector<float> values(1000, value);
  const Operand constant = builder.constant({DataType::float32, {1000}}, std::as_bytes(std::span(values)));
  builder.build({{"y", builder.add(builder.input("x", {DataType::float32, {1000}}), constant)}});
}

TEST_F(Nvidia, EnginesAreKeptForEachModelAndPrecision) {
  const test::TemporaryFolder folder;
  const auto toldFor = [&](const char* provider, const char* precision, float value) {
    Context context =
        makeContext({{"providers", provider}, {"precision", precision}, {"cache", folder.path()}, {"tensors", "host"}});
    card().providers.clear();
    buildSum(context, value);
    return card().providers.at(0);
  };
  const auto folders = [&] { return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()); };
  const std::string one = toldFor("TensorRT", "tf32", 1);
  ASSERT_EQ(folders(), 1);
  const std::string own = fs::directory_iterator(folder.path())->path();
  EXPECT_EQ(one,
            "TensorRT device_id=0 trt_fp16_enable=0 trt_int8_enable=0 trt_engine_cache_enable=1 trt_timing_cache_enable=1"
            " trt_engine_cache_path=" +
                own + " trt_timing_cache_path=" + own);
  EXPECT_EQ(toldFor("TensorRT", "tf32", 1), one);
  EXPECT_EQ(toldFor("NvTensorRTRTX", "tf32", 1), "NvTensorRtRtx device_id=0 nv_runtime_cache_path=" + own);
  EXPECT_EQ(folders(), 1);
  EXPECT_NE(toldFor("TensorRT", "tf32", 2), one);  // the weights differ, so the directory differs
  EXPECT_EQ(folders(), 2);
  toldFor("TensorRT", "float16", 1);
  EXPECT_EQ(folders(), 3);
}

TEST_F(Nvidia, OperationsOfTheCpuAreRefusedUnlessAskedFor) {
  const auto build = [](Options options) {
    Context context = makeContext(std::move(options));
    GraphBuilder builder(context);
    builder.build({{"y", builder.erf(builder.input("x", {DataType::float32, {4}}))}});
  };
  for (const char* provider : {"CUDA", "TensorRT", "NvTensorRTRTX", "TensorRT,CUDA"}) {
    test::expectError(ErrorKind::notSupportedError, {"fallback to CPU EP has been explicitly disabled"}, [&] {
      build({{"providers", provider}});
    });
    build({{"providers", provider}, {"fallback", "cpu"}});
    build({{"providers", std::string(provider) + ",CPU"}});
  }
}

TEST_F(Nvidia, ChainsOfDispatchesLeaveTensorsOnTheCard) {
  for (const Execution execution : {Execution::callerThread, Execution::worker}) {
    Context context = makeContext({{"providers", "CUDA"}}, execution);
    const Graph graph = makeNegation(context);
    Tensor from = context.createTensor(kTensor), to = context.createTensor(kTensor);
    EXPECT_EQ(context.read<float>(to), std::vector<float>(4));  // memory of the simulated GPU is not zero when it is allocated
    context.write<float>(from, {1, -2, 3, -4});
    context.read<float>(from);
    const int uploads = card().uploads, downloads = card().downloads;
    for (int i = 0; i < 5; ++i) {
      context.dispatch(graph, {{"x", from}}, {{"y", to}});
      std::swap(from, to);
    }
    EXPECT_EQ(context.read<float>(from), (std::vector<float>{-1, 2, -3, 4}));
    EXPECT_EQ(card().uploads, uploads);
    EXPECT_EQ(card().downloads, downloads + 1);
    std::vector<float> into(4);
    context.readTensor(to, std::as_writable_bytes(std::span(into))).get();
    EXPECT_EQ(into, (std::vector<float>{1, -2, 3, -4}));
    EXPECT_EQ(card().bytes, 32u);
  }
}

TEST_F(Nvidia, NewTensorsOfAnySizeAreZeros) {
  Context context = makeContext({{"providers", "CUDA"}});
  for (const std::uint32_t size : {1u, 3u, 1u << 20, (1u << 20) + 1, 5u << 19}) {
    const Tensor tensor = context.createTensor({DataType::uint8, {size}, true, true});
    EXPECT_EQ(context.read<std::uint8_t>(tensor), std::vector<std::uint8_t>(size)) << size;
    std::vector<std::uint8_t> values(size);
    std::iota(values.begin(), values.end(), std::uint8_t{7});
    context.write(tensor, values);
    EXPECT_EQ(context.read<std::uint8_t>(tensor), values) << size;
  }
}

TEST_F(Nvidia, TensorsMayBeAskedForInTheHostsMemory) {
  Context context = makeContext({{"providers", "CUDA"}, {"tensors", "host"}});
  const Graph graph = makeNegation(context);
  const Tensor x = context.createTensor(kTensor), y = context.createTensor(kTensor);
  context.write<float>(x, {1, -2, 3, -4});
  context.dispatch(graph, {{"x", x}}, {{"y", y}});
  EXPECT_EQ(context.read<float>(y), (std::vector<float>{-1, 2, -3, 4}));
  EXPECT_EQ(card().uploads + card().downloads, 2);  // the run copies x to the GPU and y back
}

TEST_F(Nvidia, ConstantTensorsAndComputeUseTheHostsMemory) {
  Context context = makeContext({{"providers", "CUDA"}});
  const std::vector<float> values{1, -2, 3, -4};
  const Tensor constant = context.createConstantTensor({DataType::float32, {4}}, std::as_bytes(std::span(values)));
  EXPECT_EQ(card().bytes, 0u);
  GraphBuilder builder(context);
  builder.build({{"y", builder.add(builder.input("x", {DataType::float32, {4}}), builder.constant(constant))}});
  std::vector<float> result(4);
  const std::span<const std::byte> from = std::as_bytes(std::span(values));
  const std::span<std::byte> to = std::as_writable_bytes(std::span(result));
  makeNegation(context).compute({&from, 1}, {&to, 1});
  EXPECT_EQ(result, (std::vector<float>{-1, 2, -3, 4}));
}

TEST_F(Nvidia, ContextsWithoutTheirDeviceAreRefused) {
  for (const char* function : {"CreateMemoryInfo", "CreateSessionOptions", "CreateCUDAProviderOptions",
                               "SessionOptionsAppendExecutionProvider", "CreateSessionFromArray", "CreateAllocator"}) {
    card().faults[function] = 0;
    test::expectError(ErrorKind::notSupportedError, {std::string(function) + " fails"}, [] {
      makeContext({{"providers", "CUDA"}});
    });
    EXPECT_TRUE(card().faults.empty()) << function;
  }
}

// Tests failures of the GPU: in each operation on tensors, API calls fail, one at a time. A tensor whose write failed, and the
// output of a failed dispatch, cannot be read until they are written again.
TEST_F(Nvidia, FaultsOfTheCardAreErrorsOfTheirCalls) {
  for (const Execution execution : {Execution::callerThread, Execution::worker}) {
    Context context = makeContext({{"providers", "CUDA"}}, execution);
    const Graph graph = makeNegation(context);
    const Tensor x = context.createTensor(kTensor), y = context.createTensor(kTensor);
    const std::vector<float> values{1, -2, 3, -4}, negated{-1, 2, -3, 4};
    context.write(x, values);
    const auto steps = {std::pair("CreateRunOptions", 0), std::pair("CreateTensorWithDataAsOrtValue", 0),
                        std::pair("CreateTensorWithDataAsOrtValue", 1), std::pair("Run", 0)};
    const auto expectFault = [](const char* function, ErrorKind kind, const auto& call) {
      SCOPED_TRACE(function);
      test::expectError(kind, {std::string(function) + " fails"}, call);
      EXPECT_TRUE(card().faults.empty());
    };
    for (const auto& [function, calls] : steps) {
      const auto arm = [&function = function, &calls = calls] { card().faults[function] = calls; };
      arm();
      expectFault(function, ErrorKind::operationError, [&] { context.createTensor(kTensor); });
      arm();
      expectFault(function, ErrorKind::operationError, [&] { context.read<float>(x); });
      EXPECT_EQ(context.read<float>(x), values);
      arm();
      context.write(x, values);
      expectFault(function, ErrorKind::operationError, [&] { context.read<float>(x); });
      context.dispatch(graph, {{"x", x}}, {{"y", y}});
      test::expectError(ErrorKind::operationError, {function}, [&] { context.read<float>(y); });
      context.write(x, values);
      EXPECT_EQ(context.read<float>(x), values);
      arm();
      context.dispatch(graph, {{"x", x}}, {{"y", y}});
      expectFault(function, ErrorKind::operationError, [&] { context.read<float>(y); });
      context.dispatch(graph, {{"x", x}}, {{"y", y}});
      EXPECT_EQ(context.read<float>(y), negated);
    }
    card().faults["AllocatorAlloc"] = 0;
    expectFault("AllocatorAlloc", ErrorKind::unknownError, [&] { context.createTensor(kTensor); });
    EXPECT_EQ(card().bytes, 32u);
  }
}

TEST_F(Nvidia, TensorsThatAreDestroyedStayForQueuedWorkAlone) {
  Context context = makeContext({{"providers", "CUDA"}}, Execution::worker);
  const Graph graph = makeNegation(context);
  const Tensor last = context.createTensor(kTensor);
  for (int i = 0; i < 100; ++i) {
    Tensor x = context.createTensor(kTensor), y = context.createTensor(kTensor);
    context.write<float>(x, {1, -2, 3, static_cast<float>(i)});
    context.dispatch(graph, {{"x", x}}, {{"y", y}});
    context.dispatch(graph, {{"x", y}}, {{"y", last}});
    x.destroy();
    y.destroy();
  }
  EXPECT_EQ(context.read<float>(last), (std::vector<float>{1, -2, 3, 99}));
  context.destroy();
}

TEST_F(Nvidia, TensorsOutliveTheirContext) {
  Tensor kept;
  {
    Context context = makeContext({{"providers", "CUDA"}});
    kept = context.createTensor(kTensor);
  }
  kept.destroy();
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
