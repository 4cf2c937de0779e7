"""Predictor: computes a graph for batches of rows."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from webnn._arguments import flag, integer, items, mapping, must_be, text
from webnn._errors import ArgumentError, InvalidStateError, NotSupportedError
from webnn._types import Array
from webnn.ray._engine import Engine, Options, assigned_cpus, engine_of
from webnn.ray._model import Model
from webnn.ray._rows import FOUR_BITS, Rows


class Predictor:
    """Computes a graph for batches of rows. A batch is a dict of arrays whose first axes count rows; so is the result.

    Pass ray.data.Dataset.map_batches the class, so that each actor makes one object; or pass an object, which is pickled with its
    model's path and hash:

    >>> model = webnn.ray.Model("model.onnx")
    >>> dataset.map_batches(webnn.ray.Predictor, fn_constructor_args=(model,), batch_size=256, concurrency=2, num_cpus=1)

    model: a Model, or an argument for Model.
    dimensions: sizes of open dimensions, by name. All other sizes are taken from the arrays.
    backend, backend_options, limits: as in ML.create_context.
    threads: by default the number of CPUs that are assigned to the actor or task.
    batch: the maximum number of rows per run; by default the number in the graph's shape, or else all rows of the batch.
    pad: repeats the last row to fill the last, short run, and drops the results of these repeats, instead of compiling another
        graph. The result of a row then does not depend on the distribution of rows, not even in the last bit. Only for graphs
        that compute each row independently. A graph with a fixed number of rows is always padded.
    outputs: names of the wanted outputs, by default all.
    keep: names of columns that are copied to the result, for instance an identifier of rows. Errors quote them.
    errors: the name of a column for error messages. Without it, a row with a wrong type, shape or size fails the job.
        With it, the row's message is in this column ("" for all other rows), and its outputs are NaN, or 0 for integers.

    If the number of rows is open, the model is compiled again, with another number of rows, to check that each output has an axis
    for rows.
    Rows may have different shapes (arrays of objects, or of lists of lists). Rows of equal shapes are computed together.
    Raises an ArgumentError that names the row and the column, a NotSupportedError for inputs and outputs of 4 bits, and the errors
    of Model and of webnn.load().
    """

    def __init__(
        self,
        model: Any,
        *,
        dimensions: Mapping[str, int] | None = None,
        backend: str = "auto",
        threads: int | None = None,
        batch: int | None = None,
        pad: bool = False,
        outputs: Sequence[str] | None = None,
        keep: Sequence[str] = (),
        errors: str | None = None,
        backend_options: Mapping[str, str] | None = None,
        limits: Mapping[str, float] | None = None,
    ) -> None:
        self.model = model if isinstance(model, Model) else Model(model)
        self.batch = None if batch is None else integer(batch, "Predictor: batch", least=1)
        self.pad = flag(pad, "Predictor: pad")
        self.outputs = None if outputs is None else _names(outputs, "Predictor: outputs")
        self.keep = _names(keep, "Predictor: keep")
        self.errors = None if errors is None else text(errors, "Predictor: errors")
        self._threads = None if threads is None else integer(threads, "Predictor: threads", least=0)
        sizes = {
            text(name, "Predictor: dimensions: a name"): integer(size, f"Predictor: dimensions: {name!r}", 1, 2**31 - 1)
            for name, size in mapping(dimensions, "Predictor: dimensions").items()
        }
        what = "Predictor: backend_options"
        self._options = Options(
            tuple(sorted(sizes.items())),
            text(backend, "Predictor: backend"),
            0,
            tuple(sorted((text(name, what), text(value, what)) for name, value in mapping(backend_options, what).items())),
            tuple(sorted(_limits(limits).items())),
        )
        if self.errors is not None and self.errors in self.keep:
            raise ArgumentError(f"Predictor: the column {self.errors!r} cannot be kept and have errors (errors).")
        self._engine: Engine | None = None
        inputs = self.model.check().inputs
        dynamic = {size for declared in inputs.values() for size in declared.shape if isinstance(size, str)}
        for name in sizes.keys() - dynamic:
            raise ArgumentError(f"Predictor: dimensions: the model has no {name!r}; it has {sorted(dynamic)}.")
        for name, declared in inputs.items():
            if str(declared.data_type) in FOUR_BITS:
                raise NotSupportedError(f"Predictor: the input {name!r} is of {declared.data_type}: arrays of rows have no 4 bits.")

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_engine": None}

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Array]:
        """Computes the outputs for the rows of a batch.

        The result also contains the batch's columns that `keep` names, and the column `errors`, if set.
        """
        return Rows(self, batch).compute()

    @property
    def engine(self) -> Engine:
        """The engine of this process. The first use creates it."""
        if self._engine is None or self._engine.process != os.getpid():
            threads = assigned_cpus() if self._threads is None else self._threads
            self._engine = engine_of(self.model, self._options._replace(threads=threads))
        return self._engine

    def check_health(self) -> None:
        """Raises InvalidStateError if the context is lost."""
        lost = self.engine.context.lost
        if lost is not None:
            raise InvalidStateError(f"the context is lost: {lost}")


def _names(given: Sequence[str], what: str) -> list[str]:
    return [text(name, f"{what}: a name") for name in ([given] if isinstance(given, str) else items(given, what))]


def _limits(given: Mapping[str, float] | None) -> dict[str, float]:
    limits = {}
    for name, value in mapping(given, "Predictor: limits").items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
            raise must_be(f"Predictor: limits: {name!r}", "a number", value)
        limits[text(name, "Predictor: limits: a name")] = value if isinstance(value, int | float) else value.item()
    return limits
