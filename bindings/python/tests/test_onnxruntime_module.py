"""Tests webnn.onnxruntime: its names, its behaviour and its exceptions are those of the real package, and programs run on it."""

import builtins
import importlib.util
import inspect
import json
import pickle
import py_compile
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn
from webnn import onnxruntime as ort
from webnn.onnxruntime import _absent
from webnn.onnxruntime._errors import RUNNING, InvalidProtobuf, raised_as
from webnn.onnxruntime.capi import onnxruntime_pybind11_state as state

onnx = pytest.importorskip("onnx")
helper, numpy_helper, kinds = onnx.helper, onnx.numpy_helper, onnx.TensorProto
ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
REAL = ROOT / "build/python/bin/python"
needs_real = pytest.mark.skipif(not REAL.exists(), reason="ONNX Runtime is not in build/python (scripts/setup/setup_python.sh)")
C: Any = state
X = np.ones((2, 3), np.float32)

ADAPTER = (  # w = [9, 10], written by ONNX Runtime 1.32
    "0c000000544f525400000000e4ffffff0100000003000000040000000400000001000000100000000c001400040008000c0010000c0000"
    "00280000001800000001000000040000000800000000001041000020410100000002000000000000000100000077000000"
)

# Messages of loads and runs that differ from the real package's: ours leave out its source files and lines, or add a cause.
OTHER_TEXTS = {
    *(f"load {way}{name}" for name in ("no_output", "open_output", "opset", "cut") for way in ("", "the bytes of ")),
    *("load a folder", "load with a number as options", "run with a str as outputs", "run with a number as options"),
    *("run a reshape that fails", "run an addition that fails"),
}


def value(name: str, shape: Any, data_type: int = kinds.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, data_type, shape)


def model(nodes: Any, inputs: Any, outputs: Any, initializers: Any = ()) -> Any:
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)


