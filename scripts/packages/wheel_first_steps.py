#!/usr/bin/env python3
"""Does a new user's first steps with the installed package: runs the README's example, reads a digit, and classifies a picture with
the command and in Python.

usage: wheel_first_steps.py    (with the Python that has the package; without ../shared its models are skipped)
"""

import contextlib
import io
import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples/digits"
MODEL = ROOT.parent / "shared/models/squeezenet1.1"


def webnn(*arguments: str | Path) -> str:
    """Runs the installed command, and returns its output."""
    return subprocess.run(
        [Path(sys.executable).parent / "webnn", *arguments], capture_output=True, text=True, check=True, env={"PATH": "/nowhere"}
    ).stdout


def check_example() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    expected = re.search(r"print\(.*# (.*)\n", code)
    assert expected, code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().strip() == expected[1], printed.getvalue()


def check_digits() -> None:
    model = DIGITS / "digits.webnn"
    assert "Usage: webnn" in webnn("--help")
    assert webnn("info").split()[:2] == ["version", version("webnn")]
    read = webnn("run", model, "--image", f"image={DIGITS / 'samples/3.png'}", "--labels", DIGITS / "labels.txt", "--top", "1")
    assert re.search(r"^ +1\. 0\.9\d* +3$", read, re.MULTILINE), read
    assert webnn("view", model, "-o", "-").startswith("<!doctype html>")


def check_picture() -> None:
    files = ["--image", f"image={MODEL / 'photo.jpg'}", "--labels", MODEL / "imagenet_classes.txt"]
    first = webnn("run", MODEL / "squeezenet1.1.onnx", *files, "--preset", "imagenet", "--top", "1")
    assert "lesser panda" in first, first
    classified = subprocess.run(
        [sys.executable, ROOT / "examples/python/classify.py"], capture_output=True, text=True, check=True
    )
    assert "lesser panda" in classified.stdout.splitlines()[0], classified.stdout


def check_onnxruntime() -> None:
    """Runs a program of ONNX Runtime, which the wheel webnn-onnxruntime serves."""
    model = str(DIGITS / "digits.webnn")
    program = f"import onnxruntime; print(onnxruntime.get_build_info(), onnxruntime.InferenceSession({model!r}).get_inputs()[0].name)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.fullmatch(rf"webnn {version('webnn')}, with the Python API of ONNX Runtime 1\.\d+\.\d+ image\n", done.stdout), done.stdout


def main() -> None:
    start = time.perf_counter()
    check_example()
    seconds = time.perf_counter() - start
    assert webnn("--version").split() == ["webnn", version("webnn")]
    check_digits()
    check_onnxruntime()
    if MODEL.exists():
        check_picture()
    else:
        print(f"no picture is classified: {MODEL} is not there")
    print(f"first result after {seconds:.2f} s with NumPy {version('numpy')}")


if __name__ == "__main__":
    main()
