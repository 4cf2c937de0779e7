#!/bin/sh
# Downloads the crates that the Rust crate and its tests need. With --if-possible, succeeds without cargo or a network; the tests
# are then skipped. With --wasi-nn, downloads the crates of webnn-wasi-nn, and the target wasm32-wasip1 if rustup has it.
set -eu
cd "$(dirname "$0")/../../bindings/rust"
log=$PWD/../../build/rust.log
mkdir -p ../../build
if [ "${1:-}" = --wasi-nn ]; then
  cd webnn-wasi-nn
  rustup target add wasm32-wasip1 >"$log" 2>&1 || echo "setup: rustup has no target wasm32-wasip1; the program in Rust is not tested"
fi
if ! command -v cargo >/dev/null || ! cargo fetch --locked >"$log" 2>&1; then
  echo "setup: cargo is not there, or the crates cannot be downloaded (see build/rust.log); the tests of the Rust crate are skipped"
  [ "${1:-}" = --if-possible ]
fi
