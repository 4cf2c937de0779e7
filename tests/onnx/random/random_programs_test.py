"""Checks that a session computes random ONNX models that need several graphs, with the results of ONNX Runtime.

usage: random_programs_test.py COUNT [--seed SEED]

Each model mixes ordinary operators with branches and loops, results whose shapes depend on values, and scatters with reductions. It
runs on three sets of inputs; open dimensions may be 0. A session may refuse inputs that ONNX Runtime refuses. The same
seed makes the same models.
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import difference, require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper  # noqa: E402

import webnn  # noqa: E402

F, I, B = T.FLOAT, T.INT64, T.BOOL


class Builder:
    """Builds the nodes of one graph. A value is (name, type, rank); sizes are known only at run time."""

    def __init__(self, random, depth=0, prefix='', outer=()):
        self.random, self.depth, self.prefix = random, depth, prefix
        self.nodes, self.initializers, self.values = [], [], list(outer)
        self.own = []

    def name(self):
        self.count = getattr(self, 'count', 0) + 1
        return f'{self.prefix}v{self.count}'

    def constant(self, array):
        name = self.name()
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, op, inputs, type_, rank, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        value = (names[0], type_, rank)
        self.values.append(value)
        self.own.append(value)
        return names if outputs > 1 else names[0]

    def pick(self, type_, *ranks):
        fitting = [value for value in self.values if value[1] == type_ and value[2] in ranks]
        if not fitting:
            return None
        return fitting[min(len(fitting) - 1, int(self.random.triangular(0, len(fitting), len(fitting))))]

    def step(self):
        kinds = [getattr(self, name) for name in dir(self) if name.startswith('make_')]
        kinds[self.random.integers(len(kinds))]()

    def make_unary(self):
        if value := self.pick(F, 0, 1, 2):
            self.add(self.random.choice(['Relu', 'Neg', 'Abs', 'Ceil', 'Floor']), [value[0]], F, value[2])

    def make_binary(self):
        a = self.pick(F, 1, 2)
        if a:
            b = (a[0], F, a[2]) if self.random.integers(2) else (self.constant(np.float32(self.random.normal())), F, 0)
            self.add(self.random.choice(['Add', 'Mul', 'Sub', 'Max']), [a[0], b[0]], F, a[2])

    def make_matmul(self):
        if value := self.pick(F, 2):
            flat = self.add('Reshape', [value[0], self.constant([-1, 1])], F, 2)
            self.add('MatMul', [flat, self.constant(self.random.normal(size=(1, 3)).astype(np.float32))], F, 2)

    def make_nonzero(self):
        if value := self.pick(F, 1):
            mask = self.add('Greater', [value[0], self.constant(np.float32(self.random.normal()))], B, 1)
            places = self.add('NonZero', [mask], I, 2)
            indices = self.add('Squeeze', [places, self.constant([0])], I, 1)
            self.add('Gather', [value[0], indices], F, 1)

    def make_rows(self):
        if value := self.pick(F, 2):
            sums = self.add('ReduceSum', [value[0], self.constant([1])], F, 1, keepdims=0)
            mask = self.add('Less', [sums, self.constant(np.float32(self.random.normal()))], B, 1)
            self.add('Compress', [value[0], mask], F, 2, axis=0)

    def make_unique(self):
        if value := self.pick(F, 1):
            rounded = self.add('Floor', [value[0]], F, 1)
            names = self.add('Unique', [rounded], F, 1, outputs=4, sorted=int(self.random.integers(2)))
            self.values += [(names[2], I, 1), (names[3], I, 1)]

    def make_topk(self):
        if value := self.pick(F, 1):
            size = self.add('Size', [value[0]], I, 0)
            half = self.add('Div', [size, self.constant(np.int64(2))], I, 0)
            k = self.add('Unsqueeze', [half, self.constant([0])], I, 1)
            names = self.add('TopK', [value[0], k], F, 1, outputs=2, largest=int(self.random.integers(2)))
            self.values.append((names[1], I, 1))

    def make_range(self):
        if value := self.pick(I, 1):
            total = self.add('ReduceMax', [value[0]], I, 0, keepdims=0) if self.random.integers(2) else self.add('Size', [value[0]], I, 0)
            limited = self.add('Min', [total, self.constant(np.int64(7))], I, 0)
            positions = self.add('Range', [self.constant(np.int64(0)), limited, self.constant(np.int64(1))], I, 1)
            self.add('Cast', [positions], F, 1, to=F)

    def make_reshape(self):
        if value := self.pick(F, 1):
            size = self.add('Shape', [value[0]], I, 1)
            shape = self.add('Concat', [size, self.constant([1])], I, 1, axis=0)
            self.add('Reshape', [value[0], shape], F, 2, allowzero=1)

    def make_flatten(self):
        if value := self.pick(F, 2):
            self.add('Reshape', [value[0], self.constant([-1])], F, 1)

    def make_slice(self):
        value, index = self.pick(F, 1), self.pick(I, 1)
        if value and index:
            end = self.add('ReduceSum', [index[0]], I, 1, keepdims=1)
            self.add('Slice', [value[0], self.constant([0]), end], F, 1)

    def make_expand(self):
        value, index = self.pick(F, 1), self.pick(I, 1)
        if value and index:
            most = self.add('ReduceMax', [index[0]], I, 1, keepdims=1)
            few = self.add('Clip', [most, self.constant(np.int64(0)), self.constant(np.int64(3))], I, 1)
            shape = self.add('Concat', [few, self.constant([1])], I, 1, axis=0)
            self.add('Expand', [value[0], shape], F, 2)

    def make_concat(self):
        a, b = self.pick(F, 1), self.pick(F, 1)
        if a and b:
            self.add('Concat', [a[0], b[0]], F, 1, axis=0)

    def make_reduce(self):
        if value := self.pick(F, 2):
            self.add('ReduceSum', [value[0], self.constant([int(self.random.integers(2))])], F, 1, keepdims=0)

    def make_scatter(self):
        if value := self.pick(F, 1):
            count = int(self.random.integers(1, 90))
            size = self.add('Size', [value[0]], I, 0)
            raw = self.constant(self.random.integers(0, 1000, count))
            atleast = self.add('Max', [size, self.constant(np.int64(1))], I, 0)
            indices = self.add('Mod', [raw, atleast], I, 1)
            data = self.add('Concat', [value[0], self.constant(np.zeros(1, np.float32))], F, 1, axis=0)
            updates = self.constant((self.random.integers(-8, 8, count) / 4).astype(np.float32))
            reduction = str(self.random.choice(['add', 'mul', 'max', 'min']))
            self.add('ScatterElements', [data, indices, updates], F, 1, axis=0, reduction=reduction)

    def make_nms(self):
        if value := self.pick(F, 1):
            scores = self.add('Reshape', [value[0], self.constant([1, 1, -1])], F, 3)
            size = self.add('Size', [value[0]], I, 0)
            row = self.add('Range', [self.constant(np.int64(0)), size, self.constant(np.int64(1))], I, 1)
            left = self.add('Reshape', [self.add('Cast', [row], F, 1, to=F), self.constant([1, -1, 1])], F, 3)
            box = self.constant(np.array([[[0, 0, 3, 2.5]]], np.float32))
            boxes = self.add('Add', [left, box], F, 3)
            limits = [self.constant([3]), self.constant(np.float32([0.3])), self.constant(np.float32([-0.5]))]
            self.add('NonMaxSuppression', [boxes, scores, *limits], I, 2)

    def make_softmax(self):
        if value := self.pick(F, 1, 2):
            self.add(str(self.random.choice(['Softmax', 'LogSoftmax'])), [value[0]], F, value[2], axis=-1)
            self.values.pop()  # no later node may read the result, because its rounding could decide which elements are selected

    def make_norm(self):
        if value := self.pick(F, 2):
            sums = self.add('ReduceSum', [value[0], self.constant([1])], F, 2, keepdims=1)  # an empty tensor has no mean
            self.add('Sub', [value[0], sums], F, 2)

    def make_transpose(self):
        if value := self.pick(F, 2):
            self.add('Transpose', [value[0]], F, 2)

    def make_tile(self):
        value, index = self.pick(F, 1), self.pick(I, 1)
        if value and index:
            count = self.add('Mod', [self.add('ReduceSum', [index[0]], I, 1, keepdims=1), self.constant([3])], I, 1)
            self.add('Tile', [value[0], count], F, 1)

    def make_pad(self):
        value, index = self.pick(F, 1), self.pick(I, 1)
        if value and index:
            before = self.add('Mod', [self.add('ReduceSum', [index[0]], I, 1, keepdims=1), self.constant([3])], I, 1)
            self.add('Pad', [value[0], self.add('Concat', [before, before], I, 1, axis=0)], F, 1)

    def make_where(self):
        if value := self.pick(F, 1, 2):
            mask = self.add('Greater', [value[0], self.constant(np.float32(0))], B, value[2])
            self.add('Where', [mask, value[0], self.constant(np.float32(-1))], F, value[2])

    def make_constant_of_shape(self):
        if value := self.pick(I, 1):
            count = self.add('Clip', [self.add('ReduceMax', [value[0]], I, 1, keepdims=1), self.constant(np.int64(0)), self.constant(np.int64(5))], I, 1)
            filled = helper.make_tensor('', F, [1], [1.5])
            self.add('ConstantOfShape', [count], F, 1, value=filled)

    def make_cumsum(self):
        if value := self.pick(F, 1):
            self.add('CumSum', [value[0], self.constant(np.int64(0))], F, 1)

    def make_conv(self):
        if value := self.pick(F, 2):
            images = self.add('Reshape', [value[0], self.constant([-1, 1, 1, 1])], F, 4)
            weights = self.constant((self.random.integers(-4, 4, (2, 1, 1, 1)) / 2).astype(np.float32))
            result = self.add('Conv', [images, weights], F, 4)
            self.add('Flatten', [result], F, 2)

    def make_scatter_nd(self):
        if value := self.pick(F, 1):
            count = int(self.random.integers(1, 40))
            data = self.add('Concat', [value[0], self.constant(np.zeros(1, np.float32))], F, 1, axis=0)
            size = self.add('Size', [data], I, 0)
            indices = self.add('Mod', [self.constant(self.random.integers(0, 1000, (count, 1))), size], I, 2)
            updates = self.constant((self.random.integers(-8, 8, count) / 4).astype(np.float32))
            self.add('ScatterND', [data, indices, updates], F, 1, reduction=str(self.random.choice(['add', 'mul', 'max', 'min'])))

    def make_arg_max(self):
        if value := self.pick(F, 2):
            self.add('ArgMax', [value[0]], I, 1, axis=1, keepdims=0)

    def make_sequence(self):
        if value := self.pick(F, 1):
            parts = self.add('SplitToSequence', [value[0]], None, None, axis=0)
            length = self.add('SequenceLength', [parts], I, 0)
            self.values.append((self.add('Unsqueeze', [length, self.constant([0])], I, 1), I, 1))
            grown = self.add('SequenceInsert', [parts, value[0] if self.random.integers(2) else self.constant(np.float32([2]))], None, None)
            self.add('ConcatFromSequence', [grown], F, 1, axis=0)

    def make_scan(self):
        value = self.pick(F, 2)
        if self.depth > 1 or not value:
            return
        prefix = f'{self.prefix}scan{len(self.nodes)}_'
        inner = Builder(self.random, self.depth + 1, prefix, [(prefix + 'row', F, 1), (prefix + 'sum', F, 1)])
        total = inner.add('Add', [prefix + 'sum', inner.add('ReduceSum', [prefix + 'row', inner.constant([0])], F, 1, keepdims=1)], F, 1)
        doubled = inner.add('Mul', [prefix + 'row', total], F, 1)
        inputs = [(prefix + 'sum', F, None), (prefix + 'row', F, None)]
        infos = [[helper.make_tensor_value_info(*item) for item in items] for items in (inputs, [(total, F, None), (doubled, F, None)])]
        graph = helper.make_graph(inner.nodes, 'body', *infos, inner.initializers)
        start = self.constant(np.zeros(1, np.float32))
        names = self.add('Scan', [start, value[0]], F, 1, outputs=2, body=graph, num_scan_inputs=1)
        self.values.append((names[1], F, 2))

    def body(self, prefix, inputs):
        inner = Builder(self.random, self.depth + 1, prefix, [value for value in self.values if value[2] is not None])
        for value in inputs:
            inner.values.append(value)
        return inner

    def condition(self):
        value = self.pick(F, 0, 1, 2)
        if not value:
            return None
        total = self.add('ReduceSum', [value[0]], F, 0, keepdims=0)
        return self.add('Greater', [total, self.constant(np.float32(self.random.normal()))], B, 0)

    def make_if(self):
        if self.depth > 1:
            return
        condition = self.condition()
        if not condition:
            return
        graphs = []
        for branch in ('then', 'else'):
            inner = self.body(f'{self.prefix}{branch}{len(self.nodes)}_', [])
            for _ in range(int(self.random.integers(1, 4))):
                inner.step()
            result = inner.pick(F, 1)
            if not result:
                return
            final = inner.add('Identity', [result[0]], F, 1)
            graphs.append(helper.make_graph(inner.nodes, branch, [], [helper.make_tensor_value_info(final, F, None)], inner.initializers))
        self.add('If', [condition], F, 1, then_branch=graphs[0], else_branch=graphs[1])

    def make_loop(self):
        state, index = self.pick(F, 1), self.pick(I, 1)
        if self.depth > 1 or not state or not index:
            return
        total = self.add('ReduceMax', [index[0]], I, 0, keepdims=0)
        count = self.add('Clip', [total, self.constant(np.int64(0)), self.constant(np.int64(4))], I, 0)
        prefix = f'{self.prefix}loop{len(self.nodes)}_'
        inner = self.body(prefix, [(prefix + 'state', F, 1)])
        for _ in range(int(self.random.integers(1, 4))):
            inner.step()
        kept = inner.pick(F, 1)
        final = inner.add('Add', [kept[0], inner.constant(np.float32(0.5))], F, 1)
        total = inner.add('ReduceSum', [final], F, 1, keepdims=1)
        going = inner.add('Less', [inner.add('Squeeze', [total], F, 0), inner.constant(np.float32(6))], B, 0)
        inputs = [(prefix + 'i', I, []), (prefix + 'go', B, []), (prefix + 'state', F, None)]
        outputs = [(going, B, []), (final, F, None), (total, F, [1])]
        info = [[helper.make_tensor_value_info(*value) for value in values] for values in (inputs, outputs)]
        graph = helper.make_graph(inner.nodes, 'body', *info, inner.initializers)
        names = self.add('Loop', [count, '', state[0]], F, 1, outputs=2, body=graph)
        self.values.append((names[1], F, 2))


def model_of(random):
    builder = Builder(random)
    builder.values = [('x', F, 1), ('m', F, 2), ('ids', I, 1)]
    builder.own = []
    for _ in range(int(random.integers(3, 12))):
        builder.step()
    outputs = [value for value in builder.own if value[2] is not None and value[2] <= 2][-3:]
    if not outputs:
        return None
    inputs = [('x', F, ['n']), ('m', F, ['r', 3]), ('ids', I, ['k'])]
    infos = [helper.make_tensor_value_info(*value) for value in inputs]
    results = [helper.make_tensor_value_info(name, type_, None) for name, type_, _ in outputs]
    graph = helper.make_graph(builder.nodes, 'random', infos, results, builder.initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 18)], ir_version=9)


def feed_of(random):
    n, r, k = (int(random.choice([0, 1, 2, 3, 7, 20], p=[0.1, 0.15, 0.15, 0.2, 0.2, 0.2])) for _ in range(3))
    floats = [np.round(random.normal(size=shape) * 4) / 4 for shape in ((n,), (r, 3))]
    return {'x': floats[0].astype(np.float32), 'm': floats[1].astype(np.float32), 'ids': random.integers(0, 6, k)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    models = feeds = refused = differences = 0
    for seed in range(options.seed, options.seed + options.count):
        random = np.random.default_rng(seed)
        model = model_of(random)
        if model is None:
            continue
        content = model.SerializeToString()
        try:
            theirs = onnxruntime.InferenceSession(content)
        except Exception:
            continue
        models += 1
        try:
            mine = webnn.InferenceSession(content)
        except webnn.Error as error:
            differences += 1
            print(f'--seed {seed}: {type(error).__name__}: {str(error).splitlines()[-1][:200]}', flush=True)
            continue
        for i in range(3):
            feed = feed_of(random)
            try:
                expected = theirs.run(None, feed)
            except Exception:
                refused += 1
                try:
                    mine.run(None, feed)
                except webnn.Error:
                    pass
                continue
            feeds += 1
            try:
                problem = difference(mine.run(None, feed), expected)
            except webnn.Error as error:
                lines = [line for line in str(error).splitlines() if 'express:' not in line]
                problem = f'{type(error).__name__}: {(lines or [str(error)])[0][:260]}'
            if problem:
                differences += 1
                sizes = {name: list(array.shape) for name, array in feed.items()}
                print(f'--seed {seed} feed {i} {sizes}: {problem}', flush=True)
    print(f'{models} models, {feeds} feeds, {refused} refused by ONNX Runtime, {differences} differences')
    return 1 if differences else 0


sys.exit(main())
