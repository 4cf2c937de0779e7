"""Runs random models on random contexts, and reports the seeds of those whose results are wrong."""

import argparse
import functools

import numpy as np
import webnn

from random_numpy.model import OPSETS, Model

INSTRUCTIONS = [(), (), (), ("isa=avx2",), ("isa=avx512",), ("isa=sse4",)]


@functools.cache
def context(threads, *options):
    try:
        return webnn.ML().create_context(backend="cpu", threads=threads, backend_options=dict(one.split("=") for one in options))
    except webnn.Error:
        if not options:
            raise
        return context(threads)  # the processor lacks the instructions


def problem_of(model):
    """Runs a model on a random context. Returns the first difference or the error as text; None if all results agree."""
    content, names = model.content(), list(model.results)
    threads, options = model.pick([1, 2, 5]), model.pick(INSTRUCTIONS)
    options += ("memory=apart",) if model.chance(0.1) else ()
    label = f"{threads} threads {' '.join(options)}"
    try:
        results = webnn.InferenceSession(content, context=context(threads, *options)).run(names, model.feed)
        for name, result in zip(names, results, strict=True):
            if found := model.difference(result, model.results[name]):
                return f"{label}: {name} {found}"
        if model.chance(0.15):
            others = webnn.InferenceSession(content, context=context(model.pick([1, 2, 5]), *options)).run(names, model.feed)
            if not all(map(functools.partial(np.array_equal, equal_nan=model.dtype.kind == "f"), results, others)):
                return f"{label}: the results depend on the number of threads"
    except webnn.Error as error:
        return f"{label}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return None


def run_cases(check):
    """Calls check(seed) COUNT times. check() returns (kind, problem), or None without a comparison. Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    compared = failed = 0
    for seed in range(options.seed, options.seed + options.count):
        with np.errstate(all="ignore"):
            outcome = check(seed)
        compared += outcome is not None
        if outcome and outcome[1]:
            failed += 1
            print(f"--seed {seed} ({outcome[0]}): {outcome[1]}", flush=True)
    print(f"{options.count} models, {compared} compared, {failed} failed")
    if compared < options.count // 2:
        print("too few models are compared")
        return 1
    return failed > 0


def check_models(make, opsets=OPSETS):
    """Compares models that make(model) completes. make() returns False for a model without expected results. Returns the status."""

    def check(seed):
        model = Model(seed, opsets)
        if not make(model) or not model.results:
            return None
        return model.kind, problem_of(model)

    return run_cases(check)
