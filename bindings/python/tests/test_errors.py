"""Errors carry the specification's name and are what Python's users expect."""

from pathlib import Path

import numpy as np
import pytest

import webnn


@pytest.mark.parametrize(
    ("error", "name", "bases"),
    [
        (webnn.ArgumentError, "TypeError", (TypeError, ValueError, RuntimeError)),
        (webnn.DataError, "DataError", (ValueError, OSError, RuntimeError)),
        (webnn.InvalidStateError, "InvalidStateError", (RuntimeError,)),
        (webnn.NotFoundError, "NotFoundError", (FileNotFoundError, OSError, RuntimeError)),
        (webnn.NotSupportedError, "NotSupportedError", (ValueError, OSError, RuntimeError)),
        (webnn.OperationError, "OperationError", (RuntimeError, OSError)),
        (webnn.UnknownError, "UnknownError", (MemoryError, RuntimeError)),
    ],
)
def test_errors_are_of_these_kinds(error: type[webnn.Error], name: str, bases: tuple[type[Exception], ...]) -> None:
    assert error.name == name
    expected: list[type[Exception]] = [webnn.Error, *bases]
    for base in expected:
        assert issubclass(error, base)
    assert str(error("message")) == "message"


def test_messages_stay_short(builder: webnn.MLGraphBuilder) -> None:
    shape = [1] * 100_000
    with pytest.raises(webnn.ArgumentError) as error:
        builder.constant(np.zeros(3, np.float32), shape)
    assert len(str(error.value)) <= 4000
    with pytest.raises(webnn.ArgumentError) as error:
        builder.input("x", shape)
    assert len(str(error.value)) <= 4000


def test_messages_are_the_librarys(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", [1, 2, 3], "float32")
    with pytest.raises(webnn.ArgumentError, match=r'conv2d "stem": input rank \(3\) is not 4\.'):
        builder.conv2d(x, x, label="stem")


def test_a_builder_builds_once(context: webnn.MLContext) -> None:
    builder = webnn.MLGraphBuilder(context)
    y = builder.relu(builder.input("x", [1], "float32"))
    builder.build({"y": y})
    with pytest.raises(webnn.InvalidStateError):
        builder.build({"y": y})
    with pytest.raises(webnn.InvalidStateError):
        builder.relu(y)


def test_a_destroyed_graph_does_not_compute(context: webnn.MLContext) -> None:
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.relu(builder.input("x", [1], "float32"))})
    graph.destroy()
    with pytest.raises(webnn.InvalidStateError):
        graph.compute({"x": np.zeros(1, np.float32)})


def test_names_of_inputs_and_outputs_are_checked(context: webnn.MLContext) -> None:
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.relu(builder.input("x", [1], "float32"))})
    x = np.zeros(1, np.float32)
    with pytest.raises(ValueError, match="Missing input"):
        context.compute(graph, {})
    with pytest.raises(ValueError, match='no input "z"; it has "x"'):
        context.compute(graph, {"x": x, "z": x})
    with pytest.raises(ValueError, match='no output "z"'):
        context.compute(graph, {"x": x}, {"z": x})
    with pytest.raises(webnn.ArgumentError, match="another context"):
        webnn.ML().create_context().compute(graph, {"x": x})
    with pytest.raises(webnn.ArgumentError, match="inputs must be a dict"):
        context.compute(graph, [x])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be an MLTensor"):
        context.dispatch(graph, {"x": x}, {})  # type: ignore[dict-item]


def test_contexts_are_truthful() -> None:
    with pytest.raises(ValueError, match="power_preference"):
        webnn.ML().create_context(power_preference="fast")
    with pytest.raises(ValueError, match="device_type"):
        webnn.ML().create_context(device_type="tpu")
    with pytest.raises(webnn.NotSupportedError, match="nosuch"):
        webnn.ML().create_context(backend="nosuch")
    context = webnn.ML().create_context(backend="reference")
    assert context.backend == "reference"
    context.destroy()
    assert context.lost
    with pytest.raises(webnn.InvalidStateError):
        context.create_tensor([1], "float32")


def test_tensors_are_readable_and_writable_as_made(context: webnn.MLContext) -> None:
    tensor = context.create_tensor([2], "float32")
    with pytest.raises(webnn.ArgumentError, match="not readable"):
        context.read_tensor(tensor)
    with pytest.raises(webnn.ArgumentError, match="not writable"):
        context.write_tensor(tensor, np.zeros(2, np.float32))
    with pytest.raises(ValueError, match='Unsupported data type: "float128"'):
        context.create_tensor([2], "float128")


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        webnn.load(tmp_path / "nothing.onnx")
    (tmp_path / "bad.webnn").write_text("nonsense")
    with pytest.raises(webnn.DataError, match="line 1"):
        webnn.load(tmp_path / "bad.webnn")
    with pytest.raises(webnn.ArgumentError, match="path must be a path or an open file, not NoneType"):
        webnn.load(None)  # type: ignore[arg-type]
