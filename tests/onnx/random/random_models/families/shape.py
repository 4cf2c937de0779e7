"""Operators that move elements."""

import numpy as np

from ..model import TYPE_NAMES, tensor_of
from ..values import ALL, FLOATS, random_array
from .registry import operator


def moved(m, name, parameter='T', rank=(0, 4), shape=None, where=None):
    """Returns a value of a type that the operator `name` accepts."""
    types = m.types(name, parameter)
    return m.value(
        m.type([t for t in types if t in ALL] if m.chance(0.995) else [t for t in types if '4' != t[-1:] or t[-2:] != 't4']),
        rank=rank,
        shape=shape,
        where=where,
    )


@operator('Reshape')
def reshape(m, name):
    x = moved(m, name)
    count = x.array.size
    sizes = list(m.factors(count, m.integer(0 if count == 1 else 1, 5)))
    given = {}
    if m.opset >= 14 and m.chance(0.2):
        given['allowzero'] = m.integer(0, 1)
    if sizes and m.chance(0.3):
        sizes[m.integer(0, len(sizes) - 1)] = -1
    if given.get('allowzero') != 1 and m.chance(0.3):
        for axis in range(min(len(sizes), x.rank)):
            if sizes[axis] == x.shape[axis]:
                sizes[axis] = 0
    m.node(name, [x, m.fixed(np.array(sizes, np.int64))], [x.type], **given)


@operator('Transpose')
def transpose(m, name):
    x = moved(m, name, rank=(1, 5))
    m.node(name, [x], [x.type], perm=m.choice([None, [int(i) for i in m.rng.permutation(x.rank)]]))


@operator('Flatten')
def flatten(m, name):
    x = moved(m, name)
    axis = m.integer(0, x.rank)
    if m.opset >= 11 and axis < x.rank and m.chance(0.3):
        axis -= x.rank
    if x.rank == 0 or (x.rank == 1 and m.chance(0.3)):
        axis = 0
    m.node(name, [x], [x.type], axis=axis if x.rank < 2 else m.choice([None, axis]))


@operator('Squeeze')
def squeeze(m, name):
    x = moved(m, name, where=lambda value: 1 in value.shape)
    ones = [axis for axis, size in enumerate(x.shape) if size == 1]
    axes = [axis - x.rank if m.opset >= 11 and m.chance(0.3) else axis for axis in ones if m.chance(0.7)] or None
    if m.opset < 13:
        m.node(name, [x], [x.type], axes=axes)
    else:
        m.node(name, [x, m.fixed(np.array(axes, np.int64)) if axes else None], [x.type])


@operator('Unsqueeze')
def unsqueeze(m, name):
    x = moved(m, name)
    count = m.integer(1, 2)
    axes = [int(axis) for axis in m.rng.permutation(x.rank + count)[:count]]
    if m.opset < 13:
        axes.sort()
    if m.opset >= 11:
        axes = [axis - x.rank - count if m.chance(0.3) else axis for axis in axes]
    if m.opset < 13:
        m.node(name, [x], [x.type], axes=axes)
    else:
        m.node(name, [x, m.fixed(np.array(axes, np.int64))], [x.type])


