"""Operators with subgraphs, and functions of the model."""

import numpy as np
from onnx import helper

from ..model import TYPE_NAMES, Impossible, tensor_of
from ..values import random_array
from .registry import operator

INNER = (
    'Add',
    'Mul',
    'Sub',
    'Relu',
    'Neg',
    'Abs',
    'Max',
    'Tanh',
    'Softmax',
    'Clip',
    'Where',
    'Transpose',
    'Reshape',
    'ReduceSum',
    'MatMul',
)


def info(name, kind, shape=None):
    return helper.make_tensor_value_info(name, TYPE_NAMES[kind], shape)


def step(m, names, kind, shape, operators=('Add', 'Mul', 'Sub', 'Max', 'Min')):
    """Returns a node that reads one or two of `names`, mostly one of `operators`, and the name of the node's result."""
    result = m.fresh('i')
    if kind not in ('float32', 'float16') or m.chance(0.7):
        chosen = m.choice(operators if m.opset >= 12 or (m.opset >= 8 and kind == 'float32') else operators[:3])
        if kind not in ('float32', 'float16', 'int32', 'int64'):
            chosen = 'Where'
        return helper.make_node(chosen, [m.choice(names), m.choice(names)], [result]), result
    return helper.make_node(m.choice(['Relu', 'Neg', 'Abs', 'Tanh', 'Sigmoid']), [m.choice(names)], [result]), result


def branch(m, names, kind, shape, count):
    """Returns a subgraph of a few nodes that read `names` from the outer graph, with `count` results."""
    nodes, initializers, results = [], [], []
    names = list(names)
    if m.chance(0.4):
        constant = m.fresh('k')
        initializers.append(tensor_of(random_array(m.rng, kind, shape), kind, constant))
        names.append(constant)
    for _ in range(m.integer(count, count + 2)):
        node, result = step(m, names, kind, shape)
        nodes.append(node)
        names.append(result)
        results.append(result)
    return helper.make_graph(nodes, m.fresh('g'), [], [info(name, kind, shape) for name in results[-count:]], initializers)


@operator('If')
def if_(m, name):
    kind = m.choice(['float32', 'float32', 'int32', 'int64'])
    x = m.value(kind, rank=(0, 3))
    y = m.value(kind, shape=x.shape)
    condition = m.fixed(np.array(m.chance(0.5))) if m.chance(0.4) else m.value('bool', shape=m.choice([(), (1,)]))
    count = m.integer(1, 2)
    m.node(
        name,
        [condition],
        [kind] * count,
        **{key: branch(m, [x.name, y.name], kind, x.shape, count) for key in ('then_branch', 'else_branch')},
    )


@operator('Loop', since=8)
def loop(m, name):
    kind = m.choice(['float32', 'float32', 'int32', 'int64'])
    states = m.integer(0, 2)
    x = m.value(kind, rank=(0, 3))
    initial = [x] + [m.value(kind, shape=x.shape) for _ in range(states - 1)] if states else []
    scans = m.integer(0 if states else 1, 2)
    iteration, condition = m.fresh('i'), m.fresh('i')
    inner = [m.fresh('i') for _ in initial]
    names = inner + [x.name]
    nodes, outputs = [], []
    kept = m.fresh('i')
    if m.chance(0.3):
        limit = m.fresh('k')
        nodes.append(helper.make_node('Constant', [], [limit], value=tensor_of(np.array(m.integer(0, 3)))))
        nodes.append(helper.make_node('Less', [iteration, limit], [kept]))
        if m.opset < 9:
            raise Impossible('Less of integers')
    else:
        nodes.append(helper.make_node('Identity', [condition], [kept]))
    for _ in range(states + scans):
        node, result = step(m, names, kind, x.shape)
        nodes.append(node)
        names.append(result)
        outputs.append(result)
    body = helper.make_graph(
        nodes,
        m.fresh('g'),
        [info(iteration, 'int64', ()), info(condition, 'bool', ()), *(info(item, kind, x.shape) for item in inner)],
        [info(kept, 'bool', ()), *(info(item, kind, x.shape) for item in outputs)],
    )
    count = m.fixed(np.array(m.integer(1, 4)))
    start = m.choice([None, None, m.fixed(np.array(True))])
    m.node(name, [count, start, *initial], [kind] * (states + scans), body=body)


@operator('Scan', since=9)
def scan(m, name):
    kind = m.choice(['float32', 'float32', 'int32'])
    x = m.value(kind, rank=(1, 3))
    axis = m.axis(x.rank)
    inner_shape = tuple(size for i, size in enumerate(x.shape) if i != axis % x.rank)
    scanned = [x] + ([m.value(kind, shape=x.shape)] if m.chance(0.4) else [])
    state = m.value(kind, shape=inner_shape)
    names = [m.fresh('i') for _ in range(1 + len(scanned))]
    known, nodes, outputs = list(names), [], []
    results = m.integer(1, 2)
    for _ in range(1 + results):
        node, result = step(m, known, kind, inner_shape)
        nodes.append(node)
        known.append(result)
        outputs.append(result)
    body = helper.make_graph(
        nodes,
        m.fresh('g'),
        [info(item, kind, inner_shape) for item in names],
        [info(item, kind, inner_shape) for item in outputs],
    )
    given = {'num_scan_inputs': len(scanned), 'scan_input_axes': [axis] * len(scanned)}
    if axis == 0 and m.chance(0.5):
        del given['scan_input_axes']
    if m.chance(0.4):
        given['scan_input_directions'] = [m.integer(0, 1) for _ in scanned]
    if m.chance(0.4):
        given['scan_output_directions'] = [m.integer(0, 1) for _ in range(results)]
    if m.chance(0.3):
        given['scan_output_axes'] = [
            m.integer(0, len(inner_shape)) - (len(inner_shape) + 1 if m.chance(0.3) else 0) for _ in range(results)
        ]
    m.node(name, [state, *scanned], [kind] * (1 + results), body=body, **given)


@operator('Function')
def function(m, name):
    """Adds a call of a model function, which contains one to four steps and perhaps a LeakyRelu that reads an attribute."""
    kind = m.choice(['float32', 'int32'])
    x = m.value(kind)
    y = m.value(kind, shape=x.shape)
    nodes, names = [], ['a', 'b']
    for _ in range(m.integer(1, 4)):
        node, result = step(m, names, kind, x.shape)
        nodes.append(node)
        names.append(result)
    given, declared = {}, []
    if kind == 'float32' and m.chance(0.5):
        node = helper.make_node('LeakyRelu', [names[-1]], ['leaky'])
        reference = node.attribute.add()
        reference.name, reference.type, reference.ref_attr_name = 'alpha', 1, 'slope'
        nodes.append(node)
        names.append('leaky')
        declared, given = ['slope'], {'slope': 0.5} if m.chance(0.7) else {}
    called = m.fresh('F')
    m.functions.append(
        helper.make_function('local', called, ['a', 'b'], [names[-1]], nodes, [helper.make_opsetid('', m.opset)], declared)
    )
    m.node(called, [x, y], [kind], domain='local', **given)


@operator('OptionalGetElement', 'OptionalHasElement', since=18)
def optional(m, name):
    x = m.value('float32')
    m.node(name, [x], ['float32' if name == 'OptionalGetElement' else 'bool'])
