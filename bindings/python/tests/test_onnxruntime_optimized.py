"""Tests the models that sessions of webnn.onnxruntime write to SessionOptions.optimized_model_filepath."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from webnn import onnxruntime as ort

onnx = pytest.importorskip("onnx")
helper, kinds = onnx.helper, onnx.TensorProto
X = np.arange(-2, 2, dtype=np.float32)[None]


def node(operator: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


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
    wanted = ort.InferenceSession(content, options).run(None, {"x": X})
    written = onnx.load(folder / "optimized.onnx")
    for before, after in zip(wanted, ort.InferenceSession(folder / "optimized.onnx").run(None, {"x": X}), strict=True):
        np.testing.assert_array_equal(before, after)
    return written


def operators(model: Any) -> list[str]:
    return [each.op_type for each in model.graph.node]


NODES = [
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
    written = optimized(tmp_path, NODES, [weight("one", [1] * 4), weight("nowhere", [5])])
    assert operators(written) == ["Mul", "Relu"]
    assert [list(each.input) for each in written.graph.node] == [["x", "c"], ["m"]]
    (constant,) = written.graph.initializer
    assert constant.name == "c" and onnx.numpy_helper.to_array(constant).tolist() == [2, 3, 4, 5]
    written = optimized(tmp_path, NODES, [weight("one", [1] * 4), weight("nowhere", [5])], level="ORT_DISABLE_ALL")
    assert operators(written) == [each.op_type for each in NODES] and len(written.graph.initializer) == 2


def test_results_of_the_model_keep_their_nodes(tmp_path: Path) -> None:
    nodes = [node("Identity", "x", "i"), node("Identity", "i", "y"), node("Add", "one one", "z"), node("Mul", "z one", "w")]
    written = optimized(tmp_path, nodes, [weight("one", [1])], outputs="y z w")
    assert operators(written) == ["Identity", "Add", "Mul"] and list(written.graph.node[0].input) == ["x"]


def test_what_runs_decide_is_not_computed(tmp_path: Path) -> None:
    default = helper.make_tensor_value_info("w", kinds.FLOAT, [1])
    written = optimized(tmp_path, [node("Neg", "w", "n"), node("Add", "x n", "y")], [weight("w", [1])], inputs=[default])
    assert operators(written) == ["Neg", "Add"]
    session = ort.InferenceSession(tmp_path / "optimized.onnx")
    assert session.run(None, {"x": X, "w": np.array([5], np.float32)})[0].tolist() == [[-7, -6, -5, -4]]
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
