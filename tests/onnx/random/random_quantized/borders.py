"""The base class of random matrix products with sizes at the borders of the kernels' panels, tiles and blocks."""

import functools

import numpy as np
import webnn

from random_quantized.numbers import integers

# The options of each context of the CPU backend.
CONTEXTS = {
    'one': {'threads': 1},
    'two': {'threads': 2},
    'five': {'threads': 5},
    'avx2': {'threads': 1, 'backend_options': {'isa': 'avx2'}},
    'sse4': {'threads': 2, 'backend_options': {'isa': 'sse4'}},
    'watched': {'threads': 2, 'backend_options': {'memory': 'watched'}},
    'watched sse4': {'threads': 1, 'backend_options': {'memory': 'watched', 'isa': 'sse4'}},
    'apart': {'threads': 2, 'backend_options': {'memory': 'apart'}},
    'bf16 one': {'threads': 1, 'backend_options': {'precision': 'bfloat16'}},
    'bf16 two': {'threads': 2, 'backend_options': {'precision': 'bfloat16'}},
    'bf16 five': {'threads': 5, 'backend_options': {'precision': 'bfloat16'}},
    'bf16 sse4': {'threads': 2, 'backend_options': {'precision': 'bfloat16', 'isa': 'sse4'}},
    'bf16 watched': {'threads': 2, 'backend_options': {'precision': 'bfloat16', 'memory': 'watched'}},
}
INTEGER_CONTEXTS = ['one', 'two', 'five', 'sse4', 'watched', 'watched sse4', 'apart', 'bf16 one']
# The contexts of a group must have bit-identical results. `avx2` and `bf16 sse4` are in no group: kernels of other instruction sets
# sum in another order.
SAME = [['one', 'two', 'five', 'watched', 'apart'], ['bf16 one', 'bf16 two', 'bf16 five', 'bf16 watched'], ['sse4', 'watched sse4']]
COLUMNS = [1, 2, 3, *(n + step for n in (8, 16, 24, 32, 48, 64, 80, 96, 128, 192, 256) for step in (-1, 0, 1))]
DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 129, 255, 257, 383, 384, 385, 511, 513, 767, 768, 769, 1153]
DEEP = [8192, 33023, 33024, 33025]  # int32 holds sums of at most 33,025 products of 8-bit integers


@functools.cache
def context(name):
    """Returns the context, or None if the processor lacks its instruction set."""
    settings = CONTEXTS[name]
    try:
        return webnn.ML().create_context(backend='cpu', **settings)
    except webnn.Error:
        if 'isa' not in settings.get('backend_options', {}):
            raise
        return None


class Check:
    """The expected values of an output, with the tolerance `near`. If `to` is a (type, zero point), the output is quantized to it."""

    def __init__(self, values, near=0.0, to=None, loose=None):
        self.values, self.near, self.to = np.asarray(values, float), near, to
        self.loose = loose  # a mask of elements that are not compared
        self.other = None  # an alternative Check; results must pass one of the two

    def problem(self, actual):
        """Returns how an array differs; '' if it does not."""
        problem = self.own_problem(actual)
        return '' if problem and self.other and not self.other.own_problem(actual) else problem

    def own_problem(self, actual):
        if actual.shape != self.values.shape:
            return f'shape {actual.shape}, not {self.values.shape}'
        got = actual.astype(float)
        if self.to:
            dtype, zero = self.to
            limits = np.iinfo(dtype)
            if actual.dtype != dtype:
                return f'type {actual.dtype}'
            low, high = (np.clip(np.rint(self.values + sign * self.near) + zero, limits.min, limits.max) for sign in (-1, 1))
            wrong = ~((low <= got) & (got <= high))
        else:
            with np.errstate(invalid='ignore'):
                wrong = ~((np.abs(got - self.values) <= self.near) | (got == self.values) | (np.isnan(got) & np.isnan(self.values)))
        if self.loose is not None:
            wrong &= ~self.loose
        if not wrong.any():
            return ''
        at = tuple(int(i[0]) for i in np.nonzero(wrong))
        near = np.broadcast_to(self.near, wrong.shape)[at]
        return f'{wrong.sum()} of {wrong.size} differ, first at {at}: {actual[at]}, not {self.values[at]} (tolerance {near:g}, {self.to})'


