"""Tests memory (constants are not copied, nothing grows, nothing outlives its last user) and concurrent computing."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn

STATUS = Path("/proc/self/status")
MEBI = 1 << 20

needs_proc = pytest.mark.skipif(not STATUS.exists(), reason="this system has no /proc/self/status")

# A program that prints by how many MiB the peak memory grew.
PEAK = """
import gc, re, sys
from pathlib import Path
import numpy as np
import webnn

def status(key):
    return int(re.search(rf"{key}:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) // 1024

context = webnn.ML().create_context(threads=1)
values = np.ones((25 * 1024, 1024), np.float32)  # 100 MiB; ones() writes to every page
gc.collect()
before = status("VmHWM")
builder = webnn.MLGraphBuilder(context)
table = builder.constant(values)
x = builder.input("x", [1], "int32")
graph = builder.build({"y": builder.gather(table, x)})
del builder, table, x
if sys.argv[1] == "copy":
    kept = values.copy()
result = context.compute(graph, {"x": np.array([7], np.int32)})["y"]
assert result.shape == (1, 1024) and (result == 1).all()
print(status("VmHWM") - before)
"""


def run_child(script: str, *arguments: str) -> str:
    """Returns the output of a script. It must exit with 0 and print nothing to standard error."""
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@needs_proc
@pytest.mark.skipif("WEBNN_SERVICE" in os.environ, reason="a service has a copy, in shared memory")
def test_a_constant_of_100_mb_is_not_copied() -> None:
    assert int(run_child(PEAK, "plain")) < 30


@needs_proc
def test_a_copy_would_be_seen() -> None:
    assert int(run_child(PEAK, "copy")) >= 95


def watched_constant(context: webnn.MLContext) -> tuple[webnn.MLGraph, Any]:
    values = np.ones(1000, np.float32)
    builder = webnn.MLGraphBuilder(context)
    y = builder.add(builder.input("x", [1000], "float32"), builder.constant(values))
    return builder.build({"y": y}), weakref.ref(values)


def test_the_graph_keeps_the_array_of_a_constant_alive(context: webnn.MLContext) -> None:
    graph, array = watched_constant(context)
    gc.collect()
    assert array() is not None
    np.testing.assert_array_equal(graph.compute({"x": np.zeros(1000, np.float32)})["y"], 1)
    del graph
    gc.collect()
    assert array() is None


def test_a_builder_that_is_dropped_lets_the_array_go(context: webnn.MLContext) -> None:
    values = np.ones(1000, np.float32)
    array = weakref.ref(values)
    builder = webnn.MLGraphBuilder(context)
    operand = builder.constant(values)
    del values
    gc.collect()
    assert array() is not None
    del builder, operand
    gc.collect()
    assert array() is None


def test_a_failed_build_lets_the_array_go(context: webnn.MLContext) -> None:
    values = np.ones(1000, np.float32)
    array = weakref.ref(values)
    with pytest.raises(webnn.ArgumentError):
        webnn.MLGraphBuilder(context).constant(values, [7])
    with pytest.raises(webnn.ArgumentError):
        webnn.MLGraphBuilder(context).constant(values, [1000], "int32")
    del values
    gc.collect()
    assert array() is None


def test_inputs_and_outputs_are_not_kept(context: webnn.MLContext) -> None:
    graph, _ = watched_constant(context)
    x = np.zeros(1000, np.float32)
    tensor = context.create_tensor([1000], "float32", writable=True)
    context.write_tensor(tensor, x)
    y = graph.compute({"x": x})["y"]
    watched = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [reference() for reference in watched] == [None, None]


# A program that prints by how many MiB memory grew in later rounds of the work that its first argument names.
GROWTH = """
import asyncio, gc, re, sys
from pathlib import Path
import numpy as np
import webnn

def resident():
    gc.collect()
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) // 1024

context = webnn.ML().create_context(threads=1)
weights, x = np.ones((256, 256), np.float32), np.ones((16, 256), np.float32)

def make(context):
    builder = webnn.MLGraphBuilder(context)
    y = builder.matmul(builder.input("x", [16, 256], "float32"), builder.constant(weights))
    return builder.build({"y": builder.relu(y)})

shared = make(context)

def graphs():
    graph = make(context)
    graph.compute({"x": x})
    graph.destroy()

def contexts():
    other = webnn.ML().create_context(threads=1)
    make(other).compute({"x": x})
    other.destroy()

def tensors():
    a = context.create_tensor([16, 256], "float32", writable=True)
    b = context.create_tensor([16, 256], "float32", readable=True)
    context.write_tensor(a, x)
    context.dispatch(shared, {"x": a}, {"y": b})
    context.read_tensor(b)

def errors():
    builder = webnn.MLGraphBuilder(context)
    operand = builder.constant(weights)
    for wrong in (lambda: builder.reshape(operand, [3]), lambda: shared.compute({"x": weights}), lambda: webnn.from_onnx(b"no")):
        try:
            wrong()
        except webnn.Error:
            pass

def reads():
    tensor = context.create_tensor([16, 256], "float32", readable=True)
    asyncio.run(webnn.AsyncMLContext(context).read_tensor(tensor), debug=False)

def files():
    webnn.from_onnx(shared.to_onnx(), context).compute({"x": x})

kept = []

def leak():
    kept.append(weights.copy())

work, rounds = globals()[sys.argv[1]], int(sys.argv[2])
for _ in range(rounds // 2):
    work()
before = resident()
for _ in range(rounds):
    work()
print(resident() - before)
"""


@needs_proc
@pytest.mark.parametrize(
    ("work", "rounds"), [("graphs", 300), ("contexts", 100), ("tensors", 1500), ("errors", 1000), ("reads", 800), ("files", 100)]
)
def test_loops_do_not_grow_memory(work: str, rounds: int) -> None:
    """A round uses 256 KiB of weights, or tensors of 16 KiB each: 800 rounds that leak one tensor exceed the limit of 8 MiB."""
    assert int(run_child(GROWTH, work, str(rounds))) < 8


@needs_proc
def test_a_leak_would_be_seen() -> None:
    assert int(run_child(GROWTH, "leak", "100")) >= 20


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Calls work(0), work(1), ... concurrently, and waits for all."""
    threads = [threading.Thread(target=work, args=[seed]) for seed in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_compute_on_one_graph() -> None:
    context = webnn.ML().create_context()
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [64, 64], "float32")
    graph = builder.build({"y": builder.matmul(x, builder.transpose(x)), "z": builder.reduce_sum(x)})
    failures: list[str] = []
    barrier = threading.Barrier(6)

    def work(seed: int) -> None:
        barrier.wait()
        values = np.random.default_rng(seed).integers(-8, 8, (64, 64)).astype(np.float32)
        for _ in range(50):
            result = context.compute(graph, {"x": values})
            if not (np.array_equal(result["y"], values @ values.T) and result["z"] == values.sum()):
                failures.append(f"thread {seed}")

    in_threads(6, work)
    assert failures == []


def test_threads_build_and_drop_graphs() -> None:
    context = webnn.ML().create_context()
    failures: list[str] = []

    def work(seed: int) -> None:
        for i in range(30):
            builder = webnn.MLGraphBuilder(context)
            y = builder.add(builder.input("x", [8], "float32"), builder.constant(np.full(8, seed + i, np.float32)))
            result = builder.build({"y": y}).compute({"x": np.zeros(8, np.float32)})["y"]
            if not (result == seed + i).all():
                failures.append(f"thread {seed}")

    in_threads(4, work)
    assert failures == []


# A program that ends while a read is pending.
PENDING = """
import asyncio, sys
import numpy as np
import webnn

context = webnn.ML().create_context(threads=1)
builder = webnn.MLGraphBuilder(context)
x = y = builder.input("x", [384, 384], "float32")
for _ in range(60):
    y = builder.matmul(y, x)
graph = builder.build({"y": y})
a = context.create_tensor([384, 384], "float32", writable=True)
b = context.create_tensor([384, 384], "float32", readable=True)
context.write_tensor(a, np.zeros((384, 384), np.float32))

async def main():
    futures = []
    for _ in range(3):
        context.dispatch(graph, {"x": a}, {"y": b})
        futures.append(context.read_tensor_async(b))
    if sys.argv[1] == "cancelled":
        for future in futures:
            future.cancel()
    if sys.argv[1] == "exit":
        raise SystemExit(0)
    kept.extend(futures)

kept = []
asyncio.run(main(), debug=False)  # in debug mode, which -X dev sets, asyncio would log slow callbacks
if sys.argv[1] == "dropped":
    del graph, a, b, context
    kept.clear()
print("end")
"""


@pytest.mark.parametrize("way", ["pending", "cancelled", "dropped"])
def test_python_ends_with_pending_reads(way: str) -> None:
    assert run_child(PENDING, way) == "end\n"


def test_python_exits_with_pending_reads() -> None:
    assert run_child(PENDING, "exit") == ""
