"""Runs actors. The first is killed while it builds its graph. usage: kill_build.py MARKER"""

import os
import signal
import sys
import threading
from typing import Any

import embed
import numpy as np
import ray
from local_cluster import dataset, local_cluster

import webnn.ray

ROWS = 10_000


class Dies(webnn.ray.Predictor):
    """A predictor that kills its process during its first build. Before, the process creates the file `marker`. A process that
    finds the file computes."""

    def __init__(self, marker: str, model: Any) -> None:
        super().__init__(model, keep=["id"], batch=256)
        self.marker = marker

    def __call__(self, batch: Any) -> Any:
        try:
            os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().__call__(batch)
        threading.Thread(target=super().__call__, args=(batch,)).start()  # a build does not hold the GIL, so the next line runs
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def main(marker: str) -> None:
    features = embed.features_of(ROWS)
    model = webnn.ray.Model(embed.mlp())
    alone = webnn.ray.Predictor(model, batch=256)({"x": features})[embed.OUTPUT]
    with local_cluster():
        rows = (
            dataset(512, id=np.arange(ROWS), x=features)
            .map_batches(
                Dies,
                fn_constructor_args=(marker, model),
                batch_size=256,
                compute=ray.data.ActorPoolStrategy(size=2),
                num_cpus=1,
            )
            .take_all()
        )
    ids = [row["id"] for row in rows]
    right = all(np.array_equal(row[embed.OUTPUT], alone[row["id"]]) for row in rows)
    print(f"killed: {os.path.exists(marker)}, each row once: {sorted(ids) == list(range(ROWS))}, all right: {right}")


if __name__ == "__main__":
    main(*sys.argv[1:])
