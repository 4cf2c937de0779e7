#!/usr/bin/env python3
"""Checks that Core ML programs of random graphs with open dimensions compute what sessions compute, for several sizes.

usage: random_open_test.py COUNT [--seed SEED] [--verbose]

Each graph (random_open/graphs.py) is saved as a Core ML program, which coremltools loads and the evaluator runs: with the smallest
and random sizes, and with the default shapes of the program. Some sizes are not compared, such as sizes that the session refuses,
or with which an input has no elements. Programs of the graphs in BEYOND_INT32 must be exact, or the export must refuse them.
--verbose prints the operations of graphs that fail, and counts refusals. Exits with 77 if coremltools or the Python package webnn is
missing.
"""

import argparse
import collections
import math
import pathlib
import re
import sys
import tempfile
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'onnx'))
import check_programs  # exits if coremltools is not installed
import mil_evaluator
import numpy as np
from verify import require_webnn

require_webnn()
import webnn  # noqa: E402
from random_open.graphs import Graph  # noqa: E402
from random_open.parts import is_empty, value  # noqa: E402

# Problems that are not failures, as patterns, and why.
KNOWN = {
    'the default shape cannot run': 'The export tries few sizes, and notes that it found no valid default shape.',
    'not loaded: AssertionError in scatter_gather.py': 'coremltools does not know the sizes of slices with computed starts.',
}
MOST_KNOWN = 0.02  # maximum share of graphs with known problems
MOST_ELEMENTS = 200_000  # maximum number of elements of an input
UNBOUNDED = 2**31 - 1


# Graphs with sizes beyond int32.


def resized(scale, mode):
    return lambda builder, size: builder.resample2d(builder.input('x', [1, 1, 1, size]), scales=[1, scale], mode=mode)


def cut(length):
    return lambda builder, size: builder.slice(builder.input('x', [size]), [0], [length])


# By title: a function that makes a graph of an input with the dimension n, and the sizes of n for which the graph runs.
BEYOND_INT32 = {
    'resample2d, linear, 2': (resized(2, 'linear'), [5, 20000, 23170, 23171, 30000, 48000]),
    'resample2d, nearest, 1.5': (resized(1.5, 'nearest-neighbor'), [5, 20000, 30000, 48000]),
    'resample2d, nearest, 0.5': (resized(0.5, 'nearest-neighbor'), [5, 46000, 46341, 65537]),
    'scaled(n, 0.1)': (cut('scaled(n, 0.1)'), [50, 500000, 600000, 3000000]),
    'scaled(n, 0.7)': (cut('scaled(n, 0.7)'), [50, 500000, 1100000, 3000000]),
    'floor(n * 1000000 / 1000003)': (cut('floor(n * 1000000 / 1000003)'), [50, 2000, 2148, 6000]),
    'floor(n * n / (n + 1))': (cut('floor(n * n / (n + 1))'), [50, 46340, 46341, 50000]),
    'floor(n * n * n / (n * n + 1))': (cut('floor(n * n * n / (n * n + 1))'), [50, 1290, 1291, 2000]),
}


def check_beyond_int32(path):
    """Exports the graphs of BEYOND_INT32, with n unbounded and bounded, and compares them with sessions. Returns (problems, number
    of programs, number of refusals)."""
    problems, programs, refused = [], 0, 0
    for title, (make, sizes) in BEYOND_INT32.items():
        for most in [*sizes, UNBOUNDED]:
            builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='reference'))
            session = builder.build_session({'y': make(builder, webnn.MLDynamicDimension('n', most, min_size=1))})
            try:
                session.save(path)
            except webnn.NotSupportedError as error:
                refused += 1
                if 'beyond int32' not in str(error):
                    problems.append(f'{title}, n at most {most}: {error}')
                continue
            programs += 1
            for size in [size for size in sizes if size <= most]:
                rank = len(session.get_inputs()[0].shape)
                given = {'x': np.random.default_rng(size).random((1,) * (rank - 1) + (size,), np.float32)}
                try:
                    found = program_of(path)[1].evaluate(given)['y']
                    wrong = difference(session.run(None, given)[0], found, 'float32')
                except Exception as error:
                    wrong = f'{type(error).__name__}: {str(error)[:200]}'
                if wrong:
                    problems.append(f'{title}, n at most {most}: n = {size}: {wrong}')
    return problems, programs, refused


# Random graphs.


def program_of(path):
    """Loads a program with coremltools. Returns (specification, evaluator)."""
    spec = check_programs.load(path)
    return spec, mil_evaluator.Evaluator(spec, path / 'Data/com.apple.CoreML/weights/weight.bin')


