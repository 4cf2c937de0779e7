"""Tensors and bindings as ONNX Runtime's users know them: memory that many runs use."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from webnn._arguments import integer, must_be, sizes, text
from webnn._arrays import as_array, as_boolean, data_type_name, is_of_numbers
from webnn._errors import ArgumentError, NotSupportedError, UnknownError
from webnn._types import Array, ArrayLike

if TYPE_CHECKING:
    from webnn._session import InferenceSession
    from webnn._webnn import MLGraph, _Binding

_ONNX_TYPES = {"float32": "float"}
_ELEMENT_TYPES = {  # of onnx.TensorProto
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
    """ONNX Runtime's text of a type: "tensor(float)"."""
    return f"tensor({_ONNX_TYPES.get(data_type, data_type)})"


def _dtype_of(element_type: Any, what: str) -> "np.dtype[Any]":
    """Of what numpy.dtype() takes, or of a number of onnx.TensorProto."""
    if isinstance(element_type, int) and element_type in _ELEMENT_TYPES:
        return np.dtype(_ELEMENT_TYPES[element_type])
    name = "bool" if element_type in (bool, np.bool_, "bool") else data_type_name(element_type, what)
    if name not in _ELEMENT_TYPES.values():
        raise ArgumentError(f"{what}: there are no values of {name}, of which two elements share a byte.")
    return np.dtype(name)


def _require_cpu(device_type: Any, what: str) -> None:
    if device_type not in ("cpu", None):
        raise NotSupportedError(f"{what}: there is no memory of device {device_type!r} to bind, only of 'cpu'.")


def _as_array_of(value: ArrayLike, data_type: str, is_boolean: bool, what: str) -> Array:
    """The array itself; numbers and lists as one of the type."""
    return as_boolean(value, what) if is_boolean and is_of_numbers(value) else as_array(value, data_type, what)


