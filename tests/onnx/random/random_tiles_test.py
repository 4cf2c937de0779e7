"""Checks random products and convolutions around the sizes of AMX tiles against NumPy in double precision.

usage: random_tiles_test.py COUNT [--seed SEED]

A case is a product of float32, float16 or bytes, a gemm, a convolution, or a graph with open sizes. Factors may have stray magnitudes
and come from other operations, and other operations may follow. Checked are: the error relative to the sum of magnitudes, equal bits
for any number of threads, repeated and concurrent runs and constant factors, memory beside the results, time-outs and memory limits.
Without AMX, tiles are emulated; without AVX-512, the test is skipped.
"""

# ruff: noqa: E731
import contextlib
import functools
import math
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import SKIPPED, require_webnn, run_seeds  # noqa: E402
from verify import require as require_packages  # noqa: E402

require_packages('numpy')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402

# Sizes beside those of tiles (16, 32, 64), row blocks (256), blocks of k (384) and the smallest products on tiles (56, 96, 64).
EDGES = [e + d for e in (16, 32, 56, 64, 96, 128, 256, 384, 512, 768) for d in (-1, 0, 1)]
LITTLE, MUCH = 2_000_000, 50_000_000  # multiply-adds of most cases, and of the largest
LOST = 1e-20 * 2.0**-23  # sums below about 1e-20 may lose bits on tiles (docs/explanation/cpu.md)
F32, F16 = np.float32, np.float16


@functools.cache
def context(threads=1, isa=None, precision='float32'):
    return webnn.ML().create_context(backend='cpu', threads=threads, backend_options={'isa': isa or TILES, 'precision': precision})


ISAS = []
for _isa in ('sse4', 'avx512', 'amx-emulated', 'amx-always'):
    with contextlib.suppress(webnn.NotSupportedError):
        context(1, _isa)
        ISAS.append(_isa)
TILES = 'amx' if 'amx-always' in ISAS else 'amx-emulated' if 'amx-emulated' in ISAS else None


def require(condition, *text):
    if not condition:
        raise AssertionError(*text)


def require_same(one, other, *text):
    require(one.shape == other.shape and one.tobytes() == other.tobytes(), *text)


def pick(random, *choices):
    return choices[int(random.integers(len(choices)))]


def normal(random, *shape):
    return random.standard_normal(shape).astype(F32)


def halves(random, x):
    """Finite float16 values, which may be subnormal."""
    return np.asarray(np.clip(x, -60000, 60000) * F32(pick(random, 1, 1, 1, 1e-5))).astype(F16)


def scale_rows(random, array):
    """Scales some rows: one, a tile of 32, the second block, or every other."""
    i = int(random.integers(len(array)))
    rows = pick(random, slice(i, i + 1), slice(32, 64), slice(384 if len(array) > 384 else i, None), slice(0, None, 2))
    array[rows] *= F32(10.0 ** random.integers(-44, 38))


def select(random, a, b):
    """Rows of a select numbers of b, which have any bits that stay finite in bfloat16."""
    a.fill(0)
    a[np.arange(len(a)), random.integers(0, len(b), len(a))] = F32(2.0 ** pick(random, 0, 0, random.integers(-120, 100)))
    b[...] = random.integers(0, 0x7F7F0000, b.shape, np.uint32).view(F32) * F32(pick(random, 1, -1))


# Each changes the matrices a (m x k) and b (k x n) of a product in place.
PATTERNS = {
    'nan': lambda r, a, b: np.put(b, r.integers(b.size), np.nan),
    'infinity': lambda r, a, b: np.put(a, r.integers(a.size), pick(r, np.inf, -np.inf)),
    'greatest': lambda r, a, b: np.put(a, r.integers(a.size), F32(3.38e38)),
    'any magnitudes': lambda r, a, b: [x.__imul__((10.0 ** r.uniform(-18, 18, x.shape)).astype(F32)) for x in (a, b)],
    'selected': select,
    'small': lambda r, a, b: (a[:, ::2].__imul__(F32(2.0 ** r.integers(-140, 0))), b[::2].__imul__(F32(2.0 ** r.integers(0, 110)))),
    'part of a': lambda r, a, b: scale_rows(r, pick(r, a, a.T)),
    'part of b': lambda r, a, b: scale_rows(r, pick(r, b, b.T)),
    'all of a': lambda r, a, b: a.__imul__(F32(10.0 ** r.integers(-37, 25))),
    'sparse': lambda r, a, b: [x.__imul__(r.random(x.shape) < 0.1) for x in (a, b)],
    'minus zeros': lambda r, a, b: np.putmask(a, np.abs(a) < 0.5, F32(-0.0)),
    'whole numbers': lambda r, a, b: [np.rint(4 * x, out=x) for x in (a, b)],
}


