# Options of all targets: warnings, and GCC parameters for less frequent garbage collection, which otherwise takes up to 10 % of
# the compile time.
add_library(webnn_warnings INTERFACE)
target_compile_options(webnn_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wno-missing-field-initializers
                                               $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                               $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>  # Clang's -Wshadow warns about captures, too
                                               $<$<CXX_COMPILER_ID:Clang>:-Wno-braced-scalar-init>
                                               $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>
                                               $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100>)
# Precompiles only headers of the system and of packages. A precompiled header records the modification times of the headers in
# it. With our own headers in it, a compiler cache could give a clone the precompiled header of another clone, with other times.
function(webnn_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
                            <unordered_map> <variant> <vector> <chrono> <condition_variable> <filesystem> <future> <limits>
                            <mutex> <numeric> <set> <string_view> <thread> <unordered_set> <cmath> <fmt/core.h> ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # required by the compiler cache
endfunction()

# Optimizes little, which compiles a fifth faster: for code that is not performance-critical. The first such target,
# `webnn_making`, owns the precompiled headers that all other such targets share.
function(webnn_optimize_little target)
  if(NOT EMSCRIPTEN)  # In WebAssembly, less optimization would make the download larger.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(target STREQUAL webnn_making)
    webnn_precompile(${target})
  else()
    target_precompile_headers(${target} REUSE_FROM webnn_making)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# Unity build: compiles the sources of `target` in units of up to 8 files of one directory, so that templates are instantiated
# once per unit. Names in unnamed namespaces must therefore be unique in the directory, not just in the file.
function(webnn_unity target)
  if(NOT WEBNN_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(folders)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    get_filename_component(folder ${source} ABSOLUTE)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    get_filename_component(folder ${folder} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(i 0)
    foreach(source IN LISTS sources_of_${folder})
      math(EXPR group "${i} / 8")
      math(EXPR i "${i} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Warnings and sanitizers for all code except the kernels.
add_library(webnn_options INTERFACE)
target_link_libraries(webnn_options INTERFACE webnn_warnings)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Forbids contraction to fused multiply-add, so that results are the same everywhere. On x86-64 GCC does not contract with our
  # flags, but elsewhere it does: see src/backends/cpu/simd/CMakeLists.txt.
  target_compile_options(webnn_options INTERFACE -ffp-contract=off)
endif()
if(WEBNN_SERVICE)
  target_compile_definitions(webnn_options INTERFACE WEBNN_SERVICE)
endif()
if(WEBNN_SANITIZE)
  # -fno-sanitize=vptr: that check probes memory through a pipe, which a worker's sandbox forbids.
  target_compile_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  target_compile_definitions(webnn_options INTERFACE WEBNN_SANITIZED)
  target_link_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE})
endif()
