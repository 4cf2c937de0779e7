"""MLDynamicDimension: an open dimension with bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard


@dataclass(frozen=True)
class MLDynamicDimension:
    """An open dimension of an input: its name, its largest and its smallest size. A name alone, such as "batch", has no bounds.

    >>> builder.input("x", [webnn.MLDynamicDimension("batch", 64, min_size=1), 768])
    <MLOperand input "x" float32[batch, 768]>
    """

    name: str
    max_size: int = 2**31 - 1
    min_size: int = 0


# The shape of an input. A str is an open dimension: a name, or an expression over names such as "past + 1".
InputShape: TypeAlias = Sequence[int | str | MLDynamicDimension]


def is_open(shape: object) -> TypeGuard[InputShape]:
    """Returns whether a shape has open dimensions."""
    return isinstance(shape, Sequence) and not isinstance(shape, str) and any(isinstance(size, str | MLDynamicDimension) for size in shape)


def with_bounds(shape: InputShape) -> list[int | str | tuple[str, int, int]]:
    """Converts a shape for the C++ module, which takes dimensions with bounds as (name, smallest size, largest size)."""
    return [(size.name, size.min_size, size.max_size) if isinstance(size, MLDynamicDimension) else size for size in shape]
