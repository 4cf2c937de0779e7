"""Optimizes ONNX models for SessionOptions.optimized_model_filepath, without the package onnx.

Removes nodes without effect or use, and computes nodes of which all inputs are constant. Sessions of the optimized model make the same
further optimizations as sessions of the model itself.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from webnn import _protobuf
from webnn._ortvalue import OrtValue
from webnn.onnxruntime._schema_check import check
from webnn.onnxruntime._typed_graph import RawNode, attribute_of, element_number, raw_model, raw_node, text_of

_NODE, _INITIALIZER, _INPUT, _OUTPUT, _VALUE = 1, 5, 11, 12, 13  # fields of GraphProto
_NODE_INPUT = 1  # a field of NodeProto
_GRAPH = 7  # a field of ModelProto
_TENSOR_NAME, _VALUE_NAME, _VALUE_TYPE = 8, 1, 2  # fields of TensorProto and ValueInfoProto
_ONNX = ("", "ai.onnx")
Compute = Callable[[bytes], list[OrtValue]]
_TYPES = range(1, 14)  # the numbers of the element types that are computed: bool, strings, and NumPy's integers and floats
_MOST_BYTES = 1 << 26  # the maximum size of all constants that are added
_MASK, _IS_TRAINED = 1, 2  # the positions among the outputs and inputs of Dropout
_DROPOUT = 7  # the first version of Dropout without an attribute that says whether it trains
# Operators that compute other values in each run, and those that ONNX Runtime does not compute in advance.
_KEPT = frozenset(
    b"""Bernoulli DequantizeLinear Multinomial Optional OptionalGetElement OptionalHasElement QuantizeLinear RandomNormal
    RandomNormalLike RandomUniform RandomUniformLike SequenceConstruct SequenceEmpty SplitToSequence""".split()
)


class _Item(NamedTuple):
    """A node and its message."""

    node: RawNode
    message: Any


def optimized(model: bytes, compute: Compute) -> bytes:
    """Returns the optimized model; the model itself if it has subgraphs, or nodes before those whose results they read.

    compute: computes the results of a model without inputs.
    """
    view = memoryview(model)
    try:
        found = raw_model(view)
    except _protobuf.MalformedError:
        return model  # of another format
    graph = _protobuf._first(view, _GRAPH, memoryview(b""))
    items = [_Item(raw_node(content), content) for number, content, _ in _protobuf._fields(graph) if number == _NODE]
    if not _is_plain([item.node for item in items]):
        return model
    results = {*found.graph.outputs}
    items = _used(_without_copies(items, results, found.imports.get("", 0)), results)
    fixed = {*found.graph.initializers} - {name.encode() for name in _protobuf.overridable(model)}
    tensors = _tensors(graph)
    constants = {name for name in fixed if name in tensors and not _protobuf.is_external(tensors[name])}
    computed = _computed(model, items, constants, results, compute)
    items = _used([item for item in items if not computed.keys() & {*item.node.outputs}], results)
    read = {bytes(name) for item in items for name in item.node.inputs} | results | {*found.graph.inputs}
    kept = {name: message for name, message in computed.items() if name in read}

    def edit(content: memoryview) -> bytes:
        return _graph(content, items, read, kept)

    return bytes(_protobuf._rebuilt(view, {_GRAPH: edit}))


def _is_plain(nodes: list[RawNode]) -> bool:
    """Returns whether the nodes have no subgraphs, and follow the nodes whose results they read."""
    known: set[bytes] = set()
    made = {bytes(name) for node in nodes for name in node.outputs if name}
    for node in nodes:
        if any(name and bytes(name) in made and bytes(name) not in known for name in node.inputs):
            return False
        if any(attribute_of(attribute).kind in ("g", "G") for attribute in node.attributes):
            return False
        known.update(bytes(name) for name in node.outputs)
    return True


def _without_copies(items: list[_Item], results: set[bytes], version: int) -> list[_Item]:
    """Returns the nodes without those that only copy a value. Later nodes read that value instead of the copy."""
    sources: dict[bytes, bytes] = {}
    kept = []
    read = {bytes(name) for item in items for name in item.node.inputs} | results
    for item in items:
        message = _renamed(item.message, sources)
        node = raw_node(message)
        if _is_copy(node, version, read) and bytes(node.outputs[0]) not in results:
            sources[bytes(node.outputs[0])] = bytes(node.inputs[0])
        else:
            kept.append(_Item(node, message))
    return kept


def _is_copy(node: RawNode, version: int, read: set[bytes]) -> bool:
    if text_of(node.domain) not in _ONNX or not node.inputs or not node.outputs:
        return False
    if node.operator == b"Identity":
        return True
    is_masked = len(node.outputs) > _MASK and bytes(node.outputs[_MASK]) in read
    is_trained = len(node.inputs) > _IS_TRAINED and bool(node.inputs[_IS_TRAINED])
    return node.operator == b"Dropout" and version >= _DROPOUT and not is_masked and not is_trained


def _renamed(message: Any, sources: Mapping[bytes, bytes]) -> bytes:
    parts = []
    for number, content, whole in _protobuf._fields(memoryview(message)):
        source = sources.get(bytes(content)) if number == _NODE_INPUT else None
        parts.append(whole if source is None else _protobuf._field(_NODE_INPUT, source))
    return b"".join(parts)


def _used(items: list[_Item], results: set[bytes]) -> list[_Item]:
    """Returns the nodes of which the results are used."""
    read, kept = {*results}, []
    for item in reversed(items):
        if any(bytes(name) in read for name in item.node.outputs if name):
            kept.append(item)
            read.update(bytes(name) for name in item.node.inputs)
    return kept[::-1]


def _tensors(graph: Any) -> dict[bytes, memoryview]:
    """Returns the messages of the initializers."""
    tensors = (content for number, content, _ in _protobuf._fields(graph) if number == _INITIALIZER)
    return {_protobuf._name_of(tensor, _TENSOR_NAME).encode(): tensor for tensor in tensors}


def _computed(model: bytes, items: list[_Item], constants: set[bytes], results: set[bytes], compute: Compute) -> dict[bytes, bytes]:
    """Computes the nodes of which all inputs are constant. Returns the messages of their results."""
    chosen: list[_Item] = []
    known, made = {*constants, b""}, []
    for item in items:
        node = item.node
        outputs = [bytes(name) for name in node.outputs if name]
        is_known = text_of(node.domain) in _ONNX and bytes(node.operator) not in _KEPT and results.isdisjoint(outputs)
        if is_known and all(bytes(name) in known for name in node.inputs):
            chosen.append(item)
            known.update(outputs)
            made += outputs
    if not chosen:
        return {}
    read = {bytes(name) for item in chosen for name in item.node.inputs}

    def with_results(types: Mapping[str, str]) -> bytes:
        outputs = b"".join(_result(name, element_number(types.get(text_of(name), ""))) for name in made)
        parts = {_GRAPH: lambda content: _graph(content, chosen, read, {}, (_INPUT, _OUTPUT, _VALUE)) + outputs}
        return bytes(_protobuf._rebuilt(memoryview(model), parts))

    with contextlib.suppress(Exception):  # a node that fails stays in the model, so that runs report the failure
        values = compute(with_results(check(with_results({})).outputs))  # without a type, a bool is computed as uint8
        if all(value.is_tensor() and value.element_type() in _TYPES for value in values):
            messages = [
                _protobuf.tensor_of(text_of(name), value.numpy(), value.element_type()) for name, value in zip(made, values, strict=True)
            ]
            if sum(map(len, messages)) <= _MOST_BYTES:
                return dict(zip(made, messages, strict=True))
    return {}


def _result(name: bytes, element: int) -> bytes:
    """Returns the field of a result with this element type; 0: with an unknown type."""
    kind = _protobuf._field(_VALUE_TYPE, _protobuf._field(1, _protobuf._field(1, element))) if element else b""
    return _protobuf._field(_OUTPUT, _protobuf._field(_VALUE_NAME, name) + kind)


def _graph(graph: memoryview, items: list[_Item], read: set[bytes], tensors: Mapping[bytes, bytes], without: Sequence[int] = ()) -> bytes:
    """Returns the graph with these nodes, its initializers in `read`, and `tensors` as new ones. without: the fields to omit."""
    parts: list[bytes | memoryview] = [_protobuf._field(_NODE, item.message) for item in items]
    for number, content, whole in _protobuf._fields(graph):
        if number == _INITIALIZER:
            if _protobuf._name_of(content, _TENSOR_NAME).encode() in read:
                parts.append(whole)
        elif number != _NODE and number not in without:
            parts.append(whole)
    return b"".join([*parts, *(_protobuf._field(_INITIALIZER, tensor) for tensor in tensors.values())])