def same_bits(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind != 'f':
        return np.array_equal(a, b)
    kind = {2: np.uint16, 4: np.uint32, 8: np.uint64}[a.dtype.itemsize]
    return bool(((a.view(kind) == b.view(kind)) | (np.isnan(a) & np.isnan(b))).all())


class BorderCase:
    """A graph, and its expected results. A seed makes the same case each time.

    make() sets `build`, a function that returns (builder, outputs) for the name of a context, and `runs`, a list of (inputs,
    {output: Check, or {'float32': Check, 'bf16': Check}}). `more` holds (build, runs) of further graphs.
    """

    contexts = INTEGER_CONTEXTS

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.notes, self.runs, self.more, self.graphs = [], [], [], []
        self.is_open = False
        self.make()

    def __str__(self):
        return ', '.join(self.notes)

    # Random parts.

    def chance(self, probability):
        return bool(self.random.random() < probability)

    def pick(self, values):
        return values[int(self.random.integers(len(values)))]

    def type(self):
        return np.dtype(self.pick([np.int8, np.uint8]))

    def sizes(self, most_rows=14):
        """Returns the number of rows, the depth and the number of columns of a product."""
        m = int(self.random.integers(1, most_rows + 1))
        if self.chance(0.05):
            m = self.pick([15, 27, 28, 29, 57, 100])
        k, n = self.pick(DEPTHS), self.pick(COLUMNS)
        if self.chance(0.12):
            k, n, m = self.pick(DEEP), min(n, 65), min(m, 5)
        elif self.chance(0.06):
            n = self.pick([511, 513, 1023, 1025, 2049])
        return m, k, n

    def integers(self, shape, dtype):
        if self.chance(0.05):  # nearly all integers are 0
            return (self.random.random(shape) < 0.02).astype(dtype)
        return integers(self.random, shape, dtype)

    def zero(self, shape, dtype):
        """Returns zero points: all at a limit of the type, all in its middle, all 0, or random."""
        limits = np.iinfo(dtype)
        form = self.random.random()
        if form < 0.2:
            return np.full(shape, limits.min, dtype)
        if form < 0.4:
            return np.full(shape, limits.max, dtype)
        if form < 0.5:
            return np.full(shape, 0 if dtype == np.int8 else 128, dtype)
        if form < 0.6:
            return np.zeros(shape, dtype)
        return self.random.integers(limits.min, limits.max + 1, shape).astype(dtype)

    def scale(self, shape, exact):
        """Returns positive scales, which are powers of two if `exact`."""
        if exact:
            return np.exp2(self.random.integers(-6, 3, shape)).astype(np.float32)
        return (self.random.random(shape) * 0.1 + 1e-3).astype(np.float32)

    # Running.

    def new_builder(self, name):
        return webnn.MLGraphBuilder(context(name))

    def results(self, name):
        """Runs the graphs on a context. Returns the outputs by name of each run."""
        found = []
        for build, runs in [(self.build, self.runs), *self.more]:
            builder, outputs = build(name)
            if self.is_open:
                session = builder.build_session(outputs, keep=3)
                found += [run_session(session, feed) for feed, _ in runs]
                continue
            graph = builder.build(outputs)
            self.graphs.append(graph)  # keeps the graphs, so that they share weights
            for feed, _ in runs:
                found.append(context(name).compute(graph, feed))
                if 'watched' in name and not same_all(found[-1], context(name).compute(graph, feed)):
                    raise AssertionError('two runs with watched memory differ')
        return found

    def all_runs(self):
        return self.runs + [run for _, runs in self.more for run in runs]

    def save(self, path):
        """Saves the first graph. Returns whether that is possible."""
        builder, outputs = self.build('one')
        (builder.build_session(outputs) if self.is_open else builder.build(outputs)).save(path)
        return True


def run_session(session, feed):
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, feed), strict=True))


def same_all(one, two):
    return all(same_bits(one[name], two[name]) for name in one)


def reference_result(make, feed):
    """Builds a graph with make(builder), and computes its output on the reference backend."""
    context = webnn.ML().create_context(backend='reference')
    builder = webnn.MLGraphBuilder(context)
    return context.compute(builder.build({'y': make(builder)}), feed)['y']
