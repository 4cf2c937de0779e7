"""Tests that errors have the specification's names and derive from the expected Python exceptions."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    with pytest.raises(webnn.ArgumentError, match="load: path must be a path or an open file, not NoneType"):
        webnn.load(None)  # type: ignore[arg-type]


class Opened:
    """An object with a fileno() method, as open files have."""

    def __init__(self, descriptor: Any) -> None:
        self.descriptor = descriptor

    def fileno(self) -> Any:
        return self.descriptor


GRAPH = 'webnn_graph "g" v1 { inputs { x: f32[1]; } nodes { y = relu(x); } outputs { y; } }'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"named_files_only": "x"}, "named_files_only must be a bool, not str."),
        ({"named_files_only": 1}, "named_files_only must be a bool, not int."),
        ({"dimensions": {"a": -1}}, "dimensions: 'a' is not between 0 and 4294967295."),
        ({"dimensions": {"a": 2**40}}, "dimensions: 'a' is not between 0 and 4294967295."),
        ({"dimensions": {"a": 1.5}}, "dimensions: 'a' must be an integer, not float."),
        ({"dimensions": {1: 2}}, "dimensions: a name must be a str, not int."),
        ({"dimensions": {"\ud800": 2}}, r"dimensions: a name ('\ud800') is not UTF-8."),
        ({"dimensions": [1]}, "dimensions must be a dict, not list."),
        ({"values": {1: [1.0]}}, "values: a name must be a str, not int."),
        ({"weights": 5}, "weights must be a path, not int."),
        ({"weights": b"x"}, "weights must be a path, not bytes."),
        ({"manifest": []}, "manifest must be a path, not list."),
    ],
)
def test_options_of_load_are_named(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    (tmp_path / "g.webnn").write_text(GRAPH)
    for function in (webnn.load, webnn.from_onnx) if not {"weights", "manifest"} & set(options) else (webnn.load,):
        with pytest.raises(webnn.ArgumentError) as caught:
            function(tmp_path / "g.webnn", **options)
        assert str(caught.value) == f"load: {message}"


def test_flags_of_numpy_are_taken(tmp_path: Path) -> None:
    (tmp_path / "g.webnn").write_text(GRAPH)
    assert webnn.load(tmp_path / "g.webnn", named_files_only=np.bool_(True)).operation_count == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (Opened(2**40), "path.fileno() is not between 0 and 2147483647."),
        (Opened("x"), "path.fileno() must be an integer, not str."),
        (os.fsdecode(b"mod\xff.webnn"), r"path ('mod\udcff.webnn') is not UTF-8."),
        (7, "path must be a path or an open file, not int."),
    ],
)
def test_paths_are_named(path: Any, message: str) -> None:
    with pytest.raises(webnn.ArgumentError) as caught:
        webnn.load(path)
    assert str(caught.value) == f"load: {message}"


@pytest.mark.parametrize("model", [5, 8 * 10**9, [1], None, np.zeros(1, np.uint8)])
def test_only_bytes_are_the_bytes_of_a_model(model: Any) -> None:
    with pytest.raises(webnn.ArgumentError) as caught:
        webnn.from_onnx(model)
    kind = type(model).__name__
    assert str(caught.value) == f"from_onnx: model must be bytes, a path or an onnx.ModelProto, not {kind}."


@pytest.mark.parametrize("content", [b"?", bytearray(b"?"), memoryview(b"?")])
def test_bytes_of_any_kind_are_taken_for_a_model(content: Any) -> None:
    with pytest.raises(webnn.DataError):
        webnn.from_onnx(content)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": -1}, "threads is not between 0 and 4294967295."),
        ({"threads": 2**40}, "threads is not between 0 and 4294967295."),
        ({"threads": "x"}, "threads must be an integer, not str."),
        ({"threads": np.zeros(2)}, "threads must be an integer, not ndarray."),
        ({"backend_options": {"isa": 5}}, "backend_options: 'isa' must be a str, not int."),
        ({"backend_options": ["ab"]}, "backend_options must be a dict, not list."),
        ({"accelerated": "no"}, "accelerated must be a bool, not str."),
        ({"power_preference": 5}, "power_preference must be a str, not int."),
        ({"device_type": None}, "device_type must be a str, not NoneType."),
        ({"backend": 5}, "backend must be a str, not int."),
    ],
)
def test_options_of_create_context_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(webnn.ArgumentError) as caught:
        webnn.ML().create_context(**options)
    assert str(caught.value) == f"create_context: {message}"


CALLS: list[tuple[Callable[[Any, Any], Any], str]] = [
    (lambda b, x: b.squeeze(x, 0), "squeeze: axes must be a sequence, not int."),
    (lambda b, x: b.squeeze(x, [0.5]), "squeeze: one of axes must be an integer, not float."),
    (lambda b, x: b.squeeze(x, [4]), "squeeze: the axis (4) is not below the rank (4)."),
    (lambda b, x: b.squeeze(5), "squeeze: input must be an MLOperand, not int."),
    (lambda b, x: b.unsqueeze(x, 0), "unsqueeze: axes must be a sequence, not int."),
    (lambda b, x: b.unsqueeze(x, "a"), "unsqueeze: one of axes must be an integer, not str."),
    (lambda b, x: b.unsqueeze(5, [0]), "unsqueeze: input must be an MLOperand, not int."),
    (lambda b, x: b.global_average_pool(x, np.zeros(2)), "averagePool2d: layout must be one of"),
    (lambda b, x: b.global_max_pool(x, np.zeros(2)), "maxPool2d: layout must be one of"),
    (lambda b, x: b.hard_swish(x, np.zeros(2)), "hard_swish: the specification has no alpha but"),
    (lambda b, x: b.pad(x, 5), "pad: padding must be a sequence, not int."),
    (lambda b, x: webnn.compare("a", "b"), "compare: the arrays are of <U1, which is no type of numbers."),
    (lambda b, x: webnn.compare({"y": [1.0]}, 5), "compare: a: dict is no array."),
    (lambda b, x: b.build({"y": b.relu(x)}).debug_operand("x"), "debug_operand: idx must be an integer, not str."),
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_arguments_of_methods_in_python_are_named(
    builder: webnn.MLGraphBuilder, call: Callable[[Any, Any], Any], message: str
) -> None:
    with pytest.raises(webnn.ArgumentError) as caught:
        call(builder, builder.input("x", [1, 1, 2, 2]))
    assert str(caught.value).startswith(message)
