"""The context of functions that are given none."""

import os

from webnn import _webnn
from webnn._arguments import must_be
from webnn._webnn import MLContext

_default: list[MLContext] = []
_of_parents: list[object] = []


def default_context() -> MLContext:
    """Made at the first call; all later ones get the same."""
    if not _default:
        _default.append(_webnn._create_context("default", True, "auto", "auto", 0, {}, None, "", ""))
    return _default[0]


def keep_of_parent(*values: object) -> None:
    """For ever: what a forked child would let go of has no threads there."""
    _of_parents.extend(values)


def _forget_parent() -> None:
    keep_of_parent(*_default)
    _default.clear()


os.register_at_fork(after_in_child=_forget_parent)


def context_or_default(context: MLContext | None) -> MLContext:
    """The context, or the shared one."""
    if context is None:
        return default_context()
    if not isinstance(context, MLContext):
        raise must_be("the context", "an MLContext", context)
    return context


def forget_default() -> None:
    """Releases the default context."""
    _default.clear()
