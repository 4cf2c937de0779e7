"""Tests that the programs of examples/python run, print what docs/reference/python_examples.md shows, and compute correct
results."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import webnn

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples/python"
MODELS = ROOT.parent / "shared/models"
PAGE = (ROOT / "docs/reference/python_examples.md").read_text(encoding="utf-8")
Array = np.ndarray[Any, Any]
needs_models = pytest.mark.skipif(not MODELS.exists(), reason=f"{MODELS} is not there")


def run(name: str, *arguments: str, folder: Path | None = None) -> str:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def shown(name: str, number: int = 0) -> str:
    """Returns block `number` of output in an example's section of the page."""
    section = PAGE.split(f"## {name}")[1].split("\n## ")[0]
    blocks: list[str] = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    return blocks[number]


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns a function that imports an example by its name."""
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    return load


@pytest.mark.parametrize("name", ["hello", "matmul", "decode"])
def test_first_programs(name: str) -> None:
    assert run(name) == shown(name)


def test_the_page_shows_hello_as_it_is() -> None:
    code = (EXAMPLES / "hello.py").read_text(encoding="utf-8").split('"""')[2].strip()
    assert f"```python\n{code}\n```" in PAGE


def test_the_session_of_the_manual_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    section = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8").split("measures the distance between two results")[1]
    code, expected = re.findall(r"```(?:python|text)\n(.*?)```", section, re.DOTALL)[:2]
    monkeypatch.chdir(ROOT)
    exec(compile(code, "python.md", "exec"), {})
    numbers = re.compile(r"[0-9.]+(e-[0-9]+)?")  # the last digits depend on the machine
    printed, shown_there = capsys.readouterr().out.splitlines(), expected.splitlines()
    assert printed[0] == shown_there[0]
    assert numbers.sub("N", printed[1]) == numbers.sub("N", shown_there[1])


def test_every_example_is_explained() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert f"(../../examples/python/{path.name})" in PAGE, path.name
        assert path.read_text(encoding="utf-8").startswith('"""'), path.name


def test_the_pictures_of_graphs_are_those_of_the_package(modules: Any, capsys: pytest.CaptureFixture[str]) -> None:
    digits = webnn.load(ROOT / "examples/digits/digits.webnn")
    for name, graph in {"hello": modules("hello").graph, "digits": digits}.items():
        assert (ROOT / f"docs/pictures/{name}.svg").read_text(encoding="utf-8") == graph._repr_svg_()
    assert capsys.readouterr().out == shown("hello")


@needs_models
def test_classify_names_the_red_panda() -> None:
    pytest.importorskip("PIL")
    lines = run("classify").splitlines()
    names = [line.split("  ")[-1] for line in lines]
    assert len(lines) == 5
    assert names[0] == "lesser panda"
    assert float(lines[0].split("%")[0]) > 99
    assert names == [line.split("  ")[-1] for line in shown("classify").splitlines()]


def is_same(a: Array, b: Array) -> bool:
    """Compares a face's score and box. Pillow averages pixels, but the expected box was made by interpolation, so it may be
    off by 5 pixels."""
    return abs(a[0] - b[0]) < 0.05 and bool(np.all(abs(a[1:] - b[1:]) <= 5))


