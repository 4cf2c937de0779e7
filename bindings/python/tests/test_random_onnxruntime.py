"""Runs random programs with the real onnxruntime and with webnn.onnxruntime, and compares what each statement returns or raises.

WEBNN_ONNXRUNTIME multiplies the number of programs, and WEBNN_ONNXRUNTIME_SEED is the first seed.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("onnx")
from onnxruntime_models import write_models

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
REAL = ROOT / "build/python/bin/python"
GUIDE = ROOT / "docs/guides/coming_from_onnxruntime.md"
TIMES = int(os.environ.get("WEBNN_ONNXRUNTIME", "1"))
SEED = int(os.environ.get("WEBNN_ONNXRUNTIME_SEED", "1"))
COUNT = 90
needs_real = pytest.mark.skipif(not REAL.exists(), reason="ONNX Runtime is not in build/python (scripts/setup/setup_python.sh)")
Log = list[tuple[str, dict[str, Any]]]
CRASH: Log = [("crash", {"raised": ["crash"], "text": "the process ended"})]


class Expected(NamedTuple):
    """A difference that the guide states. real, ours: an exception, or "value". shows: a part of the real package's outcome."""

    guide: str  # words of the guide
    statement: str  # a regular expression
    real: str
    ours: str
    shows: str = ""


INPUT = r"(run|run_with_ort_values|run_async|terminate|file of) ?"
READ_ONLY = "`numpy()` of a read-only array is read-only"
EXPECTED = [
    Expected(READ_ONLY, "value changes: numpy", "value", "value", '"readonly"'),
    Expected("numbers and lists are accepted too", INPUT, "RuntimeError", "InvalidArgument"),
    Expected("numbers and lists are accepted too", INPUT, "TypeError", "InvalidArgument"),
    Expected("ONNX Runtime raises one of these classes, depending on the check that fails first", INPUT, "TypeError", "InvalidArgument"),
    Expected("arrays are accepted in place of values", "run_with_ort_values", "AttributeError", "InvalidArgument"),
    Expected("Results have the shape of a scalar, `[]`", ".* s: (row|rank)|binding of scalar", "value", "value"),
    Expected("a float out of the range of an integer", ".*cast", "value", "value", "-2147483648"),
    Expected("an output that is also an input is a copy", "run_with_ort_values through", "value", "value"),
    Expected("the last of two sizes for one name counts", "session of .* options True", "value", "value"),
    Expected(
        "`update_inplace` needs the same type and shape, and an array that is not read-only", "value changes: ", "value", "ArgumentError"
    ),
    Expected("`np.from_dlpack` shares the memory, and keeps bool", "value changes: dlpack", "value", "value"),
    Expected("an array of a wrong type is refused when it is bound", "binding of .*: (cpu|value|pointer|refill)", "value", "ArgumentError"),
]


def outcome_of(found: dict[str, Any]) -> list[str]:
    raised: list[str] = found.get("raised", ["value"])
    return raised


def is_expected(statement: str, real: dict[str, Any], ours: dict[str, Any]) -> bool:
    def is_of(known: Expected) -> bool:
        outcomes = outcome_of(real)[0] == known.real and known.ours in outcome_of(ours)
        return outcomes and bool(re.match(known.statement, statement)) and known.shows in json.dumps(real)

    return any(map(is_of, EXPECTED))


def is_same(statement: str, real: dict[str, Any], ours: dict[str, Any]) -> bool:
    if "raised" in real or "raised" in ours:
        return outcome_of(real)[0] in outcome_of(ours)
    texts = [json.dumps(found) for found in (real, ours)]
    if re.match("value|binding|all values", statement):
        texts = [text.replace('"readonly"', '"writeable"') for text in texts]
    return texts[0] == texts[1]


def difference(real: Log, ours: Log) -> str | None:
    """Returns the first difference that the guide does not state."""
    for (statement, expected), (other, found) in zip(real, ours, strict=False):
        if statement != other:
            return f"{statement} | {other} {found}"
        if is_same(statement, expected, found):
            continue
        if "raised" in expected and "raised" not in found:  # webnn accepts more; later statements may see this
            return None
        if not is_expected(statement, expected, found):
            return f"{statement}\n  real {json.dumps(expected)[:2000]}\n  ours {json.dumps(found)[:2000]}"
        if "raised" not in expected:
            return None  # the programs have different states
    return None if len(real) == len(ours) else f"{len(real)} and {len(ours)} statements"


def logs_of(command: list[Any], folder: Path, first: int, end: int) -> Iterator[tuple[int, Log]]:
    """Yields the seed and the log of each program. Starts a new process after a crash."""
    while first < end:
        arguments = [*command, HERE / "onnxruntime_programs.py", folder, first, end - first]
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, timeout=600, check=False, env=environment)
        for line in done.stdout.splitlines():
            if line.startswith("["):
                seed, log = json.loads(line)
                yield seed, log
                first = seed + 1
        if first < end:
            assert f"@{first}" in done.stdout, done.stderr
            yield first, CRASH
            first += 1


@needs_real
@pytest.mark.parametrize("start", range(SEED, SEED + 4 * TIMES))
def test_programs_do_the_same(start: int, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("real", "ours")]
    for folder in folders:
        folder.mkdir()
        write_models(folder)
    seeds = (start * COUNT, (start + 1) * COUNT)
    real = dict(logs_of([REAL], folders[0], *seeds))
    ours = dict(logs_of([sys.executable, "-m", "webnn.onnxruntime"], folders[1], *seeds))
    # Ignores programs with which the real package crashes.
    found = {seed: difference(log, ours[seed]) for seed, log in real.items() if log != CRASH}
    assert len(found) > COUNT // 2
    different = [f"seed {seed}: {text}" for seed, text in found.items() if text]
    assert not different, "\n".join([f"{len(different)} programs", *different])


def test_the_guide_states_each_expected_difference() -> None:
    guide = GUIDE.read_text(encoding="utf-8").lower()
    assert [known.guide for known in EXPECTED if known.guide.lower() not in guide] == []
