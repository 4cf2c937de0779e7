"""Element-wise operations in NumPy, as references for the tests."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from samples import Array, Entry, Sample, Values

_erf: Callable[[Array], Array] = np.vectorize(math.erf, otypes=[float])
_erfc: Callable[[Array], Array] = np.vectorize(math.erfc, otypes=[float])


def unary(reference: Callable[..., Any], ulp: int = 0, *, operand: str = "input", **limits: Any) -> Entry:
    """Makes an entry with samples of several ranks. `limits` are passed to Values."""
    samples: list[Sample] = [
        {operand: Values(*shape, **limits)} for shape in [(), (1,), (37,), (2, 3, 5), (1, 2, 1, 2, 1, 3, 1, 2)]
    ]
    return Entry(reference, [*samples, {operand: Values(15, special=True, **limits)}], ulp)


def binary(reference: Callable[..., Any], ulp: int = 0, *, first: Any = None, second: Any = None) -> Entry:
    """Makes an entry with samples with and without broadcasting. `first` and `second` are the operands' limits for Values."""
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((), ()),
        ((4,), (4,)),
        ((33, 2), (33, 2)),
        ((2, 3), ()),
        ((1,), (5, 4)),
        ((2, 1, 4), (3, 1)),
        ((2, 1, 1, 2, 1, 1, 1, 3), (1, 2, 1, 1, 1, 2, 1, 3)),
    ]
    samples = [{"a": Values(*a, **(first or {})), "b": Values(*b, **(second or {}))} for a, b in shapes]
    special = {"a": Values(15, special=True, **(first or {})), "b": Values(15, special=True, **(second or {}))}
    return Entry(reference, [*samples, special], ulp)


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.asarray(a / b)
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object)) * np.sign(a.astype(object)) * np.sign(b.astype(object))
    return np.asarray(quotient, dtype=object).astype(a.dtype)


def _clamp(input: Array, min_value: float = -np.inf, max_value: float = np.inf) -> Array:
    if input.dtype.kind == "f":
        return np.clip(input, min_value, max_value)
    info = np.iinfo(input.dtype)
    low, high = (int(min(max(value, info.min), info.max)) for value in (min_value, max_value))
    return np.clip(input, input.dtype.type(low), input.dtype.type(high))


def _linear(input: Array, alpha: float = 1.0, beta: float = 0.0) -> Array:
    return alpha * input + beta


def _options(reference: Callable[..., Any], choices: list[Sample], ulp: int = 0) -> Entry:
    samples = [{"input": Values(*shape), **options} for shape in [(), (3, 11)] for options in choices]
    return Entry(reference, [*samples, {"input": Values(15, special=True)}], ulp)


def _hard_sigmoid(input: Array, alpha: float = 0.2, beta: float = 0.5) -> Array:
    return np.clip(alpha * input + beta, 0, 1)


def _elu(input: Array, alpha: float = 1.0) -> Array:
    return np.where(input > 0, input, alpha * np.expm1(input))


def _leaky_relu(input: Array, alpha: float = 0.01) -> Array:
    return np.where(input < 0, alpha * input, input)


def _prelu(input: Array, slope: Array) -> Array:
    return np.where(input < 0, slope * input, input)


def _quantize(input: Array, scale: Array, zero_point: Array) -> Array:
    return np.rint(input / _spread(scale, input.shape)) + _spread(zero_point, input.shape)


def _spread(array: Array, shape: tuple[int, ...]) -> Array:
    """Repeats each element over its block, so that the result has the given shape."""
    for axis, size in enumerate(shape):
        array = np.repeat(array, size // array.shape[axis], axis)
    return array


def _dequantize(input: Array, scale: Array, zero_point: Array) -> Array:
    return (input.astype(float) - _spread(zero_point, input.shape)) * _spread(scale, input.shape)


_BLOCKS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((), ()),
    ((5,), (1,)),
    ((3, 4), (3, 1)),
    ((4, 6), (2, 3)),
    ((2, 3, 4), (2, 3, 4)),
]
_EXACT_SCALES: dict[str, Any] = {"low": 0.5, "high": 0.5}  # a power of 2, so that no quotient is rounded
_SMALL: dict[str, Any] = {"low": -100, "high": 100}