def spoil(random, a, b, first=0):
    """Adds up to two patterns."""
    names = [pick(random, *list(PATTERNS)[first:]) for _ in range(pick(random, 0, 1, 1, 2))]
    for name in names:
        PATTERNS[name](random, a, b)
    return ' and '.join(names)


def exact(function, a, b):
    """Returns a product in double precision, and the sum of its magnitudes."""
    return function(a.astype(float), b.astype(float)), function(np.abs(a).astype(float), np.abs(b).astype(float))


def lost(a, b):
    """Returns what tiles may round to 0 in a sum."""
    some = [x[(x > 0) & np.isfinite(x)] for x in (np.abs(a).astype(F32), np.abs(b).astype(F32))]
    least, moderate = [float(x.min(initial=1)) for x in some], all(np.any((x >= 2.0**-24) & (x < 2.0**17)) for x in some)
    return LOST if moderate and (min(least) < 2.0**-103 or math.prod(least) < 2.0**-100) else 0.0


def bound(value, size, depth, missing, relative=None):
    """Bounds the error of sums of `depth` products whose magnitudes have the sum `size`. Sums that overflow on the way may be anything."""
    error = (relative or min(4e-6, (2 * depth + 8) * 2.0**-24)) * size + missing + (depth + 1) * 2.0**-149
    return np.where(np.isfinite(value) & ~(size < 3.4e38), np.inf, np.nan_to_num(error, nan=0, posinf=np.inf))


def to_half(value, error):
    """Adds the rounding to float16. Results that may overflow may be anything."""
    rounded = np.nan_to_num(error + 2.0**-11 * np.abs(value) + 2.0**-25, nan=0, posinf=np.inf)
    return np.where(np.isfinite(value) & (np.abs(value) > 65000), np.inf, rounded)


def compare(actual, value, error, *text):
    """Requires |actual - value| <= error, and the same infinities and NaN."""
    require(actual.shape == value.shape, *text, actual.shape, value.shape)
    actual, error = actual.astype(float), np.broadcast_to(error, value.shape)
    right = np.where(np.isfinite(value), np.abs(actual - value) <= error, (actual == value) | (np.isnan(actual) & np.isnan(value)))
    wrong = np.argwhere(~right & (~np.isposinf(error) | np.isnan(value)))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        require(False, *text, f'{len(wrong)} of {value.size} wrong, first {at}: {actual[at]!r}, not {value[at]!r} +- {error[at]:.3g}')


def convolve(x, w, strides=(1, 1), dilations=(1, 1), pads=(0, 0, 0, 0), groups=1):
    """Convolves [batch, channels, height, width] with [outputs, inputs, *taps]."""
    x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    windows = np.lib.stride_tricks.sliding_window_view(x, [(t - 1) * d + 1 for t, d in zip(w.shape[2:], dilations, strict=True)], (2, 3))
    windows, results = windows[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]], []
    for part, taps in zip(np.split(windows, groups, 1), np.split(w, groups), strict=True):
        rows = part.transpose(0, 2, 3, 1, 4, 5).reshape(*x.shape[:1], *windows.shape[2:4], -1)
        results.append((rows @ taps.reshape(len(taps), -1).T).transpose(0, 3, 1, 2))
    return np.concatenate(results, 1)


