"""Tests webnn.ray without a cluster: rows, models, requests. Tests that need Ray are in cluster_tests/."""

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import webnn
import webnn.ray
from webnn.ray import _engine
from webnn.ray._serve import _listed, _parsed, compute_together

Array = np.ndarray[Any, Any]

RANDOM = np.random.default_rng(7)
WEIGHTS = RANDOM.standard_normal((5, 3), dtype=np.float32)
ROWS = RANDOM.standard_normal((10, 5), dtype=np.float32)
EXPECTED = ROWS.astype(np.float64) @ WEIGHTS


def product(shape: list[Any], name: str = "g") -> onnx.ModelProto:
    """Makes a model of y = x @ WEIGHTS."""
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [*shape[:-1], 3])],
        [numpy_helper.from_array(WEIGHTS, "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


DYNAMIC = product(["batch", 5]).SerializeToString()


def close(actual: Array, expected: Array) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


def objects(*rows: Any) -> Array:
    column = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        column[i] = row
    return column


def message_of(call: Callable[[], Any], kind: type[Exception] = webnn.ArgumentError) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_importing_webnn_imports_no_ray() -> None:
    code = "import sys, webnn; assert 'ray' not in sys.modules and 'webnn.ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys, webnn.ray; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("pad", [False, True])
@pytest.mark.parametrize("batch", [None, 1, 3, 4, 9, 10, 11, 64])
def test_rows_do_not_depend_on_the_batch(batch: int | None, pad: bool) -> None:
    result = webnn.ray.Predictor(DYNAMIC, batch=batch, pad=pad)({"x": ROWS})
    assert list(result) == ["y"]
    close(result["y"], EXPECTED)


@pytest.mark.parametrize("shape", [[1, 5], [4, 5], [10, 5], [16, 5], [5]])
def test_graphs_of_fixed_shapes(shape: list[int]) -> None:
    close(webnn.ray.Predictor(product(shape))({"x": ROWS})["y"], EXPECTED)


def test_padded_batches_give_a_row_the_same_bits_wherever_it_is() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC, batch=8, pad=True)
    whole = predictor({"x": ROWS})["y"]
    for begin in range(10):
        for end in range(begin + 1, 11):
            np.testing.assert_array_equal(predictor({"x": ROWS[begin:end]})["y"], whole[begin:end])


def test_no_rows() -> None:
    assert webnn.ray.Predictor(DYNAMIC)({"x": ROWS[:0]})["y"].shape == (0, 3)


def test_inputs_are_not_copied_and_not_written() -> None:
    rows = np.array(ROWS)
    rows.flags.writeable = False
    close(webnn.ray.Predictor(DYNAMIC)({"x": rows})["y"], EXPECTED)
    close(webnn.ray.Predictor(DYNAMIC)({"x": np.asfortranarray(rows)})["y"], EXPECTED)
    np.testing.assert_array_equal(rows, ROWS)


def test_rows_of_different_shapes() -> None:
    rows = [RANDOM.standard_normal((size, 5), dtype=np.float32) for size in (2, 3, 2, 1, 3)]
    result = webnn.ray.Predictor(product(["batch", "steps", 5]), keep="id")({"x": objects(*rows), "id": np.arange(5)})
    np.testing.assert_array_equal(result["id"], np.arange(5))
    for row, output in zip(rows, result["y"], strict=True):
        close(output, row.astype(np.float64) @ WEIGHTS)


def test_an_error_names_the_row_and_the_kept_columns() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC, keep=["id"])
    batch = {"x": objects(ROWS[0], ROWS[1].astype(float), ROWS[2]), "id": np.array([5, 6, 7])}
    assert message_of(lambda: predictor(batch)) == (
        "Predictor: row 1 (id=6): the column 'x' has the type float64, and the graph takes float32."
    )


