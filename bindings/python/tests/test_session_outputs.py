"""Tests types and sizes of a session's outputs."""

from typing import Any

import numpy as np
import pytest

import webnn

onnx = pytest.importorskip("onnx")
helper = onnx.helper
ONES = np.ones((2, 3), np.float32)


def value(name: str, shape: list[Any], data_type: int = onnx.TensorProto.FLOAT) -> Any:
    return helper.make_tensor_value_info(name, data_type, shape)


def session_of(nodes: list[Any], inputs: list[Any], outputs: list[Any], context: Any = None) -> webnn.InferenceSession:
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return webnn.InferenceSession(made.SerializeToString(), context=context)


def test_outputs_without_a_type_or_shape_have_the_sizes_that_the_graph_computes() -> None:
    pads = onnx.numpy_helper.from_array(np.array([1, 0, 0, 0]), "pads")
    nodes = [helper.make_node("Constant", [], ["pads"], value=pads), helper.make_node("Pad", ["a", "pads"], ["padded"])]
    nodes += [helper.make_node("Concat", ["a", "a"], ["twice"], axis=0), helper.make_node("Neg", ["b"], ["negative"])]
    outputs = [onnx.ValueInfoProto(name=name) for name in ("twice", "padded")]
    outputs.append(helper.make_tensor_value_info("negative", onnx.TensorProto.FLOAT, None))
    session = session_of(nodes, [value("a", ["m", 3]), value("b", ["n"])], outputs)
    for _ in range(2):  # also after a run
        found = {output.name: (output.type, output.shape) for output in session.get_outputs()}
        # Sizes that no name has are None: 2 * m, and m + 1.
        shapes = {"twice": [None, 3], "padded": [None, 3], "negative": ["n"]}
        assert found == {name: ("tensor(float)", shape) for name, shape in shapes.items()}
        session.run(None, {"a": ONES, "b": ONES[0]})


def test_integers_of_64_bits_print_as_in_onnxruntime() -> None:
    wide = onnx.TensorProto.INT64
    nodes = [helper.make_node("ArgMax", ["a"], ["largest"], keepdims=0), helper.make_node("Shape", ["a"], ["sizes"])]
    nodes.append(helper.make_node("SequenceConstruct", ["sizes"], ["list"]))
    list_type = helper.make_sequence_type_proto(helper.make_tensor_type_proto(wide, [2]))
    outputs = [value("largest", [3], wide), value("sizes", [2], wide), helper.make_value_info("list", list_type)]
    largest, sizes, items = session_of(nodes, [value("a", [2, 3])], outputs).run(None, {"a": ONES})
    assert repr([largest, sizes, items]) == "[array([0, 0, 0], dtype=int64), array([2, 3], dtype=int64), [array([2, 3], dtype=int64)]]"


def test_sizes_of_outputs_are_found_if_all_runs_have_them() -> None:
    def found(node: Any, inputs: list[Any], *constants: Any) -> list[int | str | None]:
        outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)]
        nodes = [helper.make_node("Constant", [], [one.name], value=one) for one in constants]
        return list(session_of([*nodes, node], inputs, outputs).get_outputs()[0].shape)

    numbers = [onnx.numpy_helper.from_array(np.array([number]), f"n{number}") for number in (0, 1, 5, 9, 99)]
    for first, end in ((0, 1), (0, 5), (9, 99)):
        cut = helper.make_node("Slice", ["a", f"n{first}", f"n{end}", "n1"], ["y"])
        assert found(cut, [value("a", ["m", "n"])], *numbers) == [None, None]  # no choice of sizes shows where a slice cuts
    assert found(helper.make_node("MatMul", ["a", "b"], ["y"]), [value("a", ["m", "k"]), value("b", ["k", "n"])]) == ["m", "n"]
    assert found(helper.make_node("Add", ["a", "b"], ["y"]), [value("a", ["m", 3]), value("b", ["n", 3])]) == [None, 3]


def test_memory_limits_concern_the_sizes_of_runs_only() -> None:
    filters = onnx.numpy_helper.from_array(np.ones((64, 64, 3, 3), np.float32), "w")
    nodes = [helper.make_node("Constant", [], ["w"], value=filters), helper.make_node("Conv", ["a", "w"], ["c"], pads=[1] * 4)]
    nodes.append(helper.make_node("Relu", ["c"], ["y"]))  # get_outputs() does not derive sizes if a model contains Conv
    outputs = [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)]
    context = webnn.ML().create_context(limits={"max_memory": 8 << 20})  # the larger probes need more
    session = session_of(nodes, [value("a", ["b", 64, "h", "w"])], outputs, context)
    assert session.get_outputs()[0].shape == [None] * 4
    assert session.run(None, {"a": np.zeros((1, 64, 8, 8), np.float32)})[0].shape == (1, 64, 8, 8)
