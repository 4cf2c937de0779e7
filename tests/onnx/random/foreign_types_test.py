"""Checks that sessions compute with types that WebNN lacks: double like ONNX Runtime, 16-bit integers and bfloat16 like NumPy.

usage: foreign_types_test.py COUNT [--seed SEED]

Each model has a few random nodes with inputs of one type; open dimensions may be 0. The same seed makes the same models.
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime', 'ml_dtypes')
require_webnn()
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
import onnx.reference  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper  # noqa: E402

import webnn  # noqa: E402

UNARY = ['Abs', 'Ceil', 'Exp', 'Floor', 'Neg', 'Sqrt', 'Sigmoid', 'Tanh', 'Sin', 'Cos', 'Round', 'Relu', 'Reciprocal', 'Softplus', 'Sign']
BINARY = ['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Pow']
REDUCTIONS = ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceL2', 'ReduceLogSumExp', 'ReduceSumSquare']


class Maker:
    """Makes a random model of one input, a double matrix [n, 4]."""

    def __init__(self, random):
        self.random, self.nodes, self.initializers, self.count = random, [], [], 0
        self.matrices, self.others = ['x'], []

    def name(self):
        self.count += 1
        return f'v{self.count}'

    def constant(self, array):
        name = self.name()
        self.initializers.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, inputs, domain='', **attributes):
        self.nodes.append(helper.make_node(op, inputs, [self.name()], domain=domain, **attributes))
        return self.nodes[-1].output[0]

    def step(self):
        random, matrix = self.random, str(self.random.choice(self.matrices))
        kind = random.integers(8)
        if kind == 0:
            op = str(random.choice(UNARY))  # Sqrt gets absolute values: ONNX Runtime's ReduceMin ignores NaN
            self.matrices.append(self.node(op, [self.node('Abs', [matrix]) if op == 'Sqrt' else matrix]))
        elif kind == 1:
            op = str(random.choice(BINARY))
            other = str(random.choice(self.matrices)) if random.random() < 0.5 and op != 'Pow' else self.constant(random.uniform(0.5, 2, 4))
            base = self.node('Abs', [matrix]) if op == 'Pow' else matrix
            self.matrices.append(self.node(op, [base, other]))
        elif kind == 2:
            axes = self.constant(np.array([int(random.integers(2))]))
            op = str(random.choice(REDUCTIONS))
            keeps = int(random.integers(2))
            self.others.append(self.node(op, [matrix, axes], keepdims=keeps))
        elif kind == 3:
            self.matrices.append(self.node('MatMul', [matrix, self.constant(random.standard_normal((4, 4)))]))
        elif kind == 4:
            turned = self.node('Transpose', [matrix], perm=[1, 0])
            self.others.append(self.node('MatMul', [turned, matrix]))
        elif kind == 5:
            self.matrices.append(self.node(str(random.choice(['Softmax', 'LogSoftmax'])), [matrix], axis=1))
        elif kind == 6:
            narrow = self.node('Cast', [matrix], to=T.FLOAT)
            scaled = self.node('Mul', [narrow, self.constant(np.float32(0.5).reshape(()))])
            self.matrices.append(self.node('Cast', [scaled], to=T.DOUBLE))
        else:
            less = self.node('Less', [matrix, self.constant(np.array(0.25))])
            self.matrices.append(self.node('Where', [less, matrix, str(random.choice(self.matrices))]))

    def model(self):
        for _ in range(int(self.random.integers(2, 7))):
            self.step()
        outputs = [self.matrices[-1], *self.others]
        outputs = [name for name in dict.fromkeys(outputs) if name != 'x'] or [self.node('Abs', ['x'])]
        graph = helper.make_graph(self.nodes, 'doubles', [helper.make_tensor_value_info('x', T.DOUBLE, ['n', 4])],
                                  [helper.make_tensor_value_info(name, T.DOUBLE, None) for name in outputs], self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9).SerializeToString()


def same(actual, expected):
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f'{actual.dtype}{actual.shape} instead of {expected.dtype}{expected.shape}'
    if not np.allclose(actual, expected, rtol=1e-9, atol=1e-12, equal_nan=True):
        return f'{actual.ravel()[:4]} instead of {expected.ravel()[:4]}'
    return None


def check_doubles(seed):
    random = np.random.default_rng(seed)
    model = Maker(random).model()
    ours = webnn.InferenceSession(model)
    try:
        theirs = onnxruntime.InferenceSession(model)
    except Exception:  # ONNX Runtime does not have all operators in double
        theirs = onnx.reference.ReferenceEvaluator(onnx.load_from_string(model))
    sizes = [1, int(random.integers(2, 6))]
    if b'ReduceMean' not in model:  # the mean of an empty tensor is NaN in webnn and NumPy, and 0 in ONNX Runtime
        sizes.append(0)
    for size in sizes:
        feed = {'x': random.standard_normal((size, 4)).astype(np.float32).astype(np.float64)}
        try:
            expected = theirs.run(None, feed)
        except Exception:  # ONNX Runtime refuses the maximum of an empty tensor
            continue
        for name, mine, other in zip(ours.get_outputs(), ours.run(None, feed), expected, strict=True):
            # After a cast to float32, a sum in another order may round differently.
            if b'Cast' in model and mine.shape == other.shape and np.allclose(mine, other, rtol=1e-4, atol=1e-5, equal_nan=True):
                continue
            difference = same(mine, other)
            if difference:
                return f'{name.name}: {difference} with n = {size}'
    return None


def single_node(op, inputs, output, **attributes):
    graph = helper.make_graph([helper.make_node(op, list(inputs), ['y'], **attributes)], op,
                              [helper.make_tensor_value_info(name, type_, None if shape is None else list(shape)) for name, (type_, shape) in inputs.items()],
                              [helper.make_tensor_value_info('y', output, None)])
    return webnn.InferenceSession(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 21)], ir_version=10).SerializeToString())


TYPES = {T.DOUBLE: np.float64, T.INT16: np.int16, T.UINT16: np.uint16, T.BFLOAT16: ml_dtypes.bfloat16, T.FLOAT8E5M2: ml_dtypes.float8_e5m2,
         T.STRING: object}


def elements_of(random, type_, shape):
    if type_ == T.STRING:
        return np.array([f's{i}' for i in random.integers(0, 9, int(np.prod(shape)))], object).reshape(shape)
    if type_ == T.DOUBLE:
        return random.standard_normal(shape) * 10.0 ** random.integers(-300, 300, shape)  # numbers that float32 cannot hold
    return random.integers(0, 100, shape).astype(TYPES[type_])


def check_moves(seed):
    """Checks that a chain of operators that move elements gives NumPy's results, for every type, for inputs and initializers, and
    through sequences."""
    random = np.random.default_rng(seed)
    type_ = list(TYPES)[int(random.integers(len(TYPES)))]
    fed = elements_of(random, type_, (2, 3))
    nodes, initializers, expected, name, count = [], [], fed, 'x', 0
    is_constant = type_ in (T.DOUBLE, T.INT16, T.UINT16) and random.random() < 0.3
    if is_constant:
        initializers.append(onnx.numpy_helper.from_array(fed, 'x'))

    def integers(*values):
        initializers.append(onnx.numpy_helper.from_array(np.array(values, np.int64), f'i{len(initializers)}'))
        return initializers[-1].name

    for _ in range(int(random.integers(1, 6))):
        kind, count = random.integers(7), count + 1
        to = f'v{count}'
        if kind == 0:
            nodes.append(helper.make_node('Transpose', [name], [to], perm=[1, 0]))
            expected = expected.T
        elif kind == 1:
            nodes.append(helper.make_node('Reshape', [name, integers(-1, expected.shape[0])], [to]))
            expected = expected.reshape(-1, expected.shape[0])
        elif kind == 2:
            nodes.append(helper.make_node('Concat', [name, name], [to], axis=0))
            expected = np.concatenate([expected, expected])
        elif kind == 3:
            chosen = random.integers(0, expected.shape[1], 3)
            nodes.append(helper.make_node('Gather', [name, integers(*chosen)], [to], axis=1))
            expected = expected[:, chosen]
        elif kind == 4:
            nodes.append(helper.make_node('SequenceConstruct', [name, name], [f's{count}']))
            nodes.append(helper.make_node('ConcatFromSequence', [f's{count}'], [to], axis=1))
            expected = np.concatenate([expected, expected], 1)
        elif kind == 5:
            nodes.append(helper.make_node('SplitToSequence', [name], [f's{count}'], axis=0))
            nodes.append(helper.make_node('SequenceAt', [f's{count}', integers(0)], [f'a{count}']))
            initializers[-1] = onnx.numpy_helper.from_array(np.array(0, np.int64), initializers[-1].name)
            nodes.append(helper.make_node('Expand', [f'a{count}', integers(2, expected.shape[1])], [to]))
            expected = np.broadcast_to(expected[:1], (2, expected.shape[1]))
        else:
            nodes.append(helper.make_node('Slice', [name, integers(0), integers(1), integers(0)], [to]))
            expected = expected[:1]
        name = to
    graph = helper.make_graph(nodes, 'moves', [] if is_constant else [helper.make_tensor_value_info('x', type_, [2, 3])],
                              [helper.make_tensor_value_info(name, type_, None)], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=10).SerializeToString()
    actual = webnn.InferenceSession(model).run(None, {} if is_constant else {'x': fed})[0]
    if actual.dtype != expected.dtype or actual.shape != expected.shape or actual.tolist() != expected.tolist():
        return f'{actual.dtype}{actual.shape} {actual.ravel()[:3]} instead of {expected.dtype}{expected.shape} {expected.ravel()[:3]} after {[node.op_type for node in nodes]}'
    return None


def check_refusals():
    """Checks that mixed types, malformed equations and malformed tensors are errors in every run."""
    def refused(op, inputs, output, feed, **attributes):
        session = single_node(op, inputs, output, **attributes)
        for _ in range(2):  # the second run must not see the state of the first one
            try:
                session.run(None, feed)
            except webnn.Error:
                continue
            raise AssertionError(f'{op} is not refused')

    text, number, double = np.array(['a'], object), np.array([10**8], np.int32), np.array([0.5])
    refused('Concat', {'x': (T.STRING, [1]), 'i': (T.INT32, [1])}, T.STRING, {'x': text, 'i': number}, axis=0)
    refused('Concat', {'x': (T.DOUBLE, [1]), 'i': (T.INT64, [1])}, T.DOUBLE, {'x': double, 'i': np.array([7])}, axis=0)
    refused('Where', {'c': (T.BOOL, [1]), 'x': (T.DOUBLE, [1]), 'i': (T.INT64, [1])}, T.DOUBLE,
            {'c': np.array([False]), 'x': double, 'i': np.array([7])})
    refused('Equal', {'x': (T.STRING, [1]), 'i': (T.INT32, [1])}, T.BOOL, {'x': text, 'i': number})
    refused('Gather', {'x': (T.FLOAT, [1]), 'i': (T.STRING, [1])}, T.FLOAT, {'x': np.ones(1, np.float32), 'i': text})
    refused('Einsum', {'x': (T.DOUBLE, [2] * 8)}, T.DOUBLE, {'x': np.ones([2] * 8)}, equation='...a...->')
    refused('ConstantOfShape', {'x': (T.INT64, [1])}, T.DOUBLE, {'x': np.array([3])}, value=onnx.numpy_helper.from_array(np.zeros(0)))
    cut = onnx.numpy_helper.from_array(np.arange(3.0))
    cut.raw_data = cut.raw_data[:-8]
    graph = helper.make_graph([helper.make_node('LabelEncoder', ['x'], ['y'], domain='ai.onnx.ml', keys_tensor=cut,
                                                values_tensor=onnx.numpy_helper.from_array(np.arange(3.0)))], 'cut',
                              [helper.make_tensor_value_info('x', T.DOUBLE, [1])], [helper.make_tensor_value_info('y', T.DOUBLE, [1])])
    session = webnn.InferenceSession(helper.make_model(graph, opset_imports=[helper.make_opsetid('ai.onnx.ml', 4)], ir_version=10).SerializeToString())
    for _ in range(2):
        try:
            session.run(None, {'x': double})
            raise AssertionError('a cut tensor is read')
        except webnn.Error:
            pass


def check_casts(random):
    """Checks that a cast gives the same numbers for an input as for an initializer."""
    numbers = np.array([-1.0, 300.0, 2.5, -40000.0])
    for type_ in (T.UINT8, T.INT8, T.INT32, T.INT64):
        fed = single_node('Cast', {'x': (T.DOUBLE, [4])}, type_, to=type_).run(None, {'x': numbers})[0]
        graph = helper.make_graph([helper.make_node('Cast', ['x'], ['y'], to=type_)], 'cast', [],
                                  [helper.make_tensor_value_info('y', type_, [4])], [onnx.numpy_helper.from_array(numbers, 'x')])
        content = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 21)], ir_version=10).SerializeToString()
        assert webnn.InferenceSession(content).run(None, {})[0].tolist() == fed.tolist() == numbers.astype(np.int64).astype(fed.dtype).tolist(), type_


def check_integers(random):
    """Checks that 16-bit integers wrap, as NumPy's do, and that minima and maxima of nothing are the limits of the type."""
    for dtype, type_ in ((np.int16, T.INT16), (np.uint16, T.UINT16)):
        limits = np.iinfo(dtype)
        a, b = (random.integers(limits.min, limits.max, (3, 5), dtype, endpoint=True) for _ in range(2))
        for op, expected in (('Add', a + b), ('Sub', a - b), ('Mul', a * b), ('BitwiseXor', a ^ b), ('Max', np.maximum(a, b))):
            actual = single_node(op, {'a': (type_, a.shape), 'b': (type_, b.shape)}, type_).run(None, {'a': a, 'b': b})[0]
            assert actual.dtype == dtype and np.array_equal(actual, expected), (op, dtype)
        for op, limit in (('ReduceMin', limits.max), ('ReduceMax', limits.min)):
            none = single_node(op, {'x': (type_, [0])}, type_, keepdims=0).run(None, {'x': np.zeros(0, dtype)})[0]
            assert none == limit, (op, dtype, none)