def test_errors_are_collected() -> None:
    wrong = objects(ROWS[0], None, ROWS[2][:4], "text", ROWS[4].astype(np.int32), ROWS[5])
    result = webnn.ray.Predictor(DYNAMIC, errors="error")({"x": wrong})
    close(result["y"][[0, 5]], EXPECTED[[0, 5]])
    assert np.isnan(result["y"][1:5]).all()
    assert [bool(message) for message in result["error"]] == [False, True, True, True, True, False]
    assert "[4]" in result["error"][2]
    assert "int32" in result["error"][4]
    for bad in (ROWS.astype(float), ROWS[:, :4]):
        result = webnn.ray.Predictor(DYNAMIC, errors="error")({"x": bad})
        assert np.isnan(result["y"]).all()
        assert result["y"].shape == (10, 3)
        assert all(result["error"])
    none = webnn.ray.Predictor(DYNAMIC, errors="error")({"x": objects(None, None)})
    assert none["y"].shape == (2, 3)
    assert np.isnan(none["y"]).all()


def test_invalid_batches_are_named() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC, keep=["id"])
    ids = np.arange(10)
    assert "no column 'x'" in message_of(lambda: predictor({"id": ids}))
    assert "no column 'id'" in message_of(lambda: predictor({"x": ROWS}))
    assert "9 rows" in message_of(lambda: predictor({"x": ROWS, "id": ids[:9]}))
    assert "[4]" in message_of(lambda: predictor({"x": ROWS[:, :4], "id": ids}))
    assert "list" in message_of(lambda: predictor([1]))  # type: ignore[arg-type]
    assert "one number" in message_of(lambda: webnn.ray.Predictor(DYNAMIC)({"x": np.float32(1)}))
    assert "takes 4 rows at once, not 8" in message_of(lambda: webnn.ray.Predictor(product([4, 5]), batch=8)({"x": ROWS}))
    assert "no output 'z'" in message_of(
        lambda: webnn.ray.Predictor(DYNAMIC, outputs=["z"])({"x": ROWS}), webnn.InvalidStateError
    )


def test_an_output_without_an_axis_for_rows_is_not_taken_for_one() -> None:
    graph = product(["batch", 5])
    graph.graph.node.append(helper.make_node("ReduceSum", ["y"], ["sum"], keepdims=0))
    graph.graph.output.append(helper.make_tensor_value_info("sum", TensorProto.FLOAT, []))
    message = message_of(lambda: webnn.ray.Predictor(graph)({"x": ROWS}), webnn.InvalidStateError)
    assert "'sum'" in message
    close(webnn.ray.Predictor(graph, outputs=["y"])({"x": ROWS})["y"], EXPECTED)


def test_a_model_travels_by_path_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(DYNAMIC)
    predictor = webnn.ray.Predictor(path)
    assert predictor.model.sha256 == hashlib.sha256(DYNAMIC).hexdigest()
    pickled = pickle.dumps(predictor)
    assert len(pickled) < 1000
    np.testing.assert_array_equal(pickle.loads(pickled)({"x": ROWS})["y"], predictor({"x": ROWS})["y"])
    path.write_bytes(product(["batch", 5], "other").SerializeToString())
    message = message_of(lambda: pickle.loads(pickled)({"x": ROWS}), webnn.DataError)
    assert str(path) in message
    assert predictor.model.sha256 in message
    path.unlink()
    assert str(path) in message_of(lambda: pickle.loads(pickled)({"x": ROWS}), webnn.NotFoundError)
    message_of(lambda: webnn.ray.Model(DYNAMIC, sha256="00"), webnn.DataError)
    assert webnn.ray.Model(DYNAMIC, sha256=predictor.model.sha256.upper()).sha256 == predictor.model.sha256


def test_the_hash_is_also_of_weights_beside_the_graph(tmp_path: Path) -> None:
    webnn.from_onnx(product([10, 5])).save(tmp_path / "model.webnn")
    model = webnn.ray.Model(tmp_path / "model.webnn")
    files = [Path(file).name for file in webnn.describe(tmp_path / "model.webnn").files]
    assert files == ["model.webnn", "model.safetensors"]
    pickled = pickle.dumps(webnn.ray.Predictor(model))
    weights = tmp_path / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    message_of(lambda: pickle.loads(pickled)({"x": ROWS}), webnn.DataError)