COMPARISONS = {
    "equal": np.equal,
    "not_equal": np.not_equal,
    "greater": np.greater,
    "greater_or_equal": np.greater_equal,
    "lesser": np.less,
    "lesser_or_equal": np.less_equal,
}
LOGIC = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}

TABLE: dict[str, Entry] = {
    **{
        name: binary(function, first={"low": -3, "high": 3}, second={"low": -3, "high": 3})
        for name, function in COMPARISONS.items()
    },
    **{name: binary(function, first={"high": 2}, second={"high": 2}) for name, function in LOGIC.items()},
    "logical_not": unary(np.logical_not, operand="a", high=2),
    "is_nan": unary(np.isnan, operand="a"),
    "is_infinite": unary(np.isinf, operand="a"),
    "add": binary(np.add),
    "sub": binary(np.subtract),
    "mul": binary(np.multiply),
    "div": binary(_divide, second={"low": 1, "high": 9}),
    "max": binary(np.maximum),
    "min": binary(np.minimum),
    "pow": binary(np.power, 2, first={"low": 0.5, "high": 9}, second={"low": 0, "high": 4}),
    "prelu": Entry(
        _prelu,
        [
            {"input": Values(*shape), "slope": Values(*slope)}
            for shape, slope in [((), ()), ((7,), (7,)), ((2, 3, 5), (5,)), ((2, 3, 5), (3, 1)), ((4, 2), ())]
        ],
    ),
    "abs": unary(np.abs),
    "ceil": unary(np.ceil),
    "cos": unary(np.cos, 2),
    "erf": unary(_erf, 3),
    "exp": unary(np.exp, 2),
    "floor": unary(np.floor),
    "gelu": unary(lambda x: 0.5 * x * _erfc(-x / math.sqrt(2)), 4),
    "hard_swish": unary(lambda x: x * np.clip(x + 3, 0, 6) / 6, 2),
    "identity": unary(np.copy),
    "log": unary(np.log, 2, low=0.1),
    "neg": unary(np.negative),
    "reciprocal": unary(np.reciprocal, low=0.25),
    "relu": unary(lambda x: np.maximum(x, 0)),
    "round_even": unary(np.rint),
    "sigmoid": unary(lambda x: 1 / (1 + np.exp(-x)), 3),
    "sign": unary(lambda x: (x > 0) * 1 - (x < 0) * 1),
    "sin": unary(np.sin, 2),
    "softplus": unary(lambda x: np.logaddexp(0, x), 3),
    "softsign": unary(lambda x: x / (1 + np.abs(x)), 1),
    "sqrt": unary(np.sqrt, low=0),
    "tan": unary(np.tan, 4),
    "tanh": unary(np.tanh, 3),
    "clamp": _options(
        _clamp,
        [
            {},
            {"min_value": 1},
            {"max_value": 2.0},
            {"min_value": -1, "max_value": 1},
            {"min_value": 0, "max_value": 2**53 + 1},
            {"min_value": -np.inf, "max_value": np.inf},
        ],
    ),
    "elu": _options(_elu, [{}, {"alpha": 0.5}, {"alpha": 2}], 2),
    "leaky_relu": _options(_leaky_relu, [{}, {"alpha": 0.2}, {"alpha": -2.0}]),
    "hard_sigmoid": _options(_hard_sigmoid, [{}, {"alpha": 0.5}, {"beta": 0.25}, {"alpha": -1, "beta": 0}], 2),
    "linear": _options(_linear, [{}, {"alpha": 0.5}, {"beta": -2}, {"alpha": 2, "beta": 1.5}]),
    "quantize_linear": Entry(
        _quantize,
        [
            {"input": Values(*shape), "scale": Values(*block, **_EXACT_SCALES), "zero_point": Values(*block, **_SMALL)}
            for shape, block in _BLOCKS
        ],
    ),
    "dequantize_linear": Entry(
        _dequantize,
        [
            {"input": Values(*shape, **_SMALL), "scale": Values(*block, low=0.1), "zero_point": Values(*block, **_SMALL)}
            for shape, block in _BLOCKS
        ],
        1,
    ),
}
