"""Lists the names of ONNX Runtime's API that are left out, and the reasons. The tests compare all other names.

The names in CLASSES and FUNCTIONS can be imported, but raise NotImplemented when they are used. Functions for tools call the real
package instead, if it is installed.
"""

import sys
from functools import cache
from typing import Any, NoReturn

from webnn._install import real_packages
from webnn.onnxruntime._errors import NotImplemented, failure

_COMPILED = "a session compiles its model when it loads it. Pass the model itself to InferenceSession."
_PACKAGES = "model packages are not supported. Pass the ONNX model of a variant to InferenceSession."
_PLUGINS = "plug-ins with execution providers are not supported."
_SPARSE = "sparse tensors are not supported. Convert them to dense arrays."
_TOOLS = "only the real package onnxruntime quantizes weights and lists schemas and kernels: pip install onnxruntime."

_ONE_CLASS = "ONNX Runtime has a class in Python and one in C++, between which this is called. Here both names are one class."
_OLD = "ONNX Runtime 1.31 has it, 1.32 does not."
_PRIVATE = "only ONNX Runtime's own modules use it."

CLASSES = {
    "ModelCompiler": _COMPILED,
    "ModelPackage": _PACKAGES,
    "ModelPackageComponentContext": _PACKAGES,
    "ModelPackageContext": _PACKAGES,
    "ModelPackageOptions": _PACKAGES,
    "OrtEpAssignedNode": "the nodes of a provider are not recorded. Use session.graph.placement().",
    "OrtEpAssignedSubgraph": "the nodes of a provider are not recorded. Use session.graph.placement().",
    "OrtEpContextData": _COMPILED,
    "OrtEpContextDataBuffer": _COMPILED,
    "OrtSyncStream": _PLUGINS,
    "SessionObjectInitializer": "only the C++ code of ONNX Runtime makes such objects.",
    "SparseBlockSparseView": _SPARSE,
    "SparseCooView": _SPARSE,
    "SparseCsrView": _SPARSE,
    "SparseTensor": _SPARSE,
}
FUNCTIONS = {
    "get_all_operator_schema": _TOOLS,
    "get_all_opkernel_def": _TOOLS,
    "get_compatibility_info_from_model": _COMPILED,
    "get_compatibility_info_from_model_bytes": _COMPILED,
    "get_hardware_device_ep_incompatibility_details": _PLUGINS,
    "get_model_compatibility_for_ep_devices": _COMPILED,
    "get_registered_ep_kernel_defs": _PLUGINS,
    "pack_fp4_weights_for_cuda_moe_gemm": _TOOLS,
    "quantize_matmul_2bits": _TOOLS,
    "quantize_matmul_4bits": _TOOLS,
    "quantize_matmul_8bits": _TOOLS,
    "quantize_matmul_bnb4": _TOOLS,
    "quantize_qdq_matmul_2bits": _TOOLS,
    "quantize_qdq_matmul_4bits": _TOOLS,
}

MISSING = {  # names that do not exist here
    "GetInitializerLocationFunc": _COMPILED,
    "GetInitializerLocationWrapperFunc": _COMPILED,
    "InferenceSession.create_ortvalue_from_shape_and_onnx_type": _ONE_CLASS,
    "InferenceSession.initialize_session": _ONE_CLASS,
    "InferenceSession.input_epdevices": _ONE_CLASS,
    "InferenceSession.input_meminfos": _ONE_CLASS,
    "InferenceSession.inputs_meta": _ONE_CLASS,
    "InferenceSession.is_webgpu_graph_capture_enabled": _ONE_CLASS,
    "InferenceSession.model_meta": _ONE_CLASS,
    "InferenceSession.output_meminfos": _ONE_CLASS,
    "InferenceSession.outputs_meta": _ONE_CLASS,
    "InferenceSession.overridable_initializers": _ONE_CLASS,
    "InferenceSession.session_options": _ONE_CLASS,
    "InferenceSession.webgpu_context_id": _ONE_CLASS,
    "OrtValue.__init__": _ONE_CLASS,
    "OrtValue.as_sparse_tensor": _SPARSE,
    "OrtValue.ort_value_from_sparse_tensor": _SPARSE,
    "OrtValue.ortvalue_from_shape_and_onnx_type": _ONE_CLASS,
    "OrtValue.ortvalue_from_shape_and_onnx_type_for_memory_info": _ONE_CLASS,
    "OrtValue.ortvalue_from_shape_and_type_for_memory_info": _ONE_CLASS,
    "OrtValueVector.bool_tensor_indices": _OLD,
    "OrtValueVector.push_back_batch": _ONE_CLASS,
    "Session.__init__": "Session and InferenceSession are one class.",
    "check_and_normalize_provider_args": _PRIVATE,
    "get_vendor_id_for_device_type": _PRIVATE,
    "is_dlpack_uint8_tensor": _OLD,
    "make_get_initializer_location_func_wrapper": _COMPILED,
}


