// Tests the errors of load() for files that are not graphs.
#include <fstream>

#include "formats/formats_support.h"
#include "support/files.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using std::string_literals::operator""s;

struct ForeignFile : testing::Test {
  const test::TemporaryFolder folder;
  Context context = test::makeContext();

  // Checks that load() and describeFile() fail with the same parts in their error texts.
  void expectSays(const std::string& content, const std::vector<std::string>& parts) {
    const auto path = folder / "model.onnx";
    test::writeText(path, content);
    std::vector<std::string> named = parts;
    named.push_back("model.onnx: ");
    SCOPED_TRACE(parts[0]);
    test::expectError(ErrorKind::dataError, named, [&] { load(context, path); });
    test::expectError(ErrorKind::dataError, named, [&] { describeFile(path); });
  }
};

TEST_F(ForeignFile, IsNamedByItsContent) {
  expectSays("", {"is empty", ".webnn, .webnnb, JSON or ONNX"});
  expectSays("\xFF\xD8\xFF\xE0 JFIF", {"JPEG picture", "graph"});
  expectSays("\x89PNG\r\n\x1A\n\0\0\0\x0D"s, {"PNG picture", "graph"});
  expectSays("%PDF-1.7\n", {"PDF", "graph"});
  expectSays("\x93NUMPY\1\0"s, {"NumPy", "graph"});
  expectSays("RIFF\x10\0\0\0WAVEfmt "s, {"WAV", "graph"});
  expectSays("RIFF\x10\0\0\0WEBPVP8 "s, {"WebP", "graph"});
  expectSays("\0\1\2\3\4\5\6\7"s, {"binary", "graph"});
  expectSays("<!DOCTYPE html><html>404</html>", {"web page"});
  expectSays("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", {"Git LFS", "git lfs pull"});
}

TEST_F(ForeignFile, OfAnotherFrameworkMustBeExported) {
  expectSays("\x89HDF\r\n\x1A\n\0"s, {"HDF5", "Keras", "ONNX"});
  expectSays("\x1C\0\0\0TFL3\x14\0"s, {"TensorFlow Lite", "export it to ONNX"});
  expectSays("GGUF\3\0\0\0"s, {"GGUF", "ONNX"});
  expectSays("PK\3\4\24\0\0\0\0\0model/data.pkl...PK\1\2"s, {"PyTorch", "torch.onnx.export"});
  expectSays("\x80\2\x8A\x0A"s, {"pickle", "torch.onnx.export"});
  expectSays("<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"11\">", {"OpenVINO", "ONNX"});
  expectSays(R"({"modelTopology": {}, "weightsManifest": []})", {"TensorFlow.js", "ONNX"});
}

TEST_F(ForeignFile, ThatIsAnArchiveMustBeUnpacked) {
  expectSays("PK\3\4\24\0\0\0\0\0a.txt"s, {"ZIP", "unpack"});
  expectSays("\x1F\x8B\x08\0"s, {"gzip", "unpack"});
  expectSays(std::string(257, 'x') + "ustar", {"tar", "unpack"});
}

TEST_F(ForeignFile, WithWeightsLeadsToTheGraph) {
  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  expectSays(std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + "abcd",
             {"weights (safetensors)", ".webnn, .webnnb or .json"});
  expectSays("WGWT\1\0\0\0"s, {"weights (.weights)", ".webnn"});
  expectSays(R"({"format": "wg-weights-manifest", "version": 1, "tensors": {}})", {"manifest of weights", ".webnn"});
  expectSays(R"({"metadata": {}, "weight_map": {}})", {"index of weights", ".webnn"});
  expectSays(R"({"architectures": ["BertModel"]})", {"configuration of a model"});
}

TEST_F(ForeignFile, MayBeAnOnnxModelThatIsCutOff) {
  test::Fixture fixture;
  const Operand w = fixture.constant(DataType::float32, {4, 25}, {1});
  const auto path = folder / "whole.onnx";
  save(fixture.builder.build({{"y", fixture.builder.identity(w)}}), path, {.weights = WeightsFormat::inlineBytes});
  const std::string whole = test::readText(path);
  ASSERT_GT(whole.size(), 400u);
  expectSays(whole.substr(0, 4), {"ONNX model that is cut off"});
  expectSays(whole.substr(0, whole.size() / 2), {"ONNX model that is cut off", "its graph has"});
  expectSays(whole.substr(0, whole.size() - 1), {"ONNX model that is cut off"});
}

TEST_F(ForeignFile, IsNoTextWithAMistake) {
  expectSays("webnn_graph \"g\" v2 { \xFF }", {"line 1, column 22", "not UTF-8"});
  expectSays("# a comment\nwebnn_graph 1", {"line 2"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
