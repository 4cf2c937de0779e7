// Helpers for tests that need a library which is loaded at run time.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files/library_search.h"
#include "webnn/error.h"

namespace webnn::test {

// Returns why the library cannot be used, or an empty string. If its environment variable is not set, first searches
// build/`folder`, a virtual environment in the repository.
template <typename Load>
std::string whyNo(const LibraryKind& kind, const char* folder, Load load) {
  const std::filesystem::path environment = std::filesystem::path(WEBNN_SOURCE_DIR) / "build" / folder;
  const auto found = candidates(kind, {.systemLoader = false, .virtualEnvironment = environment});
  if (!found.empty()) setenv(kind.variable, found.front().c_str(), 0);
  try {
    load(SearchPlaces::ofProcess(kind));
    return {};
  } catch (const Error& error) {
    return std::string("set ") + kind.variable + " or `pip install " + std::string(kind.backend) + "`: " + error.what();
  }
}

}  // namespace webnn::test
