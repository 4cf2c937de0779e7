"""Checks that sessions with sizes that grow in each run, which divide their model into sections, compute what new sessions compute.

usage: random_growing_test.py COUNT [--seed SEED]

The models are decoders with caches and similar networks (random_growing/). After three runs with growing sizes, each run must give
the results or the error of a new session. Results of floats may differ by rounding, because each section chooses its memory
layouts. A larger difference must be at most four times the difference of the new session's results from those of ONNX Runtime.
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime', 'ml_dtypes')
require_webnn()
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402
from random_growing import models  # noqa: E402

GROWING = (10, 11, 12)
LATER = [{'p': p} for p in (13, 1, 2, 8, 31, 0, 13, 64)]
DECODED = [{'p': 9, 's': 3}, {'p': 40, 's': 1}, {'p': 0, 's': 6}, {'p': 11}, {'p': 11, 'e': 4}, {'p': 200}]


def outcome(run):
    try:
        return run()
    except Exception as error:
        return type(error).__name__, str(error)


def distance(actual, expected):
    """Returns the largest difference of two results, relative to 1 plus the largest number; infinity if they cannot be compared."""
    if isinstance(actual, tuple) or isinstance(expected, tuple):
        return 0 if actual == expected else np.inf
    worst = 0
    for a, b in zip(actual, expected, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            return np.inf
        if a.dtype.kind == 'f':
            a, b = a.astype(np.float64), b.astype(np.float64)
            if not np.array_equal(np.isfinite(a), np.isfinite(b)):
                return np.inf
            a, b = np.where(np.isfinite(a), a, 0), np.where(np.isfinite(b), b, 0)
            worst = max(worst, np.abs(a - b).max(initial=0) / (1 + np.abs(b).max(initial=0)))
        elif not np.array_equal(a, b):  # integers: quantized numbers may be off by one
            worst = max(worst, np.abs(a.astype(float) - b.astype(float)).max(initial=0) / 100)
    return worst


def reference_session(content):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(content, options, providers=['CPUExecutionProvider'])


def check(seed, context):
    """Returns (problem, whether the model was divided); (None, False) if ONNX Runtime refuses the model."""
    made = models.model(seed)
    content = made.make().SerializeToString()
    theirs = outcome(lambda: reference_session(content))
    if isinstance(theirs, tuple):
        return None, False
    session = webnn.InferenceSession(content, context)
    for p in GROWING:
        outcome(lambda p=p: session.run(None, models.feed(made, seed, p=p)))
    is_half = any(output.type.tensor_type.elem_type == onnx.TensorProto.FLOAT16 for output in made.outs)
    is_quantized = any(word in str(made.notes) for word in ('proj=qdq', 'proj=dynq', 'proj=int4'))
    tolerance = 2e-2 if is_half else 5e-2 if is_quantized else 2e-5
    divided = False
    for sizes in LATER + (DECODED if type(made) is models.Decoder else []):
        feed = models.feed(made, seed, **sizes)
        given = {name: array.copy() for name, array in feed.items()}
        shapes = {name: array.shape for name, array in feed.items()}
        divided = divided or outcome(lambda shapes=shapes: session._model._source.prefers_run(shapes, None, None)) is True
        actual = outcome(lambda feed=feed: session.run(None, feed))
        expected = outcome(lambda feed=feed: webnn.InferenceSession(content, context).run(None, feed))
        if any(not np.array_equal(feed[name], given[name]) for name in feed):
            return f'{sizes}: an input was written', divided
        error = distance(actual, expected)
        if error <= tolerance:
            continue
        # A model that amplifies rounding also differs from ONNX Runtime.
        reference = outcome(lambda feed=feed: theirs.run(None, feed))
        if not error <= 4 * distance(expected, reference) < np.inf:
            return f'{sizes}: the results differ by {error:.2g}: {str(actual)[:200]}, not {str(expected)[:200]}', divided
    return '', divided


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    context = webnn.ML().create_context(backend='cpu', threads=1)
    failed = skipped = divided = 0
    for seed in range(options.seed, options.seed + options.count):
        problem, is_divided = check(seed, context)
        skipped += problem is None
        divided += is_divided
        if problem:
            failed += 1
            print(f'seed {seed} ({models.model(seed).notes}): {problem}')
    print(f'{options.count} models, {divided} divided, {skipped} skipped, {failed} failed')
    if options.count >= 50 and divided < options.count // 10:
        print('too few models were divided')
        failed += 1
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
