"""Checks of arguments that the module would only call incompatible."""

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from webnn._errors import ArgumentError


def must_be(what: str, expected: str, value: Any) -> ArgumentError:
    """The error of a value of a wrong type."""
    return ArgumentError(f"{what} must be {expected}, not {type(value).__name__}.")


def flag(value: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise must_be(what, "a bool", value)
    return bool(value)


def integer(value: Any, what: str, least: int = -(2**31), most: int = 2**31 - 1) -> int:
    """An int, or an object with __index__, but not a bool."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise must_be(what, "an integer", value)
    try:
        number = operator.index(value)
    except TypeError as error:  # of an array
        raise must_be(what, "an integer", value) from error
    if not least <= number <= most:
        raise ArgumentError(f"{what} is not between {least} and {most}.")
    return number


def text(value: Any, what: str) -> str:
    """A str that can be encoded as UTF-8."""
    if not isinstance(value, str):
        raise must_be(what, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(f"{what} ({value!r}) is not UTF-8.") from error
    return value


def path_text(value: Any, what: str) -> str:
    """A path as text."""
    if not isinstance(value, str | os.PathLike):
        raise must_be(what, "a path", value)
    try:
        path = os.fspath(value)
    except TypeError as error:
        raise must_be(what, "a path", value) from error
    return text(path, what)


def mapping(value: Any, what: str) -> Mapping[Any, Any]:
    """A dict; an empty one for None."""
    if not isinstance(value, Mapping | None):
        raise must_be(what, "a dict", value)
    return value or {}


def items(value: Any, what: str) -> list[Any]:
    """The items of a sequence."""
    try:
        return list(value)
    except (TypeError, NotImplementedError) as error:  # the latter of a memoryview of several dimensions
        raise must_be(what, "a sequence", value) from error


def sizes(shape: Any, what: str) -> list[int]:
    """The sizes of an array's dimensions."""
    return [integer(size, f"{what}: a size", 0) for size in items(shape, f"{what}: shape")]
