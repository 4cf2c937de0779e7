"""Random 8-bit integers, and dynamic quantization as ONNX defines it."""

import numpy as np


def integers(random, shape, dtype):
    """Returns integers of the whole range. Some arrays hold only the smallest or largest integers, whose sums are the largest."""
    limits = np.iinfo(dtype)
    form = random.random()
    if form < 0.15:
        return np.full(shape, random.choice([limits.min, limits.max]), dtype)
    if form < 0.3:
        return random.choice(np.array([limits.min, limits.max], dtype), shape).astype(dtype)
    return random.integers(limits.min, limits.max + 1, shape).astype(dtype)


def quantized(x):
    """Computes DynamicQuantizeLinear of float32 numbers. Returns the integers (as int64), the scale and the zero point."""
    least, most = np.float32(min(0, x.min(initial=0))), np.float32(max(0, x.max(initial=0)))
    scale = np.float32(1) if least == most else np.float32((most - least) / np.float32(255))
    if scale == 0:  # the numbers are subnormal
        return np.zeros(x.shape, np.int64), scale, 0
    zero_point = int(np.rint(np.clip(-least / scale, np.float32(0), np.float32(255))))
    return np.clip(np.rint(x / scale) + zero_point, 0, 255).astype(np.int64), scale, zero_point
