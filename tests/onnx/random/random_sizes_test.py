"""Checks that sessions over changing sizes give the results of new sessions, and that nodes may have any order.

usage: random_sizes_test.py COUNT [--seed SEED]

A session of a random network runs with sizes that grow, shrink, alternate or are random, with 0 at times, alone or in threads, and
after runs that fail or reach a time limit. Each result must be that of a new session bit by bit, and almost that of ONNX Runtime
without optimizations. Results may differ by rounding if a session has divided its model into sections, because each section chooses its
memory layouts. Every fourth model has control flow and functions instead, and the nodes of each of its graphs are shuffled. Its
results are compared with those of ONNX Runtime for nodes in order.
"""

import pathlib
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import reference_session, require, require_webnn  # noqa: E402

require("numpy", "onnx", "onnxruntime")
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from random_numpy.check import context, run_cases  # noqa: E402
from random_numpy.networks import Network  # noqa: E402
from random_numpy.orders import shuffled_pair  # noqa: E402

RUNS = 10
THREADS = 4
TOLERANCE = 1e-3  # relative to the largest element: errors grow in networks that amplify rounding
SECTION_TOLERANCE = 3e-5
ORDER_EVERY = 4


def outcome(run):
    try:
        return run()
    except webnn.Error as error:
        return error


def difference(actual, expected, tolerance, least=0):
    """Describes the first difference of lists of floats that is larger than `tolerance` allows; None if there is none."""
    for i, (a, b) in enumerate(zip(actual, expected, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"output {i} is {a.dtype}{list(a.shape)} and not {b.dtype}{list(b.shape)}"
        largest = max(least, np.abs(b[np.isfinite(b)]).max(initial=0))
        wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tolerance * largest))
        if wrong.any():
            at = tuple(int(axis) for axis in np.argwhere(wrong)[0])
            return f"output {i} differs in {wrong.sum()} of {wrong.size} elements, first at {at}: {a[at]!r} and not {b[at]!r}"
    return None


