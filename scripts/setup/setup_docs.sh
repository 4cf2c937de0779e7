#!/bin/sh
# Installs the tools that build the site: Doxygen, the packages of site/requirements.txt into build/docs-env, and the packages of
# site/package.json into site/node_modules. Quick if nothing has changed. With --if-possible, succeeds without a network.
set -eu
cd "$(dirname "$0")/../.."
log=build/docs-setup.log
mkdir -p build

if ! { scripts/setup/setup.sh docs && scripts/setup/setup_python.sh site/requirements.txt build/docs-env && [ -d build/docs-env ] &&
  scripts/setup/setup_npm.sh site; } >"$log" 2>&1; then
  echo "setup: what builds the site cannot be installed (see $log)"
  [ "${1:-}" = --if-possible ]
fi
