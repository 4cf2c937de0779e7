"""Serves a model under load while a replica is killed, and while the model is replaced.

usage: serve.py [REQUESTS]
"""

import concurrent.futures
import itertools
import json
import math
import os
import signal
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from http import HTTPStatus
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import psutil
import webnn.ray
from onnx import TensorProto, helper, numpy_helper
from ray import serve

from local_cluster import local_cluster

PORT = 8123


def scaled(factor: float) -> onnx.ModelProto:
    """Returns the model y = factor * x, so that an answer tells which model computed it."""
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "factor"], ["y"])],
        "scaled",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])],
        [numpy_helper.from_array(np.array(factor, np.float32), "factor")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def ask(row: list[float], retries: Counter[str]) -> list[float]:
    """Returns the answer to one row. If the replica dies, the proxy answers 5xx and this function repeats the request."""
    body = json.dumps({"inputs": {"x": [row]}}).encode()
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", body, timeout=30) as answer:
                result: list[float] = json.load(answer)["outputs"]["y"][0]
                return result
        except urllib.error.HTTPError as error:
            if error.code == HTTPStatus.NOT_FOUND:
                retries["not routed yet"] += 1  # serve.run returns a moment before the proxy knows the new application
            elif error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                retries["retried"] += 1
            else:
                raise


def load(requests: int, during: Any) -> tuple[Counter[str], Counter[str]]:
    """Sends requests from 8 threads and calls `during` after a third of them. Sends at least `requests`, and 100 after `during` returns.

    Returns how many answers had each factor, and why requests were repeated.
    """
    answers: Counter[str] = Counter()
    retries: Counter[str] = Counter()
    begun, numbers, last = threading.Semaphore(0), itertools.count(), math.inf

    def work() -> None:
        for i in numbers:
            if i >= last:
                return
            begun.release()
            row = [float(i), float(i + 1), 0.5, 1]
            factors = {a / b for a, b in zip(ask(row, retries), row, strict=True) if b}
            answers[str(factors.pop()) if len(factors) == 1 else "wrong"] += 1

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(work) for _ in range(8)]
        for _ in range(requests // 3):
            begun.acquire()
        try:
            during()
        finally:
            last = max(requests, answers.total() + 100)
        for future in futures:
            future.result()
    return answers, retries


def pid_of_a_replica() -> int:
    children = psutil.Process().children(recursive=True)
    return next(child.pid for child in children if "ServeReplica" in " ".join(child.cmdline()))


def main(requests: int = 3000) -> None:
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    paths = [folder / f"scaled-{os.getpid()}-{factor}.onnx" for factor in (2, 3)]
    for path, factor in zip(paths, (2, 3), strict=True):
        onnx.save(scaled(factor), path)
    try:
        with local_cluster():
            serve.start(http_options={"port": PORT})
            first, second = (webnn.ray.deployment(path, batch=16, delay=0.002, replicas=2) for path in paths)
            serve.run(first)

            answers, retries = load(requests, lambda: os.kill(pid_of_a_replica(), signal.SIGKILL))
            print(f"a replica killed: {dict(answers)}, {dict(retries)}")
            if set(answers) != {"2.0"}:
                sys.exit(1)

            answers, retries = load(requests, lambda: serve.run(second))
            print(f"the model changed: {dict(answers)}, {dict(retries)}")
            if set(answers) != {"2.0", "3.0"} or retries:
                sys.exit(1)
            print(f"after it: {ask([1, 2, 3, 4], retries)}")
            serve.shutdown()
    finally:
        for path in paths:
            path.unlink()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
