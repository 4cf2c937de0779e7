// Tests reading ONNX files: how bytes are interpreted, and that malformed files are rejected.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "base/files/file.h"
#include "onnx/read/model.h"
#include "support/looks.h"
#include "support/onnx_model.h"
#include "support/support.h"

namespace webnn::formats::onnx {
namespace WEBNN_TEST_FILE {

namespace made = test::onnx;
using made::Dims;
using made::Packing;
using test::expectError;
using test::raw;
using test::TemporaryFolder;
using test::textOf;

void expectDataError(const std::vector<std::string>& parts, const std::function<void()>& call) {
  expectError(ErrorKind::dataError, parts, call);
}

Model read(const made::Model& model) { return readModel(test::bytesOf(made::modelBytes(model)), {}); }

std::span<const std::byte> spanOf(const std::string& text) { return std::as_bytes(std::span(text)); }

// Returns the elements of a tensor that is the whole file.
std::string elementsOf(const made::TensorMessage& message) {
  const ExternalBytes file = test::bytesOf(message.bytes);
  const TensorProto tensor = readTensor({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
  return textOf(bytesOf(tensor, file, nullptr).bytes);
}

// Returns a model that uses every kind of field.
made::Model richModel() {
  made::Graph branch;
  branch.name = "branch";
  branch.nodes = {{"Neg", {"x"}, {"z"}, {}, "", "negate"}};
  branch.outputs = {{"z", made::kFloat, {}}};
  made::Graph graph;
  graph.name = "main";
  graph.nodes = {
      {"Conv", {"x", "w", ""}, {"c"}, {{"pads", std::vector<std::int64_t>{1, -1}}, {"auto_pad", "NOTSET"}}, "", "first"},
      {"If", {"c"}, {"i"}, {{"then_branch", made::subgraph(branch)}}, "ai.onnx"},
      {"Twice",
       {"i"},
       {"y"},
       {{"alpha", 0.5f},
        {"axis", 3},
        {"floats", std::vector<float>{1, 2}},
        {"texts", std::vector<std::string>{"a", ""}},
        {"value", made::tensor("", {2}, std::vector<std::int64_t>{7, 8})}},
       "own.domain",
       "",
       "v2"}};
  graph.initializers = {made::tensor("w", {2, 1}, std::vector<float>{1, 2}), made::textTensor("s", {1}, {"text"})};
  graph.inputs = {{"x", made::kFloat, {{1, "height", {}}}}, {"anything", made::kInt64, {}}};
  const std::vector<made::Dimension> scalar;
  graph.outputs = {{"y", made::kBool, scalar}};
  made::Function twice{"own.domain", "Twice", {"a"}, {"b"}, {{"Mul", {"a", "a"}, {"b"}, {{"k", {}, "alpha"}}}}};
  twice.attributes = {"alpha"};
  twice.defaultAttributes = {{"beta", 2.5f}};
  twice.overload = "v2";
  return {graph, {{"", 21}, {"own.domain", 1}}, {twice}};
}

TEST(OnnxReader, ReadsTheGraph) {
  const Model model = read(richModel());
  EXPECT_EQ(model.irVersion, 10);
  EXPECT_EQ(model.operatorSets, (OperatorSets{{"", 21}, {"own.domain", 1}}));
  const Graph& graph = model.graph;
  EXPECT_EQ(graph.name, "main");
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].opType, "Conv");
  EXPECT_EQ(graph.nodes[0].name, "first");
  EXPECT_EQ(graph.nodes[0].inputs, (std::vector<std::string_view>{"x", "w", ""}));
  EXPECT_EQ(graph.nodes[0].outputs, std::vector<std::string_view>{"c"});
  EXPECT_EQ(graph.nodes[1].domain, "") << "ai.onnx is the default domain";
  EXPECT_EQ(graph.nodes[2].domain, "own.domain");
  EXPECT_EQ(graph.nodes[2].overload, "v2");
  ASSERT_EQ(graph.initializers.size(), 2u);
  EXPECT_EQ(graph.initializers[0].name, "w");
  EXPECT_EQ(graph.initializers[0].type, ElementType::float32);
  EXPECT_EQ(graph.initializers[0].dims, (Dims{2, 1}));
  EXPECT_FALSE(graph.hasSparseInitializers);
}

TEST(OnnxReader, ReadsInputsAndOutputs) {
  const Model model = read(richModel());
  ASSERT_EQ(model.graph.inputs.size(), 2u);
  const ValueInfo& x = model.graph.inputs[0];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.kind, ValueInfo::Kind::tensor);
  EXPECT_EQ(x.type, ElementType::float32);
  ASSERT_TRUE(x.shape);
  ASSERT_EQ(x.shape->size(), 3u);
  EXPECT_EQ((*x.shape)[0].value, 1);
  EXPECT_EQ((*x.shape)[1].value, std::nullopt);
  EXPECT_EQ((*x.shape)[1].parameter, "height");
  EXPECT_EQ((*x.shape)[2].value, std::nullopt);
  EXPECT_EQ((*x.shape)[2].parameter, "");
  EXPECT_FALSE(model.graph.inputs[1].shape) << "of any rank";
  ASSERT_EQ(model.graph.outputs.size(), 1u);
  EXPECT_EQ(model.graph.outputs[0].type, ElementType::boolean);
  ASSERT_TRUE(model.graph.outputs[0].shape);
  EXPECT_TRUE(model.graph.outputs[0].shape->empty()) << "a scalar";
}

TEST(OnnxReader, ReadsAttributesOfEveryType) {
  const Model model = read(richModel());
  const std::vector<Attribute>& conv = model.graph.nodes[0].attributes;
  EXPECT_EQ(conv[0].name, "pads");
  EXPECT_EQ(conv[0].type, AttributeType::ints);
  EXPECT_EQ(conv[0].ints, (Dims{1, -1}));
  EXPECT_EQ(conv[1].type, AttributeType::s);
  EXPECT_EQ(conv[1].s, "NOTSET");
  const Attribute& branch = model.graph.nodes[1].attributes[0];
  EXPECT_EQ(branch.type, AttributeType::graph);
  ASSERT_TRUE(branch.g);
  EXPECT_EQ(branch.g->nodes[0].name, "negate");
  const std::vector<Attribute>& twice = model.graph.nodes[2].attributes;
  EXPECT_EQ(twice[0].f, 0.5f);
  EXPECT_EQ(twice[1].i, 3);
  EXPECT_EQ(twice[2].floats, (std::vector<float>{1, 2}));
  EXPECT_EQ(twice[3].strings, (std::vector<std::string_view>{"a", ""}));
  ASSERT_TRUE(twice[4].t);
  EXPECT_EQ(textOf(bytesOf(*twice[4].t, model.file, nullptr).bytes), raw<std::int64_t>({7, 8}));
}

TEST(OnnxReader, ReadsFunctions) {
  const Model model = read(richModel());
  ASSERT_EQ(model.functions.size(), 1u);
  const Function& function = *model.functions.begin();
  EXPECT_EQ(function.domain, "own.domain");
  EXPECT_EQ(function.name, "Twice");
  EXPECT_EQ(function.overload, "v2");
  EXPECT_EQ(function.inputs, std::vector<std::string_view>{"a"});
  EXPECT_EQ(function.outputs, std::vector<std::string_view>{"b"});
  ASSERT_EQ(function.defaultAttributes.size(), 1u);
  EXPECT_EQ(function.defaultAttributes[0].f, 2.5f);
  ASSERT_EQ(function.nodes.size(), 1u);
  EXPECT_EQ(function.nodes[0].attributes[0].reference, "alpha");
  EXPECT_EQ(function.operatorSets, (OperatorSets{{"", 21}}));
}

TEST(OnnxReader, InfersTheTypesOfAttributesThatHaveNone) {
  const struct {
    made::AttributeValue value;
    AttributeType type;
  } kRows[] = {{1.5f, AttributeType::f},
               {std::int64_t{2}, AttributeType::i},
               {std::string("s"), AttributeType::s},
               {std::vector<float>{1}, AttributeType::floats},
               {std::vector<std::int64_t>{1}, AttributeType::ints},
               {std::vector<std::string>{"a"}, AttributeType::strings},
               {made::tensor("", {1}, std::vector<float>{1}), AttributeType::tensor},
               {made::subgraph({}), AttributeType::graph},
               {std::monostate{}, AttributeType::undefined}};
  for (const auto& row : kRows) {
    made::Graph graph;
    graph.nodes = {{"Op", {}, {"y"}, {{"a", row.value, "", false}}}};
    EXPECT_EQ(read({graph}).graph.nodes[0].attributes[0].type, row.type);
  }
}

TEST(OnnxReader, TakesNumbersPackedOrOneByOne) {
  const std::string packedDims = std::string("\x0A\x03\x02\xAC\x02\x10\x02", 7);  // dims 2 and 300, uint8
  EXPECT_EQ(readTensor(packedDims).dims, (Dims{2, 300}));
  const std::string mixed = std::string("\x08\x05\x0A\x02\x06\x07\x08\x08", 8);
  EXPECT_EQ(readTensor(mixed).dims, (Dims{5, 6, 7, 8}));
  made::Graph graph;
  graph.nodes = {{"Op", {}, {"y"}, {{"a", std::vector<std::int64_t>{1, -2}}, {"b", std::vector<float>{1, -2}}}}};
  const Model model = read({graph});
  EXPECT_EQ(model.graph.nodes[0].attributes[0].ints, (Dims{1, -2}));
  EXPECT_EQ(model.graph.nodes[0].attributes[1].floats, (std::vector<float>{1, -2}));
}

TEST(OnnxReader, DoesNotCopyPackedElements) {
  made::Graph graph;
  graph.initializers = {made::tensor("raw", {3}, std::vector<float>{1, 2, 3}),
                        made::typedTensor("floats", made::kFloat, {3}, std::vector<float>{4, 5, 6}),
                        made::typedTensor("doubles", made::kDouble, {1}, std::vector<double>{7})};
  const Model model = read({graph});
  for (const TensorProto& tensor : model.graph.initializers) {
    const ExternalBytes bytes = bytesOf(tensor, model.file, model.external.get());
    EXPECT_GE(bytes.bytes.data(), model.file.bytes.data()) << tensor.name;
    EXPECT_LE(bytes.bytes.data() + bytes.bytes.size(), model.file.bytes.data() + model.file.bytes.size()) << tensor.name;
    EXPECT_EQ(bytes.keepAlive, model.file.keepAlive) << tensor.name;
  }
}

// Returns whether the bytes are in the file of the model.
bool isInFile(std::string_view bytes, const Model& model) {
  const auto* const begin = reinterpret_cast<const char*>(model.file.bytes.data());
  return bytes.data() >= begin && bytes.data() + bytes.size() <= begin + model.file.bytes.size();
}

TEST(OnnxReader, CopiesTheNamesThatLieBesideWeights) {
  made::Graph graph;
  graph.initializers = {made::tensor("first", {1}, std::vector<float>{1}), made::tensor("", {1}, std::vector<float>{2}),
                        made::tensor(std::string(1000, 'n'), {1}, std::vector<float>{3})};
  const Model model = read({graph});
  std::vector<std::string_view> names;
  for (const TensorProto& tensor : model.graph.initializers) {
    EXPECT_FALSE(isInFile(tensor.name, model)) << tensor.name;
    names.push_back(tensor.name);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"first", "", std::string(1000, 'n')}));
  const Model copy = model;
  EXPECT_EQ(copy.graph.initializers[0].name.data(), copy.names->data());
}

