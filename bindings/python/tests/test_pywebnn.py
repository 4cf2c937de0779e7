"""Tests that programs written for pywebnn run unchanged, with its names, orders of arguments and defaults.

If the specification contradicts pywebnn, tests follow the specification: see the table in docs/reference/python.md.
"""

import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn


@pytest.fixture
def old_context() -> webnn.MLContext:
    return webnn.ML().create_context(accelerated=False, device_type="cpu")


def computed(context: webnn.MLContext, builder: webnn.MLGraphBuilder, y: Any, x: Any) -> Any:
    return context.compute(builder.build({"y": y}), {"x": x})["y"]


def test_readme_program() -> None:
    ml = webnn.ML()
    context = ml.create_context(power_preference="high-performance", accelerated=False)
    builder = context.create_graph_builder()
    x = builder.input("x", [2, 3], "float32")
    y = builder.input("y", [2, 3], "float32")
    z = builder.add(x, y)
    output = builder.relu(z)
    graph = builder.build({"output": output})
    x_data = np.array([[1, -2, 3], [4, -5, 6]], dtype=np.float32)
    y_data = np.array([[-1, 2, -3], [-4, 5, -6]], dtype=np.float32)
    results = context.compute(graph, {"x": x_data, "y": y_data})
    np.testing.assert_array_equal(results["output"], np.maximum(x_data + y_data, 0))
    assert graph.get_input_names() == ["x", "y"]
    assert graph.get_output_names() == ["output"]
    assert (graph.operand_count, graph.operation_count) == (4, 2)
    assert (x.data_type, x.shape, x.name) == ("float32", [2, 3], "x")
    assert context.power_preference == "high-performance"
    assert context.accelerated is False


def test_contexts() -> None:
    signature = inspect.signature(webnn.ML.create_context).parameters
    assert [(name, p.default) for name, p in signature.items()][1:5] == [
        ("power_preference", "default"),
        ("accelerated", True),
        ("device_type", "auto"),
        ("backend", "auto"),
    ]
    for bad in ({"power_preference": "fast"}, {"device_type": "toaster"}, {"backend": "abacus"}):
        with pytest.raises(ValueError):
            webnn.ML().create_context(**bad)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError):
        webnn.ML().create_context(backend="trtx")
    info = webnn.ML().create_context("low-power", False, "cpu").backend_info()
    assert set(info) >= {"backend", "accelerated_available", "compiled_features", "backend_available"}
    assert isinstance(webnn.ML().create_context().op_support_limits(), dict)


