#include "base/files/library_search.h"

#include <cstdlib>

#include "base/files/loader.h"
#include "base/files/matching_files.h"
#include "base/text.h"

namespace webnn {

namespace {

namespace fs = std::filesystem;

// Returns the directory's entries whose names start with `prefix`, sorted; empty if the directory does not exist.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  for (const fs::path& name : namesIn(folder)) {
    if (name.string().starts_with(prefix)) found.push_back(folder / name);
  }
  return found;
}

class Search {
 public:
  explicit Search(const LibraryKind& kind) : kind_(kind) {}
  void addFolder(const fs::path& folder) {
    for (fs::path& file : entries(folder, kind_.fileName)) found.push_back(std::move(file));
  }
  // Adds a file, or the library in a directory or its subdirectory lib, as in release archives.
  void addGiven(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.push_back(fs::exists(path, error) ? fs::absolute(path, error) : path);
      return;
    }
    addFolder(path);
    addFolder(path / "lib");
  }
  // Adds the libraries in the Python packages of the directories python3* in `folder`.
  void addWheels(const fs::path& folder, const char* packages) {
    for (const fs::path& python : entries(folder, "python3")) addFolder(python / packages / kind_.wheelFolder);
  }
  std::vector<fs::path> found;

 private:
  const LibraryKind& kind_;
};

fs::path environmentPath(const char* name) {
  const char* value = std::getenv(name);
  return value ? fs::path(value) : fs::path();
}

[[noreturn]] void failToFind(const LibraryKind& kind, const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  fail(ErrorKind::notSupportedError, "backend {}: there is no {} library that can be used: {}. {}", webnn::quoted(kind.backend),
       kind.product, text, kind.advice);
}

}  // namespace

SearchPlaces SearchPlaces::ofProcess(const LibraryKind& kind, const std::map<std::string, std::string>& backendOptions) {
  const auto option = [&](const char* name) {
    const auto found = backendOptions.find(name);
    return found == backendOptions.end() ? std::string() : found->second;
  };
  SearchPlaces places;
  places.option = option("library");
  places.variable = environmentPath(kind.variable);
  const std::string search = option("search");
  if (search.empty()) return places;
  if (search != "python") {
    fail(ErrorKind::typeError, "backend {}: option search is {}, not python.", webnn::quoted(kind.backend),
         webnn::quoted(search));
  }
  places.virtualEnvironment = environmentPath("VIRTUAL_ENV");
  places.home = environmentPath("HOME");
  places.root = "/";
  return places;
}

std::vector<fs::path> candidates(const LibraryKind& kind, const SearchPlaces& places) {
  Search search(kind);
  if (const fs::path& given = places.option.empty() ? places.variable : places.option; !given.empty()) {
    search.addGiven(given);
    return search.found;
  }
  if (places.systemLoader) search.found.assign(kind.systemNames.begin(), kind.systemNames.end());
  if (!places.virtualEnvironment.empty()) search.addWheels(places.virtualEnvironment / "lib", "site-packages");
  if (!places.home.empty()) search.addWheels(places.home / ".local/lib", "site-packages");
  if (!places.root.empty()) {
    search.addWheels(places.root / "usr/local/lib", "dist-packages");
    search.addWheels(places.root / "usr/local/lib", "site-packages");
    search.addFolder(places.root / "usr/lib/python3/dist-packages" / kind.wheelFolder);
  }
  return search.found;
}

void openFirst(const LibraryKind& kind, const SearchPlaces& places,
               const std::function<void(void* handle, const std::filesystem::path& path)>& use) {
  std::vector<std::string> reasons;
  for (const fs::path& path : candidates(kind, places)) {
    try {
      requireLoadable(path);
      return use(loadLibrary(path), path);
    } catch (const Error& error) {
      reasons.emplace_back(error.what());
    }
  }
  if (!places.option.empty() || !places.variable.empty()) {
    if (!reasons.empty()) failToFind(kind, reasons);
    const bool isOption = !places.option.empty();
    failToFind(kind, {formatText("{} ({}) holds no {}", webnn::quoted((isOption ? places.option : places.variable).string()),
                                 isOption ? std::string("the option library") : formatText("the variable {}", kind.variable),
                                 kind.fileName)});
  }
  if (!places.root.empty()) reasons.emplace_back("there is none in the Python packages of VIRTUAL_ENV, the user and the system");
  failToFind(kind, reasons);
}

}  // namespace webnn
