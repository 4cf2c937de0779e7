"""ML, and the methods of MLContext written in Python."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from webnn import _webnn
from webnn._arguments import flag, integer, mapping, must_be, text
from webnn._arrays import as_array, data_type_name
from webnn._backends import BACKENDS
from webnn._builder import MLGraphBuilder, descriptor_of
from webnn._errors import ArgumentError, NotSupportedError
from webnn._files import PathLike, save
from webnn._tensor import MLDeviceTensor
from webnn._types import Array, ArrayLike, Arrays, DataType, Progress, finish
from webnn._webnn import Cancellation, MLContext, MLGraph, MLTensor

_DEVICES = ("cpu", "cuda", "directml", "coreml")  # device names of pywebnn


def _library_folder(backend: str) -> str | None:
    """Returns the directory with the backend's library. Searches the packages beside this package and those of this
    interpreter, never the working directory. None if no package has the library, or if an environment variable names it."""
    library = BACKENDS[backend].library if backend in BACKENDS else None
    if library is None or os.environ.get(library.variable):
        return None
    import pathlib  # noqa: PLC0415  # takes longer to import than webnn's own modules
    import sysconfig  # noqa: PLC0415

    packages = [str(pathlib.Path(__file__).parents[1]), *(sysconfig.get_path(name) for name in ("purelib", "platlib"))]
    found = (pathlib.Path(folder, library.folder) for folder in packages)
    return next((str(folder) for folder in found if any(folder.glob(library.pattern))), None)


class ML:
    """Creates contexts. https://www.w3.org/TR/webnn/#api-ml

    >>> webnn.ML().create_context()
    <MLContext cpu>
    """

    def create_context(
        self,
        power_preference: str | Mapping[str, Any] = "default",
        accelerated: bool = True,
        device_type: str = "auto",
        backend: str = "auto",
        *,
        threads: int = 0,
        backend_options: Mapping[str, str] | None = None,
        limits: Mapping[str, float] | None = None,
        service: str | None = None,
        service_token: str | None = None,
    ) -> MLContext:
        """Creates a context on the best backend, or on the named one. Raises NotSupportedError if there is no such backend. The
        first argument may be a dict as in the specification, with powerPreference and accelerated.

        limits: max_memory in bytes; max_operations, max_elements and max_compile_work of one graph; max_time in seconds of one
        load, build or run. See docs/reference/limits.md.
        service: runs graphs in another process, whose crash does not end this process: "private" starts a process for this
        context; "unix:PATH" is the socket of a running `webnn serve`. None: the environment variable WEBNN_SERVICE, else this
        process.
        service_token: identifies the client to a running service, 32 hexadecimal digits. None: WEBNN_SERVICE_TOKEN, or no token.

        >>> webnn.ML().create_context(backend="reference", limits={"max_memory": 1 << 30}).backend
        'reference'
        """
        if isinstance(power_preference, Mapping):
            given_options = dict(power_preference)
            accelerated = given_options.pop("accelerated", accelerated)
            power_preference = given_options.pop("powerPreference", given_options.pop("power_preference", "default"))
            if given_options:
                raise ArgumentError(f"create_context: there is no option {next(iter(given_options))!r}; give it as a keyword.")
        given = mapping(backend_options, "create_context: backend_options")
        options = {
            text(name, "create_context: backend_options: a name"): text(value, f"create_context: backend_options: {name!r}")
            for name, value in given.items()
        }
        address = "" if service is None else text(service, "create_context: service")
        is_running = (address or os.environ.get("WEBNN_SERVICE", "")).startswith("unix:")  # the service uses its own library
        if "library" not in options and not is_running:
            folder = _library_folder("onnxruntime" if backend == "onnx" else backend)
            if folder:
                options["library"] = folder
        bounds: Any = dict(limits) if isinstance(limits, Mapping) else limits
        return _webnn._create_context(
            text(power_preference, "create_context: power_preference"),
            flag(accelerated, "create_context: accelerated"),
            text(device_type, "create_context: device_type"),
            text(backend, "create_context: backend"),
            integer(threads, "create_context: threads", 0, 2**32 - 1),
            options,
            bounds,
            address,
            "" if service_token is None else text(service_token, "create_context: service_token"),
        )


# Methods that are added to MLContext below.


def compute(
    self: MLContext,
    graph: MLGraph,
    inputs: Arrays,
    outputs: Arrays | None = None,
    *,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> dict[str, Array]:
    """Computes the outputs, by name: new arrays, or the arrays in `outputs`, which are written in place. Runs on the calling
    thread, without waiting for queued work.

    timeout: seconds until a DeadlineError.
    cancellation: requesting it raises an AbortError.

    >>> context = webnn.ML().create_context()
    >>> builder = webnn.MLGraphBuilder(context)
    >>> graph = builder.build({"y": builder.relu(builder.input("x", [2]))})
    >>> context.compute(graph, {"x": np.array([-1, 2], np.float32)})
    {'y': array([0., 2.], dtype=float32)}
    """
    return self._compute(graph, inputs, outputs, timeout, cancellation)


def dispatch(
    self: MLContext,
    graph: MLGraph,
    inputs: Mapping[str, MLTensor | MLDeviceTensor],
    outputs: Mapping[str, MLTensor | MLDeviceTensor],
    *,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> None:
    """Queues a run with tensors, and returns at once. Reading the outputs raises the error of a run that fails.

    >>> context = webnn.ML().create_context()
    >>> builder = webnn.MLGraphBuilder(context)
    >>> graph = builder.build({"y": builder.relu(builder.input("x", [2]))})
    >>> x, y = context.create_host_tensor([2], "float32"), context.create_host_tensor([2], "float32")
    >>> context.write_tensor(x, np.array([-1, 2], np.float32))
    >>> context.dispatch(graph, {"x": x}, {"y": y})
    >>> context.read_tensor(y)
    array([0., 2.], dtype=float32)
    """
    self._dispatch(graph, _plain(inputs), _plain(outputs), timeout, cancellation)


def _plain(tensors: Any) -> Any:
    if not isinstance(tensors, dict):
        return dict(tensors) if isinstance(tensors, Mapping) else tensors
    if not any(isinstance(tensor, MLDeviceTensor) for tensor in tensors.values()):
        return tensors
    return {name: tensor.tensor if isinstance(tensor, MLDeviceTensor) else tensor for name, tensor in tensors.items()}


def compile(
    self: MLContext,
    graph: MLGraph,
    *,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
    progress: Progress | None = None,
) -> MLGraph:
    """Compiles a graph again, for this context and its backend.

    >>> reference = webnn.ML().create_context(backend="reference")
    >>> graph = reference.compile(webnn.load("examples/digits/digits.webnn"))
    """
    made = self._compile(graph, timeout, cancellation, progress)
    finish(progress)
    return made


def write_tensor(self: MLContext, tensor: MLTensor, data: ArrayLike) -> None:
    """Queues a copy of an array into a writable tensor of the same type and shape.

    >>> context = webnn.ML().create_context()
    >>> context.write_tensor(context.create_host_tensor([2], "float32"), np.ones(2, np.float32))
    """
    self._write_tensor(tensor, data)


def read_tensor(self: MLContext, tensor: MLTensor, out: ArrayLike | None = None) -> Array:
    """Reads the elements of a readable tensor after the work that was queued before, into a new array or into `out`.

    >>> context = webnn.ML().create_context()
    >>> context.read_tensor(context.create_host_tensor([2], "float32"))
    array([0., 0.], dtype=float32)
    """
    return self._read_tensor(tensor, out)


def _enter(self: MLContext) -> MLContext:
    return self


def _exit(self: MLContext, *error: object) -> None:
    self.destroy()


def _reduce(self: MLContext) -> Any:
    raise NotSupportedError("a context cannot be pickled; make one where it is wanted, or pickle graphs and sessions.")


def _reduce_tensor(self: MLTensor) -> Any:
    raise NotSupportedError("a tensor cannot be pickled; pickle tensor.numpy().")


def create_graph_builder(self: MLContext) -> MLGraphBuilder:
    """Returns MLGraphBuilder(context).

    >>> webnn.ML().create_context().create_graph_builder().input("x", [2, 3])
    <MLOperand input "x" float32[2, 3]>
    """
    return MLGraphBuilder(self)


def create_tensor(
    self: MLContext,
    shape: Sequence[int] | Mapping[str, Any],
    data_type: DataType | None = None,
    readable: bool = False,
    writable: bool = False,
    exportable_to_gpu: bool = False,
) -> MLTensor:
    """Returns a new tensor of zeros. `shape` may be a descriptor, as in the specification.

    >>> webnn.ML().create_context().create_tensor([2, 3], "float32", writable=True)
    <MLTensor float32[2, 3] writable>
    """
    if isinstance(shape, Mapping):
        readable, writable = shape.get("readable", readable), shape.get("writable", writable)
        sizes, data_type = descriptor_of(shape)
    else:
        sizes = shape
    return self._create_tensor(sizes, "float32" if data_type is None else data_type, readable, writable, exportable_to_gpu)


def create_host_tensor(self: MLContext, shape: Sequence[int], data_type: DataType) -> MLTensor:
    """Returns a new tensor of zeros that is readable and writable.

    >>> webnn.ML().create_context().create_host_tensor([2, 3], "float32").numpy().shape
    (2, 3)
    """
    return self._create_tensor(shape, data_type, True, True, False)


def create_device_tensor(
    self: MLContext, graph: MLGraph, shape: Sequence[int], data_type: DataType = "float32", device: str | None = None
) -> MLDeviceTensor:
    """Returns a tensor with pywebnn's methods. Any graph of the context can use it. `device` must be None
    or "cpu" if the context runs on a CPU.

    >>> context = webnn.ML().create_context()
    >>> graph = webnn.load("examples/digits/digits.webnn", context)
    >>> context.create_device_tensor(graph, [1, 1, 28, 28], "float32").device
    'cpu'
    """
    if not isinstance(graph, MLGraph):
        raise must_be("create_device_tensor: graph", "an MLGraph", graph)
    if device not in (None, *_DEVICES):
        raise ArgumentError(f"create_device_tensor: device {device!r} is not one of {', '.join(map(repr, _DEVICES))}.")
    if device not in (None, "cpu") and not self.accelerated:
        raise NotSupportedError(f"create_device_tensor: backend {self.backend!r} has no tensors on {device!r}.")
    return MLDeviceTensor(self, self._create_tensor(shape, data_type, True, True, False), device or "cpu")


def create_constant_tensor(
    self: MLContext, value: ArrayLike, shape: Sequence[int] | ArrayLike | None = None, data_type: DataType | None = None
) -> MLTensor:
    """Copies an array to a tensor for MLGraphBuilder.constant(). The specification's form with a descriptor and an array works too.

    >>> webnn.ML().create_context().create_constant_tensor(np.ones((2, 3), np.float32))
    <MLTensor float32[2, 3] constant>
    """
    if isinstance(value, Mapping):
        sizes, data_type = descriptor_of(value)
        return self._create_constant_tensor(shape, sizes, data_type)
    wanted = None if data_type is None else data_type_name(data_type, "create_constant_tensor")
    array = as_array(value, wanted, "create_constant_tensor")
    return self._create_constant_tensor(array, array.shape if shape is None else shape, wanted or array.dtype)


def convert_to_onnx(self: MLContext, graph: MLGraph, output_path: PathLike) -> None:
    """Calls graph.to_onnx(output_path).

    >>> context = webnn.ML().create_context()
    >>> context.convert_to_onnx(webnn.load("examples/digits/digits.webnn", context), "build/digits.onnx")
    """
    del self
    save(graph, output_path, format="onnx")


def backend_info(self: MLContext) -> dict[str, Any]:
    """Returns the backend's name, whether it runs on a GPU or an NPU, and the service that runs it, if any.

    >>> webnn.ML().create_context().backend_info()["backend"]
    'cpu'
    """
    return {
        "backend": self.backend,
        "service": self.service,
        "accelerated_available": self.accelerated,
        "compiled_features": [],
        "backend_available": True,
    }


for _method in (
    backend_info,
    compile,
    compute,
    convert_to_onnx,
    create_constant_tensor,
    create_device_tensor,
    create_graph_builder,
    create_host_tensor,
    create_tensor,
    dispatch,
    read_tensor,
    write_tensor,
):
    setattr(MLContext, _method.__name__, _method)
MLContext.__enter__ = _enter  # type: ignore[method-assign, assignment]
MLContext.__exit__ = _exit  # type: ignore[method-assign]
MLContext.__reduce__ = _reduce  # type: ignore[method-assign, assignment]
MLTensor.__reduce__ = _reduce_tensor  # type: ignore[method-assign, assignment]
