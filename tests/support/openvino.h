// Helpers for tests that need the library of the backend "openvino".
#pragma once

#include "backends/openvino/library.h"
#include "support/backend_library.h"

namespace webnn::test {

inline std::string whyNoOpenVino() {
  static const std::string reason =
      whyNo(openvino::libraryKind(), "openvino", [](const SearchPlaces& places) { openvino::Library::load(places); });
  return reason;
}

}  // namespace webnn::test

// Skips the rest of a test if the library is not available.
#define WEBNN_REQUIRE_OPENVINO() \
  if (const std::string reason = webnn::test::whyNoOpenVino(); !reason.empty()) GTEST_SKIP() << reason
