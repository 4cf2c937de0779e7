#!/bin/sh
# Tests the Rust crate with the library in LIBRARY_DIRECTORY. Exit status 77 means skipped, because cargo or a crate is not there.
# usage: test_rust.sh LIBRARY_DIRECTORY lints|tests|examples [arguments of cargo test]
set -eu
WEBNN_LIB_DIR=$(realpath "$1")
what=$2
shift 2
cd "$(dirname "$0")/../../bindings/rust"
if ! command -v cargo >/dev/null; then
  echo "skipped: cargo is not there"
  exit 77
fi
export WEBNN_LIB_DIR LD_LIBRARY_PATH="$WEBNN_LIB_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CARGO_NET_OFFLINE=true
if ! cargo fetch --locked >/dev/null 2>&1; then
  echo "skipped: the crates of bindings/rust/Cargo.lock are not there (see scripts/setup/setup_rust.sh)"
  exit 77
fi
case $what in
  lints)
    if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
      echo "skipped: rustfmt or clippy is not there"
      exit 77
    fi
    cargo fmt --all --check
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --features ndarray,rustnn,tracing
    exec cargo clippy --locked --all-targets --features ndarray,rustnn,tracing -- -D warnings
    ;;
  tests) exec cargo test --locked --features ndarray,rustnn,tracing "$@" ;;
  examples) exec cargo test --locked --package webnn-examples "$@" ;;
  *) echo "test_rust: $what is none of lints, tests, examples" >&2; exit 2 ;;
esac
