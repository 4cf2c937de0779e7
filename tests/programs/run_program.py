"""Runs one program in this process with the `onnxruntime` that the process has, and writes its results, times and memory.

usage: run_program.py MODULE.FUNCTION NEW AGAIN RESULT.json
NEW is the number of further inputs, AGAIN the number of runs with the first input. The environment variable PROGRAM_START is the
time.monotonic() at which the process was started."""

import gc
import importlib
import json
import os
import resource
import sys
import time


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


class Sessions:
    """Counts the sessions of onnxruntime: those that exist at the end, plus those that are made while the program runs."""

    def __init__(self):
        self.made = 0
        engine = sys.modules.get("onnxruntime")
        if engine is None:
            return
        make = engine.InferenceSession.__init__

        def counted(session, *arguments, **options):
            self.made += 1
            make(session, *arguments, **options)

        engine.InferenceSession.__init__ = counted

    def count(self):
        engine = sys.modules.get("onnxruntime")
        if engine is None:
            return 0
        # The type of an object, unlike isinstance(), does not follow weak references, which may be dead.
        return self.made + sum(issubclass(type(each), engine.InferenceSession) for each in gc.get_objects())


def main():
    name, new, again, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    start = float(os.environ["PROGRAM_START"])
    module, function = name.split(".")
    prepare, use = getattr(importlib.import_module(module), function)()
    sessions = Sessions()
    first_input, unmeasured = timed(prepare, 0)
    results = [use(first_input)]
    first = time.monotonic() - start - unmeasured
    new_times, again_times = [], []
    for index in range(1, new + 1):
        result, duration = timed(use, prepare(index))
        results.append(result)
        new_times.append(duration)
    for _ in range(again):
        result, duration = timed(use, first_input)
        results.append(result)
        again_times.append(duration)
    engine = sys.modules.get("onnxruntime")
    answer = {
        "engine": engine.get_build_info() if engine else "",  # with webnn, too, __version__ is ONNX Runtime's
        "sessions": sessions.count(),
        "results": results,
        "first": first,
        "new": new_times,
        "again": again_times,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answer, file, ensure_ascii=False)


if __name__ == "__main__":
    main()
