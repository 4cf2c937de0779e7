"""Generates text, one character after the other, with a small transformer that keeps keys and values in a cache.

The cache of each layer is a ring buffer of the last 64 positions, so that the text may have any length. It never leaves the
context: two sets of tensors, one read and one written, swap roles after each character. train_generate.py made the weights.
"""

import argparse
from pathlib import Path

import numpy as np
import webnn
from numpy.typing import NDArray

from weights import Weights, load_weights

LAYERS, HEADS, PLACES = 2, 4, 64
SLOPES = 0.5 ** np.arange(1, 2 * HEADS, 2, dtype=np.float32)  # ALiBi: each head's scores fall linearly with distance


def step_graph(context: webnn.MLContext, weights: Weights) -> webnn.MLGraph:
    """Builds the graph of one step.

    Inputs: a character, its position in the ring buffer, how many steps ago each entry was written, the caches. Outputs: the
    scores of the next character, the updated caches.
    """
    b = webnn.MLGraphBuilder(context)
    w = {name: b.constant(array) for name, array in weights.items()}
    width = weights["embedding"].shape[1]
    size = width // HEADS
    place, distance = b.input("place", [1, 1], "int32"), b.input("distance", [PLACES])
    penalty = b.mul(b.constant(-SLOPES.reshape(HEADS, 1, 1)), distance)
    x, outputs = b.gather(w["embedding"], b.input("character", [1], "int32")), {}

    def heads(value: webnn.MLOperand, rows: int, order: list[int]) -> webnn.MLOperand:
        return b.transpose(b.reshape(value, [rows, HEADS, size]), permutation=order)

    for i in range(LAYERS):
        query, key, value = b.split(b.matmul(b.layer_normalization(x, axes=[1]), w[f"{i}.attend"]), 3, axis=1)
        keys = outputs[f"keys{i}"] = b.scatter_nd(b.input(f"keys{i}", [PLACES, width]), place, key)
        values = outputs[f"values{i}"] = b.scatter_nd(b.input(f"values{i}", [PLACES, width]), place, value)
        scores = b.matmul(heads(query, 1, [1, 0, 2]), heads(keys, PLACES, [1, 2, 0]))
        shares = b.softmax(b.add(b.linear(scores, alpha=size**-0.5), penalty), 2)
        found = b.reshape(b.transpose(b.matmul(shares, heads(values, PLACES, [1, 0, 2])), permutation=[1, 0, 2]), [1, width])
        x = b.add(x, b.matmul(found, w[f"{i}.merge"]))
        x = b.add(x, b.matmul(b.relu(b.matmul(b.layer_normalization(x, axes=[1]), w[f"{i}.up"])), w[f"{i}.down"]))
    return b.build({"scores": b.matmul(b.layer_normalization(x, axes=[1]), w["output"]), **outputs})


class Reader:
    """Reads a text character by character, and keeps its keys and values in the caches."""

    def __init__(self, weights: Weights) -> None:
        self.context, self.step = webnn.ML().create_context(), 0
        self.graph = step_graph(self.context, weights)
        create, inputs = self.context.create_tensor, self.graph.inputs
        self.here, self.there = ({n: create(d.shape, d.data_type, True, True) for n, d in inputs.items()} for _ in "ab")
        self.scores = create(self.graph.outputs["scores"].shape, "float32", readable=True)

    def read(self, character: int) -> NDArray[np.float32]:
        """Reads a character; returns the scores of the characters that may follow."""
        back = (self.step - np.arange(PLACES, dtype=np.float32)) % PLACES
        distance = np.where(back > self.step, np.float32(1e9), back)  # an entry that is not written yet counts as very far away
        self.context.write_tensor(self.here["character"], [character])
        self.context.write_tensor(self.here["place"], [[self.step % PLACES]])
        self.context.write_tensor(self.here["distance"], distance)
        self.context.dispatch(self.graph, self.here, {n: self.there.get(n, self.scores) for n in self.graph.outputs})
        self.here, self.there, self.step = self.there, self.here, self.step + 1
        scores: NDArray[np.float32] = self.context.read_tensor(self.scores)[0]
        return scores


def generate(weights: Weights, characters: str, prompt: str, length: int, temperature: float, seed: int) -> str:
    """Returns the prompt and `length` more characters: the most likely ones if temperature is 0, otherwise random draws."""
    reader, rng, text = Reader(weights), np.random.default_rng(seed), prompt
    for place in range(len(prompt) + length - 1):
        scores = reader.read(characters.index(text[place]))
        if place + 1 == len(text):
            # Gumbel noise: the character with the largest sum is a draw from softmax(scores / temperature)
            noise = temperature * rng.gumbel(size=scores.shape)
            text += characters[int(np.argmax(scores + noise))]
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt", nargs="?", default="The time has come")
    parser.add_argument("--length", type=int, default=300)
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    weights, characters = load_weights(Path(__file__).with_name("generate.safetensors"))
    if not arguments.prompt or set(arguments.prompt) - set(characters):
        parser.error(f"the prompt needs one or more of the characters {characters!r}")
    print(generate(weights, characters, arguments.prompt, arguments.length, arguments.temperature, arguments.seed))