@operator('Concat')
def concat(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.axis(x.rank)
    parts = [x]
    for _ in range(m.integer(0, 3)):
        shape = list(x.shape)
        if m.chance(0.5):
            shape[axis] = m.integer(1, 4)
        parts.append(x if m.chance(0.1) else m.value(x.type, shape=tuple(shape)))
    m.rng.shuffle(parts)
    m.node(name, parts, [x.type], axis=axis)


@operator('Split')
def split(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.axis(x.rank)
    size = x.shape[axis]
    count = m.integer(1, min(size, 4))
    cuts = sorted(int(cut) for cut in m.rng.choice(np.arange(1, size), count - 1, replace=False)) if count > 1 else []
    parts = [int(part) for part in np.diff([0, *cuts, size])]
    types = [x.type] * count
    if m.chance(0.2) and count > 1 and m.opset >= 18 and size % count == 0:
        m.node(name, [x], types, axis=axis, num_outputs=count)
    elif m.opset >= 18 and m.chance(0.3) and (count - 1) * -(-size // count) < size:
        m.node(name, [x], types, axis=axis, num_outputs=count)
    elif size % count == 0 and m.chance(0.3) and m.opset < 18:
        m.node(name, [x], types, axis=axis)
    elif m.opset < 13:
        m.node(name, [x], types, axis=axis, split=parts)
    else:
        m.node(name, [x, m.fixed(np.array(parts, np.int64))], types, axis=axis)


@operator('Expand', since=8)
def expand(m, name):
    x = moved(m, name)
    shape = [m.integer(1, 4) if size == 1 else m.choice([size, size, 1]) for size in x.shape]
    shape = [m.integer(1, 3) for _ in range(m.integer(0, 2))] + shape
    m.node(name, [x, m.fixed(np.array(shape, np.int64))], [x.type])


@operator('Tile')
def tile(m, name):
    x = moved(m, name, rank=(1, 4))
    m.node(name, [x, m.fixed(np.array([m.integer(1, 3) for _ in x.shape], np.int64))], [x.type])


@operator('Slice')
def slice_(m, name):
    x = moved(m, name, rank=(1, 4))
    axes = m.axes(x.rank)
    if m.opset < 10:
        axes = [axis % x.rank for axis in axes]
    starts, ends, steps = [], [], []
    for axis in axes:
        size = x.shape[axis]
        backwards = m.opset >= 10 and m.chance(0.25)
        start = m.integer(0, size - 1)
        end = m.integer(start + 1, size)
        if backwards:
            start, end = end - 1, start - 1
            end = m.choice([-size - 1, -(2**31)]) if end < 0 else end
        steps.append(m.choice([-1, -2, -3]) if backwards else m.choice([1, 1, 2, 3]) if m.opset >= 10 else 1)
        if m.chance(0.2) and 0 <= start:
            start -= size
        if m.chance(0.2) and not backwards:
            end = m.choice([2**31 - 1, 2**63 - 1, size + 3]) if end == size else end - size
        starts.append(start)
        ends.append(end)
    if m.opset < 10:
        m.node(name, [x], [x.type], starts=starts, ends=ends, axes=axes)
        return
    kind = np.int64 if max(ends) > 2**31 - 1 or m.chance(0.7) else np.int32
    inputs = [x, m.fixed(np.array(starts, kind)), m.fixed(np.array(ends, kind))]
    if axes == list(range(x.rank)) and m.chance(0.5):
        inputs.append(None)
    else:
        inputs.append(m.fixed(np.array(axes, kind)))
    if any(step != 1 for step in steps) or m.chance(0.5):
        inputs.append(m.fixed(np.array(steps, kind)))
    m.node(name, inputs, [x.type])


@operator('Pad')
def pad(m, name):
    x = moved(m, name, rank=(1, 4))
    modes = ['constant', 'constant', 'reflect', 'edge'] + (['wrap'] if m.opset >= 19 else [])
    mode = m.choice(modes)
    axes = sorted(axis % x.rank for axis in m.axes(x.rank)) if m.opset >= 18 and m.chance(0.3) else list(range(x.rank))
    begins, ends = [], []
    for axis in axes:
        size = x.shape[axis]
        most = min(size - 1, 3) if mode == 'reflect' else min(size, 3) if mode == 'wrap' else 3
        pads = [m.integer(0, most), m.integer(0, most)]
        if mode == 'constant' and m.chance(0.15) and size > 2:
            pads[m.integer(0, 1)] = -1
        begins.append(pads[0])
        ends.append(pads[1])
    mode = m.choice([mode, None]) if mode == 'constant' else mode
    if m.opset < 11:
        m.node(name, [x], [x.type], pads=begins + ends, mode=mode, value=m.choice([None, 1.5, -2.0]))
        return
    fill = None
    if m.chance(0.5) or x.type == 'bool':
        fill = m.source(random_array(m.rng, x.type, (), m.style), x.type, constant=m.chance(0.8))
    inputs = [x, m.fixed(np.array(begins + ends, np.int64)), fill]
    if len(axes) < x.rank or (m.opset >= 18 and m.chance(0.1)):
        inputs.append(
            m.fixed(np.array([axis - x.rank if m.chance(0.3) else axis for axis in axes], m.choice([np.int32, np.int64])))
        )
    m.node(name, inputs, [x.type], mode=mode)


@operator('DepthToSpace')
def depth_to_space(m, name):
    block = m.integer(1, 3)
    n, c, h, w = m.integer(1, 2), m.integer(1, 3) * block * block, m.integer(1, 5), m.integer(1, 5)
    x = moved(m, name, shape=(n, c, h, w))
    m.node(name, [x], [x.type], blocksize=block, mode=m.choice([None, 'DCR', 'CRD']) if m.opset >= 11 else None)


@operator('SpaceToDepth')
def space_to_depth(m, name):
    block = m.integer(1, 3)
    x = moved(m, name, shape=(m.integer(1, 2), m.integer(1, 3), m.integer(1, 4) * block, m.integer(1, 4) * block))
    m.node(name, [x], [x.type], blocksize=block)


@operator('Shape')
def shape_of(m, name):
    x = moved(m, name)
    given = {}
    if m.opset >= 15 and x.rank:
        start = m.integer(0, x.rank - 1)
        end = m.integer(start + 1, x.rank)
        given = {
            'start': m.choice([None, start, start - x.rank]) if start else None,
            'end': end if end < x.rank else m.choice([None, end]),
        }
    m.node(name, [x], ['int64'], **given)


@operator('Size')
def size_of(m, name):
    m.node(name, [moved(m, name)], ['int64'])


@operator('Trilu', since=14)
def trilu(m, name):
    x = moved(m, name, rank=(2, 4))
    k = m.fixed(np.array(m.integer(-4, 4), np.int64)) if m.chance(0.5) else None
    m.node(name, [x, k], [x.type], upper=m.choice([None, 0, 1]))


@operator('EyeLike', since=9)
def eye_like(m, name):
    x = moved(m, name, 'T1', rank=(2, 2))
    to = m.choice([None] + [t for t in m.types(name, 'T2') if t in ALL])
    m.node(name, [x], [to or x.type], dtype=TYPE_NAMES[to] if to else None, k=m.choice([None, m.integer(-3, 3)]))


@operator('ConstantOfShape', since=9)
def constant_of_shape(m, name):
    kind = m.type([t for t in m.types(name, 'T2') if t in ALL])
    fill = tensor_of(random_array(m.rng, kind, (1,), m.style), kind) if kind != 'float32' or m.chance(0.6) else None
    m.node(name, [m.fixed(np.array(m.shape(0, 4), np.int64))], [kind], value=fill)


@operator('Constant')
def constant(m, name):
    kind = m.type([t for t in m.types(name) if t in ALL])
    if m.opset >= 12 and m.chance(0.4):
        attribute, value = m.choice(
            [('value_float', 1.5), ('value_floats', [0.5, -2.0]), ('value_int', 3), ('value_ints', [1, 2, -3])]
        )
        m.node(name, [], ['float32' if 'float' in attribute else 'int64'], **{attribute: value})
    else:
        m.node(name, [], [kind], value=tensor_of(random_array(m.rng, kind, m.shape(0, 3), m.style), kind))


@operator('Range', since=11)
def range_(m, name):
    kind = m.choice([t for t in m.types(name) if t in ALL])
    start, step, count = m.integer(-3, 3), m.choice([-2, -1, 1, 2, 3]), m.integer(1, 12)
    scale = 0.5 if kind in FLOATS else 1
    bounds = (start * scale, (start + step * count) * scale, step * scale)
    m.node(name, [m.fixed(np.array(bound, kind), kind) for bound in bounds], [kind])


@operator('OneHot', since=9)
def one_hot(m, name):
    depth = m.integer(1, 8)
    index, kind = (
        m.choice(['int64', 'int64', 'int32', 'float32']),
        m.choice(['float32', 'int32', 'int64', 'float32', 'uint8', 'bool', 'float16']),
    )
    if index == 'float32':
        indices = m.source(m.rng.integers(-depth, depth, m.shape(0, 3)).astype(np.float32))
    else:
        indices = m.value(index, rank=(0, 3), low=-depth - 1, high=depth + 1)
    values = m.source(random_array(m.rng, kind, (2,), 'quarters'), kind)
    depth = m.fixed(np.array(depth, m.choice([np.int64, np.int32, np.float32])))
    axis = m.choice([None, -1, m.integer(0, indices.rank)])
    m.node(name, [indices, depth, values], [kind], axis=axis)


@operator('CenterCropPad', since=18)
def center_crop_pad(m, name):
    x = moved(m, name, rank=(1, 4))
    axes = m.axes(x.rank) if m.chance(0.6) else None
    count = len(axes) if axes else x.rank
    m.node(
        name, [x, m.fixed(np.array([m.integer(1, 9) for _ in range(count)], m.choice([np.int32, np.int64])))], [x.type], axes=axes
    )


@operator('ReverseSequence', since=10)
def reverse_sequence(m, name):
    x = moved(m, name, rank=(2, 4))
    batch = m.integer(0, 1)
    lengths = m.rng.integers(0 if m.chance(0.3) else 1, x.shape[1 - batch], x.shape[batch], endpoint=True)
    given = {} if batch == 1 and m.chance(0.5) else {'batch_axis': batch, 'time_axis': 1 - batch}
    m.node(name, [x, m.source(lengths.astype(np.int64))], [x.type], **given)


@operator('NonZero', since=9)
def non_zero(m, name):
    x = m.constant(random_array(m.rng, m.type([t for t in m.types(name) if t in ALL]), m.shape(1, 3), 'quarters'))
    m.node(name, [x], ['int64'])


@operator('Compress', since=9)
def compress(m, name):
    x = moved(m, name, rank=(1, 4))
    axis = m.choice([None, m.axis(x.rank)])
    size = x.array.size if axis is None else x.shape[axis]
    condition = m.rng.random(m.integer(1, size)) < 0.6
    condition[0] = True
    m.node(name, [x, m.fixed(condition, 'bool')], [x.type], axis=axis)


@operator('Unique', since=11)
def unique(m, name):
    x = m.constant(random_array(m.rng, m.type(['float32', 'int64', 'int8']), m.shape(1, 2), 'quarters'))
    outputs = [x.type] + ['int64' if m.chance(0.5) else None for _ in range(3)]
    m.node(name, [x], outputs, axis=m.choice([None, m.axis(x.rank)]), sorted=m.choice([None, 0, 1]))
