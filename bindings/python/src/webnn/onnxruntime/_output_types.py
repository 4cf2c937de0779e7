"""The types of results that attributes, subgraphs and sequences determine, in ONNX's operators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from webnn.onnxruntime._typed_graph import Attribute, tensor_type, tensor_type_of

_FLOAT = "tensor(float)"
_CONSTANTS = {"value_float": _FLOAT, "value_int": "tensor(int64)", "value_string": "tensor(string)"}
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


def result_type(operator: str, attributes: Sequence[Attribute], inputs: Sequence[str | None]) -> str:
    """Returns the type of the first result of other operators; "" if it is unknown, or if a type variable determines it."""
    rule = _RULES.get(operator)
    return rule({attribute.name: attribute.value for attribute in attributes}, inputs) if rule else ""


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
    "Multinomial": _of_attribute("dtype", "tensor(int32)"),
    "QuantizeLinear": _quantized,
}
