"""Tests contexts, builders, graphs and tensors."""

import gc
import inspect
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import methods

import webnn
from webnn import _webnn


def relu_graph(context: webnn.MLContext) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [4], "float32")
    return builder.build({"y": builder.relu(x)})


def test_a_graph_computes(context: webnn.MLContext) -> None:
    graph = relu_graph(context)
    result = context.compute(graph, {"x": np.array([-1, 2, -3, 4], np.float32)})
    assert result["y"].dtype == np.float32
    np.testing.assert_array_equal(result["y"], [0, 2, 0, 4])


@pytest.mark.parametrize("page", ["README.md", "docs/reference/python.md"])
def test_the_first_example_of_a_page_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[3] / page).read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    exec(compile(code, page, "exec"), {})
    assert capsys.readouterr().out.strip() == code.rstrip().split("# ")[-1]


def test_every_operation_of_the_table_is_a_documented_method() -> None:
    names = [line.split("(")[0].split()[1] for line in _webnn._operations_pyi().splitlines() if line.startswith("    def ")]
    assert sorted(names) == sorted(methods())
    for name in names:
        text = getattr(_webnn.MLGraphBuilder, name).__doc__
        assert "https://www.w3.org/TR/webnn/#" in text, name
        assert "ArgumentError" in text, name


def test_options_are_keywords_and_as_in_pywebnn_positional(builder: webnn.MLGraphBuilder) -> None:
    numpy_list: Any = np.array([1, 0, 1, 0])
    numpy_int: Any = np.int64(1)
    x = builder.input("x", [1, 1, 5, 5], "float32")
    w = builder.constant(np.ones((1, 1, 3, 3), np.float32))
    assert builder.conv2d(x, w, padding=[1, 1, 0, 0], strides=[2, 2]).shape == [1, 1, 3, 2]
    assert builder.conv2d(x, w, pads=[1, 0, 1, 0], strides=(2, 2)).shape == [1, 1, 3, 2]
    assert builder.conv2d(x, w, [2, 2], None, numpy_list).shape == [1, 1, 3, 2]
    assert builder.conv2d(input=x, filter=w, groups=numpy_int, input_layout="nchw", label="l").shape == [1, 1, 3, 3]
    assert builder.transpose(x, [3, 2, 1, 0]).shape == [5, 5, 1, 1]
    assert [part.shape for part in builder.split(x, [2, 3], axis=3)] == [[1, 1, 5, 2], [1, 1, 5, 3]]


@pytest.mark.parametrize(
    ("method", "arguments", "options", "message"),
    [
        ("relu", (), {}, "relu: the argument input is missing."),
        ("relu", ({},), {}, "relu: input must be an MLOperand, an array or a number, not dict."),
        ("relu", ("X",), {"alpha": 1}, 'relu: there is no argument "alpha".'),
        ("relu", ("X", "X"), {}, "relu: takes at most 1 positional arguments, not 2."),
        ("relu", ("X",), {"input": "X"}, "relu: the argument input is given twice."),
        ("elu", ("X",), {"alpha": float("nan"), "label": "e"}, 'elu "e": alpha (nan) is not finite.'),
        ("elu", ("X",), {"alpha": "1"}, "elu: alpha must be a number, not str."),
        ("softmax", ("X", -1), {}, "softmax: axis (-1) is not between 0 and 4294967295."),
        ("softmax", ("X", True), {}, "softmax: axis must be an integer, not bool."),
        ("softmax", ("X", 1.0), {}, "softmax: axis must be an integer, not float."),
        ("reduce_sum", ("X",), {"axes": "0"}, "reduce_sum: axes must be a sequence, not str."),
        ("reduce_sum", ("X",), {"keep_dimensions": 1}, "reduce_sum: keep_dimensions must be a bool, not int."),
        ("resample2d", ("X",), {"mode": "cubic"}, 'resample2d: Invalid mode: "cubic" is not one of "nearest-neighbor",'),
        ("concat", (5, 0), {}, "concat: inputs must be a sequence, not int."),
        ("cast", ("X", "float8"), {}, "cast: data_type: Unsupported data type: "),
    ],
)
def test_wrong_arguments_are_named(
    builder: webnn.MLGraphBuilder, method: str, arguments: tuple[object, ...], options: dict[str, object], message: str
) -> None:
    x = builder.input("x", [4], "float32")
    given = [x if a == "X" else a for a in arguments]
    keywords = {k: x if v == "X" else v for k, v in options.items()}
    with pytest.raises(webnn.ArgumentError) as caught:
        getattr(builder, method)(*given, **keywords)
    spelled = {"reduce_sum": "reduceSum"}.get(method, method)
    assert str(caught.value).startswith(message.replace(method + ":", spelled + ":", 1))