def test_external_data_belongs_to_the_hash(tmp_path: Path) -> None:
    onnx.save(product(["batch", 5]), tmp_path / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)
    assert [Path(file).name for file in webnn.describe(tmp_path / "m.onnx").files] == ["m.onnx", "m.data"]
    close(webnn.ray.Predictor(tmp_path / "m.onnx")({"x": ROWS})["y"], EXPECTED)


def test_one_context_for_each_model_of_a_process() -> None:
    first, second = (pickle.loads(pickle.dumps(webnn.ray.Predictor(DYNAMIC))) for _ in range(2))
    assert first.engine is second.engine
    assert webnn.ray.Predictor(DYNAMIC, threads=1).engine is not first.engine
    for size in range(1, 10):
        first({"x": ROWS[:size]})
    assert len(first.engine._graphs) == _engine._GRAPHS


def test_a_lost_context_is_replaced_in_another_predictor_and_told_by_this_one() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC)
    predictor.check_health()
    predictor.engine.context.destroy()
    message_of(predictor.check_health, webnn.InvalidStateError)
    close(webnn.ray.Predictor(DYNAMIC)({"x": ROWS})["y"], EXPECTED)


def test_describe_gives_the_declared_inputs() -> None:
    described = webnn.describe(DYNAMIC)
    assert described.inputs == {"x": webnn.DeclaredInput("float32", ["batch", 5])}
    assert described.files == []
    assert webnn.describe(product([None, 5]).SerializeToString()).inputs["x"].shape == ["x.0", 5]
    message_of(lambda: webnn.describe("nothing.onnx"), webnn.NotFoundError)
    message_of(lambda: webnn.describe(b"nothing"), webnn.DataError)
    text = product(["batch", 5])
    text.graph.input[0].type.tensor_type.elem_type = TensorProto.STRING
    assert webnn.describe(text.SerializeToString()).inputs["x"].data_type == "string"


# Tests of requests to a deployment.


def test_requests_are_computed_together_and_fail_apart() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC)
    requests: list[dict[str, Array]] = [{"x": ROWS[:2]}, {"x": ROWS[:, :4]}, {"x": ROWS[2:]}, {}, {"x": ROWS[0]}, {"z": ROWS}]
    results = compute_together(predictor, requests)
    for i, rows in ((0, slice(0, 2)), (2, slice(2, 10))):
        result = results[i]
        assert isinstance(result, dict)
        close(result["y"], EXPECTED[rows])
    assert all(isinstance(results[i], webnn.ArgumentError) for i in (1, 3, 4, 5))


def test_json_of_requests() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC)
    parsed = _parsed(b'{"inputs": {"x": [[1, 2.5, "NaN", "-Infinity", "Infinity"]]}}', predictor)["x"]
    assert parsed.dtype == np.float32
    np.testing.assert_array_equal(parsed, np.array([[1, 2.5, np.nan, -np.inf, np.inf]], np.float32))
    assert _listed(parsed) == [[1.0, 2.5, "NaN", "-Infinity", "Infinity"]]
    assert _listed(np.array([2**62 + 1])) == [2**62 + 1]
    bodies = (b"", b"[]", b"{}", b'{"inputs": 5}', b'{"inputs": {"z": 1}}', b'{"inputs": {"x": [[1], [2, 3]]}}',
                 b'{"inputs": {"x": "text"}}', b'{"inputs": {"x": {}}}', b"\xff", b"[" * 100000)  # fmt: skip
    for body in bodies:
        message_of(partial(_parsed, body, predictor))


# Regression tests for faults found by adversarial testing.


def test_models_of_equal_files_are_read_from_their_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(DYNAMIC)
    close(webnn.ray.Predictor(tmp_path / "a")({"x": ROWS})["y"], EXPECTED)
    (tmp_path / "a").unlink()
    close(webnn.ray.Predictor(tmp_path / "b")({"x": ROWS[:1]})["y"], EXPECTED[:1])


