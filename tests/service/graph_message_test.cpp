// Tests graphs as messages. Cap'n Proto's own tool must decode them, and reading them must give equal graphs.
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "random/random_graph.h"
#include "service/message_support.h"
#include "support/files.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::expectError;
using test::readMessage;

// Runs `capnp COMMAND webnn.capnp Graph` on `content`.
std::string capnpTool(const std::string& command, std::string_view content) {
  const std::string base = (std::filesystem::temp_directory_path() / ("webnn_message_" + std::to_string(getpid()))).string();
  std::ofstream(base + ".in", std::ios::binary) << content;
  const std::string line = std::string(WEBNN_CAPNP) + " " + command + " " + test::repositoryFile("src/service/webnn.capnp") +
                           " Graph < " + base + ".in > " + base + ".out";
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  const std::string result = test::readText(base + ".out");
  std::filesystem::remove(base + ".in");
  std::filesystem::remove(base + ".out");
  return result;
}

constexpr std::string_view kText = R"(webnn_graph "tiny" v2 {
  inputs { x: f32[2, 3]; }
  consts { w: f32[3, 1] @bytes([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]); }
  nodes {
    h = matmul(x, w, label="product");
    p = pad(h, beginningPadding=[0, 1], endingPadding=[1, 0], mode="edge", value=-7);
    [left, right] = split(p, splits=[1, 2]);
    i = cast(right, dataType="int64");
    r = clamp(i, minValue=-7, maxValue=9007199254740993);
  }
  outputs { left; result = r; }
})";

// The expected message as text, in the format of the tool.
constexpr std::string_view kDecoded = R"(( revision = 1,
  name = "tiny",
  inputs = [
    ( name = "x",
      dataType = float32,
      shape = [2, 3] ) ],
  constants = [
    ( name = "w",
      dataType = float32,
      shape = [3, 1],
      bytes = "\000\000\200?\000\000\000@\000\000@@" ) ],
  nodes = [
    ( label = "product",
      outputCount = 1,
      outputNames = ["h"],
      operation = (
        matmul = (a = 0, b = 1) ) ),
    ( outputCount = 1,
      outputNames = ["p"],
      operation = (
        pad = (
          input = 2,
          beginningPadding = [0, 1],
          endingPadding = [1, 0],
          mode = edge,
          value = (real = -7) ) ) ),
    ( outputCount = 2,
      outputNames = ["left", "right"],
      operation = (
        split = (
          input = 3,
          splits = (
            sizes = [1, 2] ),
          axis = 0 ) ) ),
    ( outputCount = 1,
      outputNames = ["i"],
      operation = (
        cast = (
          input = 5,
          dataType = int64 ) ) ),
    ( outputCount = 1,
      outputNames = ["r"],
      operation = (
        clamp = (
          input = 6,
          minValue = (integer = -7),
          maxValue = (natural = 9007199254740993) ) ) ) ],
  outputs = [
    (name = "left", operand = 4),
    ( name = "result",
      operand = 7 ) ] )
)";

std::string withoutBlanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result += c;
  }
  return result;
}

TEST(GraphMessage, IsDecodedByTheToolOfCapnProto) {
  const std::vector<std::byte> message = test::inlineMessage(definitionOf(test::graphOfText(kText)));
  const std::string decoded = capnpTool("decode", {reinterpret_cast<const char*>(message.data()), message.size()});
  EXPECT_EQ(withoutBlanks(decoded), withoutBlanks(kDecoded)) << decoded;
}

TEST(GraphMessage, IsReadAsTheToolOfCapnProtoEncodesIt) {
  const std::string encoded = capnpTool("encode", kDecoded);
  EXPECT_TRUE(definitionOf(readMessage(std::as_bytes(std::span(encoded)))) == definitionOf(test::graphOfText(kText)));
}

TEST(GraphMessage, HasDynamicDimensions) {
  test::EditedMessage edited;
  auto names = edited.graph.getInputs()[0].initDimensionNames(1);
  names.set(0, "batch");
  EXPECT_EQ(edited.read({}, {{"batch", 1}}).inputs()[0].second.shape, Shape{1});
  expectError(ErrorKind::typeError, {"the size (3) of the dimension \"batch\" is not allowed", "1 to 2"}, [&] {
    edited.read({}, {{"batch", 3}});
  });
  expectError(ErrorKind::typeError, {"the dimension \"batch\" has no size"}, [&] { edited.read(); });
  const auto bytes = test::bytesOf(edited.message);
  const auto description = formats::describeGraphMessage(bytes);
  ASSERT_EQ(description.inputs.size(), 1u);
  EXPECT_EQ(description.inputs[0].name, "x");
  EXPECT_EQ(description.inputs[0].shape.at(0).size, 2u);
  EXPECT_EQ(description.inputs[0].shape.at(0).name, "batch");
}

