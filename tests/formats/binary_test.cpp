// Tests .webnnb files.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "formats/formats_support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using test::binaryOf;
using test::expectError;

constexpr std::size_t kHeader = 24;

Graph makeSum() {
  test::Fixture fixture;
  const Operand x = fixture.input(DataType::uint8, {3});
  const Operand a = fixture.builder.add(x, fixture.constant(DataType::uint8, {3}, {1, 2, 3}));
  return fixture.builder.build({{"y", fixture.builder.add(a, fixture.constant(DataType::uint8, {3}, {4, 5, 6}))}});
}

std::uint64_t messageLength(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data() + 16, sizeof length);
  return length;
}

TEST(Binary, HasAHeaderAndConstantsAtMultiplesOf64) {
  const std::string file = binaryOf(definitionOf(makeSum()));
  EXPECT_EQ(file.substr(0, 8), "WEBNNG\x1a\n");
  EXPECT_EQ(file.substr(8, 8), std::string("\1\0\0\0\0\0\0\0", 8));
  const std::size_t begin = (kHeader + messageLength(file) + 63) / 64 * 64;
  EXPECT_EQ(file.size(), begin + 64 + 3);
  EXPECT_EQ(file.substr(begin, 4), std::string("\1\2\3\0", 4));
  EXPECT_EQ(file.substr(begin + 64), "\4\5\6");
}

TEST(Binary, RefersToConstantsInTheFile) {
  const auto content = std::make_shared<const std::string>(binaryOf(definitionOf(makeSum())));
  Context context = test::makeContext();
  const Graph graph = load(context, ExternalBytes{std::as_bytes(std::span(*content)), content});
  EXPECT_TRUE(definitionOf(graph) == definitionOf(makeSum()));
  const auto* bytes = reinterpret_cast<const char*>(definitionOf(graph).constants[1].record().bytes.data());
  EXPECT_EQ(bytes, content->data() + content->size() - 3);
}

TEST(Binary, RefusesOtherVersionsAndFilesThatAreCut) {
  const std::string file = binaryOf(definitionOf(makeSum()));
  const auto refused = [&](ErrorKind kind, std::size_t at, std::string_view bytes, const std::string& text) {
    std::string changed = file;
    changed.replace(at, bytes.size(), bytes);
    expectError(kind, {text}, [&] { test::buildBinary(changed); });
  };
  refused(ErrorKind::notSupportedError, 8, "\2",
          "the version of the file (2.0) is not one that this version of the library knows (1.0)");
  refused(ErrorKind::notSupportedError, 12, "\7", "the version of the file (1.7)");
  refused(ErrorKind::dataError, 16, std::string(8, '\xFF'),
          "the message (18446744073709551615 bytes) goes beyond the end of the file.");
  refused(ErrorKind::dataError, 16, std::string(8, '\0'), "the length of the message (0 bytes)");
  expectError(ErrorKind::dataError, {"constants[1]: the bytes (3 from 64 on) go beyond the end of the file."},
              [&] { test::buildBinary(file.substr(0, file.size() - 1)); });
  for (std::size_t size = 8; size < file.size(); ++size) {
    expectError(ErrorKind::dataError, {}, [&] { test::buildBinary(file.substr(0, size)); });
  }
}

TEST(Binary, IsNoOtherFormatWithoutItsFirstBytes) {
  Context context = test::makeContext();
  const std::string file = binaryOf(definitionOf(makeSum()));
  for (std::size_t i = 0; i < 8; ++i) {
    std::string changed = file;
    changed[i] ^= 1;
    const auto content = std::make_shared<const std::string>(changed);
    expectError(ErrorKind::dataError, {}, [&] { load(context, ExternalBytes{std::as_bytes(std::span(*content)), content}); });
  }
}

TEST(Binary, IsDescribedAndFindsItsWeights) {
  const fs::path folder = fs::temp_directory_path() / ("webnn_binary_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const Graph graph = makeSum();
  save(graph, folder / "whole.webnnb", {.graph = GraphFormat::webnnBinary});
  save(graph, folder / "parts.webnnb", {.graph = GraphFormat::webnnBinary, .weights = WeightsFormat::safetensors});
  const FileDescription whole = describeFile(folder / "whole.webnnb"), parts = describeFile(folder / "parts.webnnb");
  ASSERT_EQ(whole.inputs.size(), 1u);
  EXPECT_EQ(whole.inputs[0].name, "input0");
  EXPECT_EQ(whole.inputs[0].dataType, DataType::uint8);
  EXPECT_EQ(whole.inputs[0].shape.at(0).size, 3u);
  EXPECT_EQ(whole.files, std::vector<fs::path>{folder / "whole.webnnb"});
  EXPECT_EQ(parts.files, (std::vector<fs::path>{folder / "parts.webnnb", folder / "parts.safetensors"}));
  Context context = test::makeContext();
  EXPECT_TRUE(definitionOf(load(context, folder / "whole.webnnb")) == definitionOf(load(context, folder / "parts.webnnb")));
  EXPECT_TRUE(definitionOf(load(context, folder / "parts.webnnb")).nodes.size() == 2);
  fs::remove(folder / "parts.safetensors");
  expectError(ErrorKind::dataError, {"parts.webnnb: constants[0]: its bytes are in a file of weights, which there is not."},
              [&] { load(context, folder / "parts.webnnb"); });
  fs::remove_all(folder);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
