"""Checks ONNX models as ONNX Runtime does when it loads them: versions, operators, numbers of inputs and outputs, attributes, types.

The checks and their texts are those of ONNX Runtime's Model and Graph::InferAndVerifyTypeMatch(), and of onnx::checker::check_node().
"""

from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

from webnn import _protobuf
from webnn.onnxruntime._errors import Fail, InvalidGraph
from webnn.onnxruntime._output_types import body_inputs, constant_type, graph_outputs, mismatch, result_types
from webnn.onnxruntime._schemas import Parameters, Schema, schema_of
from webnn.onnxruntime._typed_graph import (
    ELEMENTS,
    Attribute,
    RawGraph,
    RawModel,
    RawNode,
    attribute_of,
    element_number,
    raw_graph,
    raw_model,
    text_of,
)

INVALID = "This is an invalid model."
Failure = tuple[type[Exception], str]
_ONNX = ("", "ai.onnx.ml")
_CHECKED = (*_ONNX, "com.microsoft")
_OTHERS = ("ai.onnx", "com.m")  # the first letters of domains that ONNX Runtime imports without a declaration
# Operators that may have attributes which their schemas lack. ONNX Runtime does not list this property of schemas.
_UNCHECKED = """
    Affine BiasDropout BitmaskBiasDropout BitmaskDropout Crop DynamicSlice EPContext GRUUnit GivenTensorFill ImageScaler
    LayerNormalization ParametricSoftplus QOrderedLayerNormalization Scale ScaledTanh SimplifiedLayerNormalization Snpe
"""
_LATEST = 2**31 - 1
_LATEST_FORMAT = 14  # the last version of the ONNX format that ONNX Runtime reads
_LATEST_SETS = {  # the last versions of the operator sets that ONNX Runtime has
    "": 28,
    "ai.onnx.ml": 5,
    "com.ms.internal.nhwc": 28,
    **dict.fromkeys(("ai.onnx.preview", "ai.onnx.preview.training", "ai.onnx.training", "org.pytorch.aten"), 1),
    **dict.fromkeys(("com.microsoft", "com.microsoft.experimental", "com.microsoft.nchwc"), 1),
}
_TYPED_ATTRIBUTES = 2  # the first version of the ONNX format in which attributes declare their types
_KINDS = "FLOAT INT STRING TENSOR GRAPH FLOATS INTS STRINGS TENSORS GRAPHS SPARSE_TENSOR SPARSE_TENSORS TYPE_PROTO TYPE_PROTOS UNDEFINED"
_WORDS = dict(zip("fistgFISTGpPyY?", _KINDS.split(), strict=True))


class _Node(NamedTuple):
    """A node with names as texts, and with its attributes."""

    name: str
    operator: str
    domain: str
    inputs: list[str]
    outputs: list[str]
    attributes: list[Attribute]


class _RefusedError(Exception):
    """A refused node. reason: the rule of the checker that the node breaks; "" for wrong types."""

    def __init__(self, kind: type[Exception], text: str, reason: str = "") -> None:
        super().__init__(text)
        self.failure, self.reason = (kind, text), reason


class Checked(NamedTuple):
    """The result of a check.

    failure: the first problem that ONNX Runtime refuses, or None.
    outputs: without a failure, the types of the model's outputs; "" for unknown ones.
    is_first: whether ONNX Runtime checks the broken rule before the rules about names.
    """

    failure: Failure | None
    outputs: dict[str, str]
    is_first: bool = False


def check(model: str | bytes) -> Checked:
    """Checks the versions and the nodes of a model. Accepts other formats than ONNX."""
    try:
        found = raw_model(_protobuf.view_of(model))
        problem = _wrong_versions(found) if found.has_graph else ""
        if problem:
            return Checked((Fail, problem), {}, is_first=True)
        names = [node.name for node in found.graph.nodes if node.name]
        if len(set(names)) < len(names):
            return Checked((Fail, f"{INVALID} Error: two nodes with same node name."), {})  # _load_failures.py adds the name
        types = _Checker(found).check(found.graph, {})
        return Checked(None, dict(zip(map(text_of, found.graph.outputs), types, strict=True)))
    except _RefusedError as refused:
        return Checked(refused.failure, {})
    except (_protobuf.MalformedError, OSError, TypeError, ValueError, RecursionError):
        return Checked(None, {})  # loading the model reports the problem; a cycle is a ValueError


