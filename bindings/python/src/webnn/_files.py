"""Graphs in files and in memory."""

import inspect
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from webnn._arguments import flag, integer, mapping, must_be, path_text, text
from webnn._arrays import as_array
from webnn._default import context_or_default
from webnn._errors import ArgumentError, Error, NotSupportedError
from webnn._types import Array, Arrays, DataType, Progress, finish
from webnn._webnn import Cancellation, MLContext, MLGraph, _describe_bytes, _describe_path, _open_session, _Session

PathLike = str | os.PathLike[str]


class HasFileno(Protocol):
    """A file that is open for reading."""

    def fileno(self) -> int: ...


class DeclaredInput(NamedTuple):
    """An input as a file declares it: open dimensions stand as their names. ONNX's bool is uint8 in graphs.

    >>> webnn.describe("examples/digits/digits.webnn").inputs["image"]
    DeclaredInput(data_type='float32', shape=[1, 1, 28, 28], is_boolean=False)
    """

    data_type: DataType
    shape: list[int | str]
    is_boolean: bool = False


class DeclaredOutput(NamedTuple):
    """An output as an ONNX model declares it. What the model leaves open is None.

    >>> webnn.DeclaredOutput("float32", ["batch", 10])
    DeclaredOutput(data_type='float32', shape=['batch', 10], is_boolean=False)
    """

    data_type: DataType | None
    shape: list[int | str | None] | None
    is_boolean: bool = False


class FileDescription(NamedTuple):
    """What a graph file declares: its inputs by name, and the files that load() would read, itself first. For an ONNX model, its
    outputs too, and what it says of itself.

    >>> webnn.describe("examples/digits/digits.webnn").files[0]
    'examples/digits/digits.webnn'
    """

    inputs: dict[str, DeclaredInput]
    files: list[str]
    outputs: dict[str, DeclaredOutput]
    metadata: dict[str, Any]


def describe(model: PathLike | bytes) -> FileDescription:
    """What the file at this path, or of this content, declares. Reads neither weights nor operations.

    >>> webnn.describe("examples/digits/digits.webnn").inputs["image"].shape
    [1, 1, 28, 28]

    Raises NotFoundError, DataError or NotSupportedError.
    """
    if isinstance(model, bytes | bytearray | memoryview):
        inputs, outputs, metadata, files = _describe_bytes(bytes(model))
    else:
        inputs, outputs, metadata, files = _describe_path(path_text(model, "describe: model"))
    return FileDescription(
        {name: DeclaredInput(*declared) for name, *declared in inputs},
        files,
        {name: DeclaredOutput(*declared) for name, *declared in outputs},
        metadata,
    )


def load(
    path: PathLike | HasFileno | bytes,
    context: MLContext | None = None,
    *,
    weights: PathLike | None = None,
    manifest: PathLike | None = None,
    dimensions: Mapping[str, int] | None = None,
    values: Arrays | None = None,
    named_files_only: bool = False,
    map_files: bool = True,
    limits: Mapping[str, float] | None = None,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
    progress: Progress | None = None,
) -> MLGraph:
    """The graph of a file of any format that docs/reference/formats.md names, for a context; without one, for a context that all such calls
    share, and for any other one that it is given to, which compiles it at the first use.

    path: of the file; or a file that is open, or its content as bytes, beside which nothing is looked for.
    weights, manifest: of a .webnn or JSON graph, if they do not lie beside it.
    dimensions: the sizes of dynamic dimensions, by name.
    values: inputs of an ONNX model that become constants, because shapes depend on them.
    named_files_only: opens no file but those that are named here.
    map_files: whether files are mapped into memory, or read, so that they may be written while the graph lives.
    limits: of each this and the context's, whichever is stricter (see ML.create_context).
    timeout, cancellation: after so many seconds a DeadlineError, and once it is requested an AbortError.
    progress: called with (done, total) meanwhile, about 50 times a second; what it raises ends the call.
    Raises NotFoundError, DataError, NotSupportedError, OperationError or ArgumentError.

    >>> graph = webnn.load("examples/digits/digits.webnn")
    >>> graph.inputs
    {'image': MLOperandDescriptor(data_type='float32', shape=(1, 1, 28, 28))}
    >>> graph.compute({"image": np.zeros((1, 1, 28, 28), np.float32)})["probabilities"].shape
    (1, 10)
    """
    chosen = context_or_default(context)
    options = _arguments(weights, manifest, dimensions, values, named_files_only, map_files, limits, timeout, cancellation, progress)
    try:
        if isinstance(path, str | os.PathLike):
            graph = chosen._load(path_text(path, "load: path"), *options)
        elif isinstance(path, bytes | bytearray | memoryview):
            path = bytes(path)
            graph = chosen._load_bytes(path, *options)
        elif hasattr(path, "fileno"):
            graph = chosen._load_descriptor(integer(path.fileno(), "load: path.fileno()", least=0), *options)
        else:
            raise must_be("load: path", "a path or an open file", path)
    except ArgumentError as error:
        raise _with_sizes(error, path, options[2]) from error.__cause__
    graph._is_of_any_context = context is None
    finish(progress)
    return graph


def _with_sizes(error: ArgumentError, model: Any, given: Mapping[str, int]) -> ArgumentError:
    """The error; if there are dimensions without a size, with what gives them one."""
    if not isinstance(model, str | os.PathLike | bytes):
        return error
    try:
        inputs = describe(model).inputs.values()
    except Error:
        return error
    missing = {size: 1 for declared in inputs for size in declared.shape if isinstance(size, str) and size not in given}
    if not missing:
        return error
    shown = ", ".join(f'"{name}": {size}' for name, size in missing.items())
    return ArgumentError(
        f"{error} Give them: load(..., dimensions={{{shown}}}); or let InferenceSession or webnn.run() take them from the inputs."
    )


