"""Tests the texts of webnn.onnxruntime for nodes that cannot compute their results, and options that decide how nodes run.

ONNX Runtime 1.32 printed the expected texts, here without the place in its source.
"""

from typing import Any

import numpy as np
import pytest

from webnn import onnxruntime as ort
from webnn.onnxruntime.capi import onnxruntime_pybind11_state as state

onnx = pytest.importorskip("onnx")
helper, kinds = onnx.helper, onnx.TensorProto
C: Any = state
BROADCAST = "axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. "
CONCAT = "Non concat axis dimensions must match: Axis 1 has mismatched dimensions of "
RANKS = "input_rank == reference_rank was false. Ranks of input data are different, cannot concatenate them. "
CHANNELS = "Input channels C is not equal to kernel channels * group. "
CASES = [  # an operator, its attributes, the shapes of the inputs, and ONNX Runtime's text
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


def made(operator: str, attributes: Any, names: list[str], integers: Any, shapes: Any, **options: Any) -> Any:
    inputs = [helper.make_tensor_value_info(name, kinds.FLOAT, shape) for name, shape in zip(names, shapes, strict=True)]
    inputs += [helper.make_tensor_value_info(name, kinds.INT64, None) for name in integers]
    outputs = ["y", "z"] if operator == "Split" else ["y"]
    node = helper.make_node(operator, [*names, *integers], outputs, name="n", **attributes)
    graph = helper.make_graph([node], "g", inputs, [helper.make_empty_tensor_value_info(name) for name in outputs])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return ort.InferenceSession(model.SerializeToString(), **options)


@pytest.mark.parametrize(("operator", "attributes", "shapes", "text"), CASES)
def test_texts_for_shapes_that_do_not_fit(operator: str, attributes: Any, shapes: Any, text: str) -> None:
    integers = {"Gather": {"i": np.array(0)}, "Reshape": {"i": np.array([4, 2])}}.get(operator, {})
    names = ["a", "b"][: len(shapes)]
    session = made(operator, attributes, names, integers, [None] * len(shapes))
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
        session = made("Relu", {}, ["a"], {}, [[1]], sess_options=options)
        assert session.get_session_options().execution_mode.name == mode
        assert options.execution_mode == ort.ExecutionMode.ORT_PARALLEL


def test_run_async_needs_two_threads() -> None:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = made("Relu", {}, ["a"], {}, [[1]], sess_options=options)
    text = "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : intra op thread pool must have at least one thread for RunAsync"
    with pytest.raises(C.InvalidArgument) as caught:
        session.run_async(None, {"a": np.zeros(1, np.float32)}, None, None)
    assert str(caught.value) == text


@pytest.mark.parametrize(("first", "second", "sum_of_rows"), [((0, 0), (2, 2), 2), ((2, 2), (0, 3), 2), ((0, 0), (0, 3), 0)])
def test_empty_inputs_of_concat_may_have_other_sizes(first: Any, second: Any, sum_of_rows: int) -> None:
    session = made("Concat", {"axis": 0}, ["a", "b"], {}, [["m", "k"], ["p", "q"]])
    feed = {"a": np.ones(first, np.float32), "b": np.ones(second, np.float32)}
    (result,) = session.run(None, feed)
    columns = next((shape[1] for shape in (first, second) if 0 not in shape), first[1])
    assert result.shape == (sum_of_rows, columns) and (result == 1).all()
