"""Compares gathers and scatters of elements and slices, OneHot, CumSum and arithmetic on lists of integers with NumPy.

usage: random_moves_test.py COUNT [--seed SEED]

Indices are negative at times, repeat, and are broadcast in each of the ways of exporters. Tensors have up to 5 dimensions and seven
element types; those of float32 may hold infinities, NaN and zeros of both signs. Updates of a scatter without a reduction have
different places, since their order is not defined. The lists are shapes that nodes compute (random_numpy/lists.py). Nodes are
sometimes shuffled.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require("numpy", "onnx")
require_webnn()
import numpy as np  # noqa: E402
from random_numpy.check import check_models  # noqa: E402
from random_numpy.lists import use_lists  # noqa: E402
from random_numpy.model import EXTREME, LENGTHS, SPECIAL, Value, finite_size  # noqa: E402

SIZES = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17]
MOST_ELEMENTS = 20_000
COUNTS = [1000, 20_000, 65_537]  # indices of a large scatter or gather
REDUCERS = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
FLOATS = [np.float32] * 4
ADDED_TYPES = [*FLOATS, np.int32, np.int64]
MOVED_TYPES = [*ADDED_TYPES, np.float16, np.int8, np.uint8, np.bool_]


def random_shape(model, least, most, sizes=SIZES, elements=MOST_ELEMENTS):
    shape = [model.pick(sizes) for _ in range(model.count(least, most))]
    while np.prod(shape) > elements:
        shape[model.random.integers(len(shape))] = 1
    return shape


def random_reduction(model):
    known = ["none"] if model.opset < 16 else ["none", "add", "add", "mul"] if model.opset < 18 else ["none", "add", *REDUCERS]
    return model.pick(known)


def choose_type(model, reduction):
    """Chooses the element type. Integers are not multiplied, since their products may not be representable."""
    model.dtype = np.dtype(model.pick({"none": MOVED_TYPES, "mul": FLOATS}.get(reduction, ADDED_TYPES)))
    if model.dtype == np.float32 and model.chance(0.15):
        model.specials = SPECIAL if reduction == "mul" else EXTREME  # products of large and small numbers depend on their order


def scattered(data, updates, places, reduction):
    """Returns the members `array` and `size` of `data` after updates at `places`, a tuple of indices for each axis."""
    array = data.array.copy()
    if reduction == "none":
        array[places] = updates.array
    else:
        REDUCERS[reduction].at(array, places, updates.array)
    size = finite_size(array)
    if reduction == "add":
        size = data.size.copy()
        np.add.at(size, places, updates.size)
    return array, size


def element_places(model, shape, axis, is_unique):
    """Returns indices along an axis, and the shape to which they are broadcast."""
    limit, target = shape[axis], list(shape)
    if model.chance(0.25):
        target = [model.count(1, size) for size in shape]
    count = model.pick([1, 2, 3, 5, 9, limit, limit, 33])
    target[axis] = min(count, limit) if is_unique else count
    given = [size if i == axis or model.chance(0.25) else 1 for i, size in enumerate(target)]
    if is_unique:
        given[axis] = limit
        return np.argsort(model.random.random(given), axis).take(range(target[axis]), axis), target
    if model.chance(0.1):
        given[axis] = 1
    return model.random.integers(0, limit, given), target


def broadcast(model, indices, target):
    """Broadcasts indices to a shape. Returns the name of the result."""
    form = model.pick(["expand"] * 3 + ["tile", "add", "multiply", "shape", "where", "concat", "twice", "max", "unsqueeze"])
    type_ = indices.dtype
    if form == "unsqueeze":
        axes = [axis for axis, size in enumerate(indices.shape) if size == 1]
        if axes:
            flat = model.value(indices.squeeze(tuple(axes)))
            return model.node("Expand", model.node("Unsqueeze", flat, model.integers(*axes)), model.integers(*target))
    while indices.ndim > 1 and indices.shape[0] == 1 and form != "tile" and model.chance(0.3):
        indices = indices[0]
    name = model.value(indices).name
    axes = [axis for axis in range(-indices.ndim, 0) if indices.shape[axis] == 1 and target[axis] < 6]
    if form == "tile":
        return model.node("Tile", name, model.integers(*(size // given for size, given in zip(target, indices.shape, strict=True))))
    if form == "concat" and axes:
        name = model.node("Concat", *[name] * target[axes[0]], axis=axes[0])
    if form == "twice":
        name = model.node("Expand", name, model.integers(*(size if model.chance(0.5) else 1 for size in target)))
    if form in ("add", "multiply", "where"):
        ones = np.ones(target, type_)
        if form == "where":
            return model.node("Where", model.constant(ones.astype(bool)), name, model.constant(np.zeros(1, type_)))
        return model.node(*(("Add", name, model.constant(ones - 1)) if form == "add" else ("Mul", name, model.constant(ones))))
    shape = model.node("Shape", model.input(np.zeros(target, np.float32))) if form == "shape" else model.integers(*target)
    return model.node("Expand", name, model.node("Max", shape, model.integers(1)) if form == "max" else shape)


def move_elements(model):
    """Adds GatherElements or ScatterElements."""
    is_gather, reduction = model.chance(0.4), random_reduction(model)
    choose_type(model, "none" if is_gather else reduction)
    shape = random_shape(model, 1, 5)
    axis = model.pick(range(len(shape)))
    places, target = element_places(model, shape, axis, is_unique=not is_gather and reduction == "none")
    given = np.where(model.random.random(places.shape) < model.pick([0, 0, 0.4]), places - shape[axis], places)
    given = given.astype(model.pick([np.int64, np.int64, np.int32]))
    array = model.numbers(*shape)
    named = [f"d{i}" for i in range(len(shape))] if model.chance(0.3) else None
    data = model.known(model.input(array, named), array) if named else model.value(array, constant=0.4)
    indices = model.known(broadcast(model, given, target), np.broadcast_to(given, target))
    everywhere = list(np.indices(target, sparse=True))
    everywhere[axis] = np.broadcast_to(places, target)
    if model.chance(0.15):
        model.output(indices)
    attributes = {"axis": axis - model.pick([0, len(shape)])}
    if is_gather:
        return model.move("GatherElements", lambda array: array[tuple(everywhere)], data, indices, **attributes)
    updates = model.numbers_value(*(size if model.chance(0.9) else 1 for size in target))
    if updates.array.shape != tuple(target):
        updates = model.move("Expand", lambda array: np.broadcast_to(array, target), updates, model.integers(*target))
    attributes |= {} if reduction == "none" else {"reduction": reduction}
    name = model.node("ScatterElements", data, indices, updates, **attributes)
    return Value(name, *scattered(data, updates, tuple(everywhere), reduction))


def slice_indices(model, places, sizes):
    """Adds the indices of slices, from one array for each axis: as one array, or as a Concat of computed arrays."""
    given = [np.where(model.random.random(one.shape) < 0.3, one - size, one) for one, size in zip(places, sizes, strict=True)]
    if model.chance(0.6):
        return model.value(np.stack(given, -1)).name
    return model.node("Concat", *(model.unsqueeze(model.value(one), -1) for one in given), axis=-1)


def move_slices(model):
    """Adds GatherND or ScatterND."""
    is_gather, reduction = model.chance(0.5), random_reduction(model)
    choose_type(model, "none" if is_gather else reduction)
    shape = random_shape(model, 1, 4)
    batch_rank = model.count(0, len(shape) - 1) if is_gather and model.chance(0.4) else 0
    rank = model.count(1, len(shape) - batch_rank)
    sizes, batch = shape[batch_rank : batch_rank + rank], shape[:batch_rank]
    points = [model.pick([1, 2, 3, 5, 8]) for _ in range(model.count(0, 2))]
    flat = model.random.integers(0, np.prod(sizes), [*batch, *points])
    if not is_gather and reduction == "none":
        flat = np.unique(flat)
        points = [flat.size]
    places = np.unravel_index(flat, sizes)
    data, indices = model.numbers_value(*shape), slice_indices(model, places, sizes)
    grid = [np.reshape(one, one.shape + (1,) * len(points)) for one in np.indices(batch)]
    if is_gather:
        attributes = {"batch_dims": batch_rank} if batch_rank else {}
        return model.move("GatherND", lambda array: array[(*grid, *places)], data, indices, **attributes)
    updates = model.numbers_value(*points, *shape[rank:])
    attributes = {} if reduction == "none" else {"reduction": reduction}
    return Value(model.node("ScatterND", data, indices, updates, **attributes), *scattered(data, updates, places, reduction))


def scatter_many(model):
    """Adds a scatter or gather with many indices, which are equal in all columns or all rows."""
    rows, columns, count, axis = model.pick([1, 2, 7, 1000, 50_000]), model.pick([1, 2, 3, 8]), model.pick(COUNTS), model.pick([0, 1])
    places = model.random.integers(0, rows, count)
    given = np.where(model.random.random(count) < 0.3, places - rows, places).reshape([-1, 1] if axis == 0 else [1, -1])
    names = model.pick([None, ["k", "e"]])
    target = [count, columns] if axis == 0 else [columns, count]
    indices = model.node("Expand", model.input(given, names), model.integers(*target))
    data = model.numbers_value(*([rows, columns] if axis == 0 else [columns, rows]))
    everywhere = (places, slice(None)) if axis == 0 else (slice(None), places)
    if model.opset < 18 or model.chance(0.3):
        return model.move("GatherElements", lambda array: array[everywhere], data, indices, axis=axis)
    reduction, updates = model.pick(["add", "min", "max"]), model.numbers_value(*target)
    name = model.node("ScatterElements", data, indices, updates, axis=axis, reduction=reduction)
    return Value(name, *scattered(data, updates, everywhere, reduction))


def encode(model):
    """Adds OneHot, for indices and depths of several types. Indices outside the range select nothing."""
    depth, shape = model.pick([1, 2, 3, 5, 7, 10, 16, 33]), [model.pick([1, 2, 3, 5, 8, 17]) for _ in range(model.count(0, 3))]
    type_ = model.pick([np.int64, np.int32, np.float32, np.uint8])
    exact = model.random.uniform(0 if type_ is np.uint8 else -depth - 3, depth + 3, shape)
    given = np.asarray(exact if type_ is np.float32 and model.chance(0.3) else np.trunc(exact)).astype(type_)
    places = np.trunc(given).astype(int)
    axis = model.count(-len(shape) - 1, len(shape))
    choose_type(model, model.pick(["none", "add"]))
    limits = model.numbers(2)
    size = np.array(depth, model.pick([np.int64, np.int32, np.float32])).reshape(model.pick([(), (1,)]))
    is_on = np.moveaxis(np.where(places < 0, places + depth, places)[..., None] == np.arange(depth), -1, axis)
    name = model.node("OneHot", model.value(given), model.value(size, constant=0.9), model.value(limits, constant=0.7), axis=axis)
    return model.known(name, np.where(is_on, limits[1], limits[0]))


def accumulate(model):
    """Adds CumSum: forward or in reverse, with each element or only with those before it."""
    choose_type(model, "add")
    shape = random_shape(model, 1, 5, [*LENGTHS, 257], 50_000)
    axis, exclusive, reverse = model.pick(range(len(shape))), model.count(0, 1), model.count(0, 1)

    def sums(array):
        array = np.flip(array, axis) if reverse else array
        summed = np.cumsum(array, axis, dtype=array.dtype)
        if exclusive:
            start = np.zeros_like(np.take(summed, [0], axis))
            summed = np.concatenate([start, np.take(summed, range(shape[axis] - 1), axis)], axis)
        return np.flip(summed, axis) if reverse else summed

    operand = np.array(model.pick([axis, axis - len(shape)]), model.pick([np.int32, np.int64])).reshape(model.pick([(), (1,)]))
    return model.move("CumSum", sums, model.numbers_value(*shape), model.constant(operand), exclusive=exclusive, reverse=reverse)


def make(model):
    if model.chance(0.3):
        model.kind = use_lists.__name__
        use_lists(model)
    else:
        kind = model.pick([move_elements] * 8 + [move_slices] * 4 + [encode] * 2 + [accumulate] * 2) if model.chance(0.98) else scatter_many
        model.kind, value = kind.__name__, kind(model)
        if model.dtype == np.float32 and model.chance(0.25):
            value = model.negate(value)
        if value.array.ndim > 1 and model.chance(0.1):
            value = model.transpose(value, model.random.permutation(value.array.ndim))
        model.output(value)
    if model.chance(0.4):
        model.shuffle()
    return True


if __name__ == "__main__":
    sys.exit(check_models(make))
