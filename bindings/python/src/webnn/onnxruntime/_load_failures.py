"""The exceptions of models that cannot be loaded, with the classes and texts of ONNX Runtime 1.32."""

import os
import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

from webnn import _protobuf
from webnn._errors import DataError, Error, NotFoundError, NotSupportedError
from webnn._files import describe
from webnn._session import _type_of
from webnn.onnxruntime._errors import LOADING, BrokenShapes, Fail, InvalidArgument, InvalidGraph, NoSuchFile, UnreadableModel, failure
from webnn.onnxruntime._outlines import outline
from webnn.onnxruntime._schema_check import INVALID, Failure

_CONTRIBUTED = ("ai.onnx.ml", "com.microsoft")  # domains with operators that ONNX Runtime has and webnn may lack
_BEGIN = r'node "([^"]*)" \((?:([\w.]+)\.)?(\w+)[^)]*\): '
_NODE, _UNKNOWN = re.compile(_BEGIN + "(.*)", re.DOTALL), re.compile(_BEGIN + "(WebNN has no operation that does this)")
_SHAPES = re.compile(r"\b(?:dimensions?|shapes?|ranks?|broadcast\w*)\b")
_NO_TYPE = re.compile(r'the input "([^"]*)" has no known element type')
_BROKEN_SHAPES = re.compile(
    r"Incompatible shapes|columns of a|a rank \(\d+\) is not 2|the axis \((?P<axis>-?\d+)\) is not one of a tensor of rank (?P<rank>\d+)"
)
_AXES = {  # ONNX's texts for a wrong axis
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax"), "'axis' must be in [{least} , {most}]. Its actual value is: {axis}"),
    **dict.fromkeys(("ArgMax", "ArgMin", "Compress"), "'axis' must be in [-rank(indices), rank(indices)-1]"),
    "Concat": "axis must be in [-rank, rank-1].",
    "Gather": "axis must be in [-r, r-1]",
    **dict.fromkeys(("Squeeze", "Unsqueeze", "Slice"), "Unexpected axis value: {axis}. Expected range [{least}, {rank})"),
}
_FORMATS = re.compile(r"webnn|JSON|line \d+, column")  # messages about formats that ONNX Runtime lacks


class _NodeId(NamedTuple):
    name: str
    operator: str
    domain: str


def load_failure(error: Error, model: str | bytes, folder: str) -> Exception:
    """Returns ONNX Runtime's exception for a model that cannot be loaded.

    folder: the directory of the model's external data.
    """
    prefix = _prefix(model)
    message = str(error).removeprefix(f"{model!s}: ") if isinstance(model, str) else str(error)
    if isinstance(error, NotFoundError) and isinstance(model, str) and not os.path.exists(model):
        return failure(NoSuchFile, f"{prefix}Load model {model} failed. File doesn't exist")
    if not isinstance(error, DataError | NotFoundError | NotSupportedError):
        return failure(LOADING[type(error)], message)
    is_missing = isinstance(error, NotFoundError) or "of external data lies beside it" in message
    if is_missing and outline(model) is not None:
        return failure(Fail, _missing_data(model, folder) or message)
    kind, text = _of_outline(model) or _of_message(error, message, model) or _of_content(error, message, model)
    return failure(kind, prefix + text)


def schema_failure(refused: Failure, is_first: bool, model: str | bytes) -> Exception:
    """Returns ONNX Runtime's exception for a model that check() refuses. is_first: see Checked."""
    kind, text = (None if is_first else _of_outline(model)) or refused
    return failure(kind, _prefix(model) + text)


def shape_failure(message: str, model: str | bytes) -> Exception | None:
    """Returns ONNX Runtime's exception for a node of the main graph that no shapes of its inputs fit; None for other messages.

    message: the reason why no graph can hold the model.
    """
    failed = _NODE.search(message.partition("\n")[2].partition("\n")[0])
    broken = _BROKEN_SHAPES.search(failed[4]) if failed else None
    found = outline(model) if broken else None
    if failed is None or broken is None or found is None:
        return None
    name, operator = failed[1], failed[3]
    if all((node.name, node.operator) != (name, operator) for node in found.nodes):
        return None  # perhaps the branch of an If that no run takes
    if broken["axis"]:
        rank = int(broken["rank"])
        text = _AXES.get(operator, failed[4]).format(axis=broken["axis"], rank=rank, least=-rank, most=rank - 1)
    elif broken[0] == "Incompatible shapes":
        text = f"Incompatible dimensions{' for matrix multiplication' if 'MatMul' in operator else ''}"
    else:
        text = failed[4]
    return failure(BrokenShapes, f"{_prefix(model)}Node ({name}) Op ({operator}) [ShapeInferenceError] {text}")


def _prefix(model: str | bytes) -> str:
    return f"Load model from {model} failed:" if isinstance(model, str) else ""


def _missing_data(model: str | bytes, folder: str) -> str:
    """Returns the message for the first initializer of which the file is missing; "" if there is none."""
    for name, location in _protobuf.external_files(_protobuf.view_of(model)).items():
        path = os.path.abspath(os.path.join(folder, location))
        if not os.path.exists(path):
            reason = f'External data path does not exist: "{path}"'
            return f"External data path validation failed for initializer: {name}. Error: {reason}"
    return ""


