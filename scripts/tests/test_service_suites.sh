#!/bin/sh
# Runs the test suites of the Python and the Node.js package with each context in a separate process of the service; results must
# be the same as in one process. With WEBNN_WPT_DIR, also runs the upstream suite. Exit status 77: skipped, because the Python
# package is not installed.
# usage: test_service_suites.sh [conformance: only the vectors of Python]
set -eu
cd "$(dirname "$0")/../.."
export WEBNN_SERVICE=private
pytest=$PWD/build/python-package/bin/pytest
if [ ! -x "$pytest" ]; then
  echo "skipped: build/python-package is not there (see scripts/setup/setup_python_package.sh)"
  exit 77
fi
cd bindings/python
[ "${1:-}" != conformance ] || exec "$pytest" -q tests/test_wpt.py
"$pytest" -q
cd ../node
node --expose-gc --test test/*.test.js
[ -z "${WEBNN_WPT_DIR:-}" ] || npm run --silent wpt -- --wpt "$WEBNN_WPT_DIR"
