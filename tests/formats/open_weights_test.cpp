#include <string>

#include "formats/document/weights.h"
#include "support/files.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

using test::writeText;

// Makes a directory for graphs, and a directory outside it.
class OpenWeights : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_ / "models"); }

  std::filesystem::path file(const std::string& name) const { return folder_ / ("models/" + name); }
  // Writes a file with the tensor "w", a single uint8. With manifest(), "w" is the byte `index` of the file that blob() writes.
  void safetensors(const std::string& name, char byte) const {
    const std::string header = R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    writeText(file(name), test::raw<std::uint64_t>({header.size()}) + header + byte);
  }
  void blob(const std::string& name, const std::string& bytes) const {
    writeText(file(name), std::string("WGWT\1\0\0\0", 8) + bytes);
  }
  void manifest(const std::string& name, int index) const {
    writeText(file(name), R"({"tensors":{"w":{"byteOffset":)" + std::to_string(8 + index) + R"(,"byteLength":1}}})");
  }
  // Returns the byte in the weights that are found for models/g.webnn, or "none".
  std::string open(const LoadOptions& options = {}) const {
    const std::unique_ptr<WeightsReader> reader = openWeights(file("g.webnn"), options);
    return reader ? test::textOf(reader->find("w", {DataType::uint8, {1}}).bytes) : "none";
  }

  test::TemporaryFolder folder_;
};

TEST_F(OpenWeights, LooksForFourNamesInOrder) {
  EXPECT_EQ(open(), "none");
  blob("model.weights", "1");
  manifest("manifest.json", 0);
  EXPECT_EQ(open(), "1");
  safetensors("model.safetensors", '2');
  EXPECT_EQ(open(), "2");
  blob("g.weights", "3");
  EXPECT_EQ(open(), "3");
  safetensors("g.safetensors", '4');
  EXPECT_EQ(open(), "4");
}

TEST_F(OpenWeights, LooksForTwoManifestsInOrder) {
  blob("g.weights", "xyz");
  test::expectError(ErrorKind::notFoundError, {"g.weights", "manifest.json", "g.manifest.json"}, [&] { open(); });
  manifest("manifest.json", 2);
  EXPECT_EQ(open(), "z");
  manifest("g.manifest.json", 1);
  EXPECT_EQ(open(), "y");
  manifest("explicit.json", 0);
  EXPECT_EQ(open({.manifest = "explicit.json"}), "x");
}

TEST_F(OpenWeights, TakesExplicitPathsFromTheGraphsFolderOrAnywhere) {
  safetensors("model.safetensors", '1');
  safetensors("other.bin", '2');
  safetensors("../outside.safetensors", '3');
  EXPECT_EQ(open({.weights = "other.bin"}), "2");
  EXPECT_EQ(open({.weights = "../outside.safetensors"}), "3");
  EXPECT_EQ(open({.weights = folder_ / "outside.safetensors"}), "3");
  test::expectError(ErrorKind::notFoundError, {"absent.bin"}, [&] { open({.weights = "absent.bin"}); });
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { open({.weights = "."}); });
}

TEST_F(OpenWeights, ContentDecidesTheFormat) {
  blob("blob.safetensors", "a");
  safetensors("tensors.weights.bin", 'b');
  manifest("manifest.json", 0);
  EXPECT_EQ(open({.weights = "blob.safetensors"}), "a");
  EXPECT_EQ(open({.weights = "tensors.weights.bin"}), "b");
  writeText(file("g.weights"), "neither");
  test::expectError(ErrorKind::dataError, {"WGWT"}, [&] { open(); });
}

TEST_F(OpenWeights, AnExplicitManifestMustBeThereAndHaveWeights) {
  manifest("m.json", 0);
  test::expectError(ErrorKind::notFoundError, {"no weights", "m.json"}, [&] { open({.manifest = "m.json"}); });
  safetensors("model.safetensors", '1');
  EXPECT_EQ(open({.manifest = "m.json"}), "1");  // safetensors need no manifest
  test::expectError(ErrorKind::notFoundError, {"absent.json"}, [&] { open({.manifest = "absent.json"}); });
}

TEST_F(OpenWeights, FollowsNoDiscoveredLinkOutOfTheFolder) {
  safetensors("../outside.safetensors", '1');
  std::filesystem::create_symlink("../outside.safetensors", file("model.safetensors"));
  test::expectError(ErrorKind::dataError, {"model.safetensors", "symbolic link"}, [&] { open(); });
  EXPECT_EQ(open({.weights = "model.safetensors"}), "1");  // allowed, because the caller names it
  std::filesystem::remove(file("model.safetensors"));

  blob("g.weights", "x");
  manifest("../outside.json", 0);
  std::filesystem::create_symlink("../outside.json", file("manifest.json"));
  test::expectError(ErrorKind::dataError, {"manifest.json", "symbolic link"}, [&] { open(); });
}

TEST_F(OpenWeights, FollowsNoDiscoveredLinkWithinTheFolder) {
  std::filesystem::create_directory(file("data"));
  safetensors("data/v2.safetensors", '1');
  std::filesystem::create_symlink("data/v2.safetensors", file("model.safetensors"));
  test::expectError(ErrorKind::dataError, {"model.safetensors", "symbolic link"}, [&] { open(); });
  EXPECT_EQ(open({.weights = "model.safetensors"}), "1");
}

TEST_F(OpenWeights, RejectsADiscoveredFolder) {
  std::filesystem::create_directory(file("model.safetensors"));
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { open(); });
}

TEST_F(OpenWeights, WorksWhenTheFolderItselfIsReachedByALink) {
  safetensors("model.safetensors", '1');
  std::filesystem::create_symlink("models", folder_ / "link");
  const auto reader = openWeights(folder_ / "link/g.webnn", {});
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(test::textOf(reader->find("w", {DataType::uint8, {1}}).bytes), "1");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
