"""The context of functions that are given none."""

import os

from webnn import _webnn
from webnn._errors import ArgumentError
from webnn._webnn import MLContext

_default: dict[int, MLContext] = {}  # by process: one that is forked cannot use its parent's


def default_context() -> MLContext:
    """Made at the first call of a process; all later ones get the same."""
    if os.getpid() not in _default:
        _default[os.getpid()] = _webnn._create_context("default", True, "auto", "auto", 0, {}, None, "", "")
    return _default[os.getpid()]


def context_or_default(context: MLContext | None) -> MLContext:
    """The context, or the shared one."""
    if context is None:
        return default_context()
    if not isinstance(context, MLContext):
        raise ArgumentError(f"the context must be an MLContext, not {type(context).__name__}.")
    return context


def forget_default() -> None:
    """Releases the default context."""
    _default.clear()
