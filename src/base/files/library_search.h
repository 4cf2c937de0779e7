// Searches for the library of a backend, which is loaded at run time.
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

// A kind of library that a backend needs.
struct LibraryKind {
  std::string_view backend;                  // "onnxruntime"
  std::string_view product;                  // "ONNX Runtime"
  std::string_view fileName;                 // the beginning of its file names: "libonnxruntime.so"
  std::span<const char* const> systemNames;  // names for the system's loader, which searches its own directories
  std::string_view wheelFolder;              // its directory among Python packages: "onnxruntime/capi"
  const char* variable;                      // the environment variable with its path: "WEBNN_ONNXRUNTIME"
  std::string_view advice;                   // how to install it; the end of error messages
};

// The paths to search. Empty paths are skipped. The working directory is not searched, because loading a library runs its code.
struct SearchPlaces {
  std::filesystem::path option;    // the backend option `library`: a file or a directory. If set, no other path is searched.
  std::filesystem::path variable;  // the value of the environment variable. If set, no path below is searched.
  bool systemLoader = true;
  std::filesystem::path virtualEnvironment, home, root;  // directories with Python packages

  // Returns the paths for this process and the backend options `library` and `search`. Python packages are only included with
  // `search=python`. Throws TypeError for another value of `search`.
  static SearchPlaces ofProcess(const LibraryKind& kind, const std::map<std::string, std::string>& backendOptions = {});
  bool operator==(const SearchPlaces&) const = default;
};

// Returns the candidates in order: file paths, and bare names for the system's loader.
std::vector<std::filesystem::path> candidates(const LibraryKind& kind, const SearchPlaces& places);

// Calls `use` with the handles of the candidates, one after the other, until it does not throw. If no library is suitable, throws
// a NotSupportedError that gives the searched paths, the reasons and LibraryKind::advice. Libraries are never unloaded.
void openFirst(const LibraryKind& kind, const SearchPlaces& places,
               const std::function<void(void* handle, const std::filesystem::path& path)>& use);

// The opened libraries of one kind. Thread safe. Never destroyed, because objects of the libraries may be used until the process
// ends.
template <typename Library>
class OpenedLibraries {
 public:
  // Returns the first candidate from which `make` makes a library without throwing. A later call with equal places returns the
  // same library without a new search, because a sandbox may deny opening files by then.
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
  std::map<void*, std::unique_ptr<const Library>> opened_;  // keyed by the handle of loadLibrary()
};

}  // namespace webnn
