// The shader library: WGSL functions that are added to a shader if it uses them (Shader::use()).
#pragma once

#include <span>
#include <string_view>

namespace webnn::webgpu {

struct LibraryFunction {
  std::string_view name;
  std::string_view needs;  // names of the library functions that the function calls, separated by spaces
  std::string_view wgsl;
};

// Returns the library functions for integers, including 64-bit integers, which WGSL lacks.
std::span<const LibraryFunction> integerFunctions();

// Returns null if there is no such function.
const LibraryFunction* libraryFunction(std::string_view name);

}  // namespace webnn::webgpu