def follow(random, value, error, axis):
    """Returns the name of an operation, a function that adds it, its value and the bound of its error. `axis`: the axis of channels."""
    finite = bool(np.all(np.isfinite(value) & np.isfinite(error)))
    kind = pick(random, 'clamp', 'clamp', 'residual', 'turned', 'picked', *['sigmoid', 'product', 'product'] * finite)
    if kind == 'clamp':
        limits = pick(random, (0.0, 6.0), (-2.5, 30.0), (0.0, np.inf))
        return kind, lambda b, y: b.clamp(y, *limits), np.clip(value, *limits), error
    if kind == 'residual':
        channels = [d if i == axis % value.ndim else 1 for i, d in enumerate(value.shape)]
        other = normal(random, *pick(random, value.shape, channels))
        return kind, lambda b, y: b.add(y, b.constant(other)), value + other, error + 1e-7 * (np.abs(value) + 2 * np.abs(other))
    if kind == 'turned':
        order = [int(i) for i in random.permutation(value.ndim)]
        return kind, lambda b, y: b.transpose(y, order), value.transpose(order), error.transpose(order)
    if kind == 'picked':
        axis = int(random.integers(value.ndim))
        at = random.integers(0, value.shape[axis], int(random.integers(1, value.shape[axis] + 1)))
        return kind, lambda b, y: b.gather(y, b.constant(at), axis), np.take(value, at, axis), np.take(error, at, axis)
    if kind == 'product':  # two of them share their weights
        w = normal(np.random.default_rng(1), value.shape[-1], value.shape[-1]) / 8
        (value, size), spread = exact(np.matmul, value, w), np.minimum(error, 1e300) @ np.abs(w).astype(float)
        return kind, lambda b, y: b.matmul(y, b.constant(w)), value, spread + bound(value, size, len(w), LOST)
    logistic = 1 / (1 + np.exp(-np.clip(value, -700, 700)))
    return kind, lambda b, y: b.sigmoid(y), logistic, 0.25 * error + 1e-6 * logistic + 1e-37


class Case:
    """make(builder, operands) returns the output. `weights`: inputs that may be constants. `rounded`: the bound of bfloat16's error."""

    def __init__(self, text, make, feed, value, error, work, weights, rounded=None):
        self.text, self.make, self.feed, self.value, self.error = text, make, feed, value, error
        self.work, self.weights, self.rounded, self.following = work, weights, rounded, []

    def then(self, random, axis=-1, isHalf=False):
        """Adds up to two operations, or the rounding to float16."""
        self.error = to_half(self.value, self.error) if isHalf else self.error
        for _ in range(0 if isHalf else pick(random, 0, 0, 1, 2)):
            name, add, self.value, self.error = follow(random, self.value, self.error, axis)
            self.text, self.rounded, self.following = f'{self.text}, {name}', None, [*self.following, add]
        return self

    def graph(self, where, constant):
        b, operands = webnn.MLGraphBuilder(where), {}
        for name, x in self.feed.items():
            isConstant = constant and name in self.weights
            operands[name] = b.constant(x) if isConstant else b.input(name, x.shape, x.dtype.name)
        return b.build({'y': functools.reduce(lambda y, add: add(b, y), self.following, self.make(b, operands))})

    def run(self, graph, **options):
        return graph.compute({name: self.feed[name] for name in graph.inputs}, **options)['y']


def sizes_of(random, batch=1):
    most = MUCH if TILES == 'amx' and random.random() < 0.04 else LITTLE
    while True:
        m, n, k = (pick(random, *EDGES) if random.random() < 0.7 else int(random.integers(1, 400)) for _ in range(3))
        k = pick(random, 1153, 2047, 3073) if random.random() < 0.05 else k
        if batch * m * n * k <= most:
            return m, n, k


