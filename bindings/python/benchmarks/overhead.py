"""What a call costs, and whether threads compute at once: python bindings/python/benchmarks/overhead.py"""

import threading
import time

import numpy as np

import webnn


def add_of_four(context: webnn.MLContext) -> float:
    """Seconds of one compute() of one add of 4 floats: the best of several rounds."""
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"c": builder.add(builder.input("a", [4], "float32"), builder.input("b", [4], "float32"))})
    inputs = {"a": np.ones(4, np.float32), "b": np.ones(4, np.float32)}
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(2000):
            context.compute(graph, inputs)
        best = min(best, (time.perf_counter() - start) / 2000)
    return best


def two_threads(context: webnn.MLContext) -> float:
    """The time of two threads that compute at once, of that of one after the other: 0.5 at best."""
    builder = webnn.MLGraphBuilder(context)
    x = y = builder.input("x", [192, 192], "float32")
    for _ in range(8):
        y = builder.matmul(y, x)
    graph = builder.build({"y": y})
    inputs = {"x": np.full((192, 192), 1 / 192, np.float32)}

    def work() -> None:
        for _ in range(200):
            context.compute(graph, inputs)

    work()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        work()
        work()
        serial = time.perf_counter() - start
        threads = [threading.Thread(target=work) for _ in range(2)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        best = min(best, (time.perf_counter() - start) / serial)
    return best


if __name__ == "__main__":
    context = webnn.ML().create_context(threads=1)
    print(f"compute() of an add of 4 floats: {add_of_four(context) * 1e6:.2f} microseconds")
    print(f"two threads at once: {two_threads(context):.2f} of the time of one after the other")
