#!/usr/bin/env python3
"""Measures a model on OpenVINO, for `webnn bench --peer openvino=scripts/bench_openvino.py`.

OpenVINO computes float32 in float32, unless the environment variable WEBNN_BENCH_PRECISION names another type ("bf16"). By
default, it would round activations to 8 bits before products with 4-bit or 8-bit weights (results off by 2 %).
"""
import os
import time

import bench_peer


def build(path, threads):
    import numpy
    import openvino
    core = openvino.Core()
    settings = {'PERFORMANCE_HINT': 'LATENCY', 'NUM_STREAMS': 1,
                'INFERENCE_PRECISION_HINT': os.environ.get('WEBNN_BENCH_PRECISION', 'f32')}
    if settings['INFERENCE_PRECISION_HINT'] == 'f32':
        settings['DYNAMIC_QUANTIZATION_GROUP_SIZE'] = 0
    if threads:
        settings['INFERENCE_NUM_THREADS'] = threads
    bench_peer.loaded()
    start = time.perf_counter()
    model = core.read_model(path)
    load = time.perf_counter() - start
    compiled = core.compile_model(model, 'CPU', settings)
    seconds = time.perf_counter() - start - load
    request = compiled.create_infer_request()
    generator = numpy.random.default_rng(0)
    for index, port in enumerate(compiled.inputs):
        values = bench_peer.random_values(numpy, generator, port.get_element_type().to_dtype(), list(port.get_shape()))
        request.set_input_tensor(index, openvino.Tensor(values))
    return load, seconds, openvino.__version__.split('-')[0], request.infer


if __name__ == '__main__':
    bench_peer.serve('openvino', build)
