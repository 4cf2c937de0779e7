"""Reads and edits ONNX models as bytes, without the package onnx. https://protobuf.dev/programming-guides/encoding/"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from webnn._types import Array

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_MORE, _MOST_BITS = 0x80, 63  # varints: the flag of all bytes but the last; the maximum number of bits before the last byte
_FIRST_OVERRIDABLE = 4  # the first version of the ONNX format in which initializers need not be inputs
_IR_VERSION, _MODEL_VERSION, _GRAPH, _IMPORT, _FUNCTIONS = 1, 5, 7, 8, 25  # fields of ModelProto
_NODE, _INITIALIZER, _INPUT, _GRAPH_OUTPUT, _SPARSE_INITIALIZER = 1, 5, 11, 12, 15  # fields of GraphProto
_NODE_INPUT, _OUTPUT, _NODE_NAME, _OPERATOR, _DOMAIN = 1, 2, 3, 4, 7  # fields of NodeProto
_TYPE, _TENSOR_TYPE, _SHAPE, _DIM = 2, 1, 2, 1  # fields of ValueInfoProto, TypeProto, TypeProto.Tensor and TensorShapeProto
_DIM_VALUE, _DIM_PARAM, _DENOTATION = 1, 2, 3  # fields of TensorShapeProto.Dimension
_ATTRIBUTE, _FUNCTION_NODE = 5, 7  # fields of NodeProto and FunctionProto
_TENSOR, _SUBGRAPH, _TENSORS, _SUBGRAPHS = 5, 6, 10, 11  # fields of AttributeProto
_DIMS, _DATA_TYPE, _STRINGS, _NAME, _RAW, _EXTERNAL, _LOCATION = 1, 2, 6, 8, 9, 13, 14  # fields of TensorProto

Edit = Callable[[str, memoryview], bytes | memoryview | None]  # (name, tensor) -> the tensor, another one, or None to remove it
FileOf = Callable[[str], bytes | memoryview | None]


class MalformedError(Exception):
    """The bytes are no message of Protocol Buffers."""


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > _MOST_BITS:
            raise MalformedError
        byte = data[at]
        value, at, shift = value | (byte & 0x7F) << shift, at + 1, shift + 7
        if byte < _MORE:
            return value & (1 << 64) - 1, at


def _fields(message: memoryview) -> Iterator[tuple[int, Any, memoryview]]:
    """Yields the number, the content and all bytes of each field. The content is an int, or a memoryview of bytes."""
    at = 0
    while at < len(message):
        begin = at
        key, at = _varint(message, at)
        kind = key & 7
        content: Any = None
        if kind == _VARINT:
            content, at = _varint(message, at)
        elif kind in (_FIXED32, _FIXED64):
            at += 4 if kind == _FIXED32 else 8
        elif kind == _BYTES:
            size, at = _varint(message, at)
            content, at = message[at : at + size], at + size
        else:
            raise MalformedError
        if at > len(message):
            raise MalformedError
        yield key >> 3, content, message[begin:at]


def _encoded(value: int) -> bytes:
    encoded = bytearray()
    while value >= _MORE:
        encoded.append(value & (_MORE - 1) | _MORE)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _field(number: int, content: "int | bytes | memoryview") -> bytes:
    if isinstance(content, int):
        return _encoded(number << 3 | _VARINT) + _encoded(content)
    return b"".join((_encoded(number << 3 | _BYTES), _encoded(len(content)), content))


def _text(content: Any) -> str:
    if not isinstance(content, memoryview):
        raise MalformedError  # the field holds a number
    return bytes(content).decode(errors="replace")


def _first(message: memoryview, number: int, absent: Any) -> Any:
    return next((content for found, content, _ in _fields(message) if found == number), absent)


def _name_of(message: memoryview, number: int) -> str:
    return _text(_first(message, number, memoryview(b"")))


def _rebuilt(message: memoryview, editors: Mapping[int, Callable[[memoryview], bytes | memoryview | None]]) -> bytes | memoryview:
    """Returns the message with the content of some fields edited. Returns the message itself if nothing changes."""
    parts: list[bytes | memoryview] = []
    changed = False
    for number, content, whole in _fields(message):
        edited = editors[number](content) if number in editors and isinstance(content, memoryview) else content
        if edited is content:
            parts.append(whole)
            continue
        changed = True
        if edited is not None:
            parts.append(_field(number, edited))
    return b"".join(parts) if changed else message


def edited(model: bytes, edit: Edit) -> bytes:
    """Returns the model with the initializers of its main graph edited."""

    def tensor(content: memoryview) -> bytes | memoryview | None:
        return edit(_name_of(content, _NAME), content)

    return bytes(_rebuilt(memoryview(model), {_GRAPH: lambda graph: _rebuilt(graph, {_INITIALIZER: tensor})}))


def content_of(model: str | bytes) -> bytes:
    """Returns the bytes of a model, or of the file at this path."""
    if isinstance(model, bytes):
        return model
    with open(model, "rb") as file:
        return file.read()


def view_of(model: str | bytes) -> memoryview:
    """Returns the bytes of a model, or those of the file at this path, which is mapped: few pages of large weights are read."""
    if isinstance(model, bytes):
        return memoryview(model)
    content: Any = np.memmap(model, np.uint8, "r") if os.path.getsize(model) else b""
    return memoryview(content)


class Node(NamedTuple):
    """A node of the main graph. Inputs and outputs are names, which are "" if they are omitted."""

    name: str
    operator: str
    domain: str
    inputs: list[str]
    outputs: list[str]


class Outline(NamedTuple):
    """The names of a main graph, and the imported version of each domain."""

    nodes: list[Node]
    inputs: list[str]
    outputs: list[str]
    initializers: list[str]
    imports: dict[str, int]


def _node_of(message: memoryview) -> Node:
    texts: dict[int, list[str]] = {number: [] for number in (_NODE_INPUT, _OUTPUT, _NODE_NAME, _OPERATOR, _DOMAIN)}
    for number, content, _ in _fields(message):
        if number in texts:
            texts[number].append(_text(content))
    inputs, outputs, *rest = texts.values()
    name, operator, domain = ("".join(given[-1:]) for given in rest)
    return Node(name, operator, domain, inputs, outputs)


def outline_of(model: memoryview) -> Outline:
    """Reads the outline of a model. Raises MalformedError."""
    found = Outline([], [], [], [], {})
    for number, content, _ in _fields(model):
        if number == _IMPORT:
            found.imports[_name_of(content, 1)] = _first(content, 2, 0)
    for number, content, _ in _fields(_first(model, _GRAPH, memoryview(b""))):
        if number == _NODE:
            found.nodes.append(_node_of(content))
        elif number in (_INPUT, _GRAPH_OUTPUT):
            (found.inputs if number == _INPUT else found.outputs).append(_name_of(content, 1))
        elif number in (_INITIALIZER, _SPARSE_INITIALIZER):
            tensor = content if number == _INITIALIZER else _first(content, 1, memoryview(b""))
            found.initializers.append(_name_of(tensor, _NAME))
    return found


def operators(model: bytes) -> dict[str, str]:
    """Returns the operators of the main graph's nodes, by the names of the nodes and of their outputs."""
    return {name: node.operator for node in outline_of(memoryview(model)).nodes for name in (*node.outputs, node.name)}


