"""Neural network operations in NumPy, as references for the tests. Convolutions are explicit sums."""

from collections.abc import Callable
from typing import Any

import numpy as np
from samples import Array, Entry, Sample, Values

Pair = list[int]


def _nchw(array: Array, layout: str) -> Array:
    return np.moveaxis(array, -1, 1) if layout == "nhwc" else array


def _back(array: Array, layout: str) -> Array:
    return np.moveaxis(array, 1, -1) if layout == "nhwc" else array


def _oihw(array: Array, layout: str) -> Array:
    """Transposes a filter to the dimensions output, input, height, width."""
    return np.transpose(array, [layout.index(letter) for letter in "oihw"])


def _conv2d(
    input: Array,
    filter: Array,
    bias: Array | None = None,
    padding: list[int] | None = None,
    strides: Pair | None = None,
    dilations: Pair | None = None,
    groups: int = 1,
    input_layout: str = "nchw",
    filter_layout: str = "oihw",
) -> Array:
    x, weights = _nchw(input, input_layout), _oihw(filter, filter_layout)
    top, bottom, left, right = padding or [0] * 4
    (sy, sx), (dy, dx) = strides or [1, 1], dilations or [1, 1]
    x = np.pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)])
    outputs, inputs, rows, columns = weights.shape
    height, width = ((x.shape[2] - dy * (rows - 1) - 1) // sy + 1, (x.shape[3] - dx * (columns - 1) - 1) // sx + 1)
    result = np.zeros((x.shape[0], outputs, height, width))
    for output in range(outputs):
        first = output // (outputs // groups) * inputs
        for channel in range(inputs):
            for row in range(rows):
                for column in range(columns):
                    part = x[:, first + channel, row * dy :: sy, column * dx :: sx][:, :height, :width]
                    result[:, output] += part * weights[output, channel, row, column]
    if bias is not None:
        result += bias.reshape(1, -1, 1, 1)
    return _back(result, input_layout)


def _conv_transpose2d(
    input: Array,
    filter: Array,
    bias: Array | None = None,
    padding: list[int] | None = None,
    strides: Pair | None = None,
    dilations: Pair | None = None,
    output_padding: Pair | None = None,
    output_sizes: Pair | None = None,
    groups: int = 1,
    input_layout: str = "nchw",
    filter_layout: str = "iohw",
) -> Array:
    x, weights = _nchw(input, input_layout), _oihw(filter, filter_layout)  # weights: [outputs of a group, inputs, height, width]
    top, bottom, left, right = padding or [0] * 4
    (sy, sx), (dy, dx) = strides or [1, 1], dilations or [1, 1]
    outputs, inputs, rows, columns = weights.shape
    plain = [(x.shape[2] - 1) * sy + (rows - 1) * dy + 1, (x.shape[3] - 1) * sx + (columns - 1) * dx + 1]
    extra = output_padding or [0, 0]
    height, width = output_sizes or [plain[0] - top - bottom + extra[0], plain[1] - left - right + extra[1]]
    full = np.zeros((x.shape[0], outputs * groups, top + height + plain[0], left + width + plain[1]))
    for channel in range(inputs):
        for output in range(outputs):
            target = full[:, channel // (inputs // groups) * outputs + output]
            for at in np.ndindex(x.shape[2], x.shape[3], rows, columns):
                y, x_, row, column = at
                target[:, y * sy + row * dy, x_ * sx + column * dx] += (
                    x[:, channel, y, x_] * weights[output, channel, row, column]
                )
    result = full[:, :, top : top + height, left : left + width]
    if bias is not None:
        result = result + bias.reshape(1, -1, 1, 1)
    return _back(result, input_layout)


def _pool(reduce: Callable[[Array], Array]) -> Callable[..., Array]:
    """Makes a pooling reference. `reduce` gets the elements of a window as the last axis, with padding masked."""

    def reference(
        input: Array,
        window_dimensions: Pair | None = None,
        padding: list[int] | None = None,
        strides: Pair | None = None,
        dilations: Pair | None = None,
        layout: str = "nchw",
        output_shape_rounding: str = "floor",
        output_sizes: Pair | None = None,
    ) -> Array:
        x = _nchw(input, layout)
        window = window_dimensions or list(x.shape[2:])
        steps, gaps, pads = strides or [1, 1], dilations or [1, 1], padding or [0] * 4
        rounding = np.ceil if output_shape_rounding == "ceil" else np.floor
        sizes = output_sizes or [
            int(rounding((x.shape[2 + i] + pads[2 * i] + pads[2 * i + 1] - (window[i] - 1) * gaps[i] - 1) / steps[i])) + 1
            for i in (0, 1)
        ]
        result = np.zeros((*x.shape[:2], *sizes), x.dtype)
        for y, z in np.ndindex(*sizes):
            rows = [r for r in (y * steps[0] - pads[0] + i * gaps[0] for i in range(window[0])) if 0 <= r < x.shape[2]]
            columns = [c for c in (z * steps[1] - pads[2] + i * gaps[1] for i in range(window[1])) if 0 <= c < x.shape[3]]
            result[:, :, y, z] = reduce(x[:, :, rows][:, :, :, columns].reshape(*x.shape[:2], -1))
        return _back(result, layout)

    return reference


_POOL_OPTIONS: list[Sample] = [
    {},
    {"window_dimensions": [2, 3]},
    {"window_dimensions": [3, 3], "padding": [1, 0, 2, 1], "strides": [2, 2]},
    {"window_dimensions": [2, 2], "dilations": [2, 3]},
    {"window_dimensions": [2, 2], "strides": [2, 4], "output_shape_rounding": "ceil"},
    {"window_dimensions": [2, 2], "strides": [2, 4], "output_sizes": [3, 2]},
    {"window_dimensions": [3, 2], "layout": "nhwc", "padding": [1, 1, 0, 1]},
]
_POOL_SAMPLES: list[Sample] = [{"input": Values(1, 2, 5, 6), **options} for options in _POOL_OPTIONS]


def _normalize(input: Array, mean: Array, variance: Array, scale: Array | float, bias: Array | float, epsilon: float) -> Array:
    return np.asarray((input - mean) / np.sqrt(variance + epsilon) * scale + bias)


def _along(array: Array | None, axis: int, rank: int, absent: float) -> Array:
    """Reshapes a vector to broadcast along an axis. Returns the number `absent` if there is no vector."""
    return np.full((), absent) if array is None else array.reshape([-1 if i == axis else 1 for i in range(rank)])


def _batch_normalization(
    input: Array,
    mean: Array,
    variance: Array,
    scale: Array | None = None,
    bias: Array | None = None,
    epsilon: float = 1e-5,
    axis: int = 1,
) -> Array:
    def vector(array: Array | None, absent: float = 0) -> Array:
        return _along(array, axis, input.ndim, absent)

    return _normalize(input, vector(mean), vector(variance), vector(scale, 1), vector(bias), epsilon)


def _instance_normalization(
    input: Array, scale: Array | None = None, bias: Array | None = None, epsilon: float = 1e-5, layout: str = "nchw"
) -> Array:
    axes, channels = ((1, 2), 3) if layout == "nhwc" else ((2, 3), 1)
    mean, variance = input.mean(axes, keepdims=True), input.var(axes, keepdims=True)
    return _normalize(input, mean, variance, _along(scale, channels, 4, 1), _along(bias, channels, 4, 0), epsilon)


def _layer_normalization(
    input: Array, scale: Array | None = None, bias: Array | None = None, epsilon: float = 1e-5, axes: list[int] | None = None
) -> Array:
    chosen = list(range(1, input.ndim)) if axes is None else axes

    def spread(array: Array | None, absent: float) -> Array:
        if array is None:
            return np.full((), absent)
        order = np.argsort(np.argsort(chosen))  # scale and bias have their dimensions in the order of the axes
        sorted_array = array.transpose(np.argsort(chosen)) if chosen else array
        assert len(order) == array.ndim
        return sorted_array.reshape([input.shape[i] if i in chosen else 1 for i in range(input.ndim)])

    mean, variance = input.mean(tuple(chosen), keepdims=True), input.var(tuple(chosen), keepdims=True)
    return _normalize(input, mean, variance, spread(scale, 1), spread(bias, 0), epsilon)


def _gemm(
    a: Array,
    b: Array,
    c: Array | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    a_transpose: bool = False,
    b_transpose: bool = False,
) -> Array:
    product = alpha * ((a.T if a_transpose else a) @ (b.T if b_transpose else b))
    return np.asarray(product if c is None else product + beta * c)


def _softmax(input: Array, axis: int) -> Array:
    powers = np.exp(input - input.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


def _reduction(reduce: Callable[..., Any]) -> Callable[..., Array]:
    def reference(input: Array, axes: list[int] | None = None, keep_dimensions: bool = False) -> Array:
        chosen = tuple(range(input.ndim)) if axes is None else tuple(axes)
        return np.asarray(reduce(input, axis=chosen, keepdims=keep_dimensions, dtype=input.dtype))

    return reference


def _without_type(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axis, keepdims, dtype: function(x, axis=axis, keepdims=keepdims)


_REDUCTION_SAMPLES: list[tuple[tuple[int, ...], Sample]] = [
    ((), {}),
    ((7,), {}),
    ((3, 4), {"axes": [1]}),
    ((3, 4), {"axes": []}),
    ((2, 3, 4), {"axes": [0, 2], "keep_dimensions": True}),
    ((2, 3, 4), {"keep_dimensions": True}),
    ((40, 3), {"axes": [0]}),
]


def reduction(reduce: Callable[..., Any], ulp: int = 4, **limits: Any) -> Entry:
    samples = [{"input": Values(*shape, **limits), **options} for shape, options in _REDUCTION_SAMPLES]
    return Entry(_reduction(reduce), samples, ulp, of_largest=True)


def _conv_samples(filter_layouts: list[str], first: str, grouped: tuple[int, int]) -> list[Sample]:
    """Makes samples. `first` is the default filter layout; `grouped` has the filter's first two sizes for 2 groups of 4
    channels."""
    sizes = dict(zip(first, (3, 2, 3, 2) if first[0] == "o" else (2, 3, 3, 2), strict=True))
    base: Sample = {"input": Values(2, 2, 5, 6), "filter": Values(*sizes.values())}
    return [
        base,
        base | {"bias": Values(3), "padding": [1, 2, 0, 1], "strides": [2, 1]},
        base | {"dilations": [2, 2], "padding": [1, 1, 1, 1]},
        {"input": Values(1, 4, 5, 5), "filter": Values(*grouped, 2, 2), "groups": 2},
        *(
            {
                "input": Values(1, 5, 6, 2),
                "filter": Values(*(sizes[letter] for letter in layout)),
                "input_layout": "nhwc",
                "filter_layout": layout,
            }
            for layout in filter_layouts
        ),
    ]


TABLE: dict[str, Entry] = {
    "average_pool2d": Entry(_pool(lambda x: x.mean(-1)), _POOL_SAMPLES, 4, of_largest=True),
    "l2_pool2d": Entry(_pool(lambda x: np.sqrt((x * x).sum(-1))), _POOL_SAMPLES, 4, of_largest=True),
    "max_pool2d": Entry(_pool(lambda x: x.max(-1)), _POOL_SAMPLES),
    "batch_normalization": Entry(
        _batch_normalization,
        [
            {"input": Values(2, 3), "mean": Values(3), "variance": Values(3, low=0.5)},
            {
                "input": Values(2, 3, 4, 2),
                "mean": Values(3),
                "variance": Values(3, low=0.5),
                "scale": Values(3),
                "bias": Values(3),
            },
            {"input": Values(2, 3, 4), "mean": Values(4), "variance": Values(4, low=0.5), "axis": 2, "epsilon": 0.1},
            {"input": Values(5), "mean": Values(5), "variance": Values(5, low=0.5), "axis": 0, "bias": Values(5)},
        ],
        8,
        of_largest=True,
    ),
    "instance_normalization": Entry(
        _instance_normalization,
        [
            {"input": Values(2, 3, 4, 5)},
            {"input": Values(2, 3, 4, 5), "scale": Values(3), "bias": Values(3), "epsilon": 0.01},
            {"input": Values(2, 3, 4, 5), "scale": Values(5), "layout": "nhwc"},
        ],
        8,
        of_largest=True,
    ),
    "layer_normalization": Entry(
        _layer_normalization,
        [
            {"input": Values(2, 6)},
            {"input": Values(2, 3, 4), "scale": Values(3, 4), "bias": Values(3, 4)},
            {"input": Values(2, 3, 4), "axes": [2], "scale": Values(4), "epsilon": 0.1},
            {"input": Values(2, 3, 4), "axes": [0, 2], "scale": Values(2, 4), "bias": Values(2, 4)},
            {"input": Values(2, 3, 4), "axes": [2, 1], "scale": Values(4, 3), "bias": Values(4, 3)},
        ],
        8,
        of_largest=True,
    ),
    "conv2d": Entry(_conv2d, _conv_samples(["oihw", "hwio", "ohwi", "ihwo"], "oihw", (6, 2)), 4, of_largest=True),
    "conv_transpose2d": Entry(
        _conv_transpose2d,
        [
            *_conv_samples(["iohw", "hwoi", "ohwi"], "iohw", (4, 3)),
            {"input": Values(1, 2, 3, 3), "filter": Values(2, 1, 2, 3), "strides": [3, 2], "output_padding": [1, 1]},
            {"input": Values(1, 2, 3, 3), "filter": Values(2, 1, 2, 2), "strides": [2, 2], "output_sizes": [7, 6]},
        ],
        4,
        of_largest=True,
    ),
    "gemm": Entry(
        _gemm,
        [
            {"a": Values(3, 4), "b": Values(4, 5)},
            {"a": Values(4, 3), "b": Values(5, 4), "a_transpose": True, "b_transpose": True, "alpha": 0.5},
            {"a": Values(3, 4), "b": Values(4, 5), "c": Values(), "beta": 2.0},
            {"a": Values(3, 4), "b": Values(4, 5), "c": Values(5)},
            {"a": Values(3, 4), "b": Values(4, 5), "c": Values(3, 1), "alpha": 2},
            {"a": Values(33, 70), "b": Values(70, 17), "c": Values(33, 17)},
        ],
        4,
        of_largest=True,
    ),
    "matmul": Entry(
        np.matmul,
        [
            {"a": Values(*a), "b": Values(*b)}
            for a, b in [((3, 4), (4, 5)), ((1, 1), (1, 1)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (3, 4, 2)), ((35, 65), (65, 19))]
        ],
        4,
        of_largest=True,
    ),
    "softmax": Entry(
        _softmax,
        [{"input": Values(7), "axis": 0}, {"input": Values(3, 20), "axis": 1}, {"input": Values(2, 3, 4), "axis": 1}],
        4,
        of_largest=True,
    ),
    "reduce_l1": reduction(lambda x, axis, keepdims, dtype: np.sum(np.abs(x), axis, dtype, keepdims=keepdims)),
    "reduce_l2": reduction(lambda x, axis, keepdims, dtype: np.sqrt(np.sum(x * x, axis, keepdims=keepdims))),
    "reduce_log_sum": reduction(lambda x, axis, keepdims, dtype: np.log(np.sum(x, axis, keepdims=keepdims)), low=0.5),
    "reduce_log_sum_exp": reduction(lambda x, axis, keepdims, dtype: np.log(np.sum(np.exp(x), axis, keepdims=keepdims))),
    "reduce_max": reduction(_without_type(np.max), 0),
    "reduce_mean": reduction(np.mean),
    "reduce_min": reduction(_without_type(np.min), 0),
    "reduce_product": reduction(np.prod, low=0.5, high=1.5),
    "reduce_sum": reduction(np.sum),
    "reduce_sum_square": reduction(lambda x, axis, keepdims, dtype: np.sum(x * x, axis, dtype, keepdims=keepdims)),
}
