"""Tests random everyday use: open dimensions in any order, threads, bindings, Node.js, indices, names, forks.

WEBNN_EVERYDAY multiplies the length of the test, and WEBNN_EVERYDAY_SEED is its first seed: `make everyday-random`.
"""

import base64
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn

pytest.importorskip("onnx")
from built import HAS_CAPNP
from random_models import SIZES, Feed, OpenModel, named_model, open_model

TIMES = int(os.environ.get("WEBNN_EVERYDAY", "1"))
SEED = int(os.environ.get("WEBNN_EVERYDAY_SEED", "1"))
SUFFIXES = ["webnn", "json", "onnx"] + ["webnnb"] * HAS_CAPNP


def seeds(count: int) -> range:
    return range(SEED, SEED + count * TIMES)


Outcome = list[tuple[tuple[int, ...], bytes]]


def outcome(arrays: Any) -> Outcome:
    """Returns the shape and all bits of each array."""
    return [(array.shape, array.tobytes()) for array in arrays]


def fresh(model: OpenModel, sizes: dict[str, int], feed: Feed) -> Outcome:
    """Returns the result of a graph compiled for these sizes only."""
    graph = webnn.load(model.content, dimensions=sizes)
    return outcome(graph.compute({name: array for name, array in feed.items() if name in graph.inputs}).values())


def by_binding(session: webnn.InferenceSession, feed: Feed, expected: Outcome, random: np.random.Generator) -> Outcome:
    """Runs a session with bound memory: first on other values, then on the values of `feed`. Returns the outputs."""
    binding = session.io_binding()
    inputs: Feed = {name: np.asarray(random.normal(size=array.shape), np.float32) for name, array in feed.items()}
    for name, array in inputs.items():
        binding.bind_cpu_input(name, array)
    for output, (shape, _) in zip(session.get_outputs(), expected, strict=True):
        way = int(random.integers(0, 3))
        if way == 0:
            binding.bind_output(output.name)
        else:  # memory in foreign byte order is written by a copy
            memory = np.full(shape, np.nan, np.float32).astype(["=f4", ">f4"][way - 1])
            binding.bind_ortvalue_output(output.name, webnn.OrtValue(memory))
    session.run_with_iobinding(binding)
    for name, array in inputs.items():
        array[...] = feed[name]
    session.run_with_iobinding(binding)
    return outcome(array.astype(np.float32) for array in binding.copy_outputs_to_cpu())


@pytest.mark.parametrize("start", seeds(6))
def test_sizes_in_any_order_give_the_results_of_fixed_graphs(start: int) -> None:
    for seed in range(start * 1000, start * 1000 + 8):
        random = np.random.default_rng(seed)
        model = open_model(random)
        session = webnn.InferenceSession(model.content, keep=int(random.integers(1, 4)))
        known = []
        for _ in range(4):
            sizes = {name: int(random.choice(SIZES)) for name in model.dimensions()}
            feed = model.feed(sizes, random)
            known.append((feed, fresh(model, sizes, feed)))

        def is_right(thread: int, session: webnn.InferenceSession = session, known: Any = known, seed: int = seed) -> bool:
            order = np.random.default_rng(seed + thread)
            chosen = [known[int(order.integers(0, len(known)))] for _ in range(6)]
            return all(
                outcome(session.run(None, feed)) == expected == by_binding(session, feed, expected, order)
                for feed, expected in chosen
            )

        assert is_right(0), seed
        with ThreadPoolExecutor(3) as threads:
            assert all(threads.map(is_right, range(1, 4))), seed


NODE = Path(__file__).parents[2] / "node"


HAS_NODE = shutil.which("node") and any((NODE / "prebuilds").glob("*/webnn.node"))


