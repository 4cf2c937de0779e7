#!/bin/sh
# The tests of the Node package with an addon that Clang's sanitizers watch.
# usage: test_node_asan.sh ADDON [arguments of node --test]
set -eu
WEBNN_ADDON=$(realpath "$1")
shift
# Node itself is not instrumented, so the runtime comes first; what Node and its compiler keep until the end is no leak of ours.
# Little freed memory is held back to find later uses of it, as tests look at how much there is.
LD_PRELOAD="$(clang++ --print-file-name="libclang_rt.asan-$(uname -m).so") $(clang++ --print-file-name=libstdc++.so.6)"
ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
cd "$(dirname "$0")"
export WEBNN_ADDON LD_PRELOAD ASAN_OPTIONS UBSAN_OPTIONS
exec ./test_node_package.sh "$@"
