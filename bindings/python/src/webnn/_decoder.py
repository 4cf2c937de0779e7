"""Generates tokens with a decoder whose cache grows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webnn._arguments import integer
from webnn._errors import ArgumentError, NotSupportedError
from webnn._session import InferenceSession

_IDS, _MASKS, _POSITIONS = ("input_ids", "ids", "tokens"), ("attention_mask",), ("position_ids",)


class Decoder:
    """A decoder of tokens, exported to ONNX with its cache as inputs and outputs (`past_key_values.0.key` and `present.0.key`), as
    optimum and transformers.js export them. It feeds each step's cache to the next step, and makes the attention mask, the positions,
    `use_cache_branch` and `num_logits_to_keep`. The batch is 1.

    model: a path, bytes or an onnx.ModelProto, or an InferenceSession. options: as for InferenceSession.

    >>> decoder = webnn.Decoder("examples/generation/decoder.onnx")
    >>> list(decoder.generate([1, 2, 3], max_tokens=4))
    [16, 10, 16, 3]
    >>> decoder.length
    7
    """

    def __init__(self, model: Any, **options: Any) -> None:
        self.session = model if isinstance(model, InferenceSession) else InferenceSession(model, **options)
        inputs = {argument.name: argument for argument in self.session.get_inputs()}
        outputs = [argument.name for argument in self.session.get_outputs()]
        self._ids = _one_of(_IDS, inputs)
        if self._ids is None:
            raise NotSupportedError(f"Decoder: the model has no input {', '.join(_IDS)}; it has {list(inputs)}.")
        self._mask, self._positions = _one_of(_MASKS, inputs), _one_of(_POSITIONS, inputs)
        self._caches = {name: output for name in inputs if (output := _present_of(name, outputs)) is not None}
        batch = inputs[self._ids].shape[0]
        self._empty = {name: _empty(inputs[name], batch) for name in self._caches}
        others = [name for name in outputs if name not in self._caches.values()]
        self._logits = "logits" if "logits" in others else others[0]
        self._others = {}
        for name in inputs.keys() - self._caches.keys() - {self._ids, self._mask, self._positions}:
            if name not in ("use_cache_branch", "num_logits_to_keep"):
                raise NotSupportedError(f"Decoder: the input {name!r} is none of a decoder: {list(inputs)}.")
            self._others[name] = inputs[name].shape
        self._types = {name: _dtype(inputs[name].type) for name in inputs}
        self.reset()

    def reset(self) -> None:
        """Forgets all tokens.

        >>> decoder = webnn.Decoder("examples/generation/decoder.onnx")
        >>> decoder.feed([1, 2]).shape
        (32,)
        >>> decoder.reset()
        >>> decoder.length
        0
        """
        self._fed = 0  # number of tokens in the cache
        self._pending: list[int] = []  # the last token of generate(), which no step has read yet
        self._state = dict(self._empty)

    @property
    def length(self) -> int:
        """The number of tokens so far, including generated tokens."""
        return self._fed + len(self._pending)

    def feed(self, tokens: Sequence[int]) -> NDArray[Any]:
        """Appends tokens, and returns the logits of the token that follows the last one. After an error, nothing is appended.

        >>> decoder = webnn.Decoder("examples/generation/decoder.onnx")
        >>> int(decoder.feed([1, 2, 3]).argmax())
        16
        """
        ids = np.array([*self._pending, *(integer(token, "feed: a token", 0) for token in tokens)], np.int64)
        if ids.size == 0:
            raise ArgumentError("feed: there are no tokens.")
        total = self._fed + ids.size
        feed: dict[str, NDArray[Any]] = {self._ids: ids[None], **self._state}  # type: ignore[dict-item]
        if self._mask is not None:
            feed[self._mask] = np.ones((1, total))
        if self._positions is not None:
            feed[self._positions] = np.arange(self._fed, total)[None]
        for name, shape in self._others.items():
            feed[name] = np.full([1] * len(shape), name == "num_logits_to_keep" or self._fed > 0)
        feed = {name: array.astype(self._types[name], copy=False) for name, array in feed.items()}
        logits, *state = self.session.run([self._logits, *self._caches.values()], feed)
        self._state = dict(zip(self._caches, state, strict=True))
        self._fed, self._pending = total, []
        last: NDArray[Any] = logits.reshape(-1, logits.shape[-1])[-1]
        return last

    def generate(
        self,
        tokens: Sequence[int],
        *,
        max_tokens: int | None = None,
        stop: Iterable[int] = (),
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int | None = None,
    ) -> Iterator[int]:
        """Appends tokens, and yields the tokens that the model continues with. Ends before a token in `stop`, or after
        `max_tokens` tokens.

        temperature: 0 takes the most probable token; otherwise tokens are drawn, among the `top_k` most probable tokens (0: all),
        and among the most probable tokens whose probabilities sum up to `top_p`. The same seed draws the same tokens.

        >>> decoder = webnn.Decoder("examples/generation/decoder.onnx")
        >>> len(list(decoder.generate([1], max_tokens=5, temperature=0.8, top_k=4, seed=1)))
        5
        """
        if not temperature >= 0 or not 0 < top_p <= 1 or integer(top_k, "generate: top_k", 0) < 0:
            raise ArgumentError(f"generate: temperature ({temperature}) must be at least 0, top_p ({top_p}) above 0 and at most 1.")
        random, last = np.random.default_rng(seed), {integer(token, "generate: stop", 0) for token in stop}
        return self._generate(tokens, max_tokens, last, lambda logits: _choose(logits, temperature, top_k, top_p, random))

    def _generate(self, tokens: Sequence[int], max_tokens: int | None, stop: set[int], choose: Any) -> Iterator[int]:
        count = 0
        while max_tokens is None or count < max_tokens:
            token = choose(self.feed(tokens))
            if token in stop:
                return
            self._pending = [token]
            yield token
            tokens, count = [], count + 1


def _one_of(names: Sequence[str], inputs: Iterable[str]) -> str | None:
    return next((name for name in names if name in inputs), None)


def _present_of(name: str, outputs: Sequence[str]) -> str | None:
    """Returns the output that becomes this input at the next step, or None."""
    candidates = [name.replace("past_key_values", "present", 1), re.sub("past(_key_values)?", r"present\1", name, count=1)]
    return next((output for output in candidates if output != name and output in outputs), None)


def _dtype(name: str) -> Any:
    """Returns the NumPy type of an ONNX Runtime type name such as "tensor(float16)"."""
    kind = name.removeprefix("tensor(").removesuffix(")")
    return np.dtype({"float": "float32", "double": "float64"}.get(kind, kind))


def _empty(argument: Any, batch: Any) -> NDArray[Any]:
    """Returns a cache without tokens."""
    shape = [1 if size == batch and not isinstance(size, int) else size for size in argument.shape]
    open_axes = [axis for axis, size in enumerate(shape) if not isinstance(size, int)]
    if len(open_axes) != 1:
        raise NotSupportedError(f"Decoder: the cache {argument.name!r} {argument.shape} does not have one open dimension, its length.")
    shape[open_axes[0]] = 0
    return np.zeros(shape, _dtype(argument.type))


def _choose(logits: NDArray[Any], temperature: float, top_k: int, top_p: float, random: "np.random.Generator") -> int:
    if temperature == 0:
        return int(logits.argmax())
    scaled = logits.astype(np.float64) / temperature
    order = np.argsort(-scaled, kind="stable")[: top_k or None]
    weights = np.exp(scaled[order] - scaled[order[0]])
    weights /= weights.sum()
    count = int(np.searchsorted(np.cumsum(weights), top_p)) + 1  # the smallest number of tokens that reach top_p
    order, weights = order[:count], weights[:count] / weights[:count].sum()
    return int(random.choice(order, p=weights))
