// Functions in WGSL that kernels share.
#pragma once

#include <string_view>

namespace webnn::webgpu {

struct LibraryFunction {
  std::string_view name;
  std::string_view needs;  // the names of other functions that it calls, separated by spaces
  std::string_view wgsl;
};

// Returns null if there is no such function.
const LibraryFunction* libraryFunction(std::string_view name);

}  // namespace webnn::webgpu
