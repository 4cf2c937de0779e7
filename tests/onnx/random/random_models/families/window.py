"""Convolutions and pools."""

import numpy as np

from ..values import FLOATS
from .registry import operator


def spatial_rank(m, most=3):
    return m.choice([rank for rank in (1, 2, 2, 2, 2, 2, 3) if rank <= most])


def window(m, sizes, kernel, strides=True, dilations=True, pool=False):
    """Returns random attributes for a window that fits into `sizes`: strides, dilations, pads or auto_pad."""
    given = {}
    if strides and m.chance(0.6):
        given['strides'] = [m.choice([1, 1, 2, 3]) for _ in sizes]
    spans = list(kernel)
    if dilations and m.chance(0.35):
        given['dilations'] = [m.choice([1, 1, 2, 3]) for _ in sizes]
        spans = [(k - 1) * d + 1 for k, d in zip(kernel, given['dilations'])]
    how = m.rng.random()
    short = [max(0, span - size) for span, size in zip(spans, sizes)]
    if how < 0.2 and not any(short):
        given['auto_pad'] = 'VALID' if m.chance(0.5) else 'NOTSET'
    elif how < 0.35:
        given['auto_pad'] = m.choice(['SAME_UPPER', 'SAME_LOWER'])
        if pool:
            given.pop('dilations', None)
            if 'strides' in given:  # larger strides give negative paddings, for which ONNX Runtime's pools contradict each other
                given['strides'] = [min(stride, size) for stride, size in zip(given['strides'], kernel)]
    elif how < 0.9 or any(short):
        most = [k - 1 if pool else 3 for k in kernel]
        begins = [m.integer(0, top) for top in most]
        ends = [max(m.integer(0, top), lack - begin) for top, begin, lack in zip(most, begins, short)]
        given['pads'] = begins + ends
    return given


