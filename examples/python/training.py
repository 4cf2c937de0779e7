"""Training with WebNN, which has no gradients: operations that remember how to pass a gradient back, Adam, and the loop.

A Tape builds with a builder's operations and notes for each what the gradient of its result means for its arguments. gradients()
then goes back from the loss and builds those as operations of the same graph: one dispatch computes forwards and backwards.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from webnn import MLContext, MLGraph, MLGraphBuilder, MLOperand

RATE = 0.01  # of learning, at its highest
Backward = Callable[[MLOperand], MLOperand]
Array = np.ndarray[Any, Any]
Arrays = dict[str, Array]


class Tape:
    """Operations on one builder, for training."""

    def __init__(self, builder: MLGraphBuilder) -> None:
        self.builder = builder
        self._steps: list[tuple[MLOperand, list[tuple[MLOperand, Backward]]]] = []

    def _note(self, result: MLOperand, *arguments: tuple[MLOperand, Backward]) -> MLOperand:
        self._steps.append((result, list(arguments)))
        return result

    def _sum_to(self, gradient: MLOperand, shape: Sequence[int]) -> MLOperand:
        """Adds up what broadcasting had repeated."""
        missing = len(gradient.shape) - len(shape)
        repeated = [i for i, size in enumerate(gradient.shape) if i < missing or shape[i - missing] != size]
        return self.builder.reshape(self.builder.reduce_sum(gradient, axes=repeated), shape)

    def _swapped(self, x: MLOperand) -> MLOperand:
        """Rows as columns."""
        axes = list(range(len(x.shape)))
        return self.builder.transpose(x, permutation=[*axes[:-2], axes[-1], axes[-2]])

    def matmul(self, a: MLOperand, b: MLOperand) -> MLOperand:
        """The product of matrices, or of equally many matrices each."""
        matmul = self.builder.matmul
        return self._note(matmul(a, b), (a, lambda g: matmul(g, self._swapped(b))), (b, lambda g: matmul(self._swapped(a), g)))

    def add(self, a: MLOperand, b: MLOperand) -> MLOperand:
        """The sum, broadcast."""
        return self._note(
            self.builder.add(a, b), (a, lambda g: self._sum_to(g, a.shape)), (b, lambda g: self._sum_to(g, b.shape))
        )

    def tanh(self, x: MLOperand) -> MLOperand:
        """The hyperbolic tangent: its derivative is 1 - y²."""
        b, y = self.builder, self.builder.tanh(x)
        return self._note(y, (x, lambda g: b.mul(g, b.linear(b.mul(y, y), alpha=-1, beta=1))))

    def relu(self, x: MLOperand) -> MLOperand:
        """max(x, 0)."""
        b, y = self.builder, self.builder.relu(x)
        return self._note(y, (x, lambda g: b.mul(g, b.sign(y))))

    def scale(self, x: MLOperand, factor: float) -> MLOperand:
        """x * factor."""
        return self._note(self.builder.linear(x, alpha=factor), (x, lambda g: self.builder.linear(g, alpha=factor)))

    def softmax(self, x: MLOperand) -> MLOperand:
        """Shares of the last dimension."""
        b, last = self.builder, len(x.shape) - 1
        y = b.softmax(x, last)
        return self._note(
            y, (x, lambda g: b.mul(y, b.sub(g, b.reduce_sum(b.mul(g, y), axes=[last], keep_dimensions=True))))
        )

    def normalize(self, x: MLOperand) -> MLOperand:
        """Layer normalization over the last dimension, without scale and bias."""
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
        """The same elements in another shape."""
        return self._note(self.builder.reshape(x, shape), (x, lambda g: self.builder.reshape(g, x.shape)))

    def transpose(self, x: MLOperand, permutation: Sequence[int]) -> MLOperand:
        """Dimension i of the result is dimension permutation[i] of x."""
        back = [int(i) for i in np.argsort(permutation)]
        y = self.builder.transpose(x, permutation=permutation)
        return self._note(y, (x, lambda g: self.builder.transpose(g, permutation=back)))

    def part(self, x: MLOperand, index: int) -> MLOperand:
        """One element of the first dimension."""
        b, (count, *shape) = self.builder, x.shape
        zeros = [0] * len(shape)
        y = b.reshape(b.slice(x, [index, *zeros], [1, *shape]), shape)
        return self._note(y, (x, lambda g: b.pad(b.reshape(g, [1, *shape]), [index, *zeros], [count - 1 - index, *zeros])))

    def cross_entropy(self, logits: MLOperand, wanted: MLOperand) -> MLOperand:
        """The mean over the rows of -log(the share that softmax gives to the wanted class): a number. wanted: ones and zeros."""
        b, (rows, _) = self.builder, logits.shape
        each = b.sub(b.reduce_log_sum_exp(logits, axes=[1]), b.reduce_sum(b.mul(logits, wanted), axes=[1]))
        loss = b.reduce_mean(each)
        back = b.linear(b.sub(b.softmax(logits, 1), wanted), alpha=1 / rows)
        return self._note(loss, (logits, lambda g: b.mul(back, g)))

    def gradients(self, loss: MLOperand, parameters: Mapping[str, MLOperand]) -> dict[str, MLOperand]:
        """The derivatives of a number by the elements of each parameter."""
        found: dict[MLOperand, MLOperand] = {loss: self.builder.constant("float32", 1.0)}
        for result, arguments in reversed(self._steps):
            if result not in found:
                continue
            for argument, backward in arguments:
                gradient = backward(found[result])
                found[argument] = self.builder.add(found[argument], gradient) if argument in found else gradient
        return {name: found[parameter] for name, parameter in parameters.items()}


def one_hot(builder: MLGraphBuilder, tokens: MLOperand, count: int) -> MLOperand:
    """A row of `count` zeros with a one at the token, for each token."""
    column = builder.reshape(tokens, [int(np.prod(tokens.shape)), 1])
    return builder.cast(builder.equal(column, builder.constant(np.arange(count, dtype=np.int32)[None])), "float32")


def adam(
    builder: MLGraphBuilder, rate: MLOperand, state: Mapping[str, MLOperand], gradients: Mapping[str, MLOperand]
) -> dict[str, MLOperand]:
    """The next weights "w:…" and running means of the gradients "m:…" and of their squares "v:…". rate: see adam_rate()."""
    b, following = builder, dict[str, MLOperand]()
    for name, g in gradients.items():
        m = b.add(b.linear(state[f"m:{name}"], alpha=0.9), b.linear(g, alpha=0.1))
        v = b.add(b.linear(state[f"v:{name}"], alpha=0.99), b.linear(b.mul(g, g), alpha=0.01))
        step = b.div(b.mul(rate, m), b.linear(b.sqrt(v), beta=1e-8))
        following |= {f"w:{name}": b.sub(state[f"w:{name}"], step), f"m:{name}": m, f"v:{name}": v}
    return following


def adam_rate(rate: float, step: int) -> float:
    """The rate of step 1, 2, ... for running means that began with 0."""
    return float(rate * np.sqrt(1 - 0.99**step) / (1 - 0.9**step))


def train(
    context: MLContext, graph: MLGraph, weights: Arrays, text: Array, steps: int, rng: np.random.Generator
) -> Arrays:
    """The weights after so many steps over random rows of the text. Prints the loss every 100 steps.

    graph: its inputs are "text" (rows of characters), "rate", and the weights "w:…" and means "m:…", "v:…" of adam(); its
    outputs "loss" and the next weights and means. Two sets of tensors, one read and one written, swap their roles each step.
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
