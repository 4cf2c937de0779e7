#!/bin/sh
# Runs the tests of the Node.js package. Exit status 77 means skipped, because the package is not built.
# usage: test_node_package.sh [arguments of node --test]
set -eu
cd "$(dirname "$0")/../../bindings/node"
if ! ls prebuilds/*/webnn.node >/dev/null 2>&1; then
  echo "skipped: bindings/node/prebuilds is not there (see scripts/setup/setup_node_package.sh)"
  exit 77
fi
exec node --expose-gc --test "$@" test/*.test.js wpt/test/*.test.mjs
