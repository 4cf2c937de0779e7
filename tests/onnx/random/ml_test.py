"""Checks that sessions compute random models of ai.onnx.ml as ONNX Runtime does: linear models, trees, and the steps around them.

usage: ml_test.py COUNT [--seed SEED]
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
from onnx import helper, numpy_helper  # noqa: E402

import webnn  # noqa: E402

TRANSFORMS = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT']


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, domain='ai.onnx.ml', **attributes)


def some(random, *shape):
    return random.uniform(-2, 2, shape).astype(np.float32)


def labels_of(random, count):
    if random.random() < 0.5:
        return {'classlabels_strings': [f'class {i}' for i in random.permutation(count)]}, T.STRING
    return {'classlabels_ints': [int(i) + 5 for i in random.permutation(count)]}, T.INT64


def prepared(random, columns):
    """Returns nodes that prepare the features x for a model: they compute p."""
    kind = random.integers(4)
    if kind == 0:
        size = columns if random.random() < 0.7 else 1
        return [node('Scaler', ['x'], ['p'], offset=some(random, size).tolist(), scale=some(random, size).tolist())]
    if kind == 1:
        return [node('Normalizer', ['x'], ['p'], norm=str(random.choice(['MAX', 'L1', 'L2'])))]
    if kind == 2:
        return [node('Imputer', ['x'], ['p'], imputed_value_floats=some(random, columns).tolist(), replaced_value_float=float('nan'))]
    return [node('FeatureVectorizer', ['x', 'x'], ['two'], inputdimensions=[columns, columns]),
            node('Scaler', ['two'], ['p'], offset=[0.5], scale=[2.0])]


def trees(random, columns, leaves_of, prefix):
    """Returns the attributes of a few trees of depth 2. `leaves_of` returns the (id, weight) pairs of a leaf."""
    made = {key: [] for key in ('treeids', 'nodeids', 'featureids', 'values', 'modes', 'truenodeids', 'falsenodeids')}
    leaves = {key: [] for key in ('treeids', 'nodeids', 'ids', 'weights')}
    mode = str(random.choice(['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT']))
    for tree in range(int(random.integers(1, 4))):
        for i in range(7):
            inner = i < 3
            row = (tree, i, int(random.integers(columns)) if inner else 0, float(some(random, 1)[0]) if inner else 0.0,
                   mode if inner else 'LEAF', 2 * i + 1 if inner else 0, 2 * i + 2 if inner else 0)
            for key, value in zip(made, row, strict=True):
                made[key].append(value)
            for id_, weight in [] if inner else leaves_of():
                for key, value in zip(leaves, (tree, i, id_, weight), strict=True):
                    leaves[key].append(value)
    return {f'nodes_{key}': value for key, value in made.items()} | {f'{prefix}_{key}': value for key, value in leaves.items()}


def model_of(random):
    columns, classes = int(random.integers(2, 6)), int(random.integers(2, 5))
    nodes = prepared(random, columns)
    width = 2 * columns if len(nodes) == 2 else columns
    post = str(random.choice(TRANSFORMS[:4]))
    kind = random.integers(4)
    if kind == 0:
        targets = int(random.integers(1, 4))
        post = post if targets > 1 else 'NONE'
        nodes.append(node('LinearRegressor', ['p'], ['y'], coefficients=some(random, targets * width).tolist(),
                          intercepts=some(random, targets).tolist(), targets=targets, post_transform=post))
        outputs = [('y', T.FLOAT)]
    elif kind == 1:
        # One row of coefficients decides between two classes; the standard defines this only for NONE and LOGISTIC.
        rows = 1 if random.random() < 0.3 else classes
        if rows == 1:
            classes, post = 2, str(random.choice(['NONE', 'LOGISTIC']))
        names, type_ = labels_of(random, classes)
        unused = rows if random.random() < 0.1 else 0  # some exporters wrote more coefficients than the model has
        nodes.append(node('LinearClassifier', ['p'], ['label', 'scores'], coefficients=some(random, rows * width + unused).tolist(),
                          intercepts=some(random, rows).tolist(), post_transform=post, **names))
        outputs = [('label', type_), ('scores', T.FLOAT)]
    elif kind == 2:
        targets = int(random.integers(1, 4))
        aggregate = str(random.choice(['SUM', 'AVERAGE', 'MIN', 'MAX']))
        attributes = trees(random, width, lambda: [(i, float(some(random, 1)[0])) for i in range(targets)], 'target')
        nodes.append(node('TreeEnsembleRegressor', ['p'], ['y'], n_targets=targets, aggregate_function=aggregate, **attributes))
        outputs = [('y', T.FLOAT)]
    else:
        classes = max(classes, 3)
        names, type_ = labels_of(random, classes)
        if 'classlabels_ints' in names:
            names = {'classlabels_int64s': names['classlabels_ints']}
        attributes = trees(random, width, lambda: [(i, float(abs(some(random, 1)[0]))) for i in range(classes)], 'class')
        nodes.append(node('TreeEnsembleClassifier', ['p'], ['label', 'scores'], post_transform=post, **names, **attributes))
        outputs = [('label', type_), ('scores', T.FLOAT)]
    if len(outputs) == 2 and random.random() < 0.5:
        names = {'classlabels_strings': [f'k{i}' for i in range(classes)]} if random.random() < 0.5 else {'classlabels_int64s': list(range(classes))}
        nodes.append(node('ZipMap', ['scores'], ['maps'], **names))
        key = T.STRING if 'classlabels_strings' in names else T.INT64
        map_ = helper.make_map_type_proto(key, helper.make_tensor_type_proto(T.FLOAT, None))
        maps = helper.make_value_info('maps', helper.make_sequence_type_proto(map_))
        declared = [helper.make_tensor_value_info(*outputs[0], None), maps]
    else:
        declared = [helper.make_tensor_value_info(name, type_, None) for name, type_ in outputs]
    graph = helper.make_graph(nodes, 'ml', [helper.make_tensor_value_info('x', T.FLOAT, ['n', columns])], declared)
    opsets = [helper.make_opsetid('', 17), helper.make_opsetid('ai.onnx.ml', 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString(), columns


def double_trees(random):
    """Returns a model of trees on double features, and features near its thresholds."""
    columns = int(random.integers(1, 4))
    attributes = trees(random, columns, lambda: [(0, float(some(random, 1)[0]))], 'target')
    values = attributes['nodes_values']
    if random.random() < 0.5:
        for name in ('nodes_values', 'target_weights'):
            attributes[f'{name}_as_tensor'] = numpy_helper.from_array(np.array(attributes.pop(name)) * (1 + 1e-9))
        values = numpy_helper.to_array(attributes['nodes_values_as_tensor'])
    nodes = [node('TreeEnsembleRegressor', ['x'], ['y'], n_targets=1, **attributes)]
    graph = helper.make_graph(nodes, 'trees', [helper.make_tensor_value_info('x', T.DOUBLE, ['n', columns])], [helper.make_tensor_value_info('y', T.FLOAT, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17), helper.make_opsetid('ai.onnx.ml', 3)], ir_version=8).SerializeToString()
    near = np.array([float(np.float32(value)) for value in values])
    x = random.choice(near, (20, columns)) + random.choice([-1e-10, 0, 1e-10], (20, columns))
    return model, x


def map_model(random):
    """Returns a model that converts a dict to a tensor, the dict, and the expected tensor (None: ONNX Runtime can compute it)."""
    type_ = [T.FLOAT, T.DOUBLE, T.INT64, T.STRING][int(random.integers(4))]
    value = {T.FLOAT: float, T.DOUBLE: float, T.INT64: int, T.STRING: str}[type_]
    expected = None
    given = {int(i): value(int(random.integers(-9, 9))) for i in random.permutation(8)[:int(random.integers(1, 6))]}
    if random.random() < 0.4 and type_ in (T.FLOAT, T.STRING):  # the other types of values are not in the standard
        cast = str(random.choice(['TO_FLOAT', 'TO_INT64', 'TO_STRING']))
        form = {'map_form': 'SPARSE', 'max_map': int(random.integers(6, 10))} if random.random() < 0.5 else {}
        nodes, key = [node('CastMap', ['m'], ['y'], cast_to=cast, **form)], T.INT64
        if not form:
            given[-3] = value(4)
        if type_ == T.STRING and cast == 'TO_INT64':
            given[1] = str(2**53 + 1)
        result = {'TO_FLOAT': T.FLOAT, 'TO_INT64': T.INT64, 'TO_STRING': T.STRING}[cast]
        if type_ == T.STRING:  # Python programs cannot give ONNX Runtime such maps
            places = range(form['max_map']) if form else sorted(given)
            dtype = object if result == T.STRING else helper.tensor_dtype_to_np_dtype(result)
            expected = np.array([[given.get(i, '0.f' if result == T.STRING else 0) for i in places]]).astype(dtype)
    else:
        key, result = [T.INT64, T.STRING][int(random.integers(2))], type_
        if key == type_:
            key = T.INT64 if key == T.STRING else T.STRING  # the standard has no map from a type to itself
        words = [int(i) for i in random.permutation(9)]
        if key == T.STRING:
            given, words = {f'k{i}': item for i, item in given.items()}, [f'k{i}' for i in words]
        expected = np.array([[given.get(word, value()) for word in words]], object if type_ == T.STRING else helper.tensor_dtype_to_np_dtype(type_))
        nodes = [node('DictVectorizer', ['m'], ['y'], **{'string_vocabulary' if key == T.STRING else 'int64_vocabulary': words})]
    declared = helper.make_value_info('m', helper.make_map_type_proto(key, helper.make_tensor_type_proto(type_, None)))
    graph = helper.make_graph(nodes, 'maps', [declared], [helper.make_tensor_value_info('y', result, None)])
    opsets = [helper.make_opsetid('', 17), helper.make_opsetid('ai.onnx.ml', 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString(), given, expected


def same(mine, other):
    if isinstance(other, list):
        return isinstance(mine, list) and len(mine) == len(other) and all(same(a, b) for a, b in zip(mine, other, strict=True))
    if isinstance(other, dict):
        return list(mine) == list(other) and same(np.array(list(mine.values()), np.float32), np.array(list(other.values()), np.float32))
    if mine.shape != other.shape or (other.dtype != object and mine.dtype != other.dtype):
        return False
    return np.array_equal(mine, other) if mine.dtype.kind != 'f' else np.allclose(mine, other, rtol=1e-5, atol=1e-6, equal_nan=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    failures = 0
    for seed in range(options.seed, options.seed + options.count):
        random = np.random.default_rng(seed)
        model, columns = model_of(random)
        mine, theirs = webnn.InferenceSession(model), onnxruntime.InferenceSession(model)
        for rows in (1, 3, int(random.integers(4, 40))):
            x = some(random, rows, columns)
            if random.random() < 0.3:
                x[0, 0] = np.nan if b'Imputer' in model else 0
            actual, expected = mine.run(None, {'x': x}), theirs.run(None, {'x': x})
            if not all(same(a, b) for a, b in zip(actual, expected, strict=True)):
                failures += 1
                print(f'--seed {seed}, {rows} rows: {actual} instead of {expected}'[:600])
                break
    for seed in range(options.seed, options.seed + options.count):
        model, x = double_trees(np.random.default_rng(seed))
        actual, expected = webnn.InferenceSession(model).run(None, {'x': x})[0], onnxruntime.InferenceSession(model).run(None, {'x': x})[0]
        if not same(actual, expected):
            failures += 1
            print(f'--seed {seed}, trees on doubles: {actual.T} instead of {expected.T}'[:600])
    for seed in range(options.seed, options.seed + options.count):
        model, given, expected = map_model(np.random.default_rng(seed))
        mine, theirs = webnn.InferenceSession(model), onnxruntime.InferenceSession(model)
        actual = mine.run(None, {'m': given})[0]
        if expected is None:
            expected = theirs.run(None, {'m': given})[0]
        if not same(actual, expected) or mine.get_inputs()[0].type != theirs.get_inputs()[0].type:
            failures += 1
            print(f'--seed {seed}, map {given}: {actual} instead of {expected}'[:600])
    print(f'{options.count} models, {failures} differ')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
