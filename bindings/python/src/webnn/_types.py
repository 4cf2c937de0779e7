"""Types used by several modules."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from webnn._webnn import MLOperand

Array: TypeAlias = npt.NDArray[Any]
# Anything accepted as an array: NumPy arrays, objects with the buffer protocol or __dlpack__, numbers and lists of numbers.
ArrayLike: TypeAlias = Any
Arrays: TypeAlias = Mapping[str, ArrayLike]
# An MLOperand, or numbers or an array from which a constant is made.
OperandLike: TypeAlias = "MLOperand | npt.ArrayLike"
# A function of (done, total). `total` is always 3000: each of the three phases of a load or build counts 1000.
Progress: TypeAlias = Callable[[int, int], object]
# A name such as "float32", or anything that numpy.dtype() accepts.
DataType: TypeAlias = str | npt.DTypeLike


class MLOperandDescriptor(NamedTuple):
    """The type and shape of an operand.

    >>> webnn.MLOperandDescriptor("float32", (2, 3)).shape
    (2, 3)
    """

    data_type: str
    shape: tuple[int, ...]


DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(name) for name in ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")
} | {"int4": np.dtype(np.uint8), "uint4": np.dtype(np.uint8)}


def finish(progress: Progress | None) -> None:
    """Reports completion to `progress`, because not every backend reports all phases."""
    if progress is not None:
        progress(3000, 3000)
