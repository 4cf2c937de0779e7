"""ONNX Runtime's exceptions, and the exceptions that sessions raise instead."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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


class Fail(Exception):
    pass


class InvalidArgument(Exception):
    pass


class NoSuchFile(Exception):
    pass


class NoModel(Exception):
    pass


class EngineError(Exception):
    pass


class RuntimeException(Exception):
    pass


class InvalidProtobuf(Exception):
    pass


class ModelLoaded(Exception):
    pass


class NotImplemented(Exception):
    pass


class InvalidGraph(Exception):
    pass


class EPFail(Exception):
    pass


class ModelLoadCanceled(Exception):
    pass


class ModelRequiresCompilation(Exception):
    pass


class NotFound(Exception):
    pass


class DeviceReset(Exception):
    pass


# For a broken model or a failed run, the class that ONNX Runtime raises depends on the check that fails first. The checks here have
# another order. So each class below derives from all classes that ONNX Runtime may raise, and has the name of the first.


class Combined(Exception):
    """Base of these classes. Pickle cannot find them by their names, which are not unique here."""

    def __init_subclass__(cls) -> None:
        _COMBINED[cls.__name__] = cls

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (next(key for key, kind in _COMBINED.items() if kind is type(self)), self.args)


_COMBINED: dict[str, type[Exception]] = {}


def _remade(key: str, arguments: tuple[Any, ...]) -> Exception:
    return _COMBINED[key](*arguments)


class UnreadableModel(Combined, InvalidProtobuf, InvalidArgument):
    """The content is no ONNX model, or only the beginning of a model."""


class BrokenModel(Combined, InvalidGraph, Fail, InvalidArgument):
    """The model breaks a rule of ONNX."""


class BrokenShapes(Combined, Fail, InvalidGraph, InvalidArgument):
    """The shapes or types in the model do not fit its operators."""


class UnsupportedModel(Combined, NotImplemented, InvalidGraph, Fail):
    """No backend of the session can run the model."""


class BrokenRun(Combined, Fail, InvalidArgument):
    """A node cannot compute its result from these inputs."""


class RefusedRun(Combined, InvalidArgument, Fail):
    """A node cannot compute its result from these inputs, and belongs to an operator that checks its inputs itself."""


class ResourceFailure(Combined, RuntimeException, Fail):
    """Memory, a limit or the system ended the call."""


for _kind in _COMBINED.values():
    _kind.__name__ = _kind.__qualname__ = _kind.__bases__[1].__name__


def show_as_onnxruntime() -> None:
    """Sets the classes' __module__ to that of ONNX Runtime's exceptions, which tracebacks show and pickle imports."""
    for kind in (*Exception.__subclasses__(), *_COMBINED.values()):
        if kind.__module__ == __name__:
            kind.__module__ = "onnxruntime.capi.onnxruntime_pybind11_state"


_CODES: dict[type[Exception], tuple[int, str]] = {  # ONNX Runtime's messages begin with these codes
    Fail: (1, "FAIL"),
    InvalidArgument: (2, "INVALID_ARGUMENT"),
    NoSuchFile: (3, "NO_SUCHFILE"),
    InvalidGraph: (10, "INVALID_GRAPH"),
    UnreadableModel: (7, "INVALID_PROTOBUF"),
    NotImplemented: (9, "NOT_IMPLEMENTED"),
    ModelLoadCanceled: (12, "MODEL_LOAD_CANCELED"),
    BrokenModel: (10, "INVALID_GRAPH"),
    BrokenShapes: (1, "FAIL"),
    UnsupportedModel: (9, "NOT_IMPLEMENTED"),
    BrokenRun: (1, "FAIL"),
    RefusedRun: (2, "INVALID_ARGUMENT"),
    ResourceFailure: (6, "RUNTIME_EXCEPTION"),
}
LOADING: dict[type[Error], type[Exception]] = {
    ArgumentError: InvalidArgument,
    DataError: BrokenModel,
    NotFoundError: NoSuchFile,
    NotSupportedError: UnsupportedModel,
    OperationError: ResourceFailure,
    UnknownError: ResourceFailure,
    AbortError: ModelLoadCanceled,
    DeadlineError: Fail,
    InvalidStateError: Fail,
}
RUNNING = {**LOADING, DataError: BrokenRun, NotSupportedError: BrokenRun, AbortError: Fail}


def failure(kind: type[Exception], message: str) -> Exception:
    """Makes an exception whose message begins with ONNX Runtime's code."""
    number, name = _CODES[kind]
    return kind(f"[ONNXRuntimeError] : {number} : {name} : {message}")


@contextmanager
def type_errors() -> Iterator[None]:
    """Raises TypeError, ONNX Runtime's exception for a value of a wrong type, in place of ArgumentError."""
    try:
        yield
    except ArgumentError as error:
        raise TypeError(str(error)) from error


@contextmanager
def raised_as(kinds: Mapping[type[Error], type[Exception]]) -> Iterator[None]:
    """Raises ONNX Runtime's exception in place of an Error of the block."""
    try:
        yield
    except Error as error:
        raise failure(kinds[type(error)], str(error)) from error
