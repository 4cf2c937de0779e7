#!/usr/bin/env python3
"""What every wheel must be: small, for glibc 2.28 or older, with nothing of Debian's inside or needed. Prints a line for each.

usage: check_wheels.py WHEEL...    (with auditwheel, abi3audit beside this Python)
"""

import json
import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAX_BYTES = 8_000_000
MAX_GLIBC = 28  # of 2.x
BIN = Path(sys.executable).parent


def problems_of(wheel: Path) -> list[str]:
    found = []
    if wheel.stat().st_size > MAX_BYTES:
        found.append(f"{wheel.stat().st_size:,} bytes are more than {MAX_BYTES:,}")
    version = re.search(r"project\(WebNN VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert version
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        info = f"webnn-{version[1]}.dist-info/"
        if info + "METADATA" not in names:
            return [*found, f"there is no {info}METADATA: is it of version {version[1]}?"]
        metadata = Parser().parsestr(archive.read(info + "METADATA").decode())
        if metadata["Version"] != version[1]:
            found.append(f"METADATA has version {metadata['Version']}")
        if "webnn = webnn.__main__:main" not in archive.read(info + "entry_points.txt").decode():
            found.append("the command webnn is missing")
    libraries = [name for name in names if ".so" in Path(name).name]
    if len(libraries) != 1 or not libraries[0].startswith("webnn/_webnn."):
        found.append(f"the libraries are {libraries}, not webnn/_webnn alone")
    if not any(name.startswith("webnn/licences/") for name in names):
        found.append("the licences of what is linked are missing")

    report = subprocess.run([BIN / "auditwheel", "show", "--json", wheel], capture_output=True, text=True, check=True)
    tag = json.loads(report.stdout)["overall_tag"]
    glibc = re.match(r"manylinux_2_(\d+)_", tag)
    if not glibc or int(glibc[1]) > MAX_GLIBC:
        found.append(f"auditwheel says {tag}")
    if "-abi3-" in wheel.name:
        audit = subprocess.run([BIN / "abi3audit", "--strict", "--report", wheel], capture_output=True, text=True, check=False)
        if audit.returncode != 0:
            found.append(f"abi3audit says {audit.stdout}{audit.stderr}")
    return found


def main() -> int:
    status = 0
    for wheel in map(Path, sys.argv[1:]):
        found = problems_of(wheel)
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes", *found, sep="\n  ")
        status |= bool(found)
    return status


if __name__ == "__main__":
    sys.exit(main())
