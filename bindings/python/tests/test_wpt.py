"""Runs the conformance vectors of web-platform-tests through the Python package.

The vectors are in ../shared/wpt beside the repository, or in the directory WEBNN_WPT. README.md there describes format and rules.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import FLOATS, NIBBLES, Array, limits, ordered

import webnn
from webnn._webnn import _snake_case

FOLDER = Path(os.environ.get("WEBNN_WPT", Path(__file__).parents[4] / "shared" / "wpt"))
FILES = sorted(FOLDER.glob("*.json"))
FIRST = 1000  # how many elements are compared if a conformance vector gives one expected value for all elements


def number(value: Any) -> Any:
    """Parses a number of a conformance vector. Large integers, NaN, infinities and -0 are strings."""
    if not isinstance(value, str):
        return value
    return float(value) if value in ("NaN", "Infinity", "-Infinity", "-0") else int(value)


def exact(data: Any) -> Array:
    """Returns the numbers of a conformance vector, each unchanged, as an array of objects."""
    return np.array([number(value) for value in data] if isinstance(data, list) else [number(data)], object)


def stored(data: Any, data_type: str) -> Array:
    """Converts values as web-platform-tests stores them: integers wrap, and NaN becomes Infinity in float16."""
    values = exact(data)
    if data_type in FLOATS:
        floats = values.astype(float)
        with np.errstate(over="ignore"):
            return (
                np.where(np.isnan(floats), np.inf, floats).astype("float16")
                if data_type == "float16"
                else floats.astype(data_type)
            )
    bits = 4 if data_type in NIBBLES else np.iinfo(data_type).bits
    least, _ = limits(data_type)
    wrapped = [(int(value) - least) % (1 << bits) + least for value in values]
    return np.array(wrapped, ("int8" if least else "uint8") if bits == 4 else data_type)


def array_of(described: dict[str, Any]) -> Array:
    values = np.broadcast_to(stored(described["data"], described["dataType"]), np.prod(described["shape"], dtype=int))
    array: Array = values.reshape(described["shape"])
    return webnn.pack_int4(values) if described["dataType"] in NIBBLES else array


def distance(actual: Array, expected: Array, data_type: str, metric: str) -> Array:
    """Returns the distance of each pair of elements: the absolute difference for ATOL, else in ULP (integers: the difference)."""
    with np.errstate(all="ignore"):
        if metric == "ATOL":
            wanted = expected.astype(float)
            apart = np.abs(actual.astype(float) - wanted)
            return np.asarray(np.where(actual == wanted, 0, np.where(np.isnan(apart), np.inf, apart)))
        if data_type not in FLOATS:
            return np.asarray(np.abs(actual.astype(object) - expected))
        rounded = stored(expected, data_type)
    if data_type == "float16":
        bits = [array.view(np.uint16).astype(np.int64) for array in (actual, rounded)]
        return np.where((actual == 0) & (rounded == 0), 0, np.abs(bits[0] - bits[1]))
    same = np.isnan(actual) & np.isnan(rounded)
    return np.where(same, 0, np.abs(ordered(actual) - ordered(rounded)))


def operands_in(value: Any, operands: dict[str, webnn.MLOperand]) -> Any:
    """Replaces operands' names in an argument by the operands."""
    if isinstance(value, list):
        return [operands_in(item, operands) for item in value]
    return operands.get(value, value) if isinstance(value, str) else value


def unquoted(value: Any) -> Any:
    """Converts numbers that are written as strings. Returns other values unchanged."""
    try:
        return number(value)
    except ValueError:
        return value


