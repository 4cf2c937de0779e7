// Tests that need the ONNX Runtime library.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "onnxruntime/library.h"

namespace webnn::test {

// Empty if the backend "onnxruntime" can be used, else why not. Without the variable WEBNN_ONNXRUNTIME, the library is
// first looked for in build/python, the virtual environment of the repository.
inline std::string whyNoOnnxRuntime() {
  static const std::string reason = []() -> std::string {
    const std::filesystem::path environment = std::filesystem::path(WEBNN_SOURCE_DIR) / "build/python";
    const auto found = onnxruntime::candidates({.systemLoader = false, .virtualEnvironment = environment});
    if (!found.empty()) setenv("WEBNN_ONNXRUNTIME", found.front().c_str(), 0);
    try {
      onnxruntime::Library::load(onnxruntime::SearchPlaces::ofProcess());
      return {};
    } catch (const Error& error) {
      return std::string("set WEBNN_ONNXRUNTIME or `pip install onnxruntime`: ") + error.what();
    }
  }();
  return reason;
}

}  // namespace webnn::test

// Skips the rest of a test where there is no ONNX Runtime.
#define WEBNN_REQUIRE_ONNXRUNTIME() \
  if (const std::string reason = webnn::test::whyNoOnnxRuntime(); !reason.empty()) GTEST_SKIP() << reason
