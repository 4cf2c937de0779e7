"""Writes random small models for random_calls.mjs: elements of every type, open dimensions, shapes that depend on values.

usage: random_models.py FOLDER SEED COUNT
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

Shape = tuple[int | str | None, ...]
FLOATS = {T.FLOAT: np.float32, T.DOUBLE: np.float64, T.FLOAT16: np.float16}
INTEGERS = {T.INT8: np.int8, T.INT16: np.int16, T.INT32: np.int32, T.INT64: np.int64,
            T.UINT8: np.uint8, T.UINT16: np.uint16, T.UINT32: np.uint32, T.UINT64: np.uint64}  # fmt: skip
ARRAYS: dict[int, Any] = {**FLOATS, **INTEGERS, T.BOOL: np.bool_}
TYPES = [*ARRAYS, T.STRING]
# The types that ONNX Runtime's arithmetic operators support.
ARITHMETIC = [T.FLOAT, T.DOUBLE, T.INT32, T.INT64]
# Some of these names collide with members of JavaScript's objects, or JavaScript orders them as numbers.
NAMES = ["x", "length", "2", "10", "data", "dims", "type", "größe", "a b", "location", "0", "x:0", "a/b.c"]


class Model:
    """A random graph. `values` maps names to (type, shape), in which a str is an open dimension, and None a size
    that is not known."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.values: dict[str, tuple[int, Shape]] = {}
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.names = [str(name) for name in rng.permutation(NAMES)] if rng.random() < 0.5 else []

    def name(self) -> str:
        return self.names.pop() if self.names else f"v{len(self.values)}"

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def one(self, items: Any) -> Any:
        items = list(items)
        return items[int(self.rng.integers(len(items)))]

    def shape(self) -> Shape:
        rank = int(self.rng.integers(0, 4))
        return tuple(self.one("nmk") if self.chance(0.4) else int(self.rng.integers(1, 4)) for _ in range(rank))

    def weight(self, kind: int, shape: tuple[int, ...]) -> str:
        name = f"w{len(self.weights)}"
        if kind == T.STRING:
            array = np.array([self.one(["", "a", "ü", "long text"]) for _ in range(int(np.prod(shape)))], object).reshape(shape)
        else:
            array = self.rng.integers(0, 5, shape).astype(ARRAYS[kind])
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, operator: str, inputs: list[str], kind: int, shape: Shape, **attributes: Any) -> None:
        name = self.name()
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        self.values[name] = (kind, shape)

    def grow(self) -> None:
        """Adds an operator to a random value."""
        x = self.one(self.values)
        kind, shape = self.values[x]
        rank, ints = len(shape), lambda *items: self.constant(np.array(items, np.int64))
        choice = self.one(["Identity", "Cast", "arithmetic", "Equal", "Transpose", "Concat", "Unsqueeze", "Flatten", "Shape", "Where", "NonZero",
                           "Slice", "ReduceSum", "Relu", "Not", "Gather", "constant", "pair", "Tile"])  # fmt: skip
        if choice == "Identity":
            self.add("Identity", [x], kind, shape)
        elif choice == "Cast" and kind != T.STRING:
            to = self.one(ARRAYS)
            if kind in FLOATS and to not in FLOATS:
                to = T.DOUBLE  # floats out of the range of an integer differ by design
            self.add("Cast", [x], to, shape, to=to)
        elif choice == "arithmetic" and kind in ARITHMETIC:
            size = self.one([1, shape[-1]]) if rank and shape[-1] in (1, 2, 3) else 1
            self.add(self.one(["Add", "Sub", "Mul"]), [x, self.weight(kind, (size,) if rank else ())], kind, shape)
        elif choice == "pair":
            same = [y for y, value in self.values.items() if value == (kind, shape)]
            if kind in ARITHMETIC:
                self.add(self.one(["Add", "Mul"]), [x, self.one(same)], kind, shape)
        elif choice == "Equal" and kind in (T.BOOL, T.INT32, T.INT64, T.FLOAT, T.DOUBLE):
            self.add("Equal", [x, self.weight(kind, ())], T.BOOL, shape)
        elif choice == "Transpose" and rank > 1:
            order = [int(axis) for axis in self.rng.permutation(rank)]
            self.add("Transpose", [x], kind, tuple(shape[axis] for axis in order), perm=order)
        elif choice == "Concat" and rank > 0:
            self.add("Concat", [x, x], kind, (None, *shape[1:]), axis=0)
        elif choice == "Unsqueeze":
            self.add("Unsqueeze", [x, ints(0)], kind, (1, *shape))
        elif choice == "Flatten":
            self.add("Reshape", [x, ints(-1)], kind, (None,))
        elif choice == "Shape":
            self.add("Shape", [x], T.INT64, (rank,))
        elif choice == "Where" and kind in (T.FLOAT, T.INT64, T.STRING, T.UINT8, T.INT32, T.DOUBLE):
            conditions = [y for y, value in self.values.items() if value == (T.BOOL, shape)]
            if conditions:
                self.add("Where", [self.one(conditions), x, self.weight(kind, ())], kind, shape)
        elif choice == "NonZero" and kind in (T.BOOL, T.FLOAT, T.INT32, T.INT64, T.UINT8) and rank > 0:
            self.add("NonZero", [x], T.INT64, (rank, None))
        elif choice == "Slice" and rank > 0:
            begin, end = int(self.rng.integers(0, 2)), self.one([1, 2, 2**31 - 1])
            self.add("Slice", [x, ints(begin), ints(end), ints(0)], kind, (None, *shape[1:]))
        elif choice == "ReduceSum" and kind in ARITHMETIC and rank > 0:
            keep = self.one([0, 1])
            self.add("ReduceSum", [x, ints(0)], kind, (1, *shape[1:]) if keep else shape[1:], keepdims=keep)
        elif choice == "Relu" and kind in (T.FLOAT, T.DOUBLE):
            self.add("Relu", [x], kind, shape)
        elif choice == "Not" and kind == T.BOOL:
            self.add("Not", [x], kind, shape)
        elif choice == "Gather" and rank > 0 and shape[0] in (1, 2, 3) and kind != T.STRING:
            self.add("Gather", [x, ints(0)], kind, (1, *shape[1:]), axis=0)
        elif choice == "constant":
            # No scalars, because ONNX Runtime accepts a caller's tensor of dims [1] for a constant scalar output.
            kind = self.one(TYPES)
            shape = tuple(int(size) for size in self.rng.integers(0, 3, int(self.rng.integers(1, 3))))
            self.add("Identity", [self.weight(kind, shape)], kind, shape)
        elif choice == "Tile" and rank > 0 and kind in (T.FLOAT, T.INT64, T.BOOL, T.INT32, T.DOUBLE):
            self.add("Tile", [x, ints(*[2] * rank)], kind, (None,) * rank)

    def constant(self, array: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def build(self) -> Any:
        for _ in range(int(self.rng.integers(1, 4))):
            kind = self.one(TYPES) if self.chance(0.5) else self.one([T.FLOAT, T.INT64])
            self.values[self.name()] = (kind, self.shape())
        inputs = list(self.values)
        target = len(self.nodes) + int(self.rng.integers(1, 9))
        while len(self.nodes) < target:
            self.grow()
        made = [name for name in self.values if name not in inputs]
        outputs = [str(name) for name in self.rng.permutation(made)[: int(self.rng.integers(1, 5))]]
        if self.chance(0.15):
            outputs.append(inputs[0])

        def declare(name: str, is_input: bool) -> Any:
            kind, shape = self.values[name]
            if is_input or (None not in shape and self.chance(0.7)):
                return helper.make_tensor_value_info(name, kind, shape)
            return helper.make_tensor_value_info(name, kind, [f"o{i}" if size is None else size for i, size in enumerate(shape)])

        declared = [declare(name, True) for name in inputs], [declare(name, False) for name in outputs]
        graph = helper.make_graph(self.nodes, "random", *declared, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def main() -> None:
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for i in range(count):
        onnx.save(Model(np.random.default_rng([seed, i])).build(), folder / f"random{i:04}.onnx")


if __name__ == "__main__":
    main()
