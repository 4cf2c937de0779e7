"""Writes decoder.onnx: a small decoder with random weights and with the inputs and outputs of decoders that optimum exports.

usage: make_decoder.py FILE
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, WIDTH, HEADS, TOKENS, LONGEST = 2, 16, 2, 32, 256
SIZE = WIDTH // HEADS

random = np.random.default_rng(7)
nodes, constants, inputs, outputs = [], [], [], []


def constant(name, array):
    constants.append(numpy_helper.from_array(np.asarray(array), name))
    return name


def weight(name, *shape):
    return constant(name, (random.standard_normal(shape) * 0.4).astype(np.float32))


def node(kind, reads, result, **attributes):
    nodes.append(helper.make_node(kind, reads, [result], **attributes))
    return result


def norm(x, name):
    return node('LayerNormalization', [x, constant(f'{name}.scale', np.ones(WIDTH, np.float32))], f'{name}.out', axis=-1)


inputs += [helper.make_tensor_value_info('input_ids', TensorProto.INT64, ['batch', 'sequence']),
           helper.make_tensor_value_info('attention_mask', TensorProto.INT64, ['batch', 'total']),
           helper.make_tensor_value_info('position_ids', TensorProto.INT64, ['batch', 'sequence'])]
outputs.append(helper.make_tensor_value_info('logits', TensorProto.FLOAT, ['batch', 'sequence', TOKENS]))
constant('heads', np.array([0, 0, HEADS, SIZE]))
constant('joined', np.array([0, 0, WIDTH]))
constant('factor', np.float32(SIZE ** -0.5))
constant('lowest', np.float32(-1e9))

# A query at position p sees the keys at positions up to p.
total = node('Gather', [node('Shape', ['attention_mask'], 'mask_shape'), constant('one', np.int64(1))], 'total')
keys = node('Range', [constant('zero', np.int64(0)), total, 'one'], 'keys')
queries = node('Unsqueeze', ['position_ids', constant('axes', np.array([1, 3]))], 'queries')
hidden = node('Where', [node('Greater', [keys, queries], 'is_later'), 'lowest', constant('nothing', np.float32(0))], 'hidden')

x = node('Add', [node('Gather', [weight('embedding', TOKENS, WIDTH), 'input_ids'], 'words'),
                 node('Gather', [weight('positions', LONGEST, WIDTH), 'position_ids'], 'places')], 'x')
for layer in range(LAYERS):
    here = f'layer{layer}'
    normed = norm(x, f'{here}.norm1')
    parts = {}
    for part in ('query', 'key', 'value'):
        product = node('MatMul', [normed, weight(f'{here}.{part}.weight', WIDTH, WIDTH)], f'{here}.{part}.product')
        split = node('Reshape', [product, 'heads'], f'{here}.{part}.split')
        parts[part] = node('Transpose', [split], f'{here}.{part}', perm=[0, 2, 1, 3])
    for part in ('key', 'value'):
        past, present = f'past_key_values.{layer}.{part}', f'present.{layer}.{part}'
        inputs.append(helper.make_tensor_value_info(past, TensorProto.FLOAT, ['batch', HEADS, 'past', SIZE]))
        outputs.append(helper.make_tensor_value_info(present, TensorProto.FLOAT, ['batch', HEADS, 'total', SIZE]))
        parts[part] = node('Concat', [past, parts[part]], present, axis=2)
    turned = node('Transpose', [parts['key']], f'{here}.turned', perm=[0, 1, 3, 2])
    scores = node('Mul', [node('MatMul', [parts['query'], turned], f'{here}.scores'), 'factor'], f'{here}.scaled')
    weights = node('Softmax', [node('Add', [scores, hidden], f'{here}.seen')], f'{here}.weights', axis=-1)
    mixed = node('Transpose', [node('MatMul', [weights, parts['value']], f'{here}.mixed')], f'{here}.back', perm=[0, 2, 1, 3])
    joined = node('Reshape', [mixed, 'joined'], f'{here}.joined')
    x = node('Add', [x, node('MatMul', [joined, weight(f'{here}.output.weight', WIDTH, WIDTH)], f'{here}.output')], f'{here}.attended')
    wide = node('MatMul', [norm(x, f'{here}.norm2'), weight(f'{here}.wide.weight', WIDTH, 2 * WIDTH)], f'{here}.wide')
    narrow = node('MatMul', [node('Relu', [wide], f'{here}.relu'), weight(f'{here}.narrow.weight', 2 * WIDTH, WIDTH)], f'{here}.narrow')
    x = node('Add', [x, narrow], f'{here}.out')
node('MatMul', [norm(x, 'norm'), weight('head', WIDTH, TOKENS)], 'logits')

graph = helper.make_graph(nodes, 'decoder', inputs, outputs, constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=9, producer_name='libwebnn')
onnx.checker.check_model(model)
onnx.save(model, sys.argv[1])
