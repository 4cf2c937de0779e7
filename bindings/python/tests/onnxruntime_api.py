"""Prints the API of the package onnxruntime that `import onnxruntime` gives, as JSON. Runs with the real package and with ours."""

import importlib
import inspect
import json
import types
from typing import Any

MODULES = (
    "onnxruntime",
    "onnxruntime.capi",
    "onnxruntime.capi._ld_preload",
    "onnxruntime.capi._pybind_state",
    "onnxruntime.capi.build_and_package_info",
    "onnxruntime.capi.onnxruntime_inference_collection",
    "onnxruntime.capi.onnxruntime_pybind11_state",
    "onnxruntime.capi.onnxruntime_validation",
)


def public(names: Any) -> list[str]:
    return [name for name in names if not name.startswith("_")]


def parameters(value: Any) -> list[tuple[str, bool]] | None:
    """Returns (name, whether the parameter has a default) of each parameter of a function that is written in Python."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [(found.name, found.default is not found.empty) for found in found]


def is_of_python(value: Any) -> bool:
    """Returns whether the value is a module, or comes from Python's own library."""
    module = str(getattr(value, "__module__", "")) if inspect.isclass(value) or callable(value) else type(value).__module__
    return isinstance(value, types.ModuleType) or module.split(".")[0] in ("typing", "collections", "enum", "__future__")


def described(value: Any) -> dict[str, Any]:
    if inspect.isclass(value) and issubclass(value, BaseException):
        return {"kind": "exception", "bases": [base.__name__ for base in value.__mro__]}
    choices: Any = getattr(value, "__members__", None) if inspect.isclass(value) else None
    if choices:
        return {"kind": "enum", "members": {name: int(member) for name, member in choices.items()}}
    if inspect.isclass(value):
        methods = {name: parameters(getattr(value, name)) for name in public(dir(value)) if callable(getattr(value, name))}
        fields = {name for name in public(dir(value)) if not callable(getattr(value, name))}
        for owner in value.__mro__:
            fields |= set(public(inspect.get_annotations(owner)))
        init = parameters(value.__init__) if isinstance(value.__init__, types.FunctionType) else None
        return {"kind": "class", "methods": {**methods, "__init__": init}, "fields": sorted(fields)}
    if callable(value):
        return {"kind": "function", "parameters": parameters(value)}
    return {"kind": "value"}


def api() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in MODULES:
        module = importlib.import_module(name)
        values = {item: getattr(module, item) for item in public(dir(module))}
        found[name] = {item: described(value) for item, value in values.items() if not is_of_python(value)}
    state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    for made in (state.SessionOptions(), state.RunOptions()):
        fields = [name for name in public(dir(made)) if not callable(getattr(made, name))]
        found[type(made).__name__] = {name: str(getattr(made, name)) for name in fields}
    return found


if __name__ == "__main__":
    print(json.dumps(api()))
