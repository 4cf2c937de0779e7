"""Checks that docs/reference/troubleshooting.md lists every message of the directories in CPP and BINDINGS, and every kind of error.

The page must not list messages that are not in the sources.
"""

import re
import sys
from pathlib import Path

from messages import messages

ROOT = Path(__file__).resolve().parents[2]
# All messages of these directories must be on the page. The page lists only common messages of the ONNX importer,
# the service, the C API, Ray and the command line.
BACKENDS = [f"backends/{name}" for name in ("cpu", "onnxruntime", "openvino", "webgpu", "coreml")]
CPP = ["base", "ops", "builder", "context", "graph", "formats", "coreml", "compiler", *BACKENDS]
BINDINGS = ["python/src/webnn/_", "python/src/webnn/onnxruntime/", "python/module/", "node/", "web/"]
COMPLETE = (*(f"src/{folder}/" for folder in CPP), *(f"bindings/{folder}" for folder in BINDINGS))
FEWEST = 7  # letters that a pattern must have, unless its form is `method: …`; shorter messages need not be on the page


def patterns(page: str) -> list[str]:
    """Returns the messages in the first column of the page's tables."""
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row) if " " in pattern]


def expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("…")) + r"[.:]?\s*", re.DOTALL)


def is_short(text: str) -> bool:
    return len(re.sub(r"\W", "", text)) < FEWEST


def main() -> list[str]:
    page = (ROOT / "docs/reference/troubleshooting.md").read_text(encoding="utf-8")
    found = {message.replace("{}", "…"): file for message, file in messages(ROOT).items()}
    known = {pattern: expression(pattern) for pattern in patterns(page)}
    wrong = [
        f'"{pattern}" says too little' for pattern in known if is_short(pattern) and not re.fullmatch(r"[\w\[\]]+: …", pattern)
    ]
    wrong += [
        f'"{pattern}" is no message of the sources' for pattern, regex in known.items() if not any(map(regex.fullmatch, found))
    ]
    for message, file in found.items():
        if not is_short(message) and file.startswith(COMPLETE) and not any(regex.fullmatch(message) for regex in known.values()):
            wrong.append(f'{file}: "{message}" is not in docs/reference/troubleshooting.md')
    kinds = re.findall(r'"(\w+Error)"', (ROOT / "src/base/error.cpp").read_text(encoding="utf-8"))
    assert len(kinds) >= 9, kinds
    wrong += [f"the kind {kind} is not in the table of kinds" for kind in set(kinds) if f"`{kind}`" not in page]
    must = sum(file.startswith(COMPLETE) for file in found.values())
    print(f"{len(known)} patterns, {len(found)} messages, {must} of which must be known")
    return wrong


problems = main()
print("\n".join(problems))
sys.exit(1 if problems else 0)
