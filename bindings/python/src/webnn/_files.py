"""Loads, describes and saves graphs, in files and in memory."""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TextIO

import numpy as np

from webnn._arguments import flag, integer, mapping, must_be, path_text, text
from webnn._arrays import as_array
from webnn._default import context_or_default
from webnn._errors import ArgumentError, Error, NotSupportedError
from webnn._types import Array, Arrays, DataType, Progress, finish
from webnn._webnn import Cancellation, MLContext, MLGraph, _describe_bytes, _describe_path, _open_session, _Session

PathLike = str | os.PathLike[str]


class HasFileno(Protocol):
    """A file that the caller has opened."""

    def fileno(self) -> int: ...


class DeclaredInput(NamedTuple):
    """An input as a file declares it. An open dimension is given by its name. ONNX's bool becomes uint8 in graphs.

    onnx_type: the type of an input that is no tensor, such as "map(string,tensor(float))"; else "".

    >>> webnn.describe("examples/digits/digits.webnn").inputs["image"].shape
    [1, 1, 28, 28]
    """

    data_type: DataType
    shape: list[int | str]
    is_boolean: bool = False
    onnx_type: str = ""

    @property
    def key_type(self) -> str:
        """The type of a map's keys, "int64" or "string"; "" if the input is no map."""
        return self.onnx_type[4:].partition(",")[0] if self.onnx_type.startswith("map(") else ""


class DeclaredOutput(NamedTuple):
    """An output as a file declares it. None stands for a type, shape or size that the file does not declare; only ONNX models
    declare them.

    onnx_type: the type of an output that is no tensor, such as "seq(map(int64,tensor(float)))"; else "".

    >>> webnn.DeclaredOutput("float32", ["batch", 10]).shape
    ['batch', 10]
    """

    data_type: DataType | None
    shape: list[int | str | None] | None
    is_boolean: bool = False
    onnx_type: str = ""


class FileDescription(NamedTuple):
    """The declarations of a graph file: its inputs and outputs by name, the files that load() would read, beginning with the file
    itself, and the metadata of an ONNX model.

    >>> webnn.describe("examples/digits/digits.webnn").files[0]
    'examples/digits/digits.webnn'
    """

    inputs: dict[str, DeclaredInput]
    files: list[str]
    outputs: dict[str, DeclaredOutput]
    metadata: dict[str, Any]


def describe(model: PathLike | bytes) -> FileDescription:
    """Reads the declarations of a file, given by its path or its content, without its weights and operations.

    >>> webnn.describe("examples/digits/digits.webnn").inputs["image"].shape
    [1, 1, 28, 28]

    Raises NotFoundError, DataError or NotSupportedError.
    """
    if isinstance(model, bytes | bytearray | memoryview):
        return description_of(*_describe_bytes(bytes(model)))
    return description_of(*_describe_path(path_text(model, "describe: model")))


def description_of(inputs: Any, outputs: Any, metadata: dict[str, Any], files: list[str]) -> FileDescription:
    """Makes a FileDescription of the values that the C++ module's functions for descriptions return."""
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
    """Loads the graph of a file in any format of docs/reference/formats.md, for a context. Without a context, the graph belongs to
    the default context; another context that is given the graph compiles it at the first use.

    path: a path, an open file, or the content as bytes. With an open file or bytes, no other file is read unless it is named
    here. weights, manifest: the files of a .webnn or JSON graph, if they are not beside it.
    dimensions: the sizes of open dimensions, by name.
    values: inputs of an ONNX model that become constants, because shapes depend on them.
    named_files_only: opens only the files that are named here.
    map_files: whether files are mapped into memory. False: they are read, so that they may change while the graph exists.
    limits: as in ML.create_context. If the context has a limit too, the stricter one applies.
    timeout: seconds until a DeadlineError.
    cancellation: requesting it raises an AbortError.
    progress: called with (done, total) during the call, at most 50 times a second. An exception in this function ends the call.
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
    """Returns the error. If dimensions lack a size, adds the argument that gives it."""
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


def open_source(
    model: str | bytes, context: MLContext | None, options: Mapping[str, Any], seed: int | None = None, may_disagree: bool = False
) -> _Session:
    """Opens a model once, for graphs with different sizes. `options` are the options of load(); `seed` is for operators that draw
    random numbers; `may_disagree`: whether inputs of an ONNX model may give a dimension different sizes."""
    defaults = load.__kwdefaults__ or {}
    unknown = [name for name in options if name not in defaults]
    if unknown:
        raise ArgumentError(f"InferenceSession: there is no option {unknown[0]!r}.")
    return _open_session(context_or_default(context), model, *_arguments(*{**defaults, **options}.values()), seed, may_disagree)


def _arguments(
    weights: Any, manifest: Any, dimensions: Any, values: Any, named_files_only: Any, map_files: Any, limits: Any, *call: Any
) -> tuple[str | None, str | None, dict[str, int], dict[str, Array], tuple[Any, ...]]:
    """Converts load()'s options, in their order, for the C++ module. `call` is (timeout, cancellation, progress)."""
    maps, named_only = flag(map_files, "load: map_files"), flag(named_files_only, "load: named_files_only")
    arrays = mapping(values, "load: values")
    return (
        None if weights is None else os.path.abspath(path_text(weights, "load: weights")),
        None if manifest is None else os.path.abspath(path_text(manifest, "load: manifest")),
        fixed_sizes(dimensions, "load"),
        {
            text(name, "load: values: a name"): np.ascontiguousarray(as_array(value, None, f"load: values: {name!r}"))
            for name, value in arrays.items()
        },
        (named_only, dict(limits) if isinstance(limits, Mapping) else limits, *call, maps),
    )


