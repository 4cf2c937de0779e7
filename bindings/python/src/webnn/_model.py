"""Model: the graphs of an InferenceSession."""

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from webnn import _protobuf
from webnn._arrays import checked, shape_cure
from webnn._errors import ArgumentError, DataError, NotSupportedError, OperationError
from webnn._files import DeclaredOutput, FileDescription, describe, description_of, load, open_source
from webnn._types import MLOperandDescriptor, finish
from webnn._webnn import MLContext, MLGraph, _Session

# ONNX's operators for which the sizes of results are sums and products of their inputs' sizes and of constants, so that a few choices
# of sizes (_SIZES) determine them for all runs. Operators with slices or strides are absent: they may cut only sizes that differ from
# these choices.
_KEEPERS = """
    Abs Add And ArgMax ArgMin BatchNormalization Cast Ceil Clip Concat Constant Cos DequantizeLinear Div Dropout Elu Equal Erf Exp Flatten
    Floor GRU Gather Gelu Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual HardSigmoid HardSwish Identity
    InstanceNormalization IsNaN LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax MatMul MatMulInteger Max Mean Min Mul
    Neg Not Or PRelu Pad Pow QuantizeLinear RNN Reciprocal ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Relu
    Reshape Round Selu Sigmoid Sign Sin Softmax Softplus Softsign Sqrt Squeeze Sub Sum Tanh Tile Transpose Unsqueeze Where Xor
"""
# Sizes of open dimensions, by the dimension's index. There are small and large sizes, because some graphs refuse small or large ones.
# Two dimensions never differ by the same number in all choices: otherwise, an output of size m + 1 would seem to have size n.
_SIZES = (lambda _: 3, lambda at: 7 + 2 * at, lambda at: 11 + at * (at + 5), lambda at: 64 + 6 * at, lambda at: 97 + 10 * at)
_EQUAL_SIZES = (lambda _: 24, lambda _: 36)  # for graphs whose dimensions must be equal


def _keeps_sizes(model: Any) -> bool:
    """Returns whether all operators of an ONNX model are in _KEEPERS."""
    try:
        operators = set(_protobuf.operators(_protobuf.content_of(model)).values())
    except (_protobuf.MalformedError, OSError, TypeError):
        return False
    return bool(operators) and operators.issubset(_KEEPERS.split())


def _size_of(sizes: tuple[int, ...], choices: list[dict[str, int]]) -> int | str | None:
    """Returns the size of an output's dimension that has the size sizes[i] for the open dimensions choices[i]. The result is a number,
    the name of an open dimension, or None for other sizes."""
    if len(set(sizes)) == 1:
        return sizes[0]
    names = [name for name in choices[0] if all(choice[name] == size for choice, size in zip(choices, sizes, strict=True))]
    return names[0] if len(names) == 1 else None


