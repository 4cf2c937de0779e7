"""The operators that can be generated: (domain, operator) -> the function that adds a random node of it to a model."""

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Entry:
    domain: str
    name: str
    add: Callable
    since: int  # the operator sets that have it
    until: int


OPERATORS = {}


def operator(*names, domain='', since=7, until=99):
    """Registers add(model, name) for the operators."""

    def register(add):
        for name in names:
            OPERATORS[domain, name] = Entry(domain, name, add, since, until)
        return add

    return register
