#!/bin/sh
# Builds the command line tool for other systems with Zig's compiler (scripts/setup/setup_zig.sh), each in its own directory of
# build/. Runs the tools that can run here: Linux with musl directly, Windows in Wine, Arm in QEMU's user mode. Each runs the
# digits example and the conformance vectors (VECTORS, default ../shared/wpt). Prints a table.
# usage: cross.sh [TARGET...]
set -eu
cd "$(dirname "$0")/.."
vectors=${VECTORS:-../shared/wpt} status=0
[ $# -gt 0 ] || set -- x86_64-windows-gnu x86_64-linux-musl aarch64-linux-musl aarch64-macos
export WINEDEBUG=-all WINEPREFIX="${WINEPREFIX:-$PWD/build/wine}"
scripts/setup/setup_zig.sh

# Prints the program that runs programs for target $1 on this machine. Fails if there is none.
runner() {
  case $1 in
    *-windows-*) command -v wine ;;
    "$(uname -m)"-linux-*) command -v env ;;
    aarch64-linux-*) command -v qemu-aarch64-static ;;
    *) return 1 ;;
  esac
}

build() {
  cmake -S . -B "build/$1" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/zig.cmake" -DWEBNN_ZIG_TARGET="$1" -DCMAKE_BUILD_TYPE=Release \
    -DWEBNN_BUILD_TESTS=OFF -DCMAKE_EXE_LINKER_FLAGS=-s && cmake --build "build/$1" --target webnn_tool
}

# Converts the digits model and runs it. Converts twice, to test that an existing file is replaced.
digits() {
  for _ in 1 2; do "$1" "$2" convert examples/digits/digits.webnn "$3" || return 1; done
  "$1" "$2" run "$3" --image image=examples/digits/samples/3.png --top 1 --labels examples/digits/labels.txt | grep " 1\. "
}

conformance() {
  "$1" "$2" conformance "$vectors" --expectations tests/cli/wpt_expectations.json --backend "$3" --list-failures --quiet
}

# last_line LOG COMMAND...: runs COMMAND with its output in LOG. Prints the last line of the output, or that COMMAND failed.
last_line() {
  log=$1
  shift
  if "$@" >"$log" 2>&1; then
    tail -n 1 "$log" | tr -d '\r' | tr -s ' '
  else
    echo "**failed**: $log"
  fi
}

rows=""
for target; do
  echo "cross: building for $target" >&2
  if ! build "$target" >"build/$target.log" 2>&1; then
    tail -n 20 "build/$target.log" >&2
    rows="$rows| $target | **does not build** | | | |
"
    status=1
    continue
  fi
  tool=build/$target/tools/cli/webnn
  [ -f "$tool" ] || tool=$tool.exe
  row="| $target | $(($(wc -c <"$tool") / 1000)) kB"
  if run=$(runner "$target"); then
    row="$row | $(last_line "build/$target-digits.log" digits "$run" "$tool" "build/$target/digits.onnx")"
    for backend in reference cpu; do
      [ -d "$vectors" ] || { row="$row | no vectors in $vectors"; continue; }
      row="$row | $(last_line "build/$target-$backend.log" conformance "$run" "$tool" $backend)"
    done
  else
    row="$row | cannot run here | |"
  fi
  case $row in *'**failed**'*) status=1 ;; esac
  rows="$rows$row |
"
done
printf '| target | size | digit 3 | vectors, reference | vectors, cpu |\n|---|---|---|---|---|\n%s' "$rows"
exit $status
