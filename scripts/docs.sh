#!/bin/sh
# Builds the site into build/site without network, and checks its links. Exit status 77: skipped, because the tools for the site
# are not installed (scripts/setup/setup_docs.sh). usage: docs.sh
set -eu
cd "$(dirname "$0")/.."
for needed in build/docs-env/bin/mkdocs build/python-package/bin/webnn site/node_modules/.bin/typedoc; do
  [ -x "$needed" ] || { echo "skipped: $needed is not there (see scripts/setup/setup_docs.sh and scripts/setup/setup_python_package.sh)"; exit 77; }
done
command -v doxygen >/dev/null || { echo "skipped: doxygen is not installed (see scripts/setup/setup.sh)"; exit 77; }
pages=build/docs-pages
rm -rf "$pages" build/site
mkdir -p "$pages/api"
build/python-package/bin/python site/operation_pages.py "$pages"
(cd site && doxygen Doxyfile)
site/node_modules/.bin/typedoc --options site/typedoc.json --logLevel Warn
NO_MKDOCS_2_WARNING=1 build/docs-env/bin/mkdocs build --quiet --config-file site/mkdocs.yml
python3 site/check_links.py build/site
