#!/bin/sh
# Runs scripts/status.py with the libraries of the repository's virtual environments.
# usage: status.sh WEBNN VECTORS
set -eu
for folder in build/python/lib/python3*/site-packages/onnxruntime/capi; do WEBNN_ONNXRUNTIME=${WEBNN_ONNXRUNTIME:-$PWD/$folder}; done
for folder in build/openvino/lib/python3*/site-packages/openvino/libs; do WEBNN_OPENVINO=${WEBNN_OPENVINO:-$PWD/$folder}; done
for file in build/webgpu/lib/python3*/site-packages/wgpu/resources/libwgpu_native*.so; do WEBNN_WEBGPU=${WEBNN_WEBGPU:-$PWD/$file}; done
export WEBNN_ONNXRUNTIME WEBNN_OPENVINO WEBNN_WEBGPU
exec python3 scripts/status.py "$@"
