"""Writes the program of an example in Python, JavaScript and C++, and computes its results with the library."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import webnn

from examples import Array, Const, Example, In

Row = dict[str, Any]  # a row of the operation table, as `webnn ops --format=json` prints it
TYPED_ARRAYS = {"float32": "Float32Array", "int32": "Int32Array", "uint8": "Uint8Array", "int8": "Int8Array"}
CPP_TYPES = {"float32": "float", "int32": "std::int32_t", "uint8": "std::uint8_t", "int8": "std::int8_t"}


def table(printed: str) -> list[Row]:
    rows: list[Row] = json.loads(printed)["operations"]
    return rows


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower().replace("is_na_n", "is_nan")


def operands(example: Example) -> Iterator[tuple[str, Const]]:
    """Yields the operands of an example with the names of their variables."""
    for name, value in example.arguments.items():
        if isinstance(value, Const):
            yield name, value
        elif isinstance(value, list) and value and isinstance(value[0], Const):
            yield from ((f"{name.removesuffix('s')}{i + 1}", part) for i, part in enumerate(value))


def split_arguments(row: Row, example: Example) -> tuple[list[tuple[Row, Any]], list[tuple[Row, Any]]]:
    """Returns the positional arguments and the options of an example, each in the order of the operation table."""
    given = example.arguments
    assert set(given) <= {item["name"] for item in row["arguments"] + row["options"]}, row["name"]
    positional = [(argument, given[argument["name"]]) for argument in row["arguments"]]
    return positional, [(option, given[option["name"]]) for option in row["options"] if option["name"] in given]


def results(context: webnn.MLContext, row: Row, example: Example, replaced: dict[str, Array] | None = None) -> list[Array]:
    """Computes the example with the library and returns its results. `replaced` has other values for some operands."""
    builder = webnn.MLGraphBuilder(context)
    feeds, made = {}, {}
    for name, operand in operands(example):
        values = (replaced or {}).get(name, operand.values)
        made[name] = builder.input(name, list(values.shape), operand.data_type)
        feeds[name] = values
    positional, options = split_arguments(row, example)

    def argument(name: str, value: Any) -> Any:
        if isinstance(value, Const):
            return made[name]
        if isinstance(value, list) and value and isinstance(value[0], Const):
            return [made[f"{name.removesuffix('s')}{i + 1}"] for i in range(len(value))]
        return value

    method = getattr(builder, snake(row["name"]))
    output = method(
        *(argument(item["name"], value) for item, value in positional),
        **{snake(item["name"]): argument(item["name"], value) for item, value in options},
    )
    outputs = output if isinstance(output, list) else [output]
    graph = builder.build({f"y{i}": part for i, part in enumerate(outputs)})
    computed = context.compute(graph, feeds)
    return [np.asarray(computed[f"y{i}"]) for i in range(len(outputs))]


def names_of(count: int) -> list[str]:
    return ["output"] if count == 1 else [f"output{i}" for i in range(count)]


def number(value: Any, nan: str = "NaN", infinity: str = "Infinity") -> str:
    """Returns a number as a literal: the shortest one that float32 reads as the same value."""
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return nan
        if np.isinf(value):
            return infinity if value > 0 else f"-{infinity}"
        return np.format_float_positional(np.float32(value), trim="-")
    return str(value)


def nested(array: Array, nan: str, infinity: str) -> str:
    if array.ndim == 0:
        return number(array[()], nan, infinity)
    return f"[{', '.join(nested(part, nan, infinity) for part in array)}]"


class Writer:
    """Writes values of arguments in the syntax of JavaScript. Subclasses change it to that of other languages."""

    true, false, open, close, quote = "true", "false", "[", "]", "'"

    def plain(self, item: Row, value: Any) -> str:
        if isinstance(value, bool):
            return self.true if value else self.false
        if isinstance(value, str):
            return f"{self.quote}{value}{self.quote}"
        if isinstance(value, list):
            return self.open + ", ".join(self.plain(item, part) for part in value) + self.close
        return number(value)

    def argument(self, item: Row, value: Any) -> str:
        name = item["name"]
        if isinstance(value, Const):
            return self.variable(name)
        if isinstance(value, list) and value and isinstance(value[0], Const):
            parts = ", ".join(self.variable(f"{name.removesuffix('s')}{i + 1}") for i in range(len(value)))
            return self.open + parts + self.close
        return self.plain(item, value)

    def variable(self, name: str) -> str:
        return name


class Python(Writer):
    true, false, quote = "True", "False", '"'

    def variable(self, name: str) -> str:
        return snake(name)

    def program(self, row: Row, example: Example, made: list[Array]) -> str:
        positional, options = split_arguments(row, example)
        lines = [
            "import numpy as np",
            "import webnn",
            "",
            "context = webnn.ML().create_context()",
            "builder = webnn.MLGraphBuilder(context)",
        ]
        feeds = []
        for name, operand in operands(example):
            array = f"np.array({nested(operand.values, 'np.nan', 'np.inf')}, np.{operand.data_type})"
            if isinstance(operand, In):
                lines.append(f'{snake(name)} = builder.input("{name}", {list(operand.values.shape)}, "{operand.data_type}")')
                feeds.append(f'    "{name}": {array},')
            else:
                lines.append(f"{snake(name)} = builder.constant({array})")
        called = [self.argument(*pair) for pair in positional] + [
            f"{snake(item['name'])}={self.argument(item, value)}" for item, value in options
        ]
        names = names_of(len(made))
        lines.append(f"{', '.join(names)} = builder.{snake(row['name'])}({', '.join(called)})")
        lines.append("graph = builder.build({" + ", ".join(f'"{name}": {name}' for name in names) + "})")
        lines += ["results = context.compute(graph, {", *feeds, "})"]
        lines += [f'print(results["{name}"])' for name in names]
        return "\n".join(lines) + "\n"


class JavaScript(Writer):
    def program(self, row: Row, example: Example, made: list[Array]) -> str:
        positional, options = split_arguments(row, example)
        lines = [
            "import {ml, MLGraphBuilder} from 'webnn';",
            "",
            "const context = await ml.createContext();",
            "const builder = new MLGraphBuilder(context);",
        ]
        feeds = []
        for name, operand in operands(example):
            descriptor = f"{{dataType: '{operand.data_type}', shape: {list(operand.values.shape)}}}"
            if isinstance(operand, In):
                lines.append(f"const {name} = builder.input('{name}', {descriptor});")
                feeds.append(f"  {name}: {nested(operand.values, 'NaN', 'Infinity')},")
            else:
                flat = nested(operand.values.reshape(-1), "NaN", "Infinity")
                lines.append(f"const {name} = builder.constant({descriptor}, new {TYPED_ARRAYS[operand.data_type]}({flat}));")
        called = [self.argument(*pair) for pair in positional]
        if options:
            called.append(
                "{"
                + ", ".join(
                    f"{item['name']}: {self.argument(item, value)}".replace("bias: bias", "bias") for item, value in options
                )
                + "}"
            )
        names = names_of(len(made))
        bound = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
        lines.append(f"const {bound} = builder.{row['name']}({', '.join(called)});")
        lines.append(f"const graph = await builder.build({{{', '.join(names)}}});")
        lines += ["const results = await graph.run({", *feeds, "});"]
        lines += [f"console.log(results.{name});" for name in names]
        return "\n".join(lines) + "\n"


class Cpp(Writer):
    open, close = "{", "}"

    def plain(self, item: Row, value: Any) -> str:
        if isinstance(value, str):
            kind = item["type"].removeprefix("ML").replace("OperandDataType", "DataType")
            member = re.sub(r"-(\w)", lambda found: found[1].upper(), value)
            return f"webnn::{kind}::{member}"
        return super().plain(item, value)

    def call(self, row: Row, example: Example) -> str:
        positional, options = split_arguments(row, example)
        called = []
        for item, value in positional:
            text = self.argument(item, value)
            called.append(f"std::vector<std::uint32_t>{text}" if item["name"] == "splits" else text)
        if options:
            called.append("{" + ", ".join(f".{item['name']} = {self.argument(item, value)}" for item, value in options) + "}")
        return f"builder.{row['name']}({', '.join(called)})"

    def program(self, row: Row, example: Example, made: list[Array]) -> str:
        lines = ["#include <iostream>"]
        if any(not np.all(np.isfinite(operand.values)) for _, operand in operands(example)):
            lines.append("#include <cmath>")
        lines += ["#include <webnn/webnn.hpp>", "", "int main() {", "  webnn::GraphBuilder builder(webnn::Context::create());"]
        feeds = []
        for name, operand in operands(example):
            shape = "{" + ", ".join(map(str, operand.values.shape)) + "}"
            descriptor = f"{{webnn::DataType::{operand.data_type}, {shape}}}"
            flat = "{" + nested(operand.values.reshape(-1), "NAN", "INFINITY")[1:-1] + "}"
            flat = re.sub(r"-?\d+\.\d+", lambda found: found[0] + "F", flat)
            kind = CPP_TYPES[operand.data_type]
            if isinstance(operand, In):
                lines.append(f'  webnn::Operand {name} = builder.input("{name}", {descriptor});')
                feeds.append(f'      {{"{name}", {{std::vector<{kind}>{flat}, {shape}}}}},')
            else:
                lines.append(f"  webnn::Operand {name} = builder.constant<{kind}>({descriptor}, {flat});")
        names = names_of(len(made))
        if len(made) == 1 and row["returns"] == "MLOperand":
            lines.append(f"  webnn::Operand output = {self.call(row, example)};")
            built = '{"output", output}'
        else:
            lines.append(f"  std::vector<webnn::Operand> outputs = {self.call(row, example)};")
            built = ", ".join(f'{{"{name}", outputs[{i}]}}' for i, name in enumerate(names))
        lines += [
            f"  webnn::Session session(builder.build({{{built}}}));",
            "  std::map<std::string, webnn::Array> results = session.run({",
            *feeds,
            "  });",
        ]
        for name, array in zip(names, made, strict=True):
            plus = "+" if array.dtype.itemsize == 1 else ""
            lines.append(
                f'  for (auto value : results.at("{name}").as<{CPP_TYPES[array.dtype.name]}>())'
                f" std::cout << {plus}value << ' ';"
            )
            lines.append("  std::cout << '\\n';")
        return "\n".join([*lines, "}"]) + "\n"


LANGUAGES: dict[str, Python | JavaScript | Cpp] = {"python": Python(), "js": JavaScript(), "cpp": Cpp()}
