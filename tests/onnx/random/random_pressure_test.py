"""Runs sessions in several threads under memory limits, time-outs and cancellations, and compares them with ONNX Runtime.

usage: random_pressure_test.py COUNT [--seed SEED]

A round has one context, with or without a limit of memory, and 2 to 12 threads. They make sessions of models with open sizes, loops
and shapes that depend on values, or share one, and run them with sizes in any order. Each run must give the expected result, or an
error that its limit, time-out or cancellation explains. Without sessions, the context must use no memory.
"""

import pathlib
import random
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import difference, require, require_webnn, run_seeds  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
LIMITS = (None, 400_000, 2_000_000, 5_000_000, 30_000_000)
RUNS = 8  # of each thread
random_numbers = np.random.default_rng(1)


def weights(*shape):
    return (random_numbers.standard_normal(shape) / shape[0] ** 0.5).astype(np.float32)


def info(name, *dims):
    return helper.make_tensor_value_info(name, FLOAT, dims or None)


def scalar(name, kind):
    return helper.make_tensor_value_info(name, kind, [])


def model(nodes, inputs, outputs, **constants):
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, 'g', inputs, [info(name) for name in outputs], tensors)
    opsets = [helper.make_opsetid('', 21), helper.make_opsetid('com.microsoft', 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()


def node(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def products(size):
    nodes = [node('MatMul', 'x w', 'h'), node('Tanh', 'h', 'h1'), node('MatMul', 'h1 w', 'h2'), node('Relu', 'h2', 'y')]
    return model(nodes, [info('x', 'b', size)], ['y'], w=weights(size, size)), lambda r: {'x': floats(r.choice((0, 1, 2, 5, 64, 200)), size)}


def quantized(size):
    blocks = size // 32
    packed = random_numbers.integers(0, 256, (size, blocks, 16)).astype(np.uint8)
    one = node('MatMulNBits', 'x w s', 'y', domain='com.microsoft', K=size, N=size, bits=4, block_size=32)
    content = model([one], [info('x', 'b', size)], ['y'], w=packed, s=np.abs(weights(size, blocks)) / 100)
    return content, lambda r: {'x': floats(r.choice((0, 1, 3, 64)), size)}


def attention(size):
    nodes = [node('MatMul', 'x w', 'q'), node('Transpose', 'x', 't', perm=[0, 2, 1]), node('MatMul', 'q t', 'e')]
    nodes += [node('Softmax', 'e', 'p', axis=-1), node('MatMul', 'p x', 'y')]
    content = model(nodes, [info('x', 'b', 'l', size)], ['y'], w=weights(size, size))
    return content, lambda r: {'x': floats(r.choice((1, 2)), r.choice((0, 1, 5, 33, 100)), size)}


def convolutions(channels):
    nodes = [node('Conv', 'x w', 'h', auto_pad='SAME_UPPER'), node('Relu', 'h', 'r'), node('Conv', 'r w', 'y', auto_pad='SAME_LOWER')]
    content = model(nodes, [info('x', 'b', channels, 'h', 'w')], ['y'], w=weights(channels, channels, 3, 3) / 3)
    return content, lambda r: {'x': floats(r.choice((1, 2)), channels, r.choice((1, 5, 32, 64)), r.choice((1, 7, 31)))}


def loop(size):
    nodes = [node('MatMul', 'v w', 'm'), node('Tanh', 'm', 'next'), node('Identity', 'go', 'going'), node('Identity', 'next', 'each')]
    ends = [scalar('i', INT64), scalar('go', BOOL), info('v')], [scalar('going', BOOL), info('next'), info('each')]
    body = helper.make_graph(nodes, 'body', *ends, [numpy_helper.from_array(weights(size, size), 'w')])
    inputs = [info('x', 'b', size), scalar('n', INT64)]
    content = model([node('Loop', 'n yes x', 'y all', body=body)], inputs, ['y', 'all'], yes=np.array(True))
    return content, lambda r: {'x': floats(r.choice((1, 2, 17)), size), 'n': np.array(r.choice((1, 2, 7, 30)))}


def nonzeros(size):
    nodes = [node('Relu', 'x', 'r'), node('NonZero', 'r', 'z'), node('Transpose', 'z', 'at', perm=[1, 0]), node('GatherND', 'x at', 'v')]
    nodes += [node('Mul', 'v v', 'y')]
    return model(nodes, [info('x', 'b', size)], ['y']), lambda r: {'x': floats(r.choice((0, 1, 3, 50)), size)}


def floats(*shape):
    return random_numbers.standard_normal(shape).astype(np.float32)


class Case:
    """A model, and some inputs with the results of ONNX Runtime."""

    def __init__(self, content, make_feed):
        self.content, chance = content, random.Random(3)
        session = onnxruntime.InferenceSession(content)
        self.runs = [(feed, session.run(None, feed)) for feed in (make_feed(chance) for _ in range(6))]


CASES = [Case(*made) for made in (products(256), products(64), quantized(256), attention(64), convolutions(16), loop(64), nonzeros(32))]


def run_some(chance, context, limit, shared, problems):
    """The work of one thread."""
    for _ in range(RUNS):
        number = chance.randrange(len(CASES))
        case, options = CASES[number], {}
        feed, expected = chance.choice(case.runs)
        cancellation = webnn.Cancellation()
        if chance.random() < 0.3:
            options['timeout'] = chance.choice((0.0005, 0.003, 0.01))
        if chance.random() < 0.3:
            options['cancellation'] = cancellation
        try:
            session = shared[number] if chance.random() < 0.5 else None
            if session is None:
                session = webnn.InferenceSession(case.content, context=context, keep=chance.choice((1, 2, 8)))
            if 'cancellation' in options and chance.random() < 0.5:
                cancellation.request()
            for actual, wanted in zip(session.run(None, feed, **options), expected, strict=True):
                if text := difference(actual, wanted, 1e-3, 1e-4):
                    problems.append(f'model {number}, {[array.shape for array in feed.values()]}: {text}')
        except webnn.DeadlineError as error:
            if 'timeout' not in options:
                problems.append(f'model {number}: {error}')
        except webnn.AbortError as error:
            if 'cancellation' not in options:
                problems.append(f'model {number}: {error}')
        except webnn.OperationError as error:
            if limit is None or 'maxMemory' not in str(error):
                problems.append(f'model {number}: {error}')
        except Exception as error:  # an error that nothing explains
            problems.append(f'model {number}: {type(error).__name__}: {error}')


def problems(seed):
    chance, found = random.Random(seed), []
    limit = chance.choice(LIMITS)
    context = webnn.ML().create_context(**({'limits': {'max_memory': limit}} if limit else {}), threads=chance.choice((1, 2)))
    shared = [webnn.InferenceSession(case.content, context=context, keep=2) if chance.random() < 0.7 else None for case in CASES]
    chances = [random.Random(chance.random()) for _ in range(chance.choice((2, 4, 12)))]
    threads = [threading.Thread(target=run_some, args=(own, context, limit, shared, found)) for own in chances]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if limit and context.memory_in_use > limit:
        found.append(f'{context.memory_in_use} bytes are in use, above the limit of {limit}')
    shared.clear()
    if context.memory_in_use:
        found.append(f'{context.memory_in_use} bytes are in use without a session')
    yield from found


sys.exit(run_seeds(__doc__, problems))
