// Tests the Core ML export: names, types, ranges, refused graphs, and the bytes of the package.
#include "coreml/export.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <protozero/pbf_reader.hpp>
#include <sstream>

#include "context/graph_state.h"
#include "support/support.h"
#include "webnn/formats.h"

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

// A temporary directory, which the destructor removes.
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

TEST(CoreMlExport, VersionIsWhatTheGraphNeeds) {
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

TEST(CoreMlExport, SaysWhatOperationsBecome) {
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
