# Toolchain: Zig's Clang with its own libc++, installed by scripts/setup/setup_zig.sh. WEBNN_ZIG_TARGET names the target as
# ARCHITECTURE-SYSTEM-LIBC. For glibc, LIBC also has the oldest version on which programs run. The default is for our Linux
# packages (docs/guides/packages.md).
set(WEBNN_ZIG_TARGET x86_64-linux-gnu.2.28 CACHE STRING "For instance aarch64-linux-gnu.2.28, x86_64-linux-musl, x86_64-windows-gnu, aarch64-macos")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEBNN_ZIG_TARGET)
if(NOT WEBNN_ZIG_TARGET MATCHES "^(x86_64|aarch64)-(linux|windows|macos)")
  message(FATAL_ERROR "WEBNN_ZIG_TARGET is ${WEBNN_ZIG_TARGET}, which begins with no processor and system that are known here.")
endif()
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
if(CMAKE_MATCH_2 STREQUAL linux)
  set(CMAKE_SYSTEM_NAME Linux)
elseif(CMAKE_MATCH_2 STREQUAL windows)
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Darwin)
  set(WEBNN_COREML OFF)  # Apple's frameworks come only with Apple's SDK.
endif()

get_filename_component(WEBNN_ZIG ${CMAKE_CURRENT_LIST_DIR}/../build/zig ABSOLUTE)
if(NOT EXISTS ${WEBNN_ZIG}/bin/clang++)
  message(FATAL_ERROR "There is no ${WEBNN_ZIG}/bin/clang++: run scripts/setup/setup_zig.sh.")
endif()
set(CMAKE_C_COMPILER ${WEBNN_ZIG}/bin/clang)
set(CMAKE_CXX_COMPILER ${WEBNN_ZIG}/bin/clang++)
set(CMAKE_AR ${WEBNN_ZIG}/bin/ar)
set(CMAKE_RANLIB ${WEBNN_ZIG}/bin/ranlib)
# Turns off the sanitizer and the debug information that zig adds by default. libc++ still hides stop_token behind
# -fexperimental-library.
set(CMAKE_C_FLAGS_INIT "-target ${WEBNN_ZIG_TARGET} -fno-sanitize=undefined -g0")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fexperimental-library")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(WEBNN_HEADERS ${WEBNN_ZIG}/include)
