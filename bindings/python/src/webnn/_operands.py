"""The operators of MLOperand: x + y, x @ w, -x, x > 0, x[..., 1:]."""

import operator
from collections.abc import Callable
from types import EllipsisType
from typing import Any

import numpy as np

from webnn._arguments import integer
from webnn._builder import builder_of
from webnn._errors import ArgumentError
from webnn._webnn import MLOperand

Index = int | slice | EllipsisType | None


def _operator(method: str, is_reflected: bool = False) -> Callable[..., Any]:
    """Returns an operator that calls a builder's method. A reflected operator (2 - x) swaps its operands."""

    def operate(self: MLOperand, *others: Any) -> MLOperand:
        operands = (*others, self) if is_reflected else (self, *others)
        result: MLOperand = getattr(builder_of(self), method)(*operands)
        return result

    return operate


def _getitem(self: MLOperand, index: Index | tuple[Index, ...]) -> MLOperand:
    """Slices as NumPy does. An index is an integer, a slice with a positive step, `...` or None."""
    items = _expanded(index if isinstance(index, tuple) else (index,), self.rank)
    starts: list[int | str] = []
    sizes: list[int | str] = []
    strides: list[int] = []
    shape: list[int | None] = []  # the axis of each dimension of the result; None: a new dimension of size 1
    axis = 0
    for item in items:
        if item is None:
            shape.append(None)
            continue
        extent = self.shape[axis]
        if isinstance(extent, str):
            start, size, step = _open_range(item, axis, extent)
        elif isinstance(item, slice):
            start, stop, step = _range(item, extent)
            if start >= stop:
                raise ArgumentError(f"[]: the slice of axis {axis} is empty, and WebNN has no empty operands.")
            size = stop - start
        else:
            start, size, step = _place(item, axis, extent), 1, 1
        if isinstance(item, slice):
            shape.append(axis)
        starts.append(start)
        sizes.append(size)
        strides.append(step)
        axis += 1
    builder = builder_of(self)
    result = self
    if sizes != self.shape or any(stride != 1 for stride in strides):
        result = builder.slice(self, starts, sizes, strides=strides)
    wanted = [1 if kept is None else result.shape[kept] for kept in shape]
    return result if result.shape == wanted else builder.reshape(result, wanted)


def _expanded(index: tuple[Any, ...], rank: int) -> list[Any]:
    """Replaces `...` and missing indices by full slices."""
    used = sum(item is not None and item is not Ellipsis for item in index)
    if used > rank:
        raise ArgumentError(f"[]: there are {used} indices for the rank {rank}.")
    dots = [place for place, item in enumerate(index) if item is Ellipsis]
    if len(dots) > 1:
        raise ArgumentError("[]: there is more than one `...`.")
    place = dots[0] if dots else len(index)
    return [*index[:place], *[slice(None)] * (rank - used), *index[place + len(dots) :]]


def _range(item: slice, extent: int) -> tuple[int, int, int]:
    for part in (item.start, item.stop, item.step):
        if part is not None:
            integer(part, "[]: a part of a slice")
    if item.step is not None and operator.index(item.step) == 0:
        raise ArgumentError("[]: the step of a slice is 0.")
    start, stop, step = item.indices(extent)
    if step < 1:
        raise ArgumentError(f"[]: the step ({step}) is negative; builder.reverse(x) turns axes round.")
    return start, stop, step


def _open_range(item: Any, axis: int, extent: str) -> tuple[int | str, int | str, int]:
    """Returns the start, size and step of an index of an open dimension. Bounds beyond its size raise an error in the run."""
    if not isinstance(item, slice):
        place = integer(item, "[]: an index of an open dimension")
        return (place if place >= 0 else f"({extent}) - {-place}"), 1, 1
    start, stop = (None if part is None else integer(part, "[]: a part of a slice") for part in (item.start, item.stop))
    step = 1 if item.step is None else integer(item.step, "[]: the step of a slice", 1)
    first = start or 0
    if first < 0:
        if stop is not None and (stop >= 0 or stop <= first):
            raise ArgumentError(f"[]: the size of the slice of axis {axis} ({extent}) is not known; use builder.slice().")
        return f"({extent}) - {-first}", (stop or 0) - first, step
    if stop is None or stop < 0:
        size = extent if first == 0 and stop is None else f"({extent}) - {first - (stop or 0)}"
        return first, size, step
    if stop <= first:
        raise ArgumentError(f"[]: the slice of axis {axis} is empty, and WebNN has no empty operands.")
    return first, stop - first, step


def _place(item: Any, axis: int, extent: int) -> int:
    if not isinstance(item, int | np.integer) or isinstance(item, bool):
        kind = type(item).__name__
        raise ArgumentError(f"[]: an index must be an integer, a slice, ... or None, not {kind}; gather() takes others.")
    if not -extent <= item < extent:
        raise ArgumentError(f"[]: the index ({item}) of axis {axis} is not below its size ({extent}).")
    return int(item) % extent


def _truth(self: MLOperand) -> bool:
    raise ArgumentError(f"{self!r} has no value while the graph is built, so it is neither true nor false; use where().")


def _reduce(self: MLOperand) -> Any:
    raise ArgumentError("an operand cannot be pickled; build its graph, and pickle that.")


_REFLECTED = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "matmul": "matmul", "pow": "pow"}
_COMPARED = {"gt": "greater", "ge": "greater_or_equal", "lt": "lesser", "le": "lesser_or_equal"}
for _name, _method in {**_REFLECTED, **_COMPARED, "neg": "neg", "abs": "abs"}.items():
    setattr(MLOperand, f"__{_name}__", _operator(_method))
    if _name in _REFLECTED:
        setattr(MLOperand, f"__r{_name}__", _operator(_method, is_reflected=True))
MLOperand.__getitem__ = _getitem  # type: ignore[method-assign]
MLOperand.__iter__ = None  # type: ignore[attr-defined]
MLOperand.__bool__ = _truth  # type: ignore[method-assign]
MLOperand.__reduce__ = _reduce  # type: ignore[method-assign, assignment]
MLOperand.__array_ufunc__ = None  # type: ignore[attr-defined]  # so that NumPy leaves array * operand to MLOperand