def sizes_of(model):
    """Returns the name of a pattern, and the sizes n, s and p of each run."""
    patterns = {
        "growing": [(1, 2 + i, 4) for i in range(RUNS)],
        "shrinking": [(2, RUNS + 2 - i, 3) for i in range(RUNS)],
        "alternating": [(2, 9 if i % 2 else 5, 4) for i in range(RUNS)],
        "random": [(model.count(1, 4), model.count(1, 39), model.count(1, 39)) for _ in range(RUNS)],
        "decoding": [(1, 1 if i else 5, 1 + i) for i in range(RUNS)],
        "batches": [(1 + i % 7, 6, 6) for i in range(RUNS)],
        "mixed": [(1 + i // 4, 3 + i % 3 * 5, 2 + i) for i in range(RUNS)],
    }
    name = model.pick(list(patterns))
    sizes = patterns[name]
    for i in range(3):
        if model.chance(0.1):
            run = model.count(2, RUNS - 1)
            sizes[run] = tuple(0 if axis == i else size for axis, size in enumerate(sizes[run]))
    return name, sizes


def fail(session, network, feed, kind):
    """Makes a run that must fail, or that reaches its time limit. Returns the problem if a wrong input is accepted."""
    x, past, ids = network.names
    broken = {
        "width": {past: feed[past][:, :, :-1]},
        "length": {ids: np.zeros((feed[ids].shape[0], feed[ids].shape[1] + 1), np.int64)},
        "type": {x: feed[x].astype(np.float64)},
    }
    if kind == "time":
        outcome(lambda: session.run(None, feed, timeout=1e-6))
        return None
    result = outcome(lambda: session.run(None, {**feed, **broken[kind]}))
    return None if isinstance(result, webnn.Error) else f"an input with a wrong {kind} is accepted"


class Comparison:
    """Runs of one or two sessions of a network, and their comparison with new sessions."""

    def __init__(self, network, content):
        model = network.model
        self.network, self.content, self.context = network, content, context(model.pick([1, 2, 5]))
        self.pattern, self.sizes = sizes_of(model)
        self.feeds = [network.feed(*sizes) for sizes in self.sizes]
        # Inputs without elements may disagree in their sizes.
        kinds = [["type", "time", *([] if 0 in sizes else ["width", "length"])] for sizes in self.sizes]
        self.failures = [model.pick(kinds[i]) if model.chance(0.15) else None for i in range(RUNS)]
        self.is_parallel = model.chance(0.25)
        kept = {"keep": model.count(1, 3)} if model.chance(0.25) else {}
        self.sessions = [webnn.InferenceSession(content, context=self.context, **kept)]
        if model.chance(0.3):
            self.sessions.append(webnn.InferenceSession(content, context=self.context))
        self.results, self.problems = [None] * RUNS, [None] * RUNS

    def run(self, i):
        session = self.sessions[i % len(self.sessions)]
        if self.failures[i]:
            self.problems[i] = fail(session, self.network, self.feeds[i], self.failures[i])
        self.results[i] = outcome(lambda: session.run(None, self.feeds[i]))

    def run_all(self):
        for first in range(0, RUNS, THREADS):
            runs = range(first, min(first + THREADS, RUNS))
            if self.is_parallel:
                threads = [threading.Thread(target=self.run, args=(i,)) for i in runs]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            else:
                for i in runs:
                    self.run(i)

    def is_divided(self, i):
        """Returns whether a session has divided its model into sections, each of which chooses its memory layouts."""
        shapes = {name: array.shape for name, array in self.feeds[i].items()}
        return any(outcome(lambda one=one: one._model._source.prefers_run(shapes, None, None)) is True for one in self.sessions)

    def problem(self, i, theirs):
        """Describes how run `i` differs from a new session's run, or how the new session's run differs from ONNX Runtime's; None if they
        agree."""
        new = outcome(lambda: webnn.InferenceSession(self.content, context=self.context).run(None, self.feeds[i]))
        result = self.results[i]
        if self.problems[i]:
            return self.problems[i]
        if isinstance(new, webnn.Error) or isinstance(result, webnn.Error):
            # Some operators refuse sizes of 0.
            is_refused = isinstance(new, webnn.Error) and isinstance(result, webnn.Error) and 0 in self.sizes[i]
            return None if is_refused else f"{short(result)}, and the new session: {short(new)}"
        if not all(a.tobytes() == b.tobytes() for a, b in zip(result, new, strict=True)):
            found = difference(result, new, SECTION_TOLERANCE if self.is_divided(i) else 0)
            if found or not self.is_divided(i):
                return f"not a new session's results: {found or 'the sign of a zero or the bits of a NaN differ'}"
        if 0 in self.sizes[i]:  # ONNX Runtime aborts the process for a GRU without steps
            return None
        found = difference(new, theirs.run(None, self.feeds[i]), TOLERANCE)
        return f"not ONNX Runtime's results: {found}" if found else None


def short(result):
    return " ".join(str(result).split())[:200] if isinstance(result, webnn.Error) else "it runs"


def check_sizes(seed):
    network = Network(seed)
    content = network.model.content()
    theirs = reference_session(content)
    try:
        made = Comparison(network, content)
    except webnn.Error as error:
        return network.kinds, short(error)
    made.run_all()
    for i, sizes in enumerate(made.sizes):
        if problem := made.problem(i, theirs):
            return network.kinds, f"{made.pattern}, run {i} of sizes {sizes}: {problem}"
    return network.kinds, None


def check_order(seed):
    ordered, shuffled, feed = shuffled_pair(seed)
    try:
        expected = reference_session(ordered).run(None, feed)
    except Exception:  # the types of ONNX Runtime's errors have no common base
        return None
    for label, content in (("ordered", ordered), ("shuffled", shuffled)):
        actual = outcome(lambda content=content: webnn.InferenceSession(content, context=context(1 + seed % 3)).run(None, feed))
        problem = short(actual) if isinstance(actual, webnn.Error) else difference(actual, expected, TOLERANCE, least=1)
        if problem:
            return "order", f"{label}: {problem}"
    return "order", None


def check(seed):
    return check_order(seed) if seed % ORDER_EVERY == 0 else check_sizes(seed)


if __name__ == "__main__":
    sys.exit(run_cases(check))