def model_version(model: memoryview) -> int | None:
    """Returns ModelProto.model_version; None if the model has none."""
    version = _first(model, _MODEL_VERSION, None)
    return None if version is None else int(np.uint64(version).astype(np.int64))


def external_files(model: memoryview) -> dict[str, str]:
    """Returns the locations of the main graph's external data, by the names of the initializers."""
    found = {}
    for number, tensor, _ in _fields(_first(model, _GRAPH, memoryview(b""))):
        if number == _INITIALIZER and is_external(tensor):
            entries = [entry for field, entry, _ in _fields(tensor) if field == _EXTERNAL]
            found[_name_of(tensor, _NAME)] = next((_name_of(entry, 2) for entry in entries if _name_of(entry, 1) == "location"), "")
    return found


def denotations(model: memoryview) -> list[tuple[str, str, int | None]]:
    """Returns (denotation, name, size) of each dimension with a denotation in the model's inputs. A dimension without a name is called
    INPUT.AXIS; the size of an open dimension is None."""
    found = []
    for number, value, _ in _fields(_first(model, _GRAPH, memoryview(b""))):
        if number != _INPUT:
            continue
        shape: Any = value
        for field in (_TYPE, _TENSOR_TYPE, _SHAPE):
            shape = _first(shape, field, memoryview(b""))
        dimensions = [content for field, content, _ in _fields(shape) if field == _DIM]
        for axis, dimension in enumerate(dimensions):
            name = _name_of(dimension, _DIM_PARAM) or f"{_name_of(value, 1)}.{axis}"
            found.append((_name_of(dimension, _DENOTATION), name, _first(dimension, _DIM_VALUE, None)))
    return [dimension for dimension in found if dimension[0]]


def overridable(model: bytes) -> list[str]:
    """Returns the names of the initializers that are inputs too; [] for old models, in which all initializers had to be inputs."""
    message = memoryview(model)
    if _first(message, _IR_VERSION, 0) < _FIRST_OVERRIDABLE:
        return []
    graph = _first(message, _GRAPH, memoryview(b""))
    initializers = [_name_of(content, _NAME) for number, content, _ in _fields(graph) if number == _INITIALIZER]
    inputs = {_name_of(content, 1) for number, content, _ in _fields(graph) if number == _INPUT}
    return [name for name in initializers if name in inputs]


