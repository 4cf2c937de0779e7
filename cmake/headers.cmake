# Finds header-only packages in the directory WEBNN_HEADERS. Used by cross compilers, which must not see the rest of
# /usr/include.
foreach(package fmt hwy nlohmann protozero)
  if(NOT EXISTS ${WEBNN_HEADERS}/${package})
    message(FATAL_ERROR "There is no ${WEBNN_HEADERS}/${package}: see scripts/setup/setup_zig.sh, or scripts/web.sh.")
  endif()
endforeach()
set(PROTOZERO_INCLUDE_DIR ${WEBNN_HEADERS})
set(STB_INCLUDE_DIR ${WEBNN_HEADERS})
include_directories(SYSTEM ${WEBNN_HEADERS})
target_compile_definitions(webnn_fmt INTERFACE FMT_HEADER_ONLY)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
add_library(CLI11::CLI11 INTERFACE IMPORTED)
