#!/usr/bin/env python3
"""Exports real models as ML Programs: coremltools must load them, and the evaluator's results must be almost the reference backend's.

usage: check_models.py WEBNN FOLDER [NAME...]      (FOLDER keeps the models between runs)
"""
import json
import os
import pathlib
import subprocess
import sys

import check_programs  # exits if coremltools is not installed
import mil_evaluator
import numpy as np

webnn, folder = sys.argv[1], pathlib.Path(sys.argv[2])
shared = pathlib.Path(__file__).resolve().parents[3] / 'shared'
WANTED = ('squeezenet11', 'mobilenet_v2', 'minilm', 'unet')

# This program runs in the Python environment that has onnx; see scripts/setup/setup_python.sh.
MAKE = """
import sys
sys.path.insert(0, sys.argv[1])
import make_models
for make in make_models.MODELS:
    if make.__name__ in sys.argv[3:]:
        make().save(sys.argv[2] + '/' + make.__name__ + '.onnx')
"""


def models():
    """Yields the files of ../shared/models, and the models of WANTED. Makes missing ones if the package onnx is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    yield from sorted((shared / 'models').glob('*/*.onnx'))
    missing = [name for name in WANTED if not (folder / f'{name}.onnx').exists()]
    if missing:
        python = pathlib.Path(__file__).resolve().parents[2] / 'scripts/python.sh'
        environment = {key: value for key, value in os.environ.items() if key != 'WEBNN_PYTHON_FOLDER'}
        subprocess.run([python, '-B', '-c', MAKE, shared / 'bench', folder, *missing], env=environment, stderr=subprocess.DEVNULL)
    for name in WANTED:
        if (folder / f'{name}.onnx').exists():
            yield folder / f'{name}.onnx'
        else:
            print(f'{name}: not made, as Python has no onnx')


def check(model):
    """Checks `model`; returns the greatest difference of an output element, relative to the output's greatest element."""
    place = folder / model.stem
    package, outputs = place / 'model.mlpackage', place / 'outputs'
    outputs.mkdir(parents=True, exist_ok=True)
    subprocess.run([webnn, 'convert', model, package, '--quiet'], check=True)
    program = mil_evaluator.Evaluator(check_programs.load(package), package / 'Data/com.apple.CoreML/weights/weight.bin')
    generator = np.random.default_rng(1)
    inputs, arguments = {}, []
    for name, (dtype, shape) in program.inputs.items():
        is_float = np.dtype(dtype).kind == 'f'
        inputs[name] = (generator.standard_normal(shape) if is_float else generator.integers(0, 2, shape)).astype(dtype)
    names = inputs_of(model)
    for (original, kind), (name, value) in zip(names, inputs.items(), strict=True):
        np.save(place / f'{name}.npy', value.astype(kind))
        arguments += ['--input', f'{original}={place / name}.npy']
    subprocess.run([webnn, 'run', model, '--quiet', '--backend', 'reference', *arguments, '--output-dir', outputs], check=True,
                   stdout=subprocess.DEVNULL)
    expected = sorted(outputs.glob('*.npy'))
    actual = program.evaluate(inputs)
    if len(expected) != len(actual):
        raise ValueError(f'{len(actual)} outputs, not {len(expected)}')
    worst = 0.0
    for name, value in actual.items():
        wanted = next(np.load(path) for path in expected if same_name(path.stem, name))
        worst = max(worst, np.abs(value.astype(np.float64) - wanted.reshape(value.shape)).max() / np.abs(wanted).max())
    return worst


def same_name(original, name):
    plain = ''.join(c if c.isalnum() else '_' for c in original)
    return name in (plain, '_' + plain)


def inputs_of(model):
    """Returns (name, type) of the model's inputs, in the order of the graph."""
    text = subprocess.run([webnn, 'inspect', model, '--json'], check=True, capture_output=True, text=True).stdout
    return [(name, item['dataType']) for name, item in json.loads(text)['inputs'].items()]


def main():
    if not shared.is_dir():
        print(f'skipped: {shared} is not there')
        return 77
    wrong = count = 0
    for model in models():
        if sys.argv[3:] and model.stem not in sys.argv[3:]:
            continue
        error, count = check(model), count + 1
        limit = 1e-2 if 'fp16' in model.stem else 1e-4
        print(f'{model.stem:24s} relative error {error:.1e}', flush=True)
        wrong += not error <= limit
    return 1 if wrong or not count else 0


if __name__ == '__main__':
    sys.exit(main())
