"""Matrix products, einsum, attention of ONNX."""

import numpy as np

from ..model import Impossible
from ..values import FLOATS
from .registry import operator


@operator('MatMul')
def matmul(m, name):
    kind = m.type([t for t in m.types(name) if t in FLOATS + ('int32', 'int64', 'uint32')])
    m.loose = m.loose or kind in FLOATS
    a = m.value(kind, rank=(1, 4))
    inner = a.shape[-1]
    n = m.integer(1, 9)
    if m.chance(0.15):
        shape = (inner,)
    else:
        shape = (*m.broadcastable(a.shape[:-2]), inner, n)
    b = m.value(kind, shape=shape)
    if m.chance(0.1) and len(a.shape) > 1 and a.shape[-1] == a.shape[-2]:
        b = a
    m.node(name, [a, b], [kind])


@operator('Gemm')
def gemm(m, name):
    kind = m.type([t for t in m.types(name) if t in FLOATS])
    m.loose = True
    a = m.value(kind, rank=(2, 2))
    trans_a, trans_b = m.choice([None, 0, 1]), m.choice([None, 0, 1])
    rows, inner = a.shape[::-1] if trans_a else a.shape
    n = m.integer(1, 9)
    b = m.value(kind, shape=(n, inner) if trans_b else (inner, n))
    c = m.value(kind, shape=m.broadcastable((rows, n))) if m.opset < 11 or m.chance(0.7) else None
    m.node(
        name,
        [a, b, c],
        [kind],
        transA=trans_a,
        transB=trans_b,
        alpha=m.choice([None, 0.5, 2.0]),
        beta=m.choice([None, 0.25, 0.0, 2.0]),
    )


@operator('Einsum', since=12)
def einsum(m, name):
    sizes = {letter: m.integer(1, 4) for letter in 'abcdef'}
    terms = [''.join(m.rng.permutation(list('abcdef'))[: m.integer(1, 3)]) for _ in range(m.integer(1, 3))]
    if m.chance(0.1) and len(terms[0]) > 1:
        terms[0] += terms[0][0]
    letters = sorted(set(''.join(terms)))
    kept = ''.join(m.rng.permutation([letter for letter in letters if m.chance(0.6)] or letters[:1]))
    equation = ','.join(terms) + ('' if m.chance(0.2) else '->' + kept)
    if m.chance(0.15):
        equation = 'bij,bjk->bik' if len(terms) == 2 else equation
        terms = equation.split('->')[0].split(',')
        sizes |= {letter: m.integer(1, 4) for letter in 'ijk'}
    if m.chance(0.15) and len(terms) == 2:
        equation, terms = '...ab,...bc->...ac', ['xab', 'xbc']
        sizes['x'] = m.integer(1, 3)
    m.loose = True
    m.node(
        name,
        [m.value('float32', shape=tuple(sizes[letter] for letter in term)) for term in terms],
        ['float32'],
        equation=equation,
    )


@operator('Det', since=11)
def det(m, name):
    size = m.integer(1, 3)
    m.loose = True
    m.node(name, [m.value('float32', shape=(*m.shape(0, 2), size, size), finite=True)], ['float32'])


@operator('Attention', since=23)
def attention(m, name):
    batch, heads, kv, size, rows, columns = (
        m.integer(1, 2),
        m.choice([1, 2, 4]),
        1,
        m.choice([2, 4]),
        m.integer(1, 4),
        m.integer(1, 5),
    )
    kv = m.choice([h for h in (1, 2, 4) if heads % h == 0])
    past = m.integer(1, 3) if m.chance(0.3) else 0
    v_size = m.choice([size, 3])
    m.loose = True
    flat = m.chance(0.4)

    def operand(count, length, width):
        return m.value(
            'float32',
            shape=(batch, length, count * width) if flat else (batch, count, length, width),
            style='normal',
            finite=True,
        )

    q, k, v = operand(heads, rows, size), operand(kv, columns, size), operand(kv, columns, v_size)
    mask = None
    if m.chance(0.5):
        shape = m.choice([(rows, columns + past), (batch, 1, rows, columns + past), (1, heads, rows, columns + past)])
        mask = m.value(m.choice(['float32', 'bool']), shape=shape, style='normal', finite=True)
    pasts = (
        [m.value('float32', shape=(batch, kv, past, width), finite=True) for width in (size, v_size)] if past else [None, None]
    )
    given = {'is_causal': m.choice([None, 0, 1]), 'scale': m.choice([None, 0.5]), 'softcap': m.choice([None, None, 2.0])}
    outputs = ['float32'] + (['float32'] * 2 if past else [])
    if flat:
        given |= {'q_num_heads': heads, 'kv_num_heads': kv}
    m.node(name, [q, k, v, mask, *pasts], outputs, **given)


