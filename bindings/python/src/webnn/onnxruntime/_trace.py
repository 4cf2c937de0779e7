"""Makes profiles with ONNX Runtime's events and their arguments."""

import math
import os
from collections.abc import Sequence
from typing import Any

from webnn import _protobuf
from webnn._ortvalue import onnx_type
from webnn._types import DTYPES
from webnn._webnn import MLGraph
from webnn.onnxruntime._outlines import outline

_OPERATORS = {"convolution": "Conv", "quantizedConvolution": "QLinearConv", "batchGemm": "MatMul", "quantizedGemm": "MatMul"}
_HALF_BYTE = ("int4", "uint4")
Step = tuple[str, str, str, float, float]  # operation, label, kernel, start and duration


def _operator_of(step: str) -> str:
    """Returns ONNX's name of a step's operation, for steps whose node is unknown."""
    return _OPERATORS.get(step) or step[:1].upper() + step[1:].removesuffix("2d")


class _Arguments:
    """Makes the name and the arguments of the event of each step of a graph."""

    def __init__(self, graph: MLGraph, nodes: Sequence[_protobuf.Node]) -> None:
        self._operands = {operand.name: operand for operand in graph._operands() if operand.name}
        self._nodes = nodes
        producers = {name: index for index, node in enumerate(nodes) for name in node.outputs if name}
        self._steps: dict[int, list[int]] = {}  # the indices of the nodes that each step computes
        for operation in graph.placement():
            for step in operation["steps"]:
                indices = self._steps.setdefault(step, [])
                indices.extend(producers[name] for name in operation["outputs"] if name in producers and producers[name] not in indices)
        self._named = {node.name: index for index, node in enumerate(nodes) if node.name}

    def of(self, number: int, operation: str, label: str) -> tuple[str, dict[str, Any]]:
        """Returns the name and the arguments of the event of step `number`."""
        computed = sorted(self._steps.get(number, []))
        index = self._named.get(label, computed[0] if computed else -1)
        if index < 0:
            return label or operation, self._shown(_operator_of(operation), "", [], [])
        node, parts = self._nodes[index], [self._nodes[each] for each in computed or [index]]
        inputs = parts[0].inputs
        if len(parts) > 1:
            made = {name for part in parts for name in part.outputs}
            inputs = list(dict.fromkeys(name for part in parts for name in part.inputs if name not in made))
        return node.name or f"{node.operator}_{index}", self._shown(node.operator, str(index), inputs, parts[-1].outputs)

    def _shown(self, operator: str, index: str, inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, Any]:
        read, written = ([self._operands[name] for name in names if name in self._operands] for names in (inputs, outputs))
        constants = [operand for operand in read if operand.kind == "constant"]
        return {
            "op_name": operator,
            "node_index": index,
            "input_type_shape": _types(read),
            "output_type_shape": _types(written),
            "output_size": _bytes(written),
            "parameter_size": _bytes(constants),
            "activation_size": _bytes([operand for operand in read if operand.kind != "constant"]),
            "thread_scheduling_stats": {},
        }


def _types(operands: Sequence[Any]) -> list[dict[str, list[int]]]:
    return [{onnx_type(operand.data_type)[len("tensor(") : -1]: list(operand.shape)} for operand in operands]


def _bytes(operands: Sequence[Any]) -> str:
    counts = [(math.prod(operand.shape), operand.data_type) for operand in operands]
    return str(sum((count + 1) // 2 if kind in _HALF_BYTE else count * DTYPES[kind].itemsize for count, kind in counts))


def trace(
    model: Any, provider: str, loading: tuple[float, float], runs: Sequence[tuple[float, Sequence[Step], MLGraph | None]]
) -> list[dict[str, Any]]:
    """Returns the events of a session in ONNX Runtime's order.

    loading: the seconds of reading and of compiling the model. runs: the start of each run in seconds since the start of the session,
    its steps and its graph. A run of several graphs has one step and no graph.
    """
    found = outline(model)
    graphs = {id(graph): graph for _, _, graph in runs if graph is not None}
    known = {key: _Arguments(graph, found.nodes if found else []) for key, graph in graphs.items()}
    events: list[dict[str, Any]] = []

    def add(category: str, name: str, start: float, duration: float, arguments: dict[str, Any]) -> None:
        times = {"dur": round(duration * 1e6), "ts": round(start * 1e6)}
        events.append({"cat": category, "pid": os.getpid(), "tid": 0, **times, "ph": "X", "name": name, "args": arguments})

    read, compiled = loading
    add("Session", f"model_loading_{'uri' if isinstance(model, str) else 'array'}", 0, read, {})
    add("Session", "session_initialization", read, compiled, {})
    for at, steps, graph in runs:
        for number, (operation, label, kernel, start, duration) in enumerate(steps if graph is not None else ()):
            name, arguments = known[id(graph)].of(number, operation, label)
            add("Node", f"{name}_kernel_time", at + start, duration, {**arguments, "kernel": kernel, "provider": provider})
        whole = max((start + duration for *_, start, duration in steps), default=0)
        for name in ("SequentialExecutor::Execute", "model_run"):
            add("Session", name, at, whole, {})
    return events