TEST(OnnxReader, FindsRawElementsOnce) {
  made::Graph graph;
  graph.initializers = {made::tensor("raw", {3}, std::vector<float>{1, 2, 3}),
                        made::typedTensor("floats", made::kFloat, {1}, std::vector<float>{4}),
                        made::externalTensor("external", made::kFloat, {1}, {{"location", "weights.bin"}})};
  const Model model = read({graph});
  const std::vector<TensorProto>& tensors = model.graph.initializers;
  ASSERT_TRUE(tensors[0].raw);
  EXPECT_EQ(*tensors[0].raw, raw(std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(isInFile(*tensors[0].raw, model));
  EXPECT_FALSE(tensors[1].raw);
  EXPECT_FALSE(tensors[2].raw);
}

struct Encoding {
  const char* what;
  made::TensorMessage tensor;
  std::string bytes;
};

std::vector<Encoding> encodings() {
  using Bytes = std::vector<std::uint8_t>;
  using Ints = std::vector<std::int32_t>;
  const auto typed = [](made::Type type, std::int64_t count, const made::Elements& elements) {
    return made::typedTensor("t", type, {count}, elements);
  };
  return {
      {"raw", made::rawTensor("t", made::kInt8, {3}, "abc"), "abc"},
      {"raw scalar", made::rawTensor("t", made::kInt8, {}, "a"), "a"},
      {"raw of a type that WebNN has not", made::rawTensor("t", made::kBfloat16, {2}, "abcd"), "abcd"},
      {"raw complex", made::rawTensor("t", made::kComplex128, {1}, std::string(16, 'c')), std::string(16, 'c')},
      {"raw and empty", made::rawTensor("t", made::kFloat, {0, 5}, ""), ""},
      {"nothing and empty", {std::string("\x08\x00\x10\x01", 4)}, ""},
      {"floats", typed(made::kFloat, 2, std::vector<float>{1, -2}), raw<float>({1, -2})},
      {"floats one by one", made::typedTensor("t", made::kFloat, {2}, std::vector<float>{1, -2}, Packing::oneByOne),
       raw<float>({1, -2})},
      {"complex64", typed(made::kComplex64, 1, std::vector<float>{1, -2}), raw<float>({1, -2})},
      {"doubles", typed(made::kDouble, 2, std::vector<double>{1, -2}), raw<double>({1, -2})},
      {"complex128", typed(made::kComplex128, 1, std::vector<double>{1, -2}), raw<double>({1, -2})},
      {"int64", typed(made::kInt64, 2, std::vector<std::int64_t>{-1, 1LL << 62}), raw<std::int64_t>({-1, 1LL << 62})},
      {"int64 one by one", made::typedTensor("t", made::kInt64, {2}, std::vector<std::int64_t>{-1, 300}, Packing::oneByOne),
       raw<std::int64_t>({-1, 300})},
      {"uint64", typed(made::kUint64, 1, std::vector<std::uint64_t>{~0ull}), raw<std::uint64_t>({~0ull})},
      {"uint32 as uint64", typed(made::kUint32, 2, std::vector<std::uint64_t>{1, 0xFFFFFFFF}),
       raw<std::uint32_t>({1, 0xFFFFFFFF})},
      {"int32", typed(made::kInt32, 2, Ints{-1, 0x7FFFFFFF}), raw<std::int32_t>({-1, 0x7FFFFFFF})},
      {"int16", typed(made::kInt16, 2, Ints{-32768, 5}), raw<std::int16_t>({-32768, 5})},
      {"uint16", typed(made::kUint16, 1, Ints{65535}), raw<std::uint16_t>({65535})},
      {"int8", typed(made::kInt8, 2, Ints{-128, 127}), raw<std::int8_t>({-128, 127})},
      {"uint8", typed(made::kUint8, 2, Ints{0, 255}), raw(Bytes{0, 255})},
      {"bool", typed(made::kBool, 3, Ints{0, 1, 1}), raw(Bytes{0, 1, 1})},
      {"bool with other truths", typed(made::kBool, 2, Ints{0, 7}), raw(Bytes{0, 1})},
      {"raw bool with other truths", made::rawTensor("t", made::kBool, {3}, std::string("\0\1\xFF", 3)), raw(Bytes{0, 1, 1})},
      {"the bits of float16", typed(made::kFloat16, 2, Ints{0x3C00, 0xC000}), raw<std::uint16_t>({0x3C00, 0xC000})},
      {"the bits of bfloat16", typed(made::kBfloat16, 1, Ints{0xBF80}), raw<std::uint16_t>({0xBF80})},
      {"the bits of float8", typed(made::kFloat8e5m2, 1, Ints{0xC0}), "\xC0"},
      {"pairs of uint4", typed(made::kUint4, 3, Ints{0x21, 0x03}), "\x21\x03"},
      {"pairs of int4, as signed bytes", typed(made::kInt4, 2, Ints{-15}), "\xF1"},
      {"raw int4 with something past its end", made::rawTensor("t", made::kInt4, {3}, "\x21\xF3"), "\x21\x03"},
      {"raw uint2 with something past its end", made::rawTensor("t", made::kUint2, {5}, "\xE4\xFE"), "\xE4\x02"},
  };
}

TEST(OnnxTensor, HasTheBytesOfEveryEncoding) {
  for (const Encoding& encoding : encodings()) {
    SCOPED_TRACE(encoding.what);
    EXPECT_EQ(elementsOf(encoding.tensor), encoding.bytes);
  }
}

TEST(OnnxTensor, RefusesOtherNumbersOfElementsThanItsShapeSays) {
  const auto refuses = [](const std::vector<std::string>& parts, const made::TensorMessage& tensor) {
    expectDataError(parts, [&] { elementsOf(tensor); });
  };
  using Ints = std::vector<std::int32_t>;
  refuses({"\"t\"", "11 bytes of raw data", "12"}, made::rawTensor("t", made::kFloat, {3}, std::string(11, 'x')));
  refuses({"13 bytes of raw data", "12"}, made::rawTensor("t", made::kFloat, {3}, std::string(13, 'x')));
  refuses({"4 bytes of raw data", "0"}, made::rawTensor("t", made::kFloat, {0}, "abcd"));
  refuses({"4 bytes of raw data", "1152921504606846976"}, made::rawTensor("t", made::kInt8, {1LL << 60}, "abcd"));
  refuses({"8 bytes of data", "12"}, made::typedTensor("t", made::kFloat, {3}, std::vector<float>{1, 2}));
  refuses({"16 bytes of data", "8"}, made::typedTensor("t", made::kDouble, {}, std::vector<double>{1, 2}));
  refuses({"2 numbers", "3"}, made::typedTensor("t", made::kInt32, {3}, Ints{1, 2}));
  refuses({"3 numbers", "2"}, made::typedTensor("t", made::kInt4, {3}, Ints{1, 2, 3}));
  refuses({"0 numbers", "1"}, made::typedTensor("t", made::kInt64, {}, Ints{5}));
  refuses({"0 bytes", "4"}, made::rawTensor("t", made::kFloat, {}, ""));
}

TEST(OnnxTensor, RefusesNumbersOutsideTheRangeOfItsType) {
  using Ints = std::vector<std::int32_t>;
  const struct {
    made::Type type;
    made::Elements elements;
  } kRows[] = {{made::kInt8, Ints{256}},
               {made::kInt8, Ints{-129}},
               {made::kUint16, Ints{65536}},
               {made::kFloat16, Ints{-40000}},
               {made::kUint4, Ints{300}},
               {made::kBool, Ints{1000}},
               {made::kUint32, std::vector<std::uint64_t>{1ull << 32}}};
  for (const auto& row : kRows) {
    expectDataError({"does not fit"}, [&] { elementsOf(made::typedTensor("t", row.type, {1}, row.elements)); });
  }
}

TEST(OnnxTensor, RefusesTensorsWithoutPackedBytes) {
  expectDataError({"\"t\"", "string"}, [] { elementsOf(made::textTensor("t", {1}, {"a"})); });
  expectDataError({"unknown type"}, [] { elementsOf(made::rawTensor("t", static_cast<made::Type>(99), {1}, "a")); });
  expectDataError({"undefined"}, [] { elementsOf(made::rawTensor("t", made::kUndefined, {1}, "a")); });
  expectDataError({"segment"},
                  [] { elementsOf({made::rawTensor("t", made::kInt8, {1}, "a").bytes + std::string("\x1A\x00", 2)}); });
  expectDataError({"external data is not allowed"}, [] {
    elementsOf(made::externalTensor("t", made::kInt8, {1}, {{"location", "f"}}));
  });
}

TEST(OnnxTensor, RefusesImpossibleDimensions) {
  expectDataError({"(-1)", "negative"}, [] { elementsOf(made::rawTensor("t", made::kInt8, {2, -1}, "")); });
  const std::int64_t big = std::int64_t{1} << 32;
  expectDataError({"too many elements"}, [&] { elementsOf(made::rawTensor("t", made::kInt8, {big, big}, "")); });
  expectDataError({"too many elements"}, [&] { elementsOf(made::rawTensor("t", made::kInt8, {big, big, 0}, "")); });
  expectDataError({"more bytes than can be counted"}, [&] {
    elementsOf(made::rawTensor("t", made::kFloat, {big, big >> 2}, ""));
  });
}

TEST(OnnxTensor, IsNotDecodedToMuchMoreThanItsFile) {
  const std::int64_t count = 9 << 20;  // the 9 MiB would become 72 MiB, and the limit is 4 x 9 + 32 MiB
  const made::TensorMessage tensor = made::typedTensor("t", made::kInt64, {count}, std::vector<std::int64_t>(count));
  expectDataError({"more than its file justifies"}, [&] { elementsOf(tensor); });
}

TEST(OnnxReader, AllocatesInProportionToTheFile) {
  made::Model model;
  std::string bytes = made::modelBytes(model);
  std::string nodes;
  for (int i = 0; i < 1 << 20; ++i) nodes += std::string("\x0A\x00", 2);  // a node in two bytes
  const std::string length("\x80\x80\x80\x01", 4);                        // 2^21
  expectDataError({"more parts than its size justifies"}, [&] { readModel(test::bytesOf("\x3A" + length + nodes), {}); });
}

TEST(OnnxReader, ReadsFilesBeyondFourGigabytes) {
  constexpr std::uint64_t kData = (std::uint64_t{4} << 30) + 100;
  const auto lengthField = [](char key, std::uint64_t length) {
    std::string bytes(1, key);
    for (; length > 127; length >>= 7) bytes += static_cast<char>(length | 0x80);
    return bytes + static_cast<char>(length);
  };
  std::string dims(1, '\x08');
  dims += lengthField('\x08', kData).substr(1);
  const std::string tensorStart = dims + std::string("\x10\x02", 2) + lengthField('\x4A', kData);
  const std::string graphStart = lengthField('\x2A', tensorStart.size() + kData) + tensorStart;
  const TemporaryFolder folder;
  test::writeText(folder / "big.onnx", lengthField('\x3A', graphStart.size() + kData) + graphStart);
  const std::uint64_t size = std::filesystem::file_size(folder / "big.onnx") + kData;
  std::error_code error;
  std::filesystem::resize_file(folder / "big.onnx", size, error);  // a hole takes no disk space
  if (error) GTEST_SKIP() << "the temporary folder takes no file of 4 GiB";
  {
    std::ofstream last(folder / "big.onnx", std::ios::binary | std::ios::in);
    last.seekp(-1, std::ios::end);
    last.put('!');
  }
  const Model model = readModel(mapFile(folder / "big.onnx"), folder.path());
  const ExternalBytes bytes = bytesOf(model.graph.initializers.at(0), model.file, nullptr);
  ASSERT_EQ(bytes.bytes.size(), kData);
  EXPECT_EQ(bytes.bytes.front(), std::byte{0});
  EXPECT_EQ(bytes.bytes.back(), std::byte{'!'});
}

made::Graph nested(int depth) {
  made::Graph graph;
  if (depth > 1) graph.nodes = {{"If", {}, {"y"}, {{"then_branch", made::subgraph(nested(depth - 1))}}}};
  return graph;
}

TEST(OnnxReader, LimitsTheDepthOfGraphs) {
  EXPECT_EQ(read({nested(32)}).graph.nodes.size(), 1u);
  expectDataError({"nest deeper than 32"}, [] { read({nested(33)}); });
}

TEST(OnnxReader, NamesThePlaceOfAnError) {
  made::Graph graph;
  graph.nodes = {{"Relu", {"x"}, {"y"}},
                 {"Conv", {"x"}, {"y"}, {{"pads", 1}, {"w", made::rawTensor("weights", made::kInt8, {-5}, "")}}, "", "c1"}};
  expectDataError({"the ONNX model, graph, node 1 \"c1\", attribute 1 \"w\", tensor \"weights\" at byte ", "(-5)"},
                  [&] { read({graph}); });
}

TEST(OnnxReader, RefusesAttributesWithoutTheirValue) {
  made::Graph graph;
  graph.nodes = {{"If", {}, {"y"}, {{"then_branch"}}}};
  std::string bytes = made::modelBytes({graph});
  EXPECT_EQ(read({graph}).graph.nodes[0].attributes[0].type, AttributeType::undefined);
  for (const char type : {'\x04', '\x05'}) {  // tensor, graph
    const std::string attribute = std::string("\x0A\x01g\xA0\x01", 5) + type;
    const std::string node = "\x2A" + std::string(1, static_cast<char>(attribute.size())) + attribute;
    const std::string inGraph = "\x0A" + std::string(1, static_cast<char>(node.size())) + node;
    const std::string model = "\x3A" + std::string(1, static_cast<char>(inGraph.size())) + inGraph;
    expectDataError({"attribute 0 \"g\"", "value of the attribute is not there"}, [&] { readModel(test::bytesOf(model), {}); });
  }
}

TEST(OnnxReader, RefusesMessagesThatAreThereTwice) {
  const std::string graph = std::string("\x3A\x00", 2);
  EXPECT_NO_THROW(readModel(test::bytesOf(graph), {}));
  expectDataError({"field 7", "twice"}, [&] { readModel(test::bytesOf(graph + graph), {}); });
}

TEST(OnnxReader, RefusesFieldsOfAnotherWireType) {
  using namespace std::string_literals;
  const std::string graphs[] = {
      "\x0D....\0"s,                                        // a node as fixed32
      "\x08\x01"s,                                          // a node as a varint
      "\x12\x05"s,                                          // a name that ends after the end of the graph
      "\x0B\x0C"s,                                          // a group
      "\x0F"s,                                              // a wire type that does not exist
      "\x00\x00"s,                                          // field 0
      "\xFF"s,                                              // a number without an end
      "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,  // a number with more than 64 bits
      "\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,      // a length of 2^64 - 1
  };
  for (const std::string& graph : graphs) {
    SCOPED_TRACE(testing::PrintToString(graph));
    expectDataError({"the ONNX model, graph at byte"},
                    [&] { readModel(test::bytesOf("\x3A" + std::string(1, static_cast<char>(graph.size())) + graph), {}); });
  }
}

// Reads the complete file. Returns whether it is valid; may throw only DataError, and NotSupportedError for a newer operator set.
bool readsWhole(const std::string& bytes) {
  try {
    const Model model = readModel(test::bytesOf(bytes), {});
    for (const TensorProto& tensor : model.graph.initializers) {
      if (tensor.type != ElementType::string) bytesOf(tensor, model.file, nullptr);
    }
    return true;
  } catch (const Error& error) {
    const bool isNewer = std::string_view(error.what()).starts_with("the model's operator set");
    EXPECT_TRUE(error.kind() == ErrorKind::dataError || (isNewer && error.kind() == ErrorKind::notSupportedError))
        << error.what();
    return false;
  }
}

TEST(OnnxReader, NoticesTruncationAtEveryByte) {
  const std::string bytes = made::modelBytes(richModel());
  ASSERT_TRUE(readsWhole(bytes));
  std::vector<std::size_t> readable;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string prefix = bytes.substr(0, length);
    const bool reads = readsWhole(prefix);
    EXPECT_EQ(reads, looksLikeModel(spanOf(prefix))) << length;
    if (reads) readable.push_back(length);
  }
  EXPECT_EQ(readable.size(), 3u) << "behind the graph and each of the two operator sets, no field is cut";
}

TEST(OnnxReader, WithstandsEveryFlippedBit) {
  const std::string bytes = made::modelBytes(richModel());
  std::size_t readable = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    readable += readsWhole(flipped);
    looksLikeModel(spanOf(flipped));
  }
  EXPECT_GT(readable, 0u) << "names and numbers are free";
  EXPECT_LT(readable, bytes.size() * 8);
}

