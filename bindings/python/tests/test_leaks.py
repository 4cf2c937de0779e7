"""Tests, with nanobind's report, that no objects are left when Python ends. The report is off for users, because their programs
may leak."""

import subprocess
import sys

SCRIPT = """
import asyncio, gc, sys
import numpy as np
import webnn
webnn._webnn._set_leak_warnings(True)
context = webnn.ML().create_context()
kept = []
for i in range(50):
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [4], "float32")
    y = builder.add(x, builder.constant(np.ones(4, np.float32)))
    try:
        builder.softmax(x, 9)
    except webnn.Error as error:
        kept.append(error)
    graph = builder.build({"y": y})
    webnn.AsyncMLContext(context).compute
    t = context.create_tensor([4], "float32", readable=True)
    asyncio.run(webnn.AsyncMLContext(context).read_tensor(t))
    graph.compute({"x": np.zeros(4, np.float32)})
webnn.from_onnx(graph.to_onnx())
cycle = [graph, builder, context]
cycle.append(cycle)
"""


def test_nothing_is_left_when_python_ends() -> None:
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_the_report_is_on() -> None:
    script = """
import ctypes, webnn
webnn._webnn._set_leak_warnings(True)
context = webnn.ML().create_context()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(context))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert "leaked" in done.stderr
