// Tests the inputs and outputs that files declare, before the sizes of their open dimensions are known. (For ONNX, see also
// bindings/python/tests/test_ray.py.)
#include <stop_token>
#include <string>

#include "support/files.h"
#include "support/onnx_model.h"
#include "support/support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using test::writeText;

constexpr const char* kText = R"(webnn_graph "g" v2 {
  inputs { x: f32[dyn("batch", 64), 3]; i: i8[2]; s: u8[]; }
  consts { w: f32[3] @weights("w"); }
  nodes { y = add(x, w); z = identity(i); t = identity(s); }
  outputs { y; z; t; }
})";

std::string textOf(const FileDescription& description) {
  std::string text;
  for (const DeclaredInput& input : description.inputs) {
    text += input.name + " " + std::string(name(input.dataType)) + "[";
    for (const DeclaredDimension& dimension : input.shape) text += dimension.name + ":" + std::to_string(dimension.size) + " ";
    text += "]\n";
  }
  return text;
}

TEST(DescribeFile, SaysInputsAndFilesWithoutReadingWeights) {
  const test::TemporaryFolder folder;
  writeText(folder / "g.webnn", kText);
  writeText(folder / "g.safetensors", "not even weights");
  const FileDescription description = describeFile(folder / "g.webnn");
  EXPECT_EQ(textOf(description), "x float32[batch:64 :3 ]\ni int8[:2 ]\ns uint8[]\n");
  EXPECT_EQ(description.files, (std::vector<std::filesystem::path>{folder / "g.webnn", folder / "g.safetensors"}));
}

TEST(DescribeFile, NamesAManifestToo) {
  const test::TemporaryFolder folder;
  writeText(folder / "g.webnn", kText);
  writeText(folder / "g.weights", std::string("WGWT\1\0\0\0", 8));
  writeText(folder / "g.manifest.json", "{}");
  EXPECT_EQ(describeFile(folder / "g.webnn").files,
            (std::vector<std::filesystem::path>{folder / "g.webnn", folder / "g.weights", folder / "g.manifest.json"}));
}

TEST(DescribeFile, OfContentListsOnlyFilesThatTheOptionsName) {
  const test::TemporaryFolder folder;
  writeText(folder / "w.safetensors", "");
  const ExternalBytes content{std::as_bytes(std::span(std::string_view(kText))), nullptr};
  EXPECT_EQ(describeFile(content, {.weights = folder / "w.safetensors"}).files,
            (std::vector<std::filesystem::path>{folder / "w.safetensors"}));
  test::expectError(ErrorKind::notFoundError, {"weights"}, [&] { describeFile(content); });
}

TEST(DescribeFile, ThrowsAsLoadDoes) {
  const test::TemporaryFolder folder;
  test::expectError(ErrorKind::notFoundError, {"nothing.webnn"}, [&] { describeFile(folder / "nothing.webnn"); });
  writeText(folder / "g.webnn", "webnn_graph \"g\" v2 { inputs { x: f32[dyn( }");
  test::expectError(ErrorKind::dataError, {"g.webnn", "line 1"}, [&] { describeFile(folder / "g.webnn"); });
  writeText(folder / "g.webnn", kText);
  std::stop_source stop;
  stop.request_stop();
  test::expectError(ErrorKind::abortError, {}, [&] { describeFile(folder / "g.webnn", {.call = {.stop = stop.get_token()}}); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
