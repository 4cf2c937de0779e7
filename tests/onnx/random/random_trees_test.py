"""Checks that sessions compute random tree ensembles as ONNX Runtime and Python code do, and refuse malformed ensembles.

usage: random_trees_test.py COUNT [--seed SEED]

Most ensembles (random_trees/ensemble.py) have thresholds, features and weights that are multiples of 1/8, so that all sums are exact
and features often equal thresholds; their labels must be equal. Rows that run alone must give the same bits as rows that run together.
Then malformed ensembles must be refused, and long runs must end at their timeout (random_trees/malformed.py). WEBNN_TREES_COUNT and
WEBNN_TREES_SEED take precedence over the arguments.
"""
import argparse
import os
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402
from random_trees import malformed  # noqa: E402
from random_trees.ensemble import Ensemble  # noqa: E402

ROWS = [0, 1, 2, 63, 64, 65, 127, 129, 200]
MOST_LATE = 0.5  # seconds after the timeout; the promise is 50 ms, and the machine may be busy
TRANSFORMS = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO']


def reference_session(content):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(content, options, providers=['CPUExecutionProvider'])


def outcome(run):
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - the errors of two packages
        return error


def close(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=2e-5, atol=2e-6, equal_nan=True)


def problem_of(ensemble, random):
    """Runs the ensemble. Returns how the results are wrong; '' if they are right."""
    content = ensemble.model()
    rows = int(random.choice(ROWS)) if ensemble.scores < 100 else int(random.integers(0, 6))
    rows = 5000 if ensemble.scores < 3 and random.random() < 0.02 else rows
    x = ensemble.rows(rows)
    session = webnn.InferenceSession(content)
    mine = session.run(None, {'x': x})
    expected = outcome(lambda: reference_session(ensemble.model(for_onnxruntime=True)).run(None, {'x': x}))
    if isinstance(expected, Exception):
        if 'narrowing_error' not in str(expected):  # ONNX Runtime has no label for rows that reach no weight
            return f'ONNX Runtime refuses the model: {expected}'
    elif not close(mine[-1], expected[-1]):
        return f'{mine[-1].ravel()[:6]}, and ONNX Runtime {expected[-1].ravel()[:6]}, of {mine[-1].shape} and {expected[-1].shape}'
    elif len(mine) == 2 and ensemble.is_exact and (mine[0] != expected[0]).any():
        return f'labels {mine[0][:6]}, and ONNX Runtime {expected[0][:6]}'
    if ensemble.is_plain() and rows < 1000 and not close(mine[-1], ensemble.sums(x)[0]):
        return f'{mine[-1].ravel()[:6]}, and the walk in Python {ensemble.sums(x)[0].ravel()[:6]}'
    step = int(random.choice([1, 3, 64]) if rows < 1000 else 777)
    parts = [session.run(None, {'x': x[i:i + step]}) for i in range(0, rows, step)]
    for i, whole in enumerate(mine if parts else []):
        if np.concatenate([part[i] for part in parts]).tobytes() != whole.tobytes() and whole.dtype != object:
            return f'{step} rows at a time give other bits'
    return ''


def malformed_problems():
    x = np.array([[-1], [1]], np.float32)
    for make, cases in ((malformed.regressor, malformed.REFUSED), (malformed.ensemble, malformed.REFUSED_NEW)):
        for name, changes in cases.items():
            result = outcome(lambda make=make, changes=changes: webnn.InferenceSession(make(changes)).run(None, {'x': x}))
            if not isinstance(result, webnn.Error):
                yield f'{name} is not refused: {make.__name__} gives {result if isinstance(result, Exception) else result[0].ravel()[:4]}'
    result = outcome(lambda: webnn.InferenceSession(malformed.regressor(malformed.UNREACHABLE)).run(None, {'x': x}))
    if not isinstance(result, Exception) and result[0].ravel().tolist() != [1, 2]:
        yield f'a node that no branch refers to changes the result: {result[0].ravel()}'


def two_class_problems():
    x = np.array([[-1], [1]], np.float32)
    for only in (0, 1):
        for base in (None, [0.25], [2.0], [0.25, 0.5]):
            for post in TRANSFORMS:
                content = malformed.two_classes(only, base, post)
                mine, expected = webnn.InferenceSession(content).run(None, {'x': x}), reference_session(content).run(None, {'x': x})
                if mine[0].tolist() != expected[0].tolist() or not close(mine[1], expected[1]):
                    yield (f'weights of class {only}, base {base}, {post}: {mine[0]} {mine[1].ravel()}, '
                           f'and ONNX Runtime {expected[0]} {expected[1].ravel()}')


def crash_problems():
    """Runs, in a separate process, a model whose rows have different numbers of scores; it once wrote past the result's end."""
    child = os.fork()
    if child == 0:
        x = np.ones((100_000, 1), np.float32)
        x[0] = -1
        result = outcome(lambda: webnn.InferenceSession(malformed.one_leaf_of_two()).run(None, {'x': x}))
        os._exit(0 if isinstance(result, Exception) or result[1].shape == (100_000, 2) else 1)
    if status := os.waitpid(child, 0)[1]:
        yield f'two classes with PROBIT, and a leaf without weights: the process ends with the status {status}'


def time_problems():
    cases = {'a long chain': (malformed.long_chain(300_000), 1000), 'a circle with many members': (malformed.circle_of_members(3000, 1_000_000), 1)}
    for name, (content, rows) in cases.items():
        session, x = webnn.InferenceSession(content), np.zeros((rows, 1), np.float32)
        if rows > 1:
            session.run(None, {'x': x[:1]})  # prepares the ensemble, so that the next run evaluates it at once
        start = time.perf_counter()
        result = outcome(lambda session=session, x=x: session.run(None, {'x': x}, timeout=0.1))
        late = time.perf_counter() - start - 0.1
        if late > MOST_LATE or not isinstance(result, Exception):
            yield f'{name}: the run ends {late:.1f} s after its timeout: {str(result)[:80]}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    count, first = int(os.environ.get('WEBNN_TREES_COUNT', options.count)), int(os.environ.get('WEBNN_TREES_SEED', options.seed))
    onnxruntime.set_default_logger_severity(4)
    failures = 0
    for seed in range(first, first + count):
        random = np.random.default_rng(seed)
        ensemble = Ensemble(random)
        if problem := problem_of(ensemble, random):
            failures += 1
            print(f'--seed {seed}, TreeEnsemble{ensemble.kind}, {ensemble.type.__name__}, {ensemble.scores} scores: {problem}'[:600])
    for problems in (crash_problems(), malformed_problems(), two_class_problems(), time_problems()):
        for problem in problems:
            failures += 1
            print(problem)
    print(f'{count} ensembles, {failures} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
