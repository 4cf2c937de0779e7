"""The backends of the library, with what only this package knows of each."""

from collections.abc import Mapping
from typing import NamedTuple

from webnn import _webnn


class Library(NamedTuple):
    """A shared library that a backend loads when it is first used."""

    variable: str  # the environment variable with its path
    folder: str  # its directory in a Python package
    pattern: str  # its file name


class Known(NamedTuple):
    """A backend's library, and its names in ONNX Runtime."""

    provider: str = ""  # of its execution provider, without the suffix
    options: Mapping[str, str] = {}  # the provider's options, with the backend's names
    optimizations: Mapping[str, Mapping[str, str]] = {}  # the backend's options for a level of optimization
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
    "coreml": Known("CoreML"),
}
BACKENDS = {name: _KNOWN.get(name, Known()) for name, _ in _webnn._backends()}
PROVIDERS = {name: f"{known.provider}ExecutionProvider" for name, known in BACKENDS.items() if known.provider}
