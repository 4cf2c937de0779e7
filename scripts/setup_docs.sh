#!/bin/sh
# Installs what the site is built with: Doxygen, the packages of site/requirements.txt into build/docs-env and of site/package.json
# into site/node_modules. Quick when nothing has changed. With --if-possible, no network is no failure.
set -eu
cd "$(dirname "$0")/.."
folder=build/docs-env
log=build/docs-env.log
mkdir -p build

install_all() {
  scripts/setup.sh docs || return 1
  if ! cmp -s site/requirements.txt "$folder/requirements.txt"; then
    rm -rf "$folder"
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
        --requirement site/requirements.txt &&
      cp site/requirements.txt "$folder/requirements.txt" || return 1
  fi
  if ! cmp -s site/package-lock.json site/node_modules/.installed.json; then
    npm ci --prefix site --ignore-scripts --no-audit --no-fund && cp site/package-lock.json site/node_modules/.installed.json
  fi
}

if ! install_all >"$log" 2>&1; then
  rm -rf "$folder"
  echo "setup: what builds the site cannot be installed (see $log)"
  [ "${1:-}" = --if-possible ]
fi
