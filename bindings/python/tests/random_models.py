"""Makes random ONNX models with open dimensions and operators that depend on sizes. The same seed gives the same model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
Size = int | str
Feed = dict[str, np.ndarray[Any, Any]]

# Names of dimensions as exporters and people write them. load() calls a dimension without a name INPUT.AXIS.
DIMENSIONS = ["N", "M", "batch", "seq len", "", "a.b", "größe", "x.0"]
SIZES = [1, 1, 2, 3, 5, 8]  # 1 is frequent, because it broadcasts


@dataclass
class OpenModel:
    """A model with the shapes of its inputs."""

    content: bytes
    inputs: dict[str, list[Size]]

    def dimensions(self) -> list[str]:
        """Returns the names of the open dimensions, as load() knows them."""
        return list(dict.fromkeys(size for shape in self.inputs.values() for size in shape if isinstance(size, str)))

    def feed(self, sizes: dict[str, int], random: np.random.Generator) -> Feed:
        """Returns random arrays with these sizes, in random memory layouts."""
        feed: Feed = {}
        for name, shape in self.inputs.items():
            fixed = [size if isinstance(size, int) else sizes[size] for size in shape]
            array = random.normal(size=fixed).astype(np.float32)
            layout = int(random.integers(0, 5))
            if layout == 0:
                array = np.asfortranarray(array)
            elif layout == 1:
                array = array.astype(">f4")
            elif layout == 2:
                array = np.repeat(array, 2, 0)[::2]
            elif layout == 3:
                array.flags.writeable = False
            feed[name] = array
        return feed


class _Writer:
    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.values: list[str] = []

    def node(self, operator: str, inputs: list[str], **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def size(self, value: str, axis: int) -> str:
        return self.node("Gather", [self.node("Shape", [value]), self.integers(axis)], axis=0)

    def any(self) -> str:
        return self.values[int(self.random.integers(0, len(self.values)))]

    def axis(self) -> int:
        return int(self.random.integers(0, 2))

    def step(self) -> None:
        steps = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("_of_")]
        self.values.append(steps[int(self.random.integers(0, len(steps)))](self.any()))

    # Each method below adds operators that take the matrix `x`, and returns the name of their result.

    def _of_unary(self, x: str) -> str:
        return self.node(str(self.random.choice(["Relu", "Neg", "Sigmoid", "Tanh", "Abs"])), [x])

    def _of_binary(self, x: str) -> str:
        other = self.constant(np.float32(self.random.normal()))
        return self.node(str(self.random.choice(["Add", "Mul", "Sub", "Max"])), [x, other])

    def _of_transpose(self, x: str) -> str:
        return self.node("Transpose", [x], perm=[1, 0])

    def _of_softmax(self, x: str) -> str:
        return self.node("Softmax", [x], axis=int(self.random.integers(-2, 2)))

    def _of_flatten(self, x: str) -> str:
        return self.node("Reshape", [self.node("Reshape", [x, self.integers(-1)]), self.node("Shape", [x])])

    def _of_swap(self, x: str) -> str:
        return self.node("Reshape", [x, self.node("Concat", [self.size(x, 1), self.size(x, 0)], axis=0)])

    def _of_half(self, x: str) -> str:
        end = self.node("Div", [self.node("Add", [self.size(x, 0), self.integers(1)]), self.integers(2)])
        return self.node("Slice", [x, self.integers(0), end, self.integers(0)])

    def _of_last(self, x: str) -> str:
        return self.node("Slice", [x, self.integers(-1), self.integers(2**62), self.integers(self.axis())])

    def _of_range(self, x: str) -> str:
        count = self.node("Squeeze", [self.size(x, 1)])
        numbers = self.node("Range", [self.constant(np.int64(0)), count, self.constant(np.int64(1))])
        return self.node("Add", [x, self.node("Cast", [numbers], to=FLOAT)])

    def _of_expand(self, x: str) -> str:
        half = self.constant(np.full((1, 1), 0.5, np.float32))
        return self.node("Add", [x, self.node("Expand", [half, self.node("Shape", [x])])])

    def _of_fill(self, x: str) -> str:
        filler = numpy_helper.from_array(np.array([1.5], np.float32))
        return self.node("Mul", [x, self.node("ConstantOfShape", [self.node("Shape", [x])], value=filler)])

    def _of_mean(self, x: str) -> str:
        return self.node("ReduceMean", [x, self.integers(self.axis())], keepdims=1)

    def _of_broadcast(self, x: str) -> str:
        return self.node("Sub", [x, self.node("ReduceMax", [x, self.integers(self.axis())], keepdims=1)])

    def _of_concat(self, x: str) -> str:
        return self.node("Concat", [x, x], axis=self.axis())

    def _of_tile(self, x: str) -> str:
        return self.node("Tile", [x, self.integers(1, 2)])

    def _of_square(self, x: str) -> str:
        return self.node("MatMul", [self.node("Transpose", [x], perm=[1, 0]), x])

    def _of_weights(self, x: str) -> str:
        column = self.node("ReduceSum", [x, self.integers(1)], keepdims=1)
        return self.node("MatMul", [column, self.constant(self.random.normal(size=(1, 40)).astype(np.float32))])

    def _of_loop(self, x: str) -> str:
        def value(name: str, data_type: int, shape: list[int] | None) -> Any:
            return helper.make_tensor_value_info(name, data_type, shape)

        body = helper.make_graph(
            [
                helper.make_node("Mul", ["before", "half"], ["halved"]),
                helper.make_node("Add", ["halved", x], ["after"]),
                helper.make_node("Identity", ["goes_on"], ["goes_on_still"]),
            ],
            "body",
            [value("i", TensorProto.INT64, []), value("goes_on", TensorProto.BOOL, []), value("before", FLOAT, None)],
            [value("goes_on_still", TensorProto.BOOL, []), value("after", FLOAT, None)],
            [numpy_helper.from_array(np.array(0.5, np.float32), "half")],
        )
        count = self.node("Squeeze", [self.size(x, self.axis())])
        return self.node("Loop", [count, self.constant(np.bool_(True)), x], body=body)


def open_model(random: np.random.Generator) -> OpenModel:
    """Makes a model with one to three matrices as inputs, and one or two outputs."""
    writer = _Writer(random)
    names = [str(random.choice(DIMENSIONS)) for _ in range(3)]
    declared: dict[str, list[Size]] = {}
    for name in ["x", "y", "z w"][: int(random.integers(1, 4))]:
        declared[name] = [int(random.integers(1, 4)) if random.random() < 0.25 else str(random.choice(names)) for _ in range(2)]
    writer.values = list(declared)
    for _ in range(int(random.integers(1, 7))):
        writer.step()
    made = writer.values[len(declared) :]
    outputs = list(dict.fromkeys([made[-1], made[int(random.integers(0, len(made)))]]))
    graph = helper.make_graph(
        writer.nodes,
        "g",
        [helper.make_tensor_value_info(name, FLOAT, [size or None for size in shape]) for name, shape in declared.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        writer.constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    inputs = {name: [size or f"{name}.{axis}" for axis, size in enumerate(shape)] for name, shape in declared.items()}
    return OpenModel(model.SerializeToString(), inputs)


# Parts of names that could break out of strings, comments, paths or markup, or clash with names in generated programs.
PARTS = [
    *["class", '"', "'", "\\", "\n", "\r", "\t", "*/", "//", "/*", "`", "${x}", "</script>", "<!--", "]]>", "&amp;", "%s"],
    *["\x7f", "\u2028", "\u202e", "ü", "😀", "e\u0301", " ", ".", "..", "/", ":", "__proto__", "constructor", "builder"],
    *["self", "0", "-", "operand_1", "__metadata__", ".float16", "None", "np", "x", "y", 'R"(', "??/", "#{x}", "{", "}"],
    *["(", "$", "namespace", "int", "\x01", "context", "@", ";"],
]


def hostile_names(count: int, random: np.random.Generator) -> list[str]:
    """Returns `count` different names made of PARTS."""
    names: dict[str, None] = {}
    while len(names) < count:
        names["".join(str(random.choice(PARTS)) for _ in range(int(random.integers(1, 4))))] = None
    return list(names)


def named_model(random: np.random.Generator) -> tuple[bytes, Feed]:
    """Makes a model of sums and products of inputs and constants with hostile names. Returns the model and its inputs."""
    count = int(random.integers(1, 5))
    names = hostile_names(5 * count, random)
    rows = [names[i * 5 : i * 5 + 5] for i in range(count)]
    nodes, constants = [], []
    for given, weight, product, result, label in rows:
        shape = (2, 3) if random.random() < 0.5 else (40, 3)
        constants.append(numpy_helper.from_array(random.normal(size=shape).astype(np.float32), weight))
        nodes.append(helper.make_node("Mul", [given, weight], [product], name=label))
        nodes.append(helper.make_node("Add", [product, weight], [result]))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        str(random.choice(names)),
        [value(row[0], FLOAT, [1, 3]) for row in rows],
        [value(row[3], FLOAT, None) for row in rows],
        constants,
    )
    feed = {row[0]: random.normal(size=(1, 3)).astype(np.float32) for row in rows}
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString(), feed