def test_image_classifier(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    rng = np.random.default_rng(1)
    x = builder.input("x", [1, 3, 8, 8], "float32")
    weights = builder.constant(rng.normal(size=(4, 3, 3, 3)).astype(np.float32))
    bias = builder.constant(np.zeros(4, dtype=np.float32))
    h = builder.conv2d(x, weights, strides=[2, 2], pads=[0, 1, 2, 3], bias=bias)
    assert h.shape == [1, 4, 4, 5]  # pads: both beginnings, then both endings
    h = builder.batch_normalization(h, bias, builder.constant(np.ones(4, np.float32)), epsilon=1e-5)
    h = builder.clamp(h, min_value=0.0, max_value=6.0)
    h = builder.max_pool2d(h, [2, 2], [2, 2])
    h = builder.global_average_pool(h)
    h = builder.reshape(h, new_shape=[1, 4])
    h = builder.gemm(h, builder.constant(rng.normal(size=(10, 4)).astype(np.float32)), b_transpose=True)
    scores = computed(old_context, builder, builder.softmax(h, 1), rng.normal(size=(1, 3, 8, 8)).astype(np.float32))
    assert scores.shape == (1, 10)
    np.testing.assert_allclose(scores.sum(), 1, rtol=1e-6)


def test_positional_options(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [1, 2, 5, 5], "float32")
    weights = builder.constant(np.ones((2, 1, 3, 3), np.float32))
    y = builder.conv2d(x, weights, [1, 1], [1, 1], [1, 1, 1, 1], 2, "nchw", "oihw")
    z = builder.conv_transpose2d(x, weights, [2, 2], [1, 1], [0, 0, 0, 0], [1, 1], None, 1, "nchw", "iohw", None)
    assert (y.shape, z.shape) == ([1, 2, 5, 5], [1, 1, 12, 12])
    assert builder.average_pool2d(x, [2, 2], [1, 1], [1, 1], [0, 0, 1, 1], "nchw").shape == [1, 2, 5, 5]
    assert builder.instance_normalization(x, None, None, 1e-5, None).shape == x.shape  # type: ignore[arg-type]
    assert builder.layer_normalization(x, None, None, 1e-5, [1, 2, 3]).shape == x.shape
    assert builder.hard_sigmoid(x, 0.2, 0.5).shape == x.shape
    assert builder.global_max_pool(x, "nhwc").shape == [1, 1, 1, 5]
    assert builder.gather(x, builder.constant(np.array([0], np.int64)), 1).shape == [1, 1, 5, 5]


def test_transformer_block(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [1, 4, 6], "float32")
    heads = builder.transpose(builder.reshape(x, [1, 4, 2, 3]), [0, 2, 1, 3])
    scores = builder.matmul(heads, builder.transpose(heads, permutation=[0, 1, 3, 2]))
    mask = builder.constant(np.triu(np.ones((4, 4), np.uint8), 1))
    minus = builder.constant(np.full((4, 4), -1e9, np.float32))
    scores = builder.where_(mask, minus, scores)
    y = builder.matmul(builder.softmax(scores, axis=3), heads)
    y = builder.reshape(builder.transpose(y, [0, 2, 1, 3]), [1, 4, 6])
    y = builder.layer_normalization(builder.add(x, y), axes=[2])
    y = builder.mul(builder.gelu(y), builder.constant([0.5], [1], "float32"))
    data = np.random.default_rng(2).normal(size=(1, 4, 6)).astype(np.float32)
    first = computed(old_context, builder, y, data)
    assert first.shape == (1, 4, 6)
    assert np.isfinite(first).all()


def test_every_unary_method(old_context: webnn.MLContext) -> None:
    names = "relu sigmoid tanh abs ceil floor neg sign exp log sqrt reciprocal sin cos tan erf identity gelu softplus softsign"
    for name in [*names.split(), "elu", "leaky_relu", "hard_sigmoid", "hard_swish", "clamp"]:
        builder = old_context.create_graph_builder()
        y = getattr(builder, name)(builder.input("x", [3], "float32"))
        assert computed(old_context, builder, y, np.array([0.5, 1, 2], np.float32)).shape == (3,)
        if name in names.split():
            builder = old_context.create_graph_builder()
            assert getattr(builder, name)(x=builder.input("x", [3], "float32")).shape == [3]


def test_every_binary_method(old_context: webnn.MLContext) -> None:
    comparisons = "equal greater greater_or_equal lesser lesser_or_equal"
    for name in f"add sub mul div {comparisons}".split():
        builder = old_context.create_graph_builder()
        y = getattr(builder, name)(a=builder.input("x", [2], "float32"), b=builder.constant(np.array([1.0], np.float32)))
        result = computed(old_context, builder, y, np.array([1, 2], np.float32))
        assert result.dtype == (np.uint8 if name in comparisons.split() else np.float32)
    builder = old_context.create_graph_builder()
    flag = builder.equal(builder.input("x", [2], "float32"), builder.constant(np.array(1.0, np.float32)))
    negated = builder.logical_not(x=flag)  # type: ignore[call-arg]
    flag = builder.logical_xor(builder.logical_or(builder.logical_and(flag, flag), flag), negated)
    np.testing.assert_array_equal(computed(old_context, builder, flag, np.array([1, 2], np.float32)), [1, 1])
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2], "float32")
    np.testing.assert_array_equal(
        computed(old_context, builder, builder.prelu(x, slope=x), np.array([-2, 2], np.float32)), [4, 2]
    )


