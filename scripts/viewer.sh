#!/bin/sh
# Bundles the page of `webnn view` into build/viewer, from tools/cli/view and npm's packages. Quick if nothing has changed. With
# --if-possible, succeeds without Node.js or a network: the tool is then built without the page, and `webnn view` reports that.
set -eu
cd "$(dirname "$0")/.."
source=tools/cli/view
folder=build/viewer
log=$folder/log
mkdir -p "$folder"

give_up() {
  echo "setup: webnn view is built without its page: $1"
  [ "${2:-}" = --if-possible ]
  exit
}

command -v npm >/dev/null || give_up "there is no Node.js" "${1:-}"
cmp -s "$source/package-lock.json" "$folder/package-lock.json" || cp "$source/package.json" "$source/package-lock.json" "$folder/"
scripts/setup/setup_npm.sh "$folder" --fetch-retries 1 --fetch-timeout 20000 >"$log" 2>&1 ||
  give_up "its packages cannot be installed (see $log)" "${1:-}"
if [ -e "$folder/page.inc" ] && [ -z "$(find "$source" "$folder/package-lock.json" -newer "$folder/page.inc" -type f)" ]; then exit 0; fi
node "$source/bundle.mjs" "$folder"
