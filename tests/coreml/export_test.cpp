// Tests the Core ML export: names, types, ranges, refused graphs, and the bytes of the package.
#include "coreml/export.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <protozero/pbf_reader.hpp>
#include <sstream>

#include "builder/open_graph.h"
#include "context/graph_state.h"
#include "support/support.h"
#include "webnn/formats.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using test::Fixture;

coreml::ExportedModel exported(const Graph& graph) { return coreml::exportModel(*graph.state()->definition); }

std::string readAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

template <typename T>
T numberAt(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("webnn-coreml-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

std::vector<Number> ascending(std::size_t count) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < count; ++i) values.emplace_back(static_cast<double>(i));
  return values;
}

TEST(CoreMlExport, ModelSaysVersionAndPorts) {
  Fixture fixture;
  const Graph graph =
      fixture.builder.build({{"y", fixture.builder.relu(fixture.builder.input("x", {DataType::float32, {2, 3}}))}});
  const coreml::ExportedModel model = exported(graph);
  protozero::pbf_reader reader(model.proto);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), 1u);
  EXPECT_EQ(reader.get_int32(), 7);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), 2u);
  protozero::pbf_reader description = reader.get_message();
  ASSERT_TRUE(description.next(1));
  protozero::pbf_reader input = description.get_message();
  ASSERT_TRUE(input.next(1));
  EXPECT_EQ(input.get_string(), "x");
  ASSERT_TRUE(input.next(3));
  protozero::pbf_reader type = input.get_message();
  ASSERT_TRUE(type.next(5));
  protozero::pbf_reader array = type.get_message();
  ASSERT_TRUE(array.next(1));
  std::vector<std::int64_t> shape;
  for (const std::int64_t size : array.get_packed_int64()) shape.push_back(size);
  EXPECT_EQ(shape, (std::vector<std::int64_t>{2, 3}));
  ASSERT_TRUE(array.next(2));
  EXPECT_EQ(array.get_enum(), 0x10020);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.tag(), 502u);
  EXPECT_TRUE(model.weights.empty());
}

// Returns the messages of a field, which is given by the numbers on its path.
std::vector<std::string> messagesAt(const std::string& proto, std::vector<std::uint32_t> path) {
  std::vector<std::string> messages{proto};
  for (const std::uint32_t tag : path) {
    std::vector<std::string> inner;
    for (const std::string& message : messages) {
      protozero::pbf_reader reader(message);
      while (reader.next()) {
        if (reader.tag() == tag && reader.wire_type() == protozero::pbf_wire_type::length_delimited)
          inner.push_back(reader.get_string());
        else
          reader.skip();
      }
    }
    messages = std::move(inner);
  }
  return messages;
}

std::vector<std::int64_t> packedAt(const std::string& proto, std::vector<std::uint32_t> path) {
  std::vector<std::int64_t> numbers;
  for (const std::string& packed : messagesAt(proto, std::move(path))) {
    for (auto at = packed.data(), end = at + packed.size(); at != end;)
      numbers.push_back(static_cast<std::int64_t>(protozero::decode_varint(&at, end)));
  }
  return numbers;
}

using Bounds = std::vector<std::pair<std::uint64_t, std::int64_t>>;

Bounds boundsAt(const std::string& feature) {
  Bounds bounds;
  for (const std::string& range : messagesAt(feature, {3, 5, 31, 1})) {
    protozero::pbf_reader reader(range);
    auto& [least, most] = bounds.emplace_back();
    if (reader.next(1)) least = reader.get_uint64();
    if (reader.next(2)) most = reader.get_int64();
  }
  return bounds;
}

