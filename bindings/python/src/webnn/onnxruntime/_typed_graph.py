"""Reads the nodes and the types of ONNX models, without the package onnx.

Each load reads all nodes, so names remain bytes, and attributes are parsed only when they are needed.
"""

from typing import Any, NamedTuple

from webnn._protobuf import MalformedError, _varint

_IR_VERSION, _GRAPH, _IMPORT, _FUNCTIONS = 1, 7, 8, 25  # fields of ModelProto
_NODE, _INITIALIZER, _INPUT, _OUTPUT, _VALUE, _SPARSE_INITIALIZER = 1, 5, 11, 12, 13, 15  # fields of GraphProto
_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME, _OPERATOR, _ATTRIBUTE, _DOMAIN = 1, 2, 3, 4, 5, 7  # fields of NodeProto
_NAME, _INTEGER, _TENSOR, _SUBGRAPH, _SPARSE_TENSOR, _KIND, _REFERENCE = 1, 3, 5, 6, 22, 20, 21  # fields of AttributeProto
_FUNCTION_NAME, _FUNCTION_DOMAIN = 1, 10  # fields of FunctionProto
_VALUE_NAME, _VALUE_TYPE = 1, 2  # fields of ValueInfoProto
_TENSOR_TYPE, _SEQUENCE, _MAP, _SPARSE, _OPTIONAL = 1, 4, 5, 8, 9  # fields of TypeProto
_DATA_TYPE, _TENSOR_NAME = 2, 8  # fields of TensorProto
_BIT_VARINT, _BIT_FIXED64, _BIT_BYTES, _BIT_FIXED32 = 0, 1, 2, 5  # wire types
_MORE = 0x80  # the flag of all bytes of a varint but the last
_NO_FIELD = 7  # the greatest key of field 0, which no message has; files of other formats may consist of zeros
_SHORT = 1 << 16  # messages of fewer bytes are copied, because bytes are read faster than a memoryview

_ELEMENTS = (
    "undefined float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2"
)  # by the numbers of TensorProto.DataType
ELEMENTS = _ELEMENTS.split()
KINDS = "?fistgFISTGpPyY"  # the letters of _schemas.txt, by the numbers of AttributeProto.AttributeType


class Attribute(NamedTuple):
    """An attribute. kind: the letter of its type, "?" if it has none. value: an integer, or the bytes of a tensor or graph."""

    name: str
    kind: str
    value: Any
    is_reference: bool  # the value is that of an attribute of the function around the node


class RawNode(NamedTuple):
    """A node that is not decoded. Names and attributes are bytes, or memoryviews if the node has 64 KiB or more."""

    name: Any
    operator: Any
    domain: Any
    inputs: list[Any]
    outputs: list[Any]
    attributes: tuple[Any, ...]
    is_short: bool  # of less than 64 KiB


class RawGraph(NamedTuple):
    """The nodes of a graph, and the types of its values that are declared."""

    nodes: list[RawNode]
    inputs: list[Any]
    outputs: list[Any]
    declared: dict[Any, str]
    initializers: dict[Any, str]


class RawModel(NamedTuple):
    graph: RawGraph
    has_graph: bool
    imports: dict[str, int]
    functions: set[tuple[str, str]]
    ir_version: int | None


def text_of(content: Any) -> str:
    if isinstance(content, int):
        raise MalformedError  # the field holds a number
    return str(content, "utf-8", "replace")


def signed(content: Any) -> int:
    """Converts the content of a field of type int64."""
    if not isinstance(content, int):
        raise MalformedError
    return content - (1 << 64) if content >> 63 else content


def _scan(message: Any) -> list[tuple[int, Any]]:
    """Returns the number and the content of each field, as webnn._protobuf._fields() does, but faster."""
    fields = []
    at, end = 0, len(message)
    while at < end:
        key, at = message[at], at + 1
        if key >= _MORE:
            key, at = _varint(message, at - 1)
        kind = key & 7
        if key <= _NO_FIELD:
            raise MalformedError
        if kind in (_BIT_BYTES, _BIT_VARINT):
            if at == end:
                raise MalformedError
            content, at = message[at], at + 1
            if content >= _MORE:
                content, at = _varint(message, at - 1)
            if kind == _BIT_BYTES:
                begin, at = at, at + content
                content = message[begin:at]
            fields.append((key >> 3, content))
        elif kind in (_BIT_FIXED32, _BIT_FIXED64):
            at += 4 if kind == _BIT_FIXED32 else 8
        else:
            raise MalformedError
    if at > end:
        raise MalformedError
    return fields


def _first(message: Any, number: int, absent: Any) -> Any:
    for found, content in _scan(message):
        if found == number:
            if isinstance(content, int) != isinstance(absent, int):
                raise MalformedError
            return content
    return absent


def tensor_type(element: int) -> str:
    return f"tensor({ELEMENTS[element]})" if 0 < element < len(ELEMENTS) else ""


def element_number(kind: str) -> int:
    """Returns the number of the element type of a tensor's type; 0 for other types."""
    name = kind.removeprefix("tensor(").removesuffix(")")
    return ELEMENTS.index(name) if kind.startswith("tensor(") and name in ELEMENTS else 0


