#!/bin/sh
# Installs what the site is built with: Doxygen, the packages of site/requirements.txt into build/docs-env and of site/package.json
# into site/node_modules. Quick when nothing has changed. With --if-possible, no network is no failure.
set -eu
cd "$(dirname "$0")/../.."
log=build/docs-setup.log
mkdir -p build

if ! { scripts/setup/setup.sh docs && scripts/setup/setup_python.sh site/requirements.txt build/docs-env && [ -d build/docs-env ] &&
  scripts/setup/setup_npm.sh site; } >"$log" 2>&1; then
  echo "setup: what builds the site cannot be installed (see $log)"
  [ "${1:-}" = --if-possible ]
fi
