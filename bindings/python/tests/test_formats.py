"""Tests files, models in memory, sessions, pictures, comparisons and the command line tool."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from built import HAS_CAPNP

import webnn
from webnn import _webnn


@pytest.fixture
def graph(context: webnn.MLContext) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [2, 3], "float32")
    w = builder.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
    return builder.build({"y": builder.relu(builder.matmul(x, w), label="hidden <1> & co")})


X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)


needs_capnp = pytest.mark.skipif(not HAS_CAPNP, reason="the package is built without Cap'n Proto, as wheels are")


@pytest.mark.parametrize("name", ["g.webnn", pytest.param("g.webnnb", marks=needs_capnp), "g.json", "g.onnx"])
def test_graphs_are_saved_and_loaded(graph: webnn.MLGraph, tmp_path: Path, name: str) -> None:
    graph.save(tmp_path / name)
    expected = graph.compute({"x": X})["y"]
    np.testing.assert_array_equal(webnn.run(tmp_path / name, {"x": X})["y"], expected)
    loaded = webnn.MLGraph.load(str(tmp_path / name))
    assert loaded.get_input_names() == ["x"]
    assert loaded.outputs == {"y": ("float32", (2, 4))}


def test_onnx_models_live_in_memory(graph: webnn.MLGraph, tmp_path: Path, context: webnn.MLContext) -> None:
    content = graph.to_onnx()
    assert content is not None
    expected = graph.compute({"x": X})["y"]
    np.testing.assert_array_equal(webnn.from_onnx(content, context).compute({"x": X})["y"], expected)
    context.convert_to_onnx(graph, tmp_path / "g.onnx")
    np.testing.assert_array_equal(webnn.from_onnx(tmp_path / "g.onnx").compute({"x": X})["y"], expected)
    onnx = pytest.importorskip("onnx")
    np.testing.assert_array_equal(webnn.from_onnx(onnx.load_from_string(content)).compute({"x": X})["y"], expected)


def test_ml_programs_are_folders(graph: webnn.MLGraph, tmp_path: Path) -> None:
    graph.to_coreml(tmp_path / "a.mlpackage")
    graph.save(tmp_path / "b.mlpackage")
    model = Path("Data/com.apple.CoreML/model.mlmodel")
    content = (tmp_path / "a.mlpackage" / model).read_bytes()
    assert content[:2] == b"\x08\x07"  # field 1, the version of Core ML's specification, is 7
    assert content == (tmp_path / "b.mlpackage" / model).read_bytes()


def test_a_session_has_the_methods_of_onnx_runtime(graph: webnn.MLGraph) -> None:
    session = webnn.InferenceSession(graph.to_onnx())
    (argument,) = session.get_inputs()
    assert (argument.name, argument.shape, argument.type) == ("x", [2, 3], "tensor(float)")
    (result,) = session.run(None, {"x": X})
    np.testing.assert_array_equal(result, graph.compute({"x": X})["y"])
    assert len(session.run([session.get_outputs()[0].name], {"x": X})) == 1
    with pytest.raises(ValueError, match="nothing"):
        session.run(["nothing"], {"x": X})


def test_a_graph_is_drawn(graph: webnn.MLGraph) -> None:
    root = ET.fromstring(graph._repr_svg_())
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for expected in ("x", "y", "matmul", "relu", "hidden <1> & co", "float32[2, 3]", "b: float32[3, 4]"):
        assert expected in texts
    assert not any("operand_" in str(text) for text in texts)
    arrows = root.find("{http://www.w3.org/2000/svg}g")
    assert arrows is not None
    assert len(arrows) == 3


def test_differences_are_found() -> None:
    a = np.array([1, 2, 3], np.float32)
    b = a.copy()
    assert str(webnn.compare(a, b)) == "equal"
    b[1] = np.nextafter(np.float32(2), np.float32(3))
    found = webnn.compare({"y": a}, {"y": b})["y"]
    assert (found.max_ulp, found.index) == (1, (1,))
    assert str(found).startswith("largest differences: absolute 2.38419e-07 (2.0 and 2.000000238")
    assert found.max_absolute == pytest.approx(2.0**-22)
    assert found.max_relative == pytest.approx(2.0**-23, rel=1e-5)
    assert webnn.compare(np.float32(-0.0), np.float32(0.0)).max_ulp == 0
    assert webnn.compare(np.array(np.nan), np.array(np.nan)).index is None
    assert webnn.compare(np.array([1.0]), np.array([np.nan])).max_absolute == np.inf
    assert webnn.compare(np.array([2**63], np.uint64), np.array([0], np.uint64)).max_ulp == 2**63
    assert webnn.compare(a.astype(">f4"), b.astype(">f4")) == found
    with pytest.raises(webnn.ArgumentError):
        webnn.compare(a, b.astype(np.float64))


def test_differences_of_the_floats_of_ml_dtypes_are_found() -> None:
    bfloat16: Any = pytest.importorskip("ml_dtypes").bfloat16
    a, b = (np.array([1, second, np.nan]).astype(bfloat16) for second in (1, 1 + 2**-7))
    found = webnn.compare(a, b)
    assert (found.max_ulp, found.max_absolute, found.index) == (1, 2**-7, (1,))


@pytest.mark.parametrize(
    "name", ["float8_e4m3fn", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e3m2fn", "float6_e2m3fn", "float4_e2m1fn"]
)
def test_ulp_are_counted_for_floats_of_any_layout(name: str) -> None:
    data_type = np.dtype(getattr(pytest.importorskip("ml_dtypes"), name))
    all_values = np.arange(256, dtype=np.uint8).view(data_type).astype(np.float64)
    values = np.unique(all_values[np.isfinite(all_values)])
    numbers = values.astype(data_type)
    assert webnn.compare(numbers[1:], numbers[:-1]).max_ulp == 1
    assert webnn.compare(numbers[:1], numbers[-1:]).max_ulp == len(values) - 1


def test_types_whose_ulp_are_not_counted_are_refused() -> None:
    with pytest.raises(webnn.ArgumentError, match="convert them to float64"):
        webnn.compare(np.ones(2, np.longdouble), np.zeros(2, np.longdouble))


def test_a_constant_may_have_a_name_that_safetensors_reserves(context: webnn.MLContext, tmp_path: Path) -> None:
    builder = webnn.MLGraphBuilder(context)
    y = builder.input("x", [20])
    for name, number in (("__metadata__", 2), ("__metadata___", 3)):
        factors = builder.constant(np.full(20, number, np.float32))
        builder.set_name(factors, name)
        y = y * factors
    graph = builder.build({"y": y})
    graph.save(tmp_path / "g.webnn")
    command = [sys.executable, "-m", "webnn", "convert", str(tmp_path / "g.webnn"), str(tmp_path / "g.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    built: dict[str, Any] = {"__name__": "g", "__file__": str(tmp_path / "g.py")}
    exec((tmp_path / "g.py").read_text(encoding="utf-8"), built)
    for made in (webnn.load(tmp_path / "g.webnn"), built["build"](context)):
        np.testing.assert_array_equal(made.compute({"x": np.ones(20, np.float32)})["y"], np.full(20, 6, np.float32))


def test_the_module_is_the_command(graph: webnn.MLGraph, tmp_path: Path) -> None:
    graph.save(tmp_path / "g.webnn")
    command = [sys.executable, "-m", "webnn"]
    done = subprocess.run([*command, "check", str(tmp_path / "g.webnn")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "float32[2, 3]" in done.stdout
    bench = [*command, "bench", str(tmp_path / "g.webnn"), "--backends", "cpu", "--runs", "3"]  # starts a process of the tool
    done = subprocess.run(bench, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wrong = subprocess.run([*command, "nosuch"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "nosuch" in wrong.stderr
    started = subprocess.run(["/bin/sh", "-c", '"$@" >&-', "sh", *command, "nosuch"], capture_output=True, text=True, check=False)
    assert started.returncode == 2, started.stderr


def test_the_stubs_are_those_of_the_table() -> None:
    stubs = Path(webnn.__file__).with_name("_operations.pyi").read_text(encoding="utf-8")
    assert stubs == _webnn._operations_pyi(), "print them again: webnn ops --format=pyi -o src/webnn/_operations.pyi"