class Model:
    """A graph, or a source from which a graph is compiled for each set of sizes of the open dimensions.

    model: a graph; a path or bytes, from which the source is opened; or a _Session of a builder, which is the source itself.
    may_disagree: whether inputs of an ONNX model may give a dimension different sizes, as in onnxruntime.
    """

    def __init__(
        self,
        model: Any,
        context: MLContext | None,
        keep: int,
        options: dict[str, Any],
        seed: int | None = None,
        may_disagree: bool = False,
    ) -> None:
        self.context, self.options, self._keep, self._may_disagree = context, options, keep, may_disagree
        # Make the path absolute, because the working directory may change before the model is read again.
        self.model = os.path.abspath(model) if isinstance(model, str) else model
        self._graphs: OrderedDict[tuple[tuple[str, int], ...], MLGraph] = OrderedDict()
        self.description: FileDescription | None = None
        self.graph: MLGraph | None = None
        # The input shapes of the last run, if the session computed that run without a graph; otherwise None.
        self._without_graph: dict[str, tuple[int, ...]] | None = None
        self.open: set[str] = set()
        self.refusal = ""  # the reason if no single graph can hold a model without open dimensions
        self._source: _Session | None = None
        self.process = os.getpid()
        if isinstance(model, MLGraph):
            self.graph = model if context is None else context.compile(model)
            return
        if isinstance(model, _Session):
            self._source, self.description = model, description_of(*model.declarations())
        else:
            self.description = describe(model)
        given = options["dimensions"] or {}
        sizes = (size for declared in self.description.inputs.values() for size in declared.shape)
        named = {size for size in sizes if isinstance(size, str)}
        for name in given:
            if name not in named:
                raise ArgumentError(f'InferenceSession: dimensions: the model has no dimension "{name}"; it has {sorted(named) or "none"}.')
        self.open = named - set(given)
        self._needs_program = False
        if isinstance(model, _Session):
            self._keep = 0  # keep no graphs here: the source keeps them, because its runs with sizes of 0 need them too
            return
        if self.open:
            self._source = open_source(model, context, options, seed, may_disagree)
            outputs = self.description.outputs
            if any(output.data_type is None for output in outputs.values()) or not outputs:
                outputs = description_of(*self._source.declarations()).outputs  # the file does not declare them; the open graph does
            self.description = self.description._replace(outputs=self._outputs_found(outputs))
            self._needs_program = "..." in self.open  # "...": an input of any rank, a sequence or an optional value
            return
        try:
            self.graph = load(model, context, **options)
        except NotSupportedError as error:
            self.refusal = str(error)
            self._source, self._needs_program = open_source(model, context, options, seed, may_disagree), True

    def _outputs_found(self, declared: dict[str, DeclaredOutput]) -> dict[str, DeclaredOutput]:
        """Completes outputs without a type or shape: compiles the graph for several sizes and compares the shapes. Returns the outputs
        unchanged if that fails. A size that these shapes do not determine is None."""
        incomplete = [
            name for name, output in declared.items() if (output.data_type is None or output.shape is None) and not output.onnx_type
        ]
        if self._keep == 0 or "..." in self.open or not incomplete:
            return declared
        for rules in (_SIZES, _EQUAL_SIZES):
            choices, outputs = self._probes(rules)
            if len(outputs) > 1:
                break
        else:
            return declared
        found, keeps_sizes = dict(declared), _keeps_sizes(self.model)
        for name in incomplete:
            data_type = declared[name].data_type or outputs[0][name].data_type
            shapes = zip(*(probe[name].shape for probe in outputs), strict=True)
            found[name] = declared[name]._replace(
                data_type=data_type, shape=[_size_of(sizes, choices) if keeps_sizes else None for sizes in shapes]
            )
        return found

    def _probes(self, rules: Sequence[Callable[[int], int]]) -> tuple[list[dict[str, int]], list[dict[str, MLOperandDescriptor]]]:
        """Compiles the graph for the sizes of each rule. Returns the choices of sizes that succeed, and their graphs' outputs."""
        choices, outputs = [], []
        for rule in rules:
            sizes = {name: rule(at) for at, name in enumerate(sorted(self.open))}
            dimensions = {**(self.options["dimensions"] or {}), **sizes}
            try:
                outputs.append(load(self.model, self.context, **{**self.options, "dimensions": dimensions}).outputs)
                choices.append(sizes)
            except (ArgumentError, DataError, NotSupportedError, OperationError):  # the graph needs other sizes, or too much memory
                continue
        return choices, outputs

    def booleans(self, outputs: bool) -> frozenset[str]:
        if self.description is None:
            return frozenset()
        declared: Any = self.description.outputs if outputs else self.description.inputs
        return frozenset(name for name, value in declared.items() if value.is_boolean)

    def takes_sequence(self, name: str) -> bool:
        """Returns whether the input is a sequence of tensors, or an optional sequence."""
        return self.description is not None and self._source is not None and self._source.takes_sequence(name)

    def graph_for(self, feed: Mapping[str, Any], timeout: Any, cancellation: Any) -> MLGraph:
        """Returns the graph for inputs with the shapes of `feed`. The most recently used graphs are cached."""
        if self.graph is not None and not self.open:
            return self.graph
        key = tuple(sorted(self._sizes(feed).items()))
        graph = self._graphs.get(key)
        if graph is None:
            shapes = {name: np.shape(array) for name, array in feed.items()}
            try:
                graph = self._compiled(shapes, timeout, cancellation)
            except OperationError:  # the memory may suffice without the graphs for other sizes
                graph = self._graphs.get(key)  # another thread may have compiled the graph
                if graph is None:
                    if not self._graphs:
                        raise
                    self._graphs.clear()
                    self.graph = None
                    graph = self._compiled(shapes, timeout, cancellation)
        # Other threads may change the cache concurrently, so each step is atomic. A lock could stay locked in a forked child.
        with suppress(KeyError):
            graph = self._graphs.setdefault(key, graph)
            self._graphs.move_to_end(key)
            while len(self._graphs) > self._keep:
                self._graphs.popitem(last=False)
        self.graph, self._without_graph = graph, None
        return graph

    def last_graph(self) -> MLGraph | None:
        """Returns the graph for the sizes of the last run."""
        if self._without_graph is not None:
            return self.graph_for({name: np.empty(shape, np.uint8) for name, shape in self._without_graph.items()}, None, None)
        return self.graph

    def plan_for(self, feed: Mapping[str, Any], timeout: Any, cancellation: Any, wants_graph: bool = False) -> MLGraph | _Session:
        """Returns the graph for inputs of these shapes. If no single graph can hold the model (an input has a size of 0, or shapes
        depend on values), returns the session that runs it as several graphs. The session also runs a model whose sizes change in
        each run, unless `wants_graph` is set.
        """
        if self.description is None or (self.graph is not None and not self.open):
            return self.graph_for(feed, timeout, cancellation)
        if not self._needs_program and not any(0 in np.shape(array) for array in feed.values()):
            if not wants_graph and self._prefers_run(feed, timeout, cancellation):
                self._without_graph = {name: np.shape(array) for name, array in feed.items()}
                assert self._source is not None
                return self._source
            try:
                return self.graph_for(feed, timeout, cancellation)
            except ArgumentError:
                self._sizes(feed)  # reports errors in the shapes first
                if self._source is None or not self._source.has_open_graph():
                    raise
                # A graph cannot return an output without elements. The run of the source returns it, or fails again.
            except NotSupportedError:
                assert self._source is not None
                # If inputs disagree about a dimension, other runs may need no program.
                disagree = any(name.startswith("\0") for name in self._sizes(feed))
                self._needs_program = not disagree and not self._source.has_open_graph()
        assert self._source is not None
        return self._source

    def _prefers_run(self, feed: Mapping[str, Any], timeout: Any, cancellation: Any) -> bool:
        """Returns whether the source should run the model without a graph, because its sizes change in each run. Returns False if the
        type of an array differs from its input's.
        """
        if self._source is None or self._keep == 0 or self.description is None:
            return False
        for name, declared in self.description.inputs.items():
            if name not in feed or np.asarray(feed[name]).dtype != declared.data_type:
                return False
        if tuple(sorted(self._sizes(feed).items())) in self._graphs:
            return False
        return self._source.prefers_run({name: np.shape(array) for name, array in feed.items()}, timeout, cancellation)

    def used(self, graph: MLGraph, feed: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the inputs that the graph has. The graph lacks inputs that no output depends on, so this method checks their types
        and shapes."""
        inputs = graph.inputs
        for name, value in feed.items():
            if name not in inputs:
                self._check_unused(name, value)
        return {name: value for name, value in feed.items() if name in inputs}

    def _check_unused(self, name: str, value: Any) -> None:
        assert self.description is not None
        declared, given = self.description.inputs[name], self.options["dimensions"] or {}
        sizes = [given.get(str(size), size) for size in declared.shape]
        if any(isinstance(size, str) for size in sizes):  # graph_for() has checked the rank
            sizes = [actual if isinstance(size, str) else size for size, actual in zip(sizes, np.shape(value), strict=True)]
        checked(value, str(declared.data_type), tuple(map(int, sizes)), f'run: input "{name}"')

    def save(self, path: str, format: str, weights: str) -> None:
        source = self.graph if self._source is None else self._source
        assert source is not None
        if isinstance(source, MLGraph):
            source._save(path, format, weights)
        else:
            source.save(path, format, weights)

    def _compiled(self, shapes: dict[str, tuple[int, ...]], timeout: Any, cancellation: Any) -> MLGraph:
        if timeout is None and cancellation is None:
            timeout, cancellation = self.options.get("timeout"), self.options.get("cancellation")
        progress = self.options.get("progress")
        assert self._source is not None
        graph = self._source.graph(shapes, timeout, cancellation, progress)
        graph._is_of_any_context = self.context is None
        finish(progress)
        return graph

    def _sizes(self, feed: Mapping[str, Any]) -> dict[str, int]:
        assert self.description is not None
        sizes: dict[str, int] = {}
        origin: dict[str, str] = {}
        for name, declared in self.description.inputs.items():
            if name not in feed:
                continue
            shape = np.shape(feed[name])
            if len(shape) != len(declared.shape):
                cure = shape_cure(shape, declared.shape)
                raise ArgumentError(f'run: input "{name}": the array is of shape {list(shape)}, not {declared.shape}{cure}.')
            for axis, (size, dimension) in enumerate(zip(shape, declared.shape, strict=True)):
                if dimension not in self.open:
                    # Check here, because a graph ignores inputs that no output depends on. Packed 4-bit arrays have another shape.
                    if isinstance(dimension, int) and size != dimension and declared.data_type not in ("int4", "uint4"):
                        what, cure = f'run: input "{name}": Shape mismatch', shape_cure(shape, declared.shape)
                        raise ArgumentError(f"{what}: the array is of shape {list(shape)}, not {list(declared.shape)}{cure}.")
                    continue
                other = sizes.setdefault(str(dimension), size)
                if other != size and self._may_disagree:
                    sizes[f"\0{name}.{axis}"] = size  # no dimension has this name
                elif other != size:
                    both = f'{other} in input "{origin[str(dimension)]}" and {size} in input "{name}"'
                    raise ArgumentError(f'run: the dimension "{dimension}" is {both}.')
                origin.setdefault(str(dimension), name)
        for name, declared in self.description.inputs.items():
            missing = [size for size in declared.shape if size in self.open and size not in sizes]
            if missing:
                raise ArgumentError(
                    f'run: Missing input: "{name}", from whose shape the dimension "{missing[0]}" is known; or give its size: '
                    f'InferenceSession(..., dimensions={{"{missing[0]}": 1}}).'
                )
        return sizes
