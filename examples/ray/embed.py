"""Embeds rows by an MLP on two nodes and kills one node during the job: each row must arrive exactly once, with the right result.

usage: embed.py [ROWS [RUNS]]
"""

import asyncio
import itertools
import sys
import time
from typing import Any

import numpy as np
import onnx
import ray
import webnn.ray
from onnx import TensorProto, helper, numpy_helper
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from local_cluster import dataset, local_cluster

FEATURES, HIDDEN, SIZE = 64, 1024, 64
OUTPUT = "y2"


def mlp() -> onnx.ModelProto:
    """Returns a model that maps x[batch, 64] through two hidden layers."""
    random = np.random.default_rng(2)
    sizes = [FEATURES, HIDDEN, HIDDEN, SIZE]
    weights = [random.standard_normal(pair, dtype=np.float32) / 16 for pair in itertools.pairwise(sizes)]
    nodes, value = [], "x"
    for i in range(len(weights)):
        nodes.append(helper.make_node("MatMul", [value, f"w{i}"], [f"product{i}"]))
        nodes.append(helper.make_node("Tanh", [f"product{i}"], [value := f"y{i}"]))
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", FEATURES])],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, ["batch", SIZE])],
        [numpy_helper.from_array(weight, f"w{i}") for i, weight in enumerate(weights)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@ray.remote(num_cpus=0)
class Progress:
    """Counts the batches that have begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.changed = asyncio.Condition()

    async def begin(self) -> None:
        async with self.changed:
            self.begun += 1
            self.changed.notify_all()

    async def wait_for(self, count: int) -> None:
        async with self.changed:
            await self.changed.wait_for(lambda: self.begun >= count)


class Embedder(webnn.ray.Predictor):
    """A Predictor that reports when it begins a batch."""

    def __init__(self, progress: Any) -> None:
        super().__init__(mlp(), keep=["id"], batch=256)
        self.progress = progress

    def __call__(self, batch: Any) -> Any:
        ray.get(self.progress.begin.remote())
        return super().__call__(batch)


def embed(rows: int, kill: bool) -> tuple[np.ndarray, np.ndarray, float]:
    """Returns the ids and the embeddings of all rows in the order of their arrival, and the seconds that the job took."""
    features = features_of(rows)
    with local_cluster() as (cluster, (victim,)):
        # keep the counter off the node that is killed
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        progress = Progress.options(scheduling_strategy=here).remote()
        start = time.perf_counter()
        # Pass an instance, not a class: Ray then uses tasks, which any node can repeat, instead of actors, whose results only
        # the same actor can repeat.
        embedded = dataset(1024, id=np.arange(rows), x=features).map_batches(Embedder(progress), batch_size=256, num_cpus=1)
        batches = iter(embedded.iter_batches(batch_size=None))
        if kill:
            first = next(batches)  # the job runs while its results are read
            ray.get(progress.wait_for.remote(rows // 256 // 3))
            cluster.remove_node(victim, allow_graceful=False)
            parts = [first, *batches]
        else:
            parts = list(batches)
        seconds = time.perf_counter() - start
        ids = np.concatenate([part["id"] for part in parts])
        return ids, np.concatenate([part[OUTPUT] for part in parts]), seconds


def features_of(rows: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal((rows, FEATURES), dtype=np.float32)


def main(rows: int = 100_000, runs: int = 1) -> None:
    alone = webnn.ray.Predictor(mlp(), batch=256)({"x": features_of(rows)})[OUTPUT]
    _, _, whole = embed(rows, kill=False)
    for _ in range(runs):
        ids, embeddings, seconds = embed(rows, kill=True)
        once = np.array_equal(np.sort(ids), np.arange(rows))
        right = once and np.array_equal(embeddings[np.argsort(ids)], alone)
        print(f"{rows} rows, a node killed after a third: each row once: {once}, all right: {right}")
        print(f"{seconds:.1f} s, without the kill {whole:.1f} s: {seconds - whole:.1f} s lost")
        if not right:
            sys.exit(1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
