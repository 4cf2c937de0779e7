"""Lists the available backends, by their own names and by ONNX Runtime's names of execution providers."""

import functools
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from webnn import _webnn
from webnn._arguments import items, mapping, must_be, text
from webnn._backends import BACKENDS, PROVIDERS
from webnn._context import ML
from webnn._errors import ArgumentError, NotSupportedError
from webnn._webnn import MLContext

_SUFFIX = "ExecutionProvider"
_PRECISIONS = {"FP32": "float32", "FP16": "float16", "BF16": "bfloat16"}
_NO_EFFECT = {"use_arena", "arena_extend_strategy"}

Provider = str | tuple[str, Mapping[str, Any]]


class Backend(NamedTuple):
    """A backend's name for create_context(backend=...), and the reason if it is not available.

    >>> webnn.backends()[0]
    Backend(name='cpu', available=True, reason='')
    """

    name: str
    available: bool
    reason: str


def backends() -> list[Backend]:
    """Returns all backends with their availability. Loads the libraries that the backends need.

    >>> [backend.name for backend in webnn.backends()]
    ['cpu', 'reference', 'onnxruntime', 'openvino', 'webgpu', 'coreml']
    """
    return list(_probed())


@functools.cache
def _probed() -> tuple[Backend, ...]:
    found = []
    for name, unavailable in _webnn._backends():
        reason = unavailable
        if not reason:
            try:
                ML().create_context(backend=name, threads=1, service=None)
            except NotSupportedError as error:
                reason = str(error)
        found.append(Backend(name, not reason, reason))
    return tuple(found)


def get_available_providers() -> list[str]:
    """Returns ONNX Runtime's names of the available backends that have one, CPUExecutionProvider last.

    >>> webnn.get_available_providers()[-1]
    'CPUExecutionProvider'
    """
    available = [PROVIDERS[backend.name] for backend in _probed() if backend.available and backend.name in PROVIDERS]
    return sorted(available, key=lambda name: name.startswith("CPU"))


def get_all_providers() -> list[str]:
    """Returns ONNX Runtime's names of the backends that have one. A session passes other providers to ONNX Runtime's own library.

    >>> "CPUExecutionProvider" in webnn.get_all_providers()
    True
    """
    return list(PROVIDERS.values())


def get_device() -> str:
    """Returns "GPU" if contexts run on a GPU or an NPU by default, else "CPU".

    >>> webnn.get_device()
    'CPU'
    """
    return "GPU" if ML().create_context().accelerated else "CPU"


def normalized(providers: Sequence[Provider] | None, options: Sequence[Mapping[str, Any]] | None) -> list[tuple[str, dict[str, Any]]]:
    """Returns (name, options) of each provider. An item of `providers` is a name, or already such a pair. With names,
    `options` is a list parallel to `providers`."""
    if providers is None:
        if options:
            raise ArgumentError("InferenceSession: provider_options are given, but no providers.")
        return []
    if isinstance(providers, str):
        raise must_be("InferenceSession: providers", 'a list of names, such as ["CPUExecutionProvider"]', providers)
    result: list[tuple[str, dict[str, Any]]] = []
    for provider in items(providers, "InferenceSession: providers"):
        name, given = provider if isinstance(provider, tuple) else (provider, {})
        what = "InferenceSession: providers: a name"
        result.append((text(name, what), dict(mapping(given, f"InferenceSession: options of {name}"))))
    if options is not None:
        given_options = items(options, "InferenceSession: provider_options")
        if len(given_options) != len(result):
            raise ArgumentError("InferenceSession: provider_options and providers are not equally many.")
        for (name, known), more in zip(result, given_options, strict=True):
            known.update(mapping(more, f"InferenceSession: options of {name}"))
    return result


def _backend_of(name: str) -> tuple[str, dict[str, str]]:
    """Returns the backend for a provider's name, and backend options that select the provider."""
    for backend in BACKENDS:
        if name in (backend, PROVIDERS.get(backend)):
            return backend, {}
    short = name.removesuffix(_SUFFIX)
    if short == name or not short:
        known = ", ".join([*PROVIDERS.values(), *BACKENDS])
        raise ArgumentError(f'InferenceSession: there is no provider "{name}"; there are {known}.')
    return "onnxruntime", {"providers": short}  # use ONNX Runtime's own library


def _options_of(backend: str, given: Mapping[str, Any]) -> dict[str, str]:
    result = {}
    for option, value in given.items():
        ours = BACKENDS[backend].options.get(option, option)
        if option not in _NO_EFFECT:
            result[ours] = _PRECISIONS.get(str(value), str(value)) if ours == "precision" else str(value)
    return result


def context_of(providers: Sequence[tuple[str, Mapping[str, Any]]], threads: int, optimization: str) -> tuple[str, MLContext]:
    """Creates a context on the first available provider. Returns the provider's name and the context. Warns of each
    unavailable provider before it."""
    reasons = []
    for name, given in providers:
        backend, options = _backend_of(name)
        options |= _options_of(backend, given)
        options = {**BACKENDS[backend].optimizations.get(optimization, {}), **options}
        try:
            context = ML().create_context(backend=backend, backend_options=options, threads=threads)
        except NotSupportedError as error:
            reasons.append(f"{name}: {error}")
            continue
        for reason in reasons:
            warnings.warn(f"{reason} Going on with {name}.", stacklevel=4)  # names the line that calls InferenceSession()
        return name, context
    raise NotSupportedError(
        "InferenceSession: none of the providers is here; webnn.get_available_providers() says which are. " + " ".join(reasons)
    )
