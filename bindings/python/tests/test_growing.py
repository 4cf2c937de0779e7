"""Tests models whose sizes change in each run. Sessions run them in sections. NumPy computes the expected values."""

from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

import webnn

WIDTH, LAYERS = 32, 3
rng = np.random.default_rng(7)
WEIGHTS = [{name: rng.standard_normal((WIDTH, WIDTH)).astype(np.float32) / 6 for name in ("q", "k", "o", "w")} for _ in range(LAYERS)]


def decoder() -> bytes:
    """Returns a decoder of one token, x [1, WIDTH], with the cache past.N [p, WIDTH] and present.N [t, WIDTH] of each layer."""
    helper = onnx.helper
    nodes, weights = [], []

    def add(operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    x, pasts, presents = "x", [], []
    for i, layer in enumerate(WEIGHTS):
        weights += [onnx.numpy_helper.from_array(array, f"{name}{i}") for name, array in layer.items()]
        q, k = (add("MatMul", [x, f"{name}{i}"], f"{name}.{i}") for name in "qk")
        keys = add("Concat", [f"past.{i}", k], f"present.{i}", axis=0)
        products = add("MatMul", [q, add("Transpose", [keys], f"t.{i}")], f"s.{i}")
        attended = add("MatMul", [add("Softmax", [products], f"p.{i}"), keys], f"a.{i}")
        y = add("Add", [x, add("MatMul", [attended, f"o{i}"], f"ao.{i}")], f"y.{i}")
        x = add("Add", [y, add("Tanh", [add("MatMul", [y, f"w{i}"], f"h.{i}")], f"th.{i}")], f"x.{i}")
        pasts.append(helper.make_tensor_value_info(f"past.{i}", onnx.TensorProto.FLOAT, ["p", WIDTH]))
        presents.append(helper.make_tensor_value_info(f"present.{i}", onnx.TensorProto.FLOAT, ["t", WIDTH]))
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, WIDTH]) for name in ("x", x)]
    graph = helper.make_graph(nodes, "g", [ends[0], *pasts], [ends[1], *presents], weights)
    model: bytes = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9).SerializeToString()
    return model


def expected(x: NDArray[Any], caches: list[NDArray[Any]]) -> list[NDArray[Any]]:
    x, presents = x.astype(np.float64), []
    for layer, cache in zip(WEIGHTS, caches, strict=True):
        keys = np.concatenate([cache, x @ layer["k"]])
        weights = np.exp(x @ layer["q"] @ keys.T)
        y = x + weights / weights.sum() @ keys @ layer["o"]
        x = y + np.tanh(y @ layer["w"])
        presents.append(keys)
    return [x, *presents]


def feed(seed: int, length: int) -> dict[str, NDArray[Any]]:
    random = np.random.default_rng(seed)
    arrays = [random.standard_normal((rows, WIDTH)).astype(np.float32) for rows in (1, *[length] * LAYERS)]
    return dict(zip(["x", *(f"past.{i}" for i in range(LAYERS))], arrays, strict=True))


def test_steps_of_a_growing_cache() -> None:
    session = webnn.InferenceSession(decoder())
    caches, kept = [np.zeros((2, WIDTH), np.float32)] * LAYERS, []
    for step in range(40):
        x = feed(step, 1)["x"]
        results = session.run(None, {"x": x, **{f"past.{i}": cache for i, cache in enumerate(caches)}})
        wanted = expected(x, caches)
        for result, values in zip(results, wanted, strict=True):
            assert result.dtype == np.float32 and result.flags.writeable
            np.testing.assert_allclose(result, values, rtol=1e-4, atol=1e-4)
        kept.append((results, [result.copy() for result in results]))
        caches = results[1:]
    source = session._model._source
    assert source is not None and source.prefers_run({name: array.shape for name, array in feed(0, 99).items()}, None, None)
    assert session.graph.inputs["past.0"].shape == (41, WIDTH)
    for results, copies in kept:  # later runs leave earlier results alone
        for result, copy in zip(results, copies, strict=True):
            np.testing.assert_array_equal(result, copy)


def test_any_length_after_a_growing_cache() -> None:
    session = webnn.InferenceSession(decoder())
    for length in [5, 6, 7, 8, 3, 100, 1, 8, 0, 2]:
        arrays = feed(length, length)
        results = dict(zip(("x", 0, 1, 2), session.run(None, arrays), strict=True))
        for result, values in zip(results.values(), expected(arrays["x"], list(arrays.values())[1:]), strict=True):
            np.testing.assert_allclose(result, values, rtol=1e-4, atol=1e-4)
    chosen = session.run(["present.2"], feed(50, 50))
    assert len(chosen) == 1 and chosen[0].shape == (51, WIDTH)


def test_wrong_sizes_after_a_growing_cache() -> None:
    session = webnn.InferenceSession(decoder())
    for length in (5, 6, 7, 8):
        session.run(None, feed(length, length))
    wrong = feed(9, 9) | {"past.1": np.zeros((4, WIDTH), np.float32)}
    with pytest.raises(webnn.ArgumentError, match=r'the dimension "p" is 9 in input "past\.0" and 4 in input "past\.1"'):
        session.run(None, wrong)
    missing = feed(9, 9)
    del missing["past.2"]
    with pytest.raises(webnn.ArgumentError, match=r"past\.2"):
        session.run(None, missing)
    arrays = feed(10, 10)
    np.testing.assert_allclose(session.run(None, arrays)[0], expected(arrays["x"], list(arrays.values())[1:])[0], atol=1e-4)