def derive(random, x, name):
    """Lets an array come from another operation. Returns the way, the array that results, the inputs, and a function that reads them."""
    way = pick(random, *['plain'] * 5, 'transposed', 'sliced', 'joined', 'gathered', 'half', 'scaled', 'bytes')
    rank, axis = x.ndim, int(random.integers(x.ndim))
    given, second, read = x, name + '2', lambda b, o: o[name]
    if way == 'transposed':
        given, read = np.ascontiguousarray(x.swapaxes(-1, -2)), lambda b, o: b.transpose(o[name], [*range(rank - 2), rank - 1, rank - 2])
    elif way == 'sliced':
        given = np.pad(x, [(0, 0)] * (rank - 2) + [(1, 2), (3, 1)], constant_values=7)
        read = lambda b, o: b.slice(o[name], [0] * (rank - 2) + [1, 3], list(x.shape))
    elif way == 'joined' and x.shape[axis] > 1:
        given, rest = (np.ascontiguousarray(part) for part in np.split(x, [int(random.integers(1, x.shape[axis]))], axis))
        return way, x, {name: given, second: rest}, lambda b, o: b.concat([o[name], o[second]], axis)
    elif way == 'gathered':
        indices = random.integers(0, x.shape[axis], x.shape[axis])
        return way, np.take(x, indices, axis), {name: x, second: indices}, lambda b, o: b.gather(o[name], o[second], axis)
    elif way == 'half':
        given = halves(random, x)
        x, read = given.astype(F32), lambda b, o: b.cast(o[name], 'float32')
    elif way == 'scaled':
        factor = F32(pick(random, 1, -3) * 2.0 ** random.integers(-60, 60))
        x, read = x * factor, lambda b, o: b.mul(o[name], b.constant(factor))
    elif way == 'bytes':
        kind, blocks = pick(random, np.uint8, np.int8), [1] * (rank - 2) + [pick(random, 1, d) for d in x.shape[-2:]]
        given, zero = (random.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, shape).astype(kind) for shape in (x.shape, blocks))
        scale = (random.uniform(0.5, 1, blocks) * 2.0 ** random.integers(-40, 10)).astype(F32)
        x, read = (given.astype(F32) - zero) * scale, lambda b, o: b.dequantize_linear(o[name], b.constant(scale), b.constant(zero))
    return way, x, {name: given}, read


def product_case(random):
    """A batched product whose factors come from other operations."""
    batch = pick(random, (), (), (), (2,), (3, 2))
    m, n, k = sizes_of(random, math.prod(batch))
    a = normal(random, *(pick(random, d, d, 1) for d in batch), m, k)
    b = normal(random, *(pick(random, d, d, 1) for d in pick(random, batch, ())), k, n)
    pattern = spoil(random, a[(0,) * (a.ndim - 2)], b[(0,) * (b.ndim - 2)])
    (one, a, feed, left), (other, b, more, right) = derive(random, a, 'a'), derive(random, b, 'b')
    value, size = exact(np.matmul, a, b)
    error, rounded = bound(value, size, k, lost(a, b)), None
    if 'bytes' not in (one, other) and np.all(size < 1e38):  # 8-bit weights are not rounded to bfloat16
        # Factors and products below 2^-126 may be treated as zero. The magnitudes of the others limit that.
        most = max(float(np.nan_to_num(np.abs(x), posinf=0).max(initial=1)) for x in (a, b))
        rounded = bound(value, size, 1, 5000 * 2.0**-126 * most, 2.0**-7 + 2.0**-16 + 1e-5)
    text, make = f'product {a.shape} {b.shape} {pattern}, {one} and {other}', lambda b, o: b.matmul(left(b, o), right(b, o))
    return Case(text, make, feed | more, value, error, value.size * k, tuple(more), rounded).then(random)


def gemm_case(random):
    m, n, k = sizes_of(random)
    (a, b), isHalf = (normal(random, m, k), normal(random, k, n)), random.random() < 0.2
    pattern = spoil(random, a, b)
    alpha, beta = pick(random, 1.0, 0.5, -3.0, 1e10, 1e-10, 2.0**100, -(2.0**16), 2.0**-100), pick(random, 1.0, 1.0, 0.0, -2.5, 1e10)
    if alpha > 1e9 and random.random() < 0.7:
        a *= F32(1 / alpha)  # makes tiny sums, which alpha makes moderate
    shape = pick(random, None, (), (n,), (1,), (1, n), (m, 1), (1, 1), (m, n))
    c = None if shape is None else normal(random, *shape)
    if isHalf:  # alpha and beta are float16, too
        a, b, c = (None if x is None else halves(random, x) for x in (a, b, c))
        alpha, beta = pick(random, 1.0, -3.0, 2.0**-14), min(beta, 1000.0)
    turns = [bool(random.integers(2)) for _ in range(2)]
    value, size = exact(np.matmul, a, b)
    addend = 0.0 if c is None else beta * c.astype(float)
    value, whole = alpha * value + addend, abs(alpha) * size + np.abs(addend)
    # With another alpha than 1, sums that overflow are computed again, and with an alpha above 2^16, tiny sums.
    error = bound(value, whole, k, max(1, min(abs(alpha), 2.0**16)) * (lost(a, b) + (k + 1) * 2.0**-149))
    error = np.where(np.isfinite(value) & ~(size < 3.4e38) & (alpha == 1), np.inf, error)
    feed = {name: np.ascontiguousarray(x.T) if turn else x for name, x, turn in zip('ab', (a, b), turns, strict=True)}
    feed |= {} if c is None else {'c': c}
    make = lambda b, o: b.gemm(o['a'], o['b'], o.get('c'), alpha=alpha, beta=beta, a_transpose=turns[0], b_transpose=turns[1])
    text = f'gemm {m} {n} {k} {pattern} {a.dtype} alpha {alpha} beta {beta} c {shape} turns {turns}'
    return Case(text, make, feed, value, error, m * n * k, ('b', 'c')).then(random, isHalf=isHalf)


