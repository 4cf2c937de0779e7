#!/bin/sh
# Runs the tests of the web package in a browser. Exit status 77 means skipped, because the package or the browser is missing.
# usage: test_web_package.sh chromium|firefox|webkit [arguments of node --test]
set -eu
browser=$1
shift
cd "$(dirname "$0")/../../bindings/web"
export WEBNN_BROWSERS="$browser"
command -v node >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
reason=$(node --input-type=module -e 'import {browsers} from "./test/support/browsers.mjs"; console.log(browsers[0].skip || "")')
[ -z "$reason" ] || { echo "skipped: $reason"; exit 77; }
exec node --test "$@" test/*.test.mjs
