"""Checks random float products and convolutions around the sizes of AMX tiles against NumPy in double precision.

usage: random_tiles_test.py COUNT [--seed SEED]

A case is a matrix product, a gemm, a convolution of one to three dimensions, attention, a block of convolutions, a model with open
rows, or an integer product. Some factors have stray magnitudes, and epilogues follow some sums. Checked are: the error relative to
the sum of magnitudes, equal bits for any number of threads, for repeated and concurrent runs and for constant factors, memory beside
the results, time-outs and memory limits.
"""

import math
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require as require_packages  # noqa: E402
from verify import require_webnn, run_seeds  # noqa: E402

require_packages('numpy', 'onnx')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402

# Sizes beside those of tiles (16, 32), row blocks (256), blocks of k (384) and the thresholds (56, 96, 64).
EDGES = [e + d for e in (16, 32, 48, 56, 64, 96, 256, 384, 512, 768, 1024) for d in (-1, 0, 1)]
MOST_WORK = 60_000_000  # multiply-adds of a case
MOST_EMULATED = 1_500_000
THREADS = (2, 3, 5, 8)
GREATEST = float(np.finfo(np.float32).max)
# docs/explanation/cpu.md: results below about 1e-20 may lose bits on tiles.
LOST = 1e-20 * 2.0**-23
ERF = np.vectorize(math.erf, otypes=[float])

_contexts = {}


def context(threads=1, **options):
    key = (threads, *options.items())
    if key not in _contexts:
        _contexts[key] = webnn.ML().create_context(backend='cpu', threads=threads, backend_options=options)
    return _contexts[key]


def is_available(isa):
    try:
        return context(isa=isa) is not None
    except webnn.NotSupportedError:
        return False


ISAS = [isa for isa in ('sse4', 'avx512', 'amx-emulated', 'amx-always') if is_available(isa)]


def bits(array):
    return array.shape, array.tobytes()


class Wrong(Exception):
    pass


def require(condition, *text):
    if not condition:
        raise Wrong(' '.join(map(str, text)))


# --- Stray magnitudes: each changes the matrices a (m x k) and b (k x n) of one product in place


def _any(random, size):
    return int(random.integers(size))


def _late(random, size):
    """A range of k in the second block or later, if there is one."""
    return slice(384 if size > 384 else _any(random, size), None)


PATTERNS = {
    'plain': lambda r, a, b: None,
    'tiny row': lambda r, a, b: np.multiply(a[_any(r, len(a))], np.float32(1e-30), out=a[_any(r, len(a))]),
    'tiny column': lambda r, a, b: b[:, _any(r, b.shape[1])].__imul__(np.float32(1e-38)),
    'infinity': lambda r, a, b: a.__setitem__((_any(r, len(a)), _any(r, a.shape[1])), r.choice([np.inf, -np.inf])),
    'nan in b': lambda r, a, b: b.__setitem__((_any(r, len(b)), _any(r, b.shape[1])), np.nan),
    'minus zeros': lambda r, a, b: a.__setitem__(np.abs(a) < 0.5, np.float32(-0.0)),
    'denormals': lambda r, a, b: a[_any(r, len(a))].__imul__(np.float32(1e-40)),
    'greatest': lambda r, a, b: a.__setitem__((_any(r, len(a)), _any(r, a.shape[1])), np.float32(3.38e38)),
    'large and small': lambda r, a, b: (a.__imul__(np.float32(1e25)), b[_any(r, len(b))].__imul__(np.float32(1e-36))),
    'small and large': lambda r, a, b: (a[_any(r, len(a))].__imul__(np.float32(1e-37)), b.__imul__(np.float32(1e30))),
    'tile apart': lambda r, a, b: a[32:64].__imul__(np.float32(10.0 ** r.integers(-37, 38))),
    'late a': lambda r, a, b: a[:, _late(r, a.shape[1])].__imul__(np.float32(10.0 ** r.integers(-37, 38))),
    'late b': lambda r, a, b: b[_late(r, len(b))].__imul__(np.float32(10.0 ** r.integers(-37, 38))),
    'column apart': lambda r, a, b: b[:, 32:48].__imul__(np.float32(10.0 ** r.integers(-37, 38))),
    'any magnitudes': lambda r, a, b: [x.__imul__((10.0 ** r.uniform(-18, 18, x.shape)).astype(np.float32)) for x in (a, b)],
    'compensated': lambda r, a, b: _compensate(r, a, b, 10.0 ** r.integers(20, 38)),
    'sparse': lambda r, a, b: [x.__imul__(r.random(x.shape) < 0.1) for x in (a, b)],
    'whole numbers': lambda r, a, b: [np.rint(4 * x, out=x) for x in (a, b)],
}


