"""compare(): measures how far two results differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from webnn._arrays import as_array
from webnn._errors import ArgumentError
from webnn._types import Array, ArrayLike


@dataclass(frozen=True)
class Difference:
    """The largest differences between two arrays, and the index of the largest absolute difference.

    >>> webnn.compare(np.float32([1, 2]), np.float32([1, 2.5])).index
    (1,)
    """

    max_absolute: float
    max_relative: float
    max_ulp: int
    index: tuple[int, ...] | None  # None if the arrays are equal
    a: Any = None
    b: Any = None

    def __str__(self) -> str:
        if self.index is None:
            return "equal"
        return (
            f"largest differences: absolute {self.max_absolute:g} ({self.a} and {self.b} at {list(self.index)}), "
            f"relative {self.max_relative:g}, {self.max_ulp} ULP"
        )


@overload
def compare(a: Mapping[str, ArrayLike], b: Mapping[str, ArrayLike]) -> dict[str, Difference]: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def compare(a: ArrayLike, b: ArrayLike) -> Difference: ...
def compare(a: Any, b: Any) -> Any:
    """Measures the largest differences between two arrays of the same type and shape, or between the arrays of two dicts, by name.

    For floats, ULP is the number of steps between representable numbers; for integers, it is the difference. NaN equals NaN.

    >>> print(webnn.compare(np.float32([1, 2]), np.float32([1, 2])))
    equal
    """
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if a.keys() != b.keys():
            raise ArgumentError(f"compare: the names {list(a)} and {list(b)} differ.")
        return {name: _difference(a[name], b[name], f"compare: {name}") for name in a}
    return _difference(a, b, "compare")


def _difference(first: ArrayLike, second: ArrayLike, what: str) -> Difference:
    a, b = as_array(first, None, f"{what}: a"), as_array(second, None, f"{what}: b")
    if a.shape != b.shape or a.dtype != b.dtype:
        raise ArgumentError(f"{what}: {a.dtype}{list(a.shape)} is not {b.dtype}{list(b.shape)}.")
    if a.dtype.kind not in "biufV" or a.dtype.names:  # kind V: types of ml_dtypes, or structures, which have names
        raise ArgumentError(f"{what}: the arrays are of {a.dtype}, which is no type of numbers.")
    if not a.dtype.isnative:
        a, b = (array.astype(array.dtype.newbyteorder("=")) for array in (a, b))
    if a.dtype.kind == "f" and a.dtype.itemsize > np.dtype(np.float64).itemsize:
        raise ArgumentError(f"{what}: the arrays are of {a.dtype}, whose ULP are not counted; convert them to float64.")
    with np.errstate(invalid="ignore"):
        equal = (a == b) | (_is_nan(a) & _is_nan(b))
    if equal.all():
        return Difference(0.0, 0.0, 0, None)
    absolute = np.zeros(a.shape)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        wide = [array.astype(np.longdouble) for array in (a, b)]
        absolute = np.where(equal, 0, np.abs(wide[0] - wide[1]))
        absolute = np.where(np.isnan(absolute), np.inf, absolute)
        largest = np.maximum(np.abs(wide[0]), np.abs(wide[1]))
        relative = np.where(absolute == 0, 0, np.where(np.isinf(absolute), np.inf, absolute / largest))
    where = np.unravel_index(int(np.argmax(absolute)), a.shape)
    ulp = max(abs(int(x) - int(y)) for x, y in zip(_ordered(a[~equal]), _ordered(b[~equal]), strict=True))
    return Difference(float(absolute.max()), float(relative.max()), ulp, tuple(int(i) for i in where), a[where].item(), b[where].item())


def _is_nan(array: Array) -> Array:
    result: Array = array != array if _is_float(array) else np.zeros(array.shape, np.bool_)  # noqa: PLR0124
    return result


def _is_float(array: Array) -> bool:
    return array.dtype.kind == "f" or (array.dtype.kind == "V" and "float" in array.dtype.name)  # kind V: types of ml_dtypes


def _ordered(array: Array) -> Array:
    """Maps numbers to integers in the same order; adjacent numbers differ by one."""
    if not _is_float(array):
        return array
    if array.dtype.itemsize == 1:  # some 8-bit floats have no sign bit, or an unusual one
        with np.errstate(invalid="ignore"):
            known = np.unique(np.arange(256, dtype=np.uint8).view(array.dtype).astype(np.float64))
            return np.searchsorted(known, array.astype(np.float64))
    bits = array.view(np.dtype(f"i{array.dtype.itemsize}")).astype(np.int64)
    lowest = -(1 << (8 * array.dtype.itemsize - 1))
    ordered: Array = np.where(bits < 0, lowest - bits, bits)
    return ordered
