"""Finds faces in a photo and draws a box around each, with the ONNX model of examples/faces. Needs Pillow.

The model reads 320 x 240 pixels. To find small faces, it reads the whole photo and then overlapping parts of it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import webnn
from numpy.typing import NDArray
from PIL import Image, ImageDraw

MODELS = Path(__file__).resolve().parents[3] / "shared/models/ultraface"
MIN_SCORE, MAX_OVERLAP, PART = 0.7, 0.3, (480, 360)
Boxes = NDArray[np.float32]  # rows of score, left, top, right, bottom


def parts_of(size: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Yields the whole picture and, if it is larger than a part, parts that overlap by a quarter or more."""
    yield (0, 0, *size)
    if size[0] > PART[0] or size[1] > PART[1]:
        counts = [1 + max(0, int(np.ceil((whole - part) / (0.75 * part)))) for whole, part in zip(size, PART, strict=True)]
        for left in np.linspace(0, max(0, size[0] - PART[0]), counts[0], dtype=int):
            for top in np.linspace(0, max(0, size[1] - PART[1]), counts[1], dtype=int):
                yield left, top, min(left + PART[0], size[0]), min(top + PART[1], size[1])


def detect(graph: webnn.MLGraph, picture: Image.Image, part: tuple[int, int, int, int]) -> Boxes:
    """Returns the faces in a part of the picture, in pixels of the picture. Skips faces that the part's edge may cut."""
    pixels = np.asarray(picture.resize((320, 240), Image.Resampling.BILINEAR, box=part), np.float32)
    outputs = graph.compute({"input": ((pixels - 127) / 128).transpose(2, 0, 1)[None]})
    corner, end = np.array([part[:2] * 2, part[2:] * 2], np.float32)
    boxes = corner + outputs["boxes"][0] * (end - corner)
    cut = ((boxes < corner + 2) & (corner > 0)) | ((boxes > end - 2) & (end < picture.size * 2))
    found: Boxes = np.column_stack([outputs["scores"][0, :, 1], boxes])
    found = found[(found[:, 0] > MIN_SCORE) & ~cut.any(axis=1)]
    return found


def best_of(boxes: Boxes) -> Boxes:
    """Keeps the best box, drops boxes that overlap it, and repeats this with the rest (non-maximum suppression)."""
    rest, kept = boxes[np.argsort(-boxes[:, 0])], []
    while len(rest):
        kept.append(rest[0])
        area = np.prod(rest[:, 3:] - rest[:, 1:3], axis=1)
        both = np.minimum(rest[:, 3:], rest[0, 3:]) - np.maximum(rest[:, 1:3], rest[0, 1:3])
        shared = np.prod(np.maximum(both, 0), axis=1)
        rest = rest[shared / (area + area[0] - shared) <= MAX_OVERLAP]
    return np.array(kept, np.float32).reshape(-1, 5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, default=MODELS / "photo1.jpg")
    parser.add_argument("out", nargs="?", type=Path, default=Path("faces.png"))
    parser.add_argument("--model", type=Path, default=MODELS / "version-RFB-320.onnx")
    arguments = parser.parse_args()

    picture, graph = Image.open(arguments.photo).convert("RGB"), webnn.load(arguments.model)
    pen = ImageDraw.Draw(picture)
    for score, *box in best_of(np.concatenate([detect(graph, picture, part) for part in parts_of(picture.size)])):
        print(f"{score:.3f}", *np.round(box).astype(int))
        pen.rectangle(box, outline=(40, 255, 90), width=max(1, picture.width // 250))
    picture.save(arguments.out)