def _of_outline(model: str | bytes) -> Failure | None:
    """Returns the failure for the first rule about names that the main graph breaks, in ONNX Runtime's order."""
    found = outline(model)
    if found is None:
        return None
    made = [name for node in found.nodes for name in node.outputs if name]
    known = {*found.inputs, *found.initializers, *made}
    missing = [name for name in found.outputs if name not in known]
    if missing:
        return Fail, f"{INVALID} Graph output ({missing[0]}) does not exist in the graph."
    failed = (
        _twice(found.inputs, "Error: Duplicate definition-site for ({}).")
        or _twice([node.name for node in found.nodes if node.name], f"{INVALID} Error: two nodes with same node name ({{}}).")
        or _twice(made, f"{INVALID} Error: Duplicate definition of name ({{}}).")
    )
    if failed:
        return failed
    dangling = [name for node in found.nodes for name in node.inputs if name and name not in known]
    if dangling:
        reason = f"Node input '{dangling[0]}' is not a graph input, initializer, or output of a previous node."
        return InvalidArgument, f"Invalid model. {reason}"
    return (Fail, f"{INVALID} Error: the graph is not acyclic.") if _has_cycle(found.nodes) else None


def _twice(names: list[str], text: str) -> Failure | None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    return (Fail, text.format(twice[0])) if twice else None


def _has_cycle(nodes: list[_protobuf.Node]) -> bool:
    makers = {name: index for index, node in enumerate(nodes) for name in node.outputs if name}
    graph = {index: {makers[name] for name in node.inputs if name in makers} for index, node in enumerate(nodes)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def _of_message(error: Error, message: str, model: str | bytes) -> Failure | None:
    """Returns the failure that webnn's message describes; None if ONNX Runtime fails otherwise or accepts the model."""
    untyped = _NO_TYPE.search(message)
    if untyped:
        return Fail, f"{INVALID} Model input ({untyped[1]}) does not have type information."
    failed = _UNKNOWN.search(message) or _NODE.search(message)
    if failed is None:
        return None
    name, domain, operator, detail = failed.groups("")
    if failed.re is _UNKNOWN:
        return _unknown_operator(_NodeId(name, operator, domain), model)
    is_shape = isinstance(error, DataError) and _SHAPES.search(detail)
    return (BrokenShapes, f"Node ({name}) Op ({operator}) [ShapeInferenceError] {detail}") if is_shape else None


def _of_content(error: Error, message: str, model: str | bytes) -> Failure:
    """Returns the failure for a model of which only webnn's message is known."""
    if not isinstance(error, DataError) or _has_declarations(model):
        return LOADING[type(error)], message
    if not (os.path.getsize(model) if isinstance(model, str) and os.path.isfile(model) else model):
        return InvalidArgument, "No graph was found in the protobuf."
    text = "Protobuf parsing failed." if isinstance(model, str) else "Failed to load model because protobuf parsing failed."
    detail = message.split("; a graph (", maxsplit=1)[0]
    return UnreadableModel, text if _FORMATS.search(detail) else f"{text} ({detail})"


def _has_declarations(model: str | bytes) -> bool:
    try:
        describe(model)
    except Error:
        return False
    return True


def _unknown_operator(node: _NodeId, model: str | bytes) -> Failure | None:
    found = outline(model)
    _, operator, domain = node
    if found is None or domain in _CONTRIBUTED:
        return None
    if not domain:
        version = found.imports.get("", found.imports.get("ai.onnx", 0))
        return _invalid_node(node, f"No Op registered for {operator} with domain_version of {version}", model)
    if domain not in found.imports:
        return _invalid_node(node, f"No opset import for domain '{domain}'", model)
    return Fail, f"Fatal error: {domain}:{operator}(-1) is not a registered function/op"


def _invalid_node(node: _NodeId, reason: str, model: str | bytes) -> Failure:
    """Returns the failure for a node, which ONNX Runtime shows with its values and their types."""
    found = outline(model)
    shown = next((known for known in ([] if found is None else found.nodes) if known[:3] == node), None)
    values = "" if shown is None else " -> ".join(_with_types(names, _types(model)) for names in (shown.inputs, shown.outputs))
    return InvalidGraph, f'{INVALID} In Node, ("{node.name}", {node.operator}, "{node.domain}", -1) : {values} , Error {reason}'


def _with_types(names: list[str], types: dict[str, str]) -> str:
    return f"({''.join(f'{_quoted(name)}: {types[name]},' if name in types else f'{_quoted(name)},' for name in names)})"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _types(model: str | bytes) -> dict[str, str]:
    """Returns the types of the model's inputs and outputs that are declared."""
    try:
        declared = describe(model)
    except Error:
        return {}
    values: dict[str, Any] = {**declared.outputs, **declared.inputs}
    return {
        name: value.onnx_type or _type_of(value.data_type, value.is_boolean)
        for name, value in values.items()
        if value.data_type or value.onnx_type
    }
