// Tests sessions in C, for models with open dimensions and for models that no single graph can hold.
#include <gtest/gtest.h>

#include <filesystem>

#include "capi/capi_support.h"
#include "support/files.h"
#include "support/onnx_model.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Floats = std::vector<float>;

// Returns a model whose output y is the mean of x if the input `go` is true, and x otherwise.
std::string choosing() {
  onnx::Graph mean, all, graph;
  mean.nodes = {{"ReduceMean", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}}}};
  mean.outputs = {{"m"}};
  all.nodes = {{"Identity", {"x"}, {"a"}}};
  all.outputs = {{"a"}};
  graph.nodes = {{"If", {"go"}, {"y"}, {{"then_branch", onnx::subgraph(mean)}, {"else_branch", onnx::subgraph(all)}}}};
  graph.inputs = {{"x", onnx::kFloat, {{"n"}}}, {"go", onnx::kBool, {std::vector<onnx::Dimension>{}}}};
  graph.outputs = {{"y", onnx::kUndefined}};
  return onnx::modelBytes({graph, {{"", 17}}});
}

// Returns a model whose output y has as many normal random numbers as x has elements.
std::string noise() {
  onnx::Graph graph;
  graph.nodes = {{"RandomNormalLike", {"x"}, {"y"}}};
  graph.inputs = {{"x", onnx::kFloat, {{"n"}}}};
  graph.outputs = {{"y", onnx::kFloat, {{"n"}}}};
  return onnx::modelBytes({graph, {{"", 17}}});
}

// Returns an array that refers to `data` and to the shape of `descriptor`; both must outlive the array.
WebnnNamedArray arrayOf(const char* name, const OperandDescriptor& descriptor, const void* data, std::size_t size) {
  WebnnNamedArray array = WEBNN_NAMED_ARRAY_INIT;
  array.name = WEBNN_TEXT(name);
  array.descriptor = cDescriptor(descriptor);
  array.bytes = {data, size};
  return array;
}

class CSession {
 public:
  CSession(const CContext& c, const std::string& model, const WebnnSessionOptions* options = nullptr) {
    WebnnExternalBytes content = WEBNN_EXTERNAL_BYTES_INIT;
    content.data = model.data();
    content.size = model.size();
    WebnnError error = nullptr;
    EXPECT_EQ(webnnContextLoadSessionBytes(c.context, &content, options, &handle, &error), WebnnStatus_Success)
        << messageOf(error);
  }
  CSession(const CSession&) = delete;
  ~CSession() { webnnSessionRelease(handle); }

  // Runs the model with the elements of x. Also passes `go`, unless it is negative. Returns the output y.
  Floats run(const Floats& x, int go = -1) const {
    const OperandDescriptor vector{DataType::float32, {static_cast<std::uint32_t>(x.size())}}, scalar{DataType::uint8, {}};
    const std::uint8_t byte = go > 0;
    const WebnnNamedArray inputs[] = {arrayOf("x", vector, x.data(), x.size() * sizeof(float)), arrayOf("go", scalar, &byte, 1)};
    WebnnResults results = nullptr;
    WebnnError error = nullptr;
    EXPECT_EQ(webnnSessionRun(handle, go < 0 ? 1 : 2, inputs, nullptr, &results, &error), WebnnStatus_Success)
        << messageOf(error);
    webnnErrorRelease(error);
    WebnnNamedArray y = WEBNN_NAMED_ARRAY_INIT;
    EXPECT_EQ(webnnResultsFind(results, WEBNN_TEXT("y"), &y, nullptr), WebnnStatus_Success);
    rank = y.descriptor.shape.count;
    Floats elements(y.bytes.size / sizeof(float));
    if (!elements.empty()) std::memcpy(elements.data(), y.bytes.data, y.bytes.size);
    webnnResultsRelease(results);
    return elements;
  }

  WebnnSession handle = nullptr;
  mutable std::size_t rank = 0;  // rank of the last output
};

TEST(Sessions, RunModelsThatNoGraphCanHold) {
  const CContext c;
  const std::string model = choosing();
  const CSession session(c, model);
  EXPECT_EQ(session.run({1, 2, 6}, 1), Floats{3});
  EXPECT_EQ(session.rank, 0u);
  EXPECT_EQ(session.run({1, 2, 6}, 0), (Floats{1, 2, 6}));
  EXPECT_EQ(session.rank, 1u);
  EXPECT_EQ(session.run({}, 0), Floats{});  // a size of 0
}

