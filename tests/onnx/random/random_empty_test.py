"""Checks that sessions of models with control flow compute empty inputs as NumPy does, and refuse sizes that disagree.

usage: random_empty_test.py COUNT [--seed SEED]

All inputs of a random model share the dimension n. In each of six runs of a session, each input has the size 0 or another size of n, so
that wrong reuse of states and graphs would show. If two sizes other than 0 disagree, the run must fail with an error that names the
dimension. Otherwise, a result must equal that of onnx.reference or of ONNX Runtime. Runs that the session or onnx.reference refuses
are not checked. Each model runs in a process of its own, so that a crash is a failure of the test. WEBNN_EMPTY_COUNT and
WEBNN_EMPTY_SEED take precedence over the arguments.
"""
import argparse
import os
import pathlib
import pickle
import sys
import warnings

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

STEPS = 6
INTEGERS = {'axis0': [0], 'axis1': [1], 'first': [0], 'column': [-1, 1], 'begin': [0], 'end': [2], 'twice': [1, 2], 'pads': [1, 0, 0, 1]}
REDUCTIONS = ['ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceL2', 'ReduceSumSquare']
node = helper.make_node


def unary(random, x, y):
    axis = int(random.integers(2))
    shape = node('Shape', [x], [y + 's'])
    return [
        [node('Relu', [x], [y])],
        [node('ReduceSum', [x, f'axis{axis}'], [y], keepdims=1)],
        [node(str(random.choice(REDUCTIONS)), [x], [y], axes=[axis], keepdims=1)],
        [node('Softmax', [x], [y], axis=axis)],
        [node('Transpose', [x], [y], perm=[1, 0])],
        [node('CumSum', [x, 'zero'], [y])],
        [shape, node('Cast', [y + 's'], [y + 'c'], to=T.FLOAT), node('Unsqueeze', [y + 'c', 'axis0'], [y])],
        [shape, node('ConstantOfShape', [y + 's'], [y])],
        [node('Reshape', [x, 'column'], [y])],
        [node('Slice', [x, 'begin', 'end', 'axis0'], [y])],
        [node('Tile', [x, 'twice'], [y])],
        [node('Pad', [x, 'pads'], [y])],
        [node('NonZero', [x], [y + 'n']), node('Cast', [y + 'n'], [y], to=T.FLOAT)],
        [node('Flatten', [x], [y], axis=axis)],
        [node('MatMul', [x, 'weights'], [y])],
    ][random.integers(15)]


def binary(random, a, b, y):
    shape = node('Shape', [b], [y + 's'])
    return [
        [node('Concat', [a, b], [y], axis=int(random.integers(2)))],
        [node(str(random.choice(['Add', 'Mul', 'Sub', 'Max', 'Min'])), [a, b], [y])],
        [node('Transpose', [b], [y + 't'], perm=[1, 0]), node('MatMul', [a, y + 't'], [y])],
        [node('Gemm', [a, b], [y], transA=1)],
        [shape, node('Expand', [a, y + 's'], [y])],
        [shape, node('Reshape', [a, y + 's'], [y])],
        [node('Greater', [a, b], [y + 'g']), node('Where', [y + 'g', a, b], [y])],
        [shape, node('Gather', [y + 's', 'first'], [y + 'g']), node('Slice', [a, 'begin', y + 'g', 'axis0'], [y])],
        [shape, node('ConstantOfShape', [y + 's'], [y + 'z']), node('Concat', [a, y + 'z'], [y], axis=0)],
    ][random.integers(9)]


def steps_of(random, prefix, known):
    """Returns a few nodes that read `known` values or each other, and the values that are known after them."""
    nodes = []
    for i in range(int(random.integers(1, 4))):
        y, a, b = f'{prefix}{i}_', str(random.choice(known)), str(random.choice(known))
        nodes += unary(random, a, y) if random.random() < 0.45 else binary(random, a, b, y)
        known = [*known, y]
    return nodes, known


def model_of(random):
    """Returns a model with an If, and the shapes of its inputs; None stands for n."""
    choices = [([None, 2], 0.7), ([2, None], 0.2), ([None, None], 0.1)]
    shapes = {name: choices[random.choice(3, p=[p for _, p in choices])][0] for name in 'abc'[:random.integers(2, 4)]}
    nodes, known = steps_of(random, 'v', list(shapes))
    branches = []
    for prefix in 'te':
        inner, values = steps_of(random, prefix, known)
        branches.append(helper.make_graph(inner, prefix, [], [helper.make_tensor_value_info(values[-1], T.FLOAT, None)]))
    nodes.append(node('If', ['condition'], ['z'], then_branch=branches[0], else_branch=branches[1]))
    more, known = steps_of(random, 'w', [*known, 'z'])
    inputs = [helper.make_tensor_value_info(name, T.FLOAT, ['n' if size is None else size for size in shape]) for name, shape in shapes.items()]
    initializers = [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in INTEGERS.items()]
    initializers += [numpy_helper.from_array(np.array(0, np.int64), 'zero'), numpy_helper.from_array(np.arange(4, dtype=np.float32).reshape(2, 2), 'weights')]
    graph = helper.make_graph(nodes + more, 'empty', [helper.make_tensor_value_info('condition', T.BOOL, []), *inputs],
                              [helper.make_tensor_value_info(name, T.FLOAT, None) for name in ('z', known[-1])], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)], ir_version=8), shapes


def feeds_of(random, shapes):
    usual = int(random.integers(1, 5))
    for _ in range(STEPS):
        sizes = {name: int(random.choice([0, 0, usual, usual, usual, random.integers(0, 4)])) for name in shapes}
        feed = {name: random.integers(-4, 5, [sizes[name] if size is None else size for size in shape]).astype(np.float32)
                for name, shape in shapes.items()}
        feed['condition'] = np.array(random.random() < 0.5)
        order = list(feed)
        random.shuffle(order)
        yield {name: feed[name] for name in order}, len({size for size in sizes.values() if size}) > 1