TEST(GraphMessage, PlacesConstants) {
  test::Fixture fixture;
  const Operand x = fixture.input({2});
  const Graph graph = fixture.builder.build(
      {{"y", fixture.builder.add(fixture.builder.add(x, fixture.constant({2}, {1, 2})), fixture.constant({2}, {3, 4}))}});
  const GraphDefinition& definition = definitionOf(graph);
  const auto message = service::writeGraphMessage(definition, [](std::size_t constant, std::span<const std::byte> bytes) {
    return constant == 1 ? std::optional(service::ConstantLocation{7, 1ull << 40, bytes.size()}) : std::nullopt;
  });
  const auto second = definition.constants[1].record().bytes;
  int asked = 0;
  const auto resolve = [&](const service::ConstantLocation& location) {
    ++asked;
    EXPECT_EQ(location.memory, 7u);
    EXPECT_EQ(location.offset, 1ull << 40);
    EXPECT_EQ(location.length, 8u);
    return ExternalBytes{second, nullptr};
  };
  const Graph back = readMessage(message, formats::kServiceLimits, {}, {resolve, nullptr});
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(definitionOf(back) == definition);
  EXPECT_EQ(definitionOf(back).constants[1].record().bytes.data(), second.data()) << "it was copied";
  expectError(ErrorKind::dataError, {"constants[1]: its bytes are in a memory"}, [&] { readMessage(message); });
}

// Returns the padding value as the builder has resolved it.
double valueOf(const Graph& graph) {
  return std::get<double>(std::get<ops::Pad>(definitionOf(graph).nodes[0].operation).options.value.value());
}

TEST(GraphMessage, KeepsNumbersBitForBit) {
  for (const double value : {-0.0, 0x1p-149, -HUGE_VAL, std::nan("0x5")}) {
    test::Fixture fixture;
    const Graph graph = fixture.builder.build({{"y", fixture.builder.pad(fixture.input({2}), {1}, {0}, {.value = value})}});
    const Graph back = readMessage(test::inlineMessage(definitionOf(graph)));
    const double read = valueOf(back), expected = valueOf(graph);
    EXPECT_EQ(std::memcmp(&read, &expected, sizeof read), 0) << value;
    EXPECT_EQ(std::signbit(read), std::signbit(value));
  }
}

TEST(GraphMessage, KeepsNamesThatAreEqual) {
  test::Fixture fixture;
  const Operand a = fixture.builder.relu(fixture.input({2})), b = fixture.builder.abs(a);
  fixture.builder.setName(a, "same");
  fixture.builder.setName(b, "same");
  const Graph graph = fixture.builder.build({{"y", b}});
  const Graph back = readMessage(test::inlineMessage(definitionOf(graph)));
  EXPECT_EQ(definitionOf(back).nodes[0].outputs[0].record().name, "same");
  EXPECT_EQ(definitionOf(back).nodes[1].outputs[0].record().name, "same");
}

TEST(GraphMessage, IsReadWhereverItLies) {
  const Graph graph = test::graphOfText(kText);
  std::vector<std::byte> message = test::inlineMessage(definitionOf(graph));
  message.insert(message.begin(), std::byte{});
  EXPECT_TRUE(definitionOf(readMessage(std::span(message).subspan(1))) == definitionOf(graph));
}

TEST(GraphMessage, OfRandomGraphsReadsBackEqual) {
  Context context = test::makeContext();
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    random::Choices choices(seed);
    const Graph graph = random::makeRandomGraph(context, choices).graph;
    const std::vector<std::byte> message = test::inlineMessage(definitionOf(graph));
    const Graph back = formats::buildGraphMessage(context, message, {}, {});
    ASSERT_TRUE(definitionOf(back) == definitionOf(graph)) << seed;
    ASSERT_EQ(test::inlineMessage(definitionOf(back)), message) << seed;
  }
}

TEST(GraphMessage, OfManyOperationsIsInOneSegmentOrMore) {
  test::Fixture fixture;
  Operand y = fixture.input({2});
  for (int i = 0; i < 3000; ++i) y = fixture.builder.relu(y, {std::string(600, 'l')});
  const Graph graph = fixture.builder.build({{"y", y}});
  EXPECT_TRUE(definitionOf(readMessage(test::inlineMessage(definitionOf(graph)))) == definitionOf(graph));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
