"""Tests random arguments: each call must give a documented exception or a correct result, never a crash."""

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import FLOATS, Array, Call, Entry, check, methods, type_choices
from test_operations import TABLE

import webnn
from webnn._webnn import _snake_case

DOCUMENTED = (webnn.Error, TypeError, ValueError)
MOST_ELEMENTS = 20_000  # larger graphs are not run
TYPES = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8"]
CHOICES = {name: list(type_choices(row)) for name, row in methods().items()}
REFERENCE = webnn.ML().create_context(backend="reference")

Draw = Callable[..., Any]


def examples(count: int) -> settings:
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        print_blob=True,
        database=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
    )


INTEGERS = st.one_of(
    st.integers(-3, 9),
    st.sampled_from([1 << 31, (1 << 31) - 1, 1 << 32, (1 << 32) - 1, 1 << 63, 1 << 64, 1 << 80, -(1 << 31), -(1 << 63)]),
)
REALS = st.one_of(st.floats(), st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1e39, -1e300]))
WORDS = st.one_of(
    st.text(max_size=5),
    st.sampled_from(["float32", "int4", "float64", "nhwc", "ohwi", "both", "ceil", "linear", "edge", "\ud800", "x\0y"]),
)


@st.composite
def arrays(draw: Draw, data_type: Any = None, shape: Any = None) -> Any:
    """Draws arrays of any type and memory layout."""
    dtype = np.dtype(
        data_type or draw(st.sampled_from([*TYPES, "float64", "complex64", "bool", "int16", "O", "U3", "S2", "M8[s]", "V4"]))
    )
    sizes = draw(st.lists(st.integers(0, 4), max_size=4)) if shape is None else list(shape)
    values = np.arange(math.prod(sizes)).reshape(sizes)
    array = np.zeros(sizes, dtype) if dtype.kind in "OUSMV" else values.astype(dtype)
    return draw(st.sampled_from(LAYOUTS))(array)


def _read_only(array: Array) -> Array:
    array = array.copy()
    array.flags.writeable = False
    return array


def _strided(array: Array) -> Array:
    return np.repeat(array, 2, -1)[..., ::2] if array.ndim else array


def _unaligned(array: Array) -> Array:
    if array.dtype.kind not in "biufc":
        return array
    return np.frombuffer(b"?" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)


LAYOUTS: list[Callable[[Array], Any]] = [
    lambda array: array,
    np.asfortranarray,
    _read_only,
    _strided,
    _unaligned,
    lambda array: array.astype(array.dtype.newbyteorder(">")),
    lambda array: np.flip(np.ascontiguousarray(np.flip(array))) if array.ndim else array,
    lambda array: np.broadcast_to(array[:1], array.shape) if array.ndim else array,
    lambda array: memoryview(array.data) if array.dtype.kind in "biuf" else array,
    np.ndarray.tolist,
    lambda array: array.tobytes(),
    np.ma.masked_array,
]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    INTEGERS,
    REALS,
    WORDS,
    st.binary(max_size=9),
    st.complex_numbers(max_magnitude=9),
    st.builds(object),
)
NUMPY_SCALARS = st.sampled_from(
    [np.float32(2), np.float16(1), np.int64(3), np.uint8(7), np.bool_(True), np.str_("x"), ml_dtypes.bfloat16(1)]
)
ANYTHING = st.one_of(
    SCALARS,
    NUMPY_SCALARS,
    arrays(),
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4), max_leaves=6),
    st.lists(INTEGERS, max_size=9),
    st.tuples(INTEGERS, INTEGERS),
    st.dictionaries(WORDS, SCALARS, max_size=2),
    st.sampled_from([webnn, webnn.MLOperand, np.float32, int, range(3), {1, 2}, slice(None), lambda: 1]),
)


def _stranger(draw: Draw) -> Callable[[webnn.MLGraphBuilder], webnn.MLOperand]:
    """Makes an operand that seldom fits: a constant of this builder, or sometimes of another builder."""
    shape, data_type = draw(st.lists(st.integers(1, 4), max_size=8)), draw(st.sampled_from(TYPES))
    array, foreign = np.ones(shape, data_type), draw(st.integers(0, 9)) == 0
    return lambda builder: (webnn.MLGraphBuilder(REFERENCE) if foreign else builder).constant(array)


def _always(value: Any) -> Callable[[webnn.MLGraphBuilder], Any]:
    return lambda _: value


def _mutate(draw: Draw, call: Call, row: dict[str, Any]) -> None:
    names = [_snake_case(item["name"]) for item in row["arguments"] + row["options"]]
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from(names)) if draw(st.integers(0, 9)) else draw(WORDS)
        if draw(st.integers(0, 3)) == 0:
            call.replaced[name] = _stranger(draw)
        else:
            call.replaced[name] = _always(draw(ANYTHING))


