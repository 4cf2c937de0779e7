"""Measures rows per second on Ray, in a single process and with onnxruntime, and how much time Ray itself takes.

usage: scaling.py [--rows N] [--turns N]    prints the tables of docs/guides/ray.md
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime
import ray
import webnn.ray

import embed
from local_cluster import dataset, local_cluster

BATCH = 256
BLOCK = 64 * BATCH


class OnnxRuntime:
    """The same model in onnxruntime, as its users would write it."""

    def __init__(self, threads: int | None = None) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = webnn.ray._engine.assigned_cpus() if threads is None else threads
        model = embed.mlp().SerializeToString()
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def __call__(self, batch: Any) -> Any:
        (result,) = self.session.run(None, {"x": batch["x"]})
        return {embed.OUTPUT: result}


class Nothing:
    """Returns a column unchanged, so that the measured time is Ray's own."""

    def __call__(self, batch: Any) -> Any:
        return {embed.OUTPUT: batch["x"]}


def in_process(predictor: Any, x: np.ndarray) -> Callable[[], float]:
    """Returns a function that measures the rows per second of a loop in this process."""

    def rate() -> float:
        predictor({"x": x[:BATCH]})
        start = time.perf_counter()
        for begin in range(0, len(x), BATCH):
            predictor({"x": x[begin : begin + BATCH]})
        return len(x) / (time.perf_counter() - start)

    return rate


def on_ray(rows: Any, kind: Any, actors: int, cpus: float, batch: int = BATCH, **arguments: Any) -> Callable[[], float]:
    """Returns a function that measures rows per second while all actors work: from a tenth of the results to the last one."""

    def rate() -> float:
        pool = ray.data.ActorPoolStrategy(size=actors)
        mapped = rows.map_batches(kind, batch_size=batch, compute=pool, num_cpus=cpus, **arguments)
        done = first = 0
        tenth, start = rows.count() // 10, 0.0
        for part in mapped.iter_batches(batch_size=None):
            done += len(part[embed.OUTPUT])
            if not first and done > tenth:
                first, start = done, time.perf_counter()
        return (done - first) / (time.perf_counter() - start)

    return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    cpus = len(os.sched_getaffinity(0))
    x = embed.features_of(arguments.rows)
    model = webnn.ray.Model(embed.mlp())
    with local_cluster(nodes=1, cpus=2 * cpus, store=2**30):
        rows = dataset(BLOCK, x=x).materialize()
        ours = {"fn_constructor_args": (model,)}
        cases: dict[str, Callable[[], float]] = {
            f"one process, {cpus} threads": in_process(webnn.ray.Predictor(model, threads=cpus), x),
            f"onnxruntime, one process, {cpus} threads": in_process(OnnxRuntime(cpus), x),
        }
        for actors in (1, 2, 4):
            each = max(1, cpus // actors)
            what = f"{actors} actor{'s' * (actors > 1)}, {each} thread{'s' * (each > 1)} each"
            cases[what] = on_ray(rows, webnn.ray.Predictor, actors, each, **ours)
            cases[f"onnxruntime, {what}"] = on_ray(rows, OnnxRuntime, actors, each)
        rates: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(arguments.turns):
            for name, rate in cases.items():
                rates[name].append(rate())
        first = statistics.median(next(iter(rates.values())))
        print(f"| {arguments.rows} rows of {embed.FEATURES}, batches of {BATCH} | rows per second | to one process |")
        print("|---|---|---|")
        for name, measured in rates.items():
            middle = statistics.median(measured)
            print(f"| {name} | {middle:,.0f} | {middle / first:.2f} |")

        print("\n| rows in a block, batches of 256 | Ray's own time for a block, ms | for a batch, us |\n|---|---|---|")
        for block in (BATCH, 16 * BATCH, BLOCK):
            few = dataset(block, x=x[: 40 * block]).materialize()
            own = statistics.median(on_ray(few, Nothing, 1, 1)() for _ in range(arguments.turns))
            print(f"| {block} | {block / own * 1e3:.1f} | {BATCH / own * 1e6:,.0f} |")


if __name__ == "__main__":
    main()
