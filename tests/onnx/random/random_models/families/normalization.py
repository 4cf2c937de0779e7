"""Generators of batch, instance, layer and other normalizations."""

import numpy as np

from ..values import FLOATS
from .registry import operator


def finite(m, types, **bounds):
    return m.value(types, finite=True, **bounds)


@operator('BatchNormalization')
def batch_normalization(m, name):
    kind = m.type([t for t in FLOATS if m.opset < 15 or t == 'float32' or m.chance(0.5)])
    x = finite(m, kind, rank=(2, 5))
    m.loose = True
    scale, bias, mean = (finite(m, kind, shape=(x.shape[1],), constant=m.choice([True, True, False])) for _ in range(3))
    variance = finite(m, kind, shape=(x.shape[1],), low=0.25, high=4, constant=m.choice([True, True, False]))
    m.node(name, [x, scale, bias, mean, variance], [kind], epsilon=m.choice([None, 0.125, 1e-3]), momentum=m.choice([None, 0.5]))


@operator('InstanceNormalization')
def instance_normalization(m, name):
    x = finite(m, m.type(FLOATS), rank=(3, 5))
    m.loose = True
    m.node(
        name,
        [x, finite(m, x.type, shape=(x.shape[1],)), finite(m, x.type, shape=(x.shape[1],))],
        [x.type],
        epsilon=m.choice([None, 0.125]),
    )


@operator('LayerNormalization', since=17)
@operator('RMSNormalization', since=23)
def layer_normalization(m, name):
    x = finite(m, m.type(FLOATS), rank=(1, 4))
    axis = m.axis(x.rank)
    first = axis % x.rank
    shape = x.shape[first:]
    m.loose = True
    inputs = [x, finite(m, x.type, shape=shape if m.chance(0.8) else m.broadcastable(shape))]
    outputs = [x.type]
    if name[0] == 'L':
        if m.chance(0.6):
            inputs.append(finite(m, x.type, shape=shape if m.chance(0.8) else m.broadcastable(shape)))
        if m.chance(0.2):
            outputs += ['float32', 'float32']
    m.node(
        name, inputs, outputs, axis=None if first == x.rank - 1 and m.chance(0.5) else axis, epsilon=m.choice([None, 0.125, 1e-3])
    )


@operator('GroupNormalization', since=18)
def group_normalization(m, name):
    groups = m.integer(1, 3)
    channels = groups * m.integer(1, 3)
    x = finite(m, m.type(FLOATS), shape=(m.integer(1, 2), channels, *m.shape(1, 3, most=60)))
    m.loose = True
    count = groups if m.opset < 21 else channels
    m.node(
        name,
        [x, finite(m, x.type, shape=(count,)), finite(m, x.type, shape=(count,))],
        [x.type],
        num_groups=groups,
        epsilon=m.choice([None, 0.125]),
    )


@operator('MeanVarianceNormalization', since=9)
def mean_variance_normalization(m, name):
    x = finite(m, 'float32', rank=(4, 4))
    m.loose = True
    m.node(name, [x], ['float32'], axes=m.choice([None, [0, 2, 3], [2, 3], [1, 2, 3], [-1]]))


@operator('Adagrad', 'Adam', 'Momentum', domain='ai.onnx.preview.training')
def optimizer(m, name):
    shape = m.shape(0, 2)
    m.loose = True
    r, t = m.fixed(np.array(0.125, np.float32)), m.fixed(np.array(m.integer(0, 3), np.int64))
    states = {'Adagrad': 1, 'Adam': 2, 'Momentum': 1}[name]
    tensors = [finite(m, 'float32', shape=shape) for _ in range(2)] + [
        finite(m, 'float32', shape=shape, low=0.25, high=4) for _ in range(states)
    ]
    given = {'norm_coefficient': m.choice([None, 0.5])}
    if name == 'Momentum':
        given = {'norm_coefficient': 0.25, 'alpha': 0.5, 'beta': 0.75, 'mode': m.choice(['standard', 'nesterov'])}
    m.node(name, [r, t, *tensors], ['float32'] * (states + 1), domain='ai.onnx.preview.training', **given)