def test_graphs_of_other_sizes_are_of_the_same_files(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(DYNAMIC)
    predictor = webnn.ray.Predictor(path)
    predictor({"x": ROWS[:3]})
    changed = DYNAMIC.replace(WEIGHTS.tobytes(), (WEIGHTS + 1).tobytes())
    state = path.stat()
    with path.open("r+b") as file:
        file.write(changed)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))  # keep size and modification time unchanged
    close(predictor({"x": ROWS[:3]})["y"], EXPECTED[:3])
    message_of(lambda: predictor({"x": ROWS}), webnn.DataError)
    message_of(lambda: pickle.loads(pickle.dumps(predictor))({"x": ROWS}), webnn.DataError)


def test_masks_are_not_lost() -> None:
    masked = np.ma.masked_array(ROWS, mask=ROWS > 0)
    cases: list[dict[str, Any]] = [{}, {"batch": 64, "pad": True}, {"batch": 3}]
    for arguments in cases:
        assert "masked" in message_of(partial(webnn.ray.Predictor(DYNAMIC, **arguments), {"x": masked}))
    assert "masked" in message_of(partial(webnn.ray.Predictor(DYNAMIC), {"x": objects(*masked)}))
    ids = np.ma.masked_array(np.arange(10), mask=[True] * 10)
    assert "masked" in message_of(partial(webnn.ray.Predictor(DYNAMIC, keep=["id"]), {"x": ROWS, "id": ids}))


def mean() -> onnx.ModelProto:
    """Makes a model whose output y, of shape [5], is the mean of all rows."""
    graph = helper.make_graph(
        [helper.make_node("ReduceMean", ["x"], ["y"], axes=[0], keepdims=0)],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 5])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [5])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_an_output_as_long_as_there_are_rows_by_accident() -> None:
    message_of(lambda: webnn.ray.Predictor(mean())({"x": ROWS[:5]}), webnn.InvalidStateError)
    results = compute_together(webnn.ray.Predictor(mean()), [{"x": ROWS[i : i + 1]} for i in range(5)])
    assert all(isinstance(result, webnn.InvalidStateError) for result in results)


def test_columns_do_not_take_each_others_place() -> None:
    assert "'y'" in message_of(lambda: webnn.ray.Predictor(DYNAMIC, keep=["y"])({"x": ROWS, "y": np.arange(10)}))
    assert "'y'" in message_of(lambda: webnn.ray.Predictor(DYNAMIC, errors="y")({"x": ROWS}))
    assert "'id'" in message_of(lambda: webnn.ray.Predictor(DYNAMIC, keep=["id"], errors="id"))


def test_requests_do_not_end_each_other() -> None:
    def answers(predictor: webnn.ray.Predictor, *wrong: Any) -> list[Any]:
        good = [{"x": ROWS[:2]}, {"x": ROWS[2:]}]
        results = compute_together(predictor, [good[0], *({"x": x} for x in wrong), good[1]])
        for result, rows in ((results[0], slice(0, 2)), (results[-1], slice(2, 10))):
            assert isinstance(result, dict), result
            close(result["y"], EXPECTED[rows])
        return results[1:-1]

    scalar, huge = np.float32(5).reshape(()), np.zeros((2**40, 0), np.float32)
    wrong = answers(webnn.ray.Predictor(DYNAMIC), scalar, huge, ROWS.astype(object), objects(ROWS[0], None), ROWS[:0, :4])
    assert all(isinstance(result, webnn.ArgumentError) for result in [*wrong[:2], *wrong[3:]])
    (large,) = answers(webnn.ray.Predictor(DYNAMIC, limits={"max_elements": 200}), np.ones((1000, 5), np.float32))
    assert isinstance(large, webnn.OperationError)


def test_no_rows_of_a_wrong_kind() -> None:
    predictor = webnn.ray.Predictor(DYNAMIC)
    message_of(lambda: predictor({"x": np.ones((0, 4), np.float32)}))
    message_of(lambda: predictor({"x": np.ones((0, 5))}))
    assert webnn.ray.Predictor(product(["n", "m", 5]))({"x": np.ones((0, 4, 5), np.float32)})["y"].shape == (0, 4, 3)
    assert webnn.ray.Predictor(product([2, 5]))({"x": ROWS[:0].reshape(0, 2, 5)})["y"].shape == (0, 2, 3)


