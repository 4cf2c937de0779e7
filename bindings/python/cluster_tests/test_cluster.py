"""Tests webnn.ray on clusters of several nodes on this machine: the programs of examples/ray, and faults.

WEBNN_RAY_RUNS: how often each fault is tested (default 1).
"""

import contextlib
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples/ray"
RUNS = range(int(os.environ.get("WEBNN_RAY_RUNS", "1")))


MARK = f"webnn-{uuid.uuid4()}"  # set in the environment of all processes that these tests start


def processes() -> list[psutil.Process]:
    """Returns the processes that these tests have started, also processes whose parent has ended."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("WEBNN_TEST_MARK") == MARK:
                found.append(process)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    _, alive = psutil.wait_procs(processes(), timeout=20)
    assert not alive, [process.cmdline() for process in alive]


def run(script: Path, *arguments: object) -> str:
    command = [sys.executable, str(script), *map(str, arguments)]
    own = {"PYTHONPATH": str(EXAMPLES), "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "WEBNN_TEST_MARK": MARK}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=170, env=os.environ | own)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    assert "leaked" not in done.stderr
    return done.stdout


def test_the_first_steps_of_the_page_work_as_they_are_written(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guides/ray.md").read_text(), re.DOTALL)
    script = tmp_path / "steps.py"
    script.write_text(f"import os\nos.chdir({str(ROOT)!r})\n" + blocks[0] + blocks[1])
    assert run(script).split("\n")[:2] == ["(1000, 10)", "1000"]


def test_pictures_are_classified_as_in_one_process() -> None:
    output = run(EXAMPLES / "classify.py", 2000)
    accuracy = re.search(r"2000 pictures on 2 nodes: (.*)% are right", output)
    assert accuracy
    assert float(accuracy[1]) > 95
    assert "the same bits as in one process: yes" in output


@pytest.mark.parametrize("attempt", RUNS)
def test_a_node_that_is_killed_loses_no_row(attempt: int) -> None:
    output = run(EXAMPLES / "embed.py", 100_000)
    assert "each row once: True, all right: True" in output
    assert re.search(r"s lost", output)


@pytest.mark.parametrize("attempt", RUNS)
def test_a_replica_that_is_killed_and_a_change_of_the_model_lose_no_request(attempt: int) -> None:
    output = run(EXAMPLES / "serve.py", 600)
    assert re.search(r"a replica killed: \{'2.0': \d+\}", output)
    assert re.search(r"the model changed: \{'2.0': \d+, '3.0': \d+\}, \{\}", output)
    assert "after it: [3.0, 6.0, 9.0, 12.0]" in output


@pytest.mark.parametrize("attempt", RUNS)
def test_an_actor_that_is_killed_while_it_builds_loses_no_row(attempt: int, tmp_path: Path) -> None:
    output = run(Path(__file__).parent / "kill_build.py", tmp_path / "killed")
    assert output.splitlines()[-1] == "killed: True, each row once: True, all right: True"


def test_another_model_on_a_node_is_an_error_before_the_first_batch(tmp_path: Path) -> None:
    output = run(Path(__file__).parent / "errors.py", tmp_path)
    assert "another model on the node" in output
    assert "row 1 (id=7): the column 'x' has the type float64" in output
    assert "collected: ['', \"the column 'x' has rows of shape [5]" in output
    assert "an array of the object store, read-only, not copied: True" in output
    assert "threads: 1 of the CPUs assigned" in output
    assert "as an object of the store: True" in output
