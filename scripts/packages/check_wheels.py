#!/usr/bin/env python3
"""Checks that each wheel is small, works with glibc 2.28, and neither contains nor needs Debian's libraries.

Prints a line for each wheel.

usage: check_wheels.py WHEEL...    (with auditwheel, abi3audit beside this Python)
"""

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

from check_version import VERSION

MAX_BYTES = 8_000_000
MAX_GLIBC = 28  # glibc 2.28
BIN = Path(sys.executable).parent
# The licences of compiled-in code in webnn/licences/. The page of `webnn view` itself contains the licences of its code.
LICENCES = {
    *("libcli11-dev", "libfmt-dev", "libhwy-dev", "libprotozero-dev", "libstb-dev", "nlohmann-json3-dev"),
    *("libcxx", "nanobind", "webnn"),
}
FILES = ("METADATA", "WHEEL", "entry_points.txt")
FIELDS = {"Name": "webnn", "License-Expression": "Apache-2.0", "Requires-Python": ">=3.11"}  # fields that METADATA must have


def problems_inside(wheel: Path) -> Iterator[str]:
    """Yields problems with the names and texts in a wheel."""
    if wheel.stat().st_size > MAX_BYTES:
        yield f"{wheel.stat().st_size:,} bytes are more than {MAX_BYTES:,}"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        info = f"webnn-{VERSION}.dist-info/"
        texts = {name: archive.read(info + name).decode() for name in FILES if info + name in names}
    metadata, built = Parser().parsestr(texts.get("METADATA", "")), Parser().parsestr(texts.get("WHEEL", ""))
    for field, wanted in {**FIELDS, "Version": VERSION}.items():
        if metadata[field] != wanted:
            yield f"METADATA has {field} {metadata[field]}, not {wanted}"
    tags = wheel.stem.removeprefix(f"webnn-{VERSION}-")
    language, abi, platforms = [*tags.split("-"), "", ""][:3]
    if {f"{language}-{abi}-{platform}" for platform in platforms.split(".")} != set(built.get_all("Tag", [])):
        yield f"its name has the tags {tags}, WHEEL has {built.get_all('Tag')}"
    if (language, abi) not in {("cp311", "cp311"), ("cp312", "abi3")}:
        yield f"it is for {language}-{abi}"
    if "webnn = webnn.__main__:main" not in texts.get("entry_points.txt", ""):
        yield "the command webnn is missing"
    libraries = [name for name in names if ".so" in Path(name).name]
    if len(libraries) != 1 or not libraries[0].startswith("webnn/_webnn."):
        yield f"the libraries are {libraries}, not webnn/_webnn alone"
    missing = {f"webnn/licences/{name}.txt" for name in LICENCES} - set(names)
    if missing:
        yield f"licences of what is linked are missing: {', '.join(sorted(missing))}"


def problems_of_stand_in(wheel: Path) -> Iterator[str]:
    """Yields problems with the wheel webnn-onnxruntime, whose only module imports webnn."""
    info = f"webnn_onnxruntime-{VERSION}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith(info)}
        metadata = Parser().parsestr(archive.read(f"{info}METADATA").decode())
    if names != {"onnxruntime/__init__.py"}:
        yield f"its files are {', '.join(sorted(names))}, not onnxruntime/__init__.py alone"
    for field, wanted in {**FIELDS, "Name": "webnn-onnxruntime", "Version": VERSION, "Requires-Dist": f"webnn=={VERSION}"}.items():
        if metadata[field] != wanted:
            yield f"METADATA has {field} {metadata[field]}, not {wanted}"


def problems_of_libraries(wheel: Path) -> Iterator[str]:
    """Yields problems that auditwheel and abi3audit report for the module in a wheel."""
    report = subprocess.run([BIN / "auditwheel", "show", "--json", wheel], capture_output=True, text=True, check=True)
    tag = json.loads(report.stdout)["overall_tag"]
    glibc = re.match(r"manylinux_2_(\d+)_", tag)
    if not glibc or int(glibc[1]) > MAX_GLIBC:
        yield f"auditwheel says {tag}"
    if "-abi3-" in wheel.name:
        audit = subprocess.run([BIN / "abi3audit", "--strict", "--report", wheel], capture_output=True, text=True, check=False)
        if audit.returncode != 0:
            yield f"abi3audit says {audit.stdout}{audit.stderr}"


def main() -> int:
    status = 0
    for wheel in map(Path, sys.argv[1:]):
        if wheel.name.startswith("webnn_onnxruntime-"):
            found = [*problems_of_stand_in(wheel)]
        else:
            found = [*problems_inside(wheel), *problems_of_libraries(wheel)]
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes", *found, sep="\n  ")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
