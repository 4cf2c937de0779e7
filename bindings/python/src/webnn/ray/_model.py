"""A model that can be sent to other processes."""

import hashlib
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webnn._arguments import must_be, path_text, text
from webnn._errors import ArgumentError, DataError, NotFoundError
from webnn._files import FileDescription, describe


class Model:
    """A graph file, given by its path and the hash of its content, or by its content.

    model: a path, which must lead to the same files on every node; or the content of a file that needs no other file: bytes, a
        buffer of bytes (a NumPy array), an onnx.ModelProto, or the reference that ray.put() returns for one of them.
    sha256: the expected hash; by default the hash of the files now. For one file, `sha256sum` prints the same hash. For several
        files (weights, external data), it is the hash of the lines that `sha256sum` prints for them, the graph's line first, with
        names in place of paths.

    A path is pickled as a path, and the process that unpickles it compares the hash before it uses the files.
    Raises DataError for another hash, and the errors of webnn.describe().
    """

    def __init__(self, model: Any, sha256: str | None = None) -> None:
        self.path: str | None = None
        self.content: bytes | None = None
        if isinstance(model, str | os.PathLike):
            self.path = os.path.abspath(path_text(model, "Model: model"))
        else:
            self.content = _content_of(model)
        if sha256 == "":
            raise ArgumentError("Model: sha256 is empty.")
        self.sha256 = "" if sha256 is None else text(sha256, "Model: sha256").lower()
        self._description: FileDescription | None = None
        self.check()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_description": None}

    def __repr__(self) -> str:
        what = f"{len(self.content)} bytes" if self.content is not None else repr(self.path)
        return f"Model({what}, sha256={self.sha256!r})"

    def check(self) -> FileDescription:
        """Returns the description of the files, which the first call reads. Raises DataError if the hash differs."""
        if self._description is None:
            self._description = self._checked()
        return self._description

    def check_again(self) -> None:
        """Raises DataError if the files have changed since check()."""
        if self.path is not None:
            self._checked()

    def _checked(self) -> FileDescription:
        node = socket.gethostname()
        if self.path is not None and not os.path.exists(self.path):
            raise NotFoundError(f"{self.path} is not on the node {node!r}: a model must be on every node that uses it.")
        description = describe(self.path if self.path is not None else self.content or b"")
        found = hashlib.sha256(self.content).hexdigest() if self.content is not None else _hash_of(description.files)
        if self.sha256 and found != self.sha256:
            raise DataError(
                f"{self.path or 'the content'} is another model on the node {node!r}: its SHA-256 is {found}, and that of "
                f"the wanted one {self.sha256}."
            )
        self.sha256 = found
        return description


def _content_of(model: Any) -> bytes:
    ray = sys.modules.get("ray")
    if ray is not None and isinstance(model, ray.ObjectRef):
        return _content_of(ray.get(model))
    if hasattr(model, "SerializeToString") and not isinstance(model, type):
        return bytes(model.SerializeToString())
    content: Any = model
    try:
        return bytes(memoryview(content).cast("B"))
    except (TypeError, ValueError) as error:
        raise must_be("Model: model", "a path, the bytes of a file or an onnx.ModelProto", model) from error


# Hashes by the state of the files (see _state_of), because tasks in one process unpickle the same model repeatedly.
_hashes: dict[tuple[tuple[Any, ...], ...], str] = {}
_MOST_HASHES = 100


def _state_of(file: str) -> tuple[int, ...]:
    state = os.stat(file)
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


def _hash_of(files: Sequence[str]) -> str:
    try:
        key = tuple((file, *_state_of(file)) for file in files)
        if key in _hashes:
            return _hashes[key]
        hashes = []
        for file in files:
            with open(file, "rb") as opened:
                hashes.append(hashlib.file_digest(opened, "sha256").hexdigest())
    except (OSError, ValueError) as error:
        raise NotFoundError(f"a file of the model cannot be read: {error}") from error
    if len(_hashes) >= _MOST_HASHES:
        _hashes.clear()
    lines = "".join(f"{each}  {Path(file).name}\n" for each, file in zip(hashes, files, strict=True))
    _hashes[key] = hashes[0] if len(files) == 1 else hashlib.sha256(lines.encode()).hexdigest()
    return _hashes[key]
