"""Measures how much rounding changes a model's results: runs the model repeatedly, with each value changed by about a unit in the
last place.

Some functions of ONNX Runtime have an absolute instead of a relative error: for example, it computes the tail of gelu as
1 + erf(x) in float32, and its sigmoid is 0 below -18. Functions that add a bias at the end have such an error, too. Results of
such functions are therefore also changed by about a unit in the last place of 1.
"""

import copy

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from . import evaluate
from .compare import UNITS, plain

RUNS = 10
FACTOR = 16
APPROXIMATED = set(
    'Gelu FastGelu QuickGelu BiasGelu BiasSplitGelu Sigmoid Swish Mish Tanh Softplus Erf Elu Selu Celu HardSigmoid HardSwish '
    'LogSoftmax LSTM GRU RNN BlackmanWindow HammingWindow HannWindow DFT STFT FusedGemm FusedConv FusedMatMulActivation '
    'CausalConvWithState EmbedLayerNormalization SkipLayerNormalization LayerNormalization InstanceNormalization '
    'BatchNormalization GroupNormalization SoftmaxCrossEntropyLoss Adagrad Adam Momentum'.split()
)
KINDS = {TensorProto.FLOAT: 'float32', TensorProto.FLOAT16: 'float16'}


def is_approximated(node):
    """Returns whether `node` may contain a function with an absolute error; subgraphs and model functions may contain any."""
    return node.op_type in APPROXIMATED or node.domain == 'local' or any(item.HasField('g') for item in node.attribute)


def perturbed(array, rng):
    name = array.dtype.name
    if name not in ('float32', 'float16'):
        return array
    steps = UNITS[name] * rng.choice([-1.0, -0.5, 0.5, 1.0], array.shape)
    with np.errstate(all='ignore'):
        return np.asarray(array.astype(np.float64) * (1 + steps)).astype(name)


def disturb(graph, types, rng, shapes):
    """Changes each float result of the nodes of a graph or function as moved() does."""
    nodes = [copy.deepcopy(node) for node in graph.node]
    del graph.node[:]
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField('g'):
                # Subgraphs from control.py have only one type.
                kind = KINDS.get(attribute.g.output[-1].type.tensor_type.elem_type)
                disturb(attribute.g, types_inside(attribute.g, kind), rng, {})
        graph.node.append(node)
        if node.op_type == 'Constant':
            continue
        added = graph.node[-1]
        for i, name in enumerate(node.output):
            if types.get(name):
                added.output[i] = name + '/exact'
                graph.node.extend(moved(name, types[name], shapes.get(name, ()), node.op_type in APPROXIMATED, rng))


def types_inside(graph, kind):
    return {name: kind for node in graph.node if node.op_type not in ('Less', 'Identity') for name in node.output}


def moved(name, kind, shape, approximated, rng):
    """Returns nodes that compute `name` from `name`/exact: they multiply by factors near 1 and, if `approximated`, add small
    numbers."""

    def constant(array, suffix):
        return helper.make_node('Constant', [], [name + suffix], value=numpy_helper.from_array(np.asarray(array).astype(kind)))

    product = name + '/product' if approximated else name
    nodes = [
        constant(perturbed(np.ones(shape, kind), rng), '/factor'),
        helper.make_node('Mul', [name + '/exact', name + '/factor'], [product]),
    ]
    if approximated:
        nodes += [
            constant(rng.uniform(-2, 2, shape) * UNITS[kind], '/move'),
            helper.make_node('Add', [product, name + '/move'], [name]),
        ]
    return nodes


def floats_of(case):
    """Returns {name: array} of the float values that nodes of the main graph compute."""
    made = {name for node in case.model.graph.node for name in node.output}
    types = {name: kind for name, kind in case.types.items() if kind in KINDS.values() and name in made}
    if not types:
        return {}
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    del model.graph.output[:]
    for name, kind in types.items():
        model.graph.output.append(
            helper.make_tensor_value_info(name, TensorProto.FLOAT if kind == 'float32' else TensorProto.FLOAT16, None)
        )
    return dict(zip(types, evaluate.expected(model, case.feeds, case.types)[0]))


def disturbed_types(types):
    return {name + suffix: kind for name, kind in types.items() for suffix in ('', '/exact', '/product', '/factor', '/move')}


def noises_of(case):
    """Returns for each result the tolerance of its elements: FACTOR times their greatest change in RUNS runs; for integers, the
    change itself. None if the changed model cannot be run."""
    rng = np.random.default_rng(0)
    noises = [np.zeros(array.shape) for array in case.expected]
    try:
        values = floats_of(case)
        types = {name: array.dtype.name for name, array in values.items()}
        shapes = {name: array.shape for name, array in values.items()}
        # Scales are not changed, because a change of one unit could change the size of the output.
        fixed = {name for node in case.model.graph.node if node.op_type in ('Resize', 'Upsample') for name in node.input[1:]}
        for _ in range(RUNS):
            model = onnx.ModelProto()
            model.CopyFrom(case.model)
            for tensor in model.graph.initializer:
                if tensor.name in fixed:
                    continue
                tensor.CopyFrom(numpy_helper.from_array(perturbed(numpy_helper.to_array(tensor), rng), tensor.name))
            disturb(model.graph, types, rng, shapes)
            for function in model.functions:
                kind = next((case.types[node.output[0]] for node in case.model.graph.node if node.op_type == function.name), None)
                disturb(function, types_inside(function, kind if kind in KINDS.values() else None), rng, {})
            feeds = {name: array if name in case.fixed else perturbed(array, rng) for name, array in case.feeds.items()}
            add_moves(noises, evaluate.expected(model, feeds, disturbed_types(case.types))[0], case.expected)
    except Exception:  # for example, a shape depends on a changed value
        return None
    return [noise if plain(array).dtype.kind != 'f' else FACTOR * noise for noise, array in zip(noises, case.expected)]


def add_moves(noises, moved, expected):
    with np.errstate(all='ignore'):
        for i, (a, b) in enumerate(zip(moved, expected)):
            a, b = plain(a), plain(b)
            if a.dtype.kind == 'f':
                apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, np.abs(a.astype(np.float64) - b.astype(np.float64)))
            else:
                apart = np.abs(a.astype(np.float64) - b.astype(np.float64))
            noises[i] = np.maximum(noises[i], apart)
