# Packages that are nothing but headers, from the folder WEBNN_HEADERS: for compilers of other systems, which must not see all of
# /usr/include.
foreach(package fmt hwy nlohmann protozero)
  if(NOT EXISTS ${WEBNN_HEADERS}/${package})
    message(FATAL_ERROR "There is no ${WEBNN_HEADERS}/${package}: see scripts/setup_zig.sh, or scripts/web.sh.")
  endif()
endforeach()
set(PROTOZERO_INCLUDE_DIR ${WEBNN_HEADERS})
set(STB_INCLUDE_DIR ${WEBNN_HEADERS})
include_directories(SYSTEM ${WEBNN_HEADERS})
target_compile_definitions(webnn_fmt INTERFACE FMT_HEADER_ONLY)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
add_library(CLI11::CLI11 INTERFACE IMPORTED)

# For packages: what is linked wants its licence to be with it. Installs those of all that is linked and of further Debian packages into
# the folder `destination`, as files of `component`.
function(webnn_install_licences destination component)
  foreach(package libfmt-dev libhwy-dev libprotozero-dev libstb-dev nlohmann-json3-dev ${ARGN})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${destination} RENAME ${package}.txt COMPONENT ${component})
  endforeach()
  install(FILES ${WEBNN_ZIG}/packages/ziglang/lib/libcxx/LICENSE.TXT DESTINATION ${destination} RENAME libcxx.txt COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${destination} RENAME webnn.txt COMPONENT ${component})
endfunction()
