"""Writes the SBOM of a release as SPDX JSON: its files, and the dependencies they were built with.

The dependencies and their licences come from docs/reference/dependencies.md.

usage: sbom.py DIST VERSION   (in the environment that scripts/setup/setup_python.sh makes of packaging/sbom-requirements.txt)
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from spdx_tools.spdx.model import (Actor, ActorType, Checksum, ChecksumAlgorithm, CreationInfo, Document, File, Package, Relationship,
                                   RelationshipType, SpdxNoAssertion)
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from spdx_tools.spdx.writer.write_anything import write_file
from license_expression import get_spdx_licensing

ROOT = Path(__file__).resolve().parent.parent.parent
# The source of each dependency's version, by the name in the first table of docs/reference/dependencies.md: the Debian package,
# the npm directory and package, or the requirement in bindings/python/pyproject.toml.
DEBIAN = {"fmt": "libfmt-dev", "JSON for Modern C++": "nlohmann-json3-dev", "protozero": "libprotozero-dev", "Highway": "libhwy-dev",
          "Cap'n Proto": "libcapnp-dev", "libseccomp": "libseccomp-dev", "libmd": "libmd-dev", "CLI11": "libcli11-dev",
          "stb_image": "libstb-dev"}
NPM = {"node-addon-api": ("bindings/node", "node-addon-api"), "node-api-headers": ("bindings/node", "node-api-headers")}
PYPI = {"nanobind"}
# The dependencies that no file of the release contains. They are used only by the build, or loaded from the user's environment.
NOT_INSIDE = {"scikit-build-core", "esbuild", "NumPy", "Ray", "safetensors", "ONNX Runtime", "OpenVINO", "Core ML"}


def dependencies() -> list[tuple[str, str]]:
    """Returns (name, licence) of each package in the first table of docs/reference/dependencies.md."""
    text = (ROOT / "docs/reference/dependencies.md").read_text()
    table = text.split("\n|---|---|---|\n", 1)[1].split("\n\n", 1)[0]
    found: list[tuple[str, str]] = []
    for row in table.splitlines():
        names, licences, _ = (cell.strip() for cell in row.strip("|").split("|", 2))
        each = re.findall(r"\[([^]]+)\]\(", names)
        licence = [part.strip() for part in licences.split(",")]
        if "CPython" in names:  # this entry is not a link; the first licence is CPython's
            licence = licence[1:]
        if len(licence) == 1:
            licence *= len(each)
        found += zip(each, licence, strict=True)
    return found


def version_of(name: str) -> str | None:
    """Returns the version of dependency `name`; None if no file of the release contains it."""
    if name in DEBIAN:
        output = subprocess.run(["dpkg-query", "-W", "-f=${Version}", DEBIAN[name]], check=True, capture_output=True, text=True)
        return output.stdout
    if name in NPM:
        folder, package = NPM[name]
        lock = json.loads((ROOT / folder / "package-lock.json").read_text())
        return str(lock["packages"][f"node_modules/{package}"]["version"])
    if name == "libc++":
        match = re.search(r"^version=(.+)$", (ROOT / "scripts/setup/setup_zig.sh").read_text(), re.M)
        assert match
        return f"Zig {match[1]}"
    if name in PYPI:
        match = re.search(rf'"{name}==([^"]+)"', (ROOT / "bindings/python/pyproject.toml").read_text())
        if not match:
            raise SystemExit(f"sbom: bindings/python/pyproject.toml pins no {name}")
        return match[1]
    if name not in NOT_INSIDE:
        raise SystemExit(f"sbom: docs/reference/dependencies.md names {name}: say in scripts/packages/sbom.py where its version is")
    return None


def digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def licence_of(text: str) -> object:
    expression = text.replace(" or ", " OR ").replace("public domain", "Unlicense")
    return get_spdx_licensing().parse(expression, validate=True)


def main() -> None:
    dist, version = Path(sys.argv[1]), sys.argv[2]
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    files = sorted(path for path in dist.iterdir() if path.is_file() and path.suffix in (".whl", ".tgz", ".deb", ".gz"))
    everything = hashlib.sha256("".join(digest(path, "sha256") for path in files).encode()).hexdigest()
    info = CreationInfo("SPDX-2.3", "SPDXRef-DOCUMENT", f"libwebnn-{version}", f"https://spdx.org/spdxdocs/libwebnn-{version}-{everything}",
                        [Actor(ActorType.TOOL, "libwebnn scripts/packages/sbom.py")], datetime.fromtimestamp(epoch, timezone.utc).replace(tzinfo=None))
    ours = Package("SPDXRef-libwebnn", "libwebnn", SpdxNoAssertion(), version=version, files_analyzed=False,
                   license_declared=get_spdx_licensing().parse("Apache-2.0"))
    document = Document(info, [ours])
    document.relationships.append(Relationship("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, ours.spdx_id))
    for number, path in enumerate(files):
        file = File(f"./{path.name}", f"SPDXRef-file-{number}",
                    [Checksum(ChecksumAlgorithm.SHA1, digest(path, "sha1")), Checksum(ChecksumAlgorithm.SHA256, digest(path, "sha256"))])
        document.files.append(file)
        document.relationships.append(Relationship(file.spdx_id, RelationshipType.GENERATED_FROM, ours.spdx_id))
    for name, licence in dependencies():
        found = version_of(name)
        if found is None:
            continue
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        document.packages.append(Package(identifier, name, SpdxNoAssertion(), version=found, files_analyzed=False,
                                         license_declared=licence_of(licence)))
        document.relationships.append(Relationship(ours.spdx_id, RelationshipType.DEPENDS_ON, identifier))
    problems = validate_full_spdx_document(document)
    if problems:
        raise SystemExit("sbom: " + "; ".join(problem.validation_message for problem in problems))
    target = dist / f"libwebnn-{version}.spdx.json"
    write_file(document, str(target), validate=False)
    print(f"{target}: {len(files)} files, {len(document.packages) - 1} packages")


main()
