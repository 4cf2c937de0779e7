"""Graphs with open dimensions, saved as ONNX: ONNX Runtime computes for each size what the graph does, and the names are kept."""
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
    """One step of a decoder: a cache of any length and new tokens of any number."""
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
    """Convolutions and pools over an image of any size, and a resize to twice their result."""
    x = builder.input('x', ['batch', 3, 'height', 'width'], 'float32')
    y = builder.relu(builder.conv2d(x, builder.constant(floats(8, 3, 3, 3)), padding=[1, 1, 1, 1], strides=[2, 2]))
    y = builder.max_pool2d(y, window_dimensions=[2, 2], strides=[2, 2])
    wide = builder.resample2d(y, mode='nearest-neighbor', scales=[2, 2])
    return {'y': wide, 'mean': builder.reduce_mean(y, axes=[2, 3])}


def parts(builder):
    """Slices, splits, pads, tiles and expansions whose sizes are expressions."""
    x = builder.input('x', ['n', 6], 'float32')
    mask = builder.input('mask', ['n + 1'], 'float32')
    first, second = builder.split(builder.tile(x, [3, 1]), ['n', '2 * n'])
    return {'second': second, 'half': builder.slice(builder.pad(first, ['n', 0], [1, 0]), ['n', 0], ['ceil(n / 2)', 6]),
            'wide': builder.expand(builder.reshape(mask, ['n + 1', 1]), ['n + 1', 'n'])}


CASES = [(attention, {'batch': 2, 'new': 1, 'past': 3}), (attention, {'batch': 1, 'new': 5, 'past': 7}),
         (attention, {'batch': 1, 'new': 16, 'past': 1}), (detector, {'batch': 1, 'height': 32, 'width': 64}),
         (detector, {'batch': 3, 'height': 9, 'width': 17}), (parts, {'n': 1}), (parts, {'n': 8}), (parts, {'n': 31})]


def rounded_up(builder):
    """A pool whose padding at the end depends on whether the size is even, and a triangle whose diagonal may be outside."""
    x = builder.input('x', [1, 2, 'height', 'width'], 'float32')
    pooled = builder.max_pool2d(x, window_dimensions=[2, 2], strides=[2, 2], output_shape_rounding='ceil')
    return {'y': pooled, 'triangle': builder.triangular(x, diagonal=100)}


def sizes_of(shape, sizes):
    return [eval(str(dimension), {}, dict(sizes)) for dimension in shape]  # "n + 1"


def check(make, sizes, folder):
    context = webnn.ML().create_context(backend='cpu')
    builder = webnn.MLGraphBuilder(context)
    session = builder.build_session(make(builder))
    path = Path(folder) / f'{make.__name__}.onnx'
    session.save(path)
    model = onnx.load(path)
    onnx.checker.check_model(str(path))
    names = {input.name: [d.dim_param or d.dim_value for d in input.type.tensor_type.shape.dim] for input in model.graph.input}
    assert names == {input.name: list(input.shape) for input in session.get_inputs()}, names
    feeds = {name: floats(*sizes_of(shape, sizes)) for name, shape in names.items()}
    outputs = [output.name for output in session.get_outputs()]
    expected = session.run(outputs, feeds)
    for other in (onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider']), webnn.InferenceSession(path)):
        for name, ours, theirs in zip(outputs, expected, other.run(outputs, feeds)):
            assert ours.shape == theirs.shape, (name, ours.shape, theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4, err_msg=f'{make.__name__} {sizes} {name}')


def check_what_is_saved(make, sizes, folder):
    """Checks a graph that may be refused, but must not be wrong."""
    try:
        check(make, sizes, folder)
    except webnn.NotSupportedError:
        return


def check_refusal(folder):
    """The samples of a linear resize depend on the sizes; ONNX has them as constants."""
    builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='cpu'))
    x = builder.input('x', [1, 'height', 'width', 3], 'float32')
    session = builder.build_session({'y': builder.resample2d(x, mode='linear', scales=[1.5, 1.5], axes=[0, 1])})
    try:
        session.save(Path(folder) / 'refused.onnx')
    except webnn.NotSupportedError as error:
        assert 'resample2d' in str(error), error
        assert not (Path(folder) / 'refused.onnx').exists()
    else:
        raise AssertionError('it is saved')


with tempfile.TemporaryDirectory() as folder:
    for make, sizes in CASES:
        check(make, sizes, folder)
    for height in (4, 5, 200, 301):
        check_what_is_saved(rounded_up, {'height': height, 'width': 2 * height - 3}, folder)
    check_refusal(folder)
print(f'{len(CASES)} models agree')
sys.exit(0)
