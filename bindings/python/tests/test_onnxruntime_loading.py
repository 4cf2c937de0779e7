"""Tests that webnn.onnxruntime refuses the models that ONNX Runtime 1.32 refuses at load, with its exceptions.

ONNX Runtime printed the expected texts.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from webnn import onnxruntime as ort
from webnn.onnxruntime._schema_check import check
from webnn.onnxruntime.capi import onnxruntime_pybind11_state as state

onnx = pytest.importorskip("onnx")
helper, numpy_helper, kinds = onnx.helper, onnx.numpy_helper, onnx.TensorProto
C: Any = state
FLOAT, INT64, BOOL = kinds.FLOAT, kinds.INT64, kinds.BOOL
INVALID = "[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. "
FAIL = "[ONNXRuntimeError] : 1 : FAIL : "


def value(name: str, data_type: int = FLOAT, shape: Any = (2,)) -> Any:
    return helper.make_tensor_value_info(name, data_type, shape)


def node(operator: str, inputs: str, outputs: str = "y", **attributes: Any) -> Any:
    """Makes a node "n". A "-" stands for an omitted name."""
    lists = [[name.strip("-") for name in names.split()] for names in (inputs, outputs)]
    return helper.make_node(operator, *lists, **{"name": "n", **attributes})


INPUTS = [value("x"), value("i", INT64), value("c", BOOL, []), value("z", FLOAT, [3]), value("m", FLOAT, [3, 4]), value("k", INT64, [])]


def model(*nodes: Any, outputs: Any = None, weights: Any = (), domains: Any = (), opset: int = 17, inputs: Any = None) -> Any:
    outputs = [helper.make_empty_tensor_value_info("y")] if outputs is None else outputs
    graph = helper.make_graph(nodes, "g", INPUTS if inputs is None else inputs, outputs, list(weights))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def branch(*nodes: Any, output: Any = None) -> Any:
    return helper.make_graph(nodes, "b", [], [output or value("o")])


def choice(*nodes: Any, **options: Any) -> Any:
    """Makes a model with these nodes in a branch of an If."""
    other = branch(node("Relu", "x", "o"))
    return model(node("If", "c", then_branch=branch(*nodes, **options), else_branch=other))


def repeat(**loop: Any) -> Any:
    steps = [helper.make_node("Identity", ["d"], ["e"]), helper.make_node("Add", ["s", "s"], ["t"])]
    body = helper.make_graph(steps, "b", [value("at", INT64, []), value("d", BOOL, []), value("s")], [value("e", BOOL, []), value("t")])
    return model(node("Loop", loop.pop("inputs", "k - x"), body=body), **loop)


def in_node(operator: str, values: str, reason: str, domain: str = "", name: str = "n") -> str:
    return f'{INVALID}In Node, ("{name}", {operator}, "{domain}", -1) : {values} , Error {reason}'


RANGE = "Node(n) with schema(::{}) has {} size {} not in range [min={}, max={}]."
INFERENCE = "Node (n) Op (If) [TypeInferenceError] Graph attribute inferencing failed: "


def kind_code(text: str) -> str:
    return text.split(" : ")[2]


def of_if(reason: str) -> str:
    return in_node("If", '("c": tensor(bool),) -> ("y",)', reason)


X, XX = '("x": tensor(float),)', '("x": tensor(float),"x": tensor(float),)'
TYPE = INVALID + "Type Error: Type 'tensor({})' of input parameter ({}) of operator ({}) in node (n) is invalid."
BOUND = FAIL + "Type Error: Type parameter (T) of Optype ({}) bound to different types (tensor({}) and tensor({}) in node (n)."
OUTPUT = FAIL + "Type Error: Type (tensor({})) of output arg (y) of node (n) does not match expected type (tensor({}))."
SHAPE = FAIL + "Node (n) Op ({}) [ShapeInferenceError] {}"
FLOATS = "tensor(float)"
DOUBLE = numpy_helper.from_array(np.ones(2), "w")
SINGLE = "Node (n)'s input 0 is marked single but has an empty string in the graph"
QUANTIZED = [numpy_helper.from_array(np.ones(2, np.int8), "w"), numpy_helper.from_array(np.array(2, np.float32), "r")]
BAD = "\n\n==> Context: Bad node spec for node. Name: n OpType: "
GELU = {"domain": "com.microsoft"}
CASES = [  # models, and ONNX Runtime's messages
    (model(node("Relu", "x x")), in_node("Relu", f'{XX} -> ("y",)', RANGE.format("Relu:14", "input", 2, 1, 1))),
    (model(node("Gemm", "x")), in_node("Gemm", f'{X} -> ("y",)', RANGE.format("Gemm:13", "input", 1, 2, 3))),
    (model(node("Max", "")), in_node("Max", '() -> ("y",)', RANGE.format("Max:13", "input", 0, 1, 2**31 - 1))),
    (model(node("Relu", "x", "y q")), in_node("Relu", f'{X} -> ("y","q",)', RANGE.format("Relu:14", "output", 2, 1, 1))),
    (
        model(node("Relu", "x", "y q", name="")),
        in_node("Relu", f'{X} -> ("y","q",)', RANGE.replace("(n)", "").format("Relu:14", "output", 2, 1, 1), name=""),
    ),
    (model(node("Add", "- x")), in_node("Add", '("","x": tensor(float),) -> ("y",)', SINGLE)),
    (model(node("Relu", "x", foo=1)), in_node("Relu", f'{X} -> ("y",)', "Unrecognized attribute: foo for operator Relu")),
    (model(node("Cast", "x")), in_node("Cast", f'{X} -> ("y",)', "Required attribute 'to' is missing.")),
    (model(node("Scan", "x")), in_node("Scan", f'{X} -> ("y",)', "Required attribute 'num_scan_inputs' is missing.")),
    (model(node("If", "c", then_branch=branch(node("Relu", "x", "o")))), of_if("Required attribute 'else_branch' is missing.")),
    (
        model(node("Elu", "x", alpha=2)),
        in_node("Elu", f'{X} -> ("y",)', "Mismatched attribute type in 'n : alpha'. Expected: 'FLOAT', actual: 'INT'"),
    ),
    (
        model(node("Scatter", "x i x")),
        in_node(
            "Scatter",
            '("x": tensor(float),"i": tensor(int64),"x": tensor(float),) -> ("y",)',
            "Op registered for Scatter is deprecated in domain_version of 17",
        ),
    ),
    (
        model(node("BitwiseNot", "i")),
        in_node("BitwiseNot", '("i": tensor(int64),) -> ("y",)', "No Op registered for BitwiseNot with domain_version of 17"),
    ),
    (model(node('{ "é', "x")), in_node('{ "é', f'{X} -> ("y",)', 'No Op registered for { "é with domain_version of 17')),
    (model(node("Relu", "x", domain="%s(")), in_node("Relu", f'{X} -> ("y",)', "No opset import for domain '%s('", "%s(")),
    (model(node("Relu", "x", domain="%s("), domains=["%s("]), f"{FAIL}Fatal error: %s(:Relu(-1) is not a registered function/op"),
    (
        model(node("Gelu", "x x", **GELU), domains=["com.microsoft"]),
        in_node("Gelu", f'{XX} -> ("y",)', RANGE.replace("::", "com.microsoft::").format("Gelu:1", "input", 2, 1, 1), "com.microsoft"),
    ),
    (model(node("Gelu", "i", **GELU), domains=["com.microsoft"]), TYPE.format("int64", "i", "Gelu")),
    (model(node("Not", "x")), TYPE.format("float", "x", "Not")),
    (model(node("Add", "x i")), BOUND.format("Add", "float", "int64")),
    (model(node("Concat", "x i", axis=0)), BOUND.format("Concat", "float", "int64")),
    (model(node("Add", "x w"), weights=[DOUBLE]), BOUND.format("Add", "float", "double")),
    (model(node("Add", "t i"), node("Relu", "x", "t", name="r")), BOUND.format("Add", "float", "int64")),
    (model(node("Constant", "", "t", name="t", value_ints=[1, 2]), node("Add", "x t")), BOUND.format("Add", "float", "int64")),
    (model(node("Relu", "x"), outputs=[value("y", INT64)]), OUTPUT.format("int64", "float")),
    (model(node("Shape", "x"), outputs=[value("y", FLOAT, [1])]), OUTPUT.format("float", "int64")),
    (model(node("Cast", "x", to=INT64), outputs=[value("y")]), OUTPUT.format("float", "int64")),
    (
        model(node("DequantizeLinear", "w r"), weights=QUANTIZED, outputs=[value("y", kinds.FLOAT16)], opset=23),
        OUTPUT.format("float16", "float"),
    ),
    (model(node("Add", "- x", name="")), in_node("Add", '("","x": tensor(float),) -> ("y",)', SINGLE.replace("(n)", "()"), name="")),
    (model(node("Split", "x", "o y", axis=0), outputs=[value("o", FLOAT, None), value("y", INT64, None)]), OUTPUT.format("int64", "float")),
    (repeat(outputs=[value("y", INT64, None)]), OUTPUT.format("int64", "float")),
    (repeat(inputs="z - x"), TYPE.format("float", "z", "Loop")),
    (choice(node("Relu", "x x", "o")), of_if(RANGE.format("Relu:14", "input", 2, 1, 1) + BAD + "Relu")),
    (choice(node("Cast", "x", "o")), of_if("Required attribute 'to' is missing." + BAD + "Cast")),
    (choice(node("Not", "x", "o")), FAIL + INFERENCE + TYPE.format("float", "x", "Not").split(" : ", 2)[2].partition(" : ")[2]),
    (
        choice(node("Shape", "x", "o")),
        FAIL + INFERENCE + OUTPUT.format("float", "int64").split(" : ", 2)[2].partition(" : ")[2].replace("(y)", "(o)"),
    ),
    (
        model(node("Add", "x w"), weights=[DOUBLE], inputs=[value("x"), value("w")]),
        f"{FAIL}Type Error: Data in initializer 'w' has element type tensor(double) but usage of initializer in graph expects {FLOATS}",
    ),
    (model(node("Relu", "x", "t"), node("Relu", "t")), f"{FAIL}This is an invalid model. Error: two nodes with same node name (n)."),
    (model(node("Add", "x z")), SHAPE.format("Add", "Incompatible dimensions")),
    (model(node("MatMul", "x m")), SHAPE.format("MatMul", "Incompatible dimensions for matrix multiplication")),
    (model(node("Softmax", "m", axis=5)), SHAPE.format("Softmax", "'axis' must be in [-2 , 1]. Its actual value is: 5")),
    (model(node("Concat", "x x", axis=-9)), SHAPE.format("Concat", "axis must be in [-rank, rank-1].")),
    (model(node("Gather", "x i", axis=4)), SHAPE.format("Gather", "axis must be in [-r, r-1]")),
]
ELEMENTS = " Tensor element type mismatch. {} != {}"
BODY = FAIL + "Node (n) Op ({}) [TypeInferenceError] Graph attribute inferencing failed: Node:n" + ELEMENTS


def with_body(operator: str, inputs: str, body: Any, opset: int = 17, given: Any = (), **attributes: Any) -> Any:
    """Makes a model with a node whose body has the inputs `body`. The body returns the first one; in a Loop, all others."""
    first = helper.make_node("Identity", [body[0].name], ["out"])
    results = [helper.make_empty_tensor_value_info("out")]
    if operator == "Loop":
        first = helper.make_node("Identity", [body[1].name], ["out"])
        results = [value("out", BOOL, []), *body[2:]]
    graph = helper.make_graph([first], "b", body, results)
    return model(node(operator, inputs, body=graph, **attributes), inputs=[*INPUTS, *given], opset=opset)


STEP, FLAG, STATE = value("at", INT64, []), value("d", BOOL, []), value("s")
SEQUENCE = [helper.make_tensor_sequence_value_info("q", FLOAT, None)]
WIDTHS = "BitCast requires input and output types to have the same bit-width, but input type has 32 bits and output type has 16 bits."
LABELS: dict[str, Any] = {"domain": "ai.onnx.ml", "keys_int64s": [1], "default_string": "_"}
TYPED = [  # models with types that a rule of their operator forbids, and ONNX Runtime's messages
    (with_body("Loop", "k - i", [STEP, FLAG, STATE]), BODY.format("Loop", 7, 1)),
    (with_body("Loop", "k - x", [value("at", kinds.INT32, []), FLAG, STATE]), BODY.format("Loop", 7, 6)),
    (with_body("Scan", "i", [STATE], num_scan_inputs=1), BODY.format("Scan", 7, 1)),
    (with_body("Scan", "- i", [STATE], opset=8, num_scan_inputs=1), BODY.format("Scan", 7, 1)),
    (with_body("SequenceMap", "q", [value("s", kinds.INT32)], given=SEQUENCE), BODY.format("SequenceMap", 1, 6)),
    (
        choice(node("Shape", "x", "o"), output=value("o", INT64)),
        FAIL + "Node (n) Op (If) [TypeInferenceError] Mismatched tensor element type: inferred=float declared=int64",
    ),
    (model(node("BitCast", "x", to=kinds.FLOAT16), opset=26), SHAPE.format("BitCast", WIDTHS)),
    (
        model(node("SequenceInsert", "q i"), inputs=[*INPUTS, *SEQUENCE]),
        FAIL + "Node (n) Op (SequenceInsert) [TypeInferenceError] Input Sequence and Tensor are expected to have the same elem type. "
        "Sequence=1 Tensor=7",
    ),
    (
        model(node("LayerNormalization", "x x", "o y"), outputs=[value("o", FLOAT, None), value("y", INT64, None)]),
        OUTPUT.format("int64", "float"),
    ),
    (model(node("LabelEncoder", "i", values_strings=["a"], **LABELS), outputs=[value("y")]), OUTPUT.format("float", "string")),
    (model(node("OptionalGetElement", "x"), outputs=[value("y", INT64)], opset=18), OUTPUT.format("int64", "float")),
]


@pytest.mark.parametrize(("refused", "text"), TYPED, ids=range(len(TYPED)))
def test_types_that_do_not_match(refused: Any, text: str) -> None:
    with pytest.raises(C.Fail) as caught:
        ort.InferenceSession(refused.SerializeToString())
    assert str(caught.value) == text


def test_types_that_match() -> None:
    """ONNX Runtime accepts these models. It ignores the declared type of the result of a Constant."""
    constant = model(node("Constant", "", value_ints=[1, 2]), outputs=[value("y")], inputs=[])
    matching = [
        with_body("Loop", "k - x", [STEP, FLAG, STATE]),
        constant,
        with_body("Scan", "x", [STATE], num_scan_inputs=1),
        with_body("SequenceMap", "q", [STATE], given=SEQUENCE),
        model(node("BitCast", "x", to=kinds.INT32), opset=26),
        model(node("SequenceInsert", "q x"), inputs=[*INPUTS, *SEQUENCE]),
    ]
    for accepted in matching:
        assert check(accepted.SerializeToString()).failure is None
    assert ort.InferenceSession(constant.SerializeToString()).run(None, {})[0].tolist() == [1, 2]


CODES = {"INVALID_GRAPH": C.InvalidGraph, "FAIL": C.Fail}


@pytest.mark.parametrize(("refused", "text"), CASES, ids=range(len(CASES)))
def test_refused_models(refused: Any, text: str, tmp_path: Path) -> None:
    kind = CODES[text.split(" : ")[2]]
    with pytest.raises(kind) as caught:
        ort.InferenceSession(refused.SerializeToString())
    assert str(caught.value) == text and type(caught.value).__name__ == kind.__name__
    path = str(tmp_path / "m.onnx")
    onnx.save(refused, path)
    with pytest.raises(kind) as caught:
        ort.InferenceSession(path)
    code, detail = text[: text.index(kind_code(text)) + len(kind_code(text)) + 3], text.split(" : ", 3)[3]
    assert str(caught.value) == f"{code}Load model from {path} failed:{detail}"


def test_a_wrong_type_in_a_map_of_names_to_types_is_refused() -> None:
    hidden = model(node("Relu", "x", "t", name="r"), node("Relu", "t"))
    hidden.graph.value_info.append(value("t", INT64))
    with pytest.raises(C.Fail, match=r"Type \(tensor\(int64\)\) of output arg \(t\) of node \(r\) does not match expected"):
        ort.InferenceSession(hidden.SerializeToString())


def test_rules_about_names_come_first() -> None:
    with pytest.raises(C.InvalidArgument, match="Node input 'nowhere' is not a graph input"):
        ort.InferenceSession(model(node("Relu", "x x", "t", name="r"), node("Add", "t nowhere")).SerializeToString())


def versions(ir_version: int | None = 8, imports: Any = (("", 17),), nodes: str = "x") -> Any:
    made = model(node("Relu", nodes))
    made.ClearField("ir_version")
    if ir_version is not None:
        made.ir_version = ir_version
    del made.opset_import[:]
    made.opset_import.extend(helper.make_opsetid(*pair) for pair in imports)
    return made


UNOFFICIAL = (
    "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. "
    "Opset {} is under development and support for this is limited. The operator schemas and or other functionality may change before "
    "next ONNX release and in this case ONNX Runtime will not guarantee backward compatibility. "
    "Current official support for domain {} is till opset {}."
)
ONNX = ("", 17)
ML, MICROSOFT, TRAINING = "ai.onnx.ml", "com.microsoft", "ai.onnx.training"


@pytest.mark.parametrize(
    ("refused", "text"),
    [
        (versions(None), "Missing model IR version."),
        (versions(99), "Unsupported model IR version: 99, max supported IR version: 14"),
        (versions(99, [("", 999)]), "Unsupported model IR version: 99, max supported IR version: 14"),
        (versions(99, nodes="x absent"), "Unsupported model IR version: 99, max supported IR version: 14"),
        (
            versions(imports=[]),
            "Missing opset in the model. All ModelProtos MUST have at least one entry that specifies which version of the ONNX OperatorSet "
            "is being imported.",
        ),
        (versions(imports=[("", 29)]), UNOFFICIAL.format(29, "ai.onnx", 28)),
        *(
            (versions(imports=[ONNX, (name, 9)]), UNOFFICIAL.format(9, name, last))
            for name, last in ((ML, 5), (MICROSOFT, 1), (TRAINING, 1))
        ),
    ],
)
def test_versions_that_are_refused(refused: Any, text: str) -> None:
    with pytest.raises(C.Fail) as caught:
        ort.InferenceSession(refused.SerializeToString())
    assert str(caught.value) == FAIL + text


def test_versions_that_are_accepted() -> None:
    for accepted in (versions(0), versions(14), versions(-1), versions(imports=[("", 28), (ML, 5), (MICROSOFT, 1), ("own", 99)])):
        assert ort.InferenceSession(accepted.SerializeToString()).get_outputs()[0].name == "y"
    with pytest.raises(C.InvalidGraph, match=r"No Op registered for Relu with domain_version of -1$"):
        ort.InferenceSession(versions(imports=[("", -1)]).SerializeToString())


def untyped(ir_version: int) -> Any:
    made = model(node("Elu", "x", alpha=2.0))
    made.graph.node[0].attribute[0].ClearField("type")
    made.ir_version = ir_version
    return made


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (untyped(8), "Field 'type' of 'attr' is required but missing."),
        (untyped(1), "Mismatched attribute type in 'n : alpha'. Expected: 'FLOAT', actual: 'UNDEFINED'"),
    ],
)
def test_attributes_without_types(refused: Any, reason: str) -> None:
    with pytest.raises(C.InvalidGraph) as caught:
        ort.InferenceSession(refused.SerializeToString())
    assert str(caught.value) == in_node("Elu", f'{X} -> ("y",)', reason)


def test_accepted_models() -> None:
    """ONNX Runtime accepts these models."""
    nothing = helper.make_node("Foo", [], [])
    without_import = model(node("Binarizer", "x", domain="ai.onnx.ml"))
    unchecked = model(node("LayerNormalization", "x x", foo=1))
    for accepted in (unchecked, model(node("Relu", "x", __hidden=1)), model(node("Relu", "x"), nothing), without_import, repeat()):
        assert check(accepted.SerializeToString()).failure is None
    function = helper.make_function("own", "F", ["a"], ["b"], [node("Relu", "a", "b")], [helper.make_opsetid("", 17)])
    calling = model(node("F", "x", domain="own"), domains=["own"])
    calling.functions.append(function)
    assert check(calling.SerializeToString()).failure is None


def test_models_of_onnx_are_accepted() -> None:
    """check() accepts these models, as ONNX Runtime does. check() ignores operators for training, which some of the models have."""
    folder = Path(onnx.__file__).parent / "backend/test/data"
    paths = sorted(folder.glob("*/*/model.onnx"))
    assert len(paths) > 100 and [path for path in paths if check(str(path)).failure is not None] == []


def test_other_formats_are_not_checked(tmp_path: Path) -> None:
    start = time.process_time()
    assert check(bytes(1 << 26)).failure is None
    assert time.process_time() - start < 5
    path = tmp_path / "m.webnn"
    for content in (b"", b"\x0a", b"webnn_graph", bytes(range(256)), b'{"format": 1}'):
        path.write_bytes(content)
        assert check(content).failure is None and check(str(path)).failure is None
    assert check(str(tmp_path / "absent.onnx")).failure is None


def loop() -> Any:
    steps = [helper.make_node("Identity", ["d"], ["e"]), helper.make_node("Add", ["s", "s"], ["t"])]
    inputs = [value("at", INT64, []), value("d", BOOL, []), value("s")]
    return node("Loop", "k - x", body=helper.make_graph(steps, "b", inputs, [value("e", BOOL, []), value("t")]))


OPEN = [
    value("a", FLOAT, ["n", "m"]),
    value("s", INT64, [3]),
    value("w", kinds.STRING, ["n", 2]),
    value("o", FLOAT, [1]),
    value("b", FLOAT, [1, "n", 4]),
    value("q", FLOAT, [1, 2, "n"]),
    value("k", INT64, []),
    value("j", INT64, [1]),
    value("x"),
]
RESULTS = [  # a node, and the shape and type that ONNX Runtime infers for its first result
    (node("NonZero", "a"), [2, None], "int64"),
    (node("NonZero", "x"), [1, None], "int64"),
    (node("Unique", "a"), [None], "float"),
    (node("TopK", "a j", "y i"), [None, None], "float"),
    (node("Reshape", "a s"), [None, None, None], "float"),
    (node("Expand", "o s"), [None, None, None], "float"),
    (node("ConstantOfShape", "s"), [None, None, None], "float"),
    (node("Range", "k k k"), [None], "int64"),
    (node("NonMaxSuppression", "b q"), [None, 3], "int64"),
    (node("Identity", "w"), ["n", 2], "string"),
    (loop(), [], "float"),
]


@pytest.mark.parametrize(("made", "shape", "kind"), RESULTS, ids=range(len(RESULTS)))
def test_types_and_shapes_of_outputs_that_are_not_declared(made: Any, shape: Any, kind: str) -> None:
    output = ort.InferenceSession(model(made, inputs=OPEN).SerializeToString()).get_outputs()[0]
    assert (output.shape, output.type) == (shape, f"tensor({kind})")
