"""Reads outlines of models for messages and profiles. Models of other formats than ONNX have none."""

from typing import Any

from webnn import _protobuf


def outline(model: Any) -> _protobuf.Outline | None:
    """Returns the outline of an ONNX model, which is a path or bytes; None for other models."""
    try:
        found = _protobuf.outline_of(_protobuf.view_of(model)) if isinstance(model, str | bytes) else None
    except (_protobuf.MalformedError, OSError, TypeError):
        return None
    return found if found is None or found.nodes or found.outputs else None


def consumer(model: Any, value: str) -> tuple[str, str]:
    """Returns the name and the operator of the first node that reads a value."""
    found = outline(model)
    return next(((node.name, node.operator) for node in ([] if found is None else found.nodes) if value in node.inputs), ("", ""))
