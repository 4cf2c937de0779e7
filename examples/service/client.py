"""Recognizes digits in a service shared with other programs. Needs Pillow.

usage: client.py unix:PATH examples/digits/digits.webnn
Each input line is the path of a picture of 28 x 28 pixels; the answer is the digit and its probability. If the service's worker
process ends, the context is lost, and the program creates a new one.
"""

import sys

import numpy as np
import webnn
from PIL import Image


def load(service: str, model: str) -> webnn.MLGraph:
    """Creates everything that is lost with a context."""
    return webnn.load(model, webnn.ML().create_context(service=service))


def main(service: str, model: str) -> None:
    graph = load(service, model)
    for line in sys.stdin:
        picture = np.asarray(Image.open(line.strip()).convert("L"), np.float32) / np.float32(255)
        found = None
        while found is None:
            try:
                found = graph.compute({"image": picture.reshape(1, 1, 28, 28)})["probabilities"][0]
            except webnn.InvalidStateError as error:
                print(f"lost: {error}", flush=True)
                graph = load(service, model)
        print(f"{found.argmax()} {found.max():.6f}", flush=True)


if __name__ == "__main__":
    try:
        _, address, model = sys.argv
    except ValueError:
        sys.exit("usage: client.py unix:PATH examples/digits/digits.webnn")
    main(address, model)
