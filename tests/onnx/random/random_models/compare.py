"""Compares arrays of libwebnn with expected ones, within tolerances in units in the last place."""

import ml_dtypes
import numpy as np

UNITS = {'float32': 2.0**-23, 'float16': 2.0**-10, 'float64': 2.0**-52}
LEAST = {'float32': 2.0**-149, 'float16': 2.0**-24, 'float64': 0.0}
# The allowed difference of an element: for element-wise functions, ELEMENT_UNITS units in the last place of this element; for
# sums, SUM_UNITS units in the last place of the result's largest element.
ELEMENT_UNITS, SUM_UNITS = 4, 8
EVALUATED = 4  # factor on the tolerance for results of the evaluator, which rounds to float32 after each step


def plain(array):
    """Converts an array to the type that libwebnn's Python interface uses: bool to uint8, 4-bit to 8-bit integers."""
    array = np.asarray(array)
    if array.dtype == bool:
        return array.astype(np.uint8)
    return (
        array.astype(np.int8 if array.dtype == ml_dtypes.int4 else np.uint8)
        if array.dtype in (ml_dtypes.int4, ml_dtypes.uint4)
        else array
    )


def tolerance(expected, loose):
    """Returns the tolerance of each element."""
    unit, least = UNITS[expected.dtype.name], LEAST[expected.dtype.name]
    size = np.abs(expected.astype(np.float64))
    size = np.where(np.isfinite(size), size, 0)
    if loose and size.size:
        size = np.maximum(size, size.max())
    return (SUM_UNITS if loose else ELEMENT_UNITS) * (unit * size + least)


def difference(actual, expected, loose=False, noise=None, factor=1):
    """Describes the difference of two arrays; None if they agree. noise: additional tolerance of each element."""
    actual, expected = plain(actual), plain(expected)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f'is {actual.dtype}{list(actual.shape)} instead of {expected.dtype}{list(expected.shape)}'
    with np.errstate(all='ignore'):
        if expected.dtype.kind == 'f':
            a, b = actual.astype(np.float64), expected.astype(np.float64)
            allowed = factor * tolerance(expected, loose) + (0 if noise is None else noise)
            same = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= allowed))
            if noise is not None:
                same |= np.isnan(noise) | np.isinf(noise)
        elif noise is None:
            same = actual == expected
        else:
            same = (actual == expected) | (np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= noise)
    if np.all(same):
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0]) if expected.ndim else ()
    return f'differs in {int((~same).sum())} of {expected.size}, first at {list(at)}: {actual[at]!r} instead of {expected[at]!r}'


def first_difference(actual, expected, loose=False, noises=None, factor=1):
    """Describes the first difference of two lists of arrays; None if they agree."""
    for i, (a, b) in enumerate(zip(actual, expected)):
        found = difference(a, b, loose, None if noises is None else noises[i], factor)
        if found:
            return f'output {i} {found}'
    return None


def distances(actual, expected, loose):
    """Returns the largest differences that exceed the tolerance, as a tuple (units, scaled, apart); see check.Finding."""
    most = np.zeros(3)
    for a, b in zip(actual, expected):
        unit = UNITS.get(np.asarray(b).dtype.name, 1.0)
        a, b = plain(a), plain(b)
        if a.shape != b.shape:
            return float('inf'), float('inf'), float('inf')
        if a.size == 0:
            continue
        allowed = tolerance(b, loose) if b.dtype.kind == 'f' else 0
        with np.errstate(all='ignore'):
            a, b = a.astype(np.float64), b.astype(np.float64)
            apart = np.where((a == b) | (np.abs(a - b) <= allowed) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a - b))
            apart = np.where(np.isnan(apart), np.inf, apart)
            size = np.where(np.isfinite(b), np.abs(b), 0)
            units = np.where(apart == 0, 0, apart / (unit * np.maximum(size, 1e-300))).max()
            scaled = apart.max() / (unit * max(1.0, size.max()) if unit < 1 else 1.0)
            most = np.maximum(most, [units, scaled, apart.max()])
    return tuple(float(item) for item in most)