def outcome(run):
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - the errors of three packages
        return f'{type(error).__name__}: {error}'


def in_process(run):
    """Returns the result of run() in a child process, or a text if it fails or crashes."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        with os.fdopen(start, 'wb') as pipe:
            pickle.dump(outcome(run), pipe)
        os._exit(0)
    os.close(start)
    with os.fdopen(end, 'rb') as pipe:
        content = pipe.read()
    status = os.waitpid(child, 0)[1]
    return pickle.loads(content) if status == 0 else f'crash: signal {status}'


def run_all(session, feeds):
    return [outcome(lambda feed=feed: session.run(None, feed)) for feed in feeds]


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return False
    return all(x.shape == y.shape and x.dtype == y.dtype and np.allclose(x, y, rtol=1e-4, atol=1e-4, equal_nan=True) for x, y in zip(a, b, strict=True))


def problems_of(seed):
    random = np.random.default_rng(seed)
    model, shapes = model_of(random)
    content, steps = model.SerializeToString(), list(feeds_of(random, shapes))
    feeds = [feed for feed, _ in steps]
    results = in_process(lambda: run_all(webnn.InferenceSession(content), feeds))
    if isinstance(results, str):
        yield results
        return
    evaluator = outcome(lambda: ReferenceEvaluator(model))
    for i, ((feed, disagrees), result) in enumerate(zip(steps, results, strict=True)):
        sizes = {name: list(array.shape) for name, array in feed.items()}
        if disagrees and not (isinstance(result, str) and 'the dimension "n"' in result):
            yield f'run {i} {sizes}: {result}, not an error that names n'
        if disagrees or isinstance(result, str) or isinstance(evaluator, str):
            continue
        expected = outcome(lambda feed=feed: evaluator.run(None, feed))
        if isinstance(expected, str) or same(result, expected):
            continue
        other = in_process(lambda: run_all(onnxruntime.InferenceSession(content), feeds))
        if not isinstance(other, str) and not same(result, other[i]):
            yield f'run {i} {sizes}: {result}, not {expected}'


def concat_problems():
    """Yields problems with concatenations of two tensors with sizes that do not fit: crashes, and results with more elements than
    both tensors have. ONNX Runtime and webnn ignore tensors without elements, whatever their sizes.
    """
    for axis in (0, 1):
        for a, b in (((0, 2), (2, 0)), ((2, 0), (0, 2)), ((0, 2), (3, 1)), ((2, 2), (0, 2))):
            if a[1 - axis] == b[1 - axis]:
                continue
            inputs = [helper.make_tensor_value_info(name, T.FLOAT, [name + '0', name + '1']) for name in 'ab']
            graph = helper.make_graph([node('Relu', ['b'], ['c']), node('Concat', ['a', 'c'], ['y'], axis=axis)], 'concat', inputs,
                                      [helper.make_tensor_value_info('y', T.FLOAT, None)])
            content = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)], ir_version=8).SerializeToString()
            feed = {'a': np.ones(a, np.float32), 'b': np.ones(b, np.float32)}
            result = in_process(lambda content=content, feed=feed: webnn.InferenceSession(content).run(None, feed))
            is_invented = not isinstance(result, str) and result[0].size > np.prod(a) + np.prod(b)
            if is_invented or str(result).startswith('crash'):
                yield f'Concat of {a} and {b} along axis {axis}: {result}'


def fixed_problems():
    """Yields a problem if a run may give the size 0 to a fixed dimension while another dimension is open."""
    branches = [helper.make_graph([node('Concat', order, [order[0] + 'r'], axis=0)], order[0], [], [helper.make_tensor_value_info(order[0] + 'r', T.FLOAT, None)])
                for order in (['a', 'b'], ['b', 'a'])]
    nodes = [node('If', ['condition'], ['y'], then_branch=branches[0], else_branch=branches[1]), node('Relu', ['c'], ['yc'])]
    inputs = [helper.make_tensor_value_info('condition', T.BOOL, [])]
    inputs += [helper.make_tensor_value_info(name, T.FLOAT, shape) for name, shape in (('a', ['n', 2]), ('b', ['n', 2]), ('c', ['p']))]
    graph = helper.make_graph(nodes, 'fixed', inputs, [helper.make_tensor_value_info(name, T.FLOAT, None) for name in ('y', 'yc')])
    content = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)], ir_version=8).SerializeToString()
    for a, b in ((0, 3), (3, 0), (0, 0)):
        feed = {'condition': np.array(True), 'c': np.ones(2, np.float32), 'a': np.ones((a, 2), np.float32), 'b': np.ones((b, 2), np.float32)}
        result = outcome(lambda feed=feed: webnn.InferenceSession(content, dimensions={'n': 3}).run(None, feed))
        if not isinstance(result, str):
            yield f'n is fixed to 3, and inputs of {a} and {b} rows give {[array.shape for array in result]}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    count, first = int(os.environ.get('WEBNN_EMPTY_COUNT', options.count)), int(os.environ.get('WEBNN_EMPTY_SEED', options.seed))
    warnings.simplefilter('ignore')  # NumPy warns of means of empty arrays
    onnxruntime.set_default_logger_severity(4)
    failures = 0
    for seed in range(first, first + count):
        for problem in problems_of(seed):
            failures += 1
            print(f'--seed {seed}: {problem}'[:600])
    for problems in (concat_problems(), fixed_problems()):
        for problem in problems:
            failures += 1
            print(problem[:300])
    print(f'{count} models, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
