"""Checks the operators that select and scatter elements on the host, as detectors and graph neural networks use them.

usage: host_selections_test.py COUNT [--seed SEED]

Results are compared with NumPy (NonZero, TopK, scatters) and ONNX Runtime (NonMaxSuppression).
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper  # noqa: E402

import webnn  # noqa: E402

INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
FLOATS = (np.float16, np.float32, np.float64)
COMBINED = {'add': np.add, 'mul': np.multiply, 'max': np.maximum, 'min': np.minimum}
failures = []


def content_of(op, feeds, outputs, **attributes):
    nodes = [helper.make_node(op, list(feeds), list(outputs), name='n', **attributes)]
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), [None] * value.ndim)
              for name, value in feeds.items()]
    if op.startswith('Scatter'):  # NonZero needs the host; without it, a graph would compute the scatter
        nodes.append(helper.make_node('NonZero', ['i'], ['places']))
        outputs = outputs | {'places': T.INT64}
    results = [helper.make_tensor_value_info(name, type_, None) for name, type_ in outputs.items()]
    graph = helper.make_graph(nodes, 'g', inputs, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 18)], ir_version=9).SerializeToString()


def check(what, op, feeds, outputs, expected, **attributes):
    actual = webnn.InferenceSession(content_of(op, feeds, outputs, **attributes)).run(list(outputs), feeds)
    for own, wanted in zip(actual, expected, strict=True):
        if own.shape != wanted.shape or own.dtype != wanted.dtype or own.tobytes() != np.ascontiguousarray(wanted).tobytes():
            failures.append(f'{op} {what} {attributes}: {own.ravel()[:9]}... instead of {wanted.ravel()[:9]}...')


def some(random, dtype, shape):
    """Returns elements with duplicates, zeros and, for floats, NaN, infinities and -0."""
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(dtype)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        x = random.integers(-3, 4, shape).astype(dtype)
        return np.where(random.random(shape) < 0.1, random.choice([limits.min, limits.max], shape).astype(dtype), x)
    x = np.round(random.normal(size=shape) * 4).astype(dtype) / dtype(4)
    special = random.choice(np.array([np.nan, np.inf, -np.inf, -0.0, 0.0]), shape).astype(dtype)
    return np.where(random.random(shape) < 0.1, special, x)


def check_nonzero(random):
    dtype = random.choice([np.bool_, *INTEGERS, *FLOATS])
    shape = [int(size) for size in random.choice([1, 2, 3, 7, 40], int(random.integers(0, 4)))]
    x = some(random, dtype, [*shape, int(random.integers(1, 700))][:int(random.integers(0, 5))])
    if random.integers(3) == 0:
        x = np.where(random.random(x.shape) < 0.95, dtype(0), x)
    expected = np.stack(np.nonzero(np.atleast_1d(x))).astype(np.int64)
    check(f'{x.dtype}{x.shape}', 'NonZero', {'x': x}, {'y': T.INT64}, [expected])


def top(x, k, is_largest):
    """Returns the indices of the k largest or smallest elements, best first. NaN is the largest; equal elements keep their order."""
    rank = np.zeros(x.shape, int)
    order = np.unique(x)  # ascending, NaN last and once
    for i, value in enumerate(order):
        rank[np.isnan(x) if np.isnan(value) else x == value] = i
    return np.argsort(-rank if is_largest else rank, kind='stable')[:k]


def check_topk(random):
    dtype = random.choice([*INTEGERS, *FLOATS])
    shape = [int(random.integers(1, 4)), int(random.integers(1, 4)), int(random.integers(1, 4))]
    axis = int(random.integers(3))
    shape[axis] = int(random.choice([1, 5, 60, 900]))
    x, k, is_largest = some(random, dtype, shape), int(random.integers(0, shape[axis] + 1)), int(random.integers(2))
    indices = np.apply_along_axis(top, axis, x, k, is_largest).astype(np.int64)
    type_ = helper.np_dtype_to_tensor_dtype(x.dtype)
    check(f'{x.dtype}{x.shape} {k}', 'TopK', {'x': x, 'k': np.array([k])}, {'y': type_, 'i': T.INT64},
          [np.take_along_axis(x, indices, axis), indices], axis=axis, largest=is_largest)


def number_for(random, dtype, shape):
    """Returns numbers with exact sums. For float16, products are exact too: graphs round a product once, NumPy after each factor."""
    if dtype == np.float16:
        return random.choice([-1, 1], shape).astype(dtype)
    if dtype in FLOATS:
        return (random.integers(-8, 9, shape) / 8).astype(dtype)
    return random.integers(0 if np.issubdtype(dtype, np.unsignedinteger) else -9, 10, shape).astype(dtype)


def check_scatter_elements(random):
    dtype = random.choice([*INTEGERS, *FLOATS])
    shape = [int(size) for size in random.choice([1, 3, 8, 37], int(random.integers(1, 4)))]
    axis = int(random.integers(len(shape)))
    places = [int(random.integers(1, size + 1)) for size in shape]
    places[axis] = int(random.integers(1, 120))
    data, updates = number_for(random, dtype, shape), number_for(random, dtype, places)
    along = list(places)
    if random.integers(2):  # the indices are equal along all dimensions after `axis`
        along[axis + 1:] = [1] * (len(shape) - axis - 1)
    indices = np.broadcast_to(random.integers(-shape[axis], shape[axis], along), places).astype(random.choice([np.int32, np.int64]))
    reduction = str(random.choice(['none', *COMBINED]))
    expected = data.copy()
    for at in np.ndindex(*places):  # one after the other, because the order matters for rounding
        to = (*at[:axis], int(indices[at]), *at[axis + 1:])
        expected[to] = updates[at] if reduction == 'none' else COMBINED[reduction](expected[to], updates[at])
    check(f'{data.dtype}{data.shape} {indices}', 'ScatterElements', {'x': data, 'i': indices, 'u': updates},
          {'y': helper.np_dtype_to_tensor_dtype(data.dtype)}, [expected], axis=axis, reduction=reduction)


def check_scatter_nd(random):
    dtype = random.choice([*INTEGERS, *FLOATS])
    shape = [int(size) for size in random.choice([1, 3, 8, 37], int(random.integers(1, 4)))]
    depth, count = int(random.integers(1, len(shape) + 1)), int(random.integers(1, 120))
    data, updates = number_for(random, dtype, shape), number_for(random, dtype, [count, *shape[depth:]])
    indices = np.stack([random.integers(-size, size, count) for size in shape[:depth]], 1)
    reduction = str(random.choice(['none', *COMBINED]))
    expected = data.copy()
    for at, update in zip(indices, updates, strict=True):
        to = tuple(int(i) for i in at)
        expected[to] = update if reduction == 'none' else COMBINED[reduction](expected[to], update)
    check(f'{data.dtype}{data.shape} {indices}', 'ScatterND', {'x': data, 'i': indices, 'u': updates},
          {'y': helper.np_dtype_to_tensor_dtype(data.dtype)}, [expected], reduction=reduction)


def boxes_of(random, batches, count, is_centered):
    size = random.uniform(0, 0.3, (batches, count, 2)) if random.integers(2) else 10.0**random.uniform(-3, 0.5, (batches, count, 2))
    corner = random.uniform(0, 1, (batches, count, 2))
    if random.integers(2):  # keeps classes apart, like torchvision's detectors
        corner += random.integers(0, 20, (batches, count, 1)) * float(10**random.uniform(-1, 2))
    boxes = np.concatenate([corner, size if is_centered else corner + size], 2)
    if random.integers(3) == 0:
        boxes = np.round(boxes * 16) / 16
    boxes = boxes.astype(np.float32)
    if random.integers(4) == 0:
        where = random.integers(0, count, 5), random.integers(0, 4, 5)
        boxes[0][where] = random.choice([np.inf, -np.inf, 1e30, -1e30, 0], 5)
    return boxes


def check_suppression(random):
    batches, classes = (int(random.integers(1, 4)) for _ in range(2))
    count, is_centered = int(random.choice([1, 40, 700, 2500])), int(random.integers(2))
    scores = random.uniform(-1, 1, (batches, classes, count)).astype(np.float32)
    if random.integers(3) == 0:
        scores = np.round(scores * 8) / 8
    feeds = {'boxes': boxes_of(random, batches, count, is_centered), 'scores': scores, 'most': random.choice([5, 200, 10000], 1),
             'overlap': random.choice(np.float32([0, 0.3, 0.5, 0.7, 0.95]), 1), 'least': random.choice(np.float32([-2, -0.5, 0.5]), 1)}
    content = content_of('NonMaxSuppression', feeds, {'y': T.INT64}, center_point_box=is_centered)
    expected = onnxruntime.InferenceSession(content).run(None, feeds)
    check(f'of {count} boxes', 'NonMaxSuppression', feeds, {'y': T.INT64}, expected, center_point_box=is_centered)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    random = np.random.default_rng(arguments.seed)
    for _ in range(arguments.count):
        for check_random in (check_nonzero, check_topk, check_scatter_elements, check_scatter_nd, check_suppression):
            with np.errstate(all='ignore'):
                check_random(random)
    for failure in failures[:10]:
        print(failure)
    print(f'{len(failures)} failures of {arguments.count} rounds')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