TEST(Sessions, AreDescribed) {
  const CContext c;
  const std::string model = choosing();
  const CSession session(c, model);
  ASSERT_EQ(webnnSessionGetInputCount(session.handle), 2u);
  ASSERT_EQ(webnnSessionGetOutputCount(session.handle), 1u);
  WebnnNamedDescriptor x = WEBNN_NAMED_DESCRIPTOR_INIT, y = WEBNN_NAMED_DESCRIPTOR_INIT;
  EXPECT_EQ(webnnSessionGetInput(session.handle, 0, &x, nullptr), WebnnStatus_Success);
  EXPECT_EQ(textOf(x.name), "x");
  EXPECT_EQ(x.descriptor.dataType, WebnnOperandDataType_Float32);
  ASSERT_EQ(x.descriptor.shape.count, 1u);
  EXPECT_EQ(x.descriptor.shape.items[0], 0u);
  EXPECT_EQ(webnnSessionGetOutput(session.handle, 0, &y, nullptr), WebnnStatus_Success);
  EXPECT_EQ(textOf(y.name), "y");
  EXPECT_EQ(y.descriptor.dataType, WebnnOperandDataType_Undefined);
  EXPECT_EQ(y.descriptor.shape.count, WEBNN_ABSENT);
  WebnnError error = nullptr;
  EXPECT_EQ(webnnSessionGetInput(session.handle, 2, &x, &error), WebnnStatus_TypeError);
  EXPECT_EQ(messageOf(error), "input: the index (2) is not below 2.");
  webnnErrorRelease(error);
}

TEST(Sessions, DrawTheRandomNumbersOfTheirSeed) {
  const CContext c;
  const std::string model = noise();
  WebnnSessionOptions options = WEBNN_SESSION_OPTIONS_INIT;
  options.hasSeed = 1;
  options.seed = 7;
  const Floats x(4), first = CSession(c, model, &options).run(x);
  EXPECT_EQ(CSession(c, model, &options).run(x), first);
  options.seed = 8;
  EXPECT_NE(CSession(c, model, &options).run(x), first);
}

TEST(Sessions, AreReadFromFiles) {
  const TemporaryFolder folder;
  const std::string path = (folder / "m.onnx").string();
  writeText(path, choosing());
  const CContext c;
  WebnnNamedDimension n = WEBNN_NAMED_DIMENSION_INIT;
  n.name = WEBNN_TEXT("n");
  n.size = 2;
  WebnnLoadOptions load = WEBNN_LOAD_OPTIONS_INIT;
  load.dimensionCount = 1;
  load.dimensions = &n;
  WebnnSessionOptions options = WEBNN_SESSION_OPTIONS_INIT;
  options.load = &load;
  WebnnSession session = nullptr;
  ASSERT_EQ(webnnContextLoadSession(c.context, WEBNN_TEXT(path.c_str()), &options, &session, nullptr), WebnnStatus_Success);
  const float x[3] = {1, 2, 3};
  const OperandDescriptor three{DataType::float32, {3}};
  const WebnnNamedArray input = arrayOf("x", three, x, sizeof(x));
  WebnnResults results = nullptr;
  WebnnError error = nullptr;
  EXPECT_EQ(webnnSessionRun(session, 1, &input, nullptr, &results, &error), WebnnStatus_TypeError);
  EXPECT_NE(messageOf(error).find("\"n\""), std::string::npos) << messageOf(error);
  EXPECT_EQ(results, nullptr);
  webnnErrorRelease(error);
  webnnSessionRelease(session);
}

WebnnDimension openDimension(const char* text, std::uint32_t min = 0, std::uint32_t max = 0x7FFFFFFF) {
  WebnnDimension dimension = WEBNN_DIMENSION_INIT;
  dimension.text = WEBNN_TEXT(text);
  dimension.min = min;
  dimension.max = max;
  return dimension;
}
WebnnDimension fixedDimension(std::uint32_t size) {
  WebnnDimension dimension = WEBNN_DIMENSION_INIT;
  dimension.size = size;
  return dimension;
}

// Makes a builder with the open input x of shape [n, 2], and y = reshape(x, [n * 2]).
struct OpenBuilder {
  explicit OpenBuilder(const CContext& c) : builder(c.builder()) {
    const WebnnDimension shape[] = {openDimension("n", 0, 8), fixedDimension(2)};
    WebnnOpenDescriptor descriptor = WEBNN_OPEN_DESCRIPTOR_INIT;
    descriptor.dataType = WebnnOperandDataType_Float32;
    descriptor.dimensionCount = 2;
    descriptor.dimensions = shape;
    WebnnError error = nullptr;
    EXPECT_EQ(webnnGraphBuilderOpenInput(builder, WEBNN_TEXT("x"), &descriptor, &x, &error), WebnnStatus_Success)
        << messageOf(error);
    std::uint32_t size = 0;
    EXPECT_EQ(webnnGraphBuilderOpenSize(builder, WEBNN_TEXT("n * 2"), &size, &error), WebnnStatus_Success) << messageOf(error);
    EXPECT_EQ(webnnGraphBuilderReshape(builder, x, {1, &size}, nullptr, &y, &error), WebnnStatus_Success) << messageOf(error);
    output.name = WEBNN_TEXT("y");
    output.operand = y;
  }
  OpenBuilder(const OpenBuilder&) = delete;
  ~OpenBuilder() {
    webnnOperandRelease(x);
    webnnOperandRelease(y);
    webnnGraphBuilderRelease(builder);
  }

