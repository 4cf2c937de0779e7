# WebAssembly with 32-bit addresses, compiled by Emscripten; scripts/web.sh makes the directory WEBNN_HEADERS.
option(WEBNN_WEB_THREADS "Threads: for pages that are isolated from other origins" OFF)
target_compile_definitions(webnn_fmt INTERFACE "FMT_STATIC_THOUSANDS_SEPARATOR=','"  # saves size by omitting locales
                           FMT_USE_INT128=0 FMT_USE_LONG_DOUBLE=0)  # saves size, because nothing prints these types
add_library(Threads::Threads INTERFACE IMPORTED)
# libc++ still hides stop_token behind -fexperimental-library.
# The browsers of 2023 and later have all the features that are enabled here.
add_compile_options(-msimd128 -mbulk-memory -mnontrapping-fptoint -fwasm-exceptions $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                    -fexperimental-library $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
add_link_options(-fwasm-exceptions $<$<BOOL:${WEBNN_WEB_THREADS}>:-pthread>)
