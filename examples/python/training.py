"""Trains models with WebNN, which has no gradients. Has a tape that differentiates recorded operations, Adam, and the training loop.

A Tape builds operations with a builder, and records for each how to compute its arguments' gradients from its result's gradient.
gradients() then adds these computations to the same graph, from the loss backwards: one dispatch runs both directions.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from webnn import MLContext, MLGraph, MLGraphBuilder, MLOperand

RATE = 0.01  # the highest learning rate
Backward = Callable[[MLOperand], MLOperand]
Array = np.ndarray[Any, Any]
Arrays = dict[str, Array]


class Tape:
    """Builds operations with a builder and records how to differentiate them."""

    def __init__(self, builder: MLGraphBuilder) -> None:
        self.builder = builder
        self._steps: list[tuple[MLOperand, list[tuple[MLOperand, Backward]]]] = []

    def _note(self, result: MLOperand, *arguments: tuple[MLOperand, Backward]) -> MLOperand:
        self._steps.append((result, list(arguments)))
        return result

    def _sum_to(self, gradient: MLOperand, shape: Sequence[int]) -> MLOperand:
        """Returns the gradient of an operand before broadcasting: sums the gradient over the dimensions that broadcasting repeated."""
        missing = len(gradient.shape) - len(shape)
        repeated = [i for i, size in enumerate(gradient.shape) if i < missing or shape[i - missing] != size]
        return self.builder.reshape(self.builder.reduce_sum(gradient, axes=repeated), shape)

    def _swapped(self, x: MLOperand) -> MLOperand:
        """Returns the transpose of the last two dimensions."""
        axes = list(range(len(x.shape)))
        return self.builder.transpose(x, permutation=[*axes[:-2], axes[-1], axes[-2]])

    def matmul(self, a: MLOperand, b: MLOperand) -> MLOperand:
        """Returns the matrix product, or one product per pair of matrices if there are batch dimensions."""
        matmul = self.builder.matmul
        return self._note(matmul(a, b), (a, lambda g: matmul(g, self._swapped(b))), (b, lambda g: matmul(self._swapped(a), g)))

    def add(self, a: MLOperand, b: MLOperand) -> MLOperand:
        """Returns the sum, with broadcasting."""
        return self._note(
            self.builder.add(a, b), (a, lambda g: self._sum_to(g, a.shape)), (b, lambda g: self._sum_to(g, b.shape))
        )

    def tanh(self, x: MLOperand) -> MLOperand:
        """Returns the hyperbolic tangent y; its derivative is 1 - y²."""
        b, y = self.builder, self.builder.tanh(x)
        return self._note(y, (x, lambda g: b.mul(g, b.linear(b.mul(y, y), alpha=-1, beta=1))))

    def relu(self, x: MLOperand) -> MLOperand:
        """Returns max(x, 0)."""
        b, y = self.builder, self.builder.relu(x)
        return self._note(y, (x, lambda g: b.mul(g, b.sign(y))))

    def scale(self, x: MLOperand, factor: float) -> MLOperand:
        """Returns x * factor."""
        return self._note(self.builder.linear(x, alpha=factor), (x, lambda g: self.builder.linear(g, alpha=factor)))

    def softmax(self, x: MLOperand) -> MLOperand:
        """Returns the softmax over the last dimension."""
        b, last = self.builder, len(x.shape) - 1
        y = b.softmax(x, last)
        return self._note(
            y, (x, lambda g: b.mul(y, b.sub(g, b.reduce_sum(b.mul(g, y), axes=[last], keep_dimensions=True))))
        )

    def normalize(self, x: MLOperand) -> MLOperand:
        """Returns the layer normalization over the last dimension, without scale and bias."""
        b, last = self.builder, len(x.shape) - 1
        y = b.layer_normalization(x, axes=[last])

        def mean(v: MLOperand) -> MLOperand:
            return b.reduce_mean(v, axes=[last], keep_dimensions=True)

        def back(g: MLOperand) -> MLOperand:
            centered = b.sub(x, mean(x))
            deviation = b.sqrt(b.linear(mean(b.mul(centered, centered)), beta=1e-5))
            return b.div(b.sub(b.sub(g, mean(g)), b.mul(y, mean(b.mul(g, y)))), deviation)

        return self._note(y, (x, back))

    def reshape(self, x: MLOperand, shape: Sequence[int]) -> MLOperand:
        return self._note(self.builder.reshape(x, shape), (x, lambda g: self.builder.reshape(g, x.shape)))

    def transpose(self, x: MLOperand, permutation: Sequence[int]) -> MLOperand:
        """Returns x transposed: dimension i of the result is dimension permutation[i] of x."""
        back = [int(i) for i in np.argsort(permutation)]
        y = self.builder.transpose(x, permutation=permutation)
        return self._note(y, (x, lambda g: self.builder.transpose(g, permutation=back)))

    def part(self, x: MLOperand, index: int) -> MLOperand:
        """Returns the element `index` of the first dimension."""
        b, (count, *shape) = self.builder, x.shape
        zeros = [0] * len(shape)
        y = b.reshape(b.slice(x, [index, *zeros], [1, *shape]), shape)
        return self._note(y, (x, lambda g: b.pad(b.reshape(g, [1, *shape]), [index, *zeros], [count - 1 - index, *zeros])))

    def cross_entropy(self, logits: MLOperand, wanted: MLOperand) -> MLOperand:
        """Returns the mean of -log(softmax(logits)[wanted class]) over the rows, a scalar. wanted: one-hot rows."""
        b, (rows, _) = self.builder, logits.shape
        each = b.sub(b.reduce_log_sum_exp(logits, axes=[1]), b.reduce_sum(b.mul(logits, wanted), axes=[1]))
        loss = b.reduce_mean(each)
        back = b.linear(b.sub(b.softmax(logits, 1), wanted), alpha=1 / rows)
        return self._note(loss, (logits, lambda g: b.mul(back, g)))

    def gradients(self, loss: MLOperand, parameters: Mapping[str, MLOperand]) -> dict[str, MLOperand]:
        """Returns the derivatives of the scalar `loss` with respect to each parameter."""
        found: dict[MLOperand, MLOperand] = {loss: self.builder.constant("float32", 1.0)}
        for result, arguments in reversed(self._steps):
            if result not in found:
                continue
            for argument, backward in arguments:
                gradient = backward(found[result])
                found[argument] = self.builder.add(found[argument], gradient) if argument in found else gradient
        return {name: found[parameter] for name, parameter in parameters.items()}


def one_hot(builder: MLGraphBuilder, tokens: MLOperand, count: int) -> MLOperand:
    """Returns a one-hot row of `count` elements for each token."""
    column = builder.reshape(tokens, [int(np.prod(tokens.shape)), 1])
    return builder.cast(builder.equal(column, builder.constant(np.arange(count, dtype=np.int32)[None])), "float32")


def adam(
    builder: MLGraphBuilder, rate: MLOperand, state: Mapping[str, MLOperand], gradients: Mapping[str, MLOperand]
) -> dict[str, MLOperand]:
    """Returns the next state: weights "w:…", running means of the gradients "m:…" and of their squares "v:…".

    rate: see adam_rate().
    """
    b, following = builder, dict[str, MLOperand]()
    for name, g in gradients.items():
        m = b.add(b.linear(state[f"m:{name}"], alpha=0.9), b.linear(g, alpha=0.1))
        v = b.add(b.linear(state[f"v:{name}"], alpha=0.99), b.linear(b.mul(g, g), alpha=0.01))
        step = b.div(b.mul(rate, m), b.linear(b.sqrt(v), beta=1e-8))
        following |= {f"w:{name}": b.sub(state[f"w:{name}"], step), f"m:{name}": m, f"v:{name}": v}
    return following


def adam_rate(rate: float, step: int) -> float:
    """Returns the learning rate of step 1, 2, ..., corrected for running means that start at 0."""
    return float(rate * np.sqrt(1 - 0.99**step) / (1 - 0.9**step))


def train(
    context: MLContext, graph: MLGraph, weights: Arrays, text: Array, steps: int, rng: np.random.Generator
) -> Arrays:
    """Trains on random rows of the text and returns the weights. Prints the loss of the first and of every 100th step.

    graph: its inputs are "text" (rows of characters), "rate", and the weights "w:…" and means "m:…", "v:…" of adam(); its
    outputs are "loss" and the next weights and means. Two sets of tensors, one read and one written, swap roles at each step.
    """
    here, there = ({n: context.create_tensor(d.shape, d.data_type, True, True) for n, d in graph.inputs.items()} for _ in "ab")
    loss = context.create_tensor([], "float32", readable=True)
    rows, length = graph.inputs["text"].shape
    for name, array in weights.items():
        context.write_tensor(here[f"w:{name}"], array)
    for step in range(1, steps + 1):
        starts = rng.integers(0, len(text) - length + 1, (rows, 1))
        context.write_tensor(here["text"], text[starts + np.arange(length)])
        rate = RATE * min(step / 100, 1 - step / (steps + 1))
        context.write_tensor(here["rate"], np.float32(adam_rate(rate, step)))
        context.dispatch(graph, here, {"loss": loss} | {name: there[name] for name in graph.outputs if name != "loss"})
        here, there = there, here
        if step == 1 or step % 100 == 0:
            print(f"step {step:4}  loss {context.read_tensor(loss):.3f}", flush=True)
    return {name: context.read_tensor(here[f"w:{name}"]) for name in weights}