def test_every_reduction(old_context: webnn.MLContext) -> None:
    data = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    for name in ["sum", "mean", "max", "min", "product", "l1", "l2", "log_sum", "log_sum_exp", "sum_square"]:
        builder = old_context.create_graph_builder()
        x = builder.input("x", [2, 3], "float32")
        reduce = getattr(builder, f"reduce_{name}")
        assert computed(old_context, builder, reduce(x), data).shape == ()
        assert reduce_shape(old_context, name, [1], True) == [2, 1]
        assert reduce_shape(old_context, name, [1]) == [2]


def reduce_shape(context: webnn.MLContext, name: str, *options: Any) -> list[int]:
    builder = context.create_graph_builder()
    shape: list[int] = getattr(builder, f"reduce_{name}")(builder.input("x", [2, 3], "float32"), *options).shape
    return shape


def test_moving_elements(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [1, 6], "float32")
    flat = builder.squeeze(x)
    assert flat.shape == [6]
    assert builder.squeeze(x, axes=[0]).shape == [6]
    assert builder.unsqueeze(flat, [0, 2]).shape == [1, 6, 1]
    assert [part.shape for part in builder.split(x, 2, axis=1)] == [[1, 3], [1, 3]]
    first, second = builder.split(x, [2, 4], 1)
    assert (first.shape, second.shape) == ([1, 2], [1, 4])
    assert builder.concat([first, second], 1).shape == [1, 6]
    assert builder.expand(x, [4, 6]).shape == [4, 6]
    assert builder.slice(x, [0, 1], [1, 4], strides=[1, 1]).shape == [1, 4]
    assert builder.pad(x, [0, 1, 0, 2]).shape == [1, 9]
    assert builder.pad(x, padding=[0, 1, 0, 2], mode="edge", value=0.0).shape == [1, 9]
    assert builder.pad(x, [0, 1, 0, 2], "reflection").shape == [1, 9]
    assert builder.tile(x, [2, 1]).shape == [2, 6]
    assert builder.triangular(x, True, 0).shape == [1, 6]
    assert builder.cast(x, "int32").data_type == "int32"
    index = builder.constant(np.array([[0]], np.int64))
    update = builder.constant(np.array([[9]], np.float32))
    scattered = builder.scatter_elements(x, index, update, 1)
    scattered = builder.scatter_nd(
        scattered, builder.constant(np.array([[0, 5]], np.int64)), builder.constant(np.array([7], np.float32))
    )
    padded = builder.pad(scattered, [0, 1, 0, 2], "constant", 5.0)
    result = computed(old_context, builder, padded, np.arange(6, dtype=np.float32).reshape(1, 6))
    np.testing.assert_array_equal(result, [[5, 9, 1, 2, 3, 4, 7, 5, 5]])


def test_quantization(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [4], "float32")
    scale = builder.constant(np.array([0.5], np.float32))
    zero = builder.constant(np.array([10], np.uint8))
    quantized = builder.quantize_linear(x, scale, zero)
    assert quantized.data_type == "uint8"
    result = computed(
        old_context, builder, builder.dequantize_linear(quantized, scale, zero), np.array([-9, 0, 1, 2.5], np.float32)
    )
    np.testing.assert_array_equal(result, [-5, 0, 1, 2.5])


def test_tensors_and_dispatch(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    graph = builder.build({"y": builder.neg(builder.input("x", [2], "float32"))})
    x = old_context.create_tensor([2], "float32", readable=False, writable=True)
    y = old_context.create_host_tensor([2], "float32")
    assert (y.readable, y.writable, x.readable, x.exportable_to_gpu) == (True, True, False, False)
    assert (y.size, y.shape, y.data_type) == (2, [2], "float32")
    old_context.write_tensor(x, np.array([1, 2], np.float32))
    old_context.dispatch(graph, {"x": x}, {"y": y})
    np.testing.assert_array_equal(old_context.read_tensor(y), [-1, -2])
    with pytest.raises(RuntimeError):
        old_context.read_tensor(x)
    with pytest.raises(ValueError, match="Shape mismatch"):
        old_context.write_tensor(y, np.zeros(3, np.float32))
    with pytest.raises(TypeError):
        old_context.dispatch(graph, {"x": np.zeros(2)}, {"y": y})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="Unsupported data type"):
        old_context.create_tensor([2], "float63")
    y.destroy()
    with pytest.raises(RuntimeError):
        old_context.read_tensor(y)


