#!/bin/sh
# Runs programs of other packages with ONNX Runtime and with webnn, and compares their results. Exit status 77: skipped, because
# no environment is installed.
# usage: test_programs.sh [arguments of tests/programs/check_programs.py]
set -eu
cd "$(dirname "$0")/../.."
exec python3 tests/programs/check_programs.py "$@"