def _compensate(random, a, b, factor):
    """A tiny column of a meets a huge row of b, or the reverse."""
    i = _any(random, len(b))
    factor = np.float32(factor)
    a[:, i], b[i] = (a[:, i] / factor, b[i] * factor) if random.random() < 0.5 else (a[:, i] * factor, b[i] / factor)


def spoil(random, a, b, without=(), padded=False):
    names = [name for name in PATTERNS if name not in without and not (padded and name == 'nan in b')]
    name = 'plain' if random.random() < 0.3 else names[_any(random, len(names))]
    with np.errstate(all='ignore'):
        PATTERNS[name](random, a, b)
    return name


# --- Epilogues: each returns the operand, the exact value, and a bound of its error


def _unary(name, function, slope, value, error):
    with np.errstate(all='ignore'):
        value = function(value)
    return value, slope * error + 1e-6 * np.abs(value) + 1e-37


UNARY = {
    'relu': (lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)), 1),
    'gelu': (lambda x: x * 0.5 * (1 + ERF(x / math.sqrt(2))), 1.2),
    'sigmoid': (lambda x: 1 / (1 + np.exp(-np.maximum(x, -700))), 0.25),
    'tanh': (np.tanh, 1),
}


def add_epilogue(random, builder, operand, value, error, axis, finite):
    """Adds a random operation. `axis`: the axis of channels. Without `finite`, only operations that keep infinities apart."""
    shape = value.shape
    channels = [shape[axis] if i == axis % len(shape) else 1 for i in range(len(shape))]
    kind = ('none', 'relu', 'clamp', 'residual', 'gelu', 'sigmoid', 'tanh', 'prelu', 'silu', 'softmax')[_any(random, 10 if finite else 4)]
    if kind == 'clamp':
        low, high = (0.0, 6.0) if random.random() < 0.5 else (-2.5, 30.0)
        return kind, builder.clamp(operand, low, high), np.clip(value, low, high), error
    if kind == 'residual':
        other = random.standard_normal(shape if random.random() < 0.5 else channels).astype(np.float32)
        sum_ = value + other
        return kind, builder.add(operand, builder.constant(other)), sum_, error + 1e-7 * (np.abs(sum_) + np.abs(other))
    if kind == 'prelu':
        slope = random.uniform(-1, 1, channels).astype(np.float32)
        result = np.where(value < 0, value * slope, value)
        return kind, builder.prelu(operand, builder.constant(slope)), result, error + 1e-7 * np.abs(result)
    if kind == 'silu':
        product = value * UNARY['sigmoid'][0](value)
        return kind, builder.mul(operand, builder.sigmoid(operand)), product, 1.2 * error + 2e-6 * np.abs(value)
    if kind == 'softmax':
        powers = np.exp(value - value.max(axis, keepdims=True))
        result = powers / powers.sum(axis, keepdims=True)
        spread = 2 * error.max(axis, keepdims=True) + 1e-6 * (1 + np.ptp(value, axis, keepdims=True))
        return kind, builder.softmax(operand, axis % len(shape)), result, np.where(spread < 0.1, 1.2 * spread * result + 1e-37, np.inf)
    if kind == 'none':
        return kind, operand, value, error
    return kind, getattr(builder, kind)(operand), *_unary(kind, *UNARY[kind], value, error)


# --- Comparisons


def compare(actual, value, error, text):
    """Requires |actual - value| <= error. Where the sum of magnitudes overflows float32, `error` is infinite."""
    actual = np.asarray(actual, np.float64)
    require(actual.shape == value.shape, text, actual.shape, value.shape)
    with np.errstate(all='ignore'):
        wrong = np.where(np.isfinite(value), ~(np.abs(actual - value) <= error), ~((actual == value) | (np.isnan(actual) & np.isnan(value))))
        wrong &= ~np.isposinf(error) | np.isnan(value)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        require(False, text, f'{wrong.sum()} of {wrong.size} wrong, first {at}: {actual[at]!r}, not {value[at]!r} +- {error[at]:.3g}')