def append(builder: webnn.MLGraphBuilder, operator: dict[str, Any], operands: dict[str, webnn.MLOperand]) -> None:
    positional, options = [], {}
    for argument in operator["arguments"]:
        for key, value in (argument or {}).items():
            if key == "options":
                options = {_snake_case(name): unquoted(operands_in(option, operands)) for name, option in value.items()}
            else:
                positional.append(unquoted(operands_in(value, operands)))
    made = getattr(builder, _snake_case(operator["name"]))(*positional, **options)
    names = operator["outputs"]
    listed = isinstance(names, list)
    operands |= zip(names, made, strict=True) if listed else {names: made}


def run(context: webnn.MLContext, graph: dict[str, Any]) -> dict[str, Array]:
    """Builds the graph of a case and runs it. Returns the outputs."""
    builder = webnn.MLGraphBuilder(context)
    operands: dict[str, webnn.MLOperand] = {}
    feeds: dict[str, Array] = {}
    for name, described in graph["inputs"].items():
        array, shape, data_type = array_of(described), described["shape"], described["dataType"]
        if described.get("constant"):
            operands[name] = builder.constant(array, shape, data_type)
        else:
            operands[name] = builder.input(name, shape, data_type)
            feeds[name] = array
    for operator in graph["operators"]:
        append(builder, operator, operands)
    for name, described in graph["expectedOutputs"].items():
        assert operands[name].data_type == described["dataType"]
        assert operands[name].shape == described["shape"]
    return context.compute(builder.build({name: operands[name] for name in graph["expectedOutputs"]}), feeds)


def check_case(context: webnn.MLContext, case: dict[str, Any]) -> None:
    tolerance = case["tolerance"]
    results = run(context, case["graph"])
    for name, described in case["graph"]["expectedOutputs"].items():
        data_type, actual = described["dataType"], results[name]
        if data_type in NIBBLES:
            actual = webnn.unpack_int4(actual, tuple(described["shape"]), data_type == "int4")
        expected = exact(described["data"])
        count = min(actual.size, FIRST) if expected.size == 1 else actual.size
        looked_at = np.ascontiguousarray(actual.reshape(-1)[:count])
        apart = distance(looked_at, np.broadcast_to(expected, count), data_type, tolerance["metric"])
        assert (apart <= tolerance["value"]).all(), f"{name}: {looked_at}, not {expected}: off by {apart}"


@pytest.mark.skipif(not FILES, reason=f"there are no conformance vectors in {FOLDER} (set WEBNN_WPT)")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_conformance(context: webnn.MLContext, file: Path) -> None:
    failures = []
    cases = json.loads(file.read_text())["cases"]
    assert cases
    for case in cases:
        try:
            check_case(context, case)
        except (AssertionError, webnn.Error) as error:
            failures.append(f"{case['name']}: {error}")
    assert not failures, f"{len(failures)} of {len(cases)} cases fail:\n" + "\n".join(failures)


@pytest.mark.skipif(not FILES, reason=f"there are no conformance vectors in {FOLDER} (set WEBNN_WPT)")
def test_no_case_is_missing() -> None:
    assert sum(len(json.loads(file.read_text())["cases"]) for file in FILES) >= 1692


@pytest.mark.parametrize(
    ("actual", "expected", "data_type", "metric", "apart"),
    [
        (1.0, 1 + 2**-23, "float32", "ULP", 1),
        (-0.0, 0.0, "float32", "ULP", 0),
        (np.nan, np.nan, "float32", "ULP", 0),
        (-0.0, 0.0, "float16", "ULP", 0),
        (-6e-8, 6e-8, "float16", "ULP", 32768),
        (np.inf, np.nan, "float16", "ULP", 0),
        (3, 5, "int32", "ULP", 2),
        (0.5, 0.75, "float32", "ATOL", 0.25),
        (np.nan, np.nan, "float32", "ATOL", np.inf),
        (np.inf, np.inf, "float32", "ATOL", 0),
    ],
)
def test_the_rules_of_comparing(actual: float, expected: float, data_type: str, metric: str, apart: float) -> None:
    found = distance(np.array([actual], data_type), np.array([expected], object), data_type, metric)
    assert found[0] == apart
