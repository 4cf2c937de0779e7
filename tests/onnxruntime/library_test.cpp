#include "backends/onnxruntime/library.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <thread>

#include "support/files.h"
#include "support/onnxruntime.h"
#include "support/support.h"

namespace webnn::onnxruntime {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

fs::path touch(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::writeText(path, "");
  return path;
}

TEST(Candidates, ComeFromTheLoaderThenFromPythonPackages) {
  const test::TemporaryFolder root;
  const std::string wheel = "/onnxruntime/capi/libonnxruntime.so.1.20.1";
  Paths expected{"libonnxruntime.so.1", "libonnxruntime.so"};
  for (const fs::path& path :
       {root / ("venv/lib/python3.12/site-packages" + wheel), root / ("home/.local/lib/python3.11/site-packages" + wheel),
        root / ("usr/local/lib/python3.11/dist-packages" + wheel), root / ("usr/local/lib/python3.12/site-packages" + wheel),
        root / ("usr/lib/python3/dist-packages" + wheel)}) {
    expected.push_back(touch(path));
  }
  touch(root / "venv/lib/python3.12/site-packages/onnxruntime/capi/libother.so");
  touch(root / "venv/lib/python2.7/site-packages/onnxruntime/capi/libonnxruntime.so");
  const Paths found =
      candidates(libraryKind(), {.virtualEnvironment = root / "venv", .home = root / "home", .root = root.path()});
  EXPECT_EQ(found, expected);
}

// Sets an environment variable for a test. The destructor restores its value.
class Variable {
 public:
  Variable(const char* name, const fs::path& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value.empty() ? ::unsetenv(name) : ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

// Tests where the library is searched. A user who can write to the working directory, or to a directory above it, must not be
// able to choose the code that runs.
TEST(Candidates, OfAProcessAreThoseOfTheSystemUnlessItAsksForMore) {
  const test::TemporaryFolder folder;
  const std::string file = "/libonnxruntime.so.1.31.1";
  touch(folder / ("node_modules/onnxruntime-node/bin/napi-v6/linux/x64" + file));
  touch(folder / ("node_modules/onnxruntime-node/bin/napi-v6/linux/arm64" + file));
  touch(folder / ("work" + file));
  const fs::path wheel = touch(folder / ("venv/lib/python3.12/site-packages/onnxruntime/capi" + file));
  const fs::path before = fs::current_path();
  fs::current_path(folder / "work");
  const Variable library("WEBNN_ONNXRUNTIME", {}), environment("VIRTUAL_ENV", folder / "venv"), home("HOME", folder.path());
  const Paths system{"libonnxruntime.so.1", "libonnxruntime.so"};
  EXPECT_EQ(candidates(libraryKind(), SearchPlaces::ofProcess(libraryKind())), system);
  const Paths found = candidates(libraryKind(), SearchPlaces::ofProcess(libraryKind(), {{"search", "python"}}));
  fs::current_path(before);
  EXPECT_EQ(Paths(found.begin(), found.begin() + 2), system);
  EXPECT_EQ(std::ranges::count(found, wheel), 1);
  for (const fs::path& path : found) EXPECT_EQ(path.string().find("node_modules"), std::string::npos) << path;
}

TEST(Candidates, AreFromTheOptionOrElseFromTheVariable) {
  const test::TemporaryFolder folder;
  const fs::path inFolder = touch(folder / "release/libonnxruntime.so"),
                 below = touch(folder / "release/lib/libonnxruntime.so.1.22.0");
  const SearchPlaces both{.option = folder / "mine.so", .variable = folder / "release"};
  EXPECT_EQ(candidates(libraryKind(), both), Paths{folder / "mine.so"});
  EXPECT_EQ(candidates(libraryKind(), {.variable = folder / "release"}), (Paths{inFolder, below}));
}

TEST(Candidates, LeaveOutPlacesThatAreNotThere) {
  EXPECT_EQ(candidates(libraryKind(), {.systemLoader = false, .root = "/nowhere/at/all"}), Paths{});
}

void expectNoLibrary(const SearchPlaces& places, const std::vector<std::string>& parts) {
  test::expectError(ErrorKind::notSupportedError, parts, [&] { Library::load(places); });
}

TEST(LibraryErrors, SayWhereWasLookedAndHowToGetOne) {
  const test::TemporaryFolder folder;
  expectNoLibrary({.option = folder / "missing.so"},
                  {"missing.so", "pip install onnxruntime", "WEBNN_ONNXRUNTIME", "search=python"});
  expectNoLibrary({.option = folder.path()}, {"option library", folder.path().string(), "holds no libonnxruntime.so"});
  expectNoLibrary({.variable = folder.path()}, {"variable WEBNN_ONNXRUNTIME", folder.path().string()});
  expectNoLibrary({.systemLoader = false, .root = "/nowhere"}, {"VIRTUAL_ENV", "pip install onnxruntime"});
}

TEST(LibraryErrors, SayWhyALibraryIsUnfit) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "text.so", std::string(5000, '-'));
  expectNoLibrary({.option = folder / "text.so"}, {"text.so", "invalid ELF header"});
  expectNoLibrary({.option = "libm.so.6"}, {"\"libm.so.6\" is not ONNX Runtime"});
  expectNoLibrary({.option = WEBNN_OLD_LIBRARY}, {"is of version 1.15.1, older than 1.20"});
}

TEST(LibraryErrors, NameFilesThatAreNoLibraryForThisProcessor) {
  const test::TemporaryFolder folder;
  const fs::path pipe = folder / "libonnxruntime.so", foreign = folder / "foreign.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expectNoLibrary({.option = pipe}, {"libonnxruntime.so\" is no file"});
  expectNoLibrary({.option = folder.path()}, {"libonnxruntime.so\" is no file"});
  std::string header = test::readText("/proc/self/exe").substr(0, 64);
  header[18] = static_cast<char>(header[18] ^ 1);  // e_machine: another processor
  test::writeText(foreign, header);
  expectNoLibrary({.option = foreign}, {"foreign.so\" is for another processor"});
}

