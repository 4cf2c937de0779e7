"""Defines a task: the user's first attempt, the expected errors, the next attempts, and the expected result."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass
class Outcome:
    """The result of the last attempt: its folder, output and exit status."""

    folder: Path
    output: str
    status: int

    def numbers(self) -> np.ndarray:
        """Returns the numbers of the JSON in the last line of the output."""
        return np.array(json.loads(self.output.strip().splitlines()[-1]), float)

    def json(self) -> Any:
        return json.loads(self.output)

    def array(self, name: str) -> np.ndarray:
        return np.load(self.folder / name)


@dataclass
class Task:
    wanted: str
    attempts: list[str]  # the first command is the user's; each later command is suggested by the error before it
    says: list[str]  # for each attempt but the last: a regular expression for its error, which suggests the next command
    check: Callable[[Outcome], None]
    status: int = 0  # the expected exit status of the last attempt


def close(actual: Any, expected: Any) -> None:
    """Asserts equality within the tolerance of float32 sums."""
    np.testing.assert_allclose(np.asarray(actual, float), np.asarray(expected, float), rtol=1e-5, atol=2e-6)


def shows(*patterns: str) -> Callable[[Outcome], None]:
    def check(outcome: Outcome) -> None:
        for pattern in patterns:
            assert re.search(pattern, outcome.output), f"not /{pattern}/"

    return check