@needs_models
def test_faces_are_found_and_drawn(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    found = np.loadtxt(run("faces", folder=tmp_path).splitlines())
    expected = np.loadtxt(ROOT / "tests/examples/faces_photo1.txt")
    for some, others in ((found, expected), (expected, found)):
        for face in some[some[:, 0] > 0.8]:
            assert any(is_same(face, other) for other in others), face
    with image.open(tmp_path / "faces.png") as picture:
        assert picture.size == (720, 478)
        for _, left, top, *_ in found:
            corner = np.asarray(picture)[int(top) : int(top) + 3, int(left) : int(left) + 3].reshape(-1, 3)
            assert any(tuple(pixel) == (40, 255, 90) for pixel in corner)


def scores_without_cache(weights: dict[str, Array], tokens: list[int]) -> Array:
    """Computes the transformer of generate.py in NumPy and double precision, for a whole text at once."""
    heads, places, count = 4, 64, len(tokens)
    w = {name: array.astype(np.float64) for name, array in weights.items()}

    def normal(x: Array) -> Array:
        y: Array = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
        return y

    back = np.subtract.outer(np.arange(count), np.arange(count))
    seen = (back >= 0) & (back < places)
    x = w["embedding"][tokens]
    for i in range(2):
        query, key, value = (part.reshape(count, heads, -1) for part in np.split(normal(x) @ w[f"{i}.attend"], 3, axis=1))
        scores = np.einsum("qhs,khs->hqk", query, key) / 4 - 0.5 ** np.array([1, 3, 5, 7]).reshape(4, 1, 1) * back
        shares = np.where(seen, np.exp(scores - np.where(seen, scores, -np.inf).max(2, keepdims=True)), 0)
        found = np.einsum("hqk,khs->qhs", shares / shares.sum(2, keepdims=True), value).reshape(count, -1)
        x = x + found @ w[f"{i}.merge"]
        x = x + np.maximum(normal(x) @ w[f"{i}.up"], 0) @ w[f"{i}.down"]
    result: Array = normal(x) @ w["output"]
    return result


def test_generate_writes_the_page() -> None:
    assert run("generate") == shown("generate")
    drawn = run("generate", "Twinkle", "--temperature", "1", "--seed", "3", "--length", "100")
    assert drawn.startswith("Twinkle")
    assert drawn == run("generate", "Twinkle", "--temperature", "1", "--seed", "3", "--length", "100")
    assert drawn != run("generate", "Twinkle", "--temperature", "1", "--seed", "4", "--length", "100")


def test_generate_with_a_cache_equals_the_whole_text_computed_again(modules: Any) -> None:
    module = modules("generate")
    weights, characters = module.load_weights(EXAMPLES / "generate.safetensors")
    prompt, length = "The sun ", 200  # longer than the ring buffer of the cache
    text = module.generate(weights, characters, prompt, length, 0, 1)
    assert len(text) == len(prompt) + length
    tokens = [characters.index(c) for c in text]
    whole = scores_without_cache(weights, tokens)
    assert tokens[len(prompt) :] == [int(np.argmax(scores)) for scores in whole[len(prompt) - 1 : -1]]
    reader = module.Reader(weights)
    np.testing.assert_allclose([reader.read(token) for token in tokens], whole, rtol=0, atol=1e-3)


def test_generate_has_learnt_its_text_by_heart(modules: Any) -> None:
    module = modules("generate")
    weights, characters = module.load_weights(EXAMPLES / "generate.safetensors")
    verses = (EXAMPLES / "verses.txt").read_text(encoding="utf-8")
    text = module.generate(weights, characters, "The time has come", 200, 0, 1)
    words = re.findall(r"[A-Za-z'-]+", text)[:-1]
    assert all(word in verses for word in words), text
    assert sum(line in verses for line in text.splitlines()[:-1]) >= 4, text


def test_the_weights_of_generate_can_be_trained(modules: Any, tmp_path: Path) -> None:
    printed = run("train_generate", "--steps", "2", "--out", str(tmp_path / "w.safetensors"))
    assert abs(float(printed.split()[-1]) - np.log(55)) < 1  # an untrained model's loss is about log(55)
    load = modules("weights").load_weights
    (new, characters), (old, expected) = load(tmp_path / "w.safetensors"), load(EXAMPLES / "generate.safetensors")
    assert characters == expected
    assert {name: array.shape for name, array in new.items()} == {name: array.shape for name, array in old.items()}


def test_training_lowers_the_loss() -> None:
    lines = run("train_text", "--steps", "200").splitlines()
    losses = [float(line.split()[-1]) for line in lines[:3]]
    assert [line.split()[1] for line in lines[:3]] == ["1", "100", "200"]
    assert losses[0] > 3.8  # an untrained model's loss is about log(55) = 4.0
    assert losses[2] < 1.8


def loss_of(tape: Any, w: dict[str, Any], penalty: Any, wanted: Any) -> Any:
    """Computes a function that uses each operation of the tape, broadcasting, and operands used twice."""
    x = tape.add(tape.tanh(w["x"]), w["bias"])  # 4 x 6 matrix
    query, key = (tape.part(tape.reshape(tape.matmul(tape.normalize(x), w["attend"]), [2, 2, 2, 6]), i) for i in (0, 1))
    shares = tape.softmax(tape.add(tape.scale(tape.matmul(query, tape.transpose(key, [0, 2, 1])), 0.5), penalty))
    found = tape.reshape(tape.transpose(tape.matmul(shares, key), [1, 0, 2]), [4, 6])
    return tape.cross_entropy(tape.matmul(tape.relu(tape.add(x, found)), w["output"]), wanted)


def test_gradients_equal_finite_differences(modules: Any, context: webnn.MLContext) -> None:
    rng = np.random.default_rng(5)
    shapes = {"x": (4, 6), "bias": (6,), "attend": (6, 12), "output": (6, 3)}
    values = {name: rng.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}
    builder = webnn.MLGraphBuilder(context)
    tape = modules("training").Tape(builder)
    w = {name: builder.input(name, shape, "float32") for name, shape in shapes.items()}
    penalty = builder.constant(rng.normal(size=(2, 2, 2)).astype(np.float32))
    loss = loss_of(tape, w, penalty, builder.constant(np.eye(3, dtype=np.float32)[[0, 2, 1, 1]]))
    graph = builder.build({"loss": loss, **tape.gradients(loss, w)})
    gradients = graph.compute(values)
    for name, shape in shapes.items():
        for index in np.ndindex(shape):
            difference = 0.0
            for sign in (1, -1):
                moved = {n: array.copy() for n, array in values.items()}
                moved[name][index] += np.float32(sign * 1e-2)
                difference += sign * float(graph.compute(moved)["loss"]) / 2e-2
            assert gradients[name][index] == pytest.approx(difference, abs=2e-3), (name, index)
