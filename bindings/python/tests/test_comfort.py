"""Tests conveniences: operators, numbers and arrays as operands, tensors as arrays, `with`, pickle, and graphs for any
context."""

import os
import pickle
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn
from webnn._backends import _KNOWN, BACKENDS

X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)


def computed(builder: webnn.MLGraphBuilder, y: webnn.MLOperand, x: np.ndarray = X) -> np.ndarray:
    return builder.build({"y": y}).compute({"x": x})["y"]


OPERATORS: list[Any] = [
    lambda x: x + x,
    lambda x: x + 1,
    lambda x: 1 - x,
    lambda x: 2.5 * x,
    lambda x: x / 4,
    lambda x: 1 / x,
    lambda x: x - [1, 2, 3],
    lambda x: x * np.array([[2], [3]], np.float32),
    lambda x: np.float64(2) * x,
    lambda x: np.array([[2], [3]], np.float32) * x,
    lambda x: x @ np.ones((3, 2), np.float32),
    lambda x: np.ones((4, 2), np.float32) @ x,
    lambda x: -x,
    abs,
    lambda x: x**2,
    lambda x: 2**x,
    lambda x: x > 0,
    lambda x: x >= 3,
    lambda x: x < 0,
    lambda x: x <= -4,
    lambda x: 0 < x,  # noqa: SIM300
]
SLICES: list[Any] = [
    0,
    -1,
    (1, 2),
    (slice(None), 1),
    (..., 0),
    (..., slice(1, None)),
    (slice(None), slice(None, None, 2)),
    (slice(-1, None), slice(-2, None)),
    (None, ...),
    (slice(None), None, slice(0, 2)),
    (0, ..., None),
    (),
]


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_are_numpys(builder: webnn.MLGraphBuilder, operator: Any) -> None:
    expected = operator(X)
    result = computed(builder, operator(builder.input("x", [2, 3])))
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-6)


@pytest.mark.parametrize("index", SLICES)
def test_slices_are_numpys(builder: webnn.MLGraphBuilder, index: Any) -> None:
    result = computed(builder, builder.identity(builder.input("x", [2, 3])[index]))
    assert result.shape == X[index].shape
    np.testing.assert_array_equal(result, X[index])


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda b, x: x[2], r"\[\]: the index \(2\) of axis 0 is not below its size \(2\)"),
        (lambda b, x: x[0, 0, 0], "there are 3 indices for the rank 2"),
        (lambda b, x: x[::-1], r"the step \(-1\) is negative; builder.reverse"),
        (lambda b, x: x[1:1], "the slice of axis 0 is empty"),
        (lambda b, x: x[[0, 1]], "an index must be an integer, a slice, ... or None, not list; gather"),
        (lambda b, x: x[..., ...], "more than one"),
        (lambda b, x: 1 if x > 0 else 2, "neither true nor false"),
        (lambda b, x: x + np.ones(3), r"the array is of float64, .* use array.astype\(np.float32\)"),
        (lambda b, x: x + "1", "add: b must be an MLOperand, an array or a number, not str"),
        (lambda b, x: x + None, "add: the argument b is missing"),
        (lambda b, x: b.concat([x, "a"], 0), "concat: inputs must be an MLOperand, an array or a number, not str"),
        (lambda b, x: b.gather(x, [0.5]), "gather: indices: 0.5 is not an int32"),
        (lambda b, x: b.softmax(x, -1), r"softmax: axis \(-1\) is not between .* negative_axes=True\) counts them from the end"),
        (lambda b, x: pickle.dumps(x), "an operand cannot be pickled"),
    ],
)
def test_unsupported_operators_of_operands_are_errors(builder: webnn.MLGraphBuilder, use: Any, message: str) -> None:
    with pytest.raises(webnn.ArgumentError, match=message):
        use(builder, builder.input("x", [2, 3]))


def test_operands_are_the_same_only_as_themselves(builder: webnn.MLGraphBuilder) -> None:
    x, y = builder.input("x", [2]), builder.input("y", [2])
    assert x == x  # noqa: PLR0124
    assert x != y
    assert [y, x].index(x) == 1


def test_an_operand_needs_its_builder(context: webnn.MLContext) -> None:
    x = webnn.MLGraphBuilder(context).input("x", [2])
    with pytest.raises(webnn.InvalidStateError, match="builder is gone"):
        _ = x + 1


