"""Follows the instructions of a page of docs/ in an empty folder, and compares what is printed with the page.

usage: pages_test.py PAGE ROOT BUILD
A name before a block (`digit.py`:) is the name of a file to write. A block of sh is run. A following block of text is the
expected output, in which `...` stands for any lines. Files that the page links to are saved in the folder. Blocks of console are
not run. The packages of `pip install` and `npm install` come from the build. Exit status 77: skipped, because a package is not
built.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE, ROOT, BUILD = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
MODELS = ROOT.parent / "shared/models/squeezenet1.1"
# Files that the page tells the reader to download or to take, and the files in MODELS that the test uses instead.
ELSEWHERE = {"squeezenet1.1-7.onnx": "squeezenet1.1.onnx", "synset.txt": "imagenet_classes.txt", "photo.jpg": "photo.jpg"}
BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(77)


def commands(folder: Path, text: str) -> str:
    """Makes a folder for PATH with the commands that the page installs."""
    folder.mkdir()
    tool = BUILD / "tools/cli/webnn"
    if re.search(r"^webnn ", text, re.MULTILINE):
        (folder / "webnn").symlink_to(tool)
    python = ROOT / "build/python-package/bin/python"
    if re.search(r"^(python|pip) ", text, re.MULTILINE):
        if not python.exists():
            skip("the Python package is not installed (see scripts/setup/setup_python_package.sh)")
        (folder / "python").write_text(f'#!/bin/sh\nexec "{python}" "$@"\n', encoding="utf-8")
        (folder / "pip").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    if re.search(r"^(node|npm) ", text, re.MULTILINE):
        package = ROOT / "bindings/node"
        if not list(package.glob("prebuilds/*/webnn.node")):
            skip("the Node.js package is not built (see scripts/setup/setup_node_package.sh)")
        (folder / "npm").write_text(
            f'#!/bin/sh\nmkdir -p node_modules && ln -s "{package}" node_modules/webnn\n', encoding="utf-8"
        )
    for script in folder.iterdir():
        if not script.is_symlink():
            script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def save_links(page: str, folder: Path) -> None:
    for link in re.findall(r"\]\(((?:\.\./)+examples/[^)]+)\)", page):
        source = (ROOT / "docs" / PAGE).parent / link
        if source.is_file():
            shutil.copy(source, folder)
    for name, here in ELSEWHERE.items():
        if MODELS.exists() and name in page:
            shutil.copy(MODELS / here, folder / name)


def is_as(printed: str, shown: str) -> bool:
    pattern = re.escape(shown.rstrip()).replace(re.escape("..."), r"[\s\S]*")
    return re.fullmatch(pattern, printed.rstrip()) is not None


def main() -> None:
    page = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    blocks = BLOCK.findall(page)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        folder = home / "project"
        folder.mkdir()
        environment = os.environ | {"HOME": name, "PATH": commands(home / "bin", page), "NO_COLOR": "1"}
        if "~/webnn" in page:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", home / "webnn"], check=True, stdout=subprocess.DEVNULL)
        save_links(page, folder)
        printed, checked = None, 0
        for file, language, text in blocks:
            if file:
                (folder / file).write_text(text, encoding="utf-8")
            elif language == "sh":
                if "photo.py" in text and not MODELS.exists():
                    print(f"not run: {text.strip()}, because {MODELS} is not there")
                    printed = None
                    continue
                done = subprocess.run(
                    ["sh", "-eu", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
                printed = done.stdout
                checked += 1
            elif language == "text" and printed is not None:
                assert is_as(printed, text), f"{PAGE} shows\n{text}\nand it printed\n{printed}"
                printed = None
            else:
                assert language == "console" or not checked or language in ("text", "diff"), (
                    f"a block of {language} is never run:\n{text}"
                )
        assert checked > 0, "nothing was run"
        print(f"{PAGE}: {checked} blocks were run")


main()
