#!/bin/sh
# Makes build/python, a virtual environment with the packages of tests/onnx/requirements.txt, or FOLDER with the packages of the
# file REQUIREMENTS. Does nothing if the folder has them. Succeeds without a network: tests that need the packages are then
# skipped.
# usage: setup_python.sh [REQUIREMENTS FOLDER]
set -eu
cd "$(dirname "$0")/../.."
wanted=${1:-tests/onnx/requirements.txt}
folder=${2:-build/python}
cmp -s "$wanted" "$folder/requirements.txt" && exit 0
rm -rf "$folder"
mkdir -p build
if python3 -m venv "$folder" >"$folder.log" 2>&1 &&
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
    --requirement "$wanted" >>"$folder.log" 2>&1; then
  cp "$wanted" "$folder/requirements.txt"
else
  rm -rf "$folder"
  echo "setup: the Python packages of $wanted cannot be installed (see $folder.log); what needs them is skipped"
fi