def tensor_type_of(tensor: Any) -> str:
    return tensor_type(_first(tensor, _DATA_TYPE, 0))


def _type(message: Any) -> str:
    """Returns ONNX Runtime's name of a type; "" if it is undefined."""
    for number, content in _scan(message):
        if number in (_TENSOR_TYPE, _SPARSE):
            element = tensor_type(_first(content, 1, 0))
            return f"sparse_{element}" if number == _SPARSE and element else element
        if number in (_SEQUENCE, _OPTIONAL):
            inner = _type(_first(content, 1, b""))
            return inner and f"{'seq' if number == _SEQUENCE else 'optional'}({inner})"
        if number == _MAP:
            key, value = _first(content, 1, 0), _type(_first(content, 2, b""))
            return f"map({ELEMENTS[key]},{value})" if value and key < len(ELEMENTS) else ""
    return ""


def raw_node(message: Any) -> RawNode:
    inputs: list[Any] = []
    outputs: list[Any] = []
    attributes: list[Any] = []
    name = operator = domain = b""
    end, at = len(message), 0
    is_short = end < _SHORT
    if is_short:
        message = bytes(message)
    while at < end:
        key = message[at]
        if key >= _MORE or key & 7 != _BIT_BYTES or at + 1 == end:
            return _odd_node(message)
        size, at = message[at + 1], at + 2
        if size >= _MORE:
            size, at = _varint(message, at - 1)
        content = message[at : at + size]
        at, number = at + size, key >> 3
        if number == _NODE_INPUT:
            inputs.append(content)
        elif number == _NODE_OUTPUT:
            outputs.append(content)
        elif number == _ATTRIBUTE:
            attributes.append(content)
        elif number == _OPERATOR:
            operator = content
        elif number == _NODE_NAME:
            name = content
        elif number == _DOMAIN:
            domain = content
    if at > end:
        raise MalformedError
    return RawNode(name, operator, domain, inputs, outputs, tuple(attributes), is_short)


def _odd_node(message: Any) -> RawNode:
    """Reads a node with fields that ONNX does not define, or of wrong types, which are ignored."""
    fields: dict[int, list[Any]] = {}
    for number, content in _scan(message):
        if not isinstance(content, int):
            fields.setdefault(number, []).append(content)
    name, operator, domain = (fields.get(number, [b""])[-1] for number in (_NODE_NAME, _OPERATOR, _DOMAIN))
    inputs, outputs, attributes = (fields.get(number, []) for number in (_NODE_INPUT, _NODE_OUTPUT, _ATTRIBUTE))
    return RawNode(name, operator, domain, inputs, outputs, tuple(attributes), is_short=False)


def raw_graph(message: Any) -> RawGraph:
    found = RawGraph([], [], [], {}, {})
    for number, content in _scan(message):
        if number == _NODE:
            found.nodes.append(raw_node(content))
        elif number in (_INPUT, _OUTPUT, _VALUE):
            fields = dict(_scan(content))
            name = bytes(fields.get(_VALUE_NAME, b""))
            if number != _VALUE:
                (found.inputs if number == _INPUT else found.outputs).append(name)
            kind = _type(fields.get(_VALUE_TYPE, b""))
            if kind:
                found.declared.setdefault(name, kind)
        elif number in (_INITIALIZER, _SPARSE_INITIALIZER):
            fields = dict(_scan(content if number == _INITIALIZER else _first(content, 1, b"")))
            found.initializers[bytes(fields.get(_TENSOR_NAME, b""))] = tensor_type(fields.get(_DATA_TYPE, 0))
    return found


def attribute_of(message: Any) -> Attribute:
    name, kind, value, is_reference = "", 0, None, False
    for number, content in _scan(message):
        if number == _NAME:
            name = text_of(content)
        elif number == _KIND:
            kind = content
        elif number in (_INTEGER, _TENSOR, _SUBGRAPH, _SPARSE_TENSOR):
            value = content
        elif number == _REFERENCE:
            is_reference = True
    return Attribute(name, KINDS[kind] if 0 < kind < len(KINDS) else "?", value, is_reference)


def raw_model(message: memoryview) -> RawModel:
    """Reads a model. Raises MalformedError."""
    imports: dict[str, int] = {}
    functions = set()
    graph: Any = None
    version = None
    for number, content in _scan(message):
        if number in (_GRAPH, _IMPORT, _FUNCTIONS) and isinstance(content, int):
            raise MalformedError
        if number == _IMPORT:
            domain = text_of(_first(content, 1, b""))
            imports["" if domain == "ai.onnx" else domain] = signed(_first(content, 2, 0))
        elif number == _FUNCTIONS:
            functions.add((text_of(_first(content, _FUNCTION_DOMAIN, b"")), text_of(_first(content, _FUNCTION_NAME, b""))))
        elif number == _GRAPH:
            graph = content
        elif number == _IR_VERSION:
            version = signed(content)
    return RawModel(raw_graph(b"" if graph is None else graph), graph is not None, imports, functions, version)
