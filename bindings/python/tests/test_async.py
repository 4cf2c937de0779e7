"""Tests AsyncMLContext and asynchronous reads with asyncio."""

import asyncio
import os
import subprocess
import sys

import numpy as np
import pytest

import webnn


def chain(context: webnn.MLContext) -> tuple[webnn.MLGraph, webnn.MLTensor, webnn.MLTensor]:
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.relu(builder.input("x", [4], "float32"))})
    return graph, context.create_tensor([4], "float32", writable=True), context.create_tensor([4], "float32", readable=True)


def test_reads_are_awaited(context: webnn.MLContext) -> None:
    graph, x, y = chain(context)

    async def main() -> list[np.ndarray]:
        ml = webnn.AsyncMLContext(context)
        results = []
        for i in range(20):
            await ml.write_tensor(x, np.full(4, i, np.float32))
            await ml.dispatch(graph, {"x": x}, {"y": y})
            results.append(context.read_tensor_async(y))
        return await asyncio.gather(*results, ml.read_tensor_async(y))

    results = asyncio.run(main())
    assert [result[0] for result in results] == [*range(20), 19]


def test_a_destroyed_tensor_fails_the_read(context: webnn.MLContext) -> None:
    _, _, y = chain(context)

    async def main() -> None:
        y.destroy()
        with pytest.raises(webnn.ArgumentError, match="destroyed"):
            await context.read_tensor_async(y)

    asyncio.run(main())


def test_a_cancelled_read_leaves_the_context_usable(context: webnn.MLContext) -> None:
    _, _, y = chain(context)

    async def main() -> np.ndarray:
        future = context.read_tensor_async(y)
        future.cancel()
        with pytest.raises(asyncio.CancelledError):
            await future
        return await context.read_tensor_async(y)

    np.testing.assert_array_equal(asyncio.run(main()), np.zeros(4))


def test_compute_and_build_are_awaited(context: webnn.MLContext) -> None:
    async def main() -> dict[str, np.ndarray]:
        ml = webnn.AsyncMLContext(context)
        builder = webnn.MLGraphBuilder(context)
        graph = await ml.build(builder, {"y": builder.neg(builder.input("x", [2], "float32"))})
        return await ml.compute(graph, {"x": np.array([1, 2], np.float32)})

    np.testing.assert_array_equal(asyncio.run(main())["y"], [-1, -2])


def test_a_task_that_is_given_up_ends_its_run() -> None:
    context = webnn.ML().create_context(backend="reference")
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [4096, 4096])
    graph = builder.build({"y": x @ x})  # takes minutes, so the test ends only if the run is cancelled

    async def main() -> None:
        run = webnn.AsyncMLContext(context).compute(graph, {"x": np.ones((4096, 4096), np.float32)})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run, 0.05)

    asyncio.run(main())


def test_a_load_that_is_given_up_ends() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe, os.fdopen(writer, "wb"):  # nobody writes to the pipe

        async def main() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(webnn.AsyncMLContext(webnn.ML().create_context()).load(pipe), 0.05)

        asyncio.run(main())


def test_a_read_needs_a_running_loop(context: webnn.MLContext) -> None:
    _, _, y = chain(context)
    with pytest.raises(RuntimeError, match="no running event loop"):
        context.read_tensor_async(y)


@pytest.mark.parametrize("ending", ["pass", "raise SystemExit(0)", "loop.close()", "graph.destroy(); context.destroy()"])
def test_python_ends_cleanly_while_reads_wait(ending: str) -> None:
    script = f"""
import asyncio, sys
import numpy as np
import webnn
webnn._webnn._set_leak_warnings(True)
context = webnn.ML().create_context()
builder = webnn.MLGraphBuilder(context)
n = 500
a = builder.input("x", [n, n], "float32")
b = a
for i in range(20):
    b = builder.matmul(a, b)
graph = builder.build({{"y": b}})
x = context.create_tensor([n, n], "float32", writable=True)
y = context.create_tensor([n, n], "float32", readable=True)
async def main():
    for i in range(4):
        context.dispatch(graph, {{"x": x}}, {{"y": y}})
        context.read_tensor_async(y)
loop = asyncio.new_event_loop()
loop.run_until_complete(main())
{ending}
"""
    command = [sys.executable, "-X", "dev", "-W", "ignore::ResourceWarning", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "leak" not in done.stderr
    assert "Traceback" not in done.stderr
