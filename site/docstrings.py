"""Adds docstrings of the compiled module to the Python package for mkdocstrings, and converts all to Markdown."""

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).resolve().parents[1]
DOCTEST = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).+\n?)*(?:\n(?=>>> ))?)+", re.MULTILINE)
ARGUMENT = re.compile(r"^(?: {4})?([a-z_]+(?:, [a-z_]+)*): (.+)$", re.MULTILINE)


def markdown(text: str) -> str:
    """Converts a docstring to Markdown: its examples become code blocks, and its descriptions of arguments a list."""
    parts, end = [], 0

    def prose(part: str) -> str:
        return ARGUMENT.sub(lambda found: f"\n- `{found[1]}`: {found[2]}", part)

    for example in DOCTEST.finditer(text):
        parts += [prose(text[end : example.start()]), f"\n```pycon\n{example.group().rstrip()}\n```\n"]
        end = example.end()
    return "".join(parts) + prose(text[end:])


class RuntimeHelp(griffe.Extension):
    """Takes the docstrings of compiled classes and functions from the built package, since stub files have no docstrings."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        sys.path[:0] = [str(path) for path in (ROOT / "build/python-package/lib").glob("python3*/site-packages")]
        self._visit(pkg, importlib.import_module("webnn"))

    def _visit(self, shown: Any, value: Any) -> None:
        for name, member in list(shown.members.items()):
            if member.is_alias or (name.startswith("_") and not member.is_module) or name in ("__main__", "onnxruntime", "ray"):
                continue
            actual = importlib.import_module(f"webnn.{name}") if member.is_module and member.filepath.suffix == ".py" else None
            if name == "_webnn":
                actual = importlib.import_module("webnn._webnn")
            actual = actual or getattr(value, name, None)
            if member.docstring is None and callable(actual):
                text = inspect.getdoc(actual)
                if text and not re.match(r"\w*\(self", text):
                    member.docstring = griffe.Docstring(text, parent=member)
            if member.docstring is not None:
                member.docstring.value = markdown(inspect.cleandoc(member.docstring.value))
            if member.is_class or member.is_module:
                self._visit(member, actual)
