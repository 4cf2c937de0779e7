"""ONNX Runtime's exceptions, and the exceptions that sessions raise instead."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

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


# ONNX Runtime raises different classes for broken models and failed runs, by the check that fails first. The checks here have
# another order, so these classes derive from all classes that ONNX Runtime raises for such a model.


class UnreadableModel(InvalidProtobuf, InvalidArgument):
    """The content is no ONNX model, or only the beginning of a model."""


class BrokenModel(InvalidGraph, Fail, InvalidArgument):
    """The model breaks a rule of ONNX."""


class UnsupportedModel(NotImplemented, InvalidGraph, Fail):
    """No backend of the session can run the model."""


class BrokenRun(Fail, InvalidArgument):
    """A node cannot compute its result from these inputs."""


class ResourceFailure(RuntimeException, Fail):
    """Memory, a limit or the system ended the call."""


_CODES: dict[type[Exception], tuple[int, str]] = {  # ONNX Runtime's messages begin with these codes
    Fail: (1, "FAIL"),
    InvalidArgument: (2, "INVALID_ARGUMENT"),
    NoSuchFile: (3, "NO_SUCHFILE"),
    UnreadableModel: (7, "INVALID_PROTOBUF"),
    NotImplemented: (9, "NOT_IMPLEMENTED"),
    ModelLoadCanceled: (12, "MODEL_LOAD_CANCELED"),
    BrokenModel: (10, "INVALID_GRAPH"),
    UnsupportedModel: (9, "NOT_IMPLEMENTED"),
    BrokenRun: (1, "FAIL"),
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
def raised_as(kinds: Mapping[type[Error], type[Exception]]) -> Iterator[None]:
    """Raises ONNX Runtime's exception in place of an Error of the block."""
    try:
        yield
    except Error as error:
        raise failure(kinds[type(error)], str(error)) from error
