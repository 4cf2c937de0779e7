"""Writes the pages of the operations. usage: operation_pages.py FOLDER

The package `webnn` of the Python that runs this script computes the results and pictures.
"""

import collections
import json
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import webnn
from onnx.backend.test.case.node import collect_testcases

from examples import EXAMPLES, Array
from pictures import picture
from programs import LANGUAGES, Row, names_of, results, snake, table

ROOT = Path(__file__).resolve().parents[1]
BACKEND_TITLES = {"cpu": "CPU engine", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "webgpu": "WebGPU", "coreml": "Core ML"}
TITLES = {"python": "Python", "js": "JavaScript", "cpp": "C++"}
# The families of operations, which are the files of src/ops that describe them, and their titles.
FAMILIES = {
    "elementwise_binary": "Two operands, element by element",
    "elementwise_unary": "One operand, element by element",
    "activation": "Activations",
    "conv": "Convolution",
    "matmul": "Matrices",
    "pool": "Pooling",
    "normalization": "Normalization",
    "reduce": "Reduction",
    "shape": "Shape and movement",
    "gather_scatter": "Gather and scatter",
    "resample": "Resampling",
    "quantize": "Quantization",
    "recurrent": "Recurrent networks",
}


def family_of(name: str) -> str:
    """Returns the file of src/ops that describes the operation."""
    for family in FAMILIES:
        if f'"{name}"' in (ROOT / f"src/ops/{family}.cpp").read_text(encoding="utf-8"):
            return family
    raise ValueError(f"no file of src/ops has the row of {name}")


def operations_of(model: bytes, context: webnn.MLContext, folder: Path) -> list[str]:
    """Returns the operations into which an ONNX model is converted, or an empty list if the reader refuses the model."""
    (folder / "m.onnx").write_bytes(model)
    try:
        webnn.load(folder / "m.onnx", context).save(folder / "m.json", weights="inline")
    except webnn.Error:
        return []
    return [node["op"] for node in json.loads((folder / "m.json").read_text(encoding="utf-8"))["nodes"]]


def read_as(context: webnn.MLContext, folder: Path) -> dict[str, set[str]]:
    """Returns for each operation the ONNX operators that are converted to it alone, according to ONNX's own node tests."""
    found: dict[str, set[str]] = collections.defaultdict(set)
    for case in collect_testcases(None):
        assert case.model is not None
        nodes = case.model.graph.node
        if len(nodes) != 1 or nodes[0].domain:
            continue
        made = operations_of(case.model.SerializeToString(), context, folder)
        if len(made) == 1 and (made[0] != "identity" or nodes[0].op_type == "Identity"):
            found[made[0]].add(nodes[0].op_type)
    return found


def written_as(context: webnn.MLContext, row: Row, folder: Path) -> list[str]:
    """Returns the ONNX operators as which the example is saved."""
    path = folder / "e.onnx"
    graph_of(context, row).save(path, weights="inline")
    return list(dict.fromkeys(node.op_type for node in onnx.load(path).graph.node))


def graph_of(context: webnn.MLContext, row: Row) -> webnn.MLGraph:
    """Runs the example's program in Python and returns its graph."""
    made = results(context, row, EXAMPLES[row["name"]])
    scope: dict[str, Any] = {}
    program = LANGUAGES["python"].program(row, EXAMPLES[row["name"]], made)
    exec(compile(program.split("results = ")[0], row["name"], "exec"), scope)
    graph: webnn.MLGraph = scope["graph"]
    return graph


def shown(name: str, array: Array) -> str:
    text = str(np.array2string(array, precision=4, suppress_small=True, separator=", ", prefix=f"{name} = "))
    return f"{name} = " + re.sub(r"\n\n+", "\n", text)


def default_of(item: Row) -> str:
    if "default" not in item:
        return "none"
    text = json.dumps(item["default"]) if not isinstance(item["default"], str) else item["default"]
    return f"`{text}`" if text else "empty"


def options_table(row: Row) -> str:
    lines = ["| option | type | default | meaning |", "|---|---|---|---|"]
    for item in row["options"]:
        kind = (
            ", ".join(f"`{value}`" for value in item["values"])
            if item.get("values") and "DataType" not in item["type"]
            else f"`{item['type']}`"
        )
        lines.append(f"| `{item['name']}` | {kind} | {default_of(item)} | {item['meaning']} |")
    return "\n".join(lines)


def ranks(rule: Row) -> str:
    low, high = rule["rankRange"]["min"], rule["rankRange"]["max"]
    return f"that of `{rule['sameRankAs']}`" if "sameRankAs" in rule else str(low) if low == high else f"{low} to {high}"


