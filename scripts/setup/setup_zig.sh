#!/bin/sh
# Installs Zig's C and C++ compiler from PyPI into build/zig. cmake/zig.cmake calls the programs of build/zig/bin. Zig contains
# the libraries for every target, so that programs need only the target's C library. Compilers for other systems must not see
# /usr/include: build/zig/include has links to the headers of header-only packages. Quick if Zig is installed already.
set -eu
cd "$(dirname "$0")/../.."
version=0.17.1
folder=$PWD/build/zig
mkdir -p "$folder/bin" "$folder/include"

if [ "$(cat "$folder/version" 2>/dev/null)" != $version ]; then
  echo "setup: installing Zig $version into build/zig"
  rm -rf "$folder/packages" "$folder/version"
  python3 -m venv "$folder/packages"  # Debian allows pip only in virtual environments
  "$folder/packages/bin/pip" install --quiet --disable-pip-version-check --no-deps "ziglang==$version"
  echo $version >"$folder/version"
fi
zig=$(echo "$folder"/packages/lib/python3*/site-packages/ziglang/zig)
ln -sfn "$(dirname "$zig")" "$folder/ziglang"
for package in CLI fmt hwy nlohmann protozero stb; do ln -sfn "/usr/include/$package" "$folder/include/$package"; done

# program NAME COMMAND: writes build/zig/bin/NAME, which calls `zig COMMAND`. CMake expects a program for each compiler and tool.
program() {
  cat >"$folder/bin/new" <<EOF
#!/bin/sh
# Zig $version
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
exec "$zig" $2 "\$@"
EOF
  chmod +x "$folder/bin/new"
  # The file is replaced only if it changed, because compiler caches compare its time.
  cmp -s "$folder/bin/new" "$folder/bin/$1" && rm "$folder/bin/new" || mv "$folder/bin/new" "$folder/bin/$1"
}
program clang cc
program clang++ c++
program ar ar
program ranlib ranlib
program objcopy objcopy
