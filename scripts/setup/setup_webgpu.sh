#!/bin/sh
# Installs wgpu-native into build/webgpu, and copies its headers into build/webgpu/headers, where tests/webgpu finds them. The
# software adapter llvmpipe, on which the tests run, is in Debian's mesa-vulkan-drivers (setup.sh). Succeeds without a
# network: the tests are then skipped.
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/setup_python.sh tests/webgpu/requirements.txt build/webgpu
for folder in build/webgpu/lib/python3*/site-packages/wgpu/resources; do
  [ -f "$folder/webgpu.h" ] || continue
  mkdir -p build/webgpu/headers
  cp "$folder/webgpu.h" "$folder/wgpu.h" build/webgpu/headers/
done
