"""ONNX Runtime's texts for nodes that cannot compute their results, because programs match and print them."""

import re
from itertools import zip_longest

_BROADCAST = re.compile(r"Incompatible shapes: .*?shape \[([\d, ]*)\] and .*?shape \[([\d, ]*)\] are not bidirectionally broadcastable")
# Each row: the operators, "" for all; webnn's text; ONNX Runtime's text, without the place in its source. A text that ends in " ("
# is followed by webnn's text, because ONNX Runtime's text then shows values that webnn's text lacks.
_TEXTS = [
    (operators.split(), re.compile(found), text)
    for operators, found, text in (
        ("MatMul", r"columns of a \(\d+\) are not equal to rows of b|cannot be multiplied", "MatMul dimension mismatch"),
        ("Gemm", r"columns of a \(\d+\) are not equal to rows of b", "GEMM: Dimension mismatch ("),
        (
            "Concat",
            r"dimension (\d+) of input \d+ is (\d+), and (\d+) in input",
            r"Non concat axis dimensions must match: Axis \1 has mismatched dimensions of \2 and \3",
        ),
        (
            "Concat",
            r"input \d+ has rank (\d+), and the first (\d+)",
            r"input_rank == reference_rank was false. Ranks of input data are different, cannot concatenate them. "
            r"expected rank: \2 got: \1",
        ),
        (
            "Conv",
            r"filter input channels \((\d+)\) are not the input channels \((\d+)\) divided by groups \((\d+)\)",
            r"Input channels C is not equal to kernel channels * group. C: \2 kernel channels: \1 group: \3",
        ),
        ("Reshape", r"does not have \d+ elements", "The input tensor cannot be reshaped to the requested shape. ("),
        ("Reshape", r"more than one -1", "unknown_dim == -1 was false. At most one dimension can be -1."),
        ("Split", r"does not split into", "Input cannot be split evenly on selected axis. ("),
        ("Squeeze", r"dimension (\d+) \((\d+)\) is not 1", r"Dimension of input \1 must be 1 instead of \2. ("),
        ("Expand", r"does not broadcast to", "invalid expand shape"),
    )
]
_AXIS = re.compile(r"the axis \((-?\d+)\) is not one of a tensor of rank (\d+)")
_WITH_RANGE = ["ArgMax", "ArgMin", "Concat", "Flatten", "Gather", "GatherElements", "Hardmax", "LogSoftmax", "Softmax", "Split"]


def node_text(operator: str, detail: str) -> str:
    """Returns ONNX Runtime's text for a node that failed with webnn's text `detail`; `detail` itself if no such text is known.

    >>> node_text("Add", "add: Incompatible shapes: a shape [3, 2] and b shape [5, 2] are not bidirectionally broadcastable.")
    'axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 3 by 5'
    """
    detail = re.sub(r"\.\.(?= |$)", ".", detail)
    shapes = _BROADCAST.search(detail) if "MatMul" not in operator else None
    if shapes:
        return _broadcast(*([int(size) for size in shape.split(", ") if size] for shape in shapes.groups())) or detail
    axis = _AXIS.search(detail) if operator in _WITH_RANGE else None
    if axis:
        rank = int(axis[2])
        return f"IsAxisInRange(axis, tensor_rank) was false. axis {axis[1]} is not in valid range [{-rank},{rank - 1}]"
    for operators, pattern, text in _TEXTS:
        found = pattern.search(detail) if operator in operators else None
        if found:
            expanded = found.expand(text)
            return f"{expanded}{detail})" if text.endswith("(") else expanded
    return detail


def _broadcast(first: list[int], second: list[int]) -> str:
    """Returns ONNX Runtime's text for the innermost dimension that differs."""
    for a, b in zip_longest(reversed(first), reversed(second), fillvalue=1):
        if a != b and 1 not in (a, b):
            rule = "axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1."
            return f"{rule} {min(a, b)} by {max(a, b)}"
    return ""
