"""Rows: converts a batch's rows to inputs of graphs, and outputs back to rows."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from webnn._arguments import must_be
from webnn._arrays import as_array, has_masked
from webnn._errors import ArgumentError, DataError, Error, InvalidStateError, NotSupportedError
from webnn._files import DeclaredInput
from webnn._types import DTYPES, Array
from webnn._webnn import MLGraph
from webnn.ray._engine import Engine
from webnn.ray._model import Model

Batch = dict[str, Array]
FOUR_BITS = ("int4", "uint4")
_OF_SIZES = (ArgumentError, DataError, NotSupportedError)  # errors of Engine.graph() for sizes that the graph does not accept


class Settings(Protocol):
    """The attributes of Predictor that Rows reads."""

    model: Model
    batch: int | None
    pad: bool
    outputs: list[str] | None
    keep: list[str]
    errors: str | None

    @property
    def engine(self) -> Engine: ...


class Layout(NamedTuple):
    """Describes how rows with equal shapes become inputs of a graph."""

    sizes: dict[str, int]  # sizes of the open dimensions that are not in `counting`
    counting: frozenset[str]  # names of the open dimensions whose size is the number of rows
    size: int  # rows per run
    has_axis: bool  # whether the graph's inputs have an axis for rows
    is_padded: bool  # whether a short last run is padded to `size` rows

    def sizes_for(self, rows: int) -> dict[str, int]:
        """Returns the sizes of all open dimensions for a run of `rows` rows."""
        return self.sizes | dict.fromkeys(self.counting, rows)


class Rows:
    """The rows of one batch, and the results so far."""

    def __init__(self, predictor: Settings, batch: Mapping[str, Any]) -> None:
        if not isinstance(batch, Mapping):
            raise must_be("Predictor: a batch", "a dict of arrays", batch)
        self.predictor = predictor
        self.inputs: dict[str, DeclaredInput] = predictor.model.check().inputs
        for name in [*self.inputs, *predictor.keep]:
            if name not in batch:
                raise ArgumentError(f"Predictor: the batch has no column {name!r}; it has {list(batch)}.")
        self.columns = {name: _array_of(batch[name], f"Predictor: column {name!r}") for name in self.inputs}
        self.kept = {name: _kept_of(batch[name], name) for name in predictor.keep}
        self.count = self._count()
        self.messages: dict[int, str] = {}
        self.has_axis: bool | None = None  # the value of Layout.has_axis; None before the first run
        self.refusal: Error | None = None  # a fault that may be caused by the model; raised if no row can be computed
        for name, column in self.columns.items():
            if column.size == 0 and self.count > 0 and predictor.errors is None:  # without elements, the number of rows is arbitrary
                shape = list(column.shape[1:])
                raise ArgumentError(f"Predictor: the column {name!r} has rows of shape {shape}, which hold nothing.")

    def compute(self) -> Batch:
        """Returns the outputs of all rows, the kept columns and the errors."""
        self.predictor.engine  # noqa: B018 - creates the engine; its errors concern no row
        parts = [(rows, part) for rows in self._alike() if (part := self._compute(rows)) is not None]
        if self.refusal is not None and not parts:
            raise self.refusal
        results = self._join(parts) if parts else self._nothing()
        errors = self.predictor.errors
        for name in [*self.kept, *([] if errors is None else [errors])]:
            if name in results:
                raise _FaultError(f"Predictor: the column {name!r} (keep, errors) is also an output of the graph.")
        results.update(self.kept)
        if errors is not None:
            results[errors] = np.full(self.count, "", object)
            for row, message in self.messages.items():
                results[errors][row] = message
        return results

    def _count(self) -> int:
        counts = {name: column.shape[0] if column.ndim else -1 for name, column in [*self.columns.items(), *self.kept.items()]}
        count = next(iter(counts.values()), 0)
        for name, other in counts.items():
            if other < 0:
                raise ArgumentError(f"Predictor: the column {name!r} is one number, not an array of rows.")
            if other != count:
                raise ArgumentError(f"Predictor: the column {name!r} has {other} rows, where others have {count}.")
        return count

    def _reject(self, rows: Sequence[int] | Array, message: str, cause: Exception | None = None) -> None:
        """Stores the error of these rows if errors are collected; otherwise raises it for the first row."""
        if self.predictor.errors is None:
            row = int(rows[0])
            kept = ", ".join(f"{name}={column[row]}" for name, column in self.kept.items())
            raise ArgumentError(f"Predictor: row {row}{f' ({kept})' if kept else ''}: {message}") from cause
        for row in rows:
            self.messages[int(row)] = message

    def _alike(self) -> list[Array]:
        """Returns groups of rows with equal shapes and types, the largest first."""
        if self.count == 0:
            return []
        ragged = [name for name, column in self.columns.items() if column.dtype == object]
        if not ragged:
            return [np.arange(self.count)]
        groups: dict[Any, list[int]] = {}
        for row in range(self.count):
            kind = []
            for name in ragged:
                try:
                    array = _row_of(self.columns[name][row], f"the column {name!r}")
                except (ArgumentError, RecursionError) as error:  # RecursionError: an array contains itself
                    self._reject([row], str(error), error)
                    break
                kind.append((array.shape, array.dtype))
            else:
                groups.setdefault(tuple(kind), []).append(row)
        return [np.array(rows) for rows in sorted(groups.values(), key=len, reverse=True)]

    def _compute(self, rows: Array) -> Batch | None:
        """Computes the outputs of rows with equal shapes and types. Returns None if the group failed and its error was stored."""
        isall = len(rows) == self.count
        arrays = {}
        for name, column in self.columns.items():
            if column.dtype == object:
                arrays[name] = np.stack([_row_of(column[row], name) for row in rows])
            else:
                arrays[name] = column if isall else column[rows]
        try:
            layout = self._layout(arrays, len(rows))
            results = self._run(arrays, len(rows), layout)
        except _FaultError:
            raise
        except (ArgumentError, InvalidStateError) as error:
            if isinstance(error, InvalidStateError) and (error is not self.refusal or self.predictor.errors is None):
                raise  # the only InvalidStateError that may become an error of rows is self.refusal, if errors are collected
            self._reject(rows, str(error).removeprefix("Predictor: "), error)
            return None
        self.has_axis = layout.has_axis
        return results

    def _layout(self, arrays: Batch, count: int) -> Layout:
        given = self.predictor.engine.sizes
        sizes = dict(given)
        counts: dict[int, str] = {}  # fixed numbers of rows, with the first input that requires each
        counting: set[str] = set()
        axes: dict[bool, str] = {}
        for name, declared in self.inputs.items():
            array = arrays[name] = _typed(name, arrays[name], _dtype_of(declared))
            has_axis = array.ndim != len(declared.shape) + 1
            axes.setdefault(has_axis, name)
            shape: Sequence[int | str] = declared.shape
            if has_axis and shape:
                rows = given.get(shape[0], shape[0]) if isinstance(shape[0], str) else shape[0]
                if isinstance(rows, str):
                    counting.add(rows)
                else:
                    counts.setdefault(rows, name)
                shape = shape[1:]
            _match(name, array, declared, shape, sizes)
        if len(axes) > 1:
            raise ArgumentError(f"the graph has an axis for rows in {axes[True]!r}, but not in {axes[False]!r}.")
        if self.has_axis is not None and self.has_axis not in axes:
            name = axes[not self.has_axis]
            raise ArgumentError(f"the column {name!r} has rows of shape {list(arrays[name].shape[1:])}, unlike other rows.")
        if True not in axes:
            return Layout(sizes, frozenset(), 1, False, False)
        if len(counts) > 1 or (counts and counting):
            self.refusal = ArgumentError(
                f"Predictor: the inputs {counts} and the dimensions {sorted(counting)} do not count the same rows."
            )
            raise self.refusal
        if within := counting & {size for declared in self.inputs.values() for size in declared.shape[1:]}:
            self.refusal = ArgumentError(f"Predictor: the dimensions {sorted(within)} count rows, and are also sizes of a row.")
            raise self.refusal
        batch, pad = self.predictor.batch, self.predictor.pad
        if not counts:
            size = batch if batch is not None and (pad or batch < count) else count
            return Layout(sizes, frozenset(counting), size, True, pad)
        (size,) = counts
        if batch is not None and batch != size:
            raise _FaultError(f"Predictor: the graph takes {size} rows at once, not {batch} (batch).")
        return Layout(sizes, frozenset(), size, True, True)

    def _run(self, arrays: Batch, count: int, layout: Layout) -> Batch:
        """Runs the graph on the rows. The outputs are written in place, except in a padded run."""
        size = layout.size
        graph = self._graph(layout, size)
        self._require_rows(graph, layout)
        results = self._results(graph, count, layout)
        arrays = {name: array for name, array in arrays.items() if name in graph.inputs}  # drop inputs that the graph lacks
        for begin in range(0, count, size):
            rows = slice(begin, min(begin + size, count))
            inputs = {name: array[rows] if layout.has_axis else array[begin] for name, array in arrays.items()}
            outputs = {name: array[rows] if layout.has_axis else array[begin, ...] for name, array in results.items()}
            short = rows.stop - begin
            if short == size:
                graph.compute(inputs, outputs=outputs)
            elif not layout.is_padded:
                self._graph(layout, short).compute(inputs, outputs=outputs)
            else:
                filled = {name: np.concatenate([array, np.repeat(array[-1:], size - short, axis=0)]) for name, array in inputs.items()}
                computed = graph.compute(filled)
                for name, array in outputs.items():
                    array[...] = computed[name][:short]
        return results

    def _graph(self, layout: Layout, rows: int) -> MLGraph:
        """Returns the graph for runs of `rows` rows. Raises ArgumentError if the rows' own sizes are wrong."""
        engine = self.predictor.engine
        try:
            return engine.graph(layout.sizes_for(rows))
        except _OF_SIZES as error:
            engine.model.check_again()  # raises an error if the files have changed
            if rows > 1 and layout.counting:
                self._graph(layout, 1)  # raises the fault if it does not depend on the number of rows
                raise _FaultError(f"Predictor: the graph does not take {rows} rows at once (batch): {error}") from error
            if not layout.sizes.keys() - engine.sizes.keys():
                if isinstance(error, ArgumentError):
                    raise _FaultError(f"Predictor: {error}") from error
                raise
            if not isinstance(error, ArgumentError) and not engine.has_graphs:
                if self.predictor.errors is None:
                    raise
                self.refusal = error
            raise ArgumentError(str(error)) from error

    def _require_rows(self, graph: MLGraph, layout: Layout) -> None:
        """Raises InvalidStateError unless the first dimension of each output, and no other one, depends on the number of rows."""
        engine = self.predictor.engine
        wanted = tuple(list(graph.outputs) if self.predictor.outputs is None else self.predictor.outputs)
        if not layout.has_axis or not layout.counting or wanted in engine.has_rows:
            return
        results = self._results(graph, 0, layout)
        other = layout._replace(size=2 if layout.size == 1 else 1)
        try:
            different = engine.graph(other.sizes_for(other.size))
        except _OF_SIZES:  # the graph accepts one number of rows only
            return
        for name, array in self._results(different, 0, other).items():
            if array.shape != results[name].shape:
                raise InvalidStateError(
                    f"Predictor: the output {name!r} has rows of another shape where there are more rows: name others in outputs."
                )
        engine.has_rows.add(wanted)

    def _results(self, graph: MLGraph, count: int, layout: Layout) -> Batch:
        """Returns uninitialized arrays for the outputs of `count` rows."""
        results = {}
        for name in list(graph.outputs) if self.predictor.outputs is None else self.predictor.outputs:
            if name not in graph.outputs:
                raise InvalidStateError(f"Predictor: the graph has no output {name!r}; it has {list(graph.outputs)}.")
            data_type, shape = graph.outputs[name]
            if str(data_type) in FOUR_BITS:
                raise NotSupportedError(f"Predictor: the output {name!r} is of {data_type}: arrays of rows have no 4 bits.")
            if layout.has_axis and shape[:1] != (layout.size,):
                self.refusal = InvalidStateError(
                    f"Predictor: the output {name!r} of shape {list(shape)} has no row for each of {layout.size} rows: "
                    "name others in outputs."
                )
                raise self.refusal
            results[name] = np.empty((count, *(shape[1:] if layout.has_axis else shape)), DTYPES[data_type])
        return results

    def _join(self, parts: list[tuple[Array, Batch]]) -> Batch:
        """Merges the outputs of the groups in the order of the rows."""
        if len(parts) == 1 and len(parts[0][0]) == self.count:
            return parts[0][1]
        results: Batch = {}
        for name, first in parts[0][1].items():
            if len({part[name].shape[1:] for _, part in parts}) == 1:
                results[name] = _blank((self.count, *first.shape[1:]), first.dtype)
            else:
                results[name] = np.full(self.count, None, object)
                nothing = np.empty((0,) * (first.ndim - 1), first.dtype)  # Ray cannot store None in place of an array
                for row in range(self.count):
                    results[name][row] = nothing
            for rows, part in parts:
                if results[name].dtype != object:
                    results[name][rows] = part[name]
                else:
                    for row, value in zip(rows, part[name], strict=True):
                        results[name][row] = value
        return results

    def _nothing(self) -> Batch:
        """Returns the outputs if no row could be computed; {} if the outputs' shapes are unknown."""
        dense = {name: column for name, column in self.columns.items() if column.dtype != object}
        has_axis = all(column.ndim != len(self.inputs[name].shape) + 1 for name, column in dense.items())
        sizes = dict(self.predictor.engine.sizes)
        try:
            for name, column in dense.items():
                declared = self.inputs[name]
                _match(name, _typed(name, column, _dtype_of(declared)), declared, declared.shape[has_axis:], sizes)
        except ArgumentError:
            if not self.messages:  # otherwise the rows' messages report the error
                raise
        shapes = {name: declared.shape[has_axis:] for name, declared in self.inputs.items()}
        if {size for shape in shapes.values() for size in shape if isinstance(size, str)} - sizes.keys():
            return {}
        arrays = {}
        for name, shape in shapes.items():
            row = [sizes[size] if isinstance(size, str) else size for size in shape]
            arrays[name] = np.broadcast_to(np.zeros((), _dtype_of(self.inputs[name])), (1, *row))  # takes no memory
        try:
            layout = self._layout(arrays, 1)
            results = self._results(self._graph(layout, layout.size), self.count, layout)
        except Error:
            if not self.messages:
                raise
            return {}
        return {name: _blank(array.shape, array.dtype) for name, array in results.items()}


