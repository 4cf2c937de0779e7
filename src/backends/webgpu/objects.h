// Owners of WebGPU objects.
#pragma once

#include <memory>
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

}  // namespace webnn::webgpu
