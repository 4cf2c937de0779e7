"""Tests the CPU engine's option `precision`. docs/explanation/cpu.md says what it rounds, and how far results may be from
exact results."""

from typing import Any

import numpy as np
import pytest

import webnn

ROWS, SUMS, COLUMNS = 32, 200, 48


def product(context: webnn.MLContext, a: Any, b: Any) -> Any:
    """Computes a @ b, where b is a constant. Returns the result and the names of the kernels."""
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.input("a", a.shape) @ b})
    return graph.compute({"a": a})["y"], graph.placement()[0]["kernels"]


def with_precision(precision: str) -> webnn.MLContext:
    return webnn.ML().create_context(backend="cpu", backend_options={"precision": precision})


@pytest.mark.parametrize("precision", ["bfloat16", "bf16"])
def test_products_round_their_factors_as_far_as_documented(precision: str) -> None:
    random = np.random.default_rng(1)
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((ROWS, SUMS), (SUMS, COLUMNS)))
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    error = np.abs(product(with_precision(precision), a, b)[0] - wide_a @ wide_b)
    sum_of_sizes = np.abs(wide_a) @ np.abs(wide_b)
    of_float32 = (SUMS + 4) * 2**-23 * sum_of_sizes
    assert np.all(error <= (2**-7 + 2**-16) * sum_of_sizes + of_float32)
    assert np.any(error > of_float32)
    assert np.all(np.abs(product(with_precision("float32"), a, b)[0] - wide_a @ wide_b) <= of_float32)


def test_products_are_rounded_to_bfloat16_only_on_request() -> None:
    a, b = np.full((ROWS, SUMS), 1 + 2**-9, np.float32), np.ones((SUMS, COLUMNS), np.float32)
    plain, plain_kernels = product(webnn.ML().create_context(backend="cpu"), a, b)
    rounded, kernels = product(with_precision("bf16"), a, b)
    assert np.all(plain == SUMS * (1 + 2**-9))
    assert np.all(rounded == SUMS)
    assert not any("bf16" in kernel for kernel in plain_kernels)
    assert any("bf16" in kernel for kernel in kernels)


def test_a_session_has_it_of_its_provider() -> None:
    a, b = np.full((ROWS, SUMS), 1 + 2**-9, np.float32), np.ones((SUMS, COLUMNS), np.float32)
    builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    content = builder.build({"y": builder.input("a", a.shape) @ b}).to_onnx()
    session = webnn.InferenceSession(content, providers=[("CPUExecutionProvider", {"precision": "bf16"})])
    assert np.all(session.run(None, {"a": a})[0] == SUMS)


def test_other_precisions_are_refused() -> None:
    for wrong in ("float16", "bf", "", "BFLOAT16"):
        with pytest.raises(webnn.ArgumentError, match=rf'backend "cpu": precision \("{wrong}"\) is not one of float32, bfloat16'):
            with_precision(wrong)
    options: Any = {"precision": 16}
    with pytest.raises(webnn.ArgumentError, match="create_context: backend_options: 'precision' must be a str, not int"):
        webnn.ML().create_context(backend="cpu", backend_options=options)
