"""OrtValue: ONNX Runtime's class for an array that several runs use."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from webnn._arguments import integer, must_be, sizes
from webnn._arrays import as_array, as_boolean, data_type_name, is_of_numbers
from webnn._errors import ArgumentError, NotSupportedError, UnknownError
from webnn._foreign import dtype_of, is_foreign, name_of
from webnn._types import Array, ArrayLike

_ONNX_TYPES = {"float32": "float", "float64": "double"}
_ELEMENT_TYPES = {  # keyed by number in onnx.TensorProto
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    8: "string",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
    17: "float8e4m3fn",
    18: "float8e4m3fnuz",
    19: "float8e5m2",
    20: "float8e5m2fnuz",
}


def onnx_type(data_type: str) -> str:
    """Returns ONNX Runtime's name of a type, such as "tensor(float)"."""
    return f"tensor({_ONNX_TYPES.get(data_type, data_type)})"


def _element_name(dtype: "np.dtype[Any]") -> str:
    return name_of(dtype) or dtype.name


def _dtype_of(element_type: Any, what: str) -> "np.dtype[Any]":
    """Converts a number from onnx.TensorProto, or a type that numpy.dtype() accepts, to a dtype."""
    if isinstance(element_type, int) and element_type in _ELEMENT_TYPES:
        name = _ELEMENT_TYPES[element_type]
    else:
        name = _name_of_type(element_type) or data_type_name(element_type, what)
    if name not in _ELEMENT_TYPES.values():
        raise ArgumentError(f"{what}: there are no values of {name}, of which two elements share a byte.")
    return dtype_of(name, what) if is_foreign(name) else np.dtype(name)


def dtype_of_element(number: int, what: str) -> "np.dtype[Any]":
    """Converts a number from onnx.TensorProto to a dtype."""
    if number not in _ELEMENT_TYPES:
        raise ArgumentError(f"{what}: {number} is no type of elements.")
    return _dtype_of(number, what)


def _name_of_type(element_type: Any) -> str | None:
    """Returns "bool" or the name of a type that WebNN lacks. Returns None for all other values."""
    try:
        dtype = np.dtype(element_type)
    except (TypeError, ValueError):
        return None
    return "bool" if dtype == np.bool_ else name_of(dtype)


def require_cpu(device_type: Any, device_id: Any, what: str) -> None:
    """Raises NotSupportedError unless the device is the CPU."""
    if device_type not in ("cpu", None):
        raise NotSupportedError(f"{what}: there is no memory of device {device_type!r} to bind, only of 'cpu'.")
    integer(device_id, f"{what}: device_id", 0)


def as_array_of(value: ArrayLike, data_type: str, is_boolean: bool, what: str) -> Array:
    """Returns the array itself, or a new array of the type for numbers and lists."""
    return as_boolean(value, what) if is_boolean and is_of_numbers(value) else as_array(value, data_type, what)


