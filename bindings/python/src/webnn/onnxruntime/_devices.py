"""ONNX Runtime's classes for devices, memory and allocators. Only the memory of the CPU exists here."""

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from webnn._errors import ArgumentError, NotSupportedError
from webnn._options import Choice


class OrtAllocatorType(Choice):
    INVALID = -1
    ORT_DEVICE_ALLOCATOR = 0
    ORT_ARENA_ALLOCATOR = 1


class OrtMemType(Choice):
    CPU_INPUT = -2
    CPU_OUTPUT = -1
    CPU = -1
    DEFAULT = 0


class OrtDeviceMemoryType(Choice):
    DEFAULT = 0
    HOST_ACCESSIBLE = 5


class OrtMemoryInfoDeviceType(Choice):
    CPU = 0
    GPU = 1
    FPGA = 2
    NPU = 3


class OrtHardwareDeviceType(Choice):
    CPU = 0
    GPU = 1
    NPU = 2


class OrtDeviceVendorId(Choice):
    NONE = 0
    AMD = 0x1002
    NVIDIA = 0x10DE
    ARM = 0x13B5
    MICROSOFT = 0x1414
    HUAWEI = 0x19E5
    QUALCOMM = 0x5143
    INTEL = 0x8086


class OrtSparseFormat(Choice):
    ORT_SPARSE_UNDEFINED = 0
    ORT_SPARSE_COO = 1
    ORT_SPARSE_CSRC = 2
    ORT_SPARSE_BLOCK_SPARSE = 4


class OrtCompileApiFlags(Choice):
    NONE = 0
    ERROR_IF_NO_NODES_COMPILED = 1
    ERROR_IF_OUTPUT_FILE_EXISTS = 2


class OrtExecutionProviderDevicePolicy(Choice):
    DEFAULT = 0
    PREFER_CPU = 1
    PREFER_NPU = 2
    PREFER_GPU = 3
    MAX_PERFORMANCE = 4
    MAX_EFFICIENCY = 5
    MIN_OVERALL_POWER = 6


class OrtCompiledModelCompatibility(Choice):
    EP_NOT_APPLICABLE = 0
    EP_SUPPORTED_OPTIMAL = 1
    EP_SUPPORTED_PREFER_RECOMPILATION = 2
    EP_UNSUPPORTED = 3


class OrtDeviceEpIncompatibilityReason(Choice):
    NONE = 0
    DRIVER_INCOMPATIBLE = 1
    DEVICE_INCOMPATIBLE = 2
    MISSING_DEPENDENCY = 4
    UNKNOWN = -(2**31)


class ModelPackageWriteMode(Choice):
    PRESERVE = 0
    DENSE = 1


class ArenaExtendStrategy(Choice):
    kNextPowerOfTwo = 0  # noqa: N815
    kSameAsRequested = 1  # noqa: N815


kNextPowerOfTwo = ArenaExtendStrategy.kNextPowerOfTwo  # noqa: N816
kSameAsRequested = ArenaExtendStrategy.kSameAsRequested  # noqa: N816


class Device(Enum):
    """The devices that OrtDevice.make() knows: the number of the type, and the number of the vendor."""

    cpu = (0, -1)
    cuda = (1, OrtDeviceVendorId.NVIDIA)
    cann = (3, OrtDeviceVendorId.HUAWEI)
    dml = (4, OrtDeviceVendorId.MICROSOFT)
    webgpu = (1, OrtDeviceVendorId.NONE)
    gpu = (1, -1)
    npu = (3, -1)


class StateOrtDevice:
    """The class OrtDevice of onnxruntime_pybind11_state: device type, memory type, vendor and device id, all as numbers."""

    def __init__(self, device_type: int, memory_type: int, *vendor_and_id: int) -> None:
        self._type, self._memory = device_type, memory_type
        self._vendor, self._id = vendor_and_id if len(vendor_and_id) == 2 else (0, vendor_and_id[0])  # noqa: PLR2004

    def device_id(self) -> int:
        return self._id

    def device_type(self) -> int:
        return self._type

    def mem_type(self) -> int:
        return self._memory

    def vendor_id(self) -> int:
        return self._vendor


def _number(name: str, value: int) -> Any:
    """Returns a static method that returns a number."""

    def number() -> int:
        return value

    number.__name__ = name
    return staticmethod(number)


_NUMBERS = {"default_memory": 0, "cpu": 0, "cuda": 1, "gpu": 1, "webgpu": 1, "fpga": 2, "npu": 3, "cann": 3, "dml": 4}
for _name, _value in _NUMBERS.items():
    setattr(StateOrtDevice, _name, _number(_name, _value))