def node(operator: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def models() -> dict[str, Any]:
    two, a = value("a", [2]), value("a", ["n"])
    add = model([node("Add", "a b", "c")], [value("a", [2, 3]), value("b", [2, 3])], [value("c", [2, 3])])
    newer = model([node("Relu", "a", "c")], [two], [value("c", [2])])
    newer.opset_import[0].version = 99
    weights = [numpy_helper.from_array(np.ones(2, np.float32), "w")]
    initializer = model([node("Add", "a w", "c")], [two], [value("c", [2])], weights)
    overridable = model([node("Add", "a w", "c")], [two, value("w", [2])], [value("c", [2])], weights)
    beside = numpy_helper.from_array(np.ones(2, np.float32), "w")
    beside.ClearField("raw_data")
    beside.data_location = kinds.EXTERNAL
    beside.external_data.add(key="location", value="beside.bin")
    short = numpy_helper.from_array(np.ones(2, np.float32), "w")
    short.raw_data = b"123"
    dict_type = helper.make_map_type_proto(kinds.STRING, helper.make_tensor_type_proto(kinds.FLOAT, []))
    maps = helper.make_sequence_type_proto(helper.make_map_type_proto(kinds.INT64, helper.make_tensor_type_proto(kinds.FLOAT, [])))
    vectorizer = node("DictVectorizer", "a", "c", domain="ai.onnx.ml", string_vocabulary=["x", "y"])
    zip_map = node("ZipMap", "a", "c", domain="ai.onnx.ml", classlabels_int64s=[1, 2])
    step = numpy_helper.from_array(np.array(4), "w")
    parts = helper.make_tensor_sequence_value_info("s", kinds.FLOAT, None)
    sequence = helper.make_tensor_sequence_value_info("c", kinds.FLOAT, None)
    shape = value("s", [2], kinds.INT64)
    square = [numpy_helper.from_array(np.ones((64, 64), np.float32), "w")]
    untyped = onnx.ValueInfoProto(name="t")
    late = [node("Neg", "b", "c"), node("Abs", "a", "b")]
    return {
        "unsorted": model(late, [two], [value("c", [2])]),
        "open_unsorted": model(late, [a], [value("c", ["n"])]),
        "open_undefined": model([node("Add", "a missing", "c")], [a], [value("c", ["n"])]),
        "open_operator": model([node("Frobnicate", "a", "c")], [a], [value("c", ["n"])]),
        "open_domain": model([node("Relu", "a", "c", domain="nonsense")], [a], [value("c", ["n"])]),
        "open_output": model([node("Relu", "a", "c")], [a], [value("other", ["n"])]),
        "open_twice": model([node("Relu", "a", "c"), node("Relu", "a", "c")], [a], [value("c", ["n"])]),
        "open_cycle": model([node("Add", "a d", "c"), node("Relu", "c", "d")], [a], [value("d", ["n"])]),
        "add": add,
        "open": model([node("Relu", "a", "c")], [value("a", ["n", 3])], [value("c", ["n", 3])]),
        "untyped": model([node("Relu", "a", "t"), node("Add", "t t", "c")], [value("a", ["n", 3])], [value("c", ["n", 3]), untyped]),
        "scalar": model([node("Mul", "a s", "c")], [value("a", ["n", 3]), value("s", [])], [value("c", ["n", 3])]),
        "integers": model([node("Add", "a a", "c")], [value("a", [2], kinds.INT64)], [value("c", [2], kinds.INT64)]),
        "double": model([node("Add", "a a", "c")], [value("a", [2], kinds.DOUBLE)], [value("c", [2], kinds.DOUBLE)]),
        "negated": model([node("Not", "a", "c")], [two], [value("c", [2])]),
        "retyped": model([node("Relu", "a", "c")], [two], [value("c", [2], kinds.INT64)]),
        "bool": model([node("Not", "a", "c")], [value("a", [2], kinds.BOOL)], [value("c", [2], kinds.BOOL)]),
        "string": model([node("Identity", "a", "c")], [value("a", ["n"], kinds.STRING)], [value("c", ["n"], kinds.STRING)]),
        "sequence": model([node("SplitToSequence", "a", "c", keepdims=1)], [a], [sequence]),
        "nameless": model([node("Relu", "a", "c")], [value("a", [None, 3])], [value("c", [None, 3])]),
        "rankless": model([node("Identity", "a", "c")], [value("a", None)], [value("c", None)]),
        "join": model([node("ConcatFromSequence", "s", "c", axis=0)], [parts], [value("c", ["n"])]),
        "reshape": model([node("Reshape", "a s", "c")], [a, shape], [value("c", ["x", "y"])]),
        "sizes": model([node("Add", "a b", "c")], [a, value("b", ["m"])], [value("c", ["k"])]),
        "initializer": initializer,
        "overridable": overridable,
        "external": model([node("Add", "a w", "c")], [two], [value("c", [2])], [beside]),
        "map": model([vectorizer], [helper.make_value_info("a", dict_type)], [value("c", [1, 2])]),
        "zipmap": model([zip_map], [value("a", ["n", 2])], [helper.make_value_info("c", maps)]),
        "stft": model([helper.make_node("STFT", ["a", "w", "", "w"], ["c"])], [value("a", [1, 8])], [value("c", None)], [step]),
        "matmul": model([node("MatMul", "a w", "c", name="m")], [value("a", ["n", 64])], [value("c", ["n", 64])], square),
        "undefined_input": model([node("Add", "a missing", "c")], [two], [value("c", [2])]),
        "no_such_operator": model([node("Frobnicate", "a", "c")], [two], [value("c", [2])]),
        "no_axis": model([node("Concat", "a a", "c")], [two], [value("c", [4])]),
        "no_output": model([node("Relu", "a", "c")], [two], [value("other", [2])]),
        "twice": model([node("Relu", "a", "c"), node("Relu", "a", "c")], [two], [value("c", [2])]),
        "cycle": model([node("Add", "a d", "c"), node("Relu", "c", "d")], [two], [value("d", [2])]),
        "opset": newer,
        "contributed": model([node("Frobnicate", "a", "c", domain="com.microsoft")], [two], [value("c", [2])]),
        "concat": model([node("Concat", "a b", "c", axis=1)], [value("a", [2, 3]), value("b", [3, 3])], [value("c", [2, 6])]),
        "short": model([node("Add", "a w", "c")], [two], [value("c", [2])], [short]),
        "cut": initializer.SerializeToString()[:-7],
        "garbage": b"this is not a model at all" * 10,
        "empty": b"",
    }


def write_models(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, made in models().items():
        (folder / f"{name}.onnx").write_bytes(made if isinstance(made, bytes) else made.SerializeToString())
    (folder / "weights").mkdir(exist_ok=True)
    (folder / "weights/beside.bin").write_bytes(np.array([1, 2], np.float32).tobytes())
    (folder / "real.onnx_adapter").write_bytes(bytes.fromhex(ADAPTER))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_models(tmp_path_factory.mktemp("models"))


def output_of(*command: Any, cwd: Path | None = None, status: int = 0) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + (done.stderr if status else "")


def ours(*arguments: Any, **options: Any) -> str:
    return output_of(sys.executable, "-m", "webnn.onnxruntime", *arguments, **options)


@pytest.fixture(scope="module")
def apis() -> tuple[dict[str, Any], dict[str, Any]]:
    program = HERE / "onnxruntime_api.py"
    return json.loads(output_of(REAL, program)), json.loads(ours(program))


def differences_of_class(name: str, real: dict[str, Any], our: dict[str, Any]) -> Iterator[str]:
    known = {*our["methods"], *our["fields"]}
    for member in {*real["methods"], *real["fields"]} - known:
        yield f"{name}.{member}"
    for method, parameters in real["methods"].items():
        if method in our["methods"] and parameters is not None and parameters != our["methods"][method]:
            yield f"{name}.{method}"


def differences(real: dict[str, Any], our: dict[str, Any]) -> Iterator[str]:
    """Yields the names of a module that are missing here, or have another kind, other parameters, members or values."""
    for name, expected in real.items():
        if name not in our:
            yield name
        elif name in _absent.CLASSES or name in _absent.FUNCTIONS:
            continue
        elif expected["kind"] == our[name]["kind"] == "class":
            yield from differences_of_class(name, expected, our[name])
        elif expected["kind"] == our[name]["kind"] == "function":
            if expected["parameters"] is not None and expected["parameters"] != our[name]["parameters"]:
                yield name
        elif expected != our[name]:
            yield name


@needs_real
def test_all_names_of_the_real_package_are_here(apis: tuple[dict[str, Any], dict[str, Any]]) -> None:
    modules = [name for name in apis[0] if name.startswith("onnxruntime")]
    found = {name for module in modules for name in differences(apis[0][module], apis[1][module])}
    assert found - set(_absent.MISSING) == set()


@needs_real
def test_options_have_the_same_defaults(apis: tuple[dict[str, Any], dict[str, Any]]) -> None:
    real, our = apis
    assert our["SessionOptions"] == real["SessionOptions"]
    assert our["RunOptions"] == real["RunOptions"]


@needs_real
def test_exceptions_derive_from_exception_alone(apis: tuple[dict[str, Any], dict[str, Any]]) -> None:
    real, our = (found["onnxruntime.capi.onnxruntime_pybind11_state"] for found in apis)
    expected = {name: made for name, made in real.items() if made["kind"] == "exception"}
    assert {name: our[name] for name in expected} == expected
    assert len(expected) >= 14


@needs_real
def test_programs_get_the_same_results_and_exceptions(tmp_path: Path) -> None:
    program = HERE / "onnxruntime_behaviour.py"
    real = json.loads(output_of(REAL, program, write_models(tmp_path / "real")))
    our = json.loads(ours(program, write_models(tmp_path / "ours")))
    wrong = {}
    for name, expected in real.items():
        raised = expected.get("raised", [""])[0]
        if raised not in our[name].get("raised", ()) if raised else our[name] != expected:
            wrong[name] = (expected, our[name])
    assert wrong == {}
    failed = [name for name in real if "text" in real[name] and name.startswith(("load", "run"))]
    found = {name: our[name]["text"].replace(str(tmp_path / "ours"), str(tmp_path / "real")) for name in failed}
    assert {name for name in failed if found[name] != real[name]["text"]} == OTHER_TEXTS


PROGRAM = """\
import sys
import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
import onnxruntime.capi._pybind_state as state

if __name__ == "__main__":
    assert state.InvalidArgument is InvalidArgument and sys.modules["__main__"].InvalidArgument is InvalidArgument
    try:
        onnxruntime.InferenceSession(sys.argv[1]).run(None, {"a": 1, "b": 2, "z": 3})
    except InvalidArgument as error:
        print(str(error)[:41], sys.argv[2:], "webnn" in onnxruntime.get_build_info())
"""
PRINTED = "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT ['-x', 'y'] True\n"


def test_a_program_runs_unmodified(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    arguments = (folder / "add.onnx", "-x", "y")
    assert ours(tmp_path / "program.py", *arguments) == PRINTED
    assert ours("-m", "program", *arguments, cwd=tmp_path) == PRINTED
    assert ours("-c", PROGRAM, *arguments) == PRINTED
    package = tmp_path / "package"
    package.mkdir()
    (package / "__main__.py").write_text("from helper import *", encoding="utf-8")
    (package / "helper.py").write_text("import onnxruntime; print(onnxruntime.__name__)", encoding="utf-8")
    assert ours(package) == "webnn.onnxruntime\n"


OURS = [sys.executable, "-m", "webnn.onnxruntime"]
FACTS = """\
import os, sys, threading
main = sys.modules["__main__"]
facts = [os.path.abspath(sys.path[0]), getattr(main, "__file__", None), main.__name__, sys.argv[1:], main.__annotations__]
facts += [type(getattr(main, "__loader__", None)).__name__, getattr(main, "__spec__", None) is None, vars(main) is globals()]
print(facts)
os.chdir("/")
thread = threading.Timer(0.1, lambda: print(sys.modules["__main__"] is main))
thread.start()
"""


def test_a_program_finds_the_module_main_and_the_path_that_python_gives_it(tmp_path: Path) -> None:
    (tmp_path / "facts.py").write_text(FACTS, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/__main__.py").write_text(FACTS, encoding="utf-8")
    py_compile.compile(str(tmp_path / "facts.py"), str(tmp_path / "facts.pyc"))
    with zipfile.ZipFile(tmp_path / "facts.zip", "w") as archive:
        archive.write(tmp_path / "facts.py", "__main__.py")
    for arguments in (("facts.py", "-x"), ("facts.pyc",), ("folder", "y"), ("facts.zip",), ("-m", "facts", "z"), ("-m", "folder")):
        expected = output_of(sys.executable, *arguments, cwd=tmp_path)
        assert expected.endswith("True\n") and len(expected) > 40
        assert ours(*arguments, cwd=tmp_path) == expected, arguments
    piped = subprocess.run([*OURS, "-", "a"], input="import sys; print(sys.argv)", capture_output=True, text=True, check=True)
    assert piped.stdout == "['-', 'a']\n"
    for command in ([sys.executable], OURS):
        missing = subprocess.run([*command, "-m", "nosuch"], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (missing.stderr, missing.returncode) == (f"{sys.executable}: No module named nosuch\n", 1)


def test_threads_import_both_modules_at_once() -> None:
    code = """
import threading
barrier, failed = threading.Barrier(2), []
def load(name):
    barrier.wait()
    try:
        __import__(name)
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=load, args=(name,)) for name in ("webnn.onnxruntime", "webnn")]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(failed)
"""
    assert [output_of(sys.executable, "-c", code) for _ in range(5)] == 5 * ["[]\n"]


def test_exit_statuses_and_usage(tmp_path: Path) -> None:
    assert ours("-c", "raise SystemExit(5)", status=5) == ""
    assert "ZeroDivisionError" in ours("-c", "1 / 0", status=1)
    assert ours("--help").startswith("usage: python -m webnn.onnxruntime PROGRAM.py")
    for wrong in ((), ("-m",), ("-c",), ("-x", "y")):
        assert ours(*wrong, status=2).startswith("usage: ")
    assert "can't open file" in ours(tmp_path / "missing.py", status=2)


def test_processes_of_a_program_use_the_same_module(tmp_path: Path) -> None:
    text = """\
import multiprocessing

def name(_):
    import onnxruntime
    return onnxruntime.__name__

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(name, [0]))
"""
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    assert ours(tmp_path / "program.py") == "['webnn.onnxruntime']\n"


INSTALL = "import webnn; webnn.install_as_onnxruntime(); webnn.install_as_onnxruntime(); "


def test_install_as_onnxruntime() -> None:
    code = INSTALL + (
        "import onnxruntime, importlib.metadata as m; from onnxruntime import capi; from webnn import onnxruntime as ours;"
        "assert onnxruntime is ours and capi is ours.capi; print(m.version('onnxruntime') == onnxruntime.__version__)"
    )
    assert output_of(sys.executable, "-c", code) == "True\n"


def test_a_run_loads_no_module_that_most_programs_do_without(folder: Path) -> None:
    """Importing these modules takes three times as long as importing webnn. Importing the real package takes about as long as webnn."""
    slow = {"asyncio", "concurrent.futures", "html", "importlib.metadata", "json", "numpy.ma", "numpy.random", "pathlib", "statistics"}
    slow |= {"sysconfig", "tempfile", "webnn._compare", "webnn._decoder", "webnn._profile", "webnn.onnxruntime._devices"}
    code = f"""
import sys, numpy
before = set(sys.modules)
import webnn
webnn.install_as_onnxruntime()
import onnxruntime
session = onnxruntime.InferenceSession({str(folder / "open.onnx")!r}, providers=["CPUExecutionProvider"])
session.run(None, {{session.get_inputs()[0].name: numpy.ones((2, 3), numpy.float32)}})
print(sorted({slow} & (set(sys.modules) - before)))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_cache_without_elements_may_share_the_name_of_another_size() -> None:
    """In the first step of merged decoders that optimum exports, the encoder's cache is empty but the encoder's states are not."""
    inputs = [value("states", ["n", 2]), value("cache", ["n", 2])]
    content = model([node("Concat", "cache states", "c", axis=0)], inputs, [value("c", ["m", 2])]).SerializeToString()
    session = ort.InferenceSession(content)
    states, cache = np.ones((3, 2), np.float32), np.zeros((0, 2), np.float32)
    for feed in ({"states": states, "cache": cache}, {"cache": cache, "states": states}):
        np.testing.assert_array_equal(session.run(None, feed)[0], states)
    assert session.run(None, {"states": states, "cache": np.ones((1, 2), np.float32)})[0].shape == (4, 2)


def test_the_real_package_must_not_be_imported_before(tmp_path: Path) -> None:
    (tmp_path / "onnxruntime.py").write_text("", encoding="utf-8")
    message = output_of(sys.executable, "-c", "import onnxruntime; " + INSTALL, cwd=tmp_path, status=1)
    assert "InvalidStateError: install_as_onnxruntime: onnxruntime (" in message
    assert "is already imported; call this before its import" in message


def test_tools_are_those_of_the_real_package(tmp_path: Path) -> None:
    code = "import onnxruntime.quantization as q; print(q.NAME)"
    missing = output_of(sys.executable, "-c", INSTALL + code, status=1)
    assert "ModuleNotFoundError: onnxruntime.quantization belongs to the real package onnxruntime" in missing
    for file, text in (
        ("__init__.py", "raise RuntimeError"),
        ("quantization/__init__.py", "from onnxruntime.capi._pybind_state import quantize_matmul_4bits, GraphOptimizationLevel; NAME = 1"),
        ("capi/__init__.py", "raise RuntimeError"),
    ):
        path = tmp_path / "onnxruntime" / file
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    assert output_of(sys.executable, "-c", INSTALL + code, cwd=tmp_path) == "1\n"


@needs_real
def test_functions_for_tools_are_those_of_the_real_package(tmp_path: Path) -> None:
    (packages,) = (ROOT / "build/python/lib").glob("python3*/site-packages")
    code = f"""\
import sys
import numpy as np
sys.path.append({str(packages)!r})
from onnxruntime.capi._pybind_state import quantize_matmul_4bits
weights = np.linspace(-1, 1, 64, dtype=np.float32).reshape(32, 2)
packed, scales, points = np.zeros((2, 1, 16), np.uint8), np.zeros(2, np.float32), np.zeros(2, np.uint8)
quantize_matmul_4bits(packed, weights, scales, points, 32, 2, 32, True)
nibbles = np.stack([packed & 15, packed >> 4], -1).reshape(2, 32).astype(np.float32)
print(np.abs((nibbles - 8) * scales[:, None] - weights.T).max() <= np.abs(scales).max())
"""
    assert ours("-c", code, cwd=tmp_path) == "True\n"


@needs_real
def test_the_real_quantization_runs_on_our_module(folder: Path, tmp_path: Path) -> None:
    (packages,) = (ROOT / "build/python/lib").glob("python3*/site-packages")
    code = f"""\
import sys
sys.path.append({str(packages)!r})
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic
quantize_dynamic({str(folder / "matmul.onnx")!r}, "small.onnx", weight_type=QuantType.QInt8)
print(onnxruntime.__name__, onnxruntime.InferenceSession("small.onnx").get_inputs()[0].shape)
"""
    assert ours("-c", code, cwd=tmp_path).splitlines()[-1] == "webnn.onnxruntime ['n', 64]"


def test_the_wheel_gives_the_same_module(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core", reason="scikit-build-core, which builds the wheel, is not installed")
    install = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    output_of(*install, "--disable-pip-version-check", "--target", tmp_path, ROOT / "bindings/python/onnxruntime")
    assert (tmp_path / "onnxruntime/__init__.py").stat().st_size < 1000
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import onnxruntime as o, onnxruntime.capi as c; import webnn.onnxruntime as w;"
    )
    assert output_of(sys.executable, "-c", code + "print(o is w, c is w.capi)") == "True True\n"


def test_exceptions_look_as_those_of_the_real_package(folder: Path) -> None:
    code = """
import pickle, sys, traceback, onnxruntime
try:
    onnxruntime.InferenceSession(sys.argv[1])
except Exception as error:
    again = pickle.loads(pickle.dumps(error))
    print(traceback.format_exception_only(error)[0].split(":")[0], type(again) is type(error), str(again) == str(error))
"""
    kinds_of = {"garbage": "InvalidProtobuf", "no_output": "Fail", "open_operator": "InvalidGraph", "missing": "NoSuchFile"}
    for name, kind in kinds_of.items():
        printed = f"onnxruntime.capi.onnxruntime_pybind11_state.{kind} True True\n"
        assert ours("-c", code, folder / f"{name}.onnx") == printed


def test_sessions_can_be_pickled(folder: Path) -> None:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(folder / "add.onnx", options, ["CPUExecutionProvider"])
    again = pickle.loads(pickle.dumps(session))
    assert type(again) is ort.InferenceSession
    assert again.get_session_options().intra_op_num_threads == 1
    np.testing.assert_array_equal(again.run(None, {"a": X, "b": X})[0], X + X)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        error = pool.submit(again.run, None, {"z": X}).exception()
    assert isinstance(error, ValueError)


def test_names_that_are_left_out_refuse_their_use() -> None:
    for name in _absent.CLASSES:
        refused = getattr(C, name)
        for use in (refused, getattr(refused, "open", refused)):
            with pytest.raises(C.NotImplemented, match=f"NOT_IMPLEMENTED : {name}: "):
                use()
    for name in _absent.FUNCTIONS:
        with pytest.raises(C.NotImplemented, match=f"NOT_IMPLEMENTED : {name}: "):
            getattr(C, name)(1, 2)
    assert not isinstance(X, ort.SparseTensor)


def test_a_warning_names_the_line_of_the_program(folder: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ort.InferenceSession(folder / "add.onnx", providers=["CUDAExecutionProvider"])
    assert [Path(warning.filename).name for warning in caught] == [Path(__file__).name]
    assert "Specified provider 'CUDAExecutionProvider' is not in available provider names." in str(caught[0].message)


def test_a_seed_is_for_later_sessions(tmp_path: Path) -> None:
    path = tmp_path / "random.onnx"
    path.write_bytes(model([node("RandomNormalLike", "a", "c")], [value("a", [2])], [value("c", [2])]).SerializeToString())
    feed = {"a": np.ones(2, np.float32)}
    results = []
    for seed in (1, 1, 2):
        ort.set_seed(seed)
        results.append(ort.InferenceSession(path).run(None, feed)[0].tolist())
    assert results[0] == results[1] != results[2]


def test_vectors_of_values(folder: Path) -> None:
    session, values = ort.InferenceSession(folder / "add.onnx"), C.OrtValueVector()
    one = ort.OrtValue.ortvalue_from_numpy(X)
    session.run_with_ortvaluevector(None, ["a", "b"], [one, one], ["c"], values, [])
    assert (len(values), values.element_type_at(0), values[0].numpy().tolist()) == (1, 1, (X + X).tolist())
    values.push_back(one._ortvalue)
    values.push_back(one.to_dlpack())
    assert [np.from_dlpack(value).shape for value in values] == [(2, 3)] * 3
    ort.copy_tensors([one], [values[0]])
    assert values[0].numpy().tolist() == X.tolist()
    with pytest.raises(webnn.ArgumentError, match="src has 1 values, and dst 0"):
        ort.copy_tensors([one], [])


def test_providers_of_options_and_cancellation(folder: Path) -> None:
    options = ort.SessionOptions()
    assert not options.has_providers()
    options.add_provider_for_devices(ort.get_ep_devices()[-1:], {})
    assert options.has_providers()
    assert ort.InferenceSession(folder / "add.onnx", options).get_providers() == ["CPUExecutionProvider"]
    options.set_load_cancellation_flag(True)
    with pytest.raises(C.ModelLoadCanceled):
        ort.InferenceSession(folder / "add.onnx", options)


def test_private_attributes_that_programs_read_exist(folder: Path) -> None:
    session = ort.InferenceSession(folder / "add.onnx")
    assert (session._model_path, session._model_bytes, session._providers) == (str(folder / "add.onnx"), None, session.get_providers())
    assert ort.InferenceSession((folder / "add.onnx").read_bytes())._model_path is None
    binding = session.io_binding()
    binding.bind_cpu_input("a", X)
    binding.bind_cpu_input("b", X)
    binding.bind_output("c")
    session._sess.run_with_iobinding(binding._iobinding, None)
    assert len(binding.get_outputs_as_ortvaluevector()) == 1
    assert importlib.util.find_spec("webnn.onnxruntime") is not None


PAGE = (ROOT / "docs/guides/coming_from_onnxruntime.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[tuple[str, str]]:
    """Returns (first cell, second cell) of the rows of a table of the guide."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [(first, second) for first, second in lines[1:]]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def member(name: str) -> Any:
    found: Any = ort
    for part in name.split("."):
        found = getattr(found, part)
    return found


def test_the_options_of_the_guide_exist() -> None:
    listed = [name for first, _ in rows("Options")[:-1] for name in named(first)]
    assert len(listed) >= 10
    for name in listed:
        assert member(name) is not None


def stopped(folder: Path) -> None:
    options = ort.RunOptions()
    options.terminate = True
    ort.InferenceSession(folder / "add.onnx").run(None, {"a": X, "b": X}, options)


def short_of_memory(folder: Path) -> None:
    with raised_as(RUNNING):
        raise webnn.UnknownError("no memory")


def on_one_thread(folder: Path) -> None:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    ort.InferenceSession(folder / "add.onnx", options).run_async(None, {"a": X, "b": X}, None, None)


def run_of(name: str, **feed: Any) -> Callable[[Path], Any]:
    return lambda folder: ort.InferenceSession(folder / f"{name}.onnx").run(None, feed)


def load_of(name: str) -> Callable[[Path], Any]:
    return lambda folder: ort.InferenceSession(folder / f"{name}.onnx")


CAUSES: dict[str, Callable[[Path], Any]] = {
    "no such file": lambda folder: ort.InferenceSession(folder / "missing.onnx"),
    "the file is no ONNX model, or cut off": load_of("cut"),
    "the file is empty, or a node reads a value that does not exist": load_of("undefined_input"),
    "a file of external data is missing": load_of("external"),
    "an output does not exist, a name is defined twice, or nodes form a cycle": load_of("no_output"),
    "the operator set or a function is unknown, or the version of the format or of an operator set is newer than ONNX Runtime's": load_of(
        "opset"
    ),
    "an operator is unknown, or a node has a wrong number of inputs or outputs or a wrong attribute": load_of("no_such_operator"),
    "an operator does not take a type": load_of("negated"),
    "types of inputs differ, a declared type is wrong, or two nodes have one name": load_of("retyped"),
    "an operator of `com.microsoft` or `ai.onnx.ml` is not supported": load_of("contributed"),
    "shapes in the model do not fit": load_of("concat"),
    "the model breaks another rule of ONNX": load_of("short"),
    "an unknown name, a wrong shape or a wrong type of an input": run_of("add", a=X, b=X[:1]),
    "`run_async` in a session with `intra_op_num_threads = 1`": on_one_thread,
    "`None` for a required input": run_of("add", a=X, b=None),
    "an input that is no array": run_of("add", a=X, b=object()),
    "a required input is missing": run_of("join"),
    "a node cannot compute its result from these inputs": run_of("reshape", a=np.ones(4, np.float32), s=np.array([3, 2])),
    "`RunOptions.terminate`": stopped,
    "memory is short, or a limit is reached": short_of_memory,
    "`IOBinding` and `OrtValue` refuse an argument": lambda folder: ort.OrtValue.ortvalue_from_numpy(X, "cuda", 0),
}


def test_the_errors_of_the_guide_are_raised(folder: Path) -> None:
    table = rows("Errors")
    assert [first for first, _ in table] == list(CAUSES)
    for first, second in table:
        with pytest.raises(Exception, match=r".") as caught:
            CAUSES[first](folder)
        for name in named(second):
            assert isinstance(caught.value, getattr(C, name, None) or getattr(builtins, name)), (first, name)


def test_the_names_that_the_guide_leaves_out_are_refused() -> None:
    for name in [name for first, _ in rows("Names that are left out") for name in named(first)]:
        if name.startswith(("onnxruntime.", ".")):
            continue
        owner, _, method = name.rpartition(".")
        use = getattr(member(owner)(), method) if owner else member(name)
        with pytest.raises((C.NotImplemented, C.Fail)):
            use(*[["name"]] * (len(inspect.signature(use).parameters) if owner or name.islower() else 1))


@pytest.mark.parametrize("key", ["offset", "length"])
def test_external_data_must_have_numbers_for_its_place(tmp_path: Path, key: str) -> None:
    made = models()["external"]
    made.graph.initializer[0].external_data.add(key=key, value="two")
    (tmp_path / "beside.bin").write_bytes(bytes(8))
    options = ort.SessionOptions()
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(tmp_path))
    with pytest.raises(InvalidProtobuf, match=f"the {key} of its external data"):
        ort.InferenceSession(made.SerializeToString(), options)


def test_inputs_may_disagree_about_the_name_of_a_dimension() -> None:
    nodes = [node("Add", "a b", "sum"), node("ReduceSum", "c", "total", keepdims=0)]
    inputs = [value("a", ["n", 2]), value("b", ["n", 2]), value("c", ["n", "n"])]
    session = ort.InferenceSession(model(nodes, inputs, [value("sum", ["n", 2]), value("total", [])]).SerializeToString())
    a = np.arange(4, dtype=np.float32).reshape(2, 2)
    for rows, square in ((2, (2, 2)), (1, (2, 3)), (2, (1, 4)), (1, (2, 3))):
        b, c = np.full((rows, 2), rows, np.float32), np.ones(square, np.float32)
        total, both = session.run(["total", "sum"], {"a": a, "b": b, "c": c})
        np.testing.assert_array_equal(both, a + b)
        assert total == c.size
    with pytest.raises(C.InvalidArgument, match=r"Attempting to broadcast an axis by a dimension other than 1\. 2 by 3$") as caught:
        session.run(None, {"a": a, "b": np.ones((3, 2), np.float32), "c": a})
    assert 'the dimension "n" is 2 in input "a" and 3 in input "b"' in str(caught.value.__cause__)


def test_indices_out_of_range_are_refused() -> None:
    table = numpy_helper.from_array(np.arange(8, dtype=np.float32).reshape(4, 2), "table")
    made = model([node("Gather", "table ids", "y")], [value("ids", ["n"], kinds.INT64)], [value("y", ["n", 2])], [table])
    session = ort.InferenceSession(made.SerializeToString())
    assert session.run(None, {"ids": np.array([3, -4])})[0].tolist() == [[6, 7], [0, 1]]
    for index in (4, -5, 2**40):
        with pytest.raises(C.InvalidArgument) as caught:
            session.run(None, {"ids": np.array([0, index])})
        text = f"indices element out of data bounds, idx={index} must be within the inclusive range [-4,3]"
        running = "Non-zero status code returned while running Gather node. Name:'' Status Message: "
        assert str(caught.value) == f"[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : {running}{text}"
