// Tests contexts and tensors: https://www.w3.org/TR/webnn/#api-mlcontext.
#include <chrono>

#include "context/fake_backend.h"
#include "ops/operation.h"
#include "support/bits.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::expectTypeError;

std::span<const std::byte> bytesOf(const std::vector<float>& values) { return std::as_bytes(std::span(values)); }

TEST(Context, NamesTheBackendAndTellsTheTruthAboutAcceleration) {
  const Context context = Context::create({.accelerated = true, .backend = "reference"});
  EXPECT_EQ(context.backend(), "reference");
  EXPECT_FALSE(context.accelerated());
}

TEST(Context, RefusesABackendThatThisBuildLacks) {
  expectError(ErrorKind::notSupportedError, {"\"qnn\"", "reference"}, [] { Context::create({.backend = "qnn"}); });
}

TEST(Context, HasAtMost1024Threads) {
  expectTypeError({"createContext: threads (1025) is greater than 1024."}, [] { Context::create({.threads = kMaxThreads + 1}); });
}

TEST(Tensor, HasTheDescriptorItWasMadeWith) {
  Context context = test::makeContext();
  const Tensor tensor = context.createTensor({.dataType = DataType::int8, .shape = {2, 3}, .readable = true});
  EXPECT_EQ(tensor.dataType(), DataType::int8);
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_TRUE(tensor.readable());
  EXPECT_FALSE(tensor.writable());
  EXPECT_FALSE(tensor.constant());
  EXPECT_EQ(context.readTensor(tensor).get(), std::vector<std::byte>(6));
}

TEST(Tensor, HoldsInt4Packed) {
  Context context = test::makeContext();
  const Tensor tensor = context.createTensor({.dataType = DataType::uint4, .shape = {3}, .readable = true, .writable = true});
  context.writeTensor(tensor, std::as_bytes(std::span<const std::uint8_t>(std::vector<std::uint8_t>{0x21, 0x03})));
  EXPECT_EQ(context.readTensor(tensor).get(), (std::vector<std::byte>{std::byte{0x21}, std::byte{0x03}}));
}

TEST(CreateTensor, RejectsBadDescriptors) {
  Context context = test::makeContext();
  expectTypeError({"createTensor", "dimension 0 (0)"}, [&] { context.createTensor({.shape = {0}}); });
  expectTypeError({"createTensor", "number of elements"}, [&] { context.createTensor({.shape = {65536, 65536}}); });
  expectTypeError({"createConstantTensor", "dimension 0 (0)"}, [&] { context.createConstantTensor({DataType::int8, {0}}, {}); });
  expectTypeError({"createConstantTensor", "(4)", "float32[2]", "(8)"}, [&] {
    context.createConstantTensor({DataType::float32, {2}}, bytesOf({1}));
  });
}

TEST(CreateTensor, OfALostContextIsAnInvalidStateError) {
  Context context = test::makeContext();
  context.destroy();
  expectError(ErrorKind::invalidStateError, {"createTensor", "lost"}, [&] { context.createTensor({.shape = {1}}); });
  expectError(ErrorKind::invalidStateError, {"createConstantTensor", "lost"}, [&] {
    context.createConstantTensor({DataType::float32, {1}}, bytesOf({1}));
  });
}

TEST(WriteTensor, ChecksTheTensorAndTheLength) {
  Context context = test::makeContext(), other = test::makeContext();
  const Tensor readOnly = context.createTensor({.shape = {1}, .readable = true});
  const Tensor foreign = other.createTensor({.shape = {1}, .writable = true});
  Tensor writable = context.createTensor({.shape = {1}, .writable = true});
  expectTypeError({"writeTensor", "another context"}, [&] { context.writeTensor(foreign, bytesOf({1})); });
  expectTypeError({"writeTensor", "another context"}, [&] { context.writeTensor(Tensor(), bytesOf({1})); });
  expectTypeError({"writeTensor", "not writable"}, [&] { context.writeTensor(readOnly, bytesOf({1})); });
  expectTypeError({"writeTensor", "(8)", "(4)"}, [&] { context.writeTensor(writable, bytesOf({1, 2})); });
  writable.destroy();
  expectTypeError({"writeTensor", "destroyed"}, [&] { context.writeTensor(writable, bytesOf({1})); });
}

TEST(ReadTensor, ChecksTheTensorAndTheLength) {
  Context context = test::makeContext(), other = test::makeContext();
  const Tensor writeOnly = context.createTensor({.shape = {1}, .writable = true});
  Tensor readable = context.createTensor({.shape = {1}, .readable = true});
  std::vector<std::byte> tooLong(5);
  expectTypeError({"readTensor", "another context"}, [&] { other.readTensor(readable); });
  expectTypeError({"readTensor", "not readable"}, [&] { context.readTensor(writeOnly); });
  expectTypeError({"readTensor", "(5)", "(4)"}, [&] { context.readTensor(readable, tooLong); });
  expectTypeError({"read", "std::uint16_t", "float32"}, [&] { context.read<std::uint16_t>(readable); });
  expectTypeError({"read", "std::int32_t", "float32"}, [&] { context.read<std::int32_t>(readable); });
  readable.destroy();
  expectTypeError({"readTensor", "destroyed"}, [&] { context.readTensor(readable); });
}

