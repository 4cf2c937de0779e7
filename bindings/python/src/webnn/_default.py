"""The default context, used by functions that are given no context."""

import os

from webnn import _webnn
from webnn._arguments import must_be
from webnn._webnn import MLContext

_default: list[MLContext] = []
_of_parents: list[object] = []


def default_context() -> MLContext:
    """Returns the default context. The first call creates it."""
    if not _default:
        _default.append(_webnn._create_context("default", True, "auto", "auto", 0, {}, None, "", ""))
    return _default[0]


def keep_of_parent(*values: object) -> None:
    """Keeps objects of the parent alive in a forked child: releasing them would need threads that the child lacks."""
    _of_parents.extend(values)


def _forget_parent() -> None:
    keep_of_parent(*_default)
    _default.clear()


os.register_at_fork(after_in_child=_forget_parent)


def context_or_default(context: MLContext | None) -> MLContext:
    """Returns the context, or the default context for None."""
    if context is None:
        return default_context()
    if not isinstance(context, MLContext):
        raise must_be("the context", "an MLContext", context)
    return context


def forget_default() -> None:
    """Releases the default context; the next use creates a new one."""
    _default.clear()
