"""Converts arrays and numbers to NumPy arrays in the layout that the library uses."""

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from webnn._arguments import sizes
from webnn._errors import ArgumentError, UnknownError
from webnn._foreign import foreign_array, is_foreign
from webnn._types import DTYPES, Array, ArrayLike

_NIBBLES = ("int4", "uint4")
_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


def is_of_numbers(value: Any) -> bool:
    """Returns whether a value is a number of Python or NumPy, or a list or tuple in which no item has a dtype."""
    return isinstance(value, _NUMBERS) or (isinstance(value, list | tuple) and not any(hasattr(item, "dtype") for item in value))


def data_type_name(value: Any, what: str = "data type") -> str:
    """Returns the specification's name of a type that numpy.dtype() accepts."""
    try:
        name = str(np.dtype(value).name)
    except (TypeError, ValueError):
        name = str(value)
    if name in DTYPES:
        return name
    raise ArgumentError(f"{what}: Unsupported data type: {name}")


def has_masked(value: Any) -> bool:
    """Returns whether an array has masked elements. Does not import numpy.ma, which takes as long as importing webnn: without it,
    there are no masked arrays."""
    return type(value) is not np.ndarray and "numpy.ma" in sys.modules and bool(np.ma.is_masked(value))


def as_array(value: ArrayLike, data_type: str | None = None, what: str = "array") -> Array:
    """Returns a NumPy array that shares the memory of an array. For numbers and lists, returns a new array of the data type."""
    if has_masked(value):
        raise ArgumentError(f"{what}: the array has masked elements, which have no values.")
    if data_type is not None and is_foreign(data_type):
        return foreign_array(value, data_type, what)
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    if isinstance(value, bytes | bytearray) or (isinstance(value, memoryview) and value.format == "B" and value.ndim == 1):
        return np.frombuffer(value, np.uint8)
    try:
        if hasattr(value, "__dlpack__"):
            source: Any = value
            return np.from_dlpack(source)
        if isinstance(value, bool | int | float | list | tuple):
            return np.asarray(value) if data_type is None else _array_of_numbers(value, DTYPES[data_type], what)
        array = np.asarray(memoryview(value) if _has_buffer(value) else value)
    except ArgumentError:
        raise
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError) as error:
        raise ArgumentError(f"{what}: {type(value).__name__} is no array that can be read: {error}") from error
    except MemoryError as error:
        raise UnknownError(f"{what}: there is no memory for an array of this {type(value).__name__}.") from error
    if array.dtype == object:
        raise ArgumentError(f"{what}: {type(value).__name__} is no array.")
    return array


def as_boolean(value: ArrayLike, what: str) -> Array:
    """Returns an array of bool, whose bytes are all 0 or 1. In an array of uint8, each number except 0 becomes True."""
    array = as_array(value, "uint8", what)
    if array.dtype not in (np.bool_, np.uint8):
        raise ArgumentError(f"{what}: the array is of {array.dtype}, not bool: use array.astype(bool).")
    return array != 0 if array.dtype == np.uint8 else array


def _array_of_numbers(value: Any, wanted: np.dtype[Any], what: str) -> Array:
    """Converts numbers to the type. Floats are rounded; a number that an integer type cannot hold is an error."""
    array = np.asarray(value)
    is_float = wanted.kind == "f"
    with np.errstate(over="ignore"):
        if array.dtype.kind in ("biuf" if is_float else "biu"):
            result = array.astype(wanted)
            if is_float or np.array_equal(result, array):
                return result
        numbers = np.asarray(value, object)  # exact values for the error
        for number in numbers.flat:
            is_number = isinstance(number, _NUMBERS)
            if not is_number or not (is_float or _is_integer_of(number, np.iinfo(wanted))):
                shown = number if is_number else type(number).__name__
                raise ArgumentError(f"{what}: {shown} is not {'an' if wanted.kind == 'i' else 'a'} {wanted}.")
        return numbers.astype(wanted)


def _is_integer_of(number: Any, bounds: Any) -> bool:
    return bool(bounds.min <= number <= bounds.max and number == int(number))


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def packed(value: ArrayLike, data_type: str, shape: tuple[int, ...], what: str) -> Array:
    """Converts the caller's array to a contiguous array, without a copy if possible. Raises ArgumentError unless it has the type
    and shape. int4 and uint4 are packed, two elements per byte."""
    array = checked(value, data_type, shape, what)
    return np.require(array, array.dtype.newbyteorder("="), "C")


def checked(value: ArrayLike, data_type: str, shape: tuple[int, ...], what: str) -> Array:
    """Returns an array with the caller's elements, perhaps not contiguous or of another byte order. Raises ArgumentError unless it has
    the type and shape."""
    array = as_array(value, data_type, what)
    if data_type in _NIBBLES:
        return _packed_nibbles(array, data_type, shape, what)
    wanted = array.dtype if is_foreign(data_type) else DTYPES[data_type]  # as_array() has checked foreign types
    if isinstance(value, bytes | bytearray | memoryview) and array.dtype == np.uint8 and array.ndim == 1:
        if array.size != math.prod(shape) * wanted.itemsize:
            raise ArgumentError(f"{what}: the byte length ({array.size}) is not that of {data_type}{list(shape)}.")
        array = array.view(wanted).reshape(shape)
    if array.dtype == np.bool_ and wanted == np.uint8:
        array = array.view(np.uint8) if array.flags.c_contiguous else array.astype(np.uint8)
    if array.dtype.newbyteorder("=") != wanted:
        raise ArgumentError(f"{what}: the array is of {array.dtype}, not {data_type}: use array.astype(np.{data_type}).")
    if array.shape != shape:
        cure = shape_cure(array.shape, shape)
        raise ArgumentError(f"{what}: Shape mismatch: the array is of shape {list(array.shape)}, not {list(shape)}{cure}.")
    return array


