"""Checks that the programs on the operation pages print the results that NumPy computes.

usage: operations_test.py LANGUAGE TOOL ROOT BUILD
The test continues in the Python of build/python-package. Exit status 77: skipped, because the Python or the Node.js
package is missing.
"""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LANGUAGE, TOOL, ROOT, BUILD = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve(), Path(sys.argv[4]).resolve()
PYTHON = ROOT / "build/python-package/bin/python"
if Path(sys.prefix).resolve() != PYTHON.parents[1].resolve():  # starts again in the environment that has the package
    if not PYTHON.exists():
        print("skipped: the Python package is not installed (see scripts/setup/setup_python_package.sh)")
        sys.exit(77)
    sys.exit(subprocess.run([PYTHON, *sys.argv], check=False).returncode)

sys.path[:0] = [str(ROOT / "site"), str(ROOT / "bindings/python/tests")]
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from examples import EXAMPLES, Const, Example  # noqa: E402
from programs import LANGUAGES, Row, results, snake, split_arguments, table  # noqa: E402
from references.numpy_elementwise import TABLE as ELEMENTWISE  # noqa: E402
from references.numpy_moves import TABLE as MOVES  # noqa: E402
from references.numpy_networks import TABLE as NETWORKS  # noqa: E402
from references.numpy_recurrent import TABLE as RECURRENT  # noqa: E402

REFERENCES = ELEMENTWISE | MOVES | NETWORKS | RECURRENT


def values_of(value: Any) -> Any:
    if isinstance(value, Const):
        return value.values.astype(np.float64) if value.values.dtype.kind == "f" else value.values
    return [values_of(part) for part in value] if isinstance(value, list) else value


def expected(row: Row, example: Example) -> list[Any]:
    positional, options = split_arguments(row, example)
    with np.errstate(all="ignore"):
        made = REFERENCES[snake(row["name"])].reference(
            *(values_of(value) for _, value in positional), **{snake(item["name"]): values_of(value) for item, value in options}
        )
    return [np.asarray(array) for array in (made if isinstance(made, list | tuple) else [made])]


def check(name: str, printed: str, wanted: list[Any], types: list[Any]) -> None:
    printed = re.sub(r"\w+Array\(\d+\)", "", printed)  # console.log prints the type and length of an array
    found = [float(text) for text in re.findall(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)", printed)]
    flat: list[float] = []
    for array, kind in zip(wanted, types, strict=True):
        limits = np.iinfo(kind) if kind.kind in "iu" else None
        flat += (np.clip(array, limits.min, limits.max) if limits else array).reshape(-1).tolist()
    np.testing.assert_allclose(found, flat, rtol=2e-5, atol=1e-6, err_msg=f"{name} printed {printed}")


def run_python(programs: dict[str, str]) -> dict[str, str]:
    printed = {}
    for name, text in programs.items():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, f"{name}.py", "exec"), {})
        printed[name] = out.getvalue()
    return printed


def parts_of(stdout: str) -> dict[str, str]:
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in stdout.split("### ")[1:]}


def run_js(programs: dict[str, str]) -> dict[str, str]:
    package = ROOT / "bindings/node"
    if not list(package.glob("prebuilds/*/webnn.node")):
        print("skipped: the Node.js package is not built (see scripts/setup/setup_node_package.sh)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "node_modules").mkdir()
        (folder / "node_modules/webnn").symlink_to(package)
        for operation, text in programs.items():
            (folder / f"{operation}.mjs").write_text(text, encoding="utf-8")
        lines = [f"console.log('### {operation}');\nawait import('./{operation}.mjs');\n" for operation in programs]
        (folder / "all.mjs").write_text("".join(lines), encoding="utf-8")
        done = subprocess.run(["node", "all.mjs"], cwd=folder, check=True, capture_output=True, text=True)
    return parts_of(done.stdout)


CMAKE = """cmake_minimum_required(VERSION 3.25)
project(operations LANGUAGES C CXX)
find_package(WebNN CONFIG REQUIRED)
add_executable(operations operations.cpp)
target_link_libraries(operations PRIVATE WebNN::webnn)
"""


def run_cpp(programs: dict[str, str]) -> dict[str, str]:
    includes = sorted({line for text in programs.values() for line in text.splitlines() if line.startswith("#include")})
    functions, calls = "", ""
    for operation, text in programs.items():
        body = re.sub(r"^#include .*\n", "", text, flags=re.MULTILINE).replace("int main() {", f"void {operation}_example() {{")
        functions += body
        calls += f'  std::cout << "### {operation}\\n";\n  {operation}_example();\n'
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "operations.cpp").write_text(
            "\n".join(includes) + f"\n{functions}\nint main() {{\n{calls}}}\n", encoding="utf-8"
        )
        (folder / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", folder / "webnn"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/webnn"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        subprocess.run(["cmake", "--build", folder / "build"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([folder / "build/operations"], check=True, capture_output=True, text=True)
    return parts_of(done.stdout)


def main() -> None:
    printed = subprocess.run([TOOL, "ops", "--format=json"], check=True, capture_output=True, text=True)
    rows = table(printed.stdout)
    assert {row["name"] for row in rows} == set(EXAMPLES), "each operation has an example, and no other"
    context = webnn.ML().create_context()
    made = {row["name"]: results(context, row, EXAMPLES[row["name"]]) for row in rows}
    writer = LANGUAGES[LANGUAGE]
    programs = {row["name"]: writer.program(row, EXAMPLES[row["name"]], made[row["name"]]) for row in rows}
    run = {"python": run_python, "js": run_js, "cpp": run_cpp}[LANGUAGE](programs)
    for row in rows:
        wanted = expected(row, EXAMPLES[row["name"]])
        assert [array.shape for array in wanted] == [array.shape for array in made[row["name"]]], row["name"]
        check(row["name"], run[row["name"]], wanted, [array.dtype for array in made[row["name"]]])
    print(f"{len(rows)} programs in {LANGUAGE} print what NumPy says")


main()
