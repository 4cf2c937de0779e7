"""Weights of 4 and 8 bits, and products with them: DequantizeLinear with MatMul or Gemm, and MatMulNBits."""

import numpy as np

from onnx import TensorProto, helper
from random_numpy.model import Value, finite_size

BLOCKS = [16, 32, 32, 64, 128, 256]
TYPES = {
    "int4": (-8, 8, TensorProto.INT4),
    "uint4": (0, 16, TensorProto.UINT4),
    "int8": (-128, 128, TensorProto.INT8),
    "uint8": (0, 256, TensorProto.UINT8),
}
SCALES = [0.05] * 6 + [1e-30, 1e18, 1e-8, 1e-36]


def packed(array):
    """Packs pairs of 4-bit integers along the last axis into bytes."""
    pairs = np.pad(array & 15, [(0, 0)] * (array.ndim - 1) + [(0, array.shape[-1] % 2)])
    return (pairs[..., ::2] | pairs[..., 1::2] << 4).astype(np.uint8)


def integers_constant(model, array, kind):
    content = packed(array.reshape(-1)) if kind.endswith("4") else array.astype(kind)
    return model.constant(helper.make_tensor("", TYPES[kind][2], array.shape, content.tobytes(), raw=True))


def random_integers(model, shape, low, high):
    """Returns integers of the whole range; some arrays hold only the least and the greatest ones."""
    form = model.random.random()
    if form < 0.08:
        return np.full(shape, model.pick([low, high - 1]))
    if form < 0.15:
        return np.where(model.random.random(shape) < 0.5, low, high - 1)
    return model.random.integers(low, high, shape)


def scales(model, shape, magnitude):
    signs = np.where(model.random.random(shape) < 0.15, -1, 1)
    array = np.asarray(model.random.uniform(0.2, 1, shape) * magnitude * signs).astype(np.float32)
    if array.size and model.chance(0.06):
        array.flat[model.random.integers(array.size)] = 0
    if array.size and model.specials and model.chance(0.3):
        array.flat[model.random.integers(array.size)] = model.pick([np.inf, -np.inf, np.nan])
    return array


def quantized(model, shape, magnitude=None, constant=0.9):
    """Adds DequantizeLinear of a constant. Its scales are a constant with the probability `constant`."""
    kind = model.pick(list(TYPES))
    low, high, _ = TYPES[kind]
    axis, form, attributes = model.pick(range(len(shape))), model.pick(["tensor", "axis", "blocks", "blocks"]), {}
    magnitude = magnitude or model.pick(SCALES)
    if form == "tensor":
        scale, spread = scales(model, (), magnitude), np.asarray
    elif form == "axis":
        scale, attributes = scales(model, shape[axis], magnitude), {"axis": axis}
        spread = lambda array: array.reshape([-1 if i == axis else 1 for i in range(len(shape))])  # noqa: E731
    else:
        block = model.pick(BLOCKS) if model.chance(0.85) else model.count(1, 40)
        counts = [-(-size // block) if i == axis else size for i, size in enumerate(shape)]
        scale, attributes = scales(model, counts, magnitude), {"axis": axis - model.pick([0, len(shape)]), "block_size": block}
        spread = lambda array: np.take(np.repeat(array, block, axis), range(shape[axis]), axis)  # noqa: E731
    integers = random_integers(model, shape, low, high)
    zero_points = model.random.integers(low, high, scale.shape) if model.chance(0.6) else np.zeros(scale.shape, int)
    operands = [integers_constant(model, integers, kind), model.value(scale, constant)]
    if zero_points.any():
        operands.append(integers_constant(model, np.asarray(zero_points), kind))
    array = (integers - spread(zero_points)) * spread(scale.astype(np.float64))
    return Value(model.node("DequantizeLinear", *operands, **attributes), array, finite_size(array))


def multiply_bits(model, x, columns, magnitude=None):
    """Adds MatMulNBits."""
    depth, bits, block = x.array.shape[-1], model.pick([4, 4, 8]), model.pick(BLOCKS)
    count, high = -(-depth // block), 2**bits
    integers = random_integers(model, (columns, count, block), 0, high)
    scale = scales(model, (columns, count), magnitude or model.pick(SCALES))
    has_points = model.chance(0.5)
    points = model.random.integers(0, high, (columns, count)) if has_points else np.full((columns, count), high // 2)
    pack = packed if bits == 4 else np.uint8
    flat = model.chance(0.5)
    operands = [pack(integers), scale.reshape(-1) if flat else scale, *([pack(points)] if has_points else [])]
    operands[2:] = [one.reshape(-1) if flat else one for one in operands[2:]]
    array = ((integers - points[..., None]) * scale[..., None].astype(np.float64)).reshape(columns, -1)[:, :depth].T
    attributes = {"K": depth, "N": columns, "bits": bits, "block_size": block}
    name = model.node("MatMulNBits", x, *map(model.constant, operands), domain="com.microsoft", **attributes)
    return model.matmul(x, Value("", array, finite_size(array)), name)


def multiply_gemm(model, x, weights, is_transposed):
    """Adds Gemm, at times with factors and a bias."""
    alpha, beta = model.pick([1.0, 1.0, 1.0, 0.5, -2.0, 0.0]), model.pick([1.0, 1.0, 0.5, 0.0])
    right = [one.T if is_transposed else one for one in weights[1:]]
    array, size = x.array @ right[0] * alpha, x.size @ right[1] * abs(alpha)
    rows, columns = array.shape
    operands = []
    if model.chance(0.6):
        shape = model.pick([(columns,), (1, columns), (rows, 1), (rows, columns), (1,), ()])
        operands = [model.value(model.random.standard_normal(shape).astype(np.float32), constant=0.7)]
        array, size = array + beta * operands[0].array, size + operands[0].size
    name = model.node("Gemm", x, weights, *operands, transB=int(is_transposed), alpha=alpha, beta=beta)
    return Value(name, array, size)


def product(model, x, columns, magnitude=None):
    """Adds a product of `x` with weights: MatMulNBits, Gemm or MatMul."""
    depth, rank = x.array.shape[-1], x.array.ndim
    if rank > 1 and model.chance(0.35):
        return multiply_bits(model, x, columns, magnitude)
    is_transposed = model.chance(0.3)
    weights = quantized(model, (columns, depth) if is_transposed else (depth, columns), magnitude)
    if rank == 2 and model.chance(0.4):
        return multiply_gemm(model, x, weights, is_transposed)
    return model.matmul(x, model.transpose(weights, [1, 0]) if is_transposed else weights)
