"""Tests children forked from a process that computes, as multiprocessing and gunicorn fork them."""

import subprocess
import sys

import pytest

# The parent has used a context, a graph and a session. Each child can use them, or gets an error without delay.
SCRIPT = """
import asyncio, multiprocessing, os, sys, threading
import numpy as np
import webnn
context = webnn.ML().create_context()
builder = webnn.MLGraphBuilder(context)
graph = builder.build({"y": builder.input("x", [256, 256]) @ np.eye(256, dtype=np.float32)})
session = webnn.InferenceSession(graph)
tensors = [context.create_host_tensor([256, 256], "float32") for _ in range(2)]
ones = np.ones((256, 256), np.float32)
model = graph.to_onnx()
of_content = webnn.InferenceSession(model)
binding = of_content.io_binding()
binding.bind_cpu_input("x", ones)
of_content.run_with_iobinding(binding)
ended = threading.Event()
webnn.InferenceSession(model).run_async(None, {"x": ones}, lambda *results: ended.set())
ended.wait()

def dispatch():
    context.write_tensor(tensors[0], ones)
    context.dispatch(graph, {"x": tensors[0]}, {"y": tensors[1]})
    return context.read_tensor(tensors[1])

async def read(context):
    return await asyncio.wait_for(context.read_tensor_async(context.create_host_tensor([2], "float32")), 30)

def use(queue):
    outcome = []
    for work in (dispatch, lambda: graph.compute({"x": ones})["y"], lambda: session.run(None, {"x": ones})[0]):
        try:
            outcome.append(bool((work() == ones).all()))
        except webnn.InvalidStateError as error:
            outcome.append("fork" in str(error))
    own = webnn.ML().create_context()
    outcome.append(own.compile(graph).compute({"x": ones})["y"].sum() == 256 * 256)
    outcome.append((webnn.run(model, {"x": ones})["y"] == ones).all())  # uses the default context
    of_content.run_with_iobinding(binding)  # the session reads the model again
    outcome.append((binding.get_outputs()[0].numpy() == ones).all())
    outcome.append((asyncio.run(read(own)) == 0).all())
    done = threading.Event()
    webnn.InferenceSession(model).run_async(None, {"x": ones}, lambda results, data, error: done.set())
    outcome.append(done.wait(60))
    queue.put(outcome)

assert (asyncio.run(read(context)) == 0).all()
assert (dispatch() == ones).all() and (session.run(None, {"x": ones})[0] == ones).all()
fork = multiprocessing.get_context("fork")
queue = fork.Queue()
children = [fork.Process(target=use, args=(queue,)) for _ in range(3)]
for child in children:
    child.start()
outcomes = [queue.get(timeout=60) for _ in children]
for child in children:
    child.join()
assert all(all(outcome) for outcome in outcomes), outcomes
child = os.fork()
if child == 0:  # ends as any other program, as gunicorn's workers do
    of_content.run(None, {"x": ones})
    sys.exit()
assert os.waitpid(child, 0)[1] == 0
assert (dispatch() == ones).all()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_forked_children_compute_or_are_told_that_they_cannot() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", SCRIPT]  # Python 3.12 warns if there are threads
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
