"""The modules of onnxruntime.capi that programs import."""

from webnn.onnxruntime.capi import _ld_preload as _ld_preload
from webnn.onnxruntime.capi import _pybind_state as _pybind_state
from webnn.onnxruntime.capi import build_and_package_info as build_and_package_info
from webnn.onnxruntime.capi import onnxruntime_inference_collection as onnxruntime_inference_collection
from webnn.onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime_pybind11_state
from webnn.onnxruntime.capi import onnxruntime_validation as onnxruntime_validation
