# Warnings for every target of this project.
add_library(webnn_warnings INTERFACE)
target_compile_options(webnn_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wno-missing-field-initializers
                                               $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Precompiled headers: those of the system and of packages only. Compilers know a header of ours by its time, and a compiler
# cache gives a clone what another clone precompiled, of other times.
function(webnn_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
                            <unordered_map> <variant> <vector> <fmt/core.h> ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # which the cache needs
endfunction()

# Warnings and sanitizers: for all but the kernels.
add_library(webnn_options INTERFACE)
target_link_libraries(webnn_options INTERFACE webnn_warnings)
if(WEBNN_SANITIZE)
  target_compile_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE})
endif()
