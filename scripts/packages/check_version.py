"""Prints the version of CMakeLists.txt. Fails if another file that states the version differs from it."""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def first(pattern: str, file: str) -> str | None:
    match = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M)
    return match[1] if match else None


VERSION = str(first(r"^project\(WebNN VERSION ([0-9.]+)", "CMakeLists.txt"))


def found() -> dict[str, str | None]:
    return {f"bindings/{name}/{file}": json.loads((ROOT / f"bindings/{name}/{file}").read_text())["version"]
            for name in ("node", "web") for file in ("package.json", "package-lock.json")} | {
        "bindings/node/onnxruntime-node/package.json": json.loads((ROOT / "bindings/node/onnxruntime-node/package.json").read_text())["version"],
        "the dependency of bindings/node/onnxruntime-node":
            json.loads((ROOT / "bindings/node/onnxruntime-node/package.json").read_text())["dependencies"]["webnn"],
        "packaging/vcpkg/webnn/vcpkg.json": json.loads((ROOT / "packaging/vcpkg/webnn/vcpkg.json").read_text())["version-semver"],
        "bindings/python/onnxruntime/pyproject.toml": first(r'^version = "([0-9.]+)"', "bindings/python/onnxruntime/pyproject.toml"),
        "the dependency of bindings/python/onnxruntime": first(r'"webnn==([0-9.]+)"', "bindings/python/onnxruntime/pyproject.toml"),
        "bindings/rust/Cargo.toml": first(r'^version = "([0-9.]+)"', "bindings/rust/Cargo.toml"),
        "the dependency of bindings/rust/webnn": first(r'^webnn-sys = .*"=([0-9.]+)"', "bindings/rust/webnn/Cargo.toml"),
        "bindings/rust/webnn-wasi-nn/Cargo.toml": first(r'^version = "([0-9.]+)"', "bindings/rust/webnn-wasi-nn/Cargo.toml"),
        "the dependency of bindings/rust/webnn-wasi-nn": first(r'^webnn = .*"=([0-9.]+)"', "bindings/rust/webnn-wasi-nn/Cargo.toml"),
        "CHANGELOG.md": first(r"^## \[?([0-9]+\.[0-9.]+)", "CHANGELOG.md"),
    }


if __name__ == "__main__":
    wrong = [f"{file}: {version}" for file, version in found().items() if version != VERSION]
    if wrong:
        sys.exit(f"check_version: CMakeLists.txt has {VERSION}; " + ", ".join(wrong))
    print(VERSION)
