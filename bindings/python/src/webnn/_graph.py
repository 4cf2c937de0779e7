"""What MLGraph has beyond the module: computing on the calling thread."""

from webnn._types import Array, Arrays
from webnn._webnn import Cancellation, MLGraph


def compute(
    self: MLGraph,
    inputs: Arrays,
    outputs: Arrays | None = None,
    *,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> dict[str, Array]:
    """MLContext.compute() in the graph's own context.

    >>> builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    >>> graph = builder.build({"y": builder.input("x", [2]) * 2})
    >>> graph.compute({"x": [1.0, 2.0]})
    {'y': array([2., 4.], dtype=float32)}
    """
    return self._compute(inputs, outputs, timeout, cancellation)


MLGraph.compute = compute  # type: ignore[method-assign]
