"""Engines: contexts with graphs, shared by all predictors of a process."""

import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from webnn._context import ML
from webnn._default import keep_of_parent
from webnn._files import from_onnx, load
from webnn._webnn import MLContext, MLGraph
from webnn.ray._model import Model

_GRAPHS = 4  # maximum number of graphs that an engine keeps, one for each set of sizes
_ENGINES = 2  # maximum number of engines that a process keeps


class Options(NamedTuple):
    """The options of an engine. Hashable, to be part of a key."""

    dimensions: tuple[tuple[str, int], ...]
    backend: str
    threads: int
    backend_options: tuple[tuple[str, str], ...]
    limits: tuple[tuple[str, float], ...]


class Engine:
    """A context with a model's graphs: one graph for each set of sizes of the open dimensions."""

    def __init__(self, model: Model, options: Options) -> None:
        self.model = model
        self.process = os.getpid()  # a forked child cannot use its parent's context
        self.sizes = dict(options.dimensions)
        self.context: MLContext = ML().create_context(
            backend=options.backend,
            threads=options.threads,
            backend_options=dict(options.backend_options),
            limits=dict(options.limits) or None,
        )
        self.has_rows: set[tuple[str, ...]] = set()  # tuples of output names that were verified to have an axis for rows
        self._lock = threading.Lock()
        self._graphs: OrderedDict[tuple[tuple[str, int], ...], MLGraph] = OrderedDict()

    @property
    def has_graphs(self) -> bool:
        """Whether the engine has compiled a graph."""
        return bool(self._graphs)

    def graph(self, sizes: Mapping[str, int]) -> MLGraph:
        """Returns the graph for these sizes. Compiles the graph unless it is cached."""
        key = tuple(sorted(sizes.items()))
        with self._lock:
            graph = self._graphs.get(key)
            if graph is None:
                graph = self._graphs[key] = self._load(dict(key))
                if len(self._graphs) > _GRAPHS:
                    self._graphs.popitem(last=False)
            self._graphs.move_to_end(key)
            return graph

    def _load(self, sizes: dict[str, int]) -> MLGraph:
        self.model.check_again()  # raises an error if the files have changed since other graphs were made
        if self.model.path is not None:
            return load(self.model.path, self.context, dimensions=sizes)
        return from_onnx(self.model.content, self.context, dimensions=sizes)


# Keyed by path, hash and options. All predictors of the process share the engines, because without actors, Ray unpickles a
# Predictor for each task.
_engines: OrderedDict[tuple[str | None, str, Options], Engine] = OrderedDict()
_lock = threading.Lock()


def _begin_anew() -> None:
    """Resets the state in a forked child, which cannot use its parent's contexts. The lock is new, because it may have been
    locked."""
    global _engines, _lock
    keep_of_parent(_engines)
    _engines, _lock = OrderedDict(), threading.Lock()


os.register_at_fork(after_in_child=_begin_anew)


def engine_of(model: Model, options: Options) -> Engine:
    """Returns this process's engine for a model and options."""
    model.check()
    key = (model.path, model.sha256, options)
    with _lock:
        engine = _engines.get(key)
        if engine is None or engine.context.lost is not None:
            engine = _engines[key] = Engine(model, options)
            if len(_engines) > _ENGINES:
                _engines.popitem(last=False)
        _engines.move_to_end(key)
        return engine


def assigned_cpus() -> int:
    """Returns the CPUs that Ray has assigned to this actor or task, at least 1. Returns 0, which means all, outside Ray."""
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return 0
    context = ray.get_runtime_context()
    if context.get_actor_id() is None and context.get_task_id() is None:
        return 0
    return max(1, int(context.get_assigned_resources().get("CPU", 1)))