TEST(CoreMlExport, OpenInputsHaveRangesAndNames) {
  Fixture fixture;
  GraphBuilder& b = fixture.builder;
  const Operand x = b.openInput("x", {DataType::float32, {{"n", 0, 8}, "m", 3}});
  const Operand y = b.openInput("y", {DataType::float32, {"2 * n + 1", {"'a b'", 2, 5}}});
  const Operand z = b.input("z", {DataType::float32, {3}});
  const Session session = Session::build(b, {{"sum", b.add(x, z)}, {"rows", b.relu(y)}, {"z2", b.relu(z)}});
  const coreml::ExportedModel model = coreml::exportModel(*session.openGraph()->definition, *session.openGraph()->sizes);
  const std::vector<std::string> inputs = messagesAt(model.proto, {2, 1}), outputs = messagesAt(model.proto, {2, 10});
  using Sizes = std::vector<std::int64_t>;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(packedAt(inputs[0], {3, 5, 1}), (Sizes{1, 1, 3}));
  EXPECT_EQ(boundsAt(inputs[0]), (Bounds{{1, 8}, {1, -1}, {3, 3}}));
  EXPECT_EQ(packedAt(inputs[1], {3, 5, 1}), (Sizes{3, 2}));
  EXPECT_EQ(boundsAt(inputs[1]), (Bounds{{3, 17}, {2, 5}}));
  EXPECT_EQ(packedAt(inputs[2], {3, 5, 1}), (Sizes{3}));
  EXPECT_EQ(boundsAt(inputs[2]), Bounds());
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(packedAt(outputs[0], {3, 5, 1}), Sizes());
  EXPECT_EQ(packedAt(outputs[2], {3, 5, 1}), (Sizes{3}));
  std::vector<std::pair<std::string, std::string>> metadata;
  for (const std::string& entry : messagesAt(model.proto, {2, 100, 100}))
    metadata.emplace_back(messagesAt(entry, {1}).at(0), messagesAt(entry, {2}).at(0));
  ASSERT_EQ(metadata.size(), 5u);
  metadata.erase(metadata.begin());  // the version
  EXPECT_EQ(metadata, (std::vector<std::pair<std::string, std::string>>{{"libwebnn.shape.x", "[n, m, 3]"},
                                                                        {"libwebnn.shape.y", "[n * 2 + 1, 'a b']"},
                                                                        {"libwebnn.shape.sum", "[n, m, 3]"},
                                                                        {"libwebnn.shape.rows", "[n * 2 + 1, 'a b']"}}));
  // In the program, the dimensions of x are unknown (field 2, with `variadic` false), unknown and 3.
  const std::string function = messagesAt(model.proto, {502, 2, 2}).at(0);
  const std::vector<std::string> dimensions = messagesAt(messagesAt(function, {1}).at(0), {2, 1, 3});
  EXPECT_EQ(dimensions, (std::vector<std::string>{{"\x12\x02\x08\x00", 4}, {"\x12\x02\x08\x00", 4}, {"\x0a\x02\x08\x03", 4}}));
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_NE(model.notes[0].find("no largest size"), std::string::npos);
  EXPECT_NE(model.notes[0].find("\"m\";"), std::string::npos);
}

// Returns the default shapes of the inputs of an exported session.
std::vector<std::vector<std::int64_t>> defaultsOf(Fixture& fixture, const Operand& y) {
  const Session session = Session::build(fixture.builder, {{"y", y}});
  const coreml::ExportedModel model = coreml::exportModel(*session.openGraph()->definition, *session.openGraph()->sizes);
  EXPECT_EQ(model.notes.size(), 0u);
  std::vector<std::vector<std::int64_t>> defaults;
  for (const std::string& input : messagesAt(model.proto, {2, 1})) defaults.push_back(packedAt(input, {3, 5, 1}));
  return defaults;
}

