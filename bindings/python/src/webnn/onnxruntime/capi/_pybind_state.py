"""The names of onnxruntime_pybind11_state."""

from typing import TYPE_CHECKING

from webnn.onnxruntime.capi.onnxruntime_pybind11_state import *  # noqa: F403

if not TYPE_CHECKING:
    from webnn.onnxruntime.capi.onnxruntime_pybind11_state import __dir__, __getattr__
