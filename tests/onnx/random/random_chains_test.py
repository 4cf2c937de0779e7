"""Compares random chains of quantized operators with ONNX Runtime.

usage: random_chains_test.py COUNT [--seed SEED]

The chains (random_quantized/chains.py) have QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear, MatMulInteger, ConvInteger and
QLinear operators, with parameters per tensor and per channel, zero points of both types and odd sizes. Scales are powers of 2, so that
results must be equal. Each model runs in one of several contexts. A part of the models has an open batch.
"""

import argparse
import collections
import functools
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import reference_session, require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_quantized.chains import ChainModel  # noqa: E402


CONTEXTS = [
    {},
    {'threads': 2},
    {'threads': 1, 'backend_options': {'isa': 'sse4'}},
    {'threads': 2, 'backend_options': {'isa': 'avx2'}},
    {'threads': 1, 'backend_options': {'disable': 'fuseQuantized'}},
    {'threads': 1, 'backend_options': {'disable': 'all'}},
]


@functools.cache
def context(index):
    """Returns the context; the default context if the processor lacks the instruction set."""
    settings = CONTEXTS[index]
    try:
        return webnn.ML().create_context(backend='cpu', **settings)
    except webnn.Error:
        if 'isa' not in settings.get('backend_options', {}):
            raise
        return context(0)


def problems_of(made, results, expected, label):
    for name, actual, other in zip(made.outputs, results, expected, strict=True):
        if actual.shape != other.shape or actual.dtype != other.dtype:
            yield f'{label}: {name}: {actual.dtype}{list(actual.shape)}, not {other.dtype}{list(other.shape)}'
            continue
        distance = np.abs(actual.astype(np.float64) - other.astype(np.float64))
        is_wrong = distance > (1 if name in made.near else 0)
        if is_wrong.any():
            yield f'{label}: {name}: {is_wrong.sum()} of {is_wrong.size}: {actual[is_wrong][:4]}, not {other[is_wrong][:4]}'


def check(made, seed):
    """Returns problems; None if ONNX Runtime refuses the model."""
    content = made.model_bytes()
    try:
        session = reference_session(content)
        expected = [session.run(None, feed) for feed in made.feeds]
    except Exception:  # onnxruntime lacks some pairs of types
        return None
    problems = []
    try:
        session = webnn.InferenceSession(content, context=context(seed % len(CONTEXTS)))
        for i, (feed, arrays) in enumerate(zip(made.feeds, expected, strict=True)):
            problems += problems_of(made, session.run(None, feed), arrays, f'{CONTEXTS[seed % len(CONTEXTS)]}, run {i}')
    except webnn.Error as error:
        problems.append(f'{type(error).__name__}: {error}')
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    failed = refused = 0
    operators = collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        made = ChainModel(seed)
        problems = check(made, seed)
        refused += problems is None
        if problems is not None:
            operators.update({one.op_type for one in made.nodes})
        if problems:
            failed += 1
            print(f'--seed {seed} ({made}):', *problems[:4], sep='\n  ', flush=True)
    print(f'{options.count} models, {refused} refused by onnxruntime, {failed} failed')
    print(', '.join(f'{name} {count}' for name, count in sorted(operators.items())))
    return failed > 0 or refused > options.count / 2


if __name__ == '__main__':
    sys.exit(main())
