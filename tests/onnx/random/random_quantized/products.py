"""Random models of 8-bit matrix products, and their results from int64 sums. A seed makes the same model each time."""

import dataclasses

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from random_quantized.numbers import integers, quantized

TYPES = {
    'int8': TensorProto.INT8,
    'uint8': TensorProto.UINT8,
    'int32': TensorProto.INT32,
    'int64': TensorProto.INT64,
    'float16': TensorProto.FLOAT16,
    'float32': TensorProto.FLOAT,
    'float64': TensorProto.DOUBLE,
    'bool': TensorProto.BOOL,
}
CONTRIBUTED = ('MatMulIntegerToFloat', 'DynamicQuantizeMatMul')
DEPTHS = [1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 100, 258, 259, 300, 1000, 2000]
LARGE_DEPTHS = [4112, 4113, 5000, 33025, 33026, 40000, 65536, 65537]


@dataclasses.dataclass
class Expected:
    """An expected output. If `bound` is None, the actual output must equal `values`. Otherwise, `bound` holds the sum of the
    absolute values of each element's terms."""

    values: np.ndarray
    bound: np.ndarray | None = None

    def problem(self, actual, rounded_sums):
        """Returns how an array differs; '' if it does not. `rounded_sums` is the number of float32 additions per element that may round."""
        if actual.shape != self.values.shape:
            return f'shape {actual.shape}, not {self.values.shape}'
        if self.bound is None:
            if actual.dtype != self.values.dtype:
                return f'{actual.dtype}, not {self.values.dtype}'
            is_wrong = actual != self.values
        else:
            limit = self.bound * (4e-6 + 3e-9 * rounded_sums) + np.abs(self.values) * 1e-6 + 1e-37
            is_wrong = ~(np.abs(actual - self.values) <= limit)
        if not is_wrong.any():
            return ''
        return f'{actual.dtype} {actual[is_wrong][:4]}, not {self.values[is_wrong][:4]}'


