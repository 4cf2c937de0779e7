#!/bin/bash
# Runs all checks for macOS: the build and the tests; then, on the backend coreml, the conformance vectors, random graphs, a
# benchmark and a search for leaks. Writes a report in Markdown. If a section fails, the others still run, and the exit status is 1.
# usage: check_macos.sh [REPORT] (default build/macos.md); VECTORS=FOLDER of conformance vectors, MODELS="a.onnx b.onnx" to measure,
# CXX another compiler, CMAKE_PREFIX_PATH more directories with packages
set -uo pipefail
cd "$(dirname "$0")/.."
report="$(pwd)/build/macos.md"
[ -z "${1:-}" ] || report="$1"
vectors="${VECTORS:-../shared/wpt}"
failed=()

if [ "$(uname -s)" != Darwin ]; then
  echo "check_macos: this is $(uname -s), and Core ML is a part of macOS: run it on a Mac (13.3 or later)." >&2
  exit 2
fi

# Collects the missing programs and libraries, each with the command that installs it.
missing=""
need() { command -v "$1" >/dev/null || missing="$missing
  $1: $2"; }
xcode-select -p >/dev/null 2>&1 || missing="$missing
  the tools of Xcode: xcode-select --install"
need cmake "brew install cmake"
need ninja "brew install ninja"
need python3 "brew install python"
need pkg-config "brew install pkgconf"
# compiles COMPILER: tests for std::stop_token and std::from_chars for floating-point numbers, which libc++ has since version 20.
compiles() {
  printf '#include <charconv>\n#include <stop_token>\nint main() { std::stop_source s; double d; return std::from_chars("1", "2", d).ptr == nullptr || s.stop_requested(); }\n' |
    "$1" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null
}
if [ -z "${CXX:-}" ]; then
  for CXX in c++ /opt/homebrew/opt/llvm/bin/clang++ /usr/local/opt/llvm/bin/clang++; do
    command -v "$CXX" >/dev/null && compiles "$CXX" && break
  done
fi
compiles "$CXX" || missing="$missing
  a C++ library with std::stop_token: a newer Xcode, or brew install llvm"
if [ -n "$missing" ]; then
  echo "check_macos: this is missing:$missing" >&2
  echo "CMake says what else of: brew install fmt nlohmann-json protozero highway cli11 googletest; and, from their sources, stb and rapidcheck." >&2
  exit 2
fi
export CXX

mkdir -p build "$(dirname "$report")"
log="$(mktemp -d)"
trap 'rm -rf "$log"' EXIT

# section TITLE COMMAND...: runs COMMAND, and appends its exit status and the end of its output to the report.
section() {
  local title="$1" start=$SECONDS status=0
  shift
  echo "check_macos: $title"
  "$@" >"$log/output" 2>&1 || status=$?
  [ "$status" = 0 ] || failed+=("$title")
  {
    echo "## $title"
    echo
    if [ "$status" = 0 ]; then echo "Passed in $((SECONDS - start)) s."; else echo "**Failed** with status $status after $((SECONDS - start)) s."; fi
    echo
    echo '```'
    echo "\$ $*"
    tail -n 60 "$log/output"
    echo '```'
    echo
  } >>"$report"
}

# Sections that run the built tool on the backend coreml. conformance() and bench() do so with each choice of devices.
webnn=build/macos/tools/cli/webnn
conformance() {
  local status=0
  for units in cpu cpuAndGPU cpuAndNeuralEngine all; do
    echo "units=$units"
    "$webnn" conformance "$vectors" --backend coreml --backend-option "units=$units" --expectations tests/cli/wpt_coreml.json ||
      status=1
  done
  return "$status"
}
bench() {
  local models="${MODELS:-}"
  [ -n "$models" ] || models="examples/digits/digits.webnn"
  # shellcheck disable=SC2086
  "$webnn" bench $models --backends cpu,coreml,coreml:units=cpu,coreml:units=cpuAndGPU,coreml:units=cpuAndNeuralEngine
}
memory() { leaks --atExit -- "$webnn" run examples/digits/digits.webnn --input image=zeros --backend coreml; }

{
  echo "# Core ML on a Mac"
  echo
  echo "| | |"
  echo "|---|---|"
  echo "| date | $(date -u +%Y-%m-%d) |"
  echo "| machine | $(sysctl -n hw.model), $(sysctl -n machdep.cpu.brand_string), $(($(sysctl -n hw.memsize) >> 30)) GiB |"
  echo "| system | macOS $(sw_vers -productVersion) ($(sw_vers -buildVersion)) |"
  echo "| compiler | $("$CXX" --version | head -n 1) |"
  echo "| SDK | $(xcrun --show-sdk-version 2>/dev/null) |"
  echo "| CMake | $(cmake --version | head -n 1) |"
  echo "| libwebnn | $(git describe --always --dirty 2>/dev/null || echo unknown) |"
  echo
} >"$report"

configure() { cmake --preset release -B build/macos -DCMAKE_OBJCXX_COMPILER="$CXX"; }
section "Configure" configure
section "Build of the library and the tool" cmake --build build/macos --target webnn webnn_tool
section "Build of the tests" cmake --build build/macos -- -k 0
section "Backends" "$webnn" backends
section "A graph on Core ML" "$webnn" run examples/digits/digits.webnn --input image=zeros --backend coreml
section "Tests of Core ML" ctest --test-dir build/macos -R '^coreml' --output-on-failure
section "All tests" ctest --test-dir build/macos --output-on-failure -j "$(sysctl -n hw.ncpu)"
section "Conformance vectors on Core ML" conformance
section "Random graphs, Core ML and the reference" "$webnn" diff --random 500 --backends reference,coreml --backend-option units=cpu
section "Benchmark" bench
section "Leaks" memory

{
  echo "## Result"
  echo
  if [ ${#failed[@]} = 0 ]; then
    echo "All sections passed."
  else
    echo "Failed:"
    printf -- '- %s\n' "${failed[@]}"
  fi
} >>"$report"
echo "check_macos: the report is $report"
[ ${#failed[@]} = 0 ]
