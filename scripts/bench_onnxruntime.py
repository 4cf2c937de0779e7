#!/usr/bin/env python3
"""Measures a model file on ONNX Runtime itself, for `webnn bench --peer onnxruntime=scripts/bench_onnxruntime.py`.

The backend "onnxruntime" of libwebnn instead runs a model that libwebnn exports, which ONNX Runtime may optimize differently.
"""
import time

import bench_peer


def build(path, threads, providers=('CPUExecutionProvider',)):
    import numpy
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    bench_peer.loaded()
    start = time.perf_counter()
    session = onnxruntime.InferenceSession(path, options, providers=list(providers))
    seconds = time.perf_counter() - start
    if session.get_providers()[0] != providers[0]:
        raise RuntimeError(f'onnxruntime runs the model on {session.get_providers()[0]}, not on {providers[0]}')
    generator = numpy.random.default_rng(0)
    binding = session.io_binding()
    kinds = {'tensor(float)': 'float32', 'tensor(double)': 'float64', 'tensor(bool)': 'bool'}
    for value in session.get_inputs():
        kind = kinds.get(value.type, value.type.removeprefix('tensor(').removesuffix(')'))
        values = bench_peer.random_values(numpy, generator, kind, value.shape)
        binding.bind_ortvalue_input(value.name, onnxruntime.OrtValue.ortvalue_from_numpy(values))
    for value in session.get_outputs():
        binding.bind_output(value.name)
    return 0.0, seconds, onnxruntime.__version__, lambda: session.run_with_iobinding(binding)


if __name__ == '__main__':
    bench_peer.serve('python', build)
