#!/bin/sh
# Installs the wheels of dist/ into a new environment of each Python from 3.11 to 3.14, with NumPy 2, and with NumPy 1 if it
# supports that Python. Does a new user's first steps without a compiler on PATH, and runs the package's tests. If root runs the
# script, Python 3.14 comes from Debian testing.
# usage: test_wheels.sh [--only VERSION | arguments of pytest]
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/build/wheel-test
pip() { "$environment/bin/python" -m pip --disable-pip-version-check "$@"; }

# Tests the wheels with one Python and one version of NumPy.
try() {
  python=$1 version=$2 numpy=$3 environment=$folder/$2-numpy$3
  rm -rf "$environment"
  "$python" -m venv "$environment"
  pip install --quiet --only-binary :all: "numpy==$numpy.*" "$(grep ^pillow== bindings/python/requirements.txt)"
  start=$(date +%s.%N)
  pip install --quiet --no-index --find-links dist webnn webnn-onnxruntime
  end=$(date +%s.%N)
  steps=$(env -i PATH="$environment/bin" HOME="$folder" "$environment/bin/python" scripts/packages/wheel_first_steps.py)
  echo "Python $version: installed in $(echo "$end $start" | awk '{printf "%.1f", $1 - $2}') s; $steps"
}

# Tests the wheels with the Python of a Debian chroot, in which the wheels have the same path.
try_in_debian() {
  shared=$(realpath ..)/shared
  debian() { BIND=$PWD$([ ! -d "$shared" ] || echo ":$shared") scripts/in_debian.sh testing build/bare/testing "$@"; }
  # Check-Valid-Until=false is needed because the index of an old mirror may have expired.
  debian sh -c 'apt-get -o Acquire::Check-Valid-Until=false update -qq && apt-get install -y -qq --no-install-recommends python3-venv' \
    >"$folder/debian.log" 2>&1 ||
    { tail -n 20 "$folder/debian.log" >&2; exit 1; }
  debian "$PWD/scripts/packages/test_wheels.sh" --only "$1"
}

mkdir -p "$folder"
if [ "${1:-}" = --only ]; then
  python=$(scripts/find_python.sh "$2") || { echo "wheel-test: there is no Python $2" >&2; exit 1; }
  try "$python" "$2" 2
  exit
fi
for version in 3.11 3.12 3.13 3.14; do
  if ! python=$(scripts/find_python.sh $version); then
    if [ $version = 3.14 ] && [ "$(id -u)" = 0 ]; then try_in_debian 3.14; else echo "Python $version: skipped, it is not here"; fi
    continue
  fi
  try "$python" $version 2
  case $version in 3.11 | 3.12) try "$python" $version 1 ;; esac  # NumPy 1 does not support Python 3.13
done

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
