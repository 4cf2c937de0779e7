#!/bin/sh
# Writes all files of the repository that are generated from the operation table. Tests compare these files with the table.
# usage: print_operations.sh TOOL
set -eu
tool=$(realpath "$1")
cd "$(dirname "$0")/.."
"$tool" ops --format=md -o docs/reference/ops.md
"$tool" ops --format=c-header -o include/webnn/webnn_operations.h
"$tool" ops --format=c-source -o src/capi/operations.cpp
"$tool" ops --format=pyi -o bindings/python/src/webnn/_operations.pyi
"$tool" ops --format=dts -o bindings/node/webnn.d.ts
"$tool" ops --format=capnp -o src/service/webnn.capnp
"$tool" ops --format=rust -o bindings/rust/webnn/src/operations.rs
"$tool" ops --format=rust-calls -o bindings/rust/webnn/tests/support/operation_calls.rs