TEST(LibraryErrors, NameLibrariesWithoutASuitableApi) {
  expectNoLibrary({.option = WEBNN_NULL_BASE}, {"is not ONNX Runtime"});
  expectNoLibrary({.option = WEBNN_NULL_VERSION}, {"is not ONNX Runtime"});
  expectNoLibrary({.option = WEBNN_NULL_API}, {"is of version 1.31.1, but has no API of version 20"});
}

TEST(LibraryErrors, NameUnreadableFiles) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const test::TemporaryFolder folder;
  fs::permissions(touch(folder / "secret.so"), fs::perms::none);
  expectNoLibrary({.option = folder / "secret.so"}, {"secret.so", "Permission denied"});
}

TEST(LibraryErrors, NameEveryUnfitCandidate) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "libonnxruntime.so.1", "no library");
  test::writeText(folder / "libonnxruntime.so.2", "no library");
  expectNoLibrary({.variable = folder.path()}, {"libonnxruntime.so.1: ", "libonnxruntime.so.2: "});
}

TEST(Library, IsLoadedOnceForAllThreads) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  std::vector<const Library*> found(4);
  std::vector<std::thread> threads;
  for (const Library*& library : found)
    threads.emplace_back([&library] { library = &Library::load(SearchPlaces::ofProcess(libraryKind())); });
  for (std::thread& thread : threads) thread.join();
  for (const Library* library : found) EXPECT_EQ(library, found.front());
}

TEST(Library, KnowsItsVersionAndProviders) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const Library& library = Library::load(SearchPlaces::ofProcess(libraryKind()));
  EXPECT_TRUE(std::regex_match(library.version(), std::regex("1\\.[0-9]+\\.[0-9]+.*"))) << library.version();
  EXPECT_EQ(std::ranges::count(library.providers(), "CPU"), 1);
}

// Returns the path of ONNX Runtime's header, if it is installed.
fs::path headerPath() {
  if (const char* path = std::getenv("WEBNN_ONNXRUNTIME_HEADER")) return path;
  for (const char* base : {"/usr/include", "/usr/local/include"}) {
    for (const char* folder : {"onnxruntime", "onnxruntime/core/session", ""}) {
      const fs::path path = fs::path(base) / folder / "onnxruntime_c_api.h";
      if (fs::exists(path)) return path;
    }
  }
  return {};
}

// Returns the functions of struct OrtApi by name, with their positions.
std::map<std::string, std::size_t> slotsOf(std::string header) {
  header = std::regex_replace(header, std::regex("//[^\n]*"), "");
  for (std::size_t start = 0; (start = header.find("/*", start)) != std::string::npos;) {
    header.erase(start, header.find("*/", start) + 2 - start);
  }
  const std::size_t start = header.find("struct OrtApi {");
  header = header.substr(start, header.find("\n};", start) - start);
  static const std::regex slot(
      R"(ORT_API2_STATUS\(\s*(\w+)|ORT_CLASS_RELEASE\(\s*(\w+)|(?:ORT_API_T\([^,]*,|\(\s*ORT_API_CALL\s*\*)\s*(\w+))");
  std::map<std::string, std::size_t> slots;
  std::size_t index = 0;
  for (std::sregex_iterator match(header.begin(), header.end(), slot), end; match != end; ++match, ++index) {
    slots[(*match)[2].matched ? "Release" + (*match)[2].str() : (*match)[1].str() + (*match)[3].str()] = index;
  }
  return slots;
}

TEST(Api, HasTheIndicesOfTheHeader) {
  const fs::path path = headerPath();
  if (path.empty()) GTEST_SKIP() << "set WEBNN_ONNXRUNTIME_HEADER to the path of onnxruntime_c_api.h";
  const auto slots = slotsOf(test::readText(path));
  ASSERT_GT(slots.size(), 200u);
#define WEBNN_EXPECT_SLOT(index, name, ...) EXPECT_EQ(slots.at(#name), std::size_t{index}) << #name;
  WEBNN_ONNXRUNTIME_SLOTS(WEBNN_EXPECT_SLOT)
#undef WEBNN_EXPECT_SLOT
#define WEBNN_EXPECT_SLOT(index, name, type, minor)          \
  if (slots.contains(#name)) {                               \
    EXPECT_EQ(slots.at(#name), std::size_t{index}) << #name; \
  }
  WEBNN_ONNXRUNTIME_NEWER_SLOTS(WEBNN_EXPECT_SLOT)
#undef WEBNN_EXPECT_SLOT
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::onnxruntime
