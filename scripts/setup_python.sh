#!/bin/sh
# Makes build/python, a virtual environment with the packages of tests/onnx/requirements.txt, unless it is there already.
# Without it the tests that need it are skipped: no network is no failure.
set -eu
cd "$(dirname "$0")/.."
wanted=tests/onnx/requirements.txt
folder=build/python
cmp -s "$wanted" "$folder/requirements.txt" && exit 0
rm -rf "$folder"
mkdir -p build
if python3 -m venv "$folder" >build/python.log 2>&1 &&
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
    --requirement "$wanted" >>build/python.log 2>&1; then
  cp "$wanted" "$folder/requirements.txt"
else
  rm -rf "$folder"
  echo "setup: the Python packages for the ONNX tests cannot be installed (see build/python.log); those tests are skipped"
fi
