#!/usr/bin/env python3
"""Runs programs of other packages (catalogue.py) with ONNX Runtime and with webnn, unmodified, and compares what a user sees: texts,
labels and tokens exactly, boxes within a pixel, other numbers within a tolerance.

usage: check_programs.py [--quick] [--measure ROUNDS] [--page FILE] [--only TEXT]
  --quick           only the programs that `make test` runs
  --measure ROUNDS  also measure time and memory in ROUNDS of alternating processes, and keep the medians in build/programs
  --page FILE       write the table of all kept measurements into FILE, between its marks
  --only TEXT       only the programs whose function contains TEXT
Exit status 77: skipped, because no environment is installed (scripts/setup/setup_programs.sh).
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from catalogue import PROGRAMS

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parents[1] / "build/programs"
MODELS = ENVIRONMENTS / "models"
MEASURED = ENVIRONMENTS / "measured.json"
ENGINES = {"onnxruntime": ["run_program.py"], "webnn": ["-m", "webnn.onnxruntime", "run_program.py"]}
MARKS = ("<!-- programs -->\n", "<!-- end -->\n")
SECONDS = 300  # limit for one process
SLOWER = 1.03  # a program may be slower by 3 %


def python_of(name):
    return ENVIRONMENTS / name / "bin/python"


def run(program, engine, new, again):
    """Returns what run_program.py writes. Raises RuntimeError with the end of its messages if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "result.json")
        command = [python_of(program.environment), *ENGINES[engine], program.function, str(new), str(again), path]
        environment = {**os.environ, "PROGRAM_MODELS": str(MODELS), "PROGRAM_START": str(time.monotonic()), "HF_HUB_OFFLINE": "1"}
        try:
            subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=True, timeout=SECONDS)
        except subprocess.CalledProcessError as error:
            raise RuntimeError("\n".join((error.stdout + error.stderr).strip().splitlines()[-12:])) from error
        except subprocess.TimeoutExpired as error:
            raise RuntimeError(f"it takes more than {SECONDS} seconds") from error
        answer = json.loads(path.read_text(encoding="utf-8"))
    if ("webnn" in answer["engine"]) != (engine == "webnn") or not answer["sessions"]:
        raise RuntimeError(f"it ran with {int(answer['sessions'])} sessions of {answer['engine']}")
    if not any(answer["results"]):
        raise RuntimeError("it has no results")
    return answer


def differences(wanted, actual, tolerance, place=""):
    """Yields texts that tell where two results differ."""
    if isinstance(wanted, dict) and isinstance(actual, dict) and wanted.keys() == actual.keys():
        for name in wanted:
            yield from differences(wanted[name], actual[name], 1.0 if name == "box" else tolerance, f"{place}/{name}")
    elif isinstance(wanted, list) and isinstance(actual, list) and len(wanted) == len(actual):
        for index, (first, second) in enumerate(zip(wanted, actual, strict=True)):
            yield from differences(first, second, tolerance, f"{place}/{index}")
    elif isinstance(wanted, float) and isinstance(actual, float):
        is_equal = wanted == actual or (math.isnan(wanted) and math.isnan(actual))
        if not is_equal and not abs(wanted - actual) <= tolerance * (1 if tolerance == 1.0 else max(1.0, abs(wanted))):
            yield f"{place}: {wanted} with onnxruntime, {actual} with webnn"
    elif type(wanted) is not type(actual) or wanted != actual:
        yield f"{place}: {wanted!r} with onnxruntime, {actual!r} with webnn"


def check(program):
    """Returns a text that tells how the program fails or differs, or None."""
    try:
        wanted = run(program, "onnxruntime", program.new, 2)["results"]
    except RuntimeError as error:
        return f"fails with onnxruntime:\n{error}"
    try:
        actual = run(program, "webnn", program.new, 2)["results"]
    except RuntimeError as error:
        return f"fails with webnn:\n{error}"
    found = list(differences(wanted, actual, program.tolerance))
    return f"{len(found)} differences: {'; '.join(found[:3])[:800]}" if found else None


