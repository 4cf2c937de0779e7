#!/bin/sh
# Makes build/ray, a virtual environment with Ray and the Python package, which scripts/setup/setup_python_package.sh has built.
# Quick if nothing has changed. Because it takes 900 MB, `make test` does not make it, and skips the tests of Ray without it.
set -eu
cd "$(dirname "$0")/../.."
wanted=bindings/python/ray-requirements.txt
folder=build/ray
log=build/ray.log
if ! cmp -s "$wanted" "$folder/requirements.txt"; then
  rm -rf "$folder"
  if ! { python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 \
    --timeout 20 --requirement "$wanted"; } >"$log" 2>&1; then
    rm -rf "$folder"
    echo "setup: Ray cannot be installed (see $log)" >&2
    exit 1
  fi
  cp "$wanted" "$folder/requirements.txt"
fi
package=$(echo build/python-package/lib/python3*/site-packages/webnn)
[ -d "$package" ] || { echo "setup: the Python package is not there (make python)" >&2; exit 1; }
ln -sfn "$PWD/$package" "$(echo "$folder"/lib/python3*/site-packages)/webnn"
