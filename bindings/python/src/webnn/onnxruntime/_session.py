"""InferenceSession and IOBinding with ONNX Runtime's arguments, providers and exceptions."""

import copy
import copyreg
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from webnn import _options, _protobuf, _session
from webnn._errors import Error
from webnn._files import describe
from webnn._options import ExecutionMode, GraphOptimizationLevel
from webnn._ortvalue import OrtValue
from webnn._providers import Provider
from webnn._types import Array
from webnn._webnn import MLGraph
from webnn.onnxruntime import _environment
from webnn.onnxruntime._adapters import with_adapters
from webnn.onnxruntime._errors import LOADING, Fail, InvalidArgument, ModelLoadCanceled, NotImplemented, failure, raised_as
from webnn.onnxruntime._initializers import Replacements, folder_of, overridable, prepared, without, write_optimized
from webnn.onnxruntime._options import SessionOptions
from webnn.onnxruntime._provider_arguments import accepted, available, checked, require_known
from webnn.onnxruntime._schema_check import check

if TYPE_CHECKING:
    from webnn.onnxruntime._devices import OrtEpDevice, OrtMemoryInfo

_NO_VERSION = 2**63 - 1  # the version of models that have none


@dataclass(eq=False, slots=True)
class ModelMetadata:
    """The metadata of a model. Assignments change the session's metadata, but not the model."""

    graph_name: str
    graph_description: str
    producer_name: str
    domain: str
    description: str
    version: int
    custom_metadata_map: dict[str, str]


class NodeArg(_session.NodeArg):
    """An input or an output, which prints as in ONNX Runtime."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape!r})"


class IOBinding(_session.IOBinding):
    """The memory that run_with_iobinding() reads and writes. Outputs bound to another device are in CPU memory too."""

    _session: "InferenceSession"

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        if buffer_ptr is None and device_type != "cpu":
            from webnn.onnxruntime._devices import known_device  # noqa: PLC0415  # few programs name another device

            known_device(device_type)
            device_type = "cpu"
        if buffer_ptr is None:
            device_id = 0
        super().bind_output(name, device_type, device_id, element_type, shape, buffer_ptr)

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """Binds an array. An array that is not contiguous is copied."""
        is_scattered = isinstance(arr_on_cpu, np.ndarray) and not arr_on_cpu.flags.c_contiguous
        super().bind_cpu_input(name, arr_on_cpu.copy() if is_scattered else arr_on_cpu)

    def _declared(self, name: str, method: str) -> tuple[str, bool]:
        if isinstance(name, str) and name not in self._session._declared_inputs():
            raise RuntimeError(f"Failed to find NodeArg with name: {name} in the def list")
        return super()._declared(name, method)

    def _bind_input(self, name: str, array: Array, method: str) -> None:
        super()._bind_input(name, _scalar(array) if name in self._session._scalars else array, method)

    def get_outputs_as_ortvaluevector(self) -> "OrtValueVector":
        return OrtValueVector(self.get_outputs())

    @property
    def _iobinding(self) -> "IOBinding":
        return self


class OrtValueVector(list[OrtValue]):
    """A list of values, with the methods of ONNX Runtime's class."""

    def push_back(self, value: Any) -> None:
        self.append(value if isinstance(value, OrtValue) else OrtValue.from_dlpack(value))

    def reserve(self, size: int) -> None:
        """Has no effect."""

    def shrink_to_fit(self) -> None:
        """Has no effect."""

    def element_type_at(self, idx: int) -> int:
        return self[idx].element_type()

    def dlpack_at(self, idx: int) -> Any:
        return self[idx].__dlpack__()

    def to_dlpacks(self, to_tensor: Callable[[Any], Any] | None) -> list[Any]:
        capsules = (value.__dlpack__() for value in self)
        return list(capsules) if to_tensor is None else [to_tensor(capsule) for capsule in capsules]


