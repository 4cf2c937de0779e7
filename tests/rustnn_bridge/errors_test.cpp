// Tests wrong calls: each returns its status and names the argument, stores no object, and leaves the objects usable.
#include <limits>

#include "rustnn_bridge/bridge_support.h"

namespace bridge {
namespace {

void expectError(RustnnStatus status, RustnnStatus expected, const std::string& text) {
  EXPECT_EQ(status, expected) << rustnn_last_error_message();
  EXPECT_NE(std::string(rustnn_last_error_message()).find(text), std::string::npos)
      << rustnn_last_error_message() << " does not contain " << text;
}

RustnnContext* const kNoContext = reinterpret_cast<RustnnContext*>(1);  // shows that a function stored NULL

TEST(Errors, NullPointersAreNamed) {
  const Context context = makeContext();
  const std::string json = reluJson({0, 0, 0, 0});
  const Graph graph = build(context, json);
  const Tensor tensor = makeTensor(context, RustnnDataType_Float32, {4});
  const std::uint64_t shape[] = {4};
  float values[4] = {};
  RustnnGraph* made = nullptr;
  RustnnTensor* madeTensor = nullptr;
  const RustnnStatus null = RustnnStatus_NullPointer;
  expectError(rustnn_context_create(nullptr, nullptr), null, "output is NULL");
  expectError(rustnn_graph_build(nullptr, json.data(), json.size(), &made), null, "rustnn_graph_build: context is NULL");
  expectError(rustnn_graph_build(context.get(), nullptr, 1, &made), null, "json is NULL");
  expectError(rustnn_graph_build(context.get(), json.data(), json.size(), nullptr), null, "output is NULL");
  expectError(rustnn_tensor_create(nullptr, RustnnDataType_Int8, shape, 1, true, true, &madeTensor), null, "context is NULL");
  expectError(rustnn_tensor_create(context.get(), RustnnDataType_Int8, nullptr, 1, true, true, &madeTensor), null,
              "shape is NULL");
  expectError(rustnn_tensor_create(context.get(), RustnnDataType_Int8, shape, 1, true, true, nullptr), null, "output is NULL");
  expectError(rustnn_tensor_write(nullptr, tensor.get(), values, 16), null, "rustnn_tensor_write: context is NULL");
  expectError(rustnn_tensor_write(context.get(), nullptr, values, 16), null, "tensor is NULL");
  expectError(rustnn_tensor_write(context.get(), tensor.get(), nullptr, 16), null, "data is NULL");
  expectError(rustnn_tensor_read(nullptr, tensor.get(), values, 16), null, "rustnn_tensor_read: context is NULL");
  expectError(rustnn_tensor_read(context.get(), nullptr, values, 16), null, "tensor is NULL");
  expectError(rustnn_tensor_read(context.get(), tensor.get(), nullptr, 16), null, "data is NULL");
  const RustnnNamedTensor good[] = {{"x", tensor.get()}}, noName[] = {{nullptr, tensor.get()}}, noTensor[] = {{"x", nullptr}};
  expectError(rustnn_graph_compute(nullptr, graph.get(), good, 1, good, 1), null, "context is NULL");
  expectError(rustnn_graph_compute(context.get(), nullptr, good, 1, good, 1), null, "graph is NULL");
  expectError(rustnn_graph_compute(context.get(), graph.get(), nullptr, 1, good, 1), null, "inputs is NULL");
  expectError(rustnn_graph_compute(context.get(), graph.get(), good, 1, nullptr, 1), null, "outputs is NULL");
  expectError(rustnn_graph_compute(context.get(), graph.get(), noName, 1, good, 1), null, "inputs[0].name is NULL");
  expectError(rustnn_graph_compute(context.get(), graph.get(), good, 1, noTensor, 1), null, "outputs[0].tensor is NULL");
  rustnn_context_destroy(nullptr);
  rustnn_graph_destroy(nullptr);
  rustnn_tensor_destroy(nullptr);
}

TEST(Errors, ContextOptions) {
  const auto create = [](const auto& change) {
    RustnnContextOptions options = rustnn_context_options_default();
    change(options);
    RustnnContext* context = kNoContext;
    const RustnnStatus status = rustnn_context_create(&options, &context);
    EXPECT_EQ(context, nullptr);
    return status;
  };
  using Options = RustnnContextOptions;
  expectError(create([](Options& options) { options.power_preference = static_cast<RustnnPowerPreference>(3); }),
              RustnnStatus_InvalidArgument, "power_preference is 3");
  expectError(create([](Options& options) { options.backend_hint = static_cast<RustnnBackend>(6); }),
              RustnnStatus_InvalidArgument, "backend_hint is 6");
  for (const RustnnBackend backend : {RustnnBackend_Trtx, RustnnBackend_Litert, RustnnBackend_Cann}) {
    expectError(create([&](Options& options) { options.backend_hint = backend; }), RustnnStatus_Error,
                "NotSupportedError: rustnn_context_create: backend_hint is " + std::to_string(backend));
  }
  expectError(create([](Options& options) { options.has_device_hint = true; }), RustnnStatus_Error, "device hints");
}

TEST(Errors, DefaultOptionsAndEachPowerPreferenceMakeAContext) {
  RustnnContext* made = nullptr;
  expectSuccess(rustnn_context_create(nullptr, &made));
  const Context byDefault(made);
  EXPECT_NE(made, nullptr);
  for (const auto preference :
       {RustnnPowerPreference_Default, RustnnPowerPreference_HighPerformance, RustnnPowerPreference_LowPower}) {
    RustnnContextOptions options = rustnn_context_options_default();
    options.power_preference = preference;
    options.has_rustnn_options = true;  // settings of TensorRT, which are ignored
    made = nullptr;
    expectSuccess(rustnn_context_create(&options, &made));
    EXPECT_NE(Context(made), nullptr);
  }
}

TEST(Errors, TensorsOfWrongShapesAndTypes) {
  const Context context = makeContext();
  const auto create = [&](RustnnDataType type, const Shape& shape) {
    RustnnTensor* tensor = reinterpret_cast<RustnnTensor*>(1);
    const RustnnStatus status = rustnn_tensor_create(context.get(), type, shape.data(), shape.size(), true, true, &tensor);
    EXPECT_EQ(tensor, nullptr);
    return status;
  };
  const RustnnStatus invalid = RustnnStatus_InvalidArgument;
  expectError(create(static_cast<RustnnDataType>(10), {2}), invalid, "data_type is 10");
  expectError(create(RustnnDataType_Float32, {2, std::uint64_t{1} << 32}), invalid, "shape[1] is 4294967296");
  expectError(create(RustnnDataType_Float32, {2, 0}), invalid, "TypeError: ");
  expectError(create(RustnnDataType_Float32, {std::numeric_limits<std::uint32_t>::max(), 1u << 31}), invalid, "TypeError: ");
  expectError(create(RustnnDataType_Float32, Shape(100, 1)), invalid, "TypeError: ");
}

TEST(Errors, WritesAndReadsOfWrongSizes) {
  const Context context = makeContext();
  const Tensor tensor = makeTensor(context, RustnnDataType_Float32, {4});
  write(context, tensor, bytesOf<float>({1, 2, 3, 4}));
  std::vector<float> values(5);
  for (const std::size_t size : {std::size_t{0}, std::size_t{15}, std::size_t{17}, std::size_t{20}}) {
    expectError(rustnn_tensor_write(context.get(), tensor.get(), values.data(), size), RustnnStatus_InvalidArgument,
                std::to_string(size));
    expectError(rustnn_tensor_read(context.get(), tensor.get(), values.data(), size), RustnnStatus_InvalidArgument,
                std::to_string(size));
  }
  EXPECT_EQ(valuesOf<float>(read(context, tensor, 16)), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Errors, TensorsThatAreNotReadableOrWritable) {
  const Context context = makeContext();
  const Tensor readable = makeTensor(context, RustnnDataType_Float32, {1}, true, false);
  const Tensor writable = makeTensor(context, RustnnDataType_Float32, {1}, false, true);
  float value = 0;
  expectError(rustnn_tensor_write(context.get(), readable.get(), &value, 4), RustnnStatus_InvalidArgument, "not writable");
  expectError(rustnn_tensor_read(context.get(), writable.get(), &value, 4), RustnnStatus_InvalidArgument, "not readable");
}

TEST(Errors, BindingsOfARun) {
  const Context context = makeContext();
  const Graph graph = build(context, reluJson({1, 2, 3, 4}));
  const Tensor x = makeTensor(context, RustnnDataType_Float32, {4}), y = makeTensor(context, RustnnDataType_Float32, {4});
  const Tensor small = makeTensor(context, RustnnDataType_Float32, {3}), ints = makeTensor(context, RustnnDataType_Int32, {4});
  using Bindings = std::vector<RustnnNamedTensor>;
  const auto compute = [&](const Bindings& inputs, const Bindings& outputs) {
    return rustnn_graph_compute(context.get(), graph.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size());
  };
  const Bindings in = {{"x", x.get()}}, out = {{"y", y.get()}};
  const RustnnStatus invalid = RustnnStatus_InvalidArgument;
  expectError(compute({}, out), invalid, "x");
  expectError(compute(in, {}), invalid, "y");
  expectError(compute({{"z", x.get()}}, out), invalid, "z");
  expectError(compute({{"x\xFF", x.get()}}, out), invalid, "TypeError: ");
  expectError(compute(in, {{"", y.get()}}), invalid, "TypeError: ");
  expectError(compute({{"x", x.get()}, {"extra", small.get()}}, out), invalid, "extra");
  expectError(compute({{"x", small.get()}}, out), invalid, "[3]");
  expectError(compute({{"x", ints.get()}}, out), invalid, "int32");
  expectError(compute(in, {{"y", ints.get()}}), invalid, "int32");
  const Tensor third = makeTensor(context, RustnnDataType_Float32, {4});
  expectError(compute({{"x", x.get()}, {"x", third.get()}}, out), invalid, "\"x\"");
  expectError(compute(in, {{"y", x.get()}}), invalid, "y");  // the same tensor twice
  write(context, x, bytesOf<float>({-9, 0, 1, 2}));
  expectSuccess(compute(in, out));
  EXPECT_EQ(valuesOf<float>(read(context, y, 16)), (std::vector<float>{0, 2, 4, 6}));
}

TEST(Errors, ObjectsOfAnotherContext) {
  const Context own = makeContext(), other = makeContext();
  const Graph graph = build(own, reluJson({0, 0, 0, 0})), foreign = build(other, reluJson({0, 0, 0, 0}));
  const Tensor x = makeTensor(own, RustnnDataType_Float32, {4}), y = makeTensor(own, RustnnDataType_Float32, {4});
  const Tensor foreignTensor = makeTensor(other, RustnnDataType_Float32, {4});
  float values[4] = {};
  const RustnnStatus invalid = RustnnStatus_InvalidArgument;
  expectError(rustnn_tensor_write(own.get(), foreignTensor.get(), values, 16), invalid, "context");
  expectError(rustnn_tensor_read(own.get(), foreignTensor.get(), values, 16), invalid, "context");
  const RustnnNamedTensor in[] = {{"x", x.get()}}, out[] = {{"y", y.get()}}, bad[] = {{"x", foreignTensor.get()}};
  const RustnnNamedTensor badOutput[] = {{"y", foreignTensor.get()}};
  expectError(rustnn_graph_compute(own.get(), foreign.get(), in, 1, out, 1), invalid, "context");
  expectError(rustnn_graph_compute(other.get(), graph.get(), in, 1, out, 1), invalid, "context");
  expectError(rustnn_graph_compute(own.get(), graph.get(), bad, 1, out, 1), invalid, "context");
  expectError(rustnn_graph_compute(own.get(), graph.get(), in, 1, badOutput, 1), invalid, "context");
  expectSuccess(rustnn_graph_compute(own.get(), graph.get(), in, 1, out, 1));
}

}  // namespace
}  // namespace bridge
