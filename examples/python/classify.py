"""Classifies a picture with SqueezeNet and prints its five most likely ImageNet classes. Needs Pillow."""

import argparse
from pathlib import Path

import numpy as np
import webnn
from numpy.typing import NDArray
from PIL import Image, ImageOps

SIDE = 224  # width and height of the model's input, in pixels
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
MODELS = Path(__file__).resolve().parents[3] / "shared/models/squeezenet1.1"


def pixels_of(path: Path) -> NDArray[np.float32]:
    """Returns the middle square of a picture as the model's input: 1 x 3 x 224 x 224, normalized as in training."""
    picture = ImageOps.fit(Image.open(path).convert("RGB"), (SIDE, SIDE), Image.Resampling.BILINEAR)
    values = (np.asarray(picture, np.float32) / np.float32(255) - MEAN) / DEVIATION
    return values.transpose(2, 0, 1)[None]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", nargs="?", type=Path, default=MODELS / "photo.jpg")
    parser.add_argument("--model", type=Path, default=MODELS / "squeezenet1.1.onnx")
    parser.add_argument("--labels", type=Path, default=MODELS / "imagenet_classes.txt")
    arguments = parser.parse_args()

    session = webnn.InferenceSession(arguments.model)
    (scores,) = session.run(None, {session.get_inputs()[0].name: pixels_of(arguments.picture)})
    shares = np.exp(scores.reshape(-1) - scores.max())
    shares /= shares.sum()
    labels = arguments.labels.read_text(encoding="utf-8").splitlines()
    for i in np.argsort(-shares)[:5]:
        print(f"{shares[i]:7.2%}  {labels[i]}")