  WebnnGraphBuilder builder = nullptr;
  WebnnOperand x = nullptr, y = nullptr;
  WebnnNamedOperand output = WEBNN_NAMED_OPERAND_INIT;
};

// Runs with x of shape [n, 2] and returns y, which must have the shape [n * 2].
Floats flattened(WebnnSession session, std::uint32_t n) {
  Floats x(n * 2);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const OperandDescriptor descriptor{DataType::float32, {n, 2}};
  const WebnnNamedArray input = arrayOf("x", descriptor, x.data(), x.size() * sizeof(float));
  WebnnResults results = nullptr;
  WebnnError error = nullptr;
  EXPECT_EQ(webnnSessionRun(session, 1, &input, nullptr, &results, &error), WebnnStatus_Success) << messageOf(error);
  webnnErrorRelease(error);
  WebnnNamedArray y = WEBNN_NAMED_ARRAY_INIT;
  EXPECT_EQ(webnnResultsFind(results, WEBNN_TEXT("y"), &y, nullptr), WebnnStatus_Success);
  EXPECT_EQ(y.descriptor.shape.count, 1u);
  EXPECT_EQ(y.descriptor.shape.items[0], n * 2);
  EXPECT_EQ(y.bytes.size, x.size() * sizeof(float));
  if (!x.empty()) std::memcpy(x.data(), y.bytes.data, y.bytes.size);
  webnnResultsRelease(results);
  return x;
}

TEST(Sessions, AreBuiltOfGraphsWithOpenDimensions) {
  const CContext c;
  const OpenBuilder open(c);
  WebnnDimension dimension = WEBNN_DIMENSION_INIT;
  ASSERT_EQ(webnnOperandGetDimension(open.y, 0, &dimension, nullptr), WebnnStatus_Success);
  EXPECT_EQ(textOf(dimension.text), "n * 2");
  ASSERT_EQ(webnnOperandGetDimension(open.x, 1, &dimension, nullptr), WebnnStatus_Success);
  EXPECT_EQ(dimension.size, 2u);
  EXPECT_EQ(dimension.text.data, nullptr);
  ASSERT_EQ(webnnOperandGetDimension(open.x, 0, &dimension, nullptr), WebnnStatus_Success);
  EXPECT_EQ(dimension.max, 8u);
  EXPECT_EQ(webnnOperandGetDimension(open.x, 2, &dimension, nullptr), WebnnStatus_TypeError);
  WebnnGraph graph = nullptr;
  EXPECT_EQ(webnnGraphBuilderBuildSync(open.builder, 1, &open.output, &graph, nullptr), WebnnStatus_TypeError);
  WebnnSession session = nullptr;
  WebnnError error = nullptr;
  ASSERT_EQ(webnnGraphBuilderBuildSession(open.builder, 1, &open.output, nullptr, &session, &error), WebnnStatus_Success)
      << messageOf(error);
  EXPECT_EQ(flattened(session, 2), (Floats{0, 1, 2, 3}));
  EXPECT_EQ(flattened(session, 1), (Floats{0, 1}));
  EXPECT_EQ(flattened(session, 0), Floats{});
  webnnSessionRelease(session);
  EXPECT_EQ(webnnGraphBuilderBuildSession(open.builder, 1, &open.output, nullptr, &session, nullptr),
            WebnnStatus_InvalidStateError);
  EXPECT_EQ(session, nullptr);
}

TEST(Sessions, AreSavedWithTheirOpenDimensions) {
  const TemporaryFolder folder;
  const std::string path = (folder / "m.webnn").string(), coreMl = (folder / "m.mlpackage").string();
  const CContext c;
  const OpenBuilder open(c);
  WebnnSession session = nullptr;
  ASSERT_EQ(webnnGraphBuilderBuildSession(open.builder, 1, &open.output, nullptr, &session, nullptr), WebnnStatus_Success);
  WebnnError error = nullptr;
  EXPECT_EQ(webnnSessionSave(session, WEBNN_TEXT(path.c_str()), nullptr, &error), WebnnStatus_Success) << messageOf(error);
  EXPECT_EQ(webnnSessionSave(session, WEBNN_TEXT(coreMl.c_str()), nullptr, &error), WebnnStatus_Success) << messageOf(error);
  webnnSessionRelease(session);
  ASSERT_EQ(webnnContextLoadSession(c.context, WEBNN_TEXT(path.c_str()), nullptr, &session, &error), WebnnStatus_Success)
      << messageOf(error);
  EXPECT_EQ(flattened(session, 3), (Floats{0, 1, 2, 3, 4, 5}));
  webnnSessionRelease(session);
}

