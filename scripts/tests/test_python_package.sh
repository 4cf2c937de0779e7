#!/bin/sh
# Runs the tests of the Python package, and checks its types and its style. Exit status 77: skipped, because the package is not
# installed.
# usage: test_python_package.sh [arguments of pytest]
set -eu
cd "$(dirname "$0")/../../bindings/python"
bin=../../build/python-package/bin
if [ ! -x "$bin/python" ]; then
  echo "skipped: build/python-package is not there (see scripts/setup/setup_python_package.sh)"
  exit 77
fi
"$bin/ruff" check . ../../examples/python ../../examples/ray ../../examples/service ../../site ../../tests/site
"$bin/mypy"
"$bin/basedpyright" --pythonpath "$bin/python"
exec "$bin/pytest" "$@"
