"""Streams more rows than fit into memory, and measures the memory of all of Ray's processes.

usage: stream.py [ROWS]
"""

import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import ray
import webnn.ray

from local_cluster import local_cluster

DIGITS = Path(__file__).resolve().parents[1] / "digits/digits.webnn"


def pictures(batch: Any) -> Any:
    """Returns noise, because the result does not matter here."""
    ids = batch["id"]
    images = np.random.default_rng(int(ids[0])).random((len(ids), 1, 28, 28), dtype=np.float32)
    return {"id": ids, "image": images}


def memory() -> tuple[int, int]:
    """Returns the memory of this process and its descendants, counting shared pages once, and how much of it is the object store."""
    whole = store = 0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            with open(f"/proc/{process.pid}/smaps_rollup") as rollup:
                fields = dict(line.split(":") for line in rollup if ":" in line)
            whole += int(fields["Pss"].split()[0])
            store += int(fields["Pss_Shmem"].split()[0])
        except (OSError, KeyError, psutil.Error):
            continue  # the process has ended
    return whole * 1024, store * 1024


def main(rows: int = 1_000_000) -> None:
    stop, most = threading.Event(), [0, 0]

    def watch() -> None:
        while not stop.wait(0.25):
            for i, used in enumerate(memory()):
                most[i] = max(most[i], used)

    with local_cluster(nodes=1, cpus=2, store=150 * 2**20):
        before, _ = memory()
        thread = threading.Thread(target=watch)
        thread.start()
        classified = (
            ray.data.range(rows, override_num_blocks=max(1, rows // 10_000))
            .map_batches(pictures, batch_size=1024, num_cpus=1)
            .map_batches(
                webnn.ray.Predictor,
                fn_constructor_args=(webnn.ray.Model(DIGITS),),
                fn_constructor_kwargs={"keep": ["id"]},
                batch_size=1024,
                compute=ray.data.ActorPoolStrategy(size=1),
                num_cpus=1,
            )
        )
        count = total = 0
        for batch in classified.iter_batches(batch_size=None):
            count += len(batch["id"])
            total += int(batch["id"].sum())
        stop.set()
        thread.join()
    print(f"{count} rows, each once: {total == rows * (rows - 1) // 2}, {rows * 28 * 28 * 4 / 1e6:.0f} MB of inputs")
    peak, store = (used / 1e6 for used in most)
    print(f"peak of all processes {peak:.0f} MB, of the object store {store:.0f} MB; {before / 1e6:.0f} MB at rest")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