def measure(program, rounds):
    """Returns for each engine the medians: seconds of the first result, of a new input and of the first input again, and memory."""
    answers = {engine: [] for engine in ENGINES}
    for index in range(rounds):
        for engine in list(ENGINES)[:: 1 if index % 2 == 0 else -1]:
            answers[engine].append(run(program, engine, program.new, 6))
    return {"rounds": rounds} | {
        engine: {
            "first": statistics.median(each["first"] for each in results),
            "new": statistics.median(value for each in results for value in each["new"]),
            "again": statistics.median(value for each in results for value in each["again"]),
            "memory": statistics.median(each["memory"] for each in results),
        }
        for engine, results in answers.items()
    }


def milliseconds(seconds):
    return f"{seconds * 1e3:,.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.3g}"


def row(program, measured):
    theirs, ours = measured["onnxruntime"], measured["webnn"]
    cells = [program.title]
    for name in ("first", "new", "again"):
        ratio = ours[name] / theirs[name]
        shown = f"{ratio:.2f}" if ratio <= SLOWER else f"**{ratio:.2f}**"
        cells += [milliseconds(theirs[name]), milliseconds(ours[name]), shown]
    cells += [f"{each['memory'] / 1e6:.0f}" for each in (theirs, ours)]
    return "| " + " | ".join(cells) + " |"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{len(names)} cores of {names[0]}" if names else platform.processor()


def mean(measured, name):
    return f"{statistics.geometric_mean(each['webnn'][name] / each['onnxruntime'][name] for each in measured):.2f}"


def table(kept):
    """Returns the kept measurements as a page's lines."""
    shown = [program for program in PROGRAMS if program.function in kept]
    measured = [kept[program.function] for program in shown]
    rounds = min(each["rounds"] for each in measured)
    lines = [
        f"Milliseconds on {processor()}: medians of {rounds} or more processes for each engine, which alternate.",
        "",
        "- First: from the start of the process to the first result. New: a further input, mostly of a new size. Again: the first input.",
        "- O: with onnxruntime. W: with webnn. Ratios above 1.03 are bold. Memory: the most that the process used, in MB.",
        "",
        "| program | first: O | W | W/O | new: O | W | W/O | again: O | W | W/O | memory: O | W |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
        *map(row, shown, measured),
        f"| geometric mean | | | {mean(measured, 'first')} | | | {mean(measured, 'new')} | | | {mean(measured, 'again')} | | |",
    ]
    return "\n".join(lines) + "\n"


def write(page, text):
    content = Path(page).read_text(encoding="utf-8")
    before, rest = content.split(MARKS[0])
    after = rest.split(MARKS[1], 1)[1]
    Path(page).write_text(before + MARKS[0] + "\n" + text + "\n" + MARKS[1] + after, encoding="utf-8")


def make_models(environments):
    """Makes the missing models. Returns whether all exist now."""
    MODELS.mkdir(parents=True, exist_ok=True)
    for name in environments:
        command = [python_of(name), "make_models.py", name]
        done = subprocess.run(command, cwd=HERE, env={**os.environ, "PROGRAM_MODELS": str(MODELS)}, capture_output=True, text=True)
        if done.returncode:
            print(f"the models of {name} cannot be made:\n{done.stderr[-2000:]}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--measure", type=int, default=0, metavar="ROUNDS")
    parser.add_argument("--page")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wanted = [each for each in PROGRAMS if options.only in each.function and (each.is_quick or not options.quick)]
    programs = [each for each in wanted if python_of(each.environment).exists()]
    for name in sorted({each.environment for each in wanted} - {each.environment for each in programs}):
        print(f"skipped: the programs of {name}, because build/programs/{name} is not there (scripts/setup/setup_programs.sh {name})")
    if not programs:
        return 77
    if not make_models(sorted({each.environment for each in programs})):
        return 1
    failed, kept = [], json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    for program in programs:
        problem = check(program)
        print(f"{program.title}: {problem or 'equal'}", flush=True)
        if problem:
            failed.append(program)
        elif options.measure:
            kept[program.function] = measure(program, options.measure)
            MEASURED.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            print(row(program, kept[program.function]), flush=True)
    if options.page:
        write(options.page, table(kept))
    print(f"{len(programs) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
