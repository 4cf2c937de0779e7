#!/bin/sh
# Makes the system packages in dist: a .deb and a relocatable .tar.gz. The same sources give the same bytes.
set -eu
cd "$(dirname "$0")/../.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
umask 022
cmake --preset package >/dev/null
cmake --build --preset package
cpack --config build/package/CPackConfig.cmake -B build/package/packages >build/package/cpack.log || { cat build/package/cpack.log; exit 1; }
mkdir -p dist
for file in build/package/packages/webnn*.deb build/package/packages/webnn-*.tar.gz; do
  mv "$file" dist/
  echo "dist/$(basename "$file"): $(du -k "dist/$(basename "$file")" | cut -f1) KB"
done
