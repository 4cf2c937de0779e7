#include "onnxruntime/library.h"

#include <algorithm>
#include <map>
#include <regex>
#include <thread>

#include "support/files.h"
#include "support/onnxruntime.h"
#include "support/support.h"

namespace webnn::onnxruntime {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

// Makes an empty file, and the folders above it.
fs::path touch(const fs::path& path) {
  fs::create_directories(path.parent_path());
  test::writeText(path, "");
  return path;
}

#if defined(__aarch64__)
const std::string kNpm = "node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/";
#else
const std::string kNpm = "node_modules/onnxruntime-node/bin/napi-v6/linux/x64/";
#endif

TEST(Candidates, ComeFromTheLoaderThenPythonThenNode) {
  const test::TemporaryFolder root;
  const std::string wheel = "/onnxruntime/capi/libonnxruntime.so.1.20.1";
  const fs::path project = root / "a/project";
  Paths expected{"libonnxruntime.so.1", "libonnxruntime.so"};
  for (const fs::path& path :
       {root / ("venv/lib/python3.12/site-packages" + wheel), root / ("home/.local/lib/python3.11/site-packages" + wheel),
        root / ("usr/local/lib/python3.11/dist-packages" + wheel), root / ("usr/local/lib/python3.12/site-packages" + wheel),
        root / ("usr/lib/python3/dist-packages" + wheel), project / (kNpm + "libonnxruntime.so.1"),
        root / (kNpm + "libonnxruntime.so.1.21.0")}) {
    expected.push_back(touch(path));
  }
  touch(root / "venv/lib/python3.12/site-packages/onnxruntime/capi/libother.so");
  touch(root / "venv/lib/python2.7/site-packages/onnxruntime/capi/libonnxruntime.so");
  const Paths found =
      candidates({.virtualEnvironment = root / "venv", .home = root / "home", .currentFolder = project, .root = root.path()});
  EXPECT_EQ(found, expected);
}

TEST(Candidates, AreOnlyWhatTheOptionNamesThenWhatTheVariableNames) {
  const test::TemporaryFolder folder;
  const fs::path inFolder = touch(folder / "release/libonnxruntime.so"),
                 below = touch(folder / "release/lib/libonnxruntime.so.1.22.0");
  const SearchPlaces both{.option = folder / "mine.so", .variable = folder / "release", .currentFolder = folder.path()};
  EXPECT_EQ(candidates(both), Paths{folder / "mine.so"});
  EXPECT_EQ(candidates({.variable = folder / "release", .currentFolder = folder.path()}), (Paths{inFolder, below}));
}

TEST(Candidates, LeaveOutPlacesThatAreNotThere) {
  EXPECT_EQ(candidates({.systemLoader = false, .root = "/nowhere/at/all"}), Paths{});
}

void expectNoLibrary(const SearchPlaces& places, const std::vector<std::string>& parts) {
  test::expectError(ErrorKind::notSupportedError, parts, [&] { Library::load(places); });
}

TEST(LibraryErrors, SayWhereWasLookedAndHowToGetOne) {
  const test::TemporaryFolder folder;
  expectNoLibrary({.option = folder / "missing.so"}, {"missing.so", "pip install onnxruntime", "WEBNN_ONNXRUNTIME"});
  expectNoLibrary({.option = folder.path()}, {"option library", folder.path().string(), "holds no libonnxruntime.so"});
  expectNoLibrary({.variable = folder.path()}, {"variable WEBNN_ONNXRUNTIME", folder.path().string()});
  expectNoLibrary({.systemLoader = false, .root = "/nowhere"}, {"VIRTUAL_ENV", "node_modules", "pip install onnxruntime"});
}

TEST(LibraryErrors, SayWhyALibraryIsUnfit) {
  const test::TemporaryFolder folder;
  test::writeText(folder / "text.so", std::string(5000, '-'));
  expectNoLibrary({.option = folder / "text.so"}, {"text.so", "invalid ELF header"});
  expectNoLibrary({.option = "libm.so.6"}, {"\"libm.so.6\" is not ONNX Runtime"});
  expectNoLibrary({.option = WEBNN_OLD_LIBRARY}, {"is of version 1.15.1, older than 1.20"});
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
    threads.emplace_back([&library] { library = &Library::load(SearchPlaces::ofProcess({})); });
  for (std::thread& thread : threads) thread.join();
  for (const Library* library : found) EXPECT_EQ(library, found.front());
}

TEST(Library, KnowsItsVersionAndProviders) {
  WEBNN_REQUIRE_ONNXRUNTIME();
  const Library& library = Library::load(SearchPlaces::ofProcess({}));
  EXPECT_TRUE(std::regex_match(library.version(), std::regex("1\\.[0-9]+\\.[0-9]+.*"))) << library.version();
  EXPECT_EQ(std::ranges::count(library.providers(), "CPU"), 1);
}

// The header of ONNX Runtime, if one is installed.
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

// The functions of struct OrtApi by name, with their positions.
std::map<std::string, std::size_t> slotsOf(std::string header) {
  header = std::regex_replace(header, std::regex("//[^\n]*"), "");
  for (std::size_t start = 0; (start = header.find("/*", start)) != std::string::npos;) {
    header.erase(start, header.find("*/", start) + 2 - start);
  }
  const std::size_t start = header.find("struct OrtApi {");
  header = header.substr(start, header.find("\n};", start) - start);
  static const std::regex slot(R"(ORT_API2_STATUS\(\s*(\w+)|ORT_CLASS_RELEASE\(\s*(\w+)|\(\s*ORT_API_CALL\s*\*\s*(\w+)\s*\))");
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
}

}  // namespace
}  // namespace webnn::onnxruntime
