"""Measures time and memory of a constant of 100 MiB. usage: python bindings/python/benchmarks/constants.py"""

import resource
import time

import numpy as np

import webnn


def peak() -> float:
    """Returns the peak memory of this process, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    context = webnn.ML().create_context(threads=1)
    values = np.ones((25 * 1024, 1024), np.float32)
    before, start = peak(), time.perf_counter()
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.gather(builder.constant(values), builder.input("x", [1], "int32"))})
    built = time.perf_counter()
    context.compute(graph, {"x": np.zeros(1, np.int32)})
    print(f"a graph with a constant of 100 MiB: built in {(built - start) * 1e3:.2f} ms")
    print(f"the peak of memory grew by {peak() - before:.1f} MiB")
