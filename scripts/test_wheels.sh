#!/bin/sh
# Installs the wheels of dist/ into a new environment of each Python from 3.11 to 3.14 that is here, with NumPy 2 and where it has one
# NumPy 1, and does what a new user does, without a compiler on PATH. The package's own tests run with the newest Python that has what they need.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/build/wheel-test
pip() { "$environment/bin/python" -m pip --disable-pip-version-check "$@"; }

# With one Python and one version of NumPy.
try() {
  python=$1 version=$2 numpy=$3 environment=$folder/$2-numpy$3
  rm -rf "$environment"
  "$python" -m venv "$environment"
  pip install --quiet --only-binary :all: "numpy==$numpy.*" pillow
  start=$(date +%s.%N)
  pip install --quiet --no-index --find-links dist webnn
  end=$(date +%s.%N)
  echo "Python $version: installed in $(echo "$end $start" | awk '{printf "%.1f", $1 - $2}') s;" \
    "$(env -i PATH="$environment/bin" HOME="$folder" "$environment/bin/python" scripts/wheel_first_steps.py)"
}

tested=0
for version in 3.11 3.12 3.13 3.14; do
  python=$(scripts/find_python.sh $version) || { echo "Python $version: skipped, it is not here"; continue; }
  try "$python" $version 2
  case $version in 3.11 | 3.12) try "$python" $version 1 ;; esac  # NumPy 1 ended before 3.13
  tested=$version
done
[ $tested != 0 ] || { echo "wheel-test: no Python from 3.11 to 3.14 is here" >&2; exit 1; }

python=$(scripts/find_python.sh 3.12 || scripts/find_python.sh 3.11)
environment=$folder/suite
grep -vE '^(nanobind|scikit-build-core|mypy|basedpyright|ruff)' bindings/python/requirements.txt >"$folder/requirements.txt"
if ! cmp -s "$folder/requirements.txt" "$environment/requirements.txt"; then
  rm -rf "$environment"
  "$python" -m venv "$environment"
  pip install --quiet --requirement "$folder/requirements.txt"
  cp "$folder/requirements.txt" "$environment"
fi
pip install --quiet --force-reinstall --no-deps --no-index --find-links dist webnn
cd bindings/python
env -i PATH="$environment/bin" HOME="$folder" "$environment/bin/python" -m pytest -p no:cacheprovider "$@"
