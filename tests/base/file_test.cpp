#include "base/files/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/files/open_below.h"
#include "support/files.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

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

TEST(MapFile, RejectsPipesAndAbsentFilesWithoutWaiting) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  writeText(folder / "file", "x");
  test::expectError(ErrorKind::notFoundError, {"absent", "No such file"}, [&] { mapFile(folder / "absent"); });
  test::expectError(ErrorKind::notFoundError, {"Not a directory"}, [&] { mapFile(folder / "file/inside"); });
  test::expectError(ErrorKind::dataError, {"pipe", "no regular file"}, [&] { mapFile(folder / "pipe"); });
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { mapFile(folder.path()); });
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { mapFile("/dev/null"); });
}

TEST(MapFile, RefusesAPathWithAZeroByte) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "data");
  const std::filesystem::path cut = folder / std::string("a\0b", 3);
  test::expectError(ErrorKind::operationError, {"cannot be opened (Invalid argument)"}, [&] { mapFile(cut); });
  test::expectError(ErrorKind::operationError, {"cannot be replaced (Invalid argument)"},
                    [&] { replaceFile(cut, [](std::ostream& stream) { stream << "other"; }); });
  EXPECT_EQ(readText(folder / "a"), "data");
}

TEST(MapFile, CanReadInsteadOfMapping) {
  const test::TemporaryFolder folder;
  const std::string content(100'000, 'x');
  writeText(folder / "a", content);
  const ExternalBytes file = mapFile(folder / "a", FileAccess::read);
  std::filesystem::resize_file(folder / "a", 1);  // a mapping would have lost its pages here
  EXPECT_EQ(textOf(file.bytes), content);
  EXPECT_EQ(textOf(mapFile(folder / "a", FileAccess::read).bytes), "x");
  writeText(folder / "a", "");
  EXPECT_TRUE(mapFile(folder / "a", FileAccess::read).bytes.empty());
}

// Makes a directory beside a secret file, with links to that file, to the parent directory and to a subdirectory.
class OpenBelow : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(top_ / "models/sub/deep");
    writeText(top_ / "secret", "secret");
    writeText(top_ / "models/sub/deep/data", "data");
    std::filesystem::create_symlink("../secret", top_ / "models/link");
    std::filesystem::create_symlink(top_ / "secret", top_ / "models/sub/link");
    std::filesystem::create_directory_symlink("..", top_ / "models/up");
    std::filesystem::create_directory_symlink("sub", top_ / "models/inner");
  }
  // Opens the path with openBelow and with openBelowByComponents. Returns the text or the error, which must be the same.
  std::string open(const std::filesystem::path& path) const {
    std::array<std::string, 2> found;
    const FileDescriptor folder(::open((top_ / "models").c_str(), O_RDONLY | O_DIRECTORY));
    for (std::size_t i = 0; i < 2; ++i) {
      const FileDescriptor file = i == 0 ? openBelow(folder, path) : openBelowByComponents(folder, path);
      found[i] = file ? textFrom(file) : errno == ELOOP ? "ELOOP" : errno == EXDEV ? "EXDEV" : std::to_string(errno);
    }
    EXPECT_EQ(found[0], found[1]) << path;
    return found[1];
  }
  static std::string textFrom(const FileDescriptor& file) {
    std::array<char, 100> text{};
    const ssize_t count = ::read(file.get(), text.data(), text.size());
    return count < 0 ? "unreadable" : std::string(text.data(), static_cast<std::size_t>(count));
  }

  test::TemporaryFolder top_;
};

TEST_F(OpenBelow, OpensFilesAndNoLink) {
  EXPECT_EQ(open("sub/deep/data"), "data");
  EXPECT_EQ(open("./sub//deep/./data"), "data");
  for (const char* path : {"link", "sub/link", "up/secret", "inner/deep/data"}) EXPECT_EQ(open(path), "ELOOP") << path;
  EXPECT_EQ(open("../secret"), "EXDEV");
  EXPECT_EQ(open(top_ / "secret"), "EXDEV");
  EXPECT_EQ(open("absent"), std::to_string(ENOENT));
  EXPECT_EQ(open("sub/absent/data"), std::to_string(ENOENT));
  EXPECT_EQ(open("sub/deep/data/more"), std::to_string(ENOTDIR));
}

