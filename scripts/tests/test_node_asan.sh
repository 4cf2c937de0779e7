#!/bin/sh
# Runs the tests of the Node.js package with an addon that is built with Clang's sanitizers.
# usage: test_node_asan.sh ADDON [arguments of node --test]
set -eu
WEBNN_ADDON=$(realpath "$1")
shift
# Node.js itself is not instrumented, so the sanitizer's runtime must be loaded first. Leaks are not checked, because Node.js and
# its compiler keep memory until exit. The quarantine for freed memory is small, because tests measure the memory in use.
LD_PRELOAD="$(clang++ --print-file-name="libclang_rt.asan-$(uname -m).so") $(clang++ --print-file-name=libstdc++.so.6)"
ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
cd "$(dirname "$0")"
export WEBNN_ADDON LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS
exec ./test_node_package.sh "$@"
