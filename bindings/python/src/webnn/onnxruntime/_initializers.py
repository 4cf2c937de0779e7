"""Replaces initializers of models by the values that SessionOptions contain, and writes optimized models."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from webnn import _protobuf
from webnn._errors import ArgumentError, DataError
from webnn._ortvalue import OrtValue
from webnn.onnxruntime._errors import Fail, failure

if TYPE_CHECKING:
    from webnn.onnxruntime._optimized import Compute

_FOLDER = "session.model_external_initializers_file_folder_path"
_WEIGHTS_FILE = "session.optimized_model_external_initializers_file_name"
_LEAST_BYTES = "session.optimized_model_external_initializers_min_size_in_bytes"


class Replacements:
    """The initializers and the files of external data that a program gives. Copies of SessionOptions share the values."""

    def __init__(self) -> None:
        self.initializers: dict[str, OrtValue] = {}
        self.external: dict[str, OrtValue] = {}  # replaces external data only, and must match its shape and type
        self.files: dict[str, memoryview] = {}

    def __deepcopy__(self, memo: Any) -> "Replacements":
        made = Replacements()
        made.initializers, made.external, made.files = dict(self.initializers), dict(self.external), dict(self.files)
        return made

    def add(self, name: Any, value: Any, is_external: bool) -> None:
        if not isinstance(value, OrtValue):
            raise ArgumentError(f"SessionOptions: the initializer {name!r} must be an OrtValue, not {type(value).__name__}.")
        if not value.is_tensor():
            raise ArgumentError(f"SessionOptions: the initializer {name!r} must be a tensor, not {value.data_type()}.")
        known = self.external if is_external else self.initializers
        if name in known:
            raise ArgumentError(f"SessionOptions: the initializer {name!r} is given twice.")
        known[str(name)] = value

    def add_files(self, names: Sequence[str], buffers: Sequence[Any], lengths: Sequence[int]) -> None:
        if not len(names) == len(buffers) == len(lengths):
            raise ArgumentError(f"SessionOptions: there are {len(names)} names, {len(buffers)} buffers and {len(lengths)} lengths.")
        for name, buffer, length in zip(names, buffers, lengths, strict=True):
            view = memoryview(buffer).cast("B")
            if length > len(view):
                raise ArgumentError(f"SessionOptions: the buffer for {name!r} has {len(view)} bytes, less than {length}.")
            self.files[name] = view[:length]

    def __bool__(self) -> bool:
        return bool(self.initializers or self.external or self.files)


def _tensor(name: str, value: OrtValue) -> bytes:
    return _protobuf.tensor_of(name, value.numpy(), value.element_type())


def _replaced(model: bytes, given: Replacements) -> bytes:
    missing = dict(given.external)

    def edit(name: str, tensor: memoryview) -> bytes | memoryview:
        if name in missing:
            value = missing.pop(name)
            if not _protobuf.is_external(tensor):
                raise failure(Fail, f"InferenceSession: the initializer {name!r} is in the model, and no external data.")
            wanted, found = _protobuf.shape_and_type(tensor), (value.shape(), value.element_type())
            if wanted != found:
                raise failure(Fail, f"InferenceSession: the initializer {name!r} is of shape and type {found}, not {wanted}.")
            return _tensor(name, value)
        return _tensor(name, given.initializers[name]) if name in given.initializers else tensor

    replaced = _protobuf.edited(model, edit)
    if missing:
        raise failure(Fail, f"InferenceSession: the model has no initializers {list(missing)}.")
    return replaced


def folder_of(model: str | bytes, entries: Mapping[str, str]) -> str:
    """Returns the directory of the model's external data."""
    return (entries.get(_FOLDER, "") if isinstance(model, bytes) else os.path.dirname(model)) or os.curdir


def prepared(model: str | bytes, entries: Mapping[str, str], given: Replacements) -> str | bytes:
    """Returns the model's bytes with the initializers of `given` and all external data. Returns the model itself if `given` is empty
    and the model is a path or has no external data."""
    if not given and (isinstance(model, str) or not _protobuf.may_be_external(model)):
        return model
    try:
        content = _protobuf.content_of(model)
        if given:
            content = _replaced(content, given)
        on_disk = _protobuf.files_below(folder_of(model, entries))
        return _protobuf.inlined(content, lambda name: given.files[name] if name in given.files else on_disk(name))
    except _protobuf.MalformedError as error:
        raise DataError("the file is no ONNX model, or only the beginning of one") from error
    except OSError:
        return model  # the session names the file in its error


def without(model: str | bytes, names: frozenset[str]) -> bytes:
    """Returns the model without the initializers of these names, so that they are inputs."""
    content = _protobuf.edited(_protobuf.content_of(model), lambda name, tensor: None if name in names else tensor)
    return _protobuf.inlined(content, _protobuf.files_below(folder_of(model, {})))


def overridable(model: Any) -> list[str]:
    """Returns the names of the initializers that a run may replace; [] if the model is not a readable ONNX model."""
    try:
        return _protobuf.overridable(_protobuf.content_of(model)) if isinstance(model, str | bytes) else []
    except (_protobuf.MalformedError, OSError):
        return []


def write_optimized(model: str | bytes, path: str, entries: Mapping[str, str], compute: "Compute | None") -> None:
    """Writes a copy of the model to `path`, the path of the optimized model.

    `entries` of the session's options may move weights into a file beside the copy. Weights from files of another directory move into
    the copy. compute: computes constants of the copy; None: do not optimize the copy.
    """
    if isinstance(model, str) and os.path.exists(path) and os.path.samefile(model, path):
        return
    content = _protobuf.content_of(model)
    source = os.path.dirname(model) if isinstance(model, str) else os.curdir
    target = os.path.dirname(path) or os.curdir
    if _protobuf.may_be_external(content) and not os.path.samefile(source or os.curdir, target):
        content = _protobuf.inlined(content, _protobuf.files_below(source or os.curdir))
    if compute is not None:
        from webnn.onnxruntime._optimized import optimized  # noqa: PLC0415  # few programs write a model

        content = optimized(content, compute)
    weights = entries.get(_WEIGHTS_FILE, "")
    if weights:
        data = bytearray()
        content = _protobuf.moved_out(content, weights, int(entries.get(_LEAST_BYTES, "1024")), data)
        with open(os.path.join(target, weights), "wb") as file:
            file.write(data)
    with open(path, "wb") as file:
        file.write(content)
