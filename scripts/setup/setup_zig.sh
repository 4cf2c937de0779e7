#!/bin/sh
# Installs Zig's C and C++ compiler, of PyPI, into build/zig, with what cmake/zig.cmake calls: build/zig/bin. Its libraries know every
# target, so programs need nothing but the C library that the target names. Compilers for other systems must not see /usr/include:
# build/zig/include has links to the headers of packages that are nothing but headers. Quick when it is there.
set -eu
cd "$(dirname "$0")/../.."
version=0.17.1
folder=$PWD/build/zig
mkdir -p "$folder/bin" "$folder/include"

if [ "$(cat "$folder/version" 2>/dev/null)" != $version ]; then
  echo "setup: installing Zig $version into build/zig"
  rm -rf "$folder/packages" "$folder/version"
  python3 -m venv "$folder/packages"  # Debian has pip there alone
  "$folder/packages/bin/pip" install --quiet --disable-pip-version-check --no-deps "ziglang==$version"
  echo $version >"$folder/version"
fi
zig=$(echo "$folder"/packages/lib/python3*/site-packages/ziglang/zig)
ln -sfn "$(dirname "$zig")" "$folder/ziglang"
for package in CLI fmt hwy nlohmann protozero stb; do ln -sfn "/usr/include/$package" "$folder/include/$package"; done

# One program for each of the compilers' names, as CMake and its users expect them.
program() {
  cat >"$folder/bin/new" <<EOF
#!/bin/sh
# Zig $version
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
exec "$zig" $2 "\$@"
EOF
  chmod +x "$folder/bin/new"
  # Only if it changed, for its time is what a compiler cache goes by.
  cmp -s "$folder/bin/new" "$folder/bin/$1" && rm "$folder/bin/new" || mv "$folder/bin/new" "$folder/bin/$1"
}
program clang cc
program clang++ c++
program ar ar
program ranlib ranlib
program objcopy objcopy
