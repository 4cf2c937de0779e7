"""The operators that can be generated, and for each (domain, operator) the function that adds a random node to a model."""

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Entry:
    domain: str
    name: str
    add: Callable
    since: int  # the first operator set for which the entry holds; `until` is the last
    until: int


OPERATORS = {}


def operator(*names, domain='', since=7, until=99):
    """Registers add(model, name) for the operators."""

    def register(add):
        for name in names:
            OPERATORS[domain, name] = Entry(domain, name, add, since, until)
        return add

    return register
