"""Exports the classes that ONNX Runtime defines in its module of the same name."""

from webnn._ortvalue import OrtValue
from webnn.onnxruntime._absent import ModelCompiler, SparseTensor
from webnn.onnxruntime._adapters import AdapterFormat
from webnn.onnxruntime._devices import OrtDevice, OrtDeviceVendorId, known_device
from webnn.onnxruntime._environment import copy_tensors
from webnn.onnxruntime._session import InferenceSession, IOBinding

Session = InferenceSession


def get_ort_device_type(device_type: str) -> int:
    """Returns the number of a type of device."""
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
