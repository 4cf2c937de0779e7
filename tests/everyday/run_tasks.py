"""Runs the tasks of a language: what a user who did not build libwebnn tries in Python, Node.js, C++ or at the command line.

usage: run_tasks.py python|node|cpp|command_line REPOSITORY TOOL BUILD
Each task runs in a folder with the files of models.py. Every attempt but the last must fail with an error that says what to type
in the next attempt. The last attempt must end with the task's exit status, and give the results of NumPy. Exit status 77: skipped,
because a package is not built.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def use_packages(repository: Path) -> None:
    """Starts the program again in the environment of the Python package, which has NumPy, onnx and Pillow."""
    environment = repository / "build/python-package"
    if Path(sys.prefix) == environment.resolve():
        return
    if not (environment / "bin/python").exists():
        print("skipped: the Python package is not built")
        sys.exit(77)
    os.execv(environment / "bin/python", [str(environment / "bin/python"), *sys.argv])


class Typist:
    """Runs the attempts of tasks in one language."""

    def __init__(self, language: str, repository: Path, tool: Path, build: Path, work: Path) -> None:
        self.language, self.repository, self.work = language, repository, work
        self.environment = os.environ | {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        commands = work / "commands"
        commands.mkdir()
        (commands / "webnn").symlink_to(tool)
        (commands / "python3").symlink_to(sys.executable)
        node = repository / "bindings/node"
        for name, folder in (("tsc", node / "node_modules"), ("esbuild", node / "test/bundlers/node_modules")):
            if (folder / ".bin" / name).exists():
                (commands / name).symlink_to(folder / ".bin" / name)
        self.environment["PATH"] = f"{commands}:{self.environment['PATH']}"
        if language == "cpp":
            prefix = work / "prefix"
            subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
            (pc,) = prefix.rglob("webnn.pc")
            self.environment |= {"PKG_CONFIG_PATH": str(pc.parent), "PREFIX": str(prefix)}

    def is_possible(self) -> bool:
        return self.language != "node" or bool(list((self.repository / "bindings/node").glob("prebuilds/*/webnn.node")))

    def command(self, text: str, folder: Path) -> list[str]:
        if self.language == "python":
            (folder / "task.py").write_text(text, encoding="utf-8")
            return [sys.executable, "task.py"]
        if self.language == "command_line":
            return ["bash", "-o", "pipefail", "-c", text]
        if self.language == "cpp":
            line, program = importlib.import_module("cpp_tasks").COMPILE, text
            if not text.startswith("#"):
                line, program = text.split("\n", 1)
            (folder / "task.cpp").write_text(program, encoding="utf-8")
            return ["bash", "-c", line]
        line, program = text.split("\n", 1)
        modules = folder / "node_modules"
        if not modules.exists():
            modules.mkdir()
            (modules / "webnn").symlink_to(self.repository / "bindings/node")
        (name,) = set(re.findall(r"task\.(?:mts|cjs)", line)) or {"task.mjs"}
        (folder / name).write_text(program, encoding="utf-8")
        return ["bash", "-c", line]

    def type(self, text: str, folder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(text, folder),
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
        )


def problem(typist: Typist, task, folder: Path) -> str:
    """Returns the problem with a task, or an empty string."""
    from task import Outcome

    for attempt, says in zip(task.attempts[:-1], task.says, strict=True):
        run = typist.type(attempt, folder)
        output = run.stdout + run.stderr
        if run.returncode == 0:
            return f"{attempt}\nis to fail, but gives:\n{output}"
        if not re.search(says, output):
            return f"{attempt}\nstatus {run.returncode}, not /{says}/:\n{output}"
    run = typist.type(task.attempts[-1], folder)
    if run.returncode != task.status:
        return f"{task.attempts[-1]}\nstatus {run.returncode}, not {task.status}:\n{run.stdout}{run.stderr}"
    try:
        task.check(Outcome(folder, run.stdout, run.returncode))
    except Exception as error:  # checks fail by exceptions of any type
        return f"{task.attempts[-1]}\n{type(error).__name__}: {error}\n{run.stdout}{run.stderr}"
    return ""


def main(language: str, repository: Path, tool: Path, build: Path) -> int:
    use_packages(repository)
    import models

    chosen = importlib.import_module(f"{language}_tasks")
    assert len(chosen.TASKS) == 10
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        typist = Typist(language, repository, tool, build, work)
        if not typist.is_possible():
            print(f"skipped: the package of {language} is not built")
            return 77
        (work / "files").mkdir()
        models.write(work / "files")

        def run(numbered) -> str:
            number, task = numbered
            folder = work / str(number)
            shutil.copytree(work / "files", folder)
            return problem(typist, task, folder)

        tasks = [*chosen.TASKS, *getattr(chosen, "ADDITIONAL", [])]
        with ThreadPoolExecutor(2) as pool:
            problems = list(pool.map(run, enumerate(tasks)))
    for task, text in zip(tasks, problems, strict=True):
        if text:
            print(f"{task.wanted}:\n{text}\n")
    failed = sum(1 for text in problems if text)
    print(f"{len(tasks) - failed} of {len(tasks)} tasks")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *(Path(text).resolve() for text in sys.argv[2:])))
