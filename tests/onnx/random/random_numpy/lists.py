"""Random nodes that compute lists of integers, as exporters write them to compute shapes. Reshape and others read the lists."""

import numpy as np

from onnx import TensorProto, helper, numpy_helper
from random_numpy.model import Value

ENDS = [0, 2**63 - 1, -(2**63), 2**31 - 1, -(2**31)]
MOST_ELEMENTS = 40
LARGEST = 2**40
COMPARISONS = {"Less": np.less, "Greater": np.greater, "Equal": np.equal, "GreaterOrEqual": np.greater_equal, "LessOrEqual": np.less_equal}
ARITHMETIC = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Min": np.minimum, "Max": np.maximum}
REDUCTIONS = {"ReduceProd": np.prod, "ReduceSum": np.sum, "ReduceMax": np.max, "ReduceMin": np.min}
UNARY = {"Neg": np.negative, "Abs": np.abs, "Sign": np.sign, "Identity": np.asarray, "Shape": np.shape}
CASTS = {TensorProto.INT32: np.int32, TensorProto.INT64: np.int64, TensorProto.FLOAT: np.float64}


class Lists:
    """Adds steps to a model. Each method `step_` adds an operation if it finds values that fit."""

    def __init__(self, model):
        self.model, self.random = model, model.random
        shape = [model.count(1, 7) for _ in range(model.count(1, 5))]
        if model.chance(0.1):
            shape[0] = 0
        self.is_open = model.chance(0.6)
        given = [f"d{i}" if self.is_open and model.chance(0.7) else size for i, size in enumerate(shape)]
        array = model.numbers(*shape)
        self.tensor = model.known(model.input(array, given), array)
        self.values = []
        self.keep(self.shape_of(self.tensor))
        array = self.random.integers(-3, 9, model.count(0, 5))
        self.keep(model.known(model.input(array, ["q"] if self.is_open else None), array))
        if model.opset >= 15:
            self.step_part_of_shape()
        steps = [getattr(self, name) for name in dir(self) if name.startswith("step_")]
        for _ in range(model.count(3, 25)):
            model.pick(steps)()

    def keep(self, value):
        if value.array.size <= MOST_ELEMENTS and value.size.max(initial=0) <= LARGEST:
            self.values.append(value)

    def apply(self, op, function, *values, **attributes):
        self.keep(self.model.apply(op, function, *values, **attributes))

    def integer(self, *numbers):
        return self.model.value(np.array(numbers, np.int64), constant=1)

    def shape_of(self, value):
        return self.model.known(self.model.node("Shape", value), np.array(value.array.shape, np.int64))

    def pick(self, fits=lambda array: True):
        """Returns a random value if it fits, otherwise an empty list."""
        value = self.model.pick(self.values)
        return value if fits(value.array) else self.integer()

    def pick_list(self, least=1):
        return self.pick(lambda array: array.ndim == 1 and array.dtype == np.int64 and array.size >= least)

    def pick_pair(self):
        """Returns two values of one type whose shapes broadcast, or the same value twice."""
        a, b = self.pick(), self.pick()
        if self.model.chance(0.4):
            b = self.model.value(self.random.integers(-4, 7, self.model.pick([(), (1,)])).astype(a.array.dtype), constant=1)
        fits = a.array.dtype == b.array.dtype and (a.array.shape == b.array.shape or 1 in (a.array.size, b.array.size))
        return (a, b) if fits and a.array.dtype.kind == "i" else (a, a)

    def step_part_of_shape(self):
        if self.model.opset >= 15:
            rank = self.tensor.array.ndim
            ends = {name: self.model.count(-rank - 2, rank + 2) for name in ("start", "end") if self.model.chance(0.7)}
            self.keep(
                self.model.known(
                    self.model.node("Shape", self.tensor, **ends),
                    np.array(self.tensor.array.shape[slice(ends.get("start"), ends.get("end"))], np.int64),
                )
            )

    def step_gather(self):
        value = self.pick_list()
        if size := value.array.size:
            shape = self.model.pick([(), (), (1,), (2,), (3,), (0,), (1, 1), (2, 2)])
            indices = self.model.value(np.asarray(self.random.integers(-size, size, shape)), constant=1)
            self.apply("Gather", lambda a, i: a[i], value, indices, axis=self.model.pick([0, -1]))

    def step_gather_at_values(self):
        value, indices = self.pick_list(), self.pick(lambda array: array.dtype.kind == "i" and array.size > 0)
        if indices.array.size and indices.array.min() >= -value.array.size and indices.array.max() < value.array.size:
            self.apply("Gather", lambda a, i: a[i], value, indices)

    def step_gather_elements(self):
        value = self.pick_list()
        if size := value.array.size:
            indices = self.model.value(self.random.integers(-size, size, self.model.count(1, 4)), constant=1)
            if self.model.chance(0.5):
                self.apply("GatherElements", lambda a, i: a[i], value, indices)
            else:
                self.apply("GatherND", lambda a, i: a[i[:, 0]], value, self.model.unsqueeze(indices, -1))

    def step_scatter(self):
        value, updates = self.pick_list(), self.pick_list()
        count = min(2, value.array.size, updates.array.size)
        if count:
            places = self.random.permutation(value.array.size)[:count]
            given = np.where(self.random.random(count) < 0.3, places - value.array.size, places)
            cut = self.model.move("Slice", lambda a: a[:count], updates, self.integer(0), self.integer(count))
            array = value.array.copy()
            array[places] = cut.array
            if self.model.chance(0.5):
                name = self.model.node("ScatterElements", value, self.integer(*given), cut)
            else:
                name = self.model.node("ScatterND", value, self.model.constant(given.reshape(-1, 1)), cut)
            self.keep(self.model.known(name, array))

    def step_concat(self):
        parts = [self.pick_list(0) if self.model.chance(0.6) else self.integer(*self.random.integers(-4, 7, 2)) for _ in range(3)]
        self.apply("Concat", lambda *arrays: np.concatenate(arrays), *parts, axis=self.model.pick([0, -1]))

    def step_slice(self):
        value = self.pick_list(0)
        first, end = (self.model.pick([self.model.count(-9, 9)] * 2 + ENDS) for _ in range(2))
        step = self.model.pick([1, 1, 1, 2, -1, -1, -2, 3])
        operands = [self.integer(first), self.integer(end), self.integer(self.model.pick([0, -1])), self.integer(step)]
        array = value.array[first:end:step]
        if step < 0 and first < -value.array.size:  # ONNX starts at the first element, Python before it
            array = value.array[: int(end < -value.array.size)]
        self.keep(self.model.known(self.model.node("Slice", value, *operands), array))

    def step_arithmetic(self):
        op = self.model.pick(list(ARITHMETIC))
        self.apply(op, ARITHMETIC[op], *self.pick_pair())

    def step_divide(self):
        a, b = self.pick_pair()
        if b.array.dtype.kind == "i" and b.array.all():
            # Div rounds to zero, Mod has the sign of the divisor, and with fmod that of the dividend.
            op = self.model.pick(["Div", "Mod", "fmod"])
            if op == "Div":
                self.apply(op, lambda x, y: (np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))).astype(x.dtype), a, b)
            else:
                self.apply("Mod", np.mod if op == "Mod" else np.fmod, a, b, fmod=int(op == "fmod"))

    def step_compare(self):
        a, b = self.pick_pair()
        if a.array.dtype.kind == "i":
            op = self.model.pick(list(COMPARISONS))
            compared = self.model.apply(op, COMPARISONS[op], a, b)
            self.apply("Where", np.where, compared, a, b)
            self.apply("Cast", lambda array: array.astype(np.int64), compared, to=TensorProto.INT64)

    def step_unsqueeze(self):
        value = self.pick(lambda array: array.ndim < 3)
        self.keep(self.model.unsqueeze(value, self.model.count(-value.array.ndim - 1, value.array.ndim)))

    def step_squeeze(self):
        self.apply("Squeeze", np.squeeze, self.pick())

    def step_reduce(self):
        value, keepdims, op = self.pick(), self.model.count(0, 1), self.model.pick(list(REDUCTIONS))
        if value.array.dtype.kind == "i" and value.array.size and value.array.ndim and np.abs(value.array).max() < 100:
            self.apply(op, lambda a: np.asarray(REDUCTIONS[op](a, keepdims=bool(keepdims)), a.dtype), value, keepdims=keepdims)

    def step_cast(self):
        value, type_ = self.pick(), self.model.pick(list(CASTS))
        if value.size.max(initial=0) < 2**23:
            self.apply("Cast", lambda array: array.astype(CASTS[type_]), value, to=type_)

    def step_reshape(self):
        value = self.pick(lambda array: array.size > 0)
        if value.array.size:
            self.keep(self.model.reshape(value, self.model.pick([[-1], [1, -1], [value.array.size], [-1, 1], [value.array.size, 1]])))

    def step_range(self):
        limit, first, step = self.pick(lambda a: a.ndim == 0 and a.dtype == np.int64), self.model.count(-2, 3), self.model.pick([1, 2, -1])
        if limit.array.ndim == 0 and abs(limit.array) < MOST_ELEMENTS:
            numbers = [self.model.value(np.array(number), constant=1) for number in (first, step)]
            self.apply("Range", np.arange, numbers[0], limit, numbers[1])

    def step_fill(self):
        shape = self.pick(lambda a: a.ndim == 1 and 0 < a.size < 4 and a.dtype == np.int64 and a.min() >= 0 and a.max() < 5)
        filled = numpy_helper.from_array(np.array([self.model.count(-3, 5)]))
        if shape.array.size:
            self.apply("ConstantOfShape", lambda a: np.full(a, numpy_helper.to_array(filled)), shape, value=filled)

    def step_expand(self):
        shape = self.pick(lambda a: a.ndim == 1 and 0 < a.size < 4 and a.dtype == np.int64 and a.min() > 0 and a.max() < 5)
        value = self.pick(lambda a: a.size == 1)
        if shape.array.size and value.array.size == 1:
            self.apply("Expand", lambda a, s: a * np.ones(s, a.dtype), value, shape)

    def step_split(self):
        value = self.pick_list(2)
        if value.array.size > 1:
            count = self.model.count(1, value.array.size - 1)
            names = self.model.node("Split", value, self.model.integers(count, value.array.size - count), outputs=2)
            for name, part in zip(names, np.split(value.array, [count]), strict=True):
                self.keep(self.model.known(name, part))

    def step_unary(self):
        op = self.model.pick(list(UNARY))
        self.apply(op, lambda array: np.asarray(UNARY[op](array), np.int64 if op == "Shape" else array.dtype), self.pick())

    def step_tile_or_pad(self):
        value, count = self.pick_list(), self.model.count(1, 3)
        if self.model.chance(0.5):
            self.apply("Tile", np.tile, value, self.integer(count))
        else:
            pads, filled = self.integer(count - 1, 1), self.model.value(np.array(7), constant=1)
            self.apply("Pad", lambda a, p, c: np.pad(a, p, constant_values=c), value, pads, filled)

    def step_select(self):
        value = self.pick_list()
        if value.array.size:
            self.apply("NonZero", lambda array: np.array(np.nonzero(array)), value)
            self.apply("ArgMax", lambda array: np.asarray(np.argmax(array)), value, axis=0, keepdims=0)
            self.apply("CumSum", np.cumsum, value, self.model.value(np.array(0), constant=1))

    def step_top(self):
        value, largest = self.pick_list(), self.model.count(0, 1)
        if value.array.size == np.unique(value.array).size > 0:
            count = self.model.count(1, value.array.size)
            names = self.model.node("TopK", value, self.integer(count), outputs=2, axis=0, largest=largest)
            order = np.argsort(-value.array if largest else value.array)[:count]
            self.keep(self.model.known(names[0], value.array[order]))
            self.keep(self.model.known(names[1], order))

    def step_clip_or_transpose(self):
        value = self.pick(lambda array: array.dtype == np.int64)
        if value.array.ndim > 1:
            self.keep(self.model.transpose(value, range(value.array.ndim)[::-1]))
        else:
            self.apply("Clip", np.clip, value, *(self.model.value(np.array(number), constant=1) for number in (0, 5)))

    def step_if(self):
        value, other = self.pick_list(), self.pick_list()
        limit = self.pick(lambda array: array.ndim == 0 and array.dtype == np.int64)
        if limit.array.ndim == 0:
            condition, count = self.model.node("Greater", limit, self.model.constant(np.array(2))), len(self.model.nodes)
            branches = {}
            for branch, node in [("then", ("Identity", [value.name])), ("else", ("Add", [other.name] * 2))]:
                result = helper.make_tensor_value_info(f"{branch}{count}", TensorProto.INT64, None)
                branches[f"{branch}_branch"] = helper.make_graph([helper.make_node(*node, [result.name])], branch, [], [result])
            array = value.array if limit.array > 2 else other.array * 2
            self.keep(self.model.known(self.model.node("If", condition, **branches), array))


