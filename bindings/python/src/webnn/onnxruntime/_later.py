"""Lists names of webnn.onnxruntime that few programs need. The first use of such a name imports the module _devices."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_BOTH = [
    "ModelPackageWriteMode",
    "OrtAllocatorType",
    "OrtArenaCfg",
    "OrtCompileApiFlags",
    "OrtDeviceMemoryType",
    "OrtEpDevice",
    "OrtMemType",
    "OrtMemoryInfo",
    "OrtExecutionProviderDevicePolicy",
    "OrtExternalInitializerInfo",
    "OrtHardwareDevice",
    "OrtHardwareDeviceType",
    "OrtMemoryInfoDeviceType",
    "OrtSparseFormat",
]
_STATE = ["ArenaExtendStrategy", "OrtCompiledModelCompatibility", "OrtDeviceEpIncompatibilityReason", "kNextPowerOfTwo", "kSameAsRequested"]

# Map the names of onnxruntime, and those of onnxruntime_pybind11_state, to names of webnn.onnxruntime._devices.
PUBLIC = {name: name for name in (*_BOTH, "OrtDevice", "OrtDeviceVendorId")}
STATE = {**{name: name for name in (*_BOTH, *_STATE)}, "OrtDevice": "StateOrtDevice"}


def import_later(module: dict[str, Any], names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns the functions __getattr__ and __dir__ for a module that also exports these names, from _devices."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
        value = module[name] = getattr(import_module("webnn.onnxruntime._devices"), names[name])
        return value

    return get, lambda: sorted({*module, *names})