class OrtValue:
    """An array that can be bound to inputs and outputs (IOBinding), or passed to several runs. Results of runs may also be sequences
    (lists) and maps (dicts) of ONNX.

    >>> value = webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32))
    >>> value.shape(), value.data_type(), value.device_name()
    ([2, 3], 'tensor(float)', 'cpu')
    """

    def __init__(self, value: Any) -> None:
        self._value = value

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: ArrayLike, /, device_type: str = "cpu", device_id: int = 0, vendor_id: int = -1) -> Self:
        """Wraps an array. An array that is not contiguous or not in native byte order is copied.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(2, np.float32)).numpy()
        array([1., 1.], dtype=float32)
        """
        require_cpu(device_type, device_id, "ortvalue_from_numpy")
        array = as_array(numpy_obj, "float32", "ortvalue_from_numpy")
        return cls(np.asarray(array, _dtype_of(array.dtype, "ortvalue_from_numpy"), order="C"))

    @classmethod
    def ortvalue_from_numpy_with_onnx_type(cls, data: Array, /, onnx_element_type: int) -> Self:
        """Wraps an array whose bytes are elements of another type of the same size.

        onnx_element_type: the number of the type in onnx.TensorProto.

        >>> ones = np.full(2, 0x3F80, np.uint16)
        >>> webnn.OrtValue.ortvalue_from_numpy_with_onnx_type(ones, 16).data_type()
        'tensor(bfloat16)'
        """
        method = "ortvalue_from_numpy_with_onnx_type"
        array, dtype = as_array(data, None, method), _dtype_of(onnx_element_type, f"{method}: onnx_element_type")
        if array.itemsize != dtype.itemsize:
            raise ArgumentError(f"{method}: an element of {array.dtype} has {array.itemsize} bytes, one of {dtype} has {dtype.itemsize}.")
        return cls(np.asarray(array, order="C").view(dtype))

    @classmethod
    def ortvalue_from_shape_and_type(
        cls,
        shape: Sequence[int],
        element_type: Any,
        device_type: str = "cpu",
        device_id: int = 0,
        vendor_id: int = -1,
        memory_info: Any = None,
    ) -> Self:
        """Returns a new value whose elements are 0, or empty strings. `vendor_id` and `memory_info` have no effect.

        >>> webnn.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32).shape()
        [2, 3]
        """
        require_cpu(device_type, device_id, "ortvalue_from_shape_and_type")
        wanted, dtype = sizes(shape, "ortvalue_from_shape_and_type"), _dtype_of(element_type, "ortvalue_from_shape_and_type")
        try:
            return cls(np.full(wanted, "", dtype) if dtype.kind == "O" else np.zeros(wanted, dtype))
        except (MemoryError, ValueError) as error:  # ValueError: more than the address space
            raise UnknownError(f"ortvalue_from_shape_and_type: there is no memory for {dtype}{wanted}.") from error

    @classmethod
    def from_dlpack(cls, data: Any, /) -> Self:
        """Wraps an array of another library, or a capsule of DLPack. The array must be in the memory of the CPU.

        >>> webnn.OrtValue.from_dlpack(np.ones(2, np.float32)).shape()
        [2]
        """
        source: Any = data if hasattr(data, "__dlpack__") else _Capsule(data)
        return cls.ortvalue_from_numpy(np.from_dlpack(source))

    def to_dlpack(self) -> Any:
        """Returns a capsule of DLPack that shares the memory.

        >>> capsule = webnn.OrtValue.ortvalue_from_numpy(np.ones(2, np.float32)).to_dlpack()
        >>> webnn.OrtValue.from_dlpack(capsule).numpy()
        array([1., 1.], dtype=float32)
        """
        return self.numpy().__dlpack__()

    def numpy(self) -> Array:
        """Returns the array itself, not a copy.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(1, np.float32)).numpy().shape
        (1,)
        """
        if not isinstance(self._value, np.ndarray):
            raise NotSupportedError(f"OrtValue: the value is {self.data_type()}, not a tensor.")
        array: Array = self._value
        return array

    def update_inplace(self, data: "ArrayLike | OrtValue") -> None:
        """Copies an array of the same type and shape into the memory, for the next run.

        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([2], np.float32)
        >>> value.update_inplace(np.ones(2, np.float32))
        """
        own = self.numpy()
        given = data.numpy() if isinstance(data, OrtValue) else data
        array = as_array_of(given, _element_name(own.dtype), own.dtype == np.bool_, "update_inplace")
        if array.shape != own.shape or array.dtype != own.dtype:
            raise ArgumentError(f"update_inplace: {array.dtype}{list(array.shape)} is not {own.dtype}{list(own.shape)}.")
        if not own.flags.writeable:
            raise ArgumentError("update_inplace: the array that the value is made of is read-only.")
        own[...] = array

    def shape(self) -> list[int]:
        """Returns the sizes of all dimensions.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32)).shape()
        [2, 3]
        """
        return list(self.numpy().shape)

    def data_type(self) -> str:
        """Returns ONNX Runtime's name of the type.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.int64)).data_type()
        'tensor(int64)'
        """
        return _type_name(self._value)

    def element_type(self) -> int:
        """Returns the number of the type in onnx.TensorProto.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).element_type()
        1
        """
        value = self._value[0] if self.is_tensor_sequence() and self._value else self._value
        name = _element_name(OrtValue(value).numpy().dtype)
        return next(number for number, known in _ELEMENT_TYPES.items() if known == name)

    def tensor_size_in_bytes(self) -> int:
        """Returns the number of bytes of all elements.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32)).tensor_size_in_bytes()
        24
        """
        return self.numpy().nbytes

    def data_ptr(self) -> int:
        """Returns the address of the memory, for bind_input() and bind_output().

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).data_ptr() != 0
        True
        """
        return self.numpy().ctypes.data

    def device_name(self) -> str:
        """Returns the memory's device: "cpu".

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).device_name()
        'cpu'
        """
        return "cpu"

    def has_value(self) -> bool:
        """Returns whether the value exists. An optional output without a value does not.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).has_value()
        True
        """
        return self._value is not None

    def is_tensor(self) -> bool:
        """Returns whether the value is a tensor, not a sequence or a map.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).is_tensor()
        True
        """
        return isinstance(self._value, np.ndarray)

    def is_tensor_sequence(self) -> bool:
        """Returns whether the value is a sequence of tensors.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).is_tensor_sequence()
        False
        """
        return isinstance(self._value, list) and all(isinstance(item, np.ndarray) for item in self._value)

    def is_sparse_tensor(self) -> bool:
        """Returns False: there are no sparse tensors.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).is_sparse_tensor()
        False
        """
        return False

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        return np.array(array, dtype, copy=copy) if copy is not None else np.asarray(array, dtype)

    def __dlpack__(self, **options: Any) -> Any:
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numpy().__dlpack_device__()

    def __repr__(self) -> str:
        return f"OrtValue({self.data_type()}{f', shape={self.shape()}' if self.is_tensor() else ''})"

    @property
    def _ortvalue(self) -> "OrtValue":
        return self

    def _get_c_value(self) -> "OrtValue":
        """Returns the value itself. Programs of ONNX Runtime pass the result on."""
        return self


