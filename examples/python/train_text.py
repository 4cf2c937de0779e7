"""Trains a small text model with WebNN itself: it learns which character follows the last 10, and then writes some text.

One graph computes the loss, its gradients and the update by Adam. Its outputs are the weights of the next step: two sets of
tensors, one read and one written, swap roles, so that no weight leaves the context until the end.
"""

import argparse
from pathlib import Path

import numpy as np
import webnn

from training import Arrays, Tape, adam, one_hot, train

LENGTH, ROWS = 10, 256  # characters that the model sees, examples per step


def training_graph(context: webnn.MLContext, shapes: dict[str, tuple[int, ...]]) -> webnn.MLGraph:
    """Returns the graph of a training step. Inputs: rows of LENGTH + 1 characters, the learning rate, weights and running means.
    Outputs: the loss, and the new weights and means."""
    builder = webnn.MLGraphBuilder(context)
    tape, count = Tape(builder), shapes["embedding"][0]
    state = {f"{kind}:{name}": builder.input(f"{kind}:{name}", shape) for kind in "wmv" for name, shape in shapes.items()}
    weights = {name: state[f"w:{name}"] for name in shapes}
    before, after = builder.split(builder.input("text", [ROWS, LENGTH + 1], "int32"), [LENGTH, 1], axis=1)
    x = tape.reshape(tape.matmul(one_hot(builder, before, count), weights["embedding"]), [ROWS, shapes["hidden"][0]])
    hidden = tape.tanh(tape.add(tape.matmul(x, weights["hidden"]), weights["bias"]))
    loss = tape.cross_entropy(tape.matmul(hidden, weights["output"]), one_hot(builder, after, count))
    following = adam(builder, builder.input("rate", []), state, tape.gradients(loss, weights))
    return builder.build({"loss": loss, **following})


def write_on(weights: Arrays, characters: str, text: str, length: int) -> str:
    """Returns the text with `length` characters appended, each the most likely one."""
    for _ in range(length):
        last = [characters.index(c) for c in text[-LENGTH:]]
        hidden = np.tanh(weights["embedding"][last].reshape(-1) @ weights["hidden"] + weights["bias"])
        text += characters[int(np.argmax(hidden @ weights["output"]))]
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", default=Path(__file__).with_name("verses.txt"))
    parser.add_argument("--steps", type=int, default=800)
    arguments = parser.parse_args()
    text, rng = Path(arguments.text).read_text(encoding="utf-8"), np.random.default_rng(1)
    characters = "".join(sorted(set(text)))
    shapes = {"embedding": (len(characters), 24), "hidden": (24 * LENGTH, 128), "bias": (128,), "output": (128, len(characters))}
    start = {name: rng.normal(0, shape[0] ** -0.5, shape).astype(np.float32) for name, shape in shapes.items()}
    tokens = np.array([characters.index(c) for c in text], np.int32)
    context = webnn.ML().create_context()
    trained = train(context, training_graph(context, shapes), start, tokens, arguments.steps, rng)
    print(write_on(trained, characters, text[:LENGTH], 250))
