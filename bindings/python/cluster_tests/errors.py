"""Prints errors of a cluster, and whether arrays were passed without a copy. usage: errors.py FOLDER"""

import os
import sys
from pathlib import Path
from typing import Any

import embed
import numpy as np
import onnx
import ray
from local_cluster import dataset, local_cluster

import webnn.ray


class Tells(webnn.ray.Predictor):
    """A predictor that also returns whether its input is shared memory, and its number of threads."""

    def __call__(self, batch: Any) -> Any:
        count = len(batch["x"])
        result = super().__call__(batch)
        threads = webnn.ray._engine.assigned_cpus()
        shared = not batch["x"].flags.writeable and not batch["x"].flags.owndata
        return result | {"shared": np.full(count, shared), "threads": np.full(count, threads)}


def message_of(dataset: Any, predictor: Any, **arguments: Any) -> str:
    try:
        dataset.map_batches(predictor, num_cpus=1, **arguments).take_all()
    except ray.exceptions.RayError as error:
        return str(error)
    return "no error"


def main(folder: str) -> None:
    path = Path(folder) / "model.onnx"
    onnx.save(embed.mlp(), path)
    x = embed.features_of(64)
    with local_cluster():
        few = dataset(64, id=np.arange(64) + 6, x=x)

        model = webnn.ray.Model(path)
        other = embed.mlp()
        other.graph.name = "another"
        onnx.save(other, path)
        print(message_of(few, webnn.ray.Predictor, fn_constructor_args=(model,), compute=ray.data.ActorPoolStrategy(size=1)))
        onnx.save(embed.mlp(), path)

        rows: list[Any] = [np.zeros(embed.FEATURES, np.float32), np.zeros(embed.FEATURES), np.zeros(5, np.float32)]
        items = [{"id": i + 6, "x": row.tobytes(), "type": str(row.dtype)} for i, row in enumerate(rows)]
        ragged = ray.data.from_items(items, override_num_blocks=1)

        def parsed(batch: Any) -> Any:
            arrays = [np.frombuffer(item, kind) for item, kind in zip(batch["x"], batch["type"], strict=True)]
            column = np.empty(len(arrays), object)
            column[:] = arrays
            return column

        class Parses(webnn.ray.Predictor):
            def __call__(self, batch: Any) -> Any:
                return super().__call__({"id": batch["id"], "x": parsed(batch)})

        print(message_of(ragged, Parses(path, keep="id")))
        collected = ragged.map_batches(Parses(path, keep="id", errors="error"), num_cpus=1).take_all()
        messages = {row["id"]: row["error"] for row in collected}
        print(f"collected: {[messages[6], messages[8], messages[7]]}")

        told = few.map_batches(Tells(path), batch_size=64, num_cpus=1).take_all()
        print(f"an array of the object store, read-only, not copied: {all(row['shared'] for row in told)}")
        print(f"threads: {told[0]['threads']} of the CPUs assigned")

        content = ray.put(path.read_bytes())
        stored = few.map_batches(
            webnn.ray.Predictor, fn_constructor_args=(content,), compute=ray.data.ActorPoolStrategy(size=1), num_cpus=1
        ).take_all()
        print(f"as an object of the store: {len(stored) == 64}")
    os.remove(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
