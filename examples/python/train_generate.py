"""Trains the transformer of generate.py on verses.txt with WebNN, and writes generate.safetensors.

Training processes all positions of a row in parallel, with a causal mask instead of the cache. Takes a few minutes.
"""

import argparse
from pathlib import Path

import numpy as np
import webnn

from generate import HEADS, LAYERS, PLACES, SLOPES
from training import Tape, adam, one_hot, train
from weights import Weights, save_weights

WIDTH, LENGTH, ROWS = 64, 128, 16


def first_weights(count: int, rng: np.random.Generator) -> Weights:
    """Returns random weights, each matrix scaled so that its product has the same variance as its input."""
    shapes = {"embedding": (count, WIDTH), "output": (WIDTH, count)}
    for i in range(LAYERS):
        shapes |= {f"{i}.attend": (WIDTH, 3 * WIDTH), f"{i}.merge": (WIDTH, WIDTH)}
        shapes |= {f"{i}.up": (WIDTH, 4 * WIDTH), f"{i}.down": (4 * WIDTH, WIDTH)}
    return {name: rng.normal(0, shape[0] ** -0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def attention(tape: Tape, x: webnn.MLOperand, attend: webnn.MLOperand, penalty: webnn.MLOperand) -> webnn.MLOperand:
    """Returns causal attention: each character attends to itself and to earlier characters. attend: the query, key and value
    matrices."""
    size = WIDTH // HEADS
    split = tape.transpose(tape.reshape(tape.matmul(x, attend), [ROWS, LENGTH, 3, HEADS, size]), [2, 0, 3, 1, 4])
    query, key, value = (tape.part(split, i) for i in range(3))
    scores = tape.scale(tape.matmul(query, tape.transpose(key, [0, 1, 3, 2])), size**-0.5)
    found = tape.matmul(tape.softmax(tape.add(scores, penalty)), value)
    return tape.reshape(tape.transpose(found, [0, 2, 1, 3]), [ROWS * LENGTH, WIDTH])


def training_graph(context: webnn.MLContext, start: Weights) -> webnn.MLGraph:
    """Returns the graph of a training step. Inputs: rows of LENGTH + 1 characters, the learning rate, weights and running means.
    Outputs: the loss, and the new weights and means."""
    builder = webnn.MLGraphBuilder(context)
    tape, count = Tape(builder), start["embedding"].shape[0]
    state = {f"{kind}:{name}": builder.input(f"{kind}:{name}", array.shape) for kind in "wmv" for name, array in start.items()}
    w = {name: state[f"w:{name}"] for name in start}
    back = np.subtract.outer(np.arange(LENGTH), np.arange(LENGTH)).astype(np.float32)
    distance = np.where((back < 0) | (back >= PLACES), np.float32(1e9), back)
    penalty = builder.constant(-SLOPES.reshape(1, HEADS, 1, 1) * distance)
    text = builder.input("text", [ROWS, LENGTH + 1], "int32")
    before, after = (builder.slice(text, [0, i], [ROWS, LENGTH]) for i in (0, 1))
    x = tape.matmul(one_hot(builder, before, count), w["embedding"])
    for i in range(LAYERS):
        x = tape.add(x, tape.matmul(attention(tape, tape.normalize(x), w[f"{i}.attend"], penalty), w[f"{i}.merge"]))
        x = tape.add(x, tape.matmul(tape.relu(tape.matmul(tape.normalize(x), w[f"{i}.up"])), w[f"{i}.down"]))
    loss = tape.cross_entropy(tape.matmul(tape.normalize(x), w["output"]), one_hot(builder, after, count))
    return builder.build({"loss": loss, **adam(builder, builder.input("rate", []), state, tape.gradients(loss, w))})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("generate.safetensors"))
    arguments = parser.parse_args()
    text, rng = Path(__file__).with_name("verses.txt").read_text(encoding="utf-8"), np.random.default_rng(1)
    characters = "".join(sorted(set(text)))
    tokens = np.array([characters.index(c) for c in text], np.int32)
    start, context = first_weights(len(characters), rng), webnn.ML().create_context()
    graph = training_graph(context, start)
    save_weights(train(context, graph, start, tokens, arguments.steps, rng), characters, arguments.out)
