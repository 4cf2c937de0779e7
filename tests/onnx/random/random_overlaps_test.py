"""Compares products with packed weights that overlap with float64 results of NumPy.

usage: random_overlaps_test.py COUNT [--seed SEED]

Each model has several nodes MatMulBnb4 and MatMulNBits, in the main graph, in branches of an If and in local functions. Their weights,
scales and zero points are initializers that nodes share, or tensors whose bytes overlap in one file: at any offset, with scales of
float32 and float16, other sizes of blocks, types and numbers of bits. Branches and functions may give the same name to other bytes. All
sessions run with several numbers of rows, and both branches are taken. Some sessions run in two threads.
"""

import pathlib
import sys
import tempfile
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn, run_seeds  # noqa: E402

require('numpy', 'onnx')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from bnb4 import TABLES  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

DOMAIN = 'com.microsoft'
OPSETS = [helper.make_opsetid('', 18), helper.make_opsetid(DOMAIN, 1), helper.make_opsetid('own', 1)]


def unpacked(data, bits):
    """Returns the elements of bytes along the last axis, the element of the lowest bits first."""
    shifts = np.arange(0, 8, bits)
    return (data[..., None] >> shifts & (1 << bits) - 1).reshape(*data.shape[:-1], -1)


class Model:
    """A model. The bytes of all tensors in the file lie in `pool`, whose pairs of bytes are float16 numbers from 0.5 to 2, so that
    pairs of them are float32 numbers near 1."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.pool = self.random.uniform(0.5, 2, 6000).astype(np.float16).view(np.uint8)
        self.count, self.initializers, self.known, self.functions = 0, [], {}, []
        self.depth = self.pick([16, 32, 32, 33, 48, 70])
        self.places = [self.pick(range(0, 2000, 2)) for _ in range(3)]  # offsets that several tensors have

    def pick(self, values):
        return values[int(self.random.integers(len(values)))]

    def chance(self, probability):
        return bool(self.random.random() < probability)

    def new(self):
        self.count += 1
        return f'v{self.count}'

    def tensor(self, dtype, size, name):
        """Returns a tensor of the file and its array. Float tensors start at an even offset."""
        dtype = np.dtype(dtype)
        offset = self.pick(self.places) + (0 if self.chance(0.6) else self.pick([2, 4, 16, 64]))
        offset += self.pick([0, 1]) * (dtype == np.uint8)
        tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(dtype), dims=[size], data_location=TensorProto.EXTERNAL)
        for key, value in (('location', 'weights.bin'), ('offset', str(offset)), ('length', str(size * dtype.itemsize))):
            tensor.external_data.add(key=key, value=value)
        return tensor, self.pool[offset : offset + size * dtype.itemsize].view(dtype)

    def constant(self, dtype, size, initializers, names):
        """Adds an initializer to the list, or takes one with the same type and size. Returns its name and array."""
        key = (np.dtype(dtype), size)
        found = [(name, array) for name, array in names.items() if (array.dtype, array.size) == key]
        if found and self.chance(0.5):
            return self.pick(found)
        name = self.new()
        if self.chance(0.75):
            tensor, array = self.tensor(dtype, size, name)
        else:
            array = self.random.uniform(0.5, 2, size) if key[0].kind == 'f' else self.random.integers(0, 256, size)
            array = array.astype(dtype)
            tensor = numpy_helper.from_array(array, name)
        initializers.append(tensor)
        names[name] = array
        return name, array

    def product(self, columns, dtype, initializers, names):
        """Returns the operator, its constants by name, its attributes and its matrix in float64."""
        block, depth = self.pick([16, 32, 64]), self.depth
        attributes = dict(K=depth, N=columns, block_size=block)
        if self.chance(0.5):
            count, kind = columns * depth, self.pick([0, 1])
            packed = self.constant(np.uint8, -(-count // 2), initializers, names)
            scales = self.constant(dtype, -(-count // block), initializers, names)
            codes = np.stack([packed[1] >> 4, packed[1] & 15], -1).reshape(-1)[:count]
            matrix = TABLES[kind][codes] * np.repeat(scales[1].astype(np.float64), block)[:count]
            return 'MatMulBnb4', [packed[0], scales[0]], attributes | {'quant_type': kind}, matrix.reshape(columns, depth)
        bits, blocks = self.pick([2, 4, 4, 8]), -(-depth // block)
        packed = self.constant(np.uint8, columns * blocks * block * bits // 8, initializers, names)
        scales = self.constant(dtype, columns * blocks, initializers, names)
        inputs, zeros = [packed[0], scales[0]], np.full((columns, blocks), 1 << (bits - 1))
        form = self.pick(['none', 'none', 'packed', 'float'])
        if form == 'packed':
            row = -(-blocks * bits // 8)
            points = self.constant(np.uint8, columns * row, initializers, names)
            zeros = unpacked(points[1].reshape(columns, row), bits)[:, :blocks]
        elif form == 'float':
            points = self.constant(dtype, columns * blocks, initializers, names)
            zeros = points[1].reshape(columns, blocks).astype(np.float64)
        if form != 'none':
            inputs.append(points[0])
        elements = unpacked(packed[1].reshape(columns, blocks, -1), bits)
        matrix = (elements - zeros[..., None]) * scales[1].reshape(columns, blocks, 1).astype(np.float64)
        return 'MatMulNBits', inputs, attributes | {'bits': bits}, matrix.reshape(columns, -1)[:, :depth]

    def nodes(self, columns, dtype, result, initializers, names):
        """Returns nodes that compute a product, directly or by a function, and the matrix."""
        op, inputs, attributes, matrix = self.product(columns, dtype, initializers, names)
        x = 'x16' if dtype == np.float16 else 'x'
        if not self.chance(0.3):
            return [helper.make_node(op, [x, *inputs], [result], domain=DOMAIN, **attributes)], matrix
        # Parameters of functions have the same names in all functions.
        parameters = ['a', 'packed', 'scales', 'points'][: 1 + len(inputs)]
        body = [helper.make_node(op, parameters, ['r'], domain=DOMAIN, **attributes)]
        name = f'f{len(self.functions)}'
        self.functions.append(helper.make_function('own', name, parameters, ['r'], body, OPSETS[:2]))
        return [helper.make_node(name, [x, *inputs], [result], domain='own')], matrix

    def branch(self, slots, names):
        """Returns a graph with a product for each slot, and the matrices."""
        nodes, initializers, results, matrices, own = [], [], [], [], dict(names)
        for columns, dtype in slots:
            results.append(self.new())
            made, matrix = self.nodes(columns, dtype, results[-1], initializers, own)
            nodes += made
            matrices.append(matrix)
        outputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(slot[1])), None)
                   for name, slot in zip(results, slots)]
        return helper.make_graph(nodes, 'branch', [], outputs, initializers), matrices

    def make(self):
        """Makes the model. Sets `slots`, pairs of columns and type, and `matrices`, a pair of matrices (without and with `go`) for each."""
        nodes = [helper.make_node('Cast', ['x'], ['x16'], to=TensorProto.FLOAT16)]
        self.slots = [(self.pick([1, 2, 3, 8, 8, 17]), self.pick([np.float32, np.float16])) for _ in range(self.pick([2, 3, 4]))]
        self.matrices, results = [], []
        for columns, dtype in self.slots:
            results.append(self.new())
            made, matrix = self.nodes(columns, dtype, results[-1], self.initializers, self.known)
            nodes += made
            self.matrices.append((matrix, matrix))
        if self.chance(0.7):
            chosen = [(self.pick([1, 3, 8]), self.pick([np.float32, np.float16])) for _ in range(self.pick([1, 2]))]
            start = self.count
            no, without = self.branch(chosen, self.known)
            if self.chance(0.5):
                self.count = start  # the branches use the same names
            yes, taken = self.branch(chosen, self.known)
            self.count += 100
            names = [self.new() for _ in chosen]
            nodes.append(helper.make_node('If', ['go'], names, then_branch=yes, else_branch=no))
            results += names
            self.slots += chosen
            self.matrices += zip(without, taken)
        inputs = [helper.make_tensor_value_info('x', TensorProto.FLOAT, ['rows', self.depth]),
                  helper.make_tensor_value_info('go', TensorProto.BOOL, [])]
        outputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None)
                   for name, (_, dtype) in zip(results, self.slots)]
        graph = helper.make_graph(nodes, 'overlaps', inputs, outputs, self.initializers)
        return helper.make_model(graph, opset_imports=OPSETS, functions=self.functions, ir_version=9)


def difference(model, x, go, results):
    """Yields how the results of a run differ from NumPy's."""
    for (columns, dtype), pair, result in zip(model.slots, model.matrices, results, strict=True):
        matrix = pair[int(go)]
        used = x.astype(dtype).astype(np.float64)
        expected, size = used @ matrix.T, np.abs(used) @ np.abs(matrix).T
        if result.shape != expected.shape or result.dtype != dtype:
            yield f'{result.dtype}{result.shape}, not {np.dtype(dtype)}{expected.shape}'
        elif not (np.abs(result - expected) <= size * (4e-3 if dtype == np.float16 else 1e-5) + 1e-6).all():
            yield f'{np.dtype(dtype)} of {columns} columns, go {go}: {result.ravel()[:3]}, not {expected.ravel()[:3]}'


def problems(seed):
    model = Model(seed)
    proto = model.make()
    runs = [(int(rows), bool(go)) for rows in model.random.permutation([1, 2, 5]) for go in model.random.permutation([0, 1])]
    feeds = [{'x': model.random.uniform(-1, 1, (rows, model.depth)).astype(np.float32), 'go': np.array(go)} for rows, go in runs]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / 'weights.bin').write_bytes(model.pool.tobytes())
        (folder / 'model.onnx').write_bytes(proto.SerializeToString())
        found = []
        try:
            session = webnn.InferenceSession(folder / 'model.onnx')

            def run(feed):
                try:
                    found.extend(difference(model, feed['x'], feed['go'], session.run(None, feed)))
                except webnn.Error as error:
                    found.append(f'{type(error).__name__}: {error}')

            def work(own):
                for feed in own:
                    run(feed)

            if model.chance(0.2):
                threads = [threading.Thread(target=work, args=(feeds[i::2],)) for i in range(2)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            else:
                work(feeds)
        except webnn.Error as error:
            found.append(f'{type(error).__name__}: {error}')
    yield from found


sys.exit(run_seeds(__doc__, problems))
