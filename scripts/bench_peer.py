"""Shared code of the programs for `webnn bench --peer`. docs/guides/bench.md describes the protocol.

usage of such a program: PROGRAM MODEL THREADS WARMUP [PAUSE]
"""
import json
import os
import pathlib
import resource
import socket
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TURN = 5e-3  # minimum seconds of a turn, as in `webnn bench`


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def random_values(numpy, generator, kind, shape):
    """Returns random inputs as `webnn bench` makes them: whole numbers from 0 to 7 for integer types, numbers from 0 to 1 for
    floats."""
    kind = numpy.dtype(kind)
    return (generator.integers(0, 8 if kind != bool else 2, shape) if kind.kind in 'iub' else generator.random(shape)).astype(kind)


def turn(run, last, most, pause):
    """Runs a turn, and returns the time of each run. A turn ends after TURN seconds or `most` runs (0: any number). If the
    last run was short (`last`, in seconds), an untimed run comes first. With a pause, in milliseconds, a turn is one run after
    the pause."""
    if pause > 0:
        time.sleep(pause / 1e3)
        return [run()]
    if last < TURN / 2:
        run()
    times = [run()]
    while sum(times) < TURN and (most == 0 or len(times) < most):
        times.append(run())
    return times


def serve(environment, build):
    """Answers the requests of `webnn bench`. `build` takes the model's path and the number of threads, and returns (load seconds,
    compile seconds, version, a function that runs the model). If this Python lacks a package that `build` imports, the program
    starts again with the Python of build/`environment`."""
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    path, threads, warmup, *pauses = sys.argv[1:]
    pause = float(pauses[0]) if pauses else 0
    lines = socket.socket(fileno=0).makefile('rw')

    def answer(value):
        lines.write(json.dumps(value) + '\n')
        lines.flush()

    try:
        try:
            load, compiled, version, work = build(path, int(threads))
        except ImportError as missing:
            python = ROOT / 'build' / environment / 'bin/python'
            if not python.exists() or pathlib.Path(sys.prefix) == python.parents[1]:
                raise RuntimeError(f'{missing}; `make bench` installs it into build/{environment}') from None
            os.execv(python, [str(python), *sys.argv])

        def run():
            start = time.perf_counter()
            work()
            return time.perf_counter() - start

        run()
        peak = peak_bytes() - START
        for _ in range(int(warmup)):
            run()
        last = run()
    except Exception as error:  # any failure of the engine becomes the error of the row
        answer({'error': ' '.join(str(error).split())[:1000] or type(error).__name__})
        return
    answer({'load': load, 'compile': compiled, 'peakBytes': max(peak, 1), 'version': version})
    for line in lines:
        times = turn(run, last, int(line.split()[1]), pause)
        last = times[-1]
        answer({'times': times})


START = 0  # the peak memory in bytes after the engine's library was loaded


def loaded():
    """Records the peak memory, which is not counted for the model. Call it after the packages are imported."""
    global START
    START = peak_bytes()