def bound(value, size, depth, factor=2e-6):
    """Bounds the error of sums: relative to the sum of magnitudes, plus what tiles round to 0."""
    with np.errstate(all='ignore'):
        error = factor * size + LOST + depth * 2.0**-149
        # Nothing is known of sums that overflow on the way.
        return np.where(np.isfinite(value) & ~(size < GREATEST), np.inf, np.nan_to_num(error, nan=0, posinf=np.inf))


def exact(function, a, b):
    """Returns a product in double precision, and the sum of its magnitudes."""
    with np.errstate(all='ignore'):
        return function(a.astype(float), b.astype(float)), function(np.abs(a).astype(float), np.abs(b).astype(float))


def convolve(x, w, strides, dilations, pads, groups):
    """Convolves [batch, channels, *sizes] with [outputs, inputs, *taps] in any number of dimensions."""
    n = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0), *zip(pads[:n], pads[n:], strict=True)])
    span = [(t - 1) * d + 1 for t, d in zip(w.shape[2:], dilations, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(x, span, tuple(range(2, n + 2)))
    windows = windows[(slice(None), slice(None), *(slice(None, None, s) for s in strides), *(slice(None, None, d) for d in dilations))]
    sizes = windows.shape[2 : n + 2]
    order = (0, *range(2, n + 2), 1, *range(n + 2, 2 * n + 2))
    results = []
    for part, filter_ in zip(np.split(windows, groups, 1), np.split(w, groups), strict=True):
        rows = part.transpose(order).reshape(x.shape[0], math.prod(sizes), -1)
        results.append((rows @ filter_.reshape(len(filter_), -1).T).swapaxes(1, 2).reshape(x.shape[0], len(filter_), *sizes))
    return np.concatenate(results, 1)


def winograd_size(x, w):
    """Winograd's tiles have errors relative to their largest factors, which count as magnitudes."""
    if list(w.shape[2:]).count(3) < 2:
        return 0
    largest = [float(np.nan_to_num(np.abs(array), posinf=0).max()) for array in (x, w)]
    return 3 * w.shape[1] * math.prod(w.shape[2:]) / 9 * math.prod(largest)


# --- Cases


def sizes_of(random):
    """Returns m, n and k of at most MOST_WORK multiply-adds."""
    while True:
        m, n, k = (int(random.choice(EDGES)) if random.random() < 0.7 else _any(random, 900) + 1 for _ in range(3))
        if random.random() < 0.1:
            k = int(random.choice([1153, 1536, 2047, 3073]))
        if m * n * k <= MOST_WORK:
            return m, n, k


class Case:
    """A product with everything that the checks need. `make(builder, isConstant)` returns the output operand."""

    def __init__(self, text, make, feed, value, error, work, size=None, weights=()):
        self.text, self.make, self.feed, self.value, self.error, self.work = text, make, feed, value, error, work
        self.size, self.weights = size, weights  # the sum of magnitudes if there is no epilogue; the inputs that may be constants

    def graph(self, where, constant=False):
        builder = webnn.MLGraphBuilder(where)
        operands = {}
        for name, array in self.feed.items():
            isConstant = constant and name in self.weights
            operands[name] = builder.constant(array) if isConstant else builder.input(name, array.shape, array.dtype.name)
        return builder.build({'y': self.make(builder, operands)})

    def run(self, graph, **options):
        return graph.compute({name: self.feed[name] for name in graph.inputs}, **options)['y']


def finish(random, text, make, feed, value, size, depth, axis, work, weights):
    """Adds epilogues to a product."""
    error, seed = bound(value, size, depth), int(random.integers(1 << 30))
    finite = bool(np.all(size < GREATEST))
    count = int(random.choice([0, 0, 1, 2]))

    def epilogues(builder, operand):
        again = np.random.default_rng(seed)
        names, v, e = [], value, error
        for _ in range(count):
            name, operand, v, e = add_epilogue(again, builder, operand, v, e, axis, finite)
            names.append(name)
        return names, operand, v, e

    scratch = webnn.MLGraphBuilder(context())
    names, _, v, e = epilogues(scratch, scratch.input('t', value.shape, 'float32'))
    return Case(
        f'{text} {"+".join(names)}',
        lambda builder, operands: epilogues(builder, make(builder, operands))[1],
        feed, v, e, work, None if names else size, weights,
    )  # fmt: skip


def product_case(random):
    """A batched product; a and b may be transposed, sliced or broadcast. b may come from float16."""
    m, n, k = sizes_of(random)
    batch = [(), (2,), (3, 2)][int(random.choice([0, 0, 0, 1, 2]))]
    if math.prod(batch) * m * n * k > MOST_WORK:
        batch = ()
    a_batch, b_batch = (tuple(d if random.random() < 0.7 else 1 for d in batch) for _ in range(2))
    a = random.standard_normal((*a_batch, m, k)).astype(np.float32)
    b = random.standard_normal((*(b_batch if random.random() < 0.5 else ()), k, n)).astype(np.float32)
    first = (0,) * (a.ndim - 2), (0,) * (b.ndim - 2)
    pattern = spoil(random, a[first[0]], b[first[1]])
    isHalf = random.random() < 0.15
    if isHalf:
        with np.errstate(all='ignore'):
            b = b.astype(np.float16)
    ways = [int(random.choice([0, 0, 1, 2])) for _ in range(2)]  # 0: as it is, 1: transposed, 2: a slice of a larger matrix

    def given(array, way):
        if way == 1:
            return np.ascontiguousarray(array.swapaxes(-1, -2))
        if way == 2:
            return np.pad(array, [(0, 0)] * (array.ndim - 2) + [(1, 2), (3, 1)], constant_values=7)
        return array

    def read(builder, operand, way, shape):
        if way == 1:
            operand = builder.transpose(operand, [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2])
        if way == 2:
            operand = builder.slice(operand, [0] * (len(shape) - 2) + [1, 3], list(shape))
        return operand

    def make(builder, operands):
        right = read(builder, operands['b'], ways[1], b.shape)
        right = builder.cast(right, 'float32') if isHalf else right
        return builder.matmul(read(builder, operands['a'], ways[0], a.shape), right)

    value, size = exact(np.matmul, a, b)
    text = f'matmul {a.shape} {b.shape} {pattern} ways {ways} {"half b" * isHalf}'
    feed = {'a': given(a, ways[0]), 'b': given(b, ways[1])}
    return finish(random, text, make, feed, value, size, k, -1, value.size * k, ('b',))


def half_case(random):
    """A product of float16."""
    m, n, k = sizes_of(random)
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in ((m, k), (k, n)))
    if random.random() < 0.3:
        a[_any(random, m)] *= np.float16(1e-5)
    if random.random() < 0.2:
        b[_any(random, k), _any(random, n)] = np.inf
    value, size = exact(np.matmul, a, b)
    error = bound(value, size, k) + np.where(np.isfinite(value), 2.0**-11 * np.abs(value), 0) + 2.0**-25
    return Case(f'half matmul {m} {n} {k}', lambda builder, o: builder.matmul(o['a'], o['b']), {'a': a, 'b': b}, value,
                np.where(size > 65000, np.inf, error), m * n * k, None, ('b',))  # fmt: skip


def gemm_case(random):
    m, n, k = sizes_of(random)
    a, b = (random.standard_normal(shape).astype(np.float32) for shape in ((m, k), (k, n)))
    pattern = spoil(random, a, b)
    alpha, beta = (float(random.choice([1, 1, 0.5, -3, 1e10, 1e-10, 2.0**100])) for _ in range(2))
    c_shape = [None, (), (n,), (1, n), (m, 1), (m, n)][_any(random, 6)]
    c = None if c_shape is None else random.standard_normal(c_shape).astype(np.float32)
    turns = [bool(random.integers(2)) for _ in range(2)]
    value, size = exact(np.matmul, a, b)
    with np.errstate(all='ignore'):
        value, size = alpha * value, np.where(size < GREATEST, abs(alpha) * size, np.inf)
        if c is not None:
            value, size = value + beta * c, size + np.abs(beta * c.astype(float))
    feed = {'a': np.ascontiguousarray(a.T) if turns[0] else a, 'b': np.ascontiguousarray(b.T) if turns[1] else b}
    if c is not None:
        feed['c'] = c

    def make(builder, o):
        return builder.gemm(o['a'], o['b'], o.get('c'), alpha=alpha, beta=beta, a_transpose=turns[0], b_transpose=turns[1])

    text = f'gemm {m} {n} {k} {pattern} alpha {alpha} beta {beta} c {c_shape} turns {turns}'
    return finish(random, text, make, feed, value, size, k, -1, m * n * k, ('b', 'c'))


def conv_arrays(random, dimensions):
    """Returns the arrays and attributes of a random convolution."""
    while True:
        groups = int(random.choice([1, 1, 1, 1, 2, 3]))
        channels, outputs = (groups * int(random.choice([16, 24, 33, 64, 96, 97, 128, 200])) for _ in range(2))
        taps = [int(random.choice([1, 1, 2, 3, 3, 5])) for _ in range(dimensions)]
        longest = {1: 700, 2: 40, 3: 12}[dimensions]
        sizes = [int(random.integers(max(t, 4), longest)) for t in taps]
        strides, dilations = ([int(random.choice([1, 1, 1, 2])) for _ in taps] for _ in range(2))
        pads = [int(random.integers(0, t + 1)) if random.random() < 0.6 else 0 for t in taps * 2]
        batch = int(random.choice([1, 1, 2, 3]))
        spans = [s + pads[i] + pads[i + dimensions] - (taps[i] - 1) * dilations[i] for i, s in enumerate(sizes)]
        work = batch * outputs * channels // groups * math.prod(taps) * math.prod(s // t for s, t in zip(spans, strides, strict=True))
        if min(spans) > 0 and 0 < work <= MOST_WORK:
            break
    x = random.standard_normal((batch, channels, *sizes)).astype(np.float32)
    w = (random.standard_normal((outputs, channels // groups, *taps)) / 8).astype(np.float32)
    # Spoils some pixels (rows of the product) of the first group.
    view = x[0].reshape(channels, -1).T[:, : channels // groups].copy()
    filter_ = w[: outputs // groups, (..., *([0] * dimensions))[0]].reshape(outputs // groups, channels // groups, -1)[..., 0].T.copy()
    pattern = spoil(random, view, filter_, padded=any(pads))
    x[0, : channels // groups] = view.T.reshape(channels // groups, *sizes)
    w.reshape(outputs, channels // groups, -1)[: outputs // groups, :, 0] = filter_.T
    return x, w, dict(strides=strides, dilations=dilations, pads=pads, groups=groups), work, pattern


def conv_case(random):
    x, w, how, work, pattern = conv_arrays(random, 2)
    value, size = exact(lambda a, b: convolve(a, b, **how), x, w)
    size = size + winograd_size(x, w)
    bias = random.standard_normal(len(w)).astype(np.float32) if random.random() < 0.5 else None
    if bias is not None:
        value, size = value + bias[:, None, None], size + np.abs(bias)[:, None, None]
    isLast = random.random() < 0.5
    order = ['oihw', 'hwio', 'ohwi', 'ihwo'][_any(random, 4)]
    feed = {'x': np.ascontiguousarray(x.transpose(0, 2, 3, 1)) if isLast else x,
            'w': np.ascontiguousarray(w.transpose(['oihw'.index(letter) for letter in order]))}  # fmt: skip
    if bias is not None:
        feed['bias'] = bias
    if isLast:
        value, size = value.transpose(0, 2, 3, 1), size.transpose(0, 2, 3, 1)
    top, left, bottom, right = how['pads']
    common = dict(strides=how['strides'], dilations=how['dilations'], groups=how['groups'], filter_layout=order,
                  padding=[top, bottom, left, right], input_layout='nhwc' if isLast else 'nchw')  # fmt: skip

    def make(builder, o):
        return builder.conv2d(o['x'], o['w'], bias=o.get('bias'), **common)

    text = f'conv2d {x.shape} {w.shape} {common} {pattern} {"bias" * (bias is not None)}'
    return finish(random, text, make, feed, value, size, w[0].size, -1 if isLast else 1, work, ('w', 'bias'))


def block_case(random):
    """A pointwise, a depthwise and a pointwise convolution, which may run in bands of rows."""
    side, inner, stride = int(random.choice([27, 28, 33, 56])), int(random.choice([96, 192, 200])), int(random.choice([1, 2]))
    outer, batch = int(random.choice([64, 96, 97, 130])), int(random.choice([1, 2]))
    x = random.standard_normal((batch, outer, side, side)).astype(np.float32)
    shapes = ((inner, outer, 1, 1), (inner, 1, 3, 3), (outer, inner, 1, 1))
    expand, depthwise, project = ((random.standard_normal(shape) / 8).astype(np.float32) for shape in shapes)
    rows = x[0].reshape(outer, -1).T.copy()
    pattern = spoil(random, rows, expand[:, :, 0, 0].T.copy(), ['infinity', 'nan in b', 'greatest', 'any magnitudes'])
    x[0] = rows.T.reshape(outer, side, side)
    how = {'strides': [1, 1], 'dilations': [1, 1], 'pads': [0] * 4, 'groups': 1}
    middle = {**how, 'strides': [stride] * 2, 'pads': [1] * 4, 'groups': inner}
    value, size = exact(lambda a, b: convolve(a, b, **how), x, expand)
    value, error = np.clip(value, 0, 6), bound(value, size, outer)
    for weights, each in ((depthwise, middle), (project, how)):
        wide = np.abs(weights).astype(float)
        error = convolve(error, wide, **each) + bound(value[:, :1, :1, :1], convolve(np.abs(value), wide, **each), inner)
        value = convolve(value, weights.astype(float), **each)

    def make(builder, o):
        y = builder.clamp(builder.conv2d(o['x'], o['expand'], input_layout='nchw'), 0, 6)
        y = builder.conv2d(y, o['depthwise'], groups=inner, strides=[stride] * 2, padding=[1] * 4)
        return builder.conv2d(y, o['project'])

    feed = {'x': x, 'expand': expand, 'depthwise': depthwise, 'project': project}
    text = f'block {x.shape} {inner} stride {stride} {pattern}'
    return Case(text, make, feed, value, error, 1 << 40, None, ('expand', 'depthwise', 'project'))


def attention_case(random):
    """softmax(q k^T) v, for several heads."""
    heads, m, n, depth = int(random.choice([1, 2, 5])), *(int(random.choice(EDGES[3:24])) for _ in range(2)), int(random.choice([32, 64, 96]))
    q, k, v = (random.standard_normal((heads, rows, depth)).astype(np.float32) for rows in (m, n, n))
    value, size = exact(np.matmul, q, k.swapaxes(1, 2))
    scale = 1 / math.sqrt(depth)
    powers = np.exp(scale * (value - value.max(-1, keepdims=True)))
    shares = powers / powers.sum(-1, keepdims=True)
    spread = 1e-5 * (1 + scale * size.max())

    def make(builder, o):
        turned = builder.transpose(o['k'], [0, 2, 1])
        return builder.matmul(builder.softmax(builder.mul(builder.matmul(o['q'], turned), builder.constant(np.float32(scale))), 2), o['v'])

    return Case(f'attention {heads} {m} {n} {depth}', make, {'q': q, 'k': k, 'v': v}, shares @ v, spread * (shares @ np.abs(v)), 1 << 40)


# --- Checks


def check_case(random, case):
    """Compares one case on many settings."""
    constant = bool(random.integers(2))
    graph = case.graph(context(), constant)
    result = case.run(graph)
    compare(result, case.value, case.error, 'amx:')
    threads = int(random.choice(THREADS))
    other = case.graph(context(threads), constant)
    require(bits(case.run(other)) == bits(result), threads, 'threads give other bits')
    require(bits(case.run(other)) == bits(result), 'the second run gives other bits')
    way = int(random.integers(8))
    if way == 0:  # the other kind of weights
        swapped = case.graph(context(), not constant)
        kernels = [[step['kernels'] for step in g.placement()] for g in (graph, swapped)]
        again = case.run(swapped)
        compare(again, case.value, case.error, 'swapped:')
        same = kernels[0] == kernels[1] and case.text.split()[0] in ('matmul', 'gemm', 'half')
        require(not same or bits(again) == bits(result), 'constants give other bits', kernels)
    elif way == 1:
        isas = [isa for isa in ISAS if isa != 'amx-emulated' or case.work < MOST_EMULATED]
        isa = str(random.choice(isas))
        # Vectors sum up to 384 products one after the other.
        compare(case.run(case.graph(context(1, isa=isa), constant)), case.value, 2 * case.error, isa)
        if isa == 'amx-always':
            first, second = (case.run(case.graph(context(t, isa=isa), constant)) for t in (1, threads))
            require(bits(first) == bits(second), isa, 'threads give other bits')
    elif way == 2 and case.size is not None and case.feed[min(case.feed)].dtype == np.float32:
        rounded = [context(t, precision='bfloat16') for t in (1, threads)]
        first, second = (case.run(case.graph(c, constant)) for c in rounded)
        require(bits(first) == bits(second), 'bfloat16: threads give other bits')
        with np.errstate(all='ignore'):
            # Factors and products below 2^-126 may be treated as zero: the magnitudes of the others limit that.
            most = max(float(np.nan_to_num(np.abs(x), posinf=0).max(initial=1)) for x in case.feed.values())
            wide = bound(case.value, case.size, 1, 2.0**-7 + 2.0**-16 + 1e-5) + 5000 * 2.0**-126 * most
        if np.all(case.size < 1e38):
            compare(first, case.value, wide, 'bfloat16:')
    elif way == 3:  # several threads of one graph, on several contexts
        with ThreadPoolExecutor(4) as pool:
            every = list(pool.map(lambda g: bits(case.run(g)), [graph, other, other, graph, other, graph]))
        require(all(each == bits(result) for each in every), 'concurrent runs give other bits')
    elif way == 4:  # memory beside the results
        room = 64
        memory = np.full(result.size + 2 * room, 3, result.dtype)
        case.run(graph, outputs={'y': memory[room:-room].reshape(result.shape)})
        require(bits(memory[room:-room].reshape(result.shape)) == bits(result), 'given memory gives other bits')
        require(np.all(memory[:room] == 3) and np.all(memory[-room:] == 3), 'memory beside the results is written')
    elif way == 5:
        for _ in range(3):
            try:
                stopped = case.run(other, timeout=float(10 ** random.uniform(-6, -2)))
                require(bits(stopped) == bits(result), 'a run that ends in time gives other bits')
            except webnn.DeadlineError:
                pass
            require(bits(case.run(other)) == bits(result), 'the run after a stopped one gives other bits')
    elif way == 6:
        check_limit(random, case, constant, threads, result)


def check_limit(random, case, constant, threads, result):
    """A build or run under a memory limit ends with the right result or with an error."""
    estimate = sum(array.nbytes for array in case.feed.values()) + result.nbytes
    limits = {'max_memory': int(estimate * random.uniform(0.3, 8))}
    with webnn.ML().create_context(backend='cpu', threads=threads, limits=limits) as limited:
        try:
            stopped = case.run(case.graph(limited, constant))
        except (webnn.Error, MemoryError) as error:
            require('memory' in str(error), 'a memory limit causes', type(error).__name__, error)
            return
    require(bits(stopped) == bits(result), 'a memory limit gives other bits')


def model(nodes, inputs, outputs, constants):
    """Returns the content of an ONNX model. `inputs` and `outputs`: types and shapes by name."""
    infos = [[helper.make_tensor_value_info(name, *kind) for name, kind in kinds.items()] for kinds in (inputs, outputs)]
    graph = helper.make_graph(nodes, 'g', *infos, [numpy_helper.from_array(array, name) for name, array in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8).SerializeToString()


def check_nd_conv(random):
    """A Conv of ONNX in one or three dimensions."""
    dimensions = int(random.choice([1, 3]))
    x, w, how, _, pattern = conv_arrays(random, dimensions)
    text = f'Conv {x.shape} {w.shape} {how} {pattern}'
    value, size = exact(lambda a, b: convolve(a, b, **how), x, w)
    size = size + winograd_size(x, w)
    attributes = {'group' if name == 'groups' else name: number for name, number in how.items()}
    node = helper.make_node('Conv', ['x', 'w'], ['y'], kernel_shape=w.shape[2:], **attributes)
    content = model([node], {'x': (1, x.shape)}, {'y': (1, None)}, {'w': w})
    results = [webnn.InferenceSession(content, context=context(t)).run(None, {'x': x})[0] for t in (1, int(random.choice(THREADS)))]
    try:
        compare(results[0], value, bound(value, size, w[0].size), 'amx:')
        require(bits(results[0]) == bits(results[1]), 'threads give other bits')
    except Wrong as error:
        raise Wrong(text, error) from error
    return text


def check_open(random):
    """MatMul and Gemm with open rows on both sides of the thresholds: each run equals a graph of these sizes."""
    _, n, k = sizes_of(random)
    w, v, bias = (random.standard_normal(shape).astype(np.float32) for shape in ((k, n), (n, 100), 100))
    rows = [int(m) for m in random.choice([*EDGES[:18], 1, 5, 257], 4)]
    pattern = 'plain'
    nodes = [helper.make_node('MatMul', ['x', 'w'], ['h']), helper.make_node('Relu', ['h'], ['r']),
             helper.make_node('Gemm', ['r', 'v', 'bias'], ['y'])]  # fmt: skip
    content = model(nodes, {'x': (1, ['M', k])}, {'h': (1, None), 'y': (1, None)}, {'w': w, 'v': v, 'bias': bias})
    session = webnn.InferenceSession(content, context=context(int(random.choice(THREADS))), keep=int(random.integers(1, 4)))
    for m in rows:
        x = random.standard_normal((m, k)).astype(np.float32)
        pattern = spoil(random, x, np.ones((k, n), np.float32), ['nan in b'])
        text = f'open {m} {n} {k} {pattern}'
        h, y = session.run(None, {'x': x})
        value, size = exact(np.matmul, x, w)
        fixed = webnn.load(content, context=context(), dimensions={'M': m}).compute({'x': x})
        try:
            compare(h, value, bound(value, size, k), 'h:')
            value, size = exact(np.matmul, np.maximum(h, 0), v)
            compare(y, value + bias, bound(value, size + np.abs(bias), n), 'y:')
            require(bits(h) == bits(fixed['h']) and bits(y) == bits(fixed['y']), 'a fixed graph gives other bits')
        except Wrong as error:
            raise Wrong(text, error) from error
    return f'open {rows} {n} {k}'


def check_bytes(random):
    """MatMulInteger: sums are exact, also of a long k."""
    m, n, k = sizes_of(random)
    if random.random() < 0.3:
        m, n, k = min(m, 65), min(n, 65), int(random.integers(1600, 20000))
    types = [np.uint8, np.int8][_any(random, 2)], [np.uint8, np.int8][_any(random, 2)]
    a, b = (random.integers(np.iinfo(t).min, np.iinfo(t).max + 1, shape).astype(t) for t, shape in zip(types, ((m, k), (k, n)), strict=True))
    if random.random() < 0.3:
        a[...], b[...] = np.iinfo(types[0]).max, np.iinfo(types[1]).max
    zero = [random.integers(np.iinfo(t).min, np.iinfo(t).max + 1, ()).astype(t) for t in types]
    constant = bool(random.integers(2))
    kinds = {'a': (helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)} | ({} if constant else {'b': (helper.np_dtype_to_tensor_dtype(b.dtype), b.shape)})
    constants = {'za': zero[0], 'zb': zero[1]} | ({'b': b} if constant else {})
    content = model([helper.make_node('MatMulInteger', ['a', 'b', 'za', 'zb'], ['y'])], kinds, {'y': (6, None)}, constants)
    value = (a.astype(float) - float(zero[0])) @ (b.astype(float) - float(zero[1]))
    text = f'MatMulInteger {m} {n} {k} {types} constant {constant}'
    for settings in ({}, {'isa': ISAS[-1]}):
        feed = {'a': a} if constant else {'a': a, 'b': b}
        (y,) = webnn.InferenceSession(content, context=context(int(random.choice((1, *THREADS))), **settings)).run(None, feed)
        require(np.array_equal(y, value), text, settings)
    return text


def of_case(make):
    def check(random):
        case = make(random)
        try:
            check_case(random, case)
        except Wrong as error:
            raise Wrong(case.text, error) from error
        return case.text

    return check


KINDS = {
    'product': of_case(product_case),
    'gemm': of_case(gemm_case),
    'conv': of_case(conv_case),
    'half': of_case(half_case),
    'block': of_case(block_case),
    'attention': of_case(attention_case),
    'nd': check_nd_conv,
    'open': check_open,
    'bytes': check_bytes,
}


def problems(seed):
    random = np.random.default_rng(seed)
    kind = str(random.choice(list(KINDS), p=[0.3, 0.14, 0.22, 0.05, 0.06, 0.04, 0.08, 0.07, 0.04]))
    try:
        KINDS[kind](random)
    except Wrong as error:
        yield f'{kind}: {" ".join(map(str, error.args))}'


sys.exit(run_seeds(__doc__, problems))
