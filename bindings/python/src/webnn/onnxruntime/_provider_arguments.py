"""The arguments `providers` and `provider_options` of ONNX Runtime's sessions."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from webnn._backends import PROVIDERS
from webnn._providers import Provider, get_available_providers
from webnn.onnxruntime import _environment

CPU = "CPUExecutionProvider"
Providers = list[tuple[str, dict[str, Any]]]
_PAIR = 2


def checked(providers: Sequence[Provider] | None, provider_options: Sequence[Mapping[str, Any]] | None) -> Providers:
    """Returns (name, options) of each provider. Raises ONNX Runtime's exceptions for wrong arguments."""
    if not providers:
        return []
    if provider_options is not None:
        if not isinstance(provider_options, Sequence):
            raise ValueError("'provider_options' should be a sequence.")
        if len(providers) != len(provider_options):
            raise ValueError("'providers' and 'provider_options' should be the same length if both are given.")
        if not all(isinstance(provider, str) for provider in providers):
            raise ValueError("Only string values for 'providers' are supported if 'provider_options' is given.")
        if not all(isinstance(options, dict) for options in provider_options):
            raise ValueError("'provider_options' values must be dicts.")
        return [(str(name), dict(options)) for name, options in zip(providers, provider_options, strict=True)]
    pairs = [provider if isinstance(provider, tuple) else (provider, {}) for provider in providers]
    if any(len(pair) != _PAIR or not isinstance(pair[0], str) or not isinstance(pair[1], dict) for pair in pairs):
        raise ValueError("'providers' values must be either strings or (string, dict) tuples.")
    return [(str(name), dict(options)) for name, options in pairs]


def accepted(providers: Any, provider_options: Any) -> Providers:
    """Returns the same as checked(). For wrong arguments, warns and returns the CPU, as new sessions of ONNX Runtime do."""
    try:
        return checked([providers] if isinstance(providers, str) else providers, provider_options)
    except ValueError as error:
        warnings.warn(str(error), stacklevel=3)
        return [(CPU, {})]


def require_known(pairs: Providers) -> None:
    """Raises ONNX Runtime's exception for a provider that it does not know."""
    unknown = [name for name, _ in pairs if name not in _environment.get_all_providers() and name not in PROVIDERS.values()]
    if unknown:
        raise RuntimeError(f"Unknown Provider Type: {unknown[0]}")


def available(pairs: Providers) -> Providers:
    """Returns the available providers in their order; adds the CPU last if it is missing, unless the list is empty.

    Warns of all others, as ONNX Runtime does.
    """
    chosen: dict[str, dict[str, Any]] = {}
    for name, options in pairs:
        if name in chosen:
            warnings.warn(f"Duplicate provider '{name}' encountered, ignoring.", stacklevel=3)
        elif name != CPU and (name not in PROVIDERS.values() or name not in get_available_providers()):
            text = f"Specified provider '{name}' is not in available provider names."
            warnings.warn(f"{text}Available providers: '{', '.join(get_available_providers())}'", stacklevel=3)
        else:
            chosen[name] = {} if name == CPU else options  # ONNX Runtime ignores options of the CPU
    if pairs:
        chosen.setdefault(CPU, {})
    return list(chosen.items())
