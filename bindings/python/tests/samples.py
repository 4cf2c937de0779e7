"""Runs operations on random arguments, to compare the library with NumPy."""

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from inspect import signature
from itertools import product
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

import webnn
from webnn._webnn import _snake_case

Array: TypeAlias = npt.NDArray[Any]
# Arguments by name. Operands are Values, or lists of them; all other arguments are given as they are.
Sample: TypeAlias = dict[str, Any]

FLOATS = ("float32", "float16")
NIBBLES = {"int4": (-8, 7), "uint4": (0, 15)}
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-7, -1e-7, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 60000.0, -60000.0]


def limits(data_type: str) -> tuple[int, int]:
    """Returns the least and the greatest value of an integer type."""
    return NIBBLES[data_type] if data_type in NIBBLES else (int(np.iinfo(data_type).min), int(np.iinfo(data_type).max))


class Values:
    """Random elements of a shape: by default, integers of the type's whole range, or floats in [-4, 4]. A quarter of the floats are
    multiples of 0.5."""

    def __repr__(self) -> str:
        return f"Values{self.shape}"

    def __init__(self, *shape: int, low: float | None = None, high: float | None = None, special: bool = False) -> None:
        self.shape, self.low, self.high, self.special = shape, low, high, special

    def make(self, data_type: str, rng: np.random.Generator) -> Array:
        if data_type in FLOATS:
            return self._floats(rng).astype(data_type)
        least, most = limits(data_type)
        low = least if self.low is None else max(least, int(self.low))
        high = most if self.high is None else min(most, int(self.high))
        storage = ("uint8" if data_type == "uint4" else "int8") if data_type in NIBBLES else data_type
        return rng.integers(low, high, self.shape, storage, endpoint=True)

    def _floats(self, rng: np.random.Generator) -> Array:
        if self.special:
            return np.array(SPECIAL)
        low, high = -4 if self.low is None else self.low, 4 if self.high is None else self.high
        values = rng.uniform(low, high, self.shape)
        ties = np.clip(np.rint(values * 2) / 2, low, high)
        return np.asarray(np.where(rng.random(self.shape) < 0.25, ties, values))


@dataclass(frozen=True)
class Entry:
    """A method's reference in NumPy, and samples to test. The reference gets floats as float64; its results are rounded.

    ulp: how many units in the last place a float may differ; of the largest element if `of_largest`.
    """

    reference: Callable[..., Any]
    samples: list[Sample]
    ulp: int = 0
    of_largest: bool = False


@cache
def methods() -> dict[str, dict[str, Any]]:
    """Returns the operation table, by Python's names of methods."""
    printed = subprocess.run(
        [sys.executable, "-P", "-m", "webnn", "ops", "--format=json"], check=True, capture_output=True, text=True
    )
    return {_snake_case(row["name"]): row for row in json.loads(printed.stdout)["operations"]}


