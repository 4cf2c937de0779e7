#!/bin/sh
# Runs the tests of the site that scripts/docs.sh has built, in Chromium. Exit status 77: skipped, because something is missing.
set -eu
cd "$(dirname "$0")/../.."
command -v node >/dev/null || { echo "skipped: there is no Node.js"; exit 77; }
for package in puppeteer-core @sparticuz/chromium; do
  [ -d "bindings/web/node_modules/$package" ] || { echo "skipped: $package is not installed (npm ci in bindings/web)"; exit 77; }
done
[ -e build/site/index.html ] || { echo "skipped: the site is not built (scripts/docs.sh)"; exit 77; }
exec node --test tests/site/*_test.mjs