class OrtValue:
    """An array for bindings, which refer to its memory.

    >>> value = webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32))
    >>> value.shape(), value.data_type(), value.device_name()
    ([2, 3], 'tensor(float)', 'cpu')
    """

    def __init__(self, array: Array) -> None:
        self._array = array

    @staticmethod
    def ortvalue_from_numpy(numpy_obj: ArrayLike, device_type: str = "cpu", device_id: int = 0) -> "OrtValue":
        """A value over the memory of an array, or of a copy if it is not contiguous or of foreign byte order.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(2, np.float32)).numpy()
        array([1., 1.], dtype=float32)
        """
        _require_cpu(device_type, "ortvalue_from_numpy")
        integer(device_id, "ortvalue_from_numpy: device_id", 0)
        array = as_array(numpy_obj, "float32", "ortvalue_from_numpy")
        return OrtValue(np.asarray(array, _dtype_of(array.dtype, "ortvalue_from_numpy"), order="C"))

    @staticmethod
    def ortvalue_from_shape_and_type(
        shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0
    ) -> "OrtValue":
        """A value of zeros.

        >>> webnn.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32).shape()
        [2, 3]
        """
        _require_cpu(device_type, "ortvalue_from_shape_and_type")
        integer(device_id, "ortvalue_from_shape_and_type: device_id", 0)
        wanted, dtype = sizes(shape, "ortvalue_from_shape_and_type"), _dtype_of(element_type, "ortvalue_from_shape_and_type")
        try:
            return OrtValue(np.zeros(wanted, dtype))
        except (MemoryError, ValueError) as error:  # ValueError: more bytes than there are addresses
            raise UnknownError(f"ortvalue_from_shape_and_type: there is no memory for {dtype}{wanted}.") from error

    def numpy(self) -> Array:
        """The array itself, not a copy.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.ones(1, np.float32)).numpy().shape
        (1,)
        """
        return self._array

    def update_inplace(self, np_arr: ArrayLike) -> None:
        """Copies an array of the same type and shape into the memory, for the next run.

        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([2], np.float32)
        >>> value.update_inplace(np.ones(2, np.float32))
        """
        array = _as_array_of(np_arr, str(self._array.dtype), self._array.dtype == np.bool_, "update_inplace")
        if array.shape != self._array.shape or array.dtype != self._array.dtype:
            raise ArgumentError(
                f"update_inplace: {array.dtype}{list(array.shape)} is not {self._array.dtype}{list(self._array.shape)}."
            )
        if not self._array.flags.writeable:
            raise ArgumentError("update_inplace: the array that the value is made of is read-only.")
        self._array[...] = array

    def shape(self) -> list[int]:
        """The shape.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros((2, 3), np.float32)).shape()
        [2, 3]
        """
        return list(self._array.shape)

    def data_type(self) -> str:
        """The type as ONNX Runtime says it.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.int64)).data_type()
        'tensor(int64)'
        """
        return onnx_type(self._array.dtype.name)

    def element_type(self) -> int:
        """The number of the type in onnx.TensorProto.

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).element_type()
        1
        """
        return next(number for number, name in _ELEMENT_TYPES.items() if name == self._array.dtype.name)

    def data_ptr(self) -> int:
        """The address of the memory, for bind_input() and bind_output().

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).data_ptr() != 0
        True
        """
        return self._array.ctypes.data

    def device_name(self) -> str:
        """Where the memory is: "cpu".

        >>> webnn.OrtValue.ortvalue_from_numpy(np.zeros(1, np.float32)).device_name()
        'cpu'
        """
        return "cpu"

    def has_value(self) -> bool:
        """True.

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


class IOBinding:
    """What a session reads and writes in run_with_iobinding(): bound once, and then used by any number of runs.

    >>> session = webnn.InferenceSession("examples/digits/digits.webnn")
    >>> binding = session.io_binding()
    >>> binding.bind_cpu_input("image", np.zeros((1, 1, 28, 28), np.float32))
    >>> binding.bind_output("probabilities")
    >>> session.run_with_iobinding(binding)
    >>> binding.copy_outputs_to_cpu()[0].shape
    (1, 10)
    """

    def __init__(self, session: "InferenceSession") -> None:
        self._session = session
        self._inputs: dict[str, Array] = {}
        self._outputs: dict[str, Array | None] = {}
        self._bound: tuple[MLGraph, _Binding, dict[str, Array]] | None = None
        self._model: object = None  # of the session, when it was bound
        self._has_results = False  # of what is bound

    def bind_cpu_input(self, name: str, arr_on_cpu: ArrayLike) -> None:
        """Binds an array: the runs read what its memory holds then. It must be contiguous.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> binding.bind_cpu_input("image", np.zeros((1, 1, 28, 28), np.float32))
        """
        what = f"bind_cpu_input: {name!r}"
        data_type, is_boolean = self._declared(name, "bind_cpu_input")
        self._bind_input(name, _as_array_of(arr_on_cpu, data_type, is_boolean, what), "bind_cpu_input")

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int
    ) -> None:
        """Binds memory by its address, which must stay valid and aligned.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> image = np.zeros((1, 1, 28, 28), np.float32)
        >>> binding.bind_input("image", "cpu", 0, np.float32, image.shape, image.ctypes.data)
        """
        _require_cpu(device_type, "bind_input")
        integer(device_id, "bind_input: device_id", 0)
        self._bind_input(name, _array_at(buffer_ptr, element_type, shape, "bind_input"), "bind_input")

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """Binds the memory of a value.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([1, 1, 28, 28], np.float32)
        >>> binding.bind_ortvalue_input("image", value)
        """
        self._bind_input(name, _array_of(ortvalue, "bind_ortvalue_input"), "bind_ortvalue_input")

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        """Binds an output to memory at an address, or to new memory, which all runs write.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> binding.bind_output("probabilities")
        """
        _require_cpu(device_type, "bind_output")
        integer(device_id, "bind_output: device_id", 0)
        array = None
        if buffer_ptr is not None:
            if shape is None or element_type is None:
                raise ArgumentError("bind_output: a buffer_ptr needs element_type and shape.")
            array = _array_at(buffer_ptr, element_type, shape, "bind_output")
        self._bind_output(name, array, "bind_output")

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an output to the memory of a value.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([1, 10], np.float32)
        >>> binding.bind_ortvalue_output("probabilities", value)
        """
        self._bind_output(name, _array_of(ortvalue, "bind_ortvalue_output"), "bind_ortvalue_output")

    def get_outputs(self) -> list[OrtValue]:
        """The bound outputs in order, over the memory that the next run writes again. None if the last run failed.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().get_outputs()
        []
        """
        return [OrtValue(array) for array in self._bound[2].values()] if self._bound is not None and self._has_results else []

    def copy_outputs_to_cpu(self) -> list[Array]:
        """Copies of the outputs of the last run, in order.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().copy_outputs_to_cpu()
        []
        """
        return [value.numpy().copy() for value in self.get_outputs()]

    def clear_binding_inputs(self) -> None:
        """Forgets the inputs.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().clear_binding_inputs()
        """
        self._inputs, self._bound = {}, None

    def clear_binding_outputs(self) -> None:
        """Forgets the outputs.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().clear_binding_outputs()
        """
        self._outputs, self._bound = {}, None

    def synchronize_inputs(self) -> None:
        """Does nothing: runs wait for nothing that is on its way.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().synchronize_inputs()
        """

    synchronize_outputs = synchronize_inputs

    def _declared(self, name: str, method: str) -> tuple[str, bool]:
        """The type of an input, and whether it is boolean."""
        declared = self._session._declared_inputs()
        if text(name, f"{method}: name") not in declared:
            raise ArgumentError(f'{method}: the model has no input "{name}"; it has {list(declared)}.')
        return declared[name].data_type, name in self._session._model.booleans(False)

    def _bind_input(self, name: str, array: Array, method: str) -> None:
        data_type, is_boolean = self._declared(name, method)
        if is_boolean and array.dtype != np.bool_:  # whose bytes may be other than 0 and 1
            raise ArgumentError(f'{method}: input "{name}": the array is of {array.dtype}, not bool: use array.astype(bool).')
        if data_type in ("int4", "uint4") and array.dtype != np.uint8:  # they would be packed once, and never again
            raise ArgumentError(f'{method}: input "{name}": the array is of {array.dtype}, not packed: use pack_int4().')
        if not array.flags.c_contiguous or not array.dtype.isnative:
            raise ArgumentError(f'{method}: the array for input "{name}" is not contiguous, or not of native byte order.')
        self._inputs[name], self._bound = array, None

    def _bind_output(self, name: str, array: Array | None, method: str) -> None:
        self._outputs[text(name, f"{method}: name")], self._bound = array, None

    def _run(self, timeout: float | None, cancellation: Any) -> None:
        self._session._follow_fork()
        if self._bound is None or self._model is not self._session._model:
            self._model = self._session._model
            self._bound = self._session._bind(self._inputs, self._outputs, timeout, cancellation)
        graph, binding, _ = self._bound
        self._has_results = False
        self._session._profile(graph, self._inputs)
        binding.run(timeout, cancellation)
        self._has_results = True


def _array_at(address: Any, element_type: Any, shape: Sequence[int], what: str) -> Array:
    """An array over memory that somebody else owns."""
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


def _array_of(value: Any, what: str) -> Array:
    if not isinstance(value, OrtValue):
        raise must_be(f"{what}: ortvalue", "an OrtValue", value)
    return value.numpy()


def results_of(arrays: Mapping[str, Array], booleans: frozenset[str]) -> dict[str, Array]:
    """The same memory; bool where ONNX says so."""
    return {name: array.view(np.bool_) if name in booleans else array for name, array in arrays.items()}
