"""Writes random graphs as programs, and checks that the programs build equal graphs.

usage: round_trip_test.py CODE_GRAPHS js|py COUNT      (exit status 77: skipped)
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def runner(language, folder):
    """Returns the command that runs the programs of `folder` and saves the graphs they build; None without the package."""
    here = Path(__file__).parent
    if language == "py":
        python = ROOT / "build/python-package/bin/python"
        return [python, here / "run_programs.py", folder] if python.exists() else None
    package = ROOT / "bindings/node"
    return ["node", here / "run_programs.mjs", package, folder] if any(package.glob("prebuilds/*/webnn.node")) else None


def main():
    code_graphs, language, count = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        command = runner(language, folder)
        if command is None:
            print("skipped: the package is not there; see make python and make node")
            return 77
        subprocess.run([code_graphs, "make", folder, count], check=True)
        subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return subprocess.run([code_graphs, "compare", folder, language], check=False).returncode


sys.exit(main())
