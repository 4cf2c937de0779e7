#!/usr/bin/env python3
"""Runs the tool with hostile files (see hostile_inputs.py) and reports each broken requirement.

Requirements for each file: exit status 0, 1 or 2; at most 2 seconds of processor time; at most 4 times the file's size + 128 MiB
of memory; an error in one readable line (for an ONNX model with unsupported nodes: followed by an indented line for each node);
no terminal control characters in standard output or error. Exit status 1 if a requirement is broken; --keep keeps such files.

    scripts/hostile_files.py build/release/tools/cli/webnn --count 10000
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from hostile_inputs import Case, make

SECONDS = 2.0
MEMORY = 128 << 20
MEMORY_PER_BYTE = 4
LONGEST_LINE = 2100
HANG = 60  # wall time in seconds after which a run is counted as hanging; generous, because machines may be busy


@dataclass
class Outcome:
    status: int
    seconds: float
    memory: int
    out: bytes
    err: bytes


# Runs a program and reports how it ended. Uses a separate process, because the system charges a forked child with the memory of
# its parent, and the cases are large.
MEASURE = """
import os, resource, sys
pid = os.fork()
if pid == 0:
    if int(sys.argv[2]): resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
    os.execv(sys.argv[3], sys.argv[3:])
_, status, used = os.wait4(pid, 0)
os.write(int(sys.argv[1]), f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime} {used.ru_maxrss * 1024}".encode())
"""


def run(tool: str, command: list[str], folder: Path, limit: int = 0) -> Outcome:
    """Runs the tool in `folder`, with its output in files. `limit`: the size of its address space in bytes; 0: no limit."""

    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

    read, write = os.pipe()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(read, "rb") as result:
        measure = [sys.executable, "-SsE", "-c", MEASURE, str(write), str(limit), os.path.abspath(tool), *command]
        process = subprocess.Popen(
            measure, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=restrict, pass_fds=[write], start_new_session=True
        )
        os.close(write)
        timer = Timer(HANG, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        try:
            process.wait()
        finally:
            timer.cancel()
        status, seconds, memory = (result.read() or b"-9 0 0").split()
        out.seek(0)
        err.seek(0)
        return Outcome(int(status), float(seconds), int(memory), out.read(50_000_000), err.read(1_000_000))


def is_readable(text: bytes) -> bool:
    """Returns whether `text` is UTF-8 without characters that control a terminal."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or c == "\u00ad" for c in decoded)


def complaints_of(outcome: Outcome, size: int) -> list[str]:
    found = []
    if outcome.status not in (0, 1, 2):
        name = signal.Signals(-outcome.status).name if outcome.status < 0 else outcome.status
        return [f"ends with {name}: {outcome.err[-300:]!r}"]
    if outcome.seconds > SECONDS:
        found.append(f"{outcome.seconds:.1f} s")
    if outcome.memory > MEMORY + MEMORY_PER_BYTE * size:
        found.append(f"{outcome.memory >> 20} MiB of memory for {size / 2**20:.1f} MiB")
    lines = outcome.err.splitlines()
    if outcome.status != 0 and not (lines and all(line.startswith(b"  ") for line in lines[1:])) and b'"valid": false' not in outcome.out:
        if not (outcome.status == 1 and not lines and outcome.out):  # a comparison that found differences has no error message
            found.append(f"{len(lines)} lines of error")
    if any(len(line) > LONGEST_LINE for line in lines):
        found.append(f"a line of {max(map(len, lines))} bytes")
    if not is_readable(outcome.err) or not is_readable(outcome.out):
        found.append(f"unreadable: {(outcome.err if not is_readable(outcome.err) else outcome.out)[:200]!r}")
    return found


def write(case: Case, folder: Path) -> int:
    """Writes the files of `case`; returns the bytes that they take."""
    (folder / "out").mkdir()
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
        if name in case.sparse:
            try:
                os.truncate(folder / name, case.sparse[name])
            except OSError:
                pass  # the file system does not allow files of this size
    return sum(min(s.st_size, s.st_blocks * 512) for s in map(os.stat, (folder / name for name in case.files)))


def command_of(case: Case) -> list[str]:
    return [next(iter(case.files)) if part == "FILE" else part for part in case.command]


def check(tool: str, number: int, keep: Path | None) -> tuple[Case, list[str]]:
    case = make(number)
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    try:
        size = write(case, folder)
        found = complaints_of(run(tool, command_of(case), folder), size)
        if found and keep:
            shutil.copytree(folder, keep / str(number), dirs_exist_ok=True)
        return case, found
    finally:
        shutil.rmtree(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="a folder for the files that are reported")
    options = parser.parse_args()
    os.environ.pop("WEBNN_BACKEND", None)
    broken = 0
    numbers = range(options.first, options.first + options.count)
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, (case, found) in zip(numbers, pool.map(lambda n: check(options.tool, n, options.keep), numbers)):
            if found:
                broken += 1
                print(f"{number}: {case.what}: {' '.join(case.command)}: {'; '.join(found)}", flush=True)
    print(f"{options.count} hostile files, {broken} with complaints")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
