"""MLGraphBuilder: adds inputs, constants and pywebnn's methods to the C++ class."""

import weakref
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from webnn import _webnn
from webnn._arguments import integer, items, must_be
from webnn._arrays import as_array, data_type_name, is_of_numbers
from webnn._dimensions import InputShape, is_open, with_bounds
from webnn._errors import ArgumentError, InvalidStateError
from webnn._types import ArrayLike, DataType, OperandLike, Progress, finish
from webnn._webnn import Cancellation, MLContext, MLGraph, MLOperand, MLTensor

# Builders by MLGraphBuilder._token, which operands store as _builder_token.
_builders: weakref.WeakValueDictionary[int, "MLGraphBuilder"] = weakref.WeakValueDictionary()
_NUMBERS = (bool, int, float, np.generic)


def builder_of(operand: MLOperand) -> "MLGraphBuilder":
    """Returns the builder of an operand."""
    builder = _builders.get(operand._builder_token)
    if builder is None:
        raise InvalidStateError("the operand's builder is gone: keep it until the graph is built.")
    return builder


def operand_of(builder: "MLGraphBuilder", value: Any, types: list[str], what: str) -> MLOperand:
    """Makes a constant from a number, a list or an array. A number or a list gets the first of `types`, or float32 if `types` is
    empty."""
    is_array = hasattr(value, "__dlpack__") or hasattr(value, "__array__")
    if not is_array and not isinstance(value, (*_NUMBERS, list, tuple)):
        raise must_be(what, "an MLOperand, an array or a number", value)
    if not is_of_numbers(value):
        array = as_array(value, None, what)
        if array.dtype == np.float64:
            raise ArgumentError(f"{what}: the array is of float64, which WebNN does not have: use array.astype(np.float32).")
        return builder._constant(array, array.shape, _type_of(array, what))
    wanted = types[0] if types else "float32"
    array = as_array(value.item() if isinstance(value, np.generic) else value, wanted, what)
    return builder._constant(array, array.shape, wanted)


def _type_of(array: Any, what: str) -> str:
    """Returns the data type of a constant made from an array; uint8 for bool."""
    return "uint8" if array.dtype == np.bool_ else data_type_name(array.dtype, what)


def counted_axes(value: Any, rank: int, may_count: bool, what: str) -> Any:
    """Converts negative axes, which count from the end, if `may_count`. The C++ module checks everything else."""
    axes = value if isinstance(value, list | tuple) else [value]
    if not any(isinstance(axis, int | np.integer) and axis < 0 for axis in axes):
        return value
    if not may_count:
        raise ArgumentError(
            f"{what} ({value}) is not between 0 and 4294967295. The specification has no negative axes; "
            "MLGraphBuilder(context, negative_axes=True) counts them from the end."
        )
    for axis in axes:
        if isinstance(axis, int) and axis < -rank:
            raise ArgumentError(f"{what} ({axis}) is not between {-rank} and {rank - 1}.")
    counted = [axis + rank if isinstance(axis, int | np.integer) and axis < 0 else axis for axis in axes]
    return counted if isinstance(value, list | tuple) else counted[0]


def descriptor_of(value: Mapping[str, Any]) -> tuple[Any, Any]:
    """Returns (shape, data type) of a descriptor: a dict with the specification's or Python's names."""
    data_type = value.get("dataType", value.get("data_type"))
    if data_type is None:
        raise ArgumentError("the descriptor has no data type (dataType).")
    return value.get("shape", ()), data_type


