"""Checks that sessions of models with an If on an input compute each run like a new session.

usage: random_branches_test.py COUNT [--seed SEED]

A random model has one to three If nodes at the top, on one or two boolean inputs, with nested If nodes, initializers in branches and
names that branches share. Most nodes of a branch have fixed sizes, and some depend on the length of a cache, so that sessions divide
the chosen branch into sections when the length grows. Twelve runs have changing lengths and conditions, and at times a wrong input.
Every run must end as in a new session: with the same results, or an error of the same kind. Results must be those of ONNX Runtime, if
onnx.reference agrees with it. Some models run in three threads. Each model runs in a process of its own, so that a crash is a failure
of the test. WEBNN_BRANCHES_COUNT and WEBNN_BRANCHES_SEED take precedence over the arguments.
"""
import argparse
import os
import pathlib
import sys
import threading
import warnings

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from random_empty_test import in_process, outcome, run_all  # noqa: E402

STEPS = 12
WIDTH = 3
CONSTANTS = {'i0': np.array(0), 'i1': np.array(1), 'begin': np.array([-2]), 'end': np.array([1 << 40]), 'axis0': np.array([0]),
             'axis1': np.array([1]), 'zero': np.array(0, np.float32)}
node = helper.make_node


def declared(name):
    return helper.make_tensor_value_info(name, T.FLOAT, None)