def _agree(a: Array, b: Array, data_type: str) -> None:
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    if data_type not in FLOATS:
        np.testing.assert_array_equal(a, b)
        return
    largest = float(np.abs(b[np.isfinite(b)].astype(np.float64)).max(initial=1))
    np.testing.assert_allclose(
        a.astype(np.float64), b.astype(np.float64), rtol=1e-2, atol=largest * (1e-2 if data_type == "float16" else 1e-4)
    )


@examples(2500)
@given(st.data())
def test_methods(context: webnn.MLContext, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TABLE)))
    types = data.draw(st.sampled_from(CHOICES[name]))
    entry: Entry = TABLE[name]
    call = Call(name, types, data.draw(st.sampled_from(entry.samples)), np.random.default_rng(data.draw(st.integers(0, 999))))
    _mutate(data.draw, call, methods()[name])
    try:
        results = call.results(context, MOST_ELEMENTS)
    except DOCUMENTED:
        assert call.replaced, "arguments are refused of which none is wrong"
        return
    if not call.replaced:
        for (data_type, actual), expected in zip(results, call.expected(entry.reference), strict=True):
            check(actual, data_type, expected, entry)
    elif results:
        for (data_type, actual), (_, other) in zip(results, call.results(REFERENCE), strict=True):
            _agree(actual, other, data_type)


def _identity(context: webnn.MLContext, shape: list[int], data_type: str) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    return builder.build({"y": builder.identity(builder.input("x", shape, data_type))})


def _meant(value: Any, data_type: str, shape: list[int]) -> Array | None:
    """Returns the array that a value stands for; None if the array does not have this type and shape."""
    dtype = np.dtype(data_type)
    if isinstance(value, bytes):
        return np.frombuffer(value, dtype).reshape(shape) if len(value) == math.prod(shape) * dtype.itemsize else None
    if isinstance(value, list | tuple | int | float):
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                array = np.asarray(value, dtype)
        except (ValueError, TypeError, OverflowError):
            return None
        is_changed = dtype.kind != "f" and not np.array_equal(array, np.asarray(value))  # an integer type cannot hold a fraction
        return array if array.shape == tuple(shape) and not is_changed else None
    if not isinstance(value, np.ndarray | np.generic | memoryview):
        return None
    array = np.asarray(value)
    fits = array.dtype.newbyteorder("=") == dtype or (array.dtype == np.bool_ and dtype == np.uint8)
    return array.astype(dtype) if fits and array.shape == tuple(shape) else None


@st.composite
def feeds(draw: Draw, data_type: str, shape: list[int]) -> Any:
    """Draws values for an input. Half of them are arrays of the right type and shape, in any memory layout."""
    return (
        draw(arrays(data_type, shape))
        if draw(st.booleans())
        else draw(st.one_of(ANYTHING, arrays(data_type), arrays(None, shape)))
    )


SHAPES = st.lists(st.integers(1, 4), max_size=4)


@examples(900)
@given(st.data(), st.sampled_from(TYPES), SHAPES)
def test_inputs_of_compute(context: webnn.MLContext, data: st.DataObject, data_type: str, shape: list[int]) -> None:
    value = data.draw(feeds(data_type, shape))
    meant = _meant(value, data_type, shape)
    try:
        result = context.compute(_identity(context, shape, data_type), {"x": value})["y"]
    except DOCUMENTED:
        assert meant is None, "the array is of the right type and shape"
        return
    assert meant is not None, "the array is of another type or shape"
    assert result.dtype == np.dtype(data_type)
    np.testing.assert_array_equal(result, meant)


@examples(300)
@given(inputs=ANYTHING, outputs=ANYTHING, key=st.one_of(st.just("x"), SCALARS), named=st.booleans())
def test_dictionaries_of_compute(context: webnn.MLContext, inputs: Any, outputs: Any, key: Any, named: bool) -> None:
    graph = _identity(context, [2], "float32")
    array = np.ones(2, np.float32)
    try:
        result = context.compute(graph, {key: array} if named else inputs, outputs)
    except DOCUMENTED:
        return
    np.testing.assert_array_equal(result["y"], array)


