"""Measures the overhead of a call, and whether threads compute concurrently. usage: python bindings/python/benchmarks/overhead.py"""

import statistics
import threading
import time

import numpy as np

import webnn


def add_of_four(context: webnn.MLContext) -> float:
    """Returns the seconds of one compute() of an add of 4 floats: the median of 200 rounds."""
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"c": builder.add(builder.input("a", [4], "float32"), builder.input("b", [4], "float32"))})
    inputs = {"a": np.ones(4, np.float32), "b": np.ones(4, np.float32)}
    rounds = []
    for _ in range(200):
        start = time.perf_counter()
        for _ in range(1000):
            context.compute(graph, inputs)
        rounds.append((time.perf_counter() - start) / 1000)
    return statistics.median(rounds)


def two_threads(context: webnn.MLContext) -> tuple[float, list[float]]:
    """Returns the seconds of one compute() of 12 products. Also returns, for each round, the time of two concurrent threads
    divided by the time of the same work on one thread."""
    builder = webnn.MLGraphBuilder(context)
    x = y = builder.input("x", [512, 512], "float32")
    for _ in range(12):
        y = builder.matmul(y, x)
    graph = builder.build({"y": y})
    inputs = {"x": np.full((512, 512), 1 / 512, np.float32)}

    def work() -> None:
        for _ in range(6):
            context.compute(graph, inputs)

    work()
    serial, ratios = [], []
    for _ in range(7):
        start = time.perf_counter()
        work()
        work()
        serial.append(time.perf_counter() - start)
        threads = [threading.Thread(target=work) for _ in range(2)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ratios.append((time.perf_counter() - start) / serial[-1])
    return statistics.median(serial) / 12, ratios


if __name__ == "__main__":
    context = webnn.ML().create_context(threads=1)
    print(f"compute() of an add of 4 floats: {add_of_four(context) * 1e6:.2f} microseconds")
    seconds, ratios = two_threads(context)
    print(f"two threads at once, {seconds * 1e3:.0f} ms a run, of the time of one after the other:", end=" ")
    print(f"{statistics.median(ratios):.2f} (best {min(ratios):.2f})")
