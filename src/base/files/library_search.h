// Searches for a backend's library, which is loaded at run time.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webnn {

// The library of a backend.
struct LibraryKind {
  std::string_view backend;                  // "onnxruntime"
  std::string_view product;                  // "ONNX Runtime"
  std::string_view fileName;                 // what the names of its files start with
  std::span<const char* const> systemNames;  // for the system's loader
  std::string_view wheelFolder;              // where it is in a folder of Python packages
  const char* variable;                      // the environment variable that names it
  std::string_view advice;                   // how to get one; ends an error
};

// The searched places. Empty paths are skipped. Loading a library runs its code, so nothing depends on the working directory.
struct SearchPlaces {
  std::filesystem::path option;    // the backend option `library`: a file or a folder, and nothing else is tried
  std::filesystem::path variable;  // from the environment variable
  bool systemLoader = true;
  std::filesystem::path virtualEnvironment, home, root;  // with Python packages

  // Returns the places of this process, by the backend options `library` and `search`; without `search=python`, no Python
  // packages. TypeError for another value of `search`.
  static SearchPlaces ofProcess(const LibraryKind& kind, const std::map<std::string, std::string>& backendOptions = {});
  bool operator==(const SearchPlaces&) const = default;
};

// Returns the candidates in order: files, and bare names for the system's loader.
std::vector<std::filesystem::path> candidates(const LibraryKind& kind, const SearchPlaces& places);

// Calls `use` with the handle of one candidate after the other until it does not throw. NotSupportedError lists the searched
// places, the reasons, and how to get a library. Libraries stay loaded.
void openFirst(const LibraryKind& kind, const SearchPlaces& places,
               const std::function<void(void* handle, const std::filesystem::path& path)>& use);

// The opened libraries of one kind. Thread safe. Never destroyed, because their objects may be used until the process ends.
template <typename Library>
class OpenedLibraries {
 public:
  // Returns the first suitable candidate, from which `make` makes a library or throws; or the one found before without another
  // search, because the process may have lost the right to open files.
  template <typename Make>
  const Library& load(const LibraryKind& kind, const SearchPlaces& places, Make make) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(known_, places, &Known::first);
    if (found != known_.end()) return *found->second;
    const Library* library = nullptr;
    openFirst(kind, places, [&](void* handle, const std::filesystem::path& path) {
      std::unique_ptr<const Library>& opened = opened_[handle];
      if (!opened) opened = make(handle, path);
      library = opened.get();
    });
    known_.emplace_back(places, library);
    return *library;
  }

 private:
  using Known = std::pair<SearchPlaces, const Library*>;
  std::mutex mutex_;
  std::vector<Known> known_;
  std::map<void*, std::unique_ptr<const Library>> opened_;  // by loadLibrary() handle
};

}  // namespace webnn
