"""Tests webnn.onnxruntime against facts of ONNX Runtime 1.32: texts of exceptions, profiles, pickles, scalars, metadata, optimized models.

Most tests also pass with the real package, which printed the expected texts and values.
"""

import copy
import json
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from webnn import onnxruntime as ort
from webnn.onnxruntime.capi import onnxruntime_pybind11_state as state

onnx = pytest.importorskip("onnx")
helper, kinds = onnx.helper, onnx.TensorProto
C: Any = state
INVALID = "Got invalid dimensions for input"
ROOT = Path(__file__).resolve().parents[3]
FIX = "Please fix either the inputs/outputs or the model."
ARGUMENT = "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : "


def value(name: str, shape: Any, data_type: int = kinds.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, data_type, shape)


def node(operator: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def model(nodes: Any, inputs: Any, outputs: Any, initializers: Any = (), **options: Any) -> bytes:
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    imports = [helper.make_opsetid(domain, version) for domain, version in options.pop("imports", {"": 17}).items()]
    content: bytes = helper.make_model(graph, opset_imports=imports, ir_version=8, **options).SerializeToString()
    return content


def ones(*shape: int) -> Any:
    return np.ones(shape, np.float32)


FEED: dict[str, Any] = {"x": ones(2, 3, 4), "b": np.array([1, 2]), "s": np.array(["a"]), "q": np.array(True)}


def session() -> Any:
    types = {"x": (kinds.FLOAT, ["n", 3, 4]), "b": (kinds.INT64, [2]), "s": (kinds.STRING, ["k"]), "q": (kinds.BOOL, [])}
    inputs = [value(name, shape, kind) for name, (kind, shape) in types.items()]
    outputs = [value(f"{name}_out", None, kind) for name, (kind, _) in types.items()]
    return ort.InferenceSession(model([node("Identity", name, f"{name}_out") for name in types], inputs, outputs))


def raised(kind: type[Exception], text: str, work: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        work()
    assert str(caught.value) == text
    assert type(caught.value).__name__ == kind.__name__


def wrong_type(actual: str, expected: str) -> str:
    return f"Unexpected input data type. Actual: (tensor({actual})) , expected: (tensor({expected}))"


REFUSED = [  # inputs, and ONNX Runtime's message
    ({"x": np.ones((2, 3, 4))}, wrong_type("double", "float")),
    ({"b": np.ones(2, np.int32)}, wrong_type("int32", "int64")),
    ({"b": np.array([True, False])}, wrong_type("bool", "int64")),
    ({"x": np.array(["a"])}, wrong_type("string", "float")),
    ({"s": np.ones(1, np.int64)}, wrong_type("int64", "string")),
    ({"q": np.array(1)}, wrong_type("int64", "bool")),
    ({"x": ort.OrtValue.ortvalue_from_numpy(np.ones(2))}, wrong_type("double", "float")),
    ({"x": ones(2)}, f"Invalid rank for input: x Got: 1 Expected: 3 {FIX}"),
    ({"x": [1, 2]}, f"Invalid rank for input: x Got: 1 Expected: 3 {FIX}"),
    ({"x": ones(2, 5, 6)}, f"{INVALID}: x for the following indices\n index: 1 Got: 5 Expected: 3\n index: 2 Got: 6 Expected: 4\n {FIX}"),
    ({"b": []}, f"{INVALID}: b for the following indices\n index: 0 Got: 0 Expected: 2\n {FIX}"),
    ({"x": np.ones(2)}, wrong_type("double", "float")),
    ({"x": ones(2), "b": np.ones(2)}, f"Invalid rank for input: x Got: 1 Expected: 3 {FIX}"),
    ({"b": np.ones(2), "x": ones(2)}, f"Invalid rank for input: x Got: 1 Expected: 3 {FIX}"),
    ({"x": ones(2), "z": ones(2)}, "Invalid input name: z"),
    ({"x": ones(2), "a": ones(2)}, f"Invalid rank for input: x Got: 1 Expected: 3 {FIX}"),
]


@pytest.mark.parametrize(("feed", "text"), REFUSED)
def test_texts_for_inputs(feed: dict[str, Any], text: str) -> None:
    made, wrong, feed = session(), feed, {**FEED, **feed}
    raised(C.InvalidArgument, ARGUMENT + text, lambda: made.run(None, feed))
    raised(C.InvalidArgument, ARGUMENT + text, lambda: made.run(["nope"], feed))
    if len(wrong) > 1:
        return  # run_async() of the real package checks inputs in another order
    called, errors = Event(), []

    def callback(results: Any, data: Any, error: str) -> None:
        errors.append(error)
        called.set()

    made.run_async(None, feed, callback, None)
    assert called.wait(60) and errors == [text]


def test_texts_for_values_that_are_no_tensors() -> None:
    made = session()
    number = f"Unable to handle object of type {object}"
    raised(RuntimeError, number, lambda: made.run(None, {**FEED, "x": object()}))
    raised(RuntimeError, "Numpy_type 14 can't be converted to MLDataType.", lambda: made.run(None, {**FEED, "x": np.ones(2, np.complex64)}))
    raised(RuntimeError, "Could not create tensor from given input list", lambda: made.run(None, {**FEED, "b": [[1], [1, 2]]}))
    with pytest.raises(C.Fail, match=r"Non-zero status code returned while running Identity node\. Name:'' Status Message: "):
        made.run(None, {**FEED, "x": None})


def test_texts_for_names_and_stopped_runs() -> None:
    made = session()
    text = "Required inputs (['b', 's', 'q']) are missing from input feed (['x'])."
    raised(ValueError, text, lambda: made.run(None, {"x": ones(2, 3, 4)}))
    raised(C.InvalidArgument, ARGUMENT + "Invalid output name:nope", lambda: made.run(["nope", "other"], FEED))
    options = ort.RunOptions()
    options.terminate = True
    text = "[ONNXRuntimeError] : 1 : FAIL : Exiting due to terminate flag being set to true."
    raised(C.Fail, text, lambda: made.run(None, FEED, options))


def test_texts_of_bindings() -> None:
    made = ort.InferenceSession(model([node("Abs", "x", "y")], [value("x", ["n", 3])], [value("y", ["n", 3])]))
    binding = made.io_binding()
    raised(RuntimeError, "Failed to find NodeArg with name: nope in the def list", lambda: binding.bind_cpu_input("nope", ones(2)))
    binding.bind_cpu_input("x", ones(2))
    binding.bind_output("y")
    text = f"Error in execution: Invalid rank for input: x Got: 1 Expected: 2 {FIX}"
    raised(RuntimeError, text, lambda: made.run_with_iobinding(binding))
    binding.bind_cpu_input("x", ones(2, 3))
    binding.bind_output("nope")
    raised(RuntimeError, "Error in execution: Invalid output name: nope", lambda: made.run_with_iobinding(binding))
    binding = made.io_binding()
    binding.bind_output("y")
    with pytest.raises(RuntimeError, match=r"^Error in execution: Non-zero status code .* running Abs node\. .*Missing Input: x"):
        made.run_with_iobinding(binding)
    raised(ValueError, "IOBinding must be used with the session that created it.", lambda: session().run_with_iobinding(binding))


X, Y = [value("x", [2])], [value("y", None)]
SHOWN = '[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. In Node, ("{}", {}, "{}", -1) : ({}) -> ({}) , Error '
FAIL = "[ONNXRuntimeError] : 1 : FAIL : "
BROKEN: list[tuple[bytes, Any, str]] = [  # a model, and ONNX Runtime's class and message
    (
        b"not a model",
        C.InvalidProtobuf,
        "[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Failed to load model because protobuf parsing failed.",
    ),
    (b"", C.InvalidArgument, ARGUMENT + "No graph was found in the protobuf."),
    (
        model([node("Abs", "x", "a"), node("Frob", "x a", "y z", name="n")], X, [*Y, value("a", [2])]),
        C.InvalidGraph,
        SHOWN.format("n", "Frob", "", '"x": tensor(float),"a": tensor(float),', '"y": tensor(float),"z",')
        + "No Op registered for Frob with domain_version of 17",
    ),
    (
        model([node("Frob", "x", "y", domain="d")], X, Y),
        C.InvalidGraph,
        SHOWN.format("", "Frob", "d", '"x": tensor(float),', '"y": tensor(float),') + "No opset import for domain 'd'",
    ),
    (
        model([node("Frob", "x", "y", domain="d")], X, Y, imports={"": 17, "d": 1}),
        C.Fail,
        FAIL + "Fatal error: d:Frob(-1) is not a registered function/op",
    ),
    (
        model([node("Relu", "q", "y")], X, Y),
        C.InvalidArgument,
        ARGUMENT + "Invalid model. Node input 'q' is not a graph input, initializer, or output of a previous node.",
    ),
    (
        model([node("Relu", "x", "y"), node("Abs", "x", "y")], X, Y),
        C.Fail,
        FAIL + "This is an invalid model. Error: Duplicate definition of name (y).",
    ),
    (
        model([node("Add", "x y", "c"), node("Relu", "c", "y")], X, Y),
        C.Fail,
        FAIL + "This is an invalid model. Error: the graph is not acyclic.",
    ),
    (
        model([node("Neg", "b", "c"), node("Abs", "x", "b"), node("Frob", "x", "y")], X, [*Y, value("c", [2])]),
        C.InvalidGraph,
        SHOWN.format("", "Frob", "", '"x": tensor(float),', '"y": tensor(float),') + "No Op registered for Frob with domain_version of 17",
    ),
    (model([node("Relu", "x", "y")], X * 2, Y), C.Fail, FAIL + "Error: Duplicate definition-site for (x)."),
    (
        model([node("Relu", "x", "y")], [onnx.ValueInfoProto(name="x")], Y),
        C.Fail,
        FAIL + "This is an invalid model. Model input (x) does not have type information.",
    ),
    (
        model([node("Concat", "x x", "y")], X, Y),
        C.InvalidGraph,
        SHOWN.format("", "Concat", "", '"x": tensor(float),"x": tensor(float),', '"y": tensor(float),')
        + "Required attribute 'axis' is missing.",
    ),
]


@pytest.mark.parametrize(("content", "kind", "text"), BROKEN)
def test_texts_for_models(content: bytes, kind: type[Exception], text: str, tmp_path: Path) -> None:
    raised(kind, text, lambda: ort.InferenceSession(content))
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    begin, _, rest = text.partition(" : ")
    code, name, message = rest.split(" : ", maxsplit=2)
    message = message.replace("Failed to load model because protobuf parsing failed.", "Protobuf parsing failed.")
    text = f"{begin} : {code} : {name} : Load model from {path} failed:{message}"
    raised(kind, text, lambda: ort.InferenceSession(path))


def test_texts_for_files(tmp_path: Path) -> None:
    path = tmp_path / "no.onnx"
    text = f"[ONNXRuntimeError] : 3 : NO_SUCHFILE : Load model from {path} failed:Load model {path} failed. File doesn't exist"
    raised(C.NoSuchFile, text, lambda: ort.InferenceSession(path))
    weights = onnx.numpy_helper.from_array(ones(2), "w")
    weights.ClearField("raw_data")
    weights.data_location = kinds.EXTERNAL
    weights.external_data.add(key="location", value="no.bin")
    path.write_bytes(model([node("Add", "x w", "y")], X, Y, [weights]))
    with pytest.raises(C.Fail, match=r"External data path validation failed for initializer: w\. Error: ") as caught:
        ort.InferenceSession(path)
    assert f'External data path does not exist: "{tmp_path / "no.bin"}"' in str(caught.value)
    (tmp_path / "g.webnn").write_bytes((ROOT / "examples/digits/digits.webnn").read_bytes())
    with pytest.raises(C.NoSuchFile, match="there is no weights file"):
        ort.InferenceSession(tmp_path / "g.webnn")
    raised(TypeError, "Unable to load from type '<class 'int'>'", lambda: ort.InferenceSession(4))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_texts_of_nodes() -> None:
    sizes = [value("x", ["a", "b"]), value("s", [2], kinds.INT64)]
    made = ort.InferenceSession(model([node("Reshape", "x s", "y", name="r")], sizes, Y))
    with pytest.raises(C.Fail, match=r"Non-zero status code returned while running Reshape node\. Name:'r' Status Message: "):
        made.run(None, {"x": ones(2, 3), "s": np.array([4, -1])})
    parts = [helper.make_tensor_sequence_value_info("s", kinds.FLOAT, None), value("i", [], kinds.INT64)]
    made = ort.InferenceSession(model([node("SequenceAt", "s i", "y")], parts, Y))
    running = "Non-zero status code returned while running SequenceAt node. Name:'' Status Message: "
    text = f"{ARGUMENT}{running}Invalid sequence index (4) specified for sequence of size (1)"
    raised(C.InvalidArgument, text, lambda: made.run(None, {"s": [ones(2)], "i": np.array(4)}))
    text = ARGUMENT + "input with name: 's' expected to be of type: 3 but received a tensor"
    raised(C.InvalidArgument, text, lambda: made.run(None, {"s": ones(2), "i": np.array(0)}))
    table = onnx.numpy_helper.from_array(ones(4, 2), "w")
    for operator, kind, detail in (
        ("Gather", C.InvalidArgument, "indices element out of data bounds, idx=9 must be within the inclusive range [-4,3]"),
        ("GatherND", C.InvalidArgument, "invalid index found, index = 9"),
    ):
        gather = model([node(operator, "w i", "y", name="g")], [value("i", ["n", 1], kinds.INT64)], Y, [table])
        with pytest.raises(kind) as caught:
            ort.InferenceSession(gather).run(None, {"i": np.array([[9]])})
        running = f"Non-zero status code returned while running {operator} node. Name:'g' Status Message: "
        assert str(caught.value) == f"{ARGUMENT}{running}{detail}"
    raised(ValueError, "Required inputs (['s']) are missing from input feed (['i']).", lambda: made.run(None, {"i": np.array(0)}))
    images = [value("x", [1, 1, 3, 3], kinds.INT32), value("w", [1, 1, 2, 2], kinds.INT32)]
    convolution = model([node("Conv", "x w", "y")], images, [value("y", None, kinds.INT32)])
    feed = {"x": np.ones((1, 1, 3, 3), np.int32), "w": np.ones((1, 1, 2, 2), np.int32)}
    with pytest.raises(C.InvalidGraph, match=r"Type 'tensor\(int32\)' of input parameter \(x\) of operator \(Conv\) in node"):
        ort.InferenceSession(convolution).run(None, feed)


ADD = model([node("Add", "x z", "y")], [value("x", []), value("z", ["n"])], [value("y", ["n"])])
ABS = model([node("Abs", "x", "y")], [value("x", [], kinds.INT64)], [value("y", [], kinds.INT64)])


def test_a_scalar_may_be_an_array_of_one_element() -> None:
    made = ort.InferenceSession(ADD)
    for array in ([6], [[6]], ones(1) * 6, np.array(6, np.float32), 6):
        assert made.run(None, {"x": array, "z": ones(3)})[0].tolist() == [7] * 3
    taken = ort.InferenceSession(ABS)
    for array in ([6], [[6]], np.array([6]), np.array(6)):
        assert taken.run(None, {"x": array})[0].shape == ()
    with pytest.raises(C.InvalidArgument):
        made.run(None, {"x": ones(3), "z": ones(3)})


def test_a_file_that_changes_does_not_change_its_session(tmp_path: Path) -> None:
    weight = onnx.numpy_helper.from_array(ones(2), "w")
    graph = helper.make_graph([node("Add", "x w", "y")], "g", [value("x", [2]), value("w", [2])], [value("y", [2])], [weight])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, model_version=7)
    path = tmp_path / "m.onnx"
    path.write_bytes(made.SerializeToString())
    session = ort.InferenceSession(path)
    made.model_version, made.graph.node[0].op_type, made.producer_name = 9, "Mul", "another size of the file"
    path.write_bytes(made.SerializeToString())
    assert session.get_modelmeta().version == 7
    assert session.run(None, {"x": ones(2)})[0].tolist() == [2, 2]
    with pytest.raises(C.Fail, match="has changed since the session was made"):
        session.run(None, {"x": ones(2), "w": ones(2)})


def test_a_number_in_place_of_a_text_needs_no_memory() -> None:
    # Node 0 ends with field 3, the node's name, but encoded as the number 2^62 instead of a text.
    made = helper.make_model(helper.make_graph([node("Nothing", "x", "y")], "g", [value("x", [1])], [value("y", [1])]))
    content = made.graph.node[0].SerializeToString() + b"\x18" + b"\x80" * 8 + b"\x40"
    graph = b"\x0a" + bytes([len(content)]) + content
    with pytest.raises(Exception, match=r".") as caught:
        ort.InferenceSession(b"\x08\x08\x3a" + bytes([len(graph)]) + graph)
    assert not isinstance(caught.value, MemoryError | OverflowError)


class Recipe(ort.InferenceSession):
    """The well-known recipe for sessions that can be pickled."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, providers=["CPUExecutionProvider"])
        self.content, self.extra = content, 5

    def __getstate__(self) -> dict[str, Any]:
        return {"content": self.content}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__init__(values["content"])  # type: ignore[misc]


class Plain(ort.InferenceSession):
    """A subclass without methods for pickling."""

    def __init__(self, content: bytes, extra: int) -> None:
        self.before = extra
        super().__init__(content, providers=["CPUExecutionProvider"])
        self.extra = extra


def test_pickles_keep_the_class_and_the_attributes() -> None:
    for made in (Recipe(ABS), Plain(ABS, 5)):
        for again in (*(pickle.loads(pickle.dumps(made, protocol)) for protocol in range(6)), copy.copy(made), copy.deepcopy(made)):
            assert type(again) is type(made) and again.extra == 5 and again.run(None, {"x": np.array(-3)})[0] == 3


FAILING = [  # a node, its inputs, and the class of ONNX Runtime's exception
    (node("Gemm", "a b", "y"), {"a": ones(2, 3), "b": ones(2, 3)}, C.InvalidArgument),
    (node("MatMul", "a b", "y"), {"a": ones(2, 3), "b": ones(2, 3)}, C.Fail),
    (node("Add", "a b", "y"), {"a": ones(2), "b": ones(3)}, C.Fail),
    (node("Einsum", "a b", "y", equation="ij,jk->ik"), {"a": ones(2, 3), "b": ones(2, 3)}, C.InvalidArgument),
    (node("Expand", "a i", "y"), {"a": ones(3), "i": np.array([2])}, C.InvalidArgument),
    (node("Tile", "a i", "y"), {"a": ones(3), "i": np.array([-1])}, C.InvalidArgument),
    (node("Reshape", "a i", "y"), {"a": ones(3), "i": np.array([2])}, C.Fail),
    (node("Slice", "a i i i", "y"), {"a": ones(3), "i": np.array([5])}, C.InvalidArgument),
    (node("Slice", "a i j", "y"), {"a": ones(3), "i": np.array([0]), "j": np.array([1, 1])}, C.Fail),
    (node("Unsqueeze", "a i", "y"), {"a": ones(3), "i": np.array([0, 0])}, C.InvalidArgument),
    (node("Unsqueeze", "a i", "y"), {"a": ones(3), "i": np.array([9])}, C.Fail),
    (node("Range", "i j i", "y"), {"i": np.array(0), "j": np.array(3)}, C.InvalidArgument),
    (node("DepthToSpace", "a", "y", blocksize=2), {"a": ones(1, 3, 2, 2)}, C.InvalidArgument),
    (node("Conv", "a b", "y"), {"a": ones(1, 2, 2, 2), "b": ones(2, 2, 3, 3)}, C.InvalidArgument),
    (node("Conv", "a b", "y"), {"a": ones(1, 3, 4, 4), "b": ones(2, 2, 3, 3)}, C.Fail),
    (node("BatchNormalization", "a b b b b", "y"), {"a": ones(2, 3, 2), "b": ones(2)}, C.InvalidArgument),
]


@pytest.mark.parametrize(("failing", "feed", "kind"), FAILING, ids=range(len(FAILING)))
def test_classes_of_failing_runs(failing: Any, feed: dict[str, Any], kind: type[Exception]) -> None:
    def declared(name: str, array: Any) -> Any:
        return value(name, [f"{name}{axis}" for axis in range(array.ndim)], kinds.FLOAT if array.dtype == np.float32 else kinds.INT64)

    inputs = [declared(name, array) for name, array in feed.items()]
    made = ort.InferenceSession(model([failing], inputs, [helper.make_empty_tensor_value_info("y")]))
    with pytest.raises(kind) as caught:
        made.run(None, feed)
    assert type(caught.value).__name__ == kind.__name__
    number, name = (2, "INVALID_ARGUMENT") if kind is C.InvalidArgument else (1, "FAIL")
    start = f"[ONNXRuntimeError] : {number} : {name} : Non-zero status code returned while running {failing.op_type} node."
    assert str(caught.value).startswith(start)


def test_a_node_fails_if_one_name_has_two_sizes() -> None:
    content = model([node("Add", "a b", "y", name="sum")], [value("a", ["n"]), value("b", ["n"])], [value("y", ["n"])])
    made = ort.InferenceSession(content)
    with pytest.raises(C.Fail, match=r"running Add node\. Name:'sum' Status Message: ") as caught:
        made.run(None, {"a": ones(2), "b": ones(3)})
    assert type(caught.value).__name__ == "Fail"


class Slotted(ort.InferenceSession):
    __slots__ = ("kept",)

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.kept = 9


class Made(ort.InferenceSession):
    def __new__(cls, *arguments: Any, flag: int = 0) -> "Made":
        made = super().__new__(cls)
        made.flag = flag
        return made

    flag: int

    def __getnewargs_ex__(self) -> Any:
        return (ABS,), {"flag": 3}

    def __getstate__(self) -> Any:
        return {"state": 1}

    def __setstate__(self, state: Any) -> None:
        self.__init__(ABS)  # type: ignore[misc]


def test_pickles_keep_slots_and_arguments_of_new() -> None:
    ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))]
    for copied in ways:
        slotted, made = copied(Slotted(ABS)), copied(Made(ABS))
        assert (slotted.kept, made.flag) == (9, 3)
        assert slotted.run(None, {"x": np.array(-3)})[0] == made.run(None, {"x": np.array(-3)})[0] == 3


def test_profiles_have_the_runs_of_models_that_no_graph_can_hold(tmp_path: Path) -> None:
    options = ort.SessionOptions()
    options.enable_profiling, options.profile_file_prefix = True, str(tmp_path / "profile")
    content = model([node("NonZero", "x", "y")], [value("x", [2])], [value("y", [1, "k"], kinds.INT64)])
    made = ort.InferenceSession(content, options)
    for _ in range(2):
        made.run(None, {"x": ones(2)})
    events = json.loads(Path(made.end_profiling()).read_text(encoding="utf-8"))
    assert [event["name"] for event in events if event["name"] == "model_run"] == ["model_run"] * 2
    assert all(event["dur"] > 0 for event in events if event["name"] == "model_run")


def test_wrong_providers() -> None:
    made = ort.InferenceSession(ABS)
    pairs = "'providers' values must be either strings or (string, dict) tuples."
    cpu: Any = "CPUExecutionProvider"
    wrong: list[tuple[type[Exception], str, Any]] = [
        (ValueError, pairs, ([3],)),
        (ValueError, pairs, ([(cpu,)],)),
        (ValueError, pairs, ([(cpu, {}, 1)],)),
        (ValueError, "'provider_options' values must be dicts.", ([cpu], [None])),
        (ValueError, "'provider_options' should be a sequence.", ([cpu], {"a": 1})),
        (ValueError, "Only string values for 'providers' are supported if 'provider_options' is given.", ([(cpu, {})], [{}])),
        (RuntimeError, "Unknown Provider Type: Foo", (["Foo"],)),
    ]
    for kind, text, arguments in wrong:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(kind) as caught:
                made.set_providers(*arguments)
            assert str(caught.value) == text
            assert ort.InferenceSession(ABS, None, *arguments).get_providers() == [cpu]
    assert made.get_providers() == [cpu]


def test_bindings_without_outputs_are_refused() -> None:
    made = ort.InferenceSession(ABS)
    binding = made.io_binding()
    binding.bind_cpu_input("x", np.array(-3))
    text = "Error in execution: At least one output should be requested."
    raised(RuntimeError, text, lambda: made.run_with_iobinding(binding))


def test_arguments_of_run_async() -> None:
    made = session()
    feed: dict[Any, Any] = dict(FEED)
    wrong: list[tuple[type[Exception], Any]] = [
        (TypeError, (None, {**feed, 3: ones(1)}, print, None)),
        (TypeError, ([3], feed, print, None)),
        (TypeError, (None, feed, 3, None)),
        (RuntimeError, (None, {**feed, "x": object()}, print, None)),
        (RuntimeError, (None, {**feed, "x": "abc"}, print, None)),
    ]
    for kind, arguments in wrong:
        with pytest.raises(kind) as caught:
            made.run_async(*arguments)
        assert type(caught.value) is kind
    made.run_async(None, feed, None, None)


def test_the_first_size_of_a_dimension_counts() -> None:
    options = ort.SessionOptions()
    for size in (2, 4):
        options.add_free_dimension_override_by_name("n", size)
        options.add_free_dimension_override_by_denotation("A", size + 1)
        options.add_free_dimension_override_by_denotation("a", size + 2)
    content = denoted(["n", None, None], "", "A", "")
    options.add_free_dimension_override_by_name("x.2", 7)  # webnn's name of the last dimension, which has no name in the file: ignored
    assert ort.InferenceSession(content, options).get_inputs()[0].shape == [2, 3, None]


def traced(nodes: Any, tmp_path: Path, source: Any = None, level: str = "ORT_DISABLE_ALL") -> list[dict[str, Any]]:
    options = ort.SessionOptions()
    options.enable_profiling, options.profile_file_prefix = True, str(tmp_path / "profile")
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
    weights = [onnx.numpy_helper.from_array(ones(8, 8), "w")]
    content = model(nodes, [value("x", ["n", 8])], [value("y", ["n", 8])], weights)
    if source is not None:
        source.write_bytes(content)
    made = ort.InferenceSession(content if source is None else source, options)
    for _ in range(2):
        made.run(None, {"x": ones(2, 8)})
    name = made.end_profiling()
    made.run(None, {"x": ones(2, 8)})
    assert made.end_profiling() == "" and len(list(tmp_path.glob("profile*"))) == 1
    events: list[dict[str, Any]] = json.loads(Path(name).read_text(encoding="utf-8"))
    return events


def test_profiles_have_the_events_of_the_real_package(tmp_path: Path) -> None:
    nodes = [node("MatMul", "x w", "a", name="product"), node("Softmax", "a", "b"), node("Cast", "b", "c", to=kinds.FLOAT16)]
    events = traced([*nodes, node("Cast", "c", "y", to=kinds.FLOAT)], tmp_path)
    of_run = [f"{name}_kernel_time" for name in ("product", "Softmax_1", "Cast_2", "Cast_3")] + ["SequentialExecutor::Execute", "model_run"]
    assert [event["name"] for event in events] == ["model_loading_array", "session_initialization", *of_run, *of_run]
    assert {tuple(event) for event in events} == {("cat", "pid", "tid", "dur", "ts", "ph", "name", "args")}
    assert all(event["ts"] >= 0 and event["dur"] >= 0 for event in events)
    product, softmax, cast = (event["args"] for event in events[2:5])
    expected = {"op_name": "MatMul", "node_index": "0", "output_type_shape": [{"float": [2, 8]}], "output_size": "64"}
    # The real package leaves out packed weights; our profile lists them.
    expected |= {"input_type_shape": [{"float": [2, 8]}, {"float": [8, 8]}], "parameter_size": "256", "activation_size": "64"}
    expected |= {"provider": "CPUExecutionProvider"}
    assert expected.items() <= product.items() and product["thread_scheduling_stats"] == {}
    assert (softmax["op_name"], softmax["node_index"], softmax["parameter_size"]) == ("Softmax", "1", "0")
    assert (cast["output_type_shape"], cast["output_size"]) == ([{"float16": [2, 8]}], "32")
    folder = tmp_path / "file"
    folder.mkdir()
    assert traced([node("Abs", "x", "y")], folder, folder / "model.onnx")[0]["name"] == "model_loading_uri"


def test_an_event_of_several_nodes_has_what_they_read_and_write(tmp_path: Path) -> None:
    folder = tmp_path / "fused"
    folder.mkdir()
    nodes = [node("Add", "x x", "a", name="sum"), node("Mul", "a x", "b", name="product"), node("Neg", "b", "y", name="last")]
    events = [event["args"] for event in traced(nodes, tmp_path) if event["cat"] == "Node"]
    assert [len(event["input_type_shape"]) for event in events[:3]] == [2, 2, 1]
    fused = next(event for event in traced(nodes, folder, level="ORT_ENABLE_ALL") if event["cat"] == "Node")
    assert (fused["name"], fused["args"]["op_name"]) == ("last_kernel_time", "Neg")
    assert (fused["args"]["input_type_shape"], fused["args"]["output_type_shape"]) == ([{"float": [2, 8]}], [{"float": [2, 8]}])


def denoted(shape: Any, *denotations: str) -> bytes:
    declared = value("x", shape)
    for dimension, denotation in zip(declared.type.tensor_type.shape.dim, denotations, strict=True):
        dimension.denotation = denotation
    return model([node("Abs", "x", "y")], [declared], [value("y", None)])


def shape_with(content: bytes, names: dict[str, int] | None = None, **denotations: int) -> Any:
    options = ort.SessionOptions()
    for denotation, size in denotations.items():
        options.add_free_dimension_override_by_denotation(denotation, size)
    for name, size in (names or {}).items():
        options.add_free_dimension_override_by_name(name, size)
    return ort.InferenceSession(content, options).get_inputs()[0].shape


def test_sizes_by_denotation() -> None:
    assert shape_with(denoted(["b", 3], "DATA_BATCH", "C"), DATA_BATCH=5) == [5, 3]
    assert shape_with(denoted([None, 3], "data_batch", "C"), DATA_BATCH=5, OTHER=2) == [5, 3]
    assert shape_with(denoted([None, None], "A", "A"), A=5) == [5, 5]
    assert shape_with(denoted(["b", 3], "", ""), DATA_BATCH=5) == ["b", 3]
    text = ARGUMENT + "Invalid free dimension override."
    raised(C.InvalidArgument, text, lambda: shape_with(denoted(["b", 3], "A", "C"), A=5, C=7))
    text = ARGUMENT + "Conflicting free dimension overrides."
    raised(C.InvalidArgument, text, lambda: shape_with(denoted(["b", 3], "A", "C"), {"b": 6}, A=5))


def test_metadata_can_be_assigned_and_has_the_version_of_the_model() -> None:
    made = ort.InferenceSession(ABS)
    metadata = made.get_modelmeta()
    assert metadata.version == 9223372036854775807 and made.get_modelmeta() is metadata
    metadata.version, metadata.producer_name, metadata.custom_metadata_map = 3, "me", {"a": "b"}
    assert (made.get_modelmeta().version, made.get_modelmeta().custom_metadata_map) == (3, {"a": "b"})
    assert isinstance(hash(metadata), int)
    with pytest.raises(AttributeError):
        metadata.other = 3  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    for version in (0, 1, -1):
        content = model([node("Abs", "x", "y")], X, Y, model_version=version)
        assert ort.InferenceSession(content).get_modelmeta().version == version


def test_texts_of_warnings_and_options() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ort.InferenceSession(ABS, providers=["CUDAExecutionProvider", "CPUExecutionProvider", "CPUExecutionProvider"])
    names = f"Available providers: '{', '.join(ort.get_available_providers())}'"
    unknown = f"Specified provider 'CUDAExecutionProvider' is not in available provider names.{names}"
    assert [str(warning.message) for warning in caught] == [unknown, "Duplicate provider 'CPUExecutionProvider' encountered, ignoring."]
    lengths = "'providers' and 'provider_options' should be the same length if both are given."
    raised(ValueError, lengths, lambda: ort.InferenceSession(ABS).set_providers(["CPUExecutionProvider"], [{}, {}]))
    text = "SessionOptions does not have configuration with key: k"
    raised(RuntimeError, text, lambda: ort.SessionOptions().get_session_config_entry("k"))
    raised(RuntimeError, "RunOptions does not have configuration with key: k", lambda: ort.RunOptions().get_run_config_entry("k"))
    with pytest.raises(TypeError) as error:
        ort.SessionOptions().intra_op_num_threads = "1"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    assert type(error.value) is TypeError
    assert [int(part) for part in ort.__version__.split(".")] == [1, 32, 0]


BROADCAST = "axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. "
CONCAT = "Non concat axis dimensions must match: Axis 1 has mismatched dimensions of "
RANKS = "input_rank == reference_rank was false. Ranks of input data are different, cannot concatenate them. "
CHANNELS = "Input channels C is not equal to kernel channels * group. "
UNFIT = [  # an operator, its attributes, the shapes of the inputs, and ONNX Runtime's text
    ("Add", {}, [[3, 2], [5, 2]], BROADCAST + "3 by 5"),
    ("Add", {}, [[5, 3], [3, 2]], BROADCAST + "2 by 3"),
    ("Mul", {}, [[2, 5, 3], [4, 3]], BROADCAST + "4 by 5"),
    ("Less", {}, [[3, 2], [3, 4]], BROADCAST + "2 by 4"),
    ("Mod", {"fmod": 1}, [[3, 2], [3, 4]], BROADCAST + "2 by 4"),
    ("PRelu", {}, [[3, 2], [5, 2]], BROADCAST + "3 by 5"),
    ("MatMul", {}, [[3, 2], [5, 2]], "MatMul dimension mismatch"),
    ("MatMul", {}, [[0, 2], [3, 2]], "MatMul dimension mismatch"),
    ("Gemm", {}, [[3, 2], [5, 2]], "GEMM: Dimension mismatch"),
    ("Concat", {"axis": 0}, [[3, 2], [5, 3]], CONCAT + "3 and 2"),
    ("Concat", {"axis": 0}, [[3], [2, 2]], RANKS + "expected rank: 1 got: 2"),
    ("Conv", {}, [[1, 3, 5, 5], [2, 4, 3, 3]], CHANNELS + "C: 3 kernel channels: 4 group: 1"),
    ("Gather", {"axis": 2}, [[3, 2]], "IsAxisInRange(axis, tensor_rank) was false. axis 2 is not in valid range [-2,1]"),
    ("Reshape", {}, [[3, 2]], "The input tensor cannot be reshaped to the requested shape."),
    ("Split", {}, [[3]], "Input cannot be split evenly on selected axis."),
]


def single(operator: str, attributes: Any, names: list[str], integers: Any, shapes: Any, **options: Any) -> Any:
    inputs = [helper.make_tensor_value_info(name, kinds.FLOAT, shape) for name, shape in zip(names, shapes, strict=True)]
    inputs += [helper.make_tensor_value_info(name, kinds.INT64, None) for name in integers]
    outputs = ["y", "z"] if operator == "Split" else ["y"]
    node = helper.make_node(operator, [*names, *integers], outputs, name="n", **attributes)
    graph = helper.make_graph([node], "g", inputs, [helper.make_empty_tensor_value_info(name) for name in outputs])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return ort.InferenceSession(model.SerializeToString(), **options)


@pytest.mark.parametrize(("operator", "attributes", "shapes", "text"), UNFIT)
def test_texts_for_shapes_that_do_not_fit(operator: str, attributes: Any, shapes: Any, text: str) -> None:
    integers = {"Gather": {"i": np.array(0)}, "Reshape": {"i": np.array([4, 2])}}.get(operator, {})
    names = ["a", "b"][: len(shapes)]
    session = single(operator, attributes, names, integers, [None] * len(shapes))
    feed = {name: np.zeros(shape, np.float32) for name, shape in zip(names, shapes, strict=True)}
    with pytest.raises((C.Fail, C.InvalidArgument)) as caught:
        session.run(None, {**feed, **integers})
    message = str(caught.value).partition(f"Non-zero status code returned while running {operator} node. Name:'n' Status Message: ")[2]
    assert message.startswith(text) and (message == text or message[len(text)] == " "), message
    assert ".." not in message


def test_options_of_parallel_runs() -> None:
    options = ort.SessionOptions()
    for name, wrong in (("execution_mode", 1), ("execution_order", 0), ("graph_optimization_level", 99)):
        with pytest.raises(TypeError, match=name):
            setattr(options, name, wrong)
    options.execution_mode = ort.ExecutionMode.ORT_PARALLEL
    for threads, mode in ((0, "ORT_PARALLEL"), (2, "ORT_PARALLEL"), (1, "ORT_SEQUENTIAL")):
        options.inter_op_num_threads = threads
        session = single("Relu", {}, ["a"], {}, [[1]], sess_options=options)
        assert session.get_session_options().execution_mode.name == mode
        assert options.execution_mode == ort.ExecutionMode.ORT_PARALLEL


def test_run_async_needs_two_threads() -> None:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = single("Relu", {}, ["a"], {}, [[1]], sess_options=options)
    text = "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : intra op thread pool must have at least one thread for RunAsync"
    with pytest.raises(C.InvalidArgument) as caught:
        session.run_async(None, {"a": np.zeros(1, np.float32)}, None, None)
    assert str(caught.value) == text


@pytest.mark.parametrize(("first", "second", "sum_of_rows"), [((0, 0), (2, 2), 2), ((2, 2), (0, 3), 2), ((0, 0), (0, 3), 0)])
def test_empty_inputs_of_concat_may_have_other_sizes(first: Any, second: Any, sum_of_rows: int) -> None:
    session = single("Concat", {"axis": 0}, ["a", "b"], {}, [["m", "k"], ["p", "q"]])
    feed = {"a": np.ones(first, np.float32), "b": np.ones(second, np.float32)}
    (result,) = session.run(None, feed)
    columns = next((shape[1] for shape in (first, second) if 0 not in shape), first[1])
    assert result.shape == (sum_of_rows, columns) and (result == 1).all()


ROW = np.arange(-2, 2, dtype=np.float32)[None]


def weight(name: str, value: Any) -> Any:
    return onnx.numpy_helper.from_array(np.array(value, np.float32), name)


def optimized(folder: Path, nodes: Any, weights: Any = (), outputs: str = "y", level: str = "ORT_ENABLE_ALL", inputs: Any = ()) -> Any:
    """Returns the written model, after a check that it computes the same as the model with these nodes."""
    x = helper.make_tensor_value_info("x", kinds.FLOAT, [1, 4])
    results = [helper.make_empty_tensor_value_info(name) for name in outputs.split()]
    graph = helper.make_graph(nodes, "g", [x, *inputs], results, list(weights))
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    options = ort.SessionOptions()
    options.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
    options.optimized_model_filepath = str(folder / "optimized.onnx")
    wanted = ort.InferenceSession(content, options).run(None, {"x": ROW})
    written = onnx.load(folder / "optimized.onnx")
    for before, after in zip(wanted, ort.InferenceSession(folder / "optimized.onnx").run(None, {"x": ROW}), strict=True):
        np.testing.assert_array_equal(before, after)
    return written


def operators(model: Any) -> list[str]:
    return [each.op_type for each in model.graph.node]


COPIES = [
    node("Identity", "x", "i"),
    node("Constant", "", "k", value_floats=[1.0, 2.0, 3.0, 4.0]),
    node("Add", "one k", "c"),
    node("Mul", "i c", "m"),
    node("Dropout", "m", "d"),
    node("Identity", "d", "e"),
    node("Relu", "e", "y"),
    node("Neg", "e", "unused"),
]


def test_nodes_without_effect_or_use_and_constants_are_removed(tmp_path: Path) -> None:
    written = optimized(tmp_path, COPIES, [weight("one", [1] * 4), weight("nowhere", [5])])
    assert operators(written) == ["Mul", "Relu"]
    assert [list(each.input) for each in written.graph.node] == [["x", "c"], ["m"]]
    (constant,) = written.graph.initializer
    assert constant.name == "c" and onnx.numpy_helper.to_array(constant).tolist() == [2, 3, 4, 5]
    written = optimized(tmp_path, COPIES, [weight("one", [1] * 4), weight("nowhere", [5])], level="ORT_DISABLE_ALL")
    assert operators(written) == [each.op_type for each in COPIES] and len(written.graph.initializer) == 2


def test_constants_keep_their_types(tmp_path: Path) -> None:
    nodes = [
        node("Less", "one two", "c"),
        node("Cast", "one", "h", to=kinds.FLOAT16),
        node("Cast", "h", "f", to=kinds.FLOAT),
        node("Where", "c x f", "y"),
    ]
    written = optimized(tmp_path, nodes, [weight("one", [1] * 4), weight("two", [2, 0, 2, 0])])
    assert {each.name: each.data_type for each in written.graph.initializer} == {"c": kinds.BOOL, "f": kinds.FLOAT}
    assert operators(written) == ["Where"]


def test_results_of_the_model_keep_their_nodes(tmp_path: Path) -> None:
    nodes = [node("Identity", "x", "i"), node("Identity", "i", "y"), node("Add", "one one", "z"), node("Mul", "z one", "w")]
    written = optimized(tmp_path, nodes, [weight("one", [1])], outputs="y z w")
    assert operators(written) == ["Identity", "Add", "Mul"] and list(written.graph.node[0].input) == ["x"]


def test_what_runs_decide_is_not_computed(tmp_path: Path) -> None:
    default = helper.make_tensor_value_info("w", kinds.FLOAT, [1])
    written = optimized(tmp_path, [node("Neg", "w", "n"), node("Add", "x n", "y")], [weight("w", [1])], inputs=[default])
    assert operators(written) == ["Neg", "Add"]
    session = ort.InferenceSession(tmp_path / "optimized.onnx")
    assert session.run(None, {"x": ROW, "w": np.array([5], np.float32)})[0].tolist() == [[-7, -6, -5, -4]]
    random = [node("RandomNormal", "", "r", shape=[4], seed=1.0), node("Add", "x r", "y")]
    assert operators(optimized(tmp_path, random)) == ["RandomNormal", "Add"]
    assert operators(optimized(tmp_path, [node("Dropout", "x", "d mask"), node("Relu", "d", "y")], outputs="y mask")) == ["Dropout", "Relu"]


def test_models_with_subgraphs_are_copied(tmp_path: Path) -> None:
    def branch(operator: str) -> Any:
        return helper.make_graph([node(operator, "i", "o")], operator, [], [helper.make_tensor_value_info("o", kinds.FLOAT, [1, 4])])

    nodes = [
        node("Identity", "x", "i"),
        node("ReduceMax", "x", "top", keepdims=0),
        node("Cast", "top", "c", to=kinds.BOOL),
        node("If", "c", "y", then_branch=branch("Neg"), else_branch=branch("Relu")),
    ]
    assert operators(optimized(tmp_path, nodes)) == ["Identity", "ReduceMax", "Cast", "If"]


def test_classes_of_errors_of_arguments() -> None:
    options, run_options = ort.SessionOptions(), ort.RunOptions()
    wrong: list[tuple[type[Exception], Any]] = [
        (RuntimeError, lambda: ort.set_default_logger_severity(5)),
        (RuntimeError, lambda: ort.set_default_logger_severity(-1)),
        (TypeError, lambda: ort.set_default_logger_severity("x")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, lambda: ort.set_default_logger_verbosity("x")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, lambda: ort.set_seed(1.5)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, lambda: ort.set_seed(2**70)),
        (TypeError, lambda: ort.set_global_thread_pool_sizes("x", 0)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, lambda: options.add_free_dimension_override_by_name("n", "3")),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, lambda: options.add_session_config_entry("a", 1)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (RuntimeError, lambda: options.add_session_config_entry("", "1")),
        (TypeError, lambda: run_options.add_run_config_entry("a", 1)),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ]
    for kind, work in wrong:
        with pytest.raises(kind) as caught:
            work()
        assert type(caught.value) is kind
    ort.set_default_logger_verbosity(-1)


def test_global_thread_pools_are_made_once() -> None:
    program = "import onnxruntime as o; o.set_global_thread_pool_sizes(2, 1)\ntry:\n  o.set_global_thread_pool_sizes(2, 1)\n"
    program += "except Exception as error:\n  print(type(error).__name__, error)"
    done = subprocess.run([sys.executable, "-m", "webnn.onnxruntime", "-c", program], capture_output=True, text=True, check=True)
    text = "Global thread pools have already been created, cannot replace them"
    assert done.stdout == f"Fail [ONNXRuntimeError] : 1 : FAIL : {text}\n"
