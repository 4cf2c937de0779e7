#!/bin/sh
# Builds everything that `make test` runs: the preset `release`, and the Python and the Node.js package if their dependencies can
# be installed. Downloads run while the compiler works. The setup scripts report missing dependencies.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
scripts/setup/setup_webgpu.sh  # before the build, because a test compares our declarations with its header
{
  scripts/setup/setup_python.sh
  scripts/setup/setup_python.sh bench/requirements.txt build/openvino
  scripts/setup/setup_python.sh tests/coreml/requirements.txt build/coreml
  scripts/setup/setup_python_package.sh --download
  scripts/setup/setup_node_package.sh --download
} >build/downloads.log 2>&1 &
downloads=$!
status=0
cmake --build --preset release || status=$?
wait "$downloads" || true
[ "$status" = 0 ] || exit "$status"

scripts/setup/setup_python.sh
scripts/setup/setup_python.sh bench/requirements.txt build/openvino
scripts/setup/setup_python.sh tests/coreml/requirements.txt build/coreml
scripts/setup/setup_python_package.sh --if-possible &
python=$!
scripts/setup/setup_node_package.sh --if-possible || status=$?
wait "$python" || status=$?
exit "$status"
