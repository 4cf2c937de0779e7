"""Sampling as exporters write it: a Gather and a product for each corner, GridSample in attention, sums of rows per batch."""

import numpy as np

from onnx import TensorProto
from random_numpy.model import CHANNELS, LENGTHS, Value

SHAPES = [(), (1,), (3,), (4, 5), (16,), (33,), (2, 3, 2)]
POINTS = [1, 2, 3, 5, 7, 8, 11, 16, 31, 64]


def coordinates(model, size, shape):
    """Returns the lower neighbours of random coordinates on an axis, and the weights of the lower and the upper neighbours."""
    exact = np.asarray(model.random.uniform(-1.5, size + 0.5, shape), np.float32)
    given = model.value(np.round(exact * 2) / 2 if model.chance(0.3) else exact, constant=0)
    lower = model.apply("Floor", np.floor, given)
    upper_weight = model.subtract(given, lower)
    return lower, (model.subtract(model.scalar(1), upper_weight), upper_weight)


def is_inside(model, position, size):
    above = model.apply("GreaterOrEqual", np.greater_equal, position, model.scalar(0))
    below = model.apply("LessOrEqual", np.less_equal, position, model.scalar(size - 1))
    return model.apply("And", np.logical_and, above, below)


def corner_of(model, sizes, axes, corner):
    """Returns the clipped indices on each axis, the mask of positions inside the image, and the weight of a corner."""
    indices, mask, weight = [], None, None
    type_, dtype = model.pick([(TensorProto.INT64, np.int64), (TensorProto.INT32, np.int32)])
    for i, (size, (lower, weights)) in enumerate(zip(sizes, axes, strict=True)):
        is_upper = corner >> i & 1
        position = model.add(lower, model.scalar(1)) if is_upper else lower
        inside = is_inside(model, position, size)
        mask = model.apply("And", np.logical_and, mask, inside) if mask else inside
        clipped = model.apply("Clip", np.clip, position, model.scalar(0), model.scalar(size - 1))
        indices.append(model.apply("Cast", lambda array: array.astype(dtype), clipped, to=type_))
        weight = model.multiply(weight, weights[is_upper]) if weight else weights[is_upper]
    return indices, mask, weight


def flat_index(model, sizes, indices):
    """Returns the index of an element of an image whose axes are merged."""
    flat = indices[0]
    for size, index in zip(sizes[1:], indices[1:], strict=True):
        factor = model.value(np.array(size, index.array.dtype), constant=1)
        flat = model.apply("Add", np.add, model.apply("Mul", np.multiply, flat, factor), index)
    return flat


def corner_rows(model, image, sizes, indices, layout):
    """Returns the elements of a corner: from a table of rows, from a table of columns, or with GatherND from the image itself."""
    if layout != "image":
        return model.gather(image, flat_index(model, sizes, indices), axis=0 if layout == "rows" else 1)
    last = [model.apply("Cast", np.int64, model.unsqueeze(index, -1), to=TensorProto.INT64) for index in indices]
    joined = model.apply("Concat", lambda *arrays: np.concatenate(arrays, -1), *last, axis=-1)
    return model.move("GatherND", lambda array: array[tuple(index.array for index in indices)], image, joined)


def sample(model):
    """Adds an interpolation of an image at random coordinates, from 2, 4 or 8 corners. Corners outside are clipped or count as 0."""
    sizes = [model.pick([1, 2, 3, 4, 5, 7, 9, 16]) for _ in range(model.pick([1, 2, 2, 2, 3]))]
    channels, points, layout = model.pick(CHANNELS), model.pick(SHAPES), model.pick(["rows", "rows", "columns", "image"])
    masks = model.pick(["none", "rows", "weights", "factor"])
    flat = int(np.prod(sizes))
    shape = {"rows": [flat, channels], "columns": [channels, flat], "image": [*sizes, channels]}[layout]
    image = model.numbers_value(*shape)
    axes = [coordinates(model, size, points) for size in sizes]
    terms, steps = [], []
    for corner in range(2 ** len(sizes)):
        indices, mask, weight = corner_of(model, sizes, axes, corner)
        rows = corner_rows(model, image, sizes, indices, layout)
        if layout != "columns":
            mask, weight = model.unsqueeze(mask, -1), model.unsqueeze(weight, -1)
        if masks == "rows":
            rows = model.where(mask, rows, model.scalar(0))
        elif masks == "weights":
            weight = model.where(mask, weight, model.scalar(0))
        elif masks == "factor":
            weight = model.multiply(weight, model.apply("Cast", np.float64, mask, to=TensorProto.FLOAT))
        terms.append(model.multiply(rows, weight))
        steps += [rows, terms[-1]]
    return model.sum_of(terms), steps


def sampled(image, grid, align_corners, is_clipped):
    """Computes a bilinear GridSample. Returns the sums, and the sums of the absolute values of their terms."""
    sizes = np.array(image.shape[:1:-1])
    places = (grid + 1) / 2 * (sizes - 1) if align_corners else ((grid + 1) * sizes - 1) / 2
    places = np.clip(places, 0, sizes - 1) if is_clipped else places
    result = np.zeros((2, *image.shape[:2], *grid.shape[1:3]))
    for corner in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        at = np.floor(places) + corner
        weights = np.prod(1 - np.abs(places - at), -1) * np.all((at >= 0) & (at < sizes), -1)
        x, y = np.moveaxis(np.clip(at, 0, sizes - 1).astype(int), -1, 0)
        for batch in range(image.shape[0]):
            terms = image[batch][:, y[batch], x[batch]] * weights[batch]
            result[:, batch] += terms, np.abs(terms)
    return result