def types_table(row: Row) -> str:
    lines = ["| operand | data types | ranks |", "|---|---|---|"]
    for rule in row["inputs"] + row["outputs"]:
        result = " (result)" if rule in row["outputs"] else ""
        types = f"that of `{rule['sameTypeAs']}`" if "sameTypeAs" in rule else ", ".join(rule["dataTypes"])
        lines.append(f"| `{rule['name']}`{result} | {types} | {ranks(rule)} |")
    return "\n".join(lines)


def signatures(row: Row) -> str:
    names = [item["name"] for item in row["arguments"]]
    returned = "MLOperand[]" if row["returns"] != "MLOperand" else "MLOperand"
    python = ", ".join([*map(snake, names), *(f"{snake(item['name'])}=" for item in row["options"])])
    first = f"- JavaScript, C++: `{row['name']}({', '.join([*names, 'options'])})`, which returns {returned}"
    return f"{first}\n- Python: `{snake(row['name'])}({python})`"


def backends_table(status: Row | None) -> str:
    if status is None or not status.get("reference_cases"):
        return "There is no conformance vector for it; the tests compare each backend with NumPy and with the reference."
    lines = ["| backend | conformance vectors passed | |", "|---|---|---|"]
    for key, _, _ in webnn.backends():
        title = BACKEND_TITLES.get(key, key)
        lines.append(f"| {title} | {status[f'{key}_passed']} of {status[f'{key}_cases']} | {status[f'{key}_notes']} |")
    return "\n".join(lines) + "\n\nMeasured by `make status`: [all operations](../reference/status.md)."


def page(row: Row, drawn: str, made: list[Array], onnx_names: tuple[list[str], list[str]], status: Row | None) -> str:
    name = row["name"]
    example = EXAMPLES[name]
    tabs = "".join(
        f'=== "{TITLES[key]}"\n\n    ```{key}\n'
        + "".join(f"    {line}\n" if line else "\n" for line in writer.program(row, example, made).splitlines())
        + "    ```\n\n"
        for key, writer in LANGUAGES.items()
    )
    values = "\n".join(shown(output, array) for output, array in zip(names_of(len(made)), made, strict=True))
    read, written = onnx_names
    reads = f"Read from {', '.join(f'`{item}`' for item in read)}. " if read else "No ONNX operator alone becomes it. "
    return (
        f"# {name}\n\n{row['summary'][0].upper()}{row['summary'][1:].rstrip('.')}. [Specification]({row['specification']})\n\n"
        f'<div class="operation-picture">{drawn}</div>\n\n{example.text}\n\n{signatures(row)}\n\n'
        f'{types_table(row)}\n\n{options_table(row)}\n\n## Example\n\n{tabs}```text title="the result"\n{values}\n```\n\n'
        f"## ONNX\n\n{reads}The example is written as {', '.join(f'`{item}`' for item in written)}. "
        f"[More on ONNX](../reference/onnx.md)\n\n"
        f"## Backends\n\n{backends_table(status)}\n"
    )


def main(out: Path) -> None:
    warnings.simplefilter("ignore")  # NumPy warns of overflows in examples that overflow on purpose
    printed = subprocess.run([sys.executable, "-m", "webnn", "ops", "--format=json"], check=True, capture_output=True, text=True)
    rows = table(printed.stdout)
    status = {item["op"]: item for item in json.loads((ROOT / "docs/reference/status.json").read_text(encoding="utf-8"))["impl_status"]}
    context = webnn.ML().create_context()
    folder = out / "operations"
    folder.mkdir(parents=True, exist_ok=True)
    families: dict[str, list[Row]] = {family: [] for family in FAMILIES}
    with tempfile.TemporaryDirectory() as name:
        read = read_as(webnn.ML().create_context(backend="reference"), Path(name))
        for row in rows:
            families[family_of(row["name"])].append(row)
            written = written_as(context, row, Path(name))
            if len(written) == 1:
                model = Path(name) / "e.onnx"
                if operations_of(model.read_bytes(), context, Path(name)) == [row["name"]]:
                    read[row["name"]].add(written[0])
            made = results(context, row, EXAMPLES[row["name"]])
            text = page(row, picture(context, row), made, (sorted(read[row["name"]]), written), status.get(row["name"]))
            (folder / f"{row['name']}.md").write_text(text, encoding="utf-8")
    index = (
        "# Operations\n\nWebNN's 95 operations, each with a picture, a program in three languages, and what it becomes in ONNX. "
        "The list on one page: `webnn ops --format=md`.\n"
    )
    nav: list[Any] = ["operations/index.md"]
    for family, members in families.items():
        index += f"\n## {FAMILIES[family]}\n\n" + "".join(
            f"- [{row['name']}]({row['name']}.md): {row['summary'].rstrip('.')}\n" for row in members
        )
        nav.append({FAMILIES[family]: [{row["name"]: f"operations/{row['name']}.md"} for row in members]})
    (folder / "index.md").write_text(index, encoding="utf-8")
    (folder / "nav.json").write_text(json.dumps(nav), encoding="utf-8")


main(Path(sys.argv[1]))