@pytest.mark.skipif(not HAS_NODE, reason="the Node.js package is not built")
@pytest.mark.parametrize("start", seeds(2))
def test_node_gives_the_same(start: int) -> None:
    cases, expected = [], []
    for seed in range(start * 1000, start * 1000 + 20):
        random = np.random.default_rng(seed)
        model, feeds = open_model(random), []
        for _ in range(4):
            sizes = {name: int(random.choice(SIZES)) for name in model.dimensions()}
            feeds.append(model.feed(sizes, random))
        session = webnn.InferenceSession(model.content)
        names = [output.name for output in session.get_outputs()]
        expected.append([dict(zip(names, outcome(session.run(None, feed)), strict=True)) for feed in feeds])
        given = [{name: _text_of(array) for name, array in feed.items()} for feed in feeds]
        cases.append({"model": _base64(model.content), "graphs": int(random.integers(1, 4)), "feeds": given})
    command = ["node", str(NODE / "test/fixtures/run_models.js")]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    for seed, (results, known) in enumerate(zip(json.loads(done.stdout), expected, strict=True), start * 1000):
        got = [{name: (tuple(made["dims"]), base64.b64decode(made["data"])) for name, made in each.items()} for each in results]
        assert got == known, seed


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _text_of(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    return {"dims": list(array.shape), "data": _base64(array.astype(np.float32).tobytes())}


def _index(shape: list[int], random: np.random.Generator) -> Any:
    def part() -> Any:
        extent = int(random.choice(shape)) if shape else 1
        first, last = [int(random.integers(-extent - 2, extent + 3)) for _ in range(2)]
        return [
            int(random.integers(-extent - 1, extent + 1)),
            None,
            ...,
            slice(None, None, [None, 1, 2, 3, 100, 0, -1, np.int64(2)][int(random.integers(0, 8))]),
            slice(first, last, [None, 1, 2][int(random.integers(0, 3))]),
            slice([None, 0, -1][int(random.integers(0, 3))], None),
            np.int64(random.integers(-extent, extent)),
            slice(None),
            True,
        ][int(random.integers(0, 9))]

    parts = tuple(part() for _ in range(int(random.integers(0, len(shape) + 2))))
    return parts[0] if parts and random.random() < 0.1 else parts


@pytest.mark.parametrize("seed", seeds(4))
def test_indices_select_the_same_elements_as_in_numpy_or_are_refused(seed: int) -> None:
    random, context, taken = np.random.default_rng(seed), webnn.ML().create_context(), 0
    for _ in range(300):
        shape = [int(random.integers(1, 5)) for _ in range(int(random.integers(0, 5)))]
        array, index = random.normal(size=shape).astype(np.float32), _index(shape, random)
        builder = webnn.MLGraphBuilder(context)
        x = builder.input("x", shape)
        try:
            part = x[index]
        except webnn.ArgumentError:
            try:
                expected = array[index]
            except (IndexError, ValueError):
                continue
            wants_more = str(index)
            assert expected.size == 0 or "True" in wants_more or "-1)" in wants_more, (shape, index)
            continue
        result = builder.build({"y": builder.identity(part)}).compute({"x": array})["y"]
        np.testing.assert_array_equal(result, array[index], err_msg=f"{shape} {index}", strict=True)
        taken += 1
    assert taken > 50


def _program(path: Path) -> webnn.MLGraph:
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graph: webnn.MLGraph = module.build(webnn.ML().create_context())
    return graph


def _names(graph: webnn.MLGraph, folder: Path) -> Any:
    graph.save(folder / "names.json", weights="inline")
    return (folder / "names.json").read_bytes()


@pytest.mark.parametrize("seed", seeds(8))
def test_names_and_values_survive_every_format(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    content, feed = named_model(random)
    graph, path = webnn.load(content), tmp_path
    names, expected = _names(graph, tmp_path), outcome(graph.compute(feed).values())
    for turn in range(6):
        suffix = str(random.choice(SUFFIXES))
        path = tmp_path / f"{turn}.{suffix}"
        graph.save(path, weights=str(random.choice(["safetensors", "inline"])))
        graph = webnn.load(path)
        assert outcome(graph.compute(feed).values()) == expected, path
        if suffix != "onnx":  # ONNX has one name space for all values
            assert _names(graph, tmp_path) == names, path
    done = subprocess.run(
        [sys.executable, "-m", "webnn", "convert", str(path), str(tmp_path / "program.py")], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert outcome(_program(tmp_path / "program.py").compute(feed).values()) == expected


FORKS = """
import os, sys, threading
import numpy as np
sys.path.insert(0, sys.argv[1])
from random_models import SIZES, open_model
import webnn
random = np.random.default_rng(int(sys.argv[2]))
model = open_model(random)
session, stop = webnn.InferenceSession(model.content, keep=1), threading.Event()
feeds = [model.feed({name: int(random.choice(SIZES)) for name in model.dimensions()}, random) for _ in range(6)]
arrived = threading.Barrier(4)

def work():
    order = np.random.default_rng(threading.get_ident())
    session.run(None, feeds[0])
    arrived.wait()
    while not stop.is_set():
        session.run(None, feeds[int(order.integers(0, 6))])

def equal(one, other):
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(one, other, strict=True))

expected = [session.run(None, feed) for feed in feeds]
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
arrived.wait()
children = []
for _ in range(int(sys.argv[3])):
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(60)
        right = all(equal(session.run(None, feed), results) for feed, results in zip(feeds, expected))
        own = webnn.InferenceSession(model.content).run(None, feeds[1])
        done = threading.Event()
        webnn.InferenceSession(model.content).run_async(None, feeds[1], lambda *results: done.set())
        os._exit(0 if right and own and done.wait(50) else 1)
    children.append(os.waitpid(child, 0)[1])
stop.set()
for thread in threads:
    thread.join()
sys.exit(f"children: {children}" if any(children) else 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize("seed", seeds(2))
def test_children_that_are_forked_in_the_midst_of_runs_never_hang(seed: int) -> None:
    folder = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", FORKS, folder, str(seed), "15"], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
