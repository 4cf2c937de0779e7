// Where a backend's library, which is loaded at run time, is looked for.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
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

// Calls `use` with the handles of dlopen of one candidate after the other, until it does not throw. NotSupportedError lists where
// was looked, and why each did not fit, and how to get a library. The libraries stay loaded.
void openFirst(const LibraryKind& kind, const SearchPlaces& places,
               const std::function<void(void* handle, const std::filesystem::path& path)>& use);

}  // namespace webnn
