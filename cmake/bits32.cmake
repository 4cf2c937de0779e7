# Toolchain: 32-bit x86, with the packages of `scripts/setup/setup.sh bits32`. Its size_t has 32 bits as in WebAssembly, and
# x86-64 runs its tests without an emulator.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_FLAGS_INIT "-m32 -msse4.2 -mfpmath=sse")
set(CMAKE_CXX_FLAGS_INIT "-m32 -msse4.2 -mfpmath=sse")
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
