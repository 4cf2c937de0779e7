"""InferenceSession and IOBinding, with the interface of ONNX Runtime's classes of these names."""

import copy
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from webnn._arguments import integer, items, must_be, path_text, text
from webnn._arrays import as_array, as_boolean
from webnn._backends import PROVIDERS
from webnn._background import snapshot, threads
from webnn._builder import MLGraphBuilder, as_dict
from webnn._default import context_or_default, keep_of_parent
from webnn._errors import ArgumentError, InvalidStateError, NotSupportedError, OperationError
from webnn._files import DeclaredInput, PathLike, fixed_sizes, new_file
from webnn._foreign import packed_input, result_of
from webnn._model import Model
from webnn._options import GraphOptimizationLevel, RunOptions, SessionOptions
from webnn._ortvalue import OrtValue, array_at, array_of, as_array_of, onnx_type, require_cpu, results_of
from webnn._providers import Provider, context_of, normalized
from webnn._types import Array, ArrayLike, Arrays, MLOperandDescriptor
from webnn._webnn import Cancellation, MLContext, MLGraph, MLOperand, _Binding, _Session, _session_of_builder

_OPTIMIZATIONS = {
    GraphOptimizationLevel.ORT_DISABLE_ALL: "none",
    GraphOptimizationLevel.ORT_ENABLE_BASIC: "basic",
    GraphOptimizationLevel.ORT_ENABLE_EXTENDED: "extended",
}


class NodeArg(NamedTuple):
    """An input or an output: its name, shape, and ONNX Runtime's name of its type. An open dimension is given by its name.

    >>> webnn.InferenceSession("examples/digits/digits.webnn").get_inputs()[0]
    NodeArg(name='image', shape=[1, 1, 28, 28], type='tensor(float)')
    """

    name: str
    shape: list[int | str | None]
    type: str


@dataclass(frozen=True)
class ModelMetadata:
    """The metadata of an ONNX model.

    >>> webnn.InferenceSession("examples/digits/digits.webnn").get_modelmeta().version
    0
    """

    graph_name: str = ""
    graph_description: str = ""
    producer_name: str = ""
    domain: str = ""
    description: str = ""
    version: int = 0
    custom_metadata_map: dict[str, str] = field(default_factory=dict)


