"""Tests graphs with open dimensions: shapes, sizes as expressions, sessions and their files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn


def ones(*shape: int) -> Any:
    return np.ones(shape, np.float32)


def session_of(builder: webnn.MLGraphBuilder, output: webnn.MLOperand, **options: Any) -> webnn.InferenceSession:
    return builder.build_session({"y": output}, **options)


def test_shapes_have_names_and_expressions(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", [webnn.MLDynamicDimension("batch", 64, min_size=1), "sequence", 768])
    past = builder.input("past", {"shape": ("batch", "past", 768), "dataType": "float16"})
    assert x.shape == ["batch", "sequence", 768]
    assert (x.rank, x.data_type, past.data_type) == (3, "float32", "float16")
    assert builder.concat([x, x], 1).shape == ["batch", "sequence * 2", 768]
    assert builder.concat([past, builder.cast(x, "float16")], 1).shape == ["batch", "past + sequence", 768]
    assert repr(builder.relu(x)) == "<MLOperand result float32[batch, sequence, 768]>"
    assert repr(x) == '<MLOperand input "x" float32[batch, sequence, 768]>'


def test_operations_take_expressions_as_sizes(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", ["n", "m"])
    assert builder.reshape(x, ["n * m"]).shape == ["m * n"]
    assert builder.expand(x, (3, "n", "m")).shape == [3, "n", "m"]
    assert builder.slice(x, ["n - 1", 0], [1, "m"]).shape == [1, "m"]
    assert builder.tile(x, [2, "n"]).shape == ["n * 2", "m * n"]
    assert [part.shape for part in builder.split(x, ["n - 1", 1])] == [["n - 1", "m"], [1, "m"]]
    assert builder.pad(x, [0, "n"], [1, 0]).shape == ["n + 1", "m + n"]
    assert builder.unsqueeze(x, [0]).shape == [1, "n", "m"]
    assert builder.squeeze(builder.unsqueeze(x, [0])).shape == ["n", "m"]
    image = builder.unsqueeze(x, [0, 1])
    assert builder.resample2d(image, sizes=["n * 2", 3]).shape == [1, 1, "n * 2", 3]
    assert builder.max_pool2d(image, window_dimensions=["n", 1]).shape == [1, 1, 1, "m"]
    weights = np.ones((1, 6, 2), np.float32)
    sequence = builder.input("sequence", ["steps", 1, 2])
    assert builder.gru(sequence, weights, weights, "steps", 2, return_sequence=True)[1].shape == ["steps", 1, 1, 2]


def test_shapes_are_sizes_of_other_operations(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", ["batch", "'my length'", 12])
    heads = builder.reshape(x, [*x.shape[:2], 3, 4])
    assert heads.shape == ["batch", "'my length'", 3, 4]


@pytest.mark.parametrize(
    ("index", "shape"),
    [
        ((slice(None), 1), ["n"]),
        ((-1,), [3]),
        ((slice(1, None),), ["n - 1", 3]),
        ((slice(None, -1), None), ["n - 1", 1, 3]),
        ((slice(-2, None), slice(None, None, 2)), [2, 2]),
        ((slice(-2, -1), ...), [1, 3]),
        ((slice(0, 2),), [2, 3]),
        ((slice(None, None, 2),), ["floor((n + 1) / 2)", 3]),
    ],
)
def test_indices_slice_open_dimensions_as_numpy(builder: webnn.MLGraphBuilder, index: Any, shape: Any) -> None:
    y = builder.input("x", ["n", 3])[index]
    assert y.shape == shape
    array = np.arange(12, dtype=np.float32).reshape(4, 3)
    session = session_of(builder, builder.identity(y))
    np.testing.assert_array_equal(session.run(None, {"x": array})[0], array[index])


@pytest.mark.parametrize("index", [slice(2, 1), slice(-1, 1), slice(0, 2, -1), "n", 1.5])
def test_indices_of_open_dimensions_are_checked(builder: webnn.MLGraphBuilder, index: Any) -> None:
    with pytest.raises(webnn.ArgumentError, match=r"^\[\]: "):
        builder.input("x", ["n"])[index]


def test_a_session_runs_with_many_sizes(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", ["n", 2])
    session = session_of(builder, builder.reduce_sum(x * x, axes=[0]), keep=2)
    assert session.get_inputs() == [webnn.NodeArg("x", ["n", 2], "tensor(float)")]
    assert session.get_outputs() == [webnn.NodeArg("y", [2], "tensor(float)")]
    for n in (1, 2, 5, 2, 0, 1):
        array = np.full((n, 2), 3, np.float32)
        np.testing.assert_array_equal(session.run(["y"], {"x": array})[0], [9 * n, 9 * n])
    assert session.graph.inputs["x"].shape == (1, 2)
    assert repr(session) == "<InferenceSession \"x\": tensor(float)['n', 2] on CPUExecutionProvider>"


def test_results_may_have_no_elements(builder: webnn.MLGraphBuilder, tmp_path: Path) -> None:
    x = builder.input("x", ["n"])
    session = builder.build_session({"rest": builder.slice(x, [0], ["n - 1"]), "y": builder.neg(x)})
    rest, y = session.run(None, {"x": ones(1)})
    assert (rest.shape, y.tolist()) == ((0,), [-1])
    (rest,) = session.run(["rest"], {"x": ones(1)})
    assert rest.shape == (0,)
    session.save(tmp_path / "rest.webnn")
    assert webnn.InferenceSession(tmp_path / "rest.webnn").run(["rest"], {"x": ones(1)})[0].shape == (0,)
    binding = session.io_binding()
    binding.bind_cpu_input("x", ones(3))
    session.run_with_iobinding(binding)
    assert [array.shape for array in binding.copy_outputs_to_cpu()] == [(2,), (3,)]


def test_a_cache_grows_from_nothing(builder: webnn.MLGraphBuilder) -> None:
    new, past = builder.input("new", [1, 2]), builder.input("past", ["past", 2])
    session = builder.build_session({"present": builder.concat([past, new], 0)})
    cache = np.zeros((0, 2), np.float32)
    for step in range(3):
        (cache,) = session.run(None, {"past": cache, "new": [[step, step]]})
    assert cache.tolist() == [[0, 0], [1, 1], [2, 2]]


def test_dimensions_fix_sizes(builder: webnn.MLGraphBuilder) -> None:
    x = builder.input("x", ["n", "m"])
    session = session_of(builder, builder.relu(x), dimensions={"n": 2})
    assert session.get_inputs()[0].shape == [2, "m"]
    assert session.run(None, {"x": ones(2, 3)})[0].shape == (2, 3)
    with pytest.raises(webnn.ArgumentError, match='the dimension "n" is 2 as fixed'):
        session.run(None, {"x": ones(3, 3)})


def test_a_session_takes_a_fixed_graph(builder: webnn.MLGraphBuilder) -> None:
    session = session_of(builder, builder.relu(builder.input("x", [2])))
    assert session.run(None, {"x": np.array([-1, 1], np.float32)})[0].tolist() == [0, 1]


def test_errors_name_the_sizes(builder: webnn.MLGraphBuilder) -> None:
    x, y = builder.input("x", ["n", 3]), builder.input("y", ["m", 3])
    session = session_of(builder, builder.add(x, y, label="sum"))
    with pytest.raises(webnn.ArgumentError, match=r'add "sum": .* \[2, 3\] .* \[3, 3\].* \(with n = 2, m = 3\)'):
        session.run(None, {"x": ones(2, 3), "y": ones(3, 3)})
    assert session.run(None, {"x": ones(1, 3), "y": ones(3, 3)})[0].shape == (3, 3)


def test_bounds_are_checked(builder: webnn.MLGraphBuilder) -> None:
    session = session_of(builder, builder.relu(builder.input("x", [webnn.MLDynamicDimension("n", 3, min_size=2)])))
    for size, message in ((1, "less than its smallest size"), (4, "more than its largest size"), (0, '"n" is 0')):
        with pytest.raises(webnn.ArgumentError, match=message):
            session.run(None, {"x": ones(size)})


def test_wrong_shapes(builder: webnn.MLGraphBuilder) -> None:
    shape: Any
    for shape, message in (
        (["n", 1.5], "input: shape must be an integer, not float"),
        (["n m"], "an operator at character 3"),
        ([webnn.MLDynamicDimension("n + 1", 8)], "only names have bounds"),
        ([webnn.MLDynamicDimension("n", 8, min_size=-1)], "input: shape: min_size"),
        ("n", "input: shape must be a sequence, not str"),
    ):
        with pytest.raises(webnn.ArgumentError, match=message):
            builder.input("x", shape)


def test_wrong_sizes_leave_the_builder_unchanged(builder: webnn.MLGraphBuilder) -> None:
    fixed = builder.input("x", [2, 3])
    wrong: Any = ["2 *"]
    with pytest.raises(webnn.ArgumentError, match=r"reshape: new_shape: the size .* at character 4"):
        builder.reshape(fixed, wrong)
    wrong = ["1"]
    with pytest.raises(webnn.ArgumentError, match="reduceSum: axes must be an integer, not str"):
        builder.reduce_sum(fixed, axes=wrong)
    assert builder.build({"y": builder.reshape(fixed, ["2 * 3"])}).outputs["y"].shape == (6,)


def test_open_graphs_need_a_session(builder: webnn.MLGraphBuilder) -> None:
    y = builder.relu(builder.input("x", ["n"]))
    with pytest.raises(webnn.ArgumentError, match="open dimensions"):
        builder.build({"y": y})
    options: Any
    for options in (
        {"outputs": None},
        {"outputs": {"y": 1}},
        {"outputs": {"y": y}, "keep": 0},
        {"outputs": {"y": y}, "dimensions": {"n": -1}},
    ):
        with pytest.raises(webnn.ArgumentError, match="build_session: "):
            builder.build_session(**options)
    session = builder.build_session({"y": y})
    with pytest.raises(webnn.InvalidStateError, match="already built"):
        builder.input("z", ["n"])
    with pytest.raises(webnn.NotSupportedError, match="builder's graph"):
        session.set_providers(["CPUExecutionProvider"])
    with pytest.raises(webnn.InvalidStateError, match="compiled by the first run"):
        _ = session.graph


@pytest.mark.parametrize("suffix", ["webnn", "json", "webnnb"])
def test_files_keep_the_names(builder: webnn.MLGraphBuilder, tmp_path: Path, suffix: str) -> None:
    x = builder.input("x", [webnn.MLDynamicDimension("batch", 8), "past + 1"])
    past = builder.input("past", ["past"])
    builder.set_graph_name("network")
    session = builder.build_session({"y": builder.reshape(x, ["batch * (past + 1)"]), "z": builder.neg(past)})
    assert session.get_modelmeta().graph_name == "network"
    session.save(tmp_path / f"network.{suffix}")
    loaded = webnn.InferenceSession(tmp_path / f"network.{suffix}")
    assert loaded.get_inputs() == session.get_inputs()
    feed = {"x": ones(2, 3), "past": ones(2)}
    for one, other in zip(loaded.run(None, feed), session.run(None, feed), strict=True):
        np.testing.assert_array_equal(one, other)
    loaded.save(tmp_path / f"again.{suffix}")
    assert (tmp_path / f"again.{suffix}").read_bytes() == (tmp_path / f"network.{suffix}").read_bytes()
    session.save(tmp_path / "network.onnx")
    exported = webnn.InferenceSession(tmp_path / "network.onnx")
    for one, other in zip(exported.run(None, feed), session.run(None, feed), strict=True):
        np.testing.assert_array_equal(one, other)
    session.save(tmp_path / "network.mlpackage")
    model = (tmp_path / "network.mlpackage/Data/com.apple.CoreML/model.mlmodel").read_bytes()
    assert b"libwebnn.shape.x" in model
    assert b"[batch, past + 1]" in model


def test_sessions_of_files_without_open_dimensions_are_saved(tmp_path: Path) -> None:
    session = webnn.InferenceSession(str(Path(__file__).parents[3] / "examples/digits/digits.webnn"))
    session.save(tmp_path / "digits.onnx")
    assert webnn.load(tmp_path / "digits.onnx").get_input_names() == ["image"]