TEST(CoreMlExport, DefaultShapesAreValid) {
  using Defaults = std::vector<std::vector<std::int64_t>>;
  const auto input = [](Fixture& f, const char* name, std::vector<Dimension> shape) {
    return f.builder.openInput(name, {DataType::float32, std::move(shape)});
  };
  Fixture conv;
  const Operand filter = conv.constant(DataType::float32, {1, 1, 3, 4}, std::vector<Number>(12, 1));
  EXPECT_EQ(defaultsOf(conv, conv.builder.conv2d(input(conv, "x", {1, 1, {"h", 0, 99}, {"w", 0, 99}}), filter)),
            (Defaults{{1, 1, 4, 4}}));
  Fixture last;
  EXPECT_EQ(defaultsOf(last, last.builder.slice(input(last, "x", {{"n", 0, 64}}), {last.builder.openSize("n - 5")}, {5})),
            (Defaults{{5}}));
  Fixture six;
  EXPECT_EQ(defaultsOf(six, six.builder.reshape(input(six, "x", {{"n", 0, 9}, {"m", 0, 9}}), {6})), (Defaults{{2, 3}}));
  Fixture half;
  const Operand n = input(half, "x", {{"n", 0, 7}}), z = input(half, "z", {"floor(n / 2)"});
  EXPECT_EQ(defaultsOf(half, half.builder.concat({n, z}, 0)), (Defaults{{2}, {1}}));
}

TEST(CoreMlExport, SizesBeyondInt32AreRefused) {
  const auto exportOf = [](std::uint32_t largest, auto make) {
    Fixture fixture;
    const Operand x = fixture.builder.openInput("x", {DataType::float32, {1, 1, 1, {"n", 0, largest}}});
    const Session session = Session::build(fixture.builder, {{"y", make(fixture.builder, x)}});
    coreml::exportModel(*session.openGraph()->definition, *session.openGraph()->sizes);
  };
  const auto doubled = [](GraphBuilder& b, const Operand& x) {
    return b.resample2d(x, {.mode = InterpolationMode::linear, .scales = std::vector<float>{1, 2}});
  };
  const auto cut = [](const char* size) {
    return [=](GraphBuilder& b, const Operand& x) { return b.slice(x, {0, 0, 0, 0}, {1, 1, 1, b.openSize(size)}); };
  };
  // 23170 and 2147 are the largest n for which 4 n^2 and 1000000 n fit in int32. 2^12 n fits for n = 100000.
  EXPECT_NO_THROW(exportOf(23170, doubled));
  EXPECT_NO_THROW(exportOf(2147, cut("floor(n * 1000000 / 1000003)")));
  EXPECT_NO_THROW(exportOf(100000, cut("scaled(n, 0.7)")));
  EXPECT_NO_THROW(exportOf(kMaxDimension, cut("floor((n + 1) / 2)")));
  const auto expectRefused = [&](std::uint32_t largest, auto make) {
    test::expectError(ErrorKind::notSupportedError, {"beyond int32", "declare smaller largest sizes"},
                      [&] { exportOf(largest, make); });
  };
  expectRefused(23171, doubled);
  expectRefused(2148, cut("floor(n * 1000000 / 1000003)"));
  expectRefused(kMaxDimension, cut("scaled(n, 0.7)"));
  expectRefused(kMaxDimension, cut("floor(n * n / (n + 1))"));
}

TEST(CoreMlExport, GraphsThatAreValidForSizesOf0OnlyAreRefused) {
  Fixture f;
  const Operand y = f.builder.pad(f.builder.openInput("y", {DataType::float32, {{"n", 0, 2}}}), {0}, {1});
  const Session session = Session::build(f.builder, {{"sum", f.builder.add(f.input({4}), y)}});
  test::expectError(ErrorKind::notSupportedError, {"add", "only sizes of 0"},
                    [&] { coreml::exportModel(*session.openGraph()->definition, *session.openGraph()->sizes); });
}