class _FaultError(ArgumentError):
    """A fault of an argument of Predictor, not of a row."""


def _dtype_of(declared: DeclaredInput) -> np.dtype[Any]:
    return DTYPES[str(declared.data_type)]


def _array_of(value: Any, what: str) -> Array:
    if type(value) is np.ndarray:
        return value
    try:
        return as_array(value, None, what)
    except ArgumentError:
        raise
    except Exception as error:  # the value's own methods may raise any exception
        raise ArgumentError(f"{what}: {type(value).__name__} is no array that can be read: {error!r}") from error


def _row_of(value: Any, what: str) -> Array:
    """Converts a row to an array. Ray passes lists of lists as arrays of arrays."""
    array = _array_of(value, what)
    if array.dtype != object or array.ndim != 1 or array.size == 0:
        return array
    rows = [_row_of(row, what) for row in array]
    kinds = {(row.shape, row.dtype) for row in rows}
    if len(kinds) > 1:
        raise ArgumentError(f"{what}: lists of different lengths or types within a row are no array.")
    return np.stack(rows)


def _kept_of(value: Any, name: str) -> Array:
    if has_masked(value):
        raise ArgumentError(f"Predictor: column {name!r}: the array has masked elements, which have no values.")
    try:
        return np.asarray(value)
    except Exception as error:
        raise ArgumentError(f"Predictor: column {name!r} is no array: {error}") from error


