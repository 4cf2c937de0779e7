"""Element-wise operators of one operand, and of operands that are broadcast."""

import numpy as np

from ..model import TYPE_NAMES
from ..values import ALL, FLOATS, INTEGERS, NUMBERS, integer_range
from .registry import operator


@operator(
    'Abs',
    'Ceil',
    'Cos',
    'Erf',
    'Exp',
    'Floor',
    'HardSwish',
    'Identity',
    'Log',
    'Mish',
    'Neg',
    'Not',
    'Reciprocal',
    'Relu',
    'Round',
    'Sigmoid',
    'Sign',
    'Sin',
    'Sinh',
    'Softplus',
    'Softsign',
    'Sqrt',
    'Tan',
    'Tanh',
    'Cosh',
    'Asinh',
    'Atan',
    'Acos',
    'Acosh',
    'Asin',
    'Atanh',
)
def unary(m, name):
    schema = m.schema(name)
    types = (
        m.types(name, schema.inputs[0].type_str if '(' not in schema.inputs[0].type_str else None)
        if schema.type_constraints and '(' not in schema.inputs[0].type_str
        else ['bool']
    )
    x = m.value(m.type([t for t in types if t in ALL] if m.chance(0.99) else types))
    m.node(name, [x], [x.type])


ATTRIBUTES = {
    'Elu': {'alpha': (-1.0, 2.0)},
    'Celu': {'alpha': (0.25, 2.0)},
    'LeakyRelu': {'alpha': (-1.0, 2.0)},
    'Selu': {'alpha': (0.5, 2.0), 'gamma': (0.5, 2.0)},
    'HardSigmoid': {'alpha': (-0.5, 1.0), 'beta': (-0.5, 1.0)},
    'ThresholdedRelu': {'alpha': (-1.0, 2.0)},
    'Shrink': {'bias': (-1.0, 1.0), 'lambd': (-0.5, 2.0)},
    'Swish': {'alpha': (-1.0, 2.0)},
}


@operator(*ATTRIBUTES)
def unary_with_numbers(m, name):
    schema = m.schema(name)
    types = [t for t in (m.types(name) if '(' not in schema.inputs[0].type_str else ['float32']) if t in NUMBERS]
    x = m.value(m.type(types))
    given = {key: float(round(m.rng.uniform(*bounds) * 4) / 4) for key, bounds in ATTRIBUTES[name].items() if m.chance(0.6)}
    if name == 'Celu' and 'alpha' in given:
        given['alpha'] = max(given['alpha'], 0.25)
    m.node(name, [x], [x.type], **given)


@operator('Gelu', since=20)
def gelu(m, name):
    x = m.value(m.type(FLOATS))
    m.node(name, [x], [x.type], approximate=m.choice([None, 'none', 'tanh']))


@operator('IsNaN', 'IsInf', since=9)
def is_special(m, name):
    types = [t for t in m.types(name, 'T1') if t in FLOATS]
    x = m.value(m.type(types), style=m.choice(['special', None]))
    given = {key: m.integer(0, 1) for key in ('detect_negative', 'detect_positive') if name == 'IsInf' and m.chance(0.5)}
    m.node(name, [x], ['bool'], **given)


def pair(m, types, **bounds):
    """Returns two values in random order: one has a random shape, and the other's shape can be broadcast to it."""
    a = m.value(types, **bounds)
    if m.chance(0.1):
        b = a
    else:
        b = m.value(a.type, shape=m.broadcastable(a.shape), **bounds)
    return (b, a) if m.chance(0.3) else (a, b)


@operator('Add', 'Sub', 'Mul', 'Equal', 'Greater', 'Less', 'And', 'Or', 'Xor', 'GreaterOrEqual', 'LessOrEqual')
def binary(m, name):
    types = [t for t in m.types(name) if t in ALL] if m.chance(0.995) else m.types(name)
    a, b = pair(m, m.type(types))
    m.node(name, [a, b], [a.type if name in ('Add', 'Sub', 'Mul') else 'bool'])


@operator('Div')
def divide(m, name):
    kind = m.type([t for t in m.types(name) if t in NUMBERS])
    a = m.value(kind)
    shape = m.broadcastable(a.shape)
    if kind in INTEGERS:  # undefined: division by zero, and division of the smallest number by -1
        b = m.value(kind, shape=shape, low=1, high=7)
    else:
        b = m.value(kind, shape=shape)
    m.node(name, [a, b], [kind])


@operator('Mod', since=10)
def modulo(m, name):
    kind = m.type([t for t in m.types(name) if t in NUMBERS])
    # Bounds keep quotients of floats below 2^24, so that remainders are exact.
    a = m.value(kind, low=-1e4, high=1e4) if kind in FLOATS else m.value(kind)
    low = 1 if kind.startswith('u') or m.chance(0.5) else -7
    high = 7 if low == 1 else -1
    b = m.value(kind, shape=m.broadcastable(a.shape), low=low, high=high)
    m.node(name, [a, b], [kind], fmod=1 if kind in FLOATS else m.choice([None, 0, 1]))


@operator('Pow')
def power(m, name):
    if m.opset < 12:
        kind = other = m.type([t for t in m.types(name) if t in FLOATS])
    else:
        kind = m.type([t for t in m.types(name) if t in NUMBERS])
        other = kind if m.chance(0.6) else m.type([t for t in m.types(name, 'T1') if t in NUMBERS])
    if kind in FLOATS:
        a = m.value(kind, low=0.25, high=4) if m.chance(0.5) else m.value(kind)
        b = m.value(other, shape=m.broadcastable(a.shape), low=-2 if other in FLOATS or other[0] != 'u' else 0, high=3)
    else:  # avoids negative exponents of integers and overflow, which are undefined
        a = m.value(kind, low=0 if kind[0] == 'u' else -2, high=2)
        b = m.value(other, shape=m.broadcastable(a.shape), low=0, high=4)
        if other in FLOATS:
            b = m.source(np.asarray(np.round(b.array)), other)
    m.node(name, [a, b], [kind])