def size_sets(graph, names, default):
    """Yields (kind, sizes of the dimensions by name)."""
    random, limits = graph.random, {name: graph.dims[name] for name in names}

    def within(name, size):
        least, most = limits[name]
        return min(max(size, least, 1), most or UNBOUNDED)

    yield 'ones', {name: within(name, 1) for name in names}
    yield 'largest', {name: within(name, random.randint(13, 15)) for name in names}
    if default is not None:
        yield 'default', default
    for _ in range(5):
        yield 'random', {name: within(name, max(1, limits[name][0]) + random.randint(0, 8)) for name in names}
    for kind, size in (('same', random.randint(1, 6)), ('even', random.choice([2, 4, 6, 12]))):
        yield kind, {name: within(name, size) for name in names}


def described_problems(item, declared):
    """Yields how the default shape and the ranges of an input contradict each other, or its declared shape."""
    array = item.type.multiArrayType
    ranges = [(one.lowerBound, one.upperBound) for one in array.shapeRange.sizeRanges]
    if len(array.shape) != len(declared):
        yield f'{item.name}: ranks {array.shape} {declared}'
        return
    if None in declared and not ranges:
        yield f'{item.name}: unknown sizes without ranges'
    for size, fixed, (low, high) in zip(array.shape, declared, ranges or [(size, size) for size in declared], strict=True):
        if fixed is not None and not fixed == size == low == high:
            yield f'{item.name}: size {fixed}, default {size}, range {low}..{high}'
        elif fixed is None and (low or 0) < 1:
            yield f'{item.name}: range {low}..{high}'
        elif size < 1 or size < low or 0 <= high < size:
            yield f'{item.name}: default {size} outside {low}..{high}'


def check_description(spec, program, graph):
    """Returns the problems of the inputs and outputs that the program describes, and the default sizes of the dimensions by name."""
    problems, default = [], {}
    for item in spec.description.input:
        problems += described_problems(item, program.inputs[item.name][1])
        sizes = item.type.multiArrayType.shape
        operand = graph.inputs.get(item.name, (None,))[0]
        if operand is None or len(operand.shape) != len(sizes):
            continue
        for name, size in zip(operand.shape, sizes, strict=True):
            if name in graph.dims and default.setdefault(name, size) != size:
                problems.append(f'{item.name}: {name} is {default[name]} and {size} by default')
    names = [item.name for item in (*spec.description.input, *spec.description.output)]
    if len(set(names)) != len(names):
        problems.append(f'names {names}')
    return problems, default


def default_failure(spec, program):
    """Runs the program with zeros of the default shapes. Returns the error, or None."""
    shapes = {item.name: list(item.type.multiArrayType.shape) for item in spec.description.input}
    try:
        program.evaluate({name: np.zeros(shape, program.inputs[name][0]) for name, shape in shapes.items()})
    except Exception as error:
        return f'{shapes}: {type(error).__name__}: {str(error)[:200]}'
    return None


def arrays_for(graph, sizes):
    """Returns arrays for the inputs; None if one has no elements, too many, or sizes without a value."""
    given = {}
    for name, (operand, dtype) in graph.inputs.items():
        try:
            shape = [value(size, sizes) for size in operand.shape]
        except (ValueError, ZeroDivisionError):
            return None
        count = math.prod(shape)
        if min(shape, default=1) < 1 or count > MOST_ELEMENTS:
            return None
        if dtype.startswith('float'):
            array = graph.numbers.integers(-12, 13, count) / 4 + (graph.numbers.random(count) / 8 if dtype == 'float32' else 0)
        else:
            array = graph.numbers.integers(0 if dtype.startswith('u') else -4, 6, count)
        given[name] = array.astype(dtype).reshape(shape)
    return given


def difference(expected, found, dtype):
    """Returns how the program's result differs from the session's, or None. Core ML has at most 5 dimensions."""
    if expected.size != found.size or (0 < expected.ndim <= 5 and expected.shape != found.shape):
        return f'shapes {expected.shape} and {found.shape}'
    a, b = expected.reshape(-1).astype(float), found.reshape(-1).astype(float)
    with np.errstate(all='ignore'):
        largest = np.abs(a[np.isfinite(a)]).max(initial=1)
        near = {'float32': 2e-4, 'float16': 2e-2}.get(dtype, 0) * np.maximum(1, np.abs(a)) * largest**0.5
        wrong = ~((np.abs(a - b) <= near) | (a == b) | (np.isnan(a) & np.isnan(b)))
    if not wrong.any():
        return None
    i = int(np.flatnonzero(wrong)[0])
    return f'{wrong.sum()} of {a.size} differ, first at {i}: session {a[i]}, program {b[i]}'


