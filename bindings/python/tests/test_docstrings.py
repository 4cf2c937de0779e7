"""Tests that every public name has help with an example, and that each example runs."""

import doctest
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn

ROOT = Path(__file__).resolve().parents[3]


def documented() -> dict[str, Any]:
    """Returns the public functions, the public classes and their methods."""
    found: dict[str, Any] = {}
    for name in webnn.__all__:
        value = getattr(webnn, name)
        found[name] = value
        if not inspect.isclass(value):
            continue
        for owner in value.__mro__:
            if not owner.__module__.startswith("webnn"):
                continue
            for member, method in vars(owner).items():
                if not member.startswith("_") and callable(getattr(value, member)) and not isinstance(method, property):
                    found.setdefault(f"{name}.{member}", getattr(value, member))
    return found


DOCUMENTED = documented()
PLAIN = (tuple,)  # NamedTuple's own members are documented by Python


@pytest.fixture
def builds_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Provides the files that the examples read, and the directory build/ for files that they write. No service is used."""
    monkeypatch.delenv("WEBNN_SERVICE", raising=False)
    (tmp_path / "build").mkdir()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("builds_files")
@pytest.mark.parametrize("name", DOCUMENTED)
def test_help_has_an_example_that_runs(name: str) -> None:
    text = inspect.getdoc(DOCUMENTED[name]) or ""
    given = {"webnn": webnn, "np": np, "builder": webnn.MLGraphBuilder(webnn.ML().create_context())}
    test = doctest.DocTestParser().get_doctest(text, given, name, None, 0)
    is_error = inspect.isclass(DOCUMENTED[name]) and issubclass(DOCUMENTED[name], Exception)
    assert text
    assert test.examples or is_error, f"{name} has no example"
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=report.append)
    assert result.failed == 0, "".join(report)
