// Where a backend's library, which is loaded at run time, is looked for.
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

// Where a library is looked for. An empty path is left out. Loading a library runs its code, so that nothing depends on the
// working folder.
struct SearchPlaces {
  std::filesystem::path option;    // the backend option `library`: a file or a folder, and nothing else is tried
  std::filesystem::path variable;  // the environment variable: the same
  bool systemLoader = true;
  std::filesystem::path virtualEnvironment, home, root;  // that hold Python packages

  // Those of this process, by the backend options `library` and `search`: without `search=python`, no Python packages.
  // TypeError for another value of `search`.
  static SearchPlaces ofProcess(const LibraryKind& kind, const std::map<std::string, std::string>& backendOptions = {});
  bool operator==(const SearchPlaces&) const = default;
};

// What to load, in this order: files, and bare names for the system's loader.
std::vector<std::filesystem::path> candidates(const LibraryKind& kind, const SearchPlaces& places);

// Calls `use` with the handles of loadLibrary() of one candidate after the other, until it does not throw. NotSupportedError
// lists where was looked, and why each did not fit, and how to get a library. The libraries stay loaded.
void openFirst(const LibraryKind& kind, const SearchPlaces& places,
               const std::function<void(void* handle, const std::filesystem::path& path)>& use);

// The libraries of a kind that this process has opened, each once. Thread safe. Never destroyed, nor are they: what they hold
// ends with the process, in whatever order that is.
template <typename Library>
class OpenedLibraries {
 public:
  // The first fit candidate, of which `make` makes a library or throws; where one was found before, that, without a look: a
  // process may have given up its right to open files since.
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
  std::map<void*, std::unique_ptr<const Library>> opened_;  // by the handles of loadLibrary()
};

}  // namespace webnn
