"""The shapes of results whose sizes depend on values, as ONNX infers them from the shapes of a model's inputs."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from webnn import _protobuf
from webnn.onnxruntime._typed_graph import attribute_of, raw_model, text_of

Shape = list[int | str | None]
_MOST_DIMENSIONS = 64  # of a plausible tensor; a broken model may declare any number
_Rule = Callable[[list[Shape | None], set[str]], Shape | None]


def inferred_shapes(model: Any, known: Mapping[str, Shape], names: Collection[str]) -> dict[str, Shape]:
    """Returns the shapes of these outputs, as far as one node computes them from inputs of known shapes.

    known: the shapes of the inputs.
    """
    try:
        nodes = raw_model(_protobuf.view_of(model)).graph.nodes
    except (_protobuf.MalformedError, OSError, TypeError):
        return {}
    found = {}
    for node in nodes:
        rule = _RULES.get(text_of(node.operator)) if not node.domain else None
        for at, name in enumerate(map(text_of, node.outputs)):
            if rule is None or name not in names or (at and node.operator == b"Unique"):
                continue
            shapes = [known.get(text_of(read)) for read in node.inputs]
            shape = rule(shapes, {attribute_of(attribute).name for attribute in node.attributes})
            if shape is not None:
                found[name] = shape
    return found


def _of_rank(shapes: list[Shape | None], at: int) -> Shape | None:
    """Returns a shape with as many dimensions as the shape tensor, input `at`, has elements."""
    sizes = shapes[at] if at < len(shapes) else None
    return _unknown(sizes[0]) if sizes and isinstance(sizes[0], int) and sizes[0] <= _MOST_DIMENSIONS else None


def _unknown(rank: int) -> Shape:
    return [None for _ in range(rank)]


def _same(shapes: list[Shape | None], _: set[str]) -> Shape | None:
    return shapes[0]


_RULES: dict[str, _Rule] = {
    "ConstantOfShape": lambda shapes, _: _of_rank(shapes, 0),
    "Expand": lambda shapes, _: _of_rank(shapes, 1) if shapes[0] == [1] else None,
    "Identity": _same,
    "NonMaxSuppression": lambda _shapes, _: [None, 3],
    "NonZero": lambda shapes, _: [len(shapes[0]), None] if shapes[0] else None,
    "Range": lambda _shapes, _: [None],
    "Reshape": lambda shapes, _: _of_rank(shapes, 1),
    "TopK": lambda shapes, _: _unknown(len(shapes[0])) if shapes[0] else None,
    "Unique": lambda _, attributes: None if "axis" in attributes else [None],
}