def _wrong_versions(model: RawModel) -> str:
    """Returns the rule that the versions of the format or of an operator set break; "" if there is none."""
    if not model.imports:
        rule = "All ModelProtos MUST have at least one entry that specifies which version of the ONNX OperatorSet is being imported."
        return f"Missing opset in the model. {rule}"
    if model.ir_version is None:
        return "Missing model IR version."
    if model.ir_version > _LATEST_FORMAT:
        return f"Unsupported model IR version: {model.ir_version}, max supported IR version: {_LATEST_FORMAT}"
    for domain, version in model.imports.items():
        latest = _LATEST_SETS.get(domain, version)
        if version > latest:
            return (
                "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. "
                f"Opset {version} is under development and support for this is limited. The operator schemas and or other functionality "
                "may change before next ONNX release and in this case ONNX Runtime will not guarantee backward compatibility. "
                f"Current official support for domain {domain or 'ai.onnx'} is till opset {latest}."
            )
    return ""


class _Checker:
    def __init__(self, model: RawModel) -> None:
        self._model = model
        self._known: dict[Any, list[str]] = {}  # the types of the outputs of nodes, keyed by all that determines them

    def check(self, graph: RawGraph, outer: MutableMapping[Any, str]) -> list[str]:
        """Checks the nodes of a graph. Returns the types of its outputs. outer: the types of the values around the graph."""
        declared = graph.declared
        own = {**graph.initializers, **declared}
        types: MutableMapping[Any, str] = ChainMap(own, outer) if outer else own  # a copy for each subgraph would take long
        for node in _sorted(graph.nodes):
            _, operator, domain, names, outputs, attributes, is_short = node
            if not names and not outputs:
                continue  # ONNX Runtime ignores such a node
            inputs = tuple([types.get(name, "") if name else None for name in names])
            key = (operator, domain, inputs, len(outputs), b"" in outputs, attributes) if is_short else None
            found = self._known.get(key)
            if found is None:
                found, depends_on_graphs = self._checked(node, inputs, types)
                if is_short and not depends_on_graphs:
                    self._known[key] = found
            for name, inferred in zip(outputs, found, strict=False):
                if name and inferred:
                    existing = declared.get(name)
                    if existing and existing != inferred and operator != b"Constant":  # a Constant decides its type, as in ONNX Runtime
                        where = f"output arg ({text_of(name)}) of node ({text_of(node.name)})"
                        raise _RefusedError(Fail, f"Type Error: Type ({existing}) of {where} does not match expected type ({inferred}).")
                    types[name] = inferred
        for name, kind in graph.initializers.items():
            if kind and declared.get(name, kind) != kind:
                text = f"Data in initializer '{text_of(name)}' has element type {kind} but usage of initializer in graph expects"
                raise _RefusedError(Fail, f"Type Error: {text} {declared[name]}")
        return [types.get(name, "") for name in graph.outputs]

    def _checked(self, raw: RawNode, inputs: Sequence[str | None], types: MutableMapping[Any, str]) -> tuple[list[str], bool]:
        """Checks a node. Returns the types of its outputs, and whether its subgraphs determine them. inputs: the types of its inputs;
        None for those that are omitted."""
        node = _decoded(raw)
        if (node.domain, node.operator) in self._model.functions:
            return [], False
        if (node.domain, node.operator) == ("", "Constant"):  # ONNX Runtime makes it an initializer, without these checks
            return [constant_type(node.attributes)], False
        schema = self._schema(node, types)
        if schema is None:
            return [], False
        problem = _problem(node, schema) or self._wrong_attribute(node, schema)
        if problem:
            raise _refused(node, types, problem)
        bound = _bound(node, schema, inputs)
        problem = "" if node.domain else mismatch(node.operator, node.attributes, inputs)
        if problem:
            raise _RefusedError(Fail, f"Node ({node.name}) Op ({node.operator}) {problem}")
        graphs = self._graphs(node, types, body_inputs(node.operator, schema.since, inputs))
        results = graph_outputs(node.operator, graphs) if graphs else result_types(node.operator, node.domain, node.attributes, inputs)
        return [_output(schema.outputs, at, bound, results) for at in range(len(node.outputs))], bool(graphs)

    def _schema(self, node: _Node, types: Mapping[Any, str]) -> Schema | None:
        """Returns the schema of the node's operator; None if the node cannot be checked."""
        _, operator, domain, *_ = node
        version = self._model.imports.get(domain)
        if not operator:
            raise _refused(node, types, "Field 'op_type' of 'node' is required to be non-empty.")
        if version is None:
            if domain and not domain.startswith(_OTHERS):
                raise _refused(node, types, f"No opset import for domain '{domain}'")
            return schema_of(domain, operator, _LATEST) if domain in _CHECKED else None
        schema = schema_of(domain, operator, version) if domain in _CHECKED else None
        if schema is None and domain in _ONNX:
            raise _refused(node, types, f"No Op registered for {operator} with domain_version of {version}")
        if schema is None and (domain in _CHECKED or not domain.startswith(_OTHERS)):
            raise _RefusedError(Fail, f"Fatal error: {domain}:{operator}(-1) is not a registered function/op")
        if schema is not None and schema.is_deprecated:
            raise _refused(node, types, f"Op registered for {operator} is deprecated in domain_version of {version}")
        return schema

    def _wrong_attribute(self, node: _Node, schema: Schema) -> str:
        """Returns the rule that an attribute breaks; "" if there is none."""
        seen = set()
        for name, kind, _, is_reference in node.attributes:
            if name in seen:
                return f"Attribute '{name}' appeared multiple times."
            seen.add(name)
            if kind == "?" and not is_reference and (self._model.ir_version or 0) >= _TYPED_ATTRIBUTES:
                return "Field 'type' of 'attr' is required but missing."
        for name, kind, _, is_reference in node.attributes:
            expected = schema.attributes.get(name)
            if name.startswith("__") or (expected is None and node.operator in _UNCHECKED.split()):
                continue
            if expected is None:
                return f"Unrecognized attribute: {name} for operator {node.operator}"
            if kind != expected[0] and not is_reference:
                return f"Mismatched attribute type in '{node.name} : {name}'. Expected: '{_WORDS[expected[0]]}', actual: '{_WORDS[kind]}'"
        absent = [name for name, (_, is_required) in schema.attributes.items() if is_required and name not in seen]
        return f"Required attribute '{absent[0]}' is missing." if absent else ""

    def _graphs(self, node: _Node, types: MutableMapping[Any, str], passed: Sequence[str]) -> dict[str, list[str]]:
        """Checks the subgraphs of a node. Returns the types of the outputs of each. passed: the types of the inputs of a body."""
        try:
            found = {}
            for name, kind, value, _ in node.attributes:
                if kind == "g":
                    graph = raw_graph(value)
                    _check_inputs(node, graph, passed if name == "body" else ())
                    found[name] = self.check(graph, types)
        except _RefusedError as inner:
            if inner.reason:
                raise _refused(node, types, inner.reason) from inner
            text = f"Graph attribute inferencing failed: {inner.failure[1]}"
            raise _RefusedError(Fail, f"Node ({node.name}) Op ({node.operator}) [TypeInferenceError] {text}") from inner
        for kinds in zip(found.get("then_branch", ()), found.get("else_branch", ()), strict=False):
            numbers = [element_number(kind) for kind in kinds]
            if 0 not in numbers and numbers[0] != numbers[1]:
                declared, inferred = (ELEMENTS[number] for number in numbers)
                text = f"Mismatched tensor element type: inferred={inferred} declared={declared}"
                raise _RefusedError(Fail, f"Node ({node.name}) Op ({node.operator}) [TypeInferenceError] {text}")
        return found


