"""Checks matrix products at the borders of the CPU backend's panels, tiles and blocks, and that threads do not change them.

usage: random_borders_test.py COUNT [--seed SEED] [--kind KIND]

Each case (random_quantized/borders.py and border_*.py) runs on contexts that differ in threads, instruction sets, memory and
precision. Sums of 8-bit products must be exact, and floats must be within rounding of float64 in NumPy, or of the reference backend.
Contexts that differ only in threads or memory must have equal bits. Some cases are also saved, loaded and run. Graphs with an open
number of rows run with several numbers of rows.
"""

import argparse
import collections
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'ml_dtypes')
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_quantized.border_floats import FloatCase, OtherCase, UnusualCase  # noqa: E402
from random_quantized.border_graphs import BatchCase, ConstantCase, RuntimeCase  # noqa: E402
from random_quantized.border_models import OnnxCase  # noqa: E402
from random_quantized.borders import SAME, context, run_session, same_all  # noqa: E402

# The classes of cases, and how many of 100 cases have each class.
KINDS = {
    'constant': (ConstantCase, 26),
    'runtime': (RuntimeCase, 8),
    'batch': (BatchCase, 12),
    'onnx': (OnnxCase, 18),
    'float': (FloatCase, 16),
    'unusual': (UnusualCase, 10),
    'other': (OtherCase, 10),
}
SAVED_EVERY = 6  # one case in six is also saved, loaded and run


def case_of(seed, kind):
    """Returns (kind, case) for a seed. `kind` is the kind, or empty for a random kind."""
    if not kind:
        shares = [share for _, share in KINDS.values()]
        kind = str(np.random.default_rng(seed + 1).choice(list(KINDS), p=np.array(shares) / sum(shares)))
    return kind, KINDS[kind][0](seed)


def problems_of(label, name, runs, results):
    """Yields how the results of a context differ from the expected ones."""
    for i, (result, (_, checks)) in enumerate(zip(results, runs, strict=True)):
        for output, check in checks.items():
            chosen = check['bf16' if name.startswith('bf16') else 'float32'] if isinstance(check, dict) else check
            if problem := chosen.problem(result[output]):
                yield f'{label}, run {i}: {problem}'


def check_saved(case):
    """Saves, loads and runs the case in two formats. Returns problems."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ('webnn', 'onnx'):
            path = pathlib.Path(folder, f'saved.{suffix}')
            if not case.save(path):
                return problems
            for name in filter(context, ('two', 'sse4')):
                session = webnn.InferenceSession(path, context=context(name))
                results = [run_session(session, feed) for feed, _ in case.runs]
                problems += problems_of(f'saved as {suffix}, {name}', name, case.runs, results)
    return problems


def check(case, saves):
    """Returns the problems of a case."""
    problems, results = [], {}
    for name in filter(context, case.contexts):
        try:
            results[name] = case.results(name)
        except (webnn.Error, AssertionError) as error:
            problems.append(f'{name}: {type(error).__name__}: {error}')
            continue
        problems += problems_of(name, name, case.all_runs(), results[name])
    for group in SAME:
        first, *others = [name for name in group if name in results] or [None]
        for name in others:
            if not all(map(same_all, results[first], results[name])):
                problems.append(f'{name}: the results are not those of the context "{first}"')
    if saves and not problems:
        try:
            problems += check_saved(case)
        except webnn.Error as error:
            problems.append(f'saved: {type(error).__name__}: {error}')
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--kind', choices=KINDS)
    options = parser.parse_args()
    failed = runs = 0
    kinds = collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        kind, case = case_of(seed, options.kind)
        kinds[kind] += 1
        runs += len(case.all_runs())
        if problems := check(case, saves=seed % SAVED_EVERY == 0):
            failed += 1
            print(f'--seed {seed} ({kind}: {case}):', *problems[:4], sep='\n  ', flush=True)
    print(
        f'{options.count} cases ({", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items()))}), {runs} sets of inputs, {failed} failed'
    )
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