TEST(CoreMlExport, SizesThatMustBeNumbersAreRefused) {
  const auto exportOf = [](auto make) {
    Fixture fixture;
    const Session session = Session::build(fixture.builder, {{"y", make(fixture)}});
    const Folder folder;
    save(session, folder.path / "model.mlpackage");
  };
  EXPECT_NO_THROW(exportOf([](Fixture& f) { return f.builder.relu(f.builder.openInput("x", {DataType::float32, {"n"}})); }));
  test::expectError(ErrorKind::notSupportedError, {"gru \"steps\"", "fixed sizes only", "give the sizes"}, [&] {
    exportOf([](Fixture& f) {
      const Operand x = f.builder.openInput("x", {DataType::float32, {"n", 1, 2}});
      return f.builder.gru(x, f.input({1, 6, 2}), f.input({1, 6, 2}), f.builder.openSize("n"), 2, {.label = "steps"}).at(0);
    });
  });
  test::expectError(ErrorKind::notSupportedError, {"maxPool2d \"up\"", "fixed sizes only"}, [&] {
    exportOf([](Fixture& f) {
      const Operand x = f.builder.openInput("x", {DataType::float32, {1, 1, "n", 4}});
      return f.builder.maxPool2d(
          x, {.windowDimensions = Shape{2, 2}, .strides = Shape{2, 2}, .outputShapeRounding = RoundingType::ceil, .label = "up"});
    });
  });
  test::expectError(ErrorKind::notSupportedError, {"reshape \"flat\"", "no input", "\"n\" by itself"}, [&] {
    exportOf([](Fixture& f) {
      const Operand x = f.builder.openInput("x", {DataType::float32, {1, 1, 1, 2, "n", "m"}});
      return f.builder.reshape(x, {2, f.builder.openSize("n"), f.builder.openSize("m")}, {.label = "flat"});
    });
  });
  test::expectError(ErrorKind::notSupportedError, {"the dimension \"n\" is always 0"}, [&] {
    exportOf([](Fixture& f) { return f.builder.relu(f.builder.openInput("x", {DataType::float32, {{"n", 0, 0}}})); });
  });
}

TEST(CoreMlExport, NamesAreIdentifiersAndUnique) {
  Fixture fixture;
  GraphBuilder& b = fixture.builder;
  const Operand x = b.input("a/b", {DataType::float32, {2}}), y = b.input("a.b", {DataType::float32, {2}});
  const Operand z = b.input("3", {DataType::float32, {2}}), w = b.input("int32", {DataType::float32, {2}});
  const Graph graph = b.build({{"a:b", b.add(b.add(x, y), b.add(z, w))}});
  const coreml::ExportedModel model = exported(graph);
  using Names = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(model.inputs, (Names{{"a/b", "a_b"}, {"a.b", "a_b_2"}, {"3", "_3"}, {"int32", "int32_"}}));
  EXPECT_EQ(model.outputs, (Names{{"a:b", "a_b_3"}}));
}

TEST(CoreMlExport, VersionIsTheOldestThatSupportsTheGraph) {
  const auto versionOf = [](DataType type, Shape blocks) {
    Fixture fixture;
    const Operand x = fixture.constant(type, {4, 4}, ascending(16));
    const Operand scale = fixture.constant(blocks, {0.5}), zeroPoint = fixture.constant(type, blocks, {1});
    return exported(fixture.builder.build({{"y", fixture.builder.dequantizeLinear(x, scale, zeroPoint)}})).specificationVersion;
  };
  EXPECT_EQ(versionOf(DataType::int8, {1, 1}), 7);
  EXPECT_EQ(versionOf(DataType::uint8, {4, 1}), 7);
  EXPECT_EQ(versionOf(DataType::int8, {2, 1}), 9);
  EXPECT_EQ(versionOf(DataType::uint4, {1, 1}), 9);
}