class Case:
    """The session and the program of a graph."""

    def __init__(self, seed, path, statistics):
        self.graph, self.path, self.statistics = Graph(seed), path, statistics

    def problems(self):
        """Builds, saves and runs the graph. Returns problems."""
        graph = self.graph
        results = [x for x in graph.operands if not any(x is y for y, _ in graph.inputs.values())]
        if not results:
            return []
        self.outputs = {f'y{i}': x for i, x in enumerate(results)} if graph.random.random() < 0.6 else {'y0': results[-1]}
        if graph.random.random() < 0.1:
            self.outputs['same'] = graph.random.choice(graph.operands)
        try:
            self.session = graph.builder.build_session(self.outputs)
        except webnn.ArgumentError:
            self.statistics['not built'] += 1
            return []
        try:
            self.session.save(self.path)
        except webnn.NotSupportedError as error:
            self.statistics['not exported'] += 1
            for line in str(error).splitlines()[1:] or [str(error)]:
                self.statistics['refused: ' + re.sub(r'\d+', '#', line.strip())[:200]] += 1
            return []
        except webnn.Error as error:
            return [f'save: {type(error).__name__}: {error}']
        used = {item.name for item in self.session.get_inputs()}
        graph.inputs = {name: item for name, item in graph.inputs.items() if name in used}
        try:
            self.spec, self.program = program_of(self.path)
        except Exception as error:
            place = pathlib.Path(traceback.extract_tb(error.__traceback__)[-1].filename).name
            return [f'not loaded: {type(error).__name__} in {place}: {str(error)[:300]}']
        return self.program_problems()

    def program_problems(self):
        problems, default = check_description(self.spec, self.program, self.graph)
        names = {name for x, _ in self.graph.inputs.values() for size in x.shape for name in re.findall(r'[a-z]+', str(size))}
        names = sorted(names & set(self.graph.dims))
        runs, failure = 0, default_failure(self.spec, self.program)
        for kind, sizes in size_sets(self.graph, names, default if sorted(default) == names else None):
            is_compared, problem = self.run(sizes)
            runs += is_compared
            if problem:
                problems.append(f'{kind} {sizes}: {problem}')
        if runs and failure:
            problems.append(f'the default shape cannot run: {failure}')
        self.statistics['compared runs'] += runs
        self.statistics['compared graphs'] += runs > 0
        return problems

    def run(self, sizes):
        """Runs the session and the program. Returns (whether they were compared, problem or None)."""
        given = arrays_for(self.graph, sizes)
        if given is None:
            return False, None
        try:
            expected = self.session.run(list(self.outputs), given)
        except (webnn.ArgumentError, webnn.NotSupportedError):
            self.statistics['sizes refused by the session'] += 1
            return False, None
        converted = {}
        for name, array in given.items():
            shape = self.program.given_shape(name, array.shape)
            converted[name] = (array if array.dtype.kind == 'f' else array.astype(np.int32)).reshape(shape)
        try:
            found = self.program.evaluate(converted)
        except Exception as error:
            # The session saturates in casts that the evaluator refuses. Core ML has no tensors without elements.
            if 'a cast to' in str(error) or any(is_empty(size, sizes) for x in self.graph.operands for size in x.shape):
                return False, None
            return True, f'{type(error).__name__}: {str(error)[:300]}'
        for array, item, (name, operand) in zip(expected, self.spec.description.output, self.outputs.items(), strict=True):
            wrong = difference(np.asarray(array), found[item.name], operand.data_type)
            if wrong:
                return True, f'{name} %{self.graph.index(operand)} {operand.shape}: {wrong}'
        return True, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--verbose', action='store_true')
    options = parser.parse_args()
    statistics, known = collections.Counter(), collections.Counter()  # known: by pattern
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, 'graph.mlpackage')
        wrong, programs, refused = check_beyond_int32(path)
        print(*wrong, f'{programs} programs with sizes beyond int32, {refused} refused, {len(wrong)} wrong runs', sep='\n', flush=True)
        failed = 0
        for seed in range(options.seed, options.seed + options.count):
            case = Case(seed, path, statistics)
            problems = []
            for problem in case.problems():
                pattern = next((pattern for pattern in KNOWN if re.search(pattern, problem)), None)
                if pattern:
                    known[pattern] += 1
                else:
                    problems.append(problem)
            if problems:
                failed += 1
                print(f'--seed {seed}:', *problems[:4], sep='\n  ', flush=True)
                if options.verbose:
                    print(*case.graph.log, sep='\n  ')
    known_texts = [f'{count} times known: {pattern} ({KNOWN[pattern]})' for pattern, count in known.items()]
    counts = [f'{count:6} {what}' for what, count in statistics.most_common() if options.verbose or not what.startswith('refused')]
    print(*counts, *known_texts, f'{options.count} graphs, {failed} failed', sep='\n')
    if known.total() > max(3, options.count * MOST_KNOWN):
        print('too many known problems')
        return 1
    if options.count >= 50 and statistics['compared graphs'] < options.count * 0.4:
        print('too few graphs were compared')
        return 1
    return failed > 0 or bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
