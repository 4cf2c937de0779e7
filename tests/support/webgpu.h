// Helpers for tests that need the library of the backend "webgpu" and an adapter.
#pragma once

#include "backends/webgpu/adapters.h"
#include "backends/webgpu/library.h"
#include "support/backend_library.h"
#include "webnn/context.h"

namespace webnn::test {

// Returns the name of the adapter for tests: WEBNN_WEBGPU_ADAPTER, or Mesa's software adapter.
inline std::string webGpuAdapter() {
  const char* const named = std::getenv("WEBNN_WEBGPU_ADAPTER");
  return named ? named : "llvmpipe";
}

inline std::string whyNoWebGpu() {
  static const std::string reason = whyNo(webgpu::libraryKind(), "webgpu", [](const SearchPlaces& places) {
    webgpu::chooseAdapter(webgpu::Library::load(places), webGpuAdapter(), PowerPreference::standard);
  });
  return reason;
}

inline Context makeWebGpuContext(Execution execution = Execution::callerThread) {
  return Context::create({.backend = "webgpu", .execution = execution, .backendOptions = {{"adapter", webGpuAdapter()}}});
}

}  // namespace webnn::test

// Skips the rest of a test if the library or the adapter is not available.
#define WEBNN_REQUIRE_WEBGPU() \
  if (const std::string reason = webnn::test::whyNoWebGpu(); !reason.empty()) GTEST_SKIP() << reason