def sample_grid(model, batches, channels, points, taps, attributes):
    """Adds a GridSample of a new image."""
    sizes = [model.pick([1, 2, 3, 5, 8, 16]) for _ in range(2)]
    image = model.numbers_value(batches, channels, *sizes)
    grid = model.value(model.random.uniform(-1.3, 1.3, (batches, points, taps, 2)).astype(np.float32), constant=0)
    mode = "linear" if model.opset >= 20 else "bilinear"
    name = model.node("GridSample", image, grid, mode=mode, **attributes)
    is_clipped = attributes["padding_mode"] == "border"
    array, size = sampled(image.array, grid.array, attributes["align_corners"], is_clipped)
    return Value(name, array, size + image.size.max() * max(sizes))  # coordinates in float32 are rounded


def attend_deformably(model):
    """Adds a multi-scale deformable attention: weighted sums of samples from several images."""
    if model.opset < 16:
        return None, []
    model.specials = ()  # no infinities, because a corner's weight may be 0 or a rounding error
    batches, channels, points, taps = (
        model.pick([1, 2, 3, 6]),
        model.pick(CHANNELS),
        model.pick([1, 2, 5, 8, 16, 33]),
        model.pick([1, 2, 4, 8]),
    )
    attributes = {"align_corners": model.count(0, 1), "padding_mode": model.pick(["zeros", "border"])}
    levels = [sample_grid(model, batches, channels, points, taps, attributes) for _ in range(model.count(1, 4))]
    if model.chance(0.5):
        terms = [model.total(model.multiply(level, model.numbers_value(batches, 1, points, taps)), [3]) for level in levels]
        return model.sum_of(terms), levels
    joined = Value(model.node("Concat", *levels, axis=-1), *(np.concatenate([level[i] for level in levels], -1) for i in (1, 2)))
    weighted = model.multiply(joined, model.numbers_value(batches, 1, points, taps * len(levels)))
    return model.total(weighted, [3]), [joined, weighted]


def batched_rows(model, table, rows, axis, form):
    """Gathers rows of each batch: `rows` is of shape [batches, count], and `table` has its rows along `axis` 1 or 2."""
    batches, limit, channels = table.array.shape[0], table.array.shape[axis], table.array.shape[3 - axis]
    places = np.expand_dims(rows, 3 - axis)
    given = np.where(model.random.random(rows.shape) < 0.1, rows - limit, rows)
    if form == "GatherElements":
        repeats = [1, 1, channels] if axis == 1 else [1, channels, 1]
        op = model.pick(["Expand", "Tile"])
        operand = model.node(op, model.value(np.expand_dims(given, 3 - axis)), model.integers(*repeats))
        name = model.node(form, table, operand, axis=model.pick([axis, axis - 3]))
    elif form == "GatherND":
        name = model.node(form, table, model.value(given[..., None]), batch_dims=1)
    else:
        offsets = model.constant(np.arange(batches).reshape(-1, 1) * limit)
        flat = model.node("Reshape", table, model.integers(-1, channels))
        name = model.node("Gather", flat, model.node("Add", model.input(rows), offsets), axis=0)
    return Value(name, *(np.take_along_axis(one, places, axis) for one in table[1:]))


def sum_batches(model):
    """Adds weighted sums over rows that each batch chooses: all rows in one Gather, or a Gather for each term."""
    form = model.pick(["GatherElements", "GatherElements", "GatherND", "Gather"])
    axis = model.pick([1, 2]) if form == "GatherElements" else 1
    batches, limit, channels = model.pick([1, 1, 2, 3]), model.pick(LENGTHS), model.pick(CHANNELS)
    points, taps = model.pick(POINTS), model.pick([1, 2, 3, 4, 4, 8, 9])
    table = model.numbers_value(*([batches, limit, channels] if axis == 1 else [batches, channels, limit]))
    steps = []
    if model.chance(0.4):
        order = model.pick([[points, taps], [taps, points]])
        rows = batched_rows(model, table, model.random.integers(0, limit, (batches, points * taps)), axis, form)
        steps.append(model.reshape(rows, [batches, *order, channels] if axis == 1 else [batches, channels, *order]))
        weights = [batches, *order, 1] if axis == 1 else [batches, 1, *order]
        steps.append(model.multiply(steps[-1], model.numbers_value(*weights)))
        return model.total(steps[-1], [axis + order.index(taps)]), steps
    for _ in range(taps):
        rows = batched_rows(model, table, model.random.integers(0, limit, (batches, points)), axis, form)
        shape = [batches, points, 1] if axis == 1 else [batches, 1, points]
        if model.chance(0.3):
            rows = model.where(model.value(model.random.random(shape) < 0.6), rows, model.scalar(0))
        steps.append(model.multiply(rows, model.numbers_value(*shape)))
    return model.sum_of(steps), steps