TEST(CoreMlExport, ConstantsBeyondInt32AreRefused) {
  const auto exportOf = [](DataType type, Number value) {
    Fixture fixture;
    const Operand x = fixture.input(type, {2});
    const Graph graph =
        fixture.builder.build({{"y", fixture.builder.add(x, fixture.constant(type, {1}, {value}), {.label = "sum"})}});
    exported(graph);
  };
  EXPECT_NO_THROW(exportOf(DataType::int64, std::int64_t{0x7FFFFFFF}));
  EXPECT_NO_THROW(exportOf(DataType::int64, std::int64_t{-0x80000000L}));
  EXPECT_NO_THROW(exportOf(DataType::uint32, 0x7FFFFFFF));
  for (const auto& [type, value] : std::vector<std::pair<DataType, Number>>{{DataType::int64, std::int64_t{0x80000000L}},
                                                                            {DataType::int64, std::int64_t{-0x80000001L}},
                                                                            {DataType::uint32, 0x80000000u},
                                                                            {DataType::uint64, ~std::uint64_t{0}}}) {
    test::expectError(ErrorKind::notSupportedError, {"add \"sum\"", "int32"},
                      [&, type = type, value = value] { exportOf(type, value); });
  }
}

TEST(CoreMlExport, BoundsAndPaddingsBeyondInt32AreRefusedIfTheyMatter) {
  const auto exportOf = [](auto make) {
    Fixture fixture;
    exported(fixture.builder.build({{"y", make(fixture.builder, fixture.input(DataType::int64, {2}))}}));
  };
  static constexpr std::int64_t kBeyond = 0x80000000L;
  EXPECT_NO_THROW(exportOf([](GraphBuilder& b, Operand x) {
    return b.pad(b.clamp(x, {.minValue = -kBeyond - 1, .maxValue = kBeyond}), {1}, {0}, {.value = kBeyond - 1});
  }));
  test::expectError(ErrorKind::notSupportedError, {"clamp \"low\"", "int32"}, [&] {
    exportOf(
        [](GraphBuilder& b, Operand x) { return b.clamp(x, {.minValue = kBeyond, .maxValue = kBeyond + 1, .label = "low"}); });
  });
  test::expectError(ErrorKind::notSupportedError, {"clamp \"high\"", "int32"}, [&] {
    exportOf([](GraphBuilder& b, Operand x) { return b.clamp(x, {.maxValue = -kBeyond - 1, .label = "high"}); });
  });
  test::expectError(ErrorKind::notSupportedError, {"pad \"around\"", "int32"}, [&] {
    exportOf([](GraphBuilder& b, Operand x) { return b.pad(x, {1}, {0}, {.value = kBeyond, .label = "around"}); });
  });
}

TEST(CoreMlExport, FailuresLeaveNothingAndOldWeightsGo) {
  Fixture fixture;
  const Operand x = fixture.input(DataType::float32, {100});
  const Operand weights = fixture.constant(DataType::float32, {100}, ascending(100));
  const Graph large = fixture.builder.build({{"y", fixture.builder.add(x, weights)}});
  Fixture other;
  const Graph small = other.builder.build({{"y", other.builder.relu(other.input(DataType::float32, {2}))}});
  const Folder folder;
  const fs::path path = folder.path / "in" / "model.mlpackage",
                 file = path / "Data" / "com.apple.CoreML" / "weights" / "weight.bin";
  save(large, path, {.graph = GraphFormat::coreMl});
  EXPECT_TRUE(fs::exists(file));
  save(small, path, {.graph = GraphFormat::coreMl});
  EXPECT_FALSE(fs::exists(file));
  fs::remove_all(folder.path / "in");
  const std::string tooLong = std::string(256, 'n') + ".mlpackage";
  test::expectError(ErrorKind::operationError, {"cannot be made"},
                    [&] { save(large, folder.path / "in" / tooLong, {.graph = GraphFormat::coreMl}); });
  EXPECT_FALSE(fs::exists(folder.path / "in"));
}