class MLGraphBuilder(_webnn.MLGraphBuilder):
    """Builds one graph of a context. https://www.w3.org/TR/webnn/#api-mlgraphbuilder

    Methods accept a number or an array for an operand, and make a constant of it. A number or a list gets the type that the
    operation needs: the type of the other operand, else float32 if the operation accepts it.

    negative_axes: whether -1 is the last axis, as in NumPy. The specification has no negative axes.

    >>> builder = webnn.MLGraphBuilder(webnn.ML().create_context(), negative_axes=True)
    >>> x = builder.input("x", [2, 3])
    >>> builder.softmax(x @ np.ones((3, 4), np.float32) + 1, axis=-1)
    <MLOperand result float32[2, 4]>
    """

    def __init__(self, context: MLContext, *, negative_axes: bool = False) -> None:
        super().__init__(context, negative_axes)
        self._context = context
        _builders[self._token] = self

    def input(self, name: str, shape: InputShape | Mapping[str, Any], data_type: DataType = "float32") -> MLOperand:
        """Adds an input. `shape` may be a descriptor with shape and data type, as in the specification.

        >>> webnn.MLGraphBuilder(webnn.ML().create_context()).input("x", [2, 3])
        <MLOperand input "x" float32[2, 3]>

        A str or an MLDynamicDimension in the shape is an open dimension, whose size is chosen at each run: a name, or an
        expression over names such as "past + 1". Then build_session() takes the place of build(). Sizes that operations take
        may be expressions too, with numbers, names, +, -, *, parentheses, floor(a / b), ceil(a / b), broadcast(a, b) and
        scaled(a, 1.5).

        >>> x = builder.input("x", ["batch", "sequence", 768])
        >>> builder.reshape(x, ["batch * sequence", 768]).shape
        ['batch * sequence', 768]
        """
        sizes, wanted = descriptor_of(shape) if isinstance(shape, Mapping) else (shape, data_type)
        if is_open(sizes):
            return self._open_input(name, with_bounds(sizes), wanted)
        return self._input(name, sizes, wanted)

    def build(
        self,
        outputs: Mapping[str, MLOperand],
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
        progress: Progress | None = None,
    ) -> MLGraph:
        """Compiles the graph of these operands, which become its outputs under these names. A builder builds one graph.
        `progress` is called with (done, total) during the build, at most 50 times a second.

        >>> builder.build({"y": builder.relu(builder.input("x", [2, 3]))})
        <MLGraph "x": float32[2, 3] -> "y": float32[2, 3], 1 operations>
        """
        graph = self._build(as_dict(outputs), timeout, cancellation, progress)
        finish(progress)
        return graph

    def set_name(self, operand: MLOperand, name: str) -> None:
        """Names a constant or a result in printed and saved graphs.

        >>> builder.set_name(builder.relu(builder.input("x", [2])), "hidden")
        """
        self._set_name(operand, name)

    def set_graph_name(self, name: str) -> None:
        """Names the graph in printed and saved graphs.

        >>> webnn.MLGraphBuilder(webnn.ML().create_context()).set_graph_name("digits")
        """
        self._set_graph_name(name)

    def constant(self, value: ArrayLike, shape: Sequence[int] | ArrayLike | None = None, data_type: DataType | None = None) -> MLOperand:
        """Adds a constant from an array, a number, a list or a constant tensor; or, as in the specification, from a descriptor and
        an array, or from a type and a number. The constant uses the array's memory if the layout allows, so the array must not
        change afterwards. Without a `data_type`, Python's floats become float32, integers int64, and booleans uint8.

        >>> builder.constant(np.ones((2, 3), np.float32)), builder.constant([1.5, 2.5]), builder.constant("int32", 7)
        (<MLOperand constant float32[2, 3]>, <MLOperand constant float32[2]>, <MLOperand constant int32[]>)
        """
        if isinstance(value, MLTensor):
            return self._constant_tensor(value)
        if isinstance(value, Mapping):
            sizes, wanted = descriptor_of(value)
            return self._constant(shape, sizes, wanted)
        if isinstance(value, str):
            return self._scalar(value, shape)
        wanted = None if data_type is None else data_type_name(data_type, "constant")
        array = as_array(value, wanted, "constant")
        if wanted is None and is_of_numbers(value):
            with np.errstate(over="ignore"):
                array = array.astype({"f": np.float32, "b": np.uint8}.get(array.dtype.kind, array.dtype))
        if wanted is None:
            wanted = _type_of(array, "constant")
        if shape is not None and wanted not in ("int4", "uint4"):
            try:
                array = array.reshape(shape)
            except (TypeError, ValueError) as error:
                raise ArgumentError(f"constant: an array of shape {list(array.shape)} has no shape {shape}.") from error
        return self._constant(array, array.shape if shape is None else shape, wanted)

    # Methods of pywebnn that are not in the specification.

    def where_(self, condition: OperandLike, true_value: OperandLike, false_value: OperandLike, *, label: str = "") -> MLOperand:
        """Calls where(). This is its name in pywebnn.

        >>> builder.where_([1, 0], builder.input("x", [2]), 0.0)
        <MLOperand result float32[2]>
        """
        return self.where(condition, true_value, false_value, label=label)

    def pad(
        self,
        input: OperandLike,
        beginning_padding: Sequence[int | str] | None = None,
        ending_padding: Sequence[int | str] | str | None = None,
        mode: Any = None,
        value: Any = None,
        *,
        padding: Sequence[int | str] | None = None,
        label: str = "",
    ) -> MLOperand:
        """Pads as in the specification. pywebnn's pad(input, padding, mode, value) works too; `padding` is beginnings, then endings.

        >>> builder.pad(builder.input("x", [2, 3]), [0, 1], [0, 1], mode="edge")
        <MLOperand result float32[2, 5]>
        """
        if beginning_padding is None or ending_padding is None or isinstance(ending_padding, str):
            if isinstance(ending_padding, str):
                mode, value = ending_padding, value if mode is None else mode
            both = padding if beginning_padding is None else beginning_padding
            both = both if both is None else items(both, "pad: padding")
            if both is None or len(both) % 2:
                raise ArgumentError("pad: the arguments are beginning_padding and ending_padding.")
            beginning_padding, ending_padding = both[: len(both) // 2], both[len(both) // 2 :]
        return super().pad(input, beginning_padding, ending_padding, mode=mode, value=value, label=label)

    def squeeze(self, input: MLOperand, axes: Sequence[int] | None = None, *, label: str = "") -> MLOperand:
        """Removes the dimensions `axes`, which must have size 1; by default all dimensions of size 1.

        >>> builder.squeeze(builder.input("x", [2, 1, 3]))
        <MLOperand result float32[2, 3]>
        """
        shape = _shape(input, "squeeze")
        ones = [i for i, size in enumerate(shape) if size == 1]
        drop = ones if axes is None else [_axis(i, len(shape), "squeeze") for i in items(axes, "squeeze: axes")]
        if any(shape[i] != 1 for i in drop):
            raise ArgumentError(f"squeeze: not all dimensions {drop} of {shape} are 1.")
        return self.reshape(input, [size for i, size in enumerate(shape) if i not in drop], label=label)

    def unsqueeze(self, input: MLOperand, axes: Sequence[int], *, label: str = "") -> MLOperand:
        """Inserts dimensions of size 1, which are the dimensions `axes` of the result.

        >>> builder.unsqueeze(builder.input("x", [2, 3]), [0, -1])
        <MLOperand result float32[1, 2, 3, 1]>
        """
        shape, given = _shape(input, "unsqueeze"), items(axes, "unsqueeze: axes")
        rank = len(shape) + len(given)
        added = {_axis(i, rank, "unsqueeze") for i in given}
        if len(added) != len(given):
            raise ArgumentError(f"unsqueeze: the axes {given} are not different.")
        rest = iter(shape)
        return self.reshape(input, [1 if i in added else next(rest) for i in range(rank)], label=label)

    def global_average_pool(self, input: OperandLike, layout: str | None = None, *, label: str = "") -> MLOperand:
        """Applies average_pool2d() to whole planes.

        >>> builder.global_average_pool(builder.input("x", [1, 2, 5, 5]))
        <MLOperand result float32[1, 2, 1, 1]>
        """
        return self.average_pool2d(input, layout="nchw" if layout is None else layout, label=label)  # type: ignore[arg-type]

    def global_max_pool(self, input: OperandLike, layout: str | None = None, *, label: str = "") -> MLOperand:
        """Applies max_pool2d() to whole planes.

        >>> builder.global_max_pool(builder.input("x", [1, 2, 5, 5]))
        <MLOperand result float32[1, 2, 1, 1]>
        """
        return self.max_pool2d(input, layout="nchw" if layout is None else layout, label=label)  # type: ignore[arg-type]

    def hard_swish(self, input: OperandLike, alpha: float | None = None, beta: float | None = None, *, label: str = "") -> MLOperand:
        """Computes x * max(0, min(6, x + 3)) / 6. The specification has no alpha and beta: only 1 / 6 and 0.5 are accepted.

        >>> builder.hard_swish(builder.input("x", [2]))
        <MLOperand result float32[2]>
        """
        for given, only in ((alpha, 1 / 6), (beta, 0.5)):
            if given is not None and not (isinstance(given, Real) and given == only):  # an array's == returns an array
                raise ArgumentError("hard_swish: the specification has no alpha but 1 / 6 and no beta but 0.5.")
        return super().hard_swish(input, label=label)


def as_dict(outputs: Any) -> Any:
    """Converts a mapping to a dict, which the C++ module needs. The module refuses other values itself."""
    return outputs if isinstance(outputs, dict) or not isinstance(outputs, Mapping) else dict(outputs)


def _shape(operand: MLOperand, what: str) -> list[int | Any]:
    if not isinstance(operand, MLOperand):
        raise must_be(f"{what}: input", "an MLOperand", operand)
    return operand.shape


def _axis(value: int, rank: int, what: str) -> int:
    axis = integer(value, f"{what}: one of axes")
    if not -rank <= axis < rank:
        raise ArgumentError(f"{what}: the axis ({axis}) is not below the rank ({rank}).")
    return axis % rank