def check_narrow_floats(random):
    """Checks that casts round to nearest even, and that sums in bfloat16 are rounded sums in float32."""
    x = random.standard_normal((4, 33)).astype(np.float32) * 8
    for type_, dtype in ((T.BFLOAT16, ml_dtypes.bfloat16), (T.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn), (T.FLOAT8E5M2, ml_dtypes.float8_e5m2),
                         (T.FLOAT8E4M3FNUZ, ml_dtypes.float8_e4m3fnuz), (T.FLOAT8E5M2FNUZ, ml_dtypes.float8_e5m2fnuz)):
        actual = single_node('Cast', {'x': (T.FLOAT, x.shape)}, type_, to=type_).run(None, {'x': x})[0]
        assert actual.dtype == dtype and np.array_equal(actual.view(np.uint8), x.astype(dtype).view(np.uint8)), dtype
        back = single_node('Cast', {'x': (type_, x.shape)}, T.FLOAT, to=T.FLOAT).run(None, {'x': actual})[0]
        assert np.array_equal(back, actual.astype(np.float32)), dtype
    a, b = (part.astype(ml_dtypes.bfloat16) for part in (x, x[::-1]))
    actual = single_node('Add', {'a': (T.BFLOAT16, a.shape), 'b': (T.BFLOAT16, b.shape)}, T.BFLOAT16).run(None, {'a': a, 'b': b})[0]
    assert np.array_equal(actual, (a.astype(np.float32) + b.astype(np.float32)).astype(ml_dtypes.bfloat16))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    failures = 0
    for seed in range(options.seed, options.seed + options.count):
        difference = check_doubles(seed)
        if difference:
            failures += 1
            print(f'seed {seed}: {difference}')
        difference = check_moves(seed)
        if difference:
            failures += 1
            print(f'moves, seed {seed}: {difference}')
    check_refusals()
    random = np.random.default_rng(options.seed)
    check_casts(random)
    for _ in range(20):
        check_integers(random)
    check_narrow_floats(random)
    print(f'{options.count} models, {failures} differ')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