def _check_inputs(node: _Node, graph: RawGraph, passed: Sequence[str]) -> None:
    """Checks the declared types of a subgraph's inputs. passed: the types of the values that the node passes."""
    for name, kind in zip(graph.inputs, passed, strict=False):
        numbers = element_number(kind), element_number(graph.declared.get(name, ""))
        if 0 not in numbers and numbers[0] != numbers[1]:
            raise _RefusedError(Fail, f"Node:{node.name} Tensor element type mismatch. {numbers[0]} != {numbers[1]}")


def _decoded(raw: RawNode) -> _Node:
    domain = text_of(raw.domain)
    inputs, outputs = [text_of(name) for name in raw.inputs], [text_of(name) for name in raw.outputs]
    attributes = [attribute_of(attribute) for attribute in raw.attributes]
    return _Node(text_of(raw.name), text_of(raw.operator), "" if domain == "ai.onnx" else domain, inputs, outputs, attributes)


def _sorted(nodes: list[RawNode]) -> list[RawNode]:
    """Returns the nodes so that each follows the nodes whose results it reads."""
    makers = {name: index for index, node in enumerate(nodes) for name in node.outputs if name}
    if all(makers.get(name, -1) < index for index, node in enumerate(nodes) for name in node.inputs):
        return nodes
    from graphlib import TopologicalSorter  # noqa: PLC0415  # few models need it

    graph = {index: {makers[name] for name in node.inputs if name in makers} for index, node in enumerate(nodes)}
    return [nodes[index] for index in TopologicalSorter(graph).static_order()]


