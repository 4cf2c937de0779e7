"""Draws a graph: the nodes and edges of MLGraph.to_dot() in layers, for notebooks."""

import re
from html import escape
from typing import NamedTuple

from webnn._webnn import MLGraph

_NODE = re.compile(r'^  (\w+) \[label="((?:[^"\\]|\\.)*)", shape=(\w+), fillcolor="(#\w+)"\];$', re.MULTILINE)
_EDGE = re.compile(r"^  (\w+) -> (\w+) \[", re.MULTILINE)
_UNNAMED = re.compile(r"operand_\d+")  # what the library calls an operand without a name
_LIMIT = 2000  # nodes; a picture of more helps nobody
_CHARACTER, _LINE, _GAP, _LAYER = 6.5, 14.0, 16.0, 34.0


class _Node(NamedTuple):
    lines: list[str]
    shape: str
    color: str

    @property
    def width(self) -> float:
        return 16 + _CHARACTER * max(len(line) for line in self.lines)

    @property
    def height(self) -> float:
        return 10 + _LINE * len(self.lines)


def draw(graph: MLGraph) -> str:
    """The graph as SVG."""
    dot = graph.to_dot()
    nodes = {id_: _Node(_lines(label), shape, color) for id_, label, shape, color in _NODE.findall(dot)}
    edges = [(a, b) for a, b in _EDGE.findall(dot)]
    if len(nodes) > _LIMIT:
        nodes, edges = {"graph": _Node([repr(graph)[:200], f"{len(nodes)} nodes"], "box", "#ffffff")}, []
    return _svg(nodes, edges, _layers(list(nodes), edges))


def _lines(label: str) -> list[str]:
    text = label.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\").replace("&amp;", "&")
    lines = [line for line in text.split("\n") if not _UNNAMED.fullmatch(line)] or [text]
    return [line if len(line) <= 40 else line[:39] + "…" for line in lines]  # noqa: PLR2004


def _layers(ids: list[str], edges: list[tuple[str, str]]) -> list[list[str]]:
    """Each node below all that it needs, inputs and constants just above their first user; in a layer by their neighbours."""
    before: dict[str, list[str]] = {id_: [] for id_ in ids}
    after: dict[str, list[str]] = {id_: [] for id_ in ids}
    for a, b in edges:
        before[b].append(a)
        after[a].append(b)
    level: dict[str, int] = {}
    for id_ in ids:  # operations come in an order of execution
        level[id_] = 1 + max((level[a] for a in before[id_]), default=-1)
    for id_ in ids:
        if not before[id_] and after[id_]:
            level[id_] = min(level[b] for b in after[id_]) - 1
    layers: list[list[str]] = [[] for _ in range(1 + max(level.values(), default=0))]
    place: dict[str, float] = {}
    for id_ in sorted(ids, key=lambda id_: level[id_]):
        layers[level[id_]].append(id_)
    for layer in layers:
        layer.sort(key=lambda id_: sum(place[a] for a in before[id_]) / len(before[id_]) if before[id_] else len(place))
        place.update({id_: i - len(layer) / 2 for i, id_ in enumerate(layer)})
    return layers


def _svg(nodes: dict[str, _Node], edges: list[tuple[str, str]], layers: list[list[str]]) -> str:
    widths = [sum(nodes[id_].width + _GAP for id_ in layer) for layer in layers]
    width = max(widths, default=0) + _GAP
    centers: dict[str, tuple[float, float]] = {}
    top = _GAP
    for layer, used in zip(layers, widths, strict=True):
        height = max((nodes[id_].height for id_ in layer), default=0)
        left = (width - used + _GAP) / 2
        for id_ in layer:
            centers[id_] = (left + nodes[id_].width / 2, top + height / 2)
            left += nodes[id_].width + _GAP
        top += height + _LAYER
    top += _GAP - _LAYER
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{top:.0f}" viewBox="0 0 {width:.0f} {top:.0f}" '
        'font-family="sans-serif" font-size="11" text-anchor="middle">',
        f'<rect width="{width:.0f}" height="{top:.0f}" fill="#ffffff"/>',
    ]
    parts += [_line(nodes, centers, a, b) for a, b in edges]
    parts += [_box(node, *centers[id_]) for id_, node in nodes.items()]
    return "\n".join([*parts, "</svg>"])


def _line(nodes: dict[str, _Node], centers: dict[str, tuple[float, float]], a: str, b: str) -> str:
    x1, y1 = centers[a][0], centers[a][1] + nodes[a].height / 2
    x2, y2 = centers[b][0], centers[b][1] - nodes[b].height / 2
    middle = (y1 + y2) / 2
    path = f"M{x1:.1f},{y1:.1f}C{x1:.1f},{middle:.1f} {x2:.1f},{middle:.1f} {x2:.1f},{y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="#888888"/>'


def _box(node: _Node, x: float, y: float) -> str:
    radius = node.height / 2 if node.shape == "ellipse" else 3
    text = "".join(
        f'<text x="{x:.1f}" y="{y + _LINE * (i + 0.5 - len(node.lines) / 2) + 4:.1f}">{escape(line)}</text>'
        for i, line in enumerate(node.lines)
    )
    return (
        f'<rect x="{x - node.width / 2:.1f}" y="{y - node.height / 2:.1f}" width="{node.width:.1f}" height="{node.height:.1f}" '
        f'rx="{radius:.1f}" fill="{node.color}" stroke="#888888"/>{text}'
    )


MLGraph._repr_svg_ = draw  # type: ignore[method-assign, assignment]
