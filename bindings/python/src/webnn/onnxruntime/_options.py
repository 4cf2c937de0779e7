"""SessionOptions and RunOptions with all options of ONNX Runtime."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from webnn import _options
from webnn._arguments import integer, mapping, text
from webnn._errors import ArgumentError
from webnn._options import _with_defaults
from webnn.onnxruntime._adapters import LoraAdapter
from webnn.onnxruntime._errors import Fail, failure, type_errors
from webnn.onnxruntime._initializers import Replacements

if TYPE_CHECKING:
    from webnn.onnxruntime._devices import OrtEpDevice, OrtExecutionProviderDevicePolicy


_LONGEST_KEY = 1024


def _entry(get: Callable[[str], str], key: str, kind: str) -> str:
    """Returns an entry. Raises ONNX Runtime's exception if there is none."""
    try:
        return get(key)
    except ArgumentError as error:
        raise RuntimeError(f"{kind} does not have configuration with key: {key}") from error


def _checked_key(key: str) -> None:
    if isinstance(key, str) and not 0 < len(key) <= _LONGEST_KEY:
        raise RuntimeError(f"Config key is empty or longer than maximum length {_LONGEST_KEY}")


@_with_defaults
class SessionOptions(_options.SessionOptions):
    """ONNX Runtime's options of a session. webnn.SessionOptions lists the attributes with an effect. Here, optimized_model_filepath
    has an effect too."""

    profile_file_prefix: str = "onnxruntime_profile_"

    def __init__(self) -> None:
        super().__init__()
        vars(self).update(_providers=[], _cancelled=False, _denotations={}, _replacements=Replacements())

    def __setattr__(self, name: str, value: Any) -> None:
        default = self._defaults.get(name)
        if isinstance(default, bool) and isinstance(value, int | np.bool_):
            value = bool(value)
        elif isinstance(value, int) and not isinstance(default, bool | IntEnum) and name.endswith("_num_threads"):
            value = max(0, value)  # for negative numbers, ONNX Runtime chooses as for 0
        elif isinstance(default, IntEnum) and not isinstance(value, type(default)):
            raise TypeError(f"SessionOptions: {name} must be a member of {type(default).__name__}, not {type(value).__name__}.")
        with type_errors():
            super().__setattr__(name, value)

    def _get(self, key: str) -> str:
        return _entry(super()._get, key, "SessionOptions")

    def _add(self, key: str, value: str) -> None:
        _checked_key(key)
        with type_errors():
            super()._add(key, value)

    def add_free_dimension_override_by_name(self, dim_name: str, dim_value: int) -> None:
        """Sets the size of an open dimension. As in ONNX Runtime, later calls for the same name have no effect."""
        known = dict(vars(self)["_dimensions"])
        with type_errors():
            super().add_free_dimension_override_by_name(dim_name, dim_value)
        vars(self)["_dimensions"].update(known)

    def add_free_dimension_override_by_denotation(self, dim_denotation: str, dim_value: int) -> None:
        """Sets the size of the inputs' dimensions with this denotation, whose case is ignored. Ignores denotations that the model
        lacks, and later calls for the same denotation."""
        with type_errors():
            name, size = text(dim_denotation, "SessionOptions: dim_denotation"), integer(dim_value, "SessionOptions: dim_value", 0)
        vars(self)["_denotations"].setdefault(name.lower(), size)

    def add_initializer(self, name: str, ortvalue: Any) -> None:
        """Replaces an initializer of later sessions, if their models have it."""
        vars(self)["_replacements"].add(name, ortvalue, is_external=False)

    def add_external_initializers(self, names: Sequence[str], values: Sequence[Any]) -> None:
        """Replaces external data of later sessions. The values must have the declared shapes and types."""
        if len(names) != len(values):
            raise ArgumentError(f"SessionOptions: there are {len(names)} names and {len(values)} values.")
        for name, value in zip(names, values, strict=True):
            vars(self)["_replacements"].add(name, value, is_external=True)

    def add_external_initializers_from_files_in_memory(self, names: Sequence[str], buffers: Sequence[Any], lengths: Sequence[int]) -> None:
        """Replaces files of external data of later sessions by buffers."""
        vars(self)["_replacements"].add_files(names, buffers, lengths)

    def register_custom_ops_library(self, library_path: str) -> None:
        raise failure(Fail, f"SessionOptions: operators of other libraries ({library_path}) cannot run here.")

    def add_provider(self, name: str, options: Mapping[str, str]) -> None:
        """Adds a provider for sessions without the argument `providers`."""
        given = dict(mapping(options, "SessionOptions: options of a provider"))
        vars(self)["_providers"].append((text(name, "SessionOptions: name of a provider"), given))

    def add_provider_for_devices(self, devices: "Sequence[OrtEpDevice]", options: Mapping[str, str]) -> None:
        for device in devices:
            self.add_provider(device.ep_name, options)

    def has_providers(self) -> bool:
        return bool(vars(self)["_providers"])

    def set_provider_selection_policy(self, policy: "OrtExecutionProviderDevicePolicy") -> None:
        """Has no effect: without `providers`, the CPU runs the model."""

    def set_provider_selection_policy_delegate(self, delegate: Callable[..., Any]) -> None:
        """Has no effect: without `providers`, the CPU runs the model."""

    def set_load_cancellation_flag(self, is_cancelled: bool) -> None:
        """If true, later sessions with these options raise ModelLoadCanceled."""
        vars(self)["_cancelled"] = bool(is_cancelled)

    def set_ep_context_data_read_func(self, read_func: Callable[..., Any], max_data_size: int) -> None:
        """Has no effect: models with compiled parts are refused."""

    def clear_ep_context_data_read_func(self) -> None:
        """Has no effect: models with compiled parts are refused."""


class RunOptions(_options.RunOptions):
    """ONNX Runtime's options of runs. Only `terminate` and active adapters have an effect."""

    def __setattr__(self, name: str, value: Any) -> None:
        is_flag = isinstance(self._defaults.get(name), bool) and isinstance(value, int | np.bool_)
        with type_errors():
            super().__setattr__(name, bool(value) if is_flag else value)

    def _add(self, key: str, value: str) -> None:
        _checked_key(key)
        with type_errors():
            super()._add(key, value)

    def __init__(self) -> None:
        super().__init__()
        vars(self)["_adapters"] = []

    def _get(self, key: str) -> str:
        return _entry(super()._get, key, "RunOptions")

    def add_active_adapter(self, adapter: LoraAdapter) -> None:
        """Makes run() use the values of an adapter, for the inputs and initializers that the adapter names."""
        if not isinstance(adapter, LoraAdapter):
            raise TypeError(f"RunOptions: adapter must be a LoraAdapter, not {type(adapter).__name__}.")
        vars(self)["_adapters"].append(adapter)
