"""Operators that quantize and dequantize."""

import numpy as np

from ..values import dtype_of, random_array
from .registry import operator

EIGHT_BITS = ('uint8', 'int8')


def scale_of(m, shape=(), kind='float32', constant=None):
    """Returns random scales, mostly powers of two: quotients are then exact, so that results must be equal."""
    exact = m.chance(0.7)
    array = 2.0 ** m.rng.integers(-4, 2, shape) if exact else m.rng.uniform(0.01, 1, shape)
    if not exact:
        m.loose = True
    return m.source(np.asarray(array).astype(kind), kind, constant=constant or m.chance(0.85))


def zero_of(m, kind, shape=(), constant=None):
    if kind == 'int32':
        return m.source(np.zeros(shape, kind), kind, constant=True)
    low, high = {'uint8': (100, 140), 'int8': (-20, 20), 'int4': (-3, 3), 'uint4': (4, 11)}[kind]
    return m.source(m.rng.integers(low, high, shape).astype(dtype_of(kind)), kind, constant=constant or m.chance(0.85))


def parameters(m, shape, bits, blocked):
    """Returns the shape of the scales for a tensor of `shape`, and the node's attributes: per tensor, per axis or block-wise."""
    how = m.rng.random()
    if how < 0.45 or not shape:
        return (), {}
    if how < 0.75 or not blocked:
        axis = m.integer(0, len(shape) - 1)
        return (shape[axis],), {'axis': axis - len(shape) if m.chance(0.3) else axis}
    axis = m.integer(0, len(shape) - 1)
    block = m.choice([b for b in range(1, shape[axis] + 1) if shape[axis] % b == 0])
    sizes = list(shape)
    sizes[axis] //= block
    return tuple(sizes), {'axis': axis, 'block_size': block}


@operator('DequantizeLinear', since=10)
def dequantize(m, name):
    kinds = [t for t in m.types(name, 'T' if m.opset < 19 else 'T1') if t in ('uint8', 'int8', 'int32', 'int4', 'uint4')]
    kind = m.choice(kinds)
    x = m.value(kind, rank=(1, 4))
    shape, given = parameters(m, x.shape, kind, m.opset >= 21)
    if m.opset < 13:
        shape, given = (), {}
    to = 'float16' if m.opset >= 19 and m.chance(0.2) else 'float32'
    zero = zero_of(m, kind, shape) if m.chance(0.7) else None
    m.node(name, [x, scale_of(m, shape, to), zero], [to], **given)


@operator('QuantizeLinear', since=10)
def quantize(m, name):
    x = m.value(
        m.choice(['float32', 'float32', 'float16']) if m.opset >= 19 else 'float32', rank=(1, 4), finite=True
    )  # quantizing NaN is undefined
    kind = m.choice(['uint8', 'int8', 'int8'] + (['int4', 'uint4'] if m.opset >= 21 else []))
    shape, given = parameters(m, x.shape, kind, m.opset >= 21)
    if m.opset < 13:
        shape, given = (), {}
    scale = scale_of(m, shape, x.type)
    if m.chance(0.2) and kind == 'uint8':
        m.node(name, [x, scale], ['uint8'], **given)
        return
    zero = zero_of(m, kind, shape)
    if kind in EIGHT_BITS:
        q = m.node(name, [x, scale, zero], [kind], **given)[0]
        if m.chance(0.5):
            return
    else:
        q = m.hidden(name, [x, scale, zero], [kind], **given)
    m.node('DequantizeLinear', [q, scale, zero], [x.type], **given)


@operator('DynamicQuantizeLinear', since=11)
def dynamic_quantize(m, name):
    m.node(name, [m.value('float32', finite=True)], ['uint8', 'float32', 'uint8'])
    m.loose = True


@operator('MatMulInteger', since=10)
def matmul_integer(m, name):
    a_kind, b_kind = m.choice(EIGHT_BITS), m.choice(EIGHT_BITS)
    a = m.value(a_kind, rank=(2, 4))
    b = m.value(b_kind, shape=(*(a.shape[:-2] if m.chance(0.3) else ()), a.shape[-1], m.integer(1, 9)))
    zeros = [
        zero_of(m, a_kind) if m.chance(0.6) else None,
        zero_of(m, b_kind, b.shape[-1:] if m.chance(0.4) and b.rank == 2 else ()) if m.chance(0.6) else None,
    ]
    m.node(name, [a, b, *zeros], ['int32'])


@operator('QLinearMatMul', since=10)
def qlinear_matmul(m, name):
    a_kind, b_kind = m.choice(EIGHT_BITS), m.choice(EIGHT_BITS)
    y_kind = a_kind if m.chance(0.8) else m.choice(EIGHT_BITS)
    a = m.value(a_kind, rank=(2, 3))
    b = m.value(b_kind, shape=(a.shape[-1], m.integer(1, 9)))
    m.loose = True
    per = b.shape[-1:] if m.chance(0.3) else ()
    m.node(
        name,
        [a, scale_of(m), zero_of(m, a_kind), b, scale_of(m, per), zero_of(m, b_kind, per), scale_of(m), zero_of(m, y_kind)],
        [y_kind],
    )