_CURES = (  # corrections: permutation of the axes, whether to add a first axis of size 1, and the NumPy expression
    (None, True, "array[np.newaxis]"),
    ((2, 0, 1), False, "array.transpose(2, 0, 1)"),
    ((2, 0, 1), True, "array.transpose(2, 0, 1)[np.newaxis]"),
    ((0, 3, 1, 2), False, "array.transpose(0, 3, 1, 2)"),
    ((0, 2, 3, 1), False, "array.transpose(0, 2, 3, 1)"),
)


def shape_cure(shape: Sequence[int], wanted: Sequence[int | str]) -> str:
    """Returns advice to append to a shape error: how to add a missing batch axis or move the channels. Returns "" if neither
    helps."""
    for axes, is_missing, cure in _CURES:
        if axes is not None and len(axes) != len(shape):
            continue
        made = [1] * is_missing + [shape[axis] for axis in axes or range(len(shape))]
        if len(made) == len(wanted) and all(b in (a, str(b)) for a, b in zip(made, wanted, strict=True)):
            return f": use {cure}"
    return ""


def writable(value: ArrayLike, data_type: str, shape: tuple[int, ...], what: str) -> Array:
    """Returns the caller's array for results as a NumPy array that shares its memory. Raises ArgumentError unless it is writable
    and has the type and shape. Any strides and byte order are accepted."""
    array = as_array(value, None, what)
    if not array.flags.writeable:
        raise ArgumentError(f"{what}: the array is read-only.")
    if isinstance(value, bool | int | float | list | tuple | np.generic):
        raise ArgumentError(f"{what}: {type(value).__name__} is no array that can be written.")
    if array.dtype.newbyteorder("=") != DTYPES[data_type]:
        raise ArgumentError(f"{what}: the array is of {array.dtype}, not {data_type}.")
    if array.shape != shape:
        raise ArgumentError(f"{what}: Shape mismatch: the array is of shape {list(array.shape)}, not {list(shape)}.")
    return array


def _packed_nibbles(array: Array, data_type: str, shape: tuple[int, ...], what: str) -> Array:
    count = math.prod(shape)
    length = (count + 1) // 2
    if array.dtype.name in _NIBBLES:  # ml_dtypes has types with one element per byte
        if array.dtype.name != data_type:
            raise ArgumentError(f"{what}: the array is of {array.dtype}, not {data_type}.")
        if array.shape != shape:
            raise ArgumentError(f"{what}: Shape mismatch: the array is of shape {list(array.shape)}, not {list(shape)}.")
        return pack_int4(array)
    if array.dtype != np.uint8 or array.shape != (length,):
        raise ArgumentError(
            f"{what}: an array for {data_type}{list(shape)} is of ml_dtypes.{data_type}, or has {length} bytes (uint8) of two "
            f"elements each; this one is of {array.dtype} and shape {list(array.shape)}."
        )
    return np.ascontiguousarray(array)


def pack_int4(array: ArrayLike) -> Array:
    """Packs 4-bit integers, two per byte, the low nibble first. The elements of `array` may have any integer type.

    >>> webnn.pack_int4([1, 2, 3])
    array([33,  3], dtype=uint8)
    """
    values = as_array(array, None, "pack_int4")
    numbers = values.astype(np.int8) if values.dtype.name in _NIBBLES else values
    if numbers.dtype.kind not in "iu":
        raise ArgumentError(f"pack_int4: the array is of {values.dtype}, not of integers.")
    if numbers.size and (numbers.min() < -8 or numbers.max() > 15):  # noqa: PLR2004
        raise ArgumentError("pack_int4: there are values that do not fit 4 bits.")
    nibbles = numbers.reshape(-1).astype(np.uint8) & 0xF
    if nibbles.size % 2:
        nibbles = np.append(nibbles, np.uint8(0))
    return nibbles[0::2] | (nibbles[1::2] << 4)


def unpack_int4(data: ArrayLike, shape: tuple[int, ...], signed: bool = True) -> Array:
    """Unpacks the bytes of pack_int4() to int8 or uint8, one element per byte.

    >>> webnn.unpack_int4(np.array([0x21, 0x0F], np.uint8), (3,))
    array([ 1,  2, -1], dtype=int8)
    """
    pairs = as_array(data, "uint8", "unpack_int4").reshape(-1)
    wanted = sizes(shape, "unpack_int4")
    count = math.prod(wanted)
    if pairs.dtype != np.uint8 or pairs.size != (count + 1) // 2:
        raise ArgumentError(f"unpack_int4: {pairs.size} elements of {pairs.dtype} are not the bytes of the shape {wanted}.")
    nibbles = np.stack([pairs & 0xF, pairs >> 4], 1).reshape(-1)[:count].reshape(wanted)
    return ((nibbles ^ 8).astype(np.int8) - np.int8(8)) if signed else nibbles
