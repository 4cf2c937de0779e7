# WebAssembly, compiled by Emscripten; scripts/web.sh makes WEBNN_HEADERS. Sizes are of 32 bits.
option(WEBNN_WEB_THREADS "Threads: for pages that are isolated from other origins" OFF)
target_compile_definitions(webnn_fmt INTERFACE "FMT_STATIC_THOUSANDS_SEPARATOR=','"  # no locales
                           FMT_USE_INT128=0 FMT_USE_LONG_DOUBLE=0)  # which nothing prints
add_library(Threads::Threads INTERFACE IMPORTED)
# stop_token is still an experiment of libc++'s.
# What is enabled here is in every browser that has SIMD.
add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -fwasm-exceptions $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                    -fexperimental-library $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
add_link_options(-fwasm-exceptions $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