def test_numbers_and_arrays_take_the_type_that_is_wanted(builder: webnn.MLGraphBuilder) -> None:
    whole = builder.input("i", [2], "int64")
    assert (whole + 1).data_type == "int64"
    assert (3 * builder.input("h", [2], "float16")).data_type == "float16"
    with pytest.raises(webnn.ArgumentError, match=r"add: b: 1\.5 is not an int64"):
        _ = whole + 1.5
    x = builder.input("x", [2, 3])
    assert builder.where([[1], [0]], x, 0.0).data_type == "float32"
    assert builder.where(x > 0, 1.0, x).data_type == "float32"
    assert builder.where(np.array([[True], [False]]), x, 0.0).data_type == "float32"
    assert builder.constant(np.array([True, False])).data_type == "uint8"
    assert builder.concat([x, [[1, 2, 3]]], 0).shape == [3, 3]
    assert builder.conv2d(builder.input("p", [1, 1, 4, 4]), np.ones((2, 1, 3, 3), np.float32), bias=[1, 2]).shape == [1, 2, 2, 2]
    assert builder.constant([1.5, 2]).data_type == "float32"
    assert builder.constant([1, 2]).data_type == "int64"
    assert builder.constant([True, False]).data_type == "uint8"
    assert builder.constant(2.5).data_type == "float32"


def test_negative_axes_count_from_the_end_if_asked_for(context: webnn.MLContext) -> None:
    builder = webnn.MLGraphBuilder(context, negative_axes=True)
    x = builder.input("x", [2, 3])
    assert builder.reduce_sum(x, axes=[-1]).shape == [2]
    assert builder.concat([x, x], -1).shape == [2, 6]
    assert builder.layer_normalization(x, axes=[-1]).shape == [2, 3]
    assert builder.gather(x, [0, 1], axis=-1).shape == [2, 2]
    with pytest.raises(webnn.ArgumentError, match=r"softmax: axis \(-3\) is not between -2 and 1"):
        builder.softmax(x, -3)
    np.testing.assert_allclose(computed(builder, builder.softmax(x, -1)).sum(1), 1, rtol=1e-6)


def test_tensors_are_arrays(context: webnn.MLContext) -> None:
    tensor = context.create_host_tensor([2, 3], "float32")
    context.write_tensor(tensor, X)
    for array in (tensor.numpy(), np.asarray(tensor), np.array(tensor, np.float64)):
        assert array.shape == (2, 3)
        np.testing.assert_array_equal(array, X)
    assert np.asarray(tensor, np.float64).dtype == np.float64
    with pytest.raises(webnn.ArgumentError, match="not readable"):
        np.asarray(context.create_tensor([2], "float32"))
    assert repr(tensor) == "<MLTensor float32[2, 3] readable writable>"
    tensor.destroy()
    assert repr(tensor) == "<MLTensor float32[2, 3] readable writable destroyed>"


def test_a_context_ends_with_its_block() -> None:
    with webnn.ML().create_context() as context:
        assert repr(context) == f"<MLContext {context.backend}>" or context.service
    assert context.lost is not None
    assert repr(context).endswith(" lost>")


def test_graphs_are_pickled_with_their_weights(builder: webnn.MLGraphBuilder) -> None:
    graph = builder.build({"y": builder.input("x", [2, 3]) @ np.arange(6, dtype=np.float32).reshape(3, 2)})
    again = pickle.loads(pickle.dumps(graph))
    np.testing.assert_array_equal(again.compute({"x": X})["y"], graph.compute({"x": X})["y"])
    context = webnn.ML().create_context(backend="reference")
    np.testing.assert_array_equal(context.compute(again, {"x": X})["y"], graph.compute({"x": X})["y"])
    for other, message in ((context, "a context cannot be pickled"), (context.create_host_tensor([1], "int8"), "tensor.numpy")):
        with pytest.raises(webnn.NotSupportedError, match=message):
            pickle.dumps(other)


def test_a_graph_that_was_loaded_without_a_context_is_for_any(builder: webnn.MLGraphBuilder, tmp_path: Path) -> None:
    own = builder.build({"y": builder.relu(builder.input("x", [2, 3]))})
    own.save(tmp_path / "g.webnn")
    for graph in (webnn.load(tmp_path / "g.webnn"), webnn.MLGraph.load(str(tmp_path / "g.webnn"))):
        for backend in ("reference", "cpu"):
            context = webnn.ML().create_context(backend=backend)
            for _ in range(2):
                np.testing.assert_array_equal(context.compute(graph, {"x": X})["y"], np.maximum(X, 0))
            x, y = context.create_host_tensor([2, 3], "float32"), context.create_host_tensor([2, 3], "float32")
            context.write_tensor(x, X)
            context.dispatch(graph, {"x": x}, {"y": y})
            np.testing.assert_array_equal(y.numpy(), np.maximum(X, 0))
        graph.destroy()
        with pytest.raises(webnn.InvalidStateError):
            context.compute(graph, {"x": X})
    with pytest.raises(webnn.ArgumentError, match=r"another context; context.compile\(graph\) takes it to this one"):
        context.compute(own, {"x": X})


