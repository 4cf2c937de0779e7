"""Compares random models of MatMulBnb4 and CDist with float64 results of NumPy.

usage: random_blocks_test.py COUNT [--seed SEED]

Weights and scales of MatMulBnb4 may be shared by nodes; scales may be computed. CDist gets points far from 0, and rows with outliers,
infinities and NaN, which must not reach the distances of other rows. All sessions run with several numbers of rows. Some models
read scales of two types from the same bytes of a file.
"""

import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import difference, require, require_webnn, run_seeds  # noqa: E402

require('numpy', 'onnx')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from bnb4 import TABLES  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

DOMAIN = 'com.microsoft'


def session_of(nodes, x, outputs, constants):
    """Returns a session. Dimension 0 of the input x is open."""
    values = [helper.make_tensor_value_info('x', helper.np_dtype_to_tensor_dtype(x.dtype), ['rows', *x.shape[1:]])]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph(nodes, 'g', values, results, [numpy_helper.from_array(a, n) for n, a in constants.items()])
    opsets = [helper.make_opsetid('', 18), helper.make_opsetid(DOMAIN, 1)]
    return webnn.InferenceSession(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())


def products(random):
    """Yields the differences of a sum of products of x with a matrix in blocks; one to three nodes share the matrix."""
    k, n, block, kind = int(random.integers(1, 70)), int(random.integers(1, 20)), int(random.choice([16, 32, 64])), random.integers(2)
    count = n * k
    codes = random.integers(0, 16, count + count % 2)
    scales = random.uniform(0.1, 2, -(-count // block)).astype(np.float32)
    constants = {'packed': (codes[0::2] << 4 | codes[1::2]).astype(np.uint8), 'scales': scales}
    nodes, scale = [], 'scales'
    if count % block == 0 and random.random() < 0.4:
        quantized = random.integers(0, 256, scales.size).astype(np.uint8)
        constants |= {'scales': quantized, 'unit': np.float32(0.01), 'zero': np.uint8(0)}
        nodes, scale = [helper.make_node('DequantizeLinear', ['scales', 'unit', 'zero'], ['computed'])], 'computed'
        scales = quantized.astype(np.float32) * np.float32(0.01)
    matrix = (TABLES[kind][codes[:count]] * np.repeat(scales, block)[:count]).reshape(n, k)
    uses, shape = int(random.integers(1, 4)), (1, *random.integers(1, 4, random.integers(0, 3)), k)
    for i in range(uses):
        attributes = dict(K=k, N=n, block_size=block, quant_type=int(kind))
        nodes.append(helper.make_node('MatMulBnb4', ['x', 'packed', scale], [f'y{i}'], domain=DOMAIN, **attributes))
    nodes.append(helper.make_node('Sum', [f'y{i}' for i in range(uses)], ['y']))
    session = session_of(nodes, np.empty(shape, np.float32), ['y'], constants)
    for rows in random.permutation([1, 2, 3, 9]):
        x = random.standard_normal((rows, *shape[1:])).astype(np.float32)
        expected = (uses * (x.astype(np.float64) @ matrix.T)).astype(np.float32)
        yield difference(session.run(None, {'x': x})[0], expected, atol=2e-5 * np.sqrt(k) * uses)


def aliased(random):
    """Yields the differences of products whose scales are the same bytes of a file, once as float32 and once as float16."""
    k, n, block, kind = 32, int(random.integers(1, 20)), int(random.choice([16, 32])), int(random.integers(2))
    count = n * k
    codes = random.integers(0, 16, count)
    halves = random.uniform(0.5, 2, 2 * (count // block)).astype(np.float16)
    scales = {TensorProto.FLOAT: halves.view(np.float32), TensorProto.FLOAT16: halves[: count // block]}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / 'weights.bin').write_bytes((codes[0::2] << 4 | codes[1::2]).astype(np.uint8).tobytes() + halves.tobytes())

        def outside(name, kind, size, offset):
            tensor = TensorProto(name=name, data_type=kind, dims=[size], data_location=TensorProto.EXTERNAL)
            for key, value in (('location', 'weights.bin'), ('offset', str(offset))):
                tensor.external_data.add(key=key, value=value)
            return tensor

        tensors = [outside('packed', TensorProto.UINT8, count // 2, 0)]
        nodes, inputs = [], []
        for i, one in enumerate(random.permutation(list(scales))):
            tensors.append(outside(f's{i}', int(one), count // block, count // 2))
            nodes.append(
                helper.make_node(
                    'MatMulBnb4',
                    [f'x{i}', 'packed', f's{i}'],
                    [f'y{i}'],
                    domain=DOMAIN,
                    K=k,
                    N=n,
                    block_size=block,
                    quant_type=kind,
                )
            )
            inputs.append(int(one))
        values = [helper.make_tensor_value_info(f'x{i}', one, ['rows', k]) for i, one in enumerate(inputs)]
        results = [helper.make_tensor_value_info(f'y{i}', one, None) for i, one in enumerate(inputs)]
        graph = helper.make_graph(nodes, 'g', values, results, tensors)
        opsets = [helper.make_opsetid('', 18), helper.make_opsetid(DOMAIN, 1)]
        (folder / 'model.onnx').write_bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())
        session = webnn.InferenceSession(folder / 'model.onnx')
        for rows in (1, 2):
            xs = [np.ones((rows, k), helper.tensor_dtype_to_np_dtype(one)) for one in inputs]
            found = session.run(None, {f'x{i}': x for i, x in enumerate(xs)})
            for one, x, y in zip(inputs, xs, found):
                matrix = (TABLES[kind][codes] * np.repeat(scales[one].astype(np.float64), block)).reshape(n, k)
                half = one == TensorProto.FLOAT16
                expected = (x.astype(np.float64) @ matrix.T).astype(x.dtype)
                yield difference(y, expected, **({'atol': 0.1} if half else {'rtol': 1e-5}))


def distances(random):
    """Yields the differences of the distances between the rows of x and of constant points."""
    width, count = int(random.integers(1, 17)), int(random.integers(1, 20))
    centre = random.choice([0, 0, 100, 1e6])
    points = (centre + random.standard_normal((count, width))).astype(np.float32)
    if random.random() < 0.5:
        points[random.integers(count), random.integers(width)] = random.choice([np.nan, np.inf, -np.inf, 1e9, 1e20, -3e38])
    metric = str(random.choice(['euclidean', 'sqeuclidean']))
    node = helper.make_node('CDist', ['x', 'points'], ['y'], domain=DOMAIN, metric=metric)
    session = session_of([node], np.empty((1, width), np.float32), ['y'], {'points': points})
    for rows in random.permutation([1, 2, 9]):
        x = (centre + random.standard_normal((rows, width))).astype(np.float32)
        with np.errstate(invalid='ignore', over='ignore'):
            squares = ((x[:, None].astype(np.float64) - points[None]) ** 2).sum(-1).astype(np.float32)
            expected = np.sqrt(squares) if metric == 'euclidean' else squares
        yield difference(session.run(None, {'x': x})[0], expected)


def problems(seed):
    random = np.random.default_rng(seed)
    make = random.choice([products, aliased, distances], p=[0.5, 0.1, 0.4])
    yield from filter(None, make(random))


sys.exit(run_seeds(__doc__, problems))