def _typed(name: str, array: Array, dtype: np.dtype[Any]) -> Array:
    """Checks an array's type. Converts the byte order, and bool to uint8, which is WebNN's type for booleans."""
    if array.dtype == np.bool_ and dtype == np.uint8:
        return array.view(np.uint8)
    if array.dtype != dtype and array.dtype.newbyteorder("=") == dtype:
        return array.astype(dtype)
    if array.dtype != dtype:
        raise ArgumentError(f"the column {name!r} has the type {array.dtype}, and the graph takes {dtype}.")
    return array


def _blank(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    return np.full(shape, np.nan if dtype.kind == "f" else 0, dtype)


def _match(name: str, array: Array, declared: DeclaredInput, shape: Sequence[int | str], sizes: dict[str, int]) -> None:
    """Compares the shape of the rows with the declared shape. Stores the sizes of open dimensions in `sizes`."""
    given = array.shape[1:]
    known = {size: sizes[size] for size in shape if isinstance(size, str) and size in sizes}
    for size, wanted in zip(given, shape, strict=False):
        expected = sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted
        if size != expected:
            break
    else:
        if len(given) == len(shape):
            return
    raise ArgumentError(
        f"the column {name!r} has rows of shape {list(given)}, and the graph takes {declared.shape} with an axis for rows"
        f"{f', where {known}' if known else ''}."
    )