class ProductModel:
    """A model with one matrix product. `feed` holds its inputs, `expected` its outputs by name."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.inputs, self.initializers = [], [], []
        self.feed, self.expected, self.notes = {}, {}, []
        self.count = 0
        self.is_open = self.chance(0.3)
        self.is_deep = self.chance(0.25)
        self.depth = int(self.random.choice(LARGE_DEPTHS if self.is_deep else DEPTHS))
        makers = [self.add_product, self.add_product_to_float, self.add_dynamic_product, self.add_dynamic_chain]
        makers[self.random.choice(4, p=[0.45, 0.2, 0.15, 0.2])]()

    def __str__(self):
        constant = ' '.join(tensor.name for tensor in self.initializers)
        return f'{"; ".join(self.notes)}; constants {constant}; {"open" if self.is_open else "fixed"} shapes'

    def has_integer_product(self):
        return any(node.op_type == 'MatMulInteger' for node in self.nodes)

    def dimensions(self):
        """Returns the sizes of the open dimensions by name."""
        return {f'{name}_{axis}': size for name, array in self.feed.items() for axis, size in enumerate(array.shape) if self.is_open}

    def model_bytes(self):
        outputs = [
            helper.make_tensor_value_info(name, TYPES[one.values.dtype.name] if one.bound is None else TensorProto.FLOAT, None)
            for name, one in self.expected.items()
        ]
        graph = helper.make_graph(self.nodes, 'products', self.inputs, outputs, self.initializers)
        operator_sets = [helper.make_opsetid('', 18), helper.make_opsetid('com.microsoft', 1)]
        return helper.make_model(graph, opset_imports=operator_sets, ir_version=9).SerializeToString()

    # Parts of models.

    def chance(self, probability):
        return self.random.random() < probability

    def name(self):
        self.count += 1
        return f'v{self.count}'

    def node(self, op, inputs, outputs=1, **attributes):
        """Adds a node. An input that is None is left out. Returns the name of the output, or the names of several outputs."""
        names = [self.name() for _ in range(outputs)]
        inputs = ['' if name is None else name for name in inputs]
        domain = 'com.microsoft' if op in CONTRIBUTED else ''
        self.nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def value(self, array, constant=0.5):
        """Adds an array: a constant with the probability `constant`, otherwise an input. Returns its name; None for no array."""
        if array is None:
            return None
        name, array = self.name(), np.asarray(array)
        if self.chance(constant):
            self.initializers.append(numpy_helper.from_array(array, name))
        else:
            shape = [f'{name}_{axis}' for axis in range(array.ndim)] if self.is_open else array.shape
            self.inputs.append(helper.make_tensor_value_info(name, TYPES[array.dtype.name], shape))
            self.feed[name] = array
        return name

    def cast(self, name, dtype):
        return self.node('Cast', [name], to=TYPES[np.dtype(dtype).name])

    def flattened(self, name):
        return self.node('Reshape', [name, self.value(np.array([-1]), constant=1)])

    def output(self, name, values, bound=None):
        self.expected[name] = Expected(np.asarray(values), bound)

    # Random arrays.

    def shapes(self, fewest=1):
        """Returns the shapes of two factors, of rank `fewest` to 5, whose batch dimensions broadcast."""
        random = self.random
        rows, columns = int(random.choice([1, 1, 2, 3, 4, 6, 9, 17])), int(random.choice([1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 50]))
        if self.is_deep:
            rows, columns = min(rows, 3), min(columns, 9)
        batch = [int(random.choice([1, 2, 3])) for _ in range(3)]

        def shape(rank, vector, matrix, to_one):
            if rank == 1:
                return vector
            return [1 if self.chance(to_one) else size for size in batch[5 - rank :]] + matrix

        ranks = max(fewest, random.choice([1, 2, 2, 2, 3, 3, 4, 5])), max(fewest, random.choice([1, 2, 2, 2, 2, 3, 4, 5]))
        left = shape(ranks[0], [self.depth], [rows, self.depth], 0.25)
        return left, shape(ranks[1], [self.depth], [self.depth, columns], 0.4)

    def type(self):
        return np.dtype(self.random.choice([np.int8, np.uint8]))

    def zero_point(self, matrix, by_row):
        """Returns a zero point for MatMulInteger, or None, and its int64 values in a shape that broadcasts to the matrix."""
        form = self.random.choice(['none', 'scalar', 'one', 'vector', 'matrix'])
        shape, batch = [], list(matrix.shape[:-2])
        if form == 'none':
            return None, np.int64(0)
        if form == 'one':
            shape = [1]
        elif form == 'matrix' and batch:
            shape = batch + ([matrix.shape[-2], 1] if by_row else [1, matrix.shape[-1]])
        elif form != 'scalar' and matrix.ndim >= 2 and not (by_row and batch):  # ONNX has vectors of rows only for one matrix
            shape = [matrix.shape[-2] if by_row else matrix.shape[-1]]
        given = integers(self.random, shape, matrix.dtype)
        wide = given.astype(np.int64)
        if given.size == 1:
            return given, wide.reshape([])
        return given, wide.reshape([-1, 1]) if by_row and given.ndim == 1 else wide

    def scale(self, shape):
        signs = self.random.choice(np.array([1, 1, 1, -1, 0], np.float32), shape)
        return (self.random.random(shape) * 0.05 + 1e-3).astype(np.float32) * signs.astype(np.float32)

    def scaled_weights(self, shape):
        """Returns 8-bit weights with one scale or one per column, a zero point or None, and their differences as int64."""
        weights = integers(self.random, shape, self.type())
        scale = self.scale([shape[-1]] if self.chance(0.5) else [1])
        zero_point = integers(self.random, scale.shape, weights.dtype) if self.chance(0.7) else None
        return weights, scale, zero_point, difference(weights, zero_point)

    def bias(self, columns):
        return self.random.standard_normal(columns).astype(np.float32) if self.chance(0.4) else None

    def floats(self, shape):
        x = self.random.standard_normal(shape).astype(np.float32) * np.float32(self.random.choice([1e-3, 1, 30]))
        form = self.random.random()
        if form < 0.1:
            return np.zeros_like(x)
        return np.abs(x) if form < 0.2 else -np.abs(x) if form < 0.3 else x

    # Models.

    def add_product(self):
        """Adds MatMulInteger, and uses of its result."""
        left, right = self.shapes()
        a, b = integers(self.random, left, self.type()), integers(self.random, right, self.type())
        (zero_a, wide_a), (zero_b, wide_b) = self.zero_point(a, by_row=True), self.zero_point(b, by_row=False)
        self.notes += [f'MatMulInteger {described(a)} {described(b)}, zero points {described(zero_a)} {described(zero_b)}']
        factors = [self.value(a, 0.15), self.value(b, 0.75), self.value(zero_a, 0.4), self.value(zero_b, 0.75)]
        product = self.node('MatMulInteger', factors)
        sums, bound = multiplied(a.astype(np.int64) - wide_a, b.astype(np.int64) - wide_b)
        self.add_uses(product, sums.astype(np.int32), bound)

    def add_uses(self, product, exact, bound):
        uses = {
            'result': lambda: self.output(product, exact),
            'float32': lambda: self.add_floats(self.cast(product, np.float32), exact, bound),
            'float16': lambda: self.output(self.cast(product, np.float16), half(exact)),
            'float64': lambda: self.output(self.cast(product, np.float64), exact.astype(np.float64)),
            'int64': lambda: self.output(self.cast(product, np.int64), exact.astype(np.int64)),
            'sum': lambda: self.output(self.node('Add', [product, product]), exact + exact),
            'float64 float32': lambda: self.output(self.cast_by(product, np.float64, np.float32), exact.astype(np.float32)),
            'int64 int32 float32': lambda: self.output(self.cast_by(product, np.int64, np.int32, np.float32), exact.astype(np.float32)),
            'branches': lambda: self.add_branches(product, exact),
            'reshaped': lambda: self.output(self.cast(self.flattened(product), np.float32), exact.reshape(-1).astype(np.float32)),
        }
        chosen = [use for use in uses if self.chance(0.6 if use == 'float32' else 0.3)] or ['float32']
        if self.chance(0.25):
            product = self.node('Identity', [product])
        for use in chosen:
            self.notes.append(use)
            uses[use]()

    def cast_by(self, name, *dtypes):
        for dtype in dtypes:
            name = self.cast(name, dtype)
        return name

    def add_branches(self, product, exact):
        """Adds an If whose branches cast the product to float32; one of them also negates it."""
        condition = self.chance(0.5)
        branches = {}
        for branch in ('then', 'else'):
            nodes = [helper.make_node('Cast', [product], [f'{branch}_cast'], to=TensorProto.FLOAT)]
            if branch == 'else':
                nodes.append(helper.make_node('Neg', ['else_cast'], ['negated']))
            result = helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)
            branches[f'{branch}_branch'] = helper.make_graph(nodes, branch, [], [result])
        chosen = self.node('If', [self.value(np.array(condition), 0.4)], **branches)
        self.output(chosen, exact.astype(np.float32) * np.float32(1 if condition else -1))

    def add_floats(self, name, exact, bound):
        """Adds operations on the product after its cast to float32. Their expected values are computed in double."""
        random, values = self.random, exact.astype(float)
        if self.chance(0.7):
            self.output(name, exact.astype(np.float32))
        for _ in range(int(random.integers(0, 4))):
            step = str(random.choice(['scale', 'scales', 'bias', 'relu', 'transpose', 'reshape']))
            self.notes.append(step)
            if step == 'scale':
                scale = random.choice([0.01, 0, -0.5, 1e-3]).astype(np.float32)
                name = self.node('Mul', [name, self.value(scale if values.ndim == 0 or self.chance(0.5) else scale.reshape(1))])
                values, bound = values * float(scale), bound * abs(float(scale))
            elif step in ('scales', 'bias') and values.ndim:
                row = random.standard_normal(values.shape[-1]).astype(np.float32)
                if step == 'bias':
                    name = self.node('Add', [name, self.value(row, 0.6)])
                    values, bound = values + row, bound + np.abs(row)
                else:
                    name = self.node('Mul', [self.value(row, 0.6), name])
                    values, bound = values * row, bound * np.abs(row)
            elif step == 'relu':
                name = self.node('Relu', [name])
                values = np.maximum(values, 0)
            elif step == 'transpose' and values.ndim > 1:
                axes = [int(axis) for axis in random.permutation(values.ndim)]
                name = self.node('Transpose', [name], perm=axes)
                values, bound = values.transpose(axes), bound.transpose(axes)
            elif step == 'reshape':
                name = self.flattened(name)
                values, bound = values.reshape(-1), bound.reshape(-1)
        if name not in self.expected:
            self.output(name, values, bound)

    def add_product_to_float(self):
        """Adds a MatMulIntegerToFloat with random operands, and its expected result."""
        left, right = self.shapes(fewest=2)
        a, (b, scale_b, zero_b, wide_b) = integers(self.random, left, self.type()), self.scaled_weights(right)
        scale_a = self.scale([] if self.chance(0.5) else [1])
        zero_a = integers(self.random, scale_a.shape, a.dtype) if self.chance(0.7) else None
        bias = self.bias(right[-1])
        self.notes += [f'MatMulIntegerToFloat {described(a)} {described(b)}, scales {described(scale_a)} {described(scale_b)}']
        self.notes += [f'zero points {described(zero_a)} {described(zero_b)}, bias {described(bias)}']
        factors = [self.value(a, 0.1), self.value(b, 0.8), self.value(scale_a, 0.3), self.value(scale_b, 0.8)]
        others = [self.value(zero_a, 0.3), self.value(zero_b, 0.8), self.value(bias, 0.7)]
        name = self.node('MatMulIntegerToFloat', factors + others)
        self.add_scaled(name, multiplied(difference(a, zero_a), wide_b), float(scale_a.reshape([])) * scale_b.astype(float), bias)

    def add_dynamic_product(self):
        """Adds a DynamicQuantizeMatMul with random operands, and its expected result."""
        left, right = self.shapes(fewest=2)
        x, (b, scale_b, zero_b, wide_b) = self.floats(left), self.scaled_weights(right)
        bias = self.bias(right[-1])
        self.notes += [f'DynamicQuantizeMatMul {left} {described(b)}, scale {described(scale_b)}']
        self.notes += [f'zero point {described(zero_b)}, bias {described(bias)}']
        factors = [self.value(x, 0.1), self.value(b, 0.8), self.value(scale_b, 0.8)]
        name = self.node('DynamicQuantizeMatMul', [*factors, self.value(zero_b, 0.8), self.value(bias, 0.7)])
        numbers, scale, zero_point = quantized(x)
        self.add_scaled(name, multiplied(numbers - zero_point, wide_b), float(scale) * scale_b.astype(float), bias)

    def add_scaled(self, name, product, scale, bias):
        """Makes `name` an output, with the expected value product * scale + bias. `product` is a result of multiplied()."""
        values, bound = product[0] * scale, product[1] * np.abs(scale)
        if bias is not None:
            values, bound = values + bias, bound + np.abs(bias)
        self.output(name, values, bound)

    def add_dynamic_chain(self):
        """Adds the chain of dynamically quantized models: DynamicQuantizeLinear, MatMulInteger, Cast and Mul."""
        left, right = self.shapes()
        x, b = self.floats(left), integers(self.random, right, self.type())
        zero_b, wide_b = self.zero_point(b, by_row=False)
        self.notes += [f'DynamicQuantizeLinear {left} and MatMulInteger {described(b)}, zero point {described(zero_b)}']
        a, scale, zero_a = self.node('DynamicQuantizeLinear', [self.value(x, 0.1)], outputs=3)
        product = self.node('MatMulInteger', [a, self.value(b, 0.8), zero_a, self.value(zero_b, 0.8)])
        numbers, scale_a, zero_point = quantized(x)
        sums, bound = multiplied(numbers - zero_point, b.astype(np.int64) - wide_b)
        name = self.cast(product, np.float32)
        if self.chance(0.3):
            self.output(name, sums.astype(np.int32).astype(np.float32))
        if self.chance(0.2):
            self.output(product, sums.astype(np.int32))
        if self.chance(0.3):
            self.output(zero_a, np.uint8(zero_point))
        scale_b = self.scale([right[-1]] if len(right) > 1 and self.chance(0.5) else [])
        if self.chance(0.5):
            name = self.node('Mul', [name, self.node('Mul', [scale, self.value(scale_b, 0.8)])])
        else:
            name = self.node('Mul', [self.node('Mul', [name, scale]), self.value(scale_b, 0.8)])
        scales = float(scale_a) * scale_b.astype(float)
        values, bound = sums * scales, bound * np.abs(scales)
        if len(right) > 1 and (bias := self.bias(right[-1])) is not None:
            name = self.node('Add', [name, self.value(bias, 0.8)])
            values, bound = values + bias, bound + np.abs(bias)
        if self.chance(0.3):
            name = self.node('Relu', [name])
            values = np.maximum(values, 0)
        self.output(name, values, bound)


def described(array):
    return 'none' if array is None else f'{array.dtype}{list(array.shape)}'


def difference(array, zero_point):
    """Returns array - zero_point as int64."""
    return array.astype(np.int64) - (0 if zero_point is None else zero_point.astype(np.int64))


def multiplied(left, right):
    """Returns the product of int64 matrices, and the sums of the absolute values of its terms."""
    return np.matmul(left, right), np.matmul(np.abs(left).astype(float), np.abs(right).astype(float))


def half(exact):
    """Casts int32 to float16. Large numbers become infinite."""
    with np.errstate(over='ignore'):
        return exact.astype(np.float32).astype(np.float16)
