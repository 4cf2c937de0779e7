#!/usr/bin/env python3
"""Measures a model file on ONNX Runtime's WebGPU provider, for `webnn bench --peer`. Needs the package onnxruntime-webgpu, which
`make webgpu-check` installs into build/onnxruntime_webgpu."""
import bench_onnxruntime
import bench_peer

PROVIDER = 'WebGpuExecutionProvider'


def build(path, threads):
    import onnxruntime
    if PROVIDER not in onnxruntime.get_available_providers():  # the interpreter has another package of the same name
        raise ImportError(f'onnxruntime has no {PROVIDER}')
    return bench_onnxruntime.build(path, threads, [PROVIDER])


if __name__ == '__main__':
    bench_peer.serve('onnxruntime_webgpu', build)
