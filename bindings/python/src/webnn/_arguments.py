"""Checks arguments, so that errors say more than nanobind's "incompatible function arguments"."""

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from webnn._errors import ArgumentError


def must_be(what: str, expected: str, value: Any) -> ArgumentError:
    """Returns an ArgumentError that says "`what` must be `expected`" and names the value's type."""
    return ArgumentError(f"{what} must be {expected}, not {type(value).__name__}.")


def flag(value: Any, what: str) -> bool:
    """Converts a bool or numpy.bool_ to a bool. Raises ArgumentError for any other value."""
    if not isinstance(value, bool | np.bool_):
        raise must_be(what, "a bool", value)
    return bool(value)


def integer(value: Any, what: str, least: int = -(2**31), most: int = 2**31 - 1) -> int:
    """Converts an int or an object with __index__ to an int. Raises ArgumentError for a bool, any other value, or an integer that
    is not between `least` and `most`."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise must_be(what, "an integer", value)
    try:
        number = operator.index(value)
    except TypeError as error:  # an array with more than one element
        raise must_be(what, "an integer", value) from error
    if not least <= number <= most:
        raise ArgumentError(f"{what} is not between {least} and {most}.")
    return number


def text(value: Any, what: str) -> str:
    """Returns the value. Raises ArgumentError unless it is a str that UTF-8 can encode."""
    if not isinstance(value, str):
        raise must_be(what, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(f"{what} ({value!r}) is not UTF-8.") from error
    return value


def path_text(value: Any, what: str) -> str:
    """Converts a path to a str. Raises ArgumentError for other values, and for a path that UTF-8 cannot encode."""
    if not isinstance(value, str | os.PathLike):
        raise must_be(what, "a path", value)
    try:
        path = os.fspath(value)
    except TypeError as error:
        raise must_be(what, "a path", value) from error
    return text(path, what)


def mapping(value: Any, what: str) -> Mapping[Any, Any]:
    """Returns the value, or an empty dict for None or an empty mapping. Raises ArgumentError unless it is None or a mapping, such as
    a dict."""
    if not isinstance(value, Mapping | None):
        raise must_be(what, "a dict", value)
    return value or {}


def items(value: Any, what: str) -> list[Any]:
    """Converts a sequence to a list of its items. Raises ArgumentError for a value that cannot be iterated."""
    try:
        return list(value)
    except (TypeError, NotImplementedError) as error:  # a memoryview with several dimensions raises NotImplementedError
        raise must_be(what, "a sequence", value) from error


def sizes(shape: Any, what: str) -> list[int]:
    """Converts a shape to a list of sizes. Raises ArgumentError for a size that is no integer from 0 to 2^31 - 1."""
    return [integer(size, f"{what}: a size", 0) for size in items(shape, f"{what}: shape")]
