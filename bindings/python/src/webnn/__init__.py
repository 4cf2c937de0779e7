"""The W3C Web Neural Network API: build a graph, and run it. See docs/reference/python.md."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from webnn import _debug as _debug  # adds pywebnn's methods to MLGraph
from webnn import _graph as _graph  # adds MLGraph.compute()
from webnn import _operands as _operands  # adds the operators of MLOperand
from webnn._arrays import pack_int4, unpack_int4
from webnn._async import AsyncMLContext
from webnn._builder import MLGraphBuilder
from webnn._context import ML
from webnn._dimensions import MLDynamicDimension
from webnn._errors import (
    AbortError,
    ArgumentError,
    DataError,
    DeadlineError,
    Error,
    InvalidStateError,
    NotFoundError,
    NotSupportedError,
    OperationError,
    UnknownError,
)
from webnn._files import DeclaredInput, DeclaredOutput, FileDescription, describe, from_onnx, load
from webnn._install import install_as_onnxruntime
from webnn._options import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
    set_default_logger_severity,
    set_default_logger_verbosity,
)
from webnn._ortvalue import OrtValue
from webnn._providers import Backend, backends, get_all_providers, get_available_providers, get_device
from webnn._session import InferenceSession, IOBinding, ModelMetadata, NodeArg, run
from webnn._tensor import MLDeviceTensor
from webnn._types import MLOperandDescriptor
from webnn._webnn import Cancellation, MLContext, MLGraph, MLOperand, MLTensor
from webnn._webnn import __version__ as __version__

if _TYPE_CHECKING:
    from webnn._compare import Difference, compare
    from webnn._decoder import Decoder
    from webnn._profile import Profile, StepTime, profile

__all__ = [
    "ML",
    "AbortError",
    "ArgumentError",
    "AsyncMLContext",
    "Backend",
    "Cancellation",
    "DataError",
    "DeadlineError",
    "DeclaredInput",
    "DeclaredOutput",
    "Decoder",
    "Difference",
    "Error",
    "ExecutionMode",
    "ExecutionOrder",
    "FileDescription",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "InvalidStateError",
    "MLContext",
    "MLDeviceTensor",
    "MLDynamicDimension",
    "MLGraph",
    "MLGraphBuilder",
    "MLOperand",
    "MLOperandDescriptor",
    "MLTensor",
    "ModelMetadata",
    "NodeArg",
    "NotFoundError",
    "NotSupportedError",
    "OperationError",
    "OrtValue",
    "Profile",
    "RunOptions",
    "SessionOptions",
    "StepTime",
    "UnknownError",
    "backends",
    "compare",
    "describe",
    "from_onnx",
    "get_all_providers",
    "get_available_providers",
    "get_device",
    "install_as_onnxruntime",
    "load",
    "pack_int4",
    "profile",
    "run",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "unpack_int4",
]

# Maps names that few programs need to their modules. The first use of a name imports its module.
_LATER = {
    "Decoder": "_decoder",
    "Difference": "_compare",
    "Profile": "_profile",
    "StepTime": "_profile",
    "compare": "_compare",
    "profile": "_profile",
}


if not _TYPE_CHECKING:  # type checkers must report names that do not exist

    def __getattr__(name: str) -> _Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(f"{__name__}.{_LATER[name]}"), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_LATER})
