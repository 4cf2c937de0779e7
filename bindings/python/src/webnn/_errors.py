"""Exceptions for the specification's errors. Most also derive from Python's exceptions for such errors."""

from typing import ClassVar

# The maximum number of characters of a message. If the middle is omitted, the last _END characters remain.
_LONGEST, _END = 4000, 1000


class Error(RuntimeError):
    """The base of the library's errors. `name` is the specification's name of the kind."""

    name: ClassVar[str] = "Error"

    def __init__(self, message: str = "") -> None:
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - _END - 5]} ... {message[-_END:]}"
        super().__init__(message)


class ArgumentError(Error, TypeError, ValueError):
    """An argument breaks a rule of the specification, which calls this error TypeError."""

    name = "TypeError"


class DataError(Error, ValueError, OSError):
    """The content of a file or a stream breaks a rule of its format."""

    name = "DataError"


class InvalidStateError(Error):
    """The object is destroyed, lost or already built."""

    name = "InvalidStateError"


class NotFoundError(Error, FileNotFoundError):
    """A file, a tensor of a weights file or a name does not exist."""

    name = "NotFoundError"


class NotSupportedError(Error, ValueError, OSError):
    """The request is valid, but this build, backend or machine cannot serve it."""

    name = "NotSupportedError"


class OperationError(Error, OSError):
    """Compiling or running a graph, or writing a file, failed or would exceed a limit."""

    name = "OperationError"


class UnknownError(Error, MemoryError):
    """The system failed, usually because memory is short."""

    name = "UnknownError"


class AbortError(Error):
    """A cancellation ended the call."""

    name = "AbortError"


class DeadlineError(Error, TimeoutError):
    """The call, or the work that it queued, exceeded its time limit. The specification calls this error TimeoutError."""

    name = "TimeoutError"


_KINDS: dict[str, type[Error]] = {kind.name: kind for kind in Error.__subclasses__()}


def exception_of(name: str, message: str) -> Error:
    """Makes the exception for an error with this name in the specification."""
    return _KINDS[name](message)
