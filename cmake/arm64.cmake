# Toolchain: Debian's cross compiler for 64-bit Arm, with the packages of `scripts/setup/setup.sh arm64`. The programs run in
# QEMU, which emulates the processor named by the environment variable QEMU_CPU (docs/guides/arm.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