class _Capsule:
    """Wraps a DLPack capsule in an object that numpy.from_dlpack() accepts."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU


def _type_name(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return onnx_type(_element_name(value.dtype))
    if isinstance(value, list):
        return f"seq({_type_name(value[0]) if value else 'tensor(float)'})"
    if isinstance(value, dict):
        key, item = next(iter(value.items()), (0, 0.0))
        return f"map({'string' if isinstance(key, str) else 'int64'},{_type_name(np.asarray(item))})"
    return "optional"


def array_at(address: Any, element_type: Any, shape: Sequence[int], what: str) -> Array:
    """Returns an array that uses memory at an address. Another object owns the memory."""
    dtype = _dtype_of(element_type, f"{what}: element_type")
    if dtype.kind == "O":
        raise ArgumentError(f"{what}: element_type: strings have no memory to bind.")
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


# 64-bit integers in ONNX Runtime's results are C's `long long`, for which NumPy prints dtype=int64. On Linux, NumPy's int64 is `long`.
_WIDE: dict[str, Any] = {np.dtype(np.int64).char: np.longlong, np.dtype(np.uint64).char: np.ulonglong}


def results_of(results: Mapping[str, Any], booleans: frozenset[str]) -> dict[str, Any]:
    """Returns the same results, with the types that ONNX Runtime gives them: bool for the outputs `booleans`, which are uint8 in
    WebNN, and the C types `long long` for 64-bit integers."""
    return {name: result.view(np.bool_) if name in booleans else _widened(result) for name, result in results.items()}


def _widened(result: Any) -> Any:
    if isinstance(result, list):
        return [_widened(item) for item in result]
    wide = _WIDE.get(result.dtype.char) if isinstance(result, np.ndarray) else None
    return result if wide is None else result.view(wide)