class Branches:
    """Makes a random model. Values of kind "fixed" have the shape [2, WIDTH], those of kind "open" [any size, WIDTH], and those of
    kind "rows" at most the last two rows of an open value."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.number = 0
        self.conditions = ['c0', 'c1'][:self.below(2) + 1]
        self.condition_shapes = {name: [[], [1]][self.below(2)] for name in self.conditions}
        self.shapes = {'x': [2, WIDTH], 'past': ['p', WIDTH]}
        if self.chance(0.4):
            self.shapes['new'] = ['n', WIDTH]
        if self.chance(0.2):
            self.shapes['also'] = ['p', WIDTH]

    def chance(self, probability):
        return self.random.random() < probability

    def below(self, end):
        return int(self.random.integers(end))

    def new(self, prefix='v'):
        self.number += 1
        return f'{prefix}{self.number}'

    def one(self, known, kind):
        return str(self.random.choice([name for name, other in known if other == kind]))

    def weights(self, name):
        return numpy_helper.from_array((self.random.standard_normal((WIDTH, WIDTH)) * 0.4).astype(np.float32), name)

    def fixed(self, known, weights):
        y, a, b, w = self.new(), self.one(known, 'fixed'), self.one(known, 'fixed'), str(self.random.choice(weights))
        known.append((y, 'fixed'))
        return [
            [node('MatMul', [a, w], [y])],
            [node(str(self.random.choice(['Relu', 'Tanh', 'Sigmoid', 'Neg', 'Identity'])), [a], [y])],
            [node(str(self.random.choice(['Add', 'Sub', 'Max', 'Min'])), [a, b], [y])],
            [node('Gemm', [a, w], [y], transB=1)],
            [node('Shape', [a], [y + 's']), node('Reshape', [b, y + 's'], [y])],
            [node('Constant', [], [y + 'c'], value_floats=[0.5, -1.0, 2.0]), node('Add', [a, y + 'c'], [y])],
        ][self.below(6)]

    def open(self, known, weights):
        y, a, b, f = self.new(), self.one(known, 'open'), self.one(known, 'open'), self.one(known, 'fixed')
        count = [node('Shape', [a], [y + 's']), node('Gather', [y + 's', 'i0'], [y + 'n'])]
        kind, nodes = [
            ('open', [node('MatMul', [a, str(self.random.choice(weights))], [y])]),
            ('open', [node('Concat', [a, f], [y], axis=0)]),
            ('open', [node('Concat', [a, b], [y], axis=0)]),
            ('open', [node('CumSum', [a, 'i0'], [y])]),
            ('open', [node('Greater', [a, 'zero'], [y + 'g']), node('Where', [y + 'g', a, 'zero'], [y])]),
            ('open', [node('Shape', [a], [y + 's']), node('ConstantOfShape', [y + 's'], [y])]),
            ('open', [*count, node('Range', ['i0', y + 'n', 'i1'], [y + 'r']), node('Cast', [y + 'r'], [y + 'c'], to=T.FLOAT),
                      node('Unsqueeze', [y + 'c', 'axis1'], [y + 'u']), node('Add', [a, y + 'u'], [y])]),
            ('rows', [node('Slice', [a, 'begin', 'end', 'axis0'], [y])]),
            ('fixed', [node('Transpose', [a], [y + 't'], perm=[1, 0]), node('MatMul', [f, y + 't'], [y + 'q']),
                       node('Softmax', [y + 'q'], [y + 'p']),
                       node('MatMul', [y + 'p', a], [y])]),
            ('fixed', [node('ReduceMean', [a], [y + 'm'], axes=[0], keepdims=1), node('Add', [f, y + 'm'], [y])]),
            ('fixed', [*count, node('Cast', [y + 'n'], [y + 'c'], to=T.FLOAT), node('Mul', [f, y + 'c'], [y])]),
        ][self.below(11)]
        known.append((y, kind))
        return nodes

    def on_host(self, known):
        """Returns nodes that a graph cannot represent. A session does not divide a model that contains them."""
        y, f = self.new(), self.one(known, 'fixed')
        known.append((y, 'fixed'))
        bodies = [helper.make_graph([node(kind, [f], [y + kind])], kind, [], [declared(y + kind)]) for kind in ('Relu', 'Neg')]
        return [
            [node('NonZero', [f], [y + 'z']), node('Cast', [y + 'z'], [y + 'c'], to=T.FLOAT),
             node('ReduceSum', [y + 'c'], [y + 'm'], keepdims=0),
             node('Add', [f, y + 'm'], [y])],
            [node('RandomNormalLike', [f], [y + 'n']), node('Mul', [y + 'n', 'zero'], [y + 'm']), node('Add', [f, y + 'm'], [y])],
            [node('Cast', [f], [y + 'd'], to=T.DOUBLE), node('Add', [y + 'd', y + 'd'], [y + 'e']),
             node('Cast', [y + 'e'], [y], to=T.FLOAT)],
            [node('ReduceSum', [f], [y + 's'], keepdims=0), node('Greater', [y + 's', 'zero'], [y + 'b']),
             node('If', [y + 'b'], [y], then_branch=bodies[0], else_branch=bodies[1])],
        ][self.below(4)]

    def branch(self, known, weights, depth, kinds, taken):
        known, nodes, initializers, results = list(known), [], [], []
        if self.chance(0.3):
            name = f'shared{self.below(2)}' if self.chance(0.5) else self.new('w')
            initializers.append(self.weights(name))
            weights = [*weights, name]
        if self.chance(0.9):
            for _ in range(1 + self.below(2)):
                nodes += self.open(known, weights)
            for _ in range(10 + self.below(30)):
                nodes += self.fixed(known, weights)
            if self.chance(0.05):
                nodes += self.on_host(known)
            if depth < 2 and self.chance(0.25):
                nodes += self.choice(known, weights, depth + 1)
                nodes += self.fixed(known, weights)
        own = {name for made in nodes for name in made.output}
        for kind in kinds:
            if kind == 'other':  # the branches have different shapes, so that no graph can represent the model
                candidates = ['x' if taken else 'past']
            else:
                candidates = [name for name, other in known if other == kind or (kind == 'open' and other == 'rows')]
            result = candidates[-1] if self.chance(0.6) else str(self.random.choice(candidates))
            if kind == 'fixed' and self.chance(0.05):
                result = self.new('k')
                initializers.append(numpy_helper.from_array(np.full((2, WIDTH), 0.25, np.float32), result))
            elif result not in own:
                nodes.append(node('Identity', [result], [self.new('o')]))
                result = nodes[-1].output[0]
            results.append(result)
        return nodes, initializers, results

    def choice(self, known, weights, depth=0):
        kinds = [str(self.random.choice(['fixed', 'fixed', 'open'])) for _ in range(1 + self.below(3))] + ['other'] * self.chance(0.7)
        outputs = [self.new('y') for _ in kinds]
        start = last = self.number
        shares_names, graphs = self.chance(0.4), []
        for taken in (True, False):
            self.number = start if shares_names else self.number
            nodes, initializers, results = self.branch(known, weights, depth, kinds, taken)
            last = max(last, self.number)
            if self.chance(0.4):  # the exporter optimum gives the results of a branch the names of the node's outputs
                nodes, results = self.renamed(nodes, results, outputs)
            graphs.append(helper.make_graph(nodes, 'branch', [], [declared(name) for name in results], initializers))
        self.number = last
        known += [(name, 'open' if kind == 'other' else kind) for name, kind in zip(outputs, kinds, strict=True)]
        return [node('If', [str(self.random.choice(self.conditions))], outputs, then_branch=graphs[0], else_branch=graphs[1])]

    @staticmethod
    def renamed(nodes, results, outputs):
        own = {name for made in nodes for name in made.output}
        names = {result: output for result, output in zip(results, outputs, strict=True) if results.count(result) == 1 and result in own}

        def rename(all_nodes):
            for made in all_nodes:
                for values in (made.input, made.output):
                    values[:] = [names.get(name, name) for name in values]
                for attribute in made.attribute:
                    rename(attribute.g.node)

        rename(nodes)
        return nodes, [names.get(name, name) for name in results]

    def model(self):
        known = [('x', 'fixed'), *((name, 'open') for name in self.shapes if name != 'x')]
        weights, nodes = ['w0', 'w1'], []
        for _ in range(self.below(3)):
            nodes += self.open(known, weights)
        for _ in range(1 + self.below(3) * self.below(2)):
            nodes += self.choice(known, weights)
        for _ in range(self.below(8)):
            nodes += self.fixed(known, weights)
        if self.chance(0.04):
            nodes += self.on_host(known)
        outputs = [name for name, _ in known[:-1 - 1 - self.below(4):-1]] + [made.output[0] for made in nodes if made.op_type == 'If']
        outputs += [name for name in ('x', 'past', 'w0') if self.chance(0.1)]
        if not self.chance(0.05):  # otherwise, the model may list an output twice
            outputs = list(dict.fromkeys(outputs))
        inputs = [helper.make_tensor_value_info(name, T.FLOAT, shape) for name, shape in self.shapes.items()]
        inputs += [helper.make_tensor_value_info(name, T.BOOL, shape) for name, shape in self.condition_shapes.items()]
        self.random.shuffle(inputs)
        known_inputs = {value.name: value for value in inputs}
        initializers = [self.weights(name) for name in weights]
        initializers += [numpy_helper.from_array(value, name) for name, value in CONSTANTS.items()]
        graph = helper.make_graph(nodes, 'branches', inputs, [known_inputs.get(name, declared(name)) for name in outputs], initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)

    def feeds(self):
        sizes = {'p': 1 + self.below(4), 'n': 1 + self.below(2)}
        values = {name: self.chance(0.5) for name in self.conditions}
        for _ in range(STEPS):
            sizes['p'] = sizes['p'] + 1 if self.chance(0.85) else self.below(6)
            sizes['n'] = 1 + self.below(2) if self.chance(0.06) else sizes['n']
            values = {name: value != self.chance(0.15) for name, value in values.items()}
            feed = {name: self.random.standard_normal([sizes.get(size, size) for size in shape]).astype(np.float32)
                    for name, shape in self.shapes.items()}
            feed |= {name: np.full(shape, values[name]) for name, shape in self.condition_shapes.items()}
            if self.chance(0.08):
                name = str(self.random.choice(list(feed)))
                change = self.below(4)
                if change == 0 and name not in ('past', 'new', 'also'):
                    del feed[name]
                elif change > 0:
                    array = feed[name]
                    narrow = array[:, :2] if array.ndim == 2 else array[..., np.newaxis]
                    feed[name] = [array.astype(np.float64), np.stack([array, array]), narrow][change - 1]
            yield feed


def in_threads(session, feeds):
    results = [None] * len(feeds)

    def work(first):
        for i in range(first, len(feeds), 3):
            results[i] = outcome(lambda i=i: session.run(None, feeds[i]))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a.split(':')[0] == b.split(':')[0]
    return len(a) == len(b) and all(
        x is not None and y is not None and x.shape == y.shape and x.dtype == y.dtype and
        np.allclose(x, y, rtol=1e-3, atol=1e-4 * max(1, np.nan_to_num(np.abs(y)).max(initial=0)), equal_nan=True)
        for x, y in zip(a, b, strict=True))


def problems_of(seed):
    branches = Branches(seed)
    model = branches.model()
    content, feeds = model.SerializeToString(), list(branches.feeds())
    run = in_threads if branches.chance(0.15) else run_all
    results = in_process(lambda: run(webnn.InferenceSession(content), feeds))
    alone = in_process(lambda: [outcome(lambda feed=feed: webnn.InferenceSession(content).run(None, feed)) for feed in feeds])
    if isinstance(results, str) or isinstance(alone, str):
        yield f'{results}; alone: {alone}'
        return
    evaluator, runtime = outcome(lambda: ReferenceEvaluator(model)), outcome(lambda: onnxruntime.InferenceSession(content))
    for i, (feed, result, other) in enumerate(zip(feeds, results, alone, strict=True)):
        sizes = {name: list(array.shape) if array.dtype != bool else array.tolist() for name, array in feed.items()}
        if not same(result, other):
            yield f'run {i} {sizes}: {result}, not {other}'
        if isinstance(result, str) or isinstance(evaluator, str) or isinstance(runtime, str):
            continue
        expected = outcome(lambda feed=feed: runtime.run(None, feed))
        if isinstance(expected, str) or len(expected) != len(result) or same(result, expected):
            continue
        if same(outcome(lambda feed=feed: evaluator.run(None, feed)), expected):
            yield f'run {i} {sizes}: {result}, not {expected}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    count, first = int(os.environ.get('WEBNN_BRANCHES_COUNT', options.count)), int(os.environ.get('WEBNN_BRANCHES_SEED', options.seed))
    warnings.simplefilter('ignore')
    onnxruntime.set_default_logger_severity(4)
    failures = 0
    for seed in range(first, first + count):
        for problem in problems_of(seed):
            failures += 1
            print(f'--seed {seed}: {problem}'[:600])
    print(f'{count} models, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