def conv_case(random):
    """A convolution, also of float16. The first group of some pixels and one tap are spoilt."""
    isHalf = random.random() < 0.15
    while True:
        groups, batch = pick(random, 1, 1, 1, 1, 2, 3), pick(random, 1, 1, 2, 3)
        channels, outputs = (groups * pick(random, 3, 8, 16, 33, 64, 64, 96, 97, 128, 200) for _ in range(2))
        sides = [pick(random, 1, 2, 3, 5) for _ in range(2)]
        taps = pick(random, [1, 1], [3, 3], sides, [1, sides[1]], [sides[0], 1], [1, 7])
        strides, dilations = ([pick(random, 1, 1, 1, 2) for _ in taps] for _ in range(2))
        sizes = [int(random.integers(max(t, 4), 30)) for t in taps]
        pads = [pick(random, 0, int(random.integers((t - 1) * d + 1))) for t, d in zip(taps * 2, dilations * 2, strict=True)]
        work = batch * outputs * channels // groups * math.prod(taps) * math.prod(sizes)
        if work <= 3 * LITTLE and all(s + pads[i] + pads[i + 2] > (taps[i] - 1) * dilations[i] for i, s in enumerate(sizes)):
            break
    how = dict(strides=strides, dilations=dilations, pads=pads, groups=groups)
    x, w = normal(random, batch, channels, *sizes), normal(random, outputs, channels // groups, *taps) / 8
    view = x[0].reshape(channels, -1)[: channels // groups].T.copy()
    pattern = spoil(random, view, w[: outputs // groups, :, 0, 0].T)
    w = np.nan_to_num(w) if any(pads) else w  # padding adds nothing, even if a weight is NaN
    x[0, : channels // groups] = view.T.reshape(-1, *sizes)
    x, w = (halves(random, part) if isHalf else part for part in (x, w))
    value, size = exact(lambda a, b: convolve(a, b, **how), x, w)
    if taps == [3, 3]:  # Winograd's tiles have errors relative to their largest factors
        size = size + 3 * w.shape[1] * math.prod(float(np.nan_to_num(np.abs(part), posinf=0).max()) for part in (x, w))
    bias = (normal(random, outputs) * pick(random, 0, 1)).astype(x.dtype)
    value, size = value + bias[:, None, None], size + np.abs(bias)[:, None, None]
    order, filter_order = pick(random, 'nchw', 'nhwc'), pick(random, 'oihw', 'hwio', 'ohwi', 'ihwo')
    move = lambda part, old, new: np.ascontiguousarray(part.transpose([old.index(letter) for letter in new]))
    value, error = (move(part, 'nchw', order) for part in (value, bound(value, size, w[0].size, lost(x, w))))
    feed = {'x': move(x, 'nchw', order), 'w': move(w, 'oihw', filter_order), 'bias': bias}
    common = {**how, 'filter_layout': filter_order, 'input_layout': order}
    make = lambda b, o: b.conv2d(o['x'], o['w'], bias=o['bias'], **common)
    text = f'conv {x.shape} {w.shape} {common} {pattern} {x.dtype}'
    return Case(text, make, feed, value, error, work, ('w', 'bias')).then(random, order.index('c'), isHalf)


def bytes_case(random):
    """A product or convolution of bytes: sums are exact, results are rounded right, and equal on all instruction sets."""
    isConv, (m, n, k), how = random.random() < 0.5, (pick(random, 4, 5, 6, *EDGES[:15]) for _ in range(3)), {}
    infos = [np.iinfo(pick(random, np.uint8, np.int8)) for _ in range(3)]
    draw = lambda info, shape: random.integers(info.min, info.max + 1, shape).astype(info.dtype)
    if isConv:
        groups, taps, side = pick(random, 1, 1, 2), pick(random, [1, 1], [3, 3], [1, 5], [2, 1]), pick(random, 9, 10, 15, 20)
        how = dict(strides=[pick(random, 1, 2)] * 2, dilations=[pick(random, 1, 1, 2)] * 2, pads=[pick(random, 0, 1)] * 4, groups=groups)
        channels = pick(random, 4, 16, 32, 33, 64, 130)
        a, w = draw(infos[0], (pick(random, 1, 2), channels * groups, side, side)), draw(infos[1], (n * groups, channels, *taps))
    else:
        k = pick(random, k, k, int(random.integers(400, 3000)), 33025 if m * n < 5000 else 1025)
        a, w = draw(infos[0], (*pick(random, (), (), (3,)), m, k)), draw(infos[1], (k, n))
    if random.random() < 0.3:
        a[...], w[...] = infos[0].max, infos[1].max
    zero = [pick(random, draw(info, ()), np.zeros((), info.dtype)) for info in infos]
    sums = (convolve if isConv else np.matmul)(a.astype(float) - float(zero[0]), w.astype(float) - float(zero[1]), **how)
    scale = [F32(random.uniform(0.001, 0.1)) for _ in range(2)]
    scale.append(F32(random.uniform(0.5, 2) * scale[0] * scale[1] * pick(random, 1, max(np.abs(sums).max(), 1) / 100)))

    def make(b, o):
        pair = lambda i, rank: [b.constant(x.reshape([1] * rank)) for x in (scale[i], zero[i])]
        factors = enumerate((o['a'], o['w'] if 'w' in o else b.constant(w)))
        x, y = (b.dequantize_linear(factor, *pair(i, len(factor.shape))) for i, factor in factors)
        return b.quantize_linear(b.conv2d(x, y, **how) if isConv else b.matmul(x, y), *pair(2, a.ndim))

    value = np.clip(sums * (float(scale[0]) * float(scale[1]) / float(scale[2])) + float(zero[2]), infos[2].min, infos[2].max)
    feed = {'a': a} if isConv else {'a': a, 'w': w}  # a filter that is not constant is not multiplied in bytes
    text, error = f'bytes {a.shape} {w.shape} {a.dtype} {w.dtype} {how}', np.full(value.shape, 0.5 + 2.0**-12)
    return Case(text, make, feed, value, error, value.size * w[0].size, ('w',))


def check_case(random, case):
    """Compares one case on several settings."""
    constant, threads, way = pick(random, False, True), pick(random, 2, 3, 5, 8), int(random.integers(8))
    graph, other = (case.graph(context(t), constant) for t in (1, threads))
    result = case.run(graph)
    compare(result, case.value, case.error, 'tiles:')
    require_same(case.run(other), result, threads, 'threads give other bits')
    if way == 0:  # the other kind of weights
        swapped = case.graph(context(), not constant)
        again, kernels = case.run(swapped), [[step['kernels'] for step in g.placement()] for g in (graph, swapped)]
        compare(again, case.value, case.error, 'swapped:')
        if kernels[0] == kernels[1] and 'conv' not in case.text:
            require_same(again, result, 'constants give other bits', kernels)
    elif way == 1:
        isa = pick(random, *(isa for isa in ISAS if isa != 'amx-emulated' or case.work <= 3 * LITTLE))
        first, second = (case.run(case.graph(context(t, isa), constant)) for t in (1, threads))
        require_same(first, second, isa, threads, 'threads give other bits')
        compare(first, case.value, 2 * case.error, isa)  # vectors sum up to 384 products one after the other
        require(result.dtype.kind == 'f' or first.tobytes() == result.tobytes(), isa, 'gives other bytes than tiles')
    elif way == 2 and case.rounded is not None:
        first, second = (case.run(case.graph(context(t, precision='bfloat16'), constant)) for t in (1, threads))
        require_same(first, second, 'bfloat16: threads give other bits')
        compare(first, case.value, case.rounded, 'bfloat16:')
    elif way == 3:  # repeated and concurrent runs
        with ThreadPoolExecutor(4) as pool:
            for each in pool.map(case.run, [graph, other, other, graph, other, graph]):
                require_same(each, result, 'concurrent runs give other bits')
    elif way == 4:
        memory = np.full(result.size + 128, 3, result.dtype)
        case.run(graph, outputs={'y': memory[64:-64].reshape(result.shape)})
        require_same(memory, np.pad(result.ravel(), 64, constant_values=3), 'given memory gets other bits, or is overrun')
    elif way == 5:
        for _ in range(3):
            with contextlib.suppress(webnn.DeadlineError):
                require_same(case.run(other, timeout=float(10 ** random.uniform(-6, -3))), result, 'a run in time gives other bits')
            require_same(case.run(other), result, 'the run after a stopped one gives other bits')
    elif way == 6:
        limits = {'max_memory': int((sum(array.nbytes for array in case.feed.values()) + result.nbytes) * random.uniform(0.3, 8))}
        with webnn.ML().create_context(backend='cpu', threads=threads, limits=limits, backend_options={'isa': TILES}) as limited:
            try:
                require_same(case.run(case.graph(limited, constant)), result, 'a memory limit gives other bits')
            except (webnn.Error, MemoryError) as error:
                require('memory' in str(error), 'a memory limit causes', type(error).__name__, error)


def check_open(random):
    """A graph with open sizes, run by several threads beside the thresholds: each run equals a graph of fixed sizes."""
    (_, n, k), kind = sizes_of(random), pick(random, F32, F32, F16)
    w, v = (normal(random, *shape).astype(kind) for shape in ((k, n), (n, 100)))

    def outputs(b, rows, inner):
        x, y = b.input('x', [rows, k], kind.__name__), b.input('y', [inner, 96], kind.__name__)
        h, turned = b.relu(b.matmul(x, b.constant(w))), b.transpose(y, [1, 0])
        return {'h': h, 'z': b.gemm(h, b.constant(v)), 'p': b.matmul(turned, y), 'q': b.matmul(y, turned)}

    builder = webnn.MLGraphBuilder(context(pick(random, 1, 2, 3, 5)))
    session, feeds = builder.build_session(outputs(builder, 'M', 'K'), keep=pick(random, 1, 2, 3)), []
    for _ in range(4):
        x, y = normal(random, pick(random, 1, 5, *EDGES[:20]), k), normal(random, pick(random, *EDGES[:22]), 96)
        spoil(random, x, w.astype(F32), 6)
        feeds.append({'x': halves(random, x) if kind == F16 else x, 'y': y.astype(kind)})
    tasks = [feeds[i] for i in random.permutation([0, 0, 1, 1, 2, 2, 3, 3])]
    with ThreadPoolExecutor(pick(random, 1, 3)) as pool:
        results = list(pool.map(lambda feed: session.run(['h', 'z', 'p', 'q'], feed), tasks))
    for feed, result in zip(tasks, results, strict=True):
        builder = webnn.MLGraphBuilder(context())
        fixed = builder.build(outputs(builder, len(feed['x']), len(feed['y']))).compute(feed)
        for name, actual in zip('hzpq', result, strict=True):
            require_same(actual, fixed[name], n, k, [(len(f['x']), len(f['y'])) for f in tasks], name, 'is not what a fixed graph gives')


KINDS = {'product': product_case, 'gemm': gemm_case, 'conv': conv_case, 'bytes': bytes_case, 'open': check_open}


def problems(seed):
    random, case = np.random.default_rng(seed), None
    kind = str(random.choice(list(KINDS), p=[0.42, 0.18, 0.24, 0.1, 0.06]))
    try:
        with np.errstate(all='ignore'):
            case = KINDS[kind](random)
            if case:
                check_case(random, case)
    except Exception as error:  # a wrong result, or an error that no case may cause
        yield f'{case.text if case else kind}: {type(error).__name__} {" ".join(map(str, error.args))}'


if not TILES:
    print('skipped: the processor has neither AMX nor AVX-512')
    sys.exit(SKIPPED)
sys.exit(run_seeds(__doc__, problems))
