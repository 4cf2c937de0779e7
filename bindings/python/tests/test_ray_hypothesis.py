"""Tests webnn.ray with random models and batches: compares rows with NumPy, and joint requests with separate requests."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import FLOATS, Array
from test_hypothesis import examples

import webnn
import webnn.ray
from webnn.ray._serve import compute_together

Draw = Callable[..., Any]
Row = dict[str, Array]

TYPES = ("float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8")
ROWS, STEPS = 97, 89  # sizes that are replaced by open dimensions
CONTEXT = webnn.ML().create_context()


class Operation(NamedTuple):
    """An operation that a graph applies to each row separately."""

    build: Callable[[webnn.MLGraphBuilder, webnn.MLOperand], webnn.MLOperand]
    expected: Callable[[Array], Array]
    least_rank: int = 0
    types: tuple[str, ...] = TYPES


def _last(x: webnn.MLOperand) -> int:
    return len(x.shape) - 1


def _transposed(builder: webnn.MLGraphBuilder, x: webnn.MLOperand) -> webnn.MLOperand:
    last = _last(x)
    return builder.transpose(x, permutation=[*range(last - 1), last, last - 1])


def _softmax(row: Array) -> Array:
    powers = np.exp(row - row.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


OPERATIONS = {
    "identity": Operation(lambda builder, x: builder.identity(x), lambda row: row),
    "double": Operation(lambda builder, x: builder.add(x, x), lambda row: row + row),
    "tanh": Operation(lambda builder, x: builder.tanh(x), np.tanh, types=FLOATS),
    "softmax": Operation(lambda builder, x: builder.softmax(x, _last(x)), _softmax, 1, FLOATS),
    "sum": Operation(lambda builder, x: builder.reduce_sum(x, axes=[_last(x)]), lambda row: row.sum(-1), 1, FLOATS),
    "max": Operation(lambda builder, x: builder.reduce_max(x, axes=[_last(x)]), lambda row: row.max(-1), 1),
    "transpose": Operation(_transposed, lambda row: row.swapaxes(-1, -2), 2),
    "gram": Operation(
        lambda builder, x: builder.matmul(x, _transposed(builder, x)), lambda row: row @ row.swapaxes(-1, -2), 2, ("float32",)
    ),
}


class Case(NamedTuple):
    """A model, and the operations that it computes."""

    content: bytes
    axis: str  # axis for rows: "dynamic", "fixed" or "none"
    rows: int  # rows per run if the model or the option "dimensions" fixes the axis
    inputs: dict[str, tuple[str, list[int]]]  # data type, and shape of a row; STEPS stands for any size
    outputs: dict[str, tuple[str, str]]  # operation and input

    def expected(self, name: str, row: Row) -> Array:
        """Returns the expected value of an output for one row."""
        operation, source = self.outputs[name]
        values = row[source]
        with np.errstate(all="ignore"):
            result = OPERATIONS[operation].expected(values.astype(np.float64) if values.dtype.kind == "f" else values)
            return np.asarray(result).astype(values.dtype)


@st.composite
def cases(draw: Draw, has_sum_of_rows: bool = False) -> Case:
    """Draws models. With has_sum_of_rows, they have an output `all` without an axis for rows."""
    axis = "dynamic" if has_sum_of_rows else draw(st.sampled_from(["dynamic", "fixed", "none"]))
    rows = draw(st.integers(1, 5))
    first = {"dynamic": [ROWS], "fixed": [rows], "none": []}[axis]
    builder = webnn.MLGraphBuilder(CONTEXT)
    inputs, outputs, built, operands = {}, {}, {}, []
    for name in "xyz"[: draw(st.integers(1, 3))]:
        data_type, shape = draw(st.sampled_from(TYPES)), draw(st.lists(st.sampled_from([1, 2, 3, 5, STEPS]), max_size=2))
        inputs[name] = data_type, shape
        operands.append(builder.input(name, [*first, *shape], data_type))
        fitting = [key for key, each in OPERATIONS.items() if data_type in each.types and len(shape) >= each.least_rank]
        for key in draw(st.sets(st.sampled_from(fitting), min_size=1, max_size=2)):
            outputs[f"{name}_{key}"] = key, name
            built[f"{name}_{key}"] = OPERATIONS[key].build(builder, operands[-1])
    if has_sum_of_rows:
        built["all"] = builder.reduce_max(operands[-1], axes=[0], keep_dimensions=draw(st.booleans()))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "g.webnn"
        builder.build(built).save(path)
        text = path.read_text()
    if draw(st.booleans()):
        inputs["unused"] = "float32", []
        text = text.replace("inputs {", f"inputs {{ unused: f32{first};", 1)
    text = text.replace(str(ROWS), 'dyn("rows", 100)').replace(str(STEPS), 'dyn("steps", 100)')
    return Case(text.encode(), axis, rows, inputs, outputs)


@st.composite
def options(draw: Draw, case: Case) -> dict[str, Any]:
    """Draws options that must not change the result of any row."""
    has_dimensions = case.axis == "dynamic" and draw(st.booleans())
    batch = st.just(case.rows) if case.axis == "fixed" or has_dimensions else st.integers(1, 8)
    return {
        "dimensions": {"rows": case.rows} if has_dimensions else None,
        "batch": draw(st.none() | batch),
        "pad": draw(st.booleans()),
        "outputs": draw(st.none() | st.lists(st.sampled_from(sorted(case.outputs)), min_size=1)),
    }


@st.composite
def rows_of(draw: Draw, case: Case, counts: st.SearchStrategy[int], is_ragged: bool = False) -> list[Row]:
    """Draws rows for a model. The sizes for STEPS differ between ragged rows."""
    random = np.random.default_rng(draw(st.integers(0, 999)))
    steps = draw(st.integers(1, 4))
    return [_row(case, random, int(random.integers(1, 5)) if is_ragged else steps) for _ in range(draw(counts))]


def _row(case: Case, random: np.random.Generator, steps: int) -> Row:
    row = {}
    for name, (data_type, shape) in case.inputs.items():
        values = random.integers(-100, 100, [steps if size == STEPS else size for size in shape])
        if data_type in FLOATS:
            row[name] = np.where(random.random(values.shape) < 0.02, np.nan, values / 50).astype(data_type)
        else:
            row[name] = values.astype(data_type)
    return row


def _objects(column: Any) -> Array:
    objects = np.empty(len(column), object)
    for i, each in enumerate(column):
        objects[i] = each
    return objects


def _read_only(column: Array) -> Array:
    column = column.copy()
    column.flags.writeable = False
    return column


LAYOUTS: list[Callable[[Array], Any]] = [
    lambda column: column,
    np.asfortranarray,
    _read_only,
    _objects,
    lambda column: np.repeat(column, 2, 0)[::2],
    lambda column: column[::-1].copy()[::-1],
    lambda column: column.astype(column.dtype.newbyteorder(">")),
    lambda column: _objects(column.astype(column.dtype.newbyteorder(">"))),
    lambda column: np.frombuffer(b"?" + column.tobytes(), np.uint8)[1:].view(column.dtype).reshape(column.shape),
    np.ma.masked_array,
    list,
]


@st.composite
def columns(draw: Draw, case: Case, rows: list[Row]) -> dict[str, Any]:
    """Draws a batch of these rows, in any memory layout."""
    return {
        name: draw(st.sampled_from(LAYOUTS))(np.stack([row[name] for row in rows]))
        if len({row[name].shape for row in rows}) == 1
        else _objects([row[name] for row in rows])
        for name in case.inputs
    }


def check(actual: Array, expected: Array) -> None:
    """Compares type, shape and values. Floats may differ by rounding errors."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    tolerance = {"float32": 1e-5, "float16": 5e-3}.get(expected.dtype.name, 0)
    np.testing.assert_allclose(actual.astype(np.longdouble), expected.astype(np.longdouble), rtol=tolerance, atol=tolerance)


