"""Exports the classes that ONNX Runtime defines in its module of the same name."""

from typing import TYPE_CHECKING

from webnn._ortvalue import OrtValue
from webnn.onnxruntime._absent import ModelCompiler, SparseTensor
from webnn.onnxruntime._adapters import AdapterFormat
from webnn.onnxruntime._environment import copy_tensors
from webnn.onnxruntime._later import PUBLIC, import_later
from webnn.onnxruntime._session import InferenceSession, IOBinding

if TYPE_CHECKING:
    from webnn.onnxruntime._devices import OrtDevice, OrtDeviceVendorId
else:  # type checkers must report names that do not exist
    __getattr__, __dir__ = import_later(globals(), {name: PUBLIC[name] for name in ("OrtDevice", "OrtDeviceVendorId")})

Session = InferenceSession


def get_ort_device_type(device_type: str) -> int:
    """Returns the number of a type of device."""
    from webnn.onnxruntime._devices import known_device  # noqa: PLC0415  # few programs name devices

    number: int = known_device(device_type).value[0]
    return number


__all__ = [
    "AdapterFormat",
    "IOBinding",
    "InferenceSession",
    "ModelCompiler",
    "OrtDevice",
    "OrtDeviceVendorId",
    "OrtValue",
    "Session",
    "SparseTensor",
    "copy_tensors",
    "get_ort_device_type",
]
