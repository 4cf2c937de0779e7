"""MLTensor's conversions to arrays, and MLDeviceTensor."""

from typing import Any

import numpy as np

from webnn._types import Array, ArrayLike
from webnn._webnn import MLContext, MLTensor


def numpy(self: MLTensor) -> Array:
    """Reads the elements of a readable tensor into a new array, after the work that was queued before.

    >>> webnn.ML().create_context().create_host_tensor([2], "float32").numpy()
    array([0., 0.], dtype=float32)
    """
    return self._read()


def _array(self: MLTensor, dtype: Any = None, copy: bool | None = None) -> Array:
    if copy is False:
        raise ValueError("the elements of a tensor can only be copied.")
    return np.asarray(self._read(), dtype)


MLTensor.numpy = numpy  # type: ignore[method-assign]
MLTensor.__array__ = _array  # type: ignore[method-assign]


class MLDeviceTensor:
    """A tensor with pywebnn's methods read() and write(). create_device_tensor() returns it.

    >>> context = webnn.ML().create_context()
    >>> tensor = context.create_device_tensor(webnn.load("examples/digits/digits.webnn", context), [2])
    >>> tensor.write(np.ones(2, np.float32))
    >>> tensor.read()
    array([1., 1.], dtype=float32)
    """

    def __init__(self, context: MLContext, tensor: MLTensor, device: str) -> None:
        self.tensor = tensor
        self.device = device
        self.backend = context.backend
        self._context = context

    @property
    def data_type(self) -> str:
        """The elements' type: "float32", ..."""
        return self.tensor.data_type

    @property
    def shape(self) -> list[int]:
        """The sizes of all dimensions."""
        return self.tensor.shape

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.tensor.size

    def read(self) -> Array:
        """Calls context.read_tensor(tensor).

        >>> context = webnn.ML().create_context()
        >>> context.create_device_tensor(webnn.load("examples/digits/digits.webnn"), [1]).read()
        array([0.], dtype=float32)
        """
        return self._context.read_tensor(self.tensor)

    def write(self, data: ArrayLike) -> None:
        """Calls context.write_tensor(tensor, data).

        >>> context = webnn.ML().create_context()
        >>> context.create_device_tensor(webnn.load("examples/digits/digits.webnn"), [1]).write([1.0])
        """
        self._context.write_tensor(self.tensor, data)

    def destroy(self) -> None:
        """Frees the memory. The tensor cannot be used afterwards.

        >>> context = webnn.ML().create_context()
        >>> context.create_device_tensor(webnn.load("examples/digits/digits.webnn"), [1]).destroy()
        """
        self.tensor.destroy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return _array(self.tensor, dtype, copy)

    def __repr__(self) -> str:
        return f"<MLDeviceTensor shape={self.shape} dtype={self.data_type!r} device={self.device!r}>"
