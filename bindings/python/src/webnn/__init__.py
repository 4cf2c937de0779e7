"""The W3C Web Neural Network API: build a graph, and run it. See docs/python.md."""

from webnn import _debug as _debug  # gives MLGraph the methods of pywebnn
from webnn._arrays import pack_int4, unpack_int4
from webnn._async import AsyncMLContext
from webnn._builder import MLGraphBuilder
from webnn._compare import Difference, compare
from webnn._context import ML
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
from webnn._files import DeclaredInput, FileDescription, describe, from_onnx, load, run
from webnn._session import InferenceSession, NodeArg
from webnn._types import MLOperandDescriptor
from webnn._webnn import Cancellation, MLContext, MLGraph, MLOperand, MLTensor

__version__ = "0.1.0"

__all__ = [
    "ML",
    "AbortError",
    "ArgumentError",
    "AsyncMLContext",
    "Cancellation",
    "DataError",
    "DeadlineError",
    "DeclaredInput",
    "Difference",
    "Error",
    "FileDescription",
    "InferenceSession",
    "InvalidStateError",
    "MLContext",
    "MLGraph",
    "MLGraphBuilder",
    "MLOperand",
    "MLOperandDescriptor",
    "MLTensor",
    "NodeArg",
    "NotFoundError",
    "NotSupportedError",
    "OperationError",
    "UnknownError",
    "compare",
    "describe",
    "from_onnx",
    "load",
    "pack_int4",
    "run",
    "unpack_int4",
]
