"""pywebnn's methods for inspecting graphs. All shapes are known here, and a scalar has the shape []."""

from typing import Any

from webnn._arguments import integer
from webnn._webnn import MLGraph


def debug_operand(self: MLGraph, idx: int) -> str:
    """Describes an operand. Indices count inputs, then constants, then results.

    >>> webnn.load("examples/digits/digits.webnn").debug_operand(0)
    'Operand[0]: <MLOperand input "image" float32[1, 1, 28, 28]>'
    """
    operands, index = self._operands(), integer(idx, "debug_operand: idx")
    return f"Operand[{index}]: " + (repr(operands[index]) if 0 <= index < len(operands) else "not found")


def count_empty_shapes(self: MLGraph) -> int:
    """Returns the number of operands of rank 0.

    >>> webnn.load("examples/digits/digits.webnn").count_empty_shapes()
    0
    """
    return sum(not operand.shape for operand in self._operands())


def count_scalar_constants(self: MLGraph) -> int:
    """Returns the number of constants of rank 0.

    >>> webnn.load("examples/digits/digits.webnn").count_scalar_constants()
    0
    """
    return sum(not operand.shape for operand in self._operands() if operand.kind == "constant")


def count_unknown_shapes(self: MLGraph) -> int:
    """Returns 0: every shape is known.

    >>> webnn.load("examples/digits/digits.webnn").count_unknown_shapes()
    0
    """
    return len(self.debug_unknown_shapes())


count_unknown_shapes_excluding_scalar_ops = count_unknown_shapes


def debug_unknown_shapes(self: MLGraph) -> list[str]:
    """Returns []: every shape is known.

    >>> webnn.load("examples/digits/digits.webnn").debug_unknown_shapes()
    []
    """
    return []


def debug_unknown_shapes_structured(self: MLGraph) -> list[dict[str, Any]]:
    """Returns []: every shape is known.

    >>> webnn.load("examples/digits/digits.webnn").debug_unknown_shapes_structured()
    []
    """
    return []


for _name, _function in list(globals().items()):
    if _name.startswith(("count_", "debug_")):
        setattr(MLGraph, _name, _function)
