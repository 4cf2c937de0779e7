#!/bin/sh
# Runs the tests of the page of `webnn view` in Chromium. Exit status 77: skipped, because something is missing.
# usage: test_view.sh WEBNN    (the tool)
set -eu
WEBNN_TOOL=$(realpath "$1")
export WEBNN_TOOL
cd "$(dirname "$0")/../.."
command -v node >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
for package in puppeteer-core @sparticuz/chromium; do
  [ -d "bindings/web/node_modules/$package" ] || { echo "skipped: $package is not installed (npm ci in bindings/web)"; exit 77; }
done
if ! "$WEBNN_TOOL" view examples/digits/digits.webnn --graph-only -o - >/dev/null 2>&1; then
  echo "skipped: $("$WEBNN_TOOL" view examples/digits/digits.webnn --graph-only -o - 2>&1 >/dev/null)"
  exit 77
fi
exec node --test tests/view/*_test.mjs
