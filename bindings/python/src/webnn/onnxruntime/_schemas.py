"""The schemas of ONNX Runtime's operators, which _schemas.txt lists."""

import functools
import os
from typing import NamedTuple

_DOMAINS = {"ml": "ai.onnx.ml", "ms": "com.microsoft"}
_UNBOUNDED = 2**31 - 1


class Parameter(NamedTuple):
    """A formal input or output: its option ("", "?", "*" or "&"), its type variable and the permitted types."""

    option: str
    variable: str
    types: frozenset[str]


class Parameters(NamedTuple):
    """The formal inputs or outputs, and the minimum and maximum number of names in a node."""

    least: int
    most: int
    given: list[Parameter]


class Schema(NamedTuple):
    """A version of an operator. attributes: (letter of the type, whether it is required)."""

    since: int
    is_deprecated: bool
    inputs: Parameters
    outputs: Parameters
    attributes: dict[str, tuple[str, bool]]


class _Table:
    def __init__(self) -> None:
        with open(os.path.join(os.path.dirname(__file__), "_schemas.txt"), encoding="utf-8") as file:
            lines = [line for line in file.read().split("\n") if line[:1] != "#"]
        self._types, self._sets = lines[0].split(" "), lines[1].split(" ")
        self._lines: dict[tuple[str, str], str] = {}
        for line in filter(None, lines[2:]):
            head, _, rest = line.partition("\t")
            name, _, domain = head.partition(" ")
            self._lines[_DOMAINS.get(domain, domain), name] = rest
        self._parsed: dict[tuple[str, str], list[Schema]] = {}

    def versions(self, domain: str, operator: str) -> list[Schema]:
        """Returns the versions of an operator, the oldest first; [] if ONNX Runtime lacks the operator."""
        key = domain, operator
        if key not in self._parsed:
            self._parsed[key] = self._versions(self._lines[key]) if key in self._lines else []
        return self._parsed[key]

    def _versions(self, line: str) -> list[Schema]:
        versions, before = [], ["", "", ""]
        for text in line.split("\t"):
            since, *parts = text.split(";")
            before = [old if part == "." else part for part, old in zip(parts, before, strict=True)]
            inputs, outputs, attributes = before
            seen: dict[str, frozenset[str]] = {}
            known = {name: (kind[0], kind.endswith("!")) for name, _, kind in (item.partition("=") for item in attributes.split())}
            given = self._parameters(inputs, seen), self._parameters(outputs, {**seen})
            versions.append(Schema(int(since.rstrip("-")), since.endswith("-"), *given, known))
        return versions

    def _parameters(self, text: str, seen: dict[str, frozenset[str]]) -> Parameters:
        counts, *parts = text.split(" ")
        least, _, most = counts.partition(",")
        given = []
        for part in parts:
            option = part[0] if part[0] in "?*&" else ""
            variable, colon, number = part[len(option) :].partition(":")
            types = self._set(int(number)) if colon else seen[variable]
            seen[variable] = types
            given.append(Parameter(option, variable, types))
        return Parameters(int(least), int(most) if most else _UNBOUNDED, given)

    @functools.cache  # noqa: B019  # there is one table
    def _set(self, number: int) -> frozenset[str]:
        mask = int(self._sets[number], 16)
        return frozenset(kind for at, kind in enumerate(self._types) if mask >> at & 1)


@functools.cache
def _table() -> _Table:
    return _Table()


@functools.cache
def schema_of(domain: str, operator: str, version: int) -> Schema | None:
    """Returns the schema of an operator for an imported version of its domain; None if that version has no such operator."""
    known = [schema for schema in _table().versions(domain, operator) if schema.since <= version]
    return known[-1] if known else None
