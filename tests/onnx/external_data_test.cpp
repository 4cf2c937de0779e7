// Tests tensors in files beside the model. They must be read, and files outside the model's directory must not be.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "onnx/read/model.h"
#include "support/onnx_model.h"
#include "support/support.h"
#include "webnn/formats.h"

namespace webnn::formats::onnx {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
namespace made = test::onnx;
using Entries = std::map<std::string, std::string>;

// Makes a directory "models/one" with the data of a model, and files outside it that the model must not read.
struct ExternalData : testing::Test {
  test::TemporaryFolder top;
  fs::path folder = top / "models/one";

  ExternalData() {
    fs::create_directories(folder / "sub");
    test::writeText(folder / "data", "0123456789");
    test::writeText(folder / "sub/data", "abcdef");
    test::writeText(top / "secret", "the secret");
    fs::create_directories(top / "models/one-more");
    test::writeText(top / "models/one-more/data", "the others");
  }

  std::string read(const Entries& entries, const made::Dims& dims = {4}) { return readIn(folder, entries, dims); }
  std::string readIn(const fs::path& place, const Entries& entries, const made::Dims& dims) {
    made::Graph graph;
    graph.initializers = {made::externalTensor("w", made::kInt8, dims, entries)};
    const Model model = readModel(test::bytesOf(made::modelBytes({graph})), place);
    return test::textOf(bytesOf(model.graph.initializers[0], model.file, model.external.get()).bytes);
  }
  void refuses(ErrorKind kind, const std::vector<std::string>& parts, const Entries& entries, const made::Dims& dims = {4}) {
    SCOPED_TRACE(testing::PrintToString(entries));
    test::expectError(kind, parts, [&] { read(entries, dims); });
  }
};

TEST_F(ExternalData, IsReadFromItsOffset) {
  EXPECT_EQ(read({{"location", "data"}}), "0123");
  EXPECT_EQ(read({{"location", "data"}, {"offset", "6"}}), "6789");
  EXPECT_EQ(read({{"location", "data"}, {"offset", "3"}, {"length", "4"}, {"checksum", "ignored"}}), "3456");
  EXPECT_EQ(read({{"location", "sub/data"}, {"offset", "2"}}), "cdef");
  EXPECT_EQ(read({{"location", "./sub/./data"}}), "abcd");
  EXPECT_EQ(read({{"location", "data"}, {"offset", "10"}}, {0}), "");
}

TEST_F(ExternalData, IsMappedOnceAndNotCopied) {
  made::Graph graph;
  graph.initializers = {made::externalTensor("a", made::kInt8, {4}, {{"location", "data"}}),
                        made::externalTensor("b", made::kInt8, {2}, {{"location", "data"}, {"offset", "1"}})};
  const Model model = readModel(test::bytesOf(made::modelBytes({graph})), folder);
  const ExternalBytes a = bytesOf(model.graph.initializers[0], model.file, model.external.get());
  const ExternalBytes b = bytesOf(model.graph.initializers[1], model.file, model.external.get());
  EXPECT_EQ(b.bytes.data(), a.bytes.data() + 1);
  EXPECT_EQ(a.keepAlive, b.keepAlive);
}

TEST_F(ExternalData, StaysMappedWhenTheModelIsGone) {
  ExternalBytes kept;
  {
    made::Graph graph;
    graph.initializers = {made::externalTensor("a", made::kInt8, {4}, {{"location", "data"}})};
    const Model model = readModel(test::bytesOf(made::modelBytes({graph})), folder);
    kept = bytesOf(model.graph.initializers[0], model.file, model.external.get());
  }
  EXPECT_EQ(test::textOf(kept.bytes), "0123");
}

TEST_F(ExternalData, MayLieBesideAModelInTheWorkingFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  EXPECT_EQ(readIn(".", {{"location", "data"}}, {4}), "0123");
  // A model that is not in a file has no files beside it, not even in the working directory.
  test::expectError(ErrorKind::dataError, {"not in a file", "\"data\""}, [&] { readIn("", {{"location", "data"}}, {4}); });
  fs::current_path(before);
}

TEST_F(ExternalData, IsNotOpenedIfOnlyNamedFilesAre) {
  made::Graph graph;
  graph.nodes = {{"Add", {"x", "w"}, {"y"}}};
  graph.initializers = {made::externalTensor("w", made::kInt8, {4}, {{"location", "data"}})};
  graph.inputs = {{"x", made::kInt8, {{4}}}};
  graph.outputs = {{"y"}};
  test::writeText(folder / "model.onnx", made::modelBytes({graph}));
  Context context = test::makeContext();
  EXPECT_NO_THROW(load(context, folder / "model.onnx"));
  test::expectError(ErrorKind::notFoundError, {"\"data\"", "only named files"},
                    [&] { load(context, folder / "model.onnx", {.namedFilesOnly = true}); });
}

TEST_F(ExternalData, MustHaveTheLengthOfTheShape) {
  refuses(ErrorKind::dataError, {"\"w\"", "3 bytes", "4"}, {{"location", "data"}, {"length", "3"}});
  refuses(ErrorKind::dataError, {"5 bytes", "4"}, {{"location", "data"}, {"length", "5"}});
  refuses(ErrorKind::dataError, {"length", "\"four\""}, {{"location", "data"}, {"length", "four"}});
  refuses(ErrorKind::dataError, {"offset", "\"-1\""}, {{"location", "data"}, {"offset", "-1"}});
  refuses(ErrorKind::dataError, {"offset", "\"0x1\""}, {{"location", "data"}, {"offset", "0x1"}});
  refuses(ErrorKind::dataError, {"offset", "\"\""}, {{"location", "data"}, {"offset", ""}});
  refuses(ErrorKind::dataError, {"offset"}, {{"location", "data"}, {"offset", "18446744073709551616"}});
}

TEST_F(ExternalData, MustLieInsideItsFile) {
  refuses(ErrorKind::dataError, {"4 bytes at 7", "\"data\"", "10"}, {{"location", "data"}, {"offset", "7"}});
  refuses(ErrorKind::dataError, {"4 bytes at 11"}, {{"location", "data"}, {"offset", "11"}});
  refuses(ErrorKind::dataError, {"at 18446744073709551615"}, {{"location", "data"}, {"offset", "18446744073709551615"}});
  refuses(ErrorKind::dataError, {"11 bytes at 0"}, {{"location", "data"}}, {11});
  refuses(ErrorKind::dataError, {"1152921504606846976 bytes"}, {{"location", "data"}}, {std::int64_t{1} << 60});
}

TEST_F(ExternalData, DoesNotLeadOutOfTheModelsFolder) {
  refuses(ErrorKind::dataError, {"\"../../secret\"", "leads out"}, {{"location", "../../secret"}});
  refuses(ErrorKind::dataError, {"leads out"}, {{"location", "../one-more/data"}});
  refuses(ErrorKind::dataError, {"leads out"}, {{"location", "sub/../data"}});
  refuses(ErrorKind::dataError, {"leads out"}, {{"location", ".."}});
  refuses(ErrorKind::dataError, {"is absolute"}, {{"location", (top / "secret").string()}});
  refuses(ErrorKind::dataError, {"is absolute"}, {{"location", (folder / "data").string()}});
  refuses(ErrorKind::dataError, {"is absolute"}, {{"location", "/dev/zero"}});
  refuses(ErrorKind::dataError, {"is empty"}, {{"location", ""}});
  refuses(ErrorKind::dataError, {"is empty"}, {{"offset", "1"}});
  refuses(ErrorKind::dataError, {"zero byte"}, {{"location", std::string("data\0x", 6)}});
}

TEST_F(ExternalData, FollowsNoSymbolicLink) {
  fs::create_symlink(top / "secret", folder / "file-link");
  fs::create_directory_symlink(top / "models/one-more", folder / "folder-link");
  fs::create_symlink("sub/data", folder / "inner-link");
  refuses(ErrorKind::dataError, {"file-link\"", "symbolic link"}, {{"location", "file-link"}});
  refuses(ErrorKind::dataError, {"folder-link/data\"", "symbolic link"}, {{"location", "folder-link/data"}});
  refuses(ErrorKind::dataError, {"inner-link\"", "symbolic link"}, {{"location", "inner-link"}});
  fs::create_directory_symlink(folder, top / "alias");
  EXPECT_EQ(readIn(top / "alias", {{"location", "data"}}, {4}), "0123") << "the folder itself may be reached by one";
}

TEST_F(ExternalData, MustBeARegularFile) {
  refuses(ErrorKind::dataError, {"no regular file"}, {{"location", "sub"}});
  refuses(ErrorKind::dataError, {"no regular file"}, {{"location", "."}});
  refuses(ErrorKind::notFoundError, {"absent"}, {{"location", "absent"}});
  refuses(ErrorKind::notFoundError, {"data/x"}, {{"location", "data/x"}});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats::onnx
