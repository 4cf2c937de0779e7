"""Runs code that new users of Python, Node.js and the command line try first. It must work, or the error must say what to type.

usage: everyday_tasks.py python|node|command_line REPOSITORY TOOL
Each task is a program of its own in a folder with open.webnn (z = x + y, batch at most 8), digits.webnn, 3.png and photo.jpg. The tasks
of C++ are in everyday_tasks_test.cpp. Exit status 77: skipped, because the package is not built.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OPEN = """webnn_graph "open" v2 {
  inputs { x: f32[dyn("batch", 8), 2]; y: f32[dyn("batch", 8), 2]; }
  nodes { z = add(x, y); }
  outputs { z; }
}
"""

# A task: (what the user wants, the program, a regular expression for its output). Tasks that FAILS lists must end with an exit
# status from 1 to 127, and with an error that matches.
FAILS = {
    "load it as a graph", "float64, as NumPy makes it", "the last axis", "save in a format that is none", "a constant of an array",
    "a typing error in a name", "a picture as a model", "try a model without data", "a format that is none", "a mistyped command",
}
PYTHON = [
    ("run a model", 's = webnn.InferenceSession("open.webnn")\nprint(s.run(None, {"x": a, "y": a})[0].tolist())', r"\[\[2\.0, 4\.0\]\]"),
    ("another batch size", 's = webnn.InferenceSession("open.webnn")\nb = np.repeat(a, 3, 0)\ns.run(None, {"x": a, "y": a})\n'
     'print(s.run(["z"], {"x": b, "y": b})[0].shape)', r"\(3, 2\)"),
    ("what the model wants", 's = webnn.InferenceSession("open.webnn")\nprint([(i.name, i.shape, i.type) for i in s.get_inputs()])',
     r"\('x', \['batch', 2\], 'tensor\(float\)'\)"),
    ("load it as a graph", 'webnn.load("open.webnn")', r'dimensions=\{"batch": 1\}'),
    ("float64, as NumPy makes it", 'webnn.run("open.webnn", {"x": np.ones((1, 2)), "y": a})', r'input "x".*float64.*float32'),
    ("sum of probabilities", 'out = webnn.run("digits.webnn", {"image": np.zeros((1, 1, 28, 28), np.float32)})\n'
     'print(round(float(out["probabilities"].sum()), 4))', r"^1\.0$"),
    ("build a graph with operators", 'b = webnn.MLGraphBuilder(webnn.ML().create_context())\nx = b.input("x", [1, 2], "float32")\n'
     'g = b.build({"y": x @ np.eye(2, dtype=np.float32) * 3 + 1})\nprint(g.compute({"x": a})["y"].tolist())', r"\[\[4\.0, 7\.0\]\]"),
    ("the last axis", 'b = webnn.MLGraphBuilder(webnn.ML().create_context())\nb.softmax(b.input("x", [1, 2], "float32"), -1)',
     r"negative_axes=True"),
    ("save in a format that is none", 'webnn.load("digits.webnn").save("digits.h5")', r'"digits\.h5".*\.onnx'),
    ("another process", 'import pickle\ns = pickle.loads(pickle.dumps(webnn.InferenceSession("open.webnn")))\n'
     'print(s.run(None, {"x": a, "y": a})[0].tolist())', r"\[\[2\.0, 4\.0\]\]"),
]
NODE = [
    ("run a model", "const s = await InferenceSession.create('open.webnn');\nconst x = new Tensor('float32', [1, 2], [1, 2]);\n"
     "console.log((await s.run({x, y: x})).z.data);", r"Float32Array\(2\) \[ 2, 4 \]"),
    ("another batch size", "const s = await InferenceSession.create('open.webnn');\n"
     "for (const n of [1, 3]) {\n  const x = new Tensor('float32', new Float32Array(2 * n), [n, 2]);\n"
     "  console.log((await s.run({x, y: x})).z.dims);\n}", r"\[ 1, 2 \]\n\[ 3, 2 \]"),
    ("what the model wants", "const s = await InferenceSession.create('open.webnn');\nconsole.log(s.inputNames, s.outputNames);",
     r"\[ 'x', 'y' \] \[ 'z' \]"),
    ("load it as a graph", "await load('open.webnn');", r"\{dimensions: \{batch: 1\}\}"),
    ("look at a graph", "console.log(await load('open.webnn', {dimensions: {batch: 4}}));", r"x: 'float32\[4, 2\]'"),
    ("run a graph on nested arrays", "const g = await load('open.webnn', {dimensions: {batch: 1}});\n"
     "console.log((await g.run({x: [[1, 2]], y: [[3, 4]]})).z);", r"Float32Array\(2\) \[ 4, 6 \]"),
    ("a constant of an array", "const b = new MLGraphBuilder(await ml.createContext());\n"
     "b.constant({dataType: 'float32', shape: [2]}, [1, 2]);", r"new Float32Array\(array\)"),
    ("save in a format that is none", "await save(await load('digits.webnn'), 'digits.h5');", r"'digits\.h5'.*\.onnx"),
    ("a typing error in a name", "const s = await InferenceSession.create('open.webnn');\n"
     "await s.run({X: new Tensor('float32', [1, 2], [1, 2])});", r"'x' is missing; the inputs are 'x', 'y'"),
    ("a picture as a model", "await load('photo.jpg');", r"photo\.jpg: the file is a JPEG picture; a graph .* is expected"),
]
COMMAND_LINE = [
    ("what is in my picture", "webnn run digits.webnn --image image=3.png --top 1", r"1\. 0\.99\d+ +class 3"),
    ("try a model without data", "webnn run digits.webnn", r"--fill random"),
    ("the same with random data", "webnn run digits.webnn --fill random --top 1", r"filled image with random"),
    ("sizes from the inputs", "webnn run open.webnn --input 'x=[[1,2]]' --input 'y=[[3,4]]'", r"\n +4, 6\n"),
    ("look at a model", "webnn inspect open.webnn", r"--dim batch=1"),
    ("draw it", "webnn inspect digits.webnn -o digits.svg && head -c 4 digits.svg", r"<svg"),
    ("a program of it", "webnn convert digits.webnn digits.py && python3 -m py_compile digits.py && grep -c conv2d digits.py", r"^\d+$|\n\d+$"),
    ("a format that is none", "webnn convert digits.webnn digits.h5", r"\.onnx.*--to"),
    ("a mistyped command", "webnn rnu digits.webnn", r"did you mean run\?"),
    ("what can this machine do", "webnn info", r"processor(.|\n)*isa(.|\n)*cpu +available"),
]


def environment(language: str, repository: Path, tool: Path, folder: Path):
    """Returns a function that makes the command to run a task's program; None if the language's package is not built."""
    if language == "python":
        python = repository / "build/python-package/bin/python"
        head = "import numpy as np\nimport webnn\na = np.array([[1, 2]], np.float32)\n"
        return (lambda text: [python, "-c", head + text]) if python.exists() else None
    if language == "node":
        package = repository / "bindings/node"
        if not list(package.glob("prebuilds/*/webnn.node")):
            return None
        (folder / "node_modules").mkdir()
        (folder / "node_modules/webnn").symlink_to(package)
        head = "import {InferenceSession, Tensor, load, save, ml, MLGraphBuilder} from 'webnn';\n"
        return lambda text: ["node", "--input-type=module", "-e", head + text]
    return lambda text: ["bash", "-c", f"webnn() {{ '{tool}' \"$@\"; }}\n{text}"]


def main(language: str, repository: Path, tool: Path) -> int:
    tasks = {"python": PYTHON, "node": NODE, "command_line": COMMAND_LINE}[language]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "open.webnn").write_text(OPEN, encoding="utf-8")
        (folder / "photo.jpg").write_bytes(bytes.fromhex("ffd8ffe000104a46494600010100000100010000"))
        for file in ("digits.webnn", "digits.safetensors", "samples/3.png"):
            shutil.copy(repository / "examples/digits" / file, folder)
        command = environment(language, repository, tool, folder)
        if command is None:
            print(f"skipped: the package of {language} is not built")
            return 77
        for wanted, text, seen in tasks:
            run = subprocess.run(command(text), cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            output = (run.stdout + run.stderr).strip()
            is_right = 0 < run.returncode < 128 if wanted in FAILS else run.returncode == 0
            if not is_right or not re.search(seen, output):
                failed += 1
                print(f"{wanted}:\n{text}\nstatus {run.returncode}, not /{seen}/:\n{output}\n")
    print(f"{len(tasks) - failed} of {len(tasks)} tasks")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