class InferenceSession(_session.InferenceSession):
    """webnn.InferenceSession, with the exceptions and the rules for providers of ONNX Runtime's class."""

    _enable_fallback = True
    _may_disagree = True

    def __init__(
        self,
        path_or_bytes: str | bytes | os.PathLike[str],
        sess_options: _options.SessionOptions | None = None,
        providers: Sequence[Provider] | None = None,
        provider_options: Sequence[Mapping[str, Any]] | None = None,
        **kwargs: Any,  # enable_fallback, disabled_optimizers and read_config_from_model have no effect
    ) -> None:
        if not isinstance(path_or_bytes, str | bytes | os.PathLike):
            raise TypeError(f"Unable to load from type '{type(path_or_bytes)}'")
        if not isinstance(sess_options, _options.SessionOptions | None):
            raise TypeError(f"InferenceSession: sess_options must be a SessionOptions, not {type(sess_options).__name__}.")
        before, start = set(vars(self)), time.perf_counter_ns()
        model = path_or_bytes if isinstance(path_or_bytes, bytes) else os.fspath(path_or_bytes)
        options = SessionOptions() if sess_options is None else copy.deepcopy(sess_options)
        if options.inter_op_num_threads == 1:
            options.execution_mode = ExecutionMode.ORT_SEQUENTIAL  # with one thread, nodes cannot run in parallel
        if vars(options).get("_cancelled"):
            raise failure(ModelLoadCanceled, "InferenceSession: the flag of set_load_cancellation_flag() is set.")
        if providers is None:
            providers = vars(options).get("_providers")
        chosen = available(accepted(providers, provider_options))
        copy_path, options.optimized_model_filepath = options.optimized_model_filepath, ""
        entries = vars(options)["_entries"]
        try:
            model = prepared(model, entries, vars(options).pop("_replacements", None) or Replacements())
            self._output_types = _output_types(model)
            _set_dimensions(options, model)
            read = time.perf_counter_ns()
            super().__init__(model, options, chosen, seed=_environment.seed(), map_files=False)  # programs overwrite files
        except Error as error:
            from webnn.onnxruntime._load_failures import load_failure  # noqa: PLC0415  # most models can be loaded

            raise load_failure(error, model, folder_of(model, entries)) from error
        if self._model.refusal:
            from webnn.onnxruntime._load_failures import shape_failure  # noqa: PLC0415  # few models have no graph

            broken = shape_failure(self._model.refusal, model)
            if broken is not None:
                raise broken
        self._loading = ((read - start) / 1e9, (self._start - read) / 1e9)
        self._start, self._is_profiled = start, options.enable_profiling
        if copy_path:
            is_copied = options.graph_optimization_level == GraphOptimizationLevel.ORT_DISABLE_ALL
            write_optimized(model, copy_path, entries, None if is_copied else _constants_of)
        self._given = path_or_bytes if isinstance(path_or_bytes, bytes) else os.path.abspath(path_or_bytes)
        self._variants: dict[frozenset[str], InferenceSession] = {}  # keyed by the names of the initializers that a run replaces
        self._stamp = _stamp_of(self._model.model)
        declared = self._declared_inputs()
        self._scalars = {name for name, value in declared.items() if list(value.shape) == []}
        self._strings = {name for name, value in declared.items() if value.data_type == "string"}
        self._known = frozenset(declared)
        self._required = [argument.name for argument in super().get_inputs() if not argument.type.startswith("optional")]
        self._metadata: ModelMetadata | None = None
        self._version = _version_of(self._model.model)
        self._own = frozenset(vars(self)) - before  # our attributes; a program may add others

    @property
    def _model_path(self) -> str | None:
        return self._given if isinstance(self._given, str) else None

    @property
    def _model_bytes(self) -> bytes | None:
        return self._given if isinstance(self._given, bytes) else None

    @property
    def _sess(self) -> "InferenceSession":
        return self

    @property
    def _sess_options(self) -> _options.SessionOptions:
        return self._options

    @property
    def _inputs_meta(self) -> list[NodeArg]:
        return self.get_inputs()

    @property
    def _outputs_meta(self) -> list[NodeArg]:
        return self.get_outputs()

    @property
    def _providers(self) -> list[str]:
        return self.get_providers()

    def get_inputs(self) -> list[NodeArg]:  # type: ignore[override]
        """Returns the inputs. As in ONNX Runtime, an open dimension without a name is None, and an unknown rank is []."""
        return [self._as_onnxruntime(argument) for argument in super().get_inputs()]

    def get_outputs(self) -> list[NodeArg]:  # type: ignore[override]
        """Returns the outputs. The sizes of open dimensions without a name are None."""
        unnamed = {f"{argument.name}.{axis}" for argument in super().get_inputs() for axis in range(len(argument.shape))}
        arguments, shapes = super().get_outputs(), self._inferred_shapes()
        named = [(name, shapes.get(name, shape), self._output_types.get(name) or kind) for name, shape, kind in arguments]
        return [NodeArg(name, [None if size in unnamed else size for size in shape], kind) for name, shape, kind in named]

    def _inferred_shapes(self) -> dict[str, list[int | str | None]]:
        """Returns the shapes of the outputs of unknown shape whose number of dimensions follows from their operators."""
        description = self._model.description
        unknown = [name for name, output in description.outputs.items() if output.shape is None] if description else []
        if not unknown or self._model.graph is not None or _stamp_of(self._model.model) != self._stamp:
            return {}
        from webnn.onnxruntime._output_shapes import inferred_shapes  # noqa: PLC0415  # few models need it

        return inferred_shapes(self._model.model, {argument.name: argument.shape for argument in self.get_inputs()}, unknown)

    def get_overridable_initializers(self) -> list[NodeArg]:  # type: ignore[override]
        """Returns the initializers that are inputs too, whose values a run may replace."""
        names = self._overridable()
        if not names:
            return []
        declared = describe(without(self._model.model, frozenset(names))).inputs
        return [self._as_onnxruntime(argument) for argument in self._declared_args({name: declared[name] for name in names})]

    def _overridable(self) -> list[str]:
        return overridable(self._model.model)

    def _variant(self, names: frozenset[str]) -> "InferenceSession":
        """Returns a session of the same model in which these initializers are inputs."""
        variant = self._variants.get(names)
        if variant is None:
            if _stamp_of(self._model.model) != self._stamp:
                raise failure(Fail, "the model's file has changed since the session was made; make another session.")
            variant = InferenceSession(without(self._model.model, names), self._options, self._chosen)
            variant._steps, variant._start = self._steps, self._start  # both are in one profile
            self._variants[names] = variant
        return variant

    def get_modelmeta(self) -> ModelMetadata:  # type: ignore[override]
        """Returns the model's metadata, the same object at each call."""
        if self._metadata is None:
            found = vars(super().get_modelmeta())
            self._metadata = ModelMetadata(**{**found, "version": _NO_VERSION if self._version is None else self._version})
        return self._metadata

    @property
    def _model_meta(self) -> ModelMetadata:
        return self.get_modelmeta()

    def set_providers(
        self, providers: Sequence[Provider] | None = None, provider_options: Sequence[Mapping[str, Any]] | None = None
    ) -> None:
        pairs = checked(providers, provider_options)
        chosen = available(pairs)
        require_known(pairs)
        with raised_as(LOADING):
            self._run_on(self._model.model, chosen, None)
        self._variants = {}

    def run(  # type: ignore[override]
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, Any], run_options: _options.RunOptions | None = None
    ) -> list[Any]:
        _check_run(output_names, run_options)
        input_feed = with_adapters(input_feed, run_options)
        feed = self._complete(input_feed)
        replaced = frozenset(feed) - self._known
        if replaced and replaced.issubset(self._overridable()):
            return self._variant(replaced).run(output_names, input_feed, run_options)
        try:
            return super().run(output_names, feed, run_options)
        except Error as error:
            raise self._failure(error, feed, output_names) from error

    def _failure(self, error: Error, feed: Any, output_names: Any) -> Exception:
        from webnn.onnxruntime._run_failures import run_failure  # noqa: PLC0415  # few runs fail

        return run_failure(error, self._model.model, self.get_inputs(), self.get_outputs(), feed, output_names)

    def run_with_ort_values(
        self, output_names: Sequence[str] | None, input_dict_ort_values: Mapping[str, OrtValue], run_options: Any = None
    ) -> list[OrtValue]:
        return [OrtValue(result) for result in self.run(output_names, input_dict_ort_values, run_options)]

    def run_with_ortvaluevector(
        self,
        run_options: Any,
        feed_names: Sequence[str],
        feeds: Sequence[OrtValue],
        fetch_names: Sequence[str],
        fetches: OrtValueVector,
        fetch_devices: Sequence[Any],
    ) -> None:
        fetches[:] = self.run_with_ort_values(fetch_names, dict(zip(feed_names, feeds, strict=True)), run_options)

    def run_async(  # type: ignore[override]  # user_data is required
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callable[[list[Any], Any, str], None] | None,
        user_data: Any,
        run_options: _options.RunOptions | None = None,
    ) -> None:
        _check_run(output_names, run_options)
        self._complete(input_feed)
        if self._options.intra_op_num_threads == 1:
            raise failure(InvalidArgument, "intra op thread pool must have at least one thread for RunAsync")
        output_names = list(output_names) if output_names else None  # perhaps a generator
        if not all(isinstance(name, str) for name in (*(output_names or ()), *input_feed)):
            raise TypeError("run_async: the names of inputs and outputs must be str.")
        if callback is not None and not callable(callback):
            raise TypeError(f"run_async: callback must be a function, not {type(callback).__name__}.")
        if not all(isinstance(value, np.ndarray | OrtValue) for value in input_feed.values()):
            from webnn.onnxruntime._run_failures import unreadable  # noqa: PLC0415  # most inputs are arrays

            problem = unreadable(self.get_inputs(), input_feed)
            if problem:
                raise RuntimeError(problem)

        def answer(results: list[Any], data: Any, error: str) -> None:
            if error:
                from webnn.onnxruntime._run_failures import plain  # noqa: PLC0415  # few runs fail

                error = plain(error)
            if callback is not None:
                callback(results, data, error)

        super().run_async(output_names, input_feed, answer, user_data, run_options)

    def run_with_iobinding(  # type: ignore[override]
        self, iobinding: _session.IOBinding, run_options: _options.RunOptions | None = None
    ) -> None:
        if isinstance(iobinding, IOBinding) and iobinding._session is not self:
            raise ValueError("IOBinding must be used with the session that created it.")
        if isinstance(iobinding, IOBinding) and not iobinding._outputs:
            raise RuntimeError("Error in execution: At least one output should be requested.")
        try:
            super().run_with_iobinding(iobinding, run_options)
        except Error as error:
            if not isinstance(iobinding, IOBinding):
                raise
            from webnn.onnxruntime._run_failures import plain  # noqa: PLC0415  # few runs fail

            text = plain(str(self._failure(error, iobinding._inputs, iobinding._outputs)))
            raise RuntimeError(f"Error in execution: {text}") from error

    def io_binding(self) -> IOBinding:
        return IOBinding(self)

    def end_profiling(self) -> str:
        """Writes a Chrome trace as a list of events, and returns the name of its file. Returns "" without profiling, and for later
        calls."""
        if not self._is_profiled:
            return ""
        for session in (self, *self._variants.values()):
            session._is_profiled = False
        return super().end_profiling()

    def _profile(self, graph: MLGraph | None, arrays: Mapping[str, Any], begin: float = 0) -> None:
        if self._is_profiled:
            super()._profile(graph, arrays, begin)

    def _trace(self) -> Any:
        from webnn.onnxruntime._trace import trace  # noqa: PLC0415  # only profiles need it

        runs = [(at - self._start / 1e9, steps, graph) for at, steps, graph in self._steps]
        return trace(self._model.model, self.get_providers()[0], self._loading, runs)

    def _profile_prefix(self) -> str:
        return f"{self._options.profile_file_prefix}_"

    def get_input_memory_infos(self) -> "list[OrtMemoryInfo]":
        return _cpu_memories(len(self.get_inputs()))

    def get_output_memory_infos(self) -> "list[OrtMemoryInfo]":
        return _cpu_memories(len(self.get_outputs()))

    def get_input_epdevices(self) -> "list[OrtEpDevice]":
        from webnn.onnxruntime._devices import OrtEpDevice  # noqa: PLC0415

        return [OrtEpDevice(self.get_providers()[0]) for _ in self.get_inputs()]

    def get_provider_graph_assignment_info(self) -> list[Any]:
        raise failure(NotImplemented, "the nodes of a provider are not recorded. Use session.graph.placement().")

    def create_ortvalue_from_shape_and_type(
        self, shape: Sequence[int], element_type: Any, device_type: str, device_id: int = 0, vendor_id: int = -1
    ) -> OrtValue:
        return OrtValue.ortvalue_from_shape_and_type(shape, element_type, device_type, device_id, vendor_id)

    def set_ep_dynamic_options(self, options: Mapping[str, str]) -> None:
        """Has no effect."""

    def get_tuning_results(self) -> list[Any]:
        return []

    def set_tuning_results(self, results: Sequence[Any], *, error_on_invalid: bool = False) -> None:
        """Has no effect."""

    def release_captured_graph(self, graph_annotation_id: int = 0) -> None:
        """Has no effect."""

    def _as_onnxruntime(self, argument: _session.NodeArg) -> NodeArg:
        name, sizes, kind = argument
        shape = [None if size == f"{name}.{axis}" else size for axis, size in enumerate(sizes) if size != "..."]
        return NodeArg(name, shape, kind)

    def _complete(self, feed: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the inputs, converted as in ONNX Runtime. Raises ValueError if an input is missing."""
        names = feed.keys()
        missing = [name for name in self._required if name not in names]
        if missing:
            raise ValueError(f"Required inputs ({missing}) are missing from input feed ({list(names)}).")
        return {name: self._converted(name, value) for name, value in feed.items()}

    def _converted(self, name: str, value: Any) -> Any:
        if name in self._strings and isinstance(value, np.ndarray) and value.dtype == np.object_:
            # As in ONNX Runtime, numbers and None among the strings become text. Columns of tables contain such values.
            texts = [item if isinstance(item, str | bytes) else str(item) for item in value.flat]
            value = np.array(texts, np.object_).reshape(value.shape)
        return _scalar(value) if name in self._scalars else value

    def __reduce__(self) -> tuple[Any, ...]:
        kind = type(self)
        own: Any = self
        given: tuple[Any, Any] = ((), {})
        if hasattr(kind, "__getnewargs_ex__"):
            given = own.__getnewargs_ex__()
        elif hasattr(kind, "__getnewargs__"):
            given = own.__getnewargs__(), {}
        if kind.__getstate__ is not object.__getstate__:  # a subclass has its own state
            return _made, (kind, *given), self.__getstate__()
        attributes = {name: value for name, value in vars(self).items() if name not in self._own}
        return _restored, (kind, *given, self._model.model, self._options, self._chosen, {**attributes, **_slots(self)})


def _made(kind: type[InferenceSession], arguments: tuple[Any, ...], options: dict[str, Any]) -> InferenceSession:
    return kind.__new__(kind, *arguments, **options)


def _restored(
    kind: type[InferenceSession], arguments: Any, keywords: Any, model: Any, options: Any, providers: Any, attributes: dict[str, Any]
) -> InferenceSession:
    session = _made(kind, arguments, keywords)
    InferenceSession.__init__(session, model, options, providers)
    for name, value in attributes.items():
        setattr(session, name, value)
    return session


def _slots(session: InferenceSession) -> dict[str, Any]:
    """Returns the attributes that subclasses keep in __slots__."""
    names = vars(copyreg)["_slotnames"](type(session))  # pickle's own list of these names
    return {name: getattr(session, name) for name in names if hasattr(session, name)}


def _constants_of(model: bytes) -> list[OrtValue]:
    return InferenceSession(model).run_with_ort_values(None, {})


def _cpu_memories(count: int) -> "list[OrtMemoryInfo]":
    from webnn.onnxruntime._devices import cpu_memory  # noqa: PLC0415

    return [cpu_memory() for _ in range(count)]


def _version_of(model: Any) -> int | None:
    try:
        return _protobuf.model_version(_protobuf.view_of(model))
    except (_protobuf.MalformedError, OSError, TypeError):
        return None


def _stamp_of(model: Any) -> tuple[int, int] | None:
    """Returns the size and the time of change of a model's file; None for bytes and for a file that is gone."""
    try:
        status = os.stat(model) if isinstance(model, str) else None
    except OSError:
        status = None
    return None if status is None else (status.st_size, status.st_mtime_ns)


def _scalar(value: Any) -> Any:
    """Converts an array or a list with one element to a scalar."""
    array = value.numpy() if isinstance(value, OrtValue) and value.is_tensor() else value
    while isinstance(array, list | tuple) and len(array) == 1:
        array = array[0]
    return array.reshape(()) if isinstance(array, np.ndarray) and array.ndim and array.size == 1 else array


def _check_run(output_names: Any, run_options: Any) -> None:
    if isinstance(output_names, str):
        raise TypeError(f"run: output_names is a list: [{output_names!r}].")
    if not isinstance(run_options, _options.RunOptions | None):
        raise TypeError(f"run: run_options must be a RunOptions, not {type(run_options).__name__}.")


def _output_types(model: str | bytes) -> dict[str, str]:
    """Returns the types of the outputs. Raises ONNX Runtime's exception for models that check() refuses."""
    refused, types, is_first = check(model)
    if refused is not None:
        from webnn.onnxruntime._load_failures import schema_failure  # noqa: PLC0415  # most models can be loaded

        raise schema_failure(refused, is_first, model)
    return types


def _set_dimensions(options: _options.SessionOptions, model: str | bytes) -> None:
    """Sets the sizes of dimensions that are given by name or denotation. ONNX Runtime ignores those that the model lacks."""
    given: dict[str, int] = vars(options)["_dimensions"]
    denoted: dict[str, int] = vars(options).get("_denotations", {})
    if not given and not denoted:
        return
    inputs = describe(model).inputs.items()
    known = {size for _, declared in inputs for size in declared.shape}
    unnamed = {f"{name}.{axis}" for name, declared in inputs for axis in range(len(declared.shape))}
    sizes = {name: size for name, size in given.items() if name in known - unnamed}
    for denotation, name, fixed in _denotations(model) if denoted else []:
        size = denoted.get(denotation.lower())
        if size is not None and fixed not in (None, size):
            raise failure(InvalidArgument, "Invalid free dimension override.")
        if size is not None and sizes.setdefault(name, size) != size:
            raise failure(InvalidArgument, "Conflicting free dimension overrides.")
    vars(options)["_dimensions"] = {name: size for name, size in sizes.items() if name in known}


def _denotations(model: str | bytes) -> list[tuple[str, str, int | None]]:
    try:
        return _protobuf.denotations(_protobuf.view_of(model))
    except (_protobuf.MalformedError, OSError, TypeError):
        return []  # the session names the problem in its error
