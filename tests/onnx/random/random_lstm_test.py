"""Checks that sessions compute com.microsoft.DynamicQuantizeLSTM as NumPy does, also if the caller changes inputs between runs.

usage: random_lstm_test.py COUNT [--seed SEED]

Each model (random_quantized/lstm.py) runs four times. Between the runs, some inputs change, weights and scales included: the caller
writes into the same arrays, or passes new ones.
"""

import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_quantized.lstm import LstmModel  # noqa: E402

RUNS = 4
TOLERANCE = 1e-5


def problem_of(made, results):
    """Returns how the results of a session differ from those of NumPy; '' if they do not."""
    shape = (made.steps, made.directions, made.batch, made.hidden)
    if any(result.dtype != np.float32 for result in results) or results[0].shape != shape:
        return f'the results have the types {[str(result.dtype) for result in results]}, and Y has the shape {results[0].shape}'
    for name, actual, expected in zip(('Y', 'Y_h', 'Y_c'), results, made.expected(np.nan_to_num(results[0])), strict=True):
        if actual.shape != expected.shape:
            return f'{name} has the shape {actual.shape}, not {expected.shape}'
        error = np.abs(actual - expected) / (1 + np.abs(expected))
        if not np.all(error <= TOLERANCE):
            return f'{name} differs by {error.max():.3g}'
    return ''


def check(seed, context):
    """Returns the first problem of a model; '' if there is none."""
    made = LstmModel(seed)
    in_place = seed // 2 % 2 == 1
    try:
        session = webnn.InferenceSession(made.model_bytes(), context=context)
        for run in range(RUNS):
            if run:
                made.change(in_place)
            if problem := problem_of(made, session.run(None, made.feed())):
                return f'run {run}, {"in place" if in_place else "new arrays"}: {problem}'
    except webnn.Error as error:
        return f'{type(error).__name__}: {error}'
    return ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    contexts = [webnn.ML().create_context(backend='cpu', threads=threads) for threads in (1, 2)]
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        if problem := check(seed, contexts[seed % 2]):
            failed += 1
            print(f'--seed {seed} ({LstmModel(seed)}): {problem}')
    print(f'{options.count} models, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
