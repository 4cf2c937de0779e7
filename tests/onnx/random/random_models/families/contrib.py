"""Operators of com.microsoft, except attention."""

import numpy as np

from ..values import random_array
from .quantized import EIGHT_BITS, scale_of, zero_of
from .registry import operator
from .window import window

DOMAIN = 'com.microsoft'


def contrib(*names):
    return operator(*names, domain=DOMAIN)


def add(m, name, inputs, types=('float32',), **attributes):
    m.loose = True
    m.node(name, inputs, list(types), domain=DOMAIN, **attributes)


def floats(m, shape, **options):
    return m.value('float32', shape=tuple(shape), finite=True, **options)


# Activations


@contrib('Gelu', 'QuickGelu', 'FastGelu')
def gelu(m, name):
    x = m.value('float32', rank=(1, 4))
    bias = [floats(m, x.shape[-1:])] if name == 'FastGelu' and m.chance(0.5) else []
    add(m, name, [x, *bias], alpha=m.choice([None, 1.5]) if name == 'QuickGelu' else None)


@contrib('BiasGelu')
def bias_gelu(m, name):
    x = m.value('float32', rank=(1, 4))
    add(m, name, [x, floats(m, x.shape[-1:])])


@contrib('BiasAdd')
def bias_add(m, name):
    x = m.value('float32', rank=(3, 3))
    add(m, name, [x, floats(m, x.shape[-1:]), floats(m, x.shape)])


@contrib('BiasSplitGelu')
def bias_split_gelu(m, name):
    width = 2 * m.integer(1, 6)
    add(m, name, [floats(m, (m.integer(1, 2), m.integer(1, 3), width)), floats(m, (width,))])


# Products


@contrib('FusedMatMul', 'TransposeMatMul')
def fused_matmul(m, name):
    a = m.value('float32', rank=(2, 3))
    trans_a, trans_b = m.choice([None, 0, 1]), m.choice([None, 0, 1])
    inner, n = a.shape[-2 if trans_a else -1], m.integer(1, 6)
    b = floats(m, (*a.shape[:-2], *((n, inner) if trans_b else (inner, n))))
    add(m, name, [a, b], transA=trans_a, transB=trans_b, alpha=m.choice([None, 0.5]))


@contrib('FusedMatMulActivation')
def fused_matmul_activation(m, name):
    a = m.value('float32', rank=(2, 3))
    add(m, name, [a, floats(m, (a.shape[-1], m.integer(1, 6)))], activation=m.choice(['Relu', 'Tanh', 'Sigmoid']))


@contrib('FusedGemm')
def fused_gemm(m, name):
    a = m.value('float32', rank=(2, 2))
    n = m.integer(1, 6)
    c = floats(m, m.broadcastable((a.shape[0], n))) if m.chance(0.6) else None
    activation = m.choice(['Relu', 'Tanh', 'Sigmoid', 'LeakyRelu'])
    add(
        m,
        name,
        [a, floats(m, (a.shape[1], n)), c],
        activation=activation,
        activation_alpha=0.25 if activation == 'LeakyRelu' else None,
        alpha=m.choice([None, 0.5]),
        beta=m.choice([None, 2.0]),
    )


def packed(array, bits):
    """Packs integers below 2**bits into bytes along the last dimension; the first integer is in the lowest bits."""
    per_byte = 8 // bits
    array = np.pad(array.astype(np.uint32), [(0, 0)] * (array.ndim - 1) + [(0, -array.shape[-1] % per_byte)])
    groups = array.reshape(*array.shape[:-1], -1, per_byte)
    return (groups << (np.arange(per_byte, dtype=np.uint32) * bits)).sum(-1).astype(np.uint8)