@operator('RotaryEmbedding', since=23)
def rotary(m, name):
    batch, heads, rows, size = m.integer(1, 2), m.integer(1, 3), m.integer(1, 4), m.choice([2, 4, 8])
    part = m.choice([0, 0, size // 2]) if size >= 4 else 0
    flat = m.chance(0.4)
    x = m.value('float32', shape=(batch, rows, heads * size) if flat else (batch, heads, rows, size), finite=True)
    half = (part or size) // 2
    positions = m.chance(0.5)
    caches = [m.value('float32', shape=(8, half) if positions else (batch, rows, half), finite=True) for _ in range(2)]
    ids = m.source(m.rng.integers(0, 8, (batch, rows)).astype(np.int64)) if positions else None
    m.loose = True
    m.node(
        name,
        [x, *caches, ids],
        ['float32'],
        interleaved=m.choice([None, 0, 1]),
        num_heads=heads if flat else None,
        rotary_embedding_dim=part or None,
    )


@operator('AffineGrid', since=20)
def affine_grid(m, name):
    batch, spatial = m.integer(1, 2), [m.integer(1, 4) for _ in range(m.choice([2, 2, 3]))]
    theta = m.value('float32', shape=(batch, len(spatial), len(spatial) + 1), finite=True)
    m.loose = True
    m.node(name, [theta, m.fixed(np.array([batch, 3, *spatial], np.int64))], ['float32'], align_corners=m.choice([None, 0, 1]))


@operator('NegativeLogLikelihoodLoss', 'SoftmaxCrossEntropyLoss', since=12)
def loss(m, name):
    batch, classes, spatial = m.integer(1, 4), m.integer(2, 5), m.shape(0, 2, most=20)
    m.loose = True
    x = m.value('float32', shape=(batch, classes, *spatial), finite=True)
    ignored = m.choice([None, None, 1, -1])
    labels = m.rng.integers(0, classes, (batch, *spatial)).astype(np.int64)
    if ignored is not None:
        labels = np.where(m.rng.random(labels.shape) < 0.2, ignored, labels)
    if ignored is not None and np.all(labels == ignored):
        raise Impossible('nothing is left')
    kind = m.choice(['int32', 'int64'])
    weights = m.value('float32', shape=(classes,), low=0.25, high=4, finite=True) if m.chance(0.4) else None
    outputs = ['float32'] + (['float32'] if m.chance(0.4) and name[0] == 'S' else [])
    m.node(
        name,
        [x, m.source(labels.astype(kind)), weights],
        outputs,
        reduction=m.choice([None, 'none', 'sum', 'mean']),
        ignore_index=ignored,
    )


@operator('DFT', since=17)
def dft(m, name):
    shape = (m.integer(1, 2), m.integer(1, 9), m.choice([1, 2]))
    m.loose = True
    inverse = m.choice([None, 0, 1])
    onesided = 1 if shape[2] == 1 and not inverse and m.chance(0.4) else None
    length = m.fixed(np.array(m.integer(1, 10), np.int64)) if m.chance(0.3) else None
    x = m.value('float32', shape=shape, finite=True)
    if m.opset < 20:
        m.node(name, [x, length], ['float32'], axis=1, inverse=inverse, onesided=onesided)
    else:
        m.node(
            name,
            [x, length, m.fixed(np.array(1, np.int64)) if m.chance(0.5) else None],
            ['float32'],
            inverse=inverse,
            onesided=onesided,
        )


@operator('STFT', since=17)
def stft(m, name):
    frame, step = m.choice([4, 8, 5]), m.integer(1, 4)
    x = m.value('float32', shape=(m.integer(1, 2), frame + m.integer(0, 12), 1), finite=True)
    m.loose = True
    window = m.value('float32', shape=(frame,), constant=True, finite=True) if m.chance(0.6) else None
    m.node(
        name,
        [
            x,
            m.fixed(np.array(step, np.int64)),
            window,
            m.fixed(np.array(frame, np.int64)) if not window or m.chance(0.5) else None,
        ],
        ['float32'],
        onesided=m.choice([None, 0, 1]),
    )


@operator('BlackmanWindow', 'HammingWindow', 'HannWindow', since=17)
def window(m, name):
    m.loose = True
    m.node(
        name, [m.fixed(np.array(m.integer(1, 12), m.choice([np.int32, np.int64])))], ['float32'], periodic=m.choice([None, 0, 1])
    )


@operator('MelWeightMatrix', since=17)
def mel(m, name):
    m.loose = True
    values = [
        np.array(m.integer(2, 8), np.int64),
        np.array(m.choice([16, 32]), np.int64),
        np.array(8000, np.int64),
        np.array(0.0, np.float32),
        np.array(4000.0, np.float32),
    ]
    m.node(name, [m.fixed(value) for value in values], ['float32'])


@operator('FlexAttention', domain='ai.onnx.preview')
def flex_attention(m, name):
    batch, heads, size = m.integer(1, 2), m.choice([1, 2]), m.choice([2, 4])
    rows, columns = m.integer(1, 4), m.integer(1, 5)
    m.loose = True
    q = m.value('float32', shape=(batch, heads, rows, size), style='normal', finite=True)
    k, v = (m.value('float32', shape=(batch, heads, columns, size), style='normal', finite=True) for _ in range(2))
    m.node(name, [q, k, v], ['float32'], domain='ai.onnx.preview', scale=m.choice([None, 0.5]))