def reshaped(array, shape):
    """Reshapes as ONNX does: 0 stands for the input's size. Raises IndexError or ValueError if the shape does not fit."""
    return array.reshape([array.shape[i] if size == 0 else size for i, size in enumerate(shape)])


def use_lists(model):
    """Adds random nodes that compute lists (int64 vectors), and Reshape, Expand, ConstantOfShape and Tile that read them."""
    made = Lists(model)
    for i in model.random.permutation(len(made.values))[:4]:
        model.output(made.values[i])
    tensor = made.tensor
    uses = {
        "Reshape": lambda a, s: reshaped(a, s) if s.min() >= -1 and np.sum(s == -1) < 2 and a.size else None,
        "Expand": lambda a, s: a * np.ones(s) if s.min() > 0 and np.prod(s, dtype=float) < 500 else None,
        "ConstantOfShape": lambda s: np.zeros(s) if s.min() >= 0 and np.prod(s, dtype=float) < 500 else None,
        "Tile": lambda a, s: np.tile(a, s) if s.size == a.ndim and s.min() >= 0 and np.prod(s, dtype=float) * a.size < 800 else None,
    }
    for value in made.values:
        if value.array.dtype == np.int64 and value.array.ndim == 1 and 0 < value.array.size < 7:
            op = model.pick(list(uses))
            operands = [value] if op == "ConstantOfShape" else [tensor, value]
            try:
                array = uses[op](*(operand.array for operand in operands))
            except (ValueError, IndexError):
                continue
            if array is not None:
                model.output(Value(model.node(op, *operands), array, np.abs(array)))