@examples(100)
@given(st.data())
def test_rows(data: st.DataObject) -> None:
    case = data.draw(cases())
    arguments = data.draw(options(case))
    rows = data.draw(rows_of(case, st.integers(1, 12), data.draw(st.booleans())))
    ids = np.arange(len(rows)) * 10
    predictor = webnn.ray.Predictor(case.content, keep=["id"], errors="error", **arguments)
    result = predictor({**data.draw(columns(case, rows)), "id": ids})
    names = arguments["outputs"] or case.outputs
    assert set(result) == {*names, "id", "error"}
    np.testing.assert_array_equal(result["id"], ids)
    assert not any(result["error"])
    for name in names:
        for actual, row in zip(result[name], rows, strict=True):
            check(actual, case.expected(name, row))
    dense = {name: np.empty((0, *array.shape), array.dtype) for name, array in rows[0].items()}
    for name, empty in predictor({**dense, "id": ids[:0]}).items():
        assert len(empty) == 0
        assert name not in case.outputs or empty.shape[1:] == case.expected(name, rows[0]).shape


WRONG: list[Callable[[Array], Any]] = [
    lambda row: None,
    lambda row: "text",
    lambda row: object(),
    lambda row: np.ma.masked,
    lambda row: row.astype(np.complex64),
    lambda row: row[None],
    lambda row: np.empty(0, row.dtype),
    lambda row: _objects([row, None]),
    lambda row: [row, [row]],
]


