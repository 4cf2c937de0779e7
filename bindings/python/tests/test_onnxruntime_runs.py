"""Tests nodes of ONNX models with inputs that ONNX Runtime 1.32 accepts, and its results."""

from typing import Any

import numpy as np
import pytest

from webnn import onnxruntime as ort

onnx = pytest.importorskip("onnx")
helper, kinds = onnx.helper, onnx.TensorProto


def made(operator: str, attributes: Any, names: list[str], integers: Any, shapes: Any, **options: Any) -> Any:
    inputs = [helper.make_tensor_value_info(name, kinds.FLOAT, shape) for name, shape in zip(names, shapes, strict=True)]
    inputs += [helper.make_tensor_value_info(name, kinds.INT64, None) for name in integers]
    outputs = ["y", "z"] if operator == "Split" else ["y"]
    node = helper.make_node(operator, [*names, *integers], outputs, name="n", **attributes)
    graph = helper.make_graph([node], "g", inputs, [helper.make_empty_tensor_value_info(name) for name in outputs])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return ort.InferenceSession(model.SerializeToString(), **options)


@pytest.mark.parametrize(("first", "second", "sum_of_rows"), [((0, 0), (2, 2), 2), ((2, 2), (0, 3), 2), ((0, 0), (0, 3), 0)])
def test_empty_inputs_of_concat_may_have_other_sizes(first: Any, second: Any, sum_of_rows: int) -> None:
    session = made("Concat", {"axis": 0}, ["a", "b"], {}, [["m", "k"], ["p", "q"]])
    feed = {"a": np.ones(first, np.float32), "b": np.ones(second, np.float32)}
    (result,) = session.run(None, feed)
    columns = next((shape[1] for shape in (first, second) if 0 not in shape), first[1])
    assert result.shape == (sum_of_rows, columns) and (result == 1).all()
