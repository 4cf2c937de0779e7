#!/bin/sh
# Installs the npm packages that the Node package and its tests need, and builds its addon. Quick when nothing has changed: CMake's
# folder build/node is kept. With --if-possible, no Node.js or no network is no failure: the tests are skipped, and say so.
# --download only installs the npm packages.
set -eu
cd "$(dirname "$0")/../../bindings/node"
log=../../build/node-package.log
mkdir -p ../../build

if ! ../../scripts/setup/setup_npm.sh . >"$log" 2>&1; then
  echo "setup: the packages for the Node package cannot be installed (see $log); its tests are skipped"
  [ "${1:-}" = --if-possible ]
  exit
fi
../../scripts/setup/setup_npm.sh examples/onnxruntime-web >"$log" 2>&1 ||
  echo "setup: onnxruntime-web cannot be installed (see $log); the tests with it are skipped"
../../scripts/setup/setup_npm.sh test/bundlers >"$log" 2>&1 ||
  echo "setup: the bundlers cannot be installed (see $log); the tests with them are skipped"
[ "${1:-}" != --download ] || exit 0
npm run --silent build >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
