"""Compares each method of the operation table with NumPy, for each data type that it accepts."""

import zlib

import numpy as np
import pytest
from references.numpy_elementwise import TABLE as ELEMENTWISE
from references.numpy_moves import TABLE as MOVES
from references.numpy_networks import TABLE as NETWORKS
from references.numpy_recurrent import TABLE as RECURRENT
from samples import Call, check, methods, type_choices

import webnn

TABLE = ELEMENTWISE | MOVES | NETWORKS | RECURRENT
CASES = [(name, types) for name, row in methods().items() for types in type_choices(row) if name in TABLE]


def test_every_method_has_an_entry() -> None:
    assert sorted(TABLE) == sorted(methods())


@pytest.mark.parametrize(
    ("name", "types"), CASES, ids=[f"{name}-{'-'.join(dict.fromkeys(types.values()))}" for name, types in CASES]
)
def test_method(context: webnn.MLContext, name: str, types: dict[str, str]) -> None:
    entry = TABLE[name]
    rng = np.random.default_rng(zlib.crc32(f"{name} {types}".encode()))
    for sample in entry.samples:
        call = Call(name, types, sample, rng)
        expected = call.expected(entry.reference)
        results = call.results(context)
        assert len(results) == len(expected)
        for (data_type, actual), wanted in zip(results, expected, strict=True):
            try:
                check(actual, data_type, wanted, entry)
            except AssertionError as error:
                raise AssertionError(f"{name} of {types}, {sample}: {error}") from None
