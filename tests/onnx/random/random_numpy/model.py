"""A builder of random models that computes their results with NumPy in float64 while their nodes are added."""

import functools
from typing import NamedTuple

import numpy as np

import onnx
from onnx import helper, numpy_helper

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 19, 23, 31, 32, 33, 37, 64, 67]  # 1, small primes, the vector lengths of all kernels, and 33
CHANNELS = [1, 2, 3, 4, 5, 8, 16, 17, 31, 33, 64]
SPECIAL = (np.inf, -np.inf, np.nan, 0.0, -0.0)
EXTREME = (*SPECIAL, 1e30, 1e-40)
OPSETS = (13, 16, 18, 21)
# For each type: the allowed difference relative to the sum of the absolute values of an element's terms, and the least allowed one.
TOLERANCES = {"float32": (1e-5, 1e-37), "float16": (1e-2, 1e-6), "float64": (1e-11, 1e-30)}


class Value(NamedTuple):
    """A tensor: its name, its numbers, and for each number the sum of the absolute values of its finite terms."""

    name: str
    array: np.ndarray
    size: np.ndarray


def finite_size(array):
    numbers = np.abs(np.asarray(array, np.float64))
    return np.where(np.isfinite(numbers), numbers, 0)


class Model:
    """A model under construction. `feed` holds its inputs, `results` its outputs by name."""

    def __init__(self, seed, opsets=OPSETS):
        self.random = np.random.default_rng(seed)
        self.opset = self.pick(opsets)
        self.nodes, self.constants, self.inputs = [], [], []
        self.feed, self.results = {}, {}
        self.kind = ""
        self.dtype = np.dtype(np.float32)
        self.specials = ()  # numbers() writes them into some arrays

    # Random choices.

    def pick(self, choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, probability):
        return self.random.random() < probability

    def count(self, least, most):
        return int(self.random.integers(least, most + 1))

    def numbers(self, *shape):
        """Returns random numbers of the model's type."""
        if self.dtype.kind != "f":
            return self.random.integers(-4, 5, shape).astype(self.dtype)
        array = np.asarray(self.random.standard_normal(shape)).astype(self.dtype)
        if self.chance(0.1):
            array = np.round(array)
        if self.specials and array.size and self.chance(0.6):
            for _ in range(self.count(1, 3)):
                array.flat[self.random.integers(array.size)] = self.pick(self.specials)
        return array

    # Nodes and arrays.

    def constant(self, array):
        """Adds a constant: an array or a TensorProto. Returns its name."""
        tensor = array if isinstance(array, onnx.TensorProto) else numpy_helper.from_array(np.asarray(array))
        tensor.name = f"c{len(self.constants)}"
        self.constants.append(tensor)
        return tensor.name

    def integers(self, *values):
        return self.constant(np.array(values, np.int64))

    def input(self, array, shape=None):
        name, array = f"x{len(self.inputs)}", np.asarray(array)
        type_ = helper.np_dtype_to_tensor_dtype(array.dtype)
        self.inputs.append(helper.make_tensor_value_info(name, type_, array.shape if shape is None else shape))
        self.feed[name] = array
        return name

    def value(self, array, constant=0.3):
        """Adds an array: a constant with the probability `constant`, otherwise an input."""
        array = np.asarray(array)
        name = self.constant(array) if self.chance(constant) else self.input(array)
        return self.known(name, array)

    def known(self, name, array):
        """Returns a Value with the numbers of a tensor of the model."""
        array = np.asarray(array)
        return Value(name, array.astype(np.float64) if array.dtype.kind == "f" else array, finite_size(array))

    def numbers_value(self, *shape, constant=0.3):
        return self.value(self.numbers(*shape), constant)

    def scalar(self, number):
        return self.value(np.array(number, self.dtype), constant=1)

    def node(self, op, *inputs, outputs=1, domain="", **attributes):
        """Adds a node. An input is a name or a Value. Returns the name of the output, or the names of several outputs."""
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        inputs = [one.name if isinstance(one, Value) else one for one in inputs]
        self.nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def apply(self, op, function, *inputs, **attributes):
        """Adds an operation without rounding; `function` maps the arrays of the inputs to its result."""
        return self.known(self.node(op, *inputs, **attributes), function(*(one.array for one in inputs)))

    def move(self, op, function, value, *inputs, **attributes):
        """Adds an operation that moves the elements of `value` as `function` does."""
        return Value(self.node(op, value, *inputs, **attributes), function(value.array), function(value.size))

    def indices(self, array, limit):
        """Adds indices below `limit`, some of them negative: a constant, an input or a computed value."""
        given = np.where(self.random.random(array.shape) < self.pick([0, 0, 0.3]), array - limit, array).astype(np.int64)
        form = self.random.random()
        if form < 0.1:
            name = self.node("Add", self.node("Mul", self.input(given // 3), self.constant(np.array(3))), self.input(given % 3))
        elif form < 0.2:
            name = self.node("Cast", self.input(given.astype(np.float32)), to=onnx.TensorProto.INT64)
        elif form < 0.3:
            name = self.node("Reshape", self.input(given.reshape(-1)), self.integers(*given.shape))
        else:
            name = self.value(given.astype(self.pick([np.int64, np.int64, np.int32]))).name
        return self.known(name, array)

    def random_indices(self, limit, *shape):
        return self.indices(self.random.integers(0, limit, shape), limit)

    # Arithmetic.

    def add(self, a, b, op="Add"):
        if op == "Add" and self.chance(0.3):
            a, b = b, a
        return Value(self.node(op, a, b), a.array + b.array if op == "Add" else a.array - b.array, a.size + b.size)

    def subtract(self, a, b):
        return self.add(a, b, "Sub")

    def multiply(self, a, b):
        if self.chance(0.3):
            a, b = b, a
        return Value(self.node("Mul", a, b), a.array * b.array, a.size * b.size)

    def divide(self, a, b):
        return Value(self.node("Div", a, b), a.array / b.array, a.size / np.abs(b.array))

    def matmul(self, a, b, name=None):
        return Value(name or self.node("MatMul", a, b), a.array @ b.array, a.size @ b.size)

    def negate(self, a):
        return Value(self.node("Neg", a), -a.array, a.size)

    def where(self, mask, a, b):
        array, size = (np.where(mask.array, one, other) for one, other in ((a.array, b.array), (a.size, b.size)))
        return Value(self.node("Where", mask, a, b), array, size)

    def relu(self, a):
        return Value(self.node("Relu", a), np.maximum(a.array, 0), a.size)

    def total(self, value, axes, keepdims=0, mean=False):
        """Adds ReduceSum or ReduceMean."""
        operands = [self.integers(*axes)] if self.opset >= 18 or not mean else []
        attributes = {} if operands else {"axes": axes}
        name = self.node("ReduceMean" if mean else "ReduceSum", value, *operands, keepdims=keepdims, **attributes)
        arrays = [one.sum(axis=tuple(axes), keepdims=bool(keepdims), dtype=one.dtype) for one in (value.array, value.size)]
        count = value.array.size // max(1, arrays[0].size)
        return Value(name, *(one / count if mean else one for one in arrays))

    def sum_of(self, terms):
        """Adds all terms: in a chain, as a tree or with Sum."""
        form = self.pick(["chain", "reversed", "tree", "sum"])
        if form == "sum":
            return Value(self.node("Sum", *terms), sum(term.array for term in terms), sum(term.size for term in terms))
        if form == "reversed":
            terms = terms[::-1]
        while form == "tree" and len(terms) > 2:
            pairs = [terms[i : i + 2] for i in range(0, len(terms), 2)]
            terms = [self.add(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
        return functools.reduce(self.add, terms)

    # Shapes.

    def reshape(self, value, shape):
        return self.move("Reshape", lambda array: array.reshape(shape), value, self.integers(*shape))

    def transpose(self, value, order):
        return self.move("Transpose", lambda array: array.transpose(order), value, perm=[int(axis) for axis in order])

    def unsqueeze(self, value, axis):
        return self.move("Unsqueeze", lambda array: np.expand_dims(array, axis), value, self.integers(axis))

    def gather(self, value, indices, axis=0):
        return self.move("Gather", lambda array: np.take(array, indices.array, axis), value, indices, axis=axis)

    # The finished model.

    def output(self, value):
        if value.name.startswith("v"):  # neither an input nor a constant
            self.results[value.name] = value

    def shuffle(self):
        self.nodes = [self.nodes[i] for i in self.random.permutation(len(self.nodes))]

    def result_type(self, value):
        return self.dtype if value.array.dtype.kind == "f" else value.array.dtype

    def content(self):
        domains = sorted({node.domain for node in self.nodes} - {""})
        types = {name: helper.np_dtype_to_tensor_dtype(self.result_type(value)) for name, value in self.results.items()}
        outputs = [helper.make_tensor_value_info(name, type_, None) for name, type_ in types.items()]
        graph = helper.make_graph(self.nodes, "random", self.inputs, outputs, self.constants)
        opsets = [helper.make_opsetid("", self.opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()

    def difference(self, actual, value):
        """Describes the first difference of a result from its expected value; None if they agree."""
        dtype = self.result_type(value)
        if actual.shape != value.array.shape or actual.dtype != dtype:
            return f"is {actual.dtype}{list(actual.shape)} and not {dtype}{list(value.array.shape)}"
        expected = value.array.astype(dtype)
        same = actual == expected
        if dtype.kind == "f":
            relative, least = TOLERANCES[dtype.name]
            near = np.abs(actual.astype(np.float64) - value.array) <= relative * value.size + least
            same |= (near & np.isfinite(actual) & np.isfinite(expected)) | (np.isnan(actual) & np.isnan(expected))
        if np.all(same):
            return None
        at = tuple(int(i) for i in np.argwhere(~same)[0])
        count = np.size(same) - np.count_nonzero(same)
        return f"differs in {count} of {np.size(same)} elements, first at {at}: {actual[at]!r} and not {expected[at]!r}"