@examples(60)
@given(st.data())
def test_wrong_rows(data: st.DataObject) -> None:
    case = data.draw(cases())
    arguments = data.draw(options(case))
    rows = data.draw(rows_of(case, st.integers(3, 10)))
    wrong = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1, max_size=(len(rows) - 1) // 2))
    batch = data.draw(columns(case, rows))
    name = data.draw(st.sampled_from(sorted(case.inputs)))
    batch[name] = _objects([row[name] for row in rows])
    for i in wrong:
        batch[name][i] = data.draw(st.sampled_from(WRONG))(rows[i][name])
    batch["id"] = np.arange(len(rows)) * 10
    result = webnn.ray.Predictor(case.content, errors="error", **arguments)(batch)
    assert {i for i, message in enumerate(result["error"]) if message} == wrong
    for output in arguments["outputs"] or case.outputs:
        for i, (actual, row) in enumerate(zip(result[output], rows, strict=True)):
            if i not in wrong:
                check(actual, case.expected(output, row))
            else:
                assert actual.shape == case.expected(output, row).shape
                assert (np.isnan(actual) if actual.dtype.kind == "f" else actual == 0).all()
    with pytest.raises(webnn.ArgumentError) as caught:
        webnn.ray.Predictor(case.content, keep=["id"], **arguments)(batch)
    assert any(f"row {i} (id={i * 10}): " in str(caught.value) for i in wrong)


@examples(30)
@given(st.data())
def test_outputs_without_an_axis_for_rows(data: st.DataObject) -> None:
    case = data.draw(cases(has_sum_of_rows=True))
    arguments: dict[str, Any] = data.draw(options(case)) | {"dimensions": None}
    rows = data.draw(rows_of(case, st.integers(1, 6)))
    batch = data.draw(columns(case, rows))
    with pytest.raises(webnn.InvalidStateError, match="'all'"):
        webnn.ray.Predictor(case.content, **{**arguments, "outputs": None})(batch)
    result = webnn.ray.Predictor(case.content, **{**arguments, "outputs": list(case.outputs)})(batch)
    for name in case.outputs:
        for actual, row in zip(result[name], rows, strict=True):
            check(actual, case.expected(name, row))


def _wrong_request(draw: Draw, request: dict[str, Array]) -> None:
    name = draw(st.sampled_from(sorted(request)))
    array = request[name]
    changed = {
        "missing": None,
        "type": array.astype(draw(st.sampled_from(["complex64", "O", "U3"]))),
        "shape": np.stack([array] * 7, -1),
        "number": np.ones((), array.dtype),
        "rows": np.concatenate([array, array]),
        "nothing": array[:0],
    }[draw(st.sampled_from(["missing", "type", "shape", "number", "rows", "nothing"]))]
    if changed is None:
        del request[name]
    else:
        request[name] = changed


@examples(100)
@given(st.data())
def test_requests(data: st.DataObject) -> None:
    case = data.draw(cases())
    arguments = data.draw(options(case))
    predictor = webnn.ray.Predictor(case.content, **arguments)
    requests = []
    for _ in range(data.draw(st.integers(1, 6))):
        rows = data.draw(rows_of(case, st.integers(1, 4)))
        request = {name: np.stack([row[name] for row in rows]) for name in case.inputs}
        if data.draw(st.integers(0, 3)) == 0:
            _wrong_request(data.draw, request)
        requests.append(request)
    # If one graph computes all rows, results are equal bit by bit.
    is_exact = case.axis != "dynamic" or arguments["dimensions"] or (arguments["pad"] and arguments["batch"])
    for request, result in zip(requests, compute_together(predictor, requests), strict=True):
        try:
            alone = predictor(request)
        except webnn.Error as error:
            assert type(result) is type(error)
            assert str(result) == str(error)
            continue
        assert isinstance(result, dict)
        for name, array in alone.items():
            check(result[name], array)
            assert not is_exact or result[name].tobytes() == array.tobytes()
