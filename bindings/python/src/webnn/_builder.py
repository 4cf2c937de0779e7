"""MLGraphBuilder: the methods of the module, constants of any kind, and the methods that only pywebnn has."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from webnn import _webnn
from webnn._arguments import integer, items, must_be
from webnn._arrays import as_array, data_type_name
from webnn._errors import ArgumentError
from webnn._types import ArrayLike, DataType
from webnn._webnn import MLOperand, MLTensor


def descriptor_of(value: Mapping[str, Any]) -> tuple[Any, Any]:
    """Shape and type of a dictionary spelled as in the specification or as in Python."""
    data_type = value.get("dataType", value.get("data_type"))
    if data_type is None:
        raise ArgumentError("the descriptor has no data type (dataType).")
    return value.get("shape", ()), data_type


class MLGraphBuilder(_webnn.MLGraphBuilder):
    """Builds one graph of a context. https://www.w3.org/TR/webnn/#api-mlgraphbuilder"""

    def input(self, name: str, shape: Sequence[int] | Mapping[str, Any], data_type: DataType = "float32") -> MLOperand:
        """An input of the graph. `shape` may be a whole descriptor, as in the specification."""
        if isinstance(shape, Mapping):
            return super().input(name, *descriptor_of(shape))
        return super().input(name, shape, data_type)

    def constant(
        self, value: ArrayLike, shape: Sequence[int] | ArrayLike | None = None, data_type: DataType | None = None
    ) -> MLOperand:
        """A constant: of an array, which it keeps alive instead of copying where the layout allows, and which must not change
        any more; of a constant tensor; or as in the specification of a descriptor and an array, or of a type and a number.
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
        if wanted is None:
            wanted = data_type_name(array.dtype, "constant")
        if shape is not None and wanted not in ("int4", "uint4"):
            try:
                array = array.reshape(shape)
            except (TypeError, ValueError) as error:
                raise ArgumentError(f"constant: an array of shape {list(array.shape)} has no shape {shape}.") from error
        return self._constant(array, array.shape if shape is None else shape, wanted)

    # What pywebnn has beyond the specification.

    def where_(self, condition: MLOperand, true_value: MLOperand, false_value: MLOperand, *, label: str = "") -> MLOperand:
        """The same as where()."""
        return self.where(condition, true_value, false_value, label=label)

    def pad(
        self,
        input: MLOperand,
        beginning_padding: Sequence[int] | None = None,
        ending_padding: Sequence[int] | str | None = None,
        mode: Any = None,
        value: Any = None,
        *,
        padding: Sequence[int] | None = None,
        label: str = "",
    ) -> MLOperand:
        """As in the specification; or as in pywebnn pad(input, padding, mode, value), all beginnings before all endings."""
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
        """A reshape without the dimensions `axes`, all of size 1; without all that are 1 if absent."""
        shape = _shape(input, "squeeze")
        ones = [i for i, size in enumerate(shape) if size == 1]
        drop = ones if axes is None else [_axis(i, len(shape), "squeeze") for i in items(axes, "squeeze: axes")]
        if any(shape[i] != 1 for i in drop):
            raise ArgumentError(f"squeeze: not all dimensions {drop} of {shape} are 1.")
        return self.reshape(input, [size for i, size in enumerate(shape) if i not in drop], label=label)

    def unsqueeze(self, input: MLOperand, axes: Sequence[int], *, label: str = "") -> MLOperand:
        """A reshape with dimensions of size 1, which are `axes` of the result."""
        shape, given = _shape(input, "unsqueeze"), items(axes, "unsqueeze: axes")
        rank = len(shape) + len(given)
        added = {_axis(i, rank, "unsqueeze") for i in given}
        if len(added) != len(given):
            raise ArgumentError(f"unsqueeze: the axes {given} are not different.")
        rest = iter(shape)
        return self.reshape(input, [1 if i in added else next(rest) for i in range(rank)], label=label)

    def global_average_pool(self, input: MLOperand, layout: str | None = None, *, label: str = "") -> MLOperand:
        """average_pool2d() of the whole plane."""
        return self.average_pool2d(input, layout="nchw" if layout is None else layout, label=label)  # type: ignore[arg-type]

    def global_max_pool(self, input: MLOperand, layout: str | None = None, *, label: str = "") -> MLOperand:
        """max_pool2d() of the whole plane."""
        return self.max_pool2d(input, layout="nchw" if layout is None else layout, label=label)  # type: ignore[arg-type]

    def hard_swish(
        self,
        input: MLOperand,
        alpha: float | None = None,
        beta: float | None = None,
        *,
        label: str = "",
    ) -> MLOperand:
        """x * max(0, min(6, x + 3)) / 6. The specification has no alpha and beta: only 1 / 6 and 0.5 are taken."""
        for given, only in ((alpha, 1 / 6), (beta, 0.5)):
            if given is not None and not (isinstance(given, Real) and given == only):  # arrays have no one truth value
                raise ArgumentError("hard_swish: the specification has no alpha but 1 / 6 and no beta but 0.5.")
        return super().hard_swish(input, label=label)


def _shape(operand: MLOperand, what: str) -> list[int]:
    if not isinstance(operand, MLOperand):
        raise must_be(f"{what}: input", "an MLOperand", operand)
    return operand.shape


def _axis(value: int, rank: int, what: str) -> int:
    axis = integer(value, f"{what}: one of axes")
    if not -rank <= axis < rank:
        raise ArgumentError(f"{what}: the axis ({axis}) is not below the rank ({rank}).")
    return axis % rank
