"""Converts arrays of ONNX's element types that WebNN lacks: double, 16-bit integers, strings, and types such as bfloat16."""

import importlib
import math
from typing import Any

import numpy as np

from webnn._errors import ArgumentError, NotSupportedError
from webnn._types import Array

_NUMPY = {"float64": np.float64, "int16": np.int16, "uint16": np.uint16, "string": object}
_ML_DTYPES = {
    "bfloat16": "bfloat16",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "float4e2m1": "float4_e2m1fn",
    "int2": "int2",
    "uint2": "uint2",
}
_BITS = {"float4e2m1": 4, "int2": 2, "uint2": 2}  # bits per element, if elements share a byte; the first is in the low bits
# The form in which native code receives such an array: its shape, and its elements as a list of strings or as packed bytes.
Packed = tuple[list[int], Any]


def is_foreign(data_type: Any) -> bool:
    """Returns whether sessions take the type although WebNN lacks it. bool is not such a type: WebNN stores it as uint8."""
    return data_type in _NUMPY or data_type in _ML_DTYPES


def dtype_of(data_type: str, what: str) -> "np.dtype[Any]":
    """Returns NumPy's type of a foreign type. Strings are objects."""
    if data_type in _NUMPY:
        return np.dtype(_NUMPY[data_type])
    try:
        dtype: np.dtype[Any] = np.dtype(getattr(importlib.import_module("ml_dtypes"), _ML_DTYPES[data_type]))
    except (ImportError, AttributeError) as error:
        cure = "NumPy has such arrays with the package ml_dtypes: pip install ml_dtypes"
        raise NotSupportedError(f"{what}: the elements are of {data_type}. {cure}") from error
    return dtype


def name_of(dtype: "np.dtype[Any]") -> str | None:
    """Returns ONNX's name of a dtype if WebNN lacks the type; otherwise None."""
    if dtype.kind in "OUST":
        return "string"
    names = {"float64": "float64", "int16": "int16", "uint16": "uint16"} | {numpy: onnx for onnx, numpy in _ML_DTYPES.items()}
    return names.get(dtype.name)


def foreign_array(value: Any, data_type: str, what: str) -> Array:
    """Returns an array of the foreign type. Numbers and lists are converted; arrays must have the type."""
    dtype = dtype_of(data_type, what)
    if data_type == "string":
        array = np.asarray(value, object)
        for item in array.flat:
            if not isinstance(item, str | bytes):
                raise ArgumentError(f"{what}: {type(item).__name__} is no string.")
        return array
    is_array = hasattr(value, "dtype")
    try:
        array = np.asarray(value) if is_array else np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"{what}: {type(value).__name__} is no array of {data_type}: {error}") from error
    if array.dtype != dtype:
        raise ArgumentError(f"{what}: the array is of {array.dtype}, not {dtype}: use array.astype('{dtype}').")
    return array


def packed(array: Array, data_type: str, what: str) -> Packed:
    """Converts an array of a foreign type for native code."""
    if data_type == "string":
        try:
            return list(array.shape), [item.encode() if isinstance(item, str) else item for item in array.flat]
        except UnicodeEncodeError as error:
            raise ArgumentError(f"{what}: a string is no valid Unicode: {error}") from error
    if data_type in _BITS:
        bits = _BITS[data_type]
        codes = array.ravel().view(np.uint8) & ((1 << bits) - 1)
        codes = np.pad(codes, (0, -len(codes) % (8 // bits))).reshape(-1, 8 // bits)
        shifted = codes << (np.arange(8 // bits, dtype=np.uint8) * bits).astype(np.uint8)
        return list(array.shape), np.bitwise_or.reduce(shifted, 1).astype(np.uint8).tobytes()
    return list(array.shape), np.ascontiguousarray(array).tobytes()


def unpacked(data_type: str, shape: list[int], elements: Any, what: str) -> Array:
    """Converts elements from native code to an array."""
    if not is_foreign(data_type):
        raise NotSupportedError(f"{what}: NumPy has no arrays of {data_type}.")
    dtype = dtype_of(data_type, what)
    if data_type == "string":
        array = np.empty(len(elements), object)
        array[:] = [item.decode(errors="replace") for item in elements]
        return array.reshape(shape)
    if data_type in _BITS:
        bits = _BITS[data_type]
        wide = np.frombuffer(elements, np.uint8)[:, None] >> (np.arange(8 // bits, dtype=np.uint8) * bits).astype(np.uint8)
        codes = (wide & ((1 << bits) - 1)).ravel()[: math.prod(shape)]
        if data_type == "float4e2m1":
            return codes.view(dtype).reshape(shape)
        numbers = (codes.view(np.int8) ^ 2) - 2 if data_type == "int2" else codes  # extends the sign
        return numbers.astype(dtype).reshape(shape)
    return np.frombuffer(bytearray(elements), dtype).reshape(shape)


def result_of(value: Any, what: str) -> Any:
    """Converts a result of native code: a list for a sequence, a dict for a map, None for an absent value, otherwise an array."""
    if isinstance(value, list):
        return [result_of(item, what) for item in value]
    if isinstance(value, dict):
        keys, values = result_of(value["keys"], what), result_of(value["values"], what)
        return dict(zip(keys.tolist(), values.tolist(), strict=True))
    return unpacked(value[0], value[1], value[2], what) if isinstance(value, tuple) else value


def packed_input(array: Any, data_type: str, what: str) -> Any:
    """Packs the foreign elements of an input: an array, a list of arrays, or the keys and values of a map."""
    if isinstance(array, dict):
        keys = array["keys"]
        return {
            "keys": packed(keys, "string", what) if keys.dtype == np.object_ else keys,
            "values": packed_input(array["values"], data_type, what),
        }
    if array is None or not is_foreign(data_type):
        return array
    return [packed(element, data_type, what) for element in array] if isinstance(array, list) else packed(array, data_type, what)