def fixed_sizes(dimensions: Any, method: str) -> dict[str, int]:
    """Validates the argument `dimensions`, a dict of names and sizes, and returns a copy."""
    sizes = mapping(dimensions, f"{method}: dimensions").items()
    return {
        text(name, f"{method}: dimensions: a name"): integer(size, f"{method}: dimensions: {name!r}", 0, 2**32 - 1) for name, size in sizes
    }


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
    """Loads an ONNX model from its bytes, the path of its file, or an onnx.ModelProto. The options are the same as for load().

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


# Methods that are added to MLGraph below.


def save(self: MLGraph, path: PathLike, quantized: bool = False, format: str | None = None, weights: str | None = None) -> None:
    """Writes the graph to a file, and its weights beside it.

    format: "webnn", "binary", "json", "onnx" or "coreml"; by default the format of the path's suffix: .webnn, .webnnb, .json,
    .onnx or .mlpackage. Another suffix is an ArgumentError.
    weights: "safetensors", "manifest" or "inline"; by default "inline" for "binary", else "safetensors". In an ONNX model,
    constants of at least 1024 bytes go into NAME.onnx.data, unless this is "inline". An .mlpackage always contains its weights.

    >>> webnn.load("examples/digits/digits.webnn").save("build/digits.onnx")
    """
    del quantized  # pywebnn's option; here the graph itself contains its quantization
    chosen = text("" if format is None else format, "save: format")
    self._save(path_text(path, "save: path"), chosen, text("" if weights is None else weights, "save: weights"))


def to_onnx(self: MLGraph, path: PathLike | None = None) -> bytes | None:
    """Writes the graph as an ONNX model to `path`. Without a path, returns the model's bytes.

    >>> len(webnn.load("examples/digits/digits.webnn").to_onnx()) > 1000
    True
    """
    if path is not None:
        self._save(path_text(path, "to_onnx: path"), "onnx", "safetensors")
        return None
    return _bytes_of(self, "onnx", "to_onnx")


def _bytes_of(graph: MLGraph, format: str, method: str) -> bytes:
    """Returns the bytes that save() would write. Errors name `method` in place of the temporary file."""
    import tempfile  # noqa: PLC0415  # most programs need no temporary file
    from pathlib import Path  # noqa: PLC0415

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
    """Pickles the graph with its weights. The unpickled graph belongs to the default context; other contexts may use it too."""
    try:
        content = _bytes_of(self, "binary", "pickle")
    except NotSupportedError:  # builds without Cap'n Proto, such as wheels, have no binary format
        content = _bytes_of(self, "webnn", "pickle")
    return _restored, (content,)


def to_coreml(self: MLGraph, path: PathLike) -> None:
    """Writes the graph as an ML Program of Core ML into the directory `path`.

    Core ML opens the directory only if its name ends in .mlpackage; to_coreml() accepts any name.

    >>> webnn.load("examples/digits/digits.webnn").to_coreml("build/digits.mlpackage")
    """
    self._save(path_text(path, "to_coreml: path"), "coreml", "")


def _load(path: PathLike, manifest_path: PathLike | None = None, weights_path: PathLike | None = None) -> MLGraph:
    """Calls webnn.load().

    >>> webnn.MLGraph.load("examples/digits/digits.webnn").get_output_names()
    ['probabilities']
    """
    return load(path, manifest=manifest_path, weights=weights_path)


MLGraph.save = save  # type: ignore[method-assign]
MLGraph.to_onnx = to_onnx  # type: ignore[method-assign, assignment]
MLGraph.to_coreml = to_coreml  # type: ignore[method-assign]
MLGraph.load = staticmethod(_load)  # type: ignore[method-assign]
MLGraph.__reduce__ = _reduced  # type: ignore[method-assign, assignment]


def new_file(start: str, suffix: str) -> TextIO:
    """Opens a file that does not exist yet, with a number in its name if necessary."""
    name, number = start + suffix, 1
    while True:
        try:
            return open(name, "x", encoding="utf-8")
        except FileExistsError:
            number += 1
            name = f"{start}_{number}{suffix}"
