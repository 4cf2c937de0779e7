#!/bin/sh
# Builds the web package into bindings/web/dist. Uses the Emscripten on PATH if it is version 3.1.60 or later. Otherwise uses
# Debian 13's Emscripten in a chroot in build/trixie (or WEBNN_TRIXIE), which is created once, as root.
# usage: web.sh OPERATIONS.json    (the output of `webnn ops --format=json`)
set -eu
cd "$(dirname "$0")/.."
packages="fmt hwy nlohmann protozero boost" # the headers of these packages are in /usr/include
variants="web web-threads"

compile() {
  mkdir -p build/web-headers
  for package in $packages; do ln -sfn "/usr/include/$package" "build/web-headers/$package"; done
  for variant in $variants; do
    emcmake cmake --preset "$variant" >"build/$variant.log" 2>&1 && cmake --build --preset "$variant" >>"build/$variant.log" 2>&1 ||
      { tail -n 40 "build/$variant.log" >&2; exit 1; }
  done
}

# Returns whether the Emscripten on PATH is recent enough.
has_compiler() {
  command -v emcc >/dev/null || return 1
  version=$(emcc -dumpversion)
  [ "$(printf '3.1.60\n%s\n' "$version" | sort -V | head -n 1)" = 3.1.60 ]
}

# The repository has the same path in the chroot.
in_chroot() { BIND=$PWD scripts/in_debian.sh trixie "$root" "$@"; }

make_chroot() {
  [ "$(id -u)" = 0 ] || { echo "web: there is no Emscripten 3.1.60 or later on PATH, and a chroot for it needs root." >&2; exit 1; }
  [ ! -e "$root/.has-emscripten" ] || return 0
  echo "web: installing Emscripten into $root"
  mkdir -p "$(dirname "$root")"
  in_chroot sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    emscripten cmake ninja-build ccache libfmt-dev libhwy-dev nlohmann-json3-dev libprotozero-dev libboost-dev' >"$root.log" 2>&1 ||
    { echo "web: Emscripten cannot be installed: $root.log" >&2; exit 1; }
  touch "$root/.has-emscripten"
}

if [ "${1:-}" = --compile ]; then
  compile
  exit
fi
operations=$(realpath "$1")
if has_compiler; then
  compile
else
  root=$(realpath -m "${WEBNN_TRIXIE:-build/trixie}")
  make_chroot
  in_chroot "$PWD/scripts/web.sh" --compile
fi
scripts/setup/setup_npm.sh bindings/web --silent
cd bindings/web
node scripts/build.mjs ../../build "$operations"
