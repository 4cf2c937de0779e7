"""Graphs in files and in memory."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from webnn._arguments import flag, integer, mapping, must_be, path_text, text
from webnn._arrays import as_array
from webnn._default import context_or_default
from webnn._types import Array, ArrayLike, Arrays, DataType
from webnn._webnn import Cancellation, MLContext, MLGraph, _describe_bytes, _describe_path

PathLike = str | os.PathLike[str]


class HasFileno(Protocol):
    """A file that is open for reading."""

    def fileno(self) -> int: ...


class DeclaredInput(NamedTuple):
    """An input as a file declares it: dynamic dimensions stand as their names."""

    data_type: DataType
    shape: list[int | str]


class FileDescription(NamedTuple):
    """What a graph file declares: its inputs by name, and the files that load() would read, itself first."""

    inputs: dict[str, DeclaredInput]
    files: list[str]


def describe(model: PathLike | bytes) -> FileDescription:
    """What the file at this path, or of this content, declares. Reads neither weights nor operations.

    >>> webnn.describe("model.onnx").inputs["x"].shape
    ['batch', 784]

    Raises NotFoundError, DataError or NotSupportedError.
    """
    if isinstance(model, bytes):
        inputs, files = _describe_bytes(model)
    else:
        inputs, files = _describe_path(path_text(model, "describe: model"))
    return FileDescription({name: DeclaredInput(data_type, shape) for name, data_type, shape in inputs}, files)


def load(
    path: PathLike | HasFileno,
    context: MLContext | None = None,
    *,
    weights: PathLike | None = None,
    manifest: PathLike | None = None,
    dimensions: Mapping[str, int] | None = None,
    values: Arrays | None = None,
    named_files_only: bool = False,
    limits: Mapping[str, float] | None = None,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> MLGraph:
    """The graph of a file of any format that docs/formats.md names, for a context, or for one that all such calls share.

    path: of the file; or a file that is open, beside which nothing is looked for.
    weights, manifest: of a .webnn or JSON graph, if they do not lie beside it.
    dimensions: the sizes of dynamic dimensions, by name.
    values: inputs of an ONNX model that become constants, because shapes depend on them.
    named_files_only: opens no file but those that are named here.
    limits: of each this and the context's, whichever is stricter (see ML.create_context).
    timeout, cancellation: after so many seconds a DeadlineError, and once it is requested an AbortError.
    Raises NotFoundError, DataError, NotSupportedError, OperationError or ArgumentError.
    """
    chosen, bounds = context_or_default(context), _bounds(named_files_only, limits, timeout, cancellation)
    options = _options(weights, manifest, dimensions, values)
    if isinstance(path, str | os.PathLike):
        return chosen._load(path_text(path, "load: path"), *options, bounds)
    if not hasattr(path, "fileno"):
        raise must_be("load: path", "a path or an open file", path)
    return chosen._load_descriptor(integer(path.fileno(), "load: path.fileno()", least=0), *options, bounds)


def _bounds(named_files_only: bool, limits: Any, timeout: Any, cancellation: Any) -> tuple[Any, ...]:
    plain = dict(limits) if isinstance(limits, Mapping) else limits
    return flag(named_files_only, "load: named_files_only"), plain, timeout, cancellation


def _options(
    weights: PathLike | None, manifest: PathLike | None, dimensions: Mapping[str, int] | None, values: Arrays | None
) -> tuple[str | None, str | None, dict[str, int], dict[str, Array]]:
    sizes, arrays = mapping(dimensions, "load: dimensions"), mapping(values, "load: values")
    return (
        None if weights is None else os.path.abspath(path_text(weights, "load: weights")),
        None if manifest is None else os.path.abspath(path_text(manifest, "load: manifest")),
        {
            text(name, "load: dimensions: a name"): integer(size, f"load: dimensions: {name!r}", 0, 2**32 - 1)
            for name, size in sizes.items()
        },
        {
            text(name, "load: values: a name"): np.ascontiguousarray(as_array(value, None, f"load: values: {name!r}"))
            for name, value in arrays.items()
        },
    )


def from_onnx(
    model: Any,
    context: MLContext | None = None,
    *,
    dimensions: Mapping[str, int] | None = None,
    values: Arrays | None = None,
    named_files_only: bool = False,
    limits: Mapping[str, float] | None = None,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> MLGraph:
    """The graph of an ONNX model: its bytes, the path of its file, or an onnx.ModelProto. The options are those of load()."""
    if isinstance(model, str | os.PathLike):
        return load(
            model,
            context,
            dimensions=dimensions,
            values=values,
            named_files_only=named_files_only,
            limits=limits,
            timeout=timeout,
            cancellation=cancellation,
        )
    content = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    if not isinstance(content, bytes | bytearray | memoryview):  # bytes(8) would be 8 zeros
        raise must_be("from_onnx: model", "bytes, a path or an onnx.ModelProto", content)
    bounds = _bounds(named_files_only, limits, timeout, cancellation)
    return context_or_default(context)._load_bytes(bytes(content), *_options(None, None, dimensions, values), bounds)


# Methods of MLGraph.


_FORMATS = {".onnx": "onnx", ".json": "json", ".webnnb": "binary", ".mlpackage": "coreml"}


def save(
    self: MLGraph,
    path: PathLike,
    quantized: bool = False,
    format: str | None = None,
    weights: str | None = None,
) -> None:
    """Writes the graph, and its weights beside it.

    format: "webnn", "binary", "json", "onnx" or "coreml"; by default what the suffix of the path says.
    weights: "safetensors", "manifest" or "inline"; by default inline for "binary", else safetensors.
    """
    del quantized  # of pywebnn: the graph itself says what is quantized
    file = path_text(path, "save: path")
    chosen = format or _FORMATS.get(Path(file).suffix.lower(), "webnn")
    self._save(file, text(chosen, "save: format"), text("" if weights is None else weights, "save: weights"))


def to_onnx(self: MLGraph, path: PathLike | None = None) -> bytes | None:
    """Writes the graph as an ONNX model, or returns the model's bytes."""
    if path is not None:
        self._save(path_text(path, "to_onnx: path"), "onnx", "safetensors")
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        self._save(str(file), "onnx", "inline")
        return file.read_bytes()


def to_coreml(self: MLGraph, path: PathLike) -> None:
    """Writes the graph as an ML Program of Core ML, a folder whose name ends in .mlpackage."""
    self._save(path_text(path, "to_coreml: path"), "coreml", "")


def _load(path: PathLike, manifest_path: PathLike | None = None, weights_path: PathLike | None = None) -> MLGraph:
    """The same as webnn.load()."""
    return load(path, manifest=manifest_path, weights=weights_path)


MLGraph.save = save  # type: ignore[method-assign]
MLGraph.to_onnx = to_onnx  # type: ignore[method-assign, assignment]
MLGraph.to_coreml = to_coreml  # type: ignore[method-assign]
MLGraph.load = staticmethod(_load)  # type: ignore[method-assign]


def run(path: PathLike, inputs: Mapping[str, ArrayLike], **options: Any) -> dict[str, Array]:
    """Loads a graph and computes its outputs. The options are those of load()."""
    return load(path, **options).compute(inputs)
