"""Rules of ONNX's operators for types that attributes, subgraphs and sequences determine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from webnn.onnxruntime._typed_graph import Attribute, element_number, tensor_type, tensor_type_of

_FLOAT = "tensor(float)"
_CONSTANTS = {"value_float": _FLOAT, "value_int": "tensor(int64)", "value_string": "tensor(string)"}
_LABELS = {"values_floats": _FLOAT, "values_int64s": "tensor(int64)", "values_strings": "tensor(string)"}
_SCAN_WITHOUT_LENGTHS = 9  # the first version of Scan of which the first input is passed to the body
_BITS = {
    f"tensor({kind})": bits
    for bits, kinds in {
        8: "bool int8 uint8 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0",
        16: "int16 uint16 float16 bfloat16",
        32: "int32 uint32 float",
        64: "int64 uint64 double complex64",
        128: "complex128",
    }.items()
    for kind in kinds.split()
}
_Rule = Callable[[Mapping[str, Any], Sequence[str | None]], str]


def constant_type(attributes: Sequence[Attribute]) -> str:
    """Returns the type of the result of Constant."""
    for name, _, value, _ in attributes:
        if name == "value":
            return tensor_type_of(value)
        if name.removesuffix("s") in _CONSTANTS:
            return _CONSTANTS[name.removesuffix("s")]
    return ""


def graph_outputs(operator: str, graphs: Mapping[str, list[str]]) -> list[str]:
    """Returns the types of the results of If, Loop and Scan. graphs: the types of the outputs of each subgraph."""
    if operator == "Loop":
        return graphs.get("body", [])[1:]
    return graphs.get({"If": "then_branch", "Scan": "body"}.get(operator, ""), [])


def body_inputs(operator: str, version: int, inputs: Sequence[str | None]) -> list[str]:
    """Returns the types that a node with a subgraph "body" passes to the inputs of the subgraph; "" for unknown ones."""
    passed = [kind or "" for kind in inputs]
    if operator == "Loop":
        return ["tensor(int64)", *passed[1:]]
    if operator == "SequenceMap":
        return [kind.removeprefix("seq(").removesuffix(")") if kind.startswith("seq(") else kind for kind in passed]
    return passed[1:] if operator == "Scan" and version < _SCAN_WITHOUT_LENGTHS else passed


def mismatch(operator: str, attributes: Sequence[Attribute], inputs: Sequence[str | None]) -> str:
    """Returns ONNX Runtime's text for types that the operator does not combine; "" if there is none."""
    if operator == "SequenceInsert":
        wanted, found = _item({}, inputs), inputs[1] or ""
        if wanted and found and wanted != found:
            numbers = f"Sequence={element_number(wanted)} Tensor={element_number(found)}"
            return f"[TypeInferenceError] Input Sequence and Tensor are expected to have the same elem type. {numbers}"
    if operator == "BitCast" and inputs[0]:
        to = next((attribute.value for attribute in attributes if attribute.name == "to"), None)
        given, made = _BITS.get(inputs[0]), _BITS.get(tensor_type(to or 0))
        if given and made and given != made:
            rule = "BitCast requires input and output types to have the same bit-width"
            return f"[ShapeInferenceError] {rule}, but input type has {given} bits and output type has {made} bits."
    return ""


def result_types(operator: str, domain: str, attributes: Sequence[Attribute], inputs: Sequence[str | None]) -> list[str]:
    """Returns types of the first results of a node without subgraphs; "" for unknown types, or if a type variable determines the type."""
    values = {attribute.name: attribute.value for attribute in attributes}
    if (domain, operator) == ("ai.onnx.ml", "LabelEncoder"):
        return [_of_labels(values)]
    if domain:
        return []
    if operator == "LayerNormalization":
        return ["", *[tensor_type(values.get("stash_type", 1))] * 2]
    rule = _RULES.get(operator)
    return [rule(values, inputs)] if rule else []


def _of_attribute(name: str, default: str = _FLOAT) -> _Rule:
    """Returns a rule: the type is that of an attribute, or else `default`, or that of the first input if `default` is ""."""

    def rule(attributes: Mapping[str, Any], inputs: Sequence[str | None]) -> str:
        if name in attributes:
            return tensor_type(attributes[name] or 0)
        return default or inputs[0] or ""

    return rule


def _of_value(attributes: Mapping[str, Any], _: Sequence[str | None]) -> str:
    return tensor_type_of(attributes["value"]) if "value" in attributes else _FLOAT


def _quantized(attributes: Mapping[str, Any], _: Sequence[str | None]) -> str:
    return tensor_type(attributes.get("output_dtype") or 0) or "tensor(uint8)"


def _dequantized(attributes: Mapping[str, Any], inputs: Sequence[str | None]) -> str:
    return tensor_type(attributes.get("output_dtype") or 0) or inputs[1] or ""


def _of_labels(attributes: Mapping[str, Any]) -> str:
    if "values_tensor" in attributes:
        return tensor_type_of(attributes["values_tensor"])
    return next((kind for name, kind in _LABELS.items() if name in attributes), "")


def _element(_: Mapping[str, Any], inputs: Sequence[str | None]) -> str:
    first = inputs[0] or ""
    return first.removeprefix("optional(").removesuffix(")") if first.startswith("optional(") else first


def _item(_: Mapping[str, Any], inputs: Sequence[str | None]) -> str:
    first = inputs[0] or ""
    return first.removeprefix("seq(").removesuffix(")") if first.startswith("seq(") else ""


def _sequence(_: Mapping[str, Any], inputs: Sequence[str | None]) -> str:
    return f"seq({inputs[0]})" if inputs[0] else ""


_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("RandomNormal", "RandomUniform"), _of_attribute("dtype")),
    **dict.fromkeys(("EyeLike", "RandomNormalLike", "RandomUniformLike", "Bernoulli"), _of_attribute("dtype", "")),
    **dict.fromkeys(("BlackmanWindow", "HammingWindow", "HannWindow", "MelWeightMatrix"), _of_attribute("output_datatype")),
    **dict.fromkeys(("SequenceConstruct", "SplitToSequence"), _sequence),
    **dict.fromkeys(("SequenceAt", "ConcatFromSequence"), _item),
    **dict.fromkeys(("BitCast", "Cast"), _of_attribute("to")),
    "DequantizeLinear": _dequantized,
    "ConstantOfShape": _of_value,
    "OptionalGetElement": _element,
    "Multinomial": _of_attribute("dtype", "tensor(int32)"),
    "QuantizeLinear": _quantized,
}
