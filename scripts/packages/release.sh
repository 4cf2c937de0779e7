#!/bin/sh
# Makes all files of a release in dist: the wheels, the npm packages, the system packages, the documents, an SBOM and checksums.
# The same commit gives the same bytes, because all files get the time of the commit.
set -eu
cd "$(dirname "$0")/../.."
[ -z "$(git status --porcelain)" ] || { echo "release: the tree has changes that are not committed" >&2; exit 1; }
version=$(python3 scripts/packages/check_version.py)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf dist
scripts/packages/check_abi.sh
# Stops the release if the page of webnn view cannot be built; `make setup`, which `make wheel` runs, would continue without it.
scripts/viewer.sh
make wheel arm-packages npm package docs
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -czf "dist/libwebnn-$version-docs.tar.gz" -C build/site .
git archive --prefix="libwebnn-$version/" -o "dist/libwebnn-$version.tar.gz" HEAD
scripts/setup/setup_python.sh packaging/sbom-requirements.txt build/sbom
build/sbom/bin/python scripts/packages/sbom.py dist "$version"
(cd dist && sha256sum -- * >SHA256SUMS)
cat dist/SHA256SUMS
