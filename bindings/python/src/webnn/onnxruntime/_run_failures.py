"""The exceptions of runs. Their classes and texts are those of ONNX Runtime 1.32, because programs match and print them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from webnn._errors import AbortError, ArgumentError, DataError, Error, NotSupportedError
from webnn._ortvalue import OrtValue
from webnn._session import NodeArg
from webnn.onnxruntime._errors import RUNNING, BrokenRun, Fail, InvalidArgument, InvalidGraph, RefusedRun, failure
from webnn.onnxruntime._outlines import consumer, outline
from webnn.onnxruntime._run_texts import node_text

_CURE = "Please fix either the inputs/outputs or the model."
_ANY_NODE = re.compile(
    r'(?:WebNN cannot express:\s+)?node "(?P<name>[^"]*)" \((?:[\w.]+\.)?(?P<operator>\w+)[^)]*\): (?P<detail>.*)', re.DOTALL
)
_DISAGREEMENT = re.compile(r'(the dimension "[^"]*" is [^.]*\.) (.*)', re.DOTALL)
_POSITION = re.compile(r"the position \[(-?\d+)\] is not in a sequence of (\d+)\.")
_INDEX = re.compile(r"the index (-?\d+) is not in a dimension of (\d+)")
_INPUT_INDEX = re.compile(r'input "([^"]*)": ' + _INDEX.pattern)
# Operators of which ONNX Runtime refuses most wrong inputs as invalid arguments. Other nodes fail.
_CHECKING = """
    BatchNormalization DepthToSpace Einsum Expand GRU GatherND Gemm InstanceNormalization LSTM LayerNormalization OneHot RNN Range
    ScatterElements ScatterND Slice SpaceToDepth Tile
"""
_CHECKED_DETAIL = re.compile(r"an axis is repeated|does not fit into the input's")
_UNCHECKED_DETAIL = re.compile(r"there are \d+ starts, \d+ ends")
_TYPE = re.compile(r"data type \((\w+)\) is not one of")
_PREFIX = re.compile(r"\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ")


def plain(text: str) -> str:
    """Returns the text of an exception without ONNX Runtime's code, as callbacks and bindings show it."""
    text = _PREFIX.sub("", text, count=1)
    return text.replace("Invalid output name:", "Invalid output name: ", 1) if text.startswith("Invalid output name:") else text


def run_failure(error: Error, model: Any, inputs: Sequence[NodeArg], outputs: Sequence[NodeArg], feed: Any, names: Any) -> Exception:
    """Returns ONNX Runtime's exception for a run that failed with `error`.

    inputs, outputs: those of the model. feed, names: the arguments of the run.
    """
    if isinstance(error, AbortError):
        return failure(Fail, "Exiting due to terminate flag being set to true.")
    refused = None
    if isinstance(error, ArgumentError):
        refused = _wrong_input(inputs, feed, model) or _wrong_output(outputs, names) or _wrong_index(error, model) or _disagreement(error)
    elif isinstance(error, DataError | NotSupportedError):
        refused = _failed_node(str(error), model, isinstance(error, NotSupportedError))
    return refused or failure(RUNNING[type(error)], str(error))


def _wrong_index(error: Error, model: Any) -> Exception | None:
    index = _INPUT_INDEX.search(str(error))
    return _out_of_range(*consumer(model, index[1]), index[2], int(index[3])) if index else None


def _disagreement(error: Error) -> Exception | None:
    """Returns the exception for a node that failed because one name of a dimension has several sizes, which ONNX Runtime permits."""
    found = _DISAGREEMENT.fullmatch(str(error))
    return _failed_node(f"{found[2]} ({found[1]})", None, False) if found else None


def _failed_node(message: str, model: Any, is_unsupported: bool) -> Exception | None:
    """Returns the exception for a node that failed; None if the message names no node."""
    found = _ANY_NODE.fullmatch(message)
    if found is None:
        return None
    name, operator, detail = found["name"], found["operator"], found["detail"]
    position, data_type, index = _POSITION.search(detail), _TYPE.search(detail), _INDEX.search(detail)
    if index:
        return _out_of_range(name, operator, index[1], int(index[2]))
    if position:
        detail = f"Invalid sequence index ({position[1]}) specified for sequence of size ({position[2]})"
        return failure(InvalidArgument, _while_running(name, operator, detail))
    if data_type and is_unsupported:
        return failure(InvalidGraph, _invalid_type(model, name, operator, data_type[1]))
    is_checked = operator in _CHECKING.split() or _CHECKED_DETAIL.search(detail)
    kind = RefusedRun if is_checked and not _UNCHECKED_DETAIL.search(detail) else BrokenRun
    return failure(kind, _while_running(name, operator, node_text(operator, detail)))


def _while_running(name: str, operator: str, detail: str) -> str:
    return f"Non-zero status code returned while running {operator} node. Name:'{name}' Status Message: {detail}"


