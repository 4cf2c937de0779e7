#!/bin/sh
# Installs clang-format from PyPI into build/format, in the version that .pre-commit-config.yaml names.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n '/mirrors-clang-format/{n;s/.*rev: v//p;}' .pre-commit-config.yaml)
folder=$PWD/build/format
"$folder/bin/clang-format" --version 2>/dev/null | grep -qF " $version" && exit 0
mkdir -p build
fail() {
  echo "make format needs clang-format $version: $1 (see build/format.log)" >&2
  exit 1
}
[ -x "$folder/bin/pip" ] || python3 -m venv "$folder" >build/format.log 2>&1 || fail "there is no venv"
"$folder/bin/pip" install -q "clang-format==$version" >build/format.log 2>&1 || fail "PyPI cannot be reached"
