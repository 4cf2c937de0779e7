#!/bin/sh
# The tests of the web package in a browser. Exit status 77: skipped, because the package or the browser is missing.
# usage: test_web_package.sh chromium|firefox [arguments of node --test]
set -eu
browser=$1
shift
cd "$(dirname "$0")/../bindings/web"
skip() {
  echo "skipped: $1"
  exit 77
}
[ -f dist/webnn.js ] || skip "bindings/web/dist is not there (make web)"
[ -d node_modules/puppeteer-core ] || skip "the tools are not installed (npm ci --ignore-scripts in bindings/web)"
if [ "$browser" = firefox ] && [ -z "${WEBNN_FIREFOX:-}" ]; then
  command -v firefox-esr >/dev/null || command -v firefox >/dev/null || skip "there is no Firefox"
fi
WEBNN_BROWSERS=$browser exec node --test "$@" test/*.test.mjs
