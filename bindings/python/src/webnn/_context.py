"""ML, and what MLContext has beyond the module."""

import os
import pathlib
import sysconfig
from collections.abc import Mapping, Sequence
from typing import Any

from webnn import _webnn
from webnn._arguments import flag, integer, mapping, text
from webnn._arrays import as_array, data_type_name
from webnn._builder import MLGraphBuilder, descriptor_of
from webnn._files import PathLike, save
from webnn._types import ArrayLike, DataType
from webnn._webnn import MLContext, MLGraph, MLTensor

# Of each backend whose library is loaded at run time: the variable that names it, and where a Python package has it.
_LIBRARIES = {
    "onnxruntime": ("WEBNN_ONNXRUNTIME", "onnxruntime/capi", "libonnxruntime.so*"),
    "openvino": ("WEBNN_OPENVINO", "openvino/libs", "libopenvino_c.so*"),
}


def _library_folder(backend: str) -> str | None:
    """The library's path in its package beside this one or of this interpreter, never in the working folder."""
    variable, inside, pattern = _LIBRARIES[backend]
    if os.environ.get(variable):
        return None
    packages = [str(pathlib.Path(__file__).parents[1]), *(sysconfig.get_path(name) for name in ("purelib", "platlib"))]
    found = (pathlib.Path(folder, inside) for folder in packages)
    return next((str(folder) for folder in found if any(folder.glob(pattern))), None)


class ML:
    """Where contexts come from. https://www.w3.org/TR/webnn/#api-ml"""

    def create_context(
        self,
        power_preference: str = "default",
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
        """A context on the best backend; or on the named one, or NotSupportedError.

        limits: how much it may use: max_memory in bytes, max_operations, max_elements and max_compile_work of one graph, and
        max_time in seconds of one load, build or run. See docs/limits.md.
        service: where graphs run in another process, which may crash alone: "private" starts one for this context, "unix:PATH" is
        the socket of a running `webnn serve`. None: what the environment variable WEBNN_SERVICE says, else this process.
        service_token: what a running service knows its client by, 32 hexadecimal digits; None: WEBNN_SERVICE_TOKEN, or none.
        """
        given = mapping(backend_options, "create_context: backend_options")
        options = {
            text(name, "create_context: backend_options: a name"): text(value, f"create_context: backend_options: {name!r}")
            for name, value in given.items()
        }
        address = "" if service is None else text(service, "create_context: service")
        is_running = (address or os.environ.get("WEBNN_SERVICE", "")).startswith("unix:")  # it knows where its library is
        named = "onnxruntime" if backend == "onnx" else backend
        if named in _LIBRARIES and "library" not in options and not is_running:
            folder = _library_folder(named)
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


# Methods of MLContext that are written in Python.


def create_graph_builder(self: MLContext) -> MLGraphBuilder:
    """The same as MLGraphBuilder(context)."""
    return MLGraphBuilder(self)


def create_tensor(
    self: MLContext,
    shape: Sequence[int] | Mapping[str, Any],
    data_type: DataType | None = None,
    readable: bool = False,
    writable: bool = False,
    exportable_to_gpu: bool = False,
) -> MLTensor:
    """A tensor of zeros. `shape` may be a whole descriptor, as in the specification."""
    if isinstance(shape, Mapping):
        readable, writable = shape.get("readable", readable), shape.get("writable", writable)
        sizes, data_type = descriptor_of(shape)
    else:
        sizes = shape
    return self._create_tensor(sizes, "float32" if data_type is None else data_type, readable, writable, exportable_to_gpu)


def create_host_tensor(self: MLContext, shape: Sequence[int], data_type: DataType) -> MLTensor:
    """A tensor of zeros, readable and writable."""
    return self._create_tensor(shape, data_type, True, True, False)


def create_constant_tensor(
    self: MLContext, value: ArrayLike, shape: Sequence[int] | ArrayLike | None = None, data_type: DataType | None = None
) -> MLTensor:
    """A tensor for MLGraphBuilder.constant() with a copy of an array; or of a descriptor and an array, as specified."""
    if isinstance(value, Mapping):
        sizes, data_type = descriptor_of(value)
        return self._create_constant_tensor(shape, sizes, data_type)
    wanted = None if data_type is None else data_type_name(data_type, "create_constant_tensor")
    array = as_array(value, wanted, "create_constant_tensor")
    return self._create_constant_tensor(array, array.shape if shape is None else shape, wanted or array.dtype)


def convert_to_onnx(self: MLContext, graph: MLGraph, output_path: PathLike) -> None:
    """The same as graph.to_onnx(output_path)."""
    del self
    save(graph, output_path, format="onnx")


def backend_info(self: MLContext) -> dict[str, Any]:
    """The backend's name, whether it is a GPU's or an NPU's, and the service that runs it, if one does."""
    return {
        "backend": self.backend,
        "service": self.service,
        "accelerated_available": self.accelerated,
        "compiled_features": [],
        "backend_available": True,
    }


for _method in (create_graph_builder, create_tensor, create_host_tensor, create_constant_tensor, convert_to_onnx, backend_info):
    setattr(MLContext, _method.__name__, _method)
