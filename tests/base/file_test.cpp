#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "support/files.h"
#include "support/support.h"

namespace webnn {
namespace {

using test::readText;
using test::textOf;
using test::writeText;

std::size_t filesIn(const test::TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

mode_t permissionsOf(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(MapFile, ShowsTheBytesForAsLongAsTheyAreKept) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "seven..");
  const ExternalBytes file = mapFile(folder / "a");
  std::filesystem::remove(folder / "a");
  EXPECT_EQ(textOf(file.bytes), "seven..");
}

TEST(MapFile, AnEmptyFileIsEmpty) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "");
  EXPECT_TRUE(mapFile(folder / "a").bytes.empty());
}

TEST(MapFile, RejectsWhatIsNoRegularFileWithoutWaiting) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  writeText(folder / "file", "x");
  test::expectError(ErrorKind::notFoundError, {"absent", "No such file"}, [&] { mapFile(folder / "absent"); });
  test::expectError(ErrorKind::notFoundError, {"Not a directory"}, [&] { mapFile(folder / "file/inside"); });
  test::expectError(ErrorKind::dataError, {"pipe", "no regular file"}, [&] { mapFile(folder / "pipe"); });
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { mapFile(folder.path()); });
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { mapFile("/dev/null"); });
}

TEST(ReplaceFile, WritesManySmallAndLargePieces) {
  const test::TemporaryFolder folder;
  std::string expected;
  replaceFile(folder / "a", [&](std::ostream& out) {
    for (int i = 0; i < 300; ++i) {
      const std::string piece(static_cast<std::size_t>(i * 7 % 1000 + (i == 150 ? 200000 : 0)), static_cast<char>('a' + i % 26));
      expected += piece + '!';
      out << piece;
      out.put('!');
    }
  });
  EXPECT_EQ(readText(folder / "a"), expected);
  EXPECT_EQ(filesIn(folder), 1u);
}

TEST(ReplaceFile, LeavesEverythingAsItWasIfTheWriterThrows) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  const auto failing = [](std::ostream& out) {
    out << std::string(1 << 20, 'x');
    throw std::runtime_error("no");
  };
  EXPECT_THROW(replaceFile(folder / "a", failing), std::runtime_error);
  EXPECT_THROW(replaceFile(folder / "b", failing), std::runtime_error);
  EXPECT_EQ(readText(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder), 1u);
}

TEST(ReplaceFile, LeavesEverythingAsItWasIfTheStreamFails) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  test::expectError(ErrorKind::operationError, {"cannot be written"},
                    [&] { replaceFile(folder / "a", [](std::ostream& out) { out.setstate(std::ios::failbit); }); });
  EXPECT_EQ(readText(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder), 1u);
}

TEST(ReplaceFile, SaysWhyItFails) {
  const test::TemporaryFolder folder;
  const auto nothing = [](std::ostream&) {};
  test::expectError(ErrorKind::operationError, {"No such file"}, [&] { replaceFile(folder / "absent/a", nothing); });
  test::expectError(ErrorKind::operationError, {"no regular file"}, [&] { replaceFile(folder.path(), nothing); });
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  test::expectError(ErrorKind::operationError, {"no regular file"}, [&] { replaceFile(folder / "pipe", nothing); });
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(ReplaceFile, KeepsThePermissionsOfTheFile) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0640), 0);
  const mode_t mask = ::umask(0027);
  replaceFile(folder / "a", [](std::ostream& out) { out << "new"; });
  replaceFile(folder / "b", [](std::ostream& out) { out << "new"; });
  ::umask(mask);
  EXPECT_EQ(permissionsOf(folder / "a"), 0640u);
  EXPECT_EQ(permissionsOf(folder / "b"), 0640u);  // 0666 without the mask
  EXPECT_EQ(readText(folder / "a"), "new");
}

TEST(ReplaceFile, ReplacesTheFileBehindALink) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  std::filesystem::create_symlink("a", folder / "link");
  replaceFile(folder / "link", [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(readText(folder / "a"), "new");
}

TEST(ReplaceFile, LeavesTheMappedOldFileAlone) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  const ExternalBytes file = mapFile(folder / "a");
  replaceFile(folder / "a", [](std::ostream& out) { out << "something new"; });
  EXPECT_EQ(textOf(file.bytes), "old");
}

}  // namespace
}  // namespace webnn
