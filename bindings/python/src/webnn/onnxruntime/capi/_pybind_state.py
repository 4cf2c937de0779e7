"""The names of onnxruntime_pybind11_state."""

from webnn.onnxruntime.capi.onnxruntime_pybind11_state import *  # noqa: F403