def test_numbers_are_exact(context: webnn.MLContext) -> None:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [2], "uint64")
    graph = builder.build({"y": builder.clamp(x, min_value=2**63 + 1, max_value=2**64 - 2)})
    result = graph.compute({"x": np.array([0, 2**64 - 1], np.uint64)})["y"]
    assert [int(v) for v in result] == [2**63 + 1, 2**64 - 2]


def test_methods_of_pywebnn_work(context: webnn.MLContext) -> None:
    builder = context.create_graph_builder()
    x = builder.input("x", [1, 2, 2, 2], "float32")
    named: dict[str, Any] = {"x": x}
    pooled = builder.global_average_pool(x)
    assert pooled.shape == [1, 2, 1, 1]
    assert builder.squeeze(pooled).shape == [2]
    assert builder.unsqueeze(x, [0, -1]).shape == [1, 1, 2, 2, 2, 1]
    assert builder.pad(x, [0, 0, 1, 1, 0, 0, 1, 1], "edge").shape == [1, 2, 4, 4]
    assert builder.pad(x, [0, 0, 1, 1], [0, 0, 1, 1], mode="edge").shape == [1, 2, 4, 4]
    assert builder.relu(**named).shape == [1, 2, 2, 2]
    condition = builder.greater(x, builder.constant("float32", 0.0))
    assert builder.where_(condition, x, pooled).shape == [1, 2, 2, 2]
    graph = builder.build({"y": pooled})
    values = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
    np.testing.assert_array_equal(context.compute(graph, {"x": values})["y"].reshape(-1), [1.5, 5.5])


def test_tensors_are_written_dispatched_and_read(context: webnn.MLContext) -> None:
    graph = relu_graph(context)
    x = context.create_tensor([4], "float32", writable=True)
    y = context.create_tensor({"dataType": "float32", "shape": [4], "readable": True})
    context.write_tensor(x, np.array([-1, 1, -2, 2], np.float32))
    context.dispatch(graph, {"x": x}, {"y": y})
    np.testing.assert_array_equal(context.read_tensor(y), [0, 1, 0, 2])
    out = np.zeros(8, np.float32)[::2]
    assert context.read_tensor(y, out) is out
    np.testing.assert_array_equal(out, [0, 1, 0, 2])


def test_constant_tensors_are_constants(context: webnn.MLContext) -> None:
    tensor = context.create_constant_tensor(np.array([1, 2], np.float32))
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.add(builder.input("x", [2], "float32"), builder.constant(tensor))})
    np.testing.assert_array_equal(graph.compute({"x": np.array([1, 1], np.float32)})["y"], [2, 3])


def test_a_constant_keeps_its_array_and_lets_it_go(context: webnn.MLContext) -> None:
    weights = np.full(1000, 2, np.float32)
    alive = weakref.ref(weights)
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.mul(builder.input("x", [1000], "float32"), builder.constant(weights))})
    del weights, builder
    gc.collect()
    assert alive() is not None
    assert graph.compute({"x": np.ones(1000, np.float32)})["y"].sum() == 2000
    del graph
    gc.collect()
    assert alive() is None


def test_results_are_written_in_place(context: webnn.MLContext) -> None:
    graph = relu_graph(context)
    x = np.array([-1, 2, -3, 4], np.float32)
    y = np.zeros(4, np.float32)
    assert context.compute(graph, {"x": x}, {"y": y})["y"] is y
    np.testing.assert_array_equal(y, [0, 2, 0, 4])
    wide = np.zeros((4, 2), np.float32)
    context.compute(graph, {"x": x}, {"y": wide[:, 1]})
    np.testing.assert_array_equal(wide, [[0, 0], [0, 2], [0, 0], [0, 4]])
    context.compute(graph, {"x": x}, {"y": x})
    np.testing.assert_array_equal(x, [0, 2, 0, 4])


def test_threads_compute_at_the_same_time(context: webnn.MLContext) -> None:
    graph = relu_graph(context)
    wrong: list[object] = []

    def work(value: float) -> None:
        for _ in range(200):
            result = context.compute(graph, {"x": np.full(4, value, np.float32)})["y"]
            if (result != value).any():
                wrong.append(result)

    threads = [threading.Thread(target=work, args=(float(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_signatures_name_the_arguments() -> None:
    text = _webnn.MLGraphBuilder.gemm.__doc__ or ""
    assert text.startswith("gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, alpha: float = 1.0")
    assert "self" in inspect.signature(webnn.MLGraphBuilder.constant).parameters


def test_limits_are_told(context: webnn.MLContext) -> None:
    limits = context.op_support_limits()
    assert limits["relu"]["input"]["data_types"][0] == "float32"
    assert "gather_nd" in limits