def test_asynchronous_program(old_context: webnn.MLContext) -> None:
    async def main() -> Any:
        context = webnn.AsyncMLContext(old_context)
        builder = context.create_graph_builder()
        graph = builder.build({"y": builder.exp(builder.input("x", [2], "float32"))})
        x, y = context.create_tensor([2], "float32"), context.create_tensor([2], "float32")
        assert x.readable
        assert x.writable
        await context.write_tensor_async(x, np.zeros(2, np.float32))
        await context.dispatch(graph, {"x": x}, {"y": y})
        return await context.read_tensor_async(y)

    np.testing.assert_array_equal(asyncio.run(main()), [1, 1])


def test_files(old_context: webnn.MLContext, tmp_path: Path) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2], "float32")
    graph = builder.build({"y": builder.mul(x, builder.constant(np.array([2, 3], np.float32)))})
    graph.save(str(tmp_path / "model.webnn"))
    graph.save(str(tmp_path / "quantized.webnn"), quantized=False)
    old_context.convert_to_onnx(graph, str(tmp_path / "model.onnx"))
    loaded = webnn.MLGraph.load(str(tmp_path / "model.webnn"))
    assert loaded.get_input_names() == ["x"]
    data = {"x": np.array([1, 2], np.float32)}
    np.testing.assert_array_equal(loaded.compute(data)["y"], [2, 6])
    np.testing.assert_array_equal(webnn.load(tmp_path / "model.onnx").compute(data)["y"], [2, 6])
    with pytest.raises(OSError):
        webnn.MLGraph.load(str(tmp_path / "missing.webnn"), manifest_path=None, weights_path=None)
    (tmp_path / "bad.webnn").write_text("no graph")
    with pytest.raises(OSError):
        webnn.MLGraph.load(str(tmp_path / "bad.webnn"))


def test_looking_at_a_graph(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2], "float32")
    total = builder.reduce_sum(builder.mul(x, builder.constant(np.array(3, np.float32))))
    graph = builder.build({"total": total})
    assert graph.operand_count == 4
    assert "x" in graph.debug_operand(0)
    assert "float32[2]" in graph.debug_operand(0)
    assert graph.debug_operand(9).endswith("not found")
    assert (graph.count_empty_shapes(), graph.count_scalar_constants()) == (2, 1)
    # a shape of [] belongs to a scalar and is known
    assert graph.count_unknown_shapes() == graph.count_unknown_shapes_excluding_scalar_ops() == 0
    assert graph.debug_unknown_shapes() == []
    assert graph.debug_unknown_shapes_structured() == []


def test_errors(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2, 3], "float32")
    with pytest.raises(ValueError):
        builder.matmul(x, x)
    with pytest.raises(ValueError):
        builder.reshape(x, [7])
    graph = builder.build({"y": builder.relu(x)})
    with pytest.raises(ValueError, match="Missing input: "):
        old_context.compute(graph, {})
    with pytest.raises(ValueError):
        old_context.compute(graph, {"x": np.zeros((3, 2), np.float32)})


# Cases in which the package follows the specification instead of pywebnn.


def test_windows_are_the_whole_plane(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [1, 1, 4, 5], "float32")
    assert builder.average_pool2d(x).shape == builder.max_pool2d(x).shape == [1, 1, 1, 1]


def test_arg_max_is_int32(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [4], "float32")
    assert builder.arg_max(x, 0).data_type == builder.arg_min(x, 0, False, None).data_type == "int32"  # type: ignore[arg-type]
    assert builder.arg_max(x, 0, keep_dimensions=True, output_data_type="int64").data_type == "int64"


def test_no_axes_reduce_nothing(old_context: webnn.MLContext) -> None:
    assert reduce_shape(old_context, "sum", []) == [2, 3]


def test_layer_normalization_takes_all_axes_but_the_first(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2, 3, 4], "float32")
    with pytest.raises(ValueError):
        builder.layer_normalization(x, builder.constant(np.ones(4, np.float32)))


def test_dequantized_type_is_that_of_the_scale(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [4], "int8")
    scale, zero = builder.constant(np.array([0.5], np.float16)), builder.constant(np.array([0], np.int8))
    assert builder.dequantize_linear(x, scale, zero).data_type == "float16"