TEST(CoreMlExport, RefusalListsEveryOperationAndWritesNothing) {
  Fixture fixture;
  GraphBuilder& b = fixture.builder;
  const Operand x = fixture.input(DataType::int64, {2}), big = fixture.constant(DataType::int64, {1}, {std::int64_t{1} << 40});
  const Operand sum = b.add(x, big, {.label = "first"});
  const Graph graph = b.build({{"y", b.mul(b.relu(sum), b.sub(x, big, {.label = "second"}))}});
  const Folder folder;
  const fs::path path = folder.path / "model.mlpackage";
  test::expectError(ErrorKind::notSupportedError, {"2 of the 4", "add \"first\"", "sub \"second\"", "1099511627776"},
                    [&] { save(graph, path, {.graph = GraphFormat::coreMl}); });
  EXPECT_FALSE(fs::exists(path));
}

TEST(CoreMlExport, WeightsAreReferredToAndWrittenAligned) {
  Fixture fixture;
  const Operand x = fixture.input({10});
  const Operand first = fixture.constant({10}, ascending(10)), second = fixture.constant({1, 33}, ascending(33));
  const Graph graph = fixture.builder.build(
      {{"y", fixture.builder.matmul(fixture.builder.reshape(fixture.builder.add(x, first), {10, 1}), second)}});
  const coreml::ExportedModel model = exported(graph);
  ASSERT_EQ(model.weights.size(), 2u);
  EXPECT_EQ(model.weights[0].bytes.data(), graph.state()->definition->constants[0].record().bytes.data());
  EXPECT_EQ(model.weights[0].offset, 64u);
  EXPECT_EQ(model.weights[1].offset, 192u);

  const Folder folder;
  const fs::path path = folder.path / "model.mlpackage";
  save(graph, path, {.graph = GraphFormat::coreMl});
  const std::string bytes = readAll(path / "Data/com.apple.CoreML/weights/weight.bin");
  ASSERT_EQ(bytes.size(), 256u + 192u);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 0), 2u);  // number of parts
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 4), 2u);  // version
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 192), 0xDEADBEEF);
  EXPECT_EQ(numberAt<std::uint32_t>(bytes, 196), 2u);  // float32
  EXPECT_EQ(numberAt<std::uint64_t>(bytes, 200), 132u);
  EXPECT_EQ(numberAt<std::uint64_t>(bytes, 208), 256u);
  EXPECT_EQ(numberAt<float>(bytes, 256 + 4 * 32), 32.0F);
  EXPECT_EQ(readAll(path / "Data/com.apple.CoreML/model.mlmodel"), model.proto);
  EXPECT_NE(readAll(path / "Manifest.json").find("com.apple.CoreML/weights"), std::string::npos);
}

TEST(CoreMlExport, ReportsThePlacementOfOperations) {
  Fixture f;
  const Operand x = f.input(DataType::int8, {2, 3});
  const Operand sum = f.builder.add(x, x, {"sum"});
  const Graph graph = f.builder.build({{"y", f.builder.relu(f.builder.cast(sum, DataType::float32), {"last"})}});
  const std::vector<OperationPlacement> placement = exported(graph).placement;
  ASSERT_EQ(placement.size(), 3u);
  // The sum is computed as int32, then wrapped to int8.
  EXPECT_EQ(placement[0].kernels, (std::vector<std::string>{"add", "add", "mod", "sub"}));
  EXPECT_EQ(placement[2].kernels, std::vector<std::string>{"relu"});
  for (const OperationPlacement& placed : placement) EXPECT_EQ(placed.device, "coreml");
}

TEST(CoreMlExport, OddNibblesAreCounted) {
  Fixture fixture;
  const Operand x = fixture.constant(DataType::int4, {11}, {1});
  const Operand scale = fixture.constant({1}, {2}), zeroPoint = fixture.constant(DataType::int4, {1}, {0});
  const coreml::ExportedModel model =
      exported(fixture.builder.build({{"y", fixture.builder.dequantizeLinear(x, scale, zeroPoint)}}));
  ASSERT_EQ(model.weights.size(), 1u);
  EXPECT_EQ(model.weights[0].type, 8u);
  EXPECT_EQ(model.weights[0].bytes.size(), 6u);
  EXPECT_EQ(model.weights[0].unusedBits, 4u);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
