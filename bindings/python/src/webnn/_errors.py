"""The errors of the specification; each is also what Python's users expect."""

from typing import ClassVar

_LONGEST, _END = 4000, 1000  # characters of a message, and of its end where the middle is left out


class Error(RuntimeError):
    """What the library raises. `name` is the specification's name of the kind."""

    name: ClassVar[str] = "Error"

    def __init__(self, message: str = "") -> None:
        if len(message) > _LONGEST:
            message = f"{message[: _LONGEST - _END - 5]} ... {message[-_END:]}"
        super().__init__(message)


class ArgumentError(Error, TypeError, ValueError):
    """An argument breaks a rule of the specification, whose name for this is TypeError."""

    name = "TypeError"


class DataError(Error, ValueError, OSError):
    """A file or a stream does not hold what its format demands."""

    name = "DataError"


class InvalidStateError(Error):
    """The object is destroyed, lost, or has already been built."""

    name = "InvalidStateError"


class NotFoundError(Error, FileNotFoundError):
    """A file, a tensor of a weights file or a name does not exist."""

    name = "NotFoundError"


class NotSupportedError(Error, ValueError, OSError):
    """Valid, but this build, backend or machine cannot do it."""

    name = "NotSupportedError"


class OperationError(Error, OSError):
    """Compiling or running a graph, or writing a file, failed."""

    name = "OperationError"


class UnknownError(Error, MemoryError):
    """The system failed, usually for want of memory."""

    name = "UnknownError"


class AbortError(Error):
    """A cancellation asked for the end of the call."""

    name = "AbortError"


class DeadlineError(Error, TimeoutError):
    """The call, or the work that it queued, took longer than it may. The specification's name for this is TimeoutError."""

    name = "TimeoutError"


_KINDS: dict[str, type[Error]] = {kind.name: kind for kind in Error.__subclasses__()}


def exception_of(name: str, message: str) -> Error:
    """The error of the specification's name."""
    return _KINDS[name](message)
