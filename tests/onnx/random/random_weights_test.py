"""Compares products of float32 matrices and weights of 4 and 8 bits with NumPy's products in float64.

usage: random_weights_test.py COUNT [--seed SEED]

The weights are DequantizeLinear with scales for the tensor, an axis or blocks, or MatMulNBits. Sizes lie around the blocks and tiles
of the kernels. Models slice, join, transpose, scale or share the weights, gate a product or multiply twice. Other models multiply
matrices of OneHot. Scales of single products may be negative, 0, infinite, NaN, tiny or huge. Models of several products have scales
near 0.05, because products of tiny scales are rounded to 0 and those of huge scales overflow.
"""

import math
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require("numpy", "onnx")
require_webnn()
import numpy as np  # noqa: E402
from random_numpy.check import check_models  # noqa: E402
from random_numpy.model import EXTREME, Value, finite_size  # noqa: E402
from random_numpy.weights import product, quantized  # noqa: E402

DEPTHS = [1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 95, 96, 97, 127, 128, 129, 191, 192, 255, 256, 257, 300, 511, 513]
COLUMNS = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 24, 31, 32, 33, 47, 48, 49, 63, 64, 65, 96, 127, 128, 129]
DEEP = [1000, 2048, 4097]
MOST_PRODUCTS = 3_000_000
LARGEST = 1e36  # larger results may overflow in float32, depending on the order of the sum


def slice_of(model, value, axis, first, end):
    parts = tuple(slice(first, end) if i == axis else slice(None) for i in range(value.array.ndim))
    return model.move("Slice", lambda array: array[parts], value, *(model.integers(i) for i in (first, end, axis)))


def split_weights(model, depth, columns):
    whole = quantized(model, (depth, 3 * columns), 0.05)
    names = model.node("Split", whole, model.integers(columns, columns, columns), outputs=3, axis=1)
    parts = [Value(name, *(np.split(one, 3, 1)[i] for one in whole[1:])) for i, name in enumerate(names)]
    model.output(parts[0])
    return parts[2]


def sliced_weights(model, depth, columns):
    axis, first = model.pick([0, 1]), model.count(0, 5)
    larger = quantized(model, (depth + 5, columns) if axis == 0 else (depth, columns + 5), 0.05)
    end = first + (depth, columns)[axis]
    part = (slice(first, end), slice(None)) if axis == 0 else (slice(None), slice(first, end))
    return model.move("Slice", lambda array: array[part], larger, *(model.integers(i) for i in (first, end, axis)))


def joined_weights(model, depth, columns):
    parts = [quantized(model, (depth, size), 0.05) for size in (columns, 1)]
    name = model.node("Concat", *parts, axis=1)
    return Value(name, *(np.concatenate([part[i] for part in parts], 1) for i in (1, 2)))


def turned_weights(model, depth, columns):
    weights = quantized(model, (columns, depth), 0.05)
    for _ in range(3):
        weights = model.transpose(weights, [1, 0])
    return weights


def changed_weights(model, depth, columns):
    weights = quantized(model, (depth, columns), 0.05)
    form = model.pick(["scale", "shift", "permute", "pad", "relu", "reshape"])
    if form in ("scale", "shift"):
        other = model.numbers_value(*model.pick([(depth, 1), (columns,), (depth, columns)]), constant=0.8)
        return model.multiply(weights, other) if form == "scale" else model.add(weights, other)
    if form == "permute":
        return model.gather(weights, model.value(model.random.permutation(depth), constant=1))
    if form == "pad":
        return model.move("Pad", lambda array: np.pad(array, [(0, 0), (0, 2)]), weights, model.integers(0, 0, 0, 2))
    return model.reshape(quantized(model, (depth * columns,), 0.05), [depth, columns]) if form == "reshape" else model.relu(weights)


def activated(model, value):
    """Adds an activation. Its slope is at most 1.2."""
    functions = {
        "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "Tanh": np.tanh,
        "Neg": np.negative,
        "LeakyRelu": lambda x: np.where(x < 0, x * float(np.float32(0.1)), x),
        "Relu": lambda x: np.maximum(x, 0),
        "Gelu": lambda x: x * 0.5 * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2))),
    }
    op = model.pick(list(functions))
    attributes = {"alpha": 0.1} if op == "LeakyRelu" else {}
    array = functions[op](value.array)
    return Value(model.node(op, value, **attributes), array, value.size * 1.2 + finite_size(array) + 1e-2)


def multiply_once(model, x, columns):
    return product(model, x, columns)


def multiply_derived(model, x, columns):
    derive = model.pick([split_weights, sliced_weights, joined_weights, turned_weights, changed_weights, changed_weights])
    return model.matmul(x, derive(model, x.array.shape[-1], columns))


def multiply_left(model, x, columns):
    weights = quantized(model, (columns, x.array.shape[-2])) if x.array.ndim > 1 else quantized(model, (columns, x.array.shape[-1]))
    return model.matmul(weights, x)


