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
    """Returns a bool or numpy.bool_ as a bool."""
    if not isinstance(value, bool | np.bool_):
        raise must_be(what, "a bool", value)
    return bool(value)


def integer(value: Any, what: str, least: int = -(2**31), most: int = 2**31 - 1) -> int:
    """Returns an int, or the integer of an object with __index__. A bool is refused."""
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
    """Returns a str, which must be encodable as UTF-8."""
    if not isinstance(value, str):
        raise must_be(what, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(f"{what} ({value!r}) is not UTF-8.") from error
    return value


def path_text(value: Any, what: str) -> str:
    """Converts a path to a str. The path must be encodable as UTF-8."""
    if not isinstance(value, str | os.PathLike):
        raise must_be(what, "a path", value)
    try:
        path = os.fspath(value)
    except TypeError as error:
        raise must_be(what, "a path", value) from error
    return text(path, what)


def mapping(value: Any, what: str) -> Mapping[Any, Any]:
    """Returns a value that is a dict (or another mapping). Returns an empty dict for None."""
    if not isinstance(value, Mapping | None):
        raise must_be(what, "a dict", value)
    return value or {}


def items(value: Any, what: str) -> list[Any]:
    """Returns the items of a sequence as a list."""
    try:
        return list(value)
    except (TypeError, NotImplementedError) as error:  # a memoryview with several dimensions raises NotImplementedError
        raise must_be(what, "a sequence", value) from error


def sizes(shape: Any, what: str) -> list[int]:
    """Converts a shape to a list of sizes."""
    return [integer(size, f"{what}: a size", 0) for size in items(shape, f"{what}: shape")]
