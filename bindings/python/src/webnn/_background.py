"""Threads for runs in the background, and copies of their feeds."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

_pool: list[Any] = []
os.register_at_fork(after_in_child=_pool.clear)  # a forked child lacks its parent's threads


def threads() -> Any:
    """Returns the process's thread pool for run_async()."""
    if not _pool:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # only run_async() needs it

        _pool.append(ThreadPoolExecutor(max_workers=4, thread_name_prefix="webnn-run"))
    return _pool[0]


def snapshot(value: Any) -> Any:
    """Returns a copy of nested mappings, lists and arrays. Other objects, such as OrtValues, are shared."""
    if isinstance(value, Mapping):
        return {key: snapshot(item) for key, item in value.items()}
    if isinstance(value, list):
        return [snapshot(item) for item in value]
    return value.copy() if isinstance(value, np.ndarray) else value
