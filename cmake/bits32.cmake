# Toolchain: 32 bits, with the packages of `scripts/setup/setup.sh bits32`: sizes as in WebAssembly, and tests that run as they are.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_FLAGS_INIT "-m32 -msse4.2 -mfpmath=sse")
set(CMAKE_CXX_FLAGS_INIT "-m32 -msse4.2 -mfpmath=sse")
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
