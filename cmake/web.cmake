# WebAssembly, compiled by Emscripten: its sysroot has none of the packages' headers, of which WEBNN_WEB_HEADERS is a folder of links
# (scripts/web.sh makes it). Sizes are of 32 bits.
set(WEBNN_WEB_HEADERS "" CACHE PATH "Folder with fmt, hwy, nlohmann, protozero and boost")
option(WEBNN_WEB_THREADS "Threads: for pages that are isolated from other origins" OFF)
foreach(package fmt hwy nlohmann protozero boost)
  if(NOT EXISTS ${WEBNN_WEB_HEADERS}/${package})
    message(FATAL_ERROR "There is no ${WEBNN_WEB_HEADERS}/${package}: see scripts/web.sh")
  endif()
endforeach()
set(PROTOZERO_INCLUDE_DIR ${WEBNN_WEB_HEADERS})
include_directories(SYSTEM ${WEBNN_WEB_HEADERS})
target_compile_definitions(webnn_fmt INTERFACE FMT_HEADER_ONLY "FMT_STATIC_THOUSANDS_SEPARATOR=','"  # no locales
                           FMT_USE_INT128=0 FMT_USE_LONG_DOUBLE=0)  # which nothing prints
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
add_library(Threads::Threads INTERFACE IMPORTED)
# stop_token is still an experiment of libc++'s.
# What is enabled here is in every browser that has SIMD.
add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -fwasm-exceptions -fexperimental-library $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
add_link_options(-fwasm-exceptions $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
