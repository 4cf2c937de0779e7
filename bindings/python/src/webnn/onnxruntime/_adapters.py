"""Adapters for LoRA: files with values for inputs of a model. The files are FlatBuffers of ONNX Runtime's format, version 1.

https://flatbuffers.dev/internals
"""

import os
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from webnn._arguments import must_be
from webnn._errors import ArgumentError, DataError, NotFoundError
from webnn._ortvalue import OrtValue, dtype_of_element
from webnn._types import Array

_IDENTIFIER = b"TORT"
_FORMAT_VERSION = 1
_HEADER, _VTABLE = 8, 12  # both tables of the format have four fields of four bytes, so they share a vtable
_TABLE = 20


class AdapterFormat:
    """The values and the versions of an adapter, to read or write its file."""

    format_version: int = _FORMAT_VERSION
    adapter_version: int = 0
    model_version: int = 0
    parameters: Mapping[str, OrtValue] = MappingProxyType({})

    def __init__(self, adapter: "AdapterFormat | None" = None) -> None:
        if adapter is not None:
            self.adapter_version, self.model_version, self.parameters = adapter.adapter_version, adapter.model_version, adapter.parameters

    @staticmethod
    def read_adapter(file_path: "str | os.PathLike[str]") -> "AdapterFormat":
        made = AdapterFormat()
        (made.format_version, made.adapter_version, made.model_version), made.parameters = _read(os.fspath(file_path))
        return made

    def export_adapter(self, file_path: "str | os.PathLike[str]") -> None:
        with open(file_path, "wb") as file:
            file.write(_written([self.format_version, self.adapter_version, self.model_version], self.parameters))

    def get_format_version(self) -> int:
        return self.format_version

    def set_adapter_version(self, adapter_version: int) -> None:
        self.adapter_version = adapter_version

    def get_adapter_version(self) -> int:
        return self.adapter_version

    def set_model_version(self, model_version: int) -> None:
        self.model_version = model_version

    def get_model_version(self) -> int:
        return self.model_version

    def set_parameters(self, params: Mapping[str, OrtValue]) -> None:
        self.parameters = {name: value._ortvalue for name, value in params.items()}

    def get_parameters(self) -> dict[str, OrtValue]:
        return dict(self.parameters)


class LoraAdapter:
    """An adapter for runs: see RunOptions.add_active_adapter()."""

    def __init__(self) -> None:
        self._parameters: dict[str, OrtValue] = {}

    def Load(self, arg0: str) -> None:  # noqa: N802
        self._parameters = _read(arg0)[1]


def with_adapters(feed: Mapping[str, Any], run_options: Any) -> Mapping[str, Any]:
    """Adds the values of the active adapters to the inputs. A value in `feed` takes precedence."""
    adapters = [] if run_options is None else vars(run_options).get("_adapters", [])
    given = {name: value for adapter in adapters for name, value in adapter._parameters.items()}
    return {**given, **feed} if given else feed


def _written(versions: list[int], parameters: Mapping[str, OrtValue]) -> bytes:
    data = bytearray(struct.pack("<I4s6H", _HEADER + _VTABLE, _IDENTIFIER, _VTABLE, _TABLE, 4, 8, 12, 16))

    def table() -> int:
        start = len(data)
        data.extend(struct.pack("<i16x", start - _HEADER))
        return start

    def vector(place: int, count: int, content: bytes, alignment: int) -> int:
        """Appends a vector, and writes its offset to `place`. Returns the position of its elements."""
        data.extend(bytes(-(len(data) + 4) % alignment))
        struct.pack_into("<I", data, place, len(data) - place)
        data.extend(struct.pack("<I", count) + content)
        start = len(data) - len(content)
        data.extend(bytes(-len(data) % 4))
        return start

    root = table()
    struct.pack_into("<3i", data, root + 4, *versions)
    places = vector(root + 16, len(parameters), bytes(4 * len(parameters)), 4)
    for place, (name, value) in zip(range(places, places + 4 * len(parameters), 4), parameters.items(), strict=True):
        array, start = value.numpy(), table()
        struct.pack_into("<I", data, place, start - place)
        struct.pack_into("<i", data, start + 12, value.element_type())
        text = name.encode()
        vector(start + 4, len(text), text + b"\0", 4)
        vector(start + 8, array.ndim, struct.pack(f"<{array.ndim}q", *array.shape), 8)
        vector(start + 16, array.nbytes, array.tobytes(), 8)
    return bytes(data)


class _Reader:
    """Reads tables and vectors. Raises struct.error, ValueError or OverflowError beyond the end of the data."""

    def __init__(self, data: memoryview) -> None:
        self.data = data

    def number(self, at: int, form: str = "<I") -> int:
        if at < 0:
            raise ValueError
        return int(struct.unpack_from(form, self.data, at)[0])

    def field(self, table: int, index: int) -> int:
        """Returns the position of a table's field, or 0 if the field is absent."""
        vtable = table - self.number(table, "<i")
        if 4 + 2 * index >= self.number(vtable, "<H"):
            return 0
        offset = self.number(vtable + 4 + 2 * index, "<H")
        return table + offset if offset else 0

    def integer(self, table: int, index: int) -> int:
        at = self.field(table, index)
        return self.number(at, "<i") if at else 0

    def vector(self, table: int, index: int, size: int) -> memoryview:
        at = self.field(table, index)
        if not at:
            return memoryview(b"")
        at += self.number(at)
        end = at + 4 + size * self.number(at)
        if end > len(self.data):
            raise ValueError
        return self.data[at + 4 : end]


def _array(reader: _Reader, table: int) -> Array:
    dims = np.frombuffer(reader.vector(table, 1, 8), "<i8").tolist()
    dtype = dtype_of_element(reader.integer(table, 2), "LoraAdapter")
    if dtype.kind == "O":
        raise ValueError
    return np.frombuffer(reader.vector(table, 3, 1), dtype).reshape(dims).copy()


def _read(path: str) -> tuple[list[int], dict[str, OrtValue]]:
    if not isinstance(path, str):
        raise must_be("LoraAdapter: the path", "a str", path)
    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
    except OSError as error:
        raise NotFoundError(f'LoraAdapter: the file "{path}" cannot be opened ({error.strerror}).') from error
    reader = _Reader(data)
    try:
        if data[4:8] != _IDENTIFIER:
            raise ValueError
        root = reader.number(0)
        versions = [reader.integer(root, index) for index in range(3)]
        parameters = {}
        places = reader.field(root, 3)
        start = places + reader.number(places) if places else 0
        for i in range(reader.number(start) if places else 0):
            place = start + 4 + 4 * i
            table = place + reader.number(place)
            name = bytes(reader.vector(table, 0, 1)).decode()
            parameters[name] = OrtValue(_array(reader, table))
    except (struct.error, ValueError, OverflowError, ArgumentError) as error:
        raise DataError(f'LoraAdapter: the file "{path}" is no adapter of ONNX Runtime.') from error
    if versions[0] != _FORMAT_VERSION:
        raise DataError(f'LoraAdapter: the file "{path}" is of version {versions[0]} of the format, not {_FORMAT_VERSION}.')
    return versions, parameters
