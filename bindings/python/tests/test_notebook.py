"""Tests the display of graphs in notebooks and the output of profile()."""

import html
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import webnn
from webnn._graph import _PAGE_BYTES

DIGITS = str(Path(__file__).parents[3] / "examples/digits/digits.webnn")
IMAGE = {"image": np.random.default_rng(1).random((1, 1, 28, 28), np.float32)}


def page_of(graph: webnn.MLGraph) -> str:
    if graph._view(0) is None:
        pytest.skip("the package was built without the page of webnn view (scripts/viewer.sh)")
    frame = ET.fromstring(graph._repr_mimebundle_()["text/html"])
    assert frame.tag == "iframe"
    assert frame.get("sandbox") == "allow-scripts allow-downloads"  # no access to the notebook
    return frame.get("srcdoc") or ""


def data_of(page: str) -> dict[str, list[dict[str, str]]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, list[dict[str, str]]] = json.loads(found[1])
    return data


def test_a_graph_shows_the_page_in_a_frame() -> None:
    data = data_of(page_of(webnn.load(DIGITS)))
    operations = [node["name"] for node in data["nodes"] if node["kind"] == "operation"]
    assert operations == ["conv2d", "relu", "maxPool2d", "conv2d", "relu", "maxPool2d", "reshape", "gemm", "softmax"]


def test_a_graph_shows_itself_as_a_picture_and_as_text_too() -> None:
    graph = webnn.load(DIGITS)
    bundle = graph._repr_mimebundle_()
    assert bundle["image/svg+xml"] == graph._repr_svg_()
    assert bundle["text/plain"] == repr(graph)


def test_a_cell_stays_small() -> None:
    builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    x = builder.input("x", [1, 1])
    for _ in range(300):
        x = builder.matmul(x, np.ones((1, 100), np.float32))
        x = builder.matmul(x, np.ones((100, 1), np.float32))
    graph = builder.build({"y": x})
    page_of(graph)
    assert len(graph._repr_mimebundle_()["text/html"]) < 1.5 * _PAGE_BYTES


def test_a_cell_has_no_picture_of_a_huge_graph() -> None:
    builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    x = builder.input("x", [1])
    for _ in range(20_000):
        x = builder.tanh(x)
    graph = builder.build({"y": x})
    assert len(graph._repr_svg_()) > _PAGE_BYTES
    assert "image/svg+xml" not in graph._repr_mimebundle_()


def test_names_stay_texts_in_the_page() -> None:
    name = "</script><script>alert(1)</script>\"'&amp;\u2028"
    builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    graph = builder.build({"y": builder.relu(builder.input(name, [2]), label=name)})
    page = page_of(graph)
    assert "<script>alert" not in page
    assert [node["name"] for node in data_of(page)["nodes"] if node["kind"] == "input"] == [name]
    assert data_of(page)["nodes"][1]["label"] == name
    assert html.unescape(html.escape(page)) == page


def test_profile_sums_up_and_names_the_graphs_steps() -> None:
    graph = webnn.load(DIGITS)
    profile = webnn.profile(graph, IMAGE, runs=3)
    assert profile.runs == 3
    assert sum(step.seconds for step in profile.steps) == pytest.approx(profile.seconds)
    assert sum(step.share for step in profile.steps) == pytest.approx(1)
    assert sum(profile.by_operation().values()) == pytest.approx(profile.seconds)
    assert all(step.seconds >= 0 for step in profile.steps)
    assert [step.index for step in profile.steps] == list(range(len(profile.steps)))
    # placement() lists each operation's steps with their kernels.
    kernels = {
        step: kernel for placed in graph.placement() for step, kernel in zip(placed["steps"], placed["kernels"], strict=True)
    }
    assert {step.index: step.kernel for step in profile.steps} == kernels
    assert profile.by_operation().keys() == {step.operation for step in profile.steps}


def test_profile_prints_a_table_and_draws_bars() -> None:
    steps = [webnn.StepTime(i, "relu", f"<r{i}>", "k\x1b[2J", (i + 1) * 1e-6, (i + 1) / 820) for i in range(40)]
    profile = webnn.Profile(tuple(steps), 7)
    lines = str(profile).splitlines()
    assert lines[0] == "820.0 us in 40 steps, medians of 7 runs"
    assert lines[2].split() == ["40.0", "4.9%", "39", "relu", "<r39>", "k\ufffd[2J"]
    assert lines[-1].split() == ["55.0", "6.7%", "10", "more"]  # 1 + ... + 10
    bars = [
        rect for rect in ET.fromstring(profile.to_svg()).iter("{http://www.w3.org/2000/svg}rect") if rect.get("class") == "bar"
    ]
    widths = [float(bar.get("width", "0")) for bar in bars]
    assert len(widths) == 31
    assert widths[0] / widths[29] == pytest.approx(40 / 11, rel=0.01)
    page = profile._repr_html_()
    assert "&lt;r39&gt;" in page
    assert "<r39>" not in page


def test_profile_cuts_long_names() -> None:
    profile = webnn.Profile((webnn.StepTime(0, "relu", "r" * 100_000, "k" * 100_000, 1e-6, 1.0),), 1)
    for shown in (str(profile), profile.to_svg(), profile._repr_html_()):
        assert len(shown) < 5_000
    assert profile.steps[0].label == "r" * 100_000


def test_profile_rejects_invalid_arguments() -> None:
    graph = webnn.load(DIGITS)
    with pytest.raises(webnn.ArgumentError, match=r"profile: graph must be an MLGraph, not str\."):
        webnn.profile("digits.webnn", IMAGE)  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match=r"profile: runs \(0\) is not an integer of 1 or more\."):
        webnn.profile(graph, IMAGE, runs=0)
    with pytest.raises(webnn.ArgumentError, match="inputs must be a dict, not NoneType"):
        webnn.profile(graph, None)  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match="image"):
        webnn.profile(graph, {})
    exact = webnn.load(DIGITS, webnn.ML().create_context(backend="reference"))
    with pytest.raises(webnn.NotSupportedError, match="does not tell what its steps take"):
        webnn.profile(exact, IMAGE)
