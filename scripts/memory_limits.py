#!/usr/bin/env python3
"""Runs the tool with a limited address space: failed allocations must become errors, and must not abort the process.

The tool reads valid and hostile files (see hostile_inputs.py) with 20 to 600 MB of address space. Each run must end with status
0, 1 or 2. An error must be one readable line; only indented lines may follow. Status 127 is allowed too: the system's loader
could not start the tool. Exit status 1 if a run ends otherwise.

    scripts/memory_limits.py build/release/tools/cli/webnn --runs 500
"""

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hostile_files import command_of, is_readable, run, write
from hostile_inputs import Case, GRAPH_ATTACKS, TEXT, WEIGHTS, attack_json, attack_safetensors, base_case, make, safetensors, text_graph

NOT_STARTED = 127


def large(rng: random.Random) -> Case:
    """Returns a valid graph whose tensors take some hundred megabytes."""
    rows = rng.choice([256, 1024, 4096])
    weights = safetensors({"w": ("F32", [rows, 1024], bytes(rows * 4096))})
    graph = text_graph("a = matmul(x, w); y = softmax(a, axis=1);", inputs=f"x: f32[1024, {rows}];", consts=f'w: f32[{rows}, 1024] @weights("w");')
    command = rng.choice([["run", "FILE", "--input", "random:1", "--quiet"], ["diff", "FILE", "--backends", "cpu,reference"] if rows < 1000 else ["check", "FILE"]])
    return Case("large tensors", {"g.webnn": graph, "g.safetensors": weights}, [*command, "--no-mmap"] if rng.random() < 0.3 else command)


def case_of(number: int) -> tuple[Case, int]:
    rng = random.Random(f"memory {number}")
    limit = int(20e6 * 30 ** rng.random())
    kind = rng.randrange(5)
    if kind == 0:
        return large(rng), limit
    if kind == 1:
        return base_case(rng), limit
    if kind == 2:
        return make(4 * rng.randrange(2500)), limit
    size = rng.uniform(0.6, 1)
    if kind == 3:
        name = rng.choice(list(GRAPH_ATTACKS))
        return Case("attack", {name: rng.choice(GRAPH_ATTACKS[name])(rng, size)}, ["check", "FILE"]), limit
    if rng.random() < 0.5:
        return Case("JSON", {"g.json": attack_json(rng, size)}, ["check", "FILE"]), limit
    return Case("safetensors", {"g.webnn": TEXT.encode(), **attack_safetensors(rng, size)}, ["check", "FILE"]), limit


def check(tool: str, number: int) -> str | None:
    case, limit = case_of(number)
    with tempfile.TemporaryDirectory(prefix="memory-") as folder:
        write(case, Path(folder))
        outcome = run(tool, command_of(case), Path(folder), limit)
    lines = outcome.err.splitlines()
    fine = outcome.status in (0, 1, 2, NOT_STARTED) and is_readable(outcome.err)
    if fine and (outcome.status in (0, NOT_STARTED) or len(lines) == 1 or all(line.startswith(b"  ") for line in lines[1:])):
        return None
    return f"{number}: {case.what}: {' '.join(case.command)} in {limit / 1e6:.0f} MB: status {outcome.status}: {outcome.err[-300:]!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as pool:
        found = [f for f in pool.map(lambda n: check(options.tool, n), range(options.first, options.first + options.runs)) if f]
    print("\n".join([*found, f"{options.runs} runs under a limit of memory, {len(found)} with complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