def test_bool_and_other_byte_orders() -> None:
    big = ROWS.astype(">f4")
    close(webnn.ray.Predictor(DYNAMIC)({"x": big})["y"], EXPECTED)
    close(webnn.ray.Predictor(DYNAMIC)({"x": objects(*big)})["y"], EXPECTED)
    graph = helper.make_graph(
        [helper.make_node("Not", ["x"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.BOOL, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.BOOL, ["n"])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    np.testing.assert_array_equal(webnn.ray.Predictor(model)({"x": np.array([True, False])})["y"], [0, 1])


def test_wrong_options_are_told_at_once() -> None:
    cases: list[dict[str, Any]] = [
        {"keep": None},
        {"keep": 5},
        {"outputs": 5},
        {"limits": {5: 1, "a": 2}},
        {"limits": {"a": "b"}},
        {"backend_options": {"a": [1]}},
        {"backend_options": {1: "a", "b": "c"}},
    ]
    for arguments in cases:
        message_of(partial(webnn.ray.Predictor, DYNAMIC, **arguments))
    fixed = webnn.ray.Predictor(product([4, 5]), batch=2, errors="error")
    assert message_of(lambda: fixed({"x": ROWS})) == "Predictor: the graph takes 4 rows at once, not 2 (batch)."
    for model in (onnx.ModelProto, 5, None, [1]):
        message_of(partial(webnn.ray.Model, model))
    message_of(partial(webnn.ray.Model, "x" * 5000), webnn.Error)
    message_of(lambda: webnn.ray.Predictor(DYNAMIC, keep=["id"])({"x": ROWS, "id": [[1], [1, 2]] * 5}))


@pytest.mark.parametrize("location", ["/dev/zero", "../out", "missing", "folder", ".", "pipe"])
def test_a_model_hashes_only_files_that_load_would_open(tmp_path: Path, location: str) -> None:
    model = product(["batch", 5])
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    (tmp_path / "in/folder").mkdir(parents=True)
    os.mkfifo(tmp_path / "in/pipe")
    (tmp_path / "out").write_bytes(WEIGHTS.tobytes())
    (tmp_path / "in/m.onnx").write_bytes(model.SerializeToString())
    message_of(partial(webnn.ray.Model, tmp_path / "in/m.onnx"), webnn.Error)


def test_names_that_are_not_utf8() -> None:
    broken = product(["nn", 5]).SerializeToString().replace(b"nn", b"\xff\xfe")
    assert webnn.describe(broken).inputs["x"].shape == ["\\xff\\xfe", 5]


def graph_of(inputs: str, nodes: str, consts: str = "") -> bytes:
    """Makes a graph in text format with the output y."""
    return f'webnn_graph "g" v2 {{ inputs {{ {inputs} }} consts {{ {consts} }} nodes {{ {nodes} }} outputs {{ y; }} }}'.encode()


def reshaped(shape: list[int]) -> bytes:
    """Makes a model of y = reshape(x, shape) for x of [n, s]."""
    graph = helper.make_graph(
        [helper.make_node("Reshape", ["x", "shape"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", "s"])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array(shape), "shape")],
    )
    return bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString())


def test_rows_of_sizes_that_a_model_cannot_have_are_collected() -> None:
    predictor = webnn.ray.Predictor(reshaped([-1, 4]), errors="error", threads=1)
    good, bad = np.arange(4, dtype=np.float32), np.ones(3, np.float32)
    result = predictor({"x": objects(bad, ROWS[:2, :4].ravel(), np.ones((2, 2), np.float32), good, good)})
    np.testing.assert_array_equal(result["y"], [*[[np.nan] * 4] * 3, good, good])
    assert "does not have 3 elements" in result["error"][0]
    assert "of shape [2, 4] has no row for each of 1 rows" in result["error"][1]
    assert list(predictor({"x": np.stack([bad, bad])})) == ["error"]
    other = webnn.ray.Predictor(reshaped([-1, 3]), errors="error")  # no size was right yet, so the model may be wrong
    message_of(lambda: other({"x": ROWS[:, :4]}), webnn.DataError)
    text = graph_of('x: f32[dyn("n", 8), dyn("s", 4)];', "y = relu(x);")
    assert all(webnn.ray.Predictor(text, errors="error")({"x": np.ones((2, 5), np.float32)})["error"])


def test_rows_of_nothing_are_collected() -> None:
    result = webnn.ray.Predictor(DYNAMIC, errors="error")({"x": ROWS[:, :0]})
    assert np.isnan(result["y"]).all()
    assert all("[0]" in message for message in result["error"])


def test_a_model_that_cannot_be_compiled_is_no_error_of_rows() -> None:
    graph = product(["n", "s", 5])
    graph.graph.node[0].op_type = "Unknown"
    message_of(lambda: webnn.ray.Predictor(graph, errors="error")({"x": ROWS[None]}), webnn.NotSupportedError)


def test_invalid_options_fail_even_if_errors_of_rows_are_collected() -> None:
    message = message_of(partial(webnn.ray.Predictor, DYNAMIC, dimensions={"rows": 3}, errors="error"))
    assert message == "Predictor: dimensions: the model has no 'rows'; it has ['batch']."
    text = graph_of('x: f32[dyn("n", 8), 5];', "y = relu(x);")
    for dimensions, expected in ({}, "10 rows at once (batch)"), ({"n": 9}, "the size (9)"):
        message = message_of(partial(webnn.ray.Predictor(text, dimensions=dimensions, errors="error"), {"x": ROWS}))
        assert expected in message
        assert "row 0" not in message
    np.testing.assert_array_equal(webnn.ray.Predictor(text, batch=8)({"x": ROWS})["y"], np.maximum(ROWS, 0))


def test_a_model_that_takes_one_number_of_rows_but_declares_any() -> None:
    text = graph_of('x: f32[dyn("n", 1), 5];', "y = relu(x);")
    np.testing.assert_array_equal(webnn.ray.Predictor(text, batch=1)({"x": ROWS})["y"], np.maximum(ROWS, 0))
    predictor = webnn.ray.Predictor(reshaped([1, 5, 1]), batch=1, errors="error")
    np.testing.assert_array_equal(predictor({"x": ROWS})["y"], ROWS[..., None])
    message = message_of(lambda: webnn.ray.Predictor(reshaped([1, 5, 1]), errors="error")({"x": ROWS}))
    assert "does not take 10 rows at once (batch)" in message


def test_rows_agree_on_whether_the_graph_has_an_axis_for_them() -> None:
    predictor = webnn.ray.Predictor(graph_of("x: f32[5];", "y = relu(x);"), errors="error")
    result = predictor({"x": objects(ROWS[0], np.float32(3), ROWS[1])})
    np.testing.assert_array_equal(result["y"], [np.maximum(ROWS[0], 0), [np.nan] * 5, np.maximum(ROWS[1], 0)])
    assert result["error"][1] == "the column 'x' has rows of shape [], unlike other rows."


def test_a_dimension_of_a_row_counts_no_rows() -> None:
    predictor = webnn.ray.Predictor(graph_of('x: f32[dyn("n", 8), dyn("n", 8)];', "y = relu(x);"))
    expected = "the dimensions ['n'] count rows, and are also sizes of a row."
    assert message_of(lambda: predictor({"x": ROWS[:5]})) == f"Predictor: row 0: {expected}"
    collecting = webnn.ray.Predictor(predictor.model, errors="error")
    assert message_of(lambda: collecting({"x": ROWS[:5]})) == f"Predictor: {expected}"
    result = collecting({"x": objects(ROWS[0], ROWS[:5])})
    assert expected in result["error"][0]
    np.testing.assert_array_equal(result["y"][1], np.maximum(ROWS[:5], 0))
    results = compute_together(predictor, [{"x": ROWS[:2]}, {"x": ROWS[:3]}])
    assert all(isinstance(result, webnn.ArgumentError) for result in results)
    np.testing.assert_array_equal(predictor({"x": ROWS.reshape(2, 5, 5)})["y"], np.maximum(ROWS, 0).reshape(2, 5, 5))
    assert predictor({"x": np.empty((0, 5, 5), np.float32)})["y"].shape == (0, 5, 5)


def test_a_batch_of_wrong_rows_only_ends_no_job() -> None:
    for inputs, nodes in ("x: f32[1];", "y = relu(x);"), ("x: f32[5];", "y = reduceMax(x, keepDimensions=true);"):
        predictor = webnn.ray.Predictor(graph_of(inputs, nodes), batch=7, errors="error")
        assert all(predictor({"x": objects(None, None)})["error"])


def test_four_bits_are_refused() -> None:
    text = graph_of('x: i4[dyn("n", 8), 4];', "y = identity(x);")
    assert "'x' is of int4" in message_of(partial(webnn.ray.Predictor, text, errors="error"), webnn.NotSupportedError)
    text = graph_of('x: u8[dyn("n", 8), 4];', 'y = cast(x, dataType="uint4");')
    for count in (0, 3):
        predictor = webnn.ray.Predictor(text, errors="error")
        message = message_of(partial(predictor, {"x": np.ones((count, 4), np.uint8)}), webnn.NotSupportedError)
        assert "'y' is of uint4" in message


def test_a_graph_without_inputs_has_no_axis_for_rows() -> None:
    predictor = webnn.ray.Predictor(graph_of("", "y = relu(a);", "a: f32[3] @scalar(2);"), keep=["id"])
    for count in range(5):
        np.testing.assert_array_equal(predictor({"id": np.arange(count)})["y"], np.full((count, 3), 2))


def test_lists_of_lists() -> None:
    rows = [RANDOM.standard_normal((size, 5), dtype=np.float32) for size in (2, 3, 2)]
    column = objects(*(objects(*row) for row in rows), objects(ROWS[0], ROWS[0][:2]), objects(ROWS[0], None), objects(None))
    column[5][0] = column[5]
    result = webnn.ray.Predictor(product(["batch", "steps", 5]), errors="error")({"x": column})
    for row, output in zip(rows, result["y"], strict=False):
        close(output, row.astype(np.float64) @ WEIGHTS)
    assert [bool(message) for message in result["error"]] == [False, False, False, True, True, True]


def test_requests_that_have_no_memory_together_are_computed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = webnn.ray.Predictor(DYNAMIC)

    def concatenate(*_: Any) -> Array:
        raise MemoryError

    monkeypatch.setattr(np, "concatenate", concatenate)
    for result in compute_together(predictor, [{"x": ROWS}, {"x": ROWS}]):
        assert isinstance(result, dict)
        close(result["y"], EXPECTED)


def test_an_empty_hash_is_none() -> None:
    message_of(partial(webnn.ray.Model, DYNAMIC, sha256=""))


def test_inputs_that_the_graph_does_not_use() -> None:
    graph = product(["n", 5])
    graph.graph.input.append(helper.make_tensor_value_info("unused", TensorProto.INT64, ["n", "s"]))
    close(webnn.ray.Predictor(graph, batch=4)({"x": ROWS, "unused": np.ones((10, 2), np.int64)})["y"], EXPECTED)


def test_an_output_whose_rows_are_as_long_as_there_are_rows() -> None:
    text = graph_of('x: f32[dyn("n", 20), 5];', "t = transpose(x); y = matmul(x, t);")
    message = message_of(lambda: webnn.ray.Predictor(text)({"x": ROWS}), webnn.InvalidStateError)
    assert "'y'" in message
    results = compute_together(webnn.ray.Predictor(text), [{"x": ROWS}, {"x": ROWS}])
    assert all(isinstance(result, webnn.InvalidStateError) for result in results)
