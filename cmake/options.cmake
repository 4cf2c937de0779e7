# Common options of all targets: warnings, and less frequent garbage collection in GCC, which otherwise takes up to 10 % of its
# time.
add_library(webnn_warnings INTERFACE)
target_compile_options(webnn_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wno-missing-field-initializers
                                               $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                               $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>  # of captures with the same name
                                               $<$<CXX_COMPILER_ID:Clang>:-Wno-braced-scalar-init>
                                               $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>
                                               $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100>)
# Precompiles headers of the system and of packages only. Compilers identify our own headers by modification time, but a compiler
# cache may give a clone what another clone precompiled, with other times.
function(webnn_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
                            <unordered_map> <variant> <vector> <chrono> <condition_variable> <filesystem> <future> <limits>
                            <mutex> <numeric> <set> <string_view> <thread> <unordered_set> <cmath> <fmt/core.h> ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # required by the compiler cache
endfunction()

# For code that is not performance-critical itself: compiles a fifth faster. The first such target, `webnn_making`, owns the
# precompiled headers that the others share.
function(webnn_optimize_little target)
  if(NOT EMSCRIPTEN)  # where size counts
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(target STREQUAL webnn_making)
    webnn_precompile(${target})
  else()
    target_precompile_headers(${target} REUSE_FROM webnn_making)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

# Unity build: compiles the sources of `target` in units of up to 8 files of one folder, so that templates in headers are
# instantiated once per unit. So names in unnamed namespaces must be unique in the folder, not just in the file.
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

# Warnings and sanitizers: for all but the kernels.
add_library(webnn_options INTERFACE)
target_link_libraries(webnn_options INTERFACE webnn_warnings)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # x86-64 has no fused multiplication and addition unless asked for. Elsewhere GCC makes one where it can: see cpu/simd.
  target_compile_options(webnn_options INTERFACE -ffp-contract=off)
endif()
if(WEBNN_SERVICE)
  target_compile_definitions(webnn_options INTERFACE WEBNN_SERVICE)
endif()
if(WEBNN_SANITIZE)
  # The check of virtual tables probes memory through a pipe, which a worker's sandbox forbids.
  target_compile_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  target_compile_definitions(webnn_options INTERFACE WEBNN_SANITIZED)
  target_link_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE})
endif()
