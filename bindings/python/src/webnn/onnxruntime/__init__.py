"""The Python API of ONNX Runtime, on webnn. See docs/guides/coming_from_onnxruntime.md."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

import webnn as _webnn_package  # noqa: F401  # if another thread is importing webnn, waits until webnn is complete
from webnn._options import ExecutionMode, ExecutionOrder, GraphOptimizationLevel
from webnn._ortvalue import OrtValue
from webnn._providers import get_available_providers, get_device
from webnn.onnxruntime import capi as capi
from webnn.onnxruntime._absent import (
    ModelCompiler,
    ModelPackage,
    ModelPackageComponentContext,
    ModelPackageContext,
    ModelPackageOptions,
    OrtEpAssignedNode,
    OrtEpAssignedSubgraph,
    OrtEpContextData,
    OrtEpContextDataBuffer,
    OrtSyncStream,
    SparseTensor,
)
from webnn.onnxruntime._adapters import AdapterFormat, LoraAdapter
from webnn.onnxruntime._environment import (
    VERSION,
    copy_tensors,
    create_and_register_allocator,
    create_and_register_allocator_v2,
    disable_telemetry_events,
    enable_telemetry_events,
    get_all_providers,
    get_build_info,
    get_ep_devices,
    get_version_string,
    has_collective_ops,
    preload_dlls,
    print_debug_info,
    register_execution_provider_library,
    set_default_logger_callback,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
    unregister_execution_provider_library,
)
from webnn.onnxruntime._later import PUBLIC as _PUBLIC
from webnn.onnxruntime._later import import_later as _import_later
from webnn.onnxruntime._options import RunOptions, SessionOptions
from webnn.onnxruntime._session import InferenceSession, IOBinding, ModelMetadata, NodeArg
from webnn.onnxruntime.capi import onnxruntime_validation as onnxruntime_validation

if _TYPE_CHECKING:
    from webnn.onnxruntime._devices import (
        ModelPackageWriteMode,
        OrtAllocatorType,
        OrtArenaCfg,
        OrtCompileApiFlags,
        OrtDevice,
        OrtDeviceMemoryType,
        OrtDeviceVendorId,
        OrtEpDevice,
        OrtExecutionProviderDevicePolicy,
        OrtExternalInitializerInfo,
        OrtHardwareDevice,
        OrtHardwareDeviceType,
        OrtMemoryInfo,
        OrtMemoryInfoDeviceType,
        OrtMemType,
        OrtSparseFormat,
    )
else:  # type checkers must report names that do not exist
    __getattr__, __dir__ = _import_later(globals(), _PUBLIC)

SessionIOBinding = IOBinding
__author__ = "webnn"
__version__ = version = VERSION
package_name, cuda_version, import_capi_exception = "onnxruntime", "", None

__all__ = [
    "AdapterFormat",
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "LoraAdapter",
    "ModelCompiler",
    "ModelMetadata",
    "ModelPackage",
    "ModelPackageComponentContext",
    "ModelPackageContext",
    "ModelPackageOptions",
    "ModelPackageWriteMode",
    "NodeArg",
    "OrtAllocatorType",
    "OrtArenaCfg",
    "OrtCompileApiFlags",
    "OrtDevice",
    "OrtDeviceMemoryType",
    "OrtDeviceVendorId",
    "OrtEpAssignedNode",
    "OrtEpAssignedSubgraph",
    "OrtEpContextData",
    "OrtEpContextDataBuffer",
    "OrtEpDevice",
    "OrtExecutionProviderDevicePolicy",
    "OrtExternalInitializerInfo",
    "OrtHardwareDevice",
    "OrtHardwareDeviceType",
    "OrtMemType",
    "OrtMemoryInfo",
    "OrtMemoryInfoDeviceType",
    "OrtSparseFormat",
    "OrtSyncStream",
    "OrtValue",
    "RunOptions",
    "SessionIOBinding",
    "SessionOptions",
    "SparseTensor",
    "copy_tensors",
    "create_and_register_allocator",
    "create_and_register_allocator_v2",
    "disable_telemetry_events",
    "enable_telemetry_events",
    "get_all_providers",
    "get_available_providers",
    "get_build_info",
    "get_device",
    "get_ep_devices",
    "get_version_string",
    "has_collective_ops",
    "preload_dlls",
    "print_debug_info",
    "register_execution_provider_library",
    "set_default_logger_callback",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_global_thread_pool_sizes",
    "set_seed",
    "unregister_execution_provider_library",
]
