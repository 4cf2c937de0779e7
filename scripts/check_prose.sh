#!/bin/sh
# Checks comments and pages with Vale and codespell. usage: check_prose.sh [FILE...]; without files, all files that git does not
# ignore. Exit status 77: skipped, because Vale is not installed (scripts/setup/setup_prose.sh).
set -eu
cd "$(dirname "$0")/.."
[ -x build/prose/bin/vale ] || { echo "skipped: build/prose/bin/vale is not there (see scripts/setup/setup_prose.sh)"; exit 77; }
# Generated files and texts by others are skipped.
files() {
  git ls-files --cached --others --exclude-standard -- "$@" | grep -E '\.(md|h|hpp|cpp|mm|py|js|mjs|ts)$' |
    grep -vE '^(docs/reference/(ops|status|serialization)\.md|CODE_OF_CONDUCT\.md|src/capi/operations\.cpp|bindings/node/webnn\.d\.ts)$'
}
status=0
files "$@" | xargs -r build/prose/bin/vale --config scripts/prose/vale.ini --output line || status=1
files "$@" | xargs -r build/prose/bin/codespell --ignore-words scripts/prose/words.txt || status=1
exit $status