TEST(ReadTensor, ReadsIntoTheCallersMemory) {
  Context context = Context::create();
  const Tensor tensor = context.createTensor({.shape = {3}, .readable = true, .writable = true});
  context.write<float>(tensor, {1, 2, 3});
  std::vector<float> values(3);
  context.readTensor(tensor, std::as_writable_bytes(std::span(values))).get();
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3}));
}

TEST(ReadTensor, OfAConstantTensorIsATypeError) {
  Context context = test::makeContext();
  const Tensor tensor = context.createConstantTensor({DataType::float32, {1}}, bytesOf({1}));
  EXPECT_TRUE(tensor.constant());
  expectTypeError({"not readable"}, [&] { context.readTensor(tensor); });
  expectTypeError({"not writable"}, [&] { context.writeTensor(tensor, bytesOf({1})); });
}

TEST(Destroy, OfATensorIsIdempotent) {
  Context context = test::makeContext();
  Tensor tensor = context.createTensor({.shape = {1}});
  tensor.destroy();
  tensor.destroy();
  expectTypeError({"destroyed"}, [&] { context.readTensor(tensor); });
}

TEST(Destroy, OfAContextResolvesLostOnceAndDestroysItsTensors) {
  Context context = Context::create();
  const Tensor tensor = context.createTensor({.shape = {1}, .readable = true});
  EXPECT_EQ(context.lost().wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  context.destroy();
  EXPECT_NE(context.lost().get().message.find("destroy"), std::string::npos);
  context.destroy();
  expectTypeError({"destroyed"}, [&] { context.readTensor(tensor); });
  expectError(ErrorKind::invalidStateError, {"GraphBuilder", "lost"}, [&] { GraphBuilder builder(context); });
}

TEST(Lost, ByItsServiceSaysWhyWhateverIsCalled) {
  std::binary_semaphore hasBegun(0), mayEnd(0);  // declared before the context, whose run may still use them
  const auto backend = std::make_shared<test::FakeBackend>();
  Context context = makeContext(backend, {});
  GraphBuilder builder(context), another(context);
  const Operand x = builder.input("x", {DataType::float32, {1}});
  const Graph graph = builder.build({{"y", builder.relu(x)}});
  const Tensor tensor = context.createTensor({.shape = {1}, .readable = true, .writable = true}),
               output = context.createTensor({.shape = {1}, .readable = true});
  backend->beforeRun = [&] {
    hasBegun.release();
    mayEnd.acquire();
  };
  context.dispatch(graph, {{"x", tensor}}, {{"y", output}});
  hasBegun.acquire();
  std::future<std::vector<std::byte>> waiting = context.readTensor(output);
  backend->lose("worker was killed: memory limit 512 MiB");
  mayEnd.release();
  EXPECT_EQ(context.lost().get().message, "worker was killed: memory limit 512 MiB");
  const auto expectLost = [](std::string method, const auto& call) {
    expectError(ErrorKind::invalidStateError, {method + ": the context is lost: worker was killed: memory limit 512 MiB"}, call);
  };
  expectLost("readTensor", [&] { waiting.get(); });
  expectLost("readTensor", [&] { context.readTensor(tensor); });
  expectLost("writeTensor", [&] { context.writeTensor(tensor, bytesOf({1})); });
  expectLost("dispatch", [&] { context.dispatch(graph, {{"x", tensor}}, {{"y", output}}); });
  expectLost("createTensor", [&] { context.createTensor({.shape = {1}}); });
  expectLost("input", [&] { another.input("x", {DataType::float32, {1}}); });
  expectLost("GraphBuilder", [&] { GraphBuilder late(context); });
  expectLost("compute", [&] {
    std::vector<float> values(2);
    const std::span<const std::byte> in = bytesOf(values).first(sizeof(float));
    const std::span<std::byte> out = std::as_writable_bytes(std::span(values)).last(sizeof(float));
    graph.compute({&in, 1}, {&out, 1});
  });
}

TEST(Destroy, OfTheLastThatRefersToAContextResolvesLost) {
  Context context = Context::create();
  Tensor tensor = context.createTensor({.shape = {1}, .readable = true});
  const std::shared_future<ContextLostInfo> lost = context.lost();
  context = Context();
  EXPECT_EQ(lost.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  tensor = Tensor();
  EXPECT_NE(lost.get().message.find("refers to the context"), std::string::npos);
}

TEST(OpSupportLimits, NameEveryOperandOfTheTable) {
  const OpSupportLimits limits = test::makeContext().opSupportLimits();
  EXPECT_EQ(limits.operations.size(), allOperations().size());
  const TensorLimits& filter = limits.operations.at("conv2d").at("filter");
  EXPECT_EQ(filter.dataTypes, (std::vector{DataType::float32, DataType::float16}));
  EXPECT_EQ(filter.rankRange, (SupportedRanks{4, 4}));
  EXPECT_EQ(limits.operations.at("lstm").at("output2").rankRange, (SupportedRanks{4, 4}));
  EXPECT_EQ(limits.maxTensorByteLength, test::kHas64Bits ? 2147483647ull * 8 : 2147483647ull);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