def test_types_must_agree(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [4], "float32")
    with pytest.raises(ValueError):
        builder.add(x, builder.constant(np.ones(4, np.int32)))
    graph = builder.build({"y": builder.relu(x)})
    with pytest.raises(ValueError):
        old_context.compute(graph, {"x": np.zeros(4)})  # float64 is refused


def test_hard_swish_has_no_options(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [4], "float32")
    assert builder.hard_swish(x, 1 / 6, 0.5).shape == [4]
    with pytest.raises(ValueError):
        builder.hard_swish(x, alpha=0.5)


def test_there_is_no_symmetric_padding(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    with pytest.raises(ValueError):
        builder.pad(builder.input("x", [4], "float32"), [1, 1], "symmetric")


def test_slices_have_strides(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [8], "float32")
    assert builder.slice(x, [0], [8], strides=[3]).shape == [3]
    with pytest.raises(ValueError):
        builder.slice(x, [0], [8], strides=[-1])


def test_unknown_outputs_are_errors(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    graph = builder.build({"y": builder.relu(builder.input("x", [1], "float32"))})
    x, y = old_context.create_host_tensor([1], "float32"), old_context.create_host_tensor([1], "float32")
    with pytest.raises(ValueError):
        old_context.dispatch(graph, {"x": x}, {"y": y, "z": y})


def test_outputs_are_written_in_place(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    graph = builder.build({"y": builder.relu(builder.input("x", [1], "float32"))})
    out = np.zeros(1, np.float32)
    assert old_context.compute(graph, {"x": np.ones(1, np.float32)}, {"y": out})["y"] is out
    assert out[0] == 1


def test_a_tensor_is_destroyed_once(old_context: webnn.MLContext) -> None:
    tensor = old_context.create_host_tensor([1], "float32")
    tensor.destroy()
    tensor.destroy()


def test_wrong_shapes_are_found_at_once(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    x = builder.input("x", [2, 2], "float32")
    with pytest.raises(ValueError):
        builder.gemm(x, x, builder.constant(np.ones(3, np.float32)))
    with pytest.raises(ValueError):
        builder.constant(np.ones(3, np.float32), [2, 2])


def test_64_bit_bounds_are_exact(old_context: webnn.MLContext) -> None:
    builder = old_context.create_graph_builder()
    bound = 2**53 + 1
    y = builder.clamp(builder.input("x", [1], "int64"), max_value=bound)
    assert computed(old_context, builder, y, np.array([2**60]))[0] == bound


def test_no_gpu_is_an_error() -> None:
    with pytest.raises(webnn.NotSupportedError):
        webnn.ML().create_context(backend="cpu", device_type="gpu")


def test_every_name_is_there() -> None:
    """pywebnn's names exist, except those that docs/reference/python.md lists as missing."""
    text = (Path(__file__).parents[3] / "docs" / "reference" / "python.md").read_text()
    missing = text[text.index("webnn lacks `Hub`") :]
    expected = {
        webnn.MLContext: "create_graph_builder compute dispatch create_tensor create_host_tensor create_device_tensor"
        " read_tensor write_tensor resize_tensor set_tensor_capacity convert_to_onnx op_support_limits backend_info"
        " power_preference accelerated",
        webnn.MLGraph: "operand_count operation_count get_input_names get_output_names save load debug_operand"
        " count_empty_shapes count_unknown_shapes count_scalar_constants count_unknown_shapes_excluding_scalar_ops"
        " debug_unknown_shapes debug_unknown_shapes_structured",
        webnn.MLOperand: "data_type shape name",
        webnn.MLTensor: "data_type shape size readable writable exportable_to_gpu destroy",
        webnn.MLGraphBuilder: "input constant build where_ squeeze unsqueeze global_average_pool global_max_pool",
        webnn.AsyncMLContext: "dispatch read_tensor_async write_tensor_async create_tensor",
    }
    for owner, names in expected.items():
        absent = {name for name in names.split() if not hasattr(owner, name)}
        assert absent == {name for name in absent if re.search(rf"`{name}`", missing)}
