#!/usr/bin/env python3
"""Measures a model on OpenVINO, for `webnn bench --peer openvino=scripts/bench_openvino.py`; docs/bench.md has the protocol.

usage: bench_openvino.py MODEL THREADS WARMUP

With OpenVINO of the Python that runs this, or of build/openvino (`make bench` installs it). float32 stays float32, unless
WEBNN_BENCH_PRECISION names another type ("bf16").
"""
import json
import os
import pathlib
import resource
import socket
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TURN = 5e-3  # seconds that a turn fills, as those of `webnn bench`


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Model:
    """A model that is compiled, and bound to inputs of random values."""

    def __init__(self, path, threads, openvino, numpy):
        core = openvino.Core()
        settings = {'PERFORMANCE_HINT': 'LATENCY', 'NUM_STREAMS': 1,
                    'INFERENCE_PRECISION_HINT': os.environ.get('WEBNN_BENCH_PRECISION', 'f32')}
        if threads:
            settings['INFERENCE_NUM_THREADS'] = threads
        before = peak_bytes()
        start = time.perf_counter()
        model = core.read_model(path)
        self.load = time.perf_counter() - start
        compiled = core.compile_model(model, 'CPU', settings)
        self.compile = time.perf_counter() - start - self.load
        self.request = compiled.create_infer_request()
        generator = numpy.random.default_rng(0)
        for index, port in enumerate(compiled.inputs):
            kind, shape = port.get_element_type().to_dtype(), list(port.get_shape())
            values = generator.integers(0, 2, shape) if kind.kind in 'iub' else generator.standard_normal(shape)
            self.request.set_input_tensor(index, openvino.Tensor(values.astype(kind)))
        self.last = self.run()
        self.peak = peak_bytes() - before

    def run(self):
        start = time.perf_counter()
        self.request.infer()
        self.last = time.perf_counter() - start
        return self.last

    def turn(self, most):
        if self.last < TURN / 2:
            self.run()
        times = [self.run()]
        while sum(times) < TURN and (most == 0 or len(times) < most):
            times.append(self.run())
        return {'times': times}


def main(path, threads, warmup):
    lines = socket.socket(fileno=0).makefile('rw')

    def answer(value):
        lines.write(json.dumps(value) + '\n')
        lines.flush()

    try:
        try:
            import numpy
            import openvino
        except ImportError as missing:
            python = ROOT / 'build/openvino/bin/python'
            if not python.exists() or pathlib.Path(sys.prefix) == python.parents[1]:
                raise RuntimeError(f'{missing}; `make bench` installs OpenVINO into build/openvino') from None
            os.execv(python, [str(python), __file__, *sys.argv[1:]])
        model = Model(path, int(threads), openvino, numpy)
        for _ in range(int(warmup)):
            model.run()
    except Exception as error:  # whatever the engine fails of is what the row says
        answer({'error': ' '.join(str(error).split())[:1000] or type(error).__name__})
        return
    answer({'load': model.load, 'compile': model.compile, 'peakBytes': model.peak, 'version': openvino.__version__.split('-')[0]})
    for line in lines:
        answer(model.turn(int(line.split()[1])))


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
