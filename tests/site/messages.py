"""Collects the error messages from the library's sources. {} stands for each value that is filled in."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = ["src", "bindings/python/src", "bindings/python/module", "bindings/js", "bindings/node/lib", "bindings/node/src"]
SOURCES += ["bindings/node/onnxruntime-node", "bindings/web/lib"]
# Programs and code whose messages only developers see.
LEFT_OUT = ("tools/random/", "tools/describe/", "tools/measure/", "src/backends/reference/")
CALLS = re.compile(r"\b(?:fail|require|unsupported|makeError|typeError|throwAsError|Error(?: \w+)?|TypeError|RangeError)\(")
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|`(?:\\.|[^`\\])*`')
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)


def arguments(text: str, start: int) -> list[str]:
    """Returns the arguments of a call. `start`: the position after its opening parenthesis."""
    found: list[str] = []
    depth, at, begin = 0, start, start
    while at < len(text):
        literal = LITERAL.match(text, at)
        if literal:
            at = literal.end()
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            if depth == 0:
                return [*found, text[begin:at]]
            depth -= 1
        elif text[at] == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return []


def literals(argument: str) -> Iterator[str]:
    """Yields the texts of more than one word of an argument: its literals joined, or for a conditional (? :) the joined literals
    of each alternative. Inserted values become {}."""
    for part in re.split(r"\?|(?<!:):(?!:)", argument) if re.search(r"\?[^\"'`]*[\"'`]", argument) else [argument]:
        text = "".join(match.group()[1:-1] for match in LITERAL.finditer(part))
        text = re.sub(r"\\(.)", r"\1", re.sub(r"\$\{[^}]*\}|\{[^}]*\}", "{}", text))
        if " " in text.strip():
            yield text


def of_code(text: str) -> Iterator[str]:
    """Yields the messages in a C++ or JavaScript source."""
    text = COMMENT.sub("", text)
    for call in CALLS.finditer(text):
        for argument in arguments(text, call.end()):
            if argument.lstrip()[:1] in ('"', "'", "`") or re.match(r"[^\"'`]*\?\s*[\"'`]", argument):
                found = list(literals(argument.strip()))
                yield from found
                if found or call.group() != "makeError(":
                    break


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return "{}"


def of_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args and node.func.id.endswith(("Error", "failure")):
            message = text_of(node.args[-1])
            if " " in message.strip():
                yield message


def messages(root: Path) -> dict[str, str]:
    """Returns {message: a file that contains it}."""
    found: dict[str, str] = {}
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cpp", ".h", ".mm", ".js", ".mjs", ".py") or name.startswith(LEFT_OUT):
                continue
            text = path.read_text(encoding="utf-8")
            for message in of_python(text) if path.suffix == ".py" else of_code(text):
                found.setdefault(message, name)
    return found