TEST(Sessions, CheckOpenInputsAndSizes) {
  const CContext c;
  const WebnnGraphBuilder builder = c.builder();
  WebnnOperand operand = nullptr;
  const auto expectMessage = [&](const WebnnOpenDescriptor* descriptor, const std::string& message) {
    WebnnError error = nullptr;
    EXPECT_EQ(webnnGraphBuilderOpenInput(builder, WEBNN_TEXT("x"), descriptor, &operand, &error), WebnnStatus_TypeError);
    EXPECT_NE(messageOf(error).find(message), std::string::npos) << messageOf(error);
    webnnErrorRelease(error);
  };
  expectMessage(nullptr, "openInput: the descriptor is NULL.");
  WebnnOpenDescriptor descriptor = WEBNN_OPEN_DESCRIPTOR_INIT;
  expectMessage(&descriptor, "openInput: dataType is not set.");
  descriptor.dataType = WebnnOperandDataType_Float32;
  descriptor.dimensionCount = 1;
  expectMessage(&descriptor, "openInput: dimensions is NULL but has 1 items.");
  const WebnnDimension bounded = openDimension("n + 1", 2, 3);
  descriptor.dimensions = &bounded;
  expectMessage(&descriptor, "only names have bounds");
  std::uint32_t size = 1;
  EXPECT_EQ(webnnGraphBuilderOpenSize(builder, WEBNN_TEXT("n n"), &size, nullptr), WebnnStatus_TypeError);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(webnnGraphBuilderOpenSize(builder, WEBNN_TEXT("2 * 3"), &size, nullptr), WebnnStatus_Success);
  EXPECT_EQ(size, 6u);
  webnnGraphBuilderRelease(builder);
}

TEST(Sessions, NameTheWrongInputOrOption) {
  const CContext c;
  const std::string model = choosing();
  const CSession session(c, model);
  const float x = 1;
  const OperandDescriptor one{DataType::float32, {1}}, scalar{DataType::uint8, {}};
  const WebnnNamedArray input = arrayOf("x", one, &x, sizeof(x)), twice[] = {input, input};
  const auto expectMessage = [&](std::size_t count, const WebnnNamedArray* inputs, const std::string& message) {
    WebnnResults results = nullptr;
    WebnnError error = nullptr;
    EXPECT_EQ(webnnSessionRun(session.handle, count, inputs, nullptr, &results, &error), WebnnStatus_TypeError);
    EXPECT_NE(messageOf(error).find(message), std::string::npos) << messageOf(error);
    webnnErrorRelease(error);
  };
  expectMessage(2, twice, "run: the input \"x\" is given twice.");
  expectMessage(1, nullptr, "run: inputs is NULL but has 1 items.");
  const WebnnNamedArray untyped = WEBNN_NAMED_ARRAY_INIT;
  expectMessage(1, &untyped, "run: input \"\": ");
  WebnnCancellation cancellation = nullptr;
  ASSERT_EQ(webnnCreateCancellation(&cancellation, nullptr), WebnnStatus_Success);
  webnnCancellationRequest(cancellation);
  WebnnCallOptions options = WEBNN_CALL_OPTIONS_INIT;
  options.cancellation = cancellation;
  const std::uint8_t go = 1;
  const WebnnNamedArray both[] = {input, arrayOf("go", scalar, &go, 1)};
  WebnnResults results = nullptr;
  EXPECT_EQ(webnnSessionRun(session.handle, 2, both, &options, &results, nullptr), WebnnStatus_AbortError);
  webnnCancellationRelease(cancellation);
  ASSERT_EQ(webnnSessionRun(session.handle, 2, both, nullptr, &results, nullptr), WebnnStatus_Success);
  EXPECT_EQ(webnnResultsGetCount(results), 1u);
  WebnnNamedArray output = WEBNN_NAMED_ARRAY_INIT;
  EXPECT_EQ(webnnResultsFind(results, WEBNN_TEXT("z"), &output, nullptr), WebnnStatus_NotFoundError);
  EXPECT_EQ(webnnResultsGet(results, 1, &output, nullptr), WebnnStatus_TypeError);
  EXPECT_EQ(webnnResultsGet(results, 0, &output, nullptr), WebnnStatus_Success);
  webnnResultsAddRef(results);
  webnnResultsRelease(results);
  EXPECT_EQ(output.bytes.size, sizeof(float));
  webnnResultsRelease(results);
  EXPECT_EQ(webnnSessionRun(nullptr, 0, nullptr, nullptr, &results, nullptr), WebnnStatus_TypeError);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
