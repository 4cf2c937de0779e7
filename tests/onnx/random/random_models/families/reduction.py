"""Reductions, and operators that sort or select along an axis."""

import numpy as np

from ..values import ALL, FLOATS, INTEGERS, NUMBERS
from .registry import operator

# The first operator set in which the axes are an input instead of an attribute.
AXES_ARE_INPUT = {'ReduceSum': 13}


@operator(
    'ReduceL1',
    'ReduceL2',
    'ReduceLogSum',
    'ReduceLogSumExp',
    'ReduceMax',
    'ReduceMean',
    'ReduceMin',
    'ReduceProd',
    'ReduceSum',
    'ReduceSumSquare',
)
def reduce(m, name):
    kind = m.type([t for t in m.types(name) if t in ALL])
    if (
        kind in INTEGERS
        and name not in ('ReduceMax', 'ReduceMin', 'ReduceSum', 'ReduceProd', 'ReduceSumSquare', 'ReduceL1')
        and m.chance(0.9)
    ):
        kind = 'float32'
    m.loose = m.loose or name not in ('ReduceMax', 'ReduceMin')
    bounds = {'low': 0.25, 'high': 4} if name == 'ReduceLogSum' and m.chance(0.7) else {}
    x = m.value(kind, rank=(0 if m.chance(0.1) else 1, 4), **(bounds if kind in FLOATS else {}))
    axes = m.axes(x.rank) if x.rank and m.chance(0.8) else None
    given = {'keepdims': m.choice([None, 0, 1])}
    inputs = [x]
    if m.opset >= AXES_ARE_INPUT.get(name, 18):
        given['noop_with_empty_axes'] = m.choice([None, None, 0, 1])
        if axes is None and m.chance(0.3):
            axes = []
        if axes is not None:
            inputs.append(m.fixed(np.array(axes, np.int64)))
    elif axes is not None:
        given['axes'] = axes
    m.node(name, inputs, [kind], **given)


@operator('ArgMax', 'ArgMin')
def arg(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in NUMBERS]), rank=(1, 4))
    given = {'axis': m.choice([None, m.axis(x.rank)]), 'keepdims': m.choice([None, 0, 1])}
    if m.opset >= 12:
        given['select_last_index'] = m.choice([None, None, 0, 1])
    m.node(name, [x], ['int64'], **given)


@operator('TopK')
def top_k(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in NUMBERS]), rank=(1, 4), style=m.choice(['quarters', 'normal']))
    axis = m.axis(x.rank)
    k = m.integer(1, x.shape[axis])
    given = {'axis': axis}
    if m.opset >= 11:
        given |= {'largest': m.choice([None, 0, 1]), 'sorted': m.choice([None, 1])}
    if m.opset < 10:
        m.node(name, [x], [x.type, 'int64'], k=k, **given)
    else:
        m.node(name, [x, m.fixed(np.array([k], np.int64))], [x.type, 'int64'], **given)
