"""Fails unless every file that must repeat the version has that of CMakeLists.txt, which is the one place where it is decided."""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.search(r"^project\(WebNN VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def found() -> dict[str, str | None]:
    def first(pattern: str, file: str) -> str | None:
        match = re.search(pattern, (ROOT / file).read_text(), re.M)
        return match and match[1]

    return {f"bindings/{name}/{file}": json.loads((ROOT / f"bindings/{name}/{file}").read_text())["version"]
            for name in ("node", "web") for file in ("package.json", "package-lock.json")} | {
        "packaging/vcpkg/webnn/vcpkg.json": json.loads((ROOT / "packaging/vcpkg/webnn/vcpkg.json").read_text())["version-semver"],
        "CHANGELOG.md": first(r"^## \[?([0-9]+\.[0-9.]+)", "CHANGELOG.md"),
    }


wrong = [f"{file}: {version}" for file, version in found().items() if version != VERSION]
if wrong:
    sys.exit(f"check_version: CMakeLists.txt has {VERSION}; " + ", ".join(wrong))