@examples(500)
@given(st.data(), st.sampled_from(TYPES), SHAPES)
def test_tensors(context: webnn.MLContext, data: st.DataObject, data_type: str, shape: list[int]) -> None:
    """Draws a sequence of writes, dispatches, reads and destructions. Each must raise an error or have its documented effect."""
    graph = _identity(context, shape, data_type)
    tensors = [context.create_tensor(shape, data_type, data.draw(st.booleans()), data.draw(st.booleans())) for _ in range(3)]
    known: list[Array | None] = [np.zeros(shape, data_type) for _ in tensors]  # expected elements; None for a destroyed tensor
    for _ in range(data.draw(st.integers(1, 6))):
        i, k = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))
        action = data.draw(st.sampled_from(["write", "write", "dispatch", "read", "read", "destroy", "strange"]))
        try:
            if action == "write":
                value = data.draw(feeds(data_type, shape))
                context.write_tensor(tensors[i], value)
                known[i] = _meant(value, data_type, shape)
                assert known[i] is not None
            elif action == "dispatch":
                context.dispatch(graph, {"x": tensors[i]}, {"y": tensors[k]})
                known[k] = known[i]
            elif action == "read":
                np.testing.assert_array_equal(context.read_tensor(tensors[i]), known[i])
            elif action == "destroy":
                tensors[i].destroy()
                known[i] = None
            else:
                context.dispatch(graph, data.draw(ANYTHING), {data.draw(WORDS): tensors[k]})
        except DOCUMENTED:
            if action == "read":
                assert known[i] is None or not tensors[i].readable


def _descriptor(draw: Draw) -> dict[str, Any]:
    return {"dataType": draw(st.one_of(st.sampled_from(TYPES), ANYTHING)), "shape": draw(ANYTHING)}


def _entry_points(context: webnn.MLContext) -> list[Callable[..., Any]]:
    """Returns the callables that take arguments and are not in the operation table."""
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [2], "float32")
    graph = _identity(context, [2], "float32")
    return [
        builder.input,
        builder.constant,
        builder.build,
        lambda *values: builder.build({values[0]: x}),
        lambda *values: builder.set_name(x, values[0]),
        builder.where_,
        lambda *values: builder.squeeze(x, values[0]),
        lambda *values: builder.unsqueeze(x, values[0]),
        lambda *values: builder.pad(x, *values),
        context.create_tensor,
        context.create_host_tensor,
        context.create_constant_tensor,
        context.write_tensor,
        context.read_tensor,
        context.read_tensor_async,
        context.compile,
        graph.compute,
        webnn.MLGraphBuilder,
        webnn.MLContext,
        webnn.MLGraph,
        webnn.MLTensor,
        webnn.MLOperand,
        webnn.ML().create_context,
        lambda *values: webnn.ML().create_context(threads=values[0]),
        lambda *values: webnn.ML().create_context(backend_options=values[0]),
        webnn.load,
        webnn.from_onnx,
        lambda *values: webnn.from_onnx(graph.to_onnx(), dimensions=values[0], values=values[-1]),
        webnn.run,
        webnn.InferenceSession,
        webnn.pack_int4,
        webnn.unpack_int4,
        webnn.compare,
        *_of_sessions(webnn.InferenceSession(graph)),
    ]


def _of_sessions(session: webnn.InferenceSession) -> list[Callable[..., Any]]:
    binding, value = session.io_binding(), webnn.OrtValue.ortvalue_from_shape_and_type([2], "float32")
    return [
        session.run,
        lambda *values: session.run(None, {"x": values[0]}),
        lambda *values: session.run(values[0], {"x": [1, 2]}),
        lambda *values: webnn.InferenceSession(session.graph, providers=values[0], provider_options=values[-1]),
        session.set_providers,
        session.run_with_ort_values,
        session.run_with_iobinding,
        binding.bind_cpu_input,
        lambda *values: binding.bind_cpu_input("x", values[0]),
        binding.bind_input,
        lambda *values: binding.bind_input("x", "cpu", 0, values[0], values[-1], value.data_ptr()),
        binding.bind_output,
        lambda *values: binding.bind_output("y", "cpu", 0, values[0], values[-1], value.data_ptr()),
        binding.bind_ortvalue_input,
        webnn.OrtValue.ortvalue_from_numpy,
        webnn.OrtValue.ortvalue_from_shape_and_type,
        value.update_inplace,
        webnn.SessionOptions().add_free_dimension_override_by_name,
    ]


@examples(1200)
@given(st.data(), st.integers(1, 3))
def test_other_functions(context: webnn.MLContext, data: st.DataObject, count: int) -> None:
    functions = _entry_points(context)
    function = functions[data.draw(st.integers(0, len(functions) - 1))]
    values = [_descriptor(data.draw) if data.draw(st.integers(0, 4)) == 0 else data.draw(ANYTHING) for _ in range(count)]
    try:
        function(*values)
    except (*DOCUMENTED, OSError):
        pass
    except RuntimeError as error:  # asyncio raises it without a running event loop
        assert "no running event loop" in str(error)