TEST_F(OpenBelow, SaysWhichFileItDoesNotOpen) {
  test::expectError(ErrorKind::dataError, {"models/link\"", "symbolic link"}, [&] { mapFileBelow(top_ / "models", "link"); });
  EXPECT_EQ(mapFileBelow(top_ / "models", "absent"), std::nullopt);
  EXPECT_EQ(textOf(mapFileBelow(top_ / "models", "sub/deep/data")->bytes), "data");
  test::expectError(ErrorKind::dataError, {"no regular file"}, [&] { mapFileBelow(top_ / "models", "sub"); });
  test::expectError(ErrorKind::notFoundError, {"nowhere"}, [&] { mapFileBelow(top_ / "nowhere", "data"); });
}

TEST_F(OpenBelow, ReadsNothingOutsideWhileLinksAndFoldersChangePlaces) {
  std::filesystem::create_directory(top_ / "models/a");
  std::filesystem::create_directory(top_ / "outside");
  writeText(top_ / "models/a/data", "data");
  writeText(top_ / "outside/data", "secret");
  std::filesystem::create_directory_symlink("../outside", top_ / "models/b");
  std::atomic<bool> done{false};
  std::thread swapper([&] {
    const std::string a = top_ / "models/a", b = top_ / "models/b";
    while (!done) ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
  });
  const FileDescriptor folder(::open((top_ / "models").c_str(), O_RDONLY | O_DIRECTORY));
  for (int i = 0; i < 5000; ++i) {
    const FileDescriptor file = i % 2 == 0 ? openBelow(folder, "a/data") : openBelowByComponents(folder, "a/data");
    if (file) {
      EXPECT_EQ(textFrom(file), "data");
    }
  }
  done = true;
  swapper.join();
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
  test::expectError(ErrorKind::operationError, {"absent/a\"", "No such file"},
                    [&] { replaceFile(folder / "absent/a", nothing); });
  test::expectError(ErrorKind::operationError, {"no regular file"}, [&] { replaceFile(folder.path(), nothing); });
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  test::expectError(ErrorKind::operationError, {"no regular file"}, [&] { replaceFile(folder / "pipe", nothing); });
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

// Tests that a link to an unnamed pipe is refused; /dev/stdout may be such a link. The refusal must leave no new files
// in the directory.
TEST(ReplaceFile, RefusesALinkToAPipeBeforeAnyFileIsReplaced) {
  const test::TemporaryFolder folder;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(ends[1]), folder / "out");
  Replacement files;
  files.add(folder / "beside", [](std::ostream& out) { out << "new"; });
  test::expectError(ErrorKind::operationError, {"out", "no regular file"},
                    [&] { files.add(folder / "out", [](std::ostream& out) { out << "new"; }); });
  EXPECT_EQ(filesIn(folder), 1u);
  ::close(ends[0]);
  ::close(ends[1]);
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
  EXPECT_EQ(permissionsOf(folder / "b"), 0640u);  // 0666 without the bits of the umask
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

TEST(ReplaceFile, LeavesNothingBehindIfTheProcessIsKilled) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    replaceFile(folder / "a", [](std::ostream& out) {
      out << std::string(1 << 20, 'x') << std::flush;
      ::kill(::getpid(), SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(readText(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder), 1u);
}

TEST(Replacement, ReplacesAllOrNothing) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  {
    Replacement files;
    files.add(folder / "a", [](std::ostream& out) { out << "new"; });
    files.add(folder / "b", [](std::ostream& out) { out << "new"; });
    EXPECT_EQ(readText(folder / "a"), "old");
    EXPECT_EQ(filesIn(folder), 1u);
  }
  EXPECT_EQ(readText(folder / "a"), "old");
  EXPECT_EQ(filesIn(folder), 1u);
}

TEST(Replacement, DoesNotMixFilesOfTwoThatReplaceTheSame) {
  const test::TemporaryFolder folder;
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> ready{0};
    const auto writer = [&](const char* content) {
      Replacement files;
      for (const char* name : {"a", "b", "c"}) files.add(folder / name, [&](std::ostream& out) { out << content; });
      ++ready;
      while (ready < 2) std::this_thread::yield();
      files.commit();
    };
    std::thread other(writer, "1");
    writer("2");
    other.join();
    ASSERT_EQ(readText(folder / "a"), readText(folder / "b"));
    ASSERT_EQ(readText(folder / "a"), readText(folder / "c"));
  }
}

TEST(ReplaceFile, LeavesTheMappedOldFileAlone) {
  const test::TemporaryFolder folder;
  writeText(folder / "a", "old");
  const ExternalBytes file = mapFile(folder / "a");
  replaceFile(folder / "a", [](std::ostream& out) { out << "something new"; });
  EXPECT_EQ(textOf(file.bytes), "old");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