def open_source(model: str | bytes, context: MLContext | None, options: Mapping[str, Any]) -> _Session:
    """A model that is read once, and becomes a graph for each set of sizes. The options are those of load()."""
    unknown = [name for name in options if name not in inspect.signature(_arguments).parameters]
    if unknown:
        raise ArgumentError(f"InferenceSession: there is no option {unknown[0]!r}.")
    return _open_session(context_or_default(context), model, *_arguments(**options))


def _arguments(
    weights: PathLike | None = None,
    manifest: PathLike | None = None,
    dimensions: Mapping[str, int] | None = None,
    values: Arrays | None = None,
    named_files_only: bool = False,
    map_files: bool = True,
    limits: Any = None,
    timeout: Any = None,
    cancellation: Any = None,
    progress: Any = None,
) -> tuple[str | None, str | None, dict[str, int], dict[str, Array], tuple[Any, ...]]:
    """The options of load() as the module takes them."""
    maps, named_only = flag(map_files, "load: map_files"), flag(named_files_only, "load: named_files_only")
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
        (named_only, dict(limits) if isinstance(limits, Mapping) else limits, timeout, cancellation, progress, maps),
    )


def from_onnx(
    model: Any,
    context: MLContext | None = None,
    *,
    dimensions: Mapping[str, int] | None = None,
    values: Arrays | None = None,
    named_files_only: bool = False,
    map_files: bool = True,
    limits: Mapping[str, float] | None = None,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
    progress: Progress | None = None,
) -> MLGraph:
    """The graph of an ONNX model: its bytes, the path of its file, or an onnx.ModelProto. The options are those of load().

    >>> content = webnn.load("examples/digits/digits.webnn").to_onnx()
    >>> webnn.from_onnx(content).get_input_names()
    ['image']
    """
    content = model.SerializeToString() if hasattr(model, "SerializeToString") else model
    if not isinstance(content, str | os.PathLike | bytes | bytearray | memoryview):
        raise must_be("from_onnx: model", "bytes, a path or an onnx.ModelProto", content)
    return load(
        bytes(content) if isinstance(content, bytearray | memoryview) else content,
        context,
        dimensions=dimensions,
        values=values,
        named_files_only=named_files_only,
        map_files=map_files,
        limits=limits,
        timeout=timeout,
        cancellation=cancellation,
        progress=progress,
    )


# Methods of MLGraph.


def save(self: MLGraph, path: PathLike, quantized: bool = False, format: str | None = None, weights: str | None = None) -> None:
    """Writes the graph, and its weights beside it.

    format: "webnn", "binary", "json", "onnx" or "coreml"; by default what the suffix of the path says: .webnn, .webnnb, .json,
    .onnx or .mlpackage. Another one is an ArgumentError.
    weights: "safetensors", "manifest" or "inline"; by default inline for "binary", else safetensors.

    >>> webnn.load("examples/digits/digits.webnn").save("build/digits.onnx")
    """
    del quantized  # of pywebnn: the graph itself says what is quantized
    chosen = text("" if format is None else format, "save: format")
    self._save(path_text(path, "save: path"), chosen, text("" if weights is None else weights, "save: weights"))


def to_onnx(self: MLGraph, path: PathLike | None = None) -> bytes | None:
    """Writes the graph as an ONNX model, or returns the model's bytes.

    >>> len(webnn.load("examples/digits/digits.webnn").to_onnx()) > 1000
    True
    """
    if path is not None:
        self._save(path_text(path, "to_onnx: path"), "onnx", "safetensors")
        return None
    return _bytes_of(self, "onnx", "to_onnx")


def _bytes_of(graph: MLGraph, format: str, method: str) -> bytes:
    """What save() writes into one file. Errors name no temporary file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph"
        try:
            graph._save(str(file), format, "inline")
        except Error as error:
            message = str(error).replace(str(file), method)
            raise type(error)(message) from error.__cause__
        return file.read_bytes()


def _restored(content: bytes) -> MLGraph:
    return load(content)


def _reduced(self: MLGraph) -> tuple[Any, ...]:
    """For pickle: the graph with its weights. It comes back without a context, for any."""
    try:
        content = _bytes_of(self, "binary", "pickle")
    except NotSupportedError:  # without Cap'n Proto, as in wheels
        content = _bytes_of(self, "webnn", "pickle")
    return _restored, (content,)


def to_coreml(self: MLGraph, path: PathLike) -> None:
    """Writes the graph as an ML Program of Core ML, a folder whose name ends in .mlpackage.

    >>> webnn.load("examples/digits/digits.webnn").to_coreml("build/digits.mlpackage")
    """
    self._save(path_text(path, "to_coreml: path"), "coreml", "")


def _load(path: PathLike, manifest_path: PathLike | None = None, weights_path: PathLike | None = None) -> MLGraph:
    """The same as webnn.load().

    >>> webnn.MLGraph.load("examples/digits/digits.webnn").get_output_names()
    ['probabilities']
    """
    return load(path, manifest=manifest_path, weights=weights_path)


MLGraph.save = save  # type: ignore[method-assign]
MLGraph.to_onnx = to_onnx  # type: ignore[method-assign, assignment]
MLGraph.to_coreml = to_coreml  # type: ignore[method-assign]
MLGraph.load = staticmethod(_load)  # type: ignore[method-assign]
MLGraph.__reduce__ = _reduced  # type: ignore[method-assign, assignment]
