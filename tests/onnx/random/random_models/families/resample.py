"""Generators of operators that resample images."""

import numpy as np

from ..values import FLOATS
from .registry import operator


def sizes_or_scales(m, shape, axes):
    """Returns random (scales, sizes), one of which is None."""
    if m.chance(0.45):
        return None, np.array([m.integer(1, 2 * shape[axis] + 2) for axis in axes], np.int64)
    return np.array(
        [
            m.choice([0.5, 0.75, 1.0, 1.0, 1.5, 2.0, 2.0, 3.0, 0.6, 1.3]) if shape[axis] > 1 else m.choice([1.0, 2.0, 3.0])
            for axis in axes
        ],
        np.float32,
    ), None


@operator('Resize', since=10)
def resize(m, name):
    kind = m.type([t for t in m.types(name, 'T' if m.opset < 11 else 'T1') if t in FLOATS + ('int8', 'uint8', 'int32')])
    x = m.value(kind, rank=(4, 4) if m.chance(0.7) else (1, 5), where=lambda value: np.prod(value.shape) < 1500, finite=True)
    m.loose = True
    rank = x.rank
    every = m.chance(0.2)
    axes = [axis for axis in range(rank) if every or rank < 3 or axis >= 2]
    if m.opset < 11:
        scales, _ = None, None
        scales = np.array(
            [m.choice([1.0, 2.0, 1.5, 0.5]) if axis in axes and x.shape[axis] > 1 else 1.0 for axis in range(rank)], np.float32
        )
        m.node(name, [x, m.fixed(scales)], [kind], mode=m.choice([None, 'nearest', 'linear']))
        return
    mode = m.choice(['nearest', 'linear', 'cubic'])
    modes = ['half_pixel', 'pytorch_half_pixel', 'align_corners', 'asymmetric', 'tf_crop_and_resize']
    modes += ['tf_half_pixel_for_nn'] if m.opset < 13 and mode == 'nearest' else []
    modes += ['half_pixel_symmetric'] if m.opset >= 19 else []
    transformation = m.choice([None, None, *modes])
    given = {'mode': mode, 'coordinate_transformation_mode': transformation}
    if mode == 'nearest':
        given['nearest_mode'] = m.choice([None, 'round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'])
    if mode == 'cubic':
        given |= {'cubic_coeff_a': m.choice([None, -0.5]), 'exclude_outside': m.choice([None, 0, 1])}
    if m.opset >= 18 and m.chance(0.5) and mode != 'nearest':
        given['antialias'] = m.choice([0, 1])
    some = m.opset >= 18 and m.chance(0.4)
    if some:
        given['axes'] = [axis - rank if m.chance(0.3) else axis for axis in axes]
    chosen = axes if some else range(rank)
    scales, sizes = sizes_or_scales(m, x.shape, axes)
    if not some:
        whole = np.ones(rank, np.float32) if sizes is None else np.array(x.shape, np.int64)
        whole[axes] = scales if sizes is None else sizes
        scales, sizes = (whole, None) if sizes is None else (None, whole)
    if sizes is not None and m.opset >= 18 and m.chance(0.3):
        given['keep_aspect_ratio_policy'] = m.choice(['stretch', 'not_larger', 'not_smaller'])
    roi = None
    if transformation == 'tf_crop_and_resize':
        begins, ends = m.rng.uniform(0, 0.5, len(list(chosen))), m.rng.uniform(0.5, 1, len(list(chosen)))
        roi = m.fixed(np.concatenate([begins, ends]).astype(np.float32))
        given['extrapolation_value'] = m.choice([None, 1.5])
    elif m.opset < 13:
        roi = m.fixed(np.zeros(0, np.float32)) if m.opset < 11 else m.constant(np.array([0] * rank + [1] * rank, np.float32))
    inputs = [x, roi, m.fixed(scales) if scales is not None else None, m.fixed(sizes) if sizes is not None else None]
    if m.opset < 13 and scales is None:
        inputs[2] = m.constant(np.zeros(0, np.float32))
    m.node(name, inputs, [kind], **given)


@operator('Upsample', since=7, until=9)
def upsample(m, name):
    x = m.value('float32', rank=(4, 4), where=lambda value: np.prod(value.shape) < 1500, finite=True)
    scales = [1.0, 1.0, m.choice([1.0, 2.0, 3.0, 1.5]), m.choice([1.0, 2.0, 3.0, 1.5])]
    mode = m.choice([None, 'nearest', 'linear'])
    m.loose = True
    if m.opset < 9:
        m.node(name, [x], ['float32'], scales=scales, mode=mode)
    else:
        m.node(name, [x, m.fixed(np.array(scales, np.float32))], ['float32'], mode=mode)


@operator('GridSample', since=16)
def grid_sample(m, name):
    rank = 2 if m.opset < 20 or m.chance(0.7) else 3
    x = m.value('float32', shape=(m.integer(1, 2), m.integer(1, 3), *(m.integer(1, 5) for _ in range(rank))), finite=True)
    grid = m.value('float32', shape=(x.shape[0], *(m.integer(1, 4) for _ in range(rank)), rank), low=-1.5, high=1.5)
    modes = ['bilinear', 'nearest', 'bicubic'] if m.opset < 20 else ['linear', 'nearest'] + (['cubic'] if rank == 2 else [])
    m.loose = True
    m.node(
        name,
        [x, grid],
        ['float32'],
        mode=m.choice([None, *modes]),
        padding_mode=m.choice([None, 'zeros', 'border', 'reflection']),
        align_corners=m.choice([None, 0, 1]),
    )


@operator('RoiAlign', since=10)
def roi_align(m, name):
    x = m.value('float32', shape=(m.integer(1, 2), m.integer(1, 2), m.integer(3, 8), m.integer(3, 8)), finite=True)
    count = m.integer(1, 3)
    corners = np.sort(m.rng.uniform(0, 8, (count, 2, 2)), axis=1)
    rois = m.source(corners.reshape(count, 4).astype(np.float32), constant=m.chance(0.7))
    batches = m.source(m.rng.integers(0, x.shape[0], count).astype(np.int64), constant=m.chance(0.8))
    given = {
        'mode': m.choice([None, 'avg', 'max']),
        'output_height': m.choice([None, m.integer(1, 3)]),
        'output_width': m.choice([None, m.integer(1, 3)]),
        'sampling_ratio': m.choice([1, 2, 2, 3, None]),
        'spatial_scale': m.choice([None, 0.5]),
    }
    if m.opset >= 16:
        given['coordinate_transformation_mode'] = m.choice([None, 'half_pixel', 'output_half_pixel'])
    m.loose = True
    m.node(name, [x, rois, batches], ['float32'], **given)


@operator('MaxRoiPool')
def max_roi_pool(m, name):
    shape = (m.integer(1, 2), m.integer(1, 2), m.integer(3, 8), m.integer(3, 8))
    x = m.value('float32', shape=shape, finite=True)
    count = m.integer(1, 3)
    corners = np.sort(m.rng.integers(0, 8, (count, 2, 2)), axis=1).reshape(count, 4)
    rois = np.concatenate([m.rng.integers(0, shape[0], (count, 1)), corners], axis=1).astype(np.float32)
    given = {'pooled_shape': [m.integer(1, 3), m.integer(1, 3)], 'spatial_scale': m.choice([None, 0.5])}
    m.node(name, [x, m.fixed(rois)], ['float32'], **given)