@operator('PRelu')
def prelu(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in NUMBERS]))
    m.node(name, [x, m.value(x.type, shape=m.broadcastable(x.shape))], [x.type])


@operator('Max', 'Min', 'Sum', 'Mean')
def variadic(m, name):
    kind = m.type([t for t in m.types(name) if t in NUMBERS])
    first = m.value(kind)
    others = [m.value(kind, shape=m.broadcastable(first.shape)) for _ in range(m.integer(0, 3))]
    m.node(name, [first, *others], [kind])


@operator('Where', since=9)
def where(m, name):
    a, b = pair(m, m.type([t for t in m.types(name) if t in ALL]))
    condition = m.value('bool', shape=m.broadcastable(max(a.shape, b.shape, key=len)))
    m.node(name, [condition, a, b], [a.type])


@operator('Clip')
def clip(m, name):
    kind = m.type([t for t in m.types(name) if t in NUMBERS])
    x = m.value(kind)
    low, high = 0 if kind[0] == 'u' else m.integer(-4, 1), m.integer(1, 5)
    if m.opset < 11:
        m.node(name, [x], [kind], min=m.choice([None, float(low)]), max=m.choice([None, float(high)]))
        return
    bounds = [m.source(np.array(bound, kind), kind, constant=m.chance(0.8)) if m.chance(0.7) else None for bound in (low, high)]
    m.node(name, [x, *bounds], [kind])


@operator('Cast')
def cast(m, name):
    kind = m.type([t for t in m.types(name, 'T1') if t in ALL])
    to = m.choice([t for t in m.types(name, 'T2') if t in ALL or m.chance(0.02)])
    bounds = {}
    if kind in FLOATS and to not in FLOATS + ('bool',):  # avoids floats beyond the integer type, whose conversion is undefined
        low, high = integer_range(to) if to in INTEGERS else (0, 1)
        bounds = {'low': max(low, -100), 'high': min(high, 100)}
    x = m.value(kind, **bounds)
    m.node(name, [x], [to], to=TYPE_NAMES[to])


@operator('CastLike', since=15)
def cast_like(m, name):
    kind = m.type([t for t in m.types(name, 'T1') if t in ALL])
    to = m.choice(['float32', 'float16', 'int32', 'int64', 'uint8', 'bool'])
    bounds = {'low': 0, 'high': 100} if kind in FLOATS and to not in FLOATS + ('bool',) else {}
    x = m.value(kind, **bounds)
    m.node(name, [x, m.value(to)], [to])


@operator('BitShift', since=11)
def bit_shift(m, name):
    kind = m.type([t for t in m.types(name) if t in ALL])
    a = m.value(kind)
    bits = int(kind[4:])
    m.node(
        name,
        [a, m.value(kind, shape=m.broadcastable(a.shape), low=0, high=bits - 1)],
        [kind],
        direction=m.choice(['LEFT', 'RIGHT']),
    )


@operator('BitwiseAnd', 'BitwiseOr', 'BitwiseXor', since=18)
def bitwise(m, name):
    a, b = pair(m, m.type([t for t in m.types(name) if t in INTEGERS]))
    m.node(name, [a, b], [a.type])


@operator('BitwiseNot', since=18)
def bitwise_not(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in INTEGERS]))
    m.node(name, [x], [x.type])


@operator('BitCast', since=26)
def bit_cast(m, name):
    kind, to = m.choice(
        [
            ('int32', 'uint32'),
            ('uint32', 'int32'),
            ('int64', 'uint64'),
            ('uint64', 'int64'),
            ('int8', 'uint8'),
            ('uint8', 'int8'),
            ('float32', 'int32'),
        ]
    )
    m.node(name, [m.value(kind)], [to], to=TYPE_NAMES[to])


@operator('Softmax', 'LogSoftmax', 'Hardmax')
def softmax(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in FLOATS]), rank=(1, 4))
    m.loose = True
    axis = m.choice([None, m.axis(x.rank)])
    if m.opset < 13 and axis is None and x.rank < 2:
        axis = 0
    m.node(name, [x], [x.type], axis=axis)


@operator('LpNormalization')
def lp_normalization(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in FLOATS]), rank=(1, 4))
    m.loose = True
    m.node(name, [x], [x.type], axis=m.choice([None, m.axis(x.rank)]), p=m.choice([None, 1, 2]))


@operator('Dropout')
def dropout(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in FLOATS]))
    mask = m.chance(0.3) and m.opset >= 10
    if m.opset < 12:
        m.node(name, [x], [x.type, 'bool' if mask else None], ratio=m.choice([None, 0.25]))
        return
    ratio = m.fixed(np.array(0.25, np.float32)) if m.chance(0.5) else None
    training = m.fixed(np.array(False)) if m.chance(0.4) else None
    m.node(name, [x, ratio, training], [x.type, 'bool' if mask else None])


@operator('CumSum', since=11)
@operator('CumProd', since=26)
def cumulative(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in NUMBERS]), rank=(1, 4))
    m.loose = True
    axis = m.fixed(np.array(m.axis(x.rank), m.choice(['int32', 'int64'])))
    m.node(name, [x, axis], [x.type], exclusive=m.choice([None, 0, 1]), reverse=m.choice([None, 0, 1]))
