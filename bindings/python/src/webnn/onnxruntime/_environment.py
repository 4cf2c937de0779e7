"""Functions of ONNX Runtime for the whole process: version, providers, devices, logs, random numbers and libraries."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from webnn import _webnn
from webnn._arguments import integer, must_be
from webnn._errors import ArgumentError
from webnn._ortvalue import OrtValue, array_of
from webnn._providers import get_available_providers
from webnn.onnxruntime._errors import Fail, failure, type_errors

if TYPE_CHECKING:
    from webnn.onnxruntime._devices import OrtArenaCfg, OrtEpDevice, OrtHardwareDevice, OrtMemoryInfo

VERSION = "1.32.0"  # the version of ONNX Runtime that has this API; programs convert its parts to numbers
_FATAL = 4  # the highest severity
_seed: list[int] = []
_pools: list[int] = []  # the sizes that set_global_thread_pool_sizes() has got
_PROVIDERS = (  # in ONNX Runtime's order of priority, each followed by "ExecutionProvider"
    "Tensorrt CUDA MIGraphX OpenVINO Dnnl VitisAI QNN Nnapi VSINPU Js CoreML Dml Rknpu WebNN WebGpu Xnnpack CANN Azure CPU"
)


def get_version_string() -> str:
    return VERSION


def get_build_info() -> str:
    return f"webnn {_webnn.__version__}, with the Python API of ONNX Runtime {VERSION}"


def get_all_providers() -> list[str]:
    """Returns the names of all providers of ONNX Runtime. get_available_providers() returns those that can be used."""
    return [f"{name}ExecutionProvider" for name in _PROVIDERS.split()]


def get_ep_devices() -> "list[OrtEpDevice]":
    from webnn.onnxruntime._devices import OrtEpDevice  # noqa: PLC0415  # few programs list devices

    return [OrtEpDevice(name) for name in get_available_providers()]


def get_hardware_devices() -> "list[OrtHardwareDevice]":
    from webnn.onnxruntime._devices import OrtHardwareDevice  # noqa: PLC0415

    return [OrtHardwareDevice()]


def has_collective_ops() -> bool:
    return False


def enable_telemetry_events() -> None:
    """Has no effect: the library sends nothing."""


def disable_telemetry_events() -> None:
    """Has no effect: the library sends nothing."""


def set_default_logger_severity(severity: int) -> None:
    """Checks the argument, without further effect: the library writes no log."""
    with type_errors():
        found = integer(severity, "set_default_logger_severity: severity")
    if not 0 <= found <= _FATAL:
        raise RuntimeError("Invalid logging severity. 0:Verbose, 1:Info, 2:Warning, 3:Error, 4:Fatal")


def set_default_logger_verbosity(verbosity: int) -> None:
    """Checks the argument, without further effect: the library writes no log."""
    with type_errors():
        integer(verbosity, "set_default_logger_verbosity: verbosity")


def set_default_logger_callback(callback: Callable[..., Any] | None, severity: int = 2) -> None:
    """Checks the arguments, without further effect: the library writes no log."""
    if callback is not None and not callable(callback):
        raise must_be("set_default_logger_callback: callback", "a function or None", callback)
    integer(severity, "set_default_logger_callback: severity", 0, 4)


def set_global_thread_pool_sizes(intra_op_num_threads: int = 0, inter_op_num_threads: int = 0) -> None:
    """Has no effect: each session has its own threads (SessionOptions.intra_op_num_threads). As in ONNX Runtime, later calls
    raise Fail."""
    with type_errors():
        given = [integer(each, "set_global_thread_pool_sizes: a size") for each in (intra_op_num_threads, inter_op_num_threads)]
    if _pools:
        raise failure(Fail, "Global thread pools have already been created, cannot replace them")
    _pools.extend(given)


def set_seed(seed: int) -> None:
    """Sets the seed of random operators in later sessions."""
    with type_errors():
        _seed[:] = [integer(seed, "set_seed: seed", -(2**63), 2**63 - 1)]


def seed() -> int | None:
    """Returns the seed of set_seed() as an unsigned number. None before set_seed()."""
    return _seed[0] % 2**64 if _seed else None


def create_and_register_allocator(memory_info: "OrtMemoryInfo", arena_cfg: "OrtArenaCfg | None") -> None:
    """Has no effect: each session plans its memory."""


def create_and_register_allocator_v2(
    provider_type: str, memory_info: "OrtMemoryInfo", provider_options: Mapping[str, str], arena_cfg: "OrtArenaCfg | None"
) -> None:
    """Has no effect: each session plans its memory."""


def register_execution_provider_library(registration_name: str, library_path: str) -> None:
    raise failure(Fail, f"register_execution_provider_library: the plug-in {library_path!r} cannot be used here.")


def unregister_execution_provider_library(registration_name: str) -> None:
    raise failure(Fail, f"unregister_execution_provider_library: {registration_name!r} was not registered.")


def copy_tensors(src: Sequence[OrtValue], dst: Sequence[OrtValue], stream: Any = None) -> None:
    """Copies each value of `src` into the memory of the value of `dst` at the same position."""
    if len(src) != len(dst):
        raise ArgumentError(f"copy_tensors: src has {len(src)} values, and dst {len(dst)}.")
    for source, target in zip(src, dst, strict=True):
        target.update_inplace(array_of(source, "copy_tensors: src"))


def preload_dlls(cuda: bool = True, cudnn: bool = True, msvc: bool = True, directory: str | None = None) -> None:
    """Has no effect: the library needs neither CUDA nor cuDNN."""


def print_debug_info() -> None:
    """Prints the available providers, and the versions of the library, the system and related packages."""
    import platform  # noqa: PLC0415
    from importlib.metadata import distributions  # noqa: PLC0415  # takes longer to import than webnn's own modules

    print(f"onnxruntime version: {VERSION} ({get_build_info()})")
    print("platform:", platform.platform())
    print("providers:", ", ".join(get_available_providers()))
    for package in distributions():
        name = package.metadata["Name"]
        if name == "webnn" or "onnxruntime" in name:
            print(f"{name}=={package.version} at {package.locate_file('')}")
