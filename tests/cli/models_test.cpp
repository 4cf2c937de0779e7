// Tests real networks, if the directory shared/models is beside the repository.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "cli/tool.h"
#include "formats/npy/npy.h"
#include "support/files.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::filesystem::path kSqueezenet = repositoryFile("../shared/models/squeezenet1.1");

std::vector<Number> readArray(const std::filesystem::path& path) {
  const formats::Array array = formats::readNpy(mapFile(path).bytes);
  return unpack(array.descriptor, array.bytes);
}

TEST(Squeezenet, RecognizesTheAnimalOnThePhoto) {
  if (!std::filesystem::exists(kSqueezenet)) GTEST_SKIP() << kSqueezenet << " is not there";
  const ToolResult result =
      runTool({"run", kSqueezenet / "squeezenet1.1.webnn", "--image", "image=" + (kSqueezenet / "photo.jpg").string(), "--preset",
               "imagenet", "--top", "1", "--labels", kSqueezenet / "imagenet_classes.txt", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["outputs"]["logits"]["top"][0][0]["label"], "lesser panda");
}

TEST(Squeezenet, GivesTheRecordedOutputs) {
  if (!std::filesystem::exists(kSqueezenet)) GTEST_SKIP() << kSqueezenet << " is not there";
  for (const std::string set : {"0", "1"}) {
    const TemporaryFolder folder;
    const std::filesystem::path data = kSqueezenet / "test_data_set" / set;
    const ToolResult result = runTool({"run", kSqueezenet / "squeezenet1.1.webnn", "--input", data / "input_0.npy", "--output",
                                       "logits=" + (folder / "logits.npy").string()});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::vector<Number> actual = readArray(folder / "logits.npy"), expected = readArray(data / "output_0.npy");
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_NEAR(actual[i].toDouble(), expected[i].toDouble(), 1e-3 * std::max(1e-3, std::fabs(expected[i].toDouble())))
          << "at " << i;
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
