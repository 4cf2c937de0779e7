// Helpers for tests that need the library of the backend "onnxruntime".
#pragma once

#include "backends/onnxruntime/library.h"
#include "support/backend_library.h"

namespace webnn::test {

inline std::string whyNoOnnxRuntime() {
  static const std::string reason =
      whyNo(onnxruntime::libraryKind(), "python", [](const SearchPlaces& places) { onnxruntime::Library::load(places); });
  return reason;
}

}  // namespace webnn::test

// Skips the rest of a test if the library is not available.
#define WEBNN_REQUIRE_ONNXRUNTIME() \
  if (const std::string reason = webnn::test::whyNoOnnxRuntime(); !reason.empty()) GTEST_SKIP() << reason
