"""Tests sessions whose arrays have element types of ONNX that WebNN lacks."""

from typing import Any

import numpy as np
import pytest

import webnn

onnx = pytest.importorskip("onnx")
helper, T = onnx.helper, onnx.TensorProto


def model(op: str, types: list[int], output: int, domain: str = "", **attributes: Any) -> bytes:
    """Makes a model of one node, whose inputs "a", "b", ... are rows of any length."""
    names = [chr(ord("a") + i) for i in range(len(types))]
    graph = helper.make_graph(
        [helper.make_node(op, names, ["y"], domain=domain, **attributes)],
        op,
        [helper.make_tensor_value_info(name, kind, ["n"]) for name, kind in zip(names, types, strict=True)],
        [helper.make_tensor_value_info("y", output, ["m"])],
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
    content: bytes = helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()
    return content


def test_doubles_keep_their_precision() -> None:
    session = webnn.InferenceSession(model("Add", [T.DOUBLE, T.DOUBLE], T.DOUBLE))
    assert [argument.type for argument in (*session.get_inputs(), *session.get_outputs())] == ["tensor(double)"] * 3
    (y,) = session.run(None, {"a": np.array([1.0]), "b": [2.0**-50]})
    assert y.dtype == np.float64
    assert y.tolist() == [1 + 2.0**-50]


def test_arrays_of_another_type_are_refused() -> None:
    session = webnn.InferenceSession(model("Add", [T.INT16, T.INT16], T.INT16))
    with pytest.raises(webnn.ArgumentError, match=r'"b".*int64, not int16'):
        session.run(None, {"a": np.zeros(1, np.int16), "b": np.zeros(1, np.int64)})
    assert session.run(None, {"a": [30000], "b": [10000]})[0].tolist() == [-25536]


def test_strings_are_objects() -> None:
    encode = webnn.InferenceSession(model("LabelEncoder", [T.STRING], T.INT64, "ai.onnx.ml", keys_strings=["ä", "b"], values_int64s=[1, 2]))
    assert encode.run(None, {"a": np.array(["b", "ä", "?"])})[0].tolist() == [2, 1, -1]
    decode = webnn.InferenceSession(model("LabelEncoder", [T.INT64], T.STRING, "ai.onnx.ml", keys_int64s=[1], values_strings=["ä"]))
    (words,) = decode.run(None, {"a": [1, 5]})
    assert words.dtype == object
    assert words.tolist() == ["ä", "_Unused"]
    with pytest.raises(webnn.ArgumentError, match="int is no string"):
        encode.run(None, {"a": [3]})


def test_sequences_of_booleans_hold_only_0_and_1() -> None:
    given = helper.make_tensor_sequence_value_info("s", T.BOOL, None)
    node = helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)
    graph = helper.make_graph([node], "concat", [given], [helper.make_tensor_value_info("y", T.BOOL, None)])
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = webnn.InferenceSession(content)
    (y,) = session.run(None, {"s": [np.array([2, 0], np.uint8), [True], np.array([False])]})
    assert y.view(np.uint8).tolist() == [1, 0, 1, 0]
    with pytest.raises(webnn.ArgumentError, match=r'"s": the array is of int64, not bool'):
        session.run(None, {"s": [np.array([1])]})
    with pytest.raises(webnn.ArgumentError, match="must be a list of arrays"):
        session.run(None, {"s": np.array([True])})


def test_types_of_ml_dtypes() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    session = webnn.InferenceSession(model("Mul", [T.BFLOAT16, T.BFLOAT16], T.BFLOAT16))
    a = np.array([1.5, -3], ml_dtypes.bfloat16)
    (y,) = session.run(None, {"a": a, "b": a})
    assert y.dtype == ml_dtypes.bfloat16
    assert y.astype(np.float32).tolist() == [2.25, 9]


@pytest.mark.parametrize(
    ("name", "kind", "numbers"), [("int2", 26, [1, -2, -1]), ("uint2", 25, [3, 0, 2]), ("float4_e2m1fn", 23, [0.5, -6, 3])]
)
def test_elements_may_share_a_byte(name: str, kind: int, numbers: list[float]) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = getattr(ml_dtypes, name)
    (y,) = webnn.InferenceSession(model("Identity", [kind], kind)).run(None, {"a": np.array(numbers).astype(dtype)})
    assert y.dtype == dtype
    assert y.astype(np.float32).tolist() == numbers


@pytest.mark.parametrize(("value", "message"), [([None], "NoneType is no string"), (["\ud800"], "no valid Unicode")])
def test_values_that_are_no_strings_are_refused(value: list[Any], message: str) -> None:
    with pytest.raises(webnn.ArgumentError, match=message):
        webnn.InferenceSession(model("Identity", [T.STRING], T.STRING)).run(None, {"a": np.array(value, object)})


def test_load_names_the_type() -> None:
    with pytest.raises(webnn.NotSupportedError, match="double"):
        webnn.load(model("Add", [T.DOUBLE, T.DOUBLE], T.DOUBLE), dimensions={"n": 2})
