// Compiles the header alone as C11, and checks the layouts of rustnn's C API. header.cpp compiles the same text as C++.
#include <assert.h>
#include <rustnn_bridge.h>

static_assert(sizeof(RustnnStatus) == 4 && sizeof(RustnnDataType) == 4 && sizeof(bool) == 1, "enumerations have 32 bits");
static_assert(offsetof(RustnnContextOptions, accelerated) == 4 && offsetof(RustnnContextOptions, backend_hint) == 8 &&
                  offsetof(RustnnContextOptions, has_device_hint) == 12 && offsetof(RustnnContextOptions, device_hint) == 16,
              "the options have the layout of rustnn");
static_assert(sizeof(RustnnBackendDevice) == 8 + sizeof(size_t) && sizeof(RustnnOptions) == 4, "so have their parts");

int usesTheBridgesHeader(void);
int usesTheBridgesHeader(void) {
  const RustnnContextOptions options = rustnn_context_options_default();
  const RustnnNamedTensor binding = {"x", NULL};
  return options.accelerated && !options.has_device_hint && !binding.tensor;
}