TEST(OnnxModel, IsToldFromOtherFiles) {
  EXPECT_TRUE(looksLikeModel(spanOf(made::modelBytes(richModel()))));
  EXPECT_TRUE(looksLikeModel(spanOf(made::modelBytes({}))));
  const std::string others[] = {
      "", "webnn_graph \"x\" v1 {}", "{\"format\": \"webnn-graph-json\"}", "\x93NUMPY", made::modelBytes(richModel()) + "!",
      // a tensor, in which field 7 (int64_data) has the wire type of a message, like the graph of a model
      made::typedTensor("t", made::kInt64, {2}, std::vector<std::int64_t>{1, 2}).bytes,
      made::rawTensor("t", made::kFloat, {1}, "abcd").bytes, std::string("\x08\x0A\x42\x02\x10\x15", 6),  // no graph
      std::string("\x38\x0A", 2),  // the field of the graph as a number
  };
  for (const std::string& other : others) EXPECT_FALSE(looksLikeModel(spanOf(other))) << testing::PrintToString(other);
}

// Reading a tensor takes time in proportion to its numbers in the file, so the reader checks the budget inside a tensor.
TEST(OnnxReader, LooksAtTheBudgetInsideOfATensor) {
  constexpr std::size_t kCount = 1 << 20, kBetween = 1 << 17;
  const made::Dims dims{static_cast<std::int64_t>(kCount)};
  const std::vector<std::int32_t> numbers(kCount, 2);
  const auto expectLooks = [&](const std::string& name, const made::TensorMessage& message) {
    const ExternalBytes file = test::bytesOf(message.bytes);
    const TensorProto tensor = readTensor({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    test::expectLooks(name, kCount, kBetween, [&](const Budget&) { bytesOf(tensor, file, nullptr); });
  };
  expectLooks("packed numbers", made::typedTensor("t", made::kInt32, dims, numbers));
  expectLooks("numbers one by one", made::typedTensor("t", made::kInt32, dims, numbers, made::Packing::oneByOne));
  expectLooks("floats one by one",
              made::typedTensor("t", made::kFloat, dims, std::vector<float>(kCount), made::Packing::oneByOne));
  expectLooks("booleans", made::rawTensor("t", made::kBool, dims, std::string(kCount, '\2')));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats::onnx