def test_device_tensors_of_pywebnn_are_tensors(context: webnn.MLContext, builder: webnn.MLGraphBuilder) -> None:
    graph = builder.build({"y": builder.input("x", [2]) * 2})
    x, y = context.create_device_tensor(graph, [2], "float32"), context.create_device_tensor(graph, [2])
    x.write(np.array([1, 2], np.float32))
    context.dispatch(graph, {"x": x}, {"y": y})
    assert y.read().tolist() == [2, 4]
    assert (x.shape, x.data_type, x.size, x.device, x.backend) == ([2], "float32", 2, "cpu", context.backend)
    with pytest.raises(ValueError, match="device 'tpu' is not one of"):
        context.create_device_tensor(graph, [2], "float32", "tpu")
    with pytest.raises(webnn.NotSupportedError, match="no tensors on 'cuda'"):
        context.create_device_tensor(graph, [2], "float32", "cuda")


def test_limits_have_the_specifications_names_too(context: webnn.MLContext) -> None:
    limits = context.op_support_limits()
    assert limits["maxTensorByteLength"] == limits["max_tensor_byte_length"]
    assert limits["conv2d"]["filter"]["rankRange"] == {"min": 4, "max": 4} == limits["conv2d"]["filter"]["rank_range"]
    assert limits["batchNormalization"] == limits["batch_normalization"]
    assert limits["gatherND"]["indices"]["dataTypes"] == limits["gather_nd"]["indices"]["data_types"]


def test_backends_say_why_they_are_not_there() -> None:
    found = {backend.name: backend for backend in webnn.backends()}
    assert found["cpu"].available and found["reference"].available
    assert not found["coreml"].available
    assert found["coreml"].reason
    for backend in found.values():
        if not backend.available:
            with pytest.raises(webnn.NotSupportedError):
                webnn.ML().create_context(backend=backend.name)


def test_a_context_takes_the_specifications_dictionary() -> None:
    context = webnn.ML().create_context({"powerPreference": "low-power", "accelerated": False})
    assert context.power_preference == "low-power"
    with pytest.raises(webnn.ArgumentError, match="there is no option 'threads'; give it as a keyword"):
        webnn.ML().create_context({"threads": 1})


def test_an_unknown_suffix_is_no_format(builder: webnn.MLGraphBuilder, tmp_path: Path) -> None:
    graph = builder.build({"y": builder.relu(builder.input("x", [2]))})
    for name in ("x.h5", "x"):
        with pytest.raises(webnn.ArgumentError, match=r"\.webnn, \.webnnb, \.json, \.onnx or \.mlpackage"):
            graph.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    graph.save(tmp_path / "x.h5", format="json")
    assert webnn.load(tmp_path / "x.h5").operation_count == 1
    with pytest.raises(webnn.ArgumentError, match='format "h5" is not one of "webnn"'):
        graph.save(tmp_path / "x.webnn", format="h5")
    with pytest.raises(webnn.ArgumentError, match='weights "zip" is not one of "safetensors"'):
        graph.save(tmp_path / "x.webnn", weights="zip")


def test_ctrl_c_ends_a_read() -> None:
    context = webnn.ML().create_context(backend="reference")
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [4096, 4096])
    graph = builder.build({"y": x @ x})  # takes minutes to run
    tensors = [context.create_host_tensor([4096, 4096], "float32") for _ in range(2)]
    cancellation = webnn.Cancellation()
    context.dispatch(graph, {"x": tensors[0]}, {"y": tensors[1]}, cancellation=cancellation)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupter = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            interrupter.start()
            context.read_tensor(tensors[1])
        interrupter.join()
    finally:
        signal.signal(signal.SIGINT, before)
    cancellation.request()
    with pytest.raises(webnn.AbortError):
        context.read_tensor(tensors[1])


def test_the_package_lists_the_same_backends_as_the_library() -> None:
    assert list(BACKENDS) == [backend.name for backend in webnn.backends()]
    assert _KNOWN.keys() <= BACKENDS.keys()
