#!/bin/sh
# Makes a Python environment build/programs/NAME of each file tests/programs/NAME.txt (without arguments: of all), and adds the
# package webnn that scripts/setup/setup_python_package.sh has built. Quick if nothing has changed.
# Because they take 7 GB, `make test` does not make them, and skips the programs of environments that are not there.
# usage: setup_programs.sh [NAME...]
set -eu
cd "$(dirname "$0")/../.."
package=$(echo build/python-package/lib/python3*/site-packages/webnn)
[ -d "$package" ] || { echo "setup: the Python package is not there (make python)" >&2; exit 1; }
mkdir -p build/programs
status=0
for name in ${*:-bundled older huggingface}; do
  wanted=tests/programs/$name.txt
  folder=build/programs/$name
  if ! cmp -s "$wanted" "$folder/requirements.txt"; then
    rm -rf "$folder"
    # The file lists all dependencies. Some packages declare others, which they need neither for ONNX Runtime nor for a CPU.
    if ! { python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 \
      --timeout 20 --no-deps --requirement "$wanted"; } >"$folder.log" 2>&1; then
      rm -rf "$folder"
      echo "setup: the packages of $wanted cannot be installed (see $folder.log)" >&2
      status=1
      continue
    fi
    cp "$wanted" "$folder/requirements.txt"
  fi
  ln -sfn "$PWD/$package" "$(echo "$folder"/lib/python3*/site-packages)/webnn"
done
exit $status