def type_choices(row: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yields each combination of data types that the table allows for the operands."""
    free = [rule for rule in row["inputs"] if "sameTypeAs" not in rule]
    for chosen in product(*(rule["dataTypes"] for rule in free)):
        types = dict(zip((rule["name"] for rule in free), chosen, strict=True))
        for rule in row["inputs"]:
            types.setdefault(rule["name"], types.get(rule.get("sameTypeAs", ""), ""))
        yield {_snake_case(name): data_type for name, data_type in types.items()}


def _on_leaves(function: Callable[..., Any], value: Any, *more: Any) -> Any:
    return [function(item, *more) for item in value] if isinstance(value, list) else function(value, *more)


class Call:
    """One call of a method, computed by the library and by NumPy."""

    def __init__(self, name: str, types: dict[str, str], sample: Sample, rng: np.random.Generator) -> None:
        self.name, self.types = name, types
        self.required = [_snake_case(argument["name"]) for argument in methods()[name]["arguments"]]
        self.arrays = {
            key: _on_leaves(lambda values, data_type: values.make(data_type, rng), sample[key], data_type)
            for key, data_type in types.items()
            if key in sample
        }
        self.plain = {key: value for key, value in sample.items() if key not in types}
        # Keyed by argument name: functions that make an argument. It replaces the generated argument of this name, or is added.
        self.replaced: dict[str, Callable[[webnn.MLGraphBuilder], Any]] = {}

    def _split(self, operands: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Splits the arguments into positional and keyword arguments."""
        given = self.plain | operands
        positional = [given.pop(key) for key in self.required if key in given]
        return positional, given

    def expected(self, reference: Callable[..., Any]) -> list[Array]:
        widened = {
            key: _on_leaves(lambda array: array.astype(np.float64) if array.dtype.kind == "f" else array, value)
            for key, value in self.arrays.items()
        }
        positional, keywords = self._split(widened)
        parameters = {} if isinstance(reference, np.ufunc) else signature(reference).parameters
        for key in ("alpha", "beta", "epsilon"):  # the specification casts these options and their defaults
            if key in parameters:
                keywords[key] = float(np.array(keywords.get(key, parameters[key].default), next(iter(self.types.values()))))
        with np.errstate(all="ignore"):
            result = reference(*positional, **keywords)
        return [np.asarray(item) for item in (result if isinstance(result, list | tuple) else [result])]

    def results(self, context: webnn.MLContext, most: int = 1 << 20) -> list[tuple[str, Array]]:
        """Returns (data type, elements) of each result; nothing if there are more than `most` elements."""
        builder = webnn.MLGraphBuilder(context)
        feeds: dict[str, Array] = {}

        def operand(array: Array, data_type: str) -> webnn.MLOperand:
            name = f"x{len(feeds)}"
            feeds[name] = array.astype(getattr(ml_dtypes, data_type)) if data_type in NIBBLES else array
            return builder.input(name, array.shape, data_type)

        operands = {key: _on_leaves(operand, value, self.types[key]) for key, value in self.arrays.items()}
        positional, keywords = self._split(operands | {key: make(builder) for key, make in self.replaced.items()})
        made = getattr(builder, self.name)(*positional, **keywords)
        listed: list[webnn.MLOperand] = made if isinstance(made, list) else [made]
        if sum(math.prod(item.shape) for item in listed) > most:
            return []
        descriptors = [(item.data_type, tuple(item.shape)) for item in listed]
        graph = builder.build({f"y{i}": item for i, item in enumerate(listed)})
        computed = context.compute(graph, {name: feeds[name] for name in graph.get_input_names()})
        return [_unpacked(computed[f"y{i}"], *descriptor) for i, descriptor in enumerate(descriptors)]


def _unpacked(array: Array, data_type: str, shape: tuple[int, ...]) -> tuple[str, Array]:
    if data_type in NIBBLES:
        array = webnn.unpack_int4(array, shape, data_type == "int4")
    assert array.shape == shape
    return data_type, array


def ordered(array: Array) -> Array:
    """Maps floats to integers in the same order, so that a difference of 1 is a unit in the last place."""
    bits = array.view(f"int{array.dtype.itemsize * 8}").astype(np.int64)
    return np.where(bits < 0, -(bits & ((1 << (array.dtype.itemsize * 8 - 1)) - 1)), bits)


def check(actual: Array, data_type: str, expected: Array, entry: Entry) -> None:
    """Raises AssertionError unless the elements equal NumPy's, within the entry's tolerance."""
    assert actual.shape == expected.shape, f"shape {actual.shape}, not {expected.shape}"
    if data_type not in FLOATS:
        if expected.dtype.kind == "f":
            expected = np.clip(expected, *limits(data_type))
        np.testing.assert_array_equal(actual, expected.astype(actual.dtype))
        return
    with np.errstate(all="ignore"):
        rounded = expected.astype(data_type)
        np.testing.assert_array_equal(np.isnan(actual), np.isnan(rounded))
        if entry.of_largest:
            finite = np.abs(rounded[np.isfinite(rounded)].astype(np.float64))
            allowed = entry.ulp * float(np.finfo(data_type).eps) * float(finite.max(initial=0))
            np.testing.assert_allclose(actual.astype(np.float64), rounded.astype(np.float64), rtol=0, atol=allowed)
            return
        distance = np.where(np.isnan(rounded), 0, np.abs(ordered(actual) - ordered(rounded)))
    worst = int(distance.argmax()) if distance.size else 0
    if distance.size and distance.flat[worst] > entry.ulp:
        raise AssertionError(f"{actual.flat[worst]!r}, not {rounded.flat[worst]!r}: off by {distance.flat[worst]} ULP at {worst}")
