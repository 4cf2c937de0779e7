"""Checks that sessions compute random ONNX models as ONNX Runtime does, for several sizes in alternation, also without elements.

usage: random_sessions_test.py COUNT [--seed SEED] [--steps STEPS] [--keep FOLDER]

The models mix open sizes, sizes that depend on values, operators of the host, strings, sequences and control flow (random_sessions/).
Values are multiples of 1/4 if a later step is discontinuous, so that rounding cannot change a decision. The same seed makes the
same models. Models and inputs that ONNX Runtime refuses are skipped. --keep writes the models that differ.
"""
import argparse
import mmap
import os
import pathlib
import signal
import sys
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import difference, reference_session, require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_sessions.generate import Generator, feeds_of  # noqa: E402

SIZES = [(2, 3), (1, 1), (4, 2), (2, 3), (5, 4), (0, 3), (2, 3), (3, 0)]
RESULTS = ['agree', 'skip', 'differ']
OURS, THEIRS = 1, 2
SECONDS = 60  # time limit for a model with all its inputs


def short(error):
    return ' '.join(str(error).split())[:300]


def problem_of(model, theirs, seed, running):
    """Returns a description of the first difference, '' if there is none, or None if ONNX Runtime refuses all inputs."""
    ours = webnn.InferenceSession(model.SerializeToString())
    random = np.random.default_rng(seed)
    result = None
    for sizes in SIZES:
        feeds = feeds_of(model, random, sizes)
        running[0] = THEIRS
        try:
            expected = theirs.run(None, feeds)
        except Exception:
            continue
        running[0] = OURS
        try:
            problem = difference(ours.run(None, feeds), expected, rtol=2e-4, atol=2e-5)
        except webnn.Error as error:
            problem = f'{type(error).__name__}: {short(error)}'
        if problem:
            return f'{sizes}: {problem}'
        result, running[1] = '', 1
    return result


def compare(seed, steps, keep, running):
    """Compares one model. Returns the index of the outcome in RESULTS."""
    try:
        model, is_useful = Generator(seed, steps).model()
    except RecursionError:
        return 1
    if not is_useful:
        return 1
    running[0] = THEIRS
    try:
        theirs = reference_session(model.SerializeToString())
    except Exception:
        return 1
    running[0] = OURS
    try:
        problem = problem_of(model, theirs, seed, running)
    except webnn.Error as error:
        problem = f'the model is refused: {type(error).__name__}: {short(error)}'
    if not problem:
        return 1 if problem is None else 0
    print(f'--seed {seed}: {problem}')
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f'{seed}.onnx').write_bytes(model.SerializeToString())
    return 2


def check(seed, steps, keep):
    """Compares one model in a process of its own, because ONNX Runtime crashes for some tensors without elements."""
    running = mmap.mmap(-1, 2)
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            result = compare(seed, steps, keep, running)
        except BaseException:
            traceback.print_exc()
            result = 99
        sys.stdout.flush()
        os._exit(result)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if 0 <= status < len(RESULTS):
        return RESULTS[status]
    if running[0] == THEIRS:
        return 'agree' if running[1] else 'skip'
    print(f'--seed {seed}: the process ends with status {status}', flush=True)
    return 'differ'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, default=12, help='the greatest number of steps of a model')
    parser.add_argument('--keep', type=pathlib.Path, help='folder for the models that differ')
    options = parser.parse_args()
    counts = dict.fromkeys(RESULTS, 0)
    for seed in range(options.seed, options.seed + options.count):
        counts[check(seed, options.steps, options.keep)] += 1
    print(f'{counts["agree"]} models agree, {counts["skip"]} skipped, {counts["differ"]} differ')
    if counts['agree'] < options.count // 2:
        print('too few models are compared')
        return 1
    return 1 if counts['differ'] else 0


sys.exit(main())
