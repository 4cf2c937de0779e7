// Unique pointers to WebGPU objects, and conversions of WebGPU's strings.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "backends/webgpu/api.h"

namespace webnn::webgpu {

// Releases a WebGPU object.
template <typename Handle>
struct Releaser {
  void (*release)(Handle) = nullptr;
  void operator()(Handle handle) const { release(handle); }
};
template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Handle>>;

template <typename Handle>
Owned<Handle> owned(Handle handle, void (*release)(Handle)) {
  return Owned<Handle>(handle, {release});
}

inline std::string textOf(const Text& text) {
  if (!text.data) return {};
  return text.length == kNulTerminated ? std::string(text.data) : std::string(text.data, text.length);
}

}  // namespace webnn::webgpu
