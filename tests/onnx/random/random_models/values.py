"""Random shapes, and random arrays of each type."""

import ml_dtypes
import numpy as np

FLOATS = ('float32', 'float16')
SIGNED = ('int8', 'int32', 'int64')
UNSIGNED = ('uint8', 'uint32', 'uint64')
INTEGERS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTEGERS
ALL = NUMBERS + ('bool',)
FOUR_BITS = ('int4', 'uint4')

SIZES = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 16, 17)
MOST_ELEMENTS = 3000

# The distributions of a model's floats. 'quarters' are small multiples of 1/4, whose sums and products are exact in any order.
# 'huge' numbers are only for operators that do not add: whether sums of them overflow depends on the order.
STYLES = ('quarters',) * 20 + ('normal',) * 12 + ('wide', 'wide', 'special', 'special', 'special', 'huge')
SPECIALS = (float('nan'), float('inf'), float('-inf'), -0.0, 0.0, 1e-40, -1e-42, 1.1754944e-38, 0.5, 1.5, 2.5, -2.5)
HUGE = (*SPECIALS, 3.4028234e38, -3.4028234e38, 1e38, -2e38)


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name)) if name in FOUR_BITS else np.dtype(name)


def integer_range(name):
    if name in FOUR_BITS:
        return (-8, 7) if name == 'int4' else (0, 15)
    info = np.iinfo(name)
    return int(info.min), int(info.max)


def random_shape(rng, low=0, high=4, most=MOST_ELEMENTS):
    """Returns a random shape of rank `low` to `high`, with at most `most` elements."""
    rank = int(rng.integers(low, high + 1))
    shape = []
    for _ in range(rank):
        size = int(rng.choice(SIZES))
        shape.append(size if np.prod(shape, dtype=int) * size <= most else 1)
    return tuple(shape)


def floats(rng, style, shape, low, high):
    if style == 'quarters':
        return rng.integers(-32, 33, shape) / 4.0
    if style == 'wide':
        return rng.choice([-1.0, 1.0], shape) * 2.0 ** rng.uniform(-30, 30, shape)
    array = np.asarray(rng.standard_normal(shape) * 2)
    if style in ('special', 'huge') and low is None and high is None:
        array = np.where(rng.random(shape) < 0.4, rng.choice(SPECIALS if style == 'special' else HUGE, shape), array)
    return array


def integers(rng, name, shape):
    low, high = integer_range(name)
    how = rng.random()
    if how < 0.7:
        return rng.integers(max(low, -6), min(high, 9), shape, endpoint=True)
    if how < 0.85:
        return rng.integers(low, high, shape, dtype=np.uint64 if name == 'uint64' else np.int64, endpoint=True)
    return rng.choice(np.array([low, low + 1, high, high - 1, 0, 1], dtype=object), shape)


def random_array(rng, name, shape, style='quarters', low=None, high=None):
    """Returns a random array of type `name`. low, high: bounds of floats and integers."""
    if name == 'bool':
        return np.asarray(rng.random(shape) < 0.5)
    with np.errstate(all='ignore'):
        if name in ('float32', 'float16', 'float64'):
            array = floats(rng, style, shape, low, high)
            if low is not None or high is not None:
                low, high = low if low is not None else high - 8, high if high is not None else low + 8
                array = rng.uniform(low, high, shape)
                if style == 'quarters':
                    array = np.clip(np.round(array * 16) / 16, low, high)
            return np.asarray(array).astype(name)
        if low is not None or high is not None:
            least, greatest = integer_range(name)
            array = rng.integers(least if low is None else low, greatest if high is None else high, shape, endpoint=True)
        else:
            array = integers(rng, name, shape)
        return np.asarray(array).astype(dtype_of(name))