def _out_of_range(name: str, operator: str, index: str, size: int) -> Exception:
    details = {
        "GatherElements": "GatherElements op: Out of range value in index tensor",
        "GatherND": f"invalid index found, index = {index}",
        "ScatterND": f"invalid indice found, indice = {index}",
    }
    bounds = f"[{-size},{size - 1}]"
    usual = f"indices element out of data bounds, idx={index} must be within the inclusive range {bounds}"
    kind = Fail if operator == "GatherElements" else InvalidArgument
    return failure(kind, _while_running(name, operator, details.get(operator, usual)))


def _invalid_type(model: Any, name: str, operator: str, data_type: str) -> str:
    nodes = [] if (found := outline(model)) is None else found.nodes
    value = next((node.inputs[0] for node in nodes if (node.name, node.operator) == (name, operator) and node.inputs), "")
    kind = f"Type 'tensor({data_type})' of input parameter ({value}) of operator ({operator}) in node ({name}) is invalid."
    return f"This is an invalid model. Type Error: {kind}"


def _wrong_input(inputs: Sequence[NodeArg], feed: Any, model: Any) -> Exception | None:
    """Returns the exception for the first input that ONNX Runtime refuses. ONNX Runtime checks inputs in the order of a hash table,
    in which the order of most names is descending."""
    if not isinstance(feed, Mapping):
        return None
    known = {argument.name: argument for argument in inputs}
    names = sorted((name for name in feed if isinstance(name, str)), reverse=True)
    for name in names:
        if name not in known:
            return failure(InvalidArgument, f"Invalid input name: {name}")
        array = feed[name]._value if isinstance(feed[name], OrtValue) else feed[name]
        problem = None if array is None else _not_converted(name, known[name].type, array)
        text = "" if array is None or problem else _refusal(known[name], array)
        if problem or text:
            return RuntimeError(problem) if problem else failure(InvalidArgument, text)
    needed = (argument.name for argument in inputs if not argument.type.startswith("optional"))
    missing = next((name for name in needed if feed.get(name) is None), None)
    return None if missing is None else failure(BrokenRun, _while_running(*consumer(model, missing), f"Missing Input: {missing}"))


def unreadable(inputs: Sequence[NodeArg], feed: Mapping[str, Any]) -> str:
    """Returns ONNX Runtime's message for the first value of which it cannot make a tensor; "" if there is none."""
    types = {argument.name: argument.type for argument in inputs}
    values = ((name, value._value if isinstance(value, OrtValue) else value) for name, value in feed.items() if value is not None)
    return next(filter(None, (_not_converted(name, types.get(name, ""), value) for name, value in values)), "")


def _not_converted(name: str, expected: str, array: Any) -> str | None:
    """Returns ONNX Runtime's message for a value of which it cannot make a tensor; None if it can, or if webnn can."""
    if not expected.startswith("tensor("):
        return None
    if isinstance(array, np.ndarray):
        is_known = array.dtype.kind in "biufOSUV" and array.dtype.char != "g"
        return None if is_known else f"Numpy_type {array.dtype.num} can't be converted to MLDataType."
    if isinstance(array, str | bytes):
        return f"Input must be a list of dictionaries or a single numpy array for input '{name}'."
    if isinstance(array, list):
        try:
            is_converted = expected == "tensor(string)" or np.asarray(array).dtype.kind in "biuf"
        except ValueError:  # lists of several lengths
            is_converted = False
        return None if is_converted else "Could not create tensor from given input list"
    is_known = hasattr(array, "shape") or isinstance(array, int | float | tuple | dict)
    return None if is_known else f"Unable to handle object of type {type(array)}"


def _type_name(array: Any) -> str:
    """Returns ONNX Runtime's name of the type of an array; "" for other values, which get the type of their input."""
    if not isinstance(array, np.ndarray):
        return ""
    return "tensor(string)" if array.dtype.kind in "OSU" else OrtValue(array).data_type()


def _refusal(argument: NodeArg, array: Any) -> str:
    """Returns ONNX Runtime's message for a value that it refuses; "" if it accepts the value."""
    name, declared, expected = argument
    found = _type_name(array)
    if expected.startswith("seq("):
        return f"input with name: '{name}' expected to be of type: 3 but received a tensor" if found else ""
    if not expected.startswith("tensor(") or "int4" in expected or isinstance(array, dict):
        return ""
    if found and found != expected and (found, expected) != ("tensor(uint8)", "tensor(bool)"):  # uint8 is accepted here
        return f"Unexpected input data type. Actual: ({found}) , expected: ({expected})"
    try:
        shape = np.shape(array)
    except ValueError:  # lists of several lengths
        return ""
    if declared and len(shape) != len(declared):
        return f"Invalid rank for input: {name} Got: {len(shape)} Expected: {len(declared)} {_CURE}"
    wrong = [
        f" index: {axis} Got: {size} Expected: {wanted}\n"
        for axis, (size, wanted) in enumerate(zip(shape, declared, strict=False))
        if isinstance(wanted, int) and size != wanted
    ]
    return f"Got invalid dimensions for input: {name} for the following indices\n{''.join(wrong)} {_CURE}" if wrong else ""


def _wrong_output(outputs: Sequence[NodeArg], names: Any) -> Exception | None:
    known = {argument.name for argument in outputs}
    unknown = [name for name in names or [] if name not in known]
    return failure(InvalidArgument, f"Invalid output name:{unknown[0]}") if unknown else None