def multiply_gated(model, x, columns):
    return model.multiply(activated(model, product(model, x, columns, 0.05)), product(model, x, columns, 0.05))


def multiply_twice(model, x, columns):
    hidden = product(model, x, model.pick(COLUMNS), 0.05)
    hidden = model.relu(hidden) if model.chance(0.5) else hidden
    if model.chance(0.3):
        model.output(hidden)
    return product(model, hidden, columns, 0.05)


def multiply_square(model, x, _):
    weights = quantized(model, (x.array.shape[-1],) * 2, 0.05)
    return model.matmul(model.matmul(x, weights), weights)


def multiply_tied(model, x, columns):
    """Adds rows of a table to the input, and multiplies by the transposed table."""
    table = quantized(model, (columns, x.array.shape[-1]), 0.05)
    rows = model.gather(table, model.random_indices(columns, *x.array.shape[:-1]))
    return model.matmul(model.add(rows, x), model.transpose(table, [1, 0]))


def multiply_one_hot(model, *_):
    """Adds a product with rows of OneHot, or a reduction of such rows."""
    depth, shape = model.pick([1, 2, 3, 7, 16, 33]), [model.pick([1, 2, 5, 8, 17]) for _ in range(model.count(1, 2))]
    indices = model.value(model.random.integers(-depth - 1, depth + 2, shape).astype(model.pick([np.int64, np.int32])), constant=0)
    off, on = model.pick([(0, 1), (0, 1), (0, 2), (-1, 1), (1, 0)])
    places = np.where(indices.array < 0, indices.array + depth, indices.array)
    rows = np.where(places[..., None] == np.arange(depth), np.float32(on), np.float32(off))
    limits = model.constant(np.array([off, on], np.float32))
    rows = model.known(model.node("OneHot", indices, model.integers(depth), limits, axis=-1), rows)
    form = model.pick(["matmul", "matmul", "transposed", "product", "sum", "argmax"])
    if form == "matmul":
        return model.matmul(rows, model.numbers_value(depth, model.pick([1, 3, 8, 17])))
    if form == "transposed":
        return model.matmul(rows, model.transpose(model.numbers_value(model.pick([1, 3, 8]), depth), [1, 0]))
    if form == "product":
        return model.total(model.multiply(rows, model.numbers_value(depth)), [rows.array.ndim - 1])
    if form == "sum":
        return model.total(rows, [model.count(0, len(shape))])
    return model.apply("ArgMax", lambda array: np.argmax(array, -1), rows, axis=-1, keepdims=0)


def input_matrix(model):
    """Adds the input: a matrix, a vector or a batch of matrices."""
    depth = model.pick(DEPTHS) if model.chance(0.96) else model.pick(DEEP)
    rows = model.count(1, model.pick([20, 70])) if model.chance(0.96) else 130
    batch = model.pick([[], [], [], [model.pick([1, 2, 3, 5])], [2, model.pick([1, 2, 3])]])
    array = model.numbers(*([depth] if model.chance(0.05) else [*batch, rows, depth]))
    if model.chance(0.1):
        array = np.where(model.random.random(array.shape) < 0.6, np.float32(0), array)
    return model.value(array, constant=0)


def followed(model, value):
    """Adds a bias, an activation, a residual sum and a transpose at times."""
    if value.array.dtype.kind != "f" or not value.array.ndim:
        return value
    if model.chance(0.3):
        value = model.add(value, model.numbers_value(value.array.shape[-1], constant=0.7))
    if model.chance(0.25):
        value = activated(model, value)
    if model.chance(0.3):
        shape = model.pick([value.array.shape, value.array.shape[-1:], (*value.array.shape[:-1], 1)])
        value = model.add(value, model.numbers_value(*shape, constant=0))
    if model.chance(0.1):
        value = model.transpose(value, model.random.permutation(value.array.ndim))
    return value


def make(model):
    model.specials = EXTREME if model.chance(0.1) else ()
    single = [multiply_once] * 5 + [multiply_left]
    several = [multiply_derived, multiply_derived, multiply_gated, multiply_twice, multiply_square, multiply_tied, multiply_one_hot]
    kind = model.pick([*single, *several])
    if kind in several and kind is not multiply_one_hot:
        model.specials = ()
    model.kind = kind.__name__
    x, columns = input_matrix(model), model.pick(COLUMNS)
    if kind in single and model.chance(0.4):
        factor = model.pick([1e-3, 1e4, 1e-20, 1e15])
        model.feed[x.name] = (x.array * factor).astype(np.float32)
        x = model.known(x.name, model.feed[x.name])
    if x.array.size * columns > MOST_PRODUCTS:
        return False
    value = followed(model, kind(model, x, columns))
    model.output(value)
    return value.size.max(initial=0) < LARGEST


if __name__ == "__main__":
    sys.exit(check_models(make, opsets=(21, 22, 23)))
