#!/bin/sh
# Tests the crate webnn-wasi-nn with the library in LIBRARY_DIRECTORY. Exit status 77 means skipped: with --if-built, because
# `make rust-wasi-nn` has not compiled wasmtime yet; otherwise because cargo or a crate is not there.
# usage: test_rust_wasi_nn.sh LIBRARY_DIRECTORY [--if-built]
set -eu
WEBNN_LIB_DIR=$(realpath "$1")
cd "$(dirname "$0")/../../bindings/rust/webnn-wasi-nn"
target=../../../build/rust-wasi-nn
if [ "${2:-}" = --if-built ] && [ ! -e "$target/built" ]; then
  echo "skipped: wasmtime takes minutes to compile; 'make rust-wasi-nn' compiles and tests"
  exit 77
fi
export WEBNN_LIB_DIR LD_LIBRARY_PATH="$WEBNN_LIB_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CARGO_NET_OFFLINE=true
if ! command -v cargo >/dev/null || ! cargo fetch --locked >/dev/null 2>&1; then
  echo "skipped: cargo or the crates of bindings/rust/webnn-wasi-nn/Cargo.lock are not there (see scripts/setup/setup_rust.sh)"
  exit 77
fi
if [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-wasip1" ]; then
  cargo build --locked --release --package webnn-wasi-nn-guest --target wasm32-wasip1
  WEBNN_WASI_GUEST=$(realpath "$target/wasm32-wasip1/release/webnn-wasi-nn-guest.wasm")
  export WEBNN_WASI_GUEST
else
  echo "the program in Rust is skipped: the target wasm32-wasip1 is not there"
fi
cargo fmt --all --check
cargo clippy --locked --all-targets -- -D warnings
cargo test --locked
touch "$target/built"
