#!/bin/sh
# Installs the npm packages that the Node package and its tests need, and builds its addon. Quick when nothing has changed: CMake's
# folder build/node is kept. With --if-possible, no Node.js or no network is no failure: the tests are skipped, and say so.
set -eu
cd "$(dirname "$0")/../bindings/node"
log=../../build/node-package.log
mkdir -p ../../build

install_packages() {
  cmp -s package-lock.json node_modules/.installed.json && return 0
  command -v npm >"$log" || return 1
  npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1 && cp package-lock.json node_modules/.installed.json
}

if ! install_packages; then
  echo "setup: the packages for the Node package cannot be installed (see $log); its tests are skipped"
  [ "${1:-}" = --if-possible ]
  exit
fi
npm run --silent build >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
