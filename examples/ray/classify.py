"""Classifies 2,000 distorted pictures of digits on two nodes, and compares the results with the results of a single process.

usage: classify.py [PICTURES]
"""

import sys
from pathlib import Path

import numpy as np
import ray
import webnn.ray
from PIL import Image

from local_cluster import dataset, local_cluster

DIGITS = Path(__file__).resolve().parents[1] / "digits"


def pictures(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns samples of the ten digits, shifted, with changed brightness and noise; and their digits."""
    random = np.random.default_rng(1)
    samples = np.stack([np.asarray(Image.open(DIGITS / f"samples/{i}.png").convert("L")) / 255 for i in range(10)])
    labels = random.integers(0, 10, count)
    images = samples[labels].astype(np.float32)
    for image in images:
        image[:] = np.roll(image, random.integers(-2, 3, 2), (0, 1)) * random.uniform(0.6, 1)
    images += random.normal(0, 0.08, images.shape).astype(np.float32)
    return np.clip(images, 0, 1)[:, None], labels


def main(count: int = 2000) -> float:
    images, labels = pictures(count)
    model = webnn.ray.Model(DIGITS / "digits.webnn")

    alone = webnn.ray.Predictor(model)({"image": images})["probabilities"]

    with local_cluster():
        rows = (
            dataset(250, id=np.arange(count), image=images)
            .map_batches(
                webnn.ray.Predictor,
                fn_constructor_args=(model,),
                fn_constructor_kwargs={"keep": ["id"]},
                batch_size=250,
                compute=ray.data.ActorPoolStrategy(size=2),
                num_cpus=1,
            )
            .take_all()
        )
    together = np.empty_like(alone)
    for row in rows:
        together[row["id"]] = row["probabilities"]

    accuracy = float((together.argmax(1) == labels).mean())
    print(f"{len(rows)} pictures on 2 nodes: {accuracy:.1%} are right")
    print(f"the same bits as in one process: {'yes' if np.array_equal(together, alone) else 'no'}")
    return accuracy


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