@operator('Conv')
def conv(m, name):
    rank = spatial_rank(m)
    kind = m.type([t for t in m.types(name) if t in FLOATS])
    m.loose = True
    x = m.value(kind, rank=(rank + 2, rank + 2), where=lambda value: np.prod(value.shape) < 4000)
    channels = x.shape[1]
    groups = m.choice([g for g in range(1, channels + 1) if channels % g == 0]) if m.chance(0.4) else 1
    kernel = [m.integer(1, min(5, size + 2)) for size in x.shape[2:]]
    given = window(m, x.shape[2:], kernel)
    out = groups * m.integer(1, 3)
    w = m.value(kind, shape=(out, channels // groups, *kernel), constant=m.choice([True, True, True, False]))
    b = m.value(kind, shape=(out,)) if m.chance(0.5) else None
    m.node(
        name,
        [x, w, b],
        [kind],
        group=groups if groups > 1 or m.chance(0.3) else None,
        kernel_shape=kernel if m.chance(0.5) else None,
        **given,
    )


@operator('ConvTranspose')
def conv_transpose(m, name):
    rank = spatial_rank(m, 2)
    kind = m.type([t for t in m.types(name) if t in FLOATS])
    m.loose = True
    x = m.value(kind, rank=(rank + 2, rank + 2), where=lambda value: np.prod(value.shape) < 1500)
    channels = x.shape[1]
    groups = m.choice([g for g in range(1, channels + 1) if channels % g == 0]) if m.chance(0.3) else 1
    kernel = [m.integer(1, 4) for _ in x.shape[2:]]
    strides = [m.choice([1, 2, 2, 3]) for _ in kernel]
    given = {}
    if m.chance(0.7):
        given['strides'] = strides
    else:
        strides = [1] * rank
    dilations = [1] * rank
    if m.chance(0.3):
        dilations = given['dilations'] = [m.choice([1, 2]) for _ in kernel]
    if m.chance(0.3):
        given['output_padding'] = [m.integer(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
    how = m.rng.random()
    if how < 0.45:
        given['pads'] = [m.integer(0, (k - 1) * d) for k, d in zip(kernel, dilations)] * 1 + [m.integer(0, 1) for _ in kernel]
    elif how < 0.65:
        given['auto_pad'] = m.choice(['SAME_UPPER', 'SAME_LOWER', 'VALID'])
        if 'strides' in given:  # for larger strides, ONNX's text and ONNX Runtime disagree on the output size
            strides = given['strides'] = [min(stride, size) for stride, size in zip(strides, kernel)]
            given.pop('output_padding', None)
    elif how < 0.8:
        given['output_shape'] = [size * s for size, s in zip(x.shape[2:], strides)]
        given['auto_pad'] = m.choice(['SAME_UPPER', 'SAME_LOWER', 'NOTSET'])
    out = m.integer(1, 3)
    w = m.value(kind, shape=(channels, out, *kernel), constant=m.choice([True, True, False]))
    b = m.value(kind, shape=(out * groups,)) if m.chance(0.5) else None
    m.node(name, [x, w, b], [kind], group=groups if groups > 1 else None, kernel_shape=kernel if m.chance(0.5) else None, **given)


@operator('AveragePool', 'MaxPool', 'LpPool')
def pool(m, name):
    rank = spatial_rank(m)
    kind = m.type([t for t in m.types(name) if t in ('float32', 'float16', 'int8', 'uint8')])
    m.loose = m.loose or name != 'MaxPool'
    x = m.value(kind, rank=(rank + 2, rank + 2), where=lambda value: np.prod(value.shape) < 4000)
    kernel = [m.integer(1, min(5, size + 2)) for size in x.shape[2:]]
    has_dilations = m.opset >= {'AveragePool': 19, 'MaxPool': 10, 'LpPool': 18}[name]
    given = window(m, x.shape[2:], kernel, dilations=has_dilations, pool=True)
    if m.opset >= {'AveragePool': 10, 'MaxPool': 10, 'LpPool': 18}[name]:
        given['ceil_mode'] = m.choice([None, 0, 1, 1])
    if name == 'AveragePool':
        given['count_include_pad'] = m.choice([None, 0, 1])
    if name == 'LpPool':
        given['p'] = m.choice([None, 1, 2, 3])
    outputs = [kind]
    if name == 'MaxPool' and m.opset >= 8 and m.chance(0.25):
        outputs.append('int64')
        given['storage_order'] = m.choice([None, 0, 1])
    m.node(name, [x], outputs, kernel_shape=kernel, **given)


@operator('GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool')
def global_pool(m, name):
    x = m.value(m.type([t for t in m.types(name) if t in FLOATS]), rank=(3, 5))
    m.loose = True
    m.node(name, [x], [x.type], p=m.choice([None, 1, 2, 3]) if name == 'GlobalLpPool' else None)


@operator('MaxUnpool', since=9)
def max_unpool(m, name):
    x = m.value('float32', shape=(1, m.integer(1, 2), 2 * m.integer(1, 3), 2 * m.integer(1, 3)), style='normal')
    y, index = m.node('MaxPool', [x], ['float32', 'int64'], kernel_shape=[2, 2], strides=[2, 2])
    shape = m.fixed(np.array(x.shape, np.int64)) if m.chance(0.4) else None
    m.node(name, [y, index, shape], ['float32'], kernel_shape=[2, 2], strides=[2, 2])


@operator('Col2Im', since=18)
def col2im(m, name):
    rank = m.choice([1, 2, 2, 2, 3])
    block = [m.integer(1, 3) for _ in range(rank)]
    image = [size + m.integer(0, 4) for size in block]
    given = {}
    strides, pads, dilations = [1] * rank, [0] * 2 * rank, [1] * rank
    if m.chance(0.5):
        strides = given['strides'] = [m.integer(1, 3) for _ in block]
    if m.chance(0.5):
        pads = given['pads'] = [m.integer(0, 2) for _ in range(2 * rank)]
    if m.chance(0.3):
        dilations = given['dilations'] = [m.integer(1, 2) for _ in block]
        image = [max(size, (k - 1) * d + 1) for size, k, d in zip(image, block, dilations)]
    counts = [
        (size + pads[i] + pads[i + rank] - (block[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i, size in enumerate(image)
    ]
    m.loose = True
    x = m.value('float32', shape=(m.integer(1, 2), m.integer(1, 3) * int(np.prod(block)), int(np.prod(counts))))
    m.node(name, [x, m.fixed(np.array(image, np.int64)), m.fixed(np.array(block, np.int64))], ['float32'], **given)


@operator('DeformConv', since=19)
def deform_conv(m, name):
    c, groups, offset_groups = 2 * m.integer(1, 2), m.choice([1, 1, 2]), m.choice([1, 1, 2])
    h, w, kernel = m.integer(3, 6), m.integer(3, 6), [m.integer(1, 3), m.integer(1, 3)]
    given, pads, strides = {}, [0] * 4, [1, 1]
    if m.chance(0.4):
        pads = given['pads'] = [m.integer(0, 1) for _ in range(4)]
    if m.chance(0.4):
        strides = given['strides'] = [m.integer(1, 2), m.integer(1, 2)]
    oh = (h + pads[0] + pads[2] - kernel[0]) // strides[0] + 1
    ow = (w + pads[1] + pads[3] - kernel[1]) // strides[1] + 1
    m.loose = True
    x = m.value('float32', shape=(1, c, h, w))
    weight = m.value('float32', shape=(2 * groups, c // groups, *kernel), constant=True)
    offset = m.value('float32', shape=(1, offset_groups * 2 * kernel[0] * kernel[1], oh, ow), low=-2, high=2)
    bias = m.value('float32', shape=(2 * groups,)) if m.chance(0.5) else None
    mask = m.value('float32', shape=(1, offset_groups * kernel[0] * kernel[1], oh, ow), low=0, high=1) if m.chance(0.5) else None
    m.node(
        name,
        [x, weight, offset, bias, mask],
        ['float32'],
        group=groups,
        offset_group=offset_groups,
        kernel_shape=m.choice([None, kernel]),
        **given,
    )


@operator('LRN')
def lrn(m, name):
    # ONNX Runtime keeps a running sum of squares. The bounds are small because the sum loses digits if the squares differ much.
    x = m.value('float32', rank=(4, 4), low=-8, high=8)
    m.loose = True
    m.node(
        name,
        [x],
        ['float32'],
        size=m.choice([1, 3, 5, 2]),
        alpha=m.choice([None, 0.5]),
        beta=m.choice([None, 0.5]),
        bias=m.choice([None, 2.0]),
    )
