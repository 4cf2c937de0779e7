#!/bin/sh
# Downloads the crates that the Rust crate and its tests need. With --if-possible, succeeds without cargo or a network; the tests
# are then skipped.
set -eu
cd "$(dirname "$0")/../../bindings/rust"
log=../../build/rust.log
mkdir -p ../../build
if ! command -v cargo >/dev/null || ! cargo fetch --locked >"$log" 2>&1; then
  echo "setup: cargo is not there, or the crates cannot be downloaded (see build/rust.log); the tests of the Rust crate are skipped"
  [ "${1:-}" = --if-possible ]
fi
