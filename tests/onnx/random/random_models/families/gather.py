"""Operators that gather and scatter."""

import numpy as np

from ..values import NUMBERS
from .registry import operator
from .shape import moved


def indices_of(m, size, shape, name, parameter='Tind'):
    """Returns random indices into a dimension of `size`; also negative indices if the operator set allows them."""
    low = -size if m.opset >= 11 and m.chance(0.5) else 0
    kind = m.choice([t for t in m.types(name, parameter) if t in ('int32', 'int64')]) if parameter else 'int64'
    if size == 0:
        kind = 'int64'
    return m.value(kind, shape=shape, low=low, high=size - 1)


@operator('Gather')
def gather(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.axis(x.rank)
    m.node(
        name,
        [x, indices_of(m, x.shape[axis], m.shape(0, 3, most=40), name)],
        [x.type],
        axis=m.choice([axis, None]) if axis in (0, -x.rank) else axis,
    )


@operator('GatherElements', since=11)
def gather_elements(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.axis(x.rank)
    shape = [size if m.chance(0.5) else m.integer(1, size) for size in x.shape]
    shape[axis] = m.integer(1, 6)
    m.node(name, [x, indices_of(m, x.shape[axis], tuple(shape), name)], [x.type], axis=axis)


def nd_indices(m, shape, batch=0, outer=None):
    """Returns random indices into `shape` for GatherND and ScatterND."""
    depth = m.integer(1, len(shape) - batch)
    outer = m.shape(0, 2, most=30) if outer is None else outer
    negative = m.opset >= 11 and m.chance(0.4)
    columns = [m.rng.integers(-size if negative else 0, size, shape[:batch] + outer) for size in shape[batch : batch + depth]]
    return np.stack(columns, axis=-1).astype(np.int64)


@operator('GatherND', since=11)
def gather_nd(m, name):
    x = moved(m, name, rank=(1, 4))
    batch = m.integer(0, x.rank - 1) if m.opset >= 12 and m.chance(0.4) else 0
    m.node(
        name,
        [x, m.source(nd_indices(m, x.shape, batch))],
        [x.type],
        batch_dims=batch if batch or (m.opset >= 12 and m.chance(0.2)) else None,
    )


def unique_rows(indices, shape):
    """Returns whether the rows of `indices` (index tuples into `shape`) index different elements."""
    flat = indices.reshape(-1, indices.shape[-1]) % np.array(shape[: indices.shape[-1]])
    return len(np.unique(flat, axis=0)) == len(flat)


@operator('ScatterND', since=11)
def scatter_nd(m, name):
    x = moved(m, name, rank=(1, 4))
    indices = nd_indices(m, x.shape)
    reductions = [None, None] + (['none', 'add', 'mul'] if m.opset >= 16 else []) + (['max', 'min'] if m.opset >= 18 else [])
    reduction = m.choice(reductions) if x.type in NUMBERS else None
    if reduction not in (None, 'none'):
        m.loose = True
    updates = m.value(x.type, shape=indices.shape[:-1] + x.shape[indices.shape[-1] :])
    m.node(name, [x, m.source(indices), updates], [x.type], reduction=reduction)


@operator('ScatterElements', since=11)
@operator('Scatter', since=9, until=10)
def scatter_elements(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.axis(x.rank)
    shape = [m.integer(1, size) for size in x.shape]
    reductions = [None, None] + (['none', 'add', 'mul'] if m.opset >= 16 else []) + (['max', 'min'] if m.opset >= 18 else [])
    reduction = m.choice(reductions) if x.type in NUMBERS else None
    indices = indices_of(m, x.shape[axis], tuple(shape), name)
    m.loose = m.loose or reduction in ('add', 'mul')
    m.node(
        name,
        [x, indices, m.value(x.type, shape=tuple(shape))],
        [x.type],
        axis=m.choice([None, axis]) if axis in (0, -x.rank) else axis,
        reduction=reduction,
    )


@operator('TensorScatter', since=24)
def tensor_scatter(m, name):
    x = moved(m, name, rank=(3, 4))
    axis = m.integer(1, x.rank - 1) if m.chance(0.5) else x.rank - 2
    length = m.integer(1, x.shape[axis])
    shape = list(x.shape)
    shape[axis] = length
    mode = m.choice([None, 'linear', 'circular'])
    most = x.shape[axis] - (1 if mode == 'circular' else length)
    indices = m.source(m.rng.integers(0, most, x.shape[0], endpoint=True).astype(np.int64)) if m.chance(0.8) else None
    m.node(
        name,
        [x, m.value(x.type, shape=tuple(shape)), indices],
        [x.type],
        axis=axis - x.rank if m.chance(0.5) else axis,
        mode=mode,
    )


@operator('ArrayFeatureExtractor', domain='ai.onnx.ml')
def array_feature_extractor(m, name):
    x = m.value(m.type(['float32', 'int32', 'int64']), rank=(1, 3))
    count = m.integer(1, 4)
    m.node(name, [x, m.source(m.rng.integers(0, x.shape[-1], (1, count)).astype(np.int64))], [x.type], domain='ai.onnx.ml')


@operator('Binarizer', domain='ai.onnx.ml')
def binarizer(m, name):
    x = m.value(m.type(['float32', 'int32', 'int64']), rank=(1, 3))
    m.node(name, [x], [x.type], domain='ai.onnx.ml', threshold=m.choice([None, 0.5, -1.0]))