def shape_and_type(tensor: memoryview) -> tuple[list[int], int]:
    """Returns the shape of a tensor, and its type as a number of onnx.TensorProto."""
    dims: list[int] = []
    for number, content, _ in _fields(tensor):
        if number == _DIMS and isinstance(content, int):
            dims.append(content)
        elif number == _DIMS:  # packed
            at = 0
            while at < len(content):
                size, at = _varint(content, at)
                dims.append(size)
    return dims, _first(tensor, _DATA_TYPE, 0)


def is_external(tensor: memoryview) -> bool:
    return bool(_first(tensor, _LOCATION, 0) == 1)


def tensor_of(name: str, array: Array, element_type: int) -> bytes:
    """Encodes an array as a tensor of ONNX."""
    head = b"".join(_field(_DIMS, size) for size in array.shape) + _field(_DATA_TYPE, element_type) + _field(_NAME, name.encode())
    if array.dtype == np.object_:
        texts = (item if isinstance(item, bytes) else str(item).encode() for item in array.flat)
        return head + b"".join(_field(_STRINGS, text) for text in texts)
    return head + _field(_RAW, np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def inlined(model: bytes, file_of: FileOf) -> bytes:
    """Moves external data into the model. `file_of` returns a file's content by its location, or None to leave the data there."""

    def tensor(content: memoryview) -> bytes | memoryview:
        if not is_external(content):
            return content
        entries = {}
        for number, entry, _ in _fields(content):
            if number == _EXTERNAL:
                entries[_name_of(entry, 1)] = _name_of(entry, 2)
        data = file_of(entries.get("location", ""))
        if data is None:
            return content
        view = memoryview(data)
        try:
            offset = int(entries.get("offset", 0))
            end = offset + int(entries["length"]) if "length" in entries else len(view)
        except ValueError:
            return content  # the session names the tensor in its error
        if not 0 <= offset <= end <= len(view):
            return content
        kept = [whole for number, _, whole in _fields(content) if number not in (_EXTERNAL, _LOCATION, _RAW)]
        return b"".join((*kept, _field(_RAW, view[offset:end])))

    def attribute(content: memoryview) -> bytes | memoryview:
        return _rebuilt(content, {_TENSOR: tensor, _TENSORS: tensor, _SUBGRAPH: graph, _SUBGRAPHS: graph})

    def node(content: memoryview) -> bytes | memoryview:
        return _rebuilt(content, {_ATTRIBUTE: attribute})

    def graph(content: memoryview) -> bytes | memoryview:
        return _rebuilt(content, {_NODE: node, _INITIALIZER: tensor})

    def function(content: memoryview) -> bytes | memoryview:
        return _rebuilt(content, {_FUNCTION_NODE: node})

    return bytes(_rebuilt(memoryview(model), {_GRAPH: graph, _FUNCTIONS: function}))


def moved_out(model: bytes, location: str, least: int, data: bytearray) -> bytes:
    """Moves raw data of at least `least` bytes from initializers to `data`, and makes it their external data at this location."""

    def tensor(_: str, content: memoryview) -> bytes | memoryview:
        raw = _first(content, _RAW, None)
        if raw is None or len(raw) < least:
            return content
        data.extend(bytes(-len(data) % 4096))  # aligned to pages, because sessions may map the file
        entries = {"location": location, "offset": str(len(data)), "length": str(len(raw))}
        data.extend(raw)
        kept = [whole for number, _, whole in _fields(content) if number != _RAW]
        pairs = (_field(_EXTERNAL, _field(1, key.encode()) + _field(2, value.encode())) for key, value in entries.items())
        return b"".join((*kept, *pairs, _field(_LOCATION, 1)))

    return edited(model, tensor)


def may_be_external(model: bytes) -> bool:
    """Returns whether the model may have external data. Quick, because loading calls it for each model given as bytes."""
    return b"\x0a\x08location" in model


def files_below(folder: str) -> FileOf:
    """Returns a function that reads the files of a directory. It returns None for other files."""
    root = os.path.realpath(folder)
    cache: dict[str, Any] = {}

    def file_of(location: str) -> Any:
        if location not in cache:
            path = os.path.realpath(os.path.join(root, location))
            is_below = os.path.commonpath([root, path]) == root and not os.path.isabs(location)
            cache[location] = np.memmap(path, np.uint8, "r") if is_below and os.path.isfile(path) and os.path.getsize(path) else None
        return cache[location]

    return file_of
