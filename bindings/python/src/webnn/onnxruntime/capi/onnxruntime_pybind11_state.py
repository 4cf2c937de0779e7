"""The names of onnxruntime.capi.onnxruntime_pybind11_state: exceptions, options, devices and functions."""

from types import ModuleType
from typing import TYPE_CHECKING

from webnn._options import ExecutionMode, ExecutionOrder, GraphOptimizationLevel
from webnn._ortvalue import OrtValue
from webnn._providers import get_available_providers, get_device
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
    SessionObjectInitializer,
    SparseBlockSparseView,
    SparseCooView,
    SparseCsrView,
    SparseTensor,
    get_all_operator_schema,
    get_all_opkernel_def,
    get_compatibility_info_from_model,
    get_compatibility_info_from_model_bytes,
    get_hardware_device_ep_incompatibility_details,
    get_model_compatibility_for_ep_devices,
    get_registered_ep_kernel_defs,
    pack_fp4_weights_for_cuda_moe_gemm,
    quantize_matmul_2bits,
    quantize_matmul_4bits,
    quantize_matmul_8bits,
    quantize_matmul_bnb4,
    quantize_qdq_matmul_2bits,
    quantize_qdq_matmul_4bits,
)
from webnn.onnxruntime._adapters import AdapterFormat, LoraAdapter
from webnn.onnxruntime._environment import (
    copy_tensors,
    create_and_register_allocator,
    create_and_register_allocator_v2,
    disable_telemetry_events,
    enable_telemetry_events,
    get_all_providers,
    get_build_info,
    get_ep_devices,
    get_hardware_devices,
    get_version_string,
    has_collective_ops,
    register_execution_provider_library,
    set_default_logger_callback,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
    unregister_execution_provider_library,
)
from webnn.onnxruntime._errors import (
    DeviceReset,
    EngineError,
    EPFail,
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    ModelLoadCanceled,
    ModelLoaded,
    ModelRequiresCompilation,
    NoModel,
    NoSuchFile,
    NotFound,
    NotImplemented,
    RuntimeException,
)
from webnn.onnxruntime._later import STATE, import_later
from webnn.onnxruntime._options import RunOptions, SessionOptions
from webnn.onnxruntime._session import InferenceSession, ModelMetadata, NodeArg, OrtValueVector
from webnn.onnxruntime._session import IOBinding as SessionIOBinding

if TYPE_CHECKING:
    from webnn.onnxruntime._devices import (
        ArenaExtendStrategy,
        ModelPackageWriteMode,
        OrtAllocatorType,
        OrtArenaCfg,
        OrtCompileApiFlags,
        OrtCompiledModelCompatibility,
        OrtDeviceEpIncompatibilityReason,
        OrtDeviceMemoryType,
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
    from webnn.onnxruntime._devices import StateOrtDevice as OrtDevice

    kNextPowerOfTwo = ArenaExtendStrategy.kNextPowerOfTwo  # noqa: N816
    kSameAsRequested = ArenaExtendStrategy.kSameAsRequested  # noqa: N816
else:  # type checkers must report names that do not exist
    __getattr__, __dir__ = import_later(globals(), STATE)

opkernel, schemadef = ModuleType("opkernel"), ModuleType("schemadef")  # empty; ONNX Runtime's modules describe its operators
_DEFAULTS = SessionOptions()


def get_default_session_options() -> SessionOptions:
    return _DEFAULTS


def get_session_initializer() -> None:
    """Returns None: only the C++ code of ONNX Runtime uses the result."""
