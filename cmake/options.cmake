# Warnings and sanitizers for every target of this project.
add_library(webnn_options INTERFACE)
target_compile_options(webnn_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                               -Wno-missing-field-initializers
                                               $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(WEBNN_SANITIZE)
  target_compile_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(webnn_options INTERFACE -fsanitize=${WEBNN_SANITIZE})
endif()
