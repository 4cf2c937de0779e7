"""Checks that the reference backend broadcasts as NumPy does: all element-wise binary operations, where and prelu.

usage: random_broadcast_test.py COUNT [--seed SEED]

Operands have ranks from 0 to 8 and dimensions of 1 and more in every mixture; some are constants, some transposed. Results of integers,
of comparisons, and of operations that only choose elements, must be equal. The environment variables WEBNN_BROADCAST_COUNT and
WEBNN_BROADCAST_SEED take precedence over the arguments.
"""
import argparse
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'onnx'))
from verify import require, require_webnn  # noqa: E402

require('numpy')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402

COMPARISONS = {'equal': np.equal, 'not_equal': np.not_equal, 'greater': np.greater, 'greater_or_equal': np.greater_equal, 'lesser': np.less,
               'lesser_or_equal': np.less_equal, 'logical_and': np.logical_and, 'logical_or': np.logical_or, 'logical_xor': np.logical_xor}
ARITHMETIC = {'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'div': np.true_divide, 'max': np.maximum, 'min': np.minimum, 'pow': np.power}
OPERATIONS = [*COMPARISONS, *ARITHMETIC, 'where', 'prelu']
FLOATS = ['float32', 'float16']
TYPES = [*FLOATS, 'int32', 'int64', 'uint8', 'int8', 'uint32', 'uint64']
MOST_ELEMENTS = 4000


def shapes_of(random, count):
    """Returns shapes that broadcast to one another."""
    rank = int(random.integers(0, 9))
    full = [int(size) for size in random.choice([1, 1, 2, 3, 2, 5], rank)]
    while np.prod(full) > MOST_ELEMENTS:
        full[int(random.integers(rank))] = 1
    shapes = []
    for _ in range(count):
        own = int(random.integers(0, rank + 1)) if random.random() < 0.4 else rank
        shape, kind, cut = full[rank - own:], random.random(), int(random.integers(0, own + 1))
        if kind < 0.6:
            shape = [1 if random.random() < 0.4 else size for size in shape]
        elif kind < 0.8:  # all ones are on one side
            shape = [1] * cut + shape[cut:] if random.random() < 0.5 else shape[:cut] + [1] * (own - cut)
        shapes.append(shape)
    return shapes


def elements(random, shape, type_):
    if type_ in FLOATS:
        return np.array(np.round(random.normal(size=shape) * 4) / 2, type_)
    range_ = np.iinfo(type_)
    wide = random.integers(range_.min, range_.max, shape, dtype=type_, endpoint=True)
    small = random.integers(max(range_.min, -6), 7, shape).astype(type_)
    return np.array(np.where(random.random(shape) < 0.1, wide, small), type_)


def integer_result(operation, a, b):
    """Returns a / b or a^b of integers by the rules of the reference backend, computed with Python's integers."""
    range_, bits = np.iinfo(a.dtype), 8 * a.dtype.itemsize
    shape = np.broadcast_shapes(a.shape, b.shape)
    result = []
    for x, y in zip(np.broadcast_to(a, shape).ravel().tolist(), np.broadcast_to(b, shape).ravel().tolist(), strict=True):
        if operation == 'div':
            value = 0 if y == 0 else abs(x) // abs(y) * (-1 if (x < 0) != (y < 0) else 1)
        elif y < 0:
            value = {1: 1, -1: 1 if y % 2 == 0 else -1}.get(x, 0)
        else:
            value = pow(x, y, 1 << bits)
        value %= 1 << bits
        result.append(value - (1 << bits) if value > range_.max else value)
    return np.array(result, a.dtype).reshape(shape)


def expected_of(operation, operands):
    a, b = operands[:2]
    if operation == 'where':
        return np.where(a != 0, b, operands[2])
    if operation == 'prelu':
        return np.where(a >= 0, a, a * b).astype(a.dtype)
    if operation in COMPARISONS:
        return COMPARISONS[operation](a, b).astype(np.uint8)
    if a.dtype.name in FLOATS and operation in ('div', 'pow'):
        return ARITHMETIC[operation](a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)
    return integer_result(operation, a, b) if operation in ('div', 'pow') else ARITHMETIC[operation](a, b)


class Operations:
    """A graph of a few random operations, with the operands that it reads and the expected results."""

    def __init__(self, seed, context):
        self.random, self.builder = np.random.default_rng(seed), webnn.MLGraphBuilder(context)
        self.feed, self.outputs, self.expected, self.texts, self.is_exact = {}, {}, {}, {}, {}
        for i in range(4):
            self.add(f'y{i}')

    def add(self, name):
        random, operation = self.random, str(self.random.choice(OPERATIONS))
        type_ = str(random.choice(FLOATS if operation == 'prelu' else ['uint8'] if operation.startswith('logical') else TYPES))
        shapes = shapes_of(random, 3 if operation == 'where' else 2)
        if operation == 'prelu':  # the slope broadcasts to the input
            shapes[0] = list(np.broadcast_shapes(*map(tuple, shapes)))
        arrays = [elements(random, shape, 'uint8' if operation == 'where' and i == 0 else type_) for i, shape in enumerate(shapes)]
        operands = [self.operand(f'{name}_{i}', array) for i, array in enumerate(arrays)]
        self.outputs[name] = getattr(self.builder, operation)(*operands)
        with np.errstate(all='ignore'):
            self.expected[name] = expected_of(operation, arrays)
        self.texts[name] = f'{operation} of {type_} {shapes}'
        self.is_exact[name] = type_ not in FLOATS or operation in ('where', 'max', 'min') or operation in COMPARISONS

    def operand(self, name, array):
        kind = self.random.random()
        if kind < 0.15:
            return self.builder.constant(array)
        if kind < 0.4 and array.ndim > 1:
            order = self.random.permutation(array.ndim)
            self.feed[name] = np.ascontiguousarray(np.transpose(array, np.argsort(order)))
            operand = self.builder.input(name, list(self.feed[name].shape), array.dtype.name)
            return self.builder.transpose(operand, permutation=order.tolist())
        self.feed[name] = array
        return self.builder.input(name, list(array.shape), array.dtype.name)

    def problems(self, context):
        results = context.compute(self.builder.build(self.outputs), self.feed)
        for name, expected in self.expected.items():
            actual = np.asarray(results[name])
            rtol = 0 if self.is_exact[name] else 1e-3 if expected.dtype == np.float16 else 1e-6
            if actual.shape != expected.shape or not np.allclose(actual, expected, rtol=rtol, atol=0, equal_nan=expected.dtype.kind == 'f'):
                yield f'{self.texts[name]}: {actual.ravel()[:8]}, not {expected.ravel()[:8]}'
            elif expected.dtype.kind != 'f' and not np.array_equal(actual, expected):
                yield f'{self.texts[name]}: integers differ'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    count, first = int(os.environ.get('WEBNN_BROADCAST_COUNT', options.count)), int(os.environ.get('WEBNN_BROADCAST_SEED', options.seed))
    context = webnn.ML().create_context(backend='reference')
    failures = 0
    for seed in range(first, first + count):
        for problem in Operations(seed, context).problems(context):
            failures += 1
            print(f'--seed {seed}: {problem}')
    print(f'{4 * count} operations, {failures} differ')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