@contrib('MatMulNBits')
def matmul_nbits(m, name):
    bits, block = m.choice([2, 4, 4, 4, 8]), m.choice([16, 32])
    k, n = block * m.integer(1, 3) - (m.choice([0, 0, 8])), m.integer(1, 6)
    blocks = -(-k // block)
    weights = m.constant(packed(m.rng.integers(0, 1 << bits, (n, blocks, block)), bits))
    scales = m.constant((2.0 ** m.rng.integers(-4, 1, (n, blocks))).astype(np.float32))
    zeros = None
    if m.chance(0.5):
        zeros = m.constant(packed(m.rng.integers(0, 1 << bits, (n, blocks)), bits))
    elif m.chance(0.2):
        zeros = m.constant(m.rng.integers(0, 1 << bits, (n, blocks)).astype(np.float32))
    bias = m.constant(random_array(m.rng, 'float32', (n,))) if m.chance(0.3) else None
    x = floats(m, (*m.shape(1, 2, most=8), k))
    add(
        m,
        name,
        [x, weights, scales, zeros, None, bias],
        K=k,
        N=n,
        bits=bits,
        block_size=block,
        accuracy_level=m.choice([None, 1]),
    )


@contrib('MatMulBnb4')
def matmul_bnb4(m, name):
    k, n, block = m.integer(1, 40), m.integer(1, 6), m.choice([16, 32, 64])
    weights = m.constant(random_array(m.rng, 'uint8', ((n * k + 1) // 2,)))
    scales = m.constant((2.0 ** m.rng.integers(-4, 1, (-(-n * k // block),))).astype(np.float32))
    x = floats(m, (*m.shape(1, 2, most=8), k))
    add(m, name, [x, weights, scales], K=k, N=n, block_size=block, quant_type=m.integer(0, 1))


@contrib('CDist')
def cdist(m, name):
    k = m.integer(1, 6)
    b = floats(m, (m.integer(1, 6), k), constant=m.chance(0.5))
    add(m, name, [floats(m, (m.integer(1, 6), k)), b], metric=m.choice([None, 'euclidean', 'sqeuclidean']))


@contrib('GatherBlockQuantized')
def gather_block_quantized(m, name):
    rows, columns, block = m.integer(2, 8), m.choice([16, 32, 48]), 16
    kind = m.choice(['uint4', 'int4'])
    data = m.constant(random_array(m.rng, kind, (rows, columns)), kind)
    scales = m.constant((2.0 ** m.rng.integers(-4, 1, (rows, columns // block))).astype(np.float32))
    zeros = m.constant(random_array(m.rng, kind, (rows, columns // block)), kind) if m.chance(0.5) else None
    indices = m.value(m.choice(['int32', 'int64']), rank=(0, 2), low=0, high=rows - 1)
    add(m, name, [data, indices, scales, zeros], gather_axis=0, quantize_axis=1, block_size=block)


# Quantized products


@contrib('DynamicQuantizeMatMul')
def dynamic_quantize_matmul(m, name):
    a = m.value('float32', rank=(2, 3), finite=True)
    kind, n = m.choice(EIGHT_BITS), m.integer(1, 6)
    b = m.constant(random_array(m.rng, kind, (a.shape[-1], n)))
    per = m.choice([(), (n,)])
    add(
        m,
        name,
        [a, b, scale_of(m, per), zero_of(m, kind, per) if m.chance(0.6) else None, floats(m, (n,)) if m.chance(0.5) else None],
    )


@contrib('MatMulIntegerToFloat')
def matmul_integer_to_float(m, name):
    a_kind, b_kind, n = 'uint8', m.choice(EIGHT_BITS), m.integer(1, 6)
    a = m.value(a_kind, rank=(2, 3))
    per = m.choice([(), (n,)])
    b = m.constant(random_array(m.rng, b_kind, (a.shape[-1], n)))
    zeros = [zero_of(m, a_kind), zero_of(m, b_kind, per)] if m.chance(0.6) else [None, None]
    add(m, name, [a, b, scale_of(m), scale_of(m, per), *zeros, floats(m, (n,)) if m.chance(0.5) else None])


@contrib('QGemm')
def qgemm(m, name):
    a, n = m.value('uint8', rank=(2, 2)), m.integer(1, 6)
    b_kind, trans_b = m.choice(EIGHT_BITS), m.choice([None, 0, 1])
    per = m.choice([(), (n,)])
    b = m.constant(random_array(m.rng, b_kind, (n, a.shape[1]) if trans_b else (a.shape[1], n)))
    c = m.constant(random_array(m.rng, 'int32', (n,), low=-99, high=99)) if m.chance(0.5) else None
    b_zero = m.constant(np.zeros(per, b_kind)) if b_kind == 'int8' else zero_of(m, b_kind, per)
    result = [scale_of(m), zero_of(m, 'uint8')] if m.chance(0.6) else []
    add(
        m,
        name,
        [a, scale_of(m), zero_of(m, 'uint8'), b, scale_of(m, per), b_zero, c, *result],
        ['uint8' if result else 'float32'],
        transB=trans_b,
        alpha=m.choice([None, 0.5]),
    )


# Convolutions


def image_and_filter(m, last=False):
    channels, groups = 2 * m.integer(1, 2), m.choice([1, 1, 2])
    sizes = [m.integer(3, 6), m.integer(3, 6)]
    kernel = [m.integer(1, 3), m.integer(1, 3)]
    out = groups * m.integer(1, 3)
    shape = (1, *sizes, channels) if last else (1, channels, *sizes)
    return shape, (out, channels // groups, *kernel), {**window(m, sizes, kernel), 'group': groups}


@contrib('FusedConv')
def fused_conv(m, name):
    shape, filters, given = image_and_filter(m)
    activation = m.choice(['Relu', 'Tanh', 'Sigmoid', 'LeakyRelu', 'Clip', 'HardSigmoid'])
    params = {'LeakyRelu': [0.25], 'Clip': [-1.0, 1.5], 'HardSigmoid': [0.25, 0.5]}.get(activation)
    add(
        m,
        name,
        [floats(m, shape), floats(m, filters, constant=True), floats(m, filters[:1]) if m.chance(0.5) else None],
        activation=activation,
        activation_params=params,
        **given,
    )


@contrib('NhwcConv')
def nhwc_conv(m, name):
    shape, (out, *rest), given = image_and_filter(m, True)
    bias = floats(m, (out,)) if m.chance(0.5) else None
    add(m, name, [floats(m, shape), floats(m, (out, *rest[1:], rest[0]), constant=True), bias], **given)


@contrib('NhwcMaxPool')
def nhwc_max_pool(m, name):
    kind, sizes = m.choice(['int8', 'uint8']), [m.integer(1, 7), m.integer(1, 7)]
    kernel = [m.integer(1, min(3, size)) for size in sizes]
    x = m.value(kind, shape=(m.integer(1, 2), *sizes, m.integer(1, 5)))
    add(m, name, [x], (kind,), kernel_shape=kernel, **window(m, sizes, kernel, pool=True))


@contrib('QLinearConv')
def qlinear_conv(m, name):
    last = m.chance(0.6)
    shape, filters, given = image_and_filter(m, last)
    per = m.choice([(), filters[:1]])
    w = m.constant(random_array(m.rng, 'int8', filters))
    b = m.constant(random_array(m.rng, 'int32', filters[:1], low=-99, high=99)) if m.chance(0.5) else None
    add(
        m,
        name,
        [
            m.value('uint8', shape=shape),
            scale_of(m),
            zero_of(m, 'uint8'),
            w,
            scale_of(m, per),
            m.constant(np.zeros(per, np.int8)),
            scale_of(m),
            zero_of(m, 'uint8'),
            b,
        ],
        ['uint8'],
        channels_last=1 if last else None,
        **given,
    )


# Normalizations


@contrib('SkipLayerNormalization', 'SkipSimplifiedLayerNormalization')
def skip_layer_normalization(m, name):
    x = m.value('float32', rank=(3, 3))
    width = x.shape[-1:]
    inputs = [x, floats(m, x.shape), floats(m, width)]
    simple = name != 'SkipLayerNormalization'
    if not simple:
        inputs.append(floats(m, width) if m.chance(0.6) else None)
    if m.chance(0.5):
        inputs.append(floats(m, width))
    types = ['float32'] + ([None, None, 'float32'] if m.chance(0.3) else [])
    add(m, name, inputs, types, epsilon=m.choice([None, 0.125, 1e-3]))


@operator('SimplifiedLayerNormalization')
def simplified_layer_normalization(m, name):
    x = m.value('float32', rank=(1, 4))
    axis = m.axis(x.rank)
    m.loose = True
    m.node(name, [x, floats(m, x.shape[axis % x.rank :])], ['float32'], axis=axis, epsilon=m.choice([None, 0.125, 1e-3]))


@contrib('EmbedLayerNormalization')
def embed_layer_normalization(m, name):
    batch, length, width = m.integer(1, 2), m.integer(1, 4), m.integer(1, 8)
    words = m.source(m.rng.integers(0, 6, (batch, length)).astype(np.int32))
    segments = m.source(m.rng.integers(0, 2, (batch, length)).astype(np.int32)) if m.chance(0.5) else None
    tables = [floats(m, (6, width)), floats(m, (length + 1, width)), floats(m, (2, width)) if segments else None]
    mask = m.source(np.sort(m.rng.integers(0, 2, (batch, length)), axis=1)[:, ::-1].astype(np.int32)) if m.chance(0.5) else None
    add(m, name, [words, segments, *tables, floats(m, (width,)), floats(m, (width,)), mask], ['float32', 'int32'])


# Element-wise operators on quantized tensors


def quantized(m, kind, shape=None, constant=None):
    """Returns a quantized value, its scale and its zero point."""
    return [m.value(kind, shape=shape, rank=(1, 4)), scale_of(m, constant=constant), zero_of(m, kind, constant=constant)]


@contrib('QLinearAdd', 'QLinearMul')
def qlinear_binary(m, name):
    kind = m.choice(EIGHT_BITS)
    a = quantized(m, kind)
    b = quantized(m, kind, m.broadcastable(a[0].shape))
    add(m, name, [*a, *b, scale_of(m), zero_of(m, kind)], [kind])


@contrib('QLinearSigmoid', 'QLinearLeakyRelu')
def qlinear_unary(m, name):
    kind = m.choice(EIGHT_BITS)
    given = {'alpha': 0.25} if 'Leaky' in name else {}
    add(m, name, [*quantized(m, kind), m.constant(np.array(1 / 128, np.float32)), zero_of(m, kind)], [kind], **given)


@contrib('QLinearAveragePool', 'QLinearGlobalAveragePool')
def qlinear_pool(m, name):
    kind, last = m.choice(EIGHT_BITS), m.integer(0, 1)
    shape = (1, m.integer(1, 3), m.integer(2, 6), m.integer(2, 6))
    sizes = shape[1:3] if last else shape[2:]
    inputs = [*quantized(m, kind, shape), scale_of(m), zero_of(m, kind)]
    if 'Global' in name:
        add(m, name, inputs, [kind], channels_last=last)
    else:
        kernel = [m.integer(1, min(3, size)) for size in sizes]
        add(
            m,
            name,
            inputs,
            [kind],
            channels_last=last,
            kernel_shape=kernel,
            count_include_pad=m.choice([None, 0, 1]),
            **window(m, sizes, kernel, dilations=False, pool=True),
        )


@contrib('QLinearReduceMean')
def qlinear_reduce_mean(m, name):
    kind = m.choice(EIGHT_BITS)
    x = quantized(m, kind)
    add(
        m,
        name,
        [*x, scale_of(m), zero_of(m, kind)],
        [kind],
        axes=sorted({axis % x[0].rank for axis in m.axes(x[0].rank)}),
        keepdims=m.integer(0, 1),
    )


@contrib('QLinearSoftmax')
def qlinear_softmax(m, name):
    kind = m.choice(EIGHT_BITS)
    x = quantized(m, kind)
    zero = m.constant(np.array(0 if kind == 'uint8' else -128, kind))
    add(m, name, [*x, m.constant(np.array(1 / 256, np.float32)), zero], [kind], axis=m.axis(x[0].rank), opset=m.choice([12, 13]))


@contrib('QLinearConcat')
def qlinear_concat(m, name):
    kind = m.choice(EIGHT_BITS)
    first = quantized(m, kind)
    parts = first + (quantized(m, kind, first[0].shape) if m.chance(0.7) else [])
    add(m, name, [scale_of(m), zero_of(m, kind), *parts], [kind], axis=m.axis(first[0].rank))


@contrib('QLinearWhere')
def qlinear_where(m, name):
    kind = m.choice(EIGHT_BITS)
    a = quantized(m, kind, constant=True)  # ONNX Runtime crashes if scales and zero points are not constant
    b = quantized(m, kind, m.broadcastable(a[0].shape), constant=True)
    add(
        m,
        name,
        [m.value('bool', shape=m.broadcastable(a[0].shape)), *a, *b, scale_of(m, constant=True), zero_of(m, kind, constant=True)],
        [kind],
    )


@contrib('QuantizeLinear')
def quantize(m, name):
    x, kind = m.value('float32', rank=(1, 4), finite=True), m.choice(EIGHT_BITS)
    axis = m.integer(0, x.rank - 1) if m.chance(0.5) else None
    per = () if axis is None else (x.shape[axis],)
    add(m, name, [x, scale_of(m, per), zero_of(m, kind, per)], [kind], axis=axis)


@contrib('DequantizeLinear')
def dequantize(m, name):
    kind = m.choice([*EIGHT_BITS, 'int32'])
    x = m.value(kind, rank=(1, 4))
    axis = m.integer(0, x.rank - 1) if m.chance(0.5) else None
    per = () if axis is None else (x.shape[axis],)
    add(m, name, [x, scale_of(m, per), zero_of(m, kind, per)], axis=axis)
