"""Tests Decoder: a cache that grows gives the tokens of a run over all tokens at once."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn

onnx = pytest.importorskip("onnx")
MODEL = Path(__file__).resolve().parents[3] / "examples/generation/decoder.onnx"


@pytest.fixture
def decoder() -> webnn.Decoder:
    return webnn.Decoder(str(MODEL))


def logits_of(tokens: list[int]) -> Any:
    """Returns the logits after all tokens, computed in one run of the reference backend."""
    session = webnn.InferenceSession(str(MODEL), context=webnn.ML().create_context(backend="reference"))
    caches = {f"past_key_values.{layer}.{part}": np.zeros((1, 2, 0, 8), np.float32) for layer in range(2) for part in ("key", "value")}
    ids, positions = np.array([tokens]), np.arange(len(tokens))[None]
    (logits,) = session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids), "position_ids": positions, **caches})
    return logits[0, -1]


def test_tokens_are_those_of_a_run_over_all(decoder: webnn.Decoder) -> None:
    tokens = [1, 2, 3]
    for token in decoder.generate(tokens, max_tokens=12):
        assert token == int(logits_of(tokens).argmax())
        tokens.append(token)
    assert decoder.length == len(tokens) == 15


def test_parts_of_any_length_are_one_text(decoder: webnn.Decoder) -> None:
    for part in ([4], [5, 6, 7], [8], [9, 10]):
        last = decoder.feed(part)
    np.testing.assert_allclose(last, logits_of([4, 5, 6, 7, 8, 9, 10]), rtol=1e-4, atol=1e-5)
    decoder.reset()
    np.testing.assert_allclose(decoder.feed([4, 5]), logits_of([4, 5]), rtol=1e-4, atol=1e-5)


def test_a_conversation_goes_on(decoder: webnn.Decoder) -> None:
    tokens = [1, *decoder.generate([1], max_tokens=3)]
    tokens = tokens[:1] + tokens[1:] + [2, 3]
    np.testing.assert_allclose(decoder.feed([2, 3]), logits_of(tokens), rtol=1e-4, atol=1e-5)


def test_stop_tokens_end_the_text(decoder: webnn.Decoder) -> None:
    tokens = list(decoder.generate([1, 2, 3], max_tokens=8))
    decoder.reset()
    assert list(decoder.generate([1, 2, 3], max_tokens=8, stop=[tokens[3]])) == tokens[: tokens.index(tokens[3])]


def test_seeds_draw_the_same_tokens(decoder: webnn.Decoder) -> None:
    drawn = []
    for seed in (1, 1, 2):
        decoder.reset()
        drawn.append(list(decoder.generate([1], max_tokens=20, temperature=2, seed=seed)))
    assert drawn[0] == drawn[1] != drawn[2]


def test_draws_are_among_the_most_probable(decoder: webnn.Decoder) -> None:
    logits = decoder.feed([1, 2]).astype(np.float64)
    probabilities = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    order = np.argsort(-probabilities)
    nucleus = set(order[: int(np.searchsorted(np.cumsum(probabilities[order]), 0.6)) + 1].tolist())
    best, three = {int(order[0])}, set(order[:3].tolist())
    cases: list[tuple[dict[str, Any], set[int]]] = [({"top_k": 3}, three), ({"top_p": 0.6}, nucleus), ({"top_k": 1}, best)]
    for options, allowed in cases:
        seen: set[int] = set()
        for seed in range(60):
            decoder.reset()
            seen |= set(decoder.generate([1, 2], max_tokens=1, temperature=1, seed=seed, **options))
        assert seen <= allowed


def test_an_error_appends_nothing(decoder: webnn.Decoder) -> None:
    decoder.feed([1, 2])
    for wrong in ([], [-1], ["a"]):
        with pytest.raises(webnn.ArgumentError):
            decoder.feed(wrong)  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match="above 0 and at most 1"):
        next(decoder.generate([1], top_p=0))
    assert decoder.length == 2
    np.testing.assert_allclose(decoder.feed([3]), logits_of([1, 2, 3]), rtol=1e-4, atol=1e-5)


def test_other_models_are_refused() -> None:
    root = MODEL.parents[1]
    with pytest.raises(webnn.NotSupportedError, match="input_ids"):
        webnn.Decoder(str(root / "digits/digits.webnn"))
