"""Compares weighted sums of gathered rows, as in models of sampling, attention and graphs, with float64 sums of NumPy.

usage: random_sums_test.py COUNT [--seed SEED]

The models write bilinear sampling, bags of embeddings, deformable attention, message passing and random expressions of gathered
rows as exporters do. A table may hold infinities, NaN and zeros of both signs, which must reach only the sums that read them.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require("numpy", "onnx")
require_webnn()
import numpy as np  # noqa: E402
from random_numpy.check import check_models  # noqa: E402
from random_numpy.model import CHANNELS, LENGTHS, SPECIAL, Value  # noqa: E402
from random_numpy.sampling import POINTS, attend_deformably, sample, sum_batches  # noqa: E402

from onnx import TensorProto  # noqa: E402

TAPS = [1, 2, 3, 4, 4, 5, 8, 9, 16, 17]
MOST_ELEMENTS = 150_000
MOST_NODES = 150
EXPRESSION_TYPES = [np.float32] * 8 + [np.float16, np.int32, np.int64, np.float64]


def weight_shape(model, shape, axis):
    """Returns a shape that broadcasts to `shape`, most often with the size of `axis`."""
    sizes = [size if i == axis or model.chance(0.6) else 1 for i, size in enumerate(shape)]
    if model.chance(0.1):
        sizes[axis] = 1
    while len(sizes) > 1 and sizes[0] == 1 and model.chance(0.4):
        sizes = sizes[1:]
    return model.pick([sizes] * 5 + [list(shape)])


def weigh(model, rows, axis):
    """Multiplies or divides rows by weights, negates them, or replaces some of them."""
    shape, form = weight_shape(model, rows.array.shape, axis), model.random.random()
    if form < 0.25:
        pair = [rows, model.scalar(model.pick([0, 0, 0, -0.0, 2]))]
        mask = model.value(model.random.random(shape) < 0.6)
        return model.where(mask, *(pair if model.chance(0.7) else pair[::-1]))
    if form < 0.32:
        mask = model.apply("Cast", np.float64, model.value(model.random.random(shape) < 0.6), to=TensorProto.FLOAT)
        return model.multiply(rows, mask)
    if form < 0.4:
        return model.negate(rows)
    if form < 0.45:
        divisors = model.numbers(*shape)
        return model.divide(rows, model.value(np.where(np.abs(divisors) < 0.1, 1, divisors).astype(np.float32)))
    weights = model.numbers_value(*shape)
    if model.chance(0.2):
        weights = model.multiply(weights, model.numbers_value(*weights.array.shape[-1:]))
    return model.multiply(rows, weights)


def sum_along(model, rows, axis):
    """Sums along an axis with a reduction (at times along another axis, too), a matrix product, or additions of up to 20 slices."""
    rank, form = rows.array.ndim, model.random.random()
    if form < 0.75:
        axes = sorted({axis, model.pick(range(rank))} if model.chance(0.2) else {axis})
        return model.total(rows, axes, keepdims=int(model.chance(0.3)), mean=model.chance(0.2))
    size = rows.array.shape[axis]
    if form < 0.87:
        last = model.transpose(rows, [*(i for i in range(rank) if i != axis), axis])
        return model.matmul(last, model.numbers_value(size, model.pick([1, 2, 5])))
    slices = [model.unsqueeze(model.gather(rows, model.value(np.array(i), constant=1), axis), axis) for i in range(min(size, 20))]
    return model.sum_of(slices)


def sum_bag(model):
    """Adds a Gather on any axis, weights of all shapes that broadcast, and a sum."""
    before = [model.pick([1, 2, 3, 5]) for _ in range(model.count(0, 2))]
    after = [model.pick([1, 2, 3, 4, 8, 16, 17, 33]) for _ in range(model.count(0, 2))]
    points = [model.pick([1, 2, 3, 5, 7, 11, 16]) for _ in range(model.count(0, 2))]
    limit, taps = model.pick(LENGTHS), model.pick(TAPS) if model.chance(0.9) else model.pick([50, 127, 200])
    if np.prod(before + after + points) * max(taps, limit) > MOST_ELEMENTS:
        return None, []
    place = model.count(0, len(points))
    rows = model.random_indices(limit, *points[:place], taps, *points[place:])
    steps = [model.gather(model.numbers_value(*before, limit, *after), rows, axis=len(before))]
    axis = len(before) + place
    if model.chance(0.2):
        order = [int(i) for i in model.random.permutation(steps[0].array.ndim)]
        steps.append(model.transpose(steps[0], order))
        axis = order.index(axis)
    for _ in range(model.count(0, 3)):
        steps.append(weigh(model, steps[-1], axis))
    return sum_along(model, steps[-1], axis), steps


def repeat_sums(model):
    """Adds sums, each of which reads the previous one, with the same rows and weights."""
    nodes, taps = model.pick(LENGTHS), model.pick(TAPS)
    table, rows = model.numbers_value(nodes, model.pick(CHANNELS)), model.random_indices(nodes, nodes, taps)
    value, weights, steps = table, model.numbers_value(nodes, taps, 1), []
    for _ in range(model.count(1, 3)):
        gathered = model.gather(value, rows)
        steps += [gathered, model.multiply(gathered, weights)]
        value = model.total(steps[-1], [1])
        if model.chance(0.3):
            value = model.add(value, table)
    return value, steps


def attend(model):
    """Adds an attention over gathered neighbours. The weights are a Softmax of random scores, or of products with the neighbours."""
    model.specials = ()
    limit, points, taps, channels = model.pick(LENGTHS), model.pick(POINTS), model.pick(TAPS), model.pick(CHANNELS)
    rows = model.gather(model.numbers_value(limit, channels), model.random_indices(limit, points, taps))
    if model.chance(0.5):
        scores = model.numbers_value(points, taps)
    else:
        scores = model.total(model.multiply(rows, model.numbers_value(points, 1, channels)), [2])
    powers = np.exp(scores.array - scores.array.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    softmax = Value(model.node("Softmax", scores, axis=-1), weights, weights * (1 + scores.size.max()))
    return model.total(model.multiply(rows, model.unsqueeze(softmax, 2)), [1]), [rows, softmax]


def pass_messages(model):
    """Adds weighted rows to the rows of another table, with ScatterND or ScatterElements."""
    if model.opset < 16:
        return None, []
    limit, targets, channels, edges = model.pick(LENGTHS), model.pick(POINTS), model.pick(CHANNELS), model.pick([1, 3, 16, 50, 129])
    rows = model.gather(model.numbers_value(limit, channels), model.random_indices(limit, edges))
    terms, start = model.multiply(rows, model.numbers_value(edges, 1)), model.numbers_value(targets, channels)
    to = model.random.integers(0, targets, edges)
    given = model.value(np.where(model.random.random(edges) < 0.2, to - targets, to).reshape(-1, 1))
    array, size = start.array.copy(), start.size.copy()
    np.add.at(array, to, terms.array)
    np.add.at(size, to, terms.size)
    if model.chance(0.5):
        name = model.node("ScatterND", start, given, terms, reduction="add")
    else:
        expanded = model.node("Expand", given, model.integers(edges, channels))
        name = model.node("ScatterElements", start, expanded, terms, axis=0, reduction="add")
    return Value(name, array, size), [rows, terms]


def sum_many(model):
    """Adds sums of 20 to 200 weighted rows, from one or more tables."""
    limit, channels, points, taps = model.pick(LENGTHS), model.pick([1, 2, 3, 7, 16, 17]), model.pick(POINTS), model.count(20, 200)
    tables = [model.numbers_value(limit, channels) for _ in range(model.pick([1, 1, 2, 5]))]
    weights = [model.numbers_value(points, 1) for _ in range(model.pick([1, 5, taps]))]
    terms = []
    for i in range(taps):
        rows = model.gather(model.pick(tables), model.random_indices(limit, points))
        if model.chance(0.1):
            rows = model.where(model.value(model.random.random((points, 1)) < 0.6), rows, model.scalar(0))
        terms.append(model.multiply(rows, weights[i % len(weights)]) if model.chance(0.9) else rows)
    return model.sum_of(terms), terms


class Expression:
    """A random expression of rows that are gathered from one or two tables, with shared indices, weights and intermediate values."""

    def __init__(self, model):
        self.model, self.steps, self.indices, self.weights = model, [], [], []
        points, taps, channels = model.pick(POINTS), model.pick([1, 2, 3, 4, 8]), model.pick(CHANNELS)
        layouts = [([], [points], [channels]), ([channels], [points], []), ([], [points, taps], [channels])]
        before, self.rows, after = model.pick([*layouts, layouts[2], ([3], [points], [channels]), ([], [points], [])])
        self.axis, self.shape, self.limit = len(before), [*before, *self.rows, *after], model.pick(LENGTHS)
        self.tables = [model.numbers_value(*before, self.limit, *after) for _ in range(model.pick([1, 1, 2]))]
        self.is_float = model.dtype.kind == "f"

    def gathered(self):
        model = self.model
        if not self.indices or model.chance(0.7):
            count = int(np.prod(self.rows))
            array = model.pick([np.zeros(count, int), np.arange(count) % self.limit, *[model.random.integers(0, self.limit, count)] * 8])
            self.indices.append(model.indices(array.reshape(self.rows), self.limit))
        return model.gather(model.pick(self.tables), model.pick(self.indices[-3:]), self.axis)

    def weight(self):
        if not self.weights or self.model.chance(0.75):
            by_row = [size if self.axis <= i < self.axis + len(self.rows) else 1 for i, size in enumerate(self.shape)]
            some = [size if self.model.chance(0.5) else 1 for size in self.shape]
            shape = self.model.pick([by_row] * 5 + [[], [1], self.shape[-1:], self.shape, some])
            self.weights.append(self.model.numbers_value(*shape))
            if self.is_float and self.model.chance(0.2):
                self.weights[-1] = self.model.subtract(self.model.scalar(1), self.weights[-1])
        return self.model.pick(self.weights[-4:])

    def grown(self, depth):
        """Returns an expression of at most `depth` nested operations."""
        self.steps.append(self.gathered() if depth == 0 or self.model.chance(0.12) else self.operation(depth - 1))
        return self.steps[-1]

    def operation(self, depth):
        model, value = self.model, self.grown(depth)
        kinds = ["scale", "scale", "scale", "add", "add", "subtract", "select", "negate", "shift", "share"]
        kind = model.pick([*kinds, "mix", "divide"] if self.is_float else kinds)
        if kind == "select":
            mask = model.value(model.random.random([size if model.chance(0.6) else 1 for size in self.shape]) < 0.6)
            pair = [value, model.scalar(model.pick([0, 0, 0, 1]))]
            return model.where(mask, *(pair if model.chance(0.7) else pair[::-1]))
        if kind == "mix":
            return model.add(value, model.multiply(model.subtract(self.grown(depth), value), self.weight()))
        return {
            "scale": lambda: model.multiply(value, self.weight()),
            "add": lambda: model.add(value, self.grown(depth)),
            "subtract": lambda: model.subtract(value, self.grown(depth)),
            "negate": lambda: model.negate(value),
            "shift": lambda: model.add(value, self.weight()),
            "share": lambda: model.add(value, model.pick(self.steps)),
            "divide": lambda: model.divide(value, model.scalar(model.pick([2, 4, 0.5, -1]))),
        }[kind]()


def express(model):
    model.dtype = np.dtype(model.pick(EXPRESSION_TYPES))
    if model.dtype != np.float32:
        model.specials = ()
    made = Expression(model)
    value = made.grown(model.pick([1, 2, 3, 3, 4, 5]))
    if len(model.nodes) > MOST_NODES:
        return None, []
    if model.chance(0.5):
        axes = {model.pick(range(value.array.ndim)) for _ in range(model.pick([1, 1, 2]))}
        value = model.total(value, sorted(axes), int(model.chance(0.3)), model.dtype == np.float32 and model.chance(0.15))
    limits = {"float16": 3e4, "float32": np.inf, "float64": np.inf}
    return (value if value.size.max(initial=0) < limits.get(model.dtype.name, 2**30) else None), made.steps


def make(model):
    model.specials = SPECIAL if model.chance(0.2) else ()
    kinds = [sample, sum_bag, express]
    rare = [attend, attend_deformably, pass_messages, repeat_sums, sum_batches, sum_batches, sum_many]
    kind = model.pick([*kinds * 5, *rare])
    model.kind = kind.__name__ + (" of special numbers" if model.specials else "")
    value, steps = kind(model)
    if value is None:
        return False
    if model.dtype == np.float32 and model.chance(0.2):
        value = model.relu(value) if model.chance(0.6) else model.add(value, model.numbers_value(*value.array.shape[-1:]))
    model.output(value)
    if model.chance(0.3):
        model.output(model.pick(steps))
    if model.chance(0.3):
        model.shuffle()
    return True


if __name__ == "__main__":
    sys.exit(check_models(make))
