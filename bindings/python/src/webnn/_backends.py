"""Lists each backend's library and its names in ONNX Runtime, which the C++ module does not know."""

from collections.abc import Mapping
from typing import NamedTuple

from webnn import _webnn


class Library(NamedTuple):
    """A shared library that a backend loads at its first use."""

    variable: str  # environment variable with the library's path
    folder: str  # the library's directory, relative to site-packages
    pattern: str  # pattern of the library's file name


class Known(NamedTuple):
    """A backend's library, and its names in ONNX Runtime."""

    provider: str = ""  # name of ONNX Runtime's execution provider, without the suffix
    options: Mapping[str, str] = {}  # maps the provider's options to the backend's options
    optimizations: Mapping[str, Mapping[str, str]] = {}  # backend options for each level of optimization
    library: Library | None = None


_KNOWN = {
    "cpu": Known("CPU", optimizations={"none": {"disable": "all"}}),
    "onnxruntime": Known(
        options={"device_id": "device"},
        optimizations={level: {"optimization": level} for level in ("none", "basic", "extended")},
        library=Library("WEBNN_ONNXRUNTIME", "onnxruntime/capi", "libonnxruntime.so*"),
    ),
    "openvino": Known(
        "OpenVINO",
        {"device_type": "device", "cache_dir": "cache", "precision": "precision"},
        library=Library("WEBNN_OPENVINO", "openvino/libs", "libopenvino_c.so*"),
    ),
    "webgpu": Known(library=Library("WEBNN_WEBGPU", "wgpu/resources", "libwgpu_native*.so")),
    "coreml": Known("CoreML"),
}
BACKENDS = {name: _KNOWN.get(name, Known()) for name, _ in _webnn._backends()}
PROVIDERS = {name: f"{known.provider}ExecutionProvider" for name, known in BACKENDS.items() if known.provider}