class IOBinding:
    """The memory that run_with_iobinding() reads and writes. It is bound once, for any number of runs.

    >>> session = webnn.InferenceSession("examples/digits/digits.webnn")
    >>> binding = session.io_binding()
    >>> binding.bind_cpu_input("image", np.zeros((1, 1, 28, 28), np.float32))
    >>> binding.bind_output("probabilities")
    >>> session.run_with_iobinding(binding)
    >>> binding.copy_outputs_to_cpu()[0].shape
    (1, 10)
    """

    def __init__(self, session: "InferenceSession") -> None:
        self._session = session
        self._inputs: dict[str, Any] = {}  # arrays, and lists of arrays for sequences
        self._outputs: dict[str, Array | None] = {}  # None: bound without memory
        self._results: dict[str, Any] = {}  # results of the last successful run; later runs overwrite them
        self._bound: tuple[MLGraph, _Binding, dict[str, Array]] | None = None
        self._model: Model | None = None  # the model of the session when _bound was made

    def bind_cpu_input(self, name: str, arr_on_cpu: ArrayLike) -> None:
        """Binds a contiguous array, whose memory each run reads.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> binding.bind_cpu_input("image", np.zeros((1, 1, 28, 28), np.float32))
        """
        what = f"bind_cpu_input: {name!r}"
        data_type, is_boolean = self._declared(name, "bind_cpu_input")
        self._bind_input(name, as_array_of(arr_on_cpu, data_type, is_boolean, what), "bind_cpu_input")

    def bind_input(self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int) -> None:
        """Binds memory by its address. The memory must be aligned for the element type, and stay valid while runs use it.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> image = np.zeros((1, 1, 28, 28), np.float32)
        >>> binding.bind_input("image", "cpu", 0, np.float32, image.shape, image.ctypes.data)
        """
        require_cpu(device_type, device_id, "bind_input")
        self._bind_input(name, array_at(buffer_ptr, element_type, shape, "bind_input"), "bind_input")

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """Binds the memory of an OrtValue. For an input that is a sequence, the OrtValue must be a sequence.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([1, 1, 28, 28], np.float32)
        >>> binding.bind_ortvalue_input("image", value)
        """
        if isinstance(ortvalue, OrtValue) and ortvalue.is_tensor_sequence():
            self._declared(name, "bind_ortvalue_input")
            if self._session._model.takes_sequence(name):
                self._inputs[name], self._bound = ortvalue._value, None
                return
        self._bind_input(name, array_of(ortvalue, "bind_ortvalue_input"), "bind_ortvalue_input")

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        """Binds an output to memory at an address. Without an address, the next run allocates the memory, and so does any later run
        that computes another shape. Each run writes to the bound memory.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> binding.bind_output("probabilities")
        """
        require_cpu(device_type, device_id, "bind_output")
        array = None
        if buffer_ptr is not None:
            if shape is None or element_type is None:
                raise ArgumentError("bind_output: a buffer_ptr needs element_type and shape.")
            array = array_at(buffer_ptr, element_type, shape, "bind_output")
        self._bind_output(name, array, "bind_output")

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Binds an output to the memory of an OrtValue.

        >>> binding = webnn.InferenceSession("examples/digits/digits.webnn").io_binding()
        >>> value = webnn.OrtValue.ortvalue_from_shape_and_type([1, 10], np.float32)
        >>> binding.bind_ortvalue_output("probabilities", value)
        """
        self._bind_output(name, array_of(ortvalue, "bind_ortvalue_output"), "bind_ortvalue_output")

    def get_outputs(self) -> list[OrtValue]:
        """Returns the bound outputs in order, or all outputs of the last run if none is bound. Later runs write to the same memory.
        A failed run changes nothing here. An output that is bound without memory has no value before the next run (has_value()).

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().get_outputs()
        []
        """
        return [OrtValue(value) for value in self._values().values()]

    def copy_outputs_to_cpu(self) -> list[Any]:
        """Returns copies of what get_outputs() returns: arrays, lists for sequences, and dicts for maps.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().copy_outputs_to_cpu()
        []
        """
        values = self._values()
        for name, value in values.items():
            if value is None:
                raise InvalidStateError(f'copy_outputs_to_cpu: output "{name}" has no value before the next run.')
        return [copy.deepcopy(value) for value in values.values()]

    def clear_binding_inputs(self) -> None:
        """Unbinds the inputs.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().clear_binding_inputs()
        """
        self._inputs, self._bound = {}, None

    def clear_binding_outputs(self) -> None:
        """Unbinds the outputs.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().clear_binding_outputs()
        """
        self._outputs, self._results, self._bound = {}, {}, None

    def synchronize_inputs(self) -> None:
        """Does nothing: no copies are in flight between runs.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().synchronize_inputs()
        """

    synchronize_outputs = synchronize_inputs

    def _declared(self, name: str, method: str) -> tuple[str, bool]:
        """Returns the data type of an input, and whether it is boolean in ONNX."""
        declared = self._session._declared_inputs()
        if text(name, f"{method}: name") not in declared:
            raise ArgumentError(f'{method}: the model has no input "{name}"; it has {list(declared)}.')
        return declared[name].data_type, name in self._session._model.booleans(False)

    def _bind_input(self, name: str, array: Array, method: str) -> None:
        data_type, is_boolean = self._declared(name, method)
        if is_boolean and array.dtype != np.bool_:  # only np.bool_ promises that each byte is 0 or 1
            raise ArgumentError(f'{method}: input "{name}": the array is of {array.dtype}, not bool: use array.astype(bool).')
        if data_type in ("int4", "uint4") and array.dtype != np.uint8:  # packing here would miss later changes of the array
            raise ArgumentError(f'{method}: input "{name}": the array is of {array.dtype}, not packed: use pack_int4().')
        if not array.flags.c_contiguous or not array.dtype.isnative:
            raise ArgumentError(f'{method}: the array for input "{name}" is not contiguous, or not of native byte order.')
        self._inputs[name], self._bound = array, None

    def _bind_output(self, name: str, array: Array | None, method: str) -> None:
        self._outputs[text(name, f"{method}: name")], self._bound = array, None
        self._results = {known: value for known, value in self._results.items() if known != name}

    def _values(self) -> dict[str, Any]:
        """Returns the value of each bound output: its memory, or else its last result, or else None. If none is bound: all results."""
        if not self._outputs:
            return self._results
        return {name: self._results.get(name) if array is None else array for name, array in self._outputs.items()}

    def _run(self, timeout: float | None, cancellation: Any) -> None:
        session = self._session
        session._follow_fork()
        if self._bound is None or self._model is not session._model:
            self._bound = None
            if not isinstance(session._model.plan_for(self._inputs, timeout, cancellation, wants_graph=True), MLGraph):
                self._results = self._copied(session._compute(self._inputs, None, timeout, cancellation))
                return
            self._model, self._bound = session._model, self._bind(session._model, timeout, cancellation)
        graph, binding, results = self._bound
        session._profile(graph, self._inputs)
        binding.run(timeout, cancellation)
        self._results = results

    def _copied(self, results: dict[str, Any]) -> dict[str, Any]:
        """Copies results into bound memory, which must fit, or into last results that fit. Returns by name the memory or the result."""
        self._check_names(results)
        for name, array in self._outputs.items():
            if array is not None and not _fits(array, results[name]):
                given = f"{array.dtype}{list(array.shape)}"
                raise ArgumentError(f'run_with_iobinding: output "{name}" is {_shown(results[name])}, and its memory {given}.')
        values = {name: results[name] for name in (self._outputs or results)}
        for name, memory in self._values().items():
            if name in values and _fits(memory, values[name]):
                np.copyto(memory, values[name])
                values[name] = memory
        return values

    def _bind(self, model: Model, timeout: float | None, cancellation: Any) -> tuple[MLGraph, _Binding, dict[str, Array]]:
        graph, booleans = model.graph_for(self._inputs, timeout, cancellation), model.booleans(True)
        self._check_names(graph.outputs)
        given = {}
        for name, array in self._values().items():
            if isinstance(array, np.ndarray):
                memory = array.view(np.uint8) if array.dtype == np.bool_ and name in booleans else array
                data_type, shape = graph.outputs[name]
                if self._outputs.get(name) is not None or (memory.dtype.name == data_type and memory.shape == tuple(shape)):
                    given[name] = memory
        binding = _Binding(graph, model.used(graph, self._inputs), given)
        results = results_of(binding.results, booleans)
        return graph, binding, {name: results[name] for name in (self._outputs or results)}

    def _check_names(self, known: Mapping[str, Any]) -> None:
        unknown = [name for name in self._outputs if name not in known]
        if unknown:
            raise ArgumentError(f"run_with_iobinding: the model has no output {unknown[0]!r}; it has {list(known)}.")


def _fits(memory: Any, result: Any) -> bool:
    """Returns whether both are arrays of the same shape and type, in any byte order."""
    if not isinstance(memory, np.ndarray) or not isinstance(result, np.ndarray):
        return False
    return memory.shape == result.shape and bool(memory.dtype.newbyteorder("=") == result.dtype)


def _shown(result: Any) -> str:
    return f"{result.dtype}{list(result.shape)}" if isinstance(result, np.ndarray) else OrtValue(result).data_type()


def _map_of(value: Any, declared: DeclaredInput, what: str) -> dict[str, Array]:
    """Converts a dict, the value of an input that is a map, to {"keys": array, "values": array}."""
    if not isinstance(value, Mapping):
        raise must_be(what, "a dict", value)
    keys = as_array(list(value), declared.key_type, f"{what}: the keys")
    return {"keys": keys, "values": as_array(list(value.values()), str(declared.data_type), f"{what}: the values")}


class InferenceSession:
    """A model that can be run, with the methods of ONNX Runtime's class of this name.

    path_or_bytes: the path or the content of a file in any format that load() reads; an onnx.ModelProto; or a graph.
    sess_options, providers, provider_options: as in ONNX Runtime. The first available provider is used, with a warning for each
    provider before it. Names of backends are accepted too: providers=["reference"].
    context: the context that runs the model, in place of providers. Without both: the default context, or a new one on
    the CPU if sess_options sets the number of threads or a lower optimization level.
    dimensions: sizes of open dimensions. Each run takes all other sizes from its inputs, and compiles the model for new sizes.
    keep: the maximum number of cached graphs, one for each set of sizes.
    values and other options: as for load().

    MLGraphBuilder.build_session() makes a session of a graph with open dimensions.

    >>> session = webnn.InferenceSession("examples/digits/digits.webnn", providers=["CPUExecutionProvider"])
    >>> (probabilities,) = session.run(None, {"image": np.zeros((1, 1, 28, 28), np.float32)})
    >>> probabilities.shape
    (1, 10)
    """

    _may_disagree = False  # see Model

    def __init__(
        self,
        path_or_bytes: Any,
        sess_options: SessionOptions | MLContext | None = None,
        providers: Sequence[Provider] | None = None,
        provider_options: Sequence[Mapping[str, Any]] | None = None,
        *,
        context: MLContext | None = None,
        dimensions: Mapping[str, int] | None = None,
        values: Arrays | None = None,
        keep: int = 8,
        seed: int | None = None,
        **load_options: Any,
    ) -> None:
        if isinstance(sess_options, MLContext):
            sess_options, context = None, sess_options
        if not isinstance(sess_options, SessionOptions | None):
            raise must_be("InferenceSession: sess_options", "a SessionOptions", sess_options)
        self._options = SessionOptions() if sess_options is None else copy.deepcopy(sess_options)  # the original may change
        if self._options.optimized_model_filepath:
            raise ArgumentError("InferenceSession: optimized_model_filepath: graphs are saved by session.graph.save(path).")
        chosen = normalized(providers, provider_options)
        if context is not None and chosen:
            raise ArgumentError("InferenceSession: give either a context or providers.")
        fixed: dict[str, int] = {**vars(self._options)["_dimensions"], **(dimensions or {})}
        for name in {"weights", "manifest"} & load_options.keys():
            load_options[name] = load_options[name] and os.path.abspath(load_options[name])
        self._arguments = {"dimensions": fixed, "values": values, **load_options}
        self._keep = integer(keep, "InferenceSession: keep", 1)
        self._seed = None if seed is None else integer(seed, "InferenceSession: seed", 0, 2**64 - 1)
        self._steps: list[tuple[float, list[Any], MLGraph | None]] = []
        self._run_on(_content(path_or_bytes), chosen, context)
        self._start = time.perf_counter_ns()

    @classmethod
    def _of_builder(cls, builder: Any, context: MLContext, outputs: Any, dimensions: Any, keep: Any) -> "InferenceSession":
        self = cls.__new__(cls)
        self._options, self._seed, self._keep = SessionOptions(), None, integer(keep, "build_session: keep", 1)
        fixed = fixed_sizes(dimensions, "build_session")
        self._arguments = {"dimensions": fixed, "values": None}
        self._run_on(_session_of_builder(builder, outputs, fixed, self._keep), [], context)
        self._steps, self._start = [], time.perf_counter_ns()
        return self

    def _run_on(self, model: Any, chosen: list[tuple[str, dict[str, Any]]], context: MLContext | None) -> None:
        """Loads the model for the context or the first available provider. If this fails, the session remains unchanged."""
        threads, optimization = self._options.intra_op_num_threads, _OPTIMIZATIONS.get(self._options.graph_optimization_level, "")
        provider_options: dict[str, dict[str, Any]] = {}
        made = None if context is None else context_or_default(context)
        if made is None and (chosen or threads or optimization):
            name, made = context_of(chosen or [("CPUExecutionProvider", {})], threads, optimization)
            provider_options = {name: dict(chosen).get(name, {})}
        self._model = Model(model, made, self._keep, self._arguments, self._seed, self._may_disagree)
        self._chosen, self._provider_options, self._has_given_context = chosen, provider_options, context is not None

    @property
    def graph(self) -> MLGraph:
        """The graph for the sizes of the last run. Raises InvalidStateError if there is none yet, or no single graph can hold the model."""
        graph = self._model.last_graph()
        if graph is None:
            names = sorted(self._model.open)
            raise InvalidStateError(f"InferenceSession: the graph is compiled by the first run; open are {names}.")
        return graph

    def get_inputs(self) -> list[NodeArg]:
        """Returns the inputs in the order of the model, including inputs that no output depends on.

        >>> [argument.name for argument in webnn.InferenceSession("examples/digits/digits.webnn").get_inputs()]
        ['image']
        """
        description = self._model.description
        return _node_args(self.graph.inputs) if description is None else self._declared_args(description.inputs)

    def get_outputs(self) -> list[NodeArg]:
        """Returns the outputs in the order of the model.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_outputs()[0].shape
        [1, 10]
        """
        declared = {} if self._model.description is None else self._model.description.outputs
        if self._model.graph is not None and (not declared or not self._model.open):
            return _node_args(self.graph.outputs, self._model.booleans(True))
        return self._declared_args(declared)

    def _declared_args(self, declared: Mapping[str, Any]) -> list[NodeArg]:
        fixed = self._arguments["dimensions"]
        shapes = {name: [fixed.get(size, size) for size in value.shape or []] for name, value in declared.items()}
        types = {name: value.onnx_type or _type_of(value.data_type, value.is_boolean) for name, value in declared.items()}
        return [NodeArg(name, shapes[name], types[name]) for name in declared]

    def get_overridable_initializers(self) -> list[NodeArg]:
        """Returns []: initializers are constants here.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_overridable_initializers()
        []
        """
        return []

    def get_providers(self) -> list[str]:
        """Returns ONNX Runtime's name of the backend that runs the model, or else the backend's own name.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_providers()
        ['CPUExecutionProvider']
        """
        return list(self.get_provider_options())

    def get_provider_options(self) -> dict[str, dict[str, Any]]:
        """Returns the provider's name with the options that were given for it.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_provider_options()
        {'CPUExecutionProvider': {}}
        """
        if not self._provider_options:
            backend = context_or_default(self._model.context).backend
            return {PROVIDERS.get(backend, backend): {}}
        return dict(self._provider_options)

    def set_providers(
        self, providers: Sequence[Provider] | None = None, provider_options: Sequence[Mapping[str, Any]] | None = None
    ) -> None:
        """Loads the model for other providers; None: as in a session without providers.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").set_providers(["CPUExecutionProvider"])
        """
        if isinstance(self._model.model, _Session):
            raise NotSupportedError("set_providers: the session is of a builder's graph, which stays in the builder's context.")
        self._run_on(self._model.model, normalized(providers, provider_options), None)

    def save(self, path: PathLike, format: str | None = None, weights: str | None = None) -> None:
        """Writes the graph to a file, and its weights beside it, with the names of its open dimensions. The options are the same
        as for MLGraph.save(). Raises ArgumentError for an ONNX model with open dimensions.

        >>> session = builder.build_session({"y": builder.relu(builder.input("x", ["batch", 2]))})
        >>> session.save("build/relu.webnn")
        >>> webnn.InferenceSession("build/relu.webnn").get_inputs()[0].shape
        ['batch', 2]
        """
        self._model.save(path_text(path, "save: path"), text(format or "", "save: format"), text(weights or "", "save: weights"))

    def get_session_options(self) -> SessionOptions:
        """Returns the session's copy of its options.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_session_options()
        SessionOptions()
        """
        return self._options

    def get_modelmeta(self) -> ModelMetadata:
        """Returns the model's metadata. Formats other than ONNX only have the graph's name.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_modelmeta().graph_name
        'digits'
        """
        description = self._model.description
        known = dict(description.metadata) if description else {}
        properties, version, _ = known.pop("properties", {}), known.pop("version", 0), known.pop("producer_version", None)
        if not known.get("graph_name") and self._model.graph is not None:
            known["graph_name"] = self._model.graph.name
        return ModelMetadata(**known, version=version, custom_metadata_map=properties)

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Arrays | None = None,
        run_options: RunOptions | None = None,
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> list[Array]:
        """Computes the outputs with these names, or all outputs in order for None. Inputs may be lists and numbers; a
        sequence of ONNX is a list of arrays, a map is a dict, and an optional value may be None.

        >>> session = webnn.InferenceSession("examples/digits/digits.webnn")
        >>> session.run(["probabilities"], {"image": np.zeros((1, 1, 28, 28), np.float32)})[0].shape
        (1, 10)
        """
        if isinstance(output_names, Mapping) or input_feed is None:
            raise ArgumentError("run: the arguments are the names of outputs, or None for all, and the inputs: run(None, {...}).")
        if isinstance(output_names, str):
            raise ArgumentError(f"run: output_names is a list: [{output_names!r}].")
        results = self._compute(input_feed, run_options, timeout, cancellation)
        names = items(output_names, "run: output_names") if output_names else list(results)
        missing = [name for name in names if name not in results]
        if missing:
            raise ArgumentError(
                f"run: the model has no output {missing[0]!r}; it has {list(results)}. What an ONNX model computes on the way "
                f"becomes one by model.graph.output.append(onnx.ValueInfoProto(name={missing[0]!r}))."
            )
        return [results[name] for name in names]

    def _compute(self, feed: Arrays, run_options: Any, timeout: Any, cancellation: Any) -> dict[str, Array]:
        cancellation = _cancellation_of(run_options, cancellation)
        self._follow_fork()
        arrays = self._arrays(feed)
        start = time.monotonic()
        graph = self._plan_for(arrays, timeout, cancellation)
        if isinstance(timeout, int | float):
            timeout = max(0.0, timeout - (time.monotonic() - start))
        if not isinstance(graph, MLGraph):
            try:
                return self._run_program(graph, arrays if self._model.open else self._with_arrays(arrays), timeout, cancellation)
            except OperationError:  # perhaps the memory limit; try a graph, whose results do not count against the limit
                graph = self._model.plan_for(arrays, timeout, cancellation, wants_graph=True)
                if not isinstance(graph, MLGraph):
                    raise
        self._profile(graph, arrays)
        computed = graph.compute(self._model.used(graph, arrays), timeout=timeout, cancellation=cancellation)
        return results_of(computed, self._model.booleans(True))

    def _plan_for(self, arrays: Arrays, timeout: Any, cancellation: Any) -> MLGraph | _Session:
        return self._model.plan_for(arrays, timeout, cancellation, wants_graph=self._options.enable_profiling)

    def _run_program(self, plan: _Session, arrays: dict[str, Any], timeout: Any, cancellation: Any) -> dict[str, Array]:
        declared = self._declared_inputs()
        given = {name: packed_input(array, declared[name].data_type, f'run: input "{name}"') for name, array in arrays.items()}
        begin = time.perf_counter()
        computed = plan.run(given, timeout, cancellation, None)
        self._profile(None, given, begin)
        return results_of({name: result_of(value, f'run: output "{name}"') for name, value in computed.items()}, self._model.booleans(True))

    def _profile(self, graph: MLGraph | None, arrays: Mapping[str, Any], begin: float = 0) -> None:
        if self._options.enable_profiling:  # only graphs measure their steps
            now = time.perf_counter()
            steps = graph._profile(self._model.used(graph, arrays)) if graph else [("program", "", "", 0.0, now - begin)]
            self._steps.append((begin or now, steps, graph))

    def _follow_fork(self) -> None:
        """Loads the model again in a forked child, which cannot use its parent's contexts and graphs."""
        is_file = not isinstance(self._model.model, MLGraph)
        if self._model.process != os.getpid() and is_file and not self._has_given_context:
            keep_of_parent(self._model)
            self._run_on(self._model.model, self._chosen, None)

    def _declared_inputs(self) -> Mapping[str, Any]:
        """Returns the declared inputs (type and shape) by name."""
        return self.graph.inputs if self._model.description is None else self._model.description.inputs

    def _arrays(self, feed: Arrays) -> dict[str, Any]:
        """Checks the inputs' names. Converts values to arrays if their shapes are needed to choose a graph."""
        if not isinstance(feed, Mapping):
            raise must_be("run: input_feed", "a dict of names and arrays", feed)
        declared = self._declared_inputs()
        for name in feed:
            if name not in declared:
                raise ArgumentError(f"run: the model has no input {name!r}; it has {list(declared)}.")
        feed = {name: value._value if isinstance(value, OrtValue) else value for name, value in feed.items()}
        for name in self._model.booleans(False) & feed.keys():
            feed[name] = self._as_booleans(name, feed[name])
        return self._with_arrays(feed) if self._model.open else feed

    def _as_booleans(self, name: str, value: Any) -> Any:
        """Returns an array of booleans, or a list of such arrays if the input is a sequence."""
        what = f'run: input "{name}"'
        if value is None:
            return None
        if not self._model.takes_sequence(name):
            return as_boolean(value, what)
        if hasattr(value, "dtype"):
            return value  # refused by _with_array()
        return [as_boolean(element, what) for element in items(value, what)]

    def _with_arrays(self, feed: Mapping[str, Any]) -> dict[str, Any]:
        declared = self._declared_inputs()
        return {name: self._with_array(name, value, declared[name].data_type) for name, value in feed.items()}

    def _with_array(self, name: str, value: Any, data_type: str) -> Any:
        what = f'run: input "{name}"'
        if value is None and "..." in self._declared_inputs()[name].shape:
            return None
        description = self._model.description
        if description is not None and description.inputs[name].key_type:
            return _map_of(value, description.inputs[name], what)
        if self._model.takes_sequence(name):
            if hasattr(value, "dtype"):
                raise must_be(what, "a list of arrays", value)
            return [as_array(element, data_type, what) for element in items(value, what)]
        return as_array(value, data_type, what)

    def run_with_ort_values(
        self, output_names: Sequence[str] | None, input_dict_ort_values: Mapping[str, OrtValue], run_options: Any = None
    ) -> list[OrtValue]:
        """Does the same as run(), with OrtValues.

        >>> session = webnn.InferenceSession("examples/digits/digits.webnn")
        >>> image = webnn.OrtValue.ortvalue_from_shape_and_type([1, 1, 28, 28], np.float32)
        >>> session.run_with_ort_values(None, {"image": image})
        [OrtValue(tensor(float), shape=[1, 10])]
        """
        return [OrtValue(array) for array in self.run(output_names, input_dict_ort_values, run_options)]

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Arrays,
        callback: Callable[[list[Array], Any, str], None],
        user_data: Any = None,
        run_options: RunOptions | None = None,
    ) -> None:
        """Runs on another thread, which then calls `callback(results, user_data, error)`. `error` is "" after success.
        threading.excepthook gets the exceptions of the callback. Later changes of arrays and lists in `input_feed` have no effect.

        >>> import threading
        >>> session, done = webnn.InferenceSession("examples/digits/digits.webnn"), threading.Event()
        >>> image = np.zeros((1, 1, 28, 28), np.float32)
        >>> session.run_async(None, {"image": image}, lambda results, data, error: data.set(), done)
        >>> done.wait()
        True
        """
        if not callable(callback):
            raise must_be("run_async: callback", "a function", callback)
        names = list(output_names) if isinstance(output_names, list) else output_names  # the caller may change its objects
        feed = snapshot(input_feed)

        def work() -> None:
            try:
                results, error = self.run(names, feed, run_options), ""
            except Exception as problem:  # arrays of other libraries may raise any exception
                results, error = [], str(problem) or type(problem).__name__
            try:
                callback(results, user_data, error)
            except BaseException:  # the thread pool would hide the exception
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

        threads().submit(work)

    def io_binding(self) -> IOBinding:
        """Returns a new binding for this session.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").io_binding().get_outputs()
        []
        """
        return IOBinding(self)

    def run_with_iobinding(
        self,
        iobinding: IOBinding,
        run_options: RunOptions | None = None,
        *,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> None:
        """Runs the model on the bound memory. If one graph holds the model, later runs with the same shapes make no new arrays.

        >>> session = webnn.InferenceSession("examples/digits/digits.webnn")
        >>> binding = session.io_binding()
        >>> binding.bind_cpu_input("image", np.zeros((1, 1, 28, 28), np.float32))
        >>> session.run_with_iobinding(binding)
        >>> binding.get_outputs()
        [OrtValue(tensor(float), shape=[1, 10])]
        """
        if not isinstance(iobinding, IOBinding) or iobinding._session is not self:
            raise ArgumentError("run_with_iobinding: iobinding must be what this session's io_binding() returned.")
        iobinding._run(timeout, _cancellation_of(run_options, cancellation))

    def end_profiling(self) -> str:
        """Writes a Chrome trace of all runs since the last call, and returns the name of its file.

        >>> options = webnn.SessionOptions()
        >>> options.enable_profiling = True
        >>> options.profile_file_prefix = "build/profile_"
        >>> session = webnn.InferenceSession("examples/digits/digits.webnn", options)
        >>> session.end_profiling().startswith("build/profile_")
        True
        """
        if not self._options.enable_profiling:
            raise InvalidStateError("end_profiling: SessionOptions.enable_profiling was not set.")
        import json  # noqa: PLC0415  # only profiles need it

        with new_file(f"{self._profile_prefix()}{time.strftime('%Y-%m-%d_%H-%M-%S')}", ".json") as file:
            json.dump(self._trace(), file)
        self._steps = []
        return file.name

    def _trace(self) -> Any:
        events = [
            {
                "name": label or operation,
                "cat": "Node",
                "ph": "X",
                "pid": os.getpid(),
                "tid": 0,
                "ts": (at - self._start / 1e9 + start) * 1e6,
                "dur": duration * 1e6,
                "args": {"op_name": operation, "kernel": kernel, "provider": self.get_providers()[0]},
            }
            for at, steps, _ in self._steps
            for operation, label, kernel, start, duration in steps
        ]
        return {"displayTimeUnit": "ns", "traceEvents": events}

    def _profile_prefix(self) -> str:
        return self._options.profile_file_prefix

    def get_profiling_start_time_ns(self) -> int:
        """Returns the time of the session's creation, on the clock of time.perf_counter_ns().

        >>> webnn.InferenceSession("examples/digits/digits.webnn").get_profiling_start_time_ns() > 0
        True
        """
        return self._start

    def disable_fallback(self) -> None:
        """Does nothing: no run falls back to another provider.

        >>> webnn.InferenceSession("examples/digits/digits.webnn").disable_fallback()
        """

    enable_fallback = disable_fallback

    def __reduce__(self) -> tuple[Any, ...]:
        if self._has_given_context:
            raise NotSupportedError("a session in a given context cannot be pickled, as contexts cannot: give it providers.")
        arguments = {name: value for name, value in self._arguments.items() if name not in ("cancellation", "progress")}
        return _restored, (self._model.model, self._options, self._chosen, arguments | {"seed": self._seed}, self._keep)

    def __repr__(self) -> str:
        shown = ", ".join(f'"{argument.name}": {argument.type}{argument.shape}' for argument in self.get_inputs())
        return f"<InferenceSession {shown} on {self.get_providers()[0]}>"


def _restored(model: Any, options: SessionOptions, providers: Any, arguments: dict[str, Any], keep: int) -> InferenceSession:
    return InferenceSession(model, options, providers, keep=keep, **arguments)


def _content(model: Any) -> Any:
    """Returns the model as a path (str), its content (bytes) or a graph."""
    if isinstance(model, MLGraph | bytes):
        return model
    if isinstance(model, str | os.PathLike):
        return path_text(model, "InferenceSession: path_or_bytes")
    if hasattr(model, "SerializeToString"):
        return bytes(model.SerializeToString())
    if isinstance(model, bytearray | memoryview):
        return bytes(model)
    raise must_be("InferenceSession: path_or_bytes", "a path, bytes, an onnx.ModelProto or an MLGraph", model)


def _cancellation_of(run_options: Any, cancellation: Cancellation | None) -> Cancellation | None:
    if run_options is None:
        return cancellation
    if not isinstance(run_options, RunOptions):
        raise must_be("run: run_options", "a RunOptions", run_options)
    if cancellation is not None:
        raise ArgumentError("run: give either run_options or a cancellation.")
    own: Cancellation = vars(run_options)["_cancellation"]
    return own


def _type_of(data_type: Any, is_boolean: bool) -> str:
    return onnx_type("bool" if is_boolean else str(data_type))


def _node_args(operands: Mapping[str, MLOperandDescriptor], booleans: frozenset[str] = frozenset()) -> list[NodeArg]:
    return [NodeArg(name, list(shape), _type_of(data_type, name in booleans)) for name, (data_type, shape) in operands.items()]


def run(path: PathLike | bytes, inputs: Mapping[str, ArrayLike], **options: Any) -> dict[str, Array]:
    """Loads a model, and computes all its outputs, by name. The options are the same as for InferenceSession.

    >>> image = np.zeros((1, 1, 28, 28), np.float32)
    >>> webnn.run("examples/digits/digits.webnn", {"image": image})["probabilities"].shape
    (1, 10)
    """
    return InferenceSession(path, **options)._compute(inputs, None, None, None)


def _build_session(
    self: MLGraphBuilder, outputs: Mapping[str, MLOperand], *, keep: int = 8, dimensions: Mapping[str, int] | None = None
) -> InferenceSession:
    """Makes a session of these operands, which become its outputs under these names. A builder builds one session or graph.

    keep: the maximum number of cached graphs, one for each set of sizes. A graph is compiled in the first run with its sizes.
    dimensions: fixes sizes of open dimensions.

    Sizes may be 0: results without elements are returned as such, and operations over no elements return what NumPy and ONNX
    define, such as 0 for a sum, or raise NotSupportedError if these define nothing.

    >>> session = builder.build_session({"y": builder.relu(builder.input("x", ["batch", 2]))})
    >>> session.get_inputs()[0].shape, session.run(None, {"x": [[-1, 2]]})
    (['batch', 2], [array([[0., 2.]], dtype=float32)])
    """
    return InferenceSession._of_builder(self, self._context, as_dict(outputs), dimensions, keep)


MLGraphBuilder.build_session = _build_session  # type: ignore[method-assign, assignment]