def _refused(node: _Node, types: Mapping[Any, str], reason: str) -> _RefusedError:
    """Returns the refusal of a node, which ONNX Runtime shows with its values and their types."""
    values = " -> ".join(f"({''.join(_shown(name, types) for name in names)})" for names in (node.inputs, node.outputs))
    text = f'{INVALID} In Node, ("{node.name}", {node.operator}, "{node.domain}", -1) : {values} , Error {reason}'
    return _RefusedError(InvalidGraph, text, f"{reason}\n\n==> Context: Bad node spec for node. Name: {node.name} OpType: {node.operator}")


def _shown(name: str, types: Mapping[Any, str]) -> str:
    kind = types.get(name.encode()) if name else ""
    return f'"{name}": {kind},' if kind else f'"{name}",'


def _problem(node: _Node, schema: Schema) -> str:
    """Returns the rule that the inputs and outputs break: their number, or a name that must not be ""; "" if there is none."""
    lists = ((node.inputs, schema.inputs, "input"), (node.outputs, schema.outputs, "output"))
    for names, parameters, word in lists:
        if not parameters.least <= len(names) <= parameters.most:
            what = f"Node({node.name})" if node.name else "Node"
            where = f"{what} with schema({node.domain}::{node.operator}:{schema.since})"
            return f"{where} has {word} size {len(names)} not in range [min={parameters.least}, max={parameters.most}]."
    for names, parameters, word in lists:
        for at, (name, parameter) in enumerate(zip(names, parameters.given, strict=False)):
            if not name and not parameter.option:
                return f"Node ({node.name})'s {word} {at} is marked single but has an empty string in the graph"
    return ""


def _bound(node: _Node, schema: Schema, inputs: Sequence[str | None]) -> dict[str, str]:
    """Checks the types of the inputs. Returns the type of each type variable."""
    bound: dict[str, str] = {}
    given = schema.inputs.given
    for at, kind in enumerate(inputs):
        if not kind:
            continue
        option, variable, permitted = given[min(at, len(given) - 1)]
        if kind not in permitted:
            where = f"input parameter ({node.inputs[at]}) of operator ({node.operator}) in node ({node.name})"
            raise _RefusedError(InvalidGraph, f"{INVALID} Type Error: Type '{kind}' of {where} is invalid.")
        if variable and option != "&" and bound.setdefault(variable, kind) != kind:
            text = f"bound to different types ({bound[variable]} and {kind} in node ({node.name})."
            raise _RefusedError(Fail, f"Type Error: Type parameter ({variable}) of Optype ({node.operator}) {text}")
    return bound


def _output(parameters: Parameters, at: int, bound: Mapping[str, str], results: list[str]) -> str:
    """Returns the type of an output; "" if it is unknown."""
    option, variable, permitted = parameters.given[min(at, len(parameters.given) - 1)]
    if variable in bound and option != "&":
        return bound[variable]
    if len(permitted) == 1:
        return next(iter(permitted))
    return results[at] if at < len(results) else ""
