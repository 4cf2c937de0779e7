#!/bin/sh
# Installs the npm packages that the Node.js package and its tests need, and builds the addon incrementally in build/node. With
# --if-possible, succeeds without Node.js or a network; the tests are then skipped. With --download, only installs the npm
# packages.
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
../../scripts/setup/setup_npm.sh test/onnxruntime >"$log" 2>&1 ||
  echo "setup: onnxruntime-node and transformers.js cannot be installed (see $log); the tests with them are skipped"
[ "${1:-}" != --download ] || exit 0
npm run --silent build >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
