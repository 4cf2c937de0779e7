"""OrtValue: ONNX Runtime's class for an array that several runs use."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from webnn._arguments import integer, must_be, sizes
from webnn._arrays import as_array, as_boolean, data_type_name, is_of_numbers
from webnn._errors import ArgumentError, NotSupportedError, UnknownError
from webnn._types import Array, ArrayLike

_ONNX_TYPES = {"float32": "float", "float64": "double"}
_ELEMENT_TYPES = {  # by number in onnx.TensorProto
    1: "float32",
    2: "uint8",
    3: "int8",
    6: "int32",
    7: "int64",
    9: "bool",
    10: "float16",
    12: "uint32",
    13: "uint64",
}


def onnx_type(data_type: str) -> str:
    """Returns ONNX Runtime's name of a type, such as "tensor(float)"."""
    return f"tensor({_ONNX_TYPES.get(data_type, data_type)})"


def _dtype_of(element_type: Any, what: str) -> "np.dtype[Any]":
    """Converts a number from onnx.TensorProto, or a type that numpy.dtype() accepts, to a dtype."""
    if isinstance(element_type, int) and element_type in _ELEMENT_TYPES:
        return np.dtype(_ELEMENT_TYPES[element_type])
    name = "bool" if element_type in (bool, np.bool_, "bool") else data_type_name(element_type, what)
    if name not in _ELEMENT_TYPES.values():
        raise ArgumentError(f"{what}: there are no values of {name}, of which two elements share a byte.")
    return np.dtype(name)


def require_cpu(device_type: Any, device_id: Any, what: str) -> None:
    """Raises NotSupportedError unless the device is the CPU."""
    if device_type not in ("cpu", None):
        raise NotSupportedError(f"{what}: there is no memory of device {device_type!r} to bind, only of 'cpu'.")
    integer(device_id, f"{what}: device_id", 0)


def as_array_of(value: ArrayLike, data_type: str, is_boolean: bool, what: str) -> Array:
    """Returns the array itself, or a new array of the type for numbers and lists."""
    return as_boolean(value, what) if is_boolean and is_of_numbers(value) else as_array(value, data_type, what)


class OrtValue:
    """An array that can be bound to inputs and outputs (IOBinding), or passed to several runs.

    >>> value = webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32))
    >>> value.shape(), value.data_type(), value.device_name()
    ([2, 3], 'tensor(float)', 'cpu')
    """

    def __init__(self, array: Array) -> None:
        self._array = array

    @staticmethod
    def ortvalue_from_numpy(numpy_obj: ArrayLike, device_type: str = "cpu", device_id: int = 0) -> "OrtValue":
        """Wraps an array. An array that is not contiguous or not in native byte order is copied.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(2, np.float32)).numpy()
        array([1., 1.], dtype=float32)
        """
        require_cpu(device_type, device_id, "ortvalue_from_numpy")
        array = as_array(numpy_obj, "float32", "ortvalue_from_numpy")
        return OrtValue(np.asarray(array, _dtype_of(array.dtype, "ortvalue_from_numpy"), order="C"))

    @staticmethod
    def ortvalue_from_shape_and_type(shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0) -> "OrtValue":
        """Returns a new value whose elements are 0.

        >>> webnn.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32).shape()
        [2, 3]
        """
        require_cpu(device_type, device_id, "ortvalue_from_shape_and_type")
        wanted, dtype = sizes(shape, "ortvalue_from_shape_and_type"), _dtype_of(element_type, "ortvalue_from_shape_and_type")
        try:
            return OrtValue(np.zeros(wanted, dtype))
        except (MemoryError, ValueError) as error:  # ValueError: more than the address space
            raise UnknownError(f"ortvalue_from_shape_and_type: there is no memory for {dtype}{wanted}.") from error

    def numpy(self) -> Array:
        """Returns the array itself, not a copy.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(1, np.float32)).numpy().shape
        (1,)
        """
        return self._array

    def update_inplace(self, np_arr: ArrayLike) -> None:
        """Copies an array of the same type and shape into the memory, for the next run.

        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([2], np.float32)
        >>> value.update_inplace(np.ones(2, np.float32))
        """
        array = as_array_of(np_arr, str(self._array.dtype), self._array.dtype == np.bool_, "update_inplace")
        if array.shape != self._array.shape or array.dtype != self._array.dtype:
            raise ArgumentError(f"update_inplace: {array.dtype}{list(array.shape)} is not {self._array.dtype}{list(self._array.shape)}.")
        if not self._array.flags.writeable:
            raise ArgumentError("update_inplace: the array that the value is made of is read-only.")
        self._array[...] = array

    def shape(self) -> list[int]:
        """Returns the sizes of all dimensions.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32)).shape()
        [2, 3]
        """
        return list(self._array.shape)

    def data_type(self) -> str:
        """Returns ONNX Runtime's name of the type.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.int64)).data_type()
        'tensor(int64)'
        """
        return onnx_type(self._array.dtype.name)

    def element_type(self) -> int:
        """Returns the number of the type in onnx.TensorProto.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).element_type()
        1
        """
        return next(number for number, name in _ELEMENT_TYPES.items() if name == self._array.dtype.name)

    def data_ptr(self) -> int:
        """Returns the address of the memory, for bind_input() and bind_output().

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).data_ptr() != 0
        True
        """
        return self._array.ctypes.data

    def device_name(self) -> str:
        """Returns the memory's device: "cpu".

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).device_name()
        'cpu'
        """
        return "cpu"

    def has_value(self) -> bool:
        """Returns True: an OrtValue always has a tensor here.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).has_value()
        True
        """
        return True

    is_tensor = has_value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._array, dtype, copy=copy) if copy is not None else np.asarray(self._array, dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __repr__(self) -> str:
        return f"OrtValue({self.data_type()}, shape={self.shape()})"


def array_at(address: Any, element_type: Any, shape: Sequence[int], what: str) -> Array:
    """Returns an array that uses memory at an address. Another object owns the memory."""
    dtype = _dtype_of(element_type, f"{what}: element_type")
    wanted = sizes(shape, what)
    place = integer(address, f"{what}: buffer_ptr", 1, 2**63 - 1)
    if place % dtype.itemsize:
        raise ArgumentError(f"{what}: buffer_ptr is not aligned for {dtype}.")
    length = math.prod(wanted) * dtype.itemsize
    if length > 2**63 - place:
        raise ArgumentError(f"{what}: no memory holds {dtype}{wanted}.")
    memory = (ctypes.c_byte * length).from_address(place)
    array: Array = np.ndarray(wanted, dtype, memoryview(memory))
    return array


def array_of(value: Any, what: str) -> Array:
    if not isinstance(value, OrtValue):
        raise must_be(f"{what}: ortvalue", "an OrtValue", value)
    return value.numpy()


def results_of(arrays: Mapping[str, Array], booleans: frozenset[str]) -> dict[str, Array]:
    """Returns the same arrays, with uint8 viewed as bool for outputs that are bool in ONNX."""
    return {name: array.view(np.bool_) if name in booleans else array for name, array in arrays.items()}