class _Absent(type):
    """The metaclass of classes that raise NotImplemented when the class or a static method is called."""

    def __call__(cls, *arguments: Any, **options: Any) -> NoReturn:
        raise failure(NotImplemented, f"{cls.__name__}: {CLASSES[cls.__name__]}")

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return cls.__call__


def _absent_class(name: str) -> Any:
    """Returns a class of this name that raises NotImplemented when it is used."""
    return _Absent(name, (), {"__module__": __name__, "__doc__": CLASSES[name]})


@cache
def _real_state() -> Any:
    """Loads the C++ module of the real package beside webnn. Returns None if there is none. Sessions never use the module."""
    from importlib.util import module_from_spec, spec_from_file_location  # noqa: PLC0415  # most programs do without

    name = "onnxruntime_pybind11_state"
    for folder in real_packages():
        for file in sorted((folder / "capi").glob(f"{name}*.pyd" if sys.platform == "win32" else f"{name}*.so")):
            spec = spec_from_file_location(name, file)
            if spec is not None and spec.loader is not None:
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
                return module
    return None


def _absent_function(name: str) -> Any:
    """Returns a function of this name that raises NotImplemented or, for tools, calls the real package if it is installed."""

    def refuse(*arguments: Any, **options: Any) -> Any:
        if FUNCTIONS[name] == _TOOLS and (real := _real_state()) is not None:
            return getattr(real, name)(*arguments, **options)
        raise failure(NotImplemented, f"{name}: {FUNCTIONS[name]}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = FUNCTIONS[name]
    return refuse


ModelCompiler = _absent_class("ModelCompiler")
ModelPackage = _absent_class("ModelPackage")
ModelPackageComponentContext = _absent_class("ModelPackageComponentContext")
ModelPackageContext = _absent_class("ModelPackageContext")
ModelPackageOptions = _absent_class("ModelPackageOptions")
OrtEpAssignedNode = _absent_class("OrtEpAssignedNode")
OrtEpAssignedSubgraph = _absent_class("OrtEpAssignedSubgraph")
OrtEpContextData = _absent_class("OrtEpContextData")
OrtEpContextDataBuffer = _absent_class("OrtEpContextDataBuffer")
OrtSyncStream = _absent_class("OrtSyncStream")
SessionObjectInitializer = _absent_class("SessionObjectInitializer")
SparseBlockSparseView = _absent_class("SparseBlockSparseView")
SparseCooView = _absent_class("SparseCooView")
SparseCsrView = _absent_class("SparseCsrView")
SparseTensor = _absent_class("SparseTensor")
get_all_operator_schema = _absent_function("get_all_operator_schema")
get_all_opkernel_def = _absent_function("get_all_opkernel_def")
get_compatibility_info_from_model = _absent_function("get_compatibility_info_from_model")
get_compatibility_info_from_model_bytes = _absent_function("get_compatibility_info_from_model_bytes")
get_hardware_device_ep_incompatibility_details = _absent_function("get_hardware_device_ep_incompatibility_details")
get_model_compatibility_for_ep_devices = _absent_function("get_model_compatibility_for_ep_devices")
get_registered_ep_kernel_defs = _absent_function("get_registered_ep_kernel_defs")
pack_fp4_weights_for_cuda_moe_gemm = _absent_function("pack_fp4_weights_for_cuda_moe_gemm")
quantize_matmul_2bits = _absent_function("quantize_matmul_2bits")
quantize_matmul_4bits = _absent_function("quantize_matmul_4bits")
quantize_matmul_8bits = _absent_function("quantize_matmul_8bits")
quantize_matmul_bnb4 = _absent_function("quantize_matmul_bnb4")
quantize_qdq_matmul_2bits = _absent_function("quantize_qdq_matmul_2bits")
quantize_qdq_matmul_4bits = _absent_function("quantize_qdq_matmul_4bits")