def quantized_conv(m, kind, w_kind):
    from .window import window

    x = m.value(kind, rank=(4, 4), where=lambda value: np.prod(value.shape) < 3000)
    channels = x.shape[1]
    groups = m.choice([g for g in range(1, channels + 1) if channels % g == 0]) if m.chance(0.3) else 1
    kernel = [m.integer(1, min(4, size + 1)) for size in x.shape[2:]]
    given = window(m, x.shape[2:], kernel)
    out = groups * m.integer(1, 3)
    w = m.value(w_kind, shape=(out, channels // groups, *kernel), constant=m.choice([True, True, False]))
    given |= {'group': groups if groups > 1 else None, 'kernel_shape': kernel if m.chance(0.5) else None}
    return x, w, out, given


@operator('ConvInteger', since=10)
def conv_integer(m, name):
    x, w, out, given = quantized_conv(m, m.choice(EIGHT_BITS), m.choice(EIGHT_BITS))
    zeros = [zero_of(m, x.type) if m.chance(0.6) else None, zero_of(m, w.type) if m.chance(0.5) else None]
    m.node(name, [x, w, *zeros], ['int32'], **given)


@operator('QLinearConv', since=10)
def qlinear_conv(m, name):
    kind = m.choice(EIGHT_BITS)
    x, w, out, given = quantized_conv(m, kind, 'int8' if kind == 'int8' else m.choice(EIGHT_BITS))
    m.loose = True
    per = (out,) if m.chance(0.4) else ()
    w_zero = m.source(np.zeros(per, w.type), constant=True) if w.type == 'int8' else zero_of(m, w.type)
    if w.type != 'int8':
        per = ()
    b = m.source(random_array(m.rng, 'int32', (out,), low=-100, high=100), 'int32', constant=True) if m.chance(0.5) else None
    m.node(
        name, [x, scale_of(m), zero_of(m, kind), w, scale_of(m, per), w_zero, scale_of(m), zero_of(m, kind), b], [kind], **given
    )


@operator('QDQ', since=13)
def qdq(m, name):
    """Adds an operator in QDQ form, as tools write it: each operand and the result is quantized and dequantized."""
    kind = m.choice(EIGHT_BITS)

    def around(x):
        scale, zero = scale_of(m), zero_of(m, kind)
        q = m.node('QuantizeLinear', [x, scale, zero], [kind])[0]
        return m.node('DequantizeLinear', [q, scale, zero], ['float32'])[0]

    x = m.value('float32', rank=(4, 4), where=lambda value: np.prod(value.shape) < 2000, finite=True)
    what = m.choice(
        ['Conv', 'MatMul', 'Add', 'Transpose', 'MaxPool', 'AveragePool', 'Sigmoid', 'Softmax', 'Reshape', 'Slice', 'Concat']
    )
    m.loose = True
    a = around(x)
    if what == 'Conv':
        out = m.integer(1, 4)
        per = (out,) if m.chance(0.5) else ()
        w = m.constant(random_array(m.rng, 'int8', (out, x.shape[1], 1, 1), low=-20, high=20))
        wd = m.node(
            'DequantizeLinear', [w, scale_of(m, per), m.constant(np.zeros(per, np.int8))], ['float32'], axis=0 if per else None
        )[0]
        y = m.node('Conv', [a, wd], ['float32'])[0]
    elif what == 'MatMul':
        w = m.constant(random_array(m.rng, 'int8', (x.shape[3], m.integer(1, 5)), low=-20, high=20))
        wd = m.node('DequantizeLinear', [w, scale_of(m), m.constant(np.zeros((), np.int8))], ['float32'])[0]
        y = m.node('MatMul', [a, wd], ['float32'])[0]
    elif what in ('Add', 'Concat'):
        b = around(m.value('float32', shape=x.shape, finite=True))
        y = m.node(what, [a, b], ['float32'], axis=1 if what == 'Concat' else None)[0]
    elif what == 'Transpose':
        y = m.node(what, [a], ['float32'], perm=[0, 2, 3, 1])[0]
    elif what in ('MaxPool', 'AveragePool'):
        y = m.node(what, [a], ['float32'], kernel_shape=[1, 1], strides=[1, 1])[0]
    elif what == 'Reshape':
        y = m.node(what, [a, m.constant(np.array([-1], np.int64))], ['float32'])[0]
    elif what == 'Slice':
        y = m.node(what, [a, m.constant(np.array([0])), m.constant(np.array([1])), m.constant(np.array([1]))], ['float32'])[0]
    else:
        y = m.node(what, [a], ['float32'])[0]
    around(y)
