"""Checks graphs with open dimensions that are saved as ONNX: ONNX Runtime must compute the graph's results for several sizes, and
names must be kept.

Usage: open_exports_test.py RANDOM_OPEN_GRAPHS [COUNT] [--seed N]: RANDOM_OPEN_GRAPHS is the test that writes random graphs.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from verify import require, require_webnn

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

import webnn  # noqa: E402

random = np.random.default_rng(7)


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def attention(builder):
    """Returns one step of a decoder, with a cache of any length and 1 to 16 new tokens."""
    x = builder.input('x', ['batch', webnn.MLDynamicDimension('new', 16, min_size=1), 32], 'float32')
    past = builder.input('past', ['batch', 4, 'past', 8], 'float32')
    def heads(weights):
        product = builder.matmul(x, builder.constant(weights))
        return builder.transpose(builder.reshape(product, ['batch', 'new', 4, 8]), permutation=[0, 2, 1, 3])
    keys = builder.concat([past, heads(floats(32, 32))], 2)
    scores = builder.softmax(builder.matmul(heads(floats(32, 32)), builder.transpose(keys, permutation=[0, 1, 3, 2])), 3)
    rows = builder.transpose(builder.matmul(scores, keys), permutation=[0, 2, 1, 3])
    return {'y': builder.reshape(rows, ['batch * new', 32]), 'present': keys}


def detector(builder):
    """Convolves and pools an image of any size. Returns the result, resized by 2, and its means."""
    x = builder.input('x', ['batch', 3, 'height', 'width'], 'float32')
    y = builder.relu(builder.conv2d(x, builder.constant(floats(8, 3, 3, 3)), padding=[1, 1, 1, 1], strides=[2, 2]))
    y = builder.max_pool2d(y, window_dimensions=[2, 2], strides=[2, 2])
    wide = builder.resample2d(y, mode='nearest-neighbor', scales=[2, 2])
    return {'y': wide, 'mean': builder.reduce_mean(y, axes=[2, 3])}


def parts(builder):
    """Returns slices, splits, pads, tiles and expansions with sizes that are expressions."""
    x = builder.input('x', ['n', 6], 'float32')
    mask = builder.input('mask', ['n + 1'], 'float32')
    first, second = builder.split(builder.tile(x, [3, 1]), ['n', '2 * n'])
    return {'second': second, 'half': builder.slice(builder.pad(first, ['n', 0], [1, 0]), ['n', 0], ['ceil(n / 2)', 6]),
            'wide': builder.expand(builder.reshape(mask, ['n + 1', 1]), ['n + 1', 'n'])}


def small_and_large(builder):
    """Returns an output whose size first changes at n = 5000, a gather whose indices are out of range for n < 3, and a slice whose
    start contains the floor of a number that is negative for n > 3."""
    x = builder.input('x', ['n', 2], 'float32')
    blocks = builder.tile(builder.constant(floats(1, 2)), ['floor(n / 5000) + 1', 1])
    third = builder.gather(x, builder.constant(np.array([2, -3], np.int64)))
    below = builder.slice(builder.pad(x, [3, 0], [0, 0]), ['floor((3 - n) / 2) + n', 0], [1, 2])
    return {'blocks': blocks, 'third': third, 'below': below}


def one_or_many(builder):
    """Returns a sum of two operands that are both broadcast, and a reshape of the sum to one dimension."""
    a = builder.input('a', ['n', 1, 'k'], 'float32')
    b = builder.input('b', ['m', 'k'], 'float32')
    both = builder.add(a, b)
    return {'sum': both, 'flat': builder.reshape(both, ['n * m * k'])}


def bounded(builder):
    """Returns a reshape, a triangle and a pad of a matrix whose sizes have narrow bounds."""
    rows = webnn.MLDynamicDimension('rows', 4, min_size=2)
    columns = webnn.MLDynamicDimension('columns', 9, min_size=1)
    x = builder.input('x', [rows, columns], 'float32')
    return {'y': builder.reshape(x, ['columns', 'rows']), 'z': builder.triangular(x, diagonal=3),
            'p': builder.pad(x, ['rows', 0], [0, 'columns - 1'])}


def indices(builder):
    """Returns gathers whose indices along open dimensions are clamped, and a scatter in which the last update of an element
    counts."""
    x = builder.input('x', ['n', 'm'], 'float32')
    where = builder.input('where', ['k', 2], 'int32')
    column = builder.input('column', ['n', 1], 'int64')
    updates = builder.input('updates', ['k'], 'float32')
    return {'nd': builder.gather_nd(x, where), 'scattered': builder.scatter_nd(x, where, updates),
            'elements': builder.gather_elements(x, column, axis=1), 'at': builder.gather(x, column, axis=1)}


def whole_planes(builder):
    """Returns pools of whole planes, pools with padding whose output sizes are rounded down, and a transposed convolution."""
    x = builder.input('x', [1, 2, 'height', 'width'], 'float32')
    resnet = builder.max_pool2d(x, window_dimensions=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])
    return {'max': builder.max_pool2d(x), 'mean': builder.average_pool2d(x), 'l2': builder.l2_pool2d(x), 'resnet': resnet,
            'average': builder.average_pool2d(x, window_dimensions=[2, 3], padding=[1, 0, 2, 1]),
            'wide': builder.conv_transpose2d(x, builder.constant(floats(2, 1, 3, 3)), strides=[2, 2], padding=[1, 0, 1, 0])}


def padded(builder):
    """Returns pools of padded images: ONNX Runtime must not make a Pad the padding of MaxPool."""
    x = builder.input('x', ['n', 1, 'height', 2], 'float32')
    below = builder.sub(x, builder.constant('float32', 3))
    def pool(mode, copies=0):
        y = builder.pad(below, [0, 0, 1, 0], [0, 0, 1, 1], mode=mode)
        return builder.max_pool2d(builder.identity(y) if copies else y, window_dimensions=[2, 2], padding=[0, 1, 0, 0])
    return {'zeros': pool('constant'), 'copies': pool('constant', 1), 'edge': pool('edge')}


def merged(builder):
    """Returns operations that ONNX Runtime fuses incorrectly: a matmul after a transpose that moves the batch dimension, and
    divisions whose dividend has a higher rank than the divisor."""
    x = builder.input('x', [1, 'n', 4], 'float16')
    moved = builder.transpose(x, permutation=[1, 0, 2])
    product = builder.add(builder.matmul(moved, builder.constant(np.ones((4, 5), np.float16))), builder.constant('float16', 2))
    y = builder.input('y', ['n', 2], 'float32')
    ones = builder.constant(np.ones((1, 1, 1), np.float32))
    whole = builder.input('whole', ['n', 2], 'int32')
    counted = builder.div(builder.constant(np.full((1, 1, 1), 7, np.int32)), whole)
    return {'product': product, 'sum': builder.reduce_sum(builder.mul(builder.div(ones, builder.exp(y)), y), axes=[0]),
            'quotient': builder.reduce_sum(counted, axes=[0])}


def spread(builder):
    """Returns a transposed convolution. The expression of its output size makes the padding the same for all sizes."""
    x = builder.input('x', [1, 1, 'height', 3], 'float32')
    filter = builder.constant(floats(1, 1, 3, 3))
    return {'y': builder.conv_transpose2d(x, filter, strides=[8, 1], output_sizes=['8 * height - 1', 5])}


def normalized(builder):
    """Returns layer and batch normalizations over open axes, and a GRU with an open number of sequences."""
    x = builder.input('x', ['n', 3, 'm'], 'float32')
    scale = builder.input('scale', ['m'], 'float32')
    y = builder.layer_normalization(x, scale=scale, axes=[2])
    means = builder.constant(np.zeros(3, np.float32)), builder.constant(np.ones(3, np.float32))
    z = builder.batch_normalization(builder.transpose(x, permutation=[0, 2, 1]), *means, axis=2)
    steps = builder.reshape(builder.input('steps', ['4', 'n', 6], 'float32'), [4, 'n', 6])
    states = builder.gru(steps, builder.constant(floats(1, 15, 6)), builder.constant(floats(1, 15, 5)), 4, 5)
    return {'y': y, 'z': z, 'states': states[0], 'rows': builder.layer_normalization(x, axes=[0, 2])}


def names(builder):
    """Builds inputs that only define sizes and have names that the writer would choose itself, and a size whose name reads like
    an expression."""
    builder.input('y', ['rows'], 'float32')
    builder.input('sizes', ["'n + 1'"], 'float32')
    x = builder.input('x', ['n', 'rows'], 'float32')
    return {'sum': builder.expand(builder.reduce_sum(x, axes=[1]), ["'n + 1'", 'n']), 'z': builder.pad(x, [1, 0], [0, 0])}


CASES = {
    attention: [dict(batch=2, new=1, past=3), dict(batch=1, new=5, past=7), dict(batch=1, new=16, past=1),
                dict(batch=2, new=3, past=0)],
    detector: [dict(batch=1, height=32, width=64), dict(batch=3, height=9, width=17)],
    parts: [dict(n=1), dict(n=8), dict(n=31)],
    small_and_large: [dict(n=1), dict(n=2), dict(n=3), dict(n=40), dict(n=4999), dict(n=5000), dict(n=10001)],
    one_or_many: [dict(n=1, m=3, k=2), dict(n=3, m=3, k=1), dict(n=3, m=1, k=4), dict(n=0, m=1, k=4), dict(n=2, m=2, k=0)],
    bounded: [dict(rows=rows, columns=columns) for rows in (2, 4) for columns in (1, 2, 9)],
    indices: [dict(n=1, m=1, k=1), dict(n=5, m=3, k=40), dict(n=40, m=2, k=5)],
    whole_planes: [dict(height=3, width=3), dict(height=4, width=7), dict(height=33, width=2)],
    padded: [dict(n=1, height=2), dict(n=2, height=5)],
    merged: [dict(n=3), dict(n=1)],
    spread: [dict(height=1), dict(height=30)],
    normalized: [dict(n=1, m=1), dict(n=2, m=5)],
    names: [{'n': 1, 'rows': 3, "'n + 1'": 5}, {'n': 4, 'rows': 1, "'n + 1'": 1}],
}


def rounded_up(builder):
    x = builder.input('x', [1, 2, 'height', 'width'], 'float32')
    return builder.max_pool2d(x, window_dimensions=[2, 2], strides=[2, 2], output_shape_rounding='ceil')


def resized(builder):
    x = builder.input('x', [1, 'height', 'width', 3], 'float32')
    return builder.resample2d(x, mode='linear', scales=[1.5, 1.5], axes=[1, 2])


def dilated(builder):
    x = builder.input('x', [1, 1, 'height', 'width'], 'float32')
    return builder.max_pool2d(x, window_dimensions=[2, 2], dilations=[2, 2], padding=[1, 1, 1, 1])


def without_source(builder):
    x = builder.input('x', ['n * 2'], 'float32')
    return builder.reshape(x, ['n', 2])


def dilated_plane(builder):
    x = builder.input('x', [1, 1, 'n', 'n'], 'float32')
    return builder.average_pool2d(x, window_dimensions=['n', 1], dilations=[2, 1], strides=[2, 1], output_shape_rounding='ceil')


REFUSED = {dilated_plane: 'averagePool2d', rounded_up: 'maxPool2d', resized: 'resample2d', dilated: 'maxPool2d', without_source: '"n"'}


def feed_for(entry, sizes):
    shape = [sizes[size] if size in sizes else eval(str(size), {}, dict(sizes)) for size in entry.shape]  # such as "n + 1"
    kind = {'float': np.float32, 'bool': np.bool_}.get(entry.type[7:-1]) or np.dtype(entry.type[7:-1])
    lowest = 0 if np.dtype(kind).kind in 'ub' else -3
    numbers = np.asarray(random.integers(lowest, 4, shape)).astype(kind)
    return np.asarray(numbers / 2, kind) if numbers.dtype.kind == 'f' else numbers


def runtime_session(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=['CPUExecutionProvider'])


def compare(session, path, sizes):
    """Compares a session's results with those of ONNX Runtime and of a session that loads the saved model. Returns False if the
    session refuses the sizes."""
    feeds = {entry.name: feed_for(entry, sizes) for entry in session.get_inputs()}
    outputs = [output.name for output in session.get_outputs()]
    try:
        expected = session.run(outputs, feeds)
    except (TypeError, webnn.NotSupportedError):
        return False
    for other in (runtime_session(path), webnn.InferenceSession(path)):
        read = {entry.name for entry in other.get_inputs()}
        for name, ours, actual in zip(outputs, expected, other.run(outputs, {name: feeds[name] for name in read})):
            assert ours.shape == actual.shape, (path.name, sizes, name, ours.shape, actual.shape)
            np.testing.assert_allclose(actual, ours, rtol=1e-4, atol=1e-4, err_msg=f'{path.name} {sizes} {name}')
    return True


def check(make, folder):
    builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='cpu'))
    session = builder.build_session(make(builder))
    path = Path(folder) / f'{make.__name__}.onnx'
    session.save(path)
    model = onnx.load(path)
    onnx.checker.check_model(str(path), full_check=True)
    declared = {entry.name: [d.dim_param or d.dim_value for d in entry.type.tensor_type.shape.dim] for entry in model.graph.input}
    for entry in session.get_inputs():
        if make is not names:
            assert declared[entry.name] == list(entry.shape), (entry.name, declared)
    for sizes in CASES[make]:
        assert compare(session, path, sizes), (make.__name__, sizes)


# Operators between a Pad and a pool. ONNX Runtime removes or reorders them, and then merges the Pad into the pool.
BETWEEN = {
    'nothing': lambda b, y: y, 'identity': lambda b, y: b.identity(y), 'expand': lambda b, y: b.expand(y, list(y.shape)),
    'clamp': lambda b, y: b.clamp(y), 'linear': lambda b, y: b.linear(y), 'reshape': lambda b, y: b.reshape(y, list(y.shape)),
    'flat': lambda b, y: b.reshape(b.reshape(y, [1, 50]), [1, 2, 5, 5]),
    'transposes': lambda b, y: b.transpose(b.transpose(y, permutation=[0, 2, 3, 1]), permutation=[0, 3, 1, 2]),
    'plane': lambda b, y: b.transpose(y, permutation=[0, 1, 3, 2]), 'sum': lambda b, y: b.add(y, b.constant('float32', 0)),
    'product': lambda b, y: b.mul(y, b.constant('float32', 1)), 'quotient': lambda b, y: b.div(y, b.constant('float32', 1)),
    'difference': lambda b, y: b.sub(y, b.constant('float32', 0)), 'cast': lambda b, y: b.cast(y, 'float32'),
    'slice': lambda b, y: b.slice(y, [0, 0, 0, 0], list(y.shape)), 'tile': lambda b, y: b.tile(y, [1, 1, 1, 1]),
    'concat': lambda b, y: b.concat([y], 0), 'split': lambda b, y: b.split(y, 1)[0],
    'parts': lambda b, y: b.concat(b.split(y, [1, 1], axis=1), 1), 'resample': lambda b, y: b.resample2d(y, sizes=[5, 5]),
    'reduce': lambda b, y: b.reduce_sum(y, axes=[]), 'reverse': lambda b, y: b.reverse(b.reverse(y)),
}


def check_merges(folder):
    """Checks pools of padded images. ONNX Runtime merges the Pad into the pool, even if operators that do nothing lie between
    them."""
    path = Path(folder) / 'merged.onnx'
    image = -np.arange(1, 19, dtype=np.float32).reshape(1, 2, 3, 3)
    for name, between in BETWEEN.items():
        for pool, layout in (('max_pool2d', 'nchw'), ('max_pool2d', 'nhwc'), ('average_pool2d', 'nchw')):
            builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='cpu'))
            y = between(builder, builder.pad(builder.input('x', [1, 2, 3, 3], 'float32'), [0, 0, 1, 1], [0, 0, 1, 1]))
            if layout == 'nhwc':
                y = builder.transpose(y, permutation=[0, 2, 3, 1])
            graph = builder.build({'y': getattr(builder, pool)(y, window_dimensions=[3, 3], layout=layout)})
            graph.save(path)
            expected = np.empty(graph.outputs['y'].shape, np.float32)
            planes = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
            planes = planes.transpose(0, 1, 3, 2) if name == 'plane' else planes
            for row, column in np.ndindex(3, 3):
                window = planes[:, :, row:row + 3, column:column + 3]
                value = window.max((2, 3)) if pool == 'max_pool2d' else window.mean((2, 3))
                expected[(slice(None), row, column) if layout == 'nhwc' else (slice(None), slice(None), row, column)] = value
            actual = runtime_session(path).run(None, {'x': image})[0]
            np.testing.assert_allclose(actual, expected, rtol=1e-5, err_msg=f'{name} {pool} {layout}')


def check_fixed_session(folder):
    """Checks that a session with fixed sizes is written with numbers, and that a loaded session knows its outputs."""
    def session(**options):
        builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='cpu'))
        return builder.build_session({'y': builder.relu(resized(builder))}, **options)
    path = Path(folder) / 'session.onnx'
    session(dimensions={'height': 4, 'width': 6}).save(path)
    shapes = [[d.dim_value for d in entry.type.tensor_type.shape.dim] for entry in onnx.load(path).graph.output]
    assert shapes == [[1, 6, 9, 3]], shapes
    built = session()
    for suffix in ('.webnn', '.webnnb', '.json'):
        built.save(path.with_suffix(suffix))
        loaded = webnn.InferenceSession(path.with_suffix(suffix))
        assert str(loaded.get_outputs()) == str(built.get_outputs()), (suffix, loaded.get_outputs())


def check_refusal(make, culprit, folder):
    builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='cpu'))
    session = builder.build_session({'y': make(builder)})
    path = Path(folder) / 'refused.onnx'
    try:
        session.save(path)
    except webnn.NotSupportedError as error:
        assert culprit in str(error), error
        assert not path.exists()
    else:
        raise AssertionError(f'{make.__name__} is saved')


def names_of(graph):
    return {dimension.dim_param for entry in graph.input for dimension in entry.type.tensor_type.shape.dim if dimension.dim_param}


def has_empty_values(path, sizes):
    model = onnx.load(path)
    for entry in model.graph.input:
        for dimension in entry.type.tensor_type.shape.dim:
            if dimension.dim_param:
                dimension.dim_value = sizes[dimension.dim_param]
    for entry in [*model.graph.value_info, *model.graph.output]:
        entry.type.tensor_type.ClearField('shape')
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    return any(dimension.HasField('dim_value') and dimension.dim_value == 0 for entry in [*inferred.value_info, *inferred.output]
               for dimension in entry.type.tensor_type.shape.dim)


def differs(expected, actual):
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        return True
    if expected.dtype.kind != 'f':
        return not np.array_equal(expected, actual)
    tolerance = 2e-3 if expected.dtype == np.float16 else 1e-4
    return not np.allclose(actual.astype(float), expected.astype(float), rtol=tolerance, atol=1e-3, equal_nan=True)


def compare_with_fixed(path, sizes):
    """Compares the exports of a graph with open dimensions and of the same graph with fixed sizes. Returns False if the graph
    refuses the sizes."""
    fixed = path.with_name('fixed.onnx')
    try:
        webnn.InferenceSession(path.with_suffix('.webnn'), dimensions=sizes).save(fixed, weights='inline')
    except (TypeError, webnn.NotSupportedError):
        return False
    models = runtime_session(fixed), runtime_session(path)
    feeds = {entry.name: feed_for(entry, sizes) for entry in models[1].get_inputs()}
    results = [model.run(None, {entry.name: feeds[entry.name] for entry in model.get_inputs()}) for model in models]
    for entry, expected, actual in zip(models[1].get_outputs(), *results):
        assert not differs(expected, actual), (path.name, sizes, entry.name, expected, actual)
    return True


def written(test, name, variable, count, seed, folder):
    """Runs a test of random open graphs, which writes them into the folder. Returns the paths of the models."""
    environment = dict(os.environ, **{f'{variable}_KEEP': folder, f'{variable}_GRAPHS': str(count), f'{variable}_SEED': str(seed)})
    subprocess.run([test, f'--gtest_filter={name}.*'], env=environment, check=True, stdout=subprocess.DEVNULL)
    return sorted(Path(folder).glob('*.onnx'))


def check_random(test, count, seed):
    """Compares models of random open graphs. Returns how many sets of sizes agree.

    ONNX Runtime fails, is wrong or crashes for many operators without elements, so no value has a size of 0.
    """
    agreeing = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in written(test, 'RandomOpenGraphs', 'WEBNN_OPEN', count, seed, folder):
            names = names_of(onnx.load(path).graph)
            for n, m, k in ((1, 1, 1), (2, 2, 2), (3, 2, 4), (5, 1, 3), (7, 6, 9)):
                sizes = {name: size for name, size in dict(n=n, m=m, k=k).items() if name in names}
                agreeing += not has_empty_values(path, sizes) and compare_with_fixed(path, sizes)
    return agreeing


def check_opened(test, count, seed):
    """Compares random graphs of all operations and types, with names in place of sizes. Returns how many sets of sizes agree."""
    agreeing = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in written(test, 'OpenedGraphs', 'WEBNN_OPENED', count, seed, folder):
            graph = onnx.load(path).graph
            if any(entry.type.tensor_type.elem_type in (onnx.TensorProto.INT4, onnx.TensorProto.UINT4)
                   for entry in [*graph.input, *graph.output]):
                continue  # NumPy has no such arrays
            before = {name: int(name[1:]) for name in names_of(graph)}
            for sizes in ([before, {name: size + 1 for name, size in before.items()}, {name: 1 for name in before}] +
                          [{**before, name: size} for name in before for size in (1, before[name] + 3)]):
                agreeing += compare_with_fixed(path, sizes)
    return agreeing


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('test')
    parser.add_argument('count', nargs='?', type=int, default=150)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for make in CASES:
            check(make, folder)
        for make, culprit in REFUSED.items():
            check_refusal(make, culprit, folder)
        check_fixed_session(folder)
        check_merges(folder)
    agreeing = check_random(arguments.test, arguments.count, arguments.seed)
    opened = check_opened(arguments.test, arguments.count, arguments.seed)
    assert agreeing > arguments.count // 2 and opened > arguments.count // 2, (agreeing, opened)
    print(f'{len(CASES)} models agree, {len(REFUSED)} are refused; random models agree for {agreeing} sets of sizes, opened ones '
          f'for {opened}')


main()
