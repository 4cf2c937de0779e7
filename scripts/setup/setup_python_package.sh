#!/bin/sh
# Installs the package of bindings/python, and the packages that its tests need, into build/python-package. Quick if nothing has
# changed: CMake's directory is kept. With --if-possible, succeeds without a network, and the tests are skipped. --download only
# installs the packages that the build and the tests need.
set -eu
cd "$(dirname "$0")/../.."
wanted=bindings/python/requirements.txt
folder=build/python-package
log=build/python-package.log
mkdir -p build

install_requirements() {
  cmp -s "$wanted" "$folder/requirements.txt" && return 0
  rm -rf "$folder"
  python3 -m venv "$folder" >"$log" 2>&1 &&
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
      --requirement "$wanted" >>"$log" 2>&1 &&
    cp "$wanted" "$folder/requirements.txt"
}

if ! install_requirements; then
  rm -rf "$folder"
  echo "setup: the packages for the Python package cannot be installed (see $log); its tests are skipped"
  [ "${1:-}" = --if-possible ]
  exit
fi
[ "${1:-}" != --download ] || exit 0
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index \
  ./bindings/python >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
