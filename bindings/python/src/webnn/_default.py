"""The context of functions that are given none."""

from webnn import _webnn
from webnn._webnn import MLContext

_default: list[MLContext] = []


def default_context() -> MLContext:
    """Made at the first call; all later ones get the same."""
    if not _default:
        _default.append(_webnn._create_context("default", True, "auto", "auto", 0, {}))
    return _default[0]


def forget_default() -> None:
    """Lets the default context go."""
    _default.clear()
