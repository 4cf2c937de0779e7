"""A graph with the methods of ONNX Runtime's InferenceSession."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from webnn._files import from_onnx, load
from webnn._types import Array, Arrays, MLOperandDescriptor
from webnn._webnn import MLContext, MLGraph

_ONNX_TYPES = {"float32": "float", "float16": "float16"}


class NodeArg(NamedTuple):
    """An input or an output: name, shape, and the type as ONNX Runtime says it, "tensor(float)"."""

    name: str
    shape: list[int]
    type: str


class InferenceSession:
    """Loads a model (path, bytes, onnx.ModelProto, or a graph) and runs it."""

    def __init__(
        self,
        model: Any,
        context: MLContext | None = None,
        *,
        dimensions: Mapping[str, int] | None = None,
        values: Arrays | None = None,
    ) -> None:
        if isinstance(model, MLGraph):
            self.graph = model
        elif hasattr(model, "SerializeToString") or isinstance(model, bytes | bytearray | memoryview):
            self.graph = from_onnx(model, context, dimensions=dimensions, values=values)
        else:
            self.graph = load(model, context, dimensions=dimensions, values=values)

    def get_inputs(self) -> list[NodeArg]:
        """The inputs in the order of the graph."""
        return _node_args(self.graph.inputs)

    def get_outputs(self) -> list[NodeArg]:
        """The outputs in the order of the graph."""
        return _node_args(self.graph.outputs)

    def run(self, output_names: Sequence[str] | None, input_feed: Arrays) -> list[Array]:
        """The outputs of these names, or all of them in order."""
        results = self.graph.compute(input_feed)
        names = output_names if output_names else list(results)
        missing = [name for name in names if name not in results]
        if missing:
            raise ValueError(f"the graph has no output {missing[0]!r}; it has {list(results)}.")
        return [results[name] for name in names]


def _node_args(operands: Mapping[str, MLOperandDescriptor]) -> list[NodeArg]:
    return [
        NodeArg(name, list(shape), f"tensor({_ONNX_TYPES.get(data_type, data_type)})")
        for name, (data_type, shape) in operands.items()
    ]
