"""Operations that move elements in NumPy, as references for the tests."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from samples import Array, Entry, Sample, Values

TYPES = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"]


def _cast(input: Array, data_type: str) -> Array:
    return input.astype("int8" if data_type == "int4" else "uint8" if data_type == "uint4" else data_type)


def _indices(array: Array) -> Array:
    return array.astype(np.int64)


def _gather_nd(input: Array, indices: Array) -> Array:
    return np.asarray(input[tuple(np.moveaxis(_indices(indices), -1, 0))])


def _scatter_elements(input: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    result = input.copy()
    for at in np.ndindex(indices.shape):
        target = list(at)
        target[axis] = int(indices[at])
        result[tuple(target)] = updates[at]
    return result


def _scatter_nd(input: Array, indices: Array, updates: Array) -> Array:
    result = input.copy()
    for at in np.ndindex(indices.shape[:-1]):
        result[tuple(_indices(indices[at]))] = updates[at]
    return result


def _pad(
    input: Array, beginning_padding: list[int], ending_padding: list[int], mode: str = "constant", value: float = 0
) -> Array:
    width = list(zip(beginning_padding, ending_padding, strict=True))
    if not width:
        return input
    if mode == "constant":
        return np.pad(input, width, constant_values=value)
    return np.pad(input, width, "reflect" if mode == "reflection" else "edge")


def _slice(input: Array, starts: list[int], sizes: list[int], strides: list[int] | None = None) -> Array:
    steps = strides or [1] * len(starts)
    ranges = (slice(start, start + size, step) for start, size, step in zip(starts, sizes, steps, strict=True))
    return np.asarray(input[tuple(ranges)])


def _split(input: Array, splits: int | list[int], axis: int = 0) -> list[Array]:
    if isinstance(splits, int):
        return np.split(input, splits, axis)
    ends = [0, *np.cumsum(splits).tolist()]
    return [np.take(input, range(start, end), axis) for start, end in pairwise(ends)]


def _triangular(input: Array, upper: bool = True, diagonal: int = 0) -> Array:
    return np.triu(input, diagonal) if upper else np.tril(input, diagonal)


def _cumulative_sum(input: Array, axis: int, exclusive: bool = False, reversed: bool = False) -> Array:
    values = np.flip(input, axis) if reversed else input
    sums = np.cumsum(values, axis, dtype=input.dtype)
    if exclusive:
        sums = sums - values
    return np.flip(sums, axis) if reversed else sums


def _reverse(input: Array, axes: list[int] | None = None) -> Array:
    return np.flip(input, None if axes is None else tuple(axes))


def _coordinates(size: int, new_size: int, scale: float) -> Array:
    """Returns the centres of the new elements, in units of the old elements."""
    return np.asarray(np.clip((np.arange(new_size) + 0.5) / scale - 0.5, 0, size - 1))


def _resample2d(
    input: Array,
    mode: str = "nearest-neighbor",
    scales: list[float] | None = None,
    sizes: list[int] | None = None,
    axes: list[int] | None = None,
) -> Array:
    result = input.astype(float)
    for i, axis in enumerate(axes or [2, 3]):
        size = input.shape[axis]
        scale = sizes[i] / size if sizes else (scales or [1.0, 1.0])[i]
        x = _coordinates(size, sizes[i] if sizes else int(size * scale), scale)
        lower, upper = np.floor(x).astype(int), np.ceil(x).astype(int)
        if mode == "linear":
            part = (x - lower).reshape([-1 if k == axis else 1 for k in range(4)])
            result = np.take(result, lower, axis) * (1 - part) + np.take(result, upper, axis) * part
        else:
            result = np.take(result, np.ceil(x - 0.5).astype(int), axis)
    return result if input.dtype.kind == "f" else np.rint(result)


_RESAMPLE_OPTIONS: list[Sample] = [
    {},
    {"scales": [2, 2]},
    {"scales": [2.0, 0.5]},
    {"sizes": [5, 7]},
    {"sizes": [2, 3], "axes": [1, 2]},
    {"mode": "linear", "sizes": [6, 8]},
    {"mode": "linear", "scales": [3, 2]},
    {"mode": "linear", "sizes": [2, 2]},
    {"mode": "linear", "sizes": [4, 5], "axes": [1, 2]},
]
_SUM_OPTIONS: list[Sample] = [{}, {"exclusive": True}, {"reversed": True}, {"exclusive": True, "reversed": True}]
_TRIANGLES: list[Sample] = [{}, {"upper": False}, {"diagonal": 1}, {"upper": False, "diagonal": -1}, {"diagonal": -9}]


def _arg(function: Callable[..., Any]) -> Callable[..., Array]:
    def reference(input: Array, axis: int, keep_dimensions: bool = False, output_data_type: str = "int32") -> Array:
        return np.asarray(function(input, axis=axis, keepdims=keep_dimensions)).astype(output_data_type)

    return reference


_ARG_SAMPLES: list[Sample] = [
    {"input": Values(5), "axis": 0},
    {"input": Values(3, 4), "axis": 1, "keep_dimensions": True},
    {"input": Values(2, 3, 4), "axis": 1, "output_data_type": "int64"},
    {"input": Values(2, 30, 2, low=0, high=1), "axis": 1},
]


def over(reference: Callable[..., Any], key: str, *choices: tuple[tuple[int, ...], Any], **more: Any) -> Entry:
    """Makes an entry with a sample for each pair of an input shape and a value of the argument `key`."""
    return Entry(reference, [{"input": Values(*shape), key: value, **more} for shape, value in choices])


TABLE: dict[str, Entry] = {
    "arg_max": Entry(_arg(np.argmax), _ARG_SAMPLES),
    "arg_min": Entry(_arg(np.argmin), _ARG_SAMPLES),
    "cast": Entry(
        _cast,
        [
            {"input": Values(*shape, low=0 if target.startswith("u") else -8, high=7), "data_type": target}
            for target in TYPES
            for shape in [(), (5,), (2, 3, 4)]
        ],
    ),
    "concat": Entry(
        np.concatenate,
        [
            {"inputs": [Values(3)], "axis": 0},
            {"inputs": [Values(2, 3), Values(1, 3), Values(4, 3)], "axis": 0},
            {"inputs": [Values(2, 3, 1), Values(2, 1, 1)], "axis": 1},
            {"inputs": [Values(1, 1, 2, 1, 1, 1, 1, 3)] * 3, "axis": 7},
        ],
    ),
    "cumulative_sum": Entry(
        _cumulative_sum,
        [
            {"input": Values(*shape), "axis": axis, **options}
            for shape, axis in [((5,), 0), ((2, 3, 4), 1), ((3, 1, 7), 2)]
            for options in _SUM_OPTIONS
        ],
        4,
        of_largest=True,
    ),
    "expand": over(np.broadcast_to, "new_shape", ((), []), ((), [2, 3]), ((1, 3), [2, 3]), ((3, 1), [2, 3, 4]), ((1,), [7])),
    "gather": Entry(
        lambda input, indices, axis=0: np.take(input, _indices(indices), axis),
        [
            {"input": Values(6), "indices": Values(4, low=-6, high=5)},
            {"input": Values(3, 4), "indices": Values(low=0, high=2)},
            {"input": Values(3, 4, 2), "indices": Values(2, 3, low=-4, high=3), "axis": 1},
            {"input": Values(2, 5), "indices": Values(1, 7, low=0, high=4), "axis": 1},
        ],
    ),
    "gather_elements": Entry(
        lambda input, indices, axis=0: np.take_along_axis(input, _indices(indices), axis),
        [
            {"input": Values(6), "indices": Values(4, low=-6, high=5)},
            {"input": Values(3, 4), "indices": Values(5, 4, low=0, high=2)},
            {"input": Values(2, 4, 3), "indices": Values(2, 2, 3, low=-4, high=3), "axis": 1},
        ],
    ),
    "gather_nd": Entry(
        _gather_nd,
        [
            {"input": Values(6), "indices": Values(1, low=-6, high=5)},
            {"input": Values(3, 3), "indices": Values(5, 2, low=-3, high=2)},
            {"input": Values(3, 2, 4), "indices": Values(2, 2, 1, low=0, high=2)},
        ],
    ),
    "pad": Entry(
        _pad,
        [
            {"input": Values(), "beginning_padding": [], "ending_padding": []},
            {"input": Values(3), "beginning_padding": [1], "ending_padding": [2]},
            {"input": Values(2, 3), "beginning_padding": [0, 1], "ending_padding": [1, 0], "value": 5},
            {"input": Values(4, 3), "beginning_padding": [1, 2], "ending_padding": [3, 1], "mode": "edge"},
            {"input": Values(4, 3), "beginning_padding": [3, 2], "ending_padding": [1, 0], "mode": "reflection"},
            {"input": Values(2, 1, 3, 2), "beginning_padding": [0, 0, 1, 1], "ending_padding": [0, 0, 1, 1], "value": 1.0},
        ],
    ),
    "resample2d": Entry(
        _resample2d,
        [{"input": Values(1, 2, 3, 4), **options} for options in _RESAMPLE_OPTIONS],
        4,
        of_largest=True,
    ),
    "reshape": over(
        np.reshape, "new_shape", ((), [1, 1]), ((1,), []), ((2, 3), [6]), ((2, 3, 4), [4, 3, 2]), ((8,), [2, 1, 2, 1, 1, 1, 2, 1])
    ),
    "reverse": Entry(
        _reverse,
        [
            {"input": Values()},
            {"input": Values(5)},
            {"input": Values(2, 3, 4), "axes": [1]},
            {"input": Values(2, 3, 4), "axes": [0, 2]},
            {"input": Values(3, 3), "axes": []},
        ],
    ),
    "scatter_elements": Entry(
        _scatter_elements,
        [
            {"input": Values(6), "indices": Values(4, low=-6, high=5), "updates": Values(4)},
            {"input": Values(3, 4), "indices": Values(3, 2, low=0, high=3), "updates": Values(3, 2), "axis": 1},
            {"input": Values(4, 2, 2), "indices": Values(3, 2, 2, low=-4, high=3), "updates": Values(3, 2, 2)},
        ],
    ),
    "scatter_nd": Entry(
        _scatter_nd,
        [
            {"input": Values(6), "indices": Values(3, 1, low=-6, high=5), "updates": Values(3)},
            {"input": Values(3, 3), "indices": Values(4, 2, low=-3, high=2), "updates": Values(4)},
            {"input": Values(3, 2, 4), "indices": Values(2, 1, low=0, high=2), "updates": Values(2, 2, 4)},
        ],
    ),
    "slice": Entry(
        _slice,
        [
            {"input": Values(), "starts": [], "sizes": []},
            {"input": Values(9), "starts": [2], "sizes": [5]},
            {"input": Values(9), "starts": [1], "sizes": [7], "strides": [3]},
            {"input": Values(4, 5, 3), "starts": [1, 0, 2], "sizes": [2, 5, 1], "strides": [1, 2, 1]},
        ],
    ),
    "split": Entry(
        _split,
        [
            {"input": Values(6), "splits": 3},
            {"input": Values(6, 2), "splits": [1, 2, 3]},
            {"input": Values(2, 4, 3), "splits": 2, "axis": 1},
            {"input": Values(2, 7), "splits": [7], "axis": 1},
        ],
    ),
    "tile": over(np.tile, "repetitions", ((), []), ((3,), [2]), ((2, 3), [1, 3]), ((1, 2, 1), [3, 2, 2])),
    "transpose": Entry(
        lambda input, permutation=None: np.transpose(input, permutation),
        [
            {"input": Values()},
            {"input": Values(3, 4)},
            {"input": Values(2, 3, 4), "permutation": [1, 2, 0]},
            {"input": Values(2, 3, 4, 5), "permutation": [0, 2, 3, 1]},
            {"input": Values(1, 2, 1, 2, 1, 3, 1, 2), "permutation": [7, 5, 6, 3, 4, 1, 2, 0]},
        ],
    ),
    "triangular": Entry(
        _triangular,
        [{"input": Values(*shape), **options} for shape in [(3, 3), (2, 3, 5), (2, 1, 4, 2)] for options in _TRIANGLES],
    ),
    "where": Entry(
        lambda condition, true_value, false_value: np.where(condition != 0, true_value, false_value),
        [
            {"condition": Values(*condition, high=2), "true_value": Values(*yes), "false_value": Values(*no)}
            for condition, yes, no in [((), (), ()), ((5,), (5,), (5,)), ((2, 1), (3,), (2, 3)), ((4,), (), (3, 1))]
        ],
    ),
}