class OrtDevice:
    """A device of ONNX Runtime. Only "cpu" can hold values here."""

    def __init__(self, c_ort_device: StateOrtDevice) -> None:
        self._ort_device = c_ort_device

    @staticmethod
    def make(ort_device_name: str, device_id: int, vendor_id: int = -1) -> "OrtDevice":
        device_type, vendor = known_device(ort_device_name).value
        return OrtDevice(StateOrtDevice(device_type, 0, max(0, int(vendor if vendor_id < 0 else vendor_id)), device_id))

    def device_id(self) -> int:
        return self._ort_device.device_id()

    def device_type(self) -> int:
        return self._ort_device.device_type()

    def device_vendor_id(self) -> int:
        return self._ort_device.vendor_id()

    def device_mem_type(self) -> int:
        return self._ort_device.mem_type()

    def _get_c_device(self) -> StateOrtDevice:
        return self._ort_device


def known_device(name: str) -> Device:
    """Returns the device of this name. Raises ArgumentError for another name."""
    try:
        return Device[name]
    except KeyError as error:
        raise ArgumentError(f"there is no type of device {name!r}; there are {', '.join(Device.__members__)}.") from error


@dataclass
class OrtMemoryInfo:
    """Describes memory of the CPU for create_and_register_allocator()."""

    name: str
    allocator_type: OrtAllocatorType
    device_id: int
    mem_type: OrtMemType
    device_mem_type: OrtDeviceMemoryType = field(default=OrtDeviceMemoryType.DEFAULT, init=False)
    device_vendor_id: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.name not in ("Cpu", ""):
            raise NotSupportedError(f"OrtMemoryInfo: there is no memory {self.name!r}, only 'Cpu'.")

    @staticmethod
    def create_v2(
        name: str,
        device_type: OrtMemoryInfoDeviceType,
        vendor_id: int,
        device_id: int,
        mem_type: OrtDeviceMemoryType,
        alignment: int,
        allocator_type: OrtAllocatorType,
    ) -> "OrtMemoryInfo":
        if device_type != OrtMemoryInfoDeviceType.CPU:
            raise NotSupportedError(f"OrtMemoryInfo: there is no memory of {device_type}, only of the CPU.")
        made = OrtMemoryInfo("Cpu", allocator_type, device_id, OrtMemType.DEFAULT)
        made.name, made.device_mem_type, made.device_vendor_id = name, mem_type, vendor_id
        return made


@dataclass(init=False)
class OrtArenaCfg:
    """Sizes of an arena, as numbers or as a dict. They have no effect."""

    max_mem: int = 0
    arena_extend_strategy: int = -1
    initial_chunk_size_bytes: int = -1
    max_dead_bytes_per_chunk: int = -1
    initial_growth_chunk_size_bytes: int = -1
    max_power_of_two_extend_bytes: int = -1

    def __init__(self, *sizes: Any) -> None:
        names = [known.name for known in fields(self)]
        given = sizes[0] if sizes and isinstance(sizes[0], dict) else dict(zip(names, sizes, strict=False))
        for name, size in given.items():
            if name not in names:
                raise ArgumentError(f"OrtArenaCfg: there is no size {name!r}; there are {', '.join(names)}.")
            setattr(self, name, int(size))


@dataclass
class OrtExternalInitializerInfo:
    """The location of a weight: a file, an offset and a number of bytes."""

    filepath: str
    file_offset: int
    byte_size: int


@dataclass(frozen=True)
class OrtHardwareDevice:
    """The processor."""

    type: OrtHardwareDeviceType = OrtHardwareDeviceType.CPU
    vendor: str = ""
    vendor_id: int = 0
    device_id: int = 0
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OrtEpDevice:
    """A provider and its device. get_ep_devices() lists them."""

    ep_name: str
    ep_vendor: str = "webnn"
    device: OrtHardwareDevice = field(default_factory=OrtHardwareDevice)
    ep_metadata: dict[str, str] = field(default_factory=dict)
    ep_options: dict[str, str] = field(default_factory=dict)

    def create_sync_stream(self) -> Any:
        raise NotSupportedError("OrtEpDevice: the CPU has no streams.")

    def memory_info(self, memory_type: OrtDeviceMemoryType) -> OrtMemoryInfo | None:
        return cpu_memory() if memory_type == OrtDeviceMemoryType.DEFAULT else None


def cpu_memory() -> OrtMemoryInfo:
    """Returns the description of the memory that holds inputs and outputs."""
    return OrtMemoryInfo("Cpu", OrtAllocatorType.ORT_DEVICE_ALLOCATOR, 0, OrtMemType.DEFAULT)
