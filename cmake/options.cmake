# Warnings for every target of this project.
add_library(webnn_warnings INTERFACE)
target_compile_options(webnn_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wno-missing-field-initializers
                                               $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Warnings and sanitizers: for all but the kernels. With sanitizers every file takes long to compile, so headers are
# precompiled then; without, compiler caches do better, and a missing #include shows.
add_library(webnn_options INTERFACE)
target_link_libraries(webnn_options INTERFACE webnn_warnings)
if(WEBNN_SANITIZE)
  target_compile_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE})
endif()
